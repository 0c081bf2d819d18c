"""Answer from the evidence: the model where there is one and it holds to the sources, else the quoting reader."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from anaphor.ports import ChatModel
from anaphor.steps.answer import phrases
from anaphor.steps.answer.quote import declined, quote
from anaphor.steps.answer.write import Asking, Written, write
from anaphor.text.language import settle
from anaphor.types import Claim, Decision, Draft, Evidence, Question, StandaloneQuery, Support

__all__ = ["answer"]


def answer(
    question: Question,
    query: StandaloneQuery,
    evidence: Evidence,
    model: ChatModel | None,
    *,
    temperature: float,
    timeout: float,
    release: Callable[[Claim], None],
    cancelled: Callable[[], bool],
) -> Draft:
    """A draft for the turn; without claims where the sources do not answer. ``release`` is given each whole claim.

    The model is asked only when there is something to show it. What it claims without support is not given out; if
    nothing it claims is supported, or it fails before anything is, the quoting reader answers and ``note`` says why.
    """
    language = _language(question, query, evidence)
    match query.decision:
        case Decision.CLARIFICATION:
            return Draft(opening=query.ask_back or phrases.ask_back(language))
        case Decision.SMALL_TALK:
            return Draft(opening=phrases.small_talk(language, question.text))
        case Decision.COMMAND:
            return Draft(opening=phrases.acknowledge(language, question.text))
    if cancelled():
        return Draft(cancelled=True)
    if model is None or not evidence.passages:
        return _released(quote(query, evidence, language), release)
    asking = Asking(question, query, evidence, language)
    written = write(model, asking, temperature=temperature, timeout=timeout, release=release, cancelled=cancelled)
    if written.cancelled or written.supported:
        return _drafted(written, model.name, query)
    if written.not_in_sources and not written.claims:
        return replace(declined(query, evidence, language), writer=model.name, usage=written.usage)
    quoted = quote(query, evidence, language, note=_why_not(written))
    return _released(replace(quoted, usage=written.usage, rejected=written.rejected), release)


def _language(question: Question, query: StandaloneQuery, evidence: Evidence) -> str:
    """The person's language."""
    if query.language != "und":
        return query.language
    return settle(question.text, [turn.question for turn in evidence.history], question.locale)


def _drafted(written: Written, name: str, query: StandaloneQuery) -> Draft:
    """The model's draft. That part of it which the model says is not in the sources is a claim nobody can support."""
    claims = tuple(written.claims)
    if written.not_in_sources:
        claims += (
            Claim(query.text, (), Support.UNSUPPORTED, reason="the model says the sources do not say all of this"),
        )
    return Draft(claims, writer=name, usage=written.usage, cancelled=written.cancelled, note=written.failed)


def _why_not(written: Written) -> str:
    if written.failed:
        return f"quoted, because {written.failed}"
    return f"quoted, because none of the model's {len(written.claims)} claims is supported"


def _released(draft: Draft, release: Callable[[Claim], None]) -> Draft:
    for claim in draft.claims:
        if claim.cites:
            release(claim)
    return draft
