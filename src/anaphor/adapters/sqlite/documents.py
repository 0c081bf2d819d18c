"""What was ingested."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from operator import itemgetter
from typing import Any

import apsw

from anaphor.adapters.sqlite import audit
from anaphor.adapters.sqlite.connection import Database, row, rows
from anaphor.adapters.sqlite.facts import words_of
from anaphor.adapters.sqlite.lexicon import Terms
from anaphor.adapters.sqlite.passages import (
    COLUMNS,
    among,
    passage,
    readable,
    realm,
    remove_passages,
    store_passages,
    terms_of,
)
from anaphor.errors import BadInput, UnknownDocument
from anaphor.ports import Clock
from anaphor.store import Erasure
from anaphor.stored import Entry, Put
from anaphor.text.fold import clean
from anaphor.types import Document, Passage, Scope, Sources

_COLUMNS = "document_key, document_id, source, version, title, collection, owner, language, ingested_at"


class Documents:
    """``ports.Documents``. A document is one source in one collection of one owner; another version takes its place."""

    def __init__(self, database: Database, clock: Clock, erasure: Erasure) -> None:
        self._database = database
        self._clock = clock
        self._erasure = erasure

    def put(self, scope: Scope, document: Document, passages: Sequence[Passage]) -> bool:
        return self.put_all(scope, [Entry(document, passages)])[0] is Put.STORED

    def put_all(self, scope: Scope, entries: Sequence[Entry]) -> Sequence[Put]:
        for entry in entries:
            _refuse_foreign(scope, entry.document)
        with self._database.read() as connection:
            settled = [_settled(connection, scope, entry)[1] for entry in entries]
        if all(settled):
            return [put for put in settled if put]
        cut = [_in_its_language(entry.document, entry.passages) for entry in entries]
        terms = [terms_of(passages) for passages in cut]
        with self._database.write() as connection:
            # Looked at again, one by one: somebody may have been faster, and one may be another's next version.
            put = [self._put(connection, scope, *parts) for parts in zip(entries, cut, terms, strict=True)]
            stored = [
                entry.document.document_id for entry, what in zip(entries, put, strict=True) if what is Put.STORED
            ]
            audit.changed(connection, scope, stored, self._clock())
            return put

    def _put(
        self,
        connection: apsw.Connection,
        scope: Scope,
        entry: Entry,
        passages: Sequence[Passage],
        terms: Sequence[Terms],
    ) -> Put:
        document = entry.document
        key, settled = _settled(connection, scope, entry)
        if settled:
            return settled
        if key:
            _delete(connection, [key])  # ``refresh`` of the index does, once for all
        home = realm(connection, scope.tenant, "documents", document.owner, document.collection)
        key = _insert(connection, home, document, document.ingested_at or self._clock())
        store_passages(connection, home, passages, terms, document_key=key)
        return Put.STORED

    def list(self, scope: Scope) -> Sequence[Document]:
        with self._database.read() as connection:
            found = _readable(connection, scope, "TRUE", ())
            metadata = _metadata(connection, [key for key, *_ in found])
        return [_document(columns, metadata) for columns in found]

    def get(self, scope: Scope, id_or_source: str) -> Document:
        with self._database.read() as connection:
            first, *_ = _named(connection, scope, id_or_source)
            (text,), *_ = rows(connection, "SELECT text FROM documents WHERE document_key = ?", (first[0],))
            return replace(_document(first, _metadata(connection, [first[0]])), text=text)

    def delete(self, scope: Scope, id_or_source: str) -> None:
        self._erasure.document(scope, id_or_source)

    def delete_all(self, scope: Scope, document_ids: Sequence[str]) -> int:
        return self._erasure.documents(scope, document_ids).documents

    def passages(self, scope: Scope, passage_ids: Sequence[str]) -> Mapping[str, Passage]:
        with self._database.read() as connection:
            realms = readable(connection, scope, Sources.BOTH)
            found = rows(
                connection,
                f"SELECT {COLUMNS} FROM passages WHERE passage_id IN (SELECT value FROM json_each(?)) "
                "AND realm_key IN (SELECT value FROM json_each(?)) ORDER BY passage_key DESC",
                (among(passage_ids), among(realms)),
            )
            edited = words_of(connection, scope, [name for name in passage_ids if "@" in name])
        return {columns[0]: passage(columns) for columns in found} | edited

    def around(self, scope: Scope, passage_ids: Sequence[str], reach: int = 1) -> Mapping[str, Sequence[Passage]]:
        with self._database.read() as connection:
            placed = _in_order(connection, readable(connection, scope, Sources.MEMORY), passage_ids, reach)
            beside = {said[at][0]: [key for _, key in said[max(0, at - reach) : at + reach + 1]] for said, at in placed}
            found = rows(
                connection,
                f"SELECT passage_key, {COLUMNS} FROM passages WHERE passage_key IN (SELECT value FROM json_each(?))",
                (among({key for keys in beside.values() for key in keys}),),
            )
        told = {key: passage(columns) for key, *columns in found}
        return {name: [told[key] for key in keys] for name, keys in beside.items()}


Place = tuple[list[tuple[str, int]], int]
"""Id and key of what was said in a session, in order; and where in it the passage that was asked for stands."""


def _in_order(
    connection: apsw.Connection, realms: Iterable[int], passage_ids: Sequence[str], reach: int
) -> Iterator[Place]:
    wanted = rows(
        connection,
        "SELECT passage_id, session_key, turns.seq FROM passages JOIN turns USING (turn_key) "
        "WHERE passage_id IN (SELECT value FROM json_each(?)) AND realm_key IN (SELECT value FROM json_each(?))",
        (among(passage_ids), among(realms)),
    )
    spoken = rows(
        connection,
        # CROSS JOIN: in this order, or every turn of a session would be read to keep the few beside a hit.
        "SELECT session_key, passage_id, passage_key FROM json_each(?) AS near "
        "CROSS JOIN turns ON session_key = near.value ->> 0 "
        "AND turns.seq BETWEEN near.value ->> 1 AND near.value ->> 2 "
        "CROSS JOIN passages USING (turn_key) ORDER BY session_key, turns.seq, passage_key",
        # Not every turn has a passage: one that only asked is stepped over, as often as there are steps.
        (json.dumps(_stretches([(session, seq) for _, session, seq in wanted], 2 * reach)),),
    )
    ids = {name for name, _, _ in wanted}
    for _, told in groupby(spoken, key=itemgetter(0)):
        said = [(name, key) for _, name, key in told]
        yield from ((said, at) for at, (name, _) in enumerate(said) if name in ids)


def _stretches(places: Iterable[tuple[int, int]], reach: int) -> list[list[int]]:
    """Session, first and last number of what lies within reach; stretches that touch are one."""
    found: list[list[int]] = []
    for session, seq in sorted(set(places)):
        if found and found[-1][0] == session and seq - reach <= found[-1][2] + 1:
            found[-1][2] = seq + reach
        else:
            found.append([session, seq - reach, seq + reach])
    return found


def _refuse_foreign(scope: Scope, document: Document) -> None:
    if document.owner not in ("", scope.user):
        raise BadInput(f"user {scope.user!r} cannot store a document private to {document.owner!r}")
    if document.collection not in scope.collections:
        allowed = ", ".join(sorted(scope.collections)) or "none"
        raise BadInput(f"collection {document.collection!r} is not among those of the scope: {allowed}")


def _in_its_language(document: Document, passages: Sequence[Passage]) -> list[Passage]:
    """A passage whose language nobody told has its document's: it decides how characters are folded."""
    return [replace(p, language=document.language) if p.language == "und" else p for p in passages]


def _stored(connection: apsw.Connection, scope: Scope, document: Document) -> tuple[int, str]:
    """Key and version of what stands where the document belongs; ``(0, "")`` if nothing does."""
    found = row(
        connection,
        "SELECT document_key, version FROM documents JOIN realms USING (realm_key) "
        "WHERE tenant = ? AND kind = 'documents' AND owner = ? AND collection = ? AND source = ?",
        (scope.tenant, document.owner, document.collection, clean(document.source)),
    )
    return (int(found[0]), str(found[1])) if found else (0, "")


def _settled(connection: apsw.Connection, scope: Scope, entry: Entry) -> tuple[int, Put | None]:
    """The key of what stands where the entry belongs, and what becomes of the entry if it is not to be stored."""
    key, version = _stored(connection, scope, entry.document)
    if key and version == entry.document.version:
        return key, Put.SAME
    if entry.instead_of is not None and version != entry.instead_of:
        return key, Put.OTHER
    return key, None


def _insert(connection: apsw.Connection, realm: int, document: Document, ingested_at: float) -> int:
    connection.execute(
        "INSERT INTO documents (realm_key, document_id, source, version, title, language, ingested_at, text) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (
            *(realm, document.document_id, clean(document.source), document.version, clean(document.title)),
            *(document.language, ingested_at, clean(document.text)),
        ),
    )
    key = connection.last_insert_rowid()
    connection.executemany(
        "INSERT INTO document_metadata VALUES (?, ?, ?)",
        ((key, clean(name), clean(told)) for name, told in document.metadata.items()),
    )
    return key


def _delete(connection: apsw.Connection, keys: Sequence[int]) -> None:
    remove_passages(connection, "document_key IN (SELECT value FROM json_each(?))", (among(keys),), wipe=False)
    connection.executemany("DELETE FROM documents WHERE document_key = ?", ((key,) for key in keys))


def _readable(
    connection: apsw.Connection, scope: Scope, where: str, bindings: tuple[Any, ...]
) -> list[tuple[Any, ...]]:
    realms = readable(connection, scope, Sources.DOCUMENTS)
    return rows(
        connection,
        f"SELECT {_COLUMNS} FROM documents JOIN realms USING (realm_key) "
        f"WHERE realm_key IN (SELECT value FROM json_each(?)) AND {where} ORDER BY source, owner DESC, collection",
        (among(realms), *bindings),
    )


def _named(connection: apsw.Connection, scope: Scope, id_or_source: str) -> list[tuple[Any, ...]]:
    """All that have that id, else all from that source, the user's own first; ``UnknownDocument`` if none."""
    wanted = clean(id_or_source)
    found = _readable(connection, scope, "document_id = ?", (wanted,)) or _readable(
        connection, scope, "source = ?", (wanted,)
    )
    if not found:
        raise UnknownDocument(f"no document {wanted!r} that this user may read")
    return found


def _metadata(connection: apsw.Connection, keys: Sequence[int]) -> dict[int, dict[str, str]]:
    found: dict[int, dict[str, str]] = {}
    sql = (
        "SELECT document_key, name, value FROM document_metadata WHERE document_key IN (SELECT value FROM json_each(?))"
    )
    for key, name, told in rows(connection, sql, (among(keys),)):
        found.setdefault(key, {})[name] = told
    return found


def _document(columns: Sequence[Any], metadata: Mapping[int, Mapping[str, str]]) -> Document:
    key, document_id, source, version, title, collection, owner, language, ingested_at = columns
    return Document(
        *(document_id, source, version, ""), title, collection, owner, language, ingested_at, metadata.get(key, {})
    )
