"""Verifying, mending, copying, putting back: what is wrong is found, what can be is made again, nothing comes back."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest

from anaphor.adapters.fake import HashEmbedder
from anaphor.adapters.sqlite import Store, restore
from anaphor.errors import BadInput, MissingFile, NewerStore, StoreBusy, UnreadableStore
from contracts.scenes import MEI, TOM, accept, found, put, remembered, say, session


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "a.db"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    made = Store(path)
    for scope in (MEI, TOM):
        mine = session(made, scope, "trip")
        for n, text in enumerate(("我住在台中。", "東京に住んでいます。", "我住在北京。", "I live in Taipei."), 1):
            say(made, mine, text, f"t{n}")
        made.sessions.branch(mine, 2)
        put(made, scope, "a.md", "台中市的人口", owner=scope.user)
    put(made, MEI, "b.md", "population of Taichung")
    made.dense(HashEmbedder(16)).refresh(5)
    accept(made, session(made, MEI), "still running", "t1")
    yield made
    made.close()


def change(store: Store, *statements: str) -> None:
    with store._database.alone() as connection:
        connection.execute("PRAGMA foreign_keys = OFF")
    with store._database.write() as connection:
        for statement in statements:
            connection.execute(statement)
    with store._database.alone() as connection:
        connection.execute("PRAGMA foreign_keys = ON")


def test_a_store_that_is_used_agrees_with_itself(store: Store) -> None:
    assert store.check() == []
    store.erasure.turn(MEI.within(store.sessions.find(MEI, "trip").session_id), "2")
    store.sessions.delete(TOM.within(store.sessions.find(TOM, "trip").session_id))
    store.documents.delete(MEI, "b.md")
    assert store.check() == []


WRONG = {
    "numbered without a gap": ["UPDATE turns SET seq = 9 WHERE turn_id = 't4'"],
    "branches of a turn": ["UPDATE sessions SET branched_after = 7 WHERE branched_after IS NOT NULL"],
    "hold a lease": ["UPDATE turns SET held_by = 'x' WHERE turn_id = 't2'"],
    "traces that cannot": ["UPDATE traces SET trace = '{' WHERE turn_key = 1"],
    "not what was said": ["UPDATE turns SET question = 'x' WHERE turn_key = 1"],
    "not what their document": ["UPDATE documents SET text = 'x' WHERE document_key = 1"],
    "of erased turns": ["UPDATE turns SET erased_at = 1, question = '' WHERE turn_key = 1"],
    "another person's realm": ["UPDATE passages SET realm_key = 1 WHERE turn_key = 5"],
    "miscount": ["UPDATE realms SET passages = 99"],
    "not in the lexical index": ["INSERT INTO lexicon (lexicon) VALUES ('delete-all')"],
    "without a passage": ["INSERT INTO lexicon (rowid, text) VALUES (999, '1:x')"],
    "not what their passage says": ["UPDATE passages SET text = '北京 and more', span_end = 99 WHERE document_key = 2"],
    "another length": ["UPDATE vectors SET vector = x'00' WHERE passage_key = 1"],
    "neither have a vector": ["DELETE FROM waiting"],
    "not finished": ["INSERT INTO erasures (kind, target, asked_at, done_at) VALUES ('user', 'x', 1, 1)"],
    "rows without what they belong to": ["DELETE FROM realms"],
}


@pytest.mark.parametrize(("what", "statements"), WRONG.items(), ids=str)
def test_what_is_wrong_is_found_and_mended_where_that_can_be(store: Store, what: str, statements: list[str]) -> None:
    change(store, *statements)
    wrong = [finding for finding in store.check() if what in finding.what]
    assert len(wrong) == 1
    assert wrong[0].n > 0
    if wrong[0].mend == "anaphor rebuild":
        assert what in [finding.what for finding in store.mend()] or store.mend() == []
        assert [finding for finding in store.check() if what in finding.what] == []
        assert remembered(store, MEI, "Taipei") == ["I live in Taipei."]


def test_a_damaged_page_is_found(store: Store, path: Path) -> None:
    store.close()
    whole = bytearray(path.read_bytes())
    for at in range(4096 * 6, len(whole), 4096 * 3):
        whole[at : at + 64] = b"\xff" * 64
    path.write_bytes(whole)
    told = []
    try:
        with Store(path) as damaged:
            told = [finding.mend for finding in damaged.check()]
    except UnreadableStore as error:
        told = [str(error)]
    assert any("anaphor restore" in line for line in told)


def test_a_copy_is_made_while_others_write(store: Store, tmp_path: Path) -> None:
    stop, mine = threading.Event(), session(store, TOM)

    def keep_talking() -> None:
        n = 0
        while not stop.is_set():
            n += 1
            say(store, mine, f"我住在第{n}區。", f"t{n}")

    thread = threading.Thread(target=keep_talking)
    thread.start()
    try:
        for n in range(5):
            assert store.back_up(tmp_path / f"{n}.db") > 4096
    finally:
        stop.set()
        thread.join()
    with Store(tmp_path / "4.db") as copy:
        assert copy.check() == []
        assert found(copy, MEI, "population") == ["b.md"]
        turns = copy.turns.recent(mine, 10_000)
        assert [turn.seq for turn in turns] == list(range(1, len(turns) + 1))


def test_a_copy_takes_no_files_place(store: Store, tmp_path: Path) -> None:
    (tmp_path / "there.db").write_text("mine")
    with pytest.raises(BadInput, match="already there"):
        store.back_up(tmp_path / "there.db")
    with pytest.raises(MissingFile, match="no directory"):
        store.back_up(tmp_path / "no" / "where.db")
    assert (tmp_path / "there.db").read_text() == "mine"
    assert not list(tmp_path.glob("*.part"))


def test_a_copy_is_put_back(store: Store, path: Path, tmp_path: Path) -> None:
    store.back_up(tmp_path / "copy.db")
    mine = MEI.within(store.sessions.find(MEI, "trip").session_id)
    say(store, mine, "after the copy", "t5")
    store.close()
    assert restore(tmp_path / "copy.db", path, lambda: 7.0) == 0
    with Store(path) as again:
        assert [turn.turn_id for turn in again.turns.recent(mine, 9)] == ["t1", "t2", "t3", "t4"]
        assert again.check() == []
    path.unlink()
    assert restore(tmp_path / "copy.db", path, lambda: 7.0) == 0
    assert not list(tmp_path.glob("*.part*"))


def test_what_was_erased_since_is_erased_again_in_the_copy(store: Store, path: Path, tmp_path: Path) -> None:
    mine = MEI.within(store.sessions.find(MEI, "trip").session_id)
    before = session(store, MEI, "other")
    store.erasure.turn(mine, "1")
    store.back_up(tmp_path / "copy.db")
    store.erasure.turn(mine, "2")
    store.documents.delete(MEI, "b.md")
    store.sessions.delete(before)
    store.erasure.user(TOM)
    store.close()
    assert restore(tmp_path / "copy.db", path, lambda: 7.0) == 4
    with Store(path) as again:
        assert [turn.turn_id for turn in again.turns.recent(mine, 9)] == ["t3", "t4"]
        assert [told.source for told in again.documents.list(MEI)] == ["a.md"]
        assert again.sessions.list(TOM) == again.documents.list(TOM) == []
        assert "other" not in [one.name for one in again.sessions.list(MEI)]
        assert again.check() == []
    held = path.read_bytes()
    for gone in ("東京に住んで", "population of"):
        assert gone.encode() not in held
    assert restore(tmp_path / "copy.db", path, lambda: 8.0) == 4, "and again, from the same copy"


def test_what_is_no_copy_is_refused_and_the_store_left_as_it_is(store: Store, path: Path, tmp_path: Path) -> None:
    store.back_up(tmp_path / "copy.db")
    store.close()
    before = path.read_bytes()
    (tmp_path / "text.db").write_text("人口 " * 5000, "utf-8")
    (tmp_path / "empty.db").touch()
    newer = apsw.Connection(str(tmp_path / "copy.db"))
    newer.execute("INSERT INTO migrations VALUES (99, 'later', '9.9.9', 1.0, '{}')")
    newer.close()
    for name, error in (
        ("text.db", UnreadableStore),
        ("empty.db", UnreadableStore),
        ("copy.db", NewerStore),
        ("none.db", MissingFile),
        ("a.db", BadInput),
    ):
        with pytest.raises(error):
            restore(tmp_path / name, path, lambda: 7.0)
    assert path.read_bytes() == before
    assert not list(tmp_path.glob("*.part*"))


def test_a_store_that_is_open_is_not_replaced(store: Store, path: Path, tmp_path: Path) -> None:
    store.back_up(tmp_path / "copy.db")
    with pytest.raises(StoreBusy, match="open elsewhere"):
        restore(tmp_path / "copy.db", path, lambda: 7.0)
    assert len(store.sessions.list(MEI)) == 3


def test_a_damaged_store_is_replaced_and_cannot_say_what_was_erased(store: Store, path: Path, tmp_path: Path) -> None:
    store.back_up(tmp_path / "copy.db")
    store.close()
    path.write_bytes(b"\xff" * 40_000)
    assert restore(tmp_path / "copy.db", path, lambda: 7.0) is None
    with Store(path) as again:
        assert again.check() == []
