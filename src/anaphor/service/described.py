"""What the description of the API says of answers: an example and its shape, and every status there may be."""

from __future__ import annotations

from typing import Any

Json = dict[str, Any]
Responses = dict[int | str, Json]

CAN_BE_NULL = frozenset(
    ("decision", "date", "seq", "quote", "thumbs", "score", "verdict", "logprobs", "quantity", "summary")
)
"""Keys whose value may be ``null`` in an answer, whatever it is in the example."""

OF_A_NAME = frozenset(("ranks", "timings_ms", "model", "metadata", "passages", "usage", "did"))
"""Keys whose value is an object with keys of its own choosing, each answer others."""


def shape(example: Any) -> Json:
    """A schema that the example and every answer like it fulfil: keys that are always there, and their types."""
    match example:
        case bool():
            return {"type": "boolean"}
        case int() | float():
            return {"type": "number"}
        case str():
            return {"type": "string"}
        case list():
            return {"type": "array", "items": shape(example[0]) if example else {}}
        case dict():
            return {
                "type": "object",
                "required": sorted(example),
                "properties": {key: _of(key, value) for key, value in example.items()},
            }
        case _:
            return {}


def _of(key: str, value: Any) -> Json:
    if key in OF_A_NAME and isinstance(value, dict):
        return {"type": "object"}
    return {} if key in CAN_BE_NULL else shape(value)


def shows(example: Json, status: int = 200, description: str = "Done") -> Responses:
    """The answer of an operation that went well."""
    content = {"application/json": {"schema": shape(example), "example": example}}
    return {status: {"description": description, "content": content}}


def streams(events: str, example: Json, description: str) -> Responses:
    """The same where the answer comes as server-sent events, or as JSON if that was asked for."""
    told = shows(example, description=description)
    told[200]["content"]["text/event-stream"] = {"schema": _EVENT, "example": events}
    return told


_EVENT = {
    "description": "One server-sent event; `data` is JSON, or `[DONE]`",
    "type": "object",
    "required": ["data"],
    "properties": {name: {"type": "string"} for name in ("id", "event", "data")},
}


def _failed(code: str, message: str, kind: str, **more: Any) -> Json:
    return {"error": {"message": message, "type": kind, "code": code, "param": None, **more}}


_WRONG, _OURS = "invalid_request_error", "server_error"
_FAILURES: dict[int, tuple[str, Json]] = {
    400: ("Cannot be used as it is", _failed("bad_input", "a question needs a word", _WRONG)),
    401: (
        "No key, or one that is unknown, revoked or has run out",
        _failed("bad_key", "an API key is needed: Authorization: Bearer …", "authentication_error"),
    ),
    403: (
        "Not with this key, or not from there",
        _failed("not_allowed", "the key's role is reader; this needs editor", "permission_error"),
    ),
    404: (
        "Not there, or somebody else's",
        _failed("not_found", "no session 'kyoto' of this user", "not_found_error"),
    ),
    409: (
        "Another turn is running, or the session has moved on; `error.seq` is the newest turn's number",
        _failed("stale_turn", "the session is at turn 3, not 2: look at what was said since", _WRONG, seq=3),
    ),
    413: ("Too large", _failed("too_large", "a request here has at most 2000000 bytes", _WRONG)),
    422: ("Malformed", _failed("malformed", "the body is not JSON: Expecting value at character 1", _WRONG)),
    429: (
        "Too often, or too many at once; `Retry-After` says when",
        _failed("too_often", "too many requests: slow down", _WRONG),
    ),
    500: (
        "Something unforeseen; the message has the id under which the log knows it",
        _failed("internal", "something went wrong here; the log has it as 0f3a52c7b1de", _OURS),
    ),
    502: ("The model could not be used", _failed("model_error", "the model could not be used", _OURS)),
    503: (
        "Busy or stopping; `Retry-After` says when",
        _failed("store_busy", "the store is busy: try again", _OURS),
    ),
    507: ("No room left", _failed("store_full", "the store has no room left; nothing was kept", _OURS)),
}
_ERROR = {
    "type": "object",
    "required": ["error"],
    "properties": {
        "error": {
            "type": "object",
            "required": ["message", "type", "code"],
            "properties": {name: {"type": "string"} for name in ("message", "type", "code")},
        }
    },
}
ERRORS: Responses = {
    status: {
        "description": description,
        "content": {"application/json": {"schema": _ERROR, "example": example}},
    }
    for status, (description, example) in _FAILURES.items()
}
"""Any operation may come to one of these."""
