"""Searching what is kept and, from an ephemeral session, what was said in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from anaphor.adapters.ephemeral.talking import Both, Erasure, Sessions
from anaphor.store import Store
from anaphor.stored import Entry, Put
from anaphor.types import Document, Hit, Passage, Scope, Sources, StandaloneQuery


class Lexical(Both):
    """``ports.Index``, by words."""

    @property
    def name(self) -> str:
        return self._kept.lexical.name

    def search(
        self,
        scope: Scope,
        query: StandaloneQuery,
        *,
        sources: Sources = Sources.DOCUMENTS,
        filters: Mapping[str, str] | None = None,
        limit: int = 60,
    ) -> Sequence[Hit]:
        kept = self._kept.lexical.search(scope, query, sources=sources, filters=filters, limit=limit)
        if not self.here(scope) or sources is Sources.DOCUMENTS:
            return kept
        # Other sessions of the same person stand there too.
        said = self._passing.lexical.search(scope, query, sources=Sources.MEMORY, filters=filters, limit=10_000)
        here = [hit for hit in said if hit.passage.source == scope.session]
        best = sorted([*here, *kept], key=lambda hit: -hit.score)[:limit]
        return [replace(hit, rank=n, ranks={self.name: n}) for n, hit in enumerate(best, 1)]

    def refresh(self, limit: int = 256) -> int:
        return self._kept.lexical.refresh(limit)


class Documents(Both):
    """``ports.Documents``: all are kept; passages may also be what was said in the scope's own session."""

    def __init__(self, kept: Store, passing: Store, sessions: Sessions, erasure: Erasure) -> None:
        super().__init__(kept, passing, sessions)
        self._erasure = erasure

    def put(self, scope: Scope, document: Document, passages: Sequence[Passage]) -> bool:
        return self._kept.documents.put(scope, document, passages)

    def put_all(self, scope: Scope, entries: Sequence[Entry]) -> Sequence[Put]:
        return self._kept.documents.put_all(scope, entries)

    def list(self, scope: Scope) -> Sequence[Document]:
        return self._kept.documents.list(scope)

    def get(self, scope: Scope, id_or_source: str) -> Document:
        return self._kept.documents.get(scope, id_or_source)

    def delete(self, scope: Scope, id_or_source: str) -> None:
        self._erasure.document(scope, id_or_source)

    def delete_all(self, scope: Scope, document_ids: Sequence[str]) -> int:
        return self._erasure.documents(scope, document_ids).documents

    def passages(self, scope: Scope, passage_ids: Sequence[str]) -> Mapping[str, Passage]:
        found = self._kept.documents.passages(scope, passage_ids)
        if not self.here(scope):
            return found
        here = self._passing.documents.passages(scope, passage_ids)
        return {**found, **{key: told for key, told in here.items() if told.source == scope.session}}

    def around(self, scope: Scope, passage_ids: Sequence[str], reach: int = 1) -> Mapping[str, Sequence[Passage]]:
        found = self._kept.documents.around(scope, passage_ids, reach)
        if not self.here(scope):
            return found
        here = self._passing.documents.around(scope, passage_ids, reach)
        return {**found, **{key: said for key, said in here.items() if said[0].source == scope.session}}
