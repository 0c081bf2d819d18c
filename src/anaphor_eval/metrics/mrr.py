"""MRR: one over the rank of the first relevant passage, averaged over queries.

    RR(q) = 1 / min{i : d_i ∈ R_q}, 0 if there is none

d_i the passage at rank i, R_q the relevant ones. Voorhees (1999), "The TREC-8 Question Answering Track Report".
"""

from __future__ import annotations

from collections.abc import Collection, Sequence


def reciprocal_rank(ranking: Sequence[str], relevant: Collection[str]) -> float:
    return next((1 / i for i, passage in enumerate(ranking, 1) if passage in relevant), 0.0)
