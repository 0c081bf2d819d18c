"""What is kept of a person beyond the window, in memory; and what of it goes with turns."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from anaphor import bonds
from anaphor.facts import PERSON, Fact, Statement, Status, SummaryVersion, Version
from anaphor.text.fold import matching
from anaphor.text.segment import index_terms

if TYPE_CHECKING:
    from anaphor.adapters.fake.state import State, StoredTurn
    from anaphor.types import Passage, Scope

ERASED = "what it was decided against is erased"
MOVED = "a turn that said it is erased"
EDITED = "edited"


@dataclass(slots=True)
class StoredVersion:
    """``words``: the turn whose words it has; ``read_from``: the one whose reading made it."""

    version: Version
    words: StoredTurn
    read_from: StoredTurn | None
    made_with: int


@dataclass(slots=True)
class StoredFact:
    """``own`` is the turn whose words it keeps, ``sayings`` are all that say it, in the order in which they were."""

    fact: Fact
    key: str
    own: StoredTurn
    sayings: list[tuple[StoredTurn, Statement]] = field(default_factory=list)
    versions: list[StoredVersion] = field(default_factory=list)
    settled: float = 0.0  # when a person rejected it or put it in other words

    def says(self, turn: StoredTurn, statement: Statement) -> None:
        rest = [said for said in self.sayings if said[0] is not turn]
        self.sayings = sorted([*rest, (turn, statement)], key=lambda said: (said[0].turn.asked_at, said[0].turn.seq))

    def write(self, version: Version, made_with: int, read_from: StoredTurn | None = None) -> None:
        number = 1 + max((self.fact.version if self.versions else 0, *(v.version.fact.version for v in self.versions)))
        self.fact = replace(version.fact, version=number)
        if not self.fact.statement.words and self.fact.status is not Status.RETIRED:
            self.settled = 0.0
        elif version.by != "memory":
            self.settled = version.at
        self.versions.append(StoredVersion(replace(version, fact=self.fact), self.own, read_from, made_with))

    def decided(self, since: float) -> bool:
        """Whether a person has decided about it since."""
        return any(one.version.by != "memory" and one.version.at >= since for one in self.versions)

    def terms(self) -> set[str]:
        told = self.fact.statement
        clause = told.words or self.own.turn.question[told.start : told.end]
        about = "" if told.about == PERSON else told.about
        return set(index_terms(" \n".join((clause, about, told.value, told.context))))


@dataclass(slots=True)
class Person:
    facts: dict[str, StoredFact] = field(default_factory=dict)
    summaries: dict[str, list[SummaryVersion]] = field(default_factory=dict)
    generation: int = 0
    decisions: int = 0


def name(text: str) -> str:
    """As one fact's value is compared with what another is about."""
    return matching(text).strip()


def words_of(state: State, scope: Scope, passage_ids: Sequence[str]) -> dict[str, Passage]:
    """Facts in a person's words, as passages by ``FACT@VERSION``, as long as fact and version are there."""
    found = {}
    for name in passage_ids:
        stored = state.memory.get((scope.tenant, scope.user), Person()).facts.get(name.partition("@")[0])
        for version in stored.versions if stored else ():
            words = version.version.fact.statement.words
            own = [p.passage for p in state.passages.values() if stored and p.home == stored.own.home]
            if own and words and name.partition("@")[2] == str(version.version.fact.version):
                found[name] = replace(own[0], passage_id=name, text=words, start=0, end=len(words))
    return found


def remove(person: Person, ids: Collection[str], now: float) -> list[Fact]:
    """The facts, and what others tell of them; what they alone had superseded is current again."""
    gone = {one: person.facts[one] for one in ids}
    together = {version.made_with for fact in gone.values() for version in fact.versions}
    for one, stored in person.facts.items():
        for version in stored.versions:
            if one not in gone and version.made_with in together:
                version.version = replace(version.version, why=ERASED, fact=replace(version.version.fact, why=ERASED))
                stored.fact = replace(stored.fact, why=stored.versions[-1].version.why)
    changed: list[Fact] = []
    for key in sorted({stored.key for stored in gone.values()}):
        changed += bonds.without([s.fact for s in person.facts.values() if s.key == key], ids, ERASED)
    for one in gone:
        del person.facts[one]
    person.decisions += 1
    for told in changed:
        person.facts[told.fact_id].write(Version(told, now, "memory", "reinstated", ERASED), person.decisions)
    return [person.facts[told.fact_id].fact for told in changed]


def after_turns(state: State, gone: Sequence[StoredTurn]) -> None:
    """Before turns go: facts that no other turn says go, the others keep the words of a turn that stays."""
    now, lost = state.clock(), {id(turn) for turn in gone}
    for (tenant, user), person in state.memory.items():
        _drop_summaries(state, tenant, user, person, lost)
        touched = [s for s in person.facts.values() if any(id(turn) in lost for turn, _ in s.sayings)]
        for stored in touched:
            stored.sayings = [said for said in stored.sayings if id(said[0]) not in lost]
            if stored.sayings:
                _rest_on_another(person, stored, lost, now)
        remove(person, [s.fact.fact_id for s in touched if not s.sayings], now)
        person.generation += 1


def _rest_on_another(person: Person, stored: StoredFact, lost: Collection[int], now: float) -> None:
    own = id(stored.own) in lost
    edited = any(version.version.does == EDITED for version in stored.versions)
    stored.own, statement = stored.sayings[0]
    stored.versions = [
        v for v in stored.versions if id(v.words) not in lost and (v.read_from is None or id(v.read_from) not in lost)
    ]
    words = stored.fact.statement if edited and not own else statement
    moved = replace(stored.fact, statement=words, said_at=stored.own.turn.asked_at, why=MOVED)
    person.decisions += 1
    number = moved.version
    stored.write(Version(moved, now, "memory", "moved", MOVED), person.decisions)
    if stored.fact.version <= number:
        stored.fact = replace(stored.fact, version=number + 1)
        stored.versions[-1].version = replace(stored.versions[-1].version, fact=stored.fact)


def without_summaries(state: State, scope: Scope, person: Person, turns: Sequence[StoredTurn]) -> None:
    """Those that may hold words of these turns are to be written anew."""
    _drop_summaries(state, scope.tenant, scope.user, person, {id(turn) for turn in turns})


def _drop_summaries(state: State, tenant: str, user: str, person: Person, lost: Collection[int]) -> None:
    for session_id, told in list(person.summaries.items()):
        session = state.sessions.get((tenant, user, session_id))
        turns = session.turns[: max(one.summary.to_seq for one in told)] if session else []
        if session is None or any(id(turn) in lost for turn in turns):
            del person.summaries[session_id]


def by_terms(having: Iterable[tuple[str, set[str]]], terms: Mapping[str, float], whole: int) -> list[str]:
    """The names of what has the terms, the best first: a term that few have counts for more."""
    known = [(one, own & terms.keys()) for one, own in having]
    often = {term: sum(1 for _, own in known if term in own) for term in terms}
    scores = {one: sum(terms[term] * math.log(1 + whole / often[term]) for term in own) for one, own in known if own}
    return sorted(scores, key=lambda one: -scores[one])
