"""A number of a claim is found in its source in whatever form, and no two different numbers are ever taken for one."""

from __future__ import annotations

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from anaphor.steps.verify import verify_claim
from anaphor.text.fold import matching
from anaphor.text.numbers import numbers
from anaphor.types import Claim, Evidence, Passage, Support
from text.strategies import chinese

MEANT = {
    ("year", 2024): ("民國113年", "民国113年", "令和6年", "二〇二四年", "2024年", "２０２４年", "民國一百一十三年"),
    ("year", 2023): ("民國112年", "令和5年", "二〇二三年", "2023年"),
    ("year", 2006): ("民國95年", "平成18年", "2006年"),
    ("share", 0.3): ("三割", "三成", "30%", "百分之三十", "３０％"),
    ("share", 0.35): ("三割五分", "三成五", "35%", "百分之三十五"),
    ("share", 0.8): ("八割", "八成", "80%", "百分之八十"),
    ("share", 1 / 3): ("三分之一", "3分の1"),
    ("price", 0.8): ("八折", "8折", "80折"),
    ("price", 0.85): ("八五折", "85折"),
    ("price", 0.3): ("三折", "3折"),
    ("count", 25_000): ("兩萬五", "两万五", "25,000", "二萬五千", "２５０００", "2萬5千"),
    ("count", 20_005): ("兩萬零五", "20,005", "二万〇五"),
    ("count", 2_500): ("兩千五", "2,500", "二千五百"),
    ("count", 20): ("廿", "二十", "20", "二〇"),
    ("count", 24): ("廿四", "二十四", "24"),
    ("count", 2024): ("2,024", "二千〇二十四"),
    ("count", 123): ("壹貳參", "123", "一百二十三", "１２３"),
    ("count", 1_200): ("壹仟貳佰", "1,200", "一千二"),
    ("count", 1_500_000_000_000): ("1.5兆", "一兆五千億", "1,500,000,000,000"),
    ("count", 1_500_000_000): ("15億", "十五億", "1,500,000,000"),
    ("count", 10_000): ("一萬", "10,000", "1万"),
}
FORMS = [(meaning, form) for meaning, forms in MEANT.items() for form in forms]
NO_NUMBERS = ("萬一", "万一", "三國", "三国演義", "一些", "十分", "千葉", "千葉県", "五十嵐", "星期三", "千萬別")


def read(form):
    return [(n.kind, n.value) for n in numbers(form)]


def supported(source, claim):
    passage = Passage("p", f"補助款項的數額是{source}。", "a.md", language="zh-Hant")
    verdict = verify_claim(Claim(f"補助款項的數額為{claim}。", (1,)), Evidence((passage,))).verdict
    return verdict is Support.SUPPORTED


@given(st.sampled_from(FORMS), st.sampled_from(FORMS))
def test_a_claim_is_supported_in_another_form_and_never_with_another_number(one, other):
    (meaning, form), (meant, written) = one, other
    same = meaning == meant or {meaning, meant} == {("year", 2024), ("count", 2024)}
    assert supported(form, written) is same, (form, written)


@pytest.mark.parametrize(("meaning", "form"), FORMS)
def test_every_form_is_one_number_of_its_meaning(meaning, form):
    ((_, value),) = read(f"數額是{form}。"[3:-1])
    assert value == meaning[1]


@pytest.mark.parametrize("word", NO_NUMBERS)
@given(st.sampled_from(FORMS))
def test_a_word_that_holds_a_numeral_is_no_number(word, one):
    _, form = one
    assert numbers(f"這裡{word}如此。") == []
    assert not supported(f"{word}的", form)


@given(st.sampled_from(FORMS), st.sampled_from(FORMS), st.sampled_from(["zh-Hant", "zh-Hans", "ja", "en", "und"]))
def test_folding_never_makes_two_different_numbers_equal(one, other, language):
    (meaning, form), (meant, written) = one, other
    if meaning[1] != meant[1]:
        assert matching(form, language) != matching(written, language)


@given(st.sampled_from(FORMS), st.sampled_from(["zh-Hant", "zh-Hans", "ja"]))
def test_what_is_folded_is_read_as_the_same_number_or_as_none(one, language):
    _, form = one
    assume(language != "ja" or not set(form) & set("兩两"))  # no Japanese text has them
    folded = [value for _, value in read(matching(form, language))]
    assert folded in ([], [value for _, value in read(form)])


_FORMAL = str.maketrans("一二三四五六七八九十百千萬", "壹貳參肆伍陸柒捌玖拾佰仟萬")

WAYS = (
    lambda n: f"{n:,}",
    lambda n: str(n),
    lambda n: f"{n:,}".translate({ord(str(d)): chr(0xFF10 + d) for d in range(10)}),
    chinese,
    lambda n: chinese(n).translate(_FORMAL),
)


@given(st.integers(11, 99_999_999), st.integers(11, 99_999_999), st.sampled_from(WAYS), st.sampled_from(WAYS))
@example(20_500, 20_005, chinese, chinese)
@example(25_000, 20_005, str, chinese)
@example(110, 101, chinese, chinese)
def test_any_two_whole_numbers_are_equal_only_if_they_are(one, other, written, again):
    first, second = written(one), again(other)
    assert [value for _, value in read(first)] == [one]
    assert supported(first, again(one))
    assume(one != other)
    assert not supported(first, second)


ERAS = {"民國": 1911, "令和": 2018, "平成": 1988, "昭和": 1925}


@given(
    st.sampled_from(list(ERAS)),
    st.integers(2, 60),
    st.sampled_from(list(ERAS)),
    st.integers(2, 60),
    st.sampled_from([str, chinese]),
)
def test_years_of_two_eras_are_equal_only_if_they_are_one_year(era, n, other, m, written):
    first, second = f"{era}{written(n)}年", f"{other}{m}年"
    same = ERAS[era] + n == ERAS[other] + m
    assert supported(first, second) is same
    assert supported(first, f"{ERAS[era] + n}年")
    assert not supported(first, f"{ERAS[era] + n + 1}年")


@given(st.integers(1, 9), st.integers(1, 9))
def test_a_share_is_no_price_and_no_count(one, other):
    share, price = f"{chinese(one)}成", f"{chinese(other)}折"
    assert not supported(share, price)
    assert not supported(share, f"{one + 10}個")
    assert supported(share, f"{one * 10}%")
    assert supported(price, f"{other}折")
