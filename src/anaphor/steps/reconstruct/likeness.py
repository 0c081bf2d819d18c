"""How well one phrase can stand in another's place."""

from __future__ import annotations

import re

from anaphor.steps.family_names import FAMILY_NAMES
from anaphor.steps.reconstruct.kinds import shape
from anaphor.steps.reconstruct.phrase import Phrase

ENOUGH = 1.0  # likeness from which one phrase takes another's place


def likeness(new: Phrase, old: Phrase) -> float:
    """How well one phrase can stand in the other's place; what tells against it counts below zero."""
    score = 0.6 * old.owner
    if new.attribute or old.attribute:
        score += 3.0 if new.attribute and old.attribute else -3.0
    if new.named is False and old.named and new.key.isascii():
        score -= 0.8
    if new.kind and new.kind == old.kind:
        score += 3.0 + (shape(new.key) == shape(old.key) if new.kind == "code" else 0)
    elif (new.kind and old.kind) or "time" in (new.kind, old.kind) or "number" in (new.kind, old.kind):
        score -= 2.0
    elif _code(new.key) and _code(new.key) == _code(old.key):
        score += 3.0  # a2, after 晨光 a1
    if new.key.isascii() and old.key.isascii():
        score += 2.0 * (new.head == old.head) + 0.7 * (new.key.endswith("s") == old.key.endswith("s"))
    else:
        score += min(2, _shared_end(new.key, old.key)) + 0.6 * (new.key[:1] == old.key[:1])
        score += 1.2 * (len(new.key) == len(old.key) == 1)
        score += 2.0 * (_may_be_a_person(new) and _may_be_a_person(old))
    return score + 0.6 * (new.named and old.named)


def _may_be_a_person(phrase: Phrase) -> bool:
    """李美玲, 王小明: a family name and one or two characters that no ending calls something else."""
    short = 2 <= len(phrase.key) <= 3 and phrase.kind in ("", "person") and not phrase.attribute
    return short and phrase.text[0] in FAMILY_NAMES


_CODE = re.compile("[a-z]+-?[0-9]+")


def _code(key: str) -> str:
    """The shape of the code in a name that is not all code."""
    found = _CODE.search(key)
    return shape(found[0]) if found else ""


def _shared_end(a: str, b: str) -> int:
    n = 0
    while n < min(len(a), len(b)) - 1 and a[-1 - n] == b[-1 - n]:
        n += 1
    return n
