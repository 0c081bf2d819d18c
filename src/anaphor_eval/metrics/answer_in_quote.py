"""answer_in_quote: does one quoted sentence hold the gold answer?

    answer_in_quote = 1 if some gold g is a run of whole tokens inside some quote else 0

over the evaluator's tokens, so that spaces, width and marks do not matter and 12 is not found in 2012. All of the
answer must be inside *one* quote: two halves in two quotes are no answer a person can check.
"""

from __future__ import annotations

from collections.abc import Iterable

from anaphor_eval.content import all_tokens


def answer_in_quote(quotes: Iterable[str], golds: Iterable[str]) -> float:
    wanted = [_run(gold) for gold in golds]
    return float(any(gold in _run(quote) for quote in quotes for gold in wanted if gold.strip()))


def _run(text: str) -> str:
    return f" {' '.join(all_tokens(text))} "
