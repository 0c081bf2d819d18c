"""LINE's text export, as its Chinese, Japanese and English versions write it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime

from anaphor.portable.imported import Imported, Said, exchanges, origin

LINE_END = re.compile(r"\r\n|\n|\r")
HEAD = re.compile(r"\ufeff?\[LINE\] *(.*)")
SAVED = re.compile(r"(?:儲存日期|保存日時|保存日期|Saved on) *[:：]")
DAY = re.compile(
    r"(\d{4})[./](\d{1,2})[./](\d{1,2})[ 　]{0,2}[（(]?[^\t\d]{0,12}\Z"
)  # 2024/01/05（五）, 2024.01.05 金曜日
DAY_ENGLISH = re.compile(r"[A-Z][a-z]{2,8}, (\d{1,2})/(\d{1,2})/(\d{4})\Z")  # Fri, 01/05/2024
CLOCK = r"(上午|下午|午前|午後|AM |PM )?(\d{1,2}):(\d{2}) ?(AM|PM|am|pm)?"
MESSAGE = re.compile(CLOCK + r"\t([^\t]*)(?:\t(.*))?\Z", re.DOTALL)
MESSAGE_ON_COMPUTERS = re.compile(CLOCK + r" (\S+) (.+)\Z", re.DOTALL)
# With whom: 與小明的聊天記錄, 小明とのトーク履歴, Chat history with Ming
WITH = (
    re.compile(r"[與与和](.+?)的聊天(?:記錄|记录|紀錄)?\Z"),
    re.compile(r"(.+?)とのトーク(?:履歴)?\Z"),
    re.compile(r"Chat (?:history )?(?:with|in) (.+)\Z"),
)
AFTERNOON = frozenset({"下午", "午後", "PM"})


def looks_like_line(text: str) -> bool:
    head = LINE_END.split(text[:2000])
    return bool(head and HEAD.match(head[0])) or (any(DAY.match(line) for line in head) and "\t" in text[:4000])


def line(text: str, me: str = "") -> Imported:
    """What each said, with the day and the minute. ``me`` is the person's own name there.

    Between two it is found out from the title: it is the other of the two. Who is not the person is kept as speaker.
    What was called, joined or taken back is no utterance and is left aside.
    """
    lines = LINE_END.split(text)
    title = match.group(1).strip() if lines and (match := HEAD.match(lines[0])) else ""
    said = list(_said(lines, tabs="\t" in text))
    partner = next((match.group(1) for pattern in WITH if (match := pattern.match(title))), "")
    names = list(dict.fromkeys(one.speaker for one in said))
    if not me and len(names) <= 2 and partner in names:
        me = next((name for name in names if name != partner), "")
    told = [Said("user", one.text, one.at, "" if one.speaker == me else one.speaker) for one in said]
    identity = partner or title or " ".join(names)
    return Imported(origin("line", identity), partner or title, (exchanges(told, identity),) if told else ())


def _said(lines: list[str], tabs: bool) -> Iterator[Said]:
    day: tuple[int, int, int] | None = None
    open_: list[str] = []
    by, at = "", 0.0
    for written in [*lines, None]:
        found = _day(written) if written is not None else None
        message = (MESSAGE if tabs else MESSAGE_ON_COMPUTERS).match(written) if written is not None else None
        if written is not None and not found and not message:
            if open_ and not SAVED.match(written):
                open_.append(written)  # a message of several lines
            continue
        if open_ and (told := _unquoted("\n".join(open_).rstrip("\n"))):
            yield Said("user", told, at, by)
        open_ = []
        if found:
            day = found
        elif message:
            before, hour, minute, after, name, told_ = message.groups()
            if told_ is not None and day:
                by, at, open_ = name, _moment(day, before or after or "", int(hour), int(minute)), [told_]


def _unquoted(text: str) -> str:
    """A message of several lines stands in quotation marks."""
    quoted = "\n" in text and len(text) > 2 and text[0] == text[-1] == '"'
    return (text[1:-1].replace('""', '"') if quoted else text).strip()


def _day(line: str) -> tuple[int, int, int] | None:
    if match := DAY.match(line):
        year, month, day = map(int, match.groups())
    elif match := DAY_ENGLISH.match(line):
        month, day, year = map(int, match.groups())
    else:
        return None
    return (year, month, day) if 1 <= month <= 12 and 1 <= day <= 31 else None


def _moment(day: tuple[int, int, int], half: str, hour: int, minute: int) -> float:
    half = half.strip().upper()
    if half:
        hour = hour % 12 + (12 if half in AFTERNOON else 0)
    try:
        return datetime(*day, hour % 24, minute % 60).timestamp()
    except (ValueError, OverflowError, OSError):
        return 0.0  # the 31st of February
