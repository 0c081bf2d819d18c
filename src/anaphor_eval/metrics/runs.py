"""A whole run measured: one number a query, by the metric's name (``recall@5``, ``mrr``).

A query that has judgements and no ranking is an error, never a zero: silent zeros are how benchmarks lie. A query that
was ranked and found nothing is there with an empty ranking, and is a zero.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from anaphor.errors import BadInput
from anaphor_eval.metrics.all_at_k import all_relevant
from anaphor_eval.metrics.mrr import reciprocal_rank
from anaphor_eval.metrics.ndcg import ndcg
from anaphor_eval.metrics.recall import recall
from anaphor_eval.metrics.success import success

Qrels = Mapping[str, Mapping[str, int]]
"""Relevance of passages, by query. Only what is above 0 is relevant."""

Run = Mapping[str, Sequence[str]]
"""Passage ids, best first, by query."""

AT_K: dict[str, Callable[[Sequence[str], Mapping[str, int], int], float]] = {
    "success": success,
    "recall": recall,
    "all": all_relevant,
    "ndcg": ndcg,
}


class RunError(BadInput):
    """A run that does not fit its judgements, or a metric nobody knows."""


def measure(metric: str, qrels: Qrels, run: Run) -> dict[str, float]:
    """The metric of every judged query, in the order of the judgements."""
    check(qrels, run)
    score = metric_named(metric)
    return {
        query: score(run[query], {passage: gain for passage, gain in judged.items() if gain > 0})
        for query, judged in qrels.items()
    }


def metric_named(name: str) -> Callable[[Sequence[str], Mapping[str, int]], float]:
    """``mrr``, or one of ``success recall all ndcg`` at a k: ``ndcg@10``."""
    if name == "mrr":
        return reciprocal_rank
    kind, at, cut = name.partition("@")
    if kind not in AT_K or not at or not cut.isdecimal() or int(cut) < 1:
        raise RunError(f"no metric {name!r}; there are mrr, {', '.join(f'{each}@k' for each in AT_K)}, k from 1")
    function, k = AT_K[kind], int(cut)
    return lambda ranking, relevant: function(ranking, relevant, k)


def check(qrels: Qrels, run: Run) -> None:
    """Every judged query has a ranking and something relevant, and no ranking names a passage twice."""
    missing = [query for query in qrels if query not in run]
    if missing:
        raise RunError(f"the run lacks {len(missing)} of {len(qrels)} judged queries, {missing[0]!r} among them")
    for query, judged in qrels.items():
        if not any(gain > 0 for gain in judged.values()):
            raise RunError(f"query {query!r} has no relevant passage; it cannot be scored")
        ranking = run[query]
        if len(set(ranking)) < len(ranking):
            twice = next(passage for passage in ranking if list(ranking).count(passage) > 1)
            raise RunError(f"query {query!r}: passage {twice!r} is ranked twice")
