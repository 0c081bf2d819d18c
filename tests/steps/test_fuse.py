"""Reciprocal rank fusion, against numbers worked out by hand."""

from __future__ import annotations

import pytest

from anaphor.steps.fuse import blend, by_rank, interleave
from anaphor.types import Hit, Passage


def run(*ids: str) -> list[Hit]:
    return [Hit(Passage(i, f"text of {i}", "s"), 9.9, n) for n, i in enumerate(ids, 1)]


def test_a_passage_two_retrievers_like_beats_one_that_a_single_one_likes_best():
    fused = by_rank({"bm25": run("a", "b", "c"), "dense": run("b", "d")})
    assert [hit.passage.passage_id for hit in fused] == ["b", "a", "d", "c"]
    assert fused[0].score == pytest.approx(1 / 62 + 1 / 61)
    assert [hit.rank for hit in fused] == [1, 2, 3, 4]


def test_each_hit_says_where_every_retriever_had_it():
    fused = {hit.passage.passage_id: hit.ranks for hit in by_rank({"bm25": run("a", "b"), "dense": run("b")})}
    assert fused == {"a": {"bm25": 1}, "b": {"bm25": 2, "dense": 1}}


def test_ties_keep_the_first_retrievers_order():
    assert [h.passage.passage_id for h in by_rank({"bm25": run("a", "b"), "dense": run("b", "a")})] == ["a", "b"]


def test_nothing_fused_is_nothing():
    assert by_rank({"bm25": [], "dense": []}) == ()


def test_of_sub_queries_each_has_its_best_first_and_no_passage_comes_twice():
    turns = interleave([run("a", "b", "c"), run("b", "d"), run("e")])
    assert [hit.passage.passage_id for hit in turns] == ["a", "b", "e", "d", "c"]
    assert [hit.rank for hit in turns] == [1, 2, 3, 4, 5]
    assert interleave([]) == ()
