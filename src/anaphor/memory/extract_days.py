"""Which day or days a clause speaks of, as ISO 8601 dates, seen from the day it was said.

``steps.days`` answers what a *question* about the past means, as ranges that may be searched; here a *statement* is
dated, also about the future: 再来週の水曜, 下禮拜四, next Friday, 令和11年3月まで. Weeks begin on Monday; 下週四 is the
Thursday of the week after this one, in Chinese and Japanese alike, and "next Thursday" is taken for that too.
"""

from __future__ import annotations

import re
import unicodedata
from datetime import date, timedelta

from anaphor.text.dates import CJK_WEEKDAYS, MONTHS, NUMERALS, WEEKDAYS, numeral, whole_month
from anaphor.text.patterns import pattern

Days = tuple[date, date]

_ERAS = {"令和": 2018, "平成": 1988, "昭和": 1925, "民国": 1911, "民國": 1911}
_N = r"[\d〇零一二三四五六七八九十元]{1,5}"
_COUNTED = r"\d{1,3}|[一二两兩三四五六七八九十]{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten"
_ENGLISH_ONES = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_ONES = {name: n for n, name in enumerate(_ENGLISH_ONES, 1)} | {"a": 1, "an": 1}

_FORM = pattern(
    rf"(?P<iso>\b\d{{4}}[-/.]\d{{1,2}}[-/.]\d{{1,2}}\b)"
    rf"|(?:(?P<era>令和|平成|昭和|民[国國])(?P<ey>{_N})年|(?P<y>\d{{4}}|[〇零一二三四五六七八九]{{4}})年)"
    rf"(?:(?P<ym>{_N})月(?:(?P<yd>{_N})[日号號])?)?"
    r"|(?P<cy>明年|来年|來年|去年|昨年|今年)?の?(?<![\d〇一二三四五六七八九十個个])"
    rf"(?P<cm>1[0-2]|[1-9]|十[一二]?|[一二三四五六七八九])月(?!曜)(?:(?P<cd>{_N})[日号號])?"
    r"|(?P<two_before>一昨日|おととい|前天|\bday before yesterday\b)"
    r"|(?P<one_before>昨日|きのう|昨天|昨晚|昨夜|\byesterday\b|\blast night\b)"
    r"|(?P<two_after>明後日|あさって|後天|后天|\bday after tomorrow\b)"
    r"|(?P<one_after>明日|あした|あす|明天|明晚|\btomorrow\b)"
    r"|(?P<today>今天|今日|今晚|今夜|今朝|\btoday\b|\btonight\b|\bthis (?:morning|afternoon|evening)\b)"
    r"|(?P<wk>上上個?|上上个|下下個?|下下个|上個?|上个|下個?|下个|這個?|这个?|这|本)(?:週|周|星期|禮拜|礼拜)(?P<wd>[一二三四五六日天末])?"
    r"|(?P<jwk>再来週|来週|先々週|先週|今週)(?:末|の?(?P<jwd>[月火水木金土日])曜)?"
    r"|(?<![上下這这本個个每毎])(?:週|周|星期|禮拜|礼拜)(?P<bare>[一二三四五六日天])(?![一二三四五六日天])"
    rf"|\b(?P<ewk>last|next|this) (?P<ewd>{'|'.join(WEEKDAYS)}|weekend|week)\b"
    rf"|\bon (?P<on>{'|'.join(WEEKDAYS)})\b(?!s)"
    r"|(?P<mo>上個月|上个月|下個月|下个月|這個月|这个月|先月|来月|今月)|\b(?P<emo>last|next|this) month\b"
    r"|(?P<yr>明年|来年|去年|昨年|前年|今年)|\b(?P<eyr>last|next|this) year\b"
    rf"|\b(?P<d1>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? (?P<m1>{'|'.join(MONTHS)})\b(?:,? (?P<y1>\d{{4}}))?"
    rf"|\b(?P<m2>{'|'.join(MONTHS)}) (?P<d2>\d{{1,2}})(?:st|nd|rd|th)?\b(?:,? (?P<y2>\d{{4}}))?"
    rf"|\b(?:in|since|by|until|till|this|next|last) (?P<m3>{'|'.join(MONTHS)})\b(?:,? (?P<y3>\d{{4}}))?"
    rf"|(?P<n>{_COUNTED}) ?"
    r"(?P<unit>days?|weeks?|months?|years?|天|日|週間?|周|個?星期|个星期|個月|个月|か月|ヶ月|カ月|年) ?"
    r"(?P<way>ago|from now|later|前|之前|以前|後|后|之後|之后|以後|以后)",
    re.IGNORECASE,
)
_UNTIL = pattern(r"まで|为止|為止|到期|之前(?:有效|要)|截止|\b(?:until|till|valid to|expires?|by)\b", re.IGNORECASE)
_SINCE = pattern(r"から|以来|以來|起|开始|開始|\bsince\b|\bas of\b|\bfrom\b", re.IGNORECASE)


def when(text: str, said: date, language: str = "") -> tuple[str, str]:
    """First and last day that the clause names, ISO 8601; empty where it names none, or leaves that end open."""
    folded = unicodedata.normalize("NFKC", text).lower()
    for match in _FORM.finditer(folded):
        try:
            days = _days(match, said, folded)
        except (ValueError, OverflowError):
            continue
        if days is None:
            continue
        after = folded[match.end() : match.end() + 12]
        around = folded[max(0, match.start() - 12) : match.start()]
        if _UNTIL.search(after if language in ("ja", "zh") else around):
            return "", days[1].isoformat()
        if _SINCE.match(after.lstrip()) or (language == "en" and _SINCE.search(around)):
            return days[0].isoformat(), ""
        return days[0].isoformat(), days[1].isoformat()
    return "", ""


def _days(match: re.Match[str], said: date, text: str) -> Days | None:
    found = {k: v for k, v in match.groupdict().items() if v}
    for offset, name in ((-2, "two_before"), (-1, "one_before"), (0, "today"), (1, "one_after"), (2, "two_after")):
        if name in found:
            return _one(said + timedelta(offset))
    if "iso" in found:
        year, month, day = (int(part) for part in re.split(r"[-/.]", found["iso"]))
        return _one(date(year, month, day))
    if found.keys() & {"era", "y"}:
        year = _ERAS[found["era"]] + numeral(found["ey"]) if "era" in found else _year(found["y"])
        return _named(year, found.get("ym"), found.get("yd"))
    if "cm" in found:
        return _near(found["cm"], found.get("cd"), found.get("cy", ""), said, text)
    return _week(found, said) or _span(found, said) or _english(found, said, text) or _counted(found, said)


def _one(day: date) -> Days:
    return day, day


def _year(written: str) -> int:
    return int(written) if written.isdecimal() else int("".join(str(NUMERALS[c]) for c in written))


def _named(year: int, month: str | None, day: str | None) -> Days:
    if month is None:
        return date(year, 1, 1), date(year, 12, 31)
    return _one(date(year, numeral(month), numeral(day))) if day else whole_month(year, numeral(month))


_PAST = re.compile(
    r"了|过|過|た(?:[。、]|$|の|ん|ば)|ました|でした|"
    r"\b(?:was|were|did|\w+ed|went|had|got|came|took|bought|sold|left)\b"
)


def _near(month: str, day: str | None, year: str, said: date, text: str) -> Days:
    """A month without its year: that of the words, else the one the tense points to."""
    number = numeral(month)
    shift = {"明": 1, "来": 1, "來": 1, "去": -1, "昨": -1}.get(year[:1])
    if shift is not None or year:
        return _named(said.year + (shift or 0), month, day)
    past = bool(_PAST.search(text))
    chosen = said.year - (past and number > said.month) + (not past and number < said.month)
    return _named(chosen, month, day)


def _monday(said: date, weeks: int) -> date:
    return said - timedelta(said.weekday()) + timedelta(7 * weeks)


def _week(found: dict[str, str], said: date) -> Days | None:
    if "wk" in found:
        written = found["wk"].rstrip("個个")
        weeks = {"上上": -2, "上": -1, "下": 1, "下下": 2}.get(written, 0)
        return _in_week(_monday(said, weeks), found.get("wd"))
    if "jwk" in found:
        weeks = {"先々週": -2, "先週": -1, "今週": 0, "来週": 1, "再来週": 2}[found["jwk"]]
        return _in_week(_monday(said, weeks), found.get("jwd"))
    if "bare" in found:
        return None  # 週二 alone is as often every Tuesday
    return None


def _in_week(monday: date, day: str | None) -> Days:
    if day is None:
        return monday, monday + timedelta(6)
    if day == "末":
        return monday + timedelta(5), monday + timedelta(6)
    return _one(monday + timedelta(CJK_WEEKDAYS[day]))


def _span(found: dict[str, str], said: date) -> Days | None:
    written = found.get("mo") or found.get("emo")
    if written:
        shift = -1 if written[0] in "上先l" else 1 if written[0] in "下来n" else 0
        month = said.year * 12 + said.month - 1 + shift
        return whole_month(month // 12, month % 12 + 1)
    written = found.get("yr") or found.get("eyr")
    if written:
        shift = {"明": 1, "来": 1, "n": 1, "去": -1, "昨": -1, "l": -1, "前": -2}.get(written[0], 0)
        return date(said.year + shift, 1, 1), date(said.year + shift, 12, 31)
    return None


def _english(found: dict[str, str], said: date, text: str) -> Days | None:
    if "ewk" in found:
        weeks = {"last": -1, "next": 1}.get(found["ewk"], 0)
        name = found["ewd"]
        if name in ("week", "weekend"):
            monday = _monday(said, weeks)
            return (monday + timedelta(5 * (name == "weekend")), monday + timedelta(6))
        if weeks < 0:  # "last Friday" is the newest one before today
            return _one(said - timedelta((said.weekday() - WEEKDAYS.index(name) - 1) % 7 + 1))
        return _one(_monday(said, weeks) + timedelta(WEEKDAYS.index(name)))
    if "on" in found:
        ahead = (WEEKDAYS.index(found["on"]) - said.weekday()) % 7
        return _one(said + timedelta(ahead - 7 if _PAST.search(text) and ahead else ahead))
    for n in "123":
        if f"m{n}" in found:
            month = MONTHS.index(found[f"m{n}"]) + 1
            day, year = found.get(f"d{n}"), found.get(f"y{n}")
            if year:
                return _named(int(year), str(month), day)
            return _near(str(month), day, "", said, text)
    return None


def _counted(found: dict[str, str], said: date) -> Days | None:
    if "n" not in found:
        return None
    n = _ONES.get(found["n"]) or numeral(found["n"].replace("两", "二").replace("兩", "二"))
    sign = 1 if found["way"] in ("from now", "later", "後", "后", "之後", "之后", "以後", "以后") else -1
    unit = found["unit"]
    if unit[0] == "y" or unit == "年":
        return date(said.year + sign * n, 1, 1), date(said.year + sign * n, 12, 31)
    if "月" in unit or unit[0] == "m":
        month = said.year * 12 + said.month - 1 + sign * n
        return whole_month(month // 12, month % 12 + 1)
    days = n * (1 if unit[0] in "d天日" else 7)
    return _one(said + timedelta(sign * days))
