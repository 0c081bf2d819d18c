"""What kind of utterance it is, and how it hangs on what was said before."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from anaphor.steps.reconstruct.another import another, asked_before, doing_so, says_all
from anaphor.steps.reconstruct.asking_back import clarified
from anaphor.steps.reconstruct.besides import besides
from anaphor.steps.reconstruct.corrections import correction
from anaphor.steps.reconstruct.counting import counted, which_of_them
from anaphor.steps.reconstruct.described import described
from anaphor.steps.reconstruct.heard import Heard, hear
from anaphor.steps.reconstruct.numbered import by_number
from anaphor.steps.reconstruct.omissions import continuation, fragment, like, presuming, tied, unsaid, zero_subject
from anaphor.steps.reconstruct.phrases import phrases
from anaphor.steps.reconstruct.phrasing import about
from anaphor.steps.reconstruct.pointing import pointing
from anaphor.steps.reconstruct.reading import OTHER_TOPIC, TOPIC, Reading
from anaphor.steps.reconstruct.returns import Return, going_back, names_topic, returned, said_again
from anaphor.steps.reconstruct.seen import pattern, see
from anaphor.steps.reconstruct.slots import frame
from anaphor.steps.reconstruct.speech import acceptance, command, reply, small_talk, taken_up_and_more
from anaphor.steps.reconstruct.thread import Said, Thread
from anaphor.steps.reconstruct.told import of_what_was_told
from anaphor.types import Carried, Decision, LeftBehind

SHARED = 0.5  # how much a turn is weighed whose words a question shares that names its topic itself


def decide(heard: Heard, thread: Thread) -> Reading:
    """The first rule that has something to say; the plainest come first."""
    ordered, rest = command(heard)
    if ordered is not None:
        return _afresh(hear(rest, (heard.text,))) if rest else ordered
    if both := taken_up_and_more(heard, thread):
        return _both(*both, heard, thread)
    for rule in (acceptance, small_talk):
        if reading := rule(heard, thread):
            return reading
    if not thread.said:
        return Reading(Decision.STANDALONE, 0.95, heard.asked, ("nothing was said before",))
    of_who_asks = pattern(heard.language, "memory").search(heard.seen.text)  # 我對什麼過敏？ leaves nothing out
    rules = SAID if of_who_asks else (*SAID, *LEFT_OUT)
    reading = next((found for rule in rules if (found := rule(heard, thread))), None)
    reading = reading or _told_first(heard, thread)
    return besides(reading or standing(heard, thread), heard, thread)


def _afresh(heard: Heard) -> Reading:
    """忘記剛才說的，高鐵票怎麼退？ — the question stands, and nothing before it counts."""
    return Reading(Decision.NEW_TOPIC, 0.9, heard.asked, ("fresh start",), boundary=True)


def _both(taken: Reading, more: str, heard: Heard, thread: Thread) -> Reading:
    """Yes, and …: what was offered is asked, and the rest besides."""
    rest = decide(hear(more, (heard.text,)), thread)
    if not rest.decision.retrieves:
        return taken
    join = " " if heard.language == "en" else "。" if heard.language == "ja" else "，"
    return replace(
        taken,
        text=taken.text + join + rest.text,
        signals=(*taken.signals, *rest.signals),
        carried=(*taken.carried, *rest.carried),
        left_behind=rest.left_behind,
        weigh=rest.weigh,
        own=rest.own if rest.own is not None else rest.text,
    )


def _told_first(heard: Heard, thread: Thread) -> Reading | None:
    """我女兒九歲，應該可以。票價呢？ — what is told by the way stays, and the question is read by itself."""
    cuts = [m.end() for m in _SENTENCE_ENDS.finditer(heard.bare) if m.end() < len(heard.bare)]
    told, asked = (heard.bare[: cuts[-1]], heard.bare[cuts[-1] :].strip()) if cuts else ("", "")
    if (
        not asked
        or _asks(told, heard.language)
        or any(p.kind != "group" for p in phrases(told, heard.language) if p.names_something)
    ):
        return None
    rest = hear(asked, (heard.text,))
    reading = next((found for rule in (frame, continuation, zero_subject) if (found := rule(rest, thread))), None)
    if reading is None or not reading.carried or not rest.is_question:
        return None
    told = told if heard.language != "en" else f"{told.rstrip()} "
    return replace(reading, text=told + reading.text, signals=("told first", *reading.signals), own=heard.bare)


def _asks(text: str, language: str) -> bool:
    return bool(pattern(language, "question").search(see(text, language).text))


_SENTENCE_ENDS = re.compile(r"[。!！?？；;\n]|\. ")


def _return(heard: Heard, thread: Thread) -> Reading | None:
    """Back to an earlier topic: the rest is read as if that had been the last thing said."""
    back = going_back(heard, thread)
    if back is None:
        return _names_again(heard)
    if not back.rest:
        return returned(back, None)
    alone = Thread((back.to,), thread.retracted)
    rest = hear(back.rest, (heard.text,))
    reading = decide(rest, alone)
    carried = {c.text for c in reading.carried}
    return returned(back, reading if back.what in carried else _about(rest, back))


def _names_again(heard: Heard) -> Reading | None:
    """剛才提到的備用碼有幾組？ — where it was said is not known any more, but what it is, is said again."""
    named = names_topic(heard) if heard.language == "en" else None
    if named is not None:
        topic, rest = named
        read = decide(hear(rest, (heard.text,)), Thread((Said(0, topic, topic, language=heard.language),)))
        return Reading(Decision.STANDALONE, 0.7, read.text, ("goes back to what is not there",))
    again = said_again(heard)
    return Reading(Decision.STANDALONE, 0.7, again, ("goes back to what is not there",)) if again else None


def _about(heard: Heard, back: Return) -> Reading:
    """A question that could stand alone, or would take something else of that turn, asked of what was gone back to."""
    carried = (Carried(back.what, back.to.seq, TOPIC, 1.0),)
    return Reading(Decision.FOLLOW_UP, 0.8, about(heard, back.what), (), carried, own=heard.bare)


def standing(heard: Heard, thread: Thread) -> Reading:
    """It names what it is about. Words shared with a turn tie it to that turn; with none, the topic is new."""
    own = {p.key for p in heard.phrases}
    named = any(p.named for p in heard.topics)
    sure = 0.85 if named or len(heard.topics) > 1 else 0.75
    for turn in reversed(thread.said):
        shared = own & {p.key for p in turn.topics}
        if shared or own & {p.key for p in turn.phrases} or like(heard.topics, turn.topics, 3.0):
            weigh = ((turn.seq, SHARED),) if shared and not named else ()
            return Reading(Decision.STANDALONE, sure, heard.asked, ("names its topic",), weigh=weigh)
    if reading := _reminded(heard, thread):
        return reading
    if own & {p.key for turn in thread.said for p in turn.answer_phrases}:
        return Reading(Decision.STANDALONE, sure, heard.asked, ("speaks of what was answered",))
    left = tuple(LeftBehind(t.topic, t.seq, OTHER_TOPIC) for t in thread.said[-1:] if t.topic)
    return Reading(Decision.NEW_TOPIC, sure, heard.asked, ("shares nothing with what was said",), left_behind=left)


def _reminded(heard: Heard, thread: Thread) -> Reading | None:
    """申請書はどこに出すんでしたっけ？ — of the turn whose answer spoke of it."""
    own = {p.key for p in heard.topics}
    told = (t for t in reversed(thread.said) if t.topics and own & {p.key for p in t.answer_phrases})
    turn = next(told, None) if pattern(heard.language, "reminded").search(heard.seen.text) else None
    if turn is None:
        return None
    carried = tuple(Carried(p.text, turn.seq, TOPIC, 0.8) for p in turn.topics if p.text in turn.topic)
    signals = ("asks for what was told",)
    return Reading(Decision.FOLLOW_UP, 0.75, about(heard, turn.topic), signals, carried, own=heard.bare)


Rule = Callable[[Heard, Thread], Reading | None]

SAID: tuple[Rule, ...] = (
    clarified,
    by_number,
    correction,
    _return,
    counted,
    which_of_them,
    continuation,
    described,
    says_all,
    asked_before,
    doing_so,
    another,
    frame,
    pointing,
    reply,
)
"""Rules for what an utterance says, the plainest first."""

LEFT_OUT: tuple[Rule, ...] = (zero_subject, tied, fragment, presuming, unsaid, of_what_was_told)
"""Rules for a question that leaves out what it is about; they come after the others."""
