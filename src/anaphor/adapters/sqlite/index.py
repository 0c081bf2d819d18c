"""Two ways of finding passages: by their terms, and by their vectors."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping, Sequence
from typing import Any

import apsw

from anaphor.adapters.sqlite import lexicon, passages
from anaphor.adapters.sqlite.connection import Database, rows, value
from anaphor.adapters.sqlite.vectors import Matrix, Rows, numpy
from anaphor.errors import WrongEmbedder
from anaphor.ports import Embedder
from anaphor.text.weigh import weigh
from anaphor.types import Hit, Scope, Sources, StandaloneQuery


class LexicalIndex:
    """``ports.Index`` by BM25 over weighted terms; kept up to date by the transactions that store the passages."""

    name = "bm25"

    def __init__(self, database: Database) -> None:
        self._database = database

    def search(
        self,
        scope: Scope,
        query: StandaloneQuery,
        *,
        sources: Sources = Sources.DOCUMENTS,
        filters: Mapping[str, str] | None = None,
        limit: int = 60,
    ) -> Sequence[Hit]:
        weights = weigh(query)
        with self._database.read() as connection:
            current = lexicon.is_current(connection)
        if not current:
            self.refresh()
        with self._database.read() as connection:
            realms = passages.readable(connection, scope, sources)
            scored, bindings = lexicon.ranked(connection, weights, realms)
            if not scored or limit < 1:
                return []
            allowed, wanted = _allowed(filters)
            best = (
                f"SELECT passage_key, sum(score) AS score FROM ({scored}) {allowed} "
                "GROUP BY passage_key ORDER BY score DESC, passage_key LIMIT ?"
            )
            found = rows(
                connection,
                f"SELECT score, {passages.COLUMNS} FROM ({best}) JOIN passages USING (passage_key) "
                "ORDER BY score DESC, passage_key",
                (*bindings, *wanted, limit),
            )
        return _hits(self.name, found)

    def refresh(self, limit: int = 256) -> int:  # noqa: ARG002  (all at once, and hardly ever anything)
        """Nothing is ever left to take in. Wipes what replaced versions have left behind in the file."""
        with self._database.write() as connection:
            lexicon.keep_current(connection)
            wiped = lexicon.wipe_the_rest(connection)
        if wiped:
            self._database.forget_deleted()
        return 0


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
            self._refuse_foreign_vectors(connection)
            vectors = self._vectors().current(connection)
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
        return _hits(self.name, ordered)

    def refresh(self, limit: int = 256) -> int:
        with self._database.read() as connection:
            self._refuse_foreign_vectors(connection)
            waiting = rows(
                connection,
                "SELECT passage_key, title, section, text FROM unembedded JOIN passages USING (passage_key) "
                "ORDER BY passage_key LIMIT ?",
                (max(0, limit),),
            )
        made = self._embed([embedded_text(title, section, text) for _, title, section, text in waiting])
        with self._database.write() as connection:
            if waiting:
                self._refuse_foreign_vectors(connection)
                self._sign(connection)
                # Only where it is still wanted: meanwhile the passage may be gone, or embedded by another process.
                connection.executemany(
                    "INSERT INTO vectors (passage_key, vector) SELECT passage_key, ? FROM unembedded "
                    "WHERE passage_key = ?",
                    ((vector, key) for vector, (key, *_) in zip(made, waiting, strict=True)),
                )
                connection.executemany("DELETE FROM unembedded WHERE passage_key = ?", ((key,) for key, *_ in waiting))
            return int(value(connection, "SELECT count(*) FROM unembedded"))

    def _embed(self, texts: Sequence[str]) -> list[bytes]:
        np = numpy()
        if not texts:
            return []
        made = np.asarray(self._embedder.embed(texts, query=False), dtype=np.float32)
        if made.shape != (len(texts), self._embedder.dimensions):
            raise WrongEmbedder(
                f"embedder {self._embedder.name!r} says {self._embedder.dimensions} dimensions and made an array of "
                f"{made.shape} for {len(texts)} texts"
            )
        return [vector.tobytes() for vector in made]

    def _vectors(self) -> Matrix:
        with self._lock:
            if self._matrix is None:
                self._matrix = Matrix(self._embedder.dimensions)
            return self._matrix

    def _refuse_foreign_vectors(self, connection: apsw.Connection) -> None:
        stored = embedder(connection)
        ours = (self._embedder.name, self._embedder.dimensions)
        if stored and stored != ours:
            raise WrongEmbedder(
                f"the store holds {stored[1]}-dimensional vectors of {stored[0]!r}, and {ours[0]!r} makes "
                f"{ours[1]}-dimensional ones: use {stored[0]!r}, or embed again with anaphor rebuild --embeddings"
            )

    def _sign(self, connection: apsw.Connection) -> None:
        made_by = json.dumps({"name": self._embedder.name, "dimensions": self._embedder.dimensions})
        connection.execute("INSERT OR IGNORE INTO marks VALUES ('embedder', ?)", (made_by,))


def embedder(connection: apsw.Connection) -> tuple[str, int] | None:
    """Name and dimensions of what made the stored vectors; ``None`` while there are none."""
    told = value(connection, "SELECT value FROM marks WHERE name = 'embedder'")
    if not told:
        return None
    made_by = json.loads(told)
    return str(made_by["name"]), int(made_by["dimensions"])


def drop_vectors(connection: apsw.Connection) -> None:
    """Back to where nothing is embedded, by whatever embedder comes next. Inside a write."""
    connection.execute("DELETE FROM vectors")
    connection.execute("DELETE FROM marks WHERE name = 'embedder'")
    connection.execute("INSERT OR IGNORE INTO unembedded SELECT passage_key FROM passages")


def embedded_text(title: str, section: str, text: str) -> str:
    return "\n".join(part for part in (title, section, text) if part)


def _allowed(filters: Mapping[str, str] | None) -> tuple[str, tuple[str, ...]]:
    if not filters:
        return "", ()
    documents, bindings = passages.filtered(filters)
    return (
        f"WHERE passage_key IN (SELECT passage_key FROM passages WHERE document_key IN ({documents}))",
        bindings,
    )


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


def _hits(name: str, found: Sequence[Sequence[Any]]) -> list[Hit]:
    return [
        Hit(passages.passage(columns), float(score), rank, {name: rank})
        for rank, (score, *columns) in enumerate(found, 1)
    ]
