"""Rankings made one, against numbers worked out by hand."""

from __future__ import annotations

import pytest

from anaphor.steps.fuse import blend, by_rank, interleave
from anaphor.types import Hit, Passage


def run(*ids: str) -> list[Hit]:
    return [Hit(Passage(i, f"text of {i}", "s"), 9.9, n) for n, i in enumerate(ids, 1)]


def scored(**scores: float) -> list[Hit]:
    return [Hit(Passage(i, f"text of {i}", "s"), score, n) for n, (i, score) in enumerate(scores.items(), 1)]


def order(hits):
    return [hit.passage.passage_id for hit in hits]


def test_a_passage_that_only_one_has_stands_as_far_above_the_rest_as_its_score():
    fused = blend({"bm25": scored(a=20, b=2, c=2), "dense": scored(b=0.92, c=0.91, a=0.90)})
    assert order(fused) == ["a", "b", "c"]
    # BM25 from zero, 20, 2 and 2 over their mean of 8; cosines from the lowest, over the mean of what is above that.
    assert [hit.score for hit in fused] == pytest.approx([20 / 8, 2 / 8 + 0.02 / 0.01, 2 / 8 + 0.01 / 0.01])


def test_a_lexical_run_that_could_have_been_longer_is_measured_from_its_last_score():
    assert [hit.score for hit in blend({"bm25": scored(a=6, b=2)}, limit=2)] == pytest.approx([2.0, 0.0])
    assert [hit.score for hit in blend({"bm25": scored(a=6, b=2)}, limit=3)] == pytest.approx([1.5, 0.5])


def test_vectors_of_passages_and_of_sentences_together_are_one_voice():
    two = blend({"dense": scored(a=0.9, b=0.8), "sentence": scored(a=0.9, b=0.8)})
    one = blend({"dense": scored(a=0.9, b=0.8)})
    assert [hit.score for hit in two] == pytest.approx([hit.score for hit in one])


def test_where_all_are_alike_the_first_run_decides():
    assert order(blend({"bm25": scored(a=1, b=1), "dense": scored(b=0.5, a=0.5)}, limit=2)) == ["a", "b"]


def test_a_passage_two_retrievers_like_beats_one_that_a_single_one_likes_best():
    fused = by_rank({"bm25": run("a", "b", "c"), "dense": run("b", "d")})
    assert order(fused) == ["b", "a", "d", "c"]
    assert fused[0].score == pytest.approx(1 / 62 + 1 / 61)
    assert [hit.rank for hit in fused] == [1, 2, 3, 4]


@pytest.mark.parametrize("fuse", [blend, by_rank])
def test_each_hit_says_where_every_retriever_had_it(fuse):
    fused = {hit.passage.passage_id: hit.ranks for hit in fuse({"bm25": run("a", "b"), "dense": run("b")})}
    assert fused == {"a": {"bm25": 1}, "b": {"bm25": 2, "dense": 1}}


@pytest.mark.parametrize("fuse", [blend, by_rank])
def test_nothing_fused_is_nothing(fuse):
    assert fuse({"bm25": [], "dense": []}) == ()


def test_ties_keep_the_first_retrievers_order():
    assert order(by_rank({"bm25": run("a", "b"), "dense": run("b", "a")})) == ["a", "b"]


def test_of_sub_queries_each_has_its_best_first_and_no_passage_comes_twice():
    turns = interleave([run("a", "b", "c"), run("b", "d"), run("e")])
    assert order(turns) == ["a", "b", "e", "d", "c"]
    assert [hit.rank for hit in turns] == [1, 2, 3, 4, 5]
    assert interleave([]) == ()
