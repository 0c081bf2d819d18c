"""What dates are written with: the names of months and of the days of the week, numerals, and how long a month is.

Which days a question means is read in ``steps.days``, which days a statement speaks of in ``memory.extract_days``.
"""

from __future__ import annotations

from calendar import monthrange
from datetime import date

from anaphor.text.patterns import pattern

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


def days_ago(text: str) -> int:
    """About how many days ago something was, as the text says: three years ago, 上個月, 2年前; 0 where it does not."""
    text = text[:LONGEST].casefold()
    if found := _AGO.search(text):
        amount, unit = (found["n"] or found["m"], found["unit"] or found["u"])
        return _many(amount) * next((days for name, days in _DAYS.items() if unit.startswith(name)), 1)
    return next((days for words, days in _LATELY if words.search(text)), 0)


def _many(written: str) -> int:
    if written in _FEW:
        return _FEW[written]
    return numeral(written.translate(_TWO))


LONGEST = 400  # characters that are looked at
_TWO = str.maketrans("两兩", "二二")
_FEW = {"a": 1, "an": 1, "couple": 2, "few": 3, "several": 5, "几": 3, "幾": 3, "数": 3, "數": 3}
_WRITTEN = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_FEW |= {word: n for n, word in enumerate(_WRITTEN, 1)}
_DAYS = {"day": 1, "week": 7, "month": 30, "year": 365, "天": 1, "日": 1, "周": 7, "週": 7, "星期": 7, "禮拜": 7}
_DAYS |= {"礼拜": 7, "月": 30, "年": 365}
_AGO = pattern(
    rf"\b(?:a )?(?P<n>\d{{1,3}}|a|an|{'|'.join(_WRITTEN)}|couple|few|several)(?: of)? "
    r"(?P<unit>day|week|month|year)s? ago\b"
    r"|(?P<m>\d{1,3}|[一二三四五六七八九十两兩几幾数數]{1,3}) ?[個个かヶカヵ]?"
    r"(?P<u>天|日|周|週|星期|禮拜|礼拜|月|年)間?多?(?:以|之)?前"
)
_LATELY = (
    (pattern(r"\byesterday\b|昨天|昨晚|昨日"), 1),
    (pattern(r"\blast week\b|上個?(?:週|星期|禮拜)|上个?(?:周|星期|礼拜)|先週"), 7),
    (pattern(r"\blast month\b|上個?月|上个?月|先月"), 30),
    (pattern(r"\blast year\b|去年|昨年"), 365),
    (pattern(r"\bthe year before last\b|前年|一昨年|おととし"), 730),
)
