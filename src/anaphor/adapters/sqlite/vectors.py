"""Every vector of the store in one array, so that exact search is one product."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import apsw

from anaphor.adapters.sqlite.connection import row, rows
from anaphor.errors import MissingExtra

if TYPE_CHECKING:
    from numpy.typing import NDArray


def numpy() -> Any:
    """The module; imported when vectors are first used."""
    try:
        import numpy as np
    except ImportError as error:
        raise MissingExtra("searching vectors needs numpy: pip install 'anaphor[local]'") from error
    return np


@dataclass(frozen=True, slots=True)
class Rows:
    """``vectors`` is (n, dimensions) float32; the others are (n,) int64. ``documents`` is 0 for what was said."""

    vectors: NDArray[Any]
    passages: NDArray[Any]
    realms: NDArray[Any]
    documents: NDArray[Any]


class Matrix:
    """One maker's vectors of one kind in memory, brought up to date by what has changed since."""

    def __init__(self, dimensions: int, maker: int, kind: str = "passage") -> None:
        np = numpy()
        self.maker = maker
        self._kind = kind
        self._lock = threading.Lock()
        self._vectors = np.empty((0, dimensions), np.float32)
        self._keys = np.empty((4, 0), np.int64)  # of vector, passage, realm, document
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
                self._append(connection)
                self._newest = newest
            if removed > self._removed:
                self._drop_removed(connection, removed)
            keys = self._keys[:, : self._filled]
            return Rows(self._vectors[: self._filled], keys[1], keys[2], keys[3])

    def _append(self, connection: apsw.Connection) -> None:
        np = numpy()
        found = rows(
            connection,
            "SELECT vector_key, passage_key, realm_key, coalesce(document_key, 0), vector "
            "FROM vectors JOIN passages USING (passage_key) WHERE vector_key > ? AND maker_key = ? AND kind = ? "
            "ORDER BY vector_key",
            (self._newest, self.maker, self._kind),
        )
        begin, end = self._filled, self._filled + len(found)
        if end > len(self._vectors):
            # Twice as much as is needed, so that a turn's few vectors do not copy the array each time. A search that
            # runs in another thread keeps the array it has.
            vectors = np.empty((2 * end, self._vectors.shape[1]), np.float32)
            keys = np.empty((4, 2 * end), np.int64)
            vectors[:begin], keys[:, :begin] = self._vectors[:begin], self._keys[:, :begin]
            self._vectors, self._keys = vectors, keys
        for i, (*key, vector) in enumerate(found, begin):
            self._keys[:, i] = key
            self._vectors[i] = np.frombuffer(vector, np.float32)
        self._filled = end

    def _drop_removed(self, connection: apsw.Connection, removed: int) -> None:
        np = numpy()
        present = np.array(rows(connection, "SELECT vector_key FROM vectors"), np.int64).ravel()
        left = np.isin(self._keys[0, : self._filled], present)
        self._vectors = self._vectors[: self._filled][left]
        self._keys = self._keys[:, : self._filled][:, left]
        self._filled, self._removed = len(self._vectors), removed
