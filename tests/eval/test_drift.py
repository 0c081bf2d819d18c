"""Drifts planted in rewrites: each is wrong in one known way, and says nothing that was said."""

from __future__ import annotations

import pytest

from anaphor.types import Message
from anaphor_eval.datasets.values import Conversation, GoldTurn
from anaphor_eval.derive.drift import KINDS, carried_thing, drifts

TALKS = [
    (
        "en",
        "Where is the Kestrel office?",
        "In Oslo.",
        "Is it not open after 18?",
        "Is the Kestrel office not open after 18?",
    ),
    ("en", "What is the Owl Harbour plan?", "A plan.", "How much is it?", "How much is the Owl Harbour plan?"),
    ("zh-Hant", "獵戶方案多少錢？", "四百元。", "它不含稅嗎", "獵戶方案不含稅"),
    ("zh-Hant", "天琴雲端是什麼？", "網路硬碟。", "有3種嗎？", "天琴雲端有3種嗎？"),
    ("zh-Hans", "云雀网盘多少钱？", "一百元。", "它可以退款吗？", "云雀网盘可以退款吗？"),
    ("zh-Hans", "青岚相册是什么？", "相册。", "它多少钱？", "青岚相册多少钱？"),
    ("ja", "ミサゴ航空の便はありますか？", "あります。", "食事は必要ない。", "ミサゴ航空の食事は必要ない。"),
    ("ja", "ハヤブサ旅館はどこですか？", "京都です。", "そこに2名で泊まりたい。", "ハヤブサ旅館に2名で泊まりたい。"),
]


def conversations():
    return [
        Conversation(
            f"c{n}",
            language,
            (GoldTurn(f"t{n}", 2, utterance, (Message("user", asked), Message("assistant", told)), (gold,)),),
        )
        for n, (language, asked, told, utterance, gold) in enumerate(TALKS)
    ]


def planted(kind):
    return {drift.turn_id: drift for drift in drifts(conversations(), seed=1) if drift.kind == kind}


def test_every_kind_is_planted_and_none_leaves_the_rewrite_as_it_was():
    found = drifts(conversations(), seed=1)
    assert {drift.kind for drift in found} == set(KINDS)
    for drift in found:
        gold = TALKS[int(drift.turn_id[1:])][4]
        assert (drift.text != gold) == (drift.kind != "retracted_back")


def test_a_thing_is_swapped_for_one_of_another_conversation_in_the_same_language():
    found = planted("entity_swapped")
    assert found["t0"].text == "Is the Owl Harbour plan not open after 18?"
    assert "Kestrel" not in found["t0"].text
    assert "天琴雲端" in found["t2"].text
    assert "青岚相册" in found["t4"].text
    assert "ハヤブサ旅館" in found["t6"].text


def test_numbers_change_and_negations_go():
    numbers = planted("number_changed")
    assert set(numbers) == {"t0", "t3", "t7"}
    assert "18" not in numbers["t0"].text
    assert "3" not in numbers["t3"].text
    dropped = planted("negation_dropped")
    assert dropped["t0"].text == "Is the Kestrel office open after 18?"
    assert dropped["t6"].text == "ミサゴ航空の食事は必要だ。"
    assert "t2" not in dropped  # 它不含稅嗎 asks, and whether it negates nobody can say by rule


def test_what_was_taken_back_is_what_the_rewrite_carries():
    found = planted("retracted_back")
    assert found["t1"].corrected.startswith("No, not Owl Harbour plan. I meant Kestrel")
    assert found["t2"].corrected == "不是獵戶方案，我說的是天琴雲端。"
    assert found["t7"].corrected == "ハヤブサ旅館ではなくて、ミサゴ航空のことです。"


def test_a_constraint_is_one_that_nobody_named():
    for drift in planted("constraint_added").values():
        _, asked, told, utterance, gold = TALKS[int(drift.turn_id[1:])]
        added = drift.text.replace(gold.rstrip("?"), "").strip(" ?")
        assert added
        assert added not in asked + told + utterance


@pytest.mark.parametrize(("n", "thing"), [(0, "Kestrel office"), (2, "獵戶方案"), (4, "云雀网盘"), (6, "ミサゴ航空")])
def test_the_carried_thing_is_the_longest_that_was_said_before(n, thing):
    assert carried_thing(conversations()[n].turns[0]) == thing


def test_the_same_seed_plants_the_same():
    assert drifts(conversations(), seed=3) == drifts(conversations(), seed=3)
    assert drifts(conversations(), seed=3) != drifts(conversations(), seed=4)
