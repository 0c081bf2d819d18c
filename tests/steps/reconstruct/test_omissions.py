"""A subject, a topic or the whole question left out; going back; a new topic."""

import pytest

from anaphor.types import Decision
from steps.reconstruct.said import ask, check

STUDIO = ("我想在「青嵐攝影棚」拍證件照。", "可以線上預約，現場約 15 分鐘。")
VISA = ("How do I apply for the Norland visa?", "Fill in form N-7.")


@pytest.mark.parametrize(
    ("said", "utterance", "holds", "lacks"),
    [
        (STUDIO, "需要多少錢？", ["青嵐", "證件照", "多少錢"], []),
        (STUDIO, "要等多久？", ["青嵐", "多久"], []),
        (STUDIO, "在哪裡？", ["青嵐"], []),
        (STUDIO, "怎麼預約？", ["青嵐", "預約"], []),
        (("松濤除濕機好用嗎？", "不錯。"), "有保固嗎？", ["松濤除濕機", "保固"], []),
        (("松濤除濕機好用嗎？", "不錯。"), "保固多長？", ["松濤除濕機", "保固"], []),
        (("张家界怎么去？", "坐高铁。"), "门票多少钱？", ["张家界", "门票"], []),
        (("张家界怎么去？", "坐高铁。"), "需要提前预约吗？", ["张家界", "预约"], []),
        (("屋上テラスは誰でも使えますか？", "社員なら。"), "いくらですか？", ["屋上テラス", "いくら"], []),
        (("屋上テラスは誰でも使えますか？", "社員なら。"), "何時まで使えますか？", ["屋上テラス", "何時"], []),
        (("屋上テラスは誰でも使えますか？", "社員なら。"), "料金はいくらですか？", ["屋上テラス", "料金"], []),
        (("屋上テラスは誰でも使えますか？", "社員なら。"), "予約方法を教えてください", ["屋上テラス", "予約方法"], []),
        (VISA, "How much does it cost?", ["Norland visa", "cost"], []),
        (VISA, "How long does it take?", ["Norland visa", "How long"], []),
        (VISA, "What are the requirements?", ["Norland visa", "requirements"], []),
        (VISA, "How much is the fee?", ["Norland visa", "fee"], []),
        (VISA, "any restrictions?", ["Norland visa", "restrictions"], []),
    ],
)
def test_what_is_not_said_is_said(said, utterance, holds, lacks):
    query = ask(said, utterance)
    assert query.decision is Decision.FOLLOW_UP
    check(query, holds, lacks)
    assert query.carried


@pytest.mark.parametrize(
    ("said", "utterance", "holds"),
    [
        (VISA, "Tell me more.", ["Norland visa"]),
        (VISA, "Can you explain in more detail?", ["Norland visa"]),
        (VISA, "why?", ["Norland visa"]),
        (VISA, "for example?", ["Norland visa"]),
        (VISA, "more details please", ["Norland visa"]),
        (("什麼是光合作用？", "把光能轉成化學能。"), "再多解釋一點", ["光合作用"]),
        (("什麼是光合作用？", "把光能轉成化學能。"), "為什麼？", ["光合作用"]),
        (("什麼是光合作用？", "把光能轉成化學能。"), "可以舉個例子嗎？", ["光合作用"]),
        (("什么是光合作用？", "把光能转成化学能。"), "说得再详细一点", ["光合作用"]),
        (("什么是光合作用？", "把光能转成化学能。"), "还有吗？", ["光合作用"]),
        (("光合成とは何ですか？", "光を使います。"), "もう少し詳しく教えてください", ["光合成"]),
        (("光合成とは何ですか？", "光を使います。"), "なぜですか？", ["光合成"]),
        (("光合成とは何ですか？", "光を使います。"), "例えば？", ["光合成"]),
        (("光合成とは何ですか？", "光を使います。"), "もっと詳しく", ["光合成"]),
    ],
)
def test_more_of_the_same(said, utterance, holds):
    query = ask(said, utterance)
    assert query.decision is Decision.FOLLOW_UP
    check(query, holds)


TALK = ("高鐵左營到台北最早一班幾點？", "06:15 發車。", "辦公室訪客 Wi-Fi 的密碼多久換一次？", "每 30 天。")
TALK_EN = ("When does the Otter ferry leave?", "At 9:00.", "How do I reset the office printer?", "Hold the button.")
TALK_JA = ("朝凪ホテルの朝食は何時からですか？", "7時です。", "社内プリンターの設定方法は？", "設定画面からです。")


@pytest.mark.parametrize(
    ("said", "utterance", "holds", "lacks"),
    [
        (TALK, "回到剛才的高鐵，可以帶腳踏車嗎？", ["高鐵", "腳踏車"], ["Wi-Fi"]),
        (TALK, "回到第一個問題，票價多少？", ["高鐵", "票價"], ["Wi-Fi"]),
        (TALK_EN, "Back to the ferry: how much is a ticket?", ["Otter ferry", "ticket"], ["printer"]),
        (TALK_EN, "Going back to the first one, can I bring a bike?", ["Otter ferry", "bike"], ["printer"]),
        (TALK_JA, "さっきのホテルの話に戻りますが、駐車場はありますか？", ["朝凪ホテル", "駐車場"], ["プリンター"]),
    ],
)
def test_going_back_to_an_earlier_topic(said, utterance, holds, lacks):
    query = ask(said, utterance)
    check(query, holds, lacks)
    assert {c.seq for c in query.carried} == {1}


@pytest.mark.parametrize(
    ("said", "utterance"),
    [
        (
            ("高鐵左營到台北最早一班幾點？", "06:15。", "車票可以線上改嗎？", "可以。"),
            "辦公室訪客 Wi-Fi 的密碼多久換一次？",
        ),
        (
            ("How long is maternity leave in Berlin?", "14 weeks."),
            "How many remote days per month does policy HR-7 allow?",
        ),
        (("東京の人口は何人ですか？", "1400万人です。"), "社員食堂のアレルギー表示はどこで確認できますか？"),
        (("张家界怎么去？", "坐高铁。"), "增值税发票的税率是多少？"),
        (("What is Redis?", "A store."), "Which visa does a nurse from Norland need?"),
    ],
)
def test_a_new_topic_carries_nothing(said, utterance):
    query = ask(said, utterance)
    assert query.decision is Decision.NEW_TOPIC
    assert query.text == utterance
    assert not query.carried
    check(
        query,
        [],
        [
            w
            for w in ("高鐵", "左營", "車票", "Berlin", "maternity", "東京", "人口", "张家界", "Redis")
            if w not in utterance
        ],
    )


def test_the_language_of_the_question_and_the_name_from_the_talk():
    query = ask(("Is the Lumen L2 desk lamp dimmable?", "Yes."), "那電池可以撐多久？")
    assert query.language == "zh-Hant"
    check(query, ["Lumen L2", "電池"])
    query = ask(("Lumen L2 檯燈可以調光嗎？", "可以。"), "How long does the battery last?")
    assert query.language == "en"
    check(query, ["Lumen L2", "battery"])
    query = ask(("Is the Lumen L2 desk lamp dimmable?", "Yes."), "それはいくらですか？")
    assert query.language == "ja"
    check(query, ["Lumen L2", "いくら"])


def test_a_text_that_does_not_tell_its_language_is_settled_by_the_talk():
    assert ask(("台灣的人口是多少？", "約兩千三百萬。"), "面積").language == "zh-Hant"
    assert ask(("東京の人口は何人ですか？", "1400万人です。"), "面積").language == "ja"
