"""Make a standalone query out of an utterance and what was said before it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from anaphor.ports import ChatModel
from anaphor.steps.reconstruct.articles import articled
from anaphor.steps.reconstruct.asking_back import asked_back
from anaphor.steps.reconstruct.carry import carry
from anaphor.steps.reconstruct.decide import decide
from anaphor.steps.reconstruct.heard import Heard, hear
from anaphor.steps.reconstruct.reading import RETRACTED, Reading
from anaphor.steps.reconstruct.speech import command
from anaphor.steps.reconstruct.thread import Retraction, Said, Thread
from anaphor.text.fold import matching
from anaphor.types import Decision, Outcome, Question, Recollection, StandaloneQuery, Turn

REACH = 4  # turns that a later utterance may reach back to; what they came to mean carries older things along


def reconstruct(
    question: Question,
    recollection: Recollection,
    model: ChatModel | None = None,
    *,
    timeout: float = 5.0,
    below: float = 0.8,
    ask_back: bool = False,
) -> StandaloneQuery:
    """By rule first, in milliseconds. A model is asked only where the rules are less sure than ``below``.

    With ``ask_back``, where two things may be meant equally well and no model tells, the person is asked which.

    A model that fails costs nothing but its time: the embedded reconstruction stands, and what was refused is told.
    """
    thread = replay(recollection.turns)
    draft = embedded(question.text, thread, question.locale)
    if model is None and ask_back:
        return _asked_back(question, thread, draft)
    if model is None or draft.confidence >= below or not draft.decision.retrieves:
        return draft
    # Imported here: whoever uses no model does not pay for the guard's tables.
    from anaphor.steps.reconstruct.rewrite import rewrite

    retracted = tuple(r.text for r in thread.retracted)
    rewritten, refused, usage = rewrite(question, recollection, draft, model, timeout, retracted)
    if rewritten is None and ask_back:
        draft = _asked_back(question, thread, draft)
    return replace(rewritten or draft, refused=refused, usage=usage)


def _asked_back(question: Question, thread: Thread, draft: StandaloneQuery) -> StandaloneQuery:
    return asked_back(draft, hear(question.text, thread.talk, question.locale), thread)


def embedded(utterance: str, thread: Thread, locale: str | None = None) -> StandaloneQuery:
    """Without a model."""
    heard = hear(utterance, thread.talk, locale)
    return carry(heard, thread, _read(heard, thread))


def _read(heard: Heard, thread: Thread) -> Reading:
    return articled(decide(heard, thread), heard, thread)


def understood(turns: Iterable[Turn], locale: str | None = None) -> tuple[Turn, ...]:
    """The newest turns within reach, each with what its question came to mean after those before it."""
    thread = Thread()
    read: list[Turn] = []
    for turn in turns:
        decision = decide(hear(turn.question, thread.talk, locale), thread).decision
        thread = after(thread, turn, locale)
        said = thread.by(turn.seq)
        read.append(replace(turn, standalone=said.standalone if said else "", decision=decision))
    return tuple(read[-REACH:])


def replay(turns: Sequence[Turn]) -> Thread:
    """Read the turns again from the oldest, as each was understood when only the ones before it had been said.

    What was taken back is found anew each time from the turns' own words, never from a list that outlives them.
    """
    thread = Thread()
    for turn in turns:
        thread = after(thread, turn)
    return thread


def after(thread: Thread, turn: Turn, locale: str | None = None) -> Thread:
    """The thread with one more turn said."""
    heard = hear(turn.question, thread.talk, locale)
    if turn.standalone and turn.decision in (Decision.FOLLOW_UP, Decision.STANDALONE):
        # Such a turn takes nothing back, and starts nothing afresh.
        reading = Reading(turn.decision, 1.0, turn.standalone)
    elif turn.standalone and turn.decision is Decision.NEW_TOPIC and command(heard)[0] is None:
        reading = Reading(turn.decision, 1.0, turn.standalone)
    else:
        reading = _read(heard, thread)
    if reading.boundary:
        thread = Thread()
    if reading.decision in (Decision.SMALL_TALK, Decision.COMMAND) or not turn.carriable_question:
        return thread
    said = Said(
        seq=turn.seq,
        question=turn.carriable_question,
        standalone=turn.standalone or reading.text,
        answer=turn.carriable_answer,
        weighed=turn.outcome is not Outcome.UNVERIFIED,
        language=heard.language,
    )
    named = matching(reading.text, "und")
    kept = tuple(r for r in thread.retracted if r.key not in named)
    taken_back = tuple(
        Retraction(x.text, key, turn.seq)
        for x in reading.left_behind
        # Of a lunar eclipse, not a solar one, the eclipse is not taken back.
        if x.reason == RETRACTED and (key := matching(x.text, "und")) not in named
    )
    return Thread((*thread.said, said)[-REACH:], (*kept, *taken_back))
