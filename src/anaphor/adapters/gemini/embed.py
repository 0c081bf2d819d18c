"""``Embedder`` over Gemini's own protocol, which tells queries from documents; its OpenAI-like one does not."""

from __future__ import annotations

import json
import math
import random
import threading
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from anaphor.errors import BadSettings, ModelRejected, ModelTimeout, ModelUnavailable
from anaphor.text.fold import clean

if TYPE_CHECKING:
    import httpx  # at run time only where a request is made

GOOGLE = "https://generativelanguage.googleapis.com/v1beta"
MODEL = "gemini-embedding-001"
DIMENSIONS = 768  # of the 3,072 it can give: a quarter of the store, and nearly as good
TASKS = {True: "RETRIEVAL_QUERY", False: "RETRIEVAL_DOCUMENT"}
LONGEST = 6000  # characters of a text; the model reads 2,048 tokens
BATCH = 100  # texts in a request, at most
LONGEST_WAIT = 30.0  # seconds between two attempts
LONGEST_BODY = 64 * 1024 * 1024  # bytes of a response
KEY_CURE = "check the key (GEMINI_API_KEY or ANAPHOR_EMBED_API_KEY)"


class GeminiEmbedder:
    """``model`` at ``base_url``. ``timeout`` (seconds) bounds a request with its repetitions. The key is never shown.

    ``transport`` stands in for the network; ``sleep``, ``clock`` (seconds) and ``jitter`` (0 to 1) for what passes by
    itself.
    """

    def __init__(
        self,
        model: str = MODEL,
        base_url: str = GOOGLE,
        api_key: str = "",
        dimensions: int = DIMENSIONS,
        *,
        timeout: float = 60.0,
        retries: int = 3,
        transport: httpx.BaseTransport | None = None,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
        jitter: Callable[[], float] = random.random,
    ) -> None:
        if not api_key.isascii() or not api_key.isprintable() or " " in api_key:
            raise BadSettings(
                "the API key holds a character that no key has (a space, a line break, a full-width letter)"
            )
        self._model = model.removeprefix("models/")
        self._url = f"{base_url.rstrip('/')}/models/{self._model}:batchEmbedContents"
        self._key = api_key
        self.dimensions = dimensions
        self.name = f"gemini/{self._model}/{dimensions}"
        self._timeout = timeout
        self._retries = retries
        self._transport = transport
        self._sleep, self._clock, self._jitter = sleep, clock, jitter
        self._lock = threading.Lock()
        self._made: httpx.Client | None = None

    def __repr__(self) -> str:
        return f"GeminiEmbedder({self._model!r})"

    def close(self) -> None:
        """Close the connections that are kept open for the next request."""
        with self._lock:
            client, self._made = self._made, None
        if client:
            client.close()

    def embed(self, texts: Sequence[str], *, query: bool) -> list[list[float]]:
        """Raises ``ModelError``."""
        vectors: list[list[float]] = []
        for start in range(0, len(texts), BATCH):
            vectors += self._persistently([self._request(text, query) for text in texts[start : start + BATCH]])
        return vectors

    def _request(self, text: str, query: bool) -> dict[str, Any]:
        written = clean(text).strip()[:LONGEST] or "."  # an empty text is refused, and every text has a vector
        return {
            "model": f"models/{self._model}",
            "content": {"parts": [{"text": written}]},
            "taskType": TASKS[query],
            "outputDimensionality": self.dimensions,
        }

    def _persistently(self, requests: list[dict[str, Any]]) -> list[list[float]]:
        """Asked again, after a wait, where that may help and the time allows it."""
        until = self._clock() + self._timeout
        for attempt in range(self._retries + 1):
            left = until - self._clock()
            if left <= 0:
                break
            try:
                return self._asked(requests, left)
            except _Later as later:
                wait = later.after or min(LONGEST_WAIT, 2**attempt * (0.5 + 0.5 * self._jitter()))
                if attempt == self._retries or wait >= until - self._clock():
                    raise ModelUnavailable(str(later)) from None
                self._sleep(wait)
        raise ModelTimeout(f"{self._model} did not reply within {self._timeout:g} s")

    def _asked(self, requests: list[dict[str, Any]], seconds: float) -> list[list[float]]:
        import httpx

        body = json.dumps({"requests": requests}, ensure_ascii=False).encode("utf-8", "replace")
        headers = {"Content-Type": "application/json", "x-goog-api-key": self._key}
        try:
            response = self._client().post(self._url, content=body, headers=headers, timeout=seconds)
        except httpx.ConnectTimeout as error:
            raise _Later(f"{self._model} cannot be reached ({error or 'no connection'})") from None
        except httpx.TimeoutException:
            raise ModelTimeout(f"{self._model} did not reply within {self._timeout:g} s") from None
        except (httpx.NetworkError, httpx.RemoteProtocolError, httpx.ProxyError) as error:
            raise _Later(f"{self._model} cannot be reached ({error})") from None
        except (httpx.HTTPError, httpx.InvalidURL, RuntimeError) as error:
            raise ModelRejected(f"{self._model} cannot be asked ({type(error).__name__}); check the base URL") from None
        if response.status_code != 200:
            raise self._refused(response)
        return self._vectors(response.content, len(requests))

    def _client(self) -> httpx.Client:
        import httpx

        with self._lock:
            if self._made is None:
                self._made = httpx.Client(transport=self._transport)
            return self._made

    def _refused(self, response: httpx.Response) -> Exception:
        status = response.status_code
        told = f"{self._model} answered {status}: {_message(response.content, self._key)}"
        if status in (429, 500, 502, 503, 504):
            return _Later(told, _seconds(response.headers.get("retry-after", "")))
        if status in (401, 403) or "API key" in told:
            return ModelRejected(f"{told}; {KEY_CURE}")
        return ModelRejected(f"{told}; check the model's name (ANAPHOR_EMBED_MODEL) and the base URL")

    def _vectors(self, content: bytes, count: int) -> list[list[float]]:
        try:
            if len(content) > LONGEST_BODY:
                raise ValueError
            told = json.loads(content)["embeddings"]
            vectors = [_unit([float(x) for x in one["values"]]) for one in told]
        except (ValueError, TypeError, LookupError, AttributeError, RecursionError, OverflowError):
            raise ModelRejected(f"{self._model} answered with what are no embeddings; check the base URL") from None
        if len(vectors) != count:
            raise _Later(f"{self._model} gave {len(vectors)} vectors for {count} texts")
        wrong = next((len(vector) for vector in vectors if len(vector) != self.dimensions), None)
        if wrong is not None:
            raise ModelRejected(f"{self._model} gave {wrong} dimensions where {self.dimensions} were asked for")
        return vectors


class _Later(Exception):
    """What may pass by itself; ``after`` seconds, where the server says."""

    def __init__(self, told: str, after: float = 0.0) -> None:
        super().__init__(told)
        self.after = after


def _seconds(written: str) -> float:
    try:
        found = float(written)
    except ValueError:
        return 0.0
    return found if 0 < found < float("inf") else 0.0


def _message(content: bytes, key: str) -> str:
    """What the server says, in one line and without the key."""
    try:
        told = str(json.loads(content[:LONGEST_BODY])["error"]["message"])
    except (ValueError, TypeError, LookupError, RecursionError):
        told = content[:200].decode("utf-8", "replace")
    told = " ".join(told.split())[:300] or "no reason given"
    return told.replace(key, "••••") if key else told


def _unit(vector: list[float]) -> list[float]:
    """The vector with length 1, which shortened ones do not have. One of zeros is given a direction."""
    length = math.sqrt(math.fsum(x * x for x in vector))
    if not vector or not math.isfinite(length):
        raise ValueError("no vector")
    return [x / length for x in vector] if length else [1.0, *vector[1:]]
