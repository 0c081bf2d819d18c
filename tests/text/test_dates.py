"""Numerals as dates have them, and months from their first to their last day."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anaphor.text.dates import CJK_WEEKDAYS, MONTHS, WEEKDAYS, numeral, whole_month
from text.strategies import chinese


@given(st.integers(1, 99))
def test_numerals_of_dates_are_read(number):
    assert numeral(str(number)) == number
    assert numeral(chinese(number).removeprefix("一") if 10 <= number < 20 else chinese(number)) == number


@given(st.dates(max_value=date(9999, 11, 30)))
def test_a_month_ends_before_the_next_begins(day):
    first, last = whole_month(day.year, day.month)
    assert first <= day <= last
    assert (last + timedelta(1)).day == first.day == 1


def test_the_last_of_all_months_has_an_end_and_no_other_is_made_up():
    assert whole_month(9999, 12)[1] == date.max
    with pytest.raises(ValueError, match="month"):
        whole_month(2026, 13)


def test_days_of_the_week_begin_on_monday_in_every_language():
    assert WEEKDAYS[0] == "monday"
    assert [CJK_WEEKDAYS[c] for c in "一二三四五六日"] == [CJK_WEEKDAYS[c] for c in "月火水木金土日"] == [*range(7)]
    assert CJK_WEEKDAYS["天"] == 6
    assert len(MONTHS) == 12
