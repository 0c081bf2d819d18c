"""Vectors of several kinds, of more than one embedder beside each other, and what waits for each."""

from __future__ import annotations

import json

import apsw

from anaphor.adapters.sqlite.connection import value

SQL = (
    # At most one is current (coming = 0) and one coming.
    """
    CREATE TABLE makers (
        maker_key  INTEGER PRIMARY KEY AUTOINCREMENT,
        name       TEXT NOT NULL,
        dimensions INTEGER NOT NULL,
        coming     INTEGER NOT NULL UNIQUE CHECK (coming IN (0, 1))
    )""",
    """
    CREATE TABLE waiting (
        maker_key   INTEGER NOT NULL REFERENCES makers ON DELETE CASCADE,
        kind        TEXT NOT NULL,
        passage_key INTEGER NOT NULL REFERENCES passages ON DELETE CASCADE,
        PRIMARY KEY (maker_key, kind, passage_key)
    ) WITHOUT ROWID""",
    "CREATE INDEX waiting_by_passage ON waiting (passage_key)",
    "DROP TRIGGER vectors_removed",
    "ALTER TABLE vectors RENAME TO earlier_vectors",
    """
    CREATE TABLE vectors (
        vector_key  INTEGER PRIMARY KEY AUTOINCREMENT,
        maker_key   INTEGER NOT NULL REFERENCES makers ON DELETE CASCADE,
        kind        TEXT NOT NULL,
        passage_key INTEGER NOT NULL REFERENCES passages ON DELETE CASCADE,
        span_start  INTEGER NOT NULL,
        span_end    INTEGER NOT NULL,
        vector      BLOB NOT NULL,
        UNIQUE (passage_key, kind, maker_key, span_start)
    )""",
    "CREATE INDEX vectors_by_maker ON vectors (maker_key, kind)",
)
AFTER = (
    "DROP TABLE earlier_vectors",
    "DROP TABLE unembedded",
    "DELETE FROM marks WHERE name = 'embedder'",
    """
    CREATE TRIGGER vectors_removed AFTER DELETE ON vectors BEGIN
        UPDATE marks SET value = value + 1 WHERE name = 'vectors_removed';
    END""",
)


def m002_makers(connection: apsw.Connection) -> None:
    for statement in SQL:
        connection.execute(statement)
    if told := value(connection, "SELECT value FROM marks WHERE name = 'embedder'"):
        made_by = json.loads(told)
        connection.execute(
            "INSERT INTO makers (maker_key, name, dimensions, coming) VALUES (1, ?, ?, 0)",
            (made_by["name"], made_by["dimensions"]),
        )
        connection.execute(
            "INSERT INTO vectors (vector_key, maker_key, kind, passage_key, span_start, span_end, vector) "
            "SELECT vector_key, 1, 'passage', passage_key, 0, length(text), vector "
            "FROM earlier_vectors JOIN passages USING (passage_key) ORDER BY vector_key"
        )
        connection.execute("INSERT INTO waiting SELECT 1, 'passage', passage_key FROM unembedded")
    for statement in AFTER:
        connection.execute(statement)
