"""Finding passages by their terms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from anaphor.adapters.sqlite import lexicon, passages
from anaphor.adapters.sqlite.connection import Database, rows
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
        return passages.hits(self.name, found)

    def refresh(self, limit: int = 256) -> int:  # noqa: ARG002  (all at once, and hardly ever anything)
        """Nothing is ever left to take in. Wipes what replaced versions have left behind in the file."""
        with self._database.write() as connection:
            lexicon.keep_current(connection)
            wiped = lexicon.wipe_the_rest(connection)
        if wiped:
            self._database.forget_deleted()
        return 0


def _allowed(filters: Mapping[str, str] | None) -> tuple[str, tuple[str, ...]]:
    if not filters:
        return "", ()
    documents, bindings = passages.filtered(filters)
    return (
        f"WHERE passage_key IN (SELECT passage_key FROM passages WHERE document_key IN ({documents}))",
        bindings,
    )
