"""When a person rejected a fact or put it in other words; every version of a summary."""

from __future__ import annotations

import apsw

SQL = (
    "ALTER TABLE facts ADD COLUMN decided REAL NOT NULL DEFAULT 0",
    """
    UPDATE facts SET decided = coalesce((
        SELECT at FROM fact_versions AS told WHERE told.fact_key = facts.fact_key AND told.version = facts.version
        AND by <> 'memory'), 0) WHERE status = 'retired'""",
    "CREATE INDEX facts_decided ON facts (tenant, user, decided) WHERE decided > 0",
    """
    CREATE TABLE summary_versions (
        session_key INTEGER NOT NULL REFERENCES sessions ON DELETE CASCADE,
        version     INTEGER NOT NULL,
        from_seq    INTEGER NOT NULL,
        to_seq      INTEGER NOT NULL,
        written_by  TEXT NOT NULL,
        sources     TEXT NOT NULL,
        left_out    TEXT NOT NULL,
        text        TEXT NOT NULL,
        at          REAL NOT NULL,
        by          TEXT NOT NULL,
        why         TEXT NOT NULL,
        PRIMARY KEY (session_key, version)
    )""",
    "INSERT INTO summary_versions SELECT *, 0, 'memory', '' FROM summaries",
)


def m008_decided(connection: apsw.Connection) -> None:
    for statement in SQL:
        connection.execute(statement)
