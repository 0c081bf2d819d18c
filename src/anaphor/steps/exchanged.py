"""Two sentences that are alike but for stretches, and what of a question or a claim stands in those.

"The Alder room seats 12" and "The Birch room seats 20": who asks about Alder, or claims something of it, means the
first, whatever else the second shares with it.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from difflib import SequenceMatcher

from anaphor.text.characters import HAN
from anaphor.text.fold import matching

ALIKE = 0.5  # of the shorter one's units that both must have
LONGEST = 14  # units of what stands in the place of a name
_MOST = 120  # units of a sentence that are compared


def of_another(named: str, said: str, other: str, folded_as: str, over: str = "") -> bool:
    """Whether ``other`` has, in place of words that ``named`` and ``said`` share, words that neither has.

    ``over`` stands above both: what it says is in no one's place.
    """
    known, above = set(_units(named, folded_as)), set(_units(over, folded_as))
    return any(
        any(u in known and u not in above for u in ours) and theirs and known.isdisjoint(theirs)
        for ours, theirs in _in_place(said, other, folded_as)
    )


def counterpart(named: str, said: str, other: str, folded_as: str) -> bool:
    """Whether the two have, each in the other's place, words that ``named`` has."""
    known = set(_units(named, folded_as))
    return any(
        any(u in known for u in ours) and any(u in known for u in theirs)
        for ours, theirs in _in_place(said, other, folded_as)
    )


def _in_place(said: str, other: str, folded_as: str) -> Iterator[tuple[list[str], list[str]]]:
    """The words that stand in each other's place, and nowhere in the other sentence; none if they are not alike."""
    ours, theirs = _units(said, folded_as)[:_MOST], _units(other, folded_as)[:_MOST]
    here, there = set(ours), set(theirs)
    if 2 * len(here & there) < ALIKE * min(len(here), len(there)):
        return
    stretches = SequenceMatcher(None, ours, theirs, autojunk=False).get_opcodes()
    shared = sum(j - i for tag, i, j, _, _ in stretches if tag == "equal")
    if shared < ALIKE * min(len(ours), len(theirs)):
        return
    for tag, i, j, k, m in stretches:
        if tag == "replace" and max(j - i, m - k) <= LONGEST:
            yield (
                [u for u in ours[i:j] if u not in there and not u[0].isdigit()],
                [u for u in theirs[k:m] if u not in here and not u[0].isdigit()],
            )


@functools.lru_cache(maxsize=512)
def _units(text: str, folded_as: str) -> tuple[str, ...]:
    return tuple(_unit().findall(matching(text, folded_as)))


@functools.cache
def _unit() -> re.Pattern[str]:
    """A number, a Latin word, a run of katakana or one character of Chinese or Japanese."""
    return re.compile(rf"\d[\d,.:/]*%?|[a-z](?:[a-z'’.-]*[a-z])?|[\u30a1-\u30ff]+|[{HAN}\u3041-\u309f]|\w")
