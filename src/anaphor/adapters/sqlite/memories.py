"""What is kept beyond the window: facts over the turns that say them, and summaries."""

from __future__ import annotations

import json
import math
import secrets
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import apsw

from anaphor.adapters.sqlite import facts
from anaphor.adapters.sqlite.connection import Database, row, rows, value
from anaphor.adapters.sqlite.facts import COLUMNS, IN_ORDER, JOINED, OWN
from anaphor.adapters.sqlite.passages import COLUMNS as PASSAGE
from anaphor.adapters.sqlite.passages import among, cut_out, passage
from anaphor.adapters.sqlite.sessions import session_key
from anaphor.adapters.sqlite.turns import TURN, required, turn_of
from anaphor.errors import UnknownFact, UnknownSession
from anaphor.facts import Contested, Fact, Read, Record, Saying, Status, Summary, SummaryVersion, Version, statement_of
from anaphor.ports import Clock
from anaphor.stored import Unread
from anaphor.text.fold import clean
from anaphor.types import Passage, Scope, Span

SHOWN = (Status.CURRENT, Status.DISPUTED)
UNREAD = (
    "turns JOIN sessions USING (session_key) WHERE unread = 1 AND outcome <> 'running' AND question <> '' "
    "AND tenant = ? AND user = ?"
)


class Memories:
    """``ports.Memories``."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    # ── reading ──

    def facts(
        self, scope: Scope, statuses: Collection[Status] = (), *, pinned: bool | None = None, limit: int = 1_000
    ) -> Sequence[Fact]:
        wanted = facts.statuses(statuses or Status)
        where = "status IN (SELECT value FROM json_each(?))" + (
            "" if pinned is None else f" AND pinned = {int(pinned)}"
        )
        order = f"facts.said_at DESC, facts.fact_key DESC LIMIT {max(0, limit)}"
        with self._database.read() as connection:
            return facts.find(connection, scope, where, (wanted,), order)

    def get(self, scope: Scope, fact_id: str) -> Fact:
        with self._database.read() as connection:
            return _required(connection, scope, fact_id)[1]

    def history(self, scope: Scope, fact_id: str) -> Sequence[Version]:
        with self._database.read() as connection:
            return _history(connection, scope, *_required(connection, scope, fact_id))

    def sayings(self, scope: Scope, fact_id: str) -> Sequence[Saying]:
        with self._database.read() as connection:
            return _sayings(connection, _required(connection, scope, fact_id)[0])

    def touching(self, scope: Scope, keys: Collection[str]) -> Sequence[Fact]:
        with self._database.read() as connection:
            where = "facts.key IN (SELECT value FROM json_each(?))"
            return facts.find(connection, scope, where, (among([clean(key) for key in keys]),), IN_ORDER)

    def kin(self, scope: Scope, fact_ids: Collection[str]) -> Sequence[Fact]:
        where = f"facts.key IN (SELECT key FROM facts WHERE {OWN} AND fact_id IN (SELECT value FROM json_each(?)))"
        with self._database.read() as connection:
            return facts.find(connection, scope, where, (scope.tenant, scope.user, among(fact_ids)), IN_ORDER)

    def passages(self, scope: Scope, fact_ids: Collection[str]) -> Mapping[str, Sequence[Passage]]:
        found: dict[str, list[Passage]] = {}
        with self._database.read() as connection:
            for fact_id, *columns in rows(
                connection,
                f"SELECT fact_id, {PASSAGE} FROM facts JOIN sayings USING (fact_key) "
                f"JOIN passages ON passages.turn_key = sayings.turn_key WHERE {OWN} "
                "AND fact_id IN (SELECT value FROM json_each(?)) AND evidence_class = 'user_statement' "
                "AND span_start < json_extract(sayings.statement, '$.end') "
                "AND span_end > json_extract(sayings.statement, '$.start') ORDER BY passage_key",
                (scope.tenant, scope.user, among(fact_ids)),
            ):
                found.setdefault(fact_id, []).append(passage(columns))
        return found

    def said(self, scope: Scope) -> Sequence[Passage]:
        with self._database.read() as connection:
            found = rows(
                connection,
                f"SELECT {PASSAGE} FROM passages JOIN realms USING (realm_key) WHERE tenant = ? AND owner = ? "
                "AND kind = 'memory' AND evidence_class = 'user_statement' ORDER BY passage_key",
                (scope.tenant, scope.user),
            )
        return [passage(columns) for columns in found]

    def decided(self, scope: Scope, limit: int) -> Sequence[tuple[Fact, float]]:
        with self._database.read() as connection:
            found = rows(
                connection,
                f"SELECT decided, {COLUMNS} FROM {JOINED} WHERE {OWN} AND decided > 0 "
                "ORDER BY decided DESC, facts.fact_key DESC LIMIT ?",
                (scope.tenant, scope.user, max(0, limit)),
            )
        return [(facts.fact(columns), at) for at, *columns in found]

    def relevant(self, scope: Scope, terms: Mapping[str, float], limit: int) -> Sequence[Fact]:
        whose = (scope.tenant, scope.user)
        with self._database.read() as connection:
            found = rows(
                connection,
                "SELECT term, fact_key FROM fact_terms WHERE tenant = ? AND user = ? "
                "AND term IN (SELECT value FROM json_each(?))",
                (*whose, among([clean(term) for term in terms])),
            )
            newest = rows(
                connection,
                f"SELECT fact_key FROM facts WHERE {OWN} AND status IN (SELECT value FROM json_each(?)) "
                "ORDER BY pinned DESC, said_at DESC, fact_key DESC LIMIT ?",
                (*whose, facts.statuses(SHOWN), limit),
            )
            whole = int(value(connection, f"SELECT count(*) FROM facts WHERE {OWN}", whose) or 0)
            best = [*by_terms(found, terms, whole), *(key for (key,) in newest)]
            where = "status IN (SELECT value FROM json_each(?)) AND fact_key IN (SELECT value FROM json_each(?))"
            told = rows(
                connection,
                f"SELECT {COLUMNS} FROM {JOINED} WHERE {OWN} AND {where}",
                (*whose, facts.statuses(SHOWN), among(best)),
            )
        known = {columns[0]: columns for columns in told}
        return [facts.fact(known[key]) for key in dict.fromkeys(best) if key in known][:limit]

    def connected(self, scope: Scope, names: Sequence[str], hops: int = 2, limit: int = 100) -> Sequence[Fact]:
        wanted = among([facts.name(name) for name in names])
        with self._database.read() as connection:
            found = rows(
                connection,
                f"""
                WITH RECURSIVE near (name, hop) AS (
                    SELECT value, 0 FROM json_each(?)
                    UNION
                    SELECT facts.value, hop + 1 FROM near JOIN facts ON about = name
                    WHERE {OWN} AND hop < ? AND status IN (SELECT value FROM json_each(?))
                )
                SELECT fact_key, min(hop) FROM near JOIN facts ON about = name
                WHERE {OWN} AND hop < ? AND status IN (SELECT value FROM json_each(?))
                GROUP BY fact_key ORDER BY min(hop), said_at, fact_key LIMIT ?""",
                (
                    *(wanted, scope.tenant, scope.user, hops, facts.statuses(SHOWN)),
                    *(scope.tenant, scope.user, hops, facts.statuses(SHOWN), limit),
                ),
            )
            order = {key: at for at, (key, _) in enumerate(found)}
            told = rows(
                connection,
                f"SELECT {COLUMNS} FROM {JOINED} WHERE facts.fact_key IN (SELECT value FROM json_each(?))",
                (among(order),),
            )
        return [facts.fact(columns) for columns in sorted(told, key=lambda columns: order[columns[0]])]

    def contested(self, scope: Scope) -> Sequence[Contested]:
        with self._database.read() as connection:
            found = rows(connection, _CONTESTED, (scope.tenant, scope.user, scope.tenant, scope.user))
        return [Contested(*columns) for columns in found]

    # ── what was said and not yet read ──

    def unread(self, scope: Scope, limit: int = 16) -> Sequence[Unread]:
        now = self._clock()
        with self._database.read() as connection:
            n = facts.generation(connection, scope)
            found = rows(
                connection,
                f"SELECT session_id, {TURN} FROM {UNREAD} ORDER BY turn_key LIMIT ?",
                (scope.tenant, scope.user, max(0, limit)),
            )
            return [_unread(connection, columns, n, now) for columns in found]

    def still_unread(self, scope: Scope, turn: Unread) -> Unread | None:
        now = self._clock()
        with self._database.read() as connection:
            found = row(
                connection,
                f"SELECT session_id, {TURN} FROM {UNREAD} AND session_id = ? AND turn_id = ?",
                (scope.tenant, scope.user, turn.session_id, turn.turn.turn_id),
            )
            return _unread(connection, found, facts.generation(connection, scope), now) if found else None

    def waiting(self, scope: Scope) -> int:
        with self._database.read() as connection:
            return int(value(connection, f"SELECT count(*) FROM {UNREAD}", (scope.tenant, scope.user)) or 0)

    def behind(self, limit: int = 100) -> Sequence[Scope]:
        whose = UNREAD.removesuffix("AND tenant = ? AND user = ?")
        with self._database.read() as connection:
            found = rows(connection, f"SELECT DISTINCT tenant, user FROM {whose} LIMIT ?", (max(0, limit),))
        return [Scope(tenant, user) for tenant, user in found]

    def keep(self, scope: Scope, turn: Unread, made: Sequence[Read], at: float) -> bool:
        # Not durable, nor is a summary: what a power cut takes is read out of the turns again, which are.
        with self._database.write() as connection:
            turn_key = _still_unread(connection, scope, turn)
            if turn_key is None or facts.generation(connection, scope) != turn.generation:
                return False
            made_with, confirmed = secrets.token_hex(8), set()
            for read in made:
                confirmed.add(_keep_one(connection, scope, turn_key, read, at, made_with))
            gone = _unconfirmed(connection, turn_key, confirmed)
            if gone:
                facts.remove(connection, scope, gone, at)
            connection.execute("UPDATE turns SET unread = 0 WHERE turn_key = ?", (turn_key,))
            if made or gone:
                facts.touch(connection, scope.tenant, scope.user)
        return True

    # ── what a person decides ──

    def generation(self, scope: Scope) -> int:
        with self._database.read() as connection:
            return facts.generation(connection, scope)

    def change(self, scope: Scope, versions: Sequence[Version], generation: int) -> bool:
        with self._database.write(durable=True) as connection:
            keys = [facts.key_of(connection, scope, version.fact.fact_id) for version in versions]
            if facts.generation(connection, scope) != generation or None in keys:
                return False
            made_with = secrets.token_hex(8)
            for key, version in zip(keys, versions, strict=True):
                if key is not None:
                    facts.write(connection, scope, key, version, made_with)
            facts.touch(connection, scope.tenant, scope.user)
        return True

    def forget(self, scope: Scope, fact_id: str, *, words: bool = False) -> Sequence[Fact]:
        with self._database.write(durable=True) as connection:
            key, _ = _required(connection, scope, fact_id)
            if words:
                stretches = "turn_key, json_extract(statement, '$.start'), json_extract(statement, '$.end')"
                for turn, *ends in rows(connection, f"SELECT {stretches} FROM sayings WHERE fact_key = ?", (key,)):
                    cut_out(connection, turn, Span(*ends))
                turns = rows(connection, "SELECT turn_key FROM sayings WHERE fact_key = ?", (key,))
                facts.without_summaries(connection, [turn for (turn,) in turns])
            connection.execute(
                "INSERT OR IGNORE INTO forgotten SELECT turn_key, json_extract(statement, '$.start'), "
                "json_extract(statement, '$.end') FROM sayings WHERE fact_key = ?",
                (key,),
            )
            again = facts.remove(connection, scope, [key], self._clock())
            facts.touch(connection, scope.tenant, scope.user)
        self._database.forget_deleted()
        return again

    def withdraw(self, scope: Scope, turn_id: str, only: Span | None = None) -> int:
        with self._database.write(durable=True) as connection:
            turn = required(connection, scope, turn_id)
            key, n = turn["turn_key"], "SELECT count(*) FROM facts WHERE tenant = ? AND user = ?"
            before = value(connection, n, (scope.tenant, scope.user))
            span = only or Span(0, len(turn["question"]))
            if only is None:
                facts.after_turns(connection, [key], self._clock())
            else:
                facts.without_summaries(connection, [key])
                facts.touch(connection, scope.tenant, scope.user)
            cut_out(connection, key, span)
            connection.execute("INSERT OR IGNORE INTO forgotten VALUES (?, ?, ?)", (key, span.start, span.end))
            gone = int(before - value(connection, n, (scope.tenant, scope.user)))
        self._database.forget_deleted()
        return gone

    def forgotten(self, scope: Scope, after: int = 0) -> Mapping[int, Sequence[Span]]:
        found: dict[int, list[Span]] = {}
        with self._database.read() as connection:
            for seq, start, end in rows(
                connection,
                "SELECT seq, span_start, span_end FROM forgotten JOIN turns USING (turn_key) "
                "WHERE session_key = ? AND seq > ? ORDER BY seq, span_start",
                (session_key(connection, scope), after),
            ):
                found.setdefault(seq, []).append(Span(start, end))
        return found

    def begin_anew(self, scope: Scope) -> int:
        with self._database.write(durable=True) as connection:
            connection.execute(
                "UPDATE turns SET unread = 1 WHERE session_key IN "
                "(SELECT session_key FROM sessions WHERE tenant = ? AND user = ?)",
                (scope.tenant, scope.user),
            )
            facts.touch(connection, scope.tenant, scope.user)
        return self.waiting(scope)

    # ── summaries ──

    def summary(self, scope: Scope) -> Summary | None:
        with self._database.read() as connection:
            try:
                session = session_key(connection, scope)
            except UnknownSession:
                return None
            found = row(connection, f"SELECT {_SUMMARY} FROM summaries WHERE session_key = ?", (session,))
        return _summary(found) if found else None

    def put_summary(self, scope: Scope, summary: Summary, by: str = "memory", why: str = "") -> bool:
        with self._database.write() as connection:
            session = session_key(connection, scope)
            there = value(connection, "SELECT version FROM summaries WHERE session_key = ?", (session,)) or 0
            if there != summary.version - 1:
                return False
            told = (
                *(session, summary.version, summary.from_seq, summary.to_seq, clean(summary.written_by)),
                *(json.dumps(summary.sources), clean(json.dumps(summary.left_out, ensure_ascii=False))),
                clean(summary.text),
            )
            connection.execute("INSERT OR REPLACE INTO summaries VALUES (?, ?, ?, ?, ?, ?, ?, ?)", told)
            connection.execute(
                "INSERT OR REPLACE INTO summary_versions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (*told, self._clock(), clean(by), clean(why)),
            )
        return True

    def summary_history(self, scope: Scope) -> Sequence[SummaryVersion]:
        with self._database.read() as connection:
            found = rows(
                connection,
                f"SELECT at, by, why, {_SUMMARY} FROM summary_versions WHERE session_key = ? ORDER BY version",
                (session_key(connection, scope),),
            )
        return [SummaryVersion(_summary(columns), at, by, why) for at, by, why, *columns in found]

    def summaries(self, scope: Scope) -> Sequence[tuple[str, Summary]]:
        with self._database.read() as connection:
            found = rows(
                connection,
                f"SELECT session_id, {_SUMMARY} FROM summaries JOIN sessions USING (session_key) "
                "WHERE tenant = ? AND user = ? ORDER BY session_key",
                (scope.tenant, scope.user),
            )
        return [(session_id, _summary(columns)) for session_id, *columns in found]

    # ── out and in ──

    def records(self, scope: Scope) -> Iterator[Record]:
        with self._database.read() as connection:
            for fact in facts.find(connection, scope, "1", (), IN_ORDER):
                key, _ = _required(connection, scope, fact.fact_id)
                named = str(value(connection, "SELECT key FROM facts WHERE fact_key = ?", (key,)))
                history = tuple(_history(connection, scope, key, fact))
                yield Record(fact, named, history, tuple(_sayings(connection, key)))

    def put_record(self, scope: Scope, record: Record) -> bool:
        with self._database.write(durable=True) as connection:
            if facts.key_of(connection, scope, record.fact.fact_id) is not None:
                return False
            said = [(turn, one) for one in record.sayings if (turn := _turn_key(connection, scope, one)) is not None]
            if not said:
                return False
            own = next((turn for turn, one in said if one.turn_id == record.fact.turn_id), said[0][0])
            key = facts.add(connection, scope, record.fact, record.key, own)
            for turn, one in said:
                facts.say(connection, key, turn, one.statement)
            for version in record.versions or (Version(record.fact, self._clock(), "memory", "imported", ""),):
                facts.write(connection, scope, key, version, f"{record.fact.fact_id}/{version.fact.version}")
            facts.touch(connection, scope.tenant, scope.user)
        return True


def by_terms(found: Sequence[tuple[str, Any]], terms: Mapping[str, float], whole: int) -> list[Any]:
    """The keys that have the terms, the best first: a term that few facts have counts for more."""
    having: dict[str, list[Any]] = {}
    for term, key in found:
        having.setdefault(term, []).append(key)
    scores: dict[Any, float] = {}
    for term, keys in having.items():
        for key in keys:
            scores[key] = scores.get(key, 0.0) + terms.get(term, 1.0) * math.log(1 + whole / len(keys))
    return sorted(scores, key=lambda key: (-scores[key], -key if isinstance(key, int) else key))


def _required(connection: apsw.Connection, scope: Scope, fact_id: str) -> tuple[int, Fact]:
    found = rows(
        connection,
        f"SELECT {COLUMNS} FROM {JOINED} WHERE {OWN} AND fact_id = ?",
        (scope.tenant, scope.user, clean(fact_id)),
    )
    if not found:
        raise UnknownFact(f"nothing that is remembered of this user has the id {clean(fact_id)!r}")
    return found[0][0], facts.fact(found[0])


def _history(connection: apsw.Connection, scope: Scope, key: int, fact: Fact) -> list[Version]:
    others = {
        other for (other,) in rows(connection, f"SELECT fact_id FROM facts WHERE {OWN}", (scope.tenant, scope.user))
    }
    found = rows(
        connection,
        "SELECT at, by, does, why, version, fact FROM fact_versions WHERE fact_key = ? ORDER BY version",
        (key,),
    )
    return [facts.version(columns, fact, others) for columns in found]


def _sayings(connection: apsw.Connection, key: int) -> list[Saying]:
    found = rows(
        connection,
        "SELECT session_id, turn_id, seq, asked_at, statement, question FROM sayings JOIN turns USING (turn_key) "
        "JOIN sessions USING (session_key) WHERE fact_key = ? ORDER BY asked_at, turn_key",
        (key,),
    )
    return [_saying(columns) for columns in found]


def _saying(columns: Sequence[Any]) -> Saying:
    session_id, turn_id, seq, said_at, told, question = columns
    statement = statement_of(json.loads(told))
    return Saying(session_id, turn_id, seq, said_at, statement, question[statement.start : statement.end])


def _unread(connection: apsw.Connection, columns: Sequence[Any], n: int, now: float) -> Unread:
    session_id, *told = columns
    key = told[TURN.split(", ").index("turn_key")]
    spans = rows(connection, "SELECT span_start, span_end FROM forgotten WHERE turn_key = ?", (key,))
    return Unread(session_id, turn_of(told, now), tuple(Span(*span) for span in spans), n)


def _still_unread(connection: apsw.Connection, scope: Scope, turn: Unread) -> int | None:
    found: int | None = value(
        connection,
        f"SELECT turn_key FROM {UNREAD} AND session_id = ? AND turn_id = ?",
        (scope.tenant, scope.user, turn.session_id, turn.turn.turn_id),
    )
    return found


def _turn_key(connection: apsw.Connection, scope: Scope, said: Saying) -> int | None:
    found: int | None = value(
        connection,
        "SELECT turn_key FROM turns JOIN sessions USING (session_key) WHERE tenant = ? AND user = ? "
        "AND session_id = ? AND turn_id = ? AND question <> ''",
        (scope.tenant, scope.user, clean(said.session_id), clean(said.turn_id)),
    )
    return found


def _keep_one(connection: apsw.Connection, scope: Scope, turn_key: int, read: Read, at: float, made_with: str) -> int:
    """Write one statement's fact and what it changes of others; the fact's row."""
    done, told = read.reconciled, read.reconciled.fact
    key = facts.key_of(connection, scope, told.fact_id)
    if key is None:
        key = facts.add(connection, scope, told, read.key, turn_key)
    elif done.does == "untouched":
        return key
    facts.say(connection, key, turn_key, read.statement)
    for fact in (told, *done.others):
        row_of = key if fact is told else facts.key_of(connection, scope, fact.fact_id)
        if row_of is not None:
            why = fact.why or done.why
            does = done.does if fact is told else str(fact.status)
            version = Version(replace(fact, why=why), at, "memory", does, why)
            facts.write(connection, scope, row_of, version, made_with, turn_key)
    return key


def _unconfirmed(connection: apsw.Connection, turn_key: int, confirmed: Collection[int]) -> list[int]:
    """What this turn alone says, by an earlier reading and not by this one, and nobody has decided about.

    Where other turns say it too, this one no longer does.
    """
    gone = []
    for (key,) in rows(connection, "SELECT fact_key FROM sayings WHERE turn_key = ?", (turn_key,)):
        decided = value(connection, "SELECT count(*) FROM fact_versions WHERE fact_key = ? AND by <> 'memory'", (key,))
        if key in confirmed or decided:
            continue
        if value(connection, "SELECT count(*) FROM sayings WHERE fact_key = ?", (key,)) == 1:
            gone.append(key)
        elif not value(connection, "SELECT turn_key = ? FROM facts WHERE fact_key = ?", (turn_key, key)):
            connection.execute("DELETE FROM sayings WHERE fact_key = ? AND turn_key = ?", (key, turn_key))
    return gone


_CONTESTED = """
    SELECT fact_id, session_id, turn_id, seq, asked_at, claim ->> 'text' FROM (
        SELECT turns.*, sessions.session_id, json_each.value AS claim
        FROM turns JOIN sessions USING (session_key), json_each(turns.claims)
        WHERE tenant = ? AND user = ? AND turns.claims LIKE '%"against":%'
    ) AS said JOIN facts ON fact_id = claim ->> 'against'
    WHERE facts.tenant = ? AND facts.user = ? AND status = 'current' AND NOT EXISTS (
        SELECT 1 FROM fact_versions
        WHERE fact_versions.fact_key = facts.fact_key AND by <> 'memory' AND at >= asked_at
    ) ORDER BY asked_at, said.turn_key"""
_SUMMARY = "text, from_seq, to_seq, written_by, sources, left_out, version"


def _summary(columns: Sequence[Any]) -> Summary:
    text, from_seq, to_seq, written_by, sources, left_out, version = columns
    spans = tuple((int(seq), int(start), int(end)) for seq, start, end in json.loads(sources))
    lacking = tuple((str(what), int(seq)) for what, seq in json.loads(left_out))
    return Summary(text, from_seq, to_seq, written_by, spans, lacking, version)
