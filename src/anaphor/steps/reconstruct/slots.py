"""One thing in another's place: 那自強號呢？, what about refunds?, 大阪は？ — and, for a correction, B where A was
said."""

from __future__ import annotations

import re
from dataclasses import dataclass

from anaphor.steps.reconstruct.heard import Heard
from anaphor.steps.reconstruct.kinds import shape
from anaphor.steps.reconstruct.phrases import Phrase, phrases
from anaphor.steps.reconstruct.reading import REPLACED, SLOT, Reading
from anaphor.steps.reconstruct.seen import pattern, patterns
from anaphor.steps.reconstruct.tables import table
from anaphor.steps.reconstruct.thread import Said, Thread, names_something
from anaphor.types import Carried, Decision, LeftBehind


@dataclass(frozen=True, slots=True)
class Swap:
    """The earlier question with the new thing in it; ``replaced`` is what had to go."""

    text: str
    replaced: tuple[str, ...] = ()


def frame(heard: Heard, thread: Thread) -> Reading | None:
    """An utterance that only names the new thing: the question is the previous one."""
    last = _latest_question(thread)
    slot = slot_of(heard)
    if last is None or not slot:
        return None
    swapped = swap(last, slot, heard.language)
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


def _latest_question(thread: Thread) -> Said | None:
    return next((turn for turn in reversed(thread.said) if turn.phrases), None)


def slot_of(heard: Heard) -> str:
    """The new thing in an elliptic utterance; empty if the utterance is more than that."""
    for text in (heard.asked, heard.bare):
        seen = heard.seen if text is heard.bare else _see(heard)
        for form in patterns(heard.language, "frames"):
            match = form.fullmatch(seen.text.strip())
            if match and (slot := seen.group(match, "slot")) and _only_names(slot, heard.language):
                return slot
    return ""


def _see(heard: Heard):  # type: ignore[no-untyped-def]
    from anaphor.steps.reconstruct.seen import see

    return see(heard.asked, heard.language)


def _only_names(slot: str, language: str) -> bool:
    """A slot holds a name and asks nothing."""
    from anaphor.steps.reconstruct.seen import see

    folded = see(slot, language).text
    if pattern(language, "question").search(folded) or (not phrases(slot, language) and len(slot) > 6):
        return False
    if language == "en":
        return not re.search(r"\b(?:is|are|was|were|do|does|did|can|could|will|would|should|have|has|how|what|why|i|you|it|they|he|she|them|that|this|there|not)\b",
        folded)
    return not re.fullmatch("(?:我|你|您|他|她|它|这|那|这个|那个|这样|那样|然后|所以|现在|以后|之后|什么|それ|これ|そちら|そっち|あなた|今)",
    folded)


def kept_of(turn: Said, swapped: Swap, reason: str) -> tuple[Carried, ...]:
    """What of the earlier question is still in the new one."""
    return tuple(
        Carried(p.text, turn.seq, reason, 1.0 if names_something(p) else 0.8)
        for p in turn.phrases
        if p.text in swapped.text and p.text not in swapped.replaced
    )


def swap(turn: Said, slot: str, language: str) -> Swap:
    """Put each phrase of ``slot`` where the most alike phrase of the turn's question stands; add what has no place."""
    new = [p for p in phrases(slot, language)] or [Phrase(slot, 0, len(slot), slot.casefold())]
    edits: list[tuple[Phrase, str]] = []
    homeless = []
    for phrase in new:
        old = _place_for(phrase, turn, [o for o, _ in edits])
        if old is None:
            homeless.append(phrase)
        else:
            edits.append((old, phrase.text))
    if len(new) == 1 and edits:
        edits = [(edits[0][0], _whole(slot, new[0], edits[0][0], turn))]
    if not edits:
        return Swap(_added(turn, slot, new, language))
    text = turn.standalone
    for old, fresh in sorted(edits, key=lambda e: -e[0].start):
        text = text[: old.start] + fresh + text[old.end :]
    if homeless and language != "en":
        text = "".join(p.text for p in homeless) + text
    elif homeless:
        text = _before_end(text, " " + " ".join(p.text for p in homeless))
    return Swap(text, tuple(old.text for old, _ in edits))


def _whole(slot: str, phrase: Phrase, old: Phrase, turn: Said) -> str:
    """A slot of one phrase is put in as it was said, but without a second article."""
    if slot.isascii() and re.search(r"\b(?:the|a|an|my|your|our) $", turn.standalone[max(0, old.start - 6) :
    old.start].casefold()):
        return re.sub(r"^(?:the|a|an|my|your|our) ", "", slot, flags=re.I)
    return phrase.text if not slot.isascii() else slot


def _place_for(new: Phrase, turn: Said, taken: list[Phrase]) -> Phrase | None:
    """The phrase that the new one is most like, if it is like any; a lone topic is replaced by whatever is not unlike it."""
    places = [p for p in turn.phrases if p not in taken and p.key != new.key]
    scored = [(likeness(new, p) + 0.05 * i, p) for i, p in enumerate(places)]
    if not scored:
        return None
    best, place = max(scored, key=lambda pair: pair[0])
    lone = len([p for p in places if names_something(p)]) == 1 and names_something(place)
    return place if best >= 1.0 or (lone and best > -1.0) else None


def likeness(new: Phrase, old: Phrase) -> float:
    """How well one phrase can stand in the other's place; what tells against it counts below zero."""
    score = 0.6 * old.owner
    if new.attribute or old.attribute:
        score += 3.0 if new.attribute and old.attribute else -3.0
    if new.kind and new.kind == old.kind:
        score += 3.0 + (shape(new.key) == shape(old.key) if new.kind == "code" else 0)
    elif (new.kind and old.kind) or "time" in (new.kind, old.kind) or "number" in (new.kind, old.kind):
        score -= 2.0
    if new.key.isascii() and old.key.isascii():
        score += 2.0 * (new.head == old.head) + 0.7 * (new.key.endswith("s") == old.key.endswith("s"))
    else:
        score += min(2, _shared_end(new.key, old.key)) + 0.6 * (new.key[:1] == old.key[:1])
    return score + 0.6 * (new.named and old.named)


def _shared_end(a: str, b: str) -> int:
    n = 0
    while n < min(len(a), len(b)) - 1 and a[-1 - n] == b[-1 - n]:
        n += 1
    return n


def _added(turn: Said, slot: str, new: list[Phrase], language: str) -> str:
    """Nothing to replace: an attribute is asked of the topic, anything else narrows the question."""
    topic = turn.topic or turn.standalone
    if new[0].attribute and turn.topics:
        return f"{slot} of {topic}" if language == "en" else f"{topic}{table(language).of}{slot}"
    if language == "en":
        return _before_end(turn.standalone, f" for {slot}")
    if language == "ja":
        return f"{slot}、{turn.standalone}"
    return slot + turn.standalone


def _before_end(text: str, more: str) -> str:
    body = text.rstrip("?.!？。！ ")
    return body + more + text[len(body) :].strip()
