from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given

from anaphor.text.fold import clean, fold, han_variants, matching
from growth import in_proportion
from text.strategies import languages, texts


@pytest.mark.parametrize(
    ("written", "compared"),
    [
        ("ＡＢ－１２０", "ab-120"),
        ("ｻｰﾊﾞｰ", "サーバー"),
        ("か\u3099", "が"),
        ("ﬁle CAFÉ e\u0301", "file cafe e"),
        ("⻘⼀⻑", "青一长"),
        ("報\u200b销\ufeff", "报销"),
        ("葛\U000e0100", "葛"),
        ("臺中倉庫裏的牀", "台中仓库里的床"),
        ("着火", "着火"),
        ("著火", "着火"),
        ("原著", "原着"),
        ("CO₂ m²", "co2 m2"),
        ("Straße", "strasse"),
    ],
)
def test_what_a_person_takes_for_equal_is_equal(written: str, compared: str) -> None:
    assert matching(written) == compared


def test_japanese_folds_old_forms_and_never_through_chinese() -> None:
    assert matching("髙橋 渡邊 渡邉 齋藤 國立 學校 﨑", "ja") == "高橋 渡辺 渡辺 斎藤 国立 学校 崎"
    assert matching("機械と机", "ja") == "機械と机"
    assert matching("機械", "zh-Hant") == "机械"
    assert matching("芸術 弁当", "ja") == "芸術 弁当"


@pytest.mark.parametrize(
    ("text", "found", "source"),
    [
        ("あｻｰﾊﾞｰい", "サーバー", "ｻｰﾊﾞｰ"),
        ("a ﬁle", "f", "ﬁ"),
        ("e\u0301x", "e", "e\u0301"),
        ("報\u200b销", "报销", "報\u200b销"),
        ("x\u200b報\u200by", "报", "報"),
        ("か\u3099\ufe00!", "が", "か\u3099"),
        ("更新軟體", "软体", "軟體"),
    ],
)
def test_the_way_back_is_the_smallest_stretch(text: str, found: str, source: str) -> None:
    folded = fold(text)
    start = folded.text.index(found)
    span = folded.source(start, start + len(found))
    assert text[span.start : span.end] == source


def test_digits_written_small_keep_their_distance() -> None:
    assert matching("5²") != matching("52")
    assert matching("1½") != matching("11/2")
    assert matching("①5") != matching("15")
    assert matching("3⑤") != matching("35")


def test_clean_changes_nothing_but_what_cannot_be_stored() -> None:
    assert clean("a\0b\ud800\udc00ＡÉ\u200b") == "a b\ufffd\ufffdＡÉ\u200b"


def test_tables_are_closed_and_one_to_one() -> None:
    for name in ("simplified", "shinjitai"):
        table = han_variants(name)
        assert len(table) > 400
        for code, form in table.items():
            assert len(chr(code)) == len(form) == 1
            assert ord(form) not in table


def test_tables_keep_numerals_apart() -> None:
    digits = "〇零一二三四五六七八九十百千万亿兆"
    assert len({matching(digit) for digit in digits}) == len(digits)


@given(texts, languages)
def test_every_folded_character_has_a_place_in_the_source(text: str, language: str) -> None:
    folded = fold(text, language)
    spans = [folded.source(at, at + 1) for at in range(len(folded.text))]
    for span in spans:
        assert 0 <= span.start < span.end <= len(text)
    assert all(a.start <= b.start and a.end <= b.end for a, b in pairwise(spans))
    if spans:
        whole = folded.source(0, len(folded.text))
        assert (whole.start, whole.end) == (spans[0].start, spans[-1].end)
    assert folded.source(0, 0).start == folded.source(0, 0).end


@given(texts, languages)
def test_folding_again_changes_nothing(text: str, language: str) -> None:
    once = matching(text, language)
    assert matching(once, language) == once


@given(texts, texts, languages)
def test_folding_is_of_the_parts_where_nothing_joins(one: str, other: str, language: str) -> None:
    assert matching(f"{one}\n{other}", language) == f"{matching(one, language)}\n{matching(other, language)}"


@given(texts)
def test_clean_text_can_be_written(text: str) -> None:
    cleaned = clean(text)
    assert "\0" not in cleaned
    cleaned.encode("utf-8")
    assert clean(cleaned) == cleaned


@pytest.mark.parametrize("part", ["更新軟體前請先備份。\n", "Hello Wörld ", "\u0301\u0327", "\u200b", "5²", "ｶﾞ"])
def test_folding_takes_time_in_proportion_to_the_text(part: str) -> None:
    def work(size: int) -> None:
        fold(part * (size // len(part))).source(0, 1)

    assert in_proportion(work, 12_500)
