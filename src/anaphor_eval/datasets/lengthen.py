"""The same questions over a longer conversation: other conversations' sessions, put between its own in order of date.

What is added has nothing to do with the questions: a session that names a speaker, or any name that a question of the
conversation names, is left out. The evidence is what it was. Length counts everything that is said, with the
evaluator's counter; what is indexed of what is added is what that conversation's own roles index, so of an assistant's
long replies nothing is, unless both sides are asked for. Where there is not enough to add, a conversation is grown as
far as that goes; how long it became is told.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from anaphor.text.words import names
from anaphor_eval.datasets.dates import iso
from anaphor_eval.datasets.values import LongConversation, Said, SaidSession
from anaphor_eval.tokens import count

SHORTEST = 3  # letters of a name: TV, US and UK are in every talk
_CALENDAR = frozenset(
    (
        *("January", "February", "March", "April", "May", "June", "July", "August", "September", "October"),
        *("November", "December", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"),
        *("I", "A", "The"),
    )
)
_WORD = re.compile(r"[^\W\d_][\w-]+")


def lengthened(
    conversation: LongConversation, others: Iterable[LongConversation], tokens: int
) -> tuple[LongConversation, int]:
    """The conversation grown to at least so many tokens, and how many it has; itself if it is that long already.

    Sessions are taken in the order of ``others``, those of its own language only.
    """
    length = sum(map(_tokens, conversation.sessions))
    added: list[SaidSession] = []
    unindexed: set[str] = set()
    about = _names(conversation)
    for other in others:
        if other.language != conversation.language or other.conversation_id == conversation.conversation_id:
            continue
        theirs = frozenset(turn.turn_id for turn in other.indexed())
        for session in other.sessions:
            if length >= tokens:
                break
            if _mentions(session, about):
                continue
            length += _tokens(session)
            moved = _moved(session, other.conversation_id)
            unindexed |= {
                new.turn_id for new, old in zip(moved.turns, session.turns, strict=True) if old.turn_id not in theirs
            }
            added.append(moved)
    grown = replace(
        conversation,
        sessions=tuple(_by_date(conversation.sessions, added)),
        added=frozenset(turn.turn_id for session in added for turn in session.turns),
        unindexed=frozenset(unindexed),
    )
    return grown, length


def _tokens(session: SaidSession) -> int:
    return sum(count(turn.content) for turn in session.turns)


def _names(conversation: LongConversation) -> re.Pattern[str]:
    """The speakers, and every capitalised or Chinese or Japanese name in a question."""
    found = {turn.role for turn in conversation.turns if turn.role not in ("user", "assistant")}
    for question in conversation.questions:
        for name in names(question.question, conversation.language):
            written = question.question[name.start : name.end]
            if written.isascii():
                found |= {word for word in _WORD.findall(written) if word[0].isupper() and len(word) >= SHORTEST}
            elif len(written) > 1:
                found.add(written)
    found -= _CALENDAR
    if not found:
        return re.compile(r"(?!)")
    told = sorted(map(re.escape, found), key=len, reverse=True)
    return re.compile("|".join(rf"\b{name}\b" if name.isascii() else name for name in told))


def _mentions(session: SaidSession, about: re.Pattern[str]) -> bool:
    return any(about.search(turn.content) or about.fullmatch(turn.role) for turn in session.turns)


def _moved(session: SaidSession, conversation: str) -> SaidSession:
    """With ids that no other conversation has."""
    turns = tuple(replace(turn, turn_id=f"{conversation}/{turn.turn_id}") for turn in session.turns)
    return SaidSession(f"{conversation}/{session.session_id}", session.date, turns)


def _by_date(own: Sequence[SaidSession], added: Sequence[SaidSession]) -> list[SaidSession]:
    """The conversation's own sessions stay in their order; each added one stands before the first that is later."""
    left = sorted(added, key=_date)
    merged: list[SaidSession] = []
    for session in own:
        while left and _date(left[0]) < _date(session):
            merged.append(left.pop(0))
        merged.append(session)
    return merged + left


def _date(session: SaidSession) -> str:
    first: Said | None = session.turns[0] if session.turns else None
    return iso(session.date) or (iso(first.date) if first else "")
