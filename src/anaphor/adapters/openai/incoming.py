"""The body of a response as it arrives, never waited for beyond its deadline."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from types import TracebackType
from typing import TYPE_CHECKING

from anaphor.adapters.openai.failures import TryAgain
from anaphor.errors import ModelRejected, ModelTimeout, ModelUnavailable

if TYPE_CHECKING:
    import httpx

AFTER_THE_END = (
    1.0  # seconds to wait for the rest (usage, the connection's end) once a reply has said that it is complete
)


class Deadline:
    """A moment, ``seconds`` from now on ``clock``."""

    def __init__(self, seconds: float, clock: Callable[[], float]) -> None:
        self.seconds = seconds
        self._clock = clock
        self._end = clock() + seconds

    @property
    def left(self) -> float:
        return max(0.0, self._end - self._clock())

    @property
    def passed(self) -> bool:
        return self.left <= 0


class Incoming:
    """An open response. Iterating gives its bytes; leaving the ``with`` block closes the connection.

    httpx bounds each read, not their sum: a server that sends one byte a minute would be waited for without end. So the
    sum is checked between reads, and the connection is shut down at the deadline while one of them waits.
    """

    def __init__(self, response: httpx.Response, deadline: Deadline, who: str) -> None:
        self._response = response
        self._deadline = deadline
        self._who = who
        self._complete = False
        self._shutdown = _Shutdown(response)
        self.bytes = 0

    def __enter__(self) -> Incoming:
        self._shutdown.after(self._deadline.left)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._shutdown.never()
        with suppress(Exception):  # a connection that broke cannot be closed well
            self._response.close()

    @property
    def status(self) -> int:
        return self._response.status_code

    @property
    def headers(self) -> Mapping[str, str]:
        return self._response.headers

    def header(self, name: str) -> str:
        return str(self._response.headers.get(name, ""))

    def complete(self) -> None:
        """The reply has said that it is complete: what still comes is waited for shortly, and its failure is none."""
        if not self._complete:
            self._complete = True
            self._shutdown.after(min(AFTER_THE_END, self._deadline.left))

    def __iter__(self) -> Iterator[bytes]:
        import httpx

        try:
            for chunk in self._response.iter_bytes():
                self.bytes += len(chunk)
                self._on_time()
                yield chunk
        except httpx.TimeoutException:
            if not self._complete:
                raise self._late() from None
        except (httpx.TransportError, httpx.StreamError, httpx.DecodingError):
            self._on_time()
            if not self._complete:
                raise TryAgain(ModelUnavailable(f"{self._who} closed the connection in mid-reply")) from None
        self._on_time()

    def at_most(self, count: int) -> Iterator[bytes]:
        """The bytes; more than ``count`` are a fault of the server's."""
        for chunk in self:
            if self.bytes > count and not self._complete:
                raise ModelRejected(f"{self._who} sent more than {count} bytes for one reply")
            yield chunk
            if self.bytes > count:
                return

    def read(self, most: int) -> bytes:
        """All of the bytes, if there are at most so many."""
        return b"".join(self.at_most(most))

    def _on_time(self) -> None:
        if self._deadline.passed and not self._complete:
            raise self._late()

    def _late(self) -> ModelTimeout:
        return ModelTimeout(f"{self._who} did not finish its reply within {self._deadline.seconds:g} s")


class _Shutdown:
    """Shuts a response's connection down at a given moment, which wakes whoever is reading from it."""

    def __init__(self, response: httpx.Response) -> None:
        stream = response.extensions.get("network_stream")
        self._socket: socket.socket | None = stream.get_extra_info("socket") if stream else None
        self._timer: threading.Timer | None = None
        self._lock = threading.Lock()

    def after(self, seconds: float) -> None:
        self.never()
        if self._socket is None:
            return
        timer = threading.Timer(seconds, self._now)
        timer.daemon = True
        with self._lock:
            self._timer = timer
        timer.start()

    def never(self) -> None:
        with self._lock:
            if self._timer:
                self._timer.cancel()
            self._timer = None

    def _now(self) -> None:
        with self._lock:
            if self._timer is None or self._socket is None:
                return  # the connection may be somebody else's by now
            with suppress(OSError):
                # Not SSLSocket.shutdown: it would drop the TLS state under the reader's feet.
                socket.socket.shutdown(self._socket, socket.SHUT_RDWR)
