"""bleu: the usual score of rewrites against a person's, by sacrebleu, from 0 to 100.

    BLEU = BP · exp(Σ_{n=1..4} ¼ ln p_n),  BP = min(1, e^{1 − r/c})

p_n the clipped n-gram precision over the corpus, c and r the lengths of output and nearest gold. Papineni, Roukos,
Ward, Zhu (2002); Post (2018), "A Call for Clarity in Reporting BLEU Scores". Tokenizer ``13a`` for en, ``zh`` for
zh-Hant and zh-Hans, ``char`` for ja: part of the score's meaning, so figures of two tokenizers are neither
compared nor added up.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

WIDTH = 10
"""Numbers a turn adds to the corpus: matches of 1 to 4 words, n-grams of 1 to 4 words, length of output, of gold."""


def bleu_parts(text: str, golds: Sequence[str], language: str) -> tuple[float, ...]:
    """What one turn adds; corpus BLEU is a function of the sums alone."""
    score = _metric(tokenizer(language)).sentence_score(text, list(golds))
    return (*score.counts, *score.totals, score.sys_len, score.ref_len)


def bleu_of(sums: Sequence[float]) -> float:
    """Corpus BLEU of added-up parts, as sacrebleu computes it (exponential smoothing of empty orders)."""
    from sacrebleu.metrics.bleu import BLEU

    whole = [round(part) for part in sums]
    return float(BLEU.compute_bleu(whole[0:4], whole[4:8], whole[8], whole[9], smooth_method="exp").score)


@cache
def _metric(named: str) -> Any:
    from sacrebleu.metrics.bleu import BLEU

    return BLEU(tokenize=named, effective_order=True)


def tokenizer(language: str) -> str:
    return "zh" if language.startswith("zh") else "char" if language == "ja" else "13a"
