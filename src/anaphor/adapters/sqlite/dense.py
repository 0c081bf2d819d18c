"""Finding passages by their vectors: by the vector of the whole, or by that of its best sentence."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import apsw

from anaphor.adapters.sqlite import embedding, passages
from anaphor.adapters.sqlite.connection import Database, rows
from anaphor.adapters.sqlite.embedding import PASSAGE, SENTENCE
from anaphor.adapters.sqlite.vectors import Matrix, Rows, numpy
from anaphor.ports import Embedder
from anaphor.text.weigh import weigh
from anaphor.types import Hit, Scope, Sources, StandaloneQuery

REMEMBERED = 16  # vectors of the last questions: each index of a turn asks for the same one


@dataclass(frozen=True, slots=True)
class Look:
    """What is near ``text``, among what that scope may read."""

    text: str
    scope: Scope
    sources: Sources
    filters: Mapping[str, str]
    limit: int


class Space:
    """One embedder's vectors of a store in memory, shared by the indexes that search them."""

    def __init__(self, database: Database, embedder: Embedder) -> None:
        numpy()
        self.database = database
        self.embedder = embedder
        self._matrices: dict[tuple[int, str], Matrix] = {}
        self._questions: OrderedDict[str, Any] = OrderedDict()
        self._last: tuple[Any, tuple[Any, Any]] | None = None  # what was asked of the whole passages, and what was near
        self._last_realms: dict[tuple[int, str], tuple[Any, Any]] = {}
        self._lock = threading.Lock()

    def rows(self, connection: apsw.Connection, maker: int, kind: str) -> Rows:
        """That maker's vectors of that kind, as the store is now."""
        with self._lock:
            if any(known != maker for known, _ in self._matrices):
                self._matrices.clear()
                self._last_realms.clear()
            key = maker, kind
            if key not in self._matrices:
                self._matrices[key] = Matrix(self.embedder.dimensions, maker, kind)
            matrix = self._matrices[key]
        return matrix.current(connection)

    def nearest(self, connection: apsw.Connection, maker: int, kind: str, look: Look) -> tuple[Any, Any]:
        """Passage keys and cosines of the nearest. The indexes of a turn ask one after the other for the same ones."""
        np = numpy()
        vectors = self.rows(connection, maker, kind)
        realms = passages.readable(connection, look.scope, look.sources)
        asked = (maker, kind, vectors.as_of, look.text, tuple(realms), tuple(sorted(look.filters.items())), look.limit)
        with self._lock:
            last = self._last
        if last and last[0] == asked:
            return last[1]
        allowed = self._readable(vectors, maker, kind, tuple(realms))
        if look.filters:
            sql, bindings = passages.filtered(look.filters)
            those = [key for (key,) in rows(connection, sql, bindings)]
            allowed = allowed[np.isin(vectors.documents[allowed], those)]
        found = vectors.nearest(connection, allowed, self.question(look.text), look.limit)
        if kind == PASSAGE:
            with self._lock:
                self._last = asked, found
        return found

    def _readable(self, vectors: Rows, maker: int, kind: str, realms: tuple[int, ...]) -> Any:
        """Places of the rows of those realms; kept for whoever asks next, most often the same person."""
        asked = vectors.as_of, realms
        known = self._last_realms.get((maker, kind))
        if known and known[0] == asked:
            return known[1]
        found = numpy().flatnonzero(numpy().isin(vectors.realms, list(realms)))
        self._last_realms[maker, kind] = asked, found
        return found

    def question(self, text: str) -> Any:
        """The vector of a question, made once."""
        with self._lock:
            known = self._questions.get(text)
        if known is None:
            known = numpy().asarray(self.embedder.embed([text], query=True)[0], numpy().float32)
            with self._lock:
                self._questions[text] = known
                while len(self._questions) > REMEMBERED:
                    self._questions.popitem(last=False)
        return known


class DenseIndex:
    """``ports.VectorIndex`` by the cosine of whole passages. ``refresh`` embeds what is stored and not yet embedded."""

    name = "dense"
    kinds: tuple[str, ...] = (PASSAGE,)

    def __init__(self, space: Space) -> None:
        self._space = space
        self._database, self._embedder = space.database, space.embedder

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
            if embedding.searched(connection, self._embedder) is None:
                return []
        self._space.question(query.text)  # made while nothing is being read
        look = Look(query.text, scope, sources, filters or {}, limit)
        with self._database.read() as connection:
            maker = embedding.searched(connection, self._embedder)
            if maker is None:
                return []
            found = [self._space.nearest(connection, maker, kind, look) for kind in self.kinds]
            return passages.hits(self.name, _best(connection, found, limit))

    def refresh(self, limit: int = 256) -> int:
        return embedding.refresh(self._database, self._embedder, limit)

    def waiting(self) -> int:
        with self._database.read() as connection:
            return embedding.left(connection, self._embedder)

    def begin_anew(self) -> None:
        with self._database.write() as connection:
            embedding.begin_anew(connection, self._embedder)


class SentenceIndex(DenseIndex):
    """The same by the best sentence: half a sentence in passing is far from the vector of the long message around it.

    A passage without vectors of its sentences (it is one sentence, or they are still to be made) counts as a whole.
    """

    name = "sentence"
    kinds = (PASSAGE, SENTENCE)


def _best(connection: apsw.Connection, found: Sequence[tuple[Any, Any]], limit: int) -> list[tuple[Any, ...]]:
    """Score and columns of the passages with the nearest vectors. The score is (1 + cosine) / 2: never negative."""
    np = numpy()
    keys, cosines = (np.concatenate(parts) for parts in zip(*found, strict=True))
    order = np.lexsort((keys, -cosines))
    _, first = np.unique(keys[order], return_index=True)  # of several vectors of a passage the nearest
    chosen = order[np.sort(first)[:limit]]
    scores = ((1 + cosines[chosen]) / 2).tolist()
    return passages.with_columns(connection, zip(keys[chosen].tolist(), scores, strict=True))
