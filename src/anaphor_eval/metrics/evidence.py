"""Evidence inside a budget: are the turns that hold the answer among those a model would be shown?

    evidence_all(q)   = 1 if E_q ⊆ S_q else 0
    evidence_share(q) = |E_q ∩ S_q| / |E_q|
    evidence_share_of_oracle = Σ_q evidence_share(q) / Σ_q oracle(q)

E_q the evidence turns of question q that are indexed at all, S_q the turns shown whole within the budget, and
oracle(q) the share that a packer shows which knows the evidence and packs nothing else, shortest first. Strict: a
turn shown in part is not shown. The keys ending in ``_excerpt`` count a turn that is shown whole or in part. The
share of the oracle says how much of what the budget allows was reached, where one evidence turn alone may be longer
than the budget.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from anaphor_eval.metrics.share import Share


def evidence_all(shown: Collection[str], evidence: Sequence[str]) -> float:
    return float(all(turn in shown for turn in evidence))


def evidence_share(shown: Collection[str], evidence: Sequence[str]) -> float:
    return sum(turn in shown for turn in evidence) / len(evidence)


def oracle_share(costs: Iterable[int], budget: int) -> float:
    """``costs``: tokens of every evidence turn, header included, counted by the evaluator's counter."""
    fitting, spent = 0, 0
    ordered = sorted(costs)
    for cost in ordered:
        spent += cost
        fitting += spent <= budget
    return fitting / len(ordered)


def share_of_oracle(shown: Collection[str], evidence: Sequence[str], oracle: float) -> Share:
    """One question's part. Where not even the oracle shows anything, the question weighs nothing."""
    return Share(evidence_share(shown, evidence) if oracle else 0.0, oracle)
