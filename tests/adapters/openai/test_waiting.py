"""How long a server is waited for, and when it is asked again."""

from __future__ import annotations

import email.utils
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator

import httpx
import pytest

from anaphor.adapters.openai.chat import OpenAIChatModel
from anaphor.errors import ModelTimeout, ModelUnavailable
from anaphor.types import Message
from contracts.openai_wire import Body, Server, chunk, event, failed, said, stream


def ask(model: OpenAIChatModel, timeout: float = 60.0) -> str:
    reply = model.reply([Message("user", "?")], temperature=0, max_tokens=9, timeout=timeout)
    return "".join(piece.text for piece in reply)


class Clock:
    """Time that passes when somebody sleeps, or is told to."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


@pytest.mark.parametrize("status", [408, 429, 500, 502, 503, 504, 529])
def test_a_server_that_is_busy_is_asked_again(status: int) -> None:
    server = Server(failed(status, "busy"), said("ok"))
    assert ask(server.model()) == "ok"
    assert server.slept == [0.5]


def test_waiting_grows_and_ends() -> None:
    server = Server(failed(503, "Loading model"))
    with pytest.raises(ModelUnavailable, match="Loading model"):
        ask(server.model(retries=5))
    assert server.slept == [0.5, 1.0, 2.0, 4.0, 8.0]


def test_clients_that_failed_together_do_not_come_back_together() -> None:
    server = Server(failed(503), said("ok"))
    ask(server.model(jitter=lambda: 0.2))
    assert server.slept == [pytest.approx(0.3)]


@pytest.mark.parametrize(
    ("headers", "waited"),
    [
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "0"}, 0.0),
        ({"retry-after-ms": "1500", "retry-after": "9"}, 1.5),
        ({"retry-after": "soon"}, 0.5),
        ({"retry-after": "-3"}, 0.5),
        ({"retry-after": "Wed, 99 Foo"}, 0.5),
    ],
)
def test_retry_after_is_honoured(headers: dict[str, str], waited: float) -> None:
    server = Server(failed(429, "slow down", headers), said("ok"))
    assert ask(server.model()) == "ok"
    assert server.slept == [waited]


def test_retry_after_as_a_date_and_in_googles_way() -> None:
    date = email.utils.formatdate(time.time() + 20, usegmt=True)
    details = [{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "13.5s"}]
    google = httpx.Response(429, json=[{"error": {"code": 429, "message": "quota", "details": details}}])
    server = Server(failed(429, "", {"retry-after": date}), google, said("ok"))
    assert ask(server.model()) == "ok"
    assert server.slept == [pytest.approx(20, abs=2), 13.5]


def test_asked_to_wait_for_longer_than_there_is_time_it_gives_up_at_once() -> None:
    server = Server(failed(429, "", {"retry-after": "30"}))
    with pytest.raises(ModelUnavailable, match=r"asks to wait 30 s, and \d\.\d s are left"):
        ask(server.model(), timeout=5)
    assert server.slept == []


@pytest.mark.parametrize(
    "error", [httpx.ConnectError("refused"), httpx.ConnectTimeout("slow"), httpx.ReadError("reset")]
)
def test_a_connection_that_failed_is_made_again(error: Exception) -> None:
    server = Server(error, said("ok"))
    assert ask(server.model()) == "ok"


def test_attempts_and_waits_together_stay_within_the_time() -> None:
    clock = Clock()

    def slow(_request: httpx.Request) -> httpx.Response:
        clock.now += 4
        return failed(503, "busy")

    server = Server(slow)
    with pytest.raises((ModelUnavailable, ModelTimeout)):
        ask(server.model(clock=clock, sleep=clock.sleep, retries=9), timeout=10)
    assert clock.now - 1000 <= 10 + 4
    assert len(server.requests) <= 3


def test_the_time_is_for_the_whole_reply_not_for_each_piece() -> None:
    clock = Clock()

    def trickle() -> Iterator[bytes]:
        while True:
            clock.now += 2
            yield event(chunk("滴"))

    server = Server(httpx.Response(200, stream=Body(trickle())))
    reply = server.model(clock=clock).reply([Message("user", "?")], temperature=0, max_tokens=9, timeout=9)
    heard = [next(reply).text for _ in range(4)]
    with pytest.raises(ModelTimeout, match="within 9 s"):
        next(reply)
    assert heard == ["滴"] * 4


def test_connecting_has_its_own_shorter_time() -> None:
    server = Server(lambda _request: said("ok"))
    ask(server.model(connect_timeout=3.0), timeout=30)
    ask(server.model(connect_timeout=3.0), timeout=2)
    first, second = (request.extensions["timeout"] for request in server.requests)
    assert first["connect"] == 3.0
    assert first["read"] == pytest.approx(30, abs=1)
    assert second["connect"] == pytest.approx(2, abs=1)


# ── over a real socket ───────────────────────────────────────────────────────────────────────────────────────────

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"


class Raw:
    """Accepts one connection and writes what it is told, at the pace it is told, until the other side leaves."""

    def __init__(self, *writes: bytes, pause: float = 0.0, stays: bool = False) -> None:
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._listening.settimeout(10)
        self.url = f"http://127.0.0.1:{self._listening.getsockname()[1]}/v1"
        self._writes, self._pause, self._stays = writes, pause, stays
        self.left = threading.Event()
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()

    def _serve(self) -> None:
        connection, _ = self._listening.accept()
        with self._listening, connection:
            connection.settimeout(10)
            _read_request(connection)
            try:
                for write in self._writes:
                    connection.sendall(write)
                    time.sleep(self._pause)
                if self._stays:
                    connection.recv(1)
            except OSError:
                pass
            self.left.set()

    def join(self) -> None:
        self._thread.join(10)
        assert not self._thread.is_alive()


def _read_request(connection: socket.socket) -> None:
    with connection.makefile("rb") as arriving:
        length = 0
        while line := arriving.readline().strip():
            name, _, value = line.partition(b":")
            length = int(value) if name.lower() == b"content-length" else length
        arriving.read(length)


def test_a_server_that_sends_only_signs_of_life_is_left_on_time() -> None:
    raw = Raw(HEAD, *[b": alive\n\n"] * 100, pause=0.05)
    started = time.monotonic()
    with pytest.raises(ModelTimeout):
        ask(OpenAIChatModel("m", raw.url), timeout=0.4)
    assert time.monotonic() - started < 1.5
    raw.join()


def test_a_server_that_says_something_late_and_then_nothing_is_left_on_time() -> None:
    # A second read alone would be allowed as long as the first: until 1.9 s.
    raw = Raw(HEAD, b": alive\n\n", pause=0.9, stays=True)
    started = time.monotonic()
    with pytest.raises(ModelTimeout):
        ask(OpenAIChatModel("m", raw.url), timeout=1.0)
    assert time.monotonic() - started < 1.7
    raw.join()


def test_a_server_that_never_answers() -> None:
    raw = Raw(stays=True)
    with pytest.raises(ModelTimeout, match=r"within 0.3 s"):
        ask(OpenAIChatModel("m", raw.url), timeout=0.3)
    raw.join()


def test_a_finished_reply_on_a_connection_that_stays_open_is_not_waited_for() -> None:
    raw = Raw(HEAD, stream("完了", usage=None, done=False), stays=True)
    started = time.monotonic()
    assert ask(OpenAIChatModel("m", raw.url), timeout=30) == "完了"
    assert time.monotonic() - started < 3
    raw.join()


def test_leaving_in_mid_reply_closes_the_connection() -> None:
    raw = Raw(HEAD, event(chunk("begun")), stays=True)
    reply = OpenAIChatModel("m", raw.url).reply([Message("user", "?")], temperature=0, max_tokens=9, timeout=30)
    assert next(reply).text == "begun"
    assert not raw.left.is_set()
    reply.close()
    assert raw.left.wait(5)
    raw.join()


def test_nobody_there() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    with pytest.raises(ModelUnavailable, match="is it running"):
        ask(OpenAIChatModel("m", f"http://127.0.0.1:{port}", retries=0))


def test_a_proxy_for_the_world_is_not_asked_for_a_server_on_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.delenv("NO_PROXY", raising=False)
    raw = Raw(HEAD, stream("here"))
    assert ask(OpenAIChatModel("m", raw.url), timeout=5) == "here"
    raw.join()


def test_importing_the_adapters_does_not_load_httpx() -> None:
    code = "import sys, anaphor.adapters.openai.chat, anaphor.adapters.openai.embed; sys.exit('httpx' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
