"""Turns: ask, follow the events, read how it came about, stop, say what one thinks of it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Annotated

from fastapi import APIRouter, Header, Response
from starlette.concurrency import run_in_threadpool

from anaphor.errors import AnaphorError
from anaphor.service import events, examples
from anaphor.service.callers import Caller, as_caller
from anaphor.service.cleaned import Clean
from anaphor.service.described import shows, streams
from anaphor.service.desk import Desk, TheCaller, TheDesk
from anaphor.service.flights import HEARTBEAT, Flight
from anaphor.service.replies import reply
from anaphor.service.schemas import Asked, Judged
from anaphor.service.statuses import Refused
from anaphor.types import Answer, Outcome, Turn

router = APIRouter(prefix="/sessions/{session}/turns", tags=["turns"], route_class=Clean)

EVENTS = streams(examples.EVENTS, examples.ANSWER, "Events, or the answer")
LAST = 1_000  # the number of the event that the log tells: above every number the turn itself gave


@router.post("", responses=EVENTS)
async def ask(desk: TheDesk, caller: TheCaller, session: str, asked: Asked) -> Response:
    """Ask. Events: `accepted`, `decision`, `query`, `hits`, `claim`, `verdict`, `committed`, `error`; each is numbered.

    A reader who leaves does not lose the turn: it goes on to its commit, and the events can be followed again.
    """
    found = await run_in_threadpool(desk.session, caller, session)
    how = asked.model_dump(exclude={"question", "stream"})
    flight = desk.ask(caller, found, asked.question, **how)
    if not asked.stream:
        return reply((await flight.landed()).as_dict())
    await flight.begun()
    return events.stream(_frames(desk, flight, 0))


@router.get("/{turn}", responses=shows(examples.ANSWER))
def read_turn(desk: TheDesk, caller: TheCaller, session: str, turn: str) -> Response:
    """A turn with its trace, as it was answered; a quote whose source is gone is null."""
    return reply(_recounted(desk, caller, session, turn).as_dict())


@router.get("/{turn}/events", responses=EVENTS)
async def follow(
    desk: TheDesk,
    caller: TheCaller,
    session: str,
    turn: str,
    last_event_id: Annotated[str | None, Header(examples=["4"])] = None,
) -> Response:
    """The events of a turn, from where the reader was cut off (`Last-Event-ID`)."""
    found = await run_in_threadpool(desk.session, caller, session)
    after = int(last_event_id) if last_event_id and last_event_id.isascii() and last_event_id.isdigit() else 0
    flight = desk.flights.find(caller, found.session_id, turn)
    if flight is not None and await run_in_threadpool(_as_it_was, desk, flight):
        return events.stream(_frames(desk, flight, min(after, len(flight.events))))
    await run_in_threadpool(_turn, desk, caller, found.session_id, turn)  # that there is one, before the stream begins
    return events.stream(_from_the_log(desk, caller, found.session_id, turn, after))


@router.post("/{turn}/stop", responses=shows(examples.STOPPED))
def stop(desk: TheDesk, caller: TheCaller, session: str, turn: str) -> Response:
    """Stop a turn; it keeps the claims that were released."""
    found = desk.session(caller, session)
    flight = desk.flights.find(caller, found.session_id, turn)
    if flight is None:
        ended = _turn(desk, caller, found.session_id, turn)
        if ended.outcome is Outcome.RUNNING:
            raise Refused(409, "elsewhere", "that turn is being answered by another process")
        return reply({"stopped": False})
    flight.stop()
    return reply({"stopped": not flight.ended})


@router.post("/{turn}/feedback", responses=shows(examples.OPINION))
def judge(desk: TheDesk, caller: TheCaller, session: str, turn: str, judged: Judged) -> Response:
    """What the person thought of an answer; again replaces it."""
    sessions = as_caller(desk.assistant, caller).sessions
    opinion = sessions.judge(session, turn, judged.thumbs or "", judged.score or 0, judged.comment)
    return reply({"thumbs": opinion.thumbs or None, "score": opinion.score or None, "comment": opinion.comment})


async def _frames(desk: Desk, flight: Flight, after: int) -> AsyncIterator[bytes]:
    async for event in flight.follow(after):
        if not await run_in_threadpool(desk.doorman.still_open, flight.caller):
            return
        yield events.of_turn(event)


async def _from_the_log(desk: Desk, caller: Caller, session: str, turn: str, after: int) -> AsyncIterator[bytes]:
    """After a restart, or of another process: how the turn ended, once it has."""
    waited = 0.0
    while True:
        ended = await run_in_threadpool(_turn, desk, caller, session, turn)
        if ended.outcome is not Outcome.RUNNING:
            break
        await asyncio.sleep(0.25)
        waited += 0.25
        if waited >= HEARTBEAT:
            waited = 0.0
            yield events.ALIVE
    if ended.outcome is Outcome.FAILED:
        told = {"message": "the turn failed; its question is kept", "type": "server_error", "code": "failed"}
        yield events.frame(told, name="error", n=max(LAST, after + 1))
        return
    answer = await run_in_threadpool(_recounted, desk, caller, session, turn)
    yield events.frame(answer.as_dict(), name="committed", n=max(LAST, after + 1))


def _as_it_was(desk: Desk, flight: Flight) -> bool:
    """Whether what a turn's events tell is still so: it runs, or nothing of its answer was erased since."""
    if flight.answer is None:
        return True
    try:
        now = _recounted(desk, flight.caller, flight.session_id, flight.answer.turn_id)
    except AnaphorError:
        return False
    return (now.answer, now.citations) == (flight.answer.answer, flight.answer.citations)


def _turn(desk: Desk, caller: Caller, session: str, turn: str) -> Turn:
    assistant = as_caller(desk.assistant, caller)
    scope = caller.scope.within(assistant.sessions.find(session).session_id)
    return assistant.store.turns.get(scope, turn)


def _recounted(desk: Desk, caller: Caller, session: str, turn: str) -> Answer:
    if _turn(desk, caller, session, turn).outcome is Outcome.RUNNING:
        raise Refused(409, "running", "that turn is still being answered; follow its events")
    return as_caller(desk.assistant, caller).trace(session, turn)
