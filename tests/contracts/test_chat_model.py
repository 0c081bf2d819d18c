"""What ``ChatModel`` promises, asked of every model we ship."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import httpx
import pytest

from anaphor.adapters.fake.model import Dies, ScriptedModel
from anaphor.errors import ModelError, ModelRefused, ModelRejected, ModelTimeout, ModelUnavailable
from anaphor.ports import ChatModel
from anaphor.types import Message, Piece
from contracts.openai_wire import Server, chunk, event, failed, said, stream, streamed

TEXTS = {
    "zh-Hant": "台中市的人口約二百八十六萬人[1]。",
    "zh-Hans": "北京的人口约两千一百八十四万人[1]。",
    "ja": "東京の人口は約千四百万人です[1]。「多い」ですね。",
    "en": "Tokyo has about 14 million people [1]; see app.yaml and E4413.",
    "code": "```\nevent: fake\ndata: fake\r\n\r\n\tid: 1\n\n: no comment\n```\n| A | B |\n|---|---|\n\u2028\x85\x0b",
    "emoji": "北投圖書館🌟開館👨‍👩‍👧é",
}


@dataclass
class Kind:
    """How each kind of model is brought to do what a test asks about."""

    says: Callable[[str], ChatModel]
    dies_after: Callable[[str], ChatModel]
    fails_with: Callable[[type[ModelError]], ChatModel]


def _scripted() -> Kind:
    return Kind(
        says=lambda text: ScriptedModel([text] * 3),
        dies_after=lambda text: ScriptedModel([Dies(text)]),
        fails_with=lambda error: ScriptedModel([error("as told")]),
    )


def _openai() -> Kind:
    failures = {
        ModelUnavailable: failed(503, "loading"),
        ModelRejected: failed(401, "no"),
        ModelRefused: streamed(stream("I", finish="content_filter")),
        ModelTimeout: httpx.ReadTimeout("slow"),
    }
    return Kind(
        says=lambda text: Server(lambda _request: said(text)).model(),
        dies_after=lambda text: Server(streamed(event(chunk(text)), breaks=httpx.ReadError("gone"))).model(),
        fails_with=lambda error: Server(failures[error]).model(),
    )


@pytest.fixture(params=[_scripted, _openai], ids=["scripted", "openai"])
def kind(request: pytest.FixtureRequest) -> Kind:
    return request.param()


def asked(model: ChatModel, *messages: str, timeout: float = 5.0, **more: object) -> Iterator[Piece]:
    shown = [Message("user", text) for text in messages or ("人口？",)]
    return model.reply(shown, temperature=0.0, max_tokens=200, timeout=timeout, **more)


def heard(reply: Iterator[Piece]) -> tuple[str, ModelError | None]:
    """The text as far as it came, and why it came no further."""
    text = ""
    try:
        for piece in reply:
            text += piece.text
    except ModelError as error:
        return text, error
    return text, None


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_the_pieces_together_are_the_text_and_only_the_last_says_how_it_ended(kind: Kind, text: str) -> None:
    pieces = list(asked(kind.says(text)))
    assert "".join(piece.text for piece in pieces) == text
    assert [piece.finish for piece in pieces[:-1]] == [""] * (len(pieces) - 1)
    assert (pieces[-1].text, pieces[-1].finish, pieces[-1].usage.calls) == ("", "stop", 1)
    assert len(pieces) > 2, "it arrives bit by bit"


def test_what_arrived_before_a_reply_broke_off_is_had_and_then_it_is_unavailable(kind: Kind) -> None:
    text, error = heard(asked(kind.dies_after("台中市的人口")))
    assert text == "台中市的人口"
    assert isinstance(error, ModelUnavailable)


@pytest.mark.parametrize("error", [ModelUnavailable, ModelRejected, ModelRefused, ModelTimeout])
def test_every_failure_is_a_model_error_of_one_line(kind: Kind, error: type[ModelError]) -> None:
    with pytest.raises(error) as raised:
        list(asked(kind.fails_with(error)))
    assert str(raised.value)
    assert "\n" not in str(raised.value)


def test_a_reply_may_be_closed_before_its_end_and_the_model_asked_again(kind: Kind) -> None:
    model = kind.says("一二三四五六七八九十一二三四五六七八九十")
    reply = asked(model)
    assert next(reply).text
    reply.close()
    assert "".join(piece.text for piece in asked(model)).startswith("一二三四")


def test_without_time_there_is_no_reply(kind: Kind) -> None:
    with pytest.raises(ModelTimeout):
        list(asked(kind.says("too late"), timeout=0))


@pytest.mark.parametrize("text", ["", "\0", "\ud83d", "a\0b\udc00", "🌟" * 1000, "改行\r\n\u2028"])
def test_any_text_may_be_asked(kind: Kind, text: str) -> None:
    assert "".join(piece.text for piece in asked(kind.says("はい"), text)) == "はい"


def test_a_schema_may_be_given(kind: Kind) -> None:
    schema = {"type": "object", "properties": {"text": {"type": "string"}}}
    assert "".join(piece.text for piece in asked(kind.says('{"text": "人口"}'), schema=schema)) == '{"text": "人口"}'
