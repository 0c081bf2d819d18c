"""An OpenAI-compatible server: where it is, how it is asked, how long it is waited for."""

from __future__ import annotations

import json
import random
import threading
import time
import weakref
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, TypedDict, TypeVar
from urllib.parse import SplitResult, urlsplit, urlunsplit

from anaphor.adapters.openai.failures import URL_CURE, Refused, TryAgain, refusal
from anaphor.adapters.openai.incoming import Deadline, Incoming
from anaphor.errors import BadSettings, ModelError, ModelRejected, ModelTimeout, ModelUnavailable

if TYPE_CHECKING:
    import httpx  # at run time only where a request is made: importing it takes longer than all of anaphor

T = TypeVar("T")
FIRST_WAIT = 0.5  # seconds before the second attempt; doubled each time
LONGEST_WAIT = 8.0
LONGEST_REPLY = 86_400.0  # seconds; what a socket accepts as a timeout is finite
LONGEST_ERROR = 65_536  # bytes of an error response that are read


class Waiting(TypedDict, total=False):
    """How a server is waited for, beside the address: what ``Endpoint`` takes, for whoever has one inside."""

    transport: httpx.BaseTransport | None
    connect_timeout: float
    retries: int
    sleep: Callable[[float], None]
    clock: Callable[[], float]
    jitter: Callable[[], float]


class Endpoint:
    """One model on one server. Attempts that fail before anything has arrived are repeated while the time lasts.

    Knows the key and never shows it. ``connect_timeout`` is in seconds. ``transport`` stands in for the network;
    ``sleep``, ``clock`` (seconds, monotonic) and ``jitter`` (0 to 1) for what passes by itself.
    """

    def __init__(
        self,
        model: str,
        base_url: str,
        api_key: str,
        *,
        transport: httpx.BaseTransport | None = None,
        connect_timeout: float = 5.0,
        retries: int = 2,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
        jitter: Callable[[], float] = random.random,
    ) -> None:
        self._roots = _roots(base_url)
        self.key = _sendable(api_key)
        self._transport = transport
        self._connect_timeout = connect_timeout
        self._retries = retries
        self._sleep = sleep
        self._clock = clock
        self._jitter = jitter
        self._lock = threading.Lock()
        self._made: httpx.Client | None = None
        self.address = _shown(self._roots[0])
        self.who = f"{model} at {self.address}"

    def __repr__(self) -> str:
        return f"Endpoint({self.who!r})"

    def deadline(self, seconds: float) -> Deadline:
        """So many seconds from now, and no more than a socket can be told."""
        return Deadline(min(seconds, LONGEST_REPLY), self._clock)

    def close(self) -> None:
        """Close what connections are kept open. The next request opens them again."""
        with self._lock:
            client, self._made = self._made, None
        if client:
            client.close()

    def persistently(self, attempt: Callable[[], Iterator[T]], deadline: Deadline) -> Iterator[T]:
        """What ``attempt`` yields; attempted again, after a wait, as long as it yielded nothing and that may help."""
        for wait in [*self._waits(), None]:
            begun = False
            try:
                for value in attempt():
                    begun = True
                    yield value
                return
            except (TryAgain, Refused) as failure:
                failed = self._understood(failure)
            except (ModelError, GeneratorExit):
                raise
            except Exception as error:
                # Whatever a server sends, a turn goes on without it.
                raise ModelRejected(
                    f"{self.who} sent what cannot be read ({type(error).__name__}); {URL_CURE}"
                ) from None
            if begun or wait is None:
                raise failed.error
            self._pause(failed, wait, deadline)

    def _understood(self, failure: TryAgain | Refused) -> TryAgain:
        """What may be tried again; what may not is raised."""
        error = failure if isinstance(failure, TryAgain) else failure.refusal.error(self.who, bool(self.key))
        if isinstance(error, ModelError):
            raise error from None
        return error

    def _waits(self) -> Iterator[float]:
        for number in range(self._retries):
            # Half fixed, half by chance: clients that failed together must not come back together.
            yield min(LONGEST_WAIT, FIRST_WAIT * 2**number) * (0.5 + 0.5 * self._jitter())

    def _pause(self, failed: TryAgain, wait: float, deadline: Deadline) -> None:
        seconds = wait if failed.after is None else failed.after
        if seconds >= deadline.left:
            asked = f"; it asks to wait {failed.after:g} s, and {deadline.left:.1f} s are left" if failed.after else ""
            raise ModelUnavailable(f"{failed.error}{asked}") from None
        self._sleep(seconds)

    @contextmanager
    def post(self, path: str, body: Mapping[str, Any], deadline: Deadline) -> Iterator[Incoming]:
        """The body of a good response to one request. Raises ``Refused``, ``TryAgain`` or ``ModelError``.

        A base URL without a path is tried with ``/v1`` first; what turns out to be right is remembered.
        """
        written = json.dumps(body, ensure_ascii=False).encode("utf-8", "replace")
        for root in self._roots:
            with self._sent(_joined(root, path), written, deadline) as incoming:
                if 200 <= incoming.status < 300:
                    self._roots = (root,)
                    yield incoming
                    return
                refused = self._refused(incoming)
            if refused.refusal.status != 404 or "model" in refused.refusal.message.lower():
                break
        raise refused

    @contextmanager
    def _sent(self, url: str, written: bytes, deadline: Deadline) -> Iterator[Incoming]:
        import httpx

        if deadline.passed:
            raise self._late(deadline)
        timeout = httpx.Timeout(deadline.left, connect=min(self._connect_timeout, deadline.left))
        headers = {"Content-Type": "application/json", "Accept": "text/event-stream, application/json"}
        if self.key:
            headers["Authorization"] = f"Bearer {self.key}"
        client = self._client()
        try:
            request = client.build_request("POST", url, content=written, headers=headers, timeout=timeout)
            response = client.send(request, stream=True)
        except (httpx.HTTPError, httpx.InvalidURL, RuntimeError) as error:
            raise self._unsent(error, deadline) from None  # the error holds the request, and that the key
        with Incoming(response, deadline, self.who) as incoming:
            yield incoming

    def _client(self) -> httpx.Client:
        import httpx

        with self._lock:
            if self._made is None:
                # A proxy that the environment names is for the world outside, not for a server on this machine.
                local = urlsplit(self._roots[0]).hostname in ("localhost", "127.0.0.1", "::1")
                self._made = httpx.Client(transport=self._transport, trust_env=not local)
                weakref.finalize(self, self._made.close)
            return self._made

    def _unsent(self, error: Exception, deadline: Deadline) -> Exception:
        import httpx

        if deadline.passed or (
            isinstance(error, httpx.TimeoutException) and not isinstance(error, httpx.ConnectTimeout)
        ):
            return self._late(deadline)
        if isinstance(error, httpx.ConnectTimeout):
            seconds = f"{self._connect_timeout:g} s"
            return TryAgain(ModelUnavailable(f"{self.who} took no connection within {seconds}; {URL_CURE}"))
        if isinstance(error, httpx.ConnectError | httpx.ProxyError):
            return TryAgain(ModelUnavailable(f"{self.who} cannot be reached ({error}); is it running? {URL_CURE}"))
        if isinstance(error, httpx.NetworkError | httpx.RemoteProtocolError):
            return TryAgain(ModelUnavailable(f"{self.who} closed the connection without a reply"))
        return ModelRejected(f"{self.who} cannot be asked ({type(error).__name__}); {URL_CURE}")

    def _refused(self, incoming: Incoming) -> Refused:
        if 300 <= incoming.status < 400:
            to = _shown(incoming.header("location")) or "elsewhere"
            raise ModelRejected(f"{self.who} redirects to {to} ({incoming.status}); {URL_CURE}")
        body = bytearray()
        with suppress(TryAgain):  # the status alone says enough
            for chunk in incoming:
                body += chunk
                if len(body) > LONGEST_ERROR:
                    break
        return Refused(refusal(incoming.status, bytes(body), incoming.headers, self.key))

    def _late(self, deadline: Deadline) -> ModelTimeout:
        return ModelTimeout(f"{self.who} did not reply within {deadline.seconds:g} s")


def _roots(base_url: str) -> tuple[str, ...]:
    """Where the API may be. ``/v1`` is what everybody means who gives no path."""
    try:
        parts = urlsplit(base_url.strip())
        _ = parts.port
    except ValueError as error:
        raise BadSettings(f"the base URL cannot be read: {error}") from None
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise BadSettings(f"the base URL must begin with http:// or https:// and name a host, not {base_url!r}")
    path = parts.path.rstrip("/").removesuffix("/chat/completions").removesuffix("/embeddings")
    return tuple(urlunsplit(parts._replace(path=root, fragment="")) for root in ([path] if path else ["/v1", ""]))


def _joined(root: str, path: str) -> str:
    parts = urlsplit(root)
    return urlunsplit(parts._replace(path=parts.path + path))


def _shown(url: str) -> str:
    """Without what may be secret: the user's part and the query."""
    try:
        parts: SplitResult = urlsplit(url)
    except ValueError:
        return ""
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))


def _sendable(api_key: str) -> str:
    key = api_key.strip()
    if not key.isascii() or not key.isprintable() or " " in key:
        raise BadSettings(
            "the API key holds a character that no key has (a space, a line break or a full-width letter)"
        )
    return key
