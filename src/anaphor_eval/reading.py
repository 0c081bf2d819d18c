"""The product's reader, asked as a turn asks it."""

from __future__ import annotations

from anaphor import wiring
from anaphor.ports import ChatModel
from anaphor.settings import Settings
from anaphor.steps.answer import answer
from anaphor.steps.verify import verify
from anaphor.types import Claim, Draft, Evidence, Question, StandaloneQuery, Verdict
from anaphor_eval.product import NotThere


def answered(
    question: Question, query: StandaloneQuery, evidence: Evidence, model: ChatModel | None, settings: Settings
) -> tuple[Draft, Verdict]:
    """What the reader drafts, by ``model`` or by quoting, and what the product says of its claims."""
    draft = answer(
        question,
        query,
        evidence,
        model,
        temperature=settings.answer_temperature,
        timeout=settings.writer.timeout,
        release=_to_nobody,
        cancelled=_never,
    )
    return draft, verify(draft, query, evidence)


def answering_model(settings: Settings) -> ChatModel:
    if found := wiring.writer(settings):
        return found
    raise NotThere("--reader model needs a model, and none is set: ANAPHOR_ANSWER_MODEL, or ANAPHOR_MODEL, names one")


def _to_nobody(_claim: Claim) -> None:
    pass


def _never() -> bool:
    return False
