"""A person's things, out of the store and into it."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import apsw

from anaphor.adapters.sqlite import origins
from anaphor.adapters.sqlite.connection import Database, row, rows, value
from anaphor.adapters.sqlite.lineage import LINE, TURNS, newest
from anaphor.adapters.sqlite.opinions import keep_opinion
from anaphor.adapters.sqlite.passages import COLUMNS, among, passage, realm, store_passages, terms_of
from anaphor.adapters.sqlite.sessions import SESSION, session_key, session_of
from anaphor.adapters.sqlite.turns import TURN, claims_as_json, turn_of
from anaphor.errors import UnknownSession
from anaphor.ports import Clock
from anaphor.stored import Entry, Logged, Opinion, Session, SessionLog, Taken
from anaphor.text.fold import clean
from anaphor.text.label import LONGEST, unfit
from anaphor.types import Document, Outcome, Scope, Span


class Portable:
    """``ports.Portable``."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    def documents(self, scope: Scope) -> Iterator[Entry]:
        with self._database.read() as connection:
            keys = rows(
                connection,
                "SELECT document_key FROM documents JOIN realms USING (realm_key) "
                "WHERE tenant = ? AND owner = ? AND kind = 'documents' ORDER BY source, collection",
                (scope.tenant, scope.user),
            )
        for (key,) in keys:
            with self._database.read() as connection:
                found = _entry(connection, key)
            if found:
                yield found

    def logs(self, scope: Scope) -> Iterator[SessionLog]:
        with self._database.read() as connection:
            found = rows(
                connection,
                f"SELECT session_key, origin, {SESSION} FROM sessions WHERE tenant = ? AND user = ? "
                "ORDER BY session_key",
                (scope.tenant, scope.user),
            )
        for key, origin, *columns in _parents_first(found):
            with self._database.read() as connection:
                turns = tuple(_logged(connection, key, self._clock()))
            yield SessionLog(session_of(columns), turns, origin)

    def put(self, scope: Scope, log: SessionLog) -> Taken:
        made = turns = refused = 0
        with self._database.write(durable=True) as connection:
            within = scope.within(clean(log.session.session_id))
            try:
                key = session_key(connection, within)
            except UnknownSession:
                key, made = _insert(connection, within, log), 1
            memory = realm(connection, scope.tenant, "memory", scope.user)
            for logged in sorted(log.turns, key=lambda one: one.turn.seq):
                there = value(
                    connection,
                    f"{LINE} SELECT turn_id FROM {TURNS} WHERE seq = ?",
                    (key, logged.turn.seq),
                )
                if there is None and logged.turn.seq == newest(connection, key) + 1:
                    _put_turn(connection, within, key, memory, logged)
                    turns += 1
                elif there != logged.turn.turn_id:
                    refused += 1
        return Taken(made, turns, refused=refused)

    def of_origin(self, scope: Scope, origin: str) -> Sequence[Session]:
        with self._database.read() as connection:
            found = rows(
                connection,
                f"SELECT {SESSION} FROM sessions WHERE tenant = ? AND user = ? AND origin = ? ORDER BY session_key",
                (scope.tenant, scope.user, origin),
            )
        return [session_of(columns) for columns in found]

    def begin(self, scope: Scope, name: str, origin: str, at: float) -> Session:
        session = Session(secrets.token_hex(16), name, at or self._clock(), at or self._clock())
        with self._database.write(durable=True) as connection:
            _insert(connection, scope.within(session.session_id), SessionLog(session, (), origin))
            return session_of(
                rows(connection, f"SELECT {SESSION} FROM sessions WHERE session_id = ?", (session.session_id,))[0]
            )

    def turn_ids(self, scope: Scope) -> Sequence[str]:
        with self._database.read() as connection:
            found = rows(
                connection,
                f"{LINE} SELECT turn_id FROM {TURNS} ORDER BY seq",
                (session_key(connection, scope),),
            )
        return [turn_id for (turn_id,) in found]


def fitting_name(name: str, taken: frozenset[str]) -> str:
    """The name, cut and numbered so that it may be one; empty for one that nothing can be made of."""
    plain = " ".join(clean(name).replace("\ufffd", " ").split())[: LONGEST - 8]
    if unfit(plain):
        return ""
    tries = (plain, *(f"{plain} ({n})" for n in range(2, len(taken) + 3)))
    return next(one for one in tries if one not in taken)


def _parents_first(found: Sequence[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """By key, but a branch that was there before its parent (it took the place of one that went) after it."""
    ids = {columns[2] for columns in found}
    done: set[str] = {""}
    ordered, waiting = [], list(found)
    while waiting:
        ready = [columns for columns in waiting if columns[8] in done or columns[8] not in ids]
        ordered += ready or waiting
        done |= {columns[2] for columns in ready}
        waiting = [columns for columns in waiting if columns not in ready] if ready else []
    return ordered


def _entry(connection: apsw.Connection, key: int) -> Entry | None:
    found = row(
        connection,
        "SELECT document_id, source, version, text, title, collection, owner, language, ingested_at "
        "FROM documents JOIN realms USING (realm_key) WHERE document_key = ?",
        (key,),
    )
    if found is None:
        return None
    told = dict(
        rows(connection, "SELECT name, value FROM document_metadata WHERE document_key = ? ORDER BY name", (key,))
    )
    cut = rows(connection, f"SELECT {COLUMNS} FROM passages WHERE document_key = ? ORDER BY passage_key", (key,))
    return Entry(Document(*[*found, told]), tuple(passage(columns) for columns in cut))


def _logged(connection: apsw.Connection, session: int, now: float) -> Iterator[Logged]:
    found = rows(
        connection,
        f"SELECT coalesce(trace, '{{}}'), coalesce(committed_at, 0.0), unread = 0, {TURN} FROM turns "
        "LEFT JOIN traces USING (turn_key) WHERE session_key = ? ORDER BY seq",
        (session,),
    )
    said = rows(
        connection,
        f"SELECT turn_key, {COLUMNS} FROM passages WHERE turn_key IN (SELECT value FROM json_each(?)) "
        "ORDER BY passage_key",
        (among(columns[3 + TURN.split(", ").index("turn_key")] for columns in found),),
    )
    thought = {
        key: Opinion(*told)
        for key, *told in rows(
            connection,
            "SELECT turn_key, thumbs, score, comment, given_at FROM opinions JOIN turns USING (turn_key) "
            "WHERE session_key = ?",
            (session,),
        )
    }
    forgotten: dict[int, list[Span]] = {}
    for key, *span in rows(
        connection,
        "SELECT turn_key, span_start, span_end FROM forgotten JOIN turns USING (turn_key) WHERE session_key = ?",
        (session,),
    ):
        forgotten.setdefault(key, []).append(Span(*span))
    for trace, committed_at, read, *columns in found:
        turn, key = turn_of(columns, now), columns[TURN.split(", ").index("turn_key")]
        if turn.outcome is not Outcome.RUNNING:
            own = tuple(passage(rest) for of, *rest in said if of == key)
            spans = tuple(forgotten.get(key, ()))
            yield Logged(turn, json.loads(trace), committed_at, own, thought.get(key), bool(read), spans)


def _insert(connection: apsw.Connection, scope: Scope, log: SessionLog) -> int:
    told = log.session
    taken = rows(connection, "SELECT name FROM sessions WHERE tenant = ? AND user = ?", (scope.tenant, scope.user))
    parent = None
    if told.parent:
        try:
            parent = session_key(connection, scope.within(told.parent))
        except UnknownSession:
            parent = None
    shared = told.branched_after if parent is not None else None
    connection.execute(
        "INSERT INTO sessions (tenant, user, session_id, name, created_at, last_at, archived_at, parent_key, "
        "branched_after, origin) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            *(scope.tenant, scope.user, scope.session, fitting_name(told.name, frozenset(n for (n,) in taken))),
            *(told.created_at, told.last_at, told.archived_at or None, parent, shared, log.origin),
        ),
    )
    return connection.last_insert_rowid()


def _put_turn(connection: apsw.Connection, scope: Scope, session: int, memory: int, logged: Logged) -> None:
    turn = logged.turn
    connection.execute(
        "INSERT INTO turns (session_key, seq, turn_id, question, outcome, asked_at, lease_until, lost, answer, "
        "decision, standalone, language, claims, speaker, erased_at, unread) "
        "VALUES (?, ?, ?, ?, ?, ?, 0, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            *(session, turn.seq, turn.turn_id, clean(turn.question), str(turn.outcome), turn.asked_at),
            *(turn.outcome is Outcome.FAILED, clean(turn.answer), str(turn.decision) if turn.decision else None),
            *(clean(turn.standalone), turn.language, claims_as_json(turn.claims), clean(turn.speaker)),
            turn.erased_at or None,
            not logged.read,
        ),
    )
    key = connection.last_insert_rowid()
    if logged.committed_at:
        connection.execute("INSERT INTO traces VALUES (?, ?, ?)", (key, logged.committed_at, json.dumps(logged.trace)))
        origins.note(connection, scope, key, logged.trace)
    for span in logged.forgotten:
        connection.execute("INSERT OR IGNORE INTO forgotten VALUES (?, ?, ?)", (key, span.start, span.end))
    if logged.opinion is not None:
        keep_opinion(connection, key, logged.opinion)
    said = [replace(one, source=scope.session) for one in logged.passages]
    store_passages(connection, memory, said, terms_of(said), turn_key=key)
