"""The evaluator's own token counter and words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anaphor_eval.content import all_tokens, content_tokens, even_text
from anaphor_eval.tokens import count


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        ("a", 1),
        ("abcd", 1),
        ("abcde", 2),
        ("台中市人口", 5),
        ("台中市人口。", 6),
        ("東京の人口は何人ですか", 11),
        ("人口a", 3),
        ("05/22 週一 22:45", 2 + 3),
        ("𠮷野家", 3),
    ],
)
def test_one_token_a_cjk_character_and_one_for_four_others(text, tokens):
    assert count(text) == tokens


@given(st.text(), st.text())
def test_a_text_costs_no_less_than_its_part_and_no_more_than_its_parts(a, b):
    assert max(count(a), count(b)) <= count(a + b) <= count(a) + count(b)


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("那它的增長率呢？", ["增", "長", "率"]),
        ("为什么明天放假？", ["明", "天", "放", "假"]),
        ("マーラーはどこで生まれましたか", ["マ", "ー", "ラ", "ー", "生"]),
        ("How old is the moon?", ["old", "moon"]),
        ("QX-20731 不支援嗎", ["qx", "20731", "不", "支", "援"]),
        ("ＡＢＣ café", ["abc", "café"]),
    ],
)
def test_function_words_and_hiragana_carry_nothing(text, tokens):
    assert content_tokens(text) == tokens


def test_negation_is_content():
    assert "不" in content_tokens("不含稅")
    assert "not" in content_tokens("not included")


@given(st.text())
def test_content_is_never_more_than_all(text):
    assert len(content_tokens(text)) <= len(all_tokens(text))


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("How old is it", "how old  is it?"),
        ("人口是多少？", "人口 是多少"),
        ("それはいつですか。", "それはいつですか"),
        ("ＡＢＣ", "abc"),
    ],
)
def test_nobody_is_wrong_for_a_mark_or_a_space(a, b):
    assert even_text(a) == even_text(b)
