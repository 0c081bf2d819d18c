"""The evaluator's own fixed token counter: the same for every system, every model and every year.

``tokens(t) = c + ceil(o / 4)`` with c the CJK characters of t (Han, kana, Hangul, their punctuation and full-width
forms) and o all its other characters, white space included. Real tokenizers differ; what a budget of 1,500 means must
not. What is shown around a passage (its header) is counted with it.
"""

from __future__ import annotations

import re

_CJK = re.compile(
    "[\u1100-\u11ff\u2e80-\u303f\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff01-\uffef"
    "\U0001b000-\U0001b16f\U00020000-\U0003ffff]"
)


def count(text: str) -> int:
    """Tokens of a text. Fits the port ``TokenCounter``."""
    cjk = 0 if text.isascii() else len(_CJK.findall(text))
    return cjk - (cjk - len(text)) // 4
