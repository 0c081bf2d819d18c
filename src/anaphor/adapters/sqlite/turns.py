"""The log of a session."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import apsw

from anaphor.adapters.sqlite.connection import Database, row, rows, value
from anaphor.adapters.sqlite.passages import realm, store_passages, terms_of
from anaphor.adapters.sqlite.sessions import session_key
from anaphor.errors import StaleTurn, TurnInProgress, UnknownSession, UnknownTurn
from anaphor.ports import Clock
from anaphor.text.fold import clean
from anaphor.types import Claim, Decision, Outcome, Passage, Question, Scope, Support, Turn

DAY = 86_400.0
_COLUMNS = (
    "turn_id, seq, question, outcome, answer, asked_at, decision, standalone, language, claims, lease_until, turn_key, "
    "lost"
)


class Turns:
    """``ports.Turns``. ``trace_days`` is how long a trace is kept; the turns themselves have no end."""

    def __init__(self, database: Database, clock: Clock, trace_days: float) -> None:
        self._database = database
        self._clock = clock
        self._trace_days = trace_days

    def accept(self, scope: Scope, question: Question, *, lease: float) -> Turn:
        now = self._clock()
        with self._database.write(durable=True) as connection:
            session = session_key(connection, scope)
            _give_up_expired(connection, session, now)
            known = _by_id(connection, session, question.turn_id)
            if known and known["outcome"] != Outcome.RUNNING:
                return _turn(known, now)
            running = row(
                connection,
                "SELECT seq, lease_until FROM turns WHERE session_key = ? AND outcome = 'running'",
                (session,),
            )
            if running:
                raise TurnInProgress(running[0], running[1] - now)
            newest = value(connection, "SELECT max(seq) FROM turns WHERE session_key = ?", (session,)) or 0
            if question.expected_seq not in (None, newest):
                raise StaleTurn(
                    f"the session is at turn {newest}, not {question.expected_seq}: look at what was said since", newest
                )
            turn = Turn(
                *(question.turn_id, newest + 1, clean(question.text), Outcome.RUNNING),
                asked_at=now,
                lease_until=now + lease,
            )
            connection.execute(
                "INSERT INTO turns (session_key, seq, turn_id, question, outcome, asked_at, lease_until) "
                "VALUES (?, ?, ?, ?, ?, ?, ?)",
                (session, turn.seq, turn.turn_id, turn.question, str(turn.outcome), now, turn.lease_until),
            )
            connection.execute("UPDATE sessions SET last_at = ? WHERE session_key = ?", (now, session))
        return turn

    def commit(self, scope: Scope, turn: Turn, trace: Mapping[str, Any], said: Sequence[Passage] = ()) -> None:
        if turn.outcome is Outcome.RUNNING:
            raise ValueError(f"turn {turn.turn_id!r} is still running: there is no end of it to store")
        now, told, terms = self._clock(), json.dumps(trace), terms_of(said)
        with self._database.write(durable=True) as connection:
            stored = _by_id(connection, session_key(connection, scope), turn.turn_id)
            if stored is None:
                raise _unknown(scope, turn.turn_id)
            if stored["outcome"] != Outcome.RUNNING:
                if stored["lost"] and turn.outcome is not Outcome.FAILED:
                    raise _too_late(connection, stored)
                return
            connection.execute(
                "UPDATE turns SET outcome = ?, answer = ?, decision = ?, standalone = ?, language = ?, claims = ? "
                "WHERE turn_key = ?",
                (
                    str(turn.outcome),
                    clean(turn.answer),
                    str(turn.decision) if turn.decision else None,
                    clean(turn.standalone),
                    turn.language,
                    json.dumps([_claim_as_dict(claim) for claim in turn.claims]),
                    stored["turn_key"],
                ),
            )
            connection.execute("INSERT INTO traces VALUES (?, ?, ?)", (stored["turn_key"], now, told))
            if said:
                memory = realm(connection, scope.tenant, "memory", scope.user)
                store_passages(connection, memory, said, terms, turn_key=stored["turn_key"])
            _purge_traces(connection, self._oldest(now))

    def recent(self, scope: Scope, limit: int, before: int | None = None) -> Sequence[Turn]:
        now = self._clock()
        with self._database.read() as connection:
            found = rows(
                connection,
                f"SELECT {_COLUMNS} FROM turns JOIN sessions USING (session_key) "
                "WHERE tenant = ? AND user = ? AND session_id = ? AND seq < ? "
                "AND (outcome <> 'running' OR lease_until <= ?) ORDER BY seq DESC LIMIT ?",
                (scope.tenant, scope.user, scope.session, _LAST if before is None else before, now, max(0, limit)),
            )
        return [_turn(_named(columns), now) for columns in reversed(found)]

    def get(self, scope: Scope, turn_id: str) -> Turn:
        now = self._clock()
        with self._database.read() as connection:
            return _turn(_required(connection, scope, turn_id), now)

    def trace(self, scope: Scope, turn_id: str) -> Mapping[str, Any]:
        oldest = self._oldest(self._clock())
        with self._database.read() as connection:
            told = value(
                connection,
                "SELECT trace FROM traces WHERE turn_key = ? AND committed_at > ?",
                (_required(connection, scope, turn_id)["turn_key"], oldest),
            )
        return dict(json.loads(told)) if told else {}

    def purge_traces(self, now: float | None = None) -> int:
        """Remove the traces whose retention has passed; how many. ``commit`` does the same as it goes."""
        with self._database.write() as connection:
            purged = _purge_traces(connection, self._oldest(self._clock() if now is None else now))
        if purged:
            self._database.forget_deleted()
        return purged

    def _oldest(self, now: float) -> float:
        return now - self._trace_days * DAY


_LAST = 2**62


def _named(columns: Sequence[Any]) -> dict[str, Any]:
    return dict(zip(_COLUMNS.split(", "), columns, strict=True))


def _by_id(connection: apsw.Connection, session: int, turn_id: str) -> dict[str, Any] | None:
    found = row(connection, f"SELECT {_COLUMNS} FROM turns WHERE session_key = ? AND turn_id = ?", (session, turn_id))
    return _named(found) if found else None


def _required(connection: apsw.Connection, scope: Scope, turn_id: str) -> dict[str, Any]:
    """By id, else by number; ``UnknownTurn`` also where the session is not this tenant's and user's."""
    try:
        session = session_key(connection, scope)
    except UnknownSession as error:
        raise _unknown(scope, turn_id) from error
    found = _by_id(connection, session, turn_id)
    if found is None and turn_id.isascii() and turn_id.isdigit() and len(turn_id) < 16:
        by_seq = row(
            connection, f"SELECT {_COLUMNS} FROM turns WHERE session_key = ? AND seq = ?", (session, int(turn_id))
        )
        found = _named(by_seq) if by_seq else None
    if found is None:
        raise _unknown(scope, turn_id)
    return found


def _unknown(scope: Scope, turn_id: str) -> UnknownTurn:
    return UnknownTurn(f"no turn {clean(turn_id)!r} in session {clean(scope.session)!r} of this user")


def _give_up_expired(connection: apsw.Connection, session: int, now: float) -> None:
    connection.execute(
        "UPDATE turns SET outcome = 'failed', lost = 1 WHERE session_key = ? AND outcome = 'running' "
        "AND lease_until <= ?",
        (session, now),
    )


def _too_late(connection: apsw.Connection, stored: Mapping[str, Any]) -> StaleTurn:
    newest = value(
        connection,
        "SELECT max(seq) FROM turns WHERE session_key = (SELECT session_key FROM turns WHERE turn_key = ?)",
        (stored["turn_key"],),
    )
    return StaleTurn(
        f"the lease of turn {stored['seq']} ran out and it was given up; the session is at turn {newest}: ask again",
        newest,
    )


def _purge_traces(connection: apsw.Connection, oldest: float) -> int:
    connection.execute("DELETE FROM traces WHERE committed_at <= ?", (oldest,))
    return connection.changes()


def _turn(stored: Mapping[str, Any], now: float) -> Turn:
    outcome = Outcome(stored["outcome"])
    if outcome is Outcome.RUNNING and stored["lease_until"] <= now:
        outcome = Outcome.FAILED  # whoever ran it is gone; the next ``accept`` writes that down
    return Turn(
        turn_id=stored["turn_id"],
        seq=stored["seq"],
        question=stored["question"],
        outcome=outcome,
        answer=stored["answer"],
        asked_at=stored["asked_at"],
        decision=Decision(stored["decision"]) if stored["decision"] else None,
        standalone=stored["standalone"],
        language=stored["language"],
        claims=tuple(_claim(told) for told in json.loads(stored["claims"])),
        lease_until=stored["lease_until"] if outcome is Outcome.RUNNING else 0.0,
    )


def _claim_as_dict(claim: Claim) -> dict[str, Any]:
    return {
        "text": claim.text,
        "cites": list(claim.cites),
        "verdict": str(claim.verdict) if claim.verdict else None,
        "lead": claim.lead,
        "reason": claim.reason,
    }


def _claim(told: Mapping[str, Any]) -> Claim:
    verdict = Support(told["verdict"]) if told["verdict"] else None
    return Claim(told["text"], tuple(told["cites"]), verdict, told["lead"], told["reason"])
