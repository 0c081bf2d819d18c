"""Times, amounts and names in what was said: what a new value of the same sort takes the place of."""

from __future__ import annotations

from anaphor.memory.extract_rules import cue
from anaphor.memory.reconcile_alike import key
from anaphor.text.dates import MONTHS

SORTS = ("clock", "day", "amount")  # of a value: what a new one of the same sort takes the place of

COMMON = frozenset(
    (
        *("the", "and", "for", "with", "his", "her", "our", "new", "old", "now", "take", "takes", "taking"),
        *("daily", "every", "day", "morning", "night", "evening", "week"),
        *MONTHS,
    )
)


def pieces(text: str, tongue: str) -> dict[str, str]:
    """The first of each sort; what is taken for one is none of another."""
    found = {}
    for sort in SORTS:
        if match := cue(tongue, f"piece_{sort}").search(text):
            found[sort] = match[0].strip().removesuffix(".")
            text = text[: match.start()] + " " * len(match[0]) + text[match.end() :]
    return found


def comparable(sort: str, old: str, new: str) -> bool:
    """Amounts of one unit; times always are."""
    units = [
        "".join(c for c in one if not (c.isdigit() or c in "., 一二三四五六七八九十百千两兩半")) for one in (old, new)
    ]
    return sort != "amount" or (old != new and (not units[0] or not units[1] or _one_unit(*units)))


def _one_unit(one: str, other: str) -> bool:
    same = ({"people", "person", "persons", "guests"}, {"人", "名", "位", "个人", "個人"})
    return one == other or any({one, other} <= units for units in same)


def place_of(text: str, piece: str) -> tuple[int, int]:
    """Where it stands."""
    at = text.find(piece)
    return at, at + len(piece)


def names_in(part: str) -> list[str]:
    """Words that begin with a capital in the middle of what was said."""
    names = (key(word) for word in part.split() if word[:1].isupper() and len(word) > 2)
    return [name for name in names if name not in COMMON]
