"""evidence_rank_p50, _p90: where the ranking has the evidence, whatever the budget.

    r(q, e) = rank of evidence turn e in the whole ranking for q, from 1; N_q + 1 if it is not in it
    evidence_rank_pX = the smallest r such that X% of all (q, e) have r or less

N_q the number of indexed turns of q's conversation. A percentile and not a mean, because one turn ranked last of 6,000
would speak for all others.
"""

from __future__ import annotations

from collections.abc import Sequence


def evidence_ranks(ranking: Sequence[str], evidence: Sequence[str], indexed: int) -> list[int]:
    """One rank an evidence turn, in the order of the evidence."""
    at = {turn: rank for rank, turn in enumerate(ranking, 1)}
    return [at.get(turn, indexed + 1) for turn in evidence]
