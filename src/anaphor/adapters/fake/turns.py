"""The log of a session, in memory."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from anaphor.adapters.fake.erase import shown
from anaphor.adapters.fake.state import State, StoredSession, StoredTurn, cut, home_of
from anaphor.errors import ArchivedSession, StaleTurn, TurnInProgress, UnknownSession, UnknownTurn
from anaphor.stored import DAY, Exchange
from anaphor.text.fold import clean
from anaphor.types import Outcome, Passage, Question, Scope, Turn


class Turns:
    """``ports.Log``."""

    def __init__(self, state: State) -> None:
        self._state = state

    def accept(self, scope: Scope, question: Question, *, lease: float) -> Turn:
        with self._state.lock:
            now = self._state.clock()
            session = self._state.session(scope)
            _give_up_expired(session.turns, now)
            for stored in session.turns:
                if stored.turn.turn_id == question.turn_id and stored.turn.outcome is not Outcome.RUNNING:
                    return stored.turn
            newest = len(session.turns)
            _refuse_ended(self._state, scope, session)
            _refuse_a_second(session, now)
            if question.expected_seq not in (None, newest):
                raise StaleTurn(
                    f"the session is at turn {newest}, not {question.expected_seq}: look at what was said since", newest
                )
            turn = Turn(
                *(question.turn_id, newest + 1, clean(question.text), Outcome.RUNNING),
                asked_at=now,
                lease_until=now + lease,
            )
            session.turns.append(StoredTurn(turn, now + lease, home_of(scope, turn.seq)))
            session.session = replace(session.session, last_at=now)
            return turn

    def adopt(
        self, scope: Scope, said: Sequence[Exchange], passages: Callable[[Turn], Sequence[Passage]]
    ) -> Sequence[Turn]:
        with self._state.lock:
            now, session = self._state.clock(), self._state.session(scope)
            _give_up_expired(session.turns, now)
            _refuse_ended(self._state, scope, session)
            _refuse_a_second(session, now)
            known = {stored.turn.turn_id for stored in session.turns}
            new = [exchange for exchange in said if not exchange.turn_id or exchange.turn_id not in known]
            turns = [_adopted(exchange, seq, now) for seq, exchange in enumerate(new, len(session.turns) + 1)]
            realm = (scope.tenant, "memory", scope.user, "")
            made = [cut(passages(turn), realm, home_of(scope, turn.seq)) for turn in turns]
            session.turns += [StoredTurn(turn, 0.0, home_of(scope, turn.seq)) for turn in turns]
            for recalled in made:
                self._state.add(recalled)
            last = max((turn.asked_at for turn in turns), default=0.0)
            session.session = replace(session.session, last_at=max(session.session.last_at, last))
        return turns

    def commit(self, scope: Scope, turn: Turn, trace: Mapping[str, Any], said: Sequence[Passage] = ()) -> None:
        if turn.outcome is Outcome.RUNNING:
            raise ValueError(f"turn {turn.turn_id!r} is still running: there is no end of it to store")
        told = json.dumps(trace)
        with self._state.lock:
            turns = self._state.session(scope).turns
            stored = next((s for s in turns if s.turn.turn_id == turn.turn_id), None)
            if stored is None:
                raise _unknown(scope, turn.turn_id)
            if stored.turn.outcome is not Outcome.RUNNING:
                if stored.lost and turn.outcome is not Outcome.FAILED:
                    raise StaleTurn(
                        f"the lease of turn {stored.turn.seq} ran out and it was given up; "
                        f"the session is at turn {len(turns)}: ask again",
                        len(turns),
                    )
                return
            realm, home = (scope.tenant, "memory", scope.user, ""), home_of(scope, stored.turn.seq)
            self._state.add(cut(said, realm, home))
            stored.turn = replace(
                stored.turn,
                outcome=turn.outcome,
                answer=clean(turn.answer),
                decision=turn.decision,
                standalone=clean(turn.standalone),
                language=turn.language,
                claims=turn.claims,
                lease_until=0.0,
            )
            stored.trace, stored.committed_at = told, self._state.clock()
            stored.shown = shown(self._state, scope, trace)

    def recent(self, scope: Scope, limit: int, before: int | None = None) -> Sequence[Turn]:
        with self._state.lock:
            try:
                turns = self._as_of_now(scope)
            except UnknownSession:
                return []
        ended = [
            turn
            for turn in turns
            if turn.outcome is not Outcome.RUNNING
            and (turn.question or not turn.erased_at)
            and (before is None or turn.seq < before)
        ]
        return ended[-limit:] if limit > 0 else []

    def get(self, scope: Scope, turn_id: str) -> Turn:
        with self._state.lock:
            seq = self._find(scope, turn_id).turn.seq
            return self._as_of_now(scope)[seq - 1]

    def trace(self, scope: Scope, turn_id: str) -> Mapping[str, Any]:
        with self._state.lock:
            stored = self._find(scope, turn_id)
            oldest = self._state.clock() - self._state.trace_days_of(scope.tenant) * DAY
            return dict(json.loads(stored.trace)) if stored.committed_at > oldest else {}

    def _find(self, scope: Scope, turn_id: str) -> StoredTurn:
        """By id, else by number."""
        with self._state.lock:
            try:
                turns = self._state.session(scope).turns
            except UnknownSession as error:
                raise _unknown(scope, turn_id) from error
            for stored in turns:
                if stored.turn.turn_id == turn_id:
                    return stored
            if turn_id.isascii() and turn_id.isdigit() and len(turn_id) < 16 and 0 < int(turn_id) <= len(turns):
                return turns[int(turn_id) - 1]
        raise _unknown(scope, turn_id)

    def _as_of_now(self, scope: Scope) -> list[Turn]:
        now = self._state.clock()
        return [
            replace(s.turn, outcome=Outcome.FAILED, lease_until=0.0)
            if s.turn.outcome is Outcome.RUNNING and s.lease_until <= now
            else s.turn
            for s in self._state.session(scope).turns
        ]


def _refuse_ended(state: State, scope: Scope, session: StoredSession) -> None:
    if not state.over(scope.tenant, session.session):
        return
    if state.retention[scope.tenant].ending == "erase":
        raise UnknownSession(f"no session {clean(scope.session)!r} of this user")
    raise ArchivedSession(f"the time of session {scope.session} is over: it may be read, and branched off")


def _refuse_a_second(session: StoredSession, now: float) -> None:
    if session.session.archived_at:
        one = session.session.session_id
        raise ArchivedSession(
            f"session {one} is archived: take it out again (anaphor sessions unarchive {one}), or branch off it"
        )
    if session.turns and session.turns[-1].turn.outcome is Outcome.RUNNING:
        raise TurnInProgress(len(session.turns), session.turns[-1].lease_until - now)


def _adopted(exchange: Exchange, seq: int, now: float) -> Turn:
    return Turn(
        *(exchange.turn_id or secrets.token_hex(16), seq, clean(exchange.question), Outcome.UNVERIFIED),
        answer=clean(exchange.answer),
        asked_at=exchange.said_at or now,
        language=exchange.language,
        speaker=clean(exchange.speaker),
    )


def _give_up_expired(turns: Sequence[StoredTurn], now: float) -> None:
    for stored in turns:
        if stored.turn.outcome is Outcome.RUNNING and stored.lease_until <= now:
            stored.turn = replace(stored.turn, outcome=Outcome.FAILED, lease_until=0.0)
            stored.lost = True


def _unknown(scope: Scope, turn_id: str) -> UnknownTurn:
    return UnknownTurn(f"no turn {clean(turn_id)!r} in session {clean(scope.session)!r} of this user")
