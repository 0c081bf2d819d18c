"""Statements with the facts they hold, and what must not become one."""

from __future__ import annotations

from collections.abc import Iterable

from anaphor_eval.datasets.dates import iso
from anaphor_eval.datasets.lines import Once, Row
from anaphor_eval.datasets.values import FactItem, GoldFact, Said

KINDS = frozenset(
    (
        *("identity", "preference", "possession", "count", "plan", "place"),
        *("relation", "schedule", "work", "health", "event"),
    )
)
STATUSES = frozenset(("current", "past", "planned", "cancelled", "superseded"))


def fact_rows(rows: Iterable[Row]) -> list[FactItem]:
    """``{"id", "lang", "turns": [{"role", "content", …}], "facts": [{"about", "kind", …}], "not_facts": […]}``."""
    once = Once("id")
    return [
        FactItem(
            item_id=once(row, row.scalar("id")),
            language=row.language(),
            said=tuple(
                Said(str(n), each.text("role"), each.text("content"), _date(each))
                for n, each in enumerate(row.rows("turns"), 1)
            ),
            facts=tuple(_fact(each) for each in row.rows("facts")),
            not_facts=row.scalars("not_facts"),
        )
        for row in rows
    ]


def _date(row: Row) -> str:
    """Of a turn; what is said of days is counted from it."""
    if not row.has("date"):
        return ""
    if told := iso(row.text("date")):
        return told
    raise row.wrong(f"date {row.text('date')!r} is not a day as in 2026-05-08")


def _fact(row: Row) -> GoldFact:
    kind, status = row.text("kind"), row.text("status")
    if kind not in KINDS:
        raise row.wrong(f"kind {kind!r} is none of {', '.join(sorted(KINDS))}")
    if status not in STATUSES:
        raise row.wrong(f"status {status!r} is none of {', '.join(sorted(STATUSES))}")
    date = row.text("date") if row.has("date") else ""
    return GoldFact(row.text("about"), kind, row.text("value"), status, date)
