"""What can go wrong with a file is one clear line, and costs nothing that was already kept."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw
import pytest

from anaphor.adapters.sqlite import Store
from anaphor.errors import BadInput, StoreBusy, StoreError, StoreFull, UnreadableStore
from anaphor.types import Outcome, Scope
from contracts.scenes import MEI, accept, answered, document, found, passages, put, say, session, statement


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "a.db"


def refused(path: Path | str) -> str:
    with pytest.raises(UnreadableStore) as error:
        Store(path)
    message = str(error.value)
    assert "\n" not in message
    assert str(path) in message or str(Path(path).parent) in message
    return message


def test_a_text_file_is_not_a_store(path: Path) -> None:
    path.write_text("人口 " * 1000, "utf-8")
    assert "no SQLite file" in refused(path)
    assert path.read_text("utf-8") == "人口 " * 1000


def test_an_empty_file_becomes_a_store(path: Path) -> None:
    path.touch()
    with Store(path) as store:
        assert store.sessions.list(MEI) == []


def test_a_damaged_store_says_so(path: Path) -> None:
    with Store(path) as store:
        for n in range(50):
            put(store, MEI, f"{n}.md", "台中市的人口 " * 50)
    whole = bytearray(path.read_bytes())
    whole[4096:] = b"\xff" * (len(whole) - 4096)
    path.write_bytes(whole)
    with pytest.raises(UnreadableStore, match=r"damaged|read or written"), Store(path) as store:
        store.documents.list(MEI)


@pytest.mark.parametrize("what", ["question", "answer", "claims"])
def test_a_text_that_is_none_is_damage(path: Path, what: str) -> None:
    with Store(path) as store:
        mine = session(store, MEI)
        say(store, mine, "我住在台中。", "t1")
        with store._database.write() as connection:
            connection.execute(f"UPDATE turns SET {what} = CAST(x'e5ff28' AS TEXT)")
        for call in (
            lambda: store.turns.get(mine, "1"),
            lambda: store.turns.recent(mine, 9),
            lambda: list(store.portable.logs(MEI)),
        ):
            with pytest.raises(UnreadableStore, match="damaged"):
                call()


def test_a_directory_is_not_a_store(tmp_path: Path) -> None:
    assert "directory" in refused(tmp_path)


def test_a_missing_directory_is_named(tmp_path: Path) -> None:
    assert "make it" in refused(tmp_path / "no" / "such" / "a.db")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
@pytest.mark.parametrize("what", ["file", "directory"])
def test_a_read_only_store_says_so(what: str) -> None:
    with tempfile.TemporaryDirectory() as name:
        place, path = Path(name), Path(name) / "a.db"
        Store(path).close()
        path.chmod(0o444 if what == "file" else 0o666)
        place.chmod(0o777 if what == "file" else 0o555)
        told = as_nobody(path)
        place.chmod(0o777)
    assert "read-only" in told
    assert str(path) in told


def as_nobody(path: Path) -> str:
    """What opening the store says to a user without privileges: nothing is read-only to the superuser."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            if os.geteuid() == 0:
                os.setuid(65534)
            Store(path)
        except BaseException as error:
            os.write(writer, f"{type(error).__name__}: {error}".encode())
        os._exit(0)
    os.close(writer)
    os.waitpid(child, 0)
    with os.fdopen(reader, encoding="utf-8") as told:
        return told.read()


def test_a_file_that_becomes_read_only_meanwhile_says_so(path: Path) -> None:
    with Store(path) as store:
        with store._database.read() as connection:
            connection.execute("PRAGMA query_only = ON")
        with pytest.raises(UnreadableStore, match="read-only"):
            store.sessions.create(MEI)


@contextmanager
def locked(path: Path) -> Iterator[None]:
    other = apsw.Connection(str(path))
    other.execute("BEGIN IMMEDIATE")
    yield
    other.execute("ROLLBACK")
    other.close()


def test_a_locked_store_is_busy_after_the_time_allowed_and_can_still_be_read(path: Path) -> None:
    with Store(path, busy_timeout=0.1) as store:
        mine = session(store, MEI)
        say(store, mine, "我住在台中。", "t1")
        with locked(path):
            with pytest.raises(StoreBusy, match=r"0\.1 s"):
                accept(store, mine, "next", "t2")
            assert len(store.turns.recent(mine, 5)) == 1
            assert found(store, MEI, "台中") == []
        assert accept(store, mine, "next", "t2").seq == 2


def test_a_locked_store_can_be_opened(path: Path) -> None:
    Store(path).close()
    with locked(path), Store(path, busy_timeout=0.1) as store:
        assert store.sessions.list(MEI) == []


@contextmanager
def full_after(store: Store, pages: int) -> Iterator[None]:
    """As if the disk had room for so many more pages of 4096 bytes."""
    with store._database.read() as connection:
        ((size,),) = connection.execute("PRAGMA page_count")
        list(connection.execute(f"PRAGMA max_page_count = {size + pages}"))
    yield
    with store._database.read() as connection:
        list(connection.execute("PRAGMA max_page_count = 1000000000"))


def test_a_full_disk_is_one_line_and_nothing_of_what_failed_is_kept(path: Path) -> None:
    with Store(path) as store:
        mine = session(store, MEI)
        put(store, MEI, "a.md", "台中市的人口")
        running = accept(store, mine, "我住在台中。", "t1")
        with full_after(store, 1):
            whole = document("b.md", "".join(f"第{n}件事與{n * 7919}有關。" for n in range(3000)))
            with pytest.raises(StoreFull, match="free some space") as full:
                store.documents.put(MEI, whole, passages(whole))
            assert "\n" not in str(full.value)
            with pytest.raises(StoreFull):
                store.turns.commit(mine, answered(running, "答" * 20_000), {}, [statement(mine, running)])
            assert store.turns.get(mine, "t1").outcome is Outcome.RUNNING
            assert [d.source for d in store.documents.list(MEI)] == ["a.md"]
            assert found(store, MEI, "人口") == ["a.md"]
        store.turns.commit(mine, answered(running), {}, [statement(mine, running)])
        assert store.documents.put(MEI, whole, passages(whole)) is True
        assert orphans(store) == {"lexicon": 0, "vectors": 0, "waiting": 0, "passages": 0}


def orphans(store: Store) -> dict[str, int]:
    """Rows of an index without their passage, and passages without their rows."""
    counts = {}
    with store._database.read() as connection:
        for name, sql in {
            "lexicon": "SELECT count(*) FROM lexicon_docsize WHERE id NOT IN (SELECT passage_key FROM passages)",
            "vectors": "SELECT count(*) FROM vectors WHERE passage_key NOT IN (SELECT passage_key FROM passages)",
            "waiting": "SELECT count(*) FROM waiting WHERE passage_key NOT IN (SELECT passage_key FROM passages)",
            "passages": "SELECT count(*) FROM passages WHERE passage_key NOT IN (SELECT id FROM lexicon_docsize)",
        }.items():
            ((counts[name],),) = connection.execute(sql)
    return counts


def test_a_closed_store_says_so(path: Path) -> None:
    store = Store(path)
    store.close()
    store.close()
    with pytest.raises(StoreError, match="closed"):
        store.sessions.list(MEI)


def test_half_a_character_in_a_name_is_bad_input(path: Path) -> None:
    with Store(path) as store, pytest.raises(BadInput, match="surrogate"):
        store.sessions.create(Scope("acme", "mei\ud800"))


@pytest.mark.skipif(os.name == "nt", reason="an open file cannot be deleted there")
@pytest.mark.parametrize("replaced", [False, True])
def test_a_store_that_is_deleted_while_it_is_open_says_so(path: Path, replaced: bool) -> None:
    with Store(path) as store:
        mine = session(store, MEI, "trip")
        path.unlink()
        if replaced:
            Store(path.with_name("other.db")).close()
            path.with_name("other.db").rename(path)
        for call in (lambda: store.sessions.list(MEI), lambda: accept(store, mine, "台中的人口？", "t1")):
            with pytest.raises(UnreadableStore, match="is gone: it was deleted, moved or replaced"):
                call()
    assert path.exists() is replaced, "none is made in its place"


@pytest.mark.skipif(os.name == "nt", reason="there is no such limit there")
def test_a_file_that_may_not_grow_has_no_room(path: Path) -> None:
    script = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (1_000_000, 1_000_000))\n"
        "from contracts.scenes import MEI, put\n"
        "from anaphor.adapters.sqlite import Store\n"
        "from anaphor.errors import StoreFull\n"
        "store = Store(sys.argv[1])\n"
        "try:\n"
        "    for n in range(200): put(store, MEI, f'{n}.md', 'the population of Taichung ' * 400)\n"
        "except StoreFull as error: print(error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(path)],
        capture_output=True,
        text=True,
        cwd=Path(__file__).parents[2],
        timeout=120,
    )
    assert done.stdout.startswith("no room left for the store"), done.stderr
    with Store(path) as store:
        assert store.documents.list(MEI), "what was there before is kept"
