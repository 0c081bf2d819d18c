"""The conversations of a person, in memory."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import replace

from anaphor.adapters.fake.state import State, StoredSession
from anaphor.errors import BadInput, UnknownSession
from anaphor.text.fold import clean
from anaphor.text.label import unfit
from anaphor.types import Scope, Session


class Sessions:
    """``ports.Sessions``."""

    def __init__(self, state: State) -> None:
        self._state = state

    def create(self, scope: Scope, name: str = "") -> Session:
        name = fitting(name) if name else ""
        with self._state.lock:
            self._refuse_taken(scope, name)
            now = self._state.clock()
            session = Session(secrets.token_hex(16), name, now, now)
            self._state.sessions[scope.tenant, scope.user, session.session_id] = StoredSession(session)
            return session

    def find(self, scope: Scope, id_or_name: str) -> Session:
        wanted = clean(id_or_name)
        mine = self.list(scope)
        for session in mine:
            if session.session_id == wanted:
                return session
        for session in mine:
            if wanted and session.name == wanted:
                return session
        raise UnknownSession(f"no session {wanted!r} of this user")

    def list(self, scope: Scope) -> Sequence[Session]:
        with self._state.lock:
            oldest_first = [
                replace(stored.session, turns=len(stored.turns))
                for (tenant, user, _), stored in self._state.sessions.items()
                if (tenant, user) == (scope.tenant, scope.user)
            ]
        newest_first = oldest_first[::-1]
        return sorted(newest_first, key=lambda session: -session.last_at)

    def rename(self, scope: Scope, name: str) -> Session:
        name = fitting(name)
        with self._state.lock:
            stored = self._state.session(scope)
            if stored.session.name != name:
                self._refuse_taken(scope, name)
            stored.session = replace(stored.session, name=name)
        return self.find(scope, scope.session)

    def delete(self, scope: Scope) -> None:
        with self._state.lock:
            for stored in self._state.session(scope).turns:
                self._state.remove((scope.session, stored.turn.seq))
            del self._state.sessions[scope.tenant, scope.user, scope.session]

    def _refuse_taken(self, scope: Scope, name: str) -> None:
        for session in self.list(scope):
            if name and session.name == name:
                raise BadInput(
                    f"a session named {name!r} is already there ({session.session_id}): choose another name, "
                    "or continue that one"
                )


def fitting(name: str) -> str:
    """The name as it is kept; ``BadInput`` if it can be none."""
    if why := unfit(name):
        raise BadInput(f"{clean(name[:40])!r} cannot be a session's name: {why}")
    return clean(name)
