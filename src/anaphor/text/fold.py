"""Folded text for matching, with a way back to the source.

Folding makes equal what a person searching takes for equal, and is never shown: NFKC, case, width, radicals and other
doubles of a character, accents of Latin letters; what is invisible vanishes. Han characters fold by language:

- any language but Japanese: Traditional and regional variants to Simplified (機械 → 机械, 裏 裡 → 里, 著 着 → 着);
- Japanese: old forms to present ones (國 → 国, 髙 → 高), and never through Chinese, where 機 would become 机, a desk.

A text of documents is folded by the language of its document. A query without kana does not show which of the two it
was meant for, so ``segment.query_terms`` asks for both forms.

Method: Unicode Standard Annex 15 (NFKC) and 44 (case folding), applied to *clusters* (a character with the marks that
may join it), so that each folded character has a source. Characters that cannot join a neighbour go through one
``str.translate``; 10 MB take about a second.
"""

from __future__ import annotations

import functools
import re
import unicodedata
from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from anaphor.text.patterns import pattern
from anaphor.types import Span

_SURROGATE = pattern("[\ud800-\udfff]")

# NUL, soft hyphen, zero-width and bidirectional controls, byte-order mark, variation selectors, tags: all vanish.
_UNSEEN = (
    "\0\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f"
    "\ufeff\uffa0\U000e0000-\U000e0fff"
)
_INVISIBLE = pattern(f"[{_UNSEEN}]+")
_INVISIBLE_TAIL = pattern(f"(?<=.)[{_UNSEEN}]+$", re.S)

# Signs that NFKC writes with digits: beside a digit they keep their distance, or 5² would be 52.
_DIGITLIKE = (
    "\xb2\xb3\xb9\xbc-\xbe\u2070-\u2079\u2080-\u2089\u2150-\u215f\u2189\u2460-\u249b\u24ea\u3251-\u325f\u32b1-\u32cb"
    "\u3358-\u3370\u33e0-\u33fe"
)
# What joins the character before it without being a combining mark by class: half-width (semi-)voiced marks, jamo, and
# the vowel signs that compose.
_JOINING = (
    "\uff9e\uff9f\uffa1-\uffdc\u3131-\u318e\u1161-\u1175\u11a8-\u11c2\u09be\u09d7\u0b3e\u0b56\u0b57\u0bbe\u0bd7\u0cc2\u0cd5\u0cd6"
    "\u0d3e\u0d57\u0dcf\u0ddf\u102e\u1b35"
)


def clean(text: str) -> str:
    """Lone surrogates become U+FFFD, NUL a space, or it would join two words; nothing else changes."""
    if "\0" in text:
        text = text.replace("\0", " ")
    return text if text.isascii() else _SURROGATE.sub("\ufffd", text)


@dataclass(frozen=True)
class Folded:
    """``text`` is what is compared. The way back is worked out when it is first asked for."""

    text: str
    original: str
    language: str = "und"

    def source(self, start: int, end: int) -> Span:
        """The smallest stretch of the source that covers ``text[start:end]``; an empty range gives an empty span."""
        if self.original.isascii() and len(self.original) == len(self.text):  # nothing has moved
            at = min(start, len(self.text))
            return Span(at, max(at, min(end, len(self.text))))
        starts, ends = self._offsets
        if start >= end or not starts:
            at = starts[start] if start < len(starts) else len(self.original)
            return Span(at, at)
        return Span(starts[start], ends[end - 1])

    @functools.cached_property
    def _offsets(self) -> tuple[array[int], array[int]]:
        starts, ends = array("I"), array("I")
        table = _table(self.language)
        for begin, piece, plain in _pieces(self.original):
            if plain and all(len(table[ord(c)]) == 1 for c in set(piece)):
                starts.extend(range(begin, begin + len(piece)))
                ends.extend(range(begin + 1, begin + len(piece) + 1))
                continue
            for at, unit in enumerate(piece) if plain else [(0, piece)]:
                folded = table[ord(unit)] if plain else _cluster(unit, self.language)
                visible = begin + at + len(_INVISIBLE_TAIL.sub("", unit))
                starts.extend([begin + at] * len(folded))
                ends.extend([visible] * len(folded))
        return starts, ends


class _Visible(Folded):
    @functools.cached_property
    def _offsets(self) -> tuple[array[int], array[int]]:
        kept = [at for at, unit in enumerate(self.original) if not _INVISIBLE.match(unit)]
        return array("I", kept), array("I", (at + 1 for at in kept))


_STRAIGHT = str.maketrans("‘’´“”\u00a0", "'''\"\" ")


def visible(text: str) -> Folded:
    """The text as it is written, case and all, without what cannot be seen and with straight quotation marks."""
    return _Visible(_INVISIBLE.sub("", text).translate(_STRAIGHT), text)


def fold(text: str, language: str = "und") -> Folded:
    """The text as it is compared. ``language`` is a tag as ``language.detect`` gives it."""
    return Folded(matching(text, language), text, language)


def matching(text: str, language: str = "und") -> str:
    """Just the folded text."""
    if text.isascii():
        return text.lower().replace("\0", "")
    at_once = text.translate(_at_once(language))
    if _NOT_AT_ONCE not in at_once:
        return at_once
    table = _table(language)
    return "".join(piece.translate(table) if plain else _cluster(piece, language) for _, piece, plain in _pieces(text))


@functools.cache
def _special() -> frozenset[str]:
    """What does not always fold by itself: what joins the character before it, vanishes, or is a sign like ²."""
    blocks = (range(0x300, 0x3100), range(0xA000, 0xAC00), range(0xFB00, 0xFE30), range(0x10000, 0x1F000))
    marks = {chr(code) for block in blocks for code in block if unicodedata.combining(chr(code))}
    return frozenset(marks | _members(_JOINING) | _members(_UNSEEN) | _DIGIT_SIGNS)


def _members(ranges: str) -> set[str]:
    """The characters of what stands in a regular expression's brackets."""
    first = re.sub("(.)-(.)", lambda m: "".join(map(chr, range(ord(m[1]), ord(m[2]) + 1))), ranges, flags=re.S)
    return set(first)


_DIGIT_SIGNS = frozenset(_members(_DIGITLIKE))
_UNSEEN_MEMBERS = frozenset(_members(_UNSEEN))


def _pieces(text: str) -> Iterator[tuple[int, str, bool]]:
    """The text in stretches (start, stretch, whether its characters fold one by one)."""
    at = 0
    for start, end in _clusters(text):
        if at < start:
            yield at, text[at:start], True
        yield start, text[start:end], False
        at = end
    if at < len(text):
        yield at, text[at:], True


def _clusters(text: str) -> Iterator[tuple[int, int]]:
    """A character with the marks after it (30 at most, as in UAX 15's stream-safe text); a sign like ² by a digit."""
    special = _special()
    if special.isdisjoint(text):
        return
    start = end = marks = 0
    for at in [at for at, character in enumerate(text) if character in special]:
        sign = text[at] in _DIGIT_SIGNS
        if sign and not _beside_digit(text, at):
            continue
        if not sign and start < at == end and marks < 30:
            end += 1
            marks += text[at] not in _UNSEEN_MEMBERS
            continue
        if start < end:
            yield start, end
        start, end, marks = (at if sign or at == end else at - 1), at + 1, 1
        if sign:
            yield start, end
            start = end
    if start < end:
        yield start, end


def _beside_digit(text: str, at: int) -> bool:
    return any(c.isdecimal() or c in _DIGIT_SIGNS for c in (text[max(0, at - 1) : at], text[at + 1 : at + 2]) if c)


@functools.lru_cache(maxsize=4096)
def _cluster(unit: str, language: str) -> str:
    folded = _folded(_INVISIBLE.sub("", unit), _variants(language))
    return f" {folded} " if unit in _DIGIT_SIGNS else folded


_ACCENTS = pattern("(?<=[a-z])[\u0300-\u036f]+")


def _folded(unit: str, variants: dict[int, str]) -> str:
    text = unicodedata.normalize("NFKC", unit)
    text = unicodedata.normalize("NFKC", text.casefold())
    if not text.isascii():
        text = unicodedata.normalize("NFC", _ACCENTS.sub("", unicodedata.normalize("NFD", text)))
    return _INVISIBLE.sub("", text).translate(_doubles()).translate(variants)


class _Table(dict[int, str]):
    """Code point → folded text, filled as characters are met."""

    def __init__(self, variants: dict[int, str]) -> None:
        self._variants = variants

    def __missing__(self, code: int) -> str:
        folded = self[code] = _folded(chr(code), self._variants)
        return folded


@functools.cache
def _table_of(name: str) -> _Table:
    return _Table(han_variants(name))


_NOT_AT_ONCE = "\ud800"  # half a pair of surrogates is in no text that came in here


class _AtOnce(dict[int, str]):
    """The same table, with a mark for what may not fold by itself: one look at the text folds it and tells."""

    def __init__(self, table: _Table) -> None:
        self._plain, self._special = table, _special()

    def __missing__(self, code: int) -> str:
        folded = self[code] = _NOT_AT_ONCE if chr(code) in self._special else self._plain[code]
        return folded


@functools.cache
def _at_once_of(name: str) -> _AtOnce:
    return _AtOnce(_table_of(name))


def _at_once(language: str) -> _AtOnce:
    return _at_once_of("shinjitai" if language == "ja" else "simplified")


def _table(language: str) -> _Table:
    return _table_of("shinjitai" if language == "ja" else "simplified")


def _variants(language: str) -> dict[int, str]:
    return han_variants("shinjitai" if language == "ja" else "simplified")


@functools.cache
def han_variants(name: str) -> dict[int, str]:
    """The table ``simplified`` or ``shinjitai``: code point → what it is compared as (``scripts/make_tables.py``)."""
    old, new = Path(__file__).with_name("tables").joinpath(f"{name}.txt").read_text("utf-8").splitlines()
    return {ord(a): b for a, b in zip(old, new, strict=True)}


# The radicals supplement has its own code points for parts of characters that broken PDFs put in the place of whole
# ones (⻘ for 青); NFKC covers only the Kangxi radicals. Written down from the characters' names.
_RADICALS = (
    "⺁厂 ⺅亻 ⺆冂 ⺇几 ⺉刂 ⺊卜 ⺋㔾 ⺌小 ⺍小 ⺎兀 ⺏尣 ⺐尢 ⺒巳 ⺓幺 ⺔彑 ⺕彐 ⺖忄 ⺘扌 ⺙攵 "
    "⺛旡 ⺜日 ⺝月 ⺞歺 ⺟母 ⺠民 ⺡氵 ⺢氺 ⺣灬 ⺤爫 ⺥爫 ⺦丬 ⺧牛 ⺨犭 ⺩王 ⺪疋 ⺫目 ⺬示 ⺭礻 "
    "⺮竹 ⺯糹 ⺰纟 ⺱罓 ⺲罒 ⺳网 ⺴网 ⺵网 ⺶羊 ⺷羊 ⺸羊 ⺹耂 ⺺肀 ⺻聿 ⺼月 ⺽臼 ⺾艹 ⺿艹 ⻀艹 "
    "⻁虎 ⻂衤 ⻃西 ⻄西 ⻅见 ⻆角 ⻇角 ⻈讠 ⻉贝 ⻊足 ⻋车 ⻌辶 ⻍辶 ⻎辶 ⻏阝 ⻐钅 ⻑長 ⻒镸 ⻓长 "
    "⻔门 ⻕阜 ⻖阝 ⻗雨 ⻘青 ⻙韦 ⻚页 ⻛风 ⻜飞 ⻝食 ⻞飠 ⻟飠 ⻠饣 ⻡首 ⻢马 ⻣骨 ⻤鬼 ⻥鱼 ⻦鸟 "
    "⻧卤 ⻨麦 ⻩黄 ⻪黾 ⻫斉 ⻬齐 ⻭歯 ⻮齿 ⻯竜 ⻰龙 ⻱龜 ⻲亀 ⻳龟 "
)


def _supplement() -> dict[int, str]:
    return {ord(pair[0]): pair[1] for pair in _RADICALS.split()}


def radicals() -> dict[int, str]:
    """Every radical that has a code point of its own → the character it looks like."""
    kangxi = {code: unicodedata.normalize("NFKC", chr(code)) for code in range(0x2F00, 0x2FD6)}
    return {**kangxi, **_supplement()}


@functools.cache
def _doubles() -> dict[int, str]:
    """Characters with another code point for the same sign: radicals, and dashes and quotation marks as typed."""
    return {
        **_supplement(),
        **{ord(a): b for a, b in zip("‐‒–−〜‘’′“”", "----~'''\"\"", strict=True)},
    }
