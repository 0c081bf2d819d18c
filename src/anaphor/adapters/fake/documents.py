"""What was ingested, in memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from anaphor.adapters.fake.audit import digest, record
from anaphor.adapters.fake.facts import words_of
from anaphor.adapters.fake.state import Realm, State, StoredPassage, cut, may_read
from anaphor.errors import BadInput, UnknownDocument
from anaphor.store import Erasure
from anaphor.stored import Entry, Put
from anaphor.text.fold import clean
from anaphor.types import Document, Passage, Scope, Sources


class Documents:
    """``ports.Documents``."""

    def __init__(self, state: State, erasure: Erasure) -> None:
        self._state = state
        self._erasure = erasure

    def put(self, scope: Scope, document: Document, passages: Sequence[Passage]) -> bool:
        return self.put_all(scope, [Entry(document, passages)])[0] is Put.STORED

    def put_all(self, scope: Scope, entries: Sequence[Entry]) -> Sequence[Put]:
        for entry in entries:
            _refuse_foreign(scope, entry.document)
        with self._state.lock:
            cut = [self._cut(scope, entry) for entry in entries]
            put = [self._put(entry, *made) for entry, made in zip(entries, cut, strict=True)]
            stored = [
                entry.document.document_id for entry, what in zip(entries, put, strict=True) if what is Put.STORED
            ]
            if stored:
                ids = " ".join(digest("id", document_id) for document_id in stored)
                record(self._state, scope, "change", "document", ids, len(stored))
            return put

    def _cut(self, scope: Scope, entry: Entry) -> tuple[Realm, Document, list[StoredPassage]]:
        document = entry.document
        realm = (scope.tenant, "documents", document.owner, document.collection)
        home = replace(
            document,
            text=clean(document.text),
            metadata=dict(document.metadata),
            ingested_at=document.ingested_at or self._state.clock(),
        )
        told = [replace(p, language=document.language) if p.language == "und" else p for p in entry.passages]
        return realm, home, cut(told, realm, home)

    def _put(self, entry: Entry, realm: Realm, home: Document, made: list[StoredPassage]) -> Put:
        earlier = self._state.documents.get((realm, home.source))
        if earlier and earlier.version == home.version:
            return Put.SAME
        if entry.instead_of is not None and (earlier.version if earlier else "") != entry.instead_of:
            return Put.OTHER
        if earlier:
            self._state.remove(earlier)
        self._state.documents[realm, home.source] = home
        self._state.add(made)
        return Put.STORED

    def list(self, scope: Scope) -> Sequence[Document]:
        return [replace(document, text="") for _, document in self._readable(scope)]

    def get(self, scope: Scope, id_or_source: str) -> Document:
        return self._named(scope, id_or_source)[0][1]

    def delete(self, scope: Scope, id_or_source: str) -> None:
        self._erasure.document(scope, id_or_source)

    def delete_all(self, scope: Scope, document_ids: Sequence[str]) -> int:
        return self._erasure.documents(scope, document_ids).documents

    def passages(self, scope: Scope, passage_ids: Sequence[str]) -> Mapping[str, Passage]:
        wanted = set(passage_ids)
        readable = self._state.readable(scope, Sources.BOTH)
        found = {p.passage_id: p for p in list(readable.values())[::-1] if p.passage_id in wanted}
        return found | words_of(self._state, scope, [name for name in passage_ids if "@" in name])

    def around(self, scope: Scope, passage_ids: Sequence[str], reach: int = 1) -> Mapping[str, Sequence[Passage]]:
        sessions: dict[str, list[Passage]] = {}
        for passage in self._state.readable(scope, Sources.MEMORY).values():
            sessions.setdefault(passage.source, []).append(passage)
        wanted = set(passage_ids)
        return {
            passage.passage_id: said[max(0, at - reach) : at + reach + 1]
            for said in sessions.values()
            for at, passage in enumerate(said)
            if passage.passage_id in wanted
        }

    def _readable(self, scope: Scope) -> Sequence[tuple[Realm, Document]]:
        with self._state.lock:
            mine = [
                (realm, document)
                for (realm, _), document in self._state.documents.items()
                if may_read(scope, realm, Sources.DOCUMENTS)
            ]
        return sorted(mine, key=lambda found: (found[1].source, found[1].owner == "", found[1].collection))

    def _named(self, scope: Scope, id_or_source: str) -> Sequence[tuple[Realm, Document]]:
        """All that have that id, else all from that source, the user's own first."""
        mine = self._readable(scope)
        found = [f for f in mine if f[1].document_id == id_or_source] or [
            f for f in mine if f[1].source == id_or_source
        ]
        if not found:
            raise UnknownDocument(f"no document {clean(id_or_source)!r} that this user may read")
        return found


def _refuse_foreign(scope: Scope, document: Document) -> None:
    if document.owner not in ("", scope.user):
        raise BadInput(f"user {scope.user!r} cannot store a document private to {document.owner!r}")
    if document.collection not in scope.collections:
        allowed = ", ".join(sorted(scope.collections)) or "none"
        raise BadInput(f"collection {document.collection!r} is not among those of the scope: {allowed}")
