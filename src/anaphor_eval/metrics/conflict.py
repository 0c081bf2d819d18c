"""conflict_flagged, false_flags: does an answer say that its sources disagree, when they do and only then?

    conflict_flagged = share of questions whose passages disagree about the answer and whose answer says so
    false_flags      = share of questions whose passages agree and whose answer says that they disagree

An answer says so when one of its claims has the verdict ``conflicting``. The two belong together: always saying so is
1.0 / 1.0.
"""

from __future__ import annotations

from collections.abc import Iterable


def says_so(verdicts: Iterable[str]) -> float:
    return float("conflicting" in verdicts)
