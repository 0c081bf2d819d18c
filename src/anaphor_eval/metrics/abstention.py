"""Abstention: does a system know when the passages do not answer?

    AUROC = P(s⁺ > s⁻) + ½ P(s⁺ = s⁻)
    answered_when_answerable    = share of answerable turns that were answered
    abstained_when_unanswerable = share of unanswerable turns that were declined

s⁺, s⁻ the system's scores (higher: more willing to answer) of an answerable and an unanswerable turn drawn at random.
Partly answerable and underspecified turns are neither, and are left out. AUROC by ranks: Hanley, McNeil (1982), "The
Meaning and Use of the Area under a ROC Curve", Radiology 143. The other two are the operating point: what the
system's own threshold does, or the best point that still answers a wanted share.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from anaphor_eval.datasets.values import Answerability


class OperatingPoint(NamedTuple):
    """A turn is answered when its score is at least ``threshold``."""

    threshold: float
    answered_when_answerable: float
    abstained_when_unanswerable: float


def positive(answerability: Answerability | None) -> bool | None:
    """True, False, or ``None``: such turns are apart."""
    return {Answerability.ANSWERABLE: True, Answerability.UNANSWERABLE: False}.get(
        answerability or Answerability.UNKNOWN
    )


def auroc(scores: Sequence[float], positives: Sequence[bool]) -> float:
    """Needs at least one of each."""
    willing = sorted(score for score, yes in zip(scores, positives, strict=True) if not yes)
    wins = 0.0
    for score, yes in zip(scores, positives, strict=True):
        if yes:
            wins += (bisect_left(willing, score) + bisect_right(willing, score)) / 2
    return wins / (len(willing) * (len(scores) - len(willing)))


def operating_point(scores: Sequence[float], positives: Sequence[bool], threshold: float) -> OperatingPoint:
    """What happens at this threshold."""
    answered = [score >= threshold for score, yes in zip(scores, positives, strict=True) if yes]
    declined = [score < threshold for score, yes in zip(scores, positives, strict=True) if not yes]
    return OperatingPoint(threshold, sum(answered) / len(answered), sum(declined) / len(declined))


def best_point(scores: Sequence[float], positives: Sequence[bool], answered: float = 0.9) -> OperatingPoint:
    """The highest threshold that still answers at least that share of the answerable turns.

    Chosen on the very turns it is reported for: an upper bound, and a row that reports it says so in ``split``.
    """
    wanted = sorted((score for score, yes in zip(scores, positives, strict=True) if yes), reverse=True)
    enough = max(1, math.ceil(round(answered * len(wanted), 9)))
    return operating_point(scores, positives, wanted[enough - 1])
