"""Posting lists in memory rank as SQLite does, whatever is added and deleted between two searches."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from anaphor.adapters.sqlite import Store, postings
from anaphor.types import Hit, Scope, Sources, StandaloneQuery
from contracts.scenes import MEI, RIVAL, TOM, document, passages, put, query, say, session, sources

pytest.importorskip("numpy")
NEVER = 10**9


@pytest.fixture(autouse=True)
def _however_small_the_store(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postings, "LARGE", -1)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "a.db") as made:
        yield made


def both(store: Store, monkeypatch: pytest.MonkeyPatch, scope: Scope, asked: StandaloneQuery, **how: object) -> None:
    ranked: list[Sequence[Hit]] = []
    for large in (-1, NEVER):
        monkeypatch.setattr(postings, "LARGE", large)
        ranked.append(store.lexical.search(scope, asked, **how))  # type: ignore[arg-type]
    in_memory, in_sqlite = ranked
    assert [hit.score for hit in in_memory] == pytest.approx([hit.score for hit in in_sqlite], rel=1e-4)
    assert sorted(sources(in_memory)) == sorted(sources(in_sqlite))


WORDS = st.sampled_from(["人口", "台中", "東京", "population", "app.yaml", "E4413", "の", "天氣", "growth", "サーバー"])
TEXTS = st.lists(WORDS, min_size=1, max_size=12).map(" ".join)
CHANGES = st.lists(
    st.tuples(st.sampled_from([MEI, TOM, RIVAL]), st.integers(0, 5), TEXTS, TEXTS, st.sampled_from("ppppd")),
    max_size=12,
)


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(changes=CHANGES, asked=st.dictionaries(WORDS, st.sampled_from([0.3, 0.6, 1.0]), min_size=1))
def test_lists_in_memory_rank_as_sqlite_does(
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
    changes: list[tuple[Scope, int, str, str, str]],
    asked: dict[str, float],
) -> None:
    with Store(tmp_path_factory.mktemp("s") / "a.db") as store:
        there: set[tuple[str, str]] = set()
        for scope, n, title, text, change in changes:
            place = scope.tenant, str(n)
            if change == "p":
                put(store, scope, str(n), text, title=title, version=f"{title} {text}")
                there.add(place)
            elif place in there:
                store.documents.delete(scope, str(n))
                there.remove(place)
            for asking in (MEI, RIVAL):
                both(store, monkeypatch, asking, query("", **asked))
        both(store, monkeypatch, MEI, query("", **asked), filters={"source": "1"})
        both(store, monkeypatch, MEI, query("", **asked), limit=2)


def test_what_was_added_or_deleted_is_found_or_not_by_the_next_search(store: Store) -> None:
    for n in range(5):
        put(store, MEI, f"{n}", f"台中市的人口 {n}", language="zh-Hant")
    assert len(store.lexical.search(MEI, query("人口"))) == 5
    put(store, MEI, "new", "人口", language="zh-Hant")
    assert sources(store.lexical.search(MEI, query("人口")))[0] == "new"
    store.documents.delete(MEI, "new")
    assert len(store.lexical.search(MEI, query("人口"))) == 5
    mine = session(store, MEI)
    say(store, mine, "我住在台中。", "t1")
    assert len(store.lexical.search(MEI, query("台中"), sources=Sources.BOTH)) == 6
    assert len(store.lexical.search(TOM, query("台中"), sources=Sources.BOTH)) == 5
    assert store.lexical.search(RIVAL, query("台中"), sources=Sources.BOTH) == []
    store.sessions.delete(mine)
    assert len(store.lexical.search(MEI, query("台中"), sources=Sources.BOTH)) == 5


def test_another_process_may_add_and_delete(store: Store, tmp_path: Path) -> None:
    put(store, MEI, "a", "人口")
    assert sources(store.lexical.search(MEI, query("人口"))) == ["a"]
    with Store(tmp_path / "a.db") as other:
        put(other, MEI, "b", "人口")
        other.documents.delete(MEI, "a")
    assert sources(store.lexical.search(MEI, query("人口"))) == ["b"]


def test_many_added_at_once_are_read_anew(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postings, "FEW", 3)
    put(store, MEI, "first", "人口")
    assert len(store.lexical.search(MEI, query("人口"))) == 1
    for n in range(10):
        put(store, MEI, f"{n}", "人口")
    assert len(store.lexical.search(MEI, query("人口"))) == 11


def test_lists_that_were_not_asked_for_lately_go_first(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postings, "KEPT", 2)
    put(store, MEI, "a", "alpha beta gamma delta")
    for word in ("alpha", "beta", "gamma", "delta", "alpha"):
        assert sources(store.lexical.search(MEI, query(word))) == ["a"]


def test_threads_share_the_lists(store: Store) -> None:
    for n in range(20):
        put(store, MEI, f"{n}", f"人口 {n}")
    wrong: list[object] = []

    def ask() -> None:
        for _ in range(20):
            found = len(store.lexical.search(MEI, query("人口")))
            if found < 20:
                wrong.append(found)

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for n in range(20, 30):
        put(store, MEI, f"{n}", f"人口 {n}")
    for thread in threads:
        thread.join()
    assert not wrong
    assert len(store.lexical.search(MEI, query("人口"))) == 30


def test_a_long_passage_counts_by_its_length(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = document("long", "人口" + "天氣很好。" * 400, title="人口", language="zh-Hant")
    store.documents.put(MEI, whole, passages(whole, section="人口"))
    put(store, MEI, "short", "人口", language="zh-Hant")
    both(store, monkeypatch, MEI, query("人口天氣", "zh-Hant"))
    assert postings.varints(bytes([5, 0x81, 0x00, 0x7F])) == [5, 128, 127]
