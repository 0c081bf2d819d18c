"""A question about the past is looked up by what it is about."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anaphor.steps.sought import sought, thing
from anaphor.types import Decision, StandaloneQuery, Term
from growth import in_proportion


@pytest.mark.parametrize(
    ("question", "looked_for"),
    [
        (
            "Can you list the order in which I brought up different aspects of my garden throughout our conversations? "
            "Mention ONLY and ONLY three items.",
            "my garden",
        ),
        ("Please summarize how my garden has grown over our chats.", "how my garden has grown over our chats"),
        ("How many shoe sizes have I mentioned across my messages?", "How many shoe sizes"),
        ("請依序列出我在我們的對話中提到的旅行計畫，只列三項。", "我 提到的旅行計畫"),
        ("請總結我們對話中的裝修進度", "裝修進度"),
        ("在我们的聊天记录里我提到过哪些餐厅？", "哪些餐厅"),
        ("これまでの会話で私が話した旅行の計画を順番に挙げてください。", "旅行の計画を"),
    ],
)
def test_how_it_is_to_be_told_and_where_it_was_said_are_not_looked_for(question, looked_for):
    assert thing(question) == looked_for


@pytest.mark.parametrize(
    "question",
    [
        "What is my sister's name?",
        "What do I need in order to fix the tap?",
        "How should I save messages in my chat application?",
        "Can you list it?",
        "我的德文老師叫什麼名字？",
        "我们的对话",
        "私が話した",
        "",
    ],
)
def test_a_question_that_is_all_about_the_thing_stays_as_it_is(question):
    query = StandaloneQuery(question, Decision.STANDALONE, 1.0, "en")
    assert sought(query) is query


def test_terms_keep_their_weights():
    terms = (Term("summarize how my garden grew throughout our chats"), Term("roses", 0.3))
    query = StandaloneQuery(terms[0].term, Decision.FOLLOW_UP, 1.0, "en", terms=terms)
    found = sought(query)
    assert found.text == "how my garden grew"
    assert found.terms == (Term("how my garden grew"), Term("roses", 0.3))


@pytest.mark.parametrize(
    ("question", "looked_for"),
    [
        ("今天好熱。其實我想問的是，我的牙醫是哪一位？", "我的牙醫是哪一位"),
        ("今天好热。我真正想问的是，我的牙医是哪一位？", "我的牙医是哪一位"),
        ("雨がひどい。聞きたかったのは、私の歯医者の名前です。", "私の歯医者の名前です"),
        ("Rain again. What I really wanted to ask is who my dentist is.", "who my dentist is"),
    ],
)
def test_what_was_said_before_the_question_that_is_announced_is_not_looked_for(question, looked_for):
    assert thing(question) == looked_for


@given(st.text(max_size=400))
def test_any_text_leaves_something_to_look_for(text):
    assert thing(text) or not text.strip()


@pytest.mark.parametrize("piece", ["i mentioned ", "我們的對話", "これまでの会話で", " "])
def test_a_long_paste_takes_time_in_proportion(piece):
    assert in_proportion(lambda size: thing((piece * size)[:size]), 250)
    assert in_proportion(lambda size: thing((piece * size)[:size]), 250_000)
