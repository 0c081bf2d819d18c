"""How a chat-completions server is asked, and how its answers are read."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anaphor.adapters.openai.chat import OpenAIChatModel, closed
from anaphor.adapters.openai.reply import LONGEST_REPLY
from anaphor.errors import BadSettings, ModelError, ModelRefused, ModelRejected, ModelUnavailable
from anaphor.types import Message, Piece, Usage
from contracts.openai_wire import Body, Server, chunk, event, failed, said, stream, streamed

SCHEMA = {
    "type": "object",
    "properties": {"text": {"type": "string"}},
    "required": ["text"],
    "additionalProperties": False,
}


def asked(model: OpenAIChatModel, question: str = "人口？", **more: Any) -> list[Piece]:
    settings = {"temperature": 0.3, "max_tokens": 200, "timeout": 5.0, **more}
    return list(model.reply([Message("system", "Answer."), Message("user", question)], **settings))


def text_of(pieces: list[Piece]) -> str:
    return "".join(piece.text for piece in pieces)


def test_the_request_as_every_server_takes_it() -> None:
    server = Server(said("ok"))
    asked(server.model())
    (request,), (body,) = server.requests, server.bodies
    assert str(request.url) == "http://models.test/v1/chat/completions"
    assert request.headers["authorization"] == "Bearer sk-very-secret-key"
    assert body == {
        "model": "small",
        "messages": [{"role": "system", "content": "Answer."}, {"role": "user", "content": "人口？"}],
        "stream": True,
        "stream_options": {"include_usage": True},
        "temperature": 0.3,
        "max_tokens": 200,
    }


def test_without_a_key_none_is_sent() -> None:
    server = Server(said("ok"))
    asked(server.model(api_key=""))
    assert "authorization" not in server.requests[0].headers


@pytest.mark.parametrize(
    ("base_url", "asked_at"),
    [
        ("http://m.test", "http://m.test/v1/chat/completions"),
        ("http://m.test/", "http://m.test/v1/chat/completions"),
        ("http://m.test/v1/", "http://m.test/v1/chat/completions"),
        ("http://m.test/v1/chat/completions", "http://m.test/v1/chat/completions"),
        ("http://m.test/v1beta/openai/", "http://m.test/v1beta/openai/chat/completions"),
        ("http://m.test/openai/v1?api-version=2", "http://m.test/openai/v1/chat/completions?api-version=2"),
        ("http://[::1]:8080", "http://[::1]:8080/v1/chat/completions"),
    ],
)
def test_a_base_url_is_taken_in_the_forms_people_write(base_url: str, asked_at: str) -> None:
    server = Server(said("ok"))
    asked(server.model(base_url=base_url))
    assert str(server.requests[0].url) == asked_at


def test_a_server_without_v1_is_found_and_remembered() -> None:
    server = Server(lambda request: said("ok") if request.url.path == "/chat/completions" else httpx.Response(404))
    model = server.model(base_url="http://m.test")
    assert text_of(asked(model)) == text_of(asked(model)) == "ok"
    assert [request.url.path for request in server.requests] == ["/v1/chat/completions"] + ["/chat/completions"] * 2


@pytest.mark.parametrize("base_url", ["", "m.test/v1", "ftp://m.test", "http://", "http://[::1"])
def test_what_is_no_address_is_said_at_once(base_url: str) -> None:
    with pytest.raises(BadSettings, match="base URL"):
        Server().model(base_url=base_url)


# ── reading ──────────────────────────────────────────────────────────────────────────────────────────────────────

WHOLE = stream("北投圖書館🌟開館", " end")


@pytest.mark.parametrize("at", range(0, len(WHOLE), 3))
def test_a_body_cut_in_two_anywhere(at: int) -> None:
    assert text_of(asked(Server(streamed(WHOLE[:at], WHOLE[at:])).model())) == "北投圖書館🌟開館 end"


def test_a_body_byte_by_byte() -> None:
    assert text_of(asked(Server(streamed(*(bytes([b]) for b in WHOLE))).model())) == "北投圖書館🌟開館 end"


def test_tokens_are_counted_as_the_server_counted_them() -> None:
    assert asked(Server(said("ok")).model())[-1] == Piece(finish="stop", usage=Usage(1, 12, 5))
    early = event(chunk("ok", finish="length", usage={"prompt_tokens": 3, "completion_tokens": 1}))
    assert asked(Server(streamed(early)).model())[-1] == Piece(finish="length", usage=Usage(1, 3, 1))


@pytest.mark.parametrize(
    "body",
    [
        stream("o", "k", done=False),
        stream("o", "k", usage=None, done=False),
        stream("o", "k").rstrip(),
        stream("o", "k").replace(b"\n", b"\r\n"),
        stream("o", "k").replace(b"data: ", b"data:"),
        stream("o", "k").replace(b"\n\n", b"\n"),
        b": keep-alive\n\n" * 3 + stream("o", "k").replace(b"\n\n", b"\n\n: ping\n\n"),
        b"\n\n\n" + stream("o", "k"),
        "\ufeff".encode() + stream("o", "k"),
        event({"choices": [], "prompt_filter_results": []}) + stream("o", "k"),
        event({"choices": None}) + b"data: ping\n\ndata: null\n\ndata: 7\n\n" + stream("o", "k"),
        event(chunk("ok")) + b"data: [DONE]\n\n",
        stream("ok") + event({"error": {"message": "too late to matter"}}),
        json.dumps({"choices": [{"message": {"content": "ok"}, "finish_reason": "stop"}]}).encode(),
        b"  \n\n" + json.dumps({"choices": [{"message": {"content": "ok"}}]}, indent=2).encode(),
    ],
)
def test_the_ways_servers_write_a_reply(body: bytes) -> None:
    pieces = asked(Server(streamed(body)).model())
    assert text_of(pieces) == "ok"
    assert pieces[-1].finish == "stop"


def test_reasoning_beside_the_text_is_no_part_of_it() -> None:
    thought = [chunk(None), chunk(None)]
    thought[0]["choices"][0]["delta"] = {"reasoning_content": "hm", "content": None}
    thought[1]["choices"][0]["delta"] = {
        "content": [{"type": "thinking", "thinking": []}, {"type": "text", "text": "o"}]
    }
    body = b"".join(map(event, thought)) + stream("k")
    assert text_of(asked(Server(streamed(body)).model())) == "ok"


def test_a_character_sent_as_two_escaped_halves_in_two_chunks() -> None:
    halves = b'data: {"choices":[{"delta":{"content":"%s"}}]}\n\n'
    body = halves % rb"a\ud83c" + halves % rb"\udf1fb" + halves % rb"\ud83c" + halves % rb"c\udf1f" + stream("d\0")
    assert text_of(asked(Server(streamed(body)).model())) == "a🌟b\ufffdc\ufffdd"


def test_other_choices_than_the_first_are_not_mixed_in() -> None:
    other = {"choices": [{"index": 1, "delta": {"content": "other"}, "finish_reason": "stop"}]}
    assert text_of(asked(Server(streamed(event(other) + stream("ok"))).model())) == "ok"


@pytest.mark.parametrize(
    "body",
    [
        event(chunk("I cannot")) + event(chunk(finish="content_filter")),
        event(chunk(None)).replace(b'"delta": {}', b'"delta": {"refusal": "I cannot\\nhelp"}') + stream(""),
        event({"error": {"message": "filtered", "code": "content_filter"}}),
    ],
)
def test_a_refusal_is_a_refusal(body: bytes) -> None:
    with pytest.raises(ModelRefused, match="declined"):
        asked(Server(streamed(body)).model())


def test_a_filtered_question_is_a_refusal() -> None:
    with pytest.raises(ModelRefused):
        asked(Server(failed(400, "policy", code="content_filter")).model())


# ── failing ──────────────────────────────────────────────────────────────────────────────────────────────────────

IN_STREAM = [
    event({"error": {"message": "overloaded", "code": 503}}),
    event({"error": "overloaded"}),
    event([{"error": {"message": "overloaded", "code": 503, "status": "UNAVAILABLE"}}]),
    event({"object": "error", "message": "overloaded", "code": 500}),
    b'error: {"message": "overloaded", "code": 500}\n\n',
    b'event: error\ndata: {"message": "overloaded", "type": "server_error"}\n\n',
    event({"error": None, "choices": [{"delta": {}, "finish_reason": "error"}]}),
    event(chunk("ok"))[:-6],
    b"",
]


@pytest.mark.parametrize("failure", IN_STREAM)
def test_an_error_inside_the_reply_is_tried_again_only_before_the_first_piece(failure: bytes) -> None:
    server = Server(streamed(failure), said("ok"))
    assert text_of(asked(server.model())) == "ok"
    server = Server(streamed(event(chunk("begun")) + failure), said("ok"))
    reply = server.model().reply([Message("user", "?")], temperature=0, max_tokens=9, timeout=5)
    assert next(reply).text == "begun"
    with pytest.raises(ModelUnavailable):
        list(reply)
    assert len(server.requests) == 1


def test_an_error_after_the_first_piece_is_not_taken_for_an_objection() -> None:
    objection = event({"error": {"message": "unsupported temperature", "code": 400}})
    server = Server(streamed(event(chunk("begun")) + objection), said("again"))
    with pytest.raises(ModelRejected, match="unsupported temperature"):
        asked(server.model())
    assert len(server.requests) == 1


CURES = [
    (failed(401, "Incorrect API key provided: sk-very*****-key"), ModelRejected, "OPENAI_API_KEY"),
    (failed(400, "API key not valid. Please pass a valid API key."), ModelRejected, "OPENAI_API_KEY"),
    (failed(403, "not for sk-very-secret-key in your country"), ModelRejected, "OPENAI_API_KEY"),
    (failed(404, "model 'small' not found"), ModelRejected, "model's name"),
    (failed(402, "Insufficient Balance"), ModelRejected, "no credit"),
    (failed(429, "quota", code="insufficient_quota"), ModelRejected, "no credit"),
    (
        failed(400, "request (3031 tokens) exceeds the available context size (512 tokens)"),
        ModelRejected,
        "3031 tokens",
    ),
    (
        httpx.Response(307, headers={"location": "https://u:p@m.test/v1?k=sk-very-secret-key"}),
        ModelRejected,
        "redirects",
    ),
    (httpx.Response(200, text="<html>sk-very-secret-key"), ModelRejected, "web page"),
    (httpx.Response(200, json={"hello": "world"}), ModelRejected, "no chat completion"),
    (httpx.Response(502, text="<html>bad gateway"), ModelUnavailable, "502"),
    (httpx.Response(500, content=b"\xff\xfe"), ModelUnavailable, "500"),
    (httpx.ConnectError("[Errno 111] Connection refused"), ModelUnavailable, "is it running"),
    (httpx.ConnectTimeout("slow"), ModelUnavailable, "5 s"),
    (httpx.RemoteProtocolError("gone"), ModelUnavailable, "closed the connection"),
    (httpx.LocalProtocolError("Illegal header value b'Bearer sk-very-secret-key'"), ModelRejected, "cannot be asked"),
]


@pytest.mark.parametrize(("answer", "kind", "words"), CURES)
def test_an_error_says_what_to_do_and_never_shows_the_key(answer: Any, kind: type[ModelError], words: str) -> None:
    with pytest.raises(kind) as raised:
        asked(Server(answer).model(retries=0))
    chain: BaseException | None = raised.value
    while chain is not None:
        assert "sk-very" not in str(chain)
        chain = None if chain.__suppress_context__ else chain.__cause__ or chain.__context__
    assert words in str(raised.value)
    assert len(str(raised.value)) < 500


def test_asking_without_a_key_where_one_is_needed() -> None:
    with pytest.raises(ModelRejected, match=r"asks for an API key.*OPENAI_API_KEY"):
        asked(Server(failed(401)).model(api_key=""))


@pytest.mark.parametrize("key", ["sk-ａｂｃ", "sk-a b", "sk-a\nb"])
def test_a_key_that_cannot_be_sent_is_said_at_once_without_showing_it(key: str) -> None:
    with pytest.raises(BadSettings) as raised:
        Server().model(api_key=key)
    assert "sk-" not in str(raised.value)


def test_neither_repr_nor_vars_of_the_model_show_the_key() -> None:
    model = Server().model(base_url="http://me:password@m.test/v1")
    assert repr(model) == "OpenAIChatModel('small', 'http://m.test/v1')"
    assert "secret" not in repr(vars(model))
    assert "password" not in repr(vars(model))


# ── what a server objects to ─────────────────────────────────────────────────────────────────────────────────────


def objecting(*fields: str, wording: str = "Unsupported parameter: '{}' is not supported with this model.") -> Server:
    def answer(request: httpx.Request) -> httpx.Response:
        body = json.loads(request.content)
        for field in fields:
            if field in body:
                return failed(400, wording.format(field))
        return said("ok")

    return Server(answer)


@pytest.mark.parametrize("field", ["max_tokens", "temperature", "stream_options", "response_format"])
def test_a_field_a_server_objects_to_is_put_differently_and_remembered(field: str) -> None:
    server = objecting(field)
    model = server.model()
    assert text_of(asked(model, schema=SCHEMA)) == text_of(asked(model, schema=SCHEMA)) == "ok"
    assert len(server.requests) == 3, "once to learn, then right at once"
    assert field not in server.bodies[-1]
    assert (server.bodies[-1].get("max_completion_tokens") == 200) == (field == "max_tokens")
    assert server.slept == []


def test_all_at_once_and_one_after_the_other() -> None:
    server = objecting("response_format", "stream_options", "max_tokens", "max_completion_tokens", "temperature")
    assert text_of(asked(server.model(), schema=SCHEMA)) == "ok"
    assert server.bodies[-1].keys() == {"model", "messages", "stream"}


@pytest.mark.parametrize(
    "refused",
    [
        failed(400, "This response_format type is unavailable now"),
        failed(500, "failed to parse grammar"),
        failed(400, "Unable to generate parser for this template. JSON schema error at #: unrecognized type"),
        failed(422, "Extra inputs are not permitted", param="response_format"),
        httpx.Response(422, json={"detail": [{"loc": ["body", "response_format"], "msg": "extra"}]}),
    ],
)
def test_the_ways_a_schema_is_refused(refused: httpx.Response) -> None:
    server = Server(refused, said("ok"))
    assert text_of(asked(server.model(), schema=SCHEMA)) == "ok"
    assert ["response_format" in body for body in server.bodies] == [True, False]


def test_a_value_out_of_range_is_no_reason_to_leave_the_limit_out() -> None:
    server = Server(failed(400, "max_tokens is too large: 200000. This model supports at most 4096"))
    with pytest.raises(ModelRejected, match="at most 4096"):
        asked(server.model())
    assert len(server.requests) == 1


def test_what_did_not_help_is_not_remembered() -> None:
    server = Server(failed(400, "unknown temperature"), failed(400, "something else"), said("ok"))
    model = server.model()
    with pytest.raises(ModelRejected):
        asked(model)
    asked(model)
    assert "temperature" in server.bodies[-1]


@pytest.mark.parametrize(
    ("structured", "expected"),
    [("auto", "json_schema"), ("json_schema", "json_schema"), ("json_object", "json_object"), ("none", None)],
)
def test_a_schema_is_asked_for_as_set(structured: str, expected: str | None) -> None:
    server = Server(said("{}"))
    asked(server.model(structured=structured), schema=SCHEMA)
    assert server.bodies[0].get("response_format", {}).get("type") == expected
    with pytest.raises(BadSettings, match="structured"):
        server.model(structured="xml")


def test_strict_is_asked_for_only_where_the_schema_is_closed() -> None:
    assert closed(SCHEMA)
    assert not closed({**SCHEMA, "required": []})
    assert not closed({"type": "array", "items": {"type": "object", "properties": {}}})
    assert closed({"type": "array", "items": {"anyOf": [SCHEMA, {"type": "null"}]}})


def test_closing_the_iterator_closes_the_response() -> None:
    body = Body(stream(*"abcdef")[i : i + 40] for i in range(0, 2000, 40))
    server = Server(httpx.Response(200, stream=body))
    reply = server.model().reply([Message("user", "?")], temperature=0, max_tokens=9, timeout=5)
    assert next(reply).text == "a"
    assert not body.closed
    reply.close()
    assert body.closed


def test_a_model_may_be_closed_and_used_again() -> None:
    server = Server(lambda _request: said("ok"))
    model = server.model()
    assert text_of(asked(model)) == "ok"
    model.close()
    assert text_of(asked(model)) == "ok"
    model.close()


DEEP = b"[" * 100_000
HUGE = b"9" * 5_000
ODD_BODIES = {
    "deep": b'{"choices":' + DEEP,
    "deep and whole": b'{"choices":' + DEEP + b"]" * 100_000 + b"}",
    "deep, but readable": b'{"choices":[{"finish_reason":' + b"[" * 500 + b"]" * 500 + b"}]}",
    "deep objects": b'{"choices":[{"message":' + b'{"a":' * 100_000,
    "deep in a stream": b"data: " + DEEP + b"\n\n",
    "deep line in an event": b'data: {"choices":[]}\ndata: ' + DEEP + b"\n\n",
    "deep error event": b"event: error\ndata: " + DEEP + b"\n\n",
    "deep error": b'{"error":{"message":' + DEEP + b"]" * 100_000 + b"}}",
    "a huge number": b'{"choices":[],"usage":{"prompt_tokens":' + HUGE + b"}}",
    "a huge code": b'{"error":{"message":"no","code":"' + HUGE + b'"}}',
    "an endless line": b"data: " + b"x" * (LONGEST_REPLY + 1),
    "endless white space": b" " * (LONGEST_REPLY + 1),
    "numbers for everything": b'{"choices":[{"index":0,"message":{"content":7,"refusal":[]},"finish_reason":7}]}',
    "no bytes": b"",
    "bytes of nothing": b"\xff\xfe\x00" * 50,
}


@pytest.mark.parametrize("status", [200, 400, 500])
@pytest.mark.parametrize("body", ODD_BODIES.values(), ids=ODD_BODIES.keys())
def test_whatever_a_server_sends_ends_in_a_reply_or_a_model_error(body: bytes, status: int) -> None:
    server = Server(lambda _: httpx.Response(status, content=body))
    said = ""
    try:
        asked(server.model(retries=0))
    except ModelError as error:
        said = str(error)
    assert len(said) < 600
    assert "\n" not in said


def test_a_count_of_tokens_that_is_none_is_not_believed() -> None:
    many = {"usage": {"prompt_tokens": 10**30, "completion_tokens": -5}}
    (*_, last) = asked(Server(streamed(event(chunk("ok", "stop", **many)))).model())
    assert last.usage == Usage(1, 0, 0)


def test_a_redirection_to_what_is_no_address_is_a_redirection() -> None:
    server = Server(httpx.Response(302, headers={"location": "http://[broken/"}))
    with pytest.raises(ModelRejected, match="redirects to elsewhere"):
        asked(server.model())


@given(st.binary(max_size=200), st.sampled_from([200, 400, 429, 503]))
def test_any_bytes_end_in_a_reply_or_a_model_error(body: bytes, status: int) -> None:
    with suppress(ModelError):
        asked(Server(httpx.Response(status, content=body)).model(retries=0))
