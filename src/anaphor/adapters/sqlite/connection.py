"""One SQLite file, opened once by every thread that uses it.

What survives what. The file is in WAL mode. A *durable* write (questions, answers, sessions) is synced before the call
returns: kill -9 and a power cut both leave it there. Every other write (documents, vectors) survives kill -9, since the
kernel has its pages by then; a power cut may lose the last of them, whole transactions at a time, newest first, and
never damages the file: they can be ingested again.
"""

from __future__ import annotations

import contextlib
import os
import threading
import time
import weakref
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from json import JSONDecodeError
from pathlib import Path
from typing import Any

import apsw

from anaphor.errors import BadInput, StoreBusy, StoreError, StoreFull, UnreadableStore

Bindings = tuple[Any, ...] | Mapping[str, Any]


class Database:
    """Connections to one file, a thread each. ``busy_timeout`` (seconds) is how long a write waits for its turn."""

    def __init__(self, path: str | os.PathLike[str], busy_timeout: float = 5.0) -> None:
        self.path = Path(path)
        self.busy_timeout = busy_timeout
        self._opened = _Opened(self.path)
        self._closed = False
        self._file: tuple[int, int] | None = None  # device and number of the file that was opened

    @contextmanager
    def read(self) -> Iterator[apsw.Connection]:
        """One snapshot for everything read inside."""
        with self._translated(), self._mine() as connection:
            connection.execute("BEGIN")
            try:
                yield connection
            finally:
                _roll_back(connection)

    @contextmanager
    def write(self, *, durable: bool = False) -> Iterator[apsw.Connection]:
        """All that is written inside, or nothing. Writers of this process queue here, other processes at the file.

        A durable write is synced after the next writer was let in: many that end together wait for the disk once.
        """
        with self._translated(), self._mine() as connection:
            turnstile = self._opened.turnstile
            if not turnstile.acquire(timeout=self.busy_timeout):
                raise apsw.BusyError("another thread is writing")
            try:
                connection.execute("BEGIN IMMEDIATE")
                try:
                    yield connection
                    connection.execute("COMMIT")
                finally:
                    _roll_back(connection)
            finally:
                turnstile.release()
            if durable:
                self._opened.log.synced()

    def forget_deleted(self) -> bool:
        """Empty the write-ahead log, so that what was deleted does not stand there. ``False`` if readers are busy."""
        with self._translated(), self._mine() as connection:
            connection.set_busy_timeout(200)
            try:
                with contextlib.suppress(apsw.BusyError, apsw.LockedError):
                    return not rows(connection, "PRAGMA wal_checkpoint(TRUNCATE)")[0][0]
                return False
            finally:
                connection.set_busy_timeout(int(self.busy_timeout * 1000))

    def log_size(self) -> int:
        """Bytes in the write-ahead log."""
        log = f"{self.path}-wal"
        return os.path.getsize(log) if os.path.exists(log) else 0

    def raw(self) -> int:
        """The file itself, to read and write past SQLite; closed with the store and never before.

        Closing any descriptor of a file gives up every lock that the process has on it: SQLite's too.
        """
        if self._opened.raw is None:
            self._opened.raw = os.open(self.path, os.O_RDWR | getattr(os, "O_BINARY", 0))
        return self._opened.raw

    @contextmanager
    def outside(self) -> Iterator[apsw.Connection]:
        """This thread's connection, outside any transaction."""
        with self._translated(), self._mine() as connection:
            yield connection

    @contextmanager
    def alone(self) -> Iterator[apsw.Connection]:
        """This thread's connection with no other writer of this process, outside any transaction."""
        with self._translated(), self._mine() as connection:
            if not self._opened.turnstile.acquire(timeout=self.busy_timeout):
                raise apsw.BusyError("another thread is writing")
            try:
                yield connection
            finally:
                self._opened.turnstile.release()

    def close(self) -> None:
        """Close every thread's connection; one in use is closed by its own thread as soon as it is done."""
        self._closed = True
        for connection in list(self._opened.everywhere):
            with contextlib.suppress(apsw.ThreadingViolationError):
                connection.close(True)
        if self._opened.raw is not None and self._opened.process == os.getpid():
            os.close(self._opened.raw)
            self._opened.raw = None

    @contextmanager
    def _mine(self) -> Iterator[apsw.Connection]:
        connection = self._connection()
        try:
            yield connection
        finally:
            if self._closed:
                connection.close(True)

    def _connection(self) -> apsw.Connection:
        if self._closed:
            raise StoreError(f"the store {self.path} is closed")
        if self._opened.process != os.getpid():
            # A forked child must not touch its parent's connections, not even to close them.
            self._opened.abandon()
            self._opened = _Opened(self.path)
        self._still_there()
        connection: apsw.Connection | None = getattr(self._opened.here, "connection", None)
        if connection is None:
            connection = self._open()
            self._opened.here.connection = connection
            self._opened.everywhere.add(connection)
        return connection

    def _open(self) -> apsw.Connection:
        self._look_first()
        connection = apsw.Connection(str(self.path))
        connection.set_busy_timeout(int(self.busy_timeout * 1000))
        self._enter_wal(connection)
        self._file = self._file or _identity(self.path)
        for pragma in (
            "foreign_keys = ON",
            "secure_delete = ON",
            "temp_store = MEMORY",
            "cache_size = -16000",
            _SYNCED,
        ):
            rows(connection, f"PRAGMA {pragma}")
        return connection

    def _still_there(self) -> None:
        """A file that was deleted while it is open takes writes as before, and nobody will ever read them."""
        if self._file and _identity(self.path) != self._file:
            raise UnreadableStore(
                f"the store {self.path} is gone: it was deleted, moved or replaced while it was open, and nothing more "
                "can be kept in it; put it back, or start again"
            )

    def _look_first(self) -> None:
        """What SQLite would say in its own words, or only at the first write."""
        parent = self.path.absolute().parent
        if not parent.is_dir():
            raise UnreadableStore(f"no directory {parent} to keep the store in: make it, or name another path")
        if self.path.is_dir():
            raise UnreadableStore(f"{self.path} is a directory, not a store")
        for place in (parent, self.path):
            if place.exists() and not os.access(place, os.R_OK | os.W_OK):
                raise UnreadableStore(f"the store {self.path} is read-only: this user may not write {place}")

    def _enter_wal(self, connection: apsw.Connection) -> None:
        # Switching needs the file alone and does not wait by itself; two processes may open a new store together.
        deadline = time.monotonic() + self.busy_timeout
        while True:
            try:
                if rows(connection, "PRAGMA journal_mode")[0][0] == "wal":
                    return
                rows(connection, "PRAGMA journal_mode = WAL")
            except apsw.BusyError:
                if time.monotonic() > deadline:
                    raise
            time.sleep(0.005)

    @contextmanager
    def _translated(self) -> Iterator[None]:
        """SQLite's errors as ours: one line with the path and what to do."""
        path = self.path
        try:
            yield
        except apsw.NotADBError as error:
            raise UnreadableStore(f"{path} is not a store of anaphor's: it is no SQLite file") from error
        except apsw.CorruptError as error:
            raise UnreadableStore(
                f"the store {path} is damaged ({error}): put a copy in its place (anaphor restore FILE)"
            ) from error
        except (UnicodeDecodeError, JSONDecodeError) as error:
            # The pages hold together, and what stands in them was never written by us.
            told = error.msg if isinstance(error, JSONDecodeError) else error.reason
            raise UnreadableStore(
                f"the store {path} is damaged (a text in it: {told}): put a copy in its place (anaphor restore FILE)"
            ) from error
        except (apsw.ReadOnlyError, apsw.PermissionsError, apsw.AuthError) as error:
            raise UnreadableStore(f"the store {path} is read-only ({error}): it must be writable") from error
        except (apsw.CantOpenError, apsw.IOError) as error:
            if getattr(error, "extendedresult", 0) in _NOT_WRITTEN:
                raise _no_room(path) from error
            raise UnreadableStore(f"the store {path} cannot be read or written: {error}") from error
        except (apsw.BusyError, apsw.LockedError) as error:
            raise StoreBusy(
                f"the store {path} is locked by another writer for more than {self.busy_timeout:g} s: try again, "
                "or close what holds it open"
            ) from error
        except apsw.FullError as error:
            raise _no_room(path) from error
        except apsw.TooBigError as error:
            raise BadInput(f"a text is too large for the store {path}: cut it into parts") from error
        except apsw.ConnectionClosedError as error:
            raise StoreError(f"the store {path} was closed meanwhile") from error
        except UnicodeEncodeError as error:
            raise BadInput(f"half a surrogate pair in a name or text at position {error.start}") from error


# The log is synced before a checkpoint, and by us after a durable write: together that is what FULL does.
_SYNCED = "synchronous = NORMAL"

# A file that may not grow any more (``ulimit -f``, a quota) is not SQLite's "full", and no less full.
_NOT_WRITTEN = frozenset({apsw.SQLITE_IOERR_WRITE, apsw.SQLITE_IOERR_SHMSIZE, apsw.SQLITE_IOERR_TRUNCATE})


def _no_room(path: Path) -> StoreFull:
    return StoreFull(
        f"no room left for the store {path}: free some space (or raise the limit on a file's size); "
        "what failed was not kept"
    )


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino


class _Log:
    """The write-ahead log of a file. No lock is ever taken on it, so it may be opened and closed beside SQLite."""

    def __init__(self, path: Path) -> None:
        self._path = f"{path}-wal"
        self._counting = threading.Lock()
        self._syncing = threading.Lock()
        self._written = self._on_disk = 0

    def synced(self) -> None:
        """Returns once what this thread has committed is on the disk; who comes meanwhile waits for the same sync."""
        with self._counting:
            self._written += 1
            mine = self._written
        with self._syncing:
            if self._on_disk >= mine:
                return
            with self._counting:
                reached = self._written
            try:
                _sync(self._path)
            except OSError as error:
                raise UnreadableStore(f"what was written to {self._path} may not be on the disk: {error}") from error
            self._on_disk = reached


def _sync(path: str) -> None:
    log = os.open(path, os.O_RDWR | getattr(os, "O_BINARY", 0))
    try:
        getattr(os, "fdatasync", os.fsync)(log)
    finally:
        os.close(log)


class _Opened:
    """The connections of one process."""

    def __init__(self, path: Path) -> None:
        self.log = _Log(path)
        self.process = os.getpid()
        self.here = threading.local()
        self.everywhere: weakref.WeakSet[apsw.Connection] = weakref.WeakSet()
        self.turnstile = threading.Lock()
        self.raw: int | None = None

    def abandon(self) -> None:
        _of_the_parent.extend(self.everywhere)


_of_the_parent: list[apsw.Connection] = []  # kept alive, so that the child never closes them


def rows(connection: apsw.Connection, sql: str, bindings: Bindings = ()) -> list[tuple[Any, ...]]:
    return list(connection.execute(sql, bindings))


def row(connection: apsw.Connection, sql: str, bindings: Bindings = ()) -> tuple[Any, ...] | None:
    return next(iter(rows(connection, sql, bindings)), None)


def value(connection: apsw.Connection, sql: str, bindings: Bindings = ()) -> Any:
    """The first column of the first row, or ``None``."""
    found = row(connection, sql, bindings)
    return found[0] if found else None


def _roll_back(connection: apsw.Connection) -> None:
    # After COMMIT, and after a full disk (SQLite has rolled back by itself), there is nothing left to undo.
    with contextlib.suppress(apsw.Error):
        if connection.in_transaction:
            connection.execute("ROLLBACK")
