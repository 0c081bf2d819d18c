"""Looking for what was erased: in every table, and byte by byte in every file of the store."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

import apsw

from anaphor.adapters.sqlite import gaps
from anaphor.adapters.sqlite.connection import Database, rows, value
from anaphor.stored import Looked
from anaphor.types import Scope

LONG = 24  # characters of a text that hardly anybody else will have written too
CHUNK = 1 << 22
SIDECARS = ("-wal", "-journal")
"""Beside the file. The third one, ``-shm``, holds numbers of pages alone, and may not be opened: closing it again would
give up SQLite's locks on it."""


def samples(connection: apsw.Connection, scope: Scope, limit: int) -> list[str]:
    """The ids of the person's sessions, and stretches of what they said, were told and own; spread over all of it."""
    whose = (scope.tenant, scope.user)
    ids = rows(connection, "SELECT session_id FROM sessions WHERE tenant = ? AND user = ?", whose)
    texts = rows(
        connection,
        "SELECT text FROM (SELECT question AS text FROM turns JOIN sessions USING (session_key) "
        "WHERE tenant = ?1 AND user = ?2 UNION ALL SELECT answer FROM turns JOIN sessions USING (session_key) "
        "WHERE tenant = ?1 AND user = ?2 UNION ALL SELECT text FROM documents JOIN realms USING (realm_key) "
        "WHERE tenant = ?1 AND owner = ?2) WHERE length(text) >= ?3",
        (*whose, LONG),
    )
    stretches = [text[len(text) // 2 - LONG // 2 :][:LONG] for (text,) in texts]
    step = max(1, len(stretches) * 2 // max(1, limit))
    found = [*(told for (told,) in ids[: limit // 2]), *stretches[::step]]
    return list(dict.fromkeys(found))[:limit]


def look(database: Database, scope: Scope, samples: Sequence[str], tables: Collection[str]) -> list[Looked]:
    """Every table with its rows and those that are the person's; every file with its bytes and the samples in them."""
    with database.read() as connection:
        found = [*_tables(connection, scope, tables)]
        others = {sample for sample in samples if _said_by_others(connection, sample)}
    wanted = [sample.encode("utf-8") for sample in samples if sample not in others]
    raw = database.raw()
    found.append(_file(database.path, raw, wanted))
    left = sum(part.end - part.start for part in gaps.leftovers(raw))
    found.append(Looked(f"unused parts of {database.path.name}", os.fstat(raw).st_size, left))
    for ending in SIDECARS:
        beside = Path(f"{database.path}{ending}")
        if beside.exists():
            with beside.open("rb") as file:
                found.append(_file(beside, file.fileno(), wanted))
    return found


def _said_by_others(connection: apsw.Connection, sample: str) -> bool:
    """Whether a row that is still there holds it: two people may write the same, and hold the same document."""
    return bool(
        value(
            connection,
            "SELECT EXISTS (SELECT 1 FROM turns WHERE instr(question || char(10) || answer || standalone, ?1)) "
            "OR EXISTS (SELECT 1 FROM documents WHERE instr(text, ?1))",
            (sample,),
        )
    )


def _tables(connection: apsw.Connection, scope: Scope, tables: Collection[str]) -> Iterator[Looked]:
    whose = (scope.tenant, scope.user)
    sessions = "session_key IN (SELECT session_key FROM sessions WHERE tenant = ? AND user = ?)"
    owned = "tenant = ? AND owner = ? AND (owner <> '' OR kind = 'memory')"
    realms = f"realm_key IN (SELECT realm_key FROM realms WHERE {owned})"
    turns = f"turn_key IN (SELECT turn_key FROM turns WHERE {sessions})"
    passages = f"passage_key IN (SELECT passage_key FROM passages WHERE {realms})"
    conditions = {
        "sessions": "tenant = ? AND user = ?",
        "turns": sessions,
        "traces": turns,
        "rests_on": turns,
        "opinions": turns,
        "sayings": turns,
        "forgotten": turns,
        "facts": "tenant = ? AND user = ?",
        "fact_versions": "fact_key IN (SELECT fact_key FROM facts WHERE tenant = ? AND user = ?)",
        "fact_terms": "tenant = ? AND user = ?",
        "generations": "tenant = ? AND user = ?",
        "summaries": sessions,
        "summary_versions": sessions,
        "api_keys": "tenant = ? AND user = ?",
        "realms": owned,
        "documents": realms,
        "document_metadata": f"document_key IN (SELECT document_key FROM documents WHERE {realms})",
        "passages": realms,
        "vectors": passages,
        "waiting": passages,
    }
    for table in tables:
        there = value(connection, "SELECT count(*) FROM sqlite_schema WHERE name = ?", (table,))
        if there and not table.startswith(("lexicon_", "sqlite_")):
            n = int(value(connection, f"SELECT count(*) FROM {table if table != 'lexicon' else 'lexicon_docsize'}"))
            if table in conditions:
                own = value(connection, f"SELECT count(*) FROM {table} WHERE {conditions[table]}", whose)
            elif table == "lexicon":
                own = value(
                    connection,
                    "SELECT count(*) FROM lexicon_docsize WHERE id NOT IN (SELECT passage_key FROM passages)",
                )
            else:
                own = 0
            yield Looked(f"table {table}", n, int(own))


def _file(path: Path, descriptor: int, wanted: Sequence[bytes]) -> Looked:
    longest = max(map(len, wanted), default=1)
    size, found, before, at = os.fstat(descriptor).st_size, set[bytes](), b"", 0
    while chunk := os.pread(descriptor, CHUNK, at):
        together = before + chunk
        found.update(sample for sample in wanted if sample not in found and sample in together)
        before, at = together[-longest:], at + len(chunk)
    return Looked(path.name, size, len(found))
