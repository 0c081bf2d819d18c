"""What dates are written with: the names of months and of the days of the week, numerals, and how long a month is.

Which days a question means is read in ``steps.days``, which days a statement speaks of in ``memory.extract_days``.
"""

from __future__ import annotations

from calendar import monthrange
from datetime import date

MONTHS = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
CJK_WEEKDAYS = {c: n for n, cs in enumerate(("一月", "二火", "三水", "四木", "五金", "六土", "日天")) for c in cs}
"""The last character of 週一 and the first of 月曜, to the day of the week; Monday is 0."""
NUMERALS = {
    c: n for n, cs in enumerate(("〇零", "一元", "二", "三", "四", "五", "六", "七", "八", "九", "十")) for c in cs
}


def numeral(written: str) -> int:
    """A number as dates have it: digits, or 一 to 九十九; 元 of 令和元年 is 1."""
    if written.isdecimal():
        return int(written)
    tens, ten, ones = written.rpartition("十")
    return (NUMERALS.get(tens, 1) * 10 if ten else 0) + NUMERALS.get(ones, 0)


def whole_month(year: int, month: int) -> tuple[date, date]:
    """Its first and its last day; ``ValueError`` for a month that is none."""
    first = date(year, month, 1)
    return first, first.replace(day=monthrange(year, month)[1])
