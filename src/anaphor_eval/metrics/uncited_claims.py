"""uncited_claims: what share of the claims of an answer cite nothing?

uncited_claims = Σ uncited / Σ claims
"""

from __future__ import annotations

from collections.abc import Iterable

from anaphor_eval.metrics.share import Share


def uncited_claims(verdicts: Iterable[str]) -> Share:
    """One answer's part; an answer without claims weighs nothing."""
    given = list(verdicts)
    return Share(given.count("uncited"), len(given))
