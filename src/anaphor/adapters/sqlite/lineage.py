"""A session's turns where it branched off another: the shared past stands once, in the session where it was said."""

from __future__ import annotations

import apsw

from anaphor.adapters.sqlite.connection import row, value

LINE = """
    WITH RECURSIVE line (session_key, upto) AS (
        SELECT session_key, 9223372036854775807 FROM sessions WHERE session_key = ?
        UNION ALL
        SELECT parent_key, min(branched_after, upto) FROM line JOIN sessions USING (session_key)
        WHERE parent_key IS NOT NULL
    )"""
"""The session (bound to the one mark) and those it branched off, each with the last turn that is shared."""

# CROSS JOIN only says in which order: left to itself, SQLite reads every turn of the store and asks of each whether it
# is of the line.
TURNS = "line CROSS JOIN turns ON turns.session_key = line.session_key AND turns.seq <= line.upto"


def newest(connection: apsw.Connection, session: int) -> int:
    """The newest turn's number, 0 before the first."""
    return int(
        value(
            connection,
            "SELECT coalesce((SELECT max(seq) FROM turns WHERE turns.session_key = sessions.session_key), "
            "branched_after, 0) FROM sessions WHERE session_key = ?",
            (session,),
        )
        or 0
    )


def hand_over(connection: apsw.Connection, session: int) -> None:
    """Give what branches share with a session that is about to go to the branch that shares most of it.

    The other branches then branch off that one. What no branch shares is left where it is.
    """
    heir = row(
        connection,
        "SELECT session_key, branched_after, session_id FROM sessions WHERE parent_key = ? "
        "ORDER BY branched_after DESC, session_key LIMIT 1",
        (session,),
    )
    if heir is None:
        return
    key, shared, session_id = heir
    own = "SELECT turn_key FROM turns WHERE session_key = ? AND seq <= ?"
    connection.execute(f"UPDATE passages SET source = ? WHERE turn_key IN ({own})", (session_id, session, shared))
    connection.execute("UPDATE turns SET session_key = ? WHERE session_key = ? AND seq <= ?", (key, session, shared))
    connection.execute(
        "UPDATE sessions SET (parent_key, branched_after) = "
        "(SELECT parent_key, min(branched_after, ?) FROM sessions WHERE session_key = ?) WHERE session_key = ?",
        (shared, session, key),
    )
    connection.execute("UPDATE sessions SET parent_key = ? WHERE parent_key = ?", (key, session))
