"""rouge_l: the longest common subsequence of words, as an F-measure.

    P = LCS(x, g) / |x|,  R = LCS(x, g) / |g|,  ROUGE-L = 2PR / (P + R);  the best over the golds g

over the evaluator's tokens, function words included (a CJK character is a word). Lin (2004), "ROUGE: A Package for
Automatic Evaluation of Summaries"; β = 1. The subsequence is computed by bit rows: Hyyrö (2004), "Bit-Parallel
LCS-length Computation Revisited".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from anaphor_eval.content import all_tokens


def rouge_l(text: str, golds: Iterable[str]) -> float:
    tokens = all_tokens(text)
    return max((_f(tokens, all_tokens(gold)) for gold in golds), default=0.0)


def _f(tokens: Sequence[str], gold: Sequence[str]) -> float:
    if not tokens or not gold:
        return float(not tokens and not gold)
    return 2 * common_subsequence(tokens, gold) / (len(tokens) + len(gold))


def common_subsequence(a: Sequence[str], b: Sequence[str]) -> int:
    """Length of the longest common subsequence, |b| steps over numbers of |a| bits."""
    where: dict[str, int] = {}
    for i, token in enumerate(a):
        where[token] = where.get(token, 0) | 1 << i
    full = (1 << len(a)) - 1
    row = full
    for token in b:
        matched = row & where.get(token, 0)
        row = (row + matched | row - matched) & full
    return len(a) - row.bit_count()
