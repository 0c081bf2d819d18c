"""A second, closer look at the best hits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from anaphor.ports import Reranker
from anaphor.steps.rerank.closely import closely
from anaphor.types import Hit, StandaloneQuery


def rerank(reranker: Reranker | None, query: StandaloneQuery, hits: Sequence[Hit]) -> tuple[Hit, ...]:
    """The hits in the reranker's order; without one, in that of the embedded second look.

    That is taken either way, for it finds the sentence of each hit that fits best.
    """
    looked_at = closely(query, hits)
    if reranker is not None:
        scores = reranker.scores(query, [hit.passage for hit in hits])
        looked_at = [replace(hit, score=score) for hit, score in zip(looked_at, scores, strict=True)]
    best = sorted(range(len(looked_at)), key=lambda i: -looked_at[i].score)
    return tuple(replace(looked_at[i], rank=n) for n, i in enumerate(best, 1))
