"""How long a tenant's things are kept, in memory."""

from __future__ import annotations

from dataclasses import replace

from anaphor.adapters.fake.audit import Audit, record
from anaphor.adapters.fake.erase import Erasure
from anaphor.adapters.fake.state import State, StoredSession
from anaphor.stored import DAY, Ended, Retention
from anaphor.types import Outcome, Scope


class Lifetimes:
    """``store.Lifetimes``."""

    def __init__(self, state: State, erasure: Erasure, audit: Audit) -> None:
        self._state = state
        self._erasure = erasure
        self._audit = audit

    def get(self, scope: Scope) -> Retention:
        with self._state.lock:
            return self._state.retention.get(scope.tenant, Retention())

    def put(self, scope: Scope, retention: Retention) -> None:
        with self._state.lock:
            self._state.retention[scope.tenant] = retention
            record(self._state, scope, "change", "retention")

    def end(self) -> Ended:
        state = self._state
        with state.lock:
            now, archived, erased = state.clock(), 0, 0
            for (tenant, user, session_id), stored in list(state.sessions.items()):
                if not state.over(tenant, stored.session) or _answering(stored, now):
                    continue
                if state.retention[tenant].ending == "erase":
                    self._erasure.session(Scope(tenant, user, session_id))
                    erased += 1
                elif not stored.session.archived_at:
                    stored.session = replace(stored.session, archived_at=now)
                    archived += 1
            return Ended(archived, erased, self._purge_traces(now), self._audit.purge(now))

    def _purge_traces(self, now: float) -> int:
        due = [
            turn
            for (tenant, _, _), stored in self._state.sessions.items()
            for turn in stored.turns
            if 0 < turn.committed_at <= now - self._state.trace_days_of(tenant) * DAY
        ]
        for turn in due:
            turn.trace, turn.committed_at = "{}", 0.0
        return len({id(turn) for turn in due})


def _answering(stored: StoredSession, now: float) -> bool:
    return any(turn.turn.outcome is Outcome.RUNNING and turn.lease_until > now for turn in stored.turns)
