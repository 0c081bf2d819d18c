"""How many tokens a model will take for a text, without that model's tokenizer.

The estimate errs high: a context that is a little emptier than it could be costs less than one that overflows.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from anaphor.types import Turn


def estimate(text: str) -> int:
    """Tokens for a byte-pair tokenizer, erring high: a quarter of the ASCII bytes and more of everything else."""
    ascii_characters = sum(map(str.isascii, text)) if not text.isascii() else len(text)
    return (ascii_characters + 2) // 3 + (len(text) - ascii_characters) * 3 // 2


def cut(turn: Turn, tokens: int, count: Callable[[str], int] = estimate) -> Turn:
    """The turn shortened to ``tokens``: first the answer from its end, then the question."""
    room = max(0, tokens - count(turn.question))
    if count(turn.answer) > room:
        turn = replace(turn, answer=_head(turn.answer, room, count))
    if count(turn.question) > tokens:
        turn = replace(turn, question=_head(turn.question, tokens, count))
    return turn


def _head(text: str, tokens: int, count: Callable[[str], int]) -> str:
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if count(text[:middle]) <= tokens:
            low = middle
        else:
            high = middle - 1
    return text[:low]
