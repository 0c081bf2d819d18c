"""One statement must not fill every place: of passages that say the same in nearly the same words, two stay."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from anaphor.text.characters import CJK
from anaphor.text.fold import matching
from anaphor.text.patterns import pattern
from anaphor.types import Hit

LOOKED_AT = 20  # hits; what comes later is hardly ever shown
LONGEST = 2000  # characters of a passage
ALIKE = 0.6  # of the words of both together, the share that both have
STAY = 2

_WORD = pattern(f"[{CJK}]|[^\\W{CJK}]+")


def spread(hits: Sequence[Hit]) -> tuple[Hit, ...]:
    """The hits renumbered, the third and later of passages alike right behind the first ``LOOKED_AT``."""
    groups: list[tuple[frozenset[str], int]] = []
    front: list[Hit] = []
    behind: list[Hit] = []
    for hit in hits[:LOOKED_AT]:
        said = words(hit.passage.text, hit.passage.language)
        at = next((n for n, (known, _) in enumerate(groups) if _alike(known, said)), None)
        if at is None:
            groups.append((said, 1))
        else:
            groups[at] = groups[at][0], groups[at][1] + 1
        (front if at is None or groups[at][1] <= STAY else behind).append(hit)
    if not behind:
        return tuple(hits)
    return tuple(replace(hit, rank=n) for n, hit in enumerate([*front, *behind, *hits[LOOKED_AT:]], 1))


def words(text: str, language: str) -> frozenset[str]:
    """Latin words, and pairs of other characters."""
    found = _WORD.findall(matching(text[:LONGEST], language))
    return frozenset(a if a[0].isascii() else a + b for a, b in pairwise([*found, ""]))


def _alike(one: frozenset[str], other: frozenset[str]) -> bool:
    if min(len(one), len(other)) < ALIKE * max(len(one), len(other)):
        return False
    both = len(one & other)
    return both >= ALIKE * (len(one) + len(other) - both)
