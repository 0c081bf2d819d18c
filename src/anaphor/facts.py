"""The values of long-term memory: facts, what became of them, and summaries. Like ``types``, it imports nothing.

A fact is an index entry over what was said, never a source of its own: it points at the turn and the span that says
so, and is gone when that turn is. What a fact *is* (planned, past) and what became of its *record* (superseded,
disputed) are two things: "took the antibiotics" does not become "plans to see a doctor".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Any

PERSON = "user"
"""``Fact.about`` of what is about the person who speaks."""


class Kind(StrEnum):
    """What sort of thing a fact tells."""

    IDENTITY = "identity"
    PREFERENCE = "preference"
    POSSESSION = "possession"
    COUNT = "count"
    PLAN = "plan"
    PLACE = "place"
    RELATION = "relation"
    SCHEDULE = "schedule"
    WORK = "work"
    HEALTH = "health"
    EVENT = "event"


class State(StrEnum):
    """How the thing itself stands in the world."""

    CURRENT = "current"
    PAST = "past"
    PLANNED = "planned"
    CANCELLED = "cancelled"


class Status(StrEnum):
    """How the record stands."""

    CURRENT = "current"
    SUPERSEDED = "superseded"  # a newer value of the same relation took its place
    DISPUTED = "disputed"  # contradicted, and nobody has decided: shown with its date, never as current
    RETIRED = "retired"  # forgotten on request, rejected in review, or its time is over
    QUARANTINED = "quarantined"  # reads like an instruction: kept for a person to look at, never shown to a model


class Change(StrEnum):
    """What a statement does to a count or a set: 37 coins are set, one more is added."""

    SET = "set"
    ADD = "add"
    REMOVE = "remove"


@dataclass(frozen=True, slots=True)
class Statement:
    """One fact as a person put it, read out of one turn; nothing is known yet of what it does to other facts.

    ``about`` is ``PERSON`` or the name of whoever or whatever it is about, as said; ``value`` is a verbatim span of the
    turn; ``start`` and ``end`` are the offsets of the whole stating clause in the turn's question. ``relation`` is the
    property within the kind (``name``, ``lives_in``, ``owns``, ``allergic_to`` …), empty if it has none of its own:
    two statements with the same ``about``, ``kind`` and ``relation`` speak of the same property. A ``negated`` one
    keeps the words of negation in its value, as said. Dates are ISO 8601, empty when not said. ``confidence`` is
    between 0 and 1.
    """

    about: str
    kind: Kind
    value: str
    start: int
    end: int
    relation: str = ""
    quantity: float | None = None
    unit: str = ""
    change: Change = Change.SET
    state: State = State.CURRENT
    context: str = ""
    applies_when: str = ""
    valid_from: str = ""
    valid_to: str = ""
    negated: bool = False
    single: bool = False  # the property has one value at a time: a newer one supersedes
    fixed: bool = False  # and never changes by itself, as a birthday: two values contradict each other
    changed: bool = False  # it says itself that something is different now: a correction, "no longer", 改, もう
    replaces: str = ""  # the value that it says it took the place of, verbatim; empty if it names none
    core: str = ""  # what of the value is compared with other values, where it is not all of it: "tea" of "hates tea"
    suspect: str = ""  # why it is to be quarantined, else empty
    confidence: float = 0.5
    words: str = ""  # the sentence as a person has put it in review; empty where it stands as it was said


@dataclass(frozen=True, slots=True)
class Fact:
    """A statement as it is kept, in its newest version (or, in a history, in one of its versions).

    ``said_at`` is in seconds since the epoch. ``replaced_by`` is the fact that superseded it, ``against`` the facts it
    is disputed with. ``times`` counts in how many turns it was said; ``turns`` names them, oldest first.
    """

    fact_id: str
    statement: Statement
    session_id: str
    turn_id: str
    seq: int
    said_at: float
    status: Status = Status.CURRENT
    version: int = 1
    replaced_by: str = ""
    against: tuple[str, ...] = ()
    turns: tuple[str, ...] = ()
    pinned: bool = False
    why: str = ""  # the reason of the newest decision about it, in a few words

    @property
    def times(self) -> int:
        """In how many turns it was said."""
        return len(self.turns)


@dataclass(frozen=True, slots=True)
class Reconciled:
    """What reconciling made of one statement: which fact is written, and which others change, with the reason."""

    fact: Fact
    does: str  # "added", "merged", "superseded", "appended", "disputed", "quarantined", "untouched"
    why: str
    others: tuple[Fact, ...] = ()  # existing facts in their new version


@dataclass(frozen=True, slots=True)
class Version:
    """One change of a fact: who, when, why, and the fact as it was from then on."""

    fact: Fact
    at: float
    by: str  # "memory", or the user who edited, accepted, reverted
    does: str
    why: str


@dataclass(frozen=True, slots=True)
class Summary:
    """What the turns up to ``to_seq`` said. ``left_out`` are details that it lacks, each with the turn that has it."""

    text: str
    from_seq: int
    to_seq: int
    written_by: str  # "extractive" or the model's name
    sources: tuple[tuple[int, int, int], ...] = ()  # seq, start, end of each sentence kept, in order
    left_out: tuple[tuple[str, int], ...] = ()
    version: int = 1


@dataclass(frozen=True, slots=True)
class Read:
    """What came of one statement of a turn. ``key`` names its property: facts of one key speak of the same one."""

    statement: Statement
    reconciled: Reconciled
    key: str


@dataclass(frozen=True, slots=True)
class Saying:
    """One turn that says a fact, and how it puts it. ``text`` is the clause, verbatim, as the turn has it now."""

    session_id: str
    turn_id: str
    seq: int
    said_at: float
    statement: Statement
    text: str = ""


@dataclass(frozen=True, slots=True)
class Contested:
    """A claim of an answer that cannot be so if a current fact is, and about which nobody has decided since."""

    fact_id: str
    session_id: str
    turn_id: str
    seq: int
    asked_at: float
    text: str


@dataclass(frozen=True, slots=True)
class SummaryVersion:
    """One version of a session's summary: when it was written, by whom ("memory", or who took it back), and why."""

    summary: Summary
    at: float
    by: str = "memory"
    why: str = ""


@dataclass(frozen=True, slots=True)
class Record:
    """A fact with everything that is known of it, as it is exported."""

    fact: Fact
    key: str
    versions: tuple[Version, ...]
    sayings: tuple[Saying, ...]


def statement_of(told: Mapping[str, Any]) -> Statement:
    """From ``dataclasses.asdict``, also from an earlier version's, or from JSON; unknown keys are left aside."""
    known = {name: told[name] for name in _STATEMENT if name in told}
    kinds = {"kind": Kind(told["kind"]), "change": Change(told.get("change", "set"))}
    return Statement(**{**known, **kinds, "state": State(told.get("state", "current"))})


def fact_of(told: Mapping[str, Any]) -> Fact:
    """The same for a fact."""
    known = {name: told[name] for name in _FACT if name in told}
    several = {name: tuple(told.get(name, ())) for name in ("against", "turns")}
    parts = {"statement": statement_of(told["statement"]), "status": Status(told.get("status", "current"))}
    return Fact(**{**known, **several, **parts})


_STATEMENT = tuple(field.name for field in fields(Statement))
_FACT = tuple(field.name for field in fields(Fact))


def fact_as_dict(fact: Fact) -> dict[str, Any]:
    """The contract of ``memory list --json`` and of the service: statement and record in one object."""
    statement = {name: getattr(fact.statement, name) for name in _STATEMENT if name not in ("start", "end", "core")}
    record = {name: getattr(fact, name) for name in _FACT if name != "statement"}
    told = {**record, **statement, "turns": list(fact.turns), "against": list(fact.against), "times": fact.times}
    return {name: str(value) if isinstance(value, StrEnum) else value for name, value in told.items()}


def version_as_dict(version: Version) -> dict[str, Any]:
    """One line of a history."""
    told = {"at": version.at, "by": version.by, "does": version.does, "why": version.why}
    return {"version": version.fact.version, **told, "fact": fact_as_dict(version.fact)}


def contested_as_dict(claim: Contested) -> dict[str, Any]:
    """One claim that goes against a fact: the turn whose answer it stands in, and its words."""
    return {name: getattr(claim, name) for name in ("session_id", "turn_id", "seq", "asked_at", "text")}


def saying_as_dict(saying: Saying) -> dict[str, Any]:
    """One source of a fact: the turn, and its words."""
    told = saying.statement
    return {
        "session_id": saying.session_id,
        "turn_id": saying.turn_id,
        "seq": saying.seq,
        "said_at": saying.said_at,
        "text": saying.text,
        "start": told.start,
        "end": told.end,
    }


def summary_as_dict(summary: Summary) -> dict[str, Any]:
    """A session's summary, and what it lacks."""
    lacks = [{"what": what, "seq": seq} for what, seq in summary.left_out]
    told = {"text": summary.text, "from_seq": summary.from_seq, "to_seq": summary.to_seq}
    return {**told, "written_by": summary.written_by, "left_out": lacks, "version": summary.version}


def summary_version_as_dict(version: SummaryVersion) -> dict[str, Any]:
    """One line of its history."""
    return {"at": version.at, "by": version.by, "why": version.why, **summary_as_dict(version.summary)}
