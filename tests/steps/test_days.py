"""Which days a text speaks of, in four languages."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anaphor.steps.days import named, relative, said_on, told
from growth import in_proportion

SAID = date(2026, 5, 20)  # a Wednesday


def spans(text, said=SAID):
    return [(days.first.isoformat(), days.last.isoformat()) for days in told(text, said)]


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("We met on 7 May 2023.", "2023-05-07", "2023-05-07"),
        ("on May 3rd, 2023", "2023-05-03", "2023-05-03"),
        ("in February 2023", "2023-02-01", "2023-02-28"),
        ("It was in August.", "2026-08-01", "2026-08-31"),
        ("2023-05-07", "2023-05-07", "2023-05-07"),
        ("五月三日去的", "2026-05-03", "2026-05-03"),
        ("2023年5月3號", "2023-05-03", "2023-05-03"),
        ("五月二十三号开会", "2026-05-23", "2026-05-23"),
        ("十二月的旅行", "2025-12-01", "2025-12-31"),
        ("二月に行きました", "2026-02-01", "2026-02-28"),
        ("I called her yesterday.", "2026-05-19", "2026-05-19"),
        ("昨天看了醫生", "2026-05-19", "2026-05-19"),
        ("昨日病院に行った", "2026-05-19", "2026-05-19"),
        ("上週三去了台中", "2026-05-13", "2026-05-13"),
        ("上个星期五开会", "2026-05-15", "2026-05-15"),
        ("先週の水曜日に", "2026-05-13", "2026-05-13"),
        ("last Friday", "2026-05-15", "2026-05-15"),
        ("last week", "2026-05-11", "2026-05-17"),
        ("上個月搬家", "2026-04-01", "2026-04-30"),
        ("先月引っ越した", "2026-04-01", "2026-04-30"),
        ("three days ago", "2026-05-17", "2026-05-17"),
        ("三天前", "2026-05-17", "2026-05-17"),
        ("去年買的", "2025-01-01", "2025-12-31"),
    ],
)
def test_days_are_read_and_resolved_against_the_day_of_the_message(text, first, last):
    assert spans(text) == [(first, last)]


@pytest.mark.parametrize("text", ["May I ask you?", "三個月", "10月號", "日月潭", "on 31 June 2023", "a 3 of them", ""])
def test_what_names_no_day_gives_none(text):
    assert spans(text) == []


def test_without_a_date_of_the_message_only_whole_dates_count():
    assert list(told("yesterday, in August, on 7 May 2023", None)) == list(told("7 May 2023", None))


@pytest.mark.parametrize(
    ("written", "day"),
    [("2026-03-03T21:12+08:00", date(2026, 3, 3)), ("2026-03-03", date(2026, 3, 3)), ("soon", None), (None, None)],
)
def test_a_messages_day_is_that_of_its_own_zone(written, day):
    assert said_on(written) == day


@given(st.text(max_size=200), st.dates())
def test_any_text_and_any_day_are_read(text, said):
    assert all(days.first <= days.last for days in [*told(text, said), *relative(text, said)])
    named(text)


@pytest.mark.parametrize("unit", ["1", "2023年", "last ", "五"])
def test_a_huge_paste_takes_time_in_proportion(unit):
    assert in_proportion(lambda size: list(told(unit * (size // len(unit)), SAID)), 250_000)


@pytest.mark.parametrize(
    "text", ["valid until December 9999", "到9999年12月為止", "到9999年12月为止", "9999年12月まで有効"]
)
def test_the_last_month_that_a_calendar_has_is_a_month_too(text):
    assert [days.last for days in told(text, SAID)] == [date(9999, 12, 31)]
