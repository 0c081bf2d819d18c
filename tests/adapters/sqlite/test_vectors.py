"""Many vectors: from some number on only codes of them are held, and the nearest of those are compared exactly."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import pytest

from anaphor.adapters.sqlite import Store, vectors
from anaphor.types import Scope
from contracts.scenes import MEI, RIVAL, put, query, sources

np = pytest.importorskip("numpy")

DIMENSIONS = 100  # not a multiple of eight
OWN = Scope("acme", "tom", collections=frozenset({"toms"}))


class Random:
    """A vector a text, drawn by its own seed around a common centre, as those of real models are."""

    name = "random"
    dimensions = DIMENSIONS

    def embed(self, texts: Sequence[str], *, query: bool) -> list[list[float]]:
        return [self._vector(text) for text in texts]

    def _vector(self, text: str) -> list[float]:
        drawn = random.Random(text)
        made = np.array([1.0 + drawn.gauss(0, 1) for _ in range(DIMENSIONS)])
        return list(made / np.linalg.norm(made))


@pytest.fixture
def many(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    """300 passages of Mei's, five of Tom's own, 300 of somebody else's; codes from 64 on, 40 compared exactly."""
    monkeypatch.setattr(vectors, "HELD", 64)
    monkeypatch.setattr(vectors, "CHUNK", 50)
    monkeypatch.setattr(vectors, "CANDIDATES", 40)
    store = Store(tmp_path / "a.db")
    for scope, name in ((MEI, "mine"), (RIVAL, "theirs")):
        for n in range(300):
            put(store, scope, f"{name}{n}", f"{name} {n}")
    for n in range(5):
        put(store, OWN, f"toms{n}", f"tom {n}", owner="tom", collection="toms")
    return store


def exact(texts: Sequence[str], asked: str, limit: int) -> list[str]:
    made = np.array(Random().embed(texts, query=False), np.float32)
    return [
        texts[i] for i in np.argsort(-(made @ np.array(Random().embed([asked], query=True)[0], np.float32)))[:limit]
    ]


def nearest(store: Store, scope: Scope, asked: str, limit: int) -> list[str]:
    index = store.dense(Random())
    while index.refresh():
        pass
    return [hit.passage.text for hit in index.search(scope, query(asked), limit=limit)]


def test_the_nearest_of_many_are_found_by_their_codes(many: Store) -> None:
    mine = [f"mine {n}" for n in range(300)]
    agree = 0
    for asked in map(str, range(20)):
        agree += len(set(nearest(many, MEI, f"question {asked}", 5)) & set(exact(mine, f"question {asked}", 5)))
    assert agree >= 80  # of 100; by chance it would be 13
    assert nearest(many, MEI, "mine 7", 1) == ["mine 7"]


def test_who_owns_few_of_many_rows_gets_what_exact_search_over_them_gives(many: Store) -> None:
    toms = [f"tom {n}" for n in range(5)]
    nearest(many, OWN, "question", 1)
    dense = many.dense(Random())
    for asked in map(str, range(10)):
        ranked = [hit.passage.text for hit in dense.search(OWN, query(f"question {asked}"), limit=3)]
        assert ranked == exact(toms, f"question {asked}", 3)
    assert sources(dense.search(OWN, query("question"), filters={"source": "toms3"})) == ["toms3"]


def test_codes_follow_what_is_stored_and_deleted(many: Store) -> None:
    assert nearest(many, MEI, "mine 7", 1) == ["mine 7"]
    many.documents.delete(MEI, "mine7")
    left = nearest(many, MEI, "mine 7", 60)
    assert not [text for text in left if text == "mine 7"]
    put(many, MEI, "late", "mine late")
    assert nearest(many, MEI, "mine late", 1) == ["mine late"]
    many.close()


def test_what_was_deleted_is_in_no_index_after_a_restart_either(many: Store, tmp_path: Path) -> None:
    assert nearest(many, MEI, "mine 7", 1) == ["mine 7"]
    gone = Random().embed(["mine 7"], query=False)[0]
    many.documents.delete(MEI, "mine7")
    many.close()
    written = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert np.array(gone, np.float32).tobytes() not in written
    with Store(tmp_path / "a.db") as again:
        assert not [text for text in nearest(again, MEI, "mine 7", 300) if text == "mine 7"]
        assert again.lexical.search(MEI, query("mine"), filters={"source": "mine7"}) == []


def test_as_many_as_are_asked_for_and_none_that_differs_more_than_one_left_out():
    numbers = np.array([3, 9, 1, 3, 0, 3, 7, 3], np.uint16)
    for most in range(1, len(numbers)):
        chosen = vectors._least(numbers, most)
        assert len(set(chosen.tolist())) == most
        assert sorted(numbers[chosen].tolist()) == sorted(numbers.tolist())[:most]


def test_a_passage_scores_the_same_however_many_stand_beside_it(tmp_path: Path) -> None:
    alone, crowd = Store(tmp_path / "alone.db"), Store(tmp_path / "crowd.db")
    put(alone, MEI, "one", "mine 7")
    for n in range(40):
        put(crowd, MEI, f"mine{n}", f"mine {n}")
    scores = []
    for store in (alone, crowd):
        nearest(store, MEI, "mine", 1)
        found = store.dense(Random()).search(MEI, query("mine"), limit=60)
        scores.append(next(hit.score for hit in found if hit.passage.text == "mine 7"))
        store.close()
    assert scores[0] == scores[1]
