"""The one that …; what was told already; what only the first of two questions lacks; the things compared."""

import pytest

from anaphor.types import Decision
from steps.reconstruct.said import ask, check

SUPPLIERS = {
    "zh-Hant": (
        ("M6 螺絲是哪家供應商供應的？", "鴻達五金供應 M6 螺絲。", "那紙箱呢？", "紙箱由立勤包材供應。"),
        ("紙箱那家的窗口是誰？", "立勤包材的窗口是誰？", "紙箱"),
    ),
    "zh-Hans": (
        ("合唱团由谁带领？", "合唱团由指挥周牧带领。", "读书会由谁主持？", "青川图书馆的读书会由馆员童雪主持。"),
        ("主持读书会的那位的邮箱是什么？", "馆员童雪的邮箱是什么？", "周牧"),
    ),
    "ja": (
        ("本館の清掃はどの会社に委託していますか？", "白妙クリーンです。", "警備は？", "盾山セキュリティです。"),
        ("警備会社のほうの担当は誰ですか？", "盾山セキュリティの担当は誰ですか？", "白妙"),
    ),
    "en": (
        (
            "Which supplier delivers screws?",
            "Hondale Metals.",
            "Which supplier delivers boxes?",
            "Lichfield Packaging.",
        ),
        ("Who is the contact at the one that delivers boxes?", "Who is the contact at Lichfield Packaging?", "Hondale"),
    ),
}


@pytest.mark.parametrize("language", SUPPLIERS)
def test_who_was_asked_for_may_be_called_by_the_question(language):
    said, (utterance, text, lacks) = SUPPLIERS[language]
    query = ask(said, utterance)
    assert (query.decision, query.text) == (Decision.FOLLOW_UP, text)
    check(query, lacks=[lacks])


def test_a_description_alone_asks_what_was_asked_last():
    said, _ = SUPPLIERS["zh-Hans"]
    query = ask((*said, "周牧的邮箱？", "zhoumu@library.example"), "那主持读书会的那位呢？")
    check(query, ["童雪", "邮箱"], ["周牧"])


@pytest.mark.parametrize(
    ("said", "utterance"),
    [
        (("本館の清掃はどの会社に委託していますか？", "白妙クリーンです。"), "食堂のほうの担当は誰ですか？"),
        (("M6 螺絲是哪家供應商供應的？", "鴻達五金。"), "倉庫那家的窗口是誰？"),
        (("Which supplier delivers screws?", "Hondale Metals."), "Who is the contact at the one that rents pallets?"),
    ],
)
def test_what_nobody_asked_about_is_not_made_up(said, utterance):
    check(ask(said, utterance), lacks=["白妙", "鴻達", "Hondale"])


@pytest.mark.parametrize(
    ("utterance", "queries"),
    [
        ("熱層和冷層，哪個比較便宜？", ("熱層 便宜", "冷層 便宜")),
        ("热层和冷层哪个更便宜？", ("热层 便宜", "冷层 便宜")),
        ("Which of Sprout and Fern is cheaper?", ("Sprout cheaper", "Fern cheaper")),
        ("松の間と竹庭ではどちらが安いですか？", ("松の間 安い", "竹庭 安い")),
        ("跟隨搜狐以及哪個網站？", ()),
    ],
)
def test_of_two_things_compared_each_is_looked_for(utterance, queries):
    assert ask((), utterance).queries == queries


@pytest.mark.parametrize(
    ("said", "utterance", "text"),
    [
        (
            ("星沙水族館的全票多少錢？", "480 元。"),
            "早上幾點開，有沒有寵物推車可以借？",
            "星沙水族館早上幾點開，有沒有寵物推車可以借？",
        ),
        (
            ("星沙水族馆的全票多少钱？", "480 元。"),
            "早上几点开，有没有推车可以借？",
            "星沙水族馆早上几点开，有没有推车可以借？",
        ),
    ],
)
def test_what_the_first_of_two_questions_lacks_is_put_before_both(said, utterance, text):
    query = ask(said, utterance)
    assert (query.text, len(query.queries)) == (text, 2)


@pytest.mark.parametrize(
    ("said", "utterance", "holds"),
    [
        (
            ("時短勤務の手続きは？", "人事課へ申請書を出します。"),
            "申請書はどこに出すんでしたっけ？",
            ["時短勤務", "申請書"],
        ),
        (("哪个房型能带宠物？", "竹影房能带宠物。"), "一晚多少钱？", ["竹影房", "多少"]),
        (("SDK 支持哪些语言？", "支持 Python 和 Go。"), "Rust 有吗", ["SDK", "Rust"]),
        (("SDK 支援哪些語言？", "支援 Python 和 Go。"), "Rust 有嗎", ["SDK", "Rust"]),
    ],
)
def test_what_was_told_already_is_asked_of_its_topic(said, utterance, holds):
    query = ask(said, utterance)
    assert query.decision is Decision.FOLLOW_UP
    check(query, holds)


def test_one_that_was_is_the_same_without_the_negation():
    query = ask(("Is a bicycle that wasn't locked replaced?", "No."), "And one that was?")
    assert query.text == "Is a bicycle that was locked replaced?"


def test_what_a_question_was_given_is_talked_of_and_no_piece_of_it():
    said = (
        *("How long can I borrow a cargo bike in Fennimore?", "Up to 72 hours."),
        *("Any deposit needed?", "The deposit is 60 euros."),
        *("When do I get the money back?", "Within five days."),
    )
    check(ask(said, "Where's the pick-up?"), ["cargo bike"])
