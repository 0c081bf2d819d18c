"""A durable write returns once it is on the disk; writers that end together wait for it once."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest

from anaphor.adapters.sqlite import connection
from anaphor.adapters.sqlite.connection import Database, rows
from anaphor.errors import UnreadableStore

WRITERS = 8


@pytest.fixture
def database(tmp_path: Path) -> Database:
    made = Database(tmp_path / "a.db")
    with made.write() as opened:
        opened.execute("CREATE TABLE said (word TEXT)")
    return made


def test_many_writers_wait_for_the_disk_together(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[tuple[float, int]] = []  # when each sync began, and how much it found committed
    real = connection._sync

    def slowly(path: str) -> None:
        with database.read() as opened:
            synced.append((time.monotonic(), rows(opened, "SELECT count(*) FROM said")[0][0]))
        time.sleep(0.1)
        real(path)

    monkeypatch.setattr(connection, "_sync", slowly)
    together, returned = threading.Barrier(WRITERS), []

    def write(n: int) -> None:
        together.wait()
        with database.write(durable=True) as opened:
            opened.execute("INSERT INTO said VALUES (?)", (str(n),))
        returned.append(max(found for _, found in synced))

    threads = [threading.Thread(target=write, args=(n,)) for n in range(WRITERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert 1 <= len(synced) < WRITERS
    assert synced[-1][1] == WRITERS, "the last sync began after the last commit"
    assert len(returned) == WRITERS
    database.close()


def test_what_need_not_be_durable_waits_for_nothing(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "_sync", lambda _path: pytest.fail("nobody asked for it"))
    with database.write() as opened:
        opened.execute("INSERT INTO said VALUES ('x')")
    with pytest.raises(RuntimeError), database.write(durable=True):
        raise RuntimeError  # nothing was committed
    database.close()


def test_a_disk_that_fails_is_told(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_path: str) -> None:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(connection, "_sync", broken)
    with pytest.raises(UnreadableStore, match="may not be on the disk"), database.write(durable=True) as opened:
        opened.execute("INSERT INTO said VALUES ('x')")
    database.close()
