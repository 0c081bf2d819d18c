"""The conversations of a person."""

from __future__ import annotations

import secrets
from collections.abc import Sequence

import apsw

from anaphor.adapters.sqlite.connection import Database, row, rows, value
from anaphor.adapters.sqlite.passages import remove_passages
from anaphor.errors import BadInput, UnknownSession
from anaphor.ports import Clock
from anaphor.text.fold import clean
from anaphor.text.label import unfit
from anaphor.types import Scope, Session

_COLUMNS = (
    "session_id, name, created_at, last_at, (SELECT count(*) FROM turns WHERE turns.session_key = sessions.session_key)"
)


class Sessions:
    """``ports.Sessions``; an id is 128 random bits."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    def create(self, scope: Scope, name: str = "") -> Session:
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
                f"SELECT {_COLUMNS} FROM sessions WHERE tenant = ? AND user = ? AND ? <> '' "
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
                f"SELECT {_COLUMNS} FROM sessions WHERE tenant = ? AND user = ? "
                "ORDER BY last_at DESC, session_key DESC",
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
        return self.find(scope, scope.session)

    def delete(self, scope: Scope) -> None:
        with self._database.write(durable=True) as connection:
            key = session_key(connection, scope)
            remove_passages(connection, "turn_key IN (SELECT turn_key FROM turns WHERE session_key = ?)", (key,))
            connection.execute("DELETE FROM sessions WHERE session_key = ?", (key,))
        self._database.forget_deleted()


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
