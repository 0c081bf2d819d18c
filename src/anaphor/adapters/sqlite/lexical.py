"""Finding passages by their terms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import apsw

from anaphor.adapters.sqlite import lexicon, passages, postings
from anaphor.adapters.sqlite.connection import Database, rows
from anaphor.adapters.sqlite.postings import Postings
from anaphor.text.weigh import weigh
from anaphor.types import Hit, Scope, Sources, StandaloneQuery


class LexicalIndex:
    """``ports.Index`` by BM25 over weighted terms; kept up to date by the transactions that store the passages."""

    name = "bm25"

    def __init__(self, database: Database) -> None:
        self._database = database
        self._postings: Postings | None = None

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
        if limit < 1 or not weights:
            return []
        with self._database.read() as connection:
            realms = passages.readable(connection, scope, sources)
            best = self._in_memory if postings.worth_it(connection) else _in_sqlite
            return passages.hits(self.name, best(connection, weights, realms, filters, limit))

    def _in_memory(self, connection: apsw.Connection, *how: Any) -> list[tuple[Any, ...]]:
        """Score and columns of the best, by posting lists that are kept."""
        weights, realms, filters, limit = how
        if self._postings is None:
            self._postings = Postings()
        sql, wanted = _allowed(filters)
        allowed = [key for (key,) in rows(connection, sql, wanted)] if sql else None
        return passages.with_columns(connection, self._postings.best(connection, weights, realms, allowed, limit))

    def refresh(self, limit: int = 256) -> int:  # noqa: ARG002  (all at once, and hardly ever anything)
        """Nothing is ever left to take in. Wipes what replaced versions have left behind in the file."""
        with self._database.write() as connection:
            lexicon.keep_current(connection)
            wiped = lexicon.wipe_the_rest(connection)
        if wiped:
            self._database.forget_deleted()
        return 0


def _in_sqlite(
    connection: apsw.Connection,
    weights: Mapping[str, float],
    realms: Mapping[int, int],
    filters: Mapping[str, str] | None,
    limit: int,
) -> list[tuple[Any, ...]]:
    """The same by FTS5's own ranks."""
    scored, bindings = lexicon.ranked(connection, weights, realms)
    if not scored:
        return []
    sql, wanted = _allowed(filters)
    among = f"WHERE passage_key IN ({sql})" if sql else ""
    best = (
        f"SELECT passage_key, sum(score) AS score FROM ({scored}) {among} "
        "GROUP BY passage_key ORDER BY score DESC, passage_key LIMIT ?"
    )
    return rows(
        connection,
        f"SELECT score, {passages.COLUMNS} FROM ({best}) JOIN passages USING (passage_key) "
        "ORDER BY score DESC, passage_key",
        (*bindings, *wanted, limit),
    )


def _allowed(filters: Mapping[str, str] | None) -> tuple[str, tuple[str, ...]]:
    """A SELECT of the keys of the passages that satisfy the filters; empty without any."""
    if not filters:
        return "", ()
    documents, bindings = passages.filtered(filters)
    return f"SELECT passage_key FROM passages WHERE document_key IN ({documents})", bindings
