"""Gather what is remembered for this turn, within the window."""

from __future__ import annotations

from collections.abc import Iterable

from anaphor.ports import Memories, TokenCounter, Turns
from anaphor.text.tokens import cut
from anaphor.types import Outcome, Recollection, Scope, Turn, Window

NOTHING_SAID = frozenset({Outcome.DECLINED, Outcome.FAILED, Outcome.RUNNING})


def remember(
    turns: Turns, memories: Memories | None, scope: Scope, before: int, window: Window, count: TokenCounter
) -> Recollection:
    """The newest turns that fit the window, the summary of what left it, and current facts."""
    recent = turns.recent(scope, window.turns, before=before)
    kept = newest_within(recent, window.turns, window.tokens, count)
    return Recollection(
        turns=kept,
        summary=memories.summary(scope) if memories else "",
        facts=tuple(memories.facts(scope, 8)) if memories else (),
        left_out=max(0, before - 1 - len(kept)),
    )


def newest_within(turns: Iterable[Turn], limit: int, tokens: int, count: TokenCounter) -> tuple[Turn, ...]:
    """The newest turns within both limits, oldest first.

    The newest turn is always there: one huge message is cut, its oldest part first dropped from the answer, rather
    than leaving a follow-up with nothing to follow.
    """
    kept: list[Turn] = []
    left = tokens
    for turn in list(turns)[::-1][:limit]:
        price = count(turn.question) + count(turn.answer)
        if price > left:
            if not kept:
                kept.append(cut(turn, left, count))
            break
        kept.append(turn)
        left -= price
    return tuple(kept[::-1])
