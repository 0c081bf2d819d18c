"""Who read, exported, changed or erased what, in memory: ids and digests, never contents and never a name."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from anaphor.adapters.fake.state import State
from anaphor.stored import DAY, Audited, Retention
from anaphor.types import Scope


class Audit:
    """``store.Audit``."""

    def __init__(self, state: State) -> None:
        self._state = state

    def note(self, scope: Scope, act: str, kind: str, what: str = "", n: int = 1) -> None:
        record(self._state, scope, act, kind, digest("id", what) if kind == "document" and what else what, n)

    def read(self, scope: Scope, limit: int = 100, everyone: bool = False) -> Sequence[Audited]:
        with self._state.lock:
            found = [
                line
                for tenant, line in self._state.audit
                if tenant == digest("tenant", scope.tenant) and (everyone or line.person == person(scope))
            ]
        return found[::-1][: max(0, limit)]

    def purge(self, now: float | None = None) -> int:
        with self._state.lock:
            now = self._state.clock() if now is None else now
            kept = {digest("tenant", name): told.audit_days for name, told in self._state.retention.items()}
            before = len(self._state.audit)
            self._state.audit = [
                (tenant, line)
                for tenant, line in self._state.audit
                if (days := kept.get(tenant, Retention().audit_days)) is None or line.at >= now - days * DAY
            ]
            return before - len(self._state.audit)


def record(state: State, scope: Scope, act: str, kind: str, what: str = "", n: int = 1) -> None:
    with state.lock:
        line = Audited(state.clock(), person(scope), act, kind, what, n)
        state.audit.append((digest("tenant", scope.tenant), line))


def person(scope: Scope) -> str:
    return digest("person", scope.tenant, scope.user)


def digest(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:32]
