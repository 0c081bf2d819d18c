"""Days and months that a text names in words: weekdays, months, yesterday, next week. Their numbers are numbers."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass

from anaphor.text.fold import fold

_WEEK = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


@dataclass(frozen=True, slots=True)
class Date:
    """``text[start:end]`` is how it is written; two that mean the same have the same ``meaning``."""

    meaning: str
    written: str
    start: int
    end: int


def dates(text: str, language: str = "und") -> list[Date]:
    """In the order of the text. 週日, 星期日 and 禮拜天 mean the same, and so do Sunday and Sundays."""
    folded = fold(text, language)
    found = []
    for match in _pattern(language == "ja").finditer(folded.text):
        kind = match.lastgroup or "relative"
        span = folded.source(*match.span(kind))
        found.append(Date(_MEANT[kind](match[kind]), text[span.start : span.end], span.start, span.end))
    return found


def _relative(word: str) -> str:
    return _SAME.get(word, word.replace("个", ""))


_SAME = {
    **dict.fromkeys(["今日", "本日", "今天"], "today"),
    **dict.fromkeys(["明日", "明天"], "tomorrow"),
    **dict.fromkeys(["昨日", "昨天"], "yesterday"),
    **dict.fromkeys(["週末", "周末", "weekends"], "weekend"),
    "昨年": "去年",
}
_MEANT = {
    "day": lambda word: word[:3],
    "month": lambda word: f"month {word[:3]}",
    "chinese": lambda word: _WEEK["一二三四五六日".index("日" if word[-1] == "天" else word[-1])],
    "japanese": lambda word: _WEEK["月火水木金土日".index(word[0])],
    "when": _relative,
    "relative": _relative,
}
_ENGLISH = (
    r"\b(?P<day>(?:mon|tues|wednes|thurs|fri|satur|sun)days?)\b"
    r"|\b(?P<month>january|february|march|april|june|july|august|september|october|november|december"
    r"|(?:jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)(?=\.?\s?\d)"
    r"|may(?=\s\d)|(?<=\bin )may(?!\s[a-z])|(?<=\d )may)\b"
    r"|\b(?P<when>yesterday|today|tomorrow|tonight|weekends?"
    r"|(?:last|next|this) (?:week|month|year|quarter|summer|winter))\b"
)
_CHINESE = (
    r"|(?P<relative>[昨今明后前]天(?!气)|今晚|周末|[上下]个?(?:周|星期|礼拜|月|季度?)(?![一二三四五六日天])|[今去明前后]年)"
    r"|(?P<chinese>(?:周|星期|礼拜)[一二三四五六日天])"
)
_JAPANESE = (
    r"|(?P<relative>昨日|今日|本日|明日|明後日|一昨日|今晩|今夜|週末|(?:再来|先々|今|先|来)[週月]|今年|去年|昨年|来年)"
    r"|(?P<japanese>[月火水木金土日]曜日?)"
)


@functools.cache
def _pattern(japanese: bool) -> re.Pattern[str]:
    return re.compile(_ENGLISH + (_JAPANESE if japanese else _CHINESE))
