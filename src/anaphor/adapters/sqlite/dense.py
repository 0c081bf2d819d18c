"""Finding passages by their vectors."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from typing import Any

import apsw

from anaphor.adapters.sqlite import embedding, passages
from anaphor.adapters.sqlite.connection import Database, rows
from anaphor.adapters.sqlite.vectors import Matrix, Rows, numpy
from anaphor.ports import Embedder
from anaphor.text.weigh import weigh
from anaphor.types import Hit, Scope, Sources, StandaloneQuery


class DenseIndex:
    """``ports.Index`` by the cosine of vectors, exact. ``refresh`` embeds what is stored but not yet embedded."""

    name = "dense"

    def __init__(self, database: Database, embedder: Embedder) -> None:
        numpy()
        self._database = database
        self._embedder = embedder
        self._matrix: Matrix | None = None
        self._lock = threading.Lock()

    def search(
        self,
        scope: Scope,
        query: StandaloneQuery,
        *,
        sources: Sources = Sources.DOCUMENTS,
        filters: Mapping[str, str] | None = None,
        limit: int = 60,
    ) -> Sequence[Hit]:
        if limit < 1 or not weigh(StandaloneQuery(query.text, query.decision, query.confidence, query.language)):
            return []
        with self._database.read() as connection:
            maker = embedding.searched(connection, self._embedder)
            if maker is None:
                return []
            vectors = self._vectors(maker).current(connection)
            mask = _mask(connection, vectors, scope, sources, filters)
        if not mask.any():
            return []
        keys, scores = _nearest(vectors, mask, self._embedder.embed([query.text], query=True)[0], limit)
        with self._database.read() as connection:
            found = rows(
                connection,
                f"SELECT passage_key, {passages.COLUMNS} FROM passages "
                "WHERE passage_key IN (SELECT value FROM json_each(?))",
                (passages.among(keys),),
            )
        columns = {key: rest for key, *rest in found}
        # A passage deleted since the array was looked at is not there any more.
        ordered = [(score, *columns[key]) for key, score in zip(keys, scores, strict=True) if key in columns]
        return passages.hits(self.name, ordered)

    def refresh(self, limit: int = 256) -> int:
        return embedding.refresh(self._database, self._embedder, limit)

    def waiting(self) -> int:
        with self._database.read() as connection:
            return embedding.left(connection, self._embedder)

    def begin_anew(self) -> None:
        with self._database.write() as connection:
            embedding.begin_anew(connection, self._embedder)

    def _vectors(self, maker: int) -> Matrix:
        with self._lock:
            if self._matrix is None or self._matrix.maker != maker:
                self._matrix = Matrix(self._embedder.dimensions, maker)
            return self._matrix


def _mask(
    connection: apsw.Connection,
    vectors: Rows,
    scope: Scope,
    sources: Sources,
    filters: Mapping[str, str] | None,
) -> Any:
    np = numpy()
    mask = np.isin(vectors.realms, list(passages.readable(connection, scope, sources)))
    if filters:
        sql, bindings = passages.filtered(filters)
        mask &= np.isin(vectors.documents, [key for (key,) in rows(connection, sql, bindings)])
    return mask


def _nearest(vectors: Rows, mask: Any, asked: Sequence[float], limit: int) -> tuple[list[int], list[float]]:
    """Passage keys and scores of the best that the mask allows. The score is (1 + cosine) / 2: positive, same order."""
    np = numpy()
    question = np.asarray(asked, np.float32)
    allowed = np.flatnonzero(mask)
    if 2 * len(allowed) > len(mask):
        cosines = (vectors.vectors @ question)[allowed]  # cheaper than copying half of the array first
    else:
        cosines = vectors.vectors[allowed] @ question
    if len(allowed) > limit:
        best = np.argpartition(-cosines, limit - 1)[:limit]
        allowed, cosines = allowed[best], cosines[best]
    order = np.lexsort((vectors.passages[allowed], -cosines))
    return vectors.passages[allowed][order].tolist(), ((1 + cosines[order]) / 2).tolist()
