"""Answers that rest on something erased: the turn stays, what it quoted goes.

Which they are is told by ``rests_on``, which outlives the traces. What an answer quoted may have gone further: a later
question that referred to it was rewritten with words of the answer. Those words go too.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

import apsw

from anaphor.adapters.sqlite import origins
from anaphor.adapters.sqlite.connection import rows
from anaphor.adapters.sqlite.passages import among
from anaphor.text.erased import stands_for

STRUCK_OUT = ("unsupported", "uncited")


def after_documents(connection: apsw.Connection, gone: Sequence[str], sources: Sequence[str], now: float) -> int:
    """For documents that are about to go, by origin and source; how many answers were erased."""
    return _answers(connection, gone, frozenset(sources), now, but=0)


def after_turns(connection: apsw.Connection, turns: Sequence[int], now: float, but: int = 0) -> int:
    """For turns that are about to go, except in the session ``but``, which goes with them."""
    found = _answers(connection, [origins.of_turn(key) for key in turns], frozenset(), now, but=but)
    for key, session, seq in _places(connection, turns):
        if session != but:
            _take_out_of_later(connection, session, seq, now, said_there="", but=key)
    return found


def _answers(connection: apsw.Connection, gone: Sequence[str], sources: frozenset[str], now: float, but: int) -> int:
    resting = rows(
        connection,
        "SELECT turn_key, session_key, seq, max(cited), language, question, claims FROM rests_on "
        "JOIN turns USING (turn_key) WHERE origin IN (SELECT value FROM json_each(?)) AND session_key <> ? "
        "GROUP BY turn_key",
        (among(gone), but),
    )
    erased = 0
    for key, session, seq, cited, language, question, claims in resting:
        if cited:
            erased += 1
            _erase_answer(connection, key, language, now)
            _take_out_of_later(connection, session, seq, now, said_there=question, but=key)
        else:
            _drop_struck_out(connection, key, claims)
        _take_sources_out(connection, key, sources)
        connection.execute(
            "DELETE FROM rests_on WHERE turn_key = ? AND origin IN (SELECT value FROM json_each(?))",
            (key, among(gone)),
        )
    return erased


def _erase_answer(connection: apsw.Connection, key: int, language: str, now: float) -> None:
    connection.execute(
        "UPDATE turns SET answer = ?, claims = '[]', erased_at = ? WHERE turn_key = ?",
        (stands_for(language), now, key),
    )
    connection.execute("UPDATE opinions SET comment = '' WHERE turn_key = ?", (key,))


def _take_sources_out(connection: apsw.Connection, key: int, sources: frozenset[str]) -> None:
    """The names of erased documents, out of a trace's citations and notes."""

    def without(trace: dict[str, Any]) -> None:
        for citation in trace.get("citations", ()):
            if citation.get("source") in sources:
                citation["source"] = ""
        trace.pop("notes", None)

    _rewrite_traces(connection, [key], without)


def _take_out_of_later(
    connection: apsw.Connection, session: int, seq: int, now: float, *, said_there: str, but: int
) -> None:
    """Out of the later turns of the session and its branches, what they carried from turn ``seq``.

    What stands in ``said_there`` (the question, where only its answer is erased) may stay. Where the trace is gone
    nobody knows any more what was carried, so the standalone query goes. What was struck out of a model's answer, and
    a question that asked back, may hold words of any earlier turn.
    """
    later = rows(
        connection,
        """
        WITH RECURSIVE reached (session_key, after) AS (
            SELECT ?, ? UNION
            SELECT sessions.session_key, max(after, branched_after) FROM reached
            JOIN sessions ON parent_key = reached.session_key AND branched_after >= after)
        SELECT turn_key, standalone, claims, outcome, language, trace FROM reached
        JOIN turns ON turns.session_key = reached.session_key AND seq > after LEFT JOIN traces USING (turn_key)
        WHERE turn_key <> ?""",
        (session, seq, but),
    )
    for key, standalone, claims, outcome, language, told in later:
        _drop_struck_out(connection, key, claims)
        if outcome == "clarifying":
            _erase_answer(connection, key, language, now)
        carried = json.loads(told).get("query", {}).get("carried", []) if told else None
        taken = standalone if carried is None else any(c["seq"] == seq and c["text"] not in said_there for c in carried)
        if taken or outcome == "clarifying":
            connection.execute("UPDATE turns SET standalone = '' WHERE turn_key = ?", (key,))
            _rewrite_traces(connection, [key], _without_query)


def _without_query(trace: dict[str, Any]) -> None:
    """A trace that says nothing of what was searched for."""
    trace["query"] = {k: v for k, v in trace.get("query", {}).items() if k == "rewriter"}
    for told in ("notes", "signals"):
        trace.pop(told, None)


def _rewrite_traces(connection: apsw.Connection, keys: Iterable[int], without: Any) -> None:
    for key, told in rows(
        connection,
        "SELECT turn_key, trace FROM traces WHERE turn_key IN (SELECT value FROM json_each(?))",
        (among(keys),),
    ):
        trace = json.loads(told)
        without(trace)
        connection.execute("UPDATE traces SET trace = ? WHERE turn_key = ?", (json.dumps(trace), key))


def _drop_struck_out(connection: apsw.Connection, key: int, claims: str) -> None:
    told = json.loads(claims)
    kept = [claim for claim in told if claim["verdict"] not in STRUCK_OUT]
    if len(kept) < len(told):
        connection.execute("UPDATE turns SET claims = ? WHERE turn_key = ?", (json.dumps(kept), key))


def _places(connection: apsw.Connection, turns: Sequence[int]) -> list[tuple[Any, ...]]:
    return rows(
        connection,
        "SELECT turn_key, session_key, seq FROM turns WHERE turn_key IN (SELECT value FROM json_each(?))",
        (among(turns),),
    )
