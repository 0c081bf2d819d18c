"""Who read, exported, changed or erased what: ids and digests, never contents and never a name.

A person stands there as a digest of tenant and user. Whoever has a name to ask about can find its lines; nobody can
read a name out of them, so that erasing a person has nothing to take back from a record that is never changed. (A table
trigger refuses changing it, and removing what is younger than its retention.)
"""

from __future__ import annotations

from collections.abc import Sequence

import apsw

from anaphor.adapters.sqlite.connection import Database, rows
from anaphor.adapters.sqlite.origins import digest
from anaphor.ports import Clock
from anaphor.stored import DAY, Audited, Retention
from anaphor.types import Scope

KEPT_DAYS = Retention().audit_days


class Audit:
    """``store.Audit``."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    def note(self, scope: Scope, act: str, kind: str, what: str = "", n: int = 1) -> None:
        what = digest("id", what) if kind == "document" and what else what
        with self._database.write(durable=act != "read") as connection:
            record(connection, scope, act, kind, what, n, self._clock())

    def read(self, scope: Scope, limit: int = 100, everyone: bool = False) -> Sequence[Audited]:
        with self._database.read() as connection:
            found = rows(
                connection,
                "SELECT at, person, act, kind, what, n FROM audit WHERE tenant = ? AND (? OR person = ?) "
                "ORDER BY audit_key DESC LIMIT ?",
                (tenant(scope), everyone, person(scope), max(0, limit)),
            )
        return [Audited(*columns) for columns in found]

    def purge(self, now: float | None = None) -> int:
        now = self._clock() if now is None else now
        with self._database.write(durable=True) as connection:
            return purge(connection, now)


def record(
    connection: apsw.Connection, scope: Scope, act: str, kind: str, what: str = "", n: int = 1, now: float = 0.0
) -> None:
    """One more line. Inside a write, so that what is done and that it was done are kept or lost together."""
    connection.execute(
        "INSERT INTO audit (at, tenant, person, act, kind, what, n) VALUES (?, ?, ?, ?, ?, ?, ?)",
        (now, tenant(scope), person(scope), act, kind, what, n),
    )


def changed(connection: apsw.Connection, scope: Scope, document_ids: Sequence[str], now: float) -> None:
    """One line for documents that were stored together. Inside that write."""
    if document_ids:
        ids = " ".join(digest("id", document_id) for document_id in document_ids)
        record(connection, scope, "change", "document", ids, len(document_ids), now)


def purge(connection: apsw.Connection, now: float) -> int:
    """Remove the lines whose retention has passed, tenant by tenant; how many."""
    kept = {digest("tenant", name): days for name, days in rows(connection, "SELECT tenant, audit_days FROM retention")}
    removed = 0
    for (told,) in rows(connection, "SELECT DISTINCT tenant FROM audit"):
        days = kept.get(told, KEPT_DAYS)
        if days is None:
            continue
        connection.execute("UPDATE marks SET value = ? WHERE name = 'audit_open_below'", (now - days * DAY,))
        connection.execute("DELETE FROM audit WHERE tenant = ? AND at < ?", (told, now - days * DAY))
        removed += connection.changes()
    connection.execute("UPDATE marks SET value = 0 WHERE name = 'audit_open_below'")
    return removed


def tenant(scope: Scope) -> str:
    return digest("tenant", scope.tenant)


def person(scope: Scope) -> str:
    return digest("person", scope.tenant, scope.user)
