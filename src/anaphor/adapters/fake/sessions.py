"""The conversations of a person, in memory."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import replace

from anaphor.adapters.fake.audit import record
from anaphor.adapters.fake.state import State, StoredSession
from anaphor.errors import BadInput, TurnInProgress, UnknownSession, UnknownTurn
from anaphor.store import Erasure
from anaphor.stored import Session
from anaphor.text.fold import clean
from anaphor.text.label import unfit
from anaphor.types import Outcome, Scope


class Sessions:
    """``ports.Sessions``."""

    def __init__(self, state: State, erasure: Erasure) -> None:
        self._state = state
        self._erasure = erasure

    def create(self, scope: Scope, name: str = "", *, ephemeral: bool = False) -> Session:
        name = fitting(name) if name else ""
        with self._state.lock:
            self._refuse_taken(scope, name)
            now = self._state.clock()
            session = Session(secrets.token_hex(16), name, now, now, ephemeral=ephemeral)
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
            record(self._state, scope, "change", "session", scope.session)
        return self.find(scope, scope.session)

    def branch(self, scope: Scope, after: int, name: str = "") -> Session:
        name = fitting(name) if name else ""
        with self._state.lock:
            stored, now = self._state.session(scope), self._state.clock()
            if not 0 < after <= len(stored.turns):
                raise UnknownTurn(f"no turn {after} in session {clean(scope.session)!r} of this user to branch off")
            last = stored.turns[after - 1]
            if last.turn.outcome is Outcome.RUNNING and last.lease_until > now:
                raise TurnInProgress(after, last.lease_until - now)
            self._refuse_taken(scope, name)
            own = Session(secrets.token_hex(16), name, now, now, ephemeral=stored.session.ephemeral)
            made = replace(own, parent=scope.session, branched_after=after)
            self._state.sessions[scope.tenant, scope.user, made.session_id] = StoredSession(
                made, stored.turns[:after], stored.origin
            )
        return self.find(scope, made.session_id)

    def archive(self, scope: Scope, archived: bool = True) -> Session:
        with self._state.lock:
            stored = self._state.session(scope)
            session, now = stored.session, self._state.clock()
            used = now if session.archived_at and not archived else session.last_at  # whoever takes it out is using it
            since = session.archived_at or now
            stored.session = replace(
                session, archived_at=since if archived else 0.0, last_at=max(session.last_at, used)
            )
            record(self._state, scope, "change", "session", scope.session)
        return self.find(scope, scope.session)

    def delete(self, scope: Scope) -> None:
        self._erasure.session(scope)

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
