"""nDCG@k: discounted gain of the first k, as a share of the best that could be had.

    DCG@k(q)  = Σ_{i=1..k} g(d_i) / log2(i + 1)
    nDCG@k(q) = DCG@k(q) / IDCG@k(q)

g(d) the graded relevance of a passage (its gain, linear as in trec_eval), d_i the passage at rank i, IDCG the DCG of
the passages in the order of their gain. Järvelin, Kekäläinen (2002), "Cumulated Gain-Based Evaluation of IR
Techniques", ACM TOIS 20(4).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence


def ndcg(ranking: Sequence[str], relevant: Mapping[str, int], k: int) -> float:
    """``relevant``: gains above 0, by passage."""
    ideal = dcg(sorted(relevant.values(), reverse=True)[:k])
    return dcg(relevant.get(passage, 0) for passage in ranking[:k]) / ideal


def dcg(gains: Iterable[int]) -> float:
    return sum(gain / math.log2(i + 1) for i, gain in enumerate(gains, 1))
