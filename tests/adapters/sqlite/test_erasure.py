"""What is deleted stands in no file any more: not in a table, not in an index, not in the write-ahead log."""

from __future__ import annotations

from pathlib import Path

import pytest

from anaphor.adapters.fake import FixedClock, HashEmbedder
from anaphor.adapters.sqlite import Store
from anaphor.stored import Retention
from contracts.scenes import MEI, put, say, session

SECRET = "玉山密碼qwzx"
TERMS = ("玉山", "山密", "密码", "qwzx", "密碼")


def left_in_files(folder: Path) -> list[str]:
    found = b"".join(file.read_bytes() for file in sorted(folder.iterdir()))
    return [term for term in TERMS if term.encode() in found]


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "a.db", FixedClock())


@pytest.mark.parametrize("others", [0, 3, 600])
def test_a_deleted_document_leaves_no_word(store: Store, tmp_path: Path, others: int) -> None:
    for n in range(others):
        put(store, MEI, f"{n}.md", f"台中市的人口 {n}")
    put(store, MEI, "secret.md", SECRET, title=SECRET, metadata={SECRET: SECRET})
    store.dense(HashEmbedder()).refresh(1000)
    assert left_in_files(tmp_path)
    store.documents.delete(MEI, "secret.md")
    assert left_in_files(tmp_path) == []
    store.close()
    assert left_in_files(tmp_path) == []


def test_a_deleted_session_leaves_no_word(store: Store, tmp_path: Path) -> None:
    mine = session(store, MEI, SECRET)
    for n in range(5):
        say(store, mine, f"{SECRET}是{n}。", f"t{n}", answer=SECRET)
    assert left_in_files(tmp_path)
    store.sessions.delete(mine)
    assert left_in_files(tmp_path) == []
    store.close()


def test_a_replaced_version_leaves_no_word_once_the_index_is_refreshed(store: Store, tmp_path: Path) -> None:
    put(store, MEI, "a.md", SECRET, version="1")
    put(store, MEI, "a.md", "nothing", version="2")
    assert store.lexical.refresh() == 0
    assert left_in_files(tmp_path) == []
    store.close()


def test_what_a_replaced_version_left_goes_with_the_next_deletion(store: Store, tmp_path: Path) -> None:
    for n in range(600):
        put(store, MEI, f"{n}.md", f"台中市的人口 {n}")
    put(store, MEI, "a.md", SECRET, version="1")
    put(store, MEI, "a.md", "nothing", version="2")
    store.documents.delete(MEI, "5.md")
    assert left_in_files(tmp_path) == []
    store.close()


def test_a_purged_trace_leaves_no_word(store: Store, tmp_path: Path) -> None:
    from contracts.scenes import accept, answered

    mine = session(store, MEI)
    store.turns.commit(mine, answered(accept(store, mine, "x", "t1")), {"note": "qwzx"})
    assert left_in_files(tmp_path) == ["qwzx"]
    store.lifetimes.put(MEI, Retention(trace_days=0))
    assert store.lifetimes.end().traces == 1
    assert left_in_files(tmp_path) == []
    store.close()
