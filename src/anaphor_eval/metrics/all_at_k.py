"""all@k: are all relevant passages among the first k?

    all@k(q) = 1 if R_q ⊆ top_k(q) else 0

R_q the passages relevant to query q, top_k(q) the first k of its ranking. What a question needs that can only be
answered from several passages together; LongMemEval (arXiv:2410.10813) calls it "recall_all".
"""

from __future__ import annotations

from collections.abc import Collection, Sequence


def all_relevant(ranking: Sequence[str], relevant: Collection[str], k: int) -> float:
    return float(sum(passage in relevant for passage in ranking[:k]) == len(relevant))
