from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anaphor.text.fold import matching
from anaphor.text.numbers import in_digits, numbers
from text.strategies import chinese, languages, texts


@pytest.mark.parametrize(
    ("text", "surface", "value", "kind"),
    [
        ("民國113年度的補助", "民國113年", 2024, "year"),
        ("民国一百一十三年", "民国一百一十三年", 2024, "year"),
        ("令和6年", "令和6年", 2024, "year"),
        ("平成元年", "平成元年", 1989, "year"),
        ("二〇二四年的補助", "二〇二四年", 2024, "year"),
        ("２０２４年", "２０２４年", 2024, "year"),
        ("自備款三成", "三成", 0.3, "ratio"),
        ("三成五", "三成五", 0.35, "ratio"),
        ("三割五分です", "三割五分", 0.35, "ratio"),
        ("百分之十二", "百分之十二", 0.12, "ratio"),
        ("三分之一", "三分之一", 1 / 3, "ratio"),
        ("３５％", "３５％", 0.35, "ratio"),
        ("全館八折", "八折", 0.8, "price_factor"),
        ("85折", "85折", 0.85, "price_factor"),
        ("七五折", "七五折", 0.75, "price_factor"),
        ("押金兩萬五", "兩萬五", 25000, "integer"),
        ("押金兩萬零五元", "兩萬零五", 20005, "integer"),
        ("一千八的套餐", "一千八", 1800, "integer"),
        ("預算 1.5 兆元", "1.5 兆", 1_500_000_000_000, "integer"),
        ("三千二百萬", "三千二百萬", 32_000_000, "integer"),
        ("1億2000万円", "1億2000万", 120_000_000, "integer"),
        ("壹仟貳佰元", "壹仟貳佰", 1200, "integer"),
        ("廿四小時", "廿四", 24, "integer"),
        ("共 1,200 元", "1,200", 1200, "integer"),
        ("１，２００円", "１，２００", 1200, "integer"),
        ("12億", "12億", 1_200_000_000, "integer"),
        ("二〇", "二〇", 20, "integer"),
        ("三點五公斤", "三點五", 3.5, "decimal"),
        ("０．５", "０．５", 0.5, "decimal"),
        ("三天", "三", 3, "integer"),
        ("十分鐘", "十", 10, "integer"),
        ("千円", "千", 1000, "integer"),
        ("about 2.5 million", "2.5 million", 2_500_000, "integer"),
        ("twenty-five days", "twenty-five", 25, "integer"),
        ("one hundred seats", "one hundred", 100, "integer"),
        ("fifty percent off", "fifty percent", 0.5, "ratio"),
        ("代碼壹貳參", "壹貳參", 123, "integer"),
    ],
)
def test_exact_quantities(text: str, surface: str, value: float, kind: str) -> None:
    assert [(n.surface, n.value, n.kind) for n in numbers(text)] == [(surface, value, kind)]


@pytest.mark.parametrize(
    "text",
    [
        "萬一停電",
        "我十分滿意",
        "三國演義",
        "還有一些問題",
        "千萬別重開機",
        "等個兩三天",
        "數十萬人",
        "七八十人",
        "三十多人",
        "三年半",
        "兩點半",
        "星期三",
        "千葉県",
        "百合",
        "五十嵐さん",
        "六本木",
        "一個",
        "E4413",
        "QX-20731",
        "v1.2.3",
        "192.168.0.1",
        "三成長",
        "骨折",
        "百年老店",
        "幾百萬",
        "one day",
        "參天大樹",
        "参加者",
        "一時",
    ],
)
def test_what_is_no_exact_quantity(text: str) -> None:
    assert numbers(text) == []


def test_japanese_has_no_spoken_tail() -> None:
    assert [n.value for n in numbers("二万五", "ja")] == [20005]
    assert [n.value for n in numbers("二万五", "zh-Hant")] == [25000]


def test_an_index_holds_numbers_in_digits() -> None:
    assert in_digits("押金兩萬五，民國113年，3 樓，1,200") == ["25000", "2024"]


@given(st.integers(10, 99_999_999))
def test_numerals_written_out_are_read_back(number: int) -> None:
    assert [n.value for n in numbers(chinese(number))] == [number]
    assert [n.value for n in numbers(f"{number:,}")] == [number]


_WRITTEN = st.sampled_from("0123456789０１２３４５６７８９一二三四五六七八九十百千萬億兩零〇.,%²½①成折")


@given(st.lists(_WRITTEN, min_size=1, max_size=6), st.lists(_WRITTEN, min_size=1, max_size=6), languages)
def test_folding_never_makes_two_different_numbers_equal(one: list[str], other: list[str], language: str) -> None:
    first, second = "".join(one), "".join(other)
    values = [[(n.value, n.kind) for n in numbers(text, language)] for text in (first, second)]
    if values[0] and values[1] and values[0] != values[1]:
        assert matching(first, language) != matching(second, language)


@given(texts, languages)
def test_numbers_are_verbatim_in_order_and_apart(text: str, language: str) -> None:
    end = 0
    for number in numbers(text, language):
        assert end <= number.start < number.end <= len(text)
        assert number.surface == text[number.start : number.end]
        assert isinstance(number.value, int | float)
        assert Fraction(number.value) >= 0
        end = number.end
