"""Words that people use for the same thing (不見, 遺失), and what is of a kind: a dog is a pet.

The words of a row stand for one another; those of a kind are looked for by its name, and not the other way round.
"""

from __future__ import annotations

import functools
import re
from pathlib import Path

from anaphor.text.fold import matching
from anaphor.text.stretches import cycles


def others(text: str) -> tuple[str, ...]:
    """Words that may stand for those of the text where a source does not use them."""
    folded = dict.fromkeys(matching(text, way) for way in ("zh", "ja"))
    found = [
        other
        for said in folded
        for row, names in (*((row, row) for row in alike()), *((members, names) for names, members in of_a_kind()))
        if any(stands(word, said) for word in row)
        for other in names
        if not stands(other, said)
    ]
    found += [other for said in folded for cycle in cycles() for other in cycle.names_beside(said)]
    return tuple(dict.fromkeys(found))


def stands(word: str, folded: str) -> bool:
    """Whether the text has the word; a Latin one as a word of its own."""
    if word not in folded:
        return False
    return bool(pattern_of(word).search(folded)) if word.isascii() or word[0] == "一" else True


@functools.lru_cache(maxsize=1024)
def pattern_of(word: str) -> re.Pattern[str]:
    """A Latin word as a word of its own, also of several; one day, where it is not the day before."""
    if not word.isascii():
        return re.compile((r"(?<![前后第同当某这那每过])" if word[0] == "一" else "") + re.escape(word))
    return re.compile(rf"(?<![a-z0-9]){re.escape(word)}s?(?![a-z0-9])")


@functools.cache
def alike() -> tuple[tuple[str, ...], ...]:
    """Words that are used for the same, folded, the longer ones of each row first."""
    return tuple(_folded(row) for row in _rows() if ":" not in row)


@functools.cache
def of_a_kind() -> tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]:
    """What kinds are called, and what is of each, folded."""
    kinds = (row.split(":") for row in _rows() if ":" in row)
    return tuple((_folded(names), _folded(members)) for names, members in kinds)


def _rows() -> list[str]:
    table = Path(__file__).with_name("tables") / "other_words.txt"
    return [line for line in table.read_text("utf-8").splitlines() if line and line[0] != "#"]


def _folded(words: str) -> tuple[str, ...]:
    """Both ways, the longer ones first."""
    found = dict.fromkeys(matching(word, way).replace("_", " ") for word in words.split() for way in ("zh", "ja"))
    return tuple(sorted(found, key=len, reverse=True))
