"""Passages with their rows in every index; who may read which."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import apsw

from anaphor.adapters.sqlite import embedding, lexicon
from anaphor.adapters.sqlite.connection import rows, value
from anaphor.errors import BadInput
from anaphor.text.erased import left_of
from anaphor.text.fold import clean
from anaphor.types import EvidenceClass, Hit, Passage, Scope, Sources, Span

COLUMNS = (
    "passages.passage_id, passages.text, passages.source, passages.evidence_class, passages.document_id, "
    "passages.title, passages.section, passages.span_start, passages.span_end, passages.language, passages.date, "
    "passages.seq"
)

_CLASSES = {str(each): each for each in EvidenceClass}


def passage(columns: Sequence[Any]) -> Passage:
    """From ``COLUMNS``."""
    passage_id, text, source, evidence_class, *rest = columns
    return Passage(passage_id, text, source, _CLASSES[evidence_class], *rest)


def hits(name: str, found: Sequence[Sequence[Any]]) -> list[Hit]:
    """From rows of a score and ``COLUMNS``, best first."""
    return [Hit(passage(columns), float(score), rank, {name: rank}) for rank, (score, *columns) in enumerate(found, 1)]


def with_columns(connection: apsw.Connection, best: Iterable[tuple[int, float]]) -> list[tuple[Any, ...]]:
    """Score and ``COLUMNS`` of passage keys with their scores, in their order; keys of what is gone are left out."""
    scores = dict(best)
    found = rows(
        connection,
        f"SELECT passage_key, {COLUMNS} FROM passages WHERE passage_key IN (SELECT value FROM json_each(?))",
        (among(scores),),
    )
    known = {key: columns for key, *columns in found}
    return [(score, *known[key]) for key, score in scores.items() if key in known]


def realm(connection: apsw.Connection, tenant: str, kind: str, owner: str, collection: str = "") -> int:
    """The key of that realm, made if need be. Inside a write."""
    whose = (tenant, kind, owner, collection)
    connection.execute("INSERT OR IGNORE INTO realms (tenant, kind, owner, collection) VALUES (?, ?, ?, ?)", whose)
    key = value(
        connection,
        "SELECT realm_key FROM realms WHERE tenant = ? AND kind = ? AND owner = ? AND collection = ?",
        whose,
    )
    return int(key)


def readable(connection: apsw.Connection, scope: Scope, sources: Sources) -> dict[int, int]:
    """The realms this scope may read, each with its number of passages: what every search is bound to."""
    found = rows(
        connection,
        """
        SELECT realm_key, passages, kind FROM realms WHERE tenant = ? AND (
            (kind = 'documents' AND owner IN ('', ?) AND collection IN (SELECT value FROM json_each(?)))
            OR (kind = 'memory' AND owner = ?))
        """,
        (scope.tenant, scope.user, json.dumps(sorted(scope.collections)), scope.user),
    )
    wanted = {Sources.DOCUMENTS: ("documents",), Sources.MEMORY: ("memory",), Sources.BOTH: ("documents", "memory")}
    return {key: passages for key, passages, kind in found if kind in wanted[sources]}


def among(keys: Iterable[int | str]) -> str:
    """A list of keys as one binding, for ``IN (SELECT value FROM json_each(?))``."""
    return json.dumps(list(keys))


def filtered(filters: Mapping[str, str]) -> tuple[str, tuple[str, ...]]:
    """A SELECT of the keys of the documents that satisfy every filter, and its bindings.

    A filter names a field of the document (``FIELDS``) or else a name in its metadata. What was said in a turn has
    neither, so under a filter only documents are found.
    """
    conditions, bindings = [], []
    for name, wanted in filters.items():
        if name in FIELDS:
            conditions.append(f"{FIELDS[name]} = ?")
            bindings.append(wanted)
        else:
            conditions.append(
                "document_key IN (SELECT document_key FROM document_metadata WHERE name = ? AND value = ?)"
            )
            bindings += [name, wanted]
    sql = f"SELECT document_key FROM documents JOIN realms USING (realm_key) WHERE {' AND '.join(conditions)}"
    return sql, tuple(bindings)


FIELDS = {
    "document_id": "documents.document_id",
    "source": "documents.source",
    "title": "documents.title",
    "language": "documents.language",
    "collection": "realms.collection",
}


def terms_of(passages: Sequence[Passage]) -> list[lexicon.Terms]:
    """The terms of each: the slow part of storing them, done before the store is locked."""
    ids = [p.passage_id for p in passages]
    if len(set(ids)) != len(ids):
        twice = next(i for i in ids if ids.count(i) > 1)
        raise BadInput(f"two of {len(ids)} passages have the id {twice!r}")
    return [lexicon.terms(clean(p.title), clean(p.section), clean(p.text), p.language) for p in passages]


def store_passages(
    connection: apsw.Connection,
    realm_key: int,
    passages: Sequence[Passage],
    terms: Sequence[lexicon.Terms],
    *,
    document_key: int | None = None,
    turn_key: int | None = None,
) -> None:
    """Store the passages, index their terms, and note that they have no vector yet."""
    if not passages:
        return
    lexicon.keep_current(connection)
    first = (value(connection, "SELECT seq FROM sqlite_sequence WHERE name = 'passages'") or 0) + 1
    keys = range(first, first + len(passages))
    connection.executemany(
        f"INSERT INTO passages VALUES ({', '.join('?' * 16)})",
        (
            (
                *(key, realm_key, document_key, turn_key, p.passage_id, clean(p.source), str(p.evidence_class)),
                *(p.document_id, clean(p.title), clean(p.section), p.start, p.end, p.language, p.date, p.seq),
                clean(p.text),
            )
            for key, p in zip(keys, passages, strict=True)
        ),
    )
    lexicon.add(connection, zip(keys, [realm_key] * len(keys), terms, strict=True))
    embedding.put_down(connection, keys)
    connection.execute("UPDATE realms SET passages = passages + ? WHERE realm_key = ?", (len(keys), realm_key))


def remove_passages(connection: apsw.Connection, where: str, bindings: tuple[Any, ...], *, wipe: bool = True) -> None:
    """Take passages out of the store and of every index; ``wipe`` as in ``lexicon.remove``."""
    lexicon.keep_current(connection)  # else their terms would be cut otherwise than they stand in the index
    gone = rows(
        connection,
        f"SELECT passage_key, realm_key, title, section, text, language FROM passages WHERE {where}",
        bindings,
    )
    if not gone:
        return
    stored = value(connection, "SELECT sum(passages) FROM realms")
    entries = [(key, realm_key, lexicon.terms(*parts)) for key, realm_key, *parts in gone]
    lexicon.remove(connection, entries, stored, wipe)
    connection.execute(f"DELETE FROM passages WHERE {where}", bindings)
    for realm_key in {realm_key for _, realm_key, *_ in gone}:
        n = sum(1 for entry in gone if entry[1] == realm_key)
        connection.execute("UPDATE realms SET passages = passages - ? WHERE realm_key = ?", (n, realm_key))


def cut_out(connection: apsw.Connection, turn_key: int, span: Span) -> None:
    """Take that stretch of a turn out of what can be recalled of it; what stands beside it stays."""
    where, bindings = "turn_key = ? AND span_start < ? AND span_end > ?", (turn_key, span.end, span.start)
    found = rows(connection, f"SELECT realm_key, {COLUMNS} FROM passages WHERE {where}", bindings)
    remove_passages(connection, where, bindings)
    for realm_key, *columns in found:
        left = list(left_of(passage(columns), span))
        store_passages(connection, realm_key, left, terms_of(left), turn_key=turn_key)
