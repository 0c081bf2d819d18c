"""What the routes share: the assistant as the caller uses it, turns started and counted."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Annotated, Any

from fastapi import Depends, Request

from anaphor.assistant import Assistant
from anaphor.errors import AnaphorError, UnknownSession
from anaphor.service.callers import Caller, Doorman, as_caller, needs
from anaphor.service.flights import Flight, Flights
from anaphor.service.gate import Bounds
from anaphor.service.history import Known
from anaphor.service.meters import Meters
from anaphor.service.reading import Reading
from anaphor.service.statuses import Refused
from anaphor.stored import KeyRole, Session
from anaphor.turn import Tell
from anaphor.types import Answer

REMEMBERED = 10_000  # sessions of which is known what was cited in them


@dataclass
class Desk:
    """One per service. ``assistant`` is the whole product, as the settings join it."""

    assistant: Assistant
    doorman: Doorman
    bounds: Bounds
    flights: Flights
    meters: Meters
    known: Known
    cited: OrderedDict[str, frozenset[str]] = field(default_factory=OrderedDict)
    reading: Reading = field(init=False)

    def __post_init__(self) -> None:
        self.reading = Reading(self.assistant, lambda: self.flights.under_way())

    def session(self, caller: Caller, named: str) -> Session:
        """By id or name."""
        return as_caller(self.assistant, caller).sessions.find(named)

    def session_called(self, caller: Caller, name: str) -> tuple[Session, bool]:
        """By id or name, and whether it was made for this: a name that is not there becomes a session."""
        sessions = as_caller(self.assistant, caller).sessions
        try:
            return sessions.find(name), False
        except UnknownSession:
            if _looks_like_an_id(name):
                raise
        try:
            return sessions.start(name), True
        except AnaphorError:
            return sessions.find(name), False  # two requests with the same new name: the other was first

    def ask(self, caller: Caller, session: Session, question: str, *, fresh: bool = False, **how: Any) -> Flight:
        """A turn on its way. A ``fresh`` session that no turn came of is taken back."""
        if len(question) > self.bounds.message:
            raise Refused(413, "too_long", f"a question has at most {self.bounds.message} characters")
        assistant = as_caller(self.assistant, caller)
        given = {name: value for name, value in how.items() if value is not None}

        def asked(tell: Tell, cancelled: Callable[[], bool]) -> Answer:
            try:
                answer = assistant.ask(question, session=session.session_id, tell=tell, cancelled=cancelled, **given)
            except BaseException:
                if fresh:
                    with suppress(AnaphorError):
                        if assistant.sessions.find(session.session_id).turns == 0:
                            assistant.sessions.delete(session.session_id)
                raise
            self.count(answer)
            self.reading.wake(caller.scope)
            return answer

        return self.flights.start(caller, asked, session.session_id)

    def count(self, answer: Answer) -> None:
        before = self.cited.pop(answer.session_id, frozenset())
        self.meters.count(answer, before)
        self.cited[answer.session_id] = before | {citation.passage_id for citation in answer.citations}
        while len(self.cited) > REMEMBERED:
            self.cited.popitem(last=False)


def _looks_like_an_id(named: str) -> bool:
    """An id that is not there is an error, not the wish for a session of that name."""
    return len(named) >= 32 and all(c in "0123456789abcdef-" for c in named)


async def desk_of(request: Request) -> Desk:
    return _desk(request)  # async, though it waits for nothing: else it would be a thread's work


def _desk(request: Request) -> Desk:
    desk: Desk = request.app.state.desk
    return desk


def caller_of(request: Request) -> Caller:
    return _desk(request).doorman.caller(request)


def editor_of(request: Request) -> Caller:
    caller = caller_of(request)
    needs(caller, KeyRole.EDITOR)
    return caller


def admin_of(request: Request) -> Caller:
    caller = caller_of(request)
    needs(caller, KeyRole.ADMIN)
    return caller


TheDesk = Annotated[Desk, Depends(desk_of)]
TheCaller = Annotated[Caller, Depends(caller_of)]
TheEditor = Annotated[Caller, Depends(editor_of)]
TheAdmin = Annotated[Caller, Depends(admin_of)]
