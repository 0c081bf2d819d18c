from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anaphor.text.tokens import cut, estimate
from anaphor.types import Outcome, Turn
from text.strategies import texts


@pytest.mark.parametrize(
    ("text", "at_least", "at_most"),
    [
        ("The quick brown fox jumps over the lazy dog.", 10, 14),
        ("退貨期限是七天，逾期恕不受理。", 15, 24),
        ("返品期限は七日間です。", 9, 16),
        ("2024-05-01", 6, 10),
        ("👷🏻", 2, 10),
        ("", 0, 0),
    ],
)
def test_estimates_are_high_but_not_wild(text: str, at_least: int, at_most: int) -> None:
    assert at_least <= estimate(text) <= at_most


@given(texts, texts)
def test_more_text_takes_no_fewer_tokens(text: str, more: str) -> None:
    assert 0 <= estimate(text) <= estimate(text + more)


@given(texts, texts, st.integers(0, 40))
def test_a_turn_is_cut_to_fit_answer_first(question: str, answer: str, tokens: int) -> None:
    turn = Turn("t", 1, question, Outcome.ANSWERED, answer)
    fitted = cut(turn, tokens)
    assert estimate(fitted.question) + estimate(fitted.answer) <= tokens
    assert question.startswith(fitted.question)
    assert answer.startswith(fitted.answer)
    assert fitted.question == question or fitted.answer == "" or estimate(fitted.answer) == 0
