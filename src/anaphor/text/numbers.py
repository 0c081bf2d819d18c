"""Exact quantities in a text."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class Number:
    """``surface`` is ``text[start:end]``; ``value`` is exact."""

    value: Fraction
    start: int
    end: int
    kind: str
    surface: str


_ARABIC = re.compile(r"(?<![\w.])\d{1,3}(?:[,，]\d{3})+(?:[.．]\d+)?(?![\d])|\d+(?:[.．]\d+)?")


def numbers(text: str, language: str = "und") -> list[Number]:
    """In the order of the text."""
    found = []
    for match in _ARABIC.finditer(text):
        plain = unicodedata.normalize("NFKC", match[0]).replace(",", "")
        found.append(
            Number(Fraction(plain), match.start(), match.end(), "decimal" if "." in plain else "integer", match[0])
        )
    return found
