"""What is never kept: secrets. What is kept apart: text that gives orders. What an operator has listed is refused or
masked before it is stored."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from anaphor.facts import Kind, Statement
from anaphor.memory.extract_rules import cue
from anaphor.text.fold import matching

MASK = "•••"

# A word for a secret, in whatever language: what a sentence says of one is not kept, whether or not it tells it.
# What looks like one: keys of known shapes, long runs of letters and digits, card numbers.
# Addressed to whoever reads the memory: orders to the assistant that would outlive the turn.


def refused(text: str) -> bool:
    """Whether the text tells, or speaks of, a secret."""
    folded = matching(text[:4000])
    japanese = matching(text[:4000], "ja")
    return bool(
        cue("any", "secret").search(folded)
        or cue("any", "secret").search(japanese)
        or cue("any", "looks_secret").search(folded)
    )


def suspicion(text: str) -> str:
    """Why the text is to be looked at before it is used, or nothing."""
    folded = matching(text[:4000])
    found = cue("any", "instructs").search(folded) or cue("any", "instructs").search(matching(text[:4000], "ja"))
    return "reads like an instruction to the assistant" if found else ""


def allowed(
    statements: Sequence[Statement], *, refuse: Collection[str] = (), mask: Collection[str] = ()
) -> tuple[Statement, ...]:
    """Without the kinds that are refused; of those that are masked, only that there is something is kept."""
    kept = [s for s in statements if s.kind not in refuse]
    return tuple(_masked(s) if s.kind in mask else s for s in kept)


def _masked(statement: Statement) -> Statement:
    return replace(statement, value=MASK, context="", applies_when="", quantity=None, unit="", replaces="")


SENSITIVE = frozenset({Kind.HEALTH})
"""What most operators will want to list, if any."""
