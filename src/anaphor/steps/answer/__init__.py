"""Answer from the evidence: the model where there is one and it holds to the sources, else the quoting reader."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from datetime import date

from anaphor.ports import ChatModel
from anaphor.steps.answer import phrases
from anaphor.steps.answer.owned import documents_alone, of_the_sources, owned
from anaphor.steps.answer.quote import declined, quote
from anaphor.steps.answer.recalled import recalled
from anaphor.steps.answer.scripts import Convert, in_persons_script
from anaphor.steps.answer.standing import standing
from anaphor.steps.answer.telling import bears_on, last_asked, only_tells
from anaphor.steps.answer.write import Asking, Written, write
from anaphor.steps.verify import verify_claim
from anaphor.text.language import settle
from anaphor.types import Claim, Decision, Draft, Evidence, Question, StandaloneQuery, Support

__all__ = ["answer"]

SHORTEST = 1.0  # seconds that must be left for a reply to be put right
MOST_REPAIRED = 8  # claims of one reply


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
    repairs: int = 0,
    today: date | None = None,
    convert: Convert | None = None,
    forgets: bool | None = None,
) -> Draft:
    """A draft for the turn; without claims where the sources do not answer. ``release`` is given each whole claim.

    The model is asked only when there is something to show it. What it claims without support is not given out: it may
    be put right ``repairs`` times, with the reasons, within the same ``timeout`` (seconds), and is then left out. If
    nothing it claims is supported, or it fails before anything is, the quoting reader answers and ``note`` says why.
    ``forgets``: whether what a command names is there to be forgotten.
    With ``convert``, quotes in the other script of Chinese are told in the person's beside.
    """
    language = _language(question, query, evidence)
    match query.decision:
        case Decision.CLARIFICATION:
            return Draft(opening=query.ask_back or phrases.ask_back(language))
        case Decision.SMALL_TALK:
            return Draft(opening=phrases.small_talk(language, question.text))
        case Decision.COMMAND:
            return Draft(opening=phrases.acknowledge(language, question.text, forgets))
    if cancelled():
        return Draft(cancelled=True)
    if asked_before := last_asked(question, evidence.history):
        return Draft(opening=phrases.you_asked(language, asked_before), acknowledges=True)
    if only_tells(question, query) and not bears_on(replace(query, text=question.text), evidence):
        return Draft(opening=phrases.heard(language), acknowledges=True)
    if model is None or not evidence.passages:
        quoted = _quoted(question, query, evidence, language, today)
        return _released(in_persons_script(quoted, language, convert), release)
    asking = Asking(question, query, evidence, language)
    began = time.monotonic()
    written = write(model, asking, temperature=temperature, timeout=timeout, release=release, cancelled=cancelled)
    for _ in range(repairs):
        left = timeout - (time.monotonic() - began)
        unsupported = _repairable(written, asking)
        if not unsupported or left < SHORTEST:
            break
        again = replace(asking, unsupported=unsupported)
        second = write(model, again, temperature=temperature, timeout=left, release=release, cancelled=cancelled)
        written = _repaired(written, second, unsupported)
    if written.cancelled or written.supported:
        return _drafted(written, model.name, query)
    if written.not_in_sources and not written.claims:
        return replace(declined(query, evidence, language), writer=model.name, usage=written.usage)
    quoted = _quoted(question, query, evidence, language, today, note=_why_not(written))
    quoted = in_persons_script(quoted, language, convert)
    return _released(replace(quoted, usage=written.usage, rejected=written.rejected), release)


def _quoted(
    question: Question, query: StandaloneQuery, evidence: Evidence, language: str, today: date | None, note: str = ""
) -> Draft:
    """By the quoting reader; where the person told of the thing themselves, the words of theirs that hold."""
    held = standing(question, query, evidence)  # of all that was said: "Mia and I broke up" tells who my wife is not
    evidence = owned(question, query, evidence)
    draft = quote(query, evidence, language, note=note)
    if (
        of_the_sources(question, query, evidence)
        and (stated := quote(query, documents_alone(evidence), language, note)).claims
    ):
        return stated
    return recalled(query, evidence, draft, held, language, today)


def _repairable(written: Written, asking: Asking) -> tuple[Claim, ...]:
    """What of a whole reply, in the right language, is not supported, with the reasons; at most ``MOST_REPAIRED``."""
    if written.failed or written.cancelled or not written.claims:
        return ()
    judged = [verify_claim(claim, asking.evidence, asking.query.text) for claim in written.claims]
    return tuple(c for c in judged if c.verdict in (Support.UNSUPPORTED, Support.UNCITED))[:MOST_REPAIRED]


def _repaired(first: Written, second: Written, unsupported: tuple[Claim, ...]) -> Written:
    """The first reply with what took the place of its unsupported claims; without any, it stays as it was."""
    usage = first.usage + second.usage
    said = {claim.text for claim in first.claims}
    new = [claim for claim in second.claims if claim.text not in said]
    if not second.supported or not new:
        return replace(first, usage=usage, cancelled=second.cancelled)
    replaced = {claim.text for claim in unsupported}
    kept = [claim for claim in first.claims if claim.text not in replaced]
    return replace(
        first,
        claims=[*kept, *new],
        supported=first.supported + second.supported,
        usage=usage,
        cancelled=second.cancelled,
        failed=second.failed,
        not_in_sources=first.not_in_sources or second.not_in_sources,
    )


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
    """What is released, one after the other, is what will be committed: the opening stands before the first claim."""
    before = draft.opening
    for claim in draft.claims:
        if claim.cites:
            release(replace(claim, lead=before + claim.lead))
            before = ""
    return draft
