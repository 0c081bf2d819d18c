"""Tables of words and patterns that are kept in text files, one a language: the rules of a step as data.

A file has sections. A line is one alternative, a line set in goes on with the line before; lines that begin with ``#``
are comments; ``@name@`` stands for what the section ``let`` says it is. Everything in a section is one pattern.
"""

from __future__ import annotations

import functools
import re
from pathlib import Path

from anaphor.text.characters import HAN, KANA
from anaphor.text.fold import matching, visible
from anaphor.text.patterns import pattern

ENGLISH, CHINESE, JAPANESE = TONGUES = ("en", "zh", "ja")

_KANA = pattern(f"[{KANA}]")
_HAN = pattern(f"[{HAN}]")
_LET = pattern(r"@(\w+)@")
_NEVER = "(?!)"


@functools.cache
def worded(folder: Path, language: str, name: str) -> re.Pattern[str]:
    """The section of that name in the folder's table of the language, compiled; what is not there never matches."""
    return re.compile("|".join(_sections(folder / f"{language}.txt").get(name, [])) or _NEVER, re.IGNORECASE)


def listed(folder: Path, language: str, name: str) -> tuple[str, ...]:
    """The words of that section, which stand between spaces."""
    return tuple(" ".join(_sections(folder / f"{language}.txt").get(name, [])).split())


@functools.lru_cache(maxsize=512)
def read_as(text: str, language: str = "") -> tuple[str, str]:
    """By whose table a text is read (``en``, ``zh`` or ``ja``), and the text as the tables have it.

    English keeps its capitals, which tell names; Chinese is in simplified characters. ``language`` decides for a text
    without kana, which may be either.
    """
    if _KANA.search(text) or (language == JAPANESE and not text.isascii()):
        return JAPANESE, matching(text, JAPANESE)
    return (CHINESE, matching(text, CHINESE)) if _HAN.search(text) else (ENGLISH, visible(text).text)


@functools.cache
def _sections(path: Path) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    lines: list[str] = []
    for line in path.read_text("utf-8").splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        if named := re.fullmatch(r"\[(\w+)\]", line):
            lines = found.setdefault(named[1], [])
        elif line.startswith("    "):
            lines[-1] += line[4:]
        else:
            lines.append(line)
    given = dict(line.split(" = ", 1) for line in found.pop("let", []))
    return {name: [_filled(line, given) for line in lines] for name, lines in found.items()}


def _filled(line: str, given: dict[str, str]) -> str:
    while (filled := _LET.sub(lambda match: given[match[1]], line)) != line:
        line = filled
    return line
