"""Find passages for the standalone query, afresh on every turn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from anaphor.errors import AnaphorError
from anaphor.ports import Index, Reranker
from anaphor.steps.fuse import fuse, interleave
from anaphor.steps.rerank import rerank
from anaphor.types import Hit, Question, Ranking, Recollection, Scope, Sources, StandaloneQuery


def retrieve(
    indexes: Sequence[Index],
    reranker: Reranker | None,
    scope: Scope,
    question: Question,
    query: StandaloneQuery,
    recollection: Recollection,
    limit: int = 60,
) -> Ranking:
    """Every index is asked, their rankings are fused, the best are reranked.

    Nothing is asked when the decision does not retrieve. An index that fails is named in ``Ranking.failed`` as long as
    another one answers; if all fail, the last error is raised.
    """
    if not query.decision.retrieves:
        return Ranking()
    sources = question.sources or (Sources.BOTH if query.asks_about_memory else Sources.DOCUMENTS)
    runs: dict[str, Sequence[Hit]] = {}
    failed: list[str] = []
    for index in indexes:
        try:
            runs[index.name] = search(index, scope, query, sources, question.filters, limit)
        except AnaphorError as error:
            if len(failed) == len(indexes) - 1:
                raise
            failed.append(f"{index.name}: {error}")
    seen = {turn.seq for turn in recollection.turns}
    hits = [hit for hit in fuse(runs) if not (hit.passage.source == scope.session and hit.passage.seq in seen)]
    return Ranking(rerank(reranker, query, hits[:limit]), tuple(failed))


def search(
    index: Index, scope: Scope, query: StandaloneQuery, sources: Sources, filters: Mapping[str, str], limit: int
) -> Sequence[Hit]:
    """One index's hits: for several sub-queries, their rankings in turn."""
    if len(query.queries) < 2:
        return index.search(scope, query, sources=sources, filters=filters, limit=limit)
    return interleave(
        index.search(scope, only(query, part), sources=sources, filters=filters, limit=limit) for part in query.queries
    )


def only(query: StandaloneQuery, part: str) -> StandaloneQuery:
    """One sub-query as a query of its own; its terms are the index's to make."""
    return StandaloneQuery(part, query.decision, query.confidence, query.language)
