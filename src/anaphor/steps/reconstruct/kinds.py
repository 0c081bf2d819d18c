"""What sort of thing a phrase names, by how it is written: a place, a time, a code, a vehicle.

Two phrases of one sort can stand in each other's place (那自強號呢？ after a question about the train), which is all
that is asked of it; a sort that is not told costs a little precision, nothing else.
"""

from __future__ import annotations

import functools
import re

from anaphor.steps.reconstruct.tables import sections

_CODE = re.compile(r"(?=.*\d)[a-z]*[\w.\-/#+]*|[a-z]+(?:[-_./:][\w]+)+")


@functools.cache
def _pattern(name: str) -> re.Pattern[str]:
    return re.compile("|".join(sections("kinds")[name]))


@functools.cache
def _places() -> frozenset[str]:
    return frozenset(" ".join(sections("kinds")["places"]).split())


@functools.cache
def _groups() -> frozenset[str]:
    return frozenset(" ".join(sections("kinds")["groups"]).split())


@functools.cache
def _countries() -> re.Pattern[str]:
    names = set(" ".join(sections("kinds")["countries"]).split())
    return re.compile("|".join(sorted(names, key=lambda name: (-len(name), name))))


_SCHOOL = re.compile(".+?(?:大学|大學|学院|學院|高中|学校|學校|高校|中学|中學|小学|小學)")


def called(key: str, head: str) -> str:
    """The part of a phrase that 該〜 or 同〜 with that head may mean: 長崎縣 of 長崎縣內, オランダ of オランダ政府."""
    if head in ("国", "國"):
        found = _countries().search(key)
    elif head in ("校", "大学", "大學"):
        found = _SCHOOL.match(key)
    else:
        found = re.match(f".+?{re.escape(head)}", key)
    return found[0] if found else ""


@functools.cache
def _endings() -> tuple[tuple[str, str], ...]:
    """Ending and what it tells, the longest first."""
    pairs = [
        (ending, name.removeprefix("ends_"))
        for name, lines in sections("kinds").items()
        if name.startswith("ends_")
        for ending in " ".join(lines).split()
    ]
    return tuple(sorted(pairs, key=lambda pair: -len(pair[0])))


def kind(key: str) -> str:
    """Of a folded phrase: ``time number code place vehicle shop …``, or ``""`` where nothing tells."""
    if key in _places():
        return "place"
    if key in _groups():
        return "group"
    if _pattern("time").fullmatch(key):
        return "time"
    if _pattern("number").fullmatch(key) and not re.fullmatch(r"\d{3,}", key):
        return "number"
    if key.isascii():
        return "code" if _CODE.fullmatch(key.split(" ")[-1]) else ""
    for ending, named in _endings():
        if key.endswith(ending) and (len(key) > len(ending) or len(key) > 1):
            return named
    return ""


def time_at_edge(key: str) -> int:
    """How many characters at the beginning (positive) or the end (negative) of a longer phrase are a time; else 0."""
    if key.isascii():
        return 0
    match = _pattern("time").match(key)
    if match and len(match[0]) > 1 and len(key) - len(match[0]) > 1 and not _in_a_number(key, len(match[0])):
        return len(match[0])
    sizes = [size for size in range(min(6, len(key) - 2), 1, -1) if not _in_a_number(key, len(key) - size)]
    return next((-size for size in sizes if _pattern("time").fullmatch(key[-size:]) or _is_count(key, size)), 0)


def _is_count(key: str, size: int) -> bool:
    """風行X5|一次, 會議室|三間: so many, and no part of the name."""
    count, before = key[-size:], key[-size - 1]
    return before not in "第每前後后上下" and bool(_COUNT.fullmatch(count))


_COUNT = re.compile(
    "[一二三四五六七八九十两兩半0-9]{1,3}(?:次|个|個|位|间|間|台|张|張|片|份|趟|回|名|岁|歲|歳|节|節|堂|期|碗|杯|盒|包|颗|瓶)"
)


def _in_a_number(key: str, at: int) -> bool:
    """Whether the place is inside a number or a code: the 40 of 401 is no time, nor the 42 of E42."""
    before, after = key[at - 1], key[at]
    return before.isascii() and before.isalnum() and after.isdigit()


def shape(key: str) -> str:
    """How a code is written: ``e-4401`` is ``a-9999``; two codes of one shape name things of one sort."""
    return re.sub(r"\d", "9", re.sub(r"[a-z]", "a", key))
