"""f1: the words an answer shares with the gold answer.

    P = |T(x) ∩ T(g)| / |T(x)|,  R = |T(x) ∩ T(g)| / |T(g)|,  F1 = 2PR / (P + R);  the best over the golds g

T(·) the bag of the evaluator's tokens less the English articles; a CJK character is a token. Rajpurkar, Zhang, Lopyrev,
Liang (2016), "SQuAD: 100,000+ Questions for Machine Comprehension of Text", EMNLP; for Chinese by character as in DRCD
(Shao et al. 2018, arXiv:1806.00920). ``exact`` is the metric of that name, over the same golds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from anaphor_eval.content import all_tokens

_ARTICLES = frozenset(("a", "an", "the"))


def answer_f1(answer: str, golds: Iterable[str]) -> float:
    tokens = _bag(answer)
    return max((_f(tokens, _bag(gold)) for gold in golds), default=0.0)


def _f(a: Counter[str], b: Counter[str]) -> float:
    if not a or not b:
        return float(not a and not b)
    return 2 * (a & b).total() / (a.total() + b.total())


def _bag(text: str) -> Counter[str]:
    return Counter(token for token in all_tokens(text) if token not in _ARTICLES)
