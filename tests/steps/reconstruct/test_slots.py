"""Only the new thing is named; the question is the previous one."""

import pytest

from anaphor.types import Decision
from steps.reconstruct.said import ask, check


@pytest.mark.parametrize(
    ("said", "utterance", "holds", "lacks"),
    [
        (("台北到花蓮的火車要多久？", "普悠瑪約兩小時。"), "那自強號呢？", ["自強號", "花蓮", "多久"], []),
        (("台北到花蓮的火車要多久？", "普悠瑪約兩小時。"), "那台東呢？", ["台北", "台東", "多久"], ["花蓮"]),
        (("HTTP 401 是什麼意思？", "未授權。"), "那 403 呢？", ["403", "意思"], ["401"]),
        (
            ("白鷺 API 的 401 錯誤是什麼意思？", "未授權。"),
            "那 403 呢？",
            ["白鷺 API", " 403", "意思"],
            ["40403", "401"],
        ),
        (("エラー401の意味は？", "認証です。"), "403は？", ["403", "意味"], ["40301", "401"]),
        (("台灣的人口是多少？", "約兩千三百萬。"), "那日本呢？", ["日本", "人口"], ["台灣"]),
        (("台灣的人口是多少？", "約兩千三百萬。"), "面積呢？", ["台灣", "面積"], ["人口"]),
        (("台南門市幾點開？", "11:00。"), "那週末呢？", ["台南門市", "週末", "幾點開"], []),
        (("病假要附證明嗎？", "超過兩天要。"), "事假呢", ["事假", "證明"], ["病假"]),
        (("基本方案每月多少錢？", "300元。"), "換成進階方案呢？", ["進階方案", "多少錢"], ["基本方案"]),
        (("年假要提前几天申请？", "三天。"), "那病假呢？", ["病假", "申请"], ["年假"]),
        (("上海明天会下雨吗？", "不会。"), "北京呢？", ["北京", "明天", "下雨"], ["上海"]),
        (("上海明天会下雨吗？", "不会。"), "后天呢？", ["上海", "后天", "下雨"], ["明天"]),
        (("东京的人口是多少？", "1400万。"), "如果是大阪呢", ["大阪", "人口"], ["东京"]),
        (("東京の人口は何人ですか？", "約1400万人です。"), "大阪は？", ["大阪", "人口"], ["東京"]),
        (("東京の人口は何人ですか？", "約1400万人です。"), "じゃあ、面積は？", ["東京", "面積"], ["人口"]),
        (("年次休暇は何日前に申請しますか？", "3日前です。"), "病気休暇の場合は？", ["病気休暇", "申請"], ["年次休暇"]),
        (
            ("プランAの月額はいくらですか？", "千円です。"),
            "ではプランBはどうですか？",
            ["プランB", "月額"],
            ["プランA"],
        ),
        (("会議室Aは何時まで使えますか？", "20時です。"), "会議室Bなら？", ["会議室B", "何時"], ["会議室A"]),
        (("エラー E-401 の意味は何ですか？", "認証です。"), "E-403は？", ["E-403", "意味"], ["E-401"]),
        (
            ("How long is parental leave?", "16 weeks."),
            "What about sick leave?",
            ["sick leave", "How long"],
            ["parental"],
        ),
        (("What is the population of Tokyo?", "14 million."), "And Osaka?", ["Osaka", "population"], ["Tokyo"]),
        (
            ("What is the population of Tokyo?", "14 million."),
            "what about the area?",
            ["Tokyo", "area"],
            ["population"],
        ),
        (("What does HTTP 401 mean?", "Unauthorized."), "and 403?", ["403", "mean"], ["401"]),
        (("How much is the Basic plan?", "$5."), "How about the Pro plan?", ["Pro plan", "How much"], ["Basic"]),
        (("Is the museum open on Sunday?", "No."), "What about Monday?", ["museum", "Monday", "open"], ["Sunday"]),
        (
            ("What time does the Kyoto office open?", "09:30."),
            "and the Osaka office?",
            ["Osaka office", "open"],
            ["Kyoto"],
        ),
        (
            ("What is the refund policy for flights?", "24 hours."),
            "What about hotels?",
            ["hotels", "refund"],
            ["flights"],
        ),
        (
            ("Does the Pro plan include support?", "Yes."),
            "same for the Team plan?",
            ["Team plan", "support"],
            ["Pro plan"],
        ),
    ],
)
def test_the_new_thing_stands_where_the_old_one_stood(said, utterance, holds, lacks):
    query = ask(said, utterance)
    assert query.decision is Decision.FOLLOW_UP
    check(query, holds, lacks)
    assert query.text != utterance


def test_what_was_replaced_is_told():
    query = ask(("HTTP 401 是什麼意思？", "未授權。"), "那 403 呢？")
    assert query.text == "HTTP 403 是什麼意思？"
    assert [(x.text, x.seq, x.reason) for x in query.left_behind] == [("401", 1, "replaced")]


def test_one_after_another():
    said = ("HTTP 401 是什麼意思？", "未授權。", "那 403 呢？", "禁止。")
    assert ask(said, "那 404 呢？").text == "HTTP 404 是什麼意思？"
    said = ("What is the population of Tokyo?", "14 million.", "And Osaka?", "2.7 million.")
    assert ask(said, "And Nagoya?").text == "What is the population of Nagoya?"


@pytest.mark.parametrize(
    ("said", "utterance", "holds", "lacks"),
    [
        (("年假要提前几天申请？", "三天。"), "那病假要交证明吗", ["病假", "证明"], ["年假"]),
        (("台東門市幾點開？", "10:30。"), "那台南門市週日有營業嗎？", ["台南", "週日"], ["台東"]),
        (("Lumen L2 有幾段亮度？", "五段。"), "那電池可以撐多久？", ["Lumen L2", "電池"], []),
    ],
)
def test_a_whole_question_begun_with_a_tie(said, utterance, holds, lacks):
    check(ask(said, utterance), holds, lacks)


@pytest.mark.parametrize(
    ("said", "utterance", "text"),
    [
        (("貓可以上高鐵嗎？", "可以。"), "狗呢", "狗可以上高鐵嗎？"),
        (("猫可以坐高铁吗？", "可以。"), "那狗呢？", "狗可以坐高铁吗？"),
        (("他的作品有哪些？", "有三幅。"), "作品呢？", "他的作品有哪些？"),
    ],
)
def test_a_noun_of_one_character_takes_its_place_and_what_was_asked_already_is_asked_again(said, utterance, text):
    assert ask(said, utterance).text == text
