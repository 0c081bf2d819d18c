"""Taking back: what was asked stays, the thing is exchanged, and what was taken back is gone."""

import pytest

from anaphor.types import Decision
from steps.reconstruct.said import ask, check

TAINAN = ("台南門市幾點開？", "台南門市 11:00 開。")
KYOTO = ("What time does the Kyoto office open?", "The Kyoto office opens at 09:30.")
BEARER = ("Bearer Token 怎麼更新？", "呼叫 refresh 端點。")
JA = ("京都支店は何時に開きますか？", "京都支店は9時半に開きます。")


@pytest.mark.parametrize(
    ("said", "utterance", "holds", "lacks"),
    [
        (TAINAN, "不是台南，是台東。", ["台東", "門市", "幾點開"], ["台南", "不是"]),
        (TAINAN, "不是台南，我是說台東", ["台東", "幾點開"], ["台南"]),
        (TAINAN, "我說錯了，是台東", ["台東", "幾點開"], ["台南", "說錯"]),
        (TAINAN, "不對，我要問的是台東門市", ["台東門市", "幾點開"], ["台南"]),
        (TAINAN, "打錯了，應該是台東", ["台東", "幾點開"], ["台南", "打錯"]),
        (TAINAN, "更正：台東門市", ["台東門市", "幾點開"], ["台南"]),
        (TAINAN, "我問的是台東，不是台南", ["台東", "幾點開"], ["台南"]),
        (BEARER, "我剛才說的是 Session Cookie，不是 Bearer Token", ["Session Cookie", "更新"], ["Bearer"]),
        (("上海到杭州的高铁多少钱？", "73元。"), "不是杭州，是苏州", ["上海", "苏州", "多少钱"], ["杭州"]),
        (("上海到杭州的高铁多少钱？", "73元。"), "把杭州改成苏州", ["上海", "苏州", "多少钱"], ["杭州"]),
        (("上海到杭州的高铁多少钱？", "73元。"), "我说错了，应该是苏州。", ["苏州", "多少钱"], ["杭州"]),
        (KYOTO, "Scratch that, I meant the Osaka one.", ["Osaka", "open"], ["Kyoto", "scratch"]),
        (KYOTO, "No, I meant Osaka", ["Osaka", "open"], ["Kyoto"]),
        (KYOTO, "Sorry, the Osaka office", ["Osaka", "open"], ["Kyoto", "sorry"]),
        (KYOTO, "not Kyoto, Osaka", ["Osaka", "open"], ["Kyoto"]),
        (KYOTO, "I said Osaka, not Kyoto.", ["Osaka", "open"], ["Kyoto"]),
        (KYOTO, "Actually I meant the Osaka office", ["Osaka", "open"], ["Kyoto"]),
        (KYOTO, "oops, wrong city. Osaka.", ["Osaka", "open"], ["Kyoto"]),
        (KYOTO, "Correction: Osaka office", ["Osaka", "open"], ["Kyoto"]),
        (KYOTO, "Osaka, not Kyoto", ["Osaka", "open"], ["Kyoto"]),
        (
            ("Does the Basic plan include backups?", "No."),
            "I meant the Pro plan, not Basic",
            ["Pro plan", "backups"],
            ["Basic"],
        ),
        (JA, "京都じゃなくて大阪です", ["大阪", "支店", "何時"], ["京都"]),
        (JA, "すみません、京都ではなく大阪支店です。", ["大阪支店", "何時"], ["京都"]),
        (JA, "間違えました、大阪支店です", ["大阪支店", "何時"], ["京都"]),
        (JA, "いや、大阪のことです", ["大阪", "何時"], ["京都"]),
        (JA, "私が言ったのは大阪支店で、京都支店ではありません", ["大阪支店", "何時"], ["京都"]),
        (JA, "訂正します。大阪支店です。", ["大阪支店", "何時"], ["京都"]),
    ],
)
def test_the_thing_is_exchanged_and_the_question_stays(said, utterance, holds, lacks):
    query = ask(said, utterance)
    assert query.decision is Decision.CORRECTION
    check(query, holds, lacks)
    assert any(x.reason == "retracted" for x in query.left_behind)


@pytest.mark.parametrize(
    ("said", "utterance"),
    [
        (TAINAN, "不是本國人可以申請健保嗎？"),
        (TAINAN, "健保卡是不是可以線上申請？"),
        (("屋上テラスは使えますか？", "使えます。"), "コピー機は予約が必要じゃない？"),
        (("屋上テラスは使えますか？", "使えます。"), "コピー機は三階じゃないですか？"),
        (KYOTO, "Why does Python use indentation, not braces?"),
        (KYOTO, "Actually, how do I renew a passport?"),
        (KYOTO, "Is the gym not open to guests?"),
    ],
)
def test_a_contrast_or_a_tag_takes_nothing_back(said, utterance):
    query = ask(said, utterance)
    assert query.decision is not Decision.CORRECTION
    assert not any(x.reason == "retracted" for x in query.left_behind)


def test_what_was_taken_back_is_not_carried_later():
    said = (*TAINAN, "不是台南，是台東。", "台東門市 10:30 開。")
    check(ask(said, "那週日呢？"), ["台東", "週日"], ["台南"])
    check(ask(said, "地址在哪？"), ["台東", "地址"], ["台南"])
    said = (*KYOTO, "Scratch that, I meant the Osaka one.", "08:45.")
    check(ask(said, "And on Sunday?"), ["Osaka", "Sunday"], ["Kyoto"])
    said = (*JA, "京都じゃなくて大阪です", "大阪支店は9時に開きます。")
    check(ask(said, "日曜日は？"), ["大阪", "日曜日"], ["京都"])


@pytest.mark.parametrize(
    ("said", "utterance", "holds", "lacks"),
    [
        (
            (*TAINAN, "不是台南，是台東。", "台東門市 10:30 開。"),
            "那台南門市週日有營業嗎？",
            ["台南", "週日"],
            ["台東"],
        ),
        (
            (*KYOTO, "I meant Osaka, not Kyoto.", "08:45."),
            "Does the Kyoto office have parking?",
            ["Kyoto", "parking"],
            ["Osaka"],
        ),
        ((*JA, "京都じゃなくて大阪です", "9時です。"), "京都支店の電話番号は？", ["京都支店", "電話番号"], ["大阪"]),
    ],
)
def test_it_may_be_asked_about_again(said, utterance, holds, lacks):
    query = ask(said, utterance)
    check(query, holds, lacks)
    assert query.decision is not Decision.CORRECTION


def test_after_that_it_may_be_carried_again():
    said = (*TAINAN, "不是台南，是台東。", "10:30。", "那台南門市週日有營業嗎？", "公休。")
    check(ask(said, "地址在哪裡？"), ["台南", "地址"], ["台東"])


def test_a_correction_is_never_the_raw_text():
    for utterance in ("不對", "that's wrong", "違います"):
        assert ask(KYOTO, utterance).text != utterance


def test_a_correction_with_a_question_of_its_own():
    check(ask(TAINAN, "不是台南，是台東。停車方便嗎？"), ["台東", "停車"], ["台南"])


TWO_PLANS = {
    "zh-Hant": (
        ("金毛方案每月保費多少？", "680 元。", "那黑喵呢？它的等待期多久？", "30 天。"),
        ("不對，我是說金毛的理賠上限", "金毛的理賠上限", "黑喵"),
    ),
    "zh-Hans": (
        ("标准版每月多少钱？", "99 元。", "它的退款期限是多久？", "14 天。"),
        ("说错了，是专业版的存储空间", "专业版的存储空间", "标准版"),
    ),
    "ja": (
        ("竹の間の料金はいくらですか？", "12,000円です。", "それのチェックイン時間は？", "15時です。"),
        ("違います、松の間の定員のことです", "松の間の定員", "竹の間"),
    ),
    "en": (
        ("How much is the Alder plan?", "9 dollars.", "How long is its trial?", "14 days."),
        ("No, I meant the storage limit of the Birch plan.", "storage limit of the Birch plan", "Alder"),
    ),
}


@pytest.mark.parametrize("language", TWO_PLANS)
def test_what_names_the_thing_and_what_of_it_is_the_question_itself(language):
    said, (utterance, meant, taken_back) = TWO_PLANS[language]
    query = ask(said, utterance)
    assert (query.decision, query.text) == (Decision.CORRECTION, meant)
    check(query, [meant], [taken_back])


@pytest.mark.parametrize(
    ("said", "utterance", "text"),
    [
        (("大阪の人口は何人ですか？", "270万人です。"), "違います、東京の人口です", "東京の人口は何人ですか？"),
        (("高雄的人口有多少？", "270 萬。"), "不對，我是說台北的人口", "台北的人口有多少？"),
        (
            ("What is the price of the Basic plan?", "9."),
            "No, I meant the Pro plan",
            "What is the price of the Pro plan?",
        ),
    ],
)
def test_the_same_asked_of_another_thing_keeps_its_question(said, utterance, text):
    assert ask(said, utterance).text == text


def test_a_word_is_exchanged_whole():
    said = ("Where can I see the solar eclipses?", "In Spain.")
    assert ask(said, "Not solar eclipse. I meant lunar eclipse.").text == "Where can I see the lunar eclipses?"
    assert "Pariss" not in ask(said, "Not solar eclipse. I meant Paris.").text
