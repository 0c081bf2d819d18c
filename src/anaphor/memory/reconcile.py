"""What a new statement does to the facts that are there. A pure function: the facts come in, the decision comes out.

Two statements speak of the same *property* when about, kind and relation are equal; nothing else is ever touched, so
that a statement which merely mentions a thing retires nothing about it. Within one property: the same again is merged,
a newer value of a single-valued property supersedes, a change of a count is appended, and a contradiction that nothing
in the words decides is disputed, both sides kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from anaphor.facts import PERSON, Change, Fact, Kind, Reconciled, State, Statement, Status
from anaphor.memory.reconcile_alike import alike, key, within
from anaphor.text.patterns import pattern

_OCCASION = pattern(r" ?\b(?:appointment|book|reservation|time)$|(?:时间|预约|预订|的时间|の?予約|の?予定|の?時間)$")
Where = tuple[str, str, int, float]  # session_id, turn_id, seq, said_at
_DATED = (Kind.EVENT, Kind.SCHEDULE, Kind.PLAN)  # the same on another day is another one
CALLED_OFF = frozenset({Kind.PLAN, Kind.SCHEDULE})
_LIVE = (Status.CURRENT, Status.DISPUTED)


def reconcile(statement: Statement, fact_id: str, where: Where, existing: Sequence[Fact]) -> Reconciled:
    """The fact that is written for the statement, and the existing facts that change, each in its new version.

    ``existing`` may be all facts of the person, in any order and status. A turn that is read again changes nothing
    ("untouched", with the fact it made), also where what it said has since been superseded.
    """
    fact = _new(statement, fact_id, where)
    if statement.suspect:
        again = _same_turn(fact, existing) or _among(existing, fact, (Status.QUARANTINED,))
        if again:
            return Reconciled(again, "untouched", "quarantined before")
        return Reconciled(
            replace(fact, status=Status.QUARANTINED, why=statement.suspect), "quarantined", statement.suspect
        )
    if again := _same_turn(fact, existing):
        return Reconciled(again, "untouched", "this turn was read before")
    same_property = [f for f in existing if f.status in _LIVE and _of_one_property(f.statement, statement)]
    if statement.kind is Kind.COUNT:
        return _counted(fact, same_property)
    if said := next((f for f in same_property if _says_the_same(f.statement, statement)), None):
        return _merged(said, fact)
    older = [f for f in same_property if f.said_at <= fact.said_at]
    newer = [f for f in same_property if f.said_at > fact.said_at]
    if late := _added_late(fact, newer):
        return late
    ended = _ended(fact, older)
    if ended is None:
        return _held_against(fact, older)
    gone = {f.fact_id for f in ended.others}
    held = _held_against(fact, [f for f in older if f.fact_id not in gone])
    if not held.others:
        return ended
    # What was planned has come, and takes the place of what was so until then.
    return replace(held, others=(*ended.others, *held.others))


def property_of(statement: Statement) -> tuple[str, str, str]:
    """What the statement speaks of. Who holds a role is the value of the role: "my supervisor" has one at a time."""
    if statement.kind is Kind.RELATION and statement.relation and statement.about != PERSON:
        return (PERSON, statement.kind.value, key(statement.relation))
    thing = key(statement.relation)
    if statement.kind is Kind.SCHEDULE:
        thing = _OCCASION.sub("", thing) or thing  # the dentist, and the dentist appointment
    return (key(statement.about), statement.kind.value, thing)


def _of_one_property(old: Statement, new: Statement) -> bool:
    """Equal properties. What is called off is so whether it was a plan or stood at a time.

    Of tastes, "no longer drinks tea" speaks of whatever was said about tea, however it was put.
    """
    if old.kind is Kind.PREFERENCE and new.kind is Kind.PREFERENCE and key(old.about) == key(new.about):
        ends = (new.negated or new.state is State.PAST) and within(value_of(old), value_of(new))
        return ends or property_of(old) == property_of(new)
    if new.state is State.CANCELLED and {old.kind, new.kind} <= CALLED_OFF and key(old.about) == key(new.about):
        return _is_what_ends(old, new)
    return property_of(old) == property_of(new)


def value_of(statement: Statement) -> str:
    """What fills the property."""
    role = statement.kind is Kind.RELATION and statement.relation and statement.about != PERSON
    return statement.about if role else statement.core or statement.value


def _new(statement: Statement, fact_id: str, where: Where) -> Fact:
    session_id, turn_id, seq, said_at = where
    return Fact(fact_id, statement, session_id, turn_id, seq, said_at, turns=(turn_id,))


def _same_turn(fact: Fact, existing: Sequence[Fact]) -> Fact | None:
    """The fact that this very turn made of this statement, whatever has become of it."""
    return next(
        (
            f
            for f in existing
            if fact.turn_id in f.turns
            and property_of(f.statement) == property_of(fact.statement)
            and _says_the_same(f.statement, fact.statement)
        ),
        None,
    )


def _among(existing: Sequence[Fact], fact: Fact, statuses: Sequence[Status]) -> Fact | None:
    mine = property_of(fact.statement)
    return next(
        (
            f
            for f in existing
            if f.status in statuses and property_of(f.statement) == mine and _says_the_same(f.statement, fact.statement)
        ),
        None,
    )


def _says_the_same(old: Statement, new: Statement) -> bool:
    if (old.state, old.negated, old.change, old.quantity) != (new.state, new.negated, new.change, new.quantity):
        return False
    if old.quantity is not None and old.kind is Kind.COUNT:
        return True
    if old.kind in _DATED and old.valid_from != new.valid_from and old.valid_from and new.valid_from:
        return False
    return alike(value_of(old), value_of(new)) and key(old.applies_when) == key(new.applies_when)


def _merged(said: Fact, fact: Fact) -> Reconciled:
    """Said again: one more turn says so. The words first used stay; dates they did not give are taken over."""
    statement = replace(
        said.statement,
        valid_from=said.statement.valid_from or fact.statement.valid_from,
        valid_to=said.statement.valid_to or fact.statement.valid_to,
        confidence=max(said.statement.confidence, fact.statement.confidence),
    )
    why = f"said again in turn {fact.seq}"
    merged = replace(said, statement=statement, version=said.version + 1, turns=(*said.turns, fact.turn_id), why=why)
    return Reconciled(merged, "merged", why)


def _added_late(fact: Fact, newer: Sequence[Fact]) -> Reconciled | None:
    """A turn that arrives after a later one: its value was already superseded when it came."""
    if not fact.statement.single or fact.statement.state is not State.CURRENT:
        return None
    after = next((f for f in newer if f.statement.single and f.statement.state is State.CURRENT), None)
    if after is None:
        return None
    why = f"an older value than that of turn {after.seq}"
    old = replace(fact, status=Status.SUPERSEDED, replaced_by=after.fact_id, why=why)
    return Reconciled(old, "superseded", why)


def _ended(fact: Fact, older: Sequence[Fact]) -> Reconciled | None:
    """What is over, cancelled, or no longer so ends what was said of the same thing before."""
    ends = _ends(fact.statement)
    gone = [f for f in older if ends and f.statement.state in ends and _is_what_ends(f.statement, fact.statement)]
    if not gone:
        return None
    why = "no longer so" if fact.statement.negated else f"now {fact.statement.state.value}"
    return Reconciled(replace(fact, why=why), "superseded", why, tuple(_superseded(f, fact, why) for f in gone))


def _ends(statement: Statement) -> tuple[State, ...]:
    """Which states of the same thing cannot stand beside the statement."""
    if statement.state is State.CANCELLED:
        return (State.PLANNED, State.CURRENT)
    if statement.state is State.PAST:
        return (State.PLANNED, State.CURRENT)
    if statement.negated and statement.changed:
        return (State.PLANNED, State.CURRENT)
    return (State.PLANNED,) if statement.state is State.CURRENT else ()


def _is_what_ends(old: Statement, new: Statement) -> bool:
    known = (value_of(old), old.relation) if old.kind is Kind.SCHEDULE else (value_of(old),)
    named = (value_of(new), new.relation) if new.kind is Kind.SCHEDULE else (value_of(new),)
    return not old.negated and any(one and other and within(one, other) for one in known for other in named)


def _held_against(fact: Fact, older: Sequence[Fact]) -> Reconciled:
    statement = fact.statement
    rivals = [f for f in older if cannot_both_be(f.statement, statement)]
    if statement.kind is Kind.PREFERENCE and len(rivals) > 1 and not statement.replaces:
        rivals = [f for f in rivals if f.statement.negated != statement.negated]  # which of several habits gave way?
    if not rivals:
        return Reconciled(fact, "added", "nothing was known of it")
    named = [f for f in rivals if statement.replaces and within(value_of(f.statement), statement.replaces)]
    if named or statement.changed or (statement.single and not statement.fixed and not _at_once(rivals, fact)):
        gone = rivals if statement.single or statement.changed else named
        why = _because(statement, bool(named))
        return Reconciled(replace(fact, why=why), "superseded", why, tuple(_superseded(f, fact, why) for f in gone))
    why = f"contradicts turn {rivals[0].seq}, and nothing said decides between them"
    disputed = replace(fact, status=Status.DISPUTED, against=tuple(f.fact_id for f in rivals), why=why)
    return Reconciled(disputed, "disputed", why, tuple(_disputed(f, fact) for f in rivals))


def _because(statement: Statement, named: bool) -> str:
    if named:
        return f"says that it took the place of {statement.replaces}"
    return "says that it changed" if statement.changed else "a newer value of what has one at a time"


def _at_once(rivals: Sequence[Fact], fact: Fact) -> bool:
    """Two values in one breath: neither is newer."""
    return any(f.turn_id == fact.turn_id for f in rivals)


def cannot_both_be(old: Statement, new: Statement) -> bool:
    """Whether both cannot be so at once. What held at different times, or under different conditions, can."""
    if State.PAST in (old.state, new.state) or State.CANCELLED in (old.state, new.state):
        return False
    dated = old.kind is Kind.SCHEDULE and new.kind is Kind.SCHEDULE  # what is on Friday is planned, or is so
    if old.state is not new.state and not dated:
        return False
    if key(old.applies_when) != key(new.applies_when) and (new.applies_when or not new.changed):
        return False
    if new.replaces and not old.negated and within(value_of(old), new.replaces):
        return True
    same = alike(value_of(old), value_of(new))
    if old.negated != new.negated:
        return same and property_of(old) == property_of(new)
    return new.single and not new.negated and not same


def _counted(fact: Fact, same_property: Sequence[Fact]) -> Reconciled:
    """A count supersedes the count before it with its changes; a change is appended, in order."""
    counts = [f for f in same_property if f.statement.state is fact.statement.state]
    said = next((f for f in counts if _says_the_same(f.statement, fact.statement)), None)
    if fact.statement.change is not Change.SET:
        return Reconciled(fact, "appended", "a change to what was counted")
    if fact.statement.state is not State.CURRENT:
        return _merged(said, fact) if said else Reconciled(fact, "added", "a count of another time")
    newer = [f for f in counts if f.said_at > fact.said_at and f.statement.change is Change.SET]
    if newer:
        why = f"an older count than that of turn {newer[0].seq}"
        return Reconciled(
            replace(fact, status=Status.SUPERSEDED, replaced_by=newer[0].fact_id, why=why), "superseded", why
        )
    before = [f for f in counts if f.said_at <= fact.said_at]
    if said and len(before) == 1:
        return _merged(said, fact)
    if not before:
        return Reconciled(fact, "added", "nothing was counted before")
    why = "counted anew"
    return Reconciled(replace(fact, why=why), "superseded", why, tuple(_superseded(f, fact, why) for f in before))


def _superseded(old: Fact, by: Fact, why: str) -> Fact:
    return replace(
        old,
        status=Status.SUPERSEDED,
        replaced_by=by.fact_id,
        against=(),
        version=old.version + 1,
        why=f"turn {by.seq}: {why}",
    )


def _disputed(old: Fact, by: Fact) -> Fact:
    against = (*old.against, by.fact_id) if by.fact_id not in old.against else old.against
    why = f"contradicted in turn {by.seq}"
    return replace(old, status=Status.DISPUTED, against=against, version=old.version + 1, why=why)
