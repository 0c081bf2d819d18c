"""What is kept beyond the window, in memory."""

from __future__ import annotations

import functools
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from anaphor.adapters.fake.erase import found_turn
from anaphor.adapters.fake.facts import Person, StoredFact, after_turns, by_terms, name, remove, without_summaries
from anaphor.adapters.fake.state import State, StoredPassage, StoredTurn, cut
from anaphor.errors import UnknownFact
from anaphor.facts import Contested, Fact, Read, Record, Saying, Statement, Status, Summary, SummaryVersion, Version
from anaphor.stored import Unread
from anaphor.text.erased import left_of
from anaphor.text.fold import clean
from anaphor.types import EvidenceClass, Passage, Scope, Sources, Span

SHOWN = (Status.CURRENT, Status.DISPUTED)


class Memories:
    """``ports.Memories``."""

    def __init__(self, state: State) -> None:
        self._state = state

    def facts(
        self, scope: Scope, statuses: Collection[Status] = (), *, pinned: bool | None = None, limit: int = 1_000
    ) -> Sequence[Fact]:
        with self._state.lock:
            found = [fact for fact in self._all(scope) if fact.status in (statuses or Status)]
            return [fact for fact in found if pinned in (None, fact.pinned)][::-1][: max(0, limit)]

    def get(self, scope: Scope, fact_id: str) -> Fact:
        with self._state.lock:
            return self._shown(scope, self._required(scope, fact_id))

    def history(self, scope: Scope, fact_id: str) -> Sequence[Version]:
        with self._state.lock:
            stored = self._required(scope, fact_id)
            now, others = self._shown(scope, stored), self._person(scope).facts
            return [_as_it_was(version.version, now, others) for version in stored.versions]

    def sayings(self, scope: Scope, fact_id: str) -> Sequence[Saying]:
        with self._state.lock:
            return self._sayings(scope, self._required(scope, fact_id))

    def touching(self, scope: Scope, keys: Collection[str]) -> Sequence[Fact]:
        with self._state.lock:
            wanted = {s.fact.fact_id for s in self._person(scope).facts.values() if s.key in keys}
            return [fact for fact in self._all(scope) if fact.fact_id in wanted]

    def kin(self, scope: Scope, fact_ids: Collection[str]) -> Sequence[Fact]:
        with self._state.lock:
            stored = self._person(scope).facts
            return self.touching(scope, {stored[one].key for one in fact_ids if one in stored})

    def passages(self, scope: Scope, fact_ids: Collection[str]) -> Mapping[str, Sequence[Passage]]:
        with self._state.lock:
            stored = self._person(scope).facts
            found: dict[str, Sequence[Passage]] = {}
            for one in [one for one in fact_ids if one in stored]:
                said = [
                    held.passage
                    for source, statement in stored[one].sayings
                    for held in self._state.passages.values()
                    if held.home == source.home and _holds(held.passage, statement)
                ]
                found |= {one: said} if said else {}
            return found

    def said(self, scope: Scope) -> Sequence[Passage]:
        with self._state.lock:
            found = self._state.readable(scope, Sources.MEMORY).values()
            return [passage for passage in found if passage.evidence_class is EvidenceClass.USER_STATEMENT]

    def decided(self, scope: Scope, limit: int) -> Sequence[tuple[Fact, float]]:
        with self._state.lock:
            found = [(self._shown(scope, s), s.settled) for s in self._person(scope).facts.values() if s.settled]
            return sorted(found, key=lambda one: -one[1])[: max(0, limit)]

    def relevant(self, scope: Scope, terms: Mapping[str, float], limit: int) -> Sequence[Fact]:
        with self._state.lock:
            stored = self._person(scope).facts
            newest = self._all(scope)[::-1]
            shown = {fact.fact_id: fact for fact in newest if fact.status in SHOWN}
            best = by_terms(((one, stored[one].terms()) for one in shown), terms, len(stored))
            pinned = sorted(shown, key=lambda one: not shown[one].pinned)
            return [shown[one] for one in dict.fromkeys([*best, *pinned])][:limit]

    def connected(self, scope: Scope, names: Sequence[str], hops: int = 2, limit: int = 100) -> Sequence[Fact]:
        with self._state.lock:
            shown = [fact for fact in self._all(scope) if fact.status in SHOWN]
        found: dict[str, Fact] = {}
        near, seen = {name(one) for one in names}, set[str]()
        for _ in range(hops):
            here = [fact for fact in shown if name(fact.statement.about) in near - seen]
            seen |= near
            near = {name(fact.statement.value) for fact in here}
            found |= {fact.fact_id: fact for fact in here if fact.fact_id not in found}
        return list(found.values())[:limit]

    def contested(self, scope: Scope) -> Sequence[Contested]:
        with self._state.lock:
            current = {s.fact.fact_id: s for s in self._person(scope).facts.values() if s.fact.status is Status.CURRENT}
            turns = {
                id(stored): stored
                for key, session in self._state.sessions.items()
                for stored in session.turns
                if key[:2] == (scope.tenant, scope.user)
            }
            return [
                Contested(claim.against, self._home(scope, stored), turn.turn_id, turn.seq, turn.asked_at, claim.text)
                for stored in sorted(turns.values(), key=lambda one: one.number)
                for turn in (stored.turn,)
                for claim in turn.claims
                if claim.against in current and not current[claim.against].decided(turn.asked_at)
            ]

    def unread(self, scope: Scope, limit: int = 16) -> Sequence[Unread]:
        with self._state.lock:
            n = self._person(scope).generation
            return [
                Unread(session_id, stored.turn, tuple(stored.forgotten), n)
                for session_id, stored in self._waiting(scope)[: max(0, limit)]
            ]

    def still_unread(self, scope: Scope, turn: Unread) -> Unread | None:
        with self._state.lock:
            wanted = (turn.session_id, turn.turn.turn_id)
            return next(
                (one for one in self.unread(scope, 1_000_000) if (one.session_id, one.turn.turn_id) == wanted), None
            )

    def waiting(self, scope: Scope) -> int:
        with self._state.lock:
            return len(self._waiting(scope))

    def behind(self, limit: int = 100) -> Sequence[Scope]:
        with self._state.lock:
            whose = dict.fromkeys(key[:2] for key in self._state.sessions)
            found = [Scope(tenant, user) for tenant, user in whose]
            return [scope for scope in found if self._waiting(scope)][: max(0, limit)]

    def keep(self, scope: Scope, turn: Unread, made: Sequence[Read], at: float) -> bool:
        with self._state.lock:
            person = self._person(scope)
            waiting = self._waiting(scope)
            named = (turn.session_id, turn.turn.turn_id)
            source = next((s for session_id, s in waiting if (session_id, s.turn.turn_id) == named), None)
            if source is None or person.generation != turn.generation:
                return False
            person.decisions += 1
            confirmed = {_keep_one(person, source, read, at) for read in made}
            gone = _unconfirmed(person, source, confirmed)
            if gone:
                remove(person, gone, at)
            source.unread = False
            person.generation += bool(made or gone)
            return True

    def generation(self, scope: Scope) -> int:
        with self._state.lock:
            return self._person(scope).generation

    def change(self, scope: Scope, versions: Sequence[Version], generation: int) -> bool:
        with self._state.lock:
            person = self._person(scope)
            if person.generation != generation or any(v.fact.fact_id not in person.facts for v in versions):
                return False
            person.decisions += 1
            for version in versions:
                person.facts[version.fact.fact_id].write(version, person.decisions)
            person.generation += 1
            return True

    def forget(self, scope: Scope, fact_id: str, *, words: bool = False) -> Sequence[Fact]:
        with self._state.lock:
            stored, person = self._required(scope, fact_id), self._person(scope)
            for turn, statement in stored.sayings:
                if words:
                    self._cut_out(turn, Span(statement.start, statement.end))
                turn.forgotten.append(Span(statement.start, statement.end))
            if words:
                without_summaries(self._state, scope, person, [turn for turn, _ in stored.sayings])
            again = remove(person, [stored.fact.fact_id], self._state.clock())
            person.generation += 1
            return [self._shown(scope, person.facts[fact.fact_id]) for fact in again]

    def withdraw(self, scope: Scope, turn_id: str, only: Span | None = None) -> int:
        with self._state.lock:
            stored, person = found_turn(self._state, scope, turn_id), self._person(scope)
            before = len(person.facts)
            span = only or Span(0, len(stored.turn.question))
            if only is None:
                after_turns(self._state, [stored])
            else:
                without_summaries(self._state, scope, person, [stored])
                person.generation += 1
            self._cut_out(stored, span)
            stored.forgotten.append(span)
            return before - len(person.facts)

    def forgotten(self, scope: Scope, after: int = 0) -> Mapping[int, Sequence[Span]]:
        with self._state.lock:
            turns = self._state.session(scope).turns
            return {t.turn.seq: tuple(t.forgotten) for t in turns if t.turn.seq > after and t.forgotten}

    def begin_anew(self, scope: Scope) -> int:
        with self._state.lock:
            for key, session in self._state.sessions.items():
                for stored in session.turns if key[:2] == (scope.tenant, scope.user) else ():
                    stored.unread = True
            self._person(scope).generation += 1
            return len(self._waiting(scope))

    def summary(self, scope: Scope) -> Summary | None:
        with self._state.lock:
            told = self._person(scope).summaries.get(scope.session)
            return told[-1].summary if told else None

    def put_summary(self, scope: Scope, summary: Summary, by: str = "memory", why: str = "") -> bool:
        with self._state.lock:
            self._state.session(scope)
            told = self._person(scope).summaries.get(scope.session, [])
            if (told[-1].summary.version if told else 0) != summary.version - 1:
                return False
            version = SummaryVersion(summary, self._state.clock(), by, why)
            self._person(scope).summaries[scope.session] = [*told, version]
            return True

    def summary_history(self, scope: Scope) -> Sequence[SummaryVersion]:
        with self._state.lock:
            self._state.session(scope)
            return tuple(self._person(scope).summaries.get(scope.session, ()))

    def summaries(self, scope: Scope) -> Sequence[tuple[str, Summary]]:
        with self._state.lock:
            return [(session, told[-1].summary) for session, told in self._person(scope).summaries.items()]

    def records(self, scope: Scope) -> Iterator[Record]:
        for fact in self._all(scope):
            with self._state.lock:
                stored = self._required(scope, fact.fact_id)
                said = tuple(self._sayings(scope, stored))
                record = Record(fact, stored.key, tuple(self.history(scope, fact.fact_id)), said)
            yield record

    def put_record(self, scope: Scope, record: Record) -> bool:
        with self._state.lock:
            person = self._person(scope)
            said = [(turn, one) for one in record.sayings if (turn := self._turn(scope, one)) is not None]
            if record.fact.fact_id in person.facts or not said:
                return False
            own = next((turn for turn, one in said if one.turn_id == record.fact.turn_id), said[0][0])
            stored = StoredFact(record.fact, record.key, own)
            for turn, one in said:
                stored.says(turn, one.statement)
            person.decisions += 1
            first = Version(record.fact, self._state.clock(), "memory", "imported", "")
            for version in record.versions or (first,):
                stored.write(version, person.decisions)
            person.facts[record.fact.fact_id] = stored
            person.generation += 1
            return True

    def _cut_out(self, turn: StoredTurn, span: Span) -> None:
        """Take the stretch out of what can be recalled of the turn; what stands beside it stays."""
        found = [held for held in self._state.passages.values() if _lies_in(turn, span, held)]
        self._state.remove_those(functools.partial(_lies_in, turn, span))
        for held in found:
            self._state.add(cut(list(left_of(held.passage, span)), held.realm, held.home))

    # ── what is there ──

    def _person(self, scope: Scope) -> Person:
        return self._state.memory.setdefault((scope.tenant, scope.user), Person())

    def _required(self, scope: Scope, fact_id: str) -> StoredFact:
        stored = self._person(scope).facts.get(clean(fact_id))
        if stored is None:
            raise UnknownFact(f"nothing that is remembered of this user has the id {clean(fact_id)!r}")
        return stored

    def _all(self, scope: Scope) -> list[Fact]:
        """The one said first first."""
        with self._state.lock:
            found = [self._shown(scope, stored) for stored in self._person(scope).facts.values()]
        return sorted(found, key=lambda fact: fact.said_at)

    def _shown(self, scope: Scope, stored: StoredFact) -> Fact:
        turns = tuple(turn.turn.turn_id for turn, _ in stored.sayings)
        own = stored.own.turn
        where = {"session_id": self._home(scope, stored.own), "turn_id": own.turn_id, "seq": own.seq}
        return replace(stored.fact, turns=turns, **where)  # type: ignore[arg-type]

    def _sayings(self, scope: Scope, stored: StoredFact) -> list[Saying]:
        return [
            Saying(
                self._home(scope, source),
                source.turn.turn_id,
                source.turn.seq,
                source.turn.asked_at,
                said,
                source.turn.question[said.start : said.end],
            )
            for source, said in stored.sayings
        ]

    def _home(self, scope: Scope, turn: StoredTurn) -> str:
        """The session the turn was said in, or, once that is gone, one that shares it."""
        found = [
            key[2]
            for key, session in self._state.sessions.items()
            if key[:2] == (scope.tenant, scope.user) and any(one is turn for one in session.turns)
        ]
        first = turn.home[0].rpartition("\0")[2]
        return first if first in found or not found else found[0]

    def _waiting(self, scope: Scope) -> list[tuple[str, StoredTurn]]:
        found = {
            id(stored): stored
            for key, session in self._state.sessions.items()
            for stored in session.turns
            if key[:2] == (scope.tenant, scope.user) and stored.waits
        }
        in_order = sorted(found.values(), key=lambda stored: stored.number)
        return [(self._home(scope, stored), stored) for stored in in_order]

    def _turn(self, scope: Scope, said: Saying) -> StoredTurn | None:
        session = self._state.sessions.get((scope.tenant, scope.user, said.session_id))
        turns = session.turns if session else []
        return next((s for s in turns if s.turn.turn_id == said.turn_id and s.turn.question), None)


def _as_it_was(version: Version, now: Fact, others: Collection[str]) -> Version:
    """What it was tied to and is gone is left out."""
    was = version.fact
    told = replace(
        was,
        why=version.why,
        replaced_by=was.replaced_by if was.replaced_by in others else "",
        against=tuple(other for other in was.against if other in others),
        turns=tuple(turn for turn in now.turns if turn in was.turns),
        session_id=now.session_id,
        turn_id=now.turn_id,
        seq=now.seq,
    )
    return replace(version, fact=told)


def _lies_in(source: StoredTurn, span: Span, held: StoredPassage) -> bool:
    return held.home == source.home and held.passage.start < span.end and held.passage.end > span.start


def _holds(passage: Passage, statement: Statement) -> bool:
    own = passage.evidence_class is EvidenceClass.USER_STATEMENT
    return own and passage.start < statement.end and passage.end > statement.start


def _keep_one(person: Person, source: StoredTurn, read: Read, at: float) -> str:
    done, told = read.reconciled, read.reconciled.fact
    stored = person.facts.get(told.fact_id)
    if stored is None:
        stored = person.facts[told.fact_id] = StoredFact(told, read.key, source)
    elif done.does == "untouched":
        return told.fact_id
    stored.says(source, read.statement)
    for fact in (told, *done.others):
        if fact.fact_id in person.facts:
            does = done.does if fact is told else str(fact.status)
            why = fact.why or done.why
            version = Version(replace(fact, why=why), at, "memory", does, why)
            person.facts[fact.fact_id].write(version, person.decisions, source)
    return told.fact_id


def _unconfirmed(person: Person, source: StoredTurn, confirmed: Collection[str]) -> list[str]:
    """What this turn alone says, by an earlier reading and not by this one, and nobody has decided about."""
    gone = []
    for one, stored in person.facts.items():
        said = [turn for turn, _ in stored.sayings]
        decided = any(version.version.by != "memory" for version in stored.versions)
        if one in confirmed or decided or not any(turn is source for turn in said):
            continue
        if len(said) == 1:
            gone.append(one)
        elif stored.own is not source:
            stored.sayings = [saying for saying in stored.sayings if saying[0] is not source]
    return gone
