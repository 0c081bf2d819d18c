"""The conversations of a person."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Any

import apsw

from anaphor.adapters.sqlite import audit, due
from anaphor.adapters.sqlite.connection import Database, row, rows, value
from anaphor.adapters.sqlite.holder import is_gone
from anaphor.adapters.sqlite.lineage import LINE, TURNS
from anaphor.errors import ArchivedSession, BadInput, TurnInProgress, UnknownSession, UnknownTurn
from anaphor.ports import Clock
from anaphor.store import Erasure
from anaphor.stored import Session
from anaphor.text.fold import clean
from anaphor.text.label import unfit
from anaphor.types import Scope

SESSION = (
    "session_id, name, created_at, last_at, "
    "coalesce((SELECT max(seq) FROM turns WHERE turns.session_key = sessions.session_key), branched_after, 0), "
    "coalesce(archived_at, 0.0), "
    "coalesce((SELECT session_id FROM sessions AS parents WHERE parents.session_key = sessions.parent_key), ''), "
    "coalesce(branched_after, 0)"
)


class Sessions:
    """``ports.Sessions``; an id is 128 random bits."""

    def __init__(self, database: Database, clock: Clock, erasure: Erasure) -> None:
        self._database = database
        self._clock = clock
        self._erasure = erasure

    def delete(self, scope: Scope) -> None:
        self._erasure.session(scope)

    def create(self, scope: Scope, name: str = "", *, ephemeral: bool = False) -> Session:
        if ephemeral:
            raise BadInput("this store keeps what it is given: an ephemeral session needs one in memory beside it")
        now, session_id, name = self._clock(), secrets.token_hex(16), fitting(name) if name else ""
        with self._database.write(durable=True) as connection:
            _refuse_taken(connection, scope, name)
            connection.execute(
                "INSERT INTO sessions (tenant, user, session_id, name, created_at, last_at) VALUES (?, ?, ?, ?, ?, ?)",
                (scope.tenant, scope.user, session_id, name, now, now),
            )
        return Session(session_id, name, now, now)

    def find(self, scope: Scope, id_or_name: str) -> Session:
        wanted = clean(id_or_name)
        with self._database.read() as connection:
            found = row(
                connection,
                f"SELECT {SESSION} FROM sessions WHERE tenant = ? AND user = ? AND ? <> '' "
                "AND (session_id = ? OR name = ?) ORDER BY session_id = ? DESC",
                (scope.tenant, scope.user, wanted, wanted, wanted, wanted),
            )
        if found is None:
            raise _unknown(id_or_name)
        return Session(*found)

    def list(self, scope: Scope) -> Sequence[Session]:
        with self._database.read() as connection:
            found = rows(
                connection,
                f"SELECT {SESSION} FROM sessions WHERE tenant = ? AND user = ? ORDER BY last_at DESC, session_key DESC",
                (scope.tenant, scope.user),
            )
        return [Session(*columns) for columns in found]

    def rename(self, scope: Scope, name: str) -> Session:
        name = fitting(name)
        with self._database.write(durable=True) as connection:
            key = session_key(connection, scope)
            if value(connection, "SELECT name FROM sessions WHERE session_key = ?", (key,)) != name:
                _refuse_taken(connection, scope, name)
            connection.execute("UPDATE sessions SET name = ? WHERE session_key = ?", (name, key))
            audit.record(connection, scope, "change", "session", scope.session, now=self._clock())
        return self.find(scope, scope.session)

    def branch(self, scope: Scope, after: int, name: str = "") -> Session:
        now, session_id, name = self._clock(), secrets.token_hex(16), fitting(name) if name else ""
        with self._database.write(durable=True) as connection:
            key = session_key(connection, scope)
            _refuse_unended(connection, scope, key, after, now)
            _refuse_taken(connection, scope, name)
            connection.execute(
                "INSERT INTO sessions (tenant, user, session_id, name, created_at, last_at, parent_key, "
                "branched_after, origin) SELECT ?, ?, ?, ?, ?, ?, ?, ?, origin FROM sessions WHERE session_key = ?",
                (scope.tenant, scope.user, session_id, name, now, now, key, after, key),
            )
        return self.find(scope, session_id)

    def archive(self, scope: Scope, archived: bool = True) -> Session:
        with self._database.write(durable=True) as connection:
            connection.execute(
                # Whoever takes it out again is using it.
                "UPDATE sessions SET archived_at = iif(?1, coalesce(archived_at, ?2), NULL), "
                "last_at = iif(?1 OR archived_at IS NULL, last_at, max(last_at, ?2)) WHERE session_key = ?3",
                (archived, self._clock(), session_key(connection, scope)),
            )
            audit.record(connection, scope, "change", "session", scope.session, now=self._clock())
        return self.find(scope, scope.session)


def open_session(connection: apsw.Connection, scope: Scope, now: float) -> None:
    """``ArchivedSession`` if nothing more may be asked in the scope's session; one that is to be erased is unknown."""
    key = session_key(connection, scope)
    if over := due.ending(connection, key, now):
        raise _over(scope.session) if over == "archive" else _unknown(scope.session)
    if value(connection, "SELECT archived_at FROM sessions WHERE session_key = ?", (key,)):
        raise ArchivedSession(
            f"session {scope.session} is archived: take it out again (anaphor sessions unarchive {scope.session}), or "
            "branch off it"
        )


def _refuse_unended(connection: apsw.Connection, scope: Scope, key: int, after: int, now: float) -> None:
    found = row(connection, f"{LINE} SELECT outcome, lease_until, held_by FROM {TURNS} WHERE seq = ?", (key, after))
    if found is None:
        raise UnknownTurn(f"no turn {after} in session {clean(scope.session)!r} of this user to branch off")
    outcome, lease_until, held_by = found
    if outcome == "running" and lease_until > now and not is_gone(held_by):
        raise TurnInProgress(after, lease_until - now)


def session_of(columns: Sequence[Any]) -> Session:
    """From ``SESSION``."""
    return Session(*columns)


def session_key(connection: apsw.Connection, scope: Scope) -> int:
    """The key of the scope's session; ``UnknownSession`` if it is not this tenant's and user's."""
    found = value(
        connection,
        "SELECT session_key FROM sessions WHERE tenant = ? AND user = ? AND session_id = ?",
        (scope.tenant, scope.user, scope.session),
    )
    if found is None:
        raise _unknown(scope.session)
    return int(found)


def fitting(name: str) -> str:
    """The name as it is kept; ``BadInput`` if it can be none."""
    if why := unfit(name):
        raise BadInput(f"{clean(name[:40])!r} cannot be a session's name: {why}")
    return clean(name)


def _over(session_id: str) -> ArchivedSession:
    return ArchivedSession(
        f"the time of session {session_id} is over (anaphor retention tells how long one lasts): it may be read, and "
        "branched off"
    )


def _unknown(id_or_name: str) -> UnknownSession:
    return UnknownSession(f"no session {clean(id_or_name)!r} of this user")


def _refuse_taken(connection: apsw.Connection, scope: Scope, name: str) -> None:
    taken = name and value(
        connection,
        "SELECT session_id FROM sessions WHERE tenant = ? AND user = ? AND name = ?",
        (scope.tenant, scope.user, name),
    )
    if taken:
        raise BadInput(
            f"a session named {name!r} is already there ({taken}): choose another name, or continue that one"
        )
