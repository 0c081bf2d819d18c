"""What kind of utterance it is, and how it hangs on what was said before."""

from __future__ import annotations

from dataclasses import replace

from anaphor.steps.reconstruct.corrections import correction
from anaphor.steps.reconstruct.heard import Heard, hear
from anaphor.steps.reconstruct.lists import Listed, Ordinal, chosen, ordinal
from anaphor.steps.reconstruct.omissions import about, continuation, fragment, like, presuming, tied, zero_subject
from anaphor.steps.reconstruct.reading import ORDINAL, OTHER_ITEM, OTHER_TOPIC, TOPIC, Reading
from anaphor.steps.reconstruct.references import Edit, edited, pointing
from anaphor.steps.reconstruct.returns import going_back, returned
from anaphor.steps.reconstruct.slots import frame
from anaphor.steps.reconstruct.speech import acceptance, command, reply, small_talk
from anaphor.steps.reconstruct.thread import Said, Thread
from anaphor.types import Carried, Decision, LeftBehind

SHARED = 0.5  # how much a turn is weighed whose words a question shares that names its topic itself


def decide(heard: Heard, thread: Thread) -> Reading:
    """The first rule that has something to say; the plainest come first."""
    ordered, rest = command(heard)
    if ordered is not None:
        return _afresh(hear(rest, (heard.text,))) if rest else ordered
    for rule in (acceptance, small_talk):
        if reading := rule(heard, thread):
            return reading
    if not thread.said:
        return Reading(Decision.STANDALONE, 0.95, heard.asked, ("nothing was said before",))
    rules = (correction, _return, counted, continuation, frame, pointing, reply, zero_subject, tied, fragment, presuming)
    for rule in rules:
        if reading := rule(heard, thread):
            return reading
    return standing(heard, thread)


def _afresh(heard: Heard) -> Reading:
    """忘記剛才說的，高鐵票怎麼退？ — the question stands, and nothing before it counts."""
    return Reading(Decision.NEW_TOPIC, 0.9, heard.asked, ("fresh start",), boundary=True)


def _return(heard: Heard, thread: Thread) -> Reading | None:
    """Back to an earlier topic: the rest is read as if that had been the last thing said."""
    back = going_back(heard, thread)
    if back is None:
        return None
    if not back.rest:
        return returned(back, None)
    alone = Thread((back.to,), thread.retracted)
    rest = hear(back.rest, (heard.text,))
    reading = decide(rest, alone)
    return returned(back, reading if reading.carried else _about(rest, back.to))


def _about(heard: Heard, turn: Said) -> Reading:
    """A question that could stand alone, asked of a turn's topic all the same."""
    carried = tuple(Carried(p.text, turn.seq, TOPIC, 0.9) for p in turn.topics if p.text in turn.topic)
    text = about(heard, turn.topic)
    return Reading(Decision.FOLLOW_UP, 0.8, text, (), carried, weigh=((turn.seq, 1.0),), own=heard.bare)


def counted(heard: Heard, thread: Thread) -> Reading | None:
    """The second one, 後者: the item of the list takes the place of the words that count."""
    found = ordinal(heard.seen, heard.language)
    picked = chosen(found, thread) if found else None
    if found is None or picked is None or _counts_something_else(found, heard, picked[1]):
        return None
    item, source = picked
    text = edited(heard, [Edit(found.start, found.end, item)])
    own: str | None = edited(heard, [Edit(found.start, found.end, " ")])
    turn = thread.by(source.seq)
    if turn is not None and (not any(c.isalnum() for c in own or "") or frame(heard, thread)):
        text, own = f"{item}{': ' if heard.language == 'en' else '：'}{turn.standalone}", ""
    return Reading(
        decision=Decision.FOLLOW_UP,
        confidence=0.93,
        text=text,
        signals=(f"counts along a list: {heard.seen.verbatim(found.start, found.end)}",),
        carried=(Carried(item, source.seq, ORDINAL, 1.0),),
        left_behind=tuple(LeftBehind(i, source.seq, OTHER_ITEM) for i in source.items if i != item),
        weigh=((source.seq, 0.6),),
        own=own,
    )


def _counts_something_else(found: Ordinal, heard: Heard, source: Listed) -> bool:
    """第一條鐵路, the second world war: a noun follows that the list is not about."""
    at = heard.seen.folded.source(found.start, found.end).end
    follows = next((p for p in heard.phrases if p.start == at), None)
    if follows is None or follows.attribute or follows.kind in ("number", "time"):
        return False
    return not any(follows.text in item for item in source.items)


def standing(heard: Heard, thread: Thread) -> Reading:
    """It names what it is about. Words shared with a turn tie it to that turn; with none, the topic is new."""
    own = {p.key for p in heard.phrases}
    stands = Reading(Decision.STANDALONE, 0.85, heard.asked, ("names its topic",))
    for turn in reversed(thread.said):
        if own & {p.key for p in turn.phrases}:
            return replace(stands, weigh=((turn.seq, SHARED),))
        if like(heard.topics, turn.topics, 3.0):
            return stands
    if own & {p.key for turn in thread.said for p in turn.answer_phrases}:
        weigh = ((thread.said[-1].seq, SHARED),)
        return replace(stands, confidence=0.8, signals=("speaks of what was answered",), weigh=weigh)
    left = tuple(LeftBehind(t.topic, t.seq, OTHER_TOPIC) for t in thread.said[-1:] if t.topic)
    signals = ("shares nothing with what was said",)
    return Reading(Decision.NEW_TOPIC, 0.8, heard.asked, signals, left_behind=left)
