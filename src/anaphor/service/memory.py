"""``/api/memory``: what is remembered of the caller, to look at, decide about and take back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query
from pydantic import Field

from anaphor.facts import (
    Fact,
    contested_as_dict,
    fact_as_dict,
    saying_as_dict,
    summary_as_dict,
    summary_version_as_dict,
    version_as_dict,
)
from anaphor.persons_memory import PersonsMemory
from anaphor.service import examples
from anaphor.service.callers import Caller, as_caller
from anaphor.service.cleaned import Clean
from anaphor.service.described import ERRORS, shows
from anaphor.service.desk import Desk, TheCaller, TheDesk
from anaphor.service.schemas import Strict

Json = dict[str, Any]
Short = Annotated[str, Field(max_length=2_000)]
StatusName = Literal["current", "superseded", "disputed", "retired", "quarantined"]

router = APIRouter(prefix="/api/memory", responses=ERRORS, route_class=Clean, tags=["memory"])


class Reason(Strict):
    why: Short = Field("", description="Kept in the history.", examples=["moved in May"])


class Pinned(Reason):
    pinned: bool = Field(True, description="Whether it comes first and never fades.")


class Reverted(Reason):
    version: int = Field(ge=1, le=2**31, description="Of its history.", examples=[1])


class Edited(Reason):
    """What is given is changed; what was said stays as it was said."""

    value: Short | None = Field(None, examples=["高雄"])
    quantity: float | None = Field(None, allow_inf_nan=False, examples=[38])
    unit: Short | None = None
    state: Literal["current", "past", "planned", "cancelled"] | None = None
    applies_when: Short | None = None
    valid_from: Short | None = Field(None, description="ISO 8601", examples=["2026-05-01"])
    valid_to: Short | None = None


def _memory(desk: Desk, caller: Caller) -> PersonsMemory:
    return as_caller(desk.assistant, caller).memory


def whole(memory: PersonsMemory, fact: Fact) -> Json:
    """A fact with the turns that say it."""
    return {**fact_as_dict(fact), "sources": [saying_as_dict(one) for one in memory.sayings(fact.fact_id)]}


@router.get("/facts", responses=shows(examples.FACTS))
def list_facts(
    desk: TheDesk,
    caller: TheCaller,
    status: Annotated[list[StatusName] | None, Query(description="By default what is current.")] = None,
    pinned: Annotated[bool | None, Query()] = None,
    limit: Annotated[int, Query(ge=1, le=1_000)] = 200,
) -> Json:
    """What is remembered, the one said last first; and how many turns are not read yet."""
    memory = _memory(desk, caller)
    found = memory.list(status or (), pinned=pinned, limit=limit)
    return {"facts": [fact_as_dict(fact) for fact in found], "waiting": memory.waiting}


@router.get("/review", responses=shows(examples.REVIEW))
def review(desk: TheDesk, caller: TheCaller) -> Json:
    """What waits for a decision: contradictions, what reads like an instruction, what an answer went against."""
    memory = _memory(desk, caller)
    return {"queue": [_case(memory, fact, others) for fact, others in memory.review()]}


def _case(memory: PersonsMemory, fact: Fact, others: Sequence[Fact]) -> Json:
    answers = [contested_as_dict(claim) for claim in memory.contested(fact.fact_id)]
    return {
        "fact": whole(memory, fact),
        "disputed_with": [whole(memory, other) for other in others],
        "answers": answers,
    }


@router.get("/facts/{fact}", responses=shows(examples.WITH_SOURCES))
def read_fact(desk: TheDesk, caller: TheCaller, fact: str) -> Json:
    """A fact with its sources."""
    memory = _memory(desk, caller)
    return whole(memory, memory.get(fact))


@router.get("/facts/{fact}/history", responses=shows(examples.HISTORY))
def history(desk: TheDesk, caller: TheCaller, fact: str) -> Json:
    """Every version, oldest first: who, when, why."""
    return {"versions": [version_as_dict(version) for version in _memory(desk, caller).history(fact)]}


@router.post("/facts/{fact}/accept", responses=shows(examples.FACT))
def accept(desk: TheDesk, caller: TheCaller, fact: str, given: Reason) -> Json:
    """It is so: what contradicts it is superseded."""
    return fact_as_dict(_memory(desk, caller).accept(fact, given.why))


@router.post("/facts/{fact}/reject", responses=shows(examples.FACT))
def reject(desk: TheDesk, caller: TheCaller, fact: str, given: Reason) -> Json:
    """It is not so: it is kept as retired, and what was said of it is not answered with."""
    return fact_as_dict(_memory(desk, caller).reject(fact, given.why))


@router.patch("/facts/{fact}", responses=shows(examples.FACT))
def edit(desk: TheDesk, caller: TheCaller, fact: str, given: Edited) -> Json:
    """In other words, which are answered with from now on."""
    changes = given.model_dump(exclude={"why"}, exclude_none=True)
    return fact_as_dict(_memory(desk, caller).edit(fact, given.why, **changes))


@router.post("/facts/{fact}/pin", responses=shows(examples.FACT))
def pin(desk: TheDesk, caller: TheCaller, fact: str, given: Pinned) -> Json:
    """Have it come first, and never fade; or no longer."""
    return fact_as_dict(_memory(desk, caller).pin(fact, given.pinned, given.why))


@router.post("/facts/{fact}/revert", responses=shows(examples.FACT))
def revert(desk: TheDesk, caller: TheCaller, fact: str, given: Reverted) -> Json:
    """As it was in that version, exactly."""
    return fact_as_dict(_memory(desk, caller).revert(fact, given.version, given.why))


@router.delete("/facts/{fact}", responses=shows({"deleted": examples.FACT["fact_id"]}))
def delete(desk: TheDesk, caller: TheCaller, fact: str, words: Annotated[bool, Query()] = False) -> Json:
    """Gone with its history, and not read again. What was said can still be recalled, unless `words` ends that too."""
    return {"deleted": _memory(desk, caller).delete(fact, words=words).fact_id}


@router.get("/summaries/{session}", responses=shows(examples.SUMMARY))
def summary(desk: TheDesk, caller: TheCaller, session: str) -> Json:
    """What the turns that have left the window said, and what that lacks; null before there are any."""
    found = _memory(desk, caller).summary(session)
    return {"summary": summary_as_dict(found) if found else None}


@router.get("/summaries/{session}/history", responses=shows(examples.SUMMARIES))
def summary_history(desk: TheDesk, caller: TheCaller, session: str) -> Json:
    """Every version of the session's summary, oldest first: who, when, why."""
    versions = _memory(desk, caller).summary_history(session)
    return {"versions": [summary_version_as_dict(version) for version in versions]}


@router.post("/summaries/{session}/revert", responses=shows(examples.SUMMARY))
def revert_summary(desk: TheDesk, caller: TheCaller, session: str, given: Reverted) -> Json:
    """As it was in that version."""
    return {"summary": summary_as_dict(_memory(desk, caller).revert_summary(session, given.version, given.why))}


@router.post("/refresh", responses=shows(examples.REFRESHED))
def refresh(desk: TheDesk, caller: TheCaller) -> Json:
    """Read now what was not read yet, which else happens in the background."""
    done = _memory(desk, caller).refresh(200)
    return {"turns": done.turns, "did": dict(done.did), "summaries": done.summaries, "waiting": done.waiting}
