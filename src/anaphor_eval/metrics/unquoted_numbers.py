"""unquoted_numbers: how many committed claims have a figure that none of the sentences they cite has?

    unquoted_numbers = Σ [some run of digits of the claim is in no cited sentence, heading or date] / Σ claims

An independent and stricter check than the product's own verdict: digits character by character, so that a number in
another form (三割 for 30%) counts against it. It should be 0 for quotes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from anaphor_eval.content import even_text
from anaphor_eval.metrics.share import Share

_DIGITS = re.compile(r"\d+")


def unquoted_numbers(claims: Iterable[tuple[str, str]]) -> Share:
    """Pairs of a committed claim's text and all that it cites, one after the other."""
    given = [(_digits(claim), _digits(cited)) for claim, cited in claims]
    return Share(sum(not claimed <= there for claimed, there in given), len(given))


def _digits(text: str) -> set[str]:
    return set(_DIGITS.findall(even_text(text).replace(",", "")))
