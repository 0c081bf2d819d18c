"""Words that point back (it, 它, それ, this train, 該公司, そっち) and what they point at."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from anaphor.steps.reconstruct.heard import Heard
from anaphor.steps.reconstruct.kinds import kind
from anaphor.steps.reconstruct.lists import pair
from anaphor.steps.reconstruct.phrases import ORGANISATIONS, Phrase
from anaphor.steps.reconstruct.phrasing import tidy
from anaphor.steps.reconstruct.reading import PRONOUN, REPLACED, TOPIC, Reading
from anaphor.steps.reconstruct.seen import Seen, pattern, see
from anaphor.steps.reconstruct.tables import table
from anaphor.steps.reconstruct.thread import Mention, Thread, names_something
from anaphor.text.fold import matching
from anaphor.types import Carried, Decision, LeftBehind

KINDS = ("alternatives", "persons", "plural", "owners", "places", "demonstratives", "things")
SURE, LIKELY, UNRESOLVED = 0.9, 0.7, 0.5
ASKED_FOR = 1.5  # how much more likely the name is that the last question asked for
CLEAR = 0.25  # how far ahead of the next the antecedent must be to be sure


@dataclass(frozen=True, slots=True)
class Reference:
    """An expression that points back: offsets in the folded text. ``head`` is the noun in "that train"."""

    kind: str
    start: int
    end: int
    text: str
    head: str = ""


@dataclass(frozen=True, slots=True)
class Edit:
    """What is written in place of a stretch of the folded text."""

    start: int
    end: int
    text: str


def pointing(heard: Heard, thread: Thread) -> Reading | None:
    """Put what is meant in place of what points at it."""
    if not thread.said:
        return None
    found = _from_outside(references(heard.seen, heard.language), heard)
    meant = [(r, m) for r in found if (m := antecedent(r, heard, thread))]
    if not meant:
        return _unresolved(found, heard, thread) if found else None
    first, mention = meant[0]
    edits, named = [], set()
    for reference, antecedent_ in meant:
        key = antecedent_.phrase.key
        if not (key in named and reference.text in _OWNING):  # "Boise got its name" needs it named once
            edits.append(Edit(reference.start, reference.end, written(reference, antecedent_.text, heard)))
        named.add(key)
    carried = {m.phrase.key: Carried(m.phrase.text, m.seq, PRONOUN, 1.0) for _, m in meant}
    return Reading(
        decision=Decision.FOLLOW_UP,
        confidence=SURE if _clear(first, mention, thread) else LIKELY,
        text=edited(heard, edits),
        signals=tuple(f"{r.kind}: {r.text}" for r, _ in meant),
        carried=tuple(carried.values()),
        left_behind=_passed_over(first, mention, thread),
        weigh=() if first.kind == "alternatives" or any(p.named for p in heard.topics) else ((mention.seq, 1.0),),
        own=edited(heard, [replace(e, text=" ") for e in edits]),
    )


def _unresolved(found: list[Reference], heard: Heard, thread: Thread) -> Reading | None:
    """It points at something that is not found: what was talked about is weighed, the sentence left as it is."""
    last = thread.last
    if last is None or not last.topics or (found[0].kind == "demonstratives" and heard.topics):
        return None
    signals = tuple(f"{r.kind}, unresolved: {r.text}" for r in found)
    carried = tuple(Carried(p.text, last.seq, TOPIC, 0.5) for p in last.topics)
    return Reading(Decision.FOLLOW_UP, UNRESOLVED, heard.asked, signals, carried, weigh=((last.seq, 1.0),))


# -- what points -------------------------------------------------------------------------------------------------------


def references(seen: Seen, language: str) -> list[Reference]:
    """Every expression that points back, in order; what stands in quotation marks does not."""
    text = pattern(language, "not_pointing").sub(lambda m: "\u25a0" * len(m[0]), seen.unquoted())
    taken: list[Reference] = []
    for name in KINDS:
        for match in pattern(language, name).finditer(text):
            start, end = _without_particle(match, language)
            if start < end and all(end <= t.start or t.end <= start for t in taken):
                groups = match.groupdict()
                head = groups.get("head") or groups.get("named") or ""
                taken.append(Reference(name, start, end, text[start:end], head.strip()))
    return sorted(taken, key=lambda r: r.start)


_PARTICLES = re.compile("(?:だけ|について|より|なら|は|が|を|に|で|も|の|と|へ|から|には|では|へは)$")


def _without_particle(match: re.Match[str], language: str) -> tuple[int, int]:
    """In Japanese the particle stays where it is; ``って`` goes with the pronoun and becomes は."""
    start, end = match.span()
    if language != "ja" or match.groupdict().get("head"):
        return start, end
    particle = _PARTICLES.search(match[0], 2)
    return start, start + particle.start() if particle else end


def _from_outside(found: list[Reference], heard: Heard) -> list[Reference]:
    """Those whose meaning is not in the utterance itself; a pronoun said twice means the same both times."""
    outside: list[Reference] = []
    for reference in found:
        again = any(r.kind == reference.kind and r.kind != "demonstratives" for r in outside)
        if again or not _meant_within(reference, heard):
            outside.append(reference)
    return outside


def _meant_within(reference: Reference, heard: Heard) -> bool:
    """In "Who was Willy Brandt and what did he do" it is: in an earlier clause, or as the owner of what follows."""
    before = heard.bare[: heard.seen.folded.source(reference.start, reference.end).start]
    if reference.kind in ("demonstratives", "alternatives", "things") and _in_apposition(reference, before, heard):
        return True
    for phrase in heard.topics:
        if phrase.end > len(before):
            return False
        between = matching(before[phrase.end :], heard.language)
        if not pattern(heard.language, "clause").search(between) and not _is_subject(phrase, reference, heard):
            continue
        if reference.kind == "persons" and not _may_be_he(phrase, heard.language):
            continue
        if reference.kind not in ("demonstratives", "alternatives"):
            return True
    return False


def _in_apposition(reference: Reference, before: str, heard: Heard) -> bool:
    """《分手快樂》這首歌, "one is X, the other": the noun, or what it stands beside, has just been said."""
    if reference.kind == "alternatives":
        return bool(_ONE_OF_TWO.search(before.casefold()))
    if reference.head and reference.head in see(before, heard.language).text:
        return True
    if heard.language == "en":
        at = len(before)
        return any(p.named and " " in p.key and at <= p.start <= at + len(reference.text) for p in heard.topics)
    if heard.language.startswith("zh") and _PART_OF_A_WORD.search(matching(before)):
        return True
    return any(p.end == len(before.rstrip()) for p in heard.topics)


# A character of content right before 這 or 那: it stands beside its noun (君為輕這句話) or is part of a name (路易斯安那州).
_PART_OF_A_WORD = re.compile(
    "[\u4e00-\u9fff](?<![在是和跟对從从到把被给用以为与于的了过有去来问说看买查找选由让比向往订搭坐而但就也还都将拿等想要知道如关除针对且并])$"
)


_ONE_OF_TWO = re.compile(r"(?:^|[^另第])(?:一[個个种種家間间項项]|(?:一|1|ひと)つ)|\bone\b")
_OWNERS = re.compile(r"(?:its|his|her|their|其)")
_HELPS = re.compile(r"\b(?:does|did|do|is|was|are|were|has|had|have|can|could|will|would|should) (?:the |an? )?$")


def _is_subject(phrase: Phrase, reference: Reference, heard: Heard) -> bool:
    """Where does Doctor Strange get his powers: an owner may be the subject of its own clause."""
    if not _OWNERS.fullmatch(reference.text):
        return False
    return heard.language != "en" or bool(_HELPS.search(heard.bare[: phrase.start].casefold()))


def _may_be_he(phrase: Phrase, language: str) -> bool:
    return phrase.named or language != "en" or _somebody(phrase.key, language)


def _somebody(key: str, language: str) -> bool:
    return bool(pattern(language, "somebody").search(key))


# -- what is meant -----------------------------------------------------------------------------------------------------


def antecedent(reference: Reference, heard: Heard, thread: Thread) -> Mention | None:
    """The best mention that fits the expression."""
    own = {p.key for p in heard.topics}
    mentions = [m for m in thread.mentions() if m.phrase.key not in own]
    if not mentions:
        return None
    if reference.kind == "alternatives":
        return _beside_the_topic(mentions, thread) or _best(mentions, thread)
    if reference.kind == "demonstratives":
        return _called(reference.head, mentions, heard.language, thread)
    if reference.kind == "plural" and (both := _both(thread, reference.text)):
        return both
    fitting = [m for m in mentions if _fits(reference, m)]
    if reference.kind == "persons" and not fitting:
        fitting = [m for m in mentions if _may_be_somebody(m)]
        return _best(fitting, thread) if fitting else None
    if reference.kind == "places" and fitting:
        best = _best(mentions, thread)
        fitting = [m for m in fitting if m.salience >= 0.7 * best.salience] or [best]
    return _best(fitting or mentions, thread)


def _fits(reference: Reference, mention: Mention) -> bool:
    phrase = mention.phrase
    english = phrase.text.isascii()
    if reference.kind == "persons":
        return phrase.kind == "person" or _may_be_named(phrase) or (not english and not phrase.kind)
    if reference.kind == "places":
        return phrase.kind in ("place", "shop", "body", "room") or (phrase.named and phrase.kind != "code")
    if reference.kind == "plural" and english:
        return phrase.key.endswith("s") or phrase.kind in ("person", "body")
    if reference.text in ("it", "its", "it's"):
        return phrase.kind != "person" and not (english and phrase.key.endswith("s") and not phrase.named)
    return True


def _may_be_named(phrase: Phrase) -> bool:
    """Two or three capitalised words that are no place and no organisation may be somebody's name."""
    words = phrase.text.split(" ")
    return (
        phrase.named
        and not phrase.kind
        and 2 <= len(words) <= 3
        and all(
            w[:1].isupper() and w.isalpha() and not w.isupper() and w.casefold() not in ORGANISATIONS for w in words
        )
    )


def _may_be_somebody(mention: Mention) -> bool:
    """One capitalised word in the person's own question; outside English, whatever the person asked about."""
    phrase = mention.phrase
    if mention.said_in != "question" or phrase.kind:
        return False
    return not phrase.text.isascii() or (phrase.named and " " not in phrase.key)


def _best(mentions: list[Mention], thread: Thread) -> Mention:
    """The most salient, unless the last question asked for a name and the answer gave it."""
    named = _asked_for(thread)
    return max(mentions, key=lambda m: m.salience + ASKED_FOR * (m.phrase.key == named))


def _asked_for(thread: Thread) -> str | None:
    """Who wrote it? — Frank Herbert. That name is then what is talked about."""
    last = thread.last
    if last is None or not last.answer:
        return None
    if not pattern(last.language, "asks_for").search(last.standalone.casefold()):
        return None
    asked = [p.key for p in last.phrases]
    new = (p.key for p in last.answer_phrases[:6] if names_something(p) and not any(p.key in key for key in asked))
    return next(new, None)


def _beside_the_topic(mentions: list[Mention], thread: Thread) -> Mention | None:
    """そっち, the other one: what the last answer brought up beside what was asked about."""
    last = thread.last
    if last is None:
        return None
    asked = [p.key for p in last.topics]
    new = [
        m
        for m in mentions
        if m.said_in == "answer" and m.seq == last.seq and not any(key.startswith(m.phrase.key) for key in asked)
    ]
    named = [m for m in new if m.phrase.named] or new
    return max(named, key=lambda m: m.phrase.start) if named else None


def _called(head: str, mentions: list[Mention], language: str, thread: Thread) -> Mention | None:
    """This train, 那家供應商: what is called so in more words; else of that sort; else what the last answer began with."""
    longer = len(head) + 2
    called = [m for m in mentions if _has_head(m.phrase.key, head) and len(m.phrase.key) >= longer]
    sort = kind(head) if head else ""
    of_the_sort = [
        m
        for m in mentions
        if sort and m.phrase.kind == sort and m.phrase.key != head and (m.phrase.named or m.said_in == "answer")
    ]
    found = called or of_the_sort
    if found:
        return max(found, key=lambda m: m.salience)
    if _BODY.fullmatch(head):
        mentions = [m for m in mentions if m.phrase.kind != "place"] or mentions
    rest = [m for m in mentions if m.phrase.key != head]
    if language == "en":
        named = [m for m in rest if m.phrase.named]
        return _best(named, thread) if named and head in table("en").sorts else None
    return _opening(mentions, thread) or (_best(rest, thread) if rest else None)


_BODY = re.compile(
    "社|会社|公司|企业|企業|集团|品牌|品|产品|製品|店|店家|校|学校|机构|機構|单位"
)  # no place is called so


def antecedent_called(head: str, thread: Thread, language: str) -> str:
    """The name that the last answer gave to what was asked for: 哪家供應商？ — 鴻達."""
    last = thread.last
    named = _asked_for(thread)
    if last is None:
        return ""
    titled = next((p for p in last.answer_phrases if _has_head(p.key, head) and len(p.key) > len(head)), None)
    if titled is not None and not any(titled.key in p.key for p in last.phrases):
        return titled.text  # 指揮周牧
    if named is None:
        return ""
    asked = re.search(rf"(?:哪|どの|which |what ).{{0,4}}{re.escape(head)}", matching(last.standalone, language))
    if not asked and head not in table("en").sorts:
        return ""
    return next((p.text for p in last.answer_phrases if p.key == named), "")


def _has_head(key: str, head: str) -> bool:
    if not head:
        return False
    if head.isascii():
        stem = head[:-1] if head.endswith("s") and len(head) > 3 else head
        return stem in key.split(" ") or head in key.split(" ")
    return key.endswith(head) or key.startswith(head)


def _opening(mentions: list[Mention], thread: Thread) -> Mention | None:
    """The phrase with which the last answer began, if the question had not said it."""
    last = thread.last
    if last is None or not last.answer_phrases:
        return None
    first = last.answer_phrases[0]
    if first.start > 6 or any(first.key in p.key for p in last.phrases):
        return None
    return next((m for m in mentions if m.phrase.key == first.key), None)


_TWO = re.compile("两.|二者|両|兩.|the two|both|どちらも")


def _both(thread: Thread, said: str) -> Mention | None:
    """They, after a question about two things, are both; "the two" and 兩個 are so also later."""
    found = pair(thread if _TWO.match(said) else Thread(thread.said[-1:]))
    turn = thread.by(found.seq) if found else None
    if turn is None or found is None or not all(item in turn.standalone for item in found.items):
        return None
    start = turn.standalone.index(found.items[0])
    end = turn.standalone.index(found.items[-1], start) + len(found.items[-1])
    first = next(p for p in turn.phrases if p.start >= start)
    whole = replace(first, text=turn.standalone[start:end], start=start, end=end, named=True)
    return Mention(whole, turn.seq, "question", 2.0, turn.standalone)


def _clear(reference: Reference, mention: Mention, thread: Thread) -> bool:
    """Nothing else that fits comes near."""
    others = [m for m in thread.mentions() if m.phrase.key != mention.phrase.key and _fits(reference, m)]
    return not others or mention.salience - max(m.salience for m in others) >= CLEAR


def _passed_over(reference: Reference, mention: Mention, thread: Thread) -> tuple[LeftBehind, ...]:
    if reference.kind != "alternatives" or thread.last is None:
        return ()
    others = (p for p in thread.last.topics if p.key != mention.phrase.key)
    return tuple(LeftBehind(p.text, thread.last.seq, REPLACED) for p in others)


# -- how it is written -------------------------------------------------------------------------------------------------

_CONTRACTED = {"'s": " is", "'re": " are", "'ll": " will", "'d": " would", "'ve": " have"}
_OWNING = frozenset(("its", "their", "theirs", "his", "hers", "whose"))
_MOVING = re.compile("[在到去从離离]")


def written(reference: Reference, name: str, heard: Heard) -> str:
    """The antecedent in the form its place asks for: its → X's, 其 → X的, それって → Xは."""
    if heard.language == "en":
        return _written_in_english(reference, name, heard.seen.text)
    if reference.kind == "owners":
        return name + ("中" if reference.text == "其中" else table(heard.language).of)
    if heard.language == "ja" and reference.text.endswith("って"):
        return name + "は"
    if reference.kind == "places" and _MOVING.match(reference.text):
        return heard.seen.verbatim(reference.start, reference.start + 1) + name
    return name


def _written_in_english(reference: Reference, name: str, text: str) -> str:
    said = reference.text
    if said in _OWNING or (said == "her" and _noun_follows(text, reference.end)):
        return f"{name}'" if name.endswith("s") else f"{name}'s"
    verb = next((verb for ending, verb in _CONTRACTED.items() if said.endswith(ending)), "")
    if verb:
        return name + verb
    return f"in {name}" if said == "there" else name


def _noun_follows(text: str, at: int) -> bool:
    word = re.match(r" ([a-z']+)", text[at:])
    return word is not None and word[1] not in table("en").grammar


def edited(heard: Heard, edits: list[Edit]) -> str:
    """The utterance with every edit made, the rest verbatim."""
    out: list[str] = []
    at = 0
    for edit in sorted(edits, key=lambda e: e.start):
        span = heard.seen.folded.source(edit.start, edit.end)
        out += [heard.bare[at : span.start], edit.text]
        at = span.end
    out.append(heard.bare[at:])
    return tidy("".join(out), heard.language)
