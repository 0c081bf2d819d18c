"""Find passages for the standalone query, afresh on every turn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from anaphor.errors import AnaphorError
from anaphor.ports import Documents, Index, Reranker
from anaphor.steps.alike import spread
from anaphor.steps.answer.known import led
from anaphor.steps.answer.own import as_it_was, spoken_of, verbs, wanted
from anaphor.steps.beside import shared
from anaphor.steps.cues import cued
from anaphor.steps.decided import settled
from anaphor.steps.described import bridged, describes
from anaphor.steps.fuse import blend, by_rank, interleave
from anaphor.steps.outset import WIDE, outset, over_time
from anaphor.steps.rerank import rerank
from anaphor.steps.sought import sought
from anaphor.text.other_words import others
from anaphor.text.sentences import assertions
from anaphor.types import Hit, Question, Ranking, Recollection, Scope, Sources, StandaloneQuery, Term

OTHER_VERB = 0.3  # what another verb for the property counts for, beside the question's own words
OTHER_WORD = 0.3  # what another word for the same counts for
FEW = 6  # hits, below which other words are looked for too: what a handful of passages say is said in their words alone
NEWEST = 2  # turns that are not searched: they are in front of the model, and of the person, anyway


def retrieve(
    indexes: Sequence[Index],
    reranker: Reranker | None,
    scope: Scope,
    question: Question,
    query: StandaloneQuery,
    recollection: Recollection,
    limit: int = 60,
    *,
    documents: Documents | None = None,
    today: date | None = None,
    plainly: bool = False,
    in_sight: bool = True,
) -> Ranking:
    """Every index is asked, their rankings are made one, the best are looked at more closely.

    Nothing is asked when the decision does not retrieve. An index that fails is named in ``Ranking.failed`` as long as
    another one answers; if all fail, the last error is raised. Several sub-queries are ranked each for itself, and
    their rankings taken in turn. Without ``documents``, what was said beside a hit is not looked for; ``today``, the
    day of asking, is what "last week" in a question is counted from. ``plainly`` is the baseline that the rest is
    measured against: retrievers fused by rank, and no second look. ``in_sight``: a model will be shown the newest
    turns, so that they need not be searched; a reader that quotes is shown none.
    """
    if not query.decision.retrieves:
        return Ranking()
    earlier = as_it_was(question.text, query.language, [turn.question for turn in recollection.turns])
    own = query.asks_about_memory or earlier is not None or of_ones_own(question, query, recollection)
    sources = question.sources or (Sources.BOTH if own else Sources.DOCUMENTS)
    if sources is not Sources.DOCUMENTS and not plainly:
        query = with_verbs(query, earlier.things if earlier else ())
    look = _Look(indexes, reranker, documents, scope, sources, question.filters, limit, today, plainly)
    parts = [only(query, part) for part in query.queries] if len(query.queries) > 1 else [query]
    left_out = newest(recollection) if in_sight else frozenset()
    rankings = [look.ranked(part, left_out) for part in parts]
    hits = interleave(rankings)[:limit] if len(parts) > 1 else rankings[0]
    alone = sources is Sources.DOCUMENTS and question.sources is None and not plainly
    if not hits and alone and wanted(query.text, query.language):
        hits = settled(_told(replace(look, sources=Sources.BOTH), query, left_out), recollection.decided)
        return Ranking(hits, tuple(look.failed.values()))
    if sources is not Sources.DOCUMENTS and not plainly and not question.filters:
        hits = led(query, hits, recollection.facts)
    return Ranking(settled(hits, recollection.decided), tuple(look.failed.values()))


def _told(look: _Look, query: StandaloneQuery, left_out: frozenset[int]) -> tuple[Hit, ...]:
    """Where no document has anything: what the person told, if it answers by all the words of the thing asked about."""
    hits = look.ranked(with_verbs(query), left_out)
    said = [hit.passage.text[s.start : s.end] for hit in hits for s in assertions(hit.passage.text)]
    return hits if spoken_of(query.text, query.language, said, alone=True) else ()


def of_ones_own(question: Question, query: StandaloneQuery, recollection: Recollection) -> bool:
    """Whether the question is about a thing that the person has told of: 歯医者は何時？ after 歯医者は3時です."""
    said = [turn.question[s.start : s.end] for turn in recollection.turns for s in assertions(turn.question)]
    said += [fact.text for fact in recollection.facts]
    asked = dict.fromkeys((question.text, query.text))
    return any(spoken_of(text, query.language, said) for text in asked)


def with_verbs(query: StandaloneQuery, things: Sequence[str] = ()) -> StandaloneQuery:
    """The query, which for where somebody lives also looks for who moved; and for the things of the question before,
    where this one only asks how it was."""
    asked = wanted(query.text, query.language)
    words = (*(verbs(asked) if asked else ()), *things)
    more = tuple(Term(word, OTHER_VERB) for word in words)
    return replace(query, terms=(*(query.terms or (Term(query.text),)), *more)) if more else query


def in_other_words(query: StandaloneQuery) -> StandaloneQuery | None:
    """The query that also looks for other words for what it names; ``None`` where there are none."""
    more = tuple(Term(word, OTHER_WORD) for word in others(query.text))
    return replace(query, terms=(*(query.terms or (Term(query.text),)), *more)) if more else None


def only(query: StandaloneQuery, part: str) -> StandaloneQuery:
    """One sub-query as a query of its own: its words, and with their weights those that were carried into the whole.

    What was carried is wanted in every part of it; what another part asks is not, nor what only that one names.
    """
    others = " ".join(other for other in query.queries if other != part)
    spans = {span.text for span in query.carried if span.text in part or span.text not in others}
    carried = tuple(term for term in query.terms if term.weight < 1 or term.term in spans)
    terms = (Term(part), *carried) if carried else ()
    return StandaloneQuery(part, query.decision, query.confidence, query.language, terms=terms)


def newest(recollection: Recollection) -> frozenset[int]:
    """The numbers of the turns that are not searched."""
    return frozenset(turn.seq for turn in recollection.turns[-NEWEST:])


@dataclass(slots=True)
class _Look:
    """Everything that one retrieval is bound to; which indexes failed, and why."""

    indexes: Sequence[Index]
    reranker: Reranker | None
    documents: Documents | None
    scope: Scope
    sources: Sources
    filters: Mapping[str, str]
    limit: int
    today: date | None
    plainly: bool
    failed: dict[str, str] = field(default_factory=dict)

    def ranked(self, query: StandaloneQuery, unsearched: frozenset[int]) -> tuple[Hit, ...]:
        if self.plainly:
            runs = self._runs(query, self.limit)
            plain = self._without(by_rank(runs), unsearched)[: self.limit]
            return tuple(replace(hit, rank=n) for n, hit in enumerate(plain, 1))
        past = self.sources is not Sources.DOCUMENTS
        whole = past and over_time(query)
        limit = WIDE * self.limit if whole else self.limit
        looked_for = sought(query) if past else query
        hits: Sequence[Hit] = blend(self._runs(looked_for, limit), limit)
        if len(hits) < FEW and self.sources is not Sources.MEMORY and (more := in_other_words(looked_for)):
            hits = blend(self._runs(more, limit), limit)
        named = not (past and describes(looked_for))
        if self.documents is not None and past and named:
            hits = shared(self.documents, self.scope, hits)
        hits = self._without(cued(query, hits, self.today), unsearched)
        if whole:
            hits = outset(hits)
        if not named:
            hits = bridged(looked_for, hits)
        return spread(self._looked_at(looked_for, hits[:limit]))[: self.limit]

    def _looked_at(self, query: StandaloneQuery, hits: Sequence[Hit]) -> tuple[Hit, ...]:
        """By the reranker; one that fails is named, and the embedded second look takes its place."""
        if self.reranker is not None:
            try:
                return rerank(self.reranker, query, hits)
            except AnaphorError as error:
                self.failed[self.reranker.name] = f"{self.reranker.name}: {error}"
        return rerank(None, query, hits)

    def _runs(self, query: StandaloneQuery, limit: int) -> dict[str, Sequence[Hit]]:
        runs: dict[str, Sequence[Hit]] = {}
        for index in self.indexes:
            try:
                runs[index.name] = index.search(
                    self.scope, query, sources=self.sources, filters=self.filters, limit=limit
                )
            except AnaphorError as error:
                self.failed[index.name] = f"{index.name}: {error}"
                if not runs and index is self.indexes[-1]:
                    raise
        return runs

    def _without(self, hits: Sequence[Hit], unsearched: frozenset[int]) -> Sequence[Hit]:
        if not unsearched:
            return hits
        own = self.scope.session
        return [hit for hit in hits if not (hit.passage.source == own and hit.passage.seq in unsearched)]
