"""Facts as rows: written, read, and put right when turns that say them go."""

from __future__ import annotations

import json
import secrets
from collections.abc import Collection, Iterable, Sequence
from dataclasses import asdict, replace
from typing import Any

import apsw

from anaphor import bonds
from anaphor.adapters.sqlite.connection import row, rows, value
from anaphor.adapters.sqlite.passages import COLUMNS as PASSAGE
from anaphor.adapters.sqlite.passages import among, passage
from anaphor.facts import PERSON, Fact, Statement, Status, Version, fact_of, statement_of
from anaphor.text.fold import clean, matching
from anaphor.text.segment import index_terms
from anaphor.types import Passage, Scope

COLUMNS = (
    "facts.fact_key, fact_id, facts.statement, facts.said_at, status, version, replaced_by, against, pinned, why, "
    "session_id, turn_id, seq, (SELECT json_group_array(turn_id) FROM (SELECT turns.turn_id FROM sayings "
    "JOIN turns USING (turn_key) WHERE sayings.fact_key = facts.fact_key ORDER BY turns.asked_at, turns.turn_key))"
)
JOINED = "facts JOIN turns USING (turn_key) JOIN sessions USING (session_key)"
OWN = "facts.tenant = ? AND facts.user = ?"
IN_ORDER = "facts.said_at, facts.fact_key"
ERASED = "what it was decided against is erased"
MOVED = "a turn that said it is erased"
EDITED = "edited"  # ``Version.does`` of words that a person gave it


def fact(columns: Sequence[Any]) -> Fact:
    """From ``COLUMNS``."""
    _, fact_id, statement, said_at, status, version, replaced_by, against, pinned, why, *where, turns = columns
    session_id, turn_id, seq = where
    told = statement_of(json.loads(statement))
    ties = {"replaced_by": replaced_by, "against": tuple(json.loads(against)), "turns": tuple(json.loads(turns))}
    kept = {"status": Status(status), "version": version, "pinned": bool(pinned), "why": why}
    return Fact(fact_id, told, session_id, turn_id, seq, said_at, **kept, **ties)


def find(connection: apsw.Connection, scope: Scope, where: str, bindings: tuple[Any, ...], order: str) -> list[Fact]:
    """The scope's user's facts of which ``where`` is true."""
    found = rows(
        connection,
        f"SELECT {COLUMNS} FROM {JOINED} WHERE {OWN} AND {where} ORDER BY {order}",
        (scope.tenant, scope.user, *bindings),
    )
    return [fact(columns) for columns in found]


def key_of(connection: apsw.Connection, scope: Scope, fact_id: str) -> int | None:
    """The row of a fact of this person's."""
    sql = f"SELECT fact_key FROM facts WHERE {OWN} AND fact_id = ?"
    found: int | None = value(connection, sql, (scope.tenant, scope.user, clean(fact_id)))
    return found


def add(connection: apsw.Connection, scope: Scope, told: Fact, key: str, turn_key: int) -> int:
    """A new row for the fact, said in that turn; its versions and sayings are written apart."""
    connection.execute(
        "INSERT INTO facts (tenant, user, fact_id, turn_key, key, about, value, kind, status, said_at, version, "
        "statement) VALUES (?, ?, ?, ?, ?, '', '', '', '', 0, 0, '')",
        (scope.tenant, scope.user, clean(told.fact_id), turn_key, clean(key)),
    )
    return connection.last_insert_rowid()


def write(
    connection: apsw.Connection, scope: Scope, key: int, version: Version, made_with: str, read_from: int | None = None
) -> None:
    """The fact's next version, with its terms. ``read_from``: the turn whose reading made it."""
    told, statement = version.fact, version.fact.statement
    newest = (
        "SELECT max(coalesce(max(version.version), 0), facts.version) FROM facts LEFT JOIN fact_versions AS version"
    )
    number = 1 + int(value(connection, f"{newest} USING (fact_key) WHERE facts.fact_key = ?", (key,)) or 0)
    text = as_json(statement)
    # When a person rejected it or put it in other words; 0 where what was said stands.
    stands = not statement.words and told.status is not Status.RETIRED
    decided = "0" if stands else "decided" if version.by == "memory" else "?"
    connection.execute(
        "UPDATE facts SET about = ?, value = ?, kind = ?, status = ?, said_at = ?, pinned = ?, version = ?, "
        f"replaced_by = ?, against = ?, why = ?, statement = ?, decided = {decided} WHERE fact_key = ?",
        (
            *(name(statement.about), name(statement.value), str(statement.kind), str(told.status), told.said_at),
            *(told.pinned, number, told.replaced_by, json.dumps(told.against), clean(told.why), text),
            *((version.at, key) if decided == "?" else (key,)),
        ),
    )
    connection.execute(
        "INSERT INTO fact_versions SELECT fact_key, version, turn_key, ?, ?, ?, ?, ?, ?, ? FROM facts "
        "WHERE fact_key = ?",
        (read_from, made_with, version.at, clean(version.by), version.does, clean(version.why), _whole(told), key),
    )
    connection.execute("DELETE FROM fact_terms WHERE fact_key = ?", (key,))
    connection.execute(
        "INSERT OR IGNORE INTO fact_terms SELECT ?, ?, value, ? FROM json_each(?)",
        (scope.tenant, scope.user, key, json.dumps(sorted(terms(connection, key, statement)))),
    )


def say(connection: apsw.Connection, key: int, turn_key: int, statement: Statement) -> None:
    """The turn says it so."""
    connection.execute("INSERT OR REPLACE INTO sayings VALUES (?, ?, ?)", (key, turn_key, as_json(statement)))


def terms(connection: apsw.Connection, key: int, statement: Statement) -> set[str]:
    """What a fact is found by: the clause that says it, and what it says."""
    if statement.words:
        return terms_of(replace(statement, start=0, end=len(statement.words)), statement.words)
    question = value(connection, "SELECT question FROM facts JOIN turns USING (turn_key) WHERE fact_key = ?", (key,))
    return terms_of(statement, str(question or ""))


def terms_of(statement: Statement, question: str) -> set[str]:
    clause = question[statement.start : statement.end]
    about = "" if statement.about == PERSON else statement.about
    return set(index_terms(clean(" \n".join((clause, about, statement.value, statement.context)))))


def name(text: str) -> str:
    """As one fact's value is compared with what another is about."""
    return matching(clean(text)).strip()


def as_json(statement: Statement) -> str:
    """Without what would not go into the file: half a surrogate pair, a NUL."""
    return clean(json.dumps(asdict(statement), ensure_ascii=False))


def _whole(told: Fact) -> str:
    return clean(json.dumps(asdict(told), ensure_ascii=False))


def version(columns: Sequence[Any], now: Fact, others: Collection[str]) -> Version:
    """From at, by, does, why, number and the fact as it was; what it was tied to and is gone is left out."""
    at, by, does, why, number, told = columns
    was = fact_of(json.loads(told))
    ties = {"replaced_by": was.replaced_by if was.replaced_by in others else ""}
    ties |= {"against": tuple(other for other in was.against if other in others)}  # type: ignore[dict-item]
    said = tuple(turn for turn in now.turns if turn in was.turns)
    place = {"session_id": now.session_id, "turn_id": now.turn_id, "seq": now.seq}
    return Version(replace(was, version=number, turns=said, why=why, **ties, **place), at, by, does, why)  # type: ignore[arg-type]


def touch(connection: apsw.Connection, tenant: str, user: str) -> None:
    """Something of the person's memory is other than it was."""
    connection.execute(
        "INSERT INTO generations VALUES (?, ?, 1) ON CONFLICT (tenant, user) DO UPDATE SET n = n + 1", (tenant, user)
    )


def generation(connection: apsw.Connection, scope: Scope) -> int:
    sql = "SELECT n FROM generations WHERE tenant = ? AND user = ?"
    return int(value(connection, sql, (scope.tenant, scope.user)) or 0)


def after_turns(connection: apsw.Connection, turns: Sequence[int], now: float) -> None:
    """Before turns go: facts that no other turn says go, the others keep the words of a turn that stays."""
    gone = among(turns)
    said = rows(
        connection,
        "SELECT DISTINCT fact_key, tenant, user FROM sayings JOIN facts USING (fact_key) "
        "WHERE sayings.turn_key IN (SELECT value FROM json_each(?))",
        (gone,),
    )
    for tenant, user in rows(
        connection,
        "SELECT DISTINCT tenant, user FROM turns JOIN sessions USING (session_key) "
        "WHERE turn_key IN (SELECT value FROM json_each(?))",
        (gone,),
    ):
        _drop_summaries(connection, gone)
        touch(connection, tenant, user)
    for key, tenant, user in said:
        connection.execute(
            "DELETE FROM sayings WHERE fact_key = ? AND turn_key IN (SELECT value FROM json_each(?))", (key, gone)
        )
        _rest_on_another(connection, Scope(tenant, user), key, gone, now)
    by_person: dict[tuple[str, str], list[int]] = {}
    for key, tenant, user in said:
        if not value(connection, "SELECT count(*) FROM sayings WHERE fact_key = ?", (key,)):
            by_person.setdefault((tenant, user), []).append(key)
    for (tenant, user), keys in by_person.items():
        remove(connection, Scope(tenant, user), keys, now)


def remove(connection: apsw.Connection, scope: Scope, keys: Sequence[int], now: float) -> list[Fact]:
    """The facts, and what others tell of them; what they alone had superseded is current again, and returned."""
    listed = among(keys)
    ids = dict(
        rows(connection, "SELECT fact_id, key FROM facts WHERE fact_key IN (SELECT value FROM json_each(?))", (listed,))
    )
    _forget_reasons(connection, listed)
    changed: list[Fact] = []
    for same in sorted(set(ids.values())):
        found = find(connection, scope, "facts.key = ?", (same,), IN_ORDER)
        changed += bonds.without(found, ids.keys(), ERASED)
    connection.execute("DELETE FROM facts WHERE fact_key IN (SELECT value FROM json_each(?))", (listed,))
    made_with = secrets.token_hex(8)
    for told in changed:
        key = key_of(connection, scope, told.fact_id)
        if key is not None:
            write(connection, scope, key, Version(told, now, "memory", "reinstated", ERASED), made_with)
    return [again for told in changed for again in find(connection, scope, "fact_id = ?", (told.fact_id,), IN_ORDER)]


def _forget_reasons(connection: apsw.Connection, keys: str) -> None:
    """What other facts' versions tell of why these were preferred, or given up, may hold their words."""
    made_together = "SELECT made_with FROM fact_versions WHERE fact_key IN (SELECT value FROM json_each(?1))"
    others = f"fact_key NOT IN (SELECT value FROM json_each(?1)) AND made_with IN ({made_together})"
    connection.execute(
        "UPDATE facts SET why = ?2 WHERE EXISTS (SELECT 1 FROM fact_versions WHERE "
        f"fact_versions.version = facts.version AND fact_versions.fact_key = facts.fact_key AND fact_versions.{others}"
        ")",
        (keys, ERASED),
    )
    connection.execute(
        f"UPDATE fact_versions SET why = ?2, fact = json_set(fact, '$.why', ?2) WHERE {others}", (keys, ERASED)
    )


def _rest_on_another(connection: apsw.Connection, scope: Scope, key: int, gone: str, now: float) -> None:
    """A fact that other turns say too has the words of the first of them, unless a person gave it others since."""
    kept = row(
        connection,
        "SELECT turn_key, statement, asked_at FROM sayings JOIN turns USING (turn_key) WHERE fact_key = ? "
        "ORDER BY asked_at, turn_key LIMIT 1",
        (key,),
    )
    if kept is None:
        return
    turn_key, statement, said_at = kept
    listed = "IN (SELECT value FROM json_each(?))"
    own = value(connection, f"SELECT count(*) FROM facts WHERE fact_key = ? AND turn_key {listed}", (key, gone))
    edited = value(connection, f"SELECT count(*) FROM fact_versions WHERE fact_key = ? AND does = '{EDITED}'", (key,))
    connection.execute("UPDATE facts SET turn_key = ? WHERE fact_key = ?", (turn_key, key))
    connection.execute(
        f"DELETE FROM fact_versions WHERE fact_key = ? AND (turn_key {listed} OR read_from {listed})", (key, gone, gone)
    )
    told = find(connection, scope, "facts.fact_key = ?", (key,), IN_ORDER)[0]
    words = told.statement if edited and not own else statement_of(json.loads(statement))
    moved = replace(told, statement=words, said_at=said_at, why=MOVED)
    write(connection, scope, key, Version(moved, now, "memory", "moved", MOVED), secrets.token_hex(8))


def without_summaries(connection: apsw.Connection, turns: Sequence[int]) -> None:
    """Those that may hold words of these turns are to be written anew."""
    _drop_summaries(connection, among(turns))


def _drop_summaries(connection: apsw.Connection, turns: str) -> None:
    """Of the turns' sessions and of those that branched off them after that turn."""
    connection.execute(
        """
        WITH RECURSIVE touched (session_key, seq) AS (
            SELECT session_key, seq FROM turns WHERE turn_key IN (SELECT value FROM json_each(?))
            UNION
            SELECT sessions.session_key, seq FROM touched JOIN sessions ON parent_key = touched.session_key
            WHERE seq <= branched_after
        )
        DELETE FROM summary_versions WHERE session_key IN (
            SELECT touched.session_key FROM touched JOIN summary_versions AS told USING (session_key)
            WHERE seq <= told.to_seq)""",
        (turns,),
    )
    connection.execute("DELETE FROM summaries WHERE session_key NOT IN (SELECT session_key FROM summary_versions)")


def words_of(connection: apsw.Connection, scope: Scope, passage_ids: Sequence[str]) -> dict[str, Passage]:
    """Facts in a person's words, as passages by ``FACT@VERSION``, as long as fact and version are there."""
    if not passage_ids:
        return {}
    found = rows(
        connection,
        f"SELECT fact_id || '@' || told.version, json_extract(told.fact, '$.statement.words'), {PASSAGE} "
        "FROM facts JOIN fact_versions AS told USING (fact_key) JOIN passages ON passages.turn_key = facts.turn_key "
        f"WHERE {OWN} AND fact_id || '@' || told.version IN (SELECT value FROM json_each(?)) "
        "AND evidence_class = 'user_statement' AND json_extract(told.fact, '$.statement.words') <> ''",
        (scope.tenant, scope.user, among(passage_ids)),
    )
    return {
        name: replace(passage(columns), passage_id=name, text=words, start=0, end=len(words))
        for name, words, *columns in found
    }


def statuses(wanted: Iterable[Status]) -> str:
    return among([str(status) for status in wanted])
