"""What a query asks of a lexical index: its terms as the index keeps them, each with its weight."""

from __future__ import annotations

import functools
import re

from anaphor.text.patterns import pattern
from anaphor.text.segment import query_terms
from anaphor.types import StandaloneQuery, Term

LONGEST = 20_000
"""Characters of one span that are looked up. A pasted log says what it is about long before that."""

IDENTIFIER = 3.0
"""How much more an identifier weighs than a bigram. It names one thing, where a word of Chinese is several bigrams."""

_IDENTIFIER = pattern(r"(?=.*[a-z])(?=.*(?:[0-9_@]|\.[a-z]{2}))[\w./@:-]{3,}", re.A)


def weigh(query: StandaloneQuery) -> dict[str, float]:
    """Index term → weight, in the query's order; the highest weight of a term wins. Empty if nothing can be looked up.

    A query without ``terms`` is looked up by its text.
    """
    return dict(_weighed(query.terms or (Term(query.text),), query.language))


@functools.lru_cache(maxsize=16)  # every index of a turn asks, and the second look once more
def _weighed(spans: tuple[Term, ...], language: str) -> dict[str, float]:
    weights: dict[str, float] = {}
    for span in spans:
        if span.weight > 0:
            for term, own in query_terms(span.term[:LONGEST], language).items():
                weight = span.weight * own * (IDENTIFIER if _IDENTIFIER.fullmatch(term) else 1.0)
                weights[term] = max(weight, weights.get(term, 0.0))
    return weights
