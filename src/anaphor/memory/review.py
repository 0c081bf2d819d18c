"""What a person decides about what is remembered: accept, reject, edit, pin, take back. Every decision is a version.

Pure: a fact, its history and the others of its property come in, the versions to be written come out. Whatever a person
decides, two values that cannot both be so are never both current: the one decided for supersedes the other.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from typing import Any

from anaphor.bonds import consequences
from anaphor.errors import BadInput
from anaphor.facts import Fact, State, Status, Version
from anaphor.memory.rewording import in_words
from anaphor.text.instructions import outlives

EDITABLE = frozenset(
    {"value", "quantity", "unit", "state", "context", "applies_when", "valid_from", "valid_to", "negated"}
)
"""What of a statement can be put in other words. What it is about, and of which kind, is another fact."""


@dataclass(frozen=True, slots=True)
class Decided:
    """Who decides, when, and why."""

    by: str
    at: float
    why: str = ""


def accepted(fact: Fact, kin: Sequence[Fact], decided: Decided, *, contested: bool = False) -> list[Version]:
    """It is so, and current: what it is disputed with is superseded by it. One that is and was contested is kept."""
    if fact.status is Status.CURRENT:
        return [_version(fact, "accepted", decided, "accepted in review")] if contested else []
    told = replace(fact, status=Status.CURRENT, against=(), replaced_by="")
    return _written(told, "accepted", kin, decided, "accepted in review")


def rejected(fact: Fact, kin: Sequence[Fact], decided: Decided) -> list[Version]:
    """It is not so: it is kept as retired. What it alone stood against is current again."""
    if fact.status is Status.RETIRED:
        return []
    told = replace(fact, status=Status.RETIRED, against=(), replaced_by="", pinned=False)
    return _written(told, "rejected", kin, decided, "rejected in review")


def edited(
    fact: Fact, changes: Mapping[str, Any], kin: Sequence[Fact], decided: Decided, said: str = ""
) -> list[Version]:
    """It is put in other words, and current. ``BadInput`` for what cannot be edited, or be so.

    ``said`` is the sentence that says it, or how a person has put that before; it is put in the new words too.
    """
    unknown = sorted(changes.keys() - EDITABLE)
    if unknown or not changes:
        named = ", ".join(sorted(EDITABLE))
        raise BadInput(
            f"{unknown[0]} is not edited: {named} are" if unknown else f"nothing to edit: give one of {named}"
        )
    statement = replace(fact.statement, **{name: _of_its_kind(name, value) for name, value in changes.items()})
    today = datetime.fromtimestamp(decided.at, UTC).date().isoformat()
    over = statement.valid_to and statement.valid_to < today[: len(statement.valid_to)]
    if over and "valid_to" in changes and "state" not in changes and statement.state is State.CURRENT:
        statement = replace(statement, state=State.PAST)  # what ended is not told as what is so
    statement = in_words(fact.statement, statement, said)
    if (
        statement.valid_from
        and statement.valid_to
        and statement.valid_to < statement.valid_from[: len(statement.valid_to)]
    ):
        raise BadInput(f"valid_to {statement.valid_to} lies before valid_from {statement.valid_from}")
    if statement == fact.statement:
        return []
    told = replace(fact, statement=statement)
    if fact.status in (Status.DISPUTED, Status.QUARANTINED):
        told = replace(told, status=Status.CURRENT, against=(), replaced_by="")
    return _written(told, "edited", kin, decided, "put in other words")


def pinned(fact: Fact, pin: bool, decided: Decided) -> list[Version]:
    """It comes first whenever there is something to remember, and does not fade; or no longer."""
    if fact.pinned == pin:
        return []
    does = "pinned" if pin else "unpinned"
    return [_version(replace(fact, pinned=pin), does, decided, does)]


def reverted(fact: Fact, to: int, history: Sequence[Version], kin: Sequence[Fact], decided: Decided) -> list[Version]:
    """It is again what it was in that version, exactly; the decisions since stay in its history."""
    was = next((version.fact for version in history if version.fact.version == to), None)
    if was is None:
        known = ", ".join(str(version.fact.version) for version in history)
        raise BadInput(f"fact {fact.fact_id} has no version {to}: there are {known}")
    told = replace(was, turns=fact.turns, version=fact.version)
    if told.status is Status.DISPUTED and not told.against:  # what it was disputed with is gone
        told = replace(told, status=Status.CURRENT)
    if replace(told, why=fact.why) == fact:
        return []
    return _written(told, "reverted", kin, decided, f"back to version {to}")


def retired(fact: Fact, why: str, at: float) -> list[Version]:
    """Its time is over, as the policy of forgetting says."""
    told = replace(fact, status=Status.RETIRED, why=why)
    return [Version(told, at, "memory", "faded", why)]


def _written(told: Fact, does: str, kin: Sequence[Fact], decided: Decided, otherwise: str) -> list[Version]:
    """The fact's new version and those of the facts that it moves."""
    others = [other for other in kin if other.fact_id != told.fact_id]
    moved = consequences(told, others, f"{decided.by} decided: {does}")
    first = _version(told, does, decided, otherwise)
    return [first, *(Version(other, decided.at, decided.by, str(other.status), other.why) for other in moved)]


def _version(told: Fact, does: str, decided: Decided, otherwise: str) -> Version:
    why = decided.why or otherwise
    return Version(replace(told, why=why), decided.at, decided.by, does, why)


def _of_its_kind(name: str, value: Any) -> Any:
    if name == "quantity":
        if value is not None and (isinstance(value, bool) or not isinstance(value, int | float)):
            raise BadInput(f"quantity is a number, not {value!r}")
        if value is not None and not math.isfinite(value):
            raise BadInput(f"quantity is a number with an end, not {value!r}")
        if value is not None and value < 0:
            raise BadInput(f"quantity is 0 or more, not {value!r}: what is owed or gone is said in words")
        return None if value is None else float(value)
    if name == "negated":
        return bool(value)
    if name == "state":
        if value not in set(State):
            raise BadInput(f"state is one of {', '.join(State)}, not {str(value)[:40]!r}")
        return State(value)
    if not isinstance(value, str) or len(value) > 2_000 or (name == "value" and not value.strip()):
        raise BadInput(f"{name} is a text of at most 2,000 characters, not {str(value)[:40]!r}")
    if outlives(value):
        raise BadInput(f"{name} reads like an instruction to the assistant: give what is so, not {value[:40]!r}")
    if name in ("valid_from", "valid_to") and value.strip():
        return _day(name, value.strip())
    return value.strip()


def _day(name: str, value: str) -> str:
    """A year, a month or a day, as ISO 8601 writes them."""
    try:
        date.fromisoformat(f"{value}-01-01"[:10] if len(value) == 4 else f"{value}-01" if len(value) == 7 else value)
    except ValueError:
        raise BadInput(f"{name} is a day such as 2026-05-01, a month or a year, not {value[:40]!r}") from None
    return value
