"""Where somebody says what they really ask, and where nobody does."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anaphor.text.aside import asked_after_all


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("今天好熱，貓又睡在沙發上。其實我想問的是，我的牙醫是哪一位？", ["我的牙醫是哪一位？"]),
        ("最近好忙，不知道何时能休息？我真正的问题是：我几号搬家？", ["我几号搬家？"]),
        ("雨がひどいですね。聞きたかったのは、私の歯医者の名前です。", ["私の歯医者の名前です。"]),
        ("What a day, who needs rain in June? What I really wanted to ask is: when do I move?", ["when do I move?"]),
        (
            "天氣真好。我本來想問的是，誰住在台南？喔對，昨天夢到海。我其實想知道的是，展覽在哪天？",
            ["誰住在台南？", "展覽在哪天？"],
        ),
        ("我想問的是，展覽在哪天？要帶什麼？", ["展覽在哪天？要帶什麼？"]),
    ],
)
def test_what_is_announced_is_what_is_asked(said, asked):
    assert asked_after_all(said) == asked


@pytest.mark.parametrize(
    "said",
    [
        "我想問牙醫的電話是多少？",
        "他真正想要的是什麼？",
        "我要說的話寫在哪裡？",
        "What I really want is a garden. When can I start?",
        "彼が聞きたい曲はどれ？",
        "我真正想問的是，",
        "",
    ],
)
def test_nothing_is_announced(said):
    assert asked_after_all(said) == []


@given(st.text(max_size=300))
def test_what_is_asked_stands_in_what_was_said(said):
    assert all(one in said for one in asked_after_all(said))


@pytest.mark.parametrize("piece", ["我真正", "what i really ", "我想問，", "聞きたい"])
def test_a_long_paste_takes_no_time(piece):
    began = time.process_time()
    asked_after_all(piece * (1_000_000 // len(piece)))
    assert time.process_time() - began < 5
