"""Server-sent events, however the network cuts them."""

from __future__ import annotations

import json
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anaphor.adapters.openai.sse import Event, events, lines
from contracts.openai_wire import event

D05 = 'data: {"delta":"北投圖書館🌟開館"}\n\n'.encode()


@pytest.mark.parametrize("at", range(len(D05) + 1))
def test_a_character_cut_in_two_is_whole_again(at: int) -> None:
    assert list(events([D05[:at], D05[at:]])) == [Event('{"delta":"北投圖書館🌟開館"}')]


def test_one_byte_at_a_time() -> None:
    assert list(events(bytes([byte]) for byte in D05)) == [Event('{"delta":"北投圖書館🌟開館"}')]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"], ids=["LF", "CRLF", "CR"])
def test_any_line_end_and_comments_and_fields_of_no_interest(end: str) -> None:
    written = end.join([": keep-alive", "id: 7", "retry: 10", "data: a", "data:b", "", ":", "event: x", "data", "", ""])
    for chunks in ([written.encode()], [bytes([byte]) for byte in written.encode()]):
        assert list(events(chunks)) == [Event("a\nb"), Event("", "x")]


def test_only_line_ends_end_a_line() -> None:
    odd = "a\u2028b\u2029c\x85d\x0be\x0cf\x1cg"
    assert list(events([f"data: {odd}\n\n".encode()])) == [Event(odd)]


def test_a_mark_at_the_beginning_and_an_event_without_its_empty_line_at_the_end() -> None:
    assert list(events(["\ufeffdata: first\n\ndata: last".encode()])) == [Event("first"), Event("last")]


def test_an_error_field_as_older_servers_write_it() -> None:
    assert list(events([b'error: {"code": 500}\n\n'])) == [Event('{"code": 500}', "error")]


@given(st.lists(st.text()), st.randoms(use_true_random=False))
def test_what_was_sent_is_what_is_read_however_it_was_cut(texts: list[str], random: Random) -> None:
    values = [text.encode("utf-8", "replace").decode() for text in texts]
    sent = b"".join(event(value) for value in values)
    chunks, rest = [], sent
    while rest:
        size = random.randint(0, 7)
        chunks.append(rest[:size])
        rest = rest[size:]
    assert [json.loads(found.data) for found in events(chunks)] == values


@given(st.lists(st.sampled_from([b"a", b"\r", b"\n", b"\r\n", b"", b"\xe5\x8c\x97"])))
def test_lines_do_not_depend_on_the_chunks(chunks: list[bytes]) -> None:
    assert list(lines(chunks)) == list(lines([b"".join(chunks)]))


def test_a_megabyte_in_one_line_is_read_in_small_chunks_without_trouble() -> None:
    sent = b"data: " + b"x" * 1_000_000 + b"\n\n"
    assert len(next(events(sent[i : i + 100] for i in range(0, len(sent), 100))).data) == 1_000_000
