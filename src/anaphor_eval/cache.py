"""What an evaluation has already worked out, kept in one SQLite file: vectors by text and model, and finished cells.

Whatever is in it was written whole, in one transaction: a run that is killed loses the piece it was at and nothing
else, and the next one goes on from there with the very same numbers. Texts are kept as hashes only.
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import threading
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from anaphor.errors import BadInput
from anaphor.ports import Embedder

Vector: TypeAlias = NDArray[np.float32]
Heard = Callable[[int], None]
"""Told how many texts are still to be embedded."""

NAME = "anaphor-eval.sqlite"
BATCH = 16
KEPT = 30 * 86_400.0  # seconds; a cell of code that has since changed is never asked for again
_ASKED_AT_ONCE = 500  # SQLite's own limit on bindings is higher
_TABLES = """
CREATE TABLE IF NOT EXISTS vectors (
    model TEXT NOT NULL, text BLOB NOT NULL, vector BLOB NOT NULL, PRIMARY KEY (model, text)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS finished (key BLOB PRIMARY KEY, cell BLOB NOT NULL, kept_at REAL NOT NULL) WITHOUT ROWID;
"""


class Cache:
    """One file in ``folder``, made if it is not there. May be used by several threads and processes at once."""

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.folder = Path(folder)
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            self._connection = sqlite3.connect(self.folder / NAME, timeout=60, check_same_thread=False)
            self._connection.execute("PRAGMA journal_mode = WAL")
            self._connection.executescript(_TABLES)
            with self._connection:
                self._connection.execute("DELETE FROM finished WHERE kept_at < ?", (time.time() - KEPT,))
        except (OSError, sqlite3.Error) as error:
            raise BadInput(f"the cache in {self.folder} cannot be used ({error}); name another with --cache") from error
        self._lock = threading.Lock()

    @contextmanager
    def _asked(self) -> Iterator[sqlite3.Connection]:
        """One thread at a time, one transaction; whatever is wrong with the file is one line that says the cure."""
        try:
            with self._lock, self._connection:
                yield self._connection
        except (sqlite3.Error, zlib.error) as error:
            raise BadInput(
                f"the cache {self.folder / NAME} cannot be used ({error}); delete it, or name another with --cache"
            ) from error

    def __enter__(self) -> Cache:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._connection.close()

    def vectors(self, model: str, keys: Sequence[bytes]) -> dict[bytes, Vector]:
        """Those that are known, by the hash of their text."""
        found: dict[bytes, Vector] = {}
        with self._asked() as connection:
            for start in range(0, len(keys), _ASKED_AT_ONCE):
                asked = keys[start : start + _ASKED_AT_ONCE]
                marks = ",".join("?" * len(asked))
                rows = connection.execute(
                    f"SELECT text, vector FROM vectors WHERE model = ? AND text IN ({marks})", (model, *asked)
                )
                found |= {text: np.frombuffer(vector, np.float32) for text, vector in rows}
        return found

    def keep_vectors(self, model: str, made: dict[bytes, Vector]) -> None:
        with self._asked() as connection:
            connection.executemany(
                "INSERT OR IGNORE INTO vectors VALUES (?, ?, ?)",
                [(model, key, np.asarray(vector, np.float32).tobytes()) for key, vector in made.items()],
            )

    def cell(self, key: bytes) -> Any:
        """What was kept under the key; ``None`` if nothing was."""
        with self._asked() as connection:
            found = connection.execute("SELECT cell FROM finished WHERE key = ?", (key,)).fetchone()
            return json.loads(zlib.decompress(found[0])) if found else None

    def keep_cell(self, key: bytes, cell: Any) -> None:
        """Anything JSON can hold."""
        told = zlib.compress(json.dumps(cell, ensure_ascii=False).encode())
        with self._asked() as connection:
            connection.execute("INSERT OR REPLACE INTO finished VALUES (?, ?, ?)", (key, told, time.time()))


class Cached:
    """``Embedder`` that makes each vector once and keeps it: batch by batch, on several threads.

    Its vectors are the embedder's own, so it has its name.
    """

    def __init__(
        self, embedder: Embedder, cache: Cache, threads: int | None = None, heard: Heard | None = None
    ) -> None:
        self._embedder = embedder
        self._cache = cache
        self._threads = threads or cores()
        self._heard = heard
        self.name = embedder.name
        self.dimensions = embedder.dimensions

    def embed(self, texts: Sequence[str], *, query: bool) -> list[Any]:
        """float32 arrays."""
        keys = [key_of("query" if query else "passage", text) for text in texts]
        known = self._cache.vectors(self.name, keys)
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        if missing:
            known |= self._made(list(missing.items()), query)
        return [known[key] for key in keys]

    def _made(self, missing: Sequence[tuple[bytes, str]], query: bool) -> dict[bytes, Vector]:
        # Texts of one length together: a batch takes as long as its longest text for each of them.
        ordered = sorted(missing, key=lambda pair: len(pair[1]))
        pieces = [ordered[i : i + BATCH] for i in range(0, len(ordered), BATCH)]
        made: dict[bytes, Vector] = {}

        def piece(pairs: Sequence[tuple[bytes, str]]) -> dict[bytes, Vector]:
            vectors = self._embedder.embed([text for _, text in pairs], query=query)
            return {key: np.asarray(vector, np.float32) for (key, _), vector in zip(pairs, vectors, strict=True)}

        with ThreadPoolExecutor(self._threads) as pool:
            for done in pool.map(piece, pieces):
                self._cache.keep_vectors(self.name, done)
                made |= done
                if self._heard:
                    self._heard(len(missing) - len(made))
        return made


def key_of(*parts: str) -> bytes:
    """A hash that no two lists of texts share."""
    hashed = hashlib.sha256()
    for part in parts:
        told = part.encode("utf-8", "surrogatepass")
        hashed.update(f"{len(told)}:".encode() + told)
    return hashed.digest()


def cores() -> int:
    """That this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def default_folder() -> Path:
    """Of this person, by the XDG convention."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "anaphor"
