"""A store beside a store: sessions that never reach the disk.

What is asked and answered in an ephemeral session is in the store in memory (``passing``), and nowhere else; documents,
facts and everybody's other sessions are in the one that is kept. The session in the scope of a call says which of the
two it is for. An ephemeral session reads what is kept, as any other does; of what is said in it nothing is found from
another session, or an answer that quotes it would be kept there.
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from typing import cast

from anaphor.adapters.ephemeral import talking
from anaphor.adapters.ephemeral.searching import Documents, Lexical
from anaphor.adapters.ephemeral.talking import Audit, Erasure, Lifetimes, Opinions, Sessions, Turns
from anaphor.ports import Clock, Embedder, Memories, Portable, VectorIndex
from anaphor.store import Keys
from anaphor.store import Store as AnyStore
from anaphor.stored import Finding
from anaphor.types import Json

__all__ = ["Store"]


class Store:
    """``store.Store``: ``kept`` for everything, ``passing`` for the sessions that were begun as ephemeral."""

    def __init__(self, kept: AnyStore, passing: AnyStore, clock: Clock = time.time) -> None:
        self._kept = kept
        self._passing = passing
        self.sessions = Sessions(kept, passing)
        self.turns = Turns(kept, passing, self.sessions)
        self.opinions = Opinions(kept, passing, self.sessions)
        self.audit = Audit(kept, passing, self.sessions)
        self.erasure = Erasure(kept, passing, self.sessions)
        self.lifetimes = Lifetimes(kept, self.sessions, clock)
        self.documents = Documents(kept, passing, self.sessions, self.erasure)
        self.lexical = Lexical(kept, passing, self.sessions)

    @property
    def memories(self) -> Memories:
        return cast(Memories, talking.Memories(self._kept, self._passing, self.sessions))

    @property
    def keys(self) -> Keys:
        return self._kept.keys

    @property
    def portable(self) -> Portable:
        """Of what is kept: an ephemeral session is taken along nowhere."""
        return self._kept.portable

    def dense(self, embedder: Embedder) -> VectorIndex:
        return self._kept.dense(embedder)

    def sentence(self, embedder: Embedder) -> VectorIndex:
        return self._kept.sentence(embedder)

    def describe(self) -> Json:
        return {**self._kept.describe(), "ephemeral_sessions": len(self.sessions.passing)}

    def check(self) -> Sequence[Finding]:
        return self._kept.check()

    def mend(self) -> Sequence[Finding]:
        return self._kept.mend()

    def back_up(self, to: str | os.PathLike[str]) -> int:
        return self._kept.back_up(to)

    def close(self) -> None:
        self._kept.close()
        self._passing.close()
