"""Days, months and amounts that passages tell by a stretch: Wednesday by "Tuesday to Friday", at ten by "under 12".

A day of the week, or a month, that no passage names is put as the passages put the stretch that holds it (週三: 週二至
週五; January: "from November to March") or as what stands for it (平日, weekdays, 土日), and the other way round. An
amount that none has is put as a limit of the same unit (五個人: 六人以上): on which side of it the amount lies, the
sentence says.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass

_TO = r"\s*(?:至|到|から|[~～〜–—-]|\bto\b|\bthrough\b|\buntil\b)\s*"


@dataclass(frozen=True, slots=True)
class Cycle:
    """What comes round again: each member in all its forms, in folded text, and what stands for several of them."""

    forms: tuple[re.Pattern[str], ...]
    names: tuple[tuple[str, ...], ...]
    may_name: re.Pattern[str]
    stretch: re.Pattern[str]
    called: tuple[tuple[tuple[str, ...], int, int], ...] = ()

    def named(self, folded: str) -> bool:
        """Whether the text may name a member, or what stands for some."""
        return bool(self.may_name.search(folded))

    def put(self, folded: str, shown: str) -> str:
        """The question with what it names as the passages have it."""
        if not self.named(folded):
            return folded
        for n, form in enumerate(self.forms):
            for match in list(form.finditer(folded))[:2]:
                there = match[0] not in shown and self._instead(n, form, shown)
                if there:
                    folded = folded.replace(match[0], there)
        for words, first, last in self.called:
            named = next((word for word in words if word in folded), "")
            if named and not any(word in shown for word in words):
                folded = folded.replace(named, self._for_all(first, last, shown) or named)
        return folded

    def names_beside(self, folded: str) -> list[str]:
        """Other names of the members that the text names, and what stands for several of which they are one."""
        if not self.named(folded):
            return []
        here = [n for n, form in enumerate(self.forms) if form.search(folded)]
        return [
            *(name for n in here for name in self.names[n] if name not in folded),
            *(word for words, first, last in self.called for word in words if any(first <= n <= last for n in here)),
        ]

    def _instead(self, n: int, form: re.Pattern[str], shown: str) -> str:
        """How the passages call the member, or a stretch that holds it; empty if they do not."""
        other = form.search(shown)
        if other:
            return other[0]
        return next((words for first, last, words in _told(self, shown) if self._holds(first, last, n)), "")

    def _for_all(self, first: int, last: int, shown: str) -> str:
        """How the passages call all of them, else the first of them."""
        for start, end, words in _told(self, shown):
            if self._holds(start, end, first) and self._holds(start, end, last):
                return words
        found = self.forms[first].search(shown) if last - first == 1 else None
        return found[0] if found else ""

    def _holds(self, first: int, last: int, n: int) -> bool:
        return first <= n <= last if first <= last else n >= first or n <= last

    def all_told(self, shown: str) -> Iterator[tuple[int, int, str]]:
        for match in self.stretch.finditer(shown):
            first, last = self._number(match["first"]), self._number(match["last"], match["first"])
            if first is not None and last is not None and first != last:
                yield first, last, match["first"]
        for words, first, last in self.called:
            found = next((word for word in words if word in shown), "")
            if found:
                yield first, last, found

    def _number(self, name: str, beside: str = "") -> int | None:
        """Its place; 五 of 一至五 has the form of what it stands beside."""
        for n, form in enumerate(self.forms):
            if form.fullmatch(name) or (beside and form.fullmatch(beside[:-1] + name)):
                return n
        return None


@functools.lru_cache(maxsize=64)
def _told(cycle: Cycle, shown: str) -> tuple[tuple[int, int, str], ...]:
    return tuple(cycle.all_told(shown))


@functools.cache
def cycles() -> tuple[Cycle, ...]:
    """The days of the week and the months."""
    return (_days(), _months())


def _days() -> Cycle:
    names = (
        *(("一", "月", "mon", "monday"), ("二", "火", "tues?", "tuesday"), ("三", "水", "wed", "wednesday")),
        *(("四", "木", "thu(?:rs)?", "thursday"), ("五", "金", "fri", "friday"), ("六", "土", "sat", "saturday")),
        ("日天", "日", "sun", "sunday"),
    )
    forms = tuple(
        re.compile(
            rf"(?:周|星期|礼拜)[{zh}]|(?<![\u3400-\u9fff]){ja}曜日?|(?<=[、・とや]){ja}曜日?"
            rf"|(?<![a-z]){short}(?:\.|(?={short[0]}))?(?![a-z])|(?<![a-z]){whole}s?(?![a-z])"
        )
        for zh, ja, short, whole in names
    )
    day = (
        r"(?:(?:周|星期|礼拜)[一二三四五六日天]|[月火水木金土日]曜日?|(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?"
        r"|sun)(?:day)?s?)"
    )
    short_ja = r"(?<![\u3400-\u9fff])[月火水木金土日](?=[~～〜–—-][月火水木金土日](?![\u3400-\u9fff]))"
    written = tuple((f"周{zh[0]}", f"星期{zh[0]}", f"{ja}曜", whole) for zh, ja, _, whole in names)
    return Cycle(
        forms,
        written,
        re.compile("[周期拜曜土日月火水木金]|mon|tue|wed|thu|fri|sat|sun|week|末|平日|工作"),
        re.compile(
            rf"(?<![a-z])(?P<first>{day}|{short_ja})[(（]?[)）]?{_TO}(?P<last>{day}|[一二三四五六日天月火水木金土])"
        ),
        (
            (("平日", "工作日", "上班日", "weekdays", "weekday"), 0, 4),
            (("土日", "周末", "週末", "假日", "weekends", "weekend"), 5, 6),
        ),
    )


def _months() -> Cycle:
    names = [
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
    ]
    numbers = ["一", "二", "三", "四", "五", "六", "七", "八", "九", "十", "十一", "十二"]
    forms = tuple(
        re.compile(
            rf"(?<![\d年]){n}月(?!\d)|(?<![一二三四五六七八九十]){zh}月|(?<![a-z])(?:{en}|{en[:3]}\.?)(?![a-z])"
            if en != "may"
            else rf"(?<![\d年]){n}月(?!\d)|(?<![一二三四五六七八九十]){zh}月|(?<=in |to )may(?![a-z])|may(?= to )"
        )
        for n, (zh, en) in enumerate(zip(numbers, names, strict=True), 1)
    )
    month = r"(?:\d{1,2}月|[一二三四五六七八九十]{1,2}月|" + "|".join(rf"{en}|{en[:3]}\.?" for en in names) + ")"
    written = tuple((f"{n}月", f"{zh}月", en) for n, (zh, en) in enumerate(zip(numbers, names, strict=True), 1))
    return Cycle(
        forms,
        written,
        re.compile(r"[\d一二三四五六七八九十]月|" + "|".join(f"(?<![a-z]){en[:3]}" for en in names)),
        re.compile(rf"(?<![a-z\d])(?P<first>{month})(?:\d{{1,2}}日|末|底|初)?{_TO}(?:the end of )?(?P<last>{month})"),
    )


# ── amounts ───────────────────────────────────────────────────────────────────────────────────────────────────────

_N = r"(?:\d[\d,.]*|[一二三四五六七八九十百千兩两]{1,4})"
_N_EN = r"(?:\d[\d,.]*|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
_UNITS = (
    (r"\s?(?:个人|人|位|名)(?![\u3400-\u9fff]{0,1}[员工])", r"[ -](?:people|persons?|guests?|adults?|visitors?)\b"),
    (r"\s?(?:岁|歳|才)", r"[ -]years?[ -]olds?\b|[ -]years? of age\b"),
    (r"\s?(?:元|块钱?|円)", r" (?:dollars?|euros?|pounds?|yen)\b"),
    (r"\s?(?:公斤|千克|キロ)", r" ?(?:kg|kilos?|pounds|lbs)\b"),
)
_LIMIT_BEFORE = (
    r"(?:未满|不满|满|不到|超过|超出|至少|最多|最少|逾|达到?"
    r"|under|over|above|below|at least|up to|more than|less than|aged?|from|than|of)\s?"
)
_LIMIT_BEHIND = (
    r"\s?(?:以上|以下|以内|未満|まで|から|起"
    r"|or (?:more|older|over|younger|under|less)|and (?:over|older|above|under|younger|up))"
)


def put_amounts(folded: str, shown: str) -> str:
    """The question with an amount that no passage has as a limit of the same unit that one has."""
    for cjk, english in _UNITS if amounts_in(folded) else ():
        amount = re.search(rf"{_N}(?:{cjk})|(?<![a-z]){_N_EN}(?:{english})", folded)
        if amount is None or amount[0] in shown:
            continue
        either = rf"(?:{_N}(?:{cjk})|{_N_EN}(?:{english})?)"
        limit = re.search(rf"{_LIMIT_BEFORE}{either}(?:{_LIMIT_BEHIND})?|{either}{_LIMIT_BEHIND}", shown)
        if limit:
            folded = folded.replace(amount[0], limit[0], 1)
    return folded


def amounts_in(folded: str) -> bool:
    """Whether there may be an amount."""
    return bool(_figure().search(folded))


@functools.cache
def _figure() -> re.Pattern[str]:
    return re.compile(rf"{_N}|(?<![a-z]){_N_EN} ")
