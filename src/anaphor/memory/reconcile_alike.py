"""Which words of two statements mean the same value: scripts, widths, cases and regional words fold together."""

from __future__ import annotations

import functools
import re

from anaphor.text.fold import matching
from anaphor.text.patterns import pattern
from anaphor.text.region_words import region_words
from anaphor.text.stem import stem

_MARKS = pattern(r"[\s\W_]+")
_EDGE = pattern(r"^(?:(?:the|a|an|my|our|this|that|these|those|some)\b\s*)+")
_WORD = pattern(r"[a-z][a-z']*")


@functools.lru_cache(maxsize=8192)
def key(text: str) -> str:
    """What is compared: folded, without marks, spaces and articles; English words by their stems.

    Han characters are compared in simplified form and regional words by one of their row (伺服器 is 服务器).
    """
    folded = _EDGE.sub("", matching(text).strip())
    if folded.isascii():
        return _MARKS.sub(" ", _WORD.sub(lambda word: stem(word[0]), folded)).strip()
    return _MARKS.sub("", _one_region(folded))


def _one_region(folded: str) -> str:
    table, at, out = region_words(), 0, []
    longest = _longest()
    while at < len(folded):
        size = next((n for n in range(min(longest, len(folded) - at), 0, -1) if folded[at : at + n] in table), 1)
        word = folded[at : at + size]
        out.append(min((word, *table.get(word, ()))))
        at += size
    return "".join(out)


@functools.cache
def _longest() -> int:
    return max(map(len, region_words()))


def alike(one: str, other: str) -> bool:
    """Whether the two say the same value."""
    return key(one) == key(other)


def within(one: str, other: str) -> bool:
    """Whether one of them is the other, or a part of it at the edges of words."""
    short, long = sorted((key(one), key(other)), key=len)
    if not short:
        return False
    if short.isascii() and long.isascii():
        return re.search(rf"(?<!\w){re.escape(short)}(?!\w)", long) is not None
    return short in long
