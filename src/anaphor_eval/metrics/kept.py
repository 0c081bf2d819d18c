"""kept_when_standalone: is an utterance that needs no history left alone?

    kept = Σ_u exact(rewrite(u), {u}) / |U|

U the utterances that *have* a history and do not need it. Without the condition a system is praised for leaving first
turns alone, which it could not have changed.
"""

from __future__ import annotations

from anaphor_eval.datasets.values import GoldTurn
from anaphor_eval.metrics.exact import exact


def counts_as_standalone(turn: GoldTurn) -> bool:
    return bool(turn.history) and turn.needs_history is False


def kept(rewrite: str, utterance: str) -> float:
    return exact(rewrite, (utterance,))
