"""Hold each claim of a draft against the evidence it cites; nothing here asks a model."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from anaphor.facts import Fact
from anaphor.steps.echo import echoes, names_sources
from anaphor.steps.rivals import newer, rival
from anaphor.steps.tables import row_at
from anaphor.steps.verify.sums import summed
from anaphor.steps.verify.weigh import VERBATIM, verbatim, weigh
from anaphor.types import (
    Claim,
    Decision,
    Draft,
    Evidence,
    EvidenceClass,
    Outcome,
    Passage,
    Quote,
    Span,
    StandaloneQuery,
    Support,
    Verdict,
)

__all__ = ["verify", "verify_claim"]

_OUTCOMES = {
    Decision.CLARIFICATION: Outcome.CLARIFYING,
    Decision.SMALL_TALK: Outcome.SMALL_TALK,
    Decision.COMMAND: Outcome.COMMAND,
}


Against = Callable[[str, frozenset[tuple[str, int]]], Fact | None]
"""Which fact of the person's a sentence contradicts that rests on those turns (``ports.Contradicts``, of one scope)."""


def verify(draft: Draft, query: StandaloneQuery, evidence: Evidence, against: Against | None = None) -> Verdict:
    """Each claim with its verdict, the outcome for the whole, and where in the passages the support stands.

    A verdict of ``UNSUPPORTED`` that the draft already carries stays. A model that broke off after supported claims has
    answered in part.
    """
    judged = [
        _unless_told_otherwise(_judge_in(draft, c, evidence, query.text), evidence, against) for c in draft.claims
    ]
    claims = tuple(j.claim for j in judged)
    quotes = tuple(dict.fromkeys(quote for j in judged for quote in j.quotes))
    return Verdict(claims, _outcome(draft, query, claims), quotes)


def verify_claim(claim: Claim, evidence: Evidence, question: str = "", against: Against | None = None) -> Claim:
    """The claim with verdict and reason, and without the citations that do not support it."""
    judged = _unless_contested(_judge(claim, evidence, question), evidence, question)
    return _unless_told_otherwise(judged, evidence, against).claim


@dataclass(frozen=True, slots=True)
class Judged:
    claim: Claim
    quotes: tuple[Quote, ...] = ()


def _outcome(draft: Draft, query: StandaloneQuery, claims: Sequence[Claim]) -> Outcome:
    if query.decision in _OUTCOMES:
        return _OUTCOMES[query.decision]
    if draft.acknowledges:
        return Outcome.SMALL_TALK
    if draft.cancelled:
        return Outcome.CANCELLED
    held = sum(c.verdict in (Support.SUPPORTED, Support.CONFLICTING) for c in claims)
    if not held:
        return Outcome.DECLINED
    broke_off = bool(draft.note) and draft.writer != "quoted"
    return Outcome.PARTLY if held < len(claims) or broke_off else Outcome.ANSWERED


def _unless_contested(judged: Judged, evidence: Evidence, question: str) -> Judged:
    """A supported claim is a conflicting one where another passage that is shown says something else in its place.

    The newer version of one document is not contested by the older one.
    """
    if judged.claim.verdict is not Support.SUPPORTED:
        return judged
    shown = dict(evidence.numbered())
    for quote in judged.quotes:
        other = rival(quote.n, Span(quote.start, quote.end), shown, question)
        if other and newer(shown[quote.n], shown[other.n]) is not shown[quote.n]:
            reason = f"[{other.n}] says {other.theirs} in place of {other.ours}"
            return Judged(replace(judged.claim, verdict=Support.CONFLICTING, reason=reason), judged.quotes)
    return judged


def _unless_told_otherwise(judged: Judged, evidence: Evidence, against: Against | None) -> Judged:
    """A claim that rests on the person's words is a conflicting one where, as a fact has it, it is not so any more.

    Their words themselves, word for word, are theirs, and stand with their date.
    """
    claim, shown = judged.claim, dict(evidence.numbered())
    if against is None or claim.verdict is not Support.SUPPORTED or claim.reason == VERBATIM:
        return judged
    passages = [shown[quote.n] for quote in judged.quotes]
    said = frozenset((p.source, p.seq or 0) for p in passages if p.evidence_class is EvidenceClass.USER_STATEMENT)
    fact = against(claim.text, said) if said else None
    if fact is None:
        return judged
    reason = f"turn {fact.seq} of session {fact.session_id} says otherwise (fact {fact.fact_id})"
    return replace(judged, claim=replace(claim, verdict=Support.CONFLICTING, reason=reason, against=fact.fact_id))


def _judge_in(draft: Draft, claim: Claim, evidence: Evidence, question: str) -> Judged:
    if claim.verdict is Support.UNSUPPORTED:
        return Judged(claim)
    shown = dict(evidence.numbered())
    for quote in draft.quotes:
        if claim.cites == (quote.n,) and quote.n in shown and claim.text in _said_at(quote, shown[quote.n]):
            found = Judged(replace(claim, verdict=Support.SUPPORTED, reason=VERBATIM), (quote,))
            return _unless_contested(found, evidence, question)
    return _unless_contested(_judge(claim, evidence, question), evidence, question)


def _said_at(quote: Quote, passage: Passage) -> tuple[str, ...]:
    """What stands there, word for word; a row of a table also with the names of its columns, and each of its cells."""
    row = row_at(passage, Span(quote.start, quote.end))
    return (passage.text[quote.start : quote.end], *((row.told, *row.cells) if row else ()))


def _judge(claim: Claim, evidence: Evidence, question: str) -> Judged:
    shown = dict(evidence.numbered())
    if not claim.cites:
        return _no(claim, "cites nothing", Support.UNCITED)
    cited = {n: shown[n] for n in dict.fromkeys(claim.cites) if n in shown}
    if not cited:
        return _no(claim, f"cites {_marks(claim.cites)} of {len(shown)} passages shown")
    if added := summed(claim.text, tuple(cited.items())):
        return Judged(replace(claim, verdict=Support.SUPPORTED, reason="adds up"), added)
    if echoes(claim.text, question):
        return _no(claim, "repeats the question and says nothing")
    if names_sources(claim.text, evidence.passages):
        return _no(claim, "names sources and says nothing")
    allowed = {n: p for n, p in cited.items() if _may_support(p, claim.text)}
    if not allowed:
        kinds = ", ".join(sorted({str(p.evidence_class) for p in cited.values()}))
        return _no(claim, f"{kinds} cannot support a claim of this kind")
    verdict, reason, quotes = weigh(claim.text, tuple(allowed.items()))
    if verdict is Support.UNSUPPORTED:
        return _no(claim, reason)
    cites = tuple(n for n in allowed if any(quote.n == n for quote in quotes))
    return Judged(replace(claim, verdict=verdict, reason=reason, cites=cites), quotes)


def _no(claim: Claim, reason: str, verdict: Support = Support.UNSUPPORTED) -> Judged:
    return Judged(replace(claim, verdict=verdict, reason=reason))


def _marks(cites: Iterable[int]) -> str:
    return "".join(f"[{n}]" for n in cites)


def _may_support(passage: Passage, claim: str) -> bool:
    """Documents speak of the world, people of themselves and of what was said, the assistant of what it said."""
    match passage.evidence_class:
        case EvidenceClass.DOCUMENT:
            return True
        case EvidenceClass.USER_STATEMENT:
            return bool(_about_person().search(claim)) or verbatim(claim, ((1, passage),)) is not None
        case EvidenceClass.ASSISTANT_STATEMENT:
            return bool(_about_assistant().search(claim))
        case _:
            return False


@functools.cache
def _about_person() -> re.Pattern[str]:
    return re.compile(
        r"\b(?:you|your|yours|yourself|the user(?:['’]s)?)\b|[你您妳]|使用者|用戶|用户"
        r"|あなた|ご自身|お客様|とおっしゃ|と言(?:って|い)ま|とのこと(?:です|でした)|(?:お|ご)[\u3400-\u9fff]{1,4}",
        re.IGNORECASE,
    )


@functools.cache
def _about_assistant() -> re.Pattern[str]:
    return re.compile(
        r"\bI (?:told|said|mentioned|answered|explained|suggested|recommended|listed)\b"
        r"|\bmy (?:earlier|previous) (?:answer|reply)\b"
        r"|我(?:[^。，,]{0,8})?(?:說過|说过|告訴|告诉|提到|回答|建議|建议|列出|解釋|解释)|私は.{0,20}(?:言い|申し|伝え|答え"
        r"|説明し|提案し)|(?:と|を)(?:お伝え|お答え|ご説明|ご案内|ご提案)(?:いた)?しました",
        re.IGNORECASE,
    )
