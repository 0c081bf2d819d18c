"""One thing in another's place: 那自強號呢？, what about refunds?, 大阪は？

For a correction, B is put in this way where A was said.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from anaphor.steps.reconstruct.heard import Heard, untied
from anaphor.steps.reconstruct.kinds import kind, shape
from anaphor.steps.reconstruct.likeness import ENOUGH, likeness
from anaphor.steps.reconstruct.phrases import Phrase, phrases
from anaphor.steps.reconstruct.phrasing import Edit, about, before_end, edited, owned
from anaphor.steps.reconstruct.reading import REPLACED, SLOT, Reading
from anaphor.steps.reconstruct.references import references
from anaphor.steps.reconstruct.seen import pattern, patterns, see
from anaphor.steps.reconstruct.subject import is_thing
from anaphor.steps.reconstruct.tables import table
from anaphor.steps.reconstruct.thread import Said, Thread
from anaphor.types import Carried, Decision, LeftBehind

ASKED = 0.3  # weight of what was asked, where nothing it was asked of is left: as any word of the earlier question
SEVERAL = 2.0  # the same where the new thing is named by several phrases, and may well say all that is asked


_EDGES = re.compile(r"^[はがのをにでと的\s,，、]+|[?？。.!！\s]+$")


@dataclass(frozen=True, slots=True)
class Swap:
    """The earlier question with the new thing in it; ``replaced`` is what had to go."""

    text: str
    replaced: tuple[str, ...] = ()


def frame(heard: Heard, thread: Thread) -> Reading | None:
    """An utterance that only names the new thing: the question is the previous one."""
    last = thread.latest
    slot = slot_of(heard)
    if last is None or not slot:
        return _named_first(heard, thread)
    swapped = (
        _likewise_of(last, slot, heard)
        or _another_action(last, slot)
        or _asked_likewise(last, slot, heard)
        or _marked_alike(last, slot, heard)
        or _contrasted(last, slot)
    )
    swapped = swapped or swap(last, slot, heard.language)
    if not swapped.replaced and len(phrases(slot, heard.language)) > 1:
        return None  # 首都リスボンの緯度は？ says all that is asked
    return Reading(
        decision=Decision.FOLLOW_UP,
        confidence=0.92 if swapped.replaced else 0.82,
        text=swapped.text,
        signals=(f"ellipsis: {heard.asked}",),
        carried=kept_of(last, swapped, SLOT),
        left_behind=tuple(LeftBehind(text, last.seq, REPLACED) for text in swapped.replaced),
        weigh=((last.seq, 1.0),),
        own=slot,
    )


_LIKEWISE = re.compile(r"也|一样|同じ|同様|\b(?:too|also|same|as well)\b")


def _likewise_of(turn: Said, slot: str, heard: Heard) -> Swap | None:
    """電池也一樣嗎？ after 吸塵器保固多久: of that part the same is asked, and not the part itself."""
    new, asked = phrases(slot, heard.language), next((p for p in turn.phrases if p.attribute), None)
    if heard.language == "en" or not _LIKEWISE.search(heard.seen.text) or len(new) != 1 or not new[0].attribute:
        return None
    if asked is None or asked.key == new[0].key:
        return Swap(slot + ("、" if heard.language == "ja" else "") + turn.standalone)
    at = asked.start
    return Swap(turn.standalone[:at] + slot + table(heard.language).of + turn.standalone[at:])


_HELPING = re.compile(r"(?:(?:and|but|so)[, ]+)?(?:is|are|was|were|do|does|did|can|could|will|would|should|has|have) ")


def _asked_likewise(turn: Said, slot: str, heard: Heard) -> Swap | None:
    """Can cats? after "Can dogs eat grapes?": what is named stands where the subject stood."""
    likewise = heard.language == "en" and _HELPING.match(heard.seen.text) and _HELPING.match(turn.standalone.casefold())
    if not likewise or not turn.phrases:
        return None
    old, the = turn.phrases[0], re.match(r"(?:the|an?|my|your) ", slot)
    before = turn.standalone[: old.start]
    before = re.sub(r"(?:the|an?|my|your) $", "", before, flags=re.IGNORECASE) if the else before
    new = slot if the else _fitted(Phrase(slot, 0, len(slot), slot.casefold(), named=old.named), old)
    return Swap(before + new + turn.standalone[old.end :], (old.text,))


_ACTION = re.compile(r"\b(?:do|can|could|should|to|did) (?:i|we|you|one)? ?([a-z]+)", re.IGNORECASE)


def _another_action(turn: Said, slot: str) -> Swap | None:
    """And pausing? after "How do I cancel my membership?": another thing to do with it."""
    verbs, said = table("en").verbs, slot.casefold()
    old = _ACTION.search(turn.standalone)
    if not said.endswith("ing") or said not in verbs or old is None or old[1].casefold() not in verbs:
        return None
    bases = (said[:-3] + "e", said[:-3], said[:-4])
    new = next((base for base in bases if base in verbs), said)
    return Swap(turn.standalone[: old.start(1)] + new + turn.standalone[old.end(1) :], (old[1],))


_MARKERS = re.compile("[到往去從从由在對对給给用搭坐]")
_PREPOSITION = re.compile(r"\b(from|to|in|on|at|with|by) (?:the |an? )?$")


def _marked_alike(turn: Said, slot: str, heard: Heard) -> Swap | None:
    """到台中呢？ stands where 到高雄 stood, "from Nara?" where "from Osaka" did."""
    if heard.language == "en":
        before = heard.seen.text[: heard.seen.text.rfind(slot.casefold())]
        marker, new = _PREPOSITION.search(before), slot
        wanted = re.compile(rf"\b{marker[1]} (?:the |an? )?$") if marker else None
    else:
        marker, new = _MARKERS.match(slot), slot[1:]
        wanted = re.compile(f"{marker[0]}$") if marker else None
    old = next((p for p in turn.phrases if wanted and wanted.search(turn.standalone[: p.start].casefold())), None)
    if old is None or not new:
        return None
    place = next(_parts(old, Phrase(new, 0, len(new), new.casefold(), kind(new.casefold()))))
    sorts = {kind(new.casefold()), place.kind} - {""}
    if len(sorts) > 1 or "group" in sorts:
        return None
    return Swap(turn.standalone[: place.start] + new + turn.standalone[place.end :], (place.text,))


def _contrasted(turn: Said, slot: str) -> Swap | None:
    """那不含蛋的呢？ after 不含堅果, 那能帶的呢？ after 不能帶: the same words but one, or without the negation."""
    said = slot.removesuffix("的")
    if slot.isascii() or not said or (said == slot and len(slot) < 3):
        return None
    for negation in ("不", "沒", "没"):
        if negation + said in turn.standalone:
            return Swap(turn.standalone.replace(negation + said, said, 1), (negation + said,))
    for size in range(len(said) - 1, 1, -1):
        at = turn.standalone.find(said[:size])
        old = next((p for p in turn.phrases if at >= 0 and p.start == at + size), None)
        if old is not None:
            text = turn.standalone[: old.start] + said[size:] + turn.standalone[old.end :]
            return Swap(text, (old.text,))
    return None


def _named_first(heard: Heard, thread: Thread) -> Reading | None:
    """那 G5 呢，保固多久？ — the new thing, and then a question about it."""
    last = thread.latest
    seen = see(heard.asked, heard.language)
    cut = (_FIRST_IN_ENGLISH if heard.language == "en" else _FIRST_CLAUSE).search(seen.text)
    if last is None or cut is None or not 0 < cut.end() < len(seen.text):
        return None
    first, rest = seen.verbatim(0, cut.start() + 1).rstrip("，,、 "), seen.verbatim(cut.end(), len(seen.text))
    named = slot_of(replace(heard, asked=first, bare=first))
    if re.search(rf"\bthe {re.escape(named.casefold())}$", first.casefold()):
        named = f"the {named}"
    if not named or not pattern(heard.language, "question").search(see(rest, heard.language).text):
        return None
    return Reading(
        decision=Decision.FOLLOW_UP,
        confidence=0.85,
        text=_of_the_named(replace(heard, asked=rest.strip(), bare=rest.strip()), named),
        signals=(f"names first: {named}",),
        left_behind=tuple(LeftBehind(p.text, last.seq, REPLACED) for p in last.topics if p.text not in named),
    )


def _of_the_named(heard: Heard, named: str) -> str:
    """那黑喵呢？它的等待期多久？ — what points back in the question points at what was named first."""
    found = references(heard.seen, heard.language)
    if not found or found[0].kind not in ("things", "owners", "persons", "places"):
        return about(heard, named)
    owning = table(heard.language).of if found[0].kind == "owners" and heard.language != "en" else ""
    owning = "" if heard.seen.text.startswith(owning, found[0].end) else owning
    return edited(heard, [Edit(found[0].start, found[0].end, named + owning)])


_FIRST_CLAUSE = re.compile(
    "(?<=[呢咧?])[,、? ]+(?=.)|(?<=は)[?？] ?(?=.)|(?<=[呢咧])(?=多|几|怎|什么|哪|谁|有没|能|可以)"
)
_FIRST_IN_ENGLISH = re.compile(r"[,?] (?=(?:who|what|when|where|how|why|which|is|are|does|do|did|can|was|were|will)\b)")


def slot_of(heard: Heard) -> str:
    """The new thing in an elliptic utterance; empty if the utterance is more than that."""
    for seen in (see(heard.asked, heard.language), heard.seen):
        for form in patterns(heard.language, "frames"):
            match = form.fullmatch(seen.text.strip())
            if match and (slot := seen.group(match, "slot")) and _only_names(slot, heard.language):
                return slot
    return ""


_CLAUSE_WORDS = re.compile(
    r"\b(?:is|are|was|were|do|does|did|can|could|will|would|should|have|has|how|what|why|i|you|it|they|he|she|them|that"
    r"|this|there|not|if|when|theyre|theyve|youre|its|dont|cant|isnt|arent|whats|wheres|hows)\b"
)
_PIECE = re.compile(r"(?:any|some|more|other|another|best|worst|cheapest|fastest|nearest|closest)\b")
_NO_NAME = re.compile("我|你|您|然后|所以|现在|以后|之后|什么|あなた|今|結構|大丈夫")


def _only_names(slot: str, language: str) -> bool:
    """A slot holds a name, asks nothing and points at nothing."""
    seen = see(slot, language)
    asks = pattern(language, "question").search(see(untied(slot, language)[1], language).text)
    if asks or references(seen, language) or _NO_NAME.fullmatch(seen.text):
        return False
    if language == "en":
        if _PIECE.match(seen.text):
            return False  # any toilets? is a piece of a question
        return len(slot.split()) <= 6 and not _CLAUSE_WORDS.search(seen.text)
    named = phrases(slot, language)
    if len(named) > 3 or (language == "ja" and _SAYS_MORE.search(seen.text)):
        return False
    return bool(named) or len(slot) <= 6


_SAYS_MORE = re.compile(
    "[をにが]|[いるたてで](?=[^の])|(?:ある|いる|ない|なる|する|つく|[きけせてねべめれえ]る|です|ます)$"
)


def kept_of(turn: Said, swapped: Swap, reason: str) -> tuple[Carried, ...]:
    """What of the earlier question is still in the new one: its phrases, or where none is left what was asked."""
    kept = tuple(
        Carried(p.text, turn.seq, reason, 1.0 if p.names_something else 0.8)
        for p in turn.phrases
        if p.text in swapped.text and not any(gone in p.text for gone in swapped.replaced)
    )
    kept += tuple(Carried(fuller, turn.seq, reason, 1.0) for fuller in _in_full(turn, kept))
    asked = turn.standalone
    for gone in swapped.replaced:
        asked = max(asked.split(gone), key=len)
    asked = _EDGES.sub("", asked)
    return kept or ((Carried(asked, turn.seq, reason, ASKED),) if asked and asked in swapped.text else ())


def _in_full(turn: Said, kept: tuple[Carried, ...]) -> Iterator[str]:
    """Cork flooring, if the answer calls so what the question called cork."""
    known = {span.text.casefold() for span in kept} if turn.language == "en" else set()
    for phrase in turn.answer_phrases:
        if phrase.key.rpartition(" ")[0] in known and phrase.key not in known:
            known.add(phrase.key)
            yield phrase.text


def swap(turn: Said, slot: str, language: str) -> Swap:
    """Put each phrase of ``slot`` where the most alike phrase of the turn's question stands; add what has no place."""
    new = list(phrases(slot, language)) or [Phrase(slot, 0, len(slot), slot.casefold(), kind(slot.casefold()))]
    numbered = any(p.kind == "code" and re.search(r"\b\d+$", p.key) for p in turn.phrases)
    new = [replace(p, kind="code") if numbered and p.key.isdigit() else p for p in new]  # and 12? after error 15
    here = {p.key for p in turn.phrases}
    owned_ = {after.key for before, after in itertools.pairwise(new) if before.owner or after.attribute}
    if owning := _of_the_same(turn, new, owned_, language):
        return owning
    new = [p for p in new if p.key not in here & owned_] or new  # 台北的人口, after 高雄的人口: the population stays
    if language == "en" and len(new) == 1:
        new = [_whole(slot, new[0])]
    if len(new) > 1 and max((likeness(n, o) for n in new for o in turn.phrases), default=0) < SEVERAL:
        return Swap(_added(turn, slot, new, language))
    edits: list[tuple[Phrase, str]] = []
    homeless = []
    for phrase in new:
        old = _place_for(phrase, turn, [o for o, _ in edits])
        old = _with_its_pair(old, turn) if old is not None and not phrase.attribute else old
        if old is None:
            homeless.append(phrase)
        else:
            edits.append((old, _fitted(phrase, old)))
    if not edits:
        return Swap(_added(turn, slot, new, language))
    if len(new) > 1 and (swapped := _as_one(edits, new, slot, turn)):
        return swapped
    if language != "en" and len(edits) == 1 and not homeless and edits[0][0].attribute:
        old, fresh = edits[0]  # another attribute is asked otherwise: 利用料はいくら, but not 休館日はいくら
        return Swap(turn.standalone[: old.start] + fresh if old.start else slot, (old.text,))
    text = turn.standalone
    for old, fresh in sorted(edits, key=lambda e: -e[0].start):
        text = text[: old.start] + fresh + text[old.end :]
    if homeless:
        more = [p.text for p in homeless]
        text = before_end(text, " " + " ".join(more)) if language == "en" else "".join(more) + text
    return Swap(text, tuple(old.text for old, _ in edits))


def _of_the_same(turn: Said, new: list[Phrase], owned_: set[str], language: str) -> Swap | None:
    """陶器のコップ, after ガラスのコップ: what is before it changes."""
    of = table(language).of
    for before, after in itertools.pairwise(turn.phrases):
        beside = turn.standalone[before.end : after.start].strip() == of
        if language != "en" and beside and len(new) == 2 and after.key == new[1].key and after.key in owned_:
            return Swap(turn.standalone[: before.start] + new[0].text + turn.standalone[before.end :], (before.text,))
    return None


_LEAD = re.compile(r"(?:(?:for|in|on|at|with|from|to|about|the|an?|my|your|some|any) )+", re.IGNORECASE)


def _whole(slot: str, phrase: Phrase) -> Phrase:
    """Great whites, though "great" is part of no noun phrase elsewhere."""
    lead = _LEAD.match(slot)
    start = lead.end() if lead else 0
    return replace(phrase, text=slot[start:].strip()) if start < phrase.start and phrase.end == len(slot) else phrase


def _as_one(edits: list[tuple[Phrase, str]], new: list[Phrase], slot: str, turn: Said) -> Swap | None:
    """大阪の面積 for 東京の人口, 「這裡」咖啡館 for 「回聲」書店: several phrases at once."""
    olds = sorted((old for old, _ in edits), key=lambda p: p.start)
    if len(olds) < len(new):
        return None
    start, end = olds[0].start, olds[-1].end
    between = [p for p in turn.phrases if start <= p.start and p.end <= end]
    if len(between) != len(olds):
        return None
    return Swap(turn.standalone[:start] + slot + turn.standalone[end:], tuple(p.text for p in olds))


def _fitted(new: Phrase, old: Phrase) -> str:
    """The Pro plan stands where the Basic plan stood, also if only "Pro" was said."""
    words = old.text.split(" ")
    if old.text.isascii() and len(words) == 2 and " " not in new.text and old.named and new.named:
        head = words[1]
        if head.islower() and words[0][:1].isupper() and not new.key.endswith(head):
            return f"{new.text} {head}"
    return new.text


def _place_for(new: Phrase, turn: Said, taken: list[Phrase]) -> Phrase | None:
    """The phrase that the new one is most like; if it is like none, what the question was asked of.

    A time, a number and those for whom something is take no other thing's place.
    """
    free = [p for p in turn.phrases if p not in taken and p.key != new.key]
    scored = [
        (likeness(new, part) + 0.05 * i + 0.45 * _after_preposition(part, turn), part)
        for i, place in enumerate(free)
        for part in _parts(place, new)
    ]
    if not scored:
        return None
    best, place = max(scored, key=lambda pair: pair[0])
    if best >= ENOUGH:
        return place
    if new.kind in ("time", "number", "group") or new.attribute:
        return None
    things = [p for p in free if p.names_something and not (p.kind and new.kind)]
    if turn.language == "en" and new.named:
        things = [p for p in things if p.named]  # how many skills can I create, for Hebrew?
    return _asked_of(turn, things)


_ASKING = re.compile(
    "是|有|幾|几|多少|多久|怎|如何|哪|什麼|什么|誰|谁|何|要|會|会|能|可|は|が|って|いくら|どこ|いつ|どう"
)


def _asked_of(turn: Said, things: list[Phrase]) -> Phrase | None:
    """The thing right before what asks (大眾池, in 溫泉會館的大眾池幾點開); in English the last one."""
    if not things:
        return None
    if turn.language == "en":
        return things[-1]
    before = [p for p in things if _ASKING.match(turn.standalone[p.end :].lstrip())]
    return before[0] if before else things[-1]


_BESIDE = re.compile(r"\s*(?:、|和|跟|與|与|及|と|や|\band\b(?: the| a| an)?)\s*")


def _with_its_pair(old: Phrase, turn: Said) -> Phrase:
    """A new thing takes the place of both, where two were asked about together."""
    run = [old]
    for before, after in zip(turn.phrases, turn.phrases[1:], strict=False):
        if _BESIDE.fullmatch(turn.standalone[before.end : after.start]) and {before, after} & set(run):
            run += [p for p in (before, after) if p not in run]
    start, end = min(p.start for p in run), max(p.end for p in run)
    return replace(old, text=turn.standalone[start:end], start=start, end=end) if len(run) > 1 else old


def _parts(place: Phrase, new: Phrase) -> Iterator[Phrase]:
    """The phrase, or just the part of it that the new one is like: 401 of HTTP 401, 台南 of 台南門市."""
    if place.text.isascii() and " " in place.text and " " not in new.text and new.kind in ("code", "number"):
        at = place.start
        for word in place.text.split(" "):
            if shape(word.casefold()) == shape(new.key):
                yield Phrase(word, at, at + len(word), word.casefold(), new.kind, True, place.owner)
            at += len(word) + 1
    elif new.kind == "code" and not place.text.isascii() and (code := _code_in(place, new)):
        yield code
        return
    elif new.kind == "place" and place.kind != "place" and len(place.text) == len(place.key):
        for size in range(min(5, len(place.key) - 1), 1, -1):
            if kind(place.key[:size]) == "place":
                yield replace(place, text=place.text[:size], end=place.start + size, key=place.key[:size], kind="place")
                return
    elif new.kind != "place" and len(place.text) == len(place.key) and (size := _place_before(place.key)):
        at = place.start + size
        yield replace(place, text=place.text[size:], start=at, key=place.key[size:], kind=kind(place.key[size:]))
    elif not new.key.isascii() and len(new.key) < len(place.key) == len(place.text):
        size = len(new.key)
        for at in range(len(place.key) - size + 1):
            part = place.key[at : at + size]
            if size > 1 and part[-1] == new.key[-1] and part != new.key and (at == 0 or part[:-1] == new.key[:-1]):
                start = place.start + at
                yield Phrase(place.text[at : at + size], start, start + size, part, new.kind)
                return
    yield place


def _code_in(place: Phrase, new: Phrase) -> Phrase | None:
    """The a1 of 晨光a1, for a2."""
    for match in re.finditer("[a-z]+-?[0-9]+", place.text.casefold()):
        if shape(match[0]) == shape(new.key) and len(place.text.casefold()) == len(place.text):
            start, end = place.start + match.start(), place.start + match.end()
            return Phrase(place.text[match.start() : match.end()], start, end, match[0], "code", True, place.owner)
    return None


def _place_before(key: str) -> int:
    """How much of 高雄高鐵 is the place; 0 if little else is left."""
    return next((n for n in range(4, 1, -1) if len(key) - n > 1 and kind(key[:n]) == "place"), 0)


def _after_preposition(place: Phrase, turn: Said) -> bool:
    before = turn.standalone[max(0, place.start - 10) : place.start].casefold()
    return bool(re.search(r"\b(?:for|in|on|at|with|from|to) (?:the |a |an )?$", before))


def _added(turn: Said, slot: str, new: list[Phrase], language: str) -> str:
    """Nothing to replace: an attribute is asked of the topic, anything else narrows the question."""
    if new[0].attribute and turn.topics:
        if new[0].key in {p.key for p in turn.topics}:
            return turn.standalone  # what was asked already
        return owned(turn.owner, slot, language) if any(map(is_thing, turn.topics)) else slot
    if language == "en":
        narrowed = slot if re.match(r"(?:for|in|on|at|with|from|to)\b", slot) else f"for {slot}"
        return before_end(turn.standalone, f" {narrowed}")
    if language == "ja":
        return f"{slot}、{turn.standalone}"
    return slot + turn.standalone
