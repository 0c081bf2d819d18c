"""Everything in memory, for tests, demonstrations and measurements: nothing here outlives the process."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence

from anaphor.adapters.fake.audit import Audit
from anaphor.adapters.fake.clock import FixedClock
from anaphor.adapters.fake.documents import Documents
from anaphor.adapters.fake.embed import HashEmbedder
from anaphor.adapters.fake.erase import Erasure
from anaphor.adapters.fake.index import DenseIndex, LexicalIndex, SentenceIndex
from anaphor.adapters.fake.keys import Keys
from anaphor.adapters.fake.lifetimes import Lifetimes
from anaphor.adapters.fake.memories import Memories
from anaphor.adapters.fake.model import Dies, Request, ScriptedModel
from anaphor.adapters.fake.opinions import Opinions
from anaphor.adapters.fake.portable import Portable
from anaphor.adapters.fake.sessions import Sessions
from anaphor.adapters.fake.state import State
from anaphor.adapters.fake.turns import Turns
from anaphor.errors import BadInput
from anaphor.ports import Clock, Embedder
from anaphor.stored import Finding
from anaphor.types import Json

__all__ = ["Dies", "FixedClock", "HashEmbedder", "Request", "ScriptedModel", "Store"]


class Store:
    """What ``adapters.sqlite.Store`` is, without the file. May be used by any number of threads."""

    def __init__(self, clock: Clock = time.time, trace_days: float = 30) -> None:
        self._state = State(clock, trace_days)
        self.erasure = Erasure(self._state)
        self.audit = Audit(self._state)
        self.lifetimes = Lifetimes(self._state, self.erasure, self.audit)
        self.sessions = Sessions(self._state, self.erasure)
        self.turns = Turns(self._state)
        self.documents = Documents(self._state, self.erasure)
        self.portable = Portable(self._state)
        self.memories = Memories(self._state)
        self.keys = Keys(self._state)
        self.opinions = Opinions(self._state)
        self.lexical = LexicalIndex(self._state)

    def dense(self, embedder: Embedder) -> DenseIndex:
        return DenseIndex(self._state, embedder)

    def sentence(self, embedder: Embedder) -> SentenceIndex:
        return SentenceIndex(self._state, embedder)

    def describe(self) -> Json:
        """What there is to know about the store: counts."""
        state = self._state
        with state.lock:
            turns = [stored for session in state.sessions.values() for stored in session.turns]
            return {
                "path": None,
                "sessions": len(state.sessions),
                "turns": len(turns),
                "traces": sum(1 for stored in turns if stored.committed_at),
                "documents": len(state.documents),
                "passages": len(state.passages),
                "facts": sum(len(person.facts) for person in state.memory.values()),
                "summaries": sum(len(person.summaries) for person in state.memory.values()),
                "unread_turns": sum(1 for turn in turns if turn.waits),
                "vectors": sum(map(len, state.vectors.values())),
                "pending_vectors": len(state.passages) - len(state.vectors),
                "embedder": _maker(state.embedder),
                "coming_embedder": _maker(
                    state.coming_embedder,
                    vectors=sum(map(len, state.coming.values())),
                    pending_vectors=len(state.passages) - len(state.coming),
                ),
                "trace_days": state.trace_days,
            }

    def check(self) -> Sequence[Finding]:
        """Nothing: there is one copy of everything."""
        return []

    def mend(self) -> Sequence[Finding]:
        return []

    def back_up(self, to: str | os.PathLike[str]) -> int:
        raise BadInput(f"a store in memory is not copied to {os.fspath(to)}: export a person's things instead")

    def close(self) -> None:
        """Nothing to close; what was held goes with the object."""


def _maker(embedder: tuple[str, int] | None, **counts: int) -> Json | None:
    return {"name": embedder[0], "dimensions": embedder[1], **counts} if embedder else None
