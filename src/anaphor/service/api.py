"""``/api``: sessions, turns, documents and search as they are, for our own page and for programs."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path, PurePosixPath
from typing import Annotated, Any

from fastapi import APIRouter, File, Form, Header, Query, UploadFile
from fastapi.responses import StreamingResponse
from starlette.concurrency import run_in_threadpool

import anaphor
from anaphor.errors import BadInput
from anaphor.service import events
from anaphor.service.callers import Caller, as_caller
from anaphor.service.cleaned import Clean
from anaphor.service.desk import Desk, TheCaller, TheDesk, TheEditor
from anaphor.service.flights import HEARTBEAT, Flight
from anaphor.service.schemas import Asked, Branched, Judged, NewSession, Renamed, Searched, Told
from anaphor.service.statuses import Refused
from anaphor.stored import Session
from anaphor.types import Answer, Document, Outcome, Passage, Turn

Json = dict[str, Any]
ERRORS: dict[int | str, Json] = {
    400: {"description": "Cannot be used as it is"},
    401: {"description": "No key, or one that is unknown, revoked or has run out"},
    403: {"description": "Not with this key, or not from there"},
    404: {"description": "Not there, or somebody else's"},
    409: {
        "description": "Another turn is running, or the session has moved on; `error.seq` is the newest turn's number"
    },
    413: {"description": "Too large"},
    422: {"description": "Malformed"},
    429: {"description": "Too often, or too many at once; `Retry-After` says when"},
    500: {"description": "Something unforeseen; the message has the id under which the log knows it"},
    502: {"description": "The model could not be used"},
    503: {"description": "Busy or stopping; `Retry-After` says when"},
    507: {"description": "No room left"},
}
EVENTS: dict[int | str, Json] = {
    200: {"content": {"text/event-stream": {}, "application/json": {}}, "description": "Events, or the answer"}
}

router = APIRouter(prefix="/api", responses=ERRORS, route_class=Clean)


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


# ── sessions ──────────────────────────────────────────────────────────────────────────────────────────────────────


@router.get("/sessions", tags=["sessions"])
def list_sessions(desk: TheDesk, caller: TheCaller) -> Json:
    """The conversations of this person, the one last used first."""
    return {"sessions": [told(each) for each in as_caller(desk.assistant, caller).sessions.list()]}


@router.post("/sessions", tags=["sessions"], status_code=201)
def create_session(desk: TheDesk, caller: TheCaller, wanted: NewSession) -> Json:
    """A new conversation."""
    return told(as_caller(desk.assistant, caller).sessions.start(wanted.name))


@router.get("/sessions/{session}", tags=["sessions"])
def read_session(desk: TheDesk, caller: TheCaller, session: str) -> Json:
    """A conversation with its turns, oldest first. A turn that is being answered is there too."""
    sessions = as_caller(desk.assistant, caller).sessions
    found = sessions.find(session)
    running = sessions.running(found.session_id)
    turns = [*sessions.turns(found.session_id), *([running] if running else [])]
    return {**told(found), "turns": [turn_told(turn) for turn in turns]}


@router.patch("/sessions/{session}", tags=["sessions"])
def rename_session(desk: TheDesk, caller: TheCaller, session: str, wanted: Renamed) -> Json:
    """Another label; no turn is touched."""
    return told(as_caller(desk.assistant, caller).sessions.rename(session, wanted.name))


@router.post("/sessions/{session}/branches", tags=["sessions"], status_code=201)
def branch_session(desk: TheDesk, caller: TheCaller, session: str, wanted: Branched) -> Json:
    """A new conversation that shares the turns up to `after_seq` with this one."""
    return told(as_caller(desk.assistant, caller).sessions.branch(session, wanted.after_seq, wanted.name))


@router.delete("/sessions/{session}", tags=["sessions"])
def delete_session(desk: TheDesk, caller: TheCaller, session: str) -> Json:
    """With its turns, traces and everything made from them."""
    return told(as_caller(desk.assistant, caller).sessions.delete(session))


# ── turns ─────────────────────────────────────────────────────────────────────────────────────────────────────────


@router.post("/sessions/{session}/turns", tags=["turns"], response_model=None, responses=EVENTS)
async def ask(desk: TheDesk, caller: TheCaller, session: str, asked: Asked) -> StreamingResponse | Json:
    """Ask. Events: `accepted`, `decision`, `query`, `hits`, `claim`, `verdict`, `committed`, `error`; each is numbered.

    A reader who leaves does not lose the turn: it goes on to its commit, and the events can be followed again.
    """
    found = await run_in_threadpool(desk.session, caller, session)
    how = asked.model_dump(exclude={"question", "stream"})
    flight = desk.ask(caller, found, asked.question, **how)
    await flight.begun()
    if not asked.stream:
        return (await flight.landed()).as_dict()
    return events.stream(_frames(desk, flight, 0))


@router.get("/sessions/{session}/turns/{turn}", tags=["turns"])
def read_turn(desk: TheDesk, caller: TheCaller, session: str, turn: str) -> Json:
    """A turn with its trace, as it was answered; a quote whose source is gone is null."""
    return _recounted(desk, caller, session, turn).as_dict()


@router.get("/sessions/{session}/turns/{turn}/events", tags=["turns"], response_model=None, responses=EVENTS)
async def follow(
    desk: TheDesk,
    caller: TheCaller,
    session: str,
    turn: str,
    last_event_id: Annotated[str | None, Header()] = None,
) -> StreamingResponse:
    """The events of a turn, from where the reader was cut off (`Last-Event-ID`)."""
    found = await run_in_threadpool(desk.session, caller, session)
    after = int(last_event_id) if last_event_id and last_event_id.isascii() and last_event_id.isdigit() else 0
    flight = desk.flights.find(caller, found.session_id, turn)
    if flight is not None:
        return events.stream(_frames(desk, flight, min(after, len(flight.events))))
    await run_in_threadpool(_turn, desk, caller, found.session_id, turn)  # that there is one, before the stream begins
    return events.stream(_from_the_log(desk, caller, found.session_id, turn, after))


@router.post("/sessions/{session}/turns/{turn}/stop", tags=["turns"])
def stop(desk: TheDesk, caller: TheCaller, session: str, turn: str) -> Json:
    """Stop a turn; it keeps the claims that were released."""
    found = desk.session(caller, session)
    flight = desk.flights.find(caller, found.session_id, turn)
    if flight is None:
        ended = _turn(desk, caller, found.session_id, turn)
        if ended.outcome is Outcome.RUNNING:
            raise Refused(409, "elsewhere", "that turn is being answered by another process")
        return {"stopped": False}
    flight.stop()
    return {"stopped": not flight.ended}


@router.post("/sessions/{session}/turns/{turn}/feedback", tags=["turns"])
def judge(desk: TheDesk, caller: TheCaller, session: str, turn: str, judged: Judged) -> Json:
    """What the person thought of an answer; again replaces it."""
    sessions = as_caller(desk.assistant, caller).sessions
    opinion = sessions.judge(session, turn, judged.thumbs or "", judged.score or 0, judged.comment)
    return {"thumbs": opinion.thumbs or None, "score": opinion.score or None, "comment": opinion.comment}


async def _frames(desk: Desk, flight: Flight, after: int) -> AsyncIterator[bytes]:
    async for event in flight.follow(after):
        if not await run_in_threadpool(desk.doorman.still_open, flight.caller):
            return
        yield events.of_turn(event)


LAST = 1_000  # the number of the event that the log tells: above every number the turn itself gave


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


def _turn(desk: Desk, caller: Caller, session: str, turn: str) -> Turn:
    assistant = as_caller(desk.assistant, caller)
    scope = caller.scope.within(assistant.sessions.find(session).session_id)
    return assistant.store.turns.get(scope, turn)


def _recounted(desk: Desk, caller: Caller, session: str, turn: str) -> Answer:
    if _turn(desk, caller, session, turn).outcome is Outcome.RUNNING:
        raise Refused(409, "running", "that turn is still being answered; follow its events")
    return as_caller(desk.assistant, caller).trace(session, turn)


# ── documents ─────────────────────────────────────────────────────────────────────────────────────────────────────


def document_told(document: Document) -> Json:
    return {
        "document_id": document.document_id,
        "source": document.source,
        "version": document.version,
        "title": document.title,
        "collection": document.collection,
        "private": bool(document.owner),
        "language": document.language,
        "ingested_at": document.ingested_at,
        "metadata": dict(document.metadata),
    }


@router.get("/documents", tags=["documents"])
def list_documents(desk: TheDesk, caller: TheCaller) -> Json:
    """What this person may read."""
    return {"documents": [document_told(each) for each in as_caller(desk.assistant, caller).documents()]}


@router.post("/documents", tags=["documents"], status_code=201)
def upload(
    desk: TheDesk,
    caller: TheEditor,
    files: Annotated[list[UploadFile], File(description="One or more files")],
    collection: Annotated[str, Form(max_length=200)] = "default",
    private: Annotated[bool, Form()] = False,
) -> Json:
    """Take files in. Each file's fate is told; one that cannot be read does not keep the others out."""
    with tempfile.TemporaryDirectory(prefix="anaphor-upload-") as folder:
        here = Path(folder)
        paths = [_laid_down(here, file) for file in files]
        report = as_caller(desk.assistant, caller).ingest(
            *paths, collection=collection, private=private, base=here, by_name=True
        )
    return {"files": [each.as_dict() for each in report.files], "stopped": report.stopped}


def _laid_down(folder: Path, file: UploadFile) -> Path:
    """The file under its own name, and no path in it. Two of one name are two files."""
    name = PurePosixPath((file.filename or "").replace("\\", "/")).name
    if not name or name in (".", "..") or "\0" in name or len(name.encode("utf-8", "replace")) > 200:
        raise BadInput(f"a file needs a name of at most 200 bytes, not {name[:40]!r}")
    place = folder / name
    if place.exists():
        raise BadInput(f"two files are called {name!r}")
    with place.open("wb") as written:
        while piece := file.file.read(1 << 20):
            written.write(piece)
    return place


@router.get("/documents/{document:path}", tags=["documents"])
def read_document(desk: TheDesk, caller: TheCaller, document: str) -> Json:
    """With its text, by id or source."""
    found = desk.assistant.store.documents.get(caller.scope, document)
    return {**document_told(found), "text": found.text}


@router.delete("/documents/{document:path}", tags=["documents"])
def delete_document(desk: TheDesk, caller: TheEditor, document: str) -> Json:
    """Gone from the store and from every index when this returns."""
    return document_told(as_caller(desk.assistant, caller).delete_document(document))


# ── searching, and the small door ─────────────────────────────────────────────────────────────────────────────────


def passage_told(passage: Passage) -> Json:
    return {
        "passage_id": passage.passage_id,
        "text": passage.text,
        "source": passage.source,
        "class": str(passage.evidence_class),
        "title": passage.title,
        "section": passage.section,
        "start": passage.start,
        "end": passage.end,
        "language": passage.language,
        "date": passage.date,
        "seq": passage.seq,
    }


@router.post("/search", tags=["search"])
def search(desk: TheDesk, caller: TheCaller, wanted: Searched) -> Json:
    """What the retrievers find for a query that needs no history."""
    ranking = as_caller(desk.assistant, caller).search(wanted.text, sources=wanted.sources, limit=wanted.limit)
    return {
        "hits": [
            {**passage_told(hit.passage), "rank": hit.rank, "score": hit.score, "ranks": dict(hit.ranks)}
            for hit in ranking.hits[: wanted.limit]
        ],
        "failed": list(ranking.failed),
    }


@router.get("/passages", tags=["search"])
def read_passages(desk: TheDesk, caller: TheCaller, id: Annotated[list[str], Query(max_length=100)]) -> Json:
    """Passages by id, as their sources are now; those that are gone, or somebody else's, are left out."""
    found = desk.assistant.store.documents.passages(caller.scope, id)
    return {"passages": {key: passage_told(passage) for key, passage in found.items()}}


@router.post("/reconstruct", tags=["reconstruct"])
def reconstruct(caller: TheCaller, wanted: Told) -> Json:
    """The small door: messages in, a standalone query out. Nothing is stored."""
    assert caller
    return anaphor.reconstruct(wanted.messages, wanted.question, language=wanted.language).as_dict()
