"""``ChatModel`` over the chat-completions protocol: OpenAI, DeepSeek, Ollama, vLLM, llama.cpp, Gemini's endpoint, …

The servers differ in which fields of a request they take. Nothing is configured for that: a field that a server objects
to is left out, or written the other way, and the request is made again; what it took is remembered.

    field            objected to by                                      instead
    max_tokens       OpenAI's reasoning models                           max_completion_tokens (tried second, as Ollama
                                                                         ignores that one without a word)
    temperature      OpenAI's reasoning models, other than 1             left out
    stream_options   older vLLM, some gateways                           left out; tokens are then not counted
    response_format  DeepSeek (no json_schema), models without grammar   left out; the prompt asks for JSON anyway
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Unpack

from anaphor.adapters.openai.endpoint import Endpoint, Waiting
from anaphor.adapters.openai.failures import Refusal, Refused
from anaphor.adapters.openai.incoming import Deadline
from anaphor.adapters.openai.reply import pieces
from anaphor.errors import BadSettings
from anaphor.text.fold import clean
from anaphor.types import Message, Piece

OPENAI = "https://api.openai.com/v1"
STRUCTURED = ("auto", "json_schema", "json_object", "none")

_OBJECTS = re.compile(
    r"unsupported|not\W+support|not\W+permitted|not\W+allowed|unrecogni[sz]ed|unknown|unexpected|extra|unavailable|invalid",
    re.I,
)
_SCHEMA_WORDS = ("response_format", "json_schema", "json_object", "schema", "structured output", "grammar")


@dataclass(frozen=True, slots=True)
class Asked:
    """One request as its caller made it."""

    messages: tuple[Message, ...]
    temperature: float
    max_tokens: int
    schema: Mapping[str, Any] | None


class OpenAIChatModel:
    """``model`` on the server at ``base_url``; without a key none is sent.

    ``structured`` says how a schema is asked for: ``auto`` (as a JSON Schema, and not at all where a server objects),
    or one way always. How the server is waited for: see ``Endpoint``.
    """

    def __init__(
        self,
        model: str,
        base_url: str = OPENAI,
        api_key: str = "",
        *,
        name: str | None = None,
        structured: str = "auto",
        **waiting: Unpack[Waiting],
    ) -> None:
        if structured not in STRUCTURED:
            raise BadSettings(f"structured is one of {', '.join(STRUCTURED)}, not {structured!r}")
        self.name = name or model
        self._model = model
        self._structured = structured
        self._left_out: frozenset[str] = frozenset()  # the fields this server does not take
        self._endpoint = Endpoint(model, base_url, api_key, **waiting)

    def __repr__(self) -> str:
        return f"OpenAIChatModel({self._model!r}, {self._endpoint.address!r})"

    def close(self) -> None:
        """Close the connections that are kept open for the next request."""
        self._endpoint.close()

    def reply(
        self,
        messages: Sequence[Message],
        *,
        temperature: float,
        max_tokens: int,
        timeout: float,
        schema: Mapping[str, Any] | None = None,
    ) -> Iterator[Piece]:
        """``ChatModel.reply``."""
        asked = Asked(tuple(messages), temperature, max_tokens, schema)
        deadline = self._endpoint.deadline(timeout)
        return self._endpoint.persistently(lambda: self._attempt(asked, deadline), deadline)

    def _attempt(self, asked: Asked, deadline: Deadline) -> Iterator[Piece]:
        """One reply. A request that is only worded wrongly for this server is put differently at once."""
        left_out = self._left_out
        begun = False
        while True:
            body = self._body(asked, left_out)
            try:
                with self._endpoint.post("/chat/completions", body, deadline) as incoming:
                    self._left_out = left_out
                    for piece in pieces(incoming, self._endpoint):
                        begun = True
                        yield piece
                    return
            except Refused as refused:
                objected = _objected(refused.refusal, body)
                if begun or not objected:
                    raise
                left_out |= objected

    def _body(self, asked: Asked, left_out: frozenset[str]) -> dict[str, Any]:
        body: dict[str, Any] = {
            "model": self._model,
            "messages": [{"role": m.role, "content": clean(m.content)} for m in asked.messages],
            "stream": True,
            "stream_options": {"include_usage": True},
            "temperature": asked.temperature,
            "max_tokens": asked.max_tokens,
        }
        if "max_tokens" in left_out:
            body["max_completion_tokens"] = asked.max_tokens
        if asked.schema is not None and self._structured != "none":
            body["response_format"] = self._format(asked.schema)
        return {field: value for field, value in body.items() if field not in left_out}

    def _format(self, schema: Mapping[str, Any]) -> dict[str, Any]:
        if self._structured == "json_object":
            return {"type": "json_object"}
        wanted = {"name": "reply", "schema": dict(schema), "strict": closed(schema)}
        return {"type": "json_schema", "json_schema": wanted}


def closed(schema: Any) -> bool:
    """Whether each object of a JSON Schema requires all its properties and admits no others, as ``strict`` demands."""
    if isinstance(schema, Mapping):
        if schema.get("type") == "object":
            named = schema.get("properties", {})
            if schema.get("additionalProperties") is not False or set(schema.get("required", ())) != set(named):
                return False
        return all(closed(value) for value in schema.values())
    return all(map(closed, schema)) if isinstance(schema, list | tuple) else True


def _objected(refusal: Refusal, body: Mapping[str, Any]) -> frozenset[str]:
    """The fields of ``body`` that a refusal is about, if it is about the wording of the request."""
    if refusal.status not in (400, 422, 500, 501):
        return frozenset()
    said = refusal.message.lower()
    if "response_format" in body and any(word in said or word in refusal.field for word in _SCHEMA_WORDS):
        return frozenset({"response_format"})
    if refusal.status >= 500 or not _OBJECTS.search(said + refusal.code):
        return frozenset()
    optional = ("max_tokens", "max_completion_tokens", "temperature", "stream_options")
    if refusal.field in optional:
        return frozenset({refusal.field}) & body.keys()
    return frozenset(field for field in optional if field in body and field in said)
