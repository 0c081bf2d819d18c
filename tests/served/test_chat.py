"""The chat model against a real llama.cpp server: the protocol, not the quality of what it says."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator

import httpx
import jsonschema
import pytest

from anaphor.adapters.openai.chat import OpenAIChatModel
from anaphor.errors import ModelRejected, ModelTimeout, ModelUnavailable
from anaphor.types import Message, Piece
from served.conftest import Served

pytestmark = pytest.mark.served

COUNTING = {"type": "array", "items": {"enum": ["one", "two", "three"]}, "minItems": 250}


def ask(model: OpenAIChatModel, question: str, max_tokens: int = 24, timeout: float = 60.0, **more) -> Iterator[Piece]:
    messages = [Message("system", "You are brief."), Message("user", question)]
    return model.reply(messages, temperature=0.0, max_tokens=max_tokens, timeout=timeout, **more)


def ask_at_length(model: OpenAIChatModel, timeout: float = 120.0) -> Iterator[Piece]:
    """A reply that cannot end early: the schema demands 250 words of it."""
    return ask(model, "Count.", max_tokens=900, timeout=timeout, schema=COUNTING)


@pytest.fixture
def model(server: Served) -> Iterator[OpenAIChatModel]:
    model = OpenAIChatModel("smollm2", server.url)
    yield model
    model.close()


@pytest.mark.parametrize("question", ["Say hello.", "台中市的人口是多少？", "北京的人口是多少？", "東京の人口は？🌟"])
def test_a_reply_streams_in_and_is_counted(model: OpenAIChatModel, question: str) -> None:
    pieces = list(ask(model, question))
    assert len(pieces) > 3
    assert "\ufffd" not in "".join(piece.text for piece in pieces[:-2]), "a character may only be cut by max_tokens"
    last = pieces[-1]
    assert last.finish in ("stop", "length")
    assert last.usage.calls == 1
    assert last.usage.input_tokens > 5
    assert 0 < last.usage.output_tokens <= 24


def test_with_and_without_v1_in_the_address(server: Served) -> None:
    for base in (server.url, server.url + "/", server.url + "/v1", server.url + "/v1/chat/completions"):
        model = OpenAIChatModel("smollm2", base)
        assert list(ask(model, "Say hello.", max_tokens=4))
        model.close()


def test_a_schema_binds_the_reply(model: OpenAIChatModel) -> None:
    schema = {
        "type": "object",
        "properties": {"city": {"type": "string", "maxLength": 20}, "sure": {"type": "boolean"}},
        "required": ["city", "sure"],
        "additionalProperties": False,
    }
    text = "".join(piece.text for piece in ask(model, "Name a city in Japan.", max_tokens=80, schema=schema))
    jsonschema.validate(json.loads(text), schema)


def test_a_schema_the_server_cannot_use_is_left_out(model: OpenAIChatModel) -> None:
    assert list(ask(model, "Say hello.", max_tokens=4, schema={"type": "nonsense"}))[-1].finish == "length"


def test_text_that_is_no_text_is_asked_all_the_same(model: OpenAIChatModel) -> None:
    assert list(ask(model, "a\0b \ud83d \u2028 \x1b[31m", max_tokens=4))[-1].finish


def test_a_question_that_does_not_fit_is_rejected_with_both_numbers(model: OpenAIChatModel) -> None:
    with pytest.raises(ModelRejected, match=r"\d{4,} tokens.*1024"):
        list(ask(model, "word " * 5000))


def test_a_cancelled_request_frees_the_server(model: OpenAIChatModel, server: Served) -> None:
    replies = [ask_at_length(model) for _ in range(2)]
    assert all(next(reply).text for reply in replies)
    assert busy(server) == 2
    for reply in replies:
        reply.close()
    assert eventually(lambda: busy(server) == 0, within=15), "it went on writing for nobody"
    assert list(ask(model, "Say hello.", max_tokens=4))[-1].finish


def busy(server: Served) -> int:
    slots = httpx.get(f"{server.url}/slots", timeout=10, trust_env=False).json()
    return sum(slot["is_processing"] for slot in slots)


def eventually(holds: Callable[[], bool], within: float) -> bool:
    end = time.monotonic() + within
    while not holds():
        if time.monotonic() > end:
            return False
        time.sleep(0.1)
    return True


def test_the_time_is_for_the_whole_reply(model: OpenAIChatModel) -> None:
    started = time.monotonic()
    with pytest.raises(ModelTimeout, match="within 1 s"):
        list(ask_at_length(model, timeout=1.0))
    assert time.monotonic() - started < 2.5


def test_a_server_killed_in_mid_answer(serve: Callable[[], Served]) -> None:
    served = serve()
    model = OpenAIChatModel("smollm2", served.url, retries=1)
    reply = ask_at_length(model)
    heard = [next(reply).text for _ in range(3)]
    served.kill()
    with pytest.raises(ModelUnavailable, match="reply"):
        heard += [piece.text for piece in reply]
    assert all(heard)
    with pytest.raises(ModelUnavailable, match="is it running"):
        list(ask(model, "Are you there?"))
    model.close()
