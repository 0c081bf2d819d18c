"""What people thought of answers."""

from __future__ import annotations

from dataclasses import replace

import apsw

from anaphor.adapters.sqlite import audit
from anaphor.adapters.sqlite.connection import Database, row
from anaphor.adapters.sqlite.turns import required
from anaphor.ports import Clock
from anaphor.stored import Opinion
from anaphor.text.fold import clean
from anaphor.types import Scope


class Opinions:
    """``store.Opinions``; they go with their turn."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    def put(self, scope: Scope, turn_id: str, opinion: Opinion) -> None:
        with self._database.write(durable=True) as connection:
            turn = required(connection, scope, turn_id)
            key = turn["turn_key"]
            keep_opinion(connection, key, replace(opinion, given_at=self._clock()))
            audit.record(connection, scope, "change", "turn", f"{scope.session}/{turn['seq']}", now=self._clock())

    def get(self, scope: Scope, turn_id: str) -> Opinion | None:
        with self._database.read() as connection:
            key = required(connection, scope, turn_id)["turn_key"]
            found = row(connection, "SELECT thumbs, score, comment, given_at FROM opinions WHERE turn_key = ?", (key,))
        return None if found is None else Opinion(*found)


def keep_opinion(connection: apsw.Connection, turn_key: int, opinion: Opinion) -> None:
    """In place of an earlier one. Inside a write."""
    connection.execute(
        "INSERT OR REPLACE INTO opinions VALUES (?, ?, ?, ?, ?)",
        (turn_key, opinion.given_at, opinion.thumbs, opinion.score, clean(opinion.comment)),
    )
