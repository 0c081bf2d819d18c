"""Close the turn: what is kept, and the trace of how it came about."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from anaphor.ports import Turns
from anaphor.text.instructions import outlives
from anaphor.text.kept import to_be_kept
from anaphor.text.sentences import assertions
from anaphor.types import (
    Answer,
    Citation,
    Draft,
    Evidence,
    EvidenceClass,
    Json,
    Outcome,
    Passage,
    RankedPassage,
    Ranking,
    Scope,
    Span,
    StandaloneQuery,
    Support,
    Turn,
    Verdict,
)

LONGEST = 1_200  # characters of one passage of what was said
USER, BOTH = "user", "both"  # whose words can be recalled


def commit(
    turns: Turns,
    scope: Scope,
    turn: Turn,
    query: StandaloneQuery,
    ranking: Ranking,
    evidence: Evidence,
    draft: Draft,
    verdict: Verdict,
    timings_ms: Mapping[str, float],
    model: Mapping[str, str],
    remembered: str = USER,
) -> Answer:
    """Store the turn's end and its trace in one transaction; what is returned is what was stored."""
    answer = Answer(
        session_id=scope.session,
        turn_id=turn.turn_id,
        seq=turn.seq,
        outcome=verdict.outcome,
        question=turn.question,
        answer=released(draft, verdict),
        query=query,
        citations=citations(verdict, evidence),
        claims=verdict.claims,
        ranking=tuple(RankedPassage(h.passage.passage_id, h.rank, round(h.score, 6), h.ranks) for h in ranking.hits),
        left_out=evidence.left_out,
        spent=evidence.spent,
        usage=query.usage + draft.usage,
        timings_ms=timings_ms,
        model={**model, "rejected": draft.rejected} if draft.rejected else model,
        score=draft.score,
        notes=tuple(note for note in (*ranking.failed, draft.note, *_told_otherwise(verdict)) if note),
    )
    ended = replace(
        turn,
        outcome=answer.outcome,
        answer=answer.answer,
        decision=query.decision,
        standalone=query.text,
        language=query.language,
        claims=verdict.claims,
    )
    turns.commit(scope, ended, trace(answer), said(scope, ended, remembered))
    return answer


def _told_otherwise(verdict: Verdict) -> Iterator[str]:
    for number, claim in enumerate(verdict.claims, 1):
        if claim.against:
            yield f"claim {number} is not what the person said last: {claim.reason}; it waits for a decision in review"


def released(draft: Draft, verdict: Verdict) -> str:
    """The text a person sees: the opening and the claims that hold. What was struck out is not in it."""
    shown = [c for c in verdict.claims if c.verdict in (None, Support.SUPPORTED, Support.CONFLICTING)]
    return (draft.opening + "".join(c.shown for c in shown)).strip()


def citations(verdict: Verdict, evidence: Evidence) -> tuple[Citation, ...]:
    """One for every stretch of evidence that a released claim rests on, in the order of their numbers."""
    cited = {n for claim in verdict.claims if claim.verdict is not Support.UNSUPPORTED for n in claim.cites}
    numbered = dict(evidence.numbered())
    found = []
    for quote in sorted(set(verdict.quotes), key=lambda q: (q.n, q.start)):
        if quote.n in cited and quote.n in numbered:
            p = numbered[quote.n]
            found.append(
                Citation(
                    quote.n,
                    p.evidence_class,
                    p.passage_id,
                    p.source,
                    p.text[quote.start : quote.end],
                    p.start + quote.start,
                    p.start + quote.end,
                    p.date,
                    p.seq,
                )
            )
    return tuple(found)


def trace(answer: Answer) -> Json:
    """How the answer came about: ids, spans and hashes. Answer and claims stay in the turn, quotes in their sources."""
    whole = answer.as_dict()
    for stored_with_the_turn in ("answer", "claims", "question", "session_id", "turn_id", "seq", "outcome"):
        del whole[stored_with_the_turn]
    for citation in whole["citations"]:
        citation["sha256"] = digest(citation.pop("quote"))
    whole["signals"] = list(answer.query.signals)
    return whole


def digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def said(scope: Scope, turn: Turn, remembered: str = USER) -> tuple[Passage, ...]:
    """What the person asserted, as passages: questions, commands, orders and hypotheticals are never among them; of an
    order to remember it is what they want remembered.

    Assertions that follow one another without anything between are one passage, as they were one thing said. With
    ``remembered`` of ``both``, what was answered can be recalled too, as the assistant's words and nothing more.
    """
    if turn.in_passing or turn.outcome is Outcome.FAILED or turn.speaker:
        return ()
    stating = [] if turn.outcome is Outcome.COMMAND else assertions(turn.question)
    stating = sorted([*stating, *to_be_kept(turn.question)], key=lambda span: span.start)
    told = list(_passages(scope, turn, turn.question, stating, EvidenceClass.USER_STATEMENT, ""))
    if remembered == BOTH:
        answer = turn.carriable_answer
        told += _passages(scope, turn, answer, assertions(answer), EvidenceClass.ASSISTANT_STATEMENT, "a")
    return tuple(told)


def _passages(
    scope: Scope, turn: Turn, text: str, stating: Sequence[Span], whose: EvidenceClass, mark: str
) -> Iterator[Passage]:
    if outlives(text):  # what orders whoever reads it later is not told again as what the person said
        stating = [span for span in stating if not outlives(text[span.start : span.end])]
    for span in _together(text, stating):
        yield Passage(
            # Not the turn_id: a client may use the same one in two sessions.
            passage_id=f"{scope.session}:{turn.seq}:{mark}{span.start}",
            text=text[span.start : span.end],
            source=scope.session,
            evidence_class=whose,
            start=span.start,
            end=span.end,
            language=turn.language,
            date=datetime.fromtimestamp(turn.asked_at, UTC).isoformat(timespec="seconds"),
            seq=turn.seq,
        )


def _together(text: str, spans: Iterable[Span]) -> Iterator[Span]:
    """Neighbouring sentences as one stretch, up to ``LONGEST`` characters."""
    whole: Span | None = None
    for span in spans:
        if whole and not text[whole.end : span.start].strip() and span.end - whole.start <= LONGEST:
            whole = Span(whole.start, span.end)
            continue
        if whole:
            yield whole
        whole = span
    if whole:
        yield whole
