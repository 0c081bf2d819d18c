"""API keys, as digests; what people thought of answers."""

from __future__ import annotations

import apsw

SQL = (
    """
    CREATE TABLE api_keys (
        number     INTEGER PRIMARY KEY AUTOINCREMENT,
        key_id     TEXT NOT NULL UNIQUE,
        digest     BLOB NOT NULL UNIQUE,
        tenant     TEXT NOT NULL,
        user       TEXT NOT NULL,
        role       TEXT NOT NULL,
        created_at REAL NOT NULL,
        expires_at REAL NOT NULL,
        revoked_at REAL NOT NULL
    )""",
    """
    CREATE TABLE opinions (
        turn_key INTEGER PRIMARY KEY REFERENCES turns ON DELETE CASCADE,
        given_at REAL NOT NULL,
        thumbs   TEXT NOT NULL,
        score    INTEGER NOT NULL,
        comment  TEXT NOT NULL
    )""",
)


def m005_service(connection: apsw.Connection) -> None:
    for statement in SQL:
        connection.execute(statement)
