"""The papers of a house: its hours, its tables by row and column, and sentences with what limits them."""

from __future__ import annotations

import pytest

from anaphor.steps.answer.quote import quote
from anaphor.types import Decision, Evidence, Passage, StandaloneQuery

HOURS = {
    "en": (
        "| Day | Opens | Closes |\n|---|---|---|\n| Monday to Friday | 7:00 | 20:00 |\n| Saturday | 8:30 | 18:00 |",
        "The steam room costs 4 euros. It is open from 11:00 to 19:00 from Monday to Saturday.",
        "Steam room",
    ),
    "zh-Hant": (
        "| 星期 | 開放時間 |\n|---|---|\n| 週一至週五 | 7:00–20:00 |\n| 週六 | 8:30–18:00 |",
        "蒸氣室每次 100 元。它的開放時間是週一至週六 11:00 到 19:00。",
        "蒸氣室",
    ),
    "zh-Hans": (
        "| 星期 | 开放时间 |\n|---|---|\n| 周一至周五 | 7:00–20:00 |\n| 周六 | 8:30–18:00 |",
        "蒸汽房每次 20 元。它的开放时间是周一至周六 11:00 到 19:00。",
        "蒸汽房",
    ),
    "ja": (
        "| 曜日 | 営業時間 |\n|---|---|\n| 月曜〜金曜 | 7:00〜20:00 |\n| 土曜 | 8:30〜18:00 |",
        "スチーム室は400円です。それの営業時間は月曜から土曜の11:00から19:00です。",
        "スチーム室",
    ),
}
TABLES = {
    "en": "| | K1 | K3 |\n|---|---|---|\n| Noise | 35 dB | 41 dB |\n| Price | €99 | €149 |",
    "zh-Hant": "| 房型 | 平日價 | 樓層 |\n|---|---|---|\n| 雙人房 | 2,100 元 | 3 樓 |\n| 四人房 | 3,300 元 | 5 樓 |",
    "zh-Hans": "| 卡种 | 价格 | 有效期 |\n|---|---|---|\n| 月卡 | 210 元 | 30 天 |\n| 年卡 | 1,800 元 | 365 天 |",
    "ja": "| 部門 | 2022年度 | 2023年度 |\n|---|---|---|\n| 野菜 | 12億円 | 15億円 |\n| 果物 | 7億円 | 9億円 |",
}
BESIDE = {
    "en": "Spare filters cost €8. K3 is made for large rooms.",
    "zh-Hant": "四人房週一不開放。",
    "zh-Hans": "会员卡不得转借。",
    "ja": "2023年度の売上高は24億円、2022年度の売上高は19億円でした。",
}


def said(language: str, question: str, *passages: Passage) -> str:
    query = StandaloneQuery(question, Decision.STANDALONE, 1.0, language)
    return " ".join(claim.text for claim in quote(query, Evidence(passages), language).claims)


def passage(language: str, text: str, section: str = "", start: int = 0) -> Passage:
    return Passage(
        f"{section}{start}", text, "house.md", title="Larkfield", section=section, language=language, start=start
    )


@pytest.mark.parametrize(
    ("language", "question", "hours"),
    [
        ("en", "When are you open on Saturday?", "8:30"),
        ("en", "When are you open on Wednesday?", "7:00"),
        ("en", "When is the steam room open?", "11:00"),
        ("zh-Hant", "週六的開放時間？", "8:30"),
        ("zh-Hant", "蒸氣室的開放時間？", "11:00"),
        ("zh-Hans", "周六几点开门？", "8:30"),
        ("zh-Hans", "周三几点开门？", "7:00"),
        ("ja", "土曜の営業時間は？", "8:30"),
        ("ja", "スチーム室の営業時間は？", "11:00"),
    ],
)
def test_hours_are_of_the_house_or_of_the_thing_that_is_asked_for(language: str, question: str, hours: str) -> None:
    table, beside, section = HOURS[language]
    answer = said(language, question, passage(language, beside, section, 300), passage(language, table))
    assert hours in answer
    assert not ({"7:00", "8:30", "11:00"} - {hours}) & {h for h in ("7:00", "8:30", "11:00") if h in answer}


@pytest.mark.parametrize(
    ("language", "question", "tells"),
    [
        ("en", "What does the K3 cost?", "€149"),
        ("en", "Which is quieter, the K1 or the K3?", "35 dB"),
        ("zh-Hant", "四人房在幾樓？", "5 樓"),
        ("zh-Hant", "雙人房和四人房哪個便宜？", "2,100"),
        ("zh-Hans", "年卡和月卡哪个便宜？", "210"),
        ("ja", "野菜の2023年度の売上は？", "15億円"),
    ],
)
def test_the_row_and_column_that_are_named_answer(language: str, question: str, tells: str) -> None:
    text = f"{BESIDE[language]}\n\n{TABLES[language]}"
    assert tells in said(language, question, passage(language, text))


@pytest.mark.parametrize(
    ("language", "table", "beside", "question", "tells"),
    [
        (
            "en",
            "| Ticket | Price |\n|---|---|\n| Adult | £6 |\n| Child | £3 |",
            "Lessons for adults cost £85.",
            "What do adult lessons cost?",
            "£85",
        ),
        ("ja", HOURS["ja"][0], "毎週水曜日は定休日です。", "水曜日は開いていますか？", "定休日"),
    ],
)
def test_a_sentence_that_tells_more_closely_is_no_row(
    language: str, table: str, beside: str, question: str, tells: str
) -> None:
    assert tells in said(language, question, passage(language, table), passage(language, beside, "その他", 200))


def test_the_cheapest_is_of_the_whole_table() -> None:
    head = "| Ticket | Price |\n|---|---|\n"
    one = passage("en", head + "| Adult | £6.40 |\n| Child | £3.20 |")
    more = "| Family | £16.00 |\n| Card | £54.00 |"
    rest = Passage("b", more, "house.md", section="Ticket | Price", language="en", start=90)
    assert said("en", "Which ticket is the cheapest?", rest, one) == "Ticket: Child; Price: £3.20"
    assert said("en", "Which ticket is the most expensive?", rest, one) == "Ticket: Card; Price: £54.00"


@pytest.mark.parametrize(
    ("language", "text", "question", "limit"),
    [
        (
            "en",
            "Up to five days before arrival you get a refund. After that nothing is refunded.",
            "Do I get a refund before arrival?",
            "nothing",
        ),
        ("ja", "館内での飲食は禁止です。ただし、飲み物は持ち込めます。", "飲み物は持ち込めますか？", "禁止"),
        ("zh-Hant", "七天內可以全額退費。但課程開始後不退費。", "七天內可以退費嗎？", "不退費"),
        ("zh-Hans", "七天内可以全额退款。但课程开始后不退款。", "七天内可以退款吗？", "不退款"),
    ],
)
def test_a_sentence_is_quoted_with_what_limits_it(language: str, text: str, question: str, limit: str) -> None:
    assert limit in said(language, question, passage(language, text))


@pytest.mark.parametrize(
    ("language", "text", "question"),
    [
        ("zh-Hans", TABLES["zh-Hans"], "半年卡多少钱？"),
        ("zh-Hant", "店長陳小芸每天都在店裡。", "店長電話是多少？"),
        ("ja", "現在の町長は井上真理で、2019年に就任しました。", "町長の年齢は？"),
        ("en", "The pool is closed on Mondays. The pool is for adults.", "How deep is the pool?"),
    ],
)
def test_what_is_not_told_is_not_answered_with_what_is_like_it(language: str, text: str, question: str) -> None:
    assert said(language, question, passage(language, text)) == ""


def test_of_questions_in_bold_only_the_one_asked_is_answered() -> None:
    text = "**Can I pay by card?** Yes, at the desk.\n\n**Is there a minimum stay?** Two nights in June."
    assert said("en", "Can I pay by card?", passage("en", text, "FAQ")) == "Yes, at the desk."


def test_the_number_of_a_rule_is_no_sentence() -> None:
    text = "Rule 1. Fires are forbidden.\nRule 2. Music must be off after 22:00."
    assert "Music must be off" in said("en", "What does rule 2 say?", passage("en", text, "Rules"))
