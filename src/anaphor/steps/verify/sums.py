"""A claim that adds up: 37 + 1 = 38. Its numbers stand in the cited sentences, and the sum is right."""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from decimal import Decimal

from anaphor.steps.reading import read
from anaphor.text.numbers import counted
from anaphor.types import Passage, Quote

LONGEST = 400  # characters of a claim that may add up
_NUMBER = r"\d{1,12}(?:\.\d{1,6})?"


@functools.cache
def _sum() -> re.Pattern[str]:
    return re.compile(rf"(?P<parts>{_NUMBER}(?:\s?[+−-]\s?{_NUMBER}){{1,40}})\s?=\s?(?P<total>[−-]?{_NUMBER})\W*")


@functools.cache
def _one_more() -> re.Pattern[str]:
    """What adds one without a number: another coin, a quarter, 又一枚, もう一つ."""
    return re.compile(r"\b(?:an?|one|another)\b|[又再多新][^。]{0,6}[一个個枚隻只條条本張张]|もう", re.IGNORECASE)


def summed(claim: str, cited: Sequence[tuple[int, Passage]]) -> tuple[Quote, ...]:
    """Where the parts of the sum stand, if it is one, and right, and all of them are there; else nothing."""
    found = _sum().fullmatch(claim.strip()) if len(claim) <= LONGEST else None
    if found is None:
        return ()
    parts = [
        (-1 if match[1] in ("−", "-") else 1, Decimal(match[2]))
        for match in re.finditer(rf"([+−-]?)\s?({_NUMBER})", found["parts"])
    ]
    if sum(sign * value for sign, value in parts) != Decimal(found["total"].replace("−", "-")):
        return ()
    quotes = [quote for _, value in parts if (quote := _where(value, cited))]
    return tuple(dict.fromkeys(quotes)) if len(quotes) == len(parts) else ()


def _where(value: Decimal, cited: Sequence[tuple[int, Passage]]) -> Quote | None:
    for n, passage in cited:
        for sentence in read(passage).sentences:
            text = passage.text[sentence.start : sentence.end]
            has = any(number.value == value for number in counted(text, passage.language))
            if has or (value == 1 and _one_more().search(text)):
                return Quote(n, sentence.start, sentence.end)
    return None
