"""The store's schema, as numbered steps; each runs in one transaction with the record of what it did."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable
from importlib import metadata
from pathlib import Path

import apsw

from anaphor.adapters.sqlite.connection import Database, row, rows, value
from anaphor.adapters.sqlite.migrations.m001_initial import m001_initial
from anaphor.adapters.sqlite.migrations.m002_makers import m002_makers
from anaphor.adapters.sqlite.migrations.m003_keeping import m003_keeping
from anaphor.adapters.sqlite.migrations.m004_sentences import m004_sentences
from anaphor.adapters.sqlite.migrations.m005_service import m005_service
from anaphor.adapters.sqlite.migrations.m006_memory import m006_memory
from anaphor.adapters.sqlite.migrations.m007_collections import m007_collections
from anaphor.adapters.sqlite.migrations.m008_decided import m008_decided
from anaphor.errors import NewerStore, UnreadableStore

APPLICATION_ID = 0x616E7068  # "anph", in the file's header: tells a store from any other SQLite file

Migration = Callable[[apsw.Connection], None]
MIGRATIONS: tuple[Migration, ...] = (
    *(m001_initial, m002_makers, m003_keeping, m004_sentences, m005_service, m006_memory, m007_collections),
    m008_decided,
)


def migrate(database: Database, now: float, migrations: tuple[Migration, ...] = MIGRATIONS) -> int:
    """Bring the schema up to date; its number. ``NewerStore``, or ``UnreadableStore`` for somebody else's file."""
    with database.read() as connection:
        if applied(connection, database.path, len(migrations)) == len(migrations):
            return len(migrations)
    for number, migration in enumerate(migrations, 1):
        with database.write(durable=True) as connection:
            # Looked up again inside the transaction: another process may have been first.
            if applied(connection, database.path, len(migrations)) < number:
                _apply(connection, number, migration, now)
    return len(migrations)


def applied(connection: apsw.Connection, path: Path, known: int) -> int:
    """The number of the newest migration in the file; 0 for an empty file."""
    if value(connection, "PRAGMA application_id") != APPLICATION_ID:
        if value(connection, "SELECT count(*) FROM sqlite_schema"):
            raise UnreadableStore(f"{path} is an SQLite file, but not a store of anaphor's")
        return 0
    newest = row(connection, "SELECT number, made_by FROM migrations ORDER BY number DESC LIMIT 1")
    number, made_by = newest or (0, "")
    if number > known:
        raise NewerStore(
            f"the store {path} has schema {number}, written by anaphor {made_by}; this is anaphor {version()}, which "
            f"knows schema {known}: install the newer version, or name another store"
        )
    return int(number)


@functools.cache
def version() -> str:
    try:
        return metadata.version("anaphor")
    except metadata.PackageNotFoundError:
        return "of unknown version"


def _apply(connection: apsw.Connection, number: int, migration: Migration, now: float) -> None:
    if number == 1:
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(
            "CREATE TABLE migrations (number INTEGER PRIMARY KEY, name TEXT NOT NULL, made_by TEXT NOT NULL, "
            "applied_at REAL NOT NULL, effects TEXT NOT NULL)"
        )
    before = _schema(connection)
    migration(connection)
    after = _schema(connection)
    effects = {
        "made": sorted(after.keys() - before.keys()),
        "changed": sorted(name for name in after.keys() & before.keys() if after[name] != before[name]),
        "dropped": sorted(before.keys() - after.keys()),
    }
    connection.execute(
        "INSERT INTO migrations VALUES (?, ?, ?, ?, ?)",
        (number, migration.__name__, version(), now, json.dumps(effects)),
    )


def _schema(connection: apsw.Connection) -> dict[str, str]:
    return dict(rows(connection, "SELECT name, coalesce(sql, '') FROM sqlite_schema"))
