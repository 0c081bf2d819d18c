"""A person's things, out of the store and into it, in memory."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator, Sequence
from dataclasses import replace

from anaphor.adapters.fake.erase import shown
from anaphor.adapters.fake.state import State, StoredSession, StoredTurn, cut, home_of
from anaphor.stored import Entry, Logged, Session, SessionLog, Taken
from anaphor.text.fold import clean
from anaphor.text.label import LONGEST, unfit
from anaphor.types import Outcome, Scope


class Portable:
    """``ports.Portable``."""

    def __init__(self, state: State) -> None:
        self._state = state

    def documents(self, scope: Scope) -> Iterator[Entry]:
        with self._state.lock:
            own = [
                document
                for (realm, _), document in self._state.documents.items()
                if (realm[0], realm[2]) == (scope.tenant, scope.user)
            ]
            found = [
                Entry(document, tuple(p.passage for p in self._state.passages.values() if p.home is document))
                for document in sorted(own, key=lambda document: (document.source, document.collection))
            ]
        yield from found

    def logs(self, scope: Scope) -> Iterator[SessionLog]:
        with self._state.lock:
            found = [
                SessionLog(
                    replace(stored.session, turns=len(stored.turns)),
                    tuple(
                        Logged(
                            turn.turn,
                            dict(json.loads(turn.trace)),
                            turn.committed_at,
                            tuple(p.passage for p in self._state.passages.values() if p.home == turn.home),
                            turn.opinion,
                            not turn.unread,
                            tuple(turn.forgotten),
                        )
                        for turn in stored.turns[stored.session.branched_after :]
                        if turn.turn.outcome is not Outcome.RUNNING
                    ),
                    stored.origin,
                )
                for (tenant, user, _), stored in self._state.sessions.items()
                if (tenant, user) == (scope.tenant, scope.user)
            ]
        yield from found

    def put(self, scope: Scope, log: SessionLog) -> Taken:
        state, told = self._state, log.session
        made = turns = refused = 0
        with state.lock:
            within = scope.within(clean(told.session_id))
            stored = state.sessions.get((scope.tenant, scope.user, within.session))
            if stored is None:
                stored, made = self._insert(within, log), 1
            realm = (scope.tenant, "memory", scope.user, "")
            for logged in sorted(log.turns, key=lambda one: one.turn.seq):
                seq, home = logged.turn.seq, home_of(within, logged.turn.seq)
                if seq == len(stored.turns) + 1:
                    state.add(cut([replace(p, source=within.session) for p in logged.passages], realm, home))
                    kept = StoredTurn(logged.turn, 0.0, home, logged.turn.outcome is Outcome.FAILED)
                    if logged.committed_at:
                        kept.trace, kept.committed_at = json.dumps(logged.trace), logged.committed_at
                        kept.shown = shown(state, within, logged.trace)
                    kept.opinion = logged.opinion
                    kept.unread, kept.forgotten = not logged.read, list(logged.forgotten)
                    stored.turns.append(kept)
                    turns += 1
                elif seq > len(stored.turns) or stored.turns[seq - 1].turn.turn_id != logged.turn.turn_id:
                    refused += 1
        return Taken(made, turns, refused=refused)

    def of_origin(self, scope: Scope, origin: str) -> Sequence[Session]:
        with self._state.lock:
            return [
                replace(stored.session, turns=len(stored.turns))
                for (tenant, user, _), stored in self._state.sessions.items()
                if (tenant, user, stored.origin) == (scope.tenant, scope.user, origin)
            ]

    def begin(self, scope: Scope, name: str, origin: str, at: float) -> Session:
        with self._state.lock:
            when = at or self._state.clock()
            session = Session(secrets.token_hex(16), name, when, when)
            return self._insert(scope.within(session.session_id), SessionLog(session, (), origin)).session

    def turn_ids(self, scope: Scope) -> Sequence[str]:
        with self._state.lock:
            return [stored.turn.turn_id for stored in self._state.session(scope).turns]

    def _insert(self, scope: Scope, log: SessionLog) -> StoredSession:
        state, told = self._state, log.session
        taken = {s.session.name for key, s in state.sessions.items() if key[:2] == (scope.tenant, scope.user)}
        parent = state.sessions.get((scope.tenant, scope.user, told.parent)) if told.parent else None
        shared = parent.turns[: told.branched_after] if parent else []
        session = replace(
            told,
            session_id=scope.session,
            name=_fitting(told.name, taken),
            parent=told.parent if parent else "",
            branched_after=told.branched_after if parent else 0,
        )
        stored = StoredSession(session, list(shared), log.origin)
        state.sessions[scope.tenant, scope.user, scope.session] = stored
        return stored


def _fitting(name: str, taken: set[str]) -> str:
    plain = " ".join(clean(name).replace("\ufffd", " ").split())[: LONGEST - 8]
    if unfit(plain):
        return ""
    tries = (plain, *(f"{plain} ({n})" for n in range(2, len(taken) + 3)))
    return next(one for one in tries if one not in taken)
