"""How long a tenant's things are kept, and the end of those whose time is over."""

from __future__ import annotations

import apsw

from anaphor.adapters.sqlite import audit, due
from anaphor.adapters.sqlite.connection import Database, row
from anaphor.adapters.sqlite.erase import Erasure
from anaphor.ports import Clock
from anaphor.stored import Ended, Retention
from anaphor.types import Scope


class Lifetimes:
    """``store.Lifetimes``; ``trace_days`` is how long a trace is kept where the tenant says nothing else."""

    def __init__(self, database: Database, clock: Clock, erasure: Erasure, trace_days: float) -> None:
        self._database = database
        self._clock = clock
        self._erasure = erasure
        self._trace_days = trace_days

    def get(self, scope: Scope) -> Retention:
        with self._database.read() as connection:
            told = row(
                connection,
                "SELECT idle_days, days, ending, trace_days, audit_days FROM retention WHERE tenant = ?",
                (scope.tenant,),
            )
        return Retention(*told) if told else Retention()

    def put(self, scope: Scope, retention: Retention) -> None:
        told, now = retention, self._clock()
        with self._database.write(durable=True) as connection:
            connection.execute(
                "INSERT OR REPLACE INTO retention (tenant, idle_days, days, ending, trace_days, audit_days) "
                "VALUES (?, ?, ?, ?, ?, ?)",
                (scope.tenant, told.idle_days, told.days, told.ending, told.trace_days, told.audit_days),
            )
            audit.record(connection, scope, "change", "retention", now=now)

    def end(self) -> Ended:
        now = self._clock()
        with self._database.read() as connection:
            over = [
                (Scope(tenant, user, session), ending)
                for tenant, user, session, ending in due.sessions(connection, now)
            ]
            if not over and not due.lines(connection, now, self._trace_days):
                return Ended()
        gone = self._erasure.sessions([scope for scope, ending in over if ending == "erase"])
        with self._database.write(durable=True) as connection:
            archived = sum(_archive(connection, scope, now) for scope, ending in over if ending == "archive")
            traces = due.purge_traces(connection, now, self._trace_days)
            lines = audit.purge(connection, now)
        if traces:
            self._database.forget_deleted()
        return Ended(archived, gone.sessions, traces, lines)


def _archive(connection: apsw.Connection, scope: Scope, now: float) -> int:
    connection.execute(
        "UPDATE sessions SET archived_at = ? WHERE (tenant, user, session_id) = (?, ?, ?) AND archived_at IS NULL",
        (now, scope.tenant, scope.user, scope.session),
    )
    return int(connection.changes())
