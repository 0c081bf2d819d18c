"""Tell a committed turn again, from the log, its trace and the sources as they are now."""

from __future__ import annotations

from anaphor.ports import Documents, Turns
from anaphor.steps.commit import digest
from anaphor.types import (
    Answer,
    Carried,
    Citation,
    Decision,
    EvidenceClass,
    Json,
    LeftBehind,
    LeftOut,
    Passage,
    RankedPassage,
    Refusal,
    Scope,
    Spent,
    StandaloneQuery,
    Term,
    Turn,
    Usage,
)


def recount(turns: Turns, documents: Documents, scope: Scope, turn: Turn) -> Answer:
    """The answer as it was given. A quote whose source was erased or has changed since is ``None``.

    Without a trace (its retention has passed) what the log itself holds is told.
    """
    told = turns.trace(scope, turn.turn_id)
    cited = told.get("citations", [])
    sources = documents.passages(scope, [c["passage_id"] for c in cited])
    budget = told.get("budget", {})
    return Answer(
        session_id=scope.session,
        turn_id=turn.turn_id,
        seq=turn.seq,
        outcome=turn.outcome,
        question=turn.question,
        answer=turn.answer,
        query=_query(turn, dict(told)),
        citations=tuple(_citation(c, sources.get(c["passage_id"])) for c in cited),
        claims=turn.claims,
        ranking=tuple(RankedPassage(**line) for line in told.get("ranking", [])),
        left_out=tuple(LeftOut(**line) for line in told.get("left_out", [])),
        spent=Spent(**{part: n for part, n in budget.items() if part != "total"}),
        usage=Usage(**told.get("usage", {})),
        timings_ms=told.get("timings_ms", {}),
        model=told.get("model", {}),
        notes=tuple(told.get("notes", [])),
        score=told.get("score"),
    )


def _query(turn: Turn, told: Json) -> StandaloneQuery:
    query = told.get("query", {})
    return StandaloneQuery(
        text=turn.standalone or turn.question,
        decision=turn.decision or Decision.STANDALONE,
        confidence=told.get("confidence", 0.0),
        language=turn.language,
        queries=tuple(query.get("queries", [])),
        terms=tuple(Term(**t) for t in query.get("terms", [])),
        carried=tuple(Carried(**c) for c in query.get("carried", [])),
        left_behind=tuple(LeftBehind(**x) for x in query.get("left_behind", [])),
        rewriter=query.get("rewriter", ""),
        refused=tuple(Refusal(**r) for r in query.get("refused", [])),
        signals=tuple(told.get("signals", [])),
    )


def _citation(told: Json, passage: Passage | None) -> Citation:
    quote = passage.text[told["start"] - passage.start : told["end"] - passage.start] if passage else None
    if quote is not None and digest(quote) != told["sha256"]:
        quote = None  # the source has changed since: what stands there now was never quoted
    return Citation(
        told["n"],
        EvidenceClass(told["class"]),
        told["passage_id"],
        told["source"],
        quote,
        told["start"],
        told["end"],
        told["date"],
        told["seq"],
    )
