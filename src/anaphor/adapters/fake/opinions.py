"""What people thought of answers, in memory."""

from __future__ import annotations

from dataclasses import replace

from anaphor.adapters.fake.audit import record
from anaphor.adapters.fake.erase import found_turn
from anaphor.adapters.fake.state import State
from anaphor.stored import Opinion
from anaphor.text.fold import clean
from anaphor.types import Scope


class Opinions:
    """``store.Opinions``; they go with their turn."""

    def __init__(self, state: State) -> None:
        self._state = state

    def put(self, scope: Scope, turn_id: str, opinion: Opinion) -> None:
        with self._state.lock:
            stored = found_turn(self._state, scope, turn_id)
            stored.opinion = replace(opinion, comment=clean(opinion.comment), given_at=self._state.clock())
            record(self._state, scope, "change", "turn", f"{scope.session}/{stored.turn.seq}")

    def get(self, scope: Scope, turn_id: str) -> Opinion | None:
        with self._state.lock:
            return found_turn(self._state, scope, turn_id).opinion
