"""One thing put where another stood in an earlier question, and what of that question is kept."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from anaphor.steps.reconstruct.kinds import kind, shape
from anaphor.steps.reconstruct.likeness import ENOUGH, likeness
from anaphor.steps.reconstruct.phrases import Phrase, phrases
from anaphor.steps.reconstruct.phrasing import before_end, owned
from anaphor.steps.reconstruct.subject import is_thing
from anaphor.steps.reconstruct.tables import table
from anaphor.steps.reconstruct.thread import Said
from anaphor.types import Carried

ASKED = 0.3  # weight of what was asked, where nothing it was asked of is left: as any word of the earlier question
SEVERAL = 2.0  # the same where the new thing is named by several phrases, and may well say all that is asked


_EDGES = re.compile(r"^[はがのをにでと的\s,，、]+|[?？。.!！\s]+$")


@dataclass(frozen=True, slots=True)
class Swap:
    """The earlier question with the new thing in it; ``replaced`` is what had to go."""

    text: str
    replaced: tuple[str, ...] = ()


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
            edits.append((old, fitted(phrase, old)))
    if not edits:
        return Swap(_added(turn, slot, new, language))
    if len(new) > 1 and (swapped := _as_one(edits, new, slot, turn)):
        return swapped
    if language != "en" and len(edits) == 1 and not homeless and edits[0][0].attribute:
        old, fresh = edits[0]  # another attribute is asked otherwise: 利用料はいくら, but not 休館日はいくら
        return Swap(turn.standalone[: old.start] + fresh if old.start else slot, (old.text,))
    if language == "en" and len(edits) == 1 and not homeless and _asks_otherwise(edits[0][0], new[0], turn):
        return Swap(f"{new[0].text}{turn.standalone[edits[0][0].end : turn.phrases[-1].end]}", (edits[0][0].text,))
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


_WHAT_IS = re.compile(r"(?:what(?:'s| is| are|s)|tell me|how (?:much|many)) ", re.IGNORECASE)


def _asks_otherwise(old: Phrase, new: Phrase, turn: Said) -> bool:
    """And the guarantee? after "How long does delivery of cork take?": not how long it takes."""
    return (
        old.attribute and new.attribute and not _WHAT_IS.match(turn.standalone) and " of " in turn.standalone[old.end :]
    )


_LEAD = re.compile(r"(?:(?:for|in|on|at|with|from|to|about|the|an?|my|your|some|any) )+", re.IGNORECASE)


def _whole(slot: str, phrase: Phrase) -> Phrase:
    """Great whites, though "great" is part of no noun phrase elsewhere."""
    lead = _LEAD.match(slot)
    start = lead.end() if lead else 0
    tail = slot[phrase.end :].strip()
    whole = (start < phrase.start and not tail) or (start == phrase.start and _GERUND.fullmatch(tail))  # teeth cleaning
    return replace(phrase, text=slot[start:].strip()) if whole else phrase


_GERUND = re.compile("[a-z]+ing")


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


def fitted(new: Phrase, old: Phrase) -> str:
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
        for part in parts_of(place, new)
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


def parts_of(place: Phrase, new: Phrase) -> Iterator[Phrase]:
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
    elif _begins_alike(place.key, new.key) and len(place.key) == len(place.text):
        size = 2 if place.key[1:2] in (*"咪狗", place.key[0]) else 1
        yield replace(place, text=place.text[:size], end=place.start + size, key=place.key[:size])
        return
    elif not new.key.isascii() and len(new.key) < len(place.key) == len(place.text):
        size = len(new.key)
        for at in range(len(place.key) - size + 1):
            part = place.key[at : at + size]
            if size > 1 and part[-1] == new.key[-1] and part != new.key and (at == 0 or _is_a_size(part, new.key)):
                start = place.start + at
                yield Phrase(place.text[at : at + size], start, start + size, part, new.kind)
                return
    yield place


def _is_a_size(part: str, new: str) -> bool:
    """牛肉麵|大碗, for 小碗."""
    return len(part) == len(new) == 2 and part[0] in _SIZES and new[0] in _SIZES


_SIZES = "大中小特半全单單双雙加"


def _begins_alike(key: str, new: str) -> bool:
    """貓咪結紮, for 狗: what is done to one thing of a kind."""
    nouns = table("zh").short_nouns
    return len(new) == 1 and new in nouns and len(key) > 2 and key[0] in nouns and key[0] != new


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
