"""Conversations: list, make, read, name, branch, take along, delete."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Response
from fastapi.responses import StreamingResponse

from anaphor.service import examples
from anaphor.service.callers import as_caller
from anaphor.service.cleaned import Clean
from anaphor.service.described import shows
from anaphor.service.desk import TheCaller, TheDesk
from anaphor.service.replies import Json, reply
from anaphor.service.schemas import Branched, NewSession, Renamed
from anaphor.stored import Session
from anaphor.types import Turn

router = APIRouter(tags=["sessions"], route_class=Clean)

MOST = 1_000_000  # conversations that are listed at once


def told(session: Session) -> Json:
    return {
        "session_id": session.session_id,
        "name": session.name,
        "created_at": session.created_at,
        "last_at": session.last_at,
        "turns": session.turns,
    }


def turn_told(turn: Turn) -> Json:
    return {
        "turn_id": turn.turn_id,
        "seq": turn.seq,
        "question": turn.question,
        "answer": turn.answer,
        "outcome": str(turn.outcome),
        "decision": str(turn.decision) if turn.decision else None,
        "standalone": turn.standalone,
        "language": turn.language,
        "asked_at": turn.asked_at,
    }


@router.get("/sessions", responses=shows(examples.SESSIONS))
def list_sessions(
    desk: TheDesk, caller: TheCaller, limit: Annotated[int | None, Query(ge=1, le=MOST, examples=[20])] = None
) -> Response:
    """The conversations of this person, the one last used first; all, or the first `limit`."""
    return reply({"sessions": [told(each) for each in as_caller(desk.assistant, caller).sessions.list()[:limit]]})


@router.post("/sessions", status_code=201, responses=shows(examples.SESSION, 201, "Made"))
def create_session(desk: TheDesk, caller: TheCaller, wanted: NewSession) -> Response:
    """A new conversation."""
    return reply(told(as_caller(desk.assistant, caller).sessions.start(wanted.name, ephemeral=wanted.ephemeral)), 201)


@router.get("/sessions/{session}", responses=shows(examples.WITH_TURNS))
def read_session(desk: TheDesk, caller: TheCaller, session: str) -> Response:
    """A conversation with its turns, oldest first. A turn that is being answered is there too."""
    sessions = as_caller(desk.assistant, caller).sessions
    found = sessions.find(session)
    running = sessions.running(found.session_id)
    turns = [*sessions.read(found.session_id), *([running] if running else [])]
    return reply({**told(found), "turns": [turn_told(turn) for turn in turns]})


@router.patch("/sessions/{session}", responses=shows(examples.SESSION))
def rename_session(desk: TheDesk, caller: TheCaller, session: str, wanted: Renamed) -> Response:
    """Another label; no turn is touched."""
    return reply(told(as_caller(desk.assistant, caller).sessions.rename(session, wanted.name)))


@router.post("/sessions/{session}/branches", status_code=201, responses=shows(examples.SESSION, 201, "Made"))
def branch_session(desk: TheDesk, caller: TheCaller, session: str, wanted: Branched) -> Response:
    """A new conversation that shares the turns up to `after_seq` with this one."""
    return reply(told(as_caller(desk.assistant, caller).sessions.branch(session, wanted.after_seq, wanted.name)), 201)


@router.get(
    "/sessions/{session}/export",
    response_class=StreamingResponse,
    responses={
        200: {
            "description": "JSON Lines, which `anaphor import` reads",
            "content": {"application/x-ndjson": {"schema": {"type": "string"}, "example": examples.EXPORTED}},
        }
    },
)
def export_session(desk: TheDesk, caller: TheCaller, session: str) -> StreamingResponse:
    """The conversation with its turns and traces; what it branched off comes with it."""
    assistant = as_caller(desk.assistant, caller)
    found = assistant.sessions.find(session)
    return StreamingResponse(
        assistant.export(found.session_id),
        media_type="application/x-ndjson",
        headers={"Content-Disposition": f'attachment; filename="{found.session_id}.jsonl"'},
    )


@router.delete("/sessions/{session}", responses=shows(examples.SESSION, description="Gone"))
def delete_session(desk: TheDesk, caller: TheCaller, session: str) -> Response:
    """With its turns, traces and everything made from them."""
    return reply(told(as_caller(desk.assistant, caller).sessions.delete(session)))
