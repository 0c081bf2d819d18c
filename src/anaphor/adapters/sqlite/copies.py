"""Copies of a store: made while it is used, and put in its place.

A copy is a moment, whole. What was erased after that moment is in it; so whoever puts it in the place of a store has
that erased again, by what the store that is replaced remembers of its erasures: digests, which name nobody until they
are held against a copy that still knows the name.
"""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import apsw

from anaphor.adapters.sqlite import origins
from anaphor.adapters.sqlite.connection import Database, rows
from anaphor.adapters.sqlite.erase import Erasure
from anaphor.adapters.sqlite.migrations import MIGRATIONS, applied, migrate
from anaphor.errors import BadInput, MissingFile, StoreBusy, StoreError, UnreadableStore
from anaphor.ports import Clock
from anaphor.types import Scope

Done = tuple[str, str]
"""Kind and digest of an erasure."""


def back_up(database: Database, to: Path) -> int:
    """A copy of the store as it is now, without any unused part; its size in bytes. Others read and write meanwhile."""
    if to.exists():
        raise BadInput(f"{to} is already there: name another file, or remove it")
    if not to.absolute().parent.is_dir():
        raise MissingFile(f"no directory {to.absolute().parent} to put the copy in: make it, or name another path")
    part = to.with_name(to.name + ".part")
    try:
        part.unlink(missing_ok=True)
        with database.outside() as connection:
            connection.execute("VACUUM INTO ?", (str(part),))
        shutil.copymode(database.path, part)
        _refuse_damaged(part)
        _synced(part)
        os.replace(part, to)
    finally:
        part.unlink(missing_ok=True)
    return to.stat().st_size


def restore(copy: Path, path: Path, clock: Clock) -> int | None:
    """Put a copy in the place of the store at ``path``; how many erasures were done again in it.

    ``None`` if the store that was there cannot say what was erased in it: it is damaged. Whatever goes wrong before the
    end leaves the store that was there. ``StoreBusy`` while somebody has it open.
    """
    if not copy.exists():
        raise MissingFile(f"there is no file {copy}")
    if path.exists() and copy.samefile(path):
        raise BadInput(f"{copy} is the store itself: name the copy that is to take its place")
    part = path.with_name(path.name + ".part")
    try:
        _remove(part)
        shutil.copyfile(copy, part)
        if (log := Path(f"{copy}-wal")).exists():
            shutil.copyfile(log, f"{part}-wal")
        _refuse_damaged(part)
        done = _erasures(path) if path.exists() else []
        again = _erase_again(part, done, clock) if done is not None else None
        _synced(part)
        with _nobody_has_open(path):
            os.replace(part, path)
            for ending in ("-wal", "-shm"):
                Path(f"{path}{ending}").unlink(missing_ok=True)
    finally:
        _remove(part)
    return again


def _refuse_damaged(path: Path) -> None:
    database = Database(path)
    try:
        with database.read() as connection:
            if not applied(connection, path, len(MIGRATIONS)):
                raise UnreadableStore(f"{path} is empty: it is no copy of a store")
            told = rows(connection, "PRAGMA integrity_check(1)")[0][0]
        if told != "ok":
            raise UnreadableStore(f"{path} is damaged ({told}): it cannot take the place of a store")
    finally:
        database.close()


def _erasures(path: Path) -> list[Done] | None:
    """What was erased in the store at ``path``; ``None`` if it cannot be read."""
    database = Database(path)
    try:
        with database.read() as connection:
            if applied(connection, path, len(MIGRATIONS)) < len(MIGRATIONS):
                return []
            return [
                (kind, target) for kind, target in rows(connection, "SELECT kind, target FROM erasures WHERE done_at")
            ]
    except StoreError as error:
        if isinstance(error, UnreadableStore):
            return None
        raise
    finally:
        database.close()


def _erase_again(path: Path, done: list[Done], clock: Clock) -> int:
    database = Database(path)
    try:
        migrate(database, clock())
        erasure, again = Erasure(database, clock), 0
        with database.read() as connection:
            wanted = set(done) - set(rows(connection, "SELECT kind, target FROM erasures"))
            known = [*_known(connection, wanted)] if wanted else []
        for kind, scope, name in known:
            with contextlib.suppress(LookupError):  # it went with another
                _erase(erasure, kind, scope, name)
                again += 1
        database.forget_deleted()
    finally:
        database.close()
    return again


def _erase(erasure: Erasure, kind: str, scope: Scope, name: str) -> None:
    if kind == "turn":
        erasure.turn(scope, name)
    elif kind == "document":
        erasure.documents(scope, [name])
    else:
        {"tenant": erasure.tenant, "user": erasure.user, "session": erasure.session}[kind](scope)


def _known(connection: apsw.Connection, wanted: set[Done]) -> Iterator[tuple[str, Scope, str]]:
    """What of the wanted is in this copy: kind, whose, and the name of a turn or document."""
    persons = rows(
        connection, "SELECT tenant, user FROM sessions UNION SELECT tenant, owner FROM realms ORDER BY tenant, user"
    )
    for tenant in dict.fromkeys(tenant for tenant, _ in persons):
        if ("tenant", origins.digest("tenant", tenant)) in wanted:
            yield "tenant", Scope(tenant, ""), ""
    for tenant, user in persons:
        if ("user", origins.digest("user", tenant, user)) in wanted:
            yield "user", Scope(tenant, user), ""
    sessions = rows(connection, "SELECT tenant, user, session_id, session_key FROM sessions")
    for tenant, user, session_id, key in sessions:
        scope = Scope(tenant, user, session_id)
        for (seq,) in rows(connection, "SELECT seq FROM turns WHERE session_key = ?", (key,)):
            if ("turn", origins.digest("turn", tenant, user, session_id, str(seq))) in wanted:
                yield "turn", scope, str(seq)
        if ("session", origins.digest("session", tenant, user, session_id)) in wanted:
            yield "session", scope, ""
    documents = {origin for kind, target in wanted if kind == "document" for origin in target.split()}
    for tenant, owner, collection, source, document_id in rows(
        connection,
        "SELECT tenant, owner, collection, source, document_id FROM documents JOIN realms USING (realm_key)",
    ):
        if origins.of_document(tenant, owner, collection, source) in documents:
            yield "document", Scope(tenant, owner, collections=frozenset({collection})), document_id


@contextlib.contextmanager
def _nobody_has_open(path: Path) -> Iterator[None]:
    if path.exists():
        database = Database(path, busy_timeout=0.2)
        with contextlib.suppress(UnreadableStore):
            try:
                database.forget_deleted()
            finally:
                database.close()
            # The last one to close takes the log away.
            if Path(f"{path}-wal").exists():
                raise StoreBusy(f"the store {path} is open elsewhere: close what holds it open, then restore")
    yield


def _synced(path: Path) -> None:
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def _remove(path: Path) -> None:
    for ending in ("", "-wal", "-shm"):
        Path(f"{path}{ending}").unlink(missing_ok=True)
