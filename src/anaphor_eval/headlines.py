"""What a set of rows is about: the dimensions that tell its arms apart, and the figure that comes first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from anaphor_eval.rows import DIMENSIONS

Json = Mapping[str, Any]

HEADLINES = ("recall@5", "evidence_share", "carried_f1", "all_turns_right", "answer_in_quote", "attack_success")
"""The figure that differences and charts are about: the first of these that a row has."""


def varying(rows: Sequence[Json]) -> tuple[str, ...]:
    """The dimensions in which the rows are not all alike; at least one, so that an arm has a name."""
    found = tuple(name for name in DIMENSIONS if len({str(row.get(name)) for row in rows}) > 1)
    return found or tuple(name for name in DIMENSIONS if name in rows[0])[:1]


def headline(rows: Sequence[Json]) -> str:
    there = {name for row in rows for name in row["metrics"]}
    return next((name for name in HEADLINES if name in there), next(iter(sorted(there)), ""))
