"""The log of a session."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import apsw

from anaphor.adapters.sqlite import due, holder, origins
from anaphor.adapters.sqlite.connection import Database, row, rows, value
from anaphor.adapters.sqlite.lineage import LINE, TURNS, newest
from anaphor.adapters.sqlite.passages import realm, store_passages, terms_of
from anaphor.adapters.sqlite.sessions import open_session, session_key
from anaphor.errors import StaleTurn, TurnInProgress, UnknownSession, UnknownTurn
from anaphor.ports import Clock
from anaphor.stored import DAY, Exchange
from anaphor.text.fold import clean
from anaphor.types import Claim, Decision, Outcome, Passage, Question, Scope, Support, Turn

_NAMES = (
    *("turn_id", "seq", "question", "outcome", "answer", "asked_at", "decision", "standalone", "language", "claims"),
    *("lease_until", "turn_key", "lost", "held_by", "erased_at", "speaker"),
)
TURN = ", ".join(_NAMES)


class Turns:
    """``ports.Log``. ``trace_days`` is how long a trace is kept; the turns themselves have no end."""

    def __init__(self, database: Database, clock: Clock, trace_days: float) -> None:
        self._database = database
        self._clock = clock
        self._trace_days = trace_days

    def accept(self, scope: Scope, question: Question, *, lease: float) -> Turn:
        with self._database.write(durable=True) as connection:
            now = self._clock()  # only now is it this turn's: times are in the order of the numbers
            session = session_key(connection, scope)
            _give_up_lost(connection, session, now)
            known = _by_id(connection, session, question.turn_id)
            if known and known["outcome"] != Outcome.RUNNING:
                return _turn(known, now)
            _refuse_a_second(connection, scope, session, now)
            last = newest(connection, session)
            if question.expected_seq not in (None, last):
                raise StaleTurn(
                    f"the session is at turn {last}, not {question.expected_seq}: look at what was said since", last
                )
            turn = Turn(
                *(question.turn_id, last + 1, clean(question.text), Outcome.RUNNING),
                asked_at=now,
                lease_until=now + lease,
            )
            _insert(connection, session, turn, holder.here())
            connection.execute("UPDATE sessions SET last_at = ? WHERE session_key = ?", (now, session))
        return turn

    def adopt(
        self, scope: Scope, said: Sequence[Exchange], passages: Callable[[Turn], Sequence[Passage]]
    ) -> Sequence[Turn]:
        now, adopted = self._clock(), []
        with self._database.write(durable=True) as connection:
            session = session_key(connection, scope)
            _give_up_lost(connection, session, now)
            _refuse_a_second(connection, scope, session, now)
            memory = realm(connection, scope.tenant, "memory", scope.user)
            seq = newest(connection, session)
            for exchange in said:
                if exchange.turn_id and _by_id(connection, session, exchange.turn_id):
                    continue
                seq += 1
                turn = _adopted(exchange, seq, now)
                key = _insert(connection, session, turn, "")
                recalled = passages(turn)
                store_passages(connection, memory, recalled, terms_of(recalled), turn_key=key)
                adopted.append(turn)
            if adopted:
                connection.execute(
                    "UPDATE sessions SET last_at = max(last_at, ?) WHERE session_key = ?",
                    (max(turn.asked_at for turn in adopted), session),
                )
        return adopted

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
                "UPDATE turns SET outcome = ?, answer = ?, decision = ?, standalone = ?, language = ?, claims = ?, "
                "held_by = '' WHERE turn_key = ?",
                (
                    str(turn.outcome),
                    clean(turn.answer),
                    str(turn.decision) if turn.decision else None,
                    clean(turn.standalone),
                    turn.language,
                    claims_as_json(turn.claims),
                    stored["turn_key"],
                ),
            )
            connection.execute("INSERT INTO traces VALUES (?, ?, ?)", (stored["turn_key"], now, told))
            origins.note(connection, scope, stored["turn_key"], trace)
            if said:
                memory = realm(connection, scope.tenant, "memory", scope.user)
                store_passages(connection, memory, said, terms, turn_key=stored["turn_key"])
            due.purge_traces(connection, now, self._trace_days)

    def recent(self, scope: Scope, limit: int, before: int | None = None) -> Sequence[Turn]:
        now = self._clock()
        with self._database.read() as connection:
            try:
                session = session_key(connection, scope)
            except UnknownSession:
                return []
            found = rows(
                connection,
                # One more than asked for: at most one of them is still running.
                f"{LINE} SELECT {TURN} FROM {TURNS} WHERE seq < ? "
                "AND (erased_at IS NULL OR question <> '') ORDER BY seq DESC LIMIT ?",
                (session, _LAST if before is None else before, max(0, limit) + 1),
            )
            turns = [_turn(_named(columns), now) for columns in found]
        return [turn for turn in turns if turn.outcome is not Outcome.RUNNING][: max(0, limit)][::-1]

    def get(self, scope: Scope, turn_id: str) -> Turn:
        now = self._clock()
        with self._database.read() as connection:
            return _turn(required(connection, scope, turn_id), now)

    def trace(self, scope: Scope, turn_id: str) -> Mapping[str, Any]:
        now = self._clock()
        with self._database.read() as connection:
            oldest = now - due.trace_days(connection, scope.tenant, self._trace_days) * DAY
            told = value(
                connection,
                "SELECT trace FROM traces WHERE turn_key = ? AND committed_at > ?",
                (required(connection, scope, turn_id)["turn_key"], oldest),
            )
            return dict(json.loads(told)) if told else {}


_LAST = 2**62


def _named(columns: Sequence[Any]) -> dict[str, Any]:
    return dict(zip(_NAMES, columns, strict=True))


def _by_id(connection: apsw.Connection, session: int, turn_id: str) -> dict[str, Any] | None:
    """The newest turn of the line that has the id; more than one has it only where they were imported so."""
    found = row(
        connection,
        f"{LINE} SELECT {TURN} FROM {TURNS} WHERE turn_id = ? ORDER BY seq DESC LIMIT 1",
        (session, turn_id),
    )
    return _named(found) if found else None


def required(connection: apsw.Connection, scope: Scope, turn_id: str) -> dict[str, Any]:
    """By id, else by number; ``UnknownTurn`` also where the session is not this tenant's and user's."""
    try:
        session = session_key(connection, scope)
    except UnknownSession as error:
        raise _unknown(scope, turn_id) from error
    found = _by_id(connection, session, turn_id)
    if found is None and turn_id.isascii() and turn_id.isdigit() and len(turn_id) < 16:
        by_seq = row(connection, f"{LINE} SELECT {TURN} FROM {TURNS} WHERE seq = ?", (session, int(turn_id)))
        found = _named(by_seq) if by_seq else None
    if found is None:
        raise _unknown(scope, turn_id)
    return found


def _unknown(scope: Scope, turn_id: str) -> UnknownTurn:
    return UnknownTurn(f"no turn {clean(turn_id)!r} in session {clean(scope.session)!r} of this user")


def _insert(connection: apsw.Connection, session: int, turn: Turn, held_by: str) -> int:
    connection.execute(
        "INSERT INTO turns (session_key, seq, turn_id, question, outcome, asked_at, lease_until, answer, language, "
        "held_by, speaker) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            *(session, turn.seq, turn.turn_id, turn.question, str(turn.outcome), turn.asked_at, turn.lease_until),
            *(turn.answer, turn.language, held_by, turn.speaker),
        ),
    )
    return connection.last_insert_rowid()


def _adopted(exchange: Exchange, seq: int, now: float) -> Turn:
    return Turn(
        *(exchange.turn_id or secrets.token_hex(16), seq, clean(exchange.question), Outcome.UNVERIFIED),
        answer=clean(exchange.answer),
        asked_at=exchange.said_at or now,
        language=exchange.language,
        speaker=clean(exchange.speaker),
    )


def _give_up_lost(connection: apsw.Connection, session: int, now: float) -> None:
    """A turn whose lease ran out, or whose process is gone, has failed."""
    for key, lease_until, held_by in rows(
        connection,
        "SELECT turn_key, lease_until, held_by FROM turns WHERE session_key = ? AND outcome = 'running'",
        (session,),
    ):
        if lease_until <= now or holder.is_gone(held_by):
            connection.execute("UPDATE turns SET outcome = 'failed', lost = 1, held_by = '' WHERE turn_key = ?", (key,))


def _refuse_a_second(connection: apsw.Connection, scope: Scope, session: int, now: float) -> None:
    open_session(connection, scope, now)
    running = row(
        connection, "SELECT seq, lease_until FROM turns WHERE session_key = ? AND outcome = 'running'", (session,)
    )
    if running:
        raise TurnInProgress(running[0], running[1] - now)


def _too_late(connection: apsw.Connection, stored: Mapping[str, Any]) -> StaleTurn:
    last = newest(
        connection, value(connection, "SELECT session_key FROM turns WHERE turn_key = ?", (stored["turn_key"],))
    )
    return StaleTurn(
        f"the lease of turn {stored['seq']} ran out and it was given up; the session is at turn {last}: ask again",
        last,
    )


def turn_of(columns: Sequence[Any], now: float) -> Turn:
    """From ``TURN``."""
    return _turn(_named(columns), now)


def _turn(stored: Mapping[str, Any], now: float) -> Turn:
    outcome = Outcome(stored["outcome"])
    if outcome is Outcome.RUNNING and (stored["lease_until"] <= now or holder.is_gone(stored["held_by"])):
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
        speaker=stored["speaker"],
        erased_at=stored["erased_at"] or 0.0,
        lease_until=stored["lease_until"] if outcome is Outcome.RUNNING else 0.0,
    )


def claims_as_json(claims: Sequence[Claim]) -> str:
    return json.dumps([_claim_as_dict(claim) for claim in claims])


def _claim_as_dict(claim: Claim) -> dict[str, Any]:
    return {
        "text": claim.text,
        "cites": list(claim.cites),
        "verdict": str(claim.verdict) if claim.verdict else None,
        "lead": claim.lead,
        "reason": claim.reason,
        **({"against": claim.against} if claim.against else {}),
    }


def _claim(told: Mapping[str, Any]) -> Claim:
    verdict = Support(told["verdict"]) if told["verdict"] else None
    against = told.get("against", "")
    return Claim(told["text"], tuple(told["cites"]), verdict, told["lead"], told["reason"], against=against)
