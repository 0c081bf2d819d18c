"""One HTTP status a branch of the tree of errors, and one shape for all: ``{"error": {"message", "type", "code"}}``.

The shape is OpenAI's, so that its clients raise what they would raise there. An error nobody foresaw tells nothing of
the inside: its id is in the log beside what happened.
"""

from __future__ import annotations

import logging
import uuid
from collections.abc import Mapping
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from anaphor import errors

log = logging.getLogger("anaphor.service")

RETRY_SECONDS = 1

STATUSES: tuple[tuple[type[errors.AnaphorError], int, str], ...] = (
    (errors.BadSettings, 500, "bad_settings"),
    (errors.EmptyQuestion, 400, "empty_question"),
    (errors.BadInput, 400, "bad_input"),
    (errors.NotFound, 404, "not_found"),
    (errors.TurnInProgress, 409, "turn_in_progress"),
    (errors.StaleTurn, 409, "stale_turn"),
    (errors.MissingExtra, 501, "missing_extra"),
    (errors.StoreBusy, 503, "store_busy"),
    (errors.StoreFull, 507, "store_full"),
    (errors.WrongEmbedder, 503, "wrong_embedder"),
    (errors.StoreError, 503, "store_error"),
    (errors.ModelError, 502, "model_error"),
)
TYPES = {400: "invalid_request_error", 401: "authentication_error", 403: "permission_error", 404: "not_found_error"}


class Refused(Exception):
    """What the service itself refuses. ``code`` is for programs, the message for people."""

    def __init__(self, status: int, code: str, message: str, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.retry_after = retry_after


def status_of(error: BaseException) -> tuple[int, str]:
    for kind, status, code in STATUSES:
        if isinstance(error, kind):
            return status, code
    return 500, "internal"


def described(error: BaseException) -> dict[str, Any]:
    """What a client is told of an error; an unforeseen one is logged under an id, and only the id is told."""
    if isinstance(error, Refused):
        return body(error.status, error.code, str(error))
    status, code = status_of(error)
    if not isinstance(error, errors.AnaphorError):
        known_as = uuid.uuid4().hex[:12]
        log.error("unforeseen %s, known as %s", type(error).__name__, known_as, exc_info=error)
        return body(status, code, f"something went wrong here; the log has it as {known_as}")
    # A store's path and a server's address are nobody's business outside.
    told = str(error) if status < 500 else OUTSIDE.get(code, code)
    if status >= 500:
        log.warning("%s: %s", code, error)
    seq = getattr(error, "seq", None)
    return body(status, code, told, **({} if seq is None else {"seq": seq}))


OUTSIDE = {
    "bad_settings": "a setting of this service cannot be used",
    "missing_extra": "this service lacks an optional package for that",
    "store_busy": "the store is busy: try again",
    "store_full": "the store has no room left; nothing was kept",
    "wrong_embedder": "the store's vectors were made by another embedder; they have to be made anew",
    "store_error": "the store cannot be used",
    "model_error": "the model could not be used",
}


def body(status: int, code: str, message: str, **more: Any) -> dict[str, Any]:
    kind = TYPES.get(status, "server_error" if status >= 500 else "invalid_request_error")
    return {"error": {"message": message, "type": kind, "code": code, "param": None, **more}}


def answer(error: BaseException) -> JSONResponse:
    status = error.status if isinstance(error, Refused) else status_of(error)[0]
    return JSONResponse(described(error), status, headers=_again(error, status))


def _again(error: BaseException, status: int) -> Mapping[str, str]:
    seconds = getattr(error, "retry_after", None) or (RETRY_SECONDS if status == 503 else None)
    if isinstance(error, errors.TurnInProgress):
        seconds = max(1, min(error.seconds, 5))
    return {} if seconds is None else {"Retry-After": str(max(1, round(seconds)))}


def installed(app: FastAPI) -> None:
    """Every error of ours and of the framework's in the one shape."""

    async def ours(_request: Request, error: Exception) -> JSONResponse:
        return answer(error)

    async def malformed(_request: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, RequestValidationError)
        return JSONResponse(body(422, "malformed", _wrong(error)[:500]) | {"detail": _detail(error)}, 422)

    async def http(_request: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, HTTPException)
        code = {404: "not_found", 405: "method_not_allowed", 413: "too_large", 422: "malformed"}.get(
            error.status_code, "refused"
        )
        return JSONResponse(body(error.status_code, code, str(error.detail)), error.status_code, headers=error.headers)

    for kind in (errors.AnaphorError, Refused, Exception):
        app.add_exception_handler(kind, ours)
    app.add_exception_handler(RequestValidationError, malformed)
    app.add_exception_handler(HTTPException, http)


def _wrong(error: RequestValidationError) -> str:
    """The first thing that is wrong, in a line: where, and what."""
    first = error.errors()[0] if error.errors() else {}
    place = first.get("loc", ())
    if first.get("type") == "json_invalid":
        why = first.get("ctx", {}).get("error", "it cannot be read")
        return f"the body is not JSON: {why}" + (f" at character {place[1]}" if len(place) > 1 else "")
    if tuple(place) == ("body",):
        return "the body must be a JSON object, and Content-Type: application/json say so"
    where = ".".join(str(part) for part in place[1:])
    told = str(first.get("msg", "malformed"))
    return f"{where}: {told}" if where else told


def _detail(error: RequestValidationError) -> list[dict[str, Any]]:
    """Where and why, without the input: what was sent is not sent back."""
    return [{"loc": list(each["loc"]), "msg": each["msg"], "type": each["type"]} for each in error.errors()[:20]]
