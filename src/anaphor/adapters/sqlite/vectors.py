"""Vectors in memory, so that search is one product; from some size on as codes of one bit a dimension.

Up to ``HELD`` vectors of a kind are held as they are, and search is exact. Of more, only codes are held, 48 bytes a
vector of 384 dimensions: whether each component is above the mean. The vectors that differ from the question in the
fewest bits are then read from the store and compared exactly. Measured on 100,000 vectors of multilingual-e5-small:
of the ten nearest, 99.5% are among the 1,000 so chosen, of the sixty nearest, 97%.

Method: Charikar (2002), "Similarity estimation techniques from rounding algorithms", STOC, with the coordinates as
hyperplanes; the mean is taken off first, since the vectors of these models all lean one way.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import apsw

from anaphor.adapters.sqlite.connection import row, rows
from anaphor.errors import MissingExtra

if TYPE_CHECKING:
    from numpy.typing import NDArray

Array: TypeAlias = "NDArray[Any]"

HELD = 16_384  # vectors of a kind that are held whole: 25 MB of 384 dimensions
CHUNK = 4_096  # vectors read at a time
CANDIDATES = 1_000  # how many of the nearest by their codes are compared exactly, at least


def numpy() -> Any:
    """The module; imported when vectors are first used."""
    try:
        import numpy as np
    except ImportError as error:
        raise MissingExtra("searching vectors needs numpy: pip install 'anaphor[local]'") from error
    return np


@dataclass(frozen=True, slots=True)
class Rows:
    """``vectors`` is (n, dimensions) float32, or ``None`` where there are ``codes``, (dimensions / 64, n) uint64.

    The others are (n,) int64; ``documents`` is 0 for what was said.
    """

    vectors: Array | None
    codes: Array | None
    mean: Array | None
    keys: Array
    passages: Array
    realms: Array
    documents: Array
    as_of: tuple[int, int]  # the newest vector, and how many were ever removed

    def nearest(self, connection: apsw.Connection, allowed: Array, question: Array, most: int) -> tuple[Array, Array]:
        """Passage keys and cosines of the nearest of the rows ``allowed``, ``most`` of them or more, in any order."""
        if self.vectors is not None:
            cosines = self._cosines(allowed, question)
            if len(allowed) > 16 * most:
                best = numpy().argpartition(-cosines, 16 * most)[: 16 * most]
                allowed, cosines = allowed[best], cosines[best]
            return self.passages[allowed], cosines
        chosen = self._alike(allowed, question, max(CANDIDATES, 16 * most))
        keys, vectors = stored(connection, self.keys[chosen].tolist(), len(question))
        return self.passages[numpy().searchsorted(self.keys, keys)], _dot(vectors, question)

    def _cosines(self, allowed: Array, question: Array) -> Any:
        assert self.vectors is not None
        if 2 * len(allowed) > len(self.keys):
            return _dot(self.vectors, question)[allowed]  # cheaper than copying half of the array first
        return _dot(self.vectors[allowed], question)

    def _alike(self, allowed: Array, question: Array, most: int) -> Any:
        """Of those rows, the ones whose codes differ least from the question's."""
        np = numpy()
        if len(allowed) <= most:
            return allowed
        assert self.codes is not None
        codes = self.codes if len(allowed) == len(self.keys) else self.codes[:, allowed]
        differing = np.zeros(len(allowed), np.uint16)
        for part, asked in zip(codes, coded(question[None], self.mean)[:, 0], strict=True):
            differing += np.bitwise_count(part ^ asked)
        return allowed[_least(differing, most)]


def _dot(vectors: Array, question: Array) -> Any:
    """On one core, and for a vector the same beside any others. A product of the whole matrix wakes a thread a core for
    a millisecond's work; they then wait for one another, the longer the more else is going on."""
    return numpy().vecdot(vectors, question)


def _least(numbers: Array, most: int) -> Any:
    """Where the ``most`` smallest of these small whole numbers stand. By counting: several times as fast as to sort."""
    np = numpy()
    last = int(np.searchsorted(np.cumsum(np.bincount(numbers)), most))
    below = np.flatnonzero(numbers < last)
    return np.concatenate([below, np.flatnonzero(numbers == last)[: most - len(below)]])


def coded(vectors: Array, mean: Array | None) -> Any:
    """Codes, a column a vector."""
    np = numpy()
    bits = np.packbits(vectors > mean, axis=1)
    whole = np.zeros((len(vectors), -(-bits.shape[1] // 8) * 8), np.uint8)
    whole[:, : bits.shape[1]] = bits
    return np.ascontiguousarray(whole.view(np.uint64).T)


def stored(connection: apsw.Connection, keys: Sequence[int], dimensions: int) -> tuple[Array, Array]:
    """Those of the vectors that are there, with their keys."""
    np = numpy()
    # Not mapped: a third faster, but then all of the file counts as this process's, 650 MB of 100,000 messages.
    sql = "SELECT vector_key, vector FROM vectors WHERE vector_key IN (SELECT value FROM json_each(?))"
    found = rows(connection, sql, (json.dumps(keys),))
    vectors = np.frombuffer(b"".join([vector for _, vector in found]), np.float32).reshape(-1, dimensions)
    return np.array([key for key, _ in found], np.int64), vectors


class Matrix:
    """One maker's vectors of one kind in memory, brought up to date by what has changed since."""

    def __init__(self, dimensions: int, maker: int, kind: str) -> None:
        np = numpy()
        self._maker, self._kind, self._dimensions = maker, kind, dimensions
        self._lock = threading.Lock()
        self._vectors: Array | None = np.empty((0, dimensions), np.float32)
        self._codes: Array = np.empty((-(-dimensions // 64), 0), np.uint64)
        self._mean: Array | None = None
        self._keys: Array = np.empty((4, 0), np.int64)  # of vector, passage, realm, document
        self._filled = 0
        self._newest = 0
        self._removed = 0

    def current(self, connection: apsw.Connection) -> Rows:
        """As the store is now. Unless it has changed since the last call, that costs two look-ups."""
        newest, removed = row(  # type: ignore[misc]
            connection,
            "SELECT (SELECT coalesce(max(vector_key), 0) FROM vectors), "
            "(SELECT value FROM marks WHERE name = 'vectors_removed')",
        )
        with self._lock:
            # Greater, not different: a thread that still reads an older snapshot must not turn the array back.
            if newest > self._newest:
                for keys, vectors in self._added(connection):
                    self._append(keys, vectors)
                self._newest = newest
            if removed > self._removed:
                self._drop_removed(connection, removed)
            n = self._filled
            keys, passages, realms, documents = self._keys[:, :n]
            as_of = self._newest, self._removed
            if self._vectors is not None:
                return Rows(self._vectors[:n], None, None, keys, passages, realms, documents, as_of)
            return Rows(None, self._codes[:, :n], self._mean, keys, passages, realms, documents, as_of)

    def _added(self, connection: apsw.Connection) -> Iterator[tuple[Array, Array]]:
        """Keys (4, n) and vectors of what is new, piece by piece."""
        np = numpy()
        found = connection.execute(
            "SELECT vector_key, passage_key, realm_key, coalesce(document_key, 0), vector "
            "FROM vectors JOIN passages USING (passage_key) WHERE vector_key > ? AND maker_key = ? AND kind = ? "
            "ORDER BY vector_key",
            (self._newest, self._maker, self._kind),
        )
        while piece := [each for each, _ in zip(found, range(CHUNK), strict=False)]:
            joined = b"".join([vector for *_, vector in piece])
            keys = np.array([key for *key, _ in piece], np.int64).T
            yield keys, np.frombuffer(joined, np.float32).reshape(-1, self._dimensions)

    def _append(self, keys: Array, vectors: Array) -> None:
        begin, end = self._filled, self._filled + keys.shape[1]
        if self._vectors is not None and end > HELD:
            self._mean = (self._vectors[:begin] if begin else vectors).mean(axis=0)
            self._codes, self._vectors = coded(self._vectors[:begin], self._mean), None
        # Twice as much as is needed, so that a turn's few vectors do not copy the array each time. A search that runs
        # in another thread keeps the array it has.
        if end > self._keys.shape[1]:
            self._keys = _wider(self._keys, begin, 2 * end)
        self._keys[:, begin:end] = keys
        if self._vectors is not None:
            if end > len(self._vectors):
                self._vectors = _longer(self._vectors, begin, 2 * end)
            self._vectors[begin:end] = vectors
        else:
            if end > self._codes.shape[1]:
                self._codes = _wider(self._codes, begin, 2 * end)
            self._codes[:, begin:end] = coded(vectors, self._mean)
        self._filled = end

    def _drop_removed(self, connection: apsw.Connection, removed: int) -> None:
        np = numpy()
        sql = "SELECT vector_key FROM vectors WHERE maker_key = ? AND kind = ?"
        present = np.array(rows(connection, sql, (self._maker, self._kind)), np.int64).ravel()
        left = np.isin(self._keys[0, : self._filled], present)
        self._keys = self._keys[:, : self._filled][:, left]
        if self._vectors is not None:
            self._vectors = self._vectors[: self._filled][left]
        else:
            self._codes = np.ascontiguousarray(self._codes[:, : self._filled][:, left])
        self._filled, self._removed = int(left.sum()), removed


def _wider(array: Array, filled: int, columns: int) -> Any:
    made = numpy().empty((array.shape[0], columns), array.dtype)
    made[:, :filled] = array[:, :filled]
    return made


def _longer(array: Array, filled: int, length: int) -> Any:
    made = numpy().empty((length, array.shape[1]), array.dtype)
    made[:filled] = array[:filled]
    return made
