"""exact: is the text one of the gold texts?

    exact(x) = 1 if even(x) ∈ {even(g) : g ∈ G} else 0

G the gold texts, even() NFKC, lower case, single spaces, no marks at the end: nobody is wrong for a question mark.
"""

from __future__ import annotations

from collections.abc import Iterable

from anaphor_eval.content import even_text


def exact(text: str, golds: Iterable[str]) -> float:
    return float(even_text(text) in {even_text(gold) for gold in golds})
