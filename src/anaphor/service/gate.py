"""What every request passes on its way in, and every answer on its way out. Plain ASGI: a stream stays a stream."""

from __future__ import annotations

import json
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from anaphor.service.statuses import body

CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
HEADERS = {
    b"content-security-policy": CONTENT_SECURITY_POLICY.encode(),
    b"x-content-type-options": b"nosniff",
    b"referrer-policy": b"no-referrer",
    b"cross-origin-resource-policy": b"same-origin",
    b"cache-control": b"no-store",
}


@dataclass(frozen=True, slots=True)
class Bounds:
    """What one caller and one request may take.

    ``body`` and ``upload`` are bytes, ``message`` characters; ``rate`` is requests a second on average and ``burst``
    how many at once; ``in_flight`` turns of one caller, ``workers`` turns of all; ``grace`` seconds that running turns
    get when the service stops.
    """

    body: int = 2_000_000
    upload: int = 50_000_000
    message: int = 100_000
    rate: float = 20.0
    burst: int = 60
    in_flight: int = 8
    workers: int = 4
    waiting: int = 64
    grace: float = 10.0


class TooLarge(HTTPException):
    """More bytes came than may come; an HTTPException, because the framework makes any other error of reading 400."""

    def __init__(self, most: int) -> None:
        super().__init__(413, f"a request here has at most {most} bytes")


class Gate:
    """Bounds the body, slows who asks too often, and puts the headers on."""

    def __init__(self, app: ASGIApp, bounds: Bounds) -> None:
        self._app = app
        self._bounds = bounds
        self._buckets = Buckets(bounds.rate, bounds.burst)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = dict(scope["headers"])
        out = _with_headers(send)
        counted = not scope["path"].startswith(ALWAYS) and scope["path"] != "/"
        wait = self._buckets.take(_who(scope, headers)) if counted else 0.0
        if wait > 0:
            await _refuse(out, 429, "too_often", "too many requests: slow down", {b"retry-after": _seconds(wait)})
            return
        most = self._bounds.upload if scope["path"].startswith("/api/documents") else self._bounds.body
        told = headers.get(b"content-length", b"0")
        if not told.isdigit() or int(told) > most:
            await _refuse(out, 413, "too_large", f"a request here has at most {most} bytes")
            return
        await self._app(scope, _bounded(receive, most), out)


ALWAYS = ("/health", "/ready", "/assets/")  # and the page itself, which is a dozen files


def _who(scope: Scope, headers: dict[bytes, bytes]) -> bytes:
    """The key that is shown, else the address; never kept longer than the bucket."""
    return headers.get(b"authorization") or str((scope.get("client") or ("",))[0]).encode()


def _bounded(receive: Receive, most: int) -> Receive:
    came = 0

    async def bounded() -> Message:
        nonlocal came
        message = await receive()
        came += len(message.get("body", b""))
        if came > most:
            raise TooLarge(most)
        return message

    return bounded


def _with_headers(send: Send) -> Send:
    async def out(message: Message) -> None:
        if message["type"] == "http.response.start":
            there = {name.lower() for name, _ in message["headers"]}
            message = {
                **message,
                "headers": [*message["headers"], *((k, v) for k, v in HEADERS.items() if k not in there)],
            }
        await send(message)

    return out


async def _refuse(send: Send, status: int, code: str, message: str, headers: dict[bytes, bytes] | None = None) -> None:
    told = json.dumps(body(status, code, message)).encode()
    every = [(b"content-type", b"application/json"), (b"content-length", str(len(told)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": [*every, *(headers or {}).items()]})
    await send({"type": "http.response.body", "body": told})


def _seconds(wait: float) -> bytes:
    return str(max(1, round(wait + 0.5))).encode()


class Buckets:
    """A token bucket a caller: ``rate`` tokens a second, ``burst`` at most. The longest unused go first."""

    MOST = 10_000

    def __init__(self, rate: float, burst: int, now: Callable[[], float] = time.monotonic) -> None:
        self._rate, self._burst, self._now = rate, burst, now
        self._levels: OrderedDict[bytes, tuple[float, float]] = OrderedDict()

    def take(self, who: bytes) -> float:
        """0 and one token less, or the seconds until there is one."""
        now = self._now()
        level, at = self._levels.pop(who, (float(self._burst), now))
        level = min(self._burst, level + (now - at) * self._rate)
        short = 1 - level
        self._levels[who] = (level if short > 0 else level - 1, now)
        while len(self._levels) > self.MOST:
            self._levels.popitem(last=False)
        return max(0.0, short / self._rate) if short > 0 else 0.0
