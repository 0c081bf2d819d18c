"""A chat-completions server made of values: what it was asked, and the bytes it answers with."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import httpx

from anaphor.adapters.openai.chat import OpenAIChatModel

Answer = httpx.Response | Exception | Callable[[httpx.Request], httpx.Response]


def chunk(text: str | None = None, finish: str | None = None, **more: Any) -> dict[str, Any]:
    delta = {} if text is None else {"content": text}
    return {"choices": [{"index": 0, "delta": delta, "finish_reason": finish}], **more}


def event(value: Any) -> bytes:
    return b"data: " + json.dumps(value, ensure_ascii=False).encode() + b"\n\n"


def stream(*texts: str, finish: str = "stop", usage: tuple[int, int] | None = (12, 5), done: bool = True) -> bytes:
    """The body of a whole streamed reply."""
    counted = {"usage": {"prompt_tokens": usage[0], "completion_tokens": usage[1]}} if usage else {}
    body = event(chunk("", role="assistant")) + b"".join(event(chunk(text)) for text in texts)
    body += event(chunk(finish=finish))
    body += event({"choices": [], **counted}) if counted else b""
    return body + (b"data: [DONE]\n\n" if done else b"")


class Body(httpx.SyncByteStream):
    """A body that arrives in these chunks, and then ends or breaks."""

    def __init__(self, chunks: Iterable[bytes], breaks: Exception | None = None) -> None:
        self._chunks = chunks
        self._breaks = breaks
        self.closed = False

    def __iter__(self) -> Iterator[bytes]:
        yield from self._chunks
        if self._breaks:
            raise self._breaks

    def close(self) -> None:
        self.closed = True


def streamed(*chunks: bytes, breaks: Exception | None = None) -> httpx.Response:
    return httpx.Response(200, headers={"content-type": "text/event-stream"}, stream=Body(chunks, breaks))


def said(text: str, piece: int = 8) -> httpx.Response:
    """A good reply, cut as a model's tokens would cut it."""
    return streamed(stream(*(text[i : i + piece] for i in range(0, len(text), piece))))


def failed(status: int, message: str = "", headers: dict[str, str] | None = None, **more: Any) -> httpx.Response:
    return httpx.Response(status, json={"error": {"message": message, **more}}, headers=headers)


class Server:
    """Gives its answers in order, the last one for ever. ``bodies`` is what it was asked."""

    def __init__(self, *answers: Answer) -> None:
        self._answers = list(answers)
        self.requests: list[httpx.Request] = []
        self.slept: list[float] = []

    @property
    def bodies(self) -> list[dict[str, Any]]:
        return [json.loads(request.content) for request in self.requests]

    def __call__(self, request: httpx.Request) -> httpx.Response:
        answer = self._answers[min(len(self.requests), len(self._answers) - 1)]
        self.requests.append(request)
        if isinstance(answer, Exception):
            raise answer
        return answer if isinstance(answer, httpx.Response) else answer(request)

    def model(self, **settings: Any) -> OpenAIChatModel:
        defaults = {
            "model": "small",
            "base_url": "http://models.test/v1",
            "api_key": "sk-very-secret-key",
            "transport": httpx.MockTransport(self),
            "sleep": self.slept.append,
            "jitter": lambda: 1.0,
        }
        return OpenAIChatModel(**{**defaults, **settings})
