"""A number that is a share of sums: what is above the line and what is below it are added up first, then divided.

    s = Σ_t above_t / Σ_t below_t

over turns t. Averaging the shares of single turns would let a turn with one word weigh as much as one with forty, and
has no value where below_t = 0.
"""

from __future__ import annotations

from typing import NamedTuple


class Share(NamedTuple):
    above: float
    below: float

    @property
    def value(self) -> float | None:
        """``None`` where nothing is below the line."""
        return self.above / self.below if self.below else None
