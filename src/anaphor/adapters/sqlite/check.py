"""Holding the parts of a store against each other, and making again what can be made again."""

from __future__ import annotations

import json
from collections.abc import Iterator

import apsw

from anaphor.adapters.sqlite import embedding, lexicon
from anaphor.adapters.sqlite.connection import Database, rows, value
from anaphor.stored import Finding

FLOAT = 4  # bytes of a vector's number
REBUILD, RESTORE, INGEST, OPEN = "anaphor rebuild", "anaphor restore FILE", "anaphor ingest PATH", "opening the store"
MEMORY = "anaphor rebuild --memory"

# What must not be there, the number of it, and what mends it.
COUNTS = {
    "sessions whose turns are not numbered without a gap": (
        """SELECT count(*) FROM (
            SELECT 1 FROM turns JOIN sessions USING (session_key) GROUP BY session_key
            HAVING min(seq) <> coalesce(branched_after, 0) + 1 OR max(seq) - min(seq) + 1 <> count(*))""",
        "",
    ),
    "branches of a turn that is not there": (
        """SELECT count(*) FROM sessions AS branch JOIN sessions AS parent ON branch.parent_key = parent.session_key
        WHERE branch.branched_after > coalesce(
            (SELECT max(seq) FROM turns WHERE turns.session_key = parent.session_key), parent.branched_after, 0)""",
        "",
    ),
    "ended turns that hold a lease": ("SELECT count(*) FROM turns WHERE outcome <> 'running' AND held_by <> ''", ""),
    "traces of turns that did not end": (
        "SELECT count(*) FROM traces JOIN turns USING (turn_key) WHERE outcome = 'running'",
        "",
    ),
    "traces that cannot be read": ("SELECT count(*) FROM traces WHERE NOT json_valid(trace)", ""),
    "claims that cannot be read": ("SELECT count(*) FROM turns WHERE NOT json_valid(claims)", ""),
    "remembered passages that are not what was said": (
        "SELECT count(*) FROM passages JOIN turns USING (turn_key) "
        "WHERE passages.text <> substr(question, span_start + 1, span_end - span_start)",
        "",
    ),
    "passages that are not what their document says": (
        "SELECT count(*) FROM passages JOIN documents USING (document_key) "
        "WHERE passages.text <> substr(documents.text, span_start + 1, span_end - span_start)",
        INGEST,
    ),
    "remembered passages of erased turns": (
        "SELECT count(*) FROM passages JOIN turns USING (turn_key) WHERE erased_at IS NOT NULL AND question = ''",
        "",
    ),
    "passages in another person's realm": (
        "SELECT count(*) FROM passages JOIN turns USING (turn_key) JOIN sessions USING (session_key) "
        "JOIN realms USING (realm_key) WHERE (realms.tenant, realms.owner) <> (sessions.tenant, sessions.user)",
        "",
    ),
    "facts without a turn that says them": (
        "SELECT count(*) FROM facts WHERE NOT EXISTS (SELECT 1 FROM sayings WHERE sayings.fact_key = facts.fact_key "
        "AND sayings.turn_key = facts.turn_key)",
        RESTORE,
    ),
    "facts or turns that say them of another person, or erased": (
        "SELECT count(*) FROM facts JOIN sayings USING (fact_key) JOIN turns ON turns.turn_key = sayings.turn_key "
        "JOIN sessions USING (session_key) WHERE (facts.tenant, facts.user) <> (sessions.tenant, sessions.user) "
        "OR (erased_at IS NOT NULL AND question = '')",
        RESTORE,
    ),
    "facts that point at words which are not there": (
        "SELECT count(*) FROM sayings JOIN turns USING (turn_key) "
        "WHERE json_extract(statement, '$.end') > length(question)",
        MEMORY,
    ),
    "facts whose newest version is another": (
        "SELECT count(*) FROM facts WHERE version <> "
        "(SELECT max(version) FROM fact_versions WHERE fact_versions.fact_key = facts.fact_key)",
        MEMORY,
    ),
    "summaries of turns that are not there": (
        "SELECT count(*) FROM summaries JOIN sessions USING (session_key) WHERE to_seq > "
        "coalesce((SELECT max(seq) FROM turns WHERE turns.session_key = sessions.session_key), branched_after, 0)",
        MEMORY,
    ),
    "realms that miscount their passages": (
        "SELECT count(*) FROM realms WHERE passages <> "
        "(SELECT count(*) FROM passages WHERE passages.realm_key = realms.realm_key)",
        REBUILD,
    ),
    "passages that are not in the lexical index": (
        "SELECT count(*) FROM passages WHERE passage_key NOT IN (SELECT id FROM lexicon_docsize)",
        REBUILD,
    ),
    "entries of the lexical index without a passage": (
        "SELECT count(*) FROM lexicon_docsize WHERE id NOT IN (SELECT passage_key FROM passages)",
        REBUILD,
    ),
    "vectors of another length than their embedder's": (
        f"SELECT count(*) FROM vectors JOIN makers USING (maker_key) WHERE length(vector) <> {FLOAT} * dimensions",
        REBUILD,
    ),
    "passages that neither have a vector nor wait for one": (
        "SELECT count(*) FROM makers JOIN passages JOIN json_each(?) AS kinds WHERE NOT EXISTS "
        "(SELECT 1 FROM vectors WHERE vectors.passage_key = passages.passage_key AND kind = kinds.value "
        "AND vectors.maker_key = makers.maker_key) AND NOT EXISTS "
        "(SELECT 1 FROM waiting WHERE waiting.passage_key = passages.passage_key AND kind = kinds.value "
        "AND waiting.maker_key = makers.maker_key)",
        REBUILD,
    ),
    "erasures that were begun and not finished": ("SELECT count(*) FROM erasures WHERE wiped_at IS NULL", OPEN),
}


def check(database: Database) -> list[Finding]:
    """What contradicts the rest; nothing if all is well. Reads everything: seconds for a large store."""
    with database.read() as connection:
        damaged = [*_damage(connection)]
        if damaged:
            return damaged
        found = [Finding(what, n, mend) for what, (sql, mend) in COUNTS.items() if (n := _count(connection, sql))]
        found += _terms(connection)
    with database.write() as connection:
        found += _index(connection)
    return found


def mend(database: Database) -> list[Finding]:
    """Make again what is made from documents and turns; what was wrong before that could be mended so."""
    found = [finding for finding in check(database) if finding.mend == REBUILD]
    with database.write(durable=True) as connection:
        lexicon.write_from_passages(connection)
        connection.execute(
            "UPDATE realms SET passages = (SELECT count(*) FROM passages WHERE passages.realm_key = realms.realm_key)"
        )
        connection.execute(
            "DELETE FROM vectors WHERE vector_key IN (SELECT vector_key FROM vectors JOIN makers USING (maker_key) "
            f"WHERE length(vector) <> {FLOAT} * dimensions)"
        )
        connection.execute(
            "INSERT OR IGNORE INTO waiting (maker_key, kind, passage_key) "
            "SELECT maker_key, kinds.value, passage_key FROM makers JOIN passages JOIN json_each(?) AS kinds "
            "WHERE NOT EXISTS (SELECT 1 FROM vectors WHERE vectors.passage_key = passages.passage_key "
            "AND kind = kinds.value AND vectors.maker_key = makers.maker_key)",
            (_kinds(),),
        )
    database.forget_deleted()
    return found


def _damage(connection: apsw.Connection) -> Iterator[Finding]:
    told = [line for (line,) in rows(connection, "PRAGMA integrity_check") if line != "ok"]
    if told:
        yield Finding(f"damaged pages: {told[0]}", len(told), RESTORE)
    if foreign := rows(connection, "PRAGMA foreign_key_check"):
        yield Finding(f"rows without what they belong to, the first in {foreign[0][0]}", len(foreign), RESTORE)


def _count(connection: apsw.Connection, sql: str) -> int:
    return int(value(connection, sql, (_kinds(),) if "?" in sql else ()))


def _kinds() -> str:
    return json.dumps([embedding.PASSAGE])  # a passage may have no sentence of its own


def _terms(connection: apsw.Connection) -> Iterator[Finding]:
    """Entries with another number of terms than their passage is cut into."""
    if not lexicon.is_current(connection):
        return  # made anew before it is next used
    wrong = 0
    for sizes, *parts in connection.execute(
        "SELECT sz, title, section, text, language FROM passages JOIN lexicon_docsize ON id = passage_key"
    ):
        wrong += _sizes(sizes) != [len(part) for part in lexicon.terms(*parts)]
    if wrong:
        yield Finding("entries of the lexical index that are not what their passage says", wrong, REBUILD)


def _sizes(told: bytes) -> list[int]:
    """SQLite's variable-length integers: seven bits a byte, the most significant first."""
    found, n = [], 0
    for byte in told:
        n = n << 7 | byte & 0x7F
        if byte < 0x80:
            found.append(n)
            n = 0
    return found


def _index(connection: apsw.Connection) -> Iterator[Finding]:
    try:
        connection.execute("INSERT INTO lexicon (lexicon) VALUES ('integrity-check')")
    except apsw.CorruptError:
        yield Finding("the lexical index contradicts itself", 1, REBUILD)
