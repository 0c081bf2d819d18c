"""Several rankings made one: of one query by several retrievers, or of several sub-queries by one.

Fusion is by reciprocal rank. Cormack, Clarke, Büttcher (2009), "Reciprocal Rank Fusion outperforms Condorcet and
individual rank learning methods", SIGIR: ``score(d) = Σ_r 1 / (k + rank_r(d))`` with k = 60. Ranks and not scores,
because BM25 and cosine have no common scale.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import zip_longest

from anaphor.types import Hit

K = 60


def fuse(runs: Mapping[str, Sequence[Hit]], k: int = K) -> tuple[Hit, ...]:
    """One ranking of several; ``ranks`` tells where each retriever had a passage. Ties keep the first run's order."""
    scores: dict[str, float] = {}
    ranks: dict[str, dict[str, int]] = {}
    hits: dict[str, Hit] = {}
    for name, run in runs.items():
        for hit in run:
            key = hit.passage.passage_id
            hits.setdefault(key, hit)
            scores[key] = scores.get(key, 0.0) + 1 / (k + hit.rank)
            ranks.setdefault(key, {})[name] = hit.rank
    best = sorted(scores, key=lambda key: -scores[key])
    return tuple(replace(hits[key], score=scores[key], rank=n, ranks=ranks[key]) for n, key in enumerate(best, 1))


def interleave(runs: Iterable[Sequence[Hit]]) -> tuple[Hit, ...]:
    """The first of every run, then the second of every run, …, each passage once, renumbered.

    For sub-queries. Fusing them would put a passage that half fits two of them before the one that answers the third.
    """
    hits: dict[str, Hit] = {}
    for row in zip_longest(*runs):
        for hit in row:
            if hit is not None:
                hits.setdefault(hit.passage.passage_id, hit)
    return tuple(replace(hit, rank=n) for n, hit in enumerate(hits.values(), 1))
