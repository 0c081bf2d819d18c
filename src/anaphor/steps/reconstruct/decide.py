"""What kind of utterance it is, and how it hangs on what was said before."""

from __future__ import annotations

from anaphor.steps.reconstruct.corrections import correction
from anaphor.steps.reconstruct.heard import Heard, hear
from anaphor.steps.reconstruct.lists import chosen, ordinal
from anaphor.steps.reconstruct.omissions import continuation, going_back, returned, tied, zero_subject
from anaphor.steps.reconstruct.reading import ORDINAL, OTHER_ITEM, OTHER_TOPIC, TOPIC, Reading
from anaphor.steps.reconstruct.references import Edit, edited, pointing
from anaphor.steps.reconstruct.seen import pattern
from anaphor.steps.reconstruct.slots import frame, likeness
from anaphor.steps.reconstruct.speech import acceptance, command, reply, small_talk
from anaphor.steps.reconstruct.thread import Thread
from anaphor.types import Carried, Decision, LeftBehind


def decide(heard: Heard, thread: Thread) -> Reading:
    """The first rule that has something to say; the plainest come first."""
    ordered, rest = command(heard)
    if ordered is not None and not rest:
        return ordered
    if ordered is not None:
        return _afresh(hear(rest, (heard.text,)))
    if taken := acceptance(heard, thread):
        return taken
    if polite := small_talk(heard, thread):
        return polite
    if not thread.said:
        return _alone(heard, Decision.STANDALONE, 0.95, ("nothing was said before",))
    for rule in (correction, _return, _counted, frame, continuation, pointing, reply, zero_subject, tied, fragment):
        if reading := rule(heard, thread):
            return reading
    return _standing(heard, thread)


def _afresh(heard: Heard) -> Reading:
    """忘記剛才說的，高鐵票怎麼退？ — the question stands, and nothing before it counts."""
    reading = _alone(heard, Decision.NEW_TOPIC, 0.9, ("fresh start",))
    return Reading(reading.decision, reading.confidence, reading.text, reading.signals, boundary=True)


def _alone(heard: Heard, decision: Decision, confidence: float, signals: tuple[str, ...]) -> Reading:
    return Reading(decision, confidence, heard.asked, signals)


def _return(heard: Heard, thread: Thread) -> Reading | None:
    """Back to an earlier topic: the rest is read as if that had been the last thing said."""
    back = going_back(heard, thread)
    if back is None:
        return None
    target, rest, said = back
    if not rest:
        return returned(heard, target, None, said)
    alone = Thread((target,), thread.retracted)
    reading = decide(hear(rest, (heard.text,)), alone)
    if not reading.carried:
        reading = zero_subject(hear(rest, (heard.text,)), alone) or reading
    return returned(heard, target, reading, said)


def _counted(heard: Heard, thread: Thread) -> Reading | None:
    """The second one, 後者: the item of the list takes the place of the words that count."""
    found = ordinal(heard.seen, heard.language)
    if found is None:
        return None
    picked = chosen(found, thread)
    if picked is None:
        return None
    item, source = picked
    text = edited(heard, [Edit(found.start, found.end, item)])
    rest = edited(heard, [Edit(found.start, found.end, " ")])
    only = not any(c.isalnum() for c in rest) or bool(frame(heard, thread))
    turn = thread.by(source.seq)
    others = tuple(LeftBehind(i, source.seq, OTHER_ITEM) for i in source.items if i != item)
    carried = (Carried(item, source.seq, ORDINAL, 1.0),)
    if only and turn is not None:
        text = _asked_of(item, turn.standalone, heard.language)
        rest = ""
    return Reading(
        Decision.FOLLOW_UP,
        0.93,
        text,
        (f"counts along a list: {heard.seen.verbatim(found.start, found.end)}",),
        carried,
        others,
        weigh=((source.seq, 0.6),),
        own=rest,
    )


def _asked_of(item: str, question: str, language: str) -> str:
    return f"{item}: {question}" if language == "en" else f"{item}：{question}"


def fragment(heard: Heard, thread: Thread) -> Reading | None:
    """Other games?, any awards, 還有其他的嗎: a piece of a question about what was talked of."""
    last = thread.last
    if last is None or not last.topics or any(p.named for p in heard.topics):
        return None
    text = heard.seen.text.strip()
    begun = pattern(heard.language, "fragments").fullmatch(text)
    short = heard.language == "en" and len(text.split()) <= 3 and not heard.tie and not pattern("en", "question").match(text)
    if not begun and not short:
        return None
    shared = {p.key for p in heard.topics} & {p.key for p in last.phrases}
    if shared:
        return None
    topic = last.topic
    said = heard.bare.rstrip("?.！!？。 ")
    joined = f"{said} for {topic}" if heard.language == "en" else f"{topic}{'の' if heard.language == 'ja' else ''}{said}"
    return Reading(
        Decision.FOLLOW_UP,
        0.6,
        joined,
        (f"a fragment: {heard.bare}",),
        tuple(Carried(p.text, last.seq, TOPIC, 0.7) for p in last.topics if p.text in topic),
        weigh=((last.seq, 1.0),),
        own=heard.bare,
    )


def _standing(heard: Heard, thread: Thread) -> Reading:
    """It names what it is about. Words shared with a turn tie it to that turn; with none, the topic is new."""
    own = {p.key for p in heard.phrases}
    for turn in reversed(thread.said):
        said = {p.key for p in turn.phrases}
        if own & said or _alike(heard, turn.topics):
            factor = 0.5 if own & said else 0.0
            return Reading(Decision.STANDALONE, 0.85, heard.asked, ("names its topic",), weigh=((turn.seq, factor),) if factor else ())
    answered = {p.key for turn in thread.said for p in turn.answer_phrases}
    if own & answered:
        return Reading(Decision.STANDALONE, 0.8, heard.asked, ("speaks of what was answered",), weigh=((thread.said[-1].seq, 0.5),))
    left = tuple(LeftBehind(t.topic, t.seq, OTHER_TOPIC) for t in thread.said[-1:] if t.topic)
    return Reading(Decision.NEW_TOPIC, 0.8, heard.asked, ("shares nothing with what was said",), left_behind=left)


def _alike(heard: Heard, topics) -> bool:  # type: ignore[no-untyped-def]
    return any(likeness(n, o) >= 3.0 for n in heard.topics for o in topics)
