"""recall@k: the share of the relevant passages that are among the first k.

    recall@k(q) = |R_q ∩ top_k(q)| / |R_q|

R_q the passages relevant to query q, top_k(q) the first k of its ranking. Manning, Raghavan, Schütze (2008),
*Introduction to Information Retrieval*, ch. 8.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence


def recall(ranking: Sequence[str], relevant: Collection[str], k: int) -> float:
    return sum(passage in relevant for passage in ranking[:k]) / len(relevant)
