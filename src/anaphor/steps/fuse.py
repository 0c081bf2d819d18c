"""Several rankings made one: of one query by several retrievers, or of several sub-queries by one.

``blend`` adds scores that have been brought to one scale:

    score(d) = Σ_r w_r · (s_r(d) − floor_r) / (mean of the ten best of r − floor_r)

``floor_r`` is the score of the last hit, or zero for a lexical run that found less than it was allowed to: what it did
not find shares nothing with the query. Where retrievers agree on how sure they are this says more than ranks do: an
identifier that one passage alone has stands far above the rest.

``by_rank`` is the baseline, and what is left where scores cannot be trusted. Cormack, Clarke, Büttcher (2009),
"Reciprocal Rank Fusion outperforms Condorcet and individual rank learning methods", SIGIR:
``score(d) = Σ_r 1 / (k + rank_r(d))`` with k = 60.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import zip_longest

from anaphor.types import Hit

K = 60
BEST = 10
LEXICAL = frozenset({"bm25"})
MEANING = frozenset({"dense", "sentence"})  # two looks at one thing: together they count as much as one retriever


def blend(runs: Mapping[str, Sequence[Hit]], limit: int = 60) -> tuple[Hit, ...]:
    """One ranking of several; ``limit`` is what each run was allowed. Ties keep the first run's order."""
    meaning = sum(1 for name, run in runs.items() if run and name in MEANING)
    scaled = {}
    for name, run in runs.items():
        weight = 1 / meaning if name in MEANING and meaning else 1.0
        scaled[name] = [(hit, weight * part) for hit, part in zip(run, _scaled(name, run, limit), strict=True)]
    return _summed(scaled)


def by_rank(runs: Mapping[str, Sequence[Hit]], k: int = K) -> tuple[Hit, ...]:
    """One ranking of several, by rank alone. Ties keep the first run's order."""
    return _summed({name: [(hit, 1 / (k + hit.rank)) for hit in run] for name, run in runs.items()})


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


def _scaled(name: str, run: Sequence[Hit], limit: int) -> list[float]:
    if not run:
        return []
    scores = [hit.score for hit in run]
    floor = 0.0 if name in LEXICAL and len(run) < limit else min(scores)
    height = sum(scores[:BEST]) / len(scores[:BEST]) - floor
    if height <= 0:
        return [1.0] * len(scores)  # all alike
    return [(score - floor) / height for score in scores]


def _summed(runs: Mapping[str, Sequence[tuple[Hit, float]]]) -> tuple[Hit, ...]:
    scores: dict[str, float] = {}
    ranks: dict[str, dict[str, int]] = {}
    hits: dict[str, Hit] = {}
    for name, run in runs.items():
        for hit, part in run:
            key = hit.passage.passage_id
            hits.setdefault(key, hit)
            scores[key] = scores.get(key, 0.0) + part
            ranks.setdefault(key, {})[name] = hit.rank
    best = sorted(scores, key=lambda key: -scores[key])
    return tuple(Hit(hits[key].passage, scores[key], n, ranks[key]) for n, key in enumerate(best, 1))
