"""How sure a figure is, and whether two figures differ.

What is drawn again and again are *conversations*, not turns: the turns of one conversation share a topic, a speaker and
their gold passages, and an interval that takes them for independent is too narrow.

Interval. B samples of G conversations drawn with replacement; the statistic is computed from the turns of each
sample; the interval is from its α'/2 to its 1 − α'/2 quantile, with α' widened for few conversations as ``α'/2 =
Φ(−√(G/(G−1)) · t_{1−α/2, G−1})`` (Hesterberg 2015, "What Teachers Should Know About the Bootstrap", The American
Statistician 69(4): the expanded percentile interval). The bootstrap: Efron, Tibshirani (1993).

Difference of two arms. Both are measured on the very same turns, and both are computed from the *same* samples. The p
value is a permutation test that swaps the arms of whole conversations, two-sided: all 2^G ways where they are no more
than the number of draws, otherwise ``(1 + #{|d*| ≥ |d|}) / (1 + draws)`` (Phipson, Smyth 2010). With 5 conversations
it cannot be below 2/32: five conversations cannot show more.

Not below. ``a`` is not below ``b`` by a margin m if the one-sided 95% lower limit of a − b is above −m.

Several comparisons: Holm (1979), "A Simple Sequentially Rejective Multiple Test Procedure".
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from statistics import NormalDist
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from anaphor.errors import BadInput

Floats: TypeAlias = NDArray[np.float64]

DRAWS = 2_000
LEVEL = 0.95
SEED = 20_261_101
_CELLS = 4_000_000  # numbers in memory at once: 32 MB


class Unpaired(BadInput):
    """Two arms that were not measured on the same turns, or not in the same way."""


@dataclass(frozen=True, slots=True)
class Sums:
    """A statistic that is a function of sums over turns: a mean, a share, corpus BLEU.

    ``parts`` is (turns, d); ``finish`` takes (B, d) sums to (B,) values, NaN where there is none.
    """

    parts: Floats
    finish: Callable[[Floats], Floats]

    def under(self, weights: Floats) -> Floats:
        return self.finish(weights @ self.parts)

    def by_group(self, index: NDArray[np.intp], groups: int) -> Sums:
        """The same with the turns of each conversation added up: a hundred times fewer numbers to draw from."""
        summed = np.zeros((groups, self.parts.shape[1]))
        np.add.at(summed, index, self.parts)
        return Sums(summed, self.finish)


@dataclass(frozen=True, slots=True)
class Quantile:
    """The smallest value that at least a share ``q`` of the turns do not exceed."""

    values: Floats
    q: float

    def under(self, weights: Floats) -> Floats:
        order = np.argsort(self.values, kind="stable")
        reached = np.cumsum(weights[:, order], axis=1)
        total = reached[:, -1:]
        at = np.argmax(reached >= self.q * total - 1e-9, axis=1)
        return np.where(total[:, 0] > 0, self.values[order][at], np.nan)

    def joined(self, other: Quantile) -> Quantile:
        return Quantile(np.concatenate([self.values, other.values]), self.q)


@dataclass(frozen=True, slots=True)
class Auroc:
    """The chance that an answerable turn scores above an unanswerable one; ties count half."""

    scores: Floats
    positive: NDArray[np.bool_]

    def under(self, weights: Floats) -> Floats:
        levels, at = np.unique(self.scores, return_inverse=True)
        shape = (len(weights), len(levels))
        yes, no = np.zeros(shape), np.zeros(shape)
        for where, table in ((self.positive, yes), (~self.positive, no)):
            np.add.at(table.T, at[where], weights[:, where].T)
        below = np.cumsum(no, axis=1) - no
        pairs = yes.sum(axis=1) * no.sum(axis=1)
        wins = (yes * (below + no / 2)).sum(axis=1)
        return _divided(wins, pairs)

    def joined(self, other: Auroc) -> Auroc:
        return Auroc(np.concatenate([self.scores, other.scores]), np.concatenate([self.positive, other.positive]))


Statistic = Sums | Quantile | Auroc


@dataclass(frozen=True, slots=True)
class Sample:
    """A statistic with what it was measured on: every turn's id and the conversation it belongs to, both in order."""

    statistic: Statistic
    turns: tuple[Hashable, ...]
    groups: tuple[Hashable, ...]

    @property
    def n(self) -> int:
        return len(self.turns)

    @property
    def value(self) -> float | None:
        """The statistic itself; ``None`` where it has no value (nothing below the line)."""
        found = float(self.statistic.under(np.ones((1, _units(self.statistic))))[0]) if self.turns else math.nan
        return None if math.isnan(found) else found


def mean(values: Iterable[float], turns: Iterable[Hashable], groups: Iterable[Hashable]) -> Sample:
    """The plain mean over turns."""
    return share(((value, 1.0) for value in values), turns, groups)


def share(parts: Iterable[tuple[float, float]], turns: Iterable[Hashable], groups: Iterable[Hashable]) -> Sample:
    """A share of sums: pairs of what is above and below the line."""
    return sums(parts, _ratio, turns, groups, 2)


def sums(
    parts: Iterable[Sequence[float]],
    finish: Callable[[Floats], Floats],
    turns: Iterable[Hashable],
    groups: Iterable[Hashable],
    width: int,
) -> Sample:
    """Any function of ``width`` sums."""
    table = np.array([tuple(part) for part in parts], dtype=np.float64).reshape(-1, width)
    return _sample(Sums(table, finish), len(table), turns, groups)


def each(finish: Callable[[Sequence[float]], float]) -> Callable[[Floats], Floats]:
    """A function of one row of sums, made to take many: for what numpy does not know (BLEU)."""
    return lambda rows: np.array([finish(row) for row in rows], dtype=np.float64)


def quantile(values: Iterable[float], q: float, turns: Iterable[Hashable], groups: Iterable[Hashable]) -> Sample:
    """``q`` from 0 to 1."""
    table = np.fromiter(values, dtype=np.float64)
    return _sample(Quantile(table, q), len(table), turns, groups)


def auroc(
    scores: Iterable[float], positive: Iterable[bool], turns: Iterable[Hashable], groups: Iterable[Hashable]
) -> Sample:
    table = np.fromiter(scores, dtype=np.float64)
    return _sample(Auroc(table, np.fromiter(positive, dtype=np.bool_)), len(table), turns, groups)


def _sample(statistic: Statistic, n: int, turns: Iterable[Hashable], groups: Iterable[Hashable]) -> Sample:
    sample = Sample(statistic, tuple(turns), tuple(groups))
    if not n == len(sample.turns) == len(sample.groups):
        raise ValueError(f"{n} values, {len(sample.turns)} turns, {len(sample.groups)} groups: one each is needed")
    return sample


def _ratio(rows: Floats) -> Floats:
    return _divided(rows[:, 0], rows[:, 1])


def _divided(above: Floats, below: Floats) -> Floats:
    """NaN where nothing is below the line."""
    found: Floats = np.divide(above, below, out=np.full(len(above), np.nan), where=below != 0)
    return found


def interval(
    sample: Sample, *, level: float = LEVEL, draws: int = DRAWS, seed: int = SEED
) -> tuple[float, float] | None:
    """Two-sided. ``None`` with fewer than two conversations, or where the statistic has no value."""
    index, groups = _numbered(sample.groups)
    if groups < 2 or sample.value is None:
        return None
    drawn = _under(_grouped(sample, index, groups), _counts(groups, draws, seed))
    return _limits(drawn, groups, (1 - level) / 2)


@dataclass(frozen=True, slots=True)
class Difference:
    """``a − b``, its interval, and the chance of one so large if the arms were alike; ``p_holm`` among several.

    ``least`` and ``most`` are one-sided limits: each holds alone, at the level at which the interval holds as a pair.
    """

    value: float
    interval: tuple[float, float] | None
    p: float
    p_holm: float | None = None
    least: float | None = None
    most: float | None = None

    @property
    def within_noise(self) -> bool:
        """Nothing can be said: the interval holds zero, or there is none."""
        return self.interval is None or self.interval[0] <= 0 <= self.interval[1]

    def not_below(self, margin: float) -> bool:
        """Non-inferiority of ``a``: never claimed where there is no limit to claim it by."""
        return self.least is not None and self.least > -margin

    def turned(self) -> Difference:
        """``b − a``."""
        limits = None if self.interval is None else (-self.interval[1], -self.interval[0])
        least, most = (None if self.most is None else -self.most), (None if self.least is None else -self.least)
        return replace(self, value=-self.value, interval=limits, least=least, most=most)


def difference(
    a: Sample, b: Sample, *, level: float = LEVEL, draws: int = DRAWS, seed: int = SEED
) -> Difference | None:
    """``a`` against ``b`` on the same turns; ``None`` where one of them has no value."""
    _check_paired(a, b)
    if a.value is None or b.value is None:
        return None
    index, groups = _numbered(a.groups)
    first, second = _grouped(a, index, groups), _grouped(b, index, groups)
    value = a.value - b.value
    limits, one_sided = None, None
    if groups > 1:
        counts = _counts(groups, draws, seed)
        drawn = _under(first, counts) - _under(second, counts)
        limits, one_sided = _limits(drawn, groups, (1 - level) / 2), _limits(drawn, groups, 1 - level)
    p = _permutation_p(first, second, value, groups, draws, seed)
    least, most = one_sided or (None, None)
    return Difference(value, limits, p, least=least, most=most)


def holm(p_values: Sequence[float]) -> list[float]:
    """Adjusted p values, in the order given: ``p̃_(i) = max_{j ≤ i} min(1, (m − j + 1) p_(j))``."""
    m = len(p_values)
    adjusted = [0.0] * m
    largest = 0.0
    for passed, i in enumerate(sorted(range(m), key=lambda i: p_values[i])):
        largest = max(largest, min(1.0, (m - passed) * p_values[i]))
        adjusted[i] = largest
    return adjusted


def with_holm(differences: Sequence[Difference]) -> list[Difference]:
    """The same differences, with Holm's p beside the plain one where there are several."""
    if len(differences) < 2:
        return list(differences)
    adjusted = holm([each.p for each in differences])
    return [replace(told, p_holm=p) for told, p in zip(differences, adjusted, strict=True)]


def _check_paired(a: Sample, b: Sample) -> None:
    if type(a.statistic) is not type(b.statistic):
        raise Unpaired(f"a {type(a.statistic).__name__} cannot be compared with a {type(b.statistic).__name__}")
    if a.turns == b.turns and a.groups == b.groups:
        return
    apart = set(a.turns) ^ set(b.turns)
    if apart:
        raise Unpaired(
            f"arms measured on {a.n} and {b.n} turns; {len(apart)} are in one only, {min(map(str, apart))} first"
        )
    raise Unpaired("arms measured on the same turns in another order, or with other conversations")


def _numbered(groups: Sequence[Hashable]) -> tuple[NDArray[np.intp], int]:
    numbers: dict[Hashable, int] = {}
    index = np.fromiter((numbers.setdefault(group, len(numbers)) for group in groups), dtype=np.intp)
    return index, len(numbers)


Grouped: TypeAlias = tuple[Statistic, NDArray[np.intp]]
"""A statistic over units, and the conversation of every unit."""


def _grouped(sample: Sample, index: NDArray[np.intp], groups: int) -> Grouped:
    if isinstance(sample.statistic, Sums):
        return sample.statistic.by_group(index, groups), np.arange(groups)
    return sample.statistic, index


def _under(grouped: Grouped, counts: Floats) -> Floats:
    """The statistic under every row of conversation weights, in pieces that fit the memory."""
    statistic, index = grouped
    if isinstance(statistic, Sums):
        return statistic.under(counts)  # its units are the conversations themselves
    step = max(1, _CELLS // max(1, len(index)))
    pieces = [statistic.under(counts[i : i + step][:, index]) for i in range(0, len(counts), step)]
    return np.concatenate(pieces)


@lru_cache(maxsize=4)  # up to 30 MB each
def _counts(groups: int, draws: int, seed: int) -> Floats:
    """How often each conversation is drawn: (draws, groups), the same for every figure of a run."""
    generator = np.random.default_rng([seed, groups])
    counts = generator.multinomial(groups, np.full(groups, 1 / groups), size=draws).astype(np.float64)
    counts.setflags(write=False)
    return counts


@lru_cache(maxsize=4)  # up to 30 MB each
def _swaps(groups: int, draws: int, seed: int) -> tuple[Floats, bool]:
    """Which conversations have their arms swapped: (draws, groups) of 0 and 1; whether these are all ways there are."""
    if 2**groups <= draws:
        ways = np.arange(2**groups)[:, None] >> np.arange(groups) & 1
        return ways.astype(np.float64), True
    generator = np.random.default_rng([seed, groups, 1])
    return generator.integers(0, 2, size=(draws, groups)).astype(np.float64), False


def _permutation_p(first: Grouped, second: Grouped, value: float, groups: int, draws: int, seed: int) -> float:
    swaps, all_ways = _swaps(groups, draws, seed)
    drawn = _swapped(first, second, swaps, groups)
    # A swap that changes nothing must count as equal, whatever the last bit says.
    extreme = int(np.sum(np.abs(drawn) >= abs(value) - 1e-12))
    return extreme / len(swaps) if all_ways else (1 + extreme) / (1 + len(swaps))


def _swapped(first: Grouped, second: Grouped, swaps: Floats, groups: int) -> Floats:
    """The difference under every way of swapping."""
    a, b = first[0], second[0]
    if isinstance(a, Sums) and isinstance(b, Sums):
        # One small product in place of two large ones: what the first arm gains by swapping, the second loses.
        gained = swaps @ (b.parts - a.parts)
        return a.finish(a.parts.sum(axis=0) + gained) - b.finish(b.parts.sum(axis=0) - gained)
    both = _joined(first, second)
    index = np.concatenate([first[1], second[1] + groups])
    kept = np.concatenate([1 - swaps, swaps], axis=1)
    other = np.concatenate([swaps, 1 - swaps], axis=1)
    return _under((both, index), kept) - _under((both, index), other)


def _joined(first: Grouped, second: Grouped) -> Statistic:
    a, b = first[0], second[0]
    if isinstance(a, Quantile) and isinstance(b, Quantile):
        return a.joined(b)
    assert isinstance(a, Auroc)
    assert isinstance(b, Auroc)
    return a.joined(b)


def _units(statistic: Statistic) -> int:
    if isinstance(statistic, Sums):
        return len(statistic.parts)
    return len(statistic.values if isinstance(statistic, Quantile) else statistic.scores)


def _limits(drawn: Floats, groups: int, tail: float) -> tuple[float, float] | None:
    """The expanded percentile interval with ``tail`` outside at each end; samples without a value are left out."""
    there = drawn[~np.isnan(drawn)]
    if not len(there):
        return None
    wider = NormalDist().cdf(-math.sqrt(groups / (groups - 1)) * student_quantile(1 - tail, groups - 1))
    low, high = np.quantile(there, [wider, 1 - wider])
    return float(low), float(high)


@lru_cache(maxsize=256)
def student_quantile(p: float, freedom: int) -> float:
    """The quantile of Student's t for p > ½: its distribution function, integrated and inverted by halving."""
    if freedom > 1_000:
        return NormalDist().inv_cdf(p)
    scale = math.exp(math.lgamma((freedom + 1) / 2) - math.lgamma(freedom / 2)) / math.sqrt(freedom * math.pi)
    low, high = 0.0, 1.0
    while _student_area(high, freedom) * scale < p - 0.5:
        high *= 2
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if _student_area(middle, freedom) * scale < p - 0.5 else (low, middle)
    return (low + high) / 2


def _student_area(t: float, freedom: int) -> float:
    """∫₀ᵗ (1 + x²/ν)^(−(ν+1)/2) dx by Simpson, over the angle: x = √ν tan φ makes it smooth and bounded."""
    angles = np.linspace(0.0, math.atan(t / math.sqrt(freedom)), 2_001)
    heights = np.cos(angles) ** (freedom - 1)
    step = angles[1] - angles[0]
    area = heights[0] + heights[-1] + 4 * heights[1::2].sum() + 2 * heights[2:-1:2].sum()
    return float(math.sqrt(freedom) * step / 3 * area)
