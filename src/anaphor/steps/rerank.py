"""A second, closer look at the best hits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from anaphor.ports import Reranker
from anaphor.types import Hit, StandaloneQuery


def rerank(reranker: Reranker | None, query: StandaloneQuery, hits: Sequence[Hit]) -> tuple[Hit, ...]:
    """The hits in the reranker's order; as they are, renumbered, without one."""
    if reranker is None:
        return tuple(replace(hit, rank=n) for n, hit in enumerate(hits, 1))
    scores = reranker.scores(query, [hit.passage for hit in hits])
    order = sorted(range(len(hits)), key=lambda i: -scores[i])
    return tuple(replace(hits[i], score=scores[i], rank=n) for n, i in enumerate(order, 1))
