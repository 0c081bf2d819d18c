"""Which days a text speaks of: 7 May 2023, in February, 五月三日, 上週三, 先月, "yesterday" as of the day it was said.

A day in words is resolved against the date of the message that says it, in that message's own time zone: what counts is
which day it was for the person who said it. Only ranges of days are given, never an hour.
"""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from anaphor.text.dates import CJK_WEEKDAYS, MONTHS, NUMERALS, WEEKDAYS, numeral, whole_month

LONGEST = 4000  # characters of a text that are looked at


@dataclass(frozen=True, slots=True)
class Days:
    """From ``first`` to ``last``, both included."""

    first: date
    last: date

    def meets(self, other: Days) -> bool:
        return self.first <= other.last and other.first <= self.last

    def before(self, day: date, within: int) -> bool:
        """Whether they ended at most ``within`` days before that day."""
        return timedelta(0) < day - self.last <= timedelta(within)


@dataclass(frozen=True, slots=True)
class Named:
    """A day or month as it is written; the year is often left out."""

    year: int | None
    month: int
    day: int | None

    def days(self, near: date | None) -> Days | None:
        """Where the year is left out, the one in which the day is nearest to ``near``; ``None`` for no day there is."""
        if self.year is None and near is None:
            return None
        years = (self.year,) if self.year is not None else tuple(near.year + n for n in (-1, 0, 1)) if near else ()
        found = [days for year in years if (days := _days(year, self.month, self.day))]
        return min(found, key=lambda days: abs(days.first - (near or days.first)), default=None)


def said_on(text: str | None) -> date | None:
    """The date part of an ISO 8601 time, as it is written: of the zone it is written in."""
    try:
        return date.fromisoformat((text or "")[:10])
    except ValueError:
        return None


def named(text: str) -> list[Named]:
    """The days and months that the text names."""
    found = []
    for match in _absolute().finditer(_folded(text)):
        year, month, day = (
            next((v for k, v in match.groupdict().items() if v and k[0] == part), None) for part in "ymd"
        )
        number = _month(month or "")
        if number:
            found.append(Named(int(year) if year else None, number, numeral(day) if day else None))
    return found


@functools.lru_cache(maxsize=4096)  # one question after another comes near the same messages
def told(text: str, said: date | None) -> tuple[Days, ...]:
    """The days that a message of that date speaks of, named or in words."""
    found = [days for one in named(text) if (days := one.days(said))]
    return (*found, *(relative(text, said) if said is not None else ()))


def relative(text: str, said: date) -> Iterator[Days]:
    """Of "yesterday", "last week", "two days ago", 上週三, 先月: which days that were, seen from ``said``."""
    for match in _relative().finditer(_folded(text)):
        kind = match.lastgroup or ""
        try:
            yield _RULES[kind.rstrip("_")](said, {k: v for k, v in match.groupdict().items() if v})
        except (OverflowError, ValueError):  # before the year 1
            continue


def _folded(text: str) -> str:
    if text.isascii():
        return text[:LONGEST].lower()
    return unicodedata.normalize("NFKC", text[:LONGEST]).lower()


def _month(written: str) -> int:
    """From 1; 0 for none."""
    if written.isdecimal() or written[0] in NUMERALS:
        return n if 1 <= (n := numeral(written)) <= 12 else 0
    return next((n for n, name in enumerate(MONTHS, 1) if name.startswith(written[:3])), 0)


def _days(year: int, month: int, day: int | None) -> Days | None:
    try:
        return _one(date(year, month, day)) if day else Days(*whole_month(year, month))
    except ValueError:
        return None


@functools.cache
def _absolute() -> re.Pattern[str]:
    month = f"(?:{'|'.join(MONTHS)}|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)"
    cjk = "1[0-2]|0?[1-9]|十[一二]?|[一二三四五六七八九]"
    return re.compile(
        rf"\b(?P<d1>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? (?P<m1>{month})\b\.?,?(?: (?P<y1>\d{{4}})\b)?"
        rf"|\b(?P<m2>{month})\b\.? (?P<d2>\d{{1,2}})(?:st|nd|rd|th)?\b(?!:)(?:,? (?P<y2>\d{{4}})\b)?"
        rf"|\b(?P<m3>{month})\b,? (?P<y3>\d{{4}})\b"
        rf"|\b(?:in|of|during|since|this|last) (?P<m4>{'|'.join(MONTHS)})\b(?:,? (?P<y4>\d{{4}})\b)?"
        r"|\b(?P<y5>\d{4})[-/.](?P<m5>\d{1,2})[-/.](?P<d5>\d{1,2})\b"
        rf"|(?:(?P<y6>\d{{4}})年)?(?<![\d一二三四五六七八九十])(?P<m6>{cjk})月(?P<d6>[0-3]?\d|[一二三四五六七八九十]{{1,3}})[日號号]"
        rf"|(?:(?P<y7>\d{{4}})年)?(?<![\d一二三四五六七八九十個个])(?P<m7>{cjk})月(?![\d日曜亮餅饼號号一二三四五六七八九十])"
    )


# ── in words ──────────────────────────────────────────────────────────────────────────────────────────────────────

Parts = dict[str, str]
Rule = Callable[[date, Parts], Days]


@functools.cache
def _relative() -> re.Pattern[str]:
    number = r"\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|a couple of|a few"
    return re.compile(
        r"(?P<before2>\b(?:the )?day before yesterday\b|前天|一昨日|おととい)"
        r"|(?P<before1>\byesterday\b|\blast night\b|昨天|昨日|昨晚|昨夜|きのう)"
        r"|(?P<day>\btoday\b|\btonight\b|\bthis (?:morning|afternoon|evening)\b|今天|今日|今晚|今夜)"
        r"|(?P<after1>\btomorrow\b|明天|明日|あした)"
        rf"|\blast (?P<on1>{'|'.join(WEEKDAYS)})\b"
        r"|(?:上個?|上个)(?:週|周|星期|禮拜|礼拜)(?P<on2>[一二三四五六日天])|先週の?(?P<on3>[月火水木金土日])曜"
        r"|(?P<weekend>\blast weekend\b|\bthe weekend\b|上個?週末|上个?周末|先週末)"
        r"|(?P<week>\blast week\b|(?:上個?|上个)(?:週|周|星期|禮拜|礼拜)(?![一二三四五六日天末])"
        r"|先週(?!の?[月火水木金土日]曜|末))"
        r"|(?P<month>\blast month\b|上個月|上个月|先月)"
        r"|(?P<year>\blast year\b|去年|昨年)"
        rf"|\b(?P<n1>{number}) (?P<ago1>days?|weeks?|months?|years?) ago\b"
        r"|(?P<n2>\d{1,3}|[一二兩两三四五六七八九十])(?P<ago2>天|日|週間?|周|個星期|个星期|個月|个月|か月|ヶ月|カ月|年)(?:之|以)?前"
    )


_ENGLISH_NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_NUMBERS = {name: n for numbers in (_ENGLISH_NUMBERS, "一二三四五六七八九十") for n, name in enumerate(numbers, 1)}
_NUMBERS |= {"a": 1, "an": 1, "a couple of": 2, "a few": 3, "兩": 2, "两": 2}


def _one(day: date) -> Days:
    return Days(day, day)


def _week(said: date, back: int = 1) -> date:
    """Monday of the week that lies so many weeks back."""
    return said - timedelta(said.weekday() + 7 * back)


def _weekday(said: date, parts: Parts) -> Days:
    name = next(value for key, value in parts.items() if key.startswith("on"))
    if name in WEEKDAYS:  # "last Friday" is the newest one before today
        return _one(said - timedelta((said.weekday() - WEEKDAYS.index(name) - 1) % 7 + 1))
    return _one(_week(said) + timedelta(CJK_WEEKDAYS[name]))  # 上週五 is that of the week before


def _ago(said: date, parts: Parts) -> Days:
    n = next(value for key, value in parts.items() if key[0] == "n")
    unit = next(value for key, value in parts.items() if key.startswith("ago"))
    count = int(n) if n.isdecimal() else _NUMBERS[n]
    days = {"d": 1, "天": 1, "日": 1, "w": 7, "週": 7, "周": 7, "y": 365, "年": 365}.get(unit[0])
    days = 7 if "星期" in unit else days or 30
    middle, slack = said - timedelta(count * days), timedelta(days // 4)
    return Days(middle - slack, middle + slack)


def _last_month(said: date, _parts: Parts) -> Days:
    last = said.replace(day=1) - timedelta(1)
    return Days(last.replace(day=1), last)


_RULES: dict[str, Rule] = {
    "before2": lambda said, _: _one(said - timedelta(2)),
    "before1": lambda said, _: _one(said - timedelta(1)),
    "day": lambda said, _: _one(said),
    "after1": lambda said, _: _one(said + timedelta(1)),
    "weekend": lambda said, _: Days(_week(said) + timedelta(5), _week(said) + timedelta(6)),
    "week": lambda said, _: Days(_week(said), _week(said) + timedelta(6)),
    "month": _last_month,
    "year": lambda said, _: Days(date(said.year - 1, 1, 1), date(said.year - 1, 12, 31)),
    **dict.fromkeys(("on1", "on2", "on3"), _weekday),
    **dict.fromkeys(("ago1", "ago2"), _ago),
}
