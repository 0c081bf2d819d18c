"""What has had its time, by the table ``retention``."""

from __future__ import annotations

import apsw

from anaphor.adapters.sqlite.connection import rows, value
from anaphor.stored import DAY, Retention

OVER = f"(last_at <= :now - idle_days * {DAY} OR created_at <= :now - days * {DAY})"
"""Of a row of sessions beside its tenant's of retention. Where no days are set it is NULL: never."""


def ending(connection: apsw.Connection, session: int, now: float) -> str:
    """What becomes of the session now that its time is over, ``archive`` or ``erase``; empty while it is not."""
    sql = f"SELECT ending FROM sessions JOIN retention USING (tenant) WHERE session_key = :session AND {OVER}"
    return str(value(connection, sql, {"session": session, "now": now}) or "")


def sessions(connection: apsw.Connection, now: float) -> list[tuple[str, str, str, str]]:
    """Tenant, user, id and ending of those whose time is over, but for what is answering just now."""
    return rows(
        connection,
        f"""SELECT tenant, user, session_id, ending FROM retention JOIN sessions USING (tenant)
        WHERE {OVER} AND (ending = 'erase' OR archived_at IS NULL) AND NOT EXISTS (
            SELECT 1 FROM turns WHERE turns.session_key = sessions.session_key
            AND outcome = 'running' AND lease_until > :now)""",
        {"now": now},
    )


def lines(connection: apsw.Connection, now: float, usual: float) -> bool:
    """Whether any trace or line of the audit may have had its time."""
    told = rows(connection, "SELECT trace_days, audit_days FROM retention")
    traces = min([usual, *(days for days, _ in told if days is not None)])
    audit = min([Retention().audit_days or 0, *(days for _, days in told if days is not None)])
    return bool(
        value(
            connection,
            "SELECT EXISTS (SELECT 1 FROM traces WHERE committed_at <= ?) OR EXISTS (SELECT 1 FROM audit WHERE at < ?)",
            (now - traces * DAY, now - audit * DAY),
        )
    )


def trace_days(connection: apsw.Connection, tenant: str, usual: float) -> float:
    """How long a trace of the tenant's is kept; ``usual`` where it has not said."""
    told = value(connection, "SELECT trace_days FROM retention WHERE tenant = ?", (tenant,))
    return usual if told is None else float(told)


def purge_traces(connection: apsw.Connection, now: float, usual: float) -> int:
    """Remove the traces whose retention has passed, each by its tenant's; how many. Inside a write."""
    told = [days for (days,) in rows(connection, "SELECT trace_days FROM retention WHERE trace_days IS NOT NULL")]
    # All those that are too old for everybody, and then those that some tenants keep for less time than others.
    connection.execute("DELETE FROM traces WHERE committed_at <= ?", (now - max([usual, *told]) * DAY,))
    removed = int(connection.changes())
    if told:
        connection.execute(
            f"""DELETE FROM traces WHERE turn_key IN (
            SELECT turn_key FROM traces JOIN turns USING (turn_key) JOIN sessions USING (session_key)
            LEFT JOIN retention USING (tenant)
            WHERE committed_at <= :recent AND committed_at <= :now - coalesce(trace_days, :usual) * {DAY})""",
            {"now": now, "usual": usual, "recent": now - min([usual, *told]) * DAY},
        )
        removed += int(connection.changes())
    return removed
