"""What is said of a thing that nobody asked about is not quoted beside the answer."""

from __future__ import annotations

import pytest

from anaphor.steps.answer.quote import quote
from anaphor.types import Decision, Evidence, Passage, StandaloneQuery

ROOMS = {
    "en": (
        "The Alder room seats 12 people. The Birch room seats 20 people. "
        "The Cedar room is on the second floor and seats 8 people."
    ),
    "zh-Hant": "赤楊廳可以坐 12 人。樺木廳可以坐 20 人。雪松廳在二樓，可以坐 8 人。",
    "zh-Hans": "赤杨厅可以坐 12 人。桦木厅可以坐 20 人。雪松厅在二楼，可以坐 8 人。",
    "ja": "松の間の定員は12名です。竹の間の定員は20名です。梅の間は二階にあり、定員は8名です。",
}


def answered(text, question, language, title="", section=""):
    passage = Passage("p", text, "rooms.md", language=language, title=title, section=section)
    asked = StandaloneQuery(question, Decision.STANDALONE, 1.0, language)
    return " ".join(claim.text for claim in quote(asked, Evidence((passage,)), language).claims)


@pytest.mark.parametrize(
    ("language", "question", "wanted", "others"),
    [
        ("en", "How many people does the Alder room seat?", "12", ("20", "8")),
        ("en", "How many people does the Birch room seat?", "20", ("12", "8")),
        ("zh-Hant", "樺木廳可以坐多少人？", "20", ("12", "8")),
        ("zh-Hant", "赤楊廳可以坐幾個人？", "12", ("20", "8")),
        ("zh-Hans", "桦木厅可以坐多少人？", "20", ("12", "8")),
        ("ja", "竹の間の定員は何名ですか？", "20", ("12", "8")),
        ("ja", "松の間の定員は？", "12", ("20", "8")),
    ],
)
def test_of_things_told_in_the_same_words_only_the_one_asked_about_is_quoted(language, question, wanted, others):
    said = answered(ROOMS[language], question, language)
    assert wanted in said
    assert not any(other in said for other in others), said


@pytest.mark.parametrize(
    ("language", "question"),
    [
        ("en", "How many people do the Alder and the Birch room seat?"),
        ("zh-Hant", "赤楊廳和樺木廳可以坐多少人？"),
        ("zh-Hans", "赤杨厅和桦木厅可以坐多少人？"),
        ("ja", "松の間と竹の間の定員は何名ですか？"),
    ],
)
def test_two_that_are_asked_about_are_both_quoted(language, question):
    said = answered(ROOMS[language], question, language)
    assert "12" in said
    assert "20" in said


@pytest.mark.parametrize(
    ("language", "text", "question", "wanted"),
    [
        (
            "en",
            "The kiln reached Mallow in spring. It weighs 410 kg and stands in the yard.",
            "How heavy is the kiln in Mallow?",
            "410",
        ),
        ("zh-Hant", "窯在春天運到梅洛。它重 410 公斤，放在院子裡。", "梅洛的窯有多重？", "410"),
        ("ja", "窯は春に梅路へ運ばれた。それは重さ410キロで、庭にある。", "梅路の窯の重さは？", "410"),
    ],
)
def test_a_sentence_that_goes_on_about_the_same_thing_is_no_sibling(language, text, question, wanted):
    assert wanted in answered(text, question, language)


LISTED = {
    "ja": ("- 体験コース：3,500円\n- 手びねりコース：8,000円\n- 電動ろくろコース：9,500円", "コース"),
    "en": ("- Taster course: 35 dollars\n- Hand building: 80 dollars\n- Wheel: 95 dollars", "Courses"),
    "zh-Hant": ("- 體驗課：350 元\n- 手捏課：800 元\n- 拉坯課：950 元", "課程"),
    "zh-Hans": ("- 体验课：350 元\n- 手捏课：800 元\n- 拉坯课：950 元", "课程"),
}


@pytest.mark.parametrize(
    ("language", "question"),
    [
        ("ja", "どんなコースがありますか？"),
        ("ja", "どのようなコースがありますか"),
        ("ja", "コースは何がありますか？"),
        ("ja", "コースの種類は？"),
        ("en", "What courses do you have?"),
        ("en", "Which courses do you offer?"),
        ("en", "What courses are there?"),
        ("zh-Hant", "有哪些課程？"),
        ("zh-Hant", "有什麼課程？"),
        ("zh-Hans", "有哪些课程？"),
        ("zh-Hans", "有什么课程？"),
    ],
)
def test_who_asks_what_there_is_gets_the_whole_list(language, question):
    text, section = LISTED[language]
    said = answered(text, question, language, "Pottery", section)
    assert all(item.removeprefix("- ") in said for item in text.splitlines()), said


def test_of_a_list_told_in_a_sentence_that_sentence_is_quoted():
    text = (
        "体験コース、手びねりコース、電動ろくろコースがあります。体験コースの料金は3,500円です。"
        "手びねりコースは月2回で8,000円です。"
    )
    for question in ("どんなコースがありますか？", "コースは何がありますか？", "コースの種類は？"):
        assert answered(text, question, "ja", "陶芸教室").startswith("体験コース、手びねり")


@pytest.mark.parametrize(
    ("language", "text", "question"),
    [
        ("zh-Hans", "月租金为每月2400元，押金3000元。儿童安全座椅每天收费30元。", "安全带多久换一次？"),
        ("zh-Hant", "安全帶租金每次 15 元，攀岩鞋租金每次 20 元。裝備可在櫃檯租借。", "安全帶多久要更換一次？"),
        (
            "en",
            "The harness costs 15 dollars a day. Shoes cost 20 dollars a day.",
            "How often is the harness replaced?",
        ),
        ("ja", "ハーネスのレンタルは1回500円です。靴は1回300円です。", "ハーネスは何回使えますか？"),
    ],
)
def test_what_something_costs_a_day_is_not_how_often_something_is_done(language, text, question):
    assert answered(text, question, language) == ""


@pytest.mark.parametrize(
    ("language", "text", "question", "wanted"),
    [
        ("zh-Hans", "安全带每三年更换一次。租借安全带每次15元。", "安全带多久换一次？", "每三年"),
        ("zh-Hant", "租借安全帶每次15元。安全帶每隔半年檢查。", "安全帶多久檢查一次？", "半年"),
        (
            "en",
            "Renting a harness costs 15 dollars a day. Harnesses are replaced every three years.",
            "How often are harnesses replaced?",
            "three years",
        ),
        (
            "ja",
            "ハーネスのレンタルは1回500円です。ハーネスは3年ごとに交換します。",
            "ハーネスは何年ごとに交換しますか？",
            "3年ごと",
        ),
    ],
)
def test_how_often_something_is_done_is_told_by_an_interval(language, text, question, wanted):
    said = answered(text, question, language)
    assert wanted in said
    assert "15" not in said
    assert "500" not in said
