"""One SQLite file that holds everything: sessions, turns, traces, documents, passages and both indexes."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType

import apsw

from anaphor.adapters.sqlite import check, copies, embedding
from anaphor.adapters.sqlite.audit import Audit
from anaphor.adapters.sqlite.connection import Database, value
from anaphor.adapters.sqlite.copies import restore
from anaphor.adapters.sqlite.dense import DenseIndex, SentenceIndex, Space
from anaphor.adapters.sqlite.documents import Documents
from anaphor.adapters.sqlite.erase import Erasure
from anaphor.adapters.sqlite.keys import Keys
from anaphor.adapters.sqlite.lexical import LexicalIndex
from anaphor.adapters.sqlite.lifetimes import Lifetimes
from anaphor.adapters.sqlite.memories import Memories
from anaphor.adapters.sqlite.migrations import MIGRATIONS, migrate
from anaphor.adapters.sqlite.opinions import Opinions
from anaphor.adapters.sqlite.portable import Portable
from anaphor.adapters.sqlite.sessions import Sessions
from anaphor.adapters.sqlite.turns import Turns
from anaphor.errors import StoreBusy
from anaphor.ports import Clock, Embedder
from anaphor.stored import Finding
from anaphor.types import Json

__all__ = ["Store", "restore"]

UNREAD = "SELECT count(*) FROM turns WHERE unread = 1 AND outcome <> 'running' AND question <> ''"


class Store:
    """The file at ``path``, made if it is not there, brought up to date if it is older.

    May be used by any number of threads and processes at once. ``trace_days`` is how long traces are kept,
    ``busy_timeout`` (seconds) how long a write waits for other writers. What a power cut may lose: ``connection``.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        clock: Clock = time.time,
        trace_days: float = 30,
        busy_timeout: float = 5.0,
    ) -> None:
        self._database = Database(path, busy_timeout)
        self._trace_days = trace_days
        try:
            migrate(self._database, clock())
        except BaseException:
            self._database.close()
            raise
        self.erasure = Erasure(self._database, clock)
        self.lifetimes = Lifetimes(self._database, clock, self.erasure, trace_days)
        self.audit = Audit(self._database, clock)
        self.sessions = Sessions(self._database, clock, self.erasure)
        self.turns = Turns(self._database, clock, trace_days)
        self.documents = Documents(self._database, clock, self.erasure)
        self.portable = Portable(self._database, clock)
        self.memories = Memories(self._database, clock)
        self.keys = Keys(self._database)
        self.opinions = Opinions(self._database, clock)
        self.lexical = LexicalIndex(self._database)
        self._spaces: list[Space] = []
        with suppress(StoreBusy):
            self.erasure.resume()
            self.lifetimes.end()

    def dense(self, embedder: Embedder) -> DenseIndex:
        """The index of that embedder's vectors. It holds them, or codes of them, in memory."""
        return DenseIndex(self._space(embedder))

    def sentence(self, embedder: Embedder) -> SentenceIndex:
        """The index of the same embedder's vectors of sentences."""
        return SentenceIndex(self._space(embedder))

    def _space(self, embedder: Embedder) -> Space:
        """One an embedder, so that two indexes do not hold the same vectors twice."""
        found = next((space for space in self._spaces if space.embedder is embedder), None)
        if found is None:
            found = Space(self._database, embedder)
            self._spaces.append(found)
        return found

    def describe(self) -> Json:
        """What there is to know about the store, for ``doctor``: versions, counts, sizes in bytes."""
        with self._database.read() as connection:
            counts = {
                table: value(connection, f"SELECT count(*) FROM {table}")
                for table in ("sessions", "turns", "traces", "documents", "passages", "facts", "summaries")
            }
            return {
                "path": str(self._database.path),
                "schema": value(connection, "SELECT max(number) FROM migrations"),
                "schema_known": len(MIGRATIONS),
                "sqlite": apsw.sqlite_lib_version(),
                **counts,
                "unread_turns": value(connection, UNREAD),
                **embedding.described(connection),
                "trace_days": self._trace_days,
                "bytes": _size(str(self._database.path)),
                "wal_bytes": _size(f"{self._database.path}-wal"),
            }

    def check(self) -> Sequence[Finding]:
        """What in the store contradicts the rest of it."""
        return check.check(self._database)

    def mend(self) -> Sequence[Finding]:
        """Make again what is made from turns and documents, vectors aside; what was wrong with it."""
        return check.mend(self._database)

    def back_up(self, to: str | os.PathLike[str]) -> int:
        """A copy of the store as it is now, while it is used; its size in bytes."""
        return copies.back_up(self._database, Path(to))

    def close(self) -> None:
        self._database.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _size(path: str) -> int:
    return os.path.getsize(path) if os.path.exists(path) else 0
