"""Sessions, turns and traces; documents and passages; the lexical index and the vectors."""

from __future__ import annotations

import apsw

# Every ASCII mark belongs to a term (app.yaml, QX-20731, C++), so SQLite splits at the blanks we put between terms and
# nowhere else. What is not ASCII belongs to terms anyway.
_MARKS = "".join(chr(c) for c in range(33, 127) if not chr(c).isalnum()).replace("'", "''").replace('"', '""')

SQL = (
    """
    CREATE TABLE sessions (
        session_key INTEGER PRIMARY KEY AUTOINCREMENT,
        tenant      TEXT NOT NULL,
        user        TEXT NOT NULL,
        session_id  TEXT NOT NULL,
        name        TEXT NOT NULL DEFAULT '',
        created_at  REAL NOT NULL,
        last_at     REAL NOT NULL,
        UNIQUE (tenant, user, session_id)
    )""",
    "CREATE UNIQUE INDEX sessions_by_name ON sessions (tenant, user, name) WHERE name <> ''",
    # A turn whose lease ran out and was given up for another is 'failed' and lost = 1: its own commit comes too late.
    """
    CREATE TABLE turns (
        turn_key    INTEGER PRIMARY KEY AUTOINCREMENT,
        session_key INTEGER NOT NULL REFERENCES sessions ON DELETE CASCADE,
        seq         INTEGER NOT NULL,
        turn_id     TEXT NOT NULL,
        question    TEXT NOT NULL,
        outcome     TEXT NOT NULL,
        asked_at    REAL NOT NULL,
        lease_until REAL NOT NULL,
        lost        INTEGER NOT NULL DEFAULT 0,
        answer      TEXT NOT NULL DEFAULT '',
        decision    TEXT,
        standalone  TEXT NOT NULL DEFAULT '',
        language    TEXT NOT NULL DEFAULT 'und',
        claims      TEXT NOT NULL DEFAULT '[]',
        UNIQUE (session_key, seq),
        UNIQUE (session_key, turn_id)
    )""",
    # Only one turn of a session runs at a time: not a habit of the code, a property of the table.
    "CREATE UNIQUE INDEX turns_running ON turns (session_key) WHERE outcome = 'running'",
    """
    CREATE TABLE traces (
        turn_key     INTEGER PRIMARY KEY REFERENCES turns ON DELETE CASCADE,
        committed_at REAL NOT NULL,
        trace        TEXT NOT NULL
    )""",
    "CREATE INDEX traces_by_age ON traces (committed_at)",
    # A realm is what becomes readable together: the documents of one tenant, owner ('' is everyone) and collection, or
    # what one user said. ``passages`` counts them.
    """
    CREATE TABLE realms (
        realm_key  INTEGER PRIMARY KEY AUTOINCREMENT,
        tenant     TEXT NOT NULL,
        kind       TEXT NOT NULL CHECK (kind IN ('documents', 'memory')),
        owner      TEXT NOT NULL,
        collection TEXT NOT NULL,
        passages   INTEGER NOT NULL DEFAULT 0,
        UNIQUE (tenant, kind, owner, collection)
    )""",
    """
    CREATE TABLE documents (
        document_key INTEGER PRIMARY KEY AUTOINCREMENT,
        realm_key    INTEGER NOT NULL REFERENCES realms,
        document_id  TEXT NOT NULL,
        source       TEXT NOT NULL,
        version      TEXT NOT NULL,
        title        TEXT NOT NULL,
        language     TEXT NOT NULL,
        ingested_at  REAL NOT NULL,
        text         TEXT NOT NULL,
        UNIQUE (realm_key, source)
    )""",
    "CREATE INDEX documents_by_id ON documents (document_id)",
    """
    CREATE TABLE document_metadata (
        document_key INTEGER NOT NULL REFERENCES documents ON DELETE CASCADE,
        name         TEXT NOT NULL,
        value        TEXT NOT NULL,
        PRIMARY KEY (document_key, name)
    ) WITHOUT ROWID""",
    "CREATE INDEX document_metadata_by_value ON document_metadata (name, value)",
    # Keys are never used again (AUTOINCREMENT): a key kept in memory somewhere can grow stale, but not wrong.
    """
    CREATE TABLE passages (
        passage_key    INTEGER PRIMARY KEY AUTOINCREMENT,
        realm_key      INTEGER NOT NULL REFERENCES realms,
        document_key   INTEGER REFERENCES documents,
        turn_key       INTEGER REFERENCES turns,
        passage_id     TEXT NOT NULL,
        source         TEXT NOT NULL,
        evidence_class TEXT NOT NULL,
        document_id    TEXT NOT NULL,
        title          TEXT NOT NULL,
        section        TEXT NOT NULL,
        span_start     INTEGER NOT NULL,
        span_end       INTEGER NOT NULL,
        language       TEXT NOT NULL,
        date           TEXT,
        seq            INTEGER,
        text           TEXT NOT NULL,
        CHECK ((document_key IS NULL) <> (turn_key IS NULL))
    )""",
    "CREATE INDEX passages_by_id ON passages (passage_id)",
    "CREATE UNIQUE INDEX passages_of_document ON passages (document_key, passage_id) WHERE document_key IS NOT NULL",
    "CREATE UNIQUE INDEX passages_of_turn ON passages (turn_key, passage_id) WHERE turn_key IS NOT NULL",
    # Contentless: the index holds terms, the text stands once, in passages. Rows go by the 'delete' command and not by
    # contentless_delete, which would leave the terms of what was deleted in the file until it is next optimised.
    f"""
    CREATE VIRTUAL TABLE lexicon USING fts5 (
        title, section, text, content = '', tokenize = "ascii tokenchars '{_MARKS}'"
    )""",
    """
    CREATE TABLE vectors (
        vector_key  INTEGER PRIMARY KEY AUTOINCREMENT,
        passage_key INTEGER NOT NULL UNIQUE REFERENCES passages ON DELETE CASCADE,
        vector      BLOB NOT NULL
    )""",
    "CREATE TABLE unembedded (passage_key INTEGER PRIMARY KEY REFERENCES passages ON DELETE CASCADE)",
    # What the indexes were made with: segmentation (digest), embedder (name, dimensions). Counts:
    # vectors_removed since the beginning, unwiped entries of the lexicon.
    "CREATE TABLE marks (name TEXT PRIMARY KEY, value) WITHOUT ROWID",
    "INSERT INTO marks VALUES ('vectors_removed', 0)",
    """
    CREATE TRIGGER vectors_removed AFTER DELETE ON vectors BEGIN
        UPDATE marks SET value = value + 1 WHERE name = 'vectors_removed';
    END""",
)


def m001_initial(connection: apsw.Connection) -> None:
    for statement in SQL:
        connection.execute(statement)
