"""Folded text for matching, with a way back to the source."""

from __future__ import annotations

import functools
import re
import unicodedata
from dataclasses import dataclass
from importlib.resources import files

from anaphor.types import Span

_UNENCODABLE = re.compile("[\ud800-\udfff]")


def clean(text: str) -> str:
    """Lone surrogates become U+FFFD, NUL goes; nothing else changes."""
    if text.isascii():
        return text.replace("\0", "")
    return _UNENCODABLE.sub("\ufffd", text.replace("\0", ""))


@dataclass(frozen=True, slots=True)
class Folded:
    """``text`` is what is compared; ``starts[i]`` and ``ends[i]`` bound the source characters behind ``text[i]``."""

    text: str
    starts: tuple[int, ...]
    ends: tuple[int, ...]

    def source(self, start: int, end: int) -> Span:
        """The smallest stretch of the source that covers ``text[start:end]``."""
        if not self.starts:
            return Span(0, 0)
        if start >= end:
            at = self.starts[start] if start < len(self.starts) else self.ends[-1]
            return Span(at, at)
        return Span(self.starts[start], self.ends[end - 1])


_CLUSTER = re.compile("[^\u0300-\u036f\u3099\u309a\uff9e\uff9f]?[\u0300-\u036f\u3099\u309a\uff9e\uff9f]*", re.S)
_INVISIBLE = dict.fromkeys(
    [0xAD, 0x200B, 0x200C, 0x200D, 0x2060, 0xFEFF, *range(0x200E, 0x2010), *range(0xFE00, 0xFE10)]
)


def fold(text: str, language: str = "und") -> Folded:
    """NFKC, case, width, variants; Traditional to Simplified unless the language is Japanese."""
    table = _simplified() if language != "ja" else {}
    out: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    for match in _CLUSTER.finditer(text):
        folded = unicodedata.normalize("NFKC", match[0]).casefold().translate(_INVISIBLE).translate(table)
        out.append(folded)
        starts += [match.start()] * len(folded)
        ends += [match.end()] * len(folded)
    return Folded("".join(out), tuple(starts), tuple(ends))


def matching(text: str, language: str = "und") -> str:
    """Just the folded text."""
    return fold(text, language).text


@functools.cache
def _simplified() -> dict[int, str]:
    lines = files("anaphor.text").joinpath("tables/simplified.txt").read_text("utf-8").split("\n")
    return {ord(a): b for a, b in zip(lines[0], lines[1], strict=True)}
