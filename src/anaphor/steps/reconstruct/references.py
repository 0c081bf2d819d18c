"""Words that point back (it, 它, それ, this train, 該公司, そっち) and what they point at."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from anaphor.steps.reconstruct.heard import Heard
from anaphor.steps.reconstruct.kinds import kind
from anaphor.steps.reconstruct.lists import pair
from anaphor.steps.reconstruct.reading import PRONOUN, REPLACED, Reading
from anaphor.steps.reconstruct.seen import pattern
from anaphor.steps.reconstruct.tables import table
from anaphor.steps.reconstruct.thread import Mention, Thread
from anaphor.types import Carried, Decision, LeftBehind

KINDS = ("alternatives", "persons", "plural", "owners", "places", "demonstratives", "things")
SURE, LIKELY = 0.9, 0.7


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
    found = [r for r in references(heard) if not meant_within(r, heard)]
    if not found or not thread.said:
        return None
    edits, meant = [], []
    for reference in found:
        mention = antecedent(reference, heard, thread)
        if mention is None:
            continue
        if heard.language != "en" or reference.text not in _OWNING or mention.phrase.key not in {m.phrase.key for _, m
        in meant}:
            edits.append(Edit(reference.start, reference.end, written(reference, mention.text, heard)))
        meant.append((reference, mention))
    if not meant:
        return None
    first, mention = meant[0]
    left = _passed_over(first, mention, thread)
    carried = {m.phrase.key: Carried(m.phrase.text, m.seq, PRONOUN, 1.0) for _, m in meant}
    return Reading(
        decision=Decision.FOLLOW_UP,
        confidence=SURE if _clear(first, mention, thread) else LIKELY,
        text=edited(heard, edits),
        signals=tuple(f"{r.kind}: {r.text}" for r, _ in meant),
        carried=tuple(carried.values()),
        left_behind=left,
        weigh=() if first.kind == "alternatives" else ((mention.seq, 1.0),),
        own=edited(heard, [replace(e, text=" " if heard.language == "en" else "") for e in edits]),
    )


def references(heard: Heard) -> list[Reference]:
    """Every expression of the utterance that points back, in order; what stands in quotation marks does not."""
    text = heard.seen.unquoted()
    text = pattern(heard.language, "not_pointing").sub(lambda m: "\u25a0" * len(m[0]), text)
    taken: list[Reference] = []
    for name in KINDS:
        for match in pattern(heard.language, name).finditer(text):
            start, end = _without_particle(match, heard.language)
            if start < end and all(end <= t.start or t.end <= start for t in taken):
                head = match.groupdict().get("head") or ""
                taken.append(Reference(name, start, end, text[start:end], head.strip()))
    return sorted(taken, key=lambda r: r.start)


_PARTICLES = re.compile("(?:って|だけ|について|より|なら|は|が|を|に|で|も|の|と|へ|から|には|では|へは)$")


def _without_particle(match: re.Match[str], language: str) -> tuple[int, int]:
    """In Japanese the particle stays where it is; ``って`` goes with the pronoun and becomes は."""
    start, end = match.span()
    if language != "ja" or match.groupdict().get("own"):
        return start, end
    particle = _PARTICLES.search(match[0], 2)
    if particle and particle[0] != "って" and match.lastgroup != "head":
        return start, start + particle.start()
    return start, end


# -- is it meant within the utterance itself? --------------------------------------------------------------------------

_CLAUSE = re.compile(r"[,;.?!。、]|\b(?:and|or|but|if|when|while|because|so|that|which|who|where|after|before|since|although|until|as)\b|而|並|但|如果|的話")
_SOMEBODY = re.compile(r"\b(?:user|customer|employee|student|patient|child|kid|parent|person|people|owner|player|worker|tenant|member|applicant|driver|president|king|queen|author|someone|anyone|company|companies)s?\b|ren$|人$|員$|者$|生$")


def meant_within(reference: Reference, heard: Heard) -> bool:
    """"Who was Willy Brandt and what did he do" needs nobody else: what is meant stands in an earlier clause."""
    at = heard.seen.folded.source(reference.start, reference.end).start
    for phrase in heard.topics:
        if phrase.end > at:
            break
        parted = bool(_CLAUSE.search(heard.bare[phrase.end : at].casefold()))
        if not parted and reference.kind != "owners":
            continue
        if reference.kind == "persons" and not (phrase.kind == "person" or phrase.named or
        _SOMEBODY.search(phrase.key)):
            continue
        if reference.kind in ("demonstratives", "alternatives"):
            if reference.head and phrase.head == reference.head and len(phrase.key) > len(reference.head):
                return True
            continue
        return True
    return False


# -- what is meant -----------------------------------------------------------------------------------------------------


def antecedent(reference: Reference, heard: Heard, thread: Thread) -> Mention | None:
    """The best mention that fits the expression."""
    own = {p.key for p in heard.topics}
    mentions = [m for m in thread.mentions() if m.phrase.key not in own]
    if not mentions:
        return None
    if reference.kind == "alternatives":
        return _alternative(mentions, thread) or _best(mentions, thread)
    if reference.kind == "demonstratives":
        return _of_that_name(reference.head, mentions, heard.language, thread)
    if reference.kind == "plural" and (both := _both(thread)):
        return both
    fitting = [m for m in mentions if _fits(reference, m)]
    if reference.kind == "persons" and not fitting:
        fitting = [m for m in mentions if _may_be_somebody(m)]
        return _best(fitting, thread) if fitting else None
    return _best(fitting or mentions, thread)


def _may_be_somebody(mention: Mention) -> bool:
    """One capitalised word in the person's own question; outside English, whatever the person asked about."""
    phrase = mention.phrase
    if mention.said_in != "question" or phrase.kind:
        return False
    return not phrase.text.isascii() or (phrase.named and " " not in phrase.key)


_HE, _SHE = frozenset(["he", "him", "his", "himself"]), frozenset(["she", "her", "hers", "herself"])


def _fits(reference: Reference, mention: Mention) -> bool:
    phrase = mention.phrase
    if reference.kind == "persons":
        return phrase.kind == "person" or (not phrase.text.isascii() and phrase.kind in ("",))
    if reference.kind == "places":
        return phrase.kind in ("place", "shop", "body", "room")
    if reference.kind == "plural" and phrase.text.isascii():
        return phrase.key.split(" ")[-1].endswith("s") or phrase.kind in ("person", "body")
    if reference.kind in ("things", "owners") and reference.text in ("it", "its", "it's"):
        return phrase.kind != "person" and not (phrase.text.isascii() and phrase.key.endswith("s") and not phrase.named)
    return True


def _best(mentions: list[Mention], thread: Thread) -> Mention:
    """The most salient, unless the last question asked for a thing and the answer named it."""
    named = _asked_for(thread)
    if named is not None:
        mentions = [replace(m, salience=m.salience + 0.7) if m.phrase.key == named else m for m in mentions]
    return max(mentions, key=lambda m: m.salience)


_ASKS_FOR = re.compile(r"\b(?:who|which|whom|recommend|name of|called|capital)\b|哪|誰|谁|推薦|推荐|首都|どれ|どこ|どちら|誰|おすすめ|お勧め", re.I)


def _asked_for(thread: Thread) -> str | None:
    """Who wrote it? — Frank Herbert. The answer's first name is then what is talked about."""
    last = thread.last
    if last is None or not last.answer or not _ASKS_FOR.search(last.standalone):
        return None
    asked = {p.key for p in last.phrases}
    return next((p.key for p in last.answer_phrases[:4] if p.key not in asked and not p.attribute and p.kind not in
    ("time", "number")), None)


def _alternative(mentions: list[Mention], thread: Thread) -> Mention | None:
    """そっち, the other one: what the last answer brought up beside what was asked about."""
    last = thread.last
    if last is None:
        return None
    asked = {p.key for p in last.topics}
    new = [m for m in mentions if m.said_in == "answer" and m.seq == last.seq and not any(m.phrase.key in a for a in asked)]
    new = [m for m in new if not _same_but_shorter(m.phrase.key, asked)]
    named = [m for m in new if m.phrase.named] or new
    return max(named, key=lambda m: m.phrase.start) if named else None


def _same_but_shorter(key: str, asked: set[str]) -> bool:
    return any(key != a and a.startswith(key) for a in asked)


def _of_that_name(head: str, mentions: list[Mention], language: str, thread: Thread) -> Mention | None:
    """This train, 那家供應商: what is called so in more words; else what the last answer began with; else the topic."""
    more = 2 if language != "en" else len(head) + 2
    if head:
        called = [m for m in mentions if _called(m.phrase.key, head) and len(m.phrase.key) >= (len(head) + more if language != "en" else more)]
        if called:
            return max(called, key=lambda m: m.salience)
        sort = kind(head)
        same_sort = [m for m in mentions if sort and m.phrase.kind == sort and m.phrase.key != head and (m.phrase.named or m.said_in == "answer")]
        if same_sort:
            return max(same_sort, key=lambda m: m.salience)
    rest = [m for m in mentions if m.phrase.key != head]
    if language == "en":
        named = [m for m in rest if m.phrase.named]
        return _best(named, thread) if named and head in _SORTS else None
    opening = _opening(mentions, thread)
    return opening or (_best(rest, thread) if rest else None)


# "This band", "that company": nouns that a name on its own can be called by.
_SORTS = frozenset(
    "company firm business band group team city town country state place area region movie film book novel song album show series game person man woman guy " "school university college language animal plant disease illness condition drug medicine medication product device machine phone car vehicle event war movement program programme project "
    "building museum artist author writer singer actor actress character player coach organization organisation agency service platform tool software app website site policy law act plan party".split()
)


def _called(key: str, head: str) -> bool:
    stem = head[:-1] if head.isascii() and head.endswith("s") and len(head) > 3 else head
    if head.isascii():
        return stem in key.split(" ") or head in key.split(" ")
    return key.endswith(head) or key.startswith(head)


def _opening(mentions: list[Mention], thread: Thread) -> Mention | None:
    """The phrase with which the last answer began, if the question had not said it."""
    last = thread.last
    if last is None or not last.answer_phrases:
        return None
    first = last.answer_phrases[0]
    if first.start > 6 or first.key in {p.key for p in last.phrases} or any(first.key in p.key for p in last.phrases):
        return None
    return next((m for m in mentions if m.phrase.key == first.key), None)


def _both(thread: Thread) -> Mention | None:
    """They, after a question about two things, are both."""
    last = thread.last
    found = pair(Thread(thread.said[-1:])) if last is not None else None
    if last is None or found is None or not all(item in last.standalone for item in found.items):
        return None
    start = last.standalone.index(found.items[0])
    end = last.standalone.index(found.items[-1], start) + len(found.items[-1])
    phrase = next(p for p in last.phrases if p.text == found.items[0] or p.start >= start)
    return Mention(replace(phrase, text=last.standalone[start:end], start=start, end=end, named=True), last.seq, "question", 2.0, last.standalone)


def _clear(reference: Reference, mention: Mention, thread: Thread) -> bool:
    """Nothing else that fits comes near."""
    others = [m for m in thread.mentions() if m.phrase.key != mention.phrase.key and _fits(reference, m)]
    return not others or mention.salience - max(m.salience for m in others) >= 0.25


def _passed_over(reference: Reference, mention: Mention, thread: Thread) -> tuple[LeftBehind, ...]:
    if reference.kind != "alternatives" or thread.last is None:
        return ()
    return tuple(LeftBehind(p.text, thread.last.seq, REPLACED) for p in thread.last.topics if p.key != mention.phrase.key)


# -- how it is written -------------------------------------------------------------------------------------------------

_CONTRACTED = {"'s": " is", "'re": " are", "'ll": " will", "'d": " would", "'ve": " have"}
_OWNING = frozenset(["its", "their", "theirs", "his", "hers", "whose"])


def written(reference: Reference, name: str, heard: Heard) -> str:
    """The antecedent in the form its place asks for: its → X's, 其 → X的, それって → Xは."""
    if heard.language == "en":
        return _written_in_english(reference, name, heard.seen.text)
    if reference.kind == "owners":
        return name + table(heard.language).of
    if heard.language == "ja" and reference.text.endswith("って"):
        return name + "は"
    if heard.language.startswith("zh") and reference.kind == "places" and reference.text.startswith(("在", "到", "去",
    "从", "離", "离")):
        return reference.text[0].replace("从", "從" if heard.language == "zh-Hant" else "从") + name
    return name


def _written_in_english(reference: Reference, name: str, text: str) -> str:
    said = reference.text
    owned = said in _OWNING or (said == "her" and re.match(r" [a-z]", text[reference.end :]) and not _grammar_follows(text, reference.end))
    if owned:
        return f"{name}'" if name.endswith("s") else f"{name}'s"
    for ending, verb in _CONTRACTED.items():
        if said.endswith(ending):
            return name + verb
    if said == "there":
        return f"in {name}"
    if said == "hers":
        return f"{name}'s"
    return name


def _grammar_follows(text: str, at: int) -> bool:
    word = re.match(r" ([a-z']+)", text[at:])
    return bool(word) and word[1] in table("en").grammar  # type: ignore[index]


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


def tidy(text: str, language: str) -> str:
    text = re.sub(r"\s+", " ", text).strip(" ,、，")
    return text[:1].upper() + text[1:] if language == "en" and text[:1].islower() and " " in text else text


