"""What is never kept: secrets. What is kept apart: text that gives orders."""

from __future__ import annotations

from anaphor.memory.extract_rules import cue
from anaphor.text.fold import matching
from anaphor.text.instructions import outlives

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
    return "reads like an instruction to the assistant" if outlives(text) else ""
