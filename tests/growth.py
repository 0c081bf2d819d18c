"""How work grows with what it is given, in processor time: a clock on a busy machine tells of the machine."""

import time
from collections.abc import Callable

TIMES = 8
"""How much larger the large input is."""

ATTEMPTS = 3
"""Other processes share the caches: one measurement may be bad luck, three are not."""


def in_proportion(work: Callable[[int], object], small: int) -> bool:
    """Whether ``work`` with ``TIMES`` times ``small`` takes less than half of what growing by the square would.

    Work in proportion takes 8 times as long, by the square 64 times; the line is at 32. Below a millisecond
    nothing is told apart, so the small one counts as one at least.
    """
    work(small)
    base = max(min(_seconds(work, small) for _ in range(2)), 0.001)
    return any(_seconds(work, small * TIMES) < base * TIMES * TIMES / 2 for _ in range(ATTEMPTS))


def _seconds(work: Callable[[int], object], size: int) -> float:
    begun = time.process_time()
    work(size)
    return time.process_time() - begun
