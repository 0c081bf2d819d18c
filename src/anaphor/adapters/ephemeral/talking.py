"""Sessions, turns and what hangs on them, each where its session is."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from anaphor.errors import BadInput, UnknownSession
from anaphor.facts import Summary, SummaryVersion
from anaphor.ports import Clock, Log
from anaphor.store import Store
from anaphor.stored import Audited, Ended, Erased, Exchange, Looked, Opinion, Retention, Session
from anaphor.types import Passage, Question, Scope, Turn

IDLE_DAYS = 1.0
"""After so long unused an ephemeral session goes, if its tenant does not say less: a service must not fill up."""

EVERY_TURN = 1_000_000

Place = tuple[str, str, str]
"""Tenant, user and id of a session."""


def place(scope: Scope) -> Place:
    return scope.tenant, scope.user, scope.session


class Sessions:
    """``ports.Sessions``. ``passing`` are those in memory."""

    def __init__(self, kept: Store, passing: Store) -> None:
        self._kept = kept
        self._passing = passing
        self.passing: set[Place] = set()
        self._caught_up = 0  # the number of the newest erasure that has reached what is in memory
        self._lock = threading.Lock()

    def store_of(self, scope: Scope) -> Store:
        """Where the scope's session is, if it is anywhere."""
        self.catch_up()
        return self._passing if place(scope) in self.passing else self._kept

    def catch_up(self) -> None:
        """What another process has erased in the kept store goes here too, before anything more is done here."""
        if not self.passing:
            return
        with self._lock:
            after, self._caught_up = self._caught_up, self._kept.erasure.newest()
            if after == self._caught_up:
                return
            for one in list(self.passing):
                scope = Scope(*one)
                if self._erased_since(after, scope, set()):
                    self._passing.erasure.session(scope)
                    self.passing.discard(one)
                else:
                    self.forget(scope, partial(self._erased_since, after, scope))

    def _erased_since(self, after: int, scope: Scope, sources: set[str]) -> bool:
        return self._kept.erasure.reached(scope, sources, after)

    def forget(self, scope: Scope, erased: Callable[[set[str]], bool]) -> Erased:
        """The session's turns in memory whose cited sources are ``erased`` go whole."""
        gone = Erased()
        for turn in self._passing.turns.recent(scope, EVERY_TURN):
            cited = self._passing.turns.trace(scope, turn.turn_id).get("citations", ())
            sources = {str(citation.get("source")) for citation in cited}
            if sources and erased(sources):
                gone = _and(gone, replace(self._passing.erasure.turn(scope, turn.turn_id), answers=1))
        return gone

    def create(self, scope: Scope, name: str = "", *, ephemeral: bool = False) -> Session:
        store = self._passing if ephemeral else self._kept
        self._refuse_taken(store, scope, name)
        return self._begun(scope, store.sessions.create(scope, name, ephemeral=ephemeral))

    def find(self, scope: Scope, id_or_name: str) -> Session:
        self.catch_up()
        with contextlib.suppress(UnknownSession):
            return self._passing.sessions.find(scope, id_or_name)
        return self._kept.sessions.find(scope, id_or_name)

    def list(self, scope: Scope) -> Sequence[Session]:
        self.catch_up()
        everywhere = [*self._passing.sessions.list(scope), *self._kept.sessions.list(scope)]
        return sorted(everywhere, key=lambda session: -session.last_at)

    def rename(self, scope: Scope, name: str) -> Session:
        store = self.store_of(scope)
        self._refuse_taken(store, scope, name)
        return store.sessions.rename(scope, name)

    def branch(self, scope: Scope, after: int, name: str = "") -> Session:
        store = self.store_of(scope)
        self._refuse_taken(store, scope, name)
        return self._begun(scope, store.sessions.branch(scope, after, name))

    def archive(self, scope: Scope, archived: bool = True) -> Session:
        return self.store_of(scope).sessions.archive(scope, archived)

    def delete(self, scope: Scope) -> None:
        self.store_of(scope).sessions.delete(scope)
        self.passing.discard(place(scope))

    def _begun(self, scope: Scope, session: Session) -> Session:
        if session.ephemeral:
            if not self.passing:
                self._caught_up = self._kept.erasure.newest()
            self.passing.add(place(scope.within(session.session_id)))
        return session

    def _refuse_taken(self, store: Store, scope: Scope, name: str) -> None:
        """A name is one person's once, also where the two sessions are in two places."""
        other = self._kept if store is self._passing else self._passing
        with contextlib.suppress(UnknownSession):
            if name and (taken := other.sessions.find(scope, name)).name == name:
                raise BadInput(f"a session named {name!r} is already there ({taken.session_id}): choose another name")


class Both:
    """The two stores, and which session is in which."""

    def __init__(self, kept: Store, passing: Store, sessions: Sessions) -> None:
        self._kept = kept
        self._passing = passing
        self._sessions = sessions

    def here(self, scope: Scope) -> bool:
        """Whether the scope's session is in memory."""
        self._sessions.catch_up()
        return place(scope) in self._sessions.passing


class Turns(Both):
    """``ports.Log``."""

    def _of(self, scope: Scope) -> Log:
        return self._sessions.store_of(scope).turns

    def accept(self, scope: Scope, question: Question, *, lease: float) -> Turn:
        return self._of(scope).accept(scope, question, lease=lease)

    def adopt(
        self, scope: Scope, said: Sequence[Exchange], passages: Callable[[Turn], Sequence[Passage]]
    ) -> Sequence[Turn]:
        return self._of(scope).adopt(scope, said, passages)

    def commit(self, scope: Scope, turn: Turn, trace: Mapping[str, Any], said: Sequence[Passage] = ()) -> None:
        self._of(scope).commit(scope, turn, trace, said)

    def recent(self, scope: Scope, limit: int, before: int | None = None) -> Sequence[Turn]:
        return self._of(scope).recent(scope, limit, before)

    def get(self, scope: Scope, turn_id: str) -> Turn:
        return self._of(scope).get(scope, turn_id)

    def trace(self, scope: Scope, turn_id: str) -> Mapping[str, Any]:
        return self._of(scope).trace(scope, turn_id)


class Memories(Both):
    """``ports.Memories``: facts are the person's and kept, read out of what is kept; a summary is where its session is.

    Nothing is ever read out of an ephemeral session: its turns are not among those that wait in the kept store.
    """

    def summary(self, scope: Scope) -> Summary | None:
        return self._sessions.store_of(scope).memories.summary(scope)

    def put_summary(self, scope: Scope, summary: Summary, by: str = "memory", why: str = "") -> bool:
        return self._sessions.store_of(scope).memories.put_summary(scope, summary, by, why)

    def summary_history(self, scope: Scope) -> Sequence[SummaryVersion]:
        return self._sessions.store_of(scope).memories.summary_history(scope)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._kept.memories, name)


class Opinions(Both):
    """``store.Opinions``."""

    def put(self, scope: Scope, turn_id: str, opinion: Opinion) -> None:
        self._sessions.store_of(scope).opinions.put(scope, turn_id, opinion)

    def get(self, scope: Scope, turn_id: str) -> Opinion | None:
        return self._sessions.store_of(scope).opinions.get(scope, turn_id)


class Audit(Both):
    """``store.Audit``: of an ephemeral session not even that it was is kept."""

    def note(self, scope: Scope, act: str, kind: str, what: str = "", n: int = 1) -> None:
        self._sessions.store_of(scope).audit.note(scope, act, kind, what, n)

    def read(self, scope: Scope, limit: int = 100, everyone: bool = False) -> Sequence[Audited]:
        here = self._passing.audit.read(scope, limit, everyone)
        found = sorted([*here, *self._kept.audit.read(scope, limit, everyone)], key=lambda line: -line.at)
        return found[: max(0, limit)]

    def purge(self, now: float | None = None) -> int:
        return self._passing.audit.purge(now) + self._kept.audit.purge(now)


class Erasure(Both):
    """``store.Erasure``. A turn in memory that quotes an erased document goes whole."""

    def turn(self, scope: Scope, turn_id: str) -> Erased:
        return self._sessions.store_of(scope).erasure.turn(scope, turn_id)

    def session(self, scope: Scope) -> Erased:
        erased = self._sessions.store_of(scope).erasure.session(scope)
        self._sessions.passing.discard(place(scope))
        return erased

    def document(self, scope: Scope, id_or_source: str) -> Erased:
        source = self._kept.documents.get(scope, id_or_source).source
        return _and(self._kept.erasure.document(scope, id_or_source), self._forget({source}))

    def documents(self, scope: Scope, document_ids: Sequence[str]) -> Erased:
        wanted = set(document_ids)
        sources = {one.source for one in self._kept.documents.list(scope) if one.document_id in wanted}
        return _and(self._kept.erasure.documents(scope, document_ids), self._forget(sources))

    def user(self, scope: Scope) -> Erased:
        mine = {one for one in self._sessions.passing if one[:2] == (scope.tenant, scope.user)}
        return _and(self._here(mine), self._kept.erasure.user(scope))

    def tenant(self, scope: Scope) -> Erased:
        theirs = {one for one in self._sessions.passing if one[0] == scope.tenant}
        return _and(self._here(theirs), self._kept.erasure.tenant(scope))

    def _here(self, these: set[Place]) -> Erased:
        erased = Erased()
        for one in these:
            with contextlib.suppress(UnknownSession):  # another process erased them too, and was first
                erased = _and(erased, self._passing.erasure.session(Scope(*one)))
            self._sessions.passing.discard(one)
        return erased

    def resume(self) -> int:
        return self._kept.erasure.resume()

    def newest(self) -> int:
        return self._kept.erasure.newest()

    def reached(self, scope: Scope, sources: Collection[str], after: int) -> bool:
        return self._kept.erasure.reached(scope, sources, after)

    def samples(self, scope: Scope, limit: int = 200) -> Sequence[str]:
        return self._kept.erasure.samples(scope, limit)

    def look(self, scope: Scope, samples: Sequence[str]) -> Sequence[Looked]:
        return self._kept.erasure.look(scope, samples)

    def _forget(self, sources: set[str]) -> Erased:
        """The turns in memory that cite any of the sources."""
        gone = Erased()
        for one in list(self._sessions.passing):
            gone = _and(gone, self._sessions.forget(Scope(*one), lambda cited: not cited.isdisjoint(sources)))
        return gone


class Lifetimes:
    """``store.Lifetimes``. What is in memory goes when it was unused for a day, if the tenant does not say sooner."""

    def __init__(self, kept: Store, sessions: Sessions, clock: Clock) -> None:
        self._kept = kept
        self._sessions = sessions
        self._clock = clock

    def get(self, scope: Scope) -> Retention:
        return self._kept.lifetimes.get(scope)

    def put(self, scope: Scope, retention: Retention) -> None:
        self._kept.lifetimes.put(scope, retention)

    def end(self) -> Ended:
        return self._kept.lifetimes.end() + Ended(erased=sum(map(self._end, list(self._sessions.passing))))

    def _end(self, one: Place) -> bool:
        tenant, user, session_id = one
        scope = Scope(tenant, user, session_id)
        told = self._kept.lifetimes.get(scope)
        idle = IDLE_DAYS if told.idle_days is None else min(IDLE_DAYS, told.idle_days)
        try:
            session = self._sessions.find(scope, session_id)
        except UnknownSession:
            self._sessions.passing.discard(one)
            return False
        if replace(told, idle_days=idle).ends_at(session) > self._clock():
            return False
        self._sessions.delete(scope)
        return True


def _and(one: Erased, other: Erased) -> Erased:
    return Erased(
        one.sessions + other.sessions,
        one.turns + other.turns,
        one.documents + other.documents,
        one.passages + other.passages,
        one.answers + other.answers,
        one.wiped and other.wiped,
    )
