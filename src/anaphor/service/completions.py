"""``/v1``: conversational RAG for whoever speaks OpenAI's protocol."""

from __future__ import annotations

import time
import uuid
from collections.abc import AsyncIterator, Sequence
from typing import Annotated, Any

from fastapi import APIRouter, Header, Response
from starlette.concurrency import run_in_threadpool

from anaphor.errors import ModelError
from anaphor.service import chores, events, examples, history
from anaphor.service.callers import Caller, as_caller
from anaphor.service.cleaned import CleanLenient
from anaphor.service.described import ERRORS, shows, streams
from anaphor.service.desk import Desk, TheCaller, TheDesk
from anaphor.service.flights import Flight
from anaphor.service.replies import Json, reply
from anaphor.service.schemas import ChatMessage, Completion
from anaphor.service.statuses import Refused
from anaphor.stored import Session
from anaphor.text.tokens import estimate
from anaphor.types import Answer, Message

MODEL = "anaphor"
CREATED = 1_788_220_800  # seconds; clients expect some day there, and it must not change with every start
TALKERS = ("user", "assistant")
CHORE_SECONDS = 20.0

router = APIRouter(prefix="/v1", responses=ERRORS, tags=["openai"], route_class=CleanLenient)


@router.get("/models", responses=shows(examples.MODELS))
def models(caller: TheCaller) -> Response:
    """The one model there is."""
    assert caller
    return reply({"object": "list", "data": [_model()]})


@router.get("/models/{name}", responses=shows(examples.MODEL))
def model(caller: TheCaller, name: str) -> Response:
    """The same by its name."""
    assert caller
    if name != MODEL:
        raise Refused(404, "model_not_found", f"there is no model {name[:60]!r} here, only {MODEL!r}")
    return reply(_model())


def _model() -> Json:
    return {"id": MODEL, "object": "model", "created": CREATED, "owned_by": "anaphor"}


@router.post("/chat/completions", responses=streams(examples.CHUNKS, examples.COMPLETION, "An answer, or its pieces"))
async def complete(
    desk: TheDesk,
    caller: TheCaller,
    wanted: Completion,
    x_anaphor_session: Annotated[str | None, Header(max_length=200, examples=["trip to Kyoto"])] = None,
) -> Response:
    """A turn of a conversation: a named one (`X-Anaphor-Session`, `metadata.session_id`), or the one `messages` are.

    Beside OpenAI's fields, the answer (and the last piece of a stream) holds `anaphor`: session, decision, standalone
    query, outcome, citations.
    """
    _refuse(wanted)
    told = dict(wanted.metadata or {})
    words = [message.words for message in wanted.messages if message.role in TALKERS]
    chore = chores.recognised(told.get("task"), words)
    if chore is not None:
        text = await run_in_threadpool(_done, desk, chore, wanted.messages)
        return _without_a_turn(wanted, text)
    pairs, question = history.paired([(m.role, m.words) for m in wanted.messages if m.role in TALKERS])
    if not question:
        raise Refused(400, "no_question", "the last message must be the user's, and hold text")
    named = x_anaphor_session or told.get("session_id") or ""
    session, fresh = await run_in_threadpool(_session, desk, caller, str(named), pairs)
    turn_id = told.get("turn_id")
    flight = desk.ask(caller, session, question, fresh=fresh, turn_id=turn_id if isinstance(turn_id, str) else None)
    if not wanted.stream:
        answer = await flight.landed()
        _noted(desk, caller, pairs, answer)
        return reply(_whole(answer))
    await flight.begun()
    return events.stream(_pieces(desk, caller, flight, wanted, pairs))


def _refuse(wanted: Completion) -> None:
    """What would make an answer of another kind than the one this service gives."""
    if (wanted.n or 1) != 1:
        raise Refused(400, "unsupported", "n: one answer a question is given")
    if wanted.response_format and wanted.response_format.get("type", "text") != "text":
        raise Refused(400, "unsupported", "response_format: answers are text with citations")
    if wanted.modalities and set(wanted.modalities) != {"text"}:
        raise Refused(400, "unsupported", "modalities: answers are text")
    if wanted.logprobs:
        raise Refused(400, "unsupported", "logprobs: there are none of a quoted answer")


def _session(desk: Desk, caller: Caller, named: str, pairs: Sequence[history.Pair]) -> tuple[Session, bool]:
    if named:
        return desk.session_called(caller, named)
    return history.settled(desk.known, as_caller(desk.assistant, caller), pairs)


def _noted(desk: Desk, caller: Caller, pairs: Sequence[history.Pair], answer: Answer) -> None:
    """So that the conversation is known when the client sends it back."""
    place = history.Place(answer.session_id, answer.seq)
    desk.known.go_on(as_caller(desk.assistant, caller), [*pairs, (answer.question, answer.answer)], place)


# ── answers ───────────────────────────────────────────────────────────────────────────────────────────────────────


def extension(answer: Answer) -> Json:
    """What plain clients pass over."""
    told = answer.as_dict()
    kept = ("session_id", "turn_id", "seq", "decision", "confidence", "outcome", "query", "citations", "claims")
    return {key: told[key] for key in kept}


def usage(answer: Answer) -> Json:
    """As the model's server counted; where no model was called, an estimate of what was read and written."""
    if answer.usage.calls:
        given, made = answer.usage.input_tokens, answer.usage.output_tokens
    else:
        given, made = answer.spent.total, estimate(answer.answer)
    return {"prompt_tokens": given, "completion_tokens": made, "total_tokens": given + made}


def _whole(answer: Answer) -> Json:
    return {
        **_head("chat.completion", answer.turn_id),
        "choices": [_choice("message", {"role": "assistant", "content": answer.answer}, "stop")],
        "usage": usage(answer),
        "anaphor": extension(answer),
    }


def _head(kind: str, named: str) -> Json:
    return {"id": f"chatcmpl-{named}", "object": kind, "created": int(time.time()), "model": MODEL}


def _choice(key: str, told: Json, finish: str | None) -> Json:
    return {"index": 0, key: told, "finish_reason": finish, "logprobs": None}


async def _pieces(
    desk: Desk, caller: Caller, flight: Flight, wanted: Completion, pairs: Sequence[history.Pair]
) -> AsyncIterator[bytes]:
    """Claim by claim, each after it was verified; at the end what is not said yet, and how it came about."""
    turn_id = flight.turn.turn_id if flight.turn else uuid.uuid4().hex
    head = _head("chat.completion.chunk", turn_id)

    def piece(told: Json, finish: str | None = None, **more: Any) -> bytes:
        return events.frame({**head, "choices": [_choice("delta", told, finish)], **more})

    yield piece({"role": "assistant", "content": ""})
    sent = ""
    async for event in flight.follow():
        if not await run_in_threadpool(desk.doorman.still_open, caller):
            return
        if event is None:
            yield events.ALIVE
        elif event.name == "claim":
            text = event.told["shown"] if sent else event.told["shown"].lstrip()
            sent += text
            yield piece({"content": text})
        elif event.name == "error":
            yield events.frame({"error": event.told})
            return
    answer = await flight.landed()
    _noted(desk, caller, pairs, answer)
    if rest := unsaid(answer.answer, sent):
        yield piece({"content": rest})
    yield piece({}, "stop", anaphor=extension(answer))
    if wanted.stream_options and wanted.stream_options.include_usage:
        yield events.frame({**head, "choices": [], "usage": usage(answer)})
    yield events.frame("[DONE]")


def unsaid(answer: str, sent: str) -> str:
    """What of the committed answer has not been streamed. What was streamed is its beginning."""
    return answer[len(sent) :] if answer.startswith(sent) else ""


# ── chores ────────────────────────────────────────────────────────────────────────────────────────────────────────


def _done(desk: Desk, chore: chores.Chore, messages: Sequence[ChatMessage]) -> str:
    """By the model if there is one; a model that fails costs nothing but its better title."""
    model = desk.assistant.conversation.writer
    if model is not None:
        asked = [Message(m.role, m.words) for m in messages if m.role in (*TALKERS, "system")]
        try:
            pieces = model.reply(asked, temperature=0.3, max_tokens=300, timeout=CHORE_SECONDS)
            if text := "".join(piece.text for piece in pieces).strip():
                return text
        except ModelError:
            pass
    return chores.answered(chore)


def _without_a_turn(wanted: Completion, text: str) -> Response:
    named = uuid.uuid4().hex
    read = sum(estimate(message.words) for message in wanted.messages)
    spent = {"prompt_tokens": read, "completion_tokens": estimate(text), "total_tokens": read + estimate(text)}
    if not wanted.stream:
        choices = [_choice("message", {"role": "assistant", "content": text}, "stop")]
        return reply({**_head("chat.completion", named), "choices": choices, "usage": spent})

    async def pieces() -> AsyncIterator[bytes]:
        head = _head("chat.completion.chunk", named)
        told = {"role": "assistant", "content": text}
        yield events.frame({**head, "choices": [_choice("delta", told, None)]})
        yield events.frame({**head, "choices": [_choice("delta", {}, "stop")]})
        if wanted.stream_options and wanted.stream_options.include_usage:
            yield events.frame({**head, "choices": [], "usage": spent})
        yield events.frame("[DONE]")

    return events.stream(pieces())
