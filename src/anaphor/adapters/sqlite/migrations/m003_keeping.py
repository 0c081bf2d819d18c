"""Whose process runs a turn; branches; archives; what an answer rests on; erasures, audit, how long things are kept."""

from __future__ import annotations

import apsw

SQL = (
    # A branch shares the turns of its parent up to branched_after; its own begin after that.
    "ALTER TABLE sessions ADD COLUMN archived_at REAL",
    "ALTER TABLE sessions ADD COLUMN parent_key INTEGER REFERENCES sessions",
    "ALTER TABLE sessions ADD COLUMN branched_after INTEGER",
    # Where an imported conversation came from, so that importing it again adds only what is new.
    "ALTER TABLE sessions ADD COLUMN origin TEXT NOT NULL DEFAULT ''",
    "CREATE INDEX sessions_by_parent ON sessions (parent_key) WHERE parent_key IS NOT NULL",
    "CREATE INDEX sessions_by_origin ON sessions (tenant, user, origin) WHERE origin <> ''",
    "CREATE INDEX sessions_by_age ON sessions (tenant, last_at)",
    # held_by: the process that runs the turn (see holder.py). Of an erased turn the number is left.
    "ALTER TABLE turns ADD COLUMN held_by TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE turns ADD COLUMN erased_at REAL",
    "ALTER TABLE turns ADD COLUMN speaker TEXT NOT NULL DEFAULT ''",
    # What a turn was shown and what its answer quotes (cited = 1), by the digest of where it stands (see origins.py):
    # that outlives the trace, holds no text, and is what erasing a document or a turn finds the answers by.
    """
    CREATE TABLE rests_on (
        turn_key INTEGER NOT NULL REFERENCES turns ON DELETE CASCADE,
        origin   TEXT NOT NULL,
        cited    INTEGER NOT NULL,
        PRIMARY KEY (turn_key, origin)
    ) WITHOUT ROWID""",
    "CREATE INDEX rests_on_by_origin ON rests_on (origin)",
    # Written down before anything is erased, so that a crash ends nothing half-way. When the rows are gone, target
    # becomes a digest (done_at); when no byte of them is left in the file, wiped_at is set.
    """
    CREATE TABLE erasures (
        erasure_key INTEGER PRIMARY KEY AUTOINCREMENT,
        kind        TEXT NOT NULL,
        target      TEXT NOT NULL,
        asked_at    REAL NOT NULL,
        done_at     REAL,
        wiped_at    REAL
    )""",
    # Ids and digests, never contents and never a name: see audit.py.
    """
    CREATE TABLE audit (
        audit_key INTEGER PRIMARY KEY AUTOINCREMENT,
        at        REAL NOT NULL,
        tenant    TEXT NOT NULL,
        person    TEXT NOT NULL,
        act       TEXT NOT NULL,
        kind      TEXT NOT NULL,
        what      TEXT NOT NULL,
        n         INTEGER NOT NULL
    )""",
    "CREATE INDEX audit_by_age ON audit (tenant, at)",
    """
    CREATE TRIGGER audit_is_append_only BEFORE UPDATE ON audit BEGIN
        SELECT RAISE(ABORT, 'the audit is append-only');
    END""",
    "INSERT INTO marks VALUES ('audit_open_below', 0)",
    """
    CREATE TRIGGER audit_is_kept BEFORE DELETE ON audit
    WHEN OLD.at >= (SELECT value FROM marks WHERE name = 'audit_open_below') BEGIN
        SELECT RAISE(ABORT, 'the audit is kept for its time');
    END""",
    # Days; NULL is without end. A tenant without a row has the defaults.
    """
    CREATE TABLE retention (
        tenant     TEXT PRIMARY KEY,
        idle_days  REAL,
        days       REAL,
        ending     TEXT NOT NULL CHECK (ending IN ('archive', 'erase')),
        trace_days REAL,
        audit_days REAL
    ) WITHOUT ROWID""",
)


def m003_keeping(connection: apsw.Connection) -> None:
    for statement in SQL:
        connection.execute(statement)
