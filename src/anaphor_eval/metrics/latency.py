"""ms_p50, ms_p95: how long a turn takes.

    p_X = the smallest t such that X% of the turns took t or less

by nearest rank (Hyndman, Fan (1996), "Sample Quantiles in Statistical Packages", definition 1): a time that really
occurred.
"""

from __future__ import annotations

import math
from collections.abc import Sequence


def percentile(values: Sequence[float], percent: float) -> float:
    """``percent`` from 0 to 100, of at least one value."""
    ordered = sorted(values)
    # 0.95 * 20 is 19.000000000000004: without the guard the 95th of 20 would be the largest.
    rank = math.ceil(round(percent * len(ordered) / 100, 9))
    return ordered[max(1, rank) - 1]
