"""added_content: how much of the rewrite was neither said by the person nor in the history. Less is better.

    added_content = Σ_u |T(x) − T(u) − T(h)| / Σ_u |T(x)|

T(·) the evaluator's content tokens; of the rewrite x a bag, of utterance u and history h sets: a word that was said
may be said again. For CJK the tokens are characters, so this is a lower bound there.
"""

from __future__ import annotations

from collections.abc import Iterable

from anaphor_eval.content import content_tokens
from anaphor_eval.metrics.share import Share


def added_content(rewrite: str, utterance: str, history: Iterable[str]) -> Share:
    said = set(content_tokens(utterance)).union(*(content_tokens(text) for text in history))
    tokens = content_tokens(rewrite)
    return Share(sum(token not in said for token in tokens), len(tokens))
