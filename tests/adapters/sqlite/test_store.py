from __future__ import annotations

import ast
import os
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from anaphor.adapters.fake import HashEmbedder
from anaphor.adapters.sqlite import Store, lexicon, vectors
from anaphor.adapters.sqlite.lineage import LINE, TURNS
from anaphor.adapters.sqlite.migrations import MIGRATIONS
from anaphor.errors import MissingExtra, StoreError
from anaphor.text import segment
from anaphor.types import Scope, Sources
from contracts.scenes import MEI, found, put, query, remembered, say, session, sources


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "a.db"


def test_what_was_written_is_there_when_it_is_opened_again(path: Path) -> None:
    with Store(path) as store:
        mine = session(store, MEI, "trip")
        ended = say(store, mine, "我住在台中。", "t1")
        put(store, MEI, "a.md", "台中市的人口")
        store.dense(HashEmbedder()).refresh()
    with Store(path) as store:
        assert store.sessions.find(MEI, "trip").session_id == mine.session
        assert store.turns.recent(mine, 5) == [ended]
        assert found(store, MEI, "人口") == ["a.md"]
        assert remembered(store, MEI, "台中") == ["我住在台中。"]
        assert len(store.dense(HashEmbedder()).search(MEI, query("台中"), sources=Sources.BOTH)) == 2


def test_a_store_describes_itself(path: Path) -> None:
    with Store(path, trace_days=7) as store:
        assert store.describe()["embedder"] is None
        put(store, MEI, "a.md", "台中市的人口")
        say(store, session(store, MEI), "我住在台中。", "t1")
        dense = store.dense(HashEmbedder())
        dense.refresh(1)
        told = store.describe()
    assert told["path"] == str(path)
    assert told["schema"] == told["schema_known"] == len(MIGRATIONS)
    assert told["sqlite"].startswith("3.")
    counted = ("sessions", "turns", "traces", "documents", "passages", "vectors", "pending_vectors")
    assert [told[name] for name in counted] == [1, 1, 1, 1, 2, 1, 1]
    assert told["embedder"] == {"name": "hash-256", "dimensions": 256}
    assert told["trace_days"] == 7
    assert told["bytes"] > 0


def test_the_index_is_made_anew_when_text_is_cut_differently(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def otherwise(text: str, language: str = "und") -> list[str]:
        return [f"x{term}" for term in lexicon_terms(text, language)]

    lexicon_terms = lexicon.index_terms
    with Store(path) as store:
        with monkeypatch.context() as earlier:
            earlier.setattr(lexicon, "index_terms", otherwise)
            earlier.setattr(lexicon, "digest", lambda: "earlier")
            for name in ("a.md", "b.md"):
                put(store, MEI, name, "台中市的人口")
            assert found(store, MEI, "人口") == []
        assert sorted(found(store, MEI, "人口")) == ["a.md", "b.md"]
        store.documents.delete(MEI, "a.md")
        assert found(store, MEI, "人口") == ["b.md"]


def test_everything_that_cuts_text_is_in_the_digest() -> None:
    folder = Path(segment.__file__).parent
    seen, waiting = set(), ["segment.py"]
    while waiting:
        name = waiting.pop()
        seen.add(name)
        for node in ast.walk(ast.parse((folder / name).read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("anaphor.text."):
                imported = f"{node.module.split('.')[2]}.py"  # type: ignore[union-attr]
                waiting += [imported] if imported not in seen else []
    assert "fold.py" in seen
    assert not seen & lexicon.APART
    assert all((folder / name).is_file() for name in lexicon.APART)


def test_without_numpy_only_vectors_are_missing(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numpy", None)
    with Store(path) as store:
        put(store, MEI, "a.md", "台中市的人口")
        assert found(store, MEI, "人口") == ["a.md"]
        with pytest.raises(MissingExtra, match=r"pip install 'anaphor\[local\]'"):
            store.dense(HashEmbedder())
        with pytest.raises(MissingExtra):
            vectors.Matrix(3, 1, "passage")


def test_importing_the_store_brings_no_numpy() -> None:
    told = subprocess.run(
        [sys.executable, "-c", "import sys, anaphor.adapters.sqlite; print('numpy' in sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert told.stdout.strip() == "False"


def test_every_thread_has_a_connection_and_takes_it_along(path: Path) -> None:
    with Store(path) as store:
        put(store, MEI, "a.md", "台中市的人口")
        for _ in range(3):
            threads = [threading.Thread(target=found, args=(store, MEI, "人口")) for _ in range(8)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        assert len(store._database._opened.everywhere) <= 2


def test_closing_closes_what_other_threads_have_open(path: Path) -> None:
    store = Store(path)
    with ThreadPoolExecutor(4) as threads:
        list(threads.map(lambda n: put(store, MEI, f"{n}.md", "台中"), range(8)))
        store.close()
        assert sorted(p.name for p in path.parent.iterdir()) == ["a.db"]


def test_several_processes_may_open_a_new_store_at_once(path: Path) -> None:
    program = (
        "import sys\n"
        "from anaphor.adapters.sqlite import Store\n"
        "from anaphor.types import Scope\n"
        "with Store(sys.argv[1]) as store:\n"
        "    for _ in range(5): store.sessions.create(Scope('acme', 'mei'))\n"
    )
    children = [subprocess.Popen([sys.executable, "-c", program, str(path)]) for _ in range(4)]
    assert [child.wait() for child in children] == [0] * 4
    with Store(path) as store:
        assert len(store.sessions.list(MEI)) == 20


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_child_opens_its_own_connection(path: Path) -> None:
    with Store(path) as store:
        put(store, MEI, "a.md", "台中市的人口")
        child = os.fork()
        if child == 0:
            status = 1
            try:
                put(store, MEI, "b.md", "台中市的天氣")
                status = int(sorted(found(store, MEI, "台中")) != ["a.md", "b.md"])
            finally:
                os._exit(status)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        assert sorted(found(store, MEI, "台中")) == ["a.md", "b.md"]


def test_another_process_adds_vectors_and_takes_them_away(path: Path) -> None:
    with Store(path) as one, Store(path) as other:
        dense = one.dense(HashEmbedder())
        assert dense.search(MEI, query("台中")) == []
        for n in range(9):
            put(other, MEI, f"{n}.md", f"台中 {n}")
        assert other.dense(HashEmbedder()).refresh() == 0
        assert len(dense.search(MEI, query("台中"))) == 9
        other.documents.delete(MEI, "4.md")
        assert "4.md" not in sources(dense.search(MEI, query("台中")))
        assert len(dense.search(MEI, query("台中"))) == 8


def test_a_very_long_query_over_many_collections_is_answered(path: Path) -> None:
    names = frozenset(f"c{n}" for n in range(40))
    scope = Scope("acme", "mei", collections=names)
    with Store(path) as store:
        for name in names:
            put(store, scope, f"{name}.md", "台中市的人口 " + " ".join(f"word{n}" for n in range(80)), collection=name)
        asked = "人口 " + " ".join(f"word{n}" for n in range(300))
        assert len(found(store, scope, asked, limit=100)) == 40


def test_closing_while_others_search_ends_their_search_in_one_clear_error(path: Path) -> None:
    store = Store(path)
    put(store, MEI, "a.md", "台中市的人口")
    said: list[str] = []

    def keep_searching() -> None:
        try:
            while True:
                found(store, MEI, "人口")
        except StoreError as error:
            said.append(str(error))

    threads = [threading.Thread(target=keep_searching) for _ in range(4)]
    for thread in threads:
        thread.start()
    store.close()
    for thread in threads:
        thread.join()
    assert len(said) == 4
    assert all("closed" in line for line in said)
    assert [p.name for p in path.parent.iterdir()] == ["a.db"]


@pytest.mark.parametrize("what", ["seq = 3", "turn_id = 'x' ORDER BY seq DESC LIMIT 1", "seq < 9 ORDER BY seq DESC"])
def test_a_turn_is_looked_up_in_its_session_and_not_in_the_whole_store(path: Path, what: str) -> None:
    with Store(path) as store, store._database.read() as connection:
        sql = f"EXPLAIN QUERY PLAN {LINE} SELECT turn_id FROM {TURNS} WHERE {what}"
        plan = [told for *_, told in connection.execute(sql, (1,))]
    assert not [line for line in plan if line.startswith("SCAN turns")], plan
    assert [line for line in plan if line.startswith("SEARCH turns USING")], plan
