"""Gemini's protocol, held against a transport that answers as its server does."""

from __future__ import annotations

import json
import math
from typing import Any

import httpx
import pytest

from anaphor.adapters.gemini.embed import BATCH, GeminiEmbedder
from anaphor.errors import BadSettings, ModelError, ModelRejected, ModelTimeout, ModelUnavailable

KEY = "AIza-very-secret"


def vectors(request: httpx.Request) -> httpx.Response:
    asked = json.loads(request.content)["requests"]
    given = [{"values": [float(len(one["content"]["parts"][0]["text"])), 1.0, 0.0]} for one in asked]
    return httpx.Response(200, json={"embeddings": given})


def failed(status: int, message: str = "", headers: dict[str, str] | None = None) -> httpx.Response:
    return httpx.Response(status, json={"error": {"message": message}}, headers=headers)


class Server:
    """Gives the answers in turn, the last one for ever; keeps what it was asked."""

    def __init__(self, *answers: Any) -> None:
        self._answers = answers or (vectors,)
        self.requests: list[httpx.Request] = []
        self.slept: list[float] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        answer = self._answers[min(len(self.requests), len(self._answers) - 1)]
        self.requests.append(request)
        if isinstance(answer, Exception):
            raise answer
        found: httpx.Response = answer if isinstance(answer, httpx.Response) else answer(request)
        return found

    def embedder(self, **given: Any) -> GeminiEmbedder:
        rest = {"api_key": KEY, "dimensions": 3, "sleep": self.slept.append, "jitter": lambda: 1.0, **given}
        return GeminiEmbedder(transport=httpx.MockTransport(self), **rest)

    @property
    def asked(self) -> list[dict[str, Any]]:
        return [one for request in self.requests for one in json.loads(request.content)["requests"]]


def test_queries_and_documents_are_told_apart_and_the_key_is_no_part_of_the_address() -> None:
    server = Server()
    embedder = server.embedder()
    embedder.embed(["台中市的人口"], query=True)
    embedder.embed(["台中市的人口"], query=False)
    assert [one["taskType"] for one in server.asked] == ["RETRIEVAL_QUERY", "RETRIEVAL_DOCUMENT"]
    assert server.asked[0]["outputDimensionality"] == 3
    assert str(server.requests[0].url).endswith("/v1beta/models/gemini-embedding-001:batchEmbedContents")
    assert server.requests[0].headers["x-goog-api-key"] == KEY
    assert KEY not in str(server.requests[0].url) + repr(embedder)


def test_one_unit_vector_a_text_in_order_batch_by_batch() -> None:
    server = Server()
    texts = ["x" * n for n in range(1, 2 * BATCH + 2)]
    found = server.embedder().embed(texts, query=False)
    assert len(server.requests) == 3
    for text, vector in zip(texts, found, strict=True):
        assert vector == pytest.approx([len(text) / math.hypot(len(text), 1), 1 / math.hypot(len(text), 1), 0])
    assert Server().embedder().embed([], query=True) == []


@pytest.mark.parametrize("text", ["", "  ", "\0", "\ud83d", "🌟" * 100_000])
def test_any_text_has_a_vector(text: str) -> None:
    (vector,) = Server().embedder().embed([text], query=True)
    assert math.hypot(*vector) == pytest.approx(1)


def test_a_name_says_the_model_and_the_length() -> None:
    names = {Server().embedder(**given).name for given in ({}, {"dimensions": 4}, {"model": "models/other"})}
    assert names == {"gemini/gemini-embedding-001/3", "gemini/gemini-embedding-001/4", "gemini/other/3"}


def test_a_busy_server_is_asked_again_when_it_says_so() -> None:
    server = Server(failed(429, "quota", {"retry-after": "2"}), failed(503), httpx.ConnectError("refused"), vectors)
    assert len(server.embedder().embed(["人口"], query=True)) == 1
    assert server.slept == [2.0, 2.0, 4.0]


def embeddings(*given: Any) -> httpx.Response:
    return httpx.Response(200, json={"embeddings": [{"values": values} for values in given]})


@pytest.mark.parametrize(
    ("answer", "kind", "words"),
    [
        (failed(400, f"API key not valid: {KEY}"), ModelRejected, "GEMINI_API_KEY"),
        (failed(403, "denied"), ModelRejected, "GEMINI_API_KEY"),
        (failed(404, "no such model"), ModelRejected, "ANAPHOR_EMBED_MODEL"),
        (failed(500, "oops"), ModelUnavailable, "500"),
        (failed(429, "quota", {"retry-after": "900"}), ModelUnavailable, "429"),
        (httpx.ReadTimeout("slow"), ModelTimeout, "60 s"),
        (httpx.ConnectError("refused"), ModelUnavailable, "cannot be reached"),
        (httpx.Response(200, text="<html>"), ModelRejected, "no embeddings"),
        (httpx.Response(200, json=[]), ModelRejected, "no embeddings"),
        (httpx.Response(200, content=b"[" * 100_000), ModelRejected, "no embeddings"),
        (httpx.Response(200, content=b'{"embeddings":[{"values":[NaN,1,1]}]}'), ModelRejected, "no embeddings"),
        (embeddings([]), ModelRejected, "no embeddings"),
        (embeddings([1.0, 2.0]), ModelRejected, "2 dimensions where 3"),
        (embeddings([1.0, 1.0, 1.0], [1.0, 1.0, 1.0]), ModelUnavailable, "2 vectors for 1 texts"),
    ],
)
def test_failures_are_one_line_without_the_key(answer: Any, kind: type[ModelError], words: str) -> None:
    with pytest.raises(kind, match=words) as raised:
        Server(answer).embedder(retries=0).embed(["人口"], query=True)
    assert KEY not in str(raised.value)
    assert "\n" not in str(raised.value)


def test_a_vector_of_zeros_is_given_a_direction() -> None:
    assert Server(embeddings([0.0, 0.0, 0.0])).embedder().embed(["?"], query=True) == [[1.0, 0.0, 0.0]]


def test_a_key_that_is_none_is_said_so_at_once() -> None:
    with pytest.raises(BadSettings, match="a character that no key has"):
        Server().embedder(api_key="ＡＢＣ")
    Server().embedder().close()
