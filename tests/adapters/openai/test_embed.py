"""Vectors from an embeddings server: a value that answers with numbers made of the texts."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from anaphor.adapters.openai.embed import OpenAIEmbedder
from anaphor.errors import ModelError, ModelRejected, ModelTimeout, ModelUnavailable
from contracts.openai_wire import failed

Answer = Callable[[httpx.Request], httpx.Response]


def numbers(text: str) -> list[float]:
    return [float(len(text)), float(sum(map(ord, text)) % 97), 1.0]


def vectors(request: httpx.Request) -> httpx.Response:
    texts = json.loads(request.content)["input"]
    data = [{"index": place, "embedding": numbers(text)} for place, text in enumerate(texts)]
    return httpx.Response(200, json={"data": data[::-1]})


class Server:
    def __init__(self, *answers: Answer | httpx.Response | Exception) -> None:
        self._answers = answers or (vectors,)
        self.bodies: list[dict[str, Any]] = []
        self.slept: list[float] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        answer = self._answers[min(len(self.bodies), len(self._answers) - 1)]
        self.bodies.append(json.loads(request.content))
        if isinstance(answer, Exception):
            raise answer
        return answer if isinstance(answer, httpx.Response) else answer(request)

    def embedder(self, **settings: Any) -> OpenAIEmbedder:
        defaults = {"base_url": "http://m.test/v1", "api_key": "sk-very-secret-key", "sleep": self.slept.append}
        return OpenAIEmbedder("small", transport=httpx.MockTransport(self), **{**defaults, **settings})


def test_one_unit_vector_a_text_in_order_batch_by_batch() -> None:
    server = Server()
    texts = ["台中市的人口", "北京的人口", "東京の人口", "the population of Tokyo", "E4413"]
    found = server.embedder(batch=2).embed(texts, query=False)
    assert [body["input"] for body in server.bodies] == [texts[:2], texts[2:4], texts[4:]]
    for text, vector in zip(texts, found, strict=True):
        length = math.dist([0, 0, 0], numbers(text))
        assert vector == pytest.approx([x / length for x in numbers(text)])


def test_no_texts_no_request() -> None:
    server = Server()
    assert server.embedder().embed([], query=True) == []
    assert server.bodies == []


@pytest.mark.parametrize("text", ["", "  ", "\0", "\ud83d", "a\0b\udc00", "🌟" * 100_000])
def test_any_text_has_a_vector(text: str) -> None:
    (vector,) = Server().embedder().embed([text], query=True)
    assert math.hypot(*vector) == pytest.approx(1)


def test_dimensions_are_asked_for_or_learnt() -> None:
    server = Server()
    assert server.embedder(dimensions=3).dimensions == 3
    assert server.bodies == []
    embedder = server.embedder()
    assert (embedder.dimensions, embedder.dimensions) == (3, 3)
    assert len(server.bodies) == 1
    assert "dimensions" not in server.bodies[0]
    server.embedder(dimensions=3).embed(["a"], query=True)
    assert server.bodies[-1]["dimensions"] == 3


def test_prefixes_tell_queries_from_passages_and_are_in_the_name() -> None:
    server = Server()
    embedder = server.embedder(query_prefix="query: ", passage_prefix="passage: ")
    embedder.embed(["人口"], query=True)
    embedder.embed(["人口"], query=False)
    assert [body["input"] for body in server.bodies] == [["query: 人口"], ["passage: 人口"]]
    names = {embedder.name, server.embedder().name, server.embedder(dimensions=2).name, server.embedder(name="x").name}
    assert len(names) == 4
    assert "secret" not in repr(embedder) + repr(vars(embedder))


@pytest.mark.parametrize(
    "refusal",
    [
        failed(400, "This model's maximum context length is 8192 tokens"),
        failed(413, "input is too long"),
        failed(500, "input (900 tokens) is too large to process. increase the physical batch size"),
    ],
)
def test_what_is_too_long_is_halved_until_it_is_not(refusal: httpx.Response) -> None:
    def short_only(request: httpx.Request) -> httpx.Response:
        texts = json.loads(request.content)["input"]
        return (
            vectors(request)
            if sum(map(len, texts)) <= 1000
            else httpx.Response(refusal.status_code, content=refusal.content)
        )

    server = Server(short_only)
    found = server.embedder().embed(["長" * 3000, "short", "x" * 400], query=False)
    assert len(found) == 3
    assert server.slept == []


def test_a_server_that_finds_everything_too_long_is_given_up() -> None:
    with pytest.raises(ModelRejected, match="too long"):
        Server(failed(400, "too long")).embedder().embed(["abcdefgh"], query=True)


def test_a_busy_server_is_asked_again() -> None:
    server = Server(failed(429, "", {"retry-after": "2"}), httpx.ConnectError("refused"), vectors)
    assert len(server.embedder().embed(["人口"], query=True)) == 1
    assert server.slept[0] == 2.0


def embeddings(*given: list[float]) -> httpx.Response:
    return httpx.Response(200, json={"data": [{"index": i, "embedding": v} for i, v in enumerate(given)]})


@pytest.mark.parametrize(
    ("answer", "kind", "words"),
    [
        (failed(401), ModelRejected, "OPENAI_API_KEY"),
        (failed(404, "no such model"), ModelRejected, "model's name"),
        (httpx.ReadTimeout("slow"), ModelTimeout, "60 s"),
        (httpx.Response(200, text="<html>"), ModelRejected, "no embeddings"),
        (httpx.Response(200, json=[]), ModelRejected, "no embeddings"),
        (embeddings([]), ModelRejected, "no embeddings"),
        (httpx.Response(200, content=b'{"data": [{"embedding": [NaN, 1]}]}'), ModelRejected, "no embeddings"),
        (httpx.Response(200, content=b'{"data":' + b"[" * 100_000), ModelRejected, "no embeddings"),
        (
            httpx.Response(200, content=b'{"data":[{"embedding":[' + b"9" * 400 + b"]}]}"),
            ModelRejected,
            "no embeddings",
        ),
        (httpx.Response(200, content=b'{"data":[{"index":1e999,"embedding":[1]}]}'), ModelRejected, "no embeddings"),
        (httpx.Response(200, content=b" " * 4_000_000), ModelRejected, "sent more than"),
        (embeddings([1.0], [1.0]), ModelUnavailable, "2 vectors for 1 texts"),
        (embeddings([1.0, 2.0]), ModelRejected, "2 dimensions where 3 were expected"),
    ],
)
def test_failures(answer: Any, kind: type[ModelError], words: str) -> None:
    with pytest.raises(kind, match=words):
        Server(answer).embedder(dimensions=3, retries=0).embed(["人口"], query=True)


def test_a_vector_of_zeros_is_given_a_direction() -> None:
    assert Server(embeddings([0.0, 0.0])).embedder().embed(["?"], query=True) == [[1.0, 0.0]]
