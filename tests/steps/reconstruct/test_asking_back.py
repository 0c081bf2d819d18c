"""Asking back which of two is meant, and taking up the reply."""

import pytest

from anaphor.steps.reconstruct import reconstruct
from anaphor.types import Decision, Outcome, Question, Recollection, Turn

TWO = {
    "zh-Hant": (
        ("熱層和冷層差在哪裡？", "熱層較貴。", "它取回要多久？"),
        ("熱層", "冷層"),
        [("冷層", "冷層取回要多久？"), ("前者", "熱層取回要多久？"), ("第二個", "冷層取回要多久？")],
    ),
    "zh-Hans": (
        ("热层和冷层差在哪里？", "热层较贵。", "它取回要多久？"),
        ("热层", "冷层"),
        [("冷层", "冷层取回要多久？"), ("后者", "冷层取回要多久？")],
    ),
    "ja": (
        ("松の間と竹庭の違いは？", "広さです。", "それの定員は？"),
        ("松の間", "竹庭"),
        [("竹庭です", "竹庭の定員は？"), ("前者", "松の間の定員は？")],
    ),
    "en": (
        ("What is the difference between the Alder plan and the Birch plan?", "Storage.", "How much does it cost?"),
        ("Alder plan", "Birch plan"),
        [("Birch", "How much does Birch plan cost?"), ("the first one", "How much does Alder plan cost?")],
    ),
}


def turns(first, answer):
    return [Turn("1", 1, first, Outcome.ANSWERED, answer)]


@pytest.mark.parametrize("language", TWO)
def test_both_are_named_in_the_language_of_the_person_and_the_reply_resolves_what_waited(language):
    (first, answer, utterance), both, replies = TWO[language]
    query = reconstruct(Question(utterance, "now"), Recollection(tuple(turns(first, answer))), ask_back=True)
    assert query.decision is Decision.CLARIFICATION
    assert all(item in query.ask_back for item in both)
    for said, text in replies:
        waiting = Turn("2", 2, utterance, Outcome.CLARIFYING, query.ask_back, standalone=query.text)
        after = reconstruct(Question(said, "then"), Recollection((*turns(first, answer), waiting)), ask_back=True)
        assert (after.decision, after.text) == (Decision.FOLLOW_UP, text)


@pytest.mark.parametrize("language", TWO)
def test_nobody_is_asked_unless_it_is_wished(language):
    (first, answer, utterance), _, _ = TWO[language]
    query = reconstruct(Question(utterance, "now"), Recollection(tuple(turns(first, answer))))
    assert (query.decision, query.ask_back) == (Decision.FOLLOW_UP, "")


@pytest.mark.parametrize(
    ("first", "answer", "utterance"),
    [
        ("熱層和冷層差在哪裡？", "熱層較貴。", "冷層取回要多久？"),
        ("热层多少钱？", "每月 3 元。", "它取回要多久？"),
        ("松の間と竹庭の違いは？", "広さです。", "両方の定員は？"),
        ("What is the difference between the Alder plan and the Birch plan?", "Storage.", "How much do they cost?"),
    ],
)
def test_nobody_is_asked_where_one_is_named_or_both_are_meant(first, answer, utterance):
    query = reconstruct(Question(utterance, "now"), Recollection(tuple(turns(first, answer))), ask_back=True)
    assert query.decision is not Decision.CLARIFICATION
