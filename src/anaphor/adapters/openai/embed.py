"""``Embedder`` over the embeddings protocol of OpenAI and the servers that speak it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any, Unpack

from anaphor.adapters.openai.decoded import decoded
from anaphor.adapters.openai.endpoint import Endpoint, Waiting
from anaphor.adapters.openai.failures import URL_CURE, Refused, TryAgain
from anaphor.adapters.openai.incoming import Deadline
from anaphor.errors import ModelRejected, ModelUnavailable
from anaphor.text.fold import clean

OPENAI = "https://api.openai.com/v1"
LONGEST = 8000  # characters of a text; more than any passage, and what most models read of it
LONGEST_VECTOR = 256 * 1024  # bytes of one vector as JSON; 3,072 numbers are about 70 KiB
LONGEST_BODY = 1024 * 1024  # bytes of a response beside its vectors
_TOO_LONG = (
    "too long",
    "too large",
    "too many",
    "context length",
    "context size",
    "maximum",
    "max_tokens",
    "batch size",
)


class OpenAIEmbedder:
    """``model`` on the server at ``base_url``, asked for ``batch`` texts at a time; ``timeout`` seconds a batch.

    ``dimensions`` asks for shorter vectors where the model can give them; without it the length is what comes. The
    prefixes are for models that tell queries from passages by them (E5: ``"query: "`` and ``"passage: "``). How the
    server is waited for: see ``Endpoint``.
    """

    def __init__(
        self,
        model: str,
        base_url: str = OPENAI,
        api_key: str = "",
        dimensions: int | None = None,
        *,
        name: str | None = None,
        query_prefix: str = "",
        passage_prefix: str = "",
        batch: int = 64,
        timeout: float = 60.0,
        **waiting: Unpack[Waiting],
    ) -> None:
        self._model = model
        self._asked_dimensions = dimensions
        self._dimensions = dimensions
        self._prefixes = {True: query_prefix, False: passage_prefix}
        self._batch = batch
        self._timeout = timeout
        self.name = name or _name(model, dimensions, query_prefix, passage_prefix)
        self._endpoint = Endpoint(model, base_url, api_key, **waiting)

    def __repr__(self) -> str:
        return f"OpenAIEmbedder({self._model!r}, {self._endpoint.address!r})"

    def close(self) -> None:
        """Close the connections that are kept open for the next request."""
        self._endpoint.close()

    @property
    def dimensions(self) -> int:
        """As asked for, else as the server's vectors turn out to be: the first time this costs a request."""
        if self._dimensions is None:
            self.embed(["dimensions"], query=False)
        assert self._dimensions is not None
        return self._dimensions

    def embed(self, texts: Sequence[str], *, query: bool) -> list[list[float]]:
        """Raises ``ModelError``. A text that the server finds too long is shortened until it is not."""
        prefix = self._prefixes[query]
        # "." for nothing: most servers refuse an empty text, and every text has a vector.
        written = [prefix + (clean(text).strip()[:LONGEST] or ".") for text in texts]
        vectors: list[list[float]] = []
        for start in range(0, len(written), self._batch):
            vectors += self._shortened(written[start : start + self._batch])
        return vectors

    def _shortened(self, texts: list[str]) -> list[list[float]]:
        deadline = self._endpoint.deadline(self._timeout)
        try:
            return list(self._endpoint.persistently(lambda: self._attempt(texts, deadline), deadline))
        except _TooLong as too_long:
            if len(texts) > 1:
                middle = len(texts) // 2
                return self._shortened(texts[:middle]) + self._shortened(texts[middle:])
            if len(texts[0]) < 2:
                raise ModelRejected(str(too_long)) from None
            return self._shortened([texts[0][: len(texts[0]) // 2]])

    def _attempt(self, texts: list[str], deadline: Deadline) -> Iterator[list[float]]:
        body: dict[str, Any] = {"model": self._model, "input": texts}
        if self._asked_dimensions is not None:
            body["dimensions"] = self._asked_dimensions
        try:
            with self._endpoint.post("/embeddings", body, deadline) as incoming:
                read = incoming.read(LONGEST_BODY + LONGEST_VECTOR * len(texts))
        except Refused as refused:
            said = refused.refusal.message.lower()
            if refused.refusal.status in (400, 413, 422, 500) and any(word in said for word in _TOO_LONG):
                raise _TooLong(f"{self._endpoint.who} rejected the request: {refused.refusal.message}") from None
            raise
        yield from self._vectors(read, len(texts))

    def _vectors(self, read: bytes, count: int) -> list[list[float]]:
        try:
            data = decoded(read)["data"]
            order = sorted(range(len(data)), key=lambda place: int(data[place].get("index", place)))
            vectors = [_unit([float(x) for x in data[place]["embedding"]]) for place in order]
        except (ValueError, TypeError, LookupError, AttributeError, ArithmeticError):
            raise ModelRejected(f"{self._endpoint.who} answered with what are no embeddings; {URL_CURE}") from None
        if len(vectors) != count:
            raise TryAgain(ModelUnavailable(f"{self._endpoint.who} gave {len(vectors)} vectors for {count} texts"))
        expected = self._dimensions or len(vectors[0])
        for vector in vectors:
            if len(vector) != expected:
                raise ModelRejected(
                    f"{self._endpoint.who} gave {len(vector)} dimensions where {expected} were expected; "
                    "leave dimensions unset for a model whose vectors cannot be shortened"
                )
        self._dimensions = expected
        return vectors


class _TooLong(ModelRejected):
    """The server will not take so much text at once."""


def _name(model: str, dimensions: int | None, query_prefix: str, passage_prefix: str) -> str:
    """Whatever changes the vectors is in the name."""
    shortened = f"/{dimensions}" if dimensions else ""
    prefixed = f" ({query_prefix!r}, {passage_prefix!r})" if query_prefix or passage_prefix else ""
    return f"openai/{model}{shortened}{prefixed}"


def _unit(vector: list[float]) -> list[float]:
    """The vector with length 1. One that is all zeros points nowhere: it is given a direction."""
    length = math.sqrt(math.fsum(x * x for x in vector))
    if not vector or not math.isfinite(length):
        raise ValueError("no vector")
    if length == 0:
        return [1.0, *vector[1:]]
    return [x / length for x in vector]
