"""success@k: is any relevant passage among the first k?

    success@k(q) = 1 if R_q ∩ top_k(q) ≠ ∅ else 0

R_q the passages relevant to query q, top_k(q) the first k of its ranking. TREC's "success at k"; many call it
"recall" or "hit rate", which hides that for a question with several relevant passages one is enough.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence


def success(ranking: Sequence[str], relevant: Collection[str], k: int) -> float:
    return float(any(passage in relevant for passage in ranking[:k]))
