"""A question over the whole of a past looks to how each sitting began."""

from __future__ import annotations

import pytest

from anaphor.steps.outset import outset, over_time
from anaphor.types import Decision, EvidenceClass, Hit, Passage, StandaloneQuery


def asked(question: str) -> StandaloneQuery:
    return StandaloneQuery(question, Decision.STANDALONE, 1.0, "und")


@pytest.mark.parametrize(
    "question",
    [
        "In what order did I bring up the parts of my garden?",
        "Walk me through the order in which we talked about the move.",
        "Give me a timeline of the repairs.",
        "Can you summarize how my training has gone?",
        "請依序列出我提過的旅行計畫",
        "我是先提到搬家還是換工作？請按照時間順序說",
        "请帮我总结一下装修的经过",
        "引っ越しの準備を順番に教えて",
        "これまでの治療をまとめてください",
    ],
)
def test_an_order_or_a_summary_is_over_time(question):
    assert over_time(asked(question))


@pytest.mark.parametrize(
    "question",
    [
        "What is my order number?",
        "What do I need in order to fix the tap?",
        "When do I hand in the summary report?",
        "How many shoes have I mentioned?",
        "總結報告什麼時候交？",
        "我订了几本书？",
        "まとめて買ったお茶は何？",
        "",
    ],
)
def test_what_asks_for_one_thing_is_not(question):
    assert not over_time(asked(question))


def said(name: str, score: float, seq: int | None, session: str = "s", kind=EvidenceClass.USER_STATEMENT) -> Hit:
    return Hit(Passage(name, name, session, kind, seq=seq), score, 0)


def names(hits: list[Hit]) -> list[str]:
    return [hit.passage.passage_id for hit in hits]


def test_what_stands_early_in_its_sitting_comes_before_what_is_a_little_better_and_late():
    hits = [said("late", 1.0, 40), said("early", 0.8, 1), said("other", 0.7, 3, "t"), said("middle", 0.6, 20)]
    assert names(outset(hits)) == ["early", "other", "middle", "late"]
    assert [hit.rank for hit in outset(hits)] == [1, 2, 3, 4]


def test_what_has_nothing_to_do_with_the_question_does_not_come_up_for_being_early():
    assert names(outset([said("late", 1.0, 40), said("early", 0.0, 1)])) == ["late", "early"]


def test_documents_and_what_has_no_place_keep_their_scores():
    hits = [said("page", 1.0, None, kind=EvidenceClass.DOCUMENT), said("somewhere", 0.9, None)]
    assert [hit.score for hit in outset(hits)] == [1.0, 0.9]
