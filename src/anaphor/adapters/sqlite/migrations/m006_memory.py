"""Facts with their versions and the turns that say them; summaries; which turns were read."""

from __future__ import annotations

import apsw

SQL = (
    # ``key`` names the property (facts of one key speak of the same one); ``about`` and ``value`` are folded, to go
    # from one fact to the next by. A fact has the turn whose words it keeps, ``sayings`` has every turn that says it.
    """
    CREATE TABLE facts (
        fact_key    INTEGER PRIMARY KEY AUTOINCREMENT,
        tenant      TEXT NOT NULL,
        user        TEXT NOT NULL,
        fact_id     TEXT NOT NULL,
        turn_key    INTEGER NOT NULL REFERENCES turns ON DELETE CASCADE,
        key         TEXT NOT NULL,
        about       TEXT NOT NULL,
        value       TEXT NOT NULL,
        kind        TEXT NOT NULL,
        status      TEXT NOT NULL,
        said_at     REAL NOT NULL,
        pinned      INTEGER NOT NULL DEFAULT 0,
        version     INTEGER NOT NULL,
        replaced_by TEXT NOT NULL DEFAULT '',
        against     TEXT NOT NULL DEFAULT '[]',
        why         TEXT NOT NULL DEFAULT '',
        statement   TEXT NOT NULL,
        UNIQUE (tenant, user, fact_id)
    )""",
    "CREATE INDEX facts_by_status ON facts (tenant, user, status, said_at)",
    "CREATE INDEX facts_by_key ON facts (tenant, user, key)",
    "CREATE INDEX facts_by_about ON facts (tenant, user, about)",
    "CREATE INDEX facts_by_turn ON facts (turn_key)",
    """
    CREATE TABLE sayings (
        fact_key  INTEGER NOT NULL REFERENCES facts ON DELETE CASCADE,
        turn_key  INTEGER NOT NULL REFERENCES turns ON DELETE CASCADE,
        statement TEXT NOT NULL,
        PRIMARY KEY (fact_key, turn_key)
    ) WITHOUT ROWID""",
    "CREATE INDEX sayings_by_turn ON sayings (turn_key)",
    # ``turn_key`` is the turn whose words it has, ``read_from`` the one whose reading made it. ``made_with`` is the
    # same for the versions that one decision made: what one says of another goes with the other.
    """
    CREATE TABLE fact_versions (
        fact_key  INTEGER NOT NULL REFERENCES facts ON DELETE CASCADE,
        version   INTEGER NOT NULL,
        turn_key  INTEGER NOT NULL REFERENCES turns ON DELETE CASCADE,
        read_from INTEGER REFERENCES turns ON DELETE CASCADE,
        made_with TEXT NOT NULL,
        at        REAL NOT NULL,
        by        TEXT NOT NULL,
        does      TEXT NOT NULL,
        why       TEXT NOT NULL,
        fact      TEXT NOT NULL,
        PRIMARY KEY (fact_key, version)
    ) WITHOUT ROWID""",
    "CREATE INDEX fact_versions_by_turn ON fact_versions (turn_key)",
    "CREATE INDEX fact_versions_by_reading ON fact_versions (read_from)",
    "CREATE INDEX fact_versions_by_decision ON fact_versions (made_with)",
    """
    CREATE TABLE fact_terms (
        tenant   TEXT NOT NULL,
        user     TEXT NOT NULL,
        term     TEXT NOT NULL,
        fact_key INTEGER NOT NULL REFERENCES facts ON DELETE CASCADE,
        PRIMARY KEY (tenant, user, term, fact_key)
    ) WITHOUT ROWID""",
    "CREATE INDEX fact_terms_by_fact ON fact_terms (fact_key)",
    # Stretches of turns that the person wants nothing made of.
    """
    CREATE TABLE forgotten (
        turn_key   INTEGER NOT NULL REFERENCES turns ON DELETE CASCADE,
        span_start INTEGER NOT NULL,
        span_end   INTEGER NOT NULL,
        PRIMARY KEY (turn_key, span_start, span_end)
    ) WITHOUT ROWID""",
    """
    CREATE TABLE summaries (
        session_key INTEGER PRIMARY KEY REFERENCES sessions ON DELETE CASCADE,
        version     INTEGER NOT NULL,
        from_seq    INTEGER NOT NULL,
        to_seq      INTEGER NOT NULL,
        written_by  TEXT NOT NULL,
        sources     TEXT NOT NULL,
        left_out    TEXT NOT NULL,
        text        TEXT NOT NULL
    )""",
    # How often anything of a person's memory has changed.
    """
    CREATE TABLE generations (
        tenant TEXT NOT NULL,
        user   TEXT NOT NULL,
        n      INTEGER NOT NULL,
        PRIMARY KEY (tenant, user)
    ) WITHOUT ROWID""",
    "ALTER TABLE turns ADD COLUMN unread INTEGER NOT NULL DEFAULT 1",
    "CREATE INDEX turns_unread ON turns (session_key, turn_key) WHERE unread = 1",
)


def m006_memory(connection: apsw.Connection) -> None:
    for statement in SQL:
        connection.execute(statement)
