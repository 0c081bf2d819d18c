"""Intervals and tests against known values, and against what they promise: coverage."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anaphor_eval import statistics
from anaphor_eval.metrics.abstention import auroc as auroc_by_pairs
from anaphor_eval.metrics.latency import percentile
from anaphor_eval.statistics import (
    Unpaired,
    difference,
    holm,
    interval,
    mean,
    quantile,
    share,
    student_quantile,
)


def sample(values, per_group=1):
    values = list(values)
    return mean(values, range(len(values)), [i // per_group for i in range(len(values))])


@pytest.mark.parametrize(
    ("p", "freedom", "value"),
    [(0.975, 1, 12.7062), (0.975, 4, 2.77645), (0.95, 9, 1.83311), (0.975, 29, 2.04523), (0.975, 5000, 1.95996)],
)
def test_students_quantiles(p, freedom, value):
    assert student_quantile(p, freedom) == pytest.approx(value, abs=1e-4)


def test_values():
    assert sample([1, 0, 0, 1]).value == 0.5
    assert share([(1, 2), (3, 4)], "ab", "ab").value == pytest.approx(4 / 6)
    assert share([(0, 0)], "a", "a").value is None
    assert mean([], [], []).value is None
    assert quantile([4, 1, 3, 2], 0.5, range(4), range(4)).value == 2


@given(st.lists(st.integers(0, 20), min_size=1, max_size=40), st.sampled_from([0.5, 0.9, 0.95]))
def test_a_quantile_is_the_nearest_rank(values, q):
    assert quantile(values, q, range(len(values)), range(len(values))).value == percentile(values, 100 * q)


@given(st.lists(st.tuples(st.integers(0, 5), st.booleans()), min_size=2, max_size=30))
def test_auroc_is_the_share_of_pairs(pairs):
    scores, positives = [float(s) for s, _ in pairs], [p for _, p in pairs]
    ours = statistics.auroc(scores, positives, range(len(pairs)), range(len(pairs))).value
    if len(set(positives)) < 2:
        assert ours is None
    else:
        assert ours == pytest.approx(auroc_by_pairs(scores, positives))


def test_the_interval_of_a_mean_of_many_is_the_normal_one():
    draw = np.random.default_rng(1)
    values = draw.normal(10, 2, 400)
    low, high = interval(sample(values), draws=5000)
    half = 1.96 * values.std() / math.sqrt(400)
    assert (low, high) == pytest.approx((values.mean() - half, values.mean() + half), abs=0.03)


def test_turns_of_one_conversation_are_not_counted_as_if_they_were_many():
    draw = np.random.default_rng(2)
    values = np.repeat(draw.normal(0, 1, 20), 10)
    low, high = interval(sample(values, per_group=10))
    narrow = interval(sample(values))
    assert high - low > 2.5 * (narrow[1] - narrow[0])


@pytest.mark.parametrize("groups", [5, 12, 40])
def test_coverage(groups):
    draw = np.random.default_rng(3)
    trials, covered = 200, 0
    for _ in range(trials):
        where = np.repeat(np.arange(groups), 6)
        values = draw.normal(0, 0.7, groups)[where] + draw.normal(0, 1, groups * 6)
        low, high = interval(mean(values, range(len(values)), where.tolist()), draws=800)
        covered += low <= 0 <= high
    assert 0.90 <= covered / trials <= 0.99


def test_one_conversation_has_no_interval():
    assert interval(sample([1, 0, 1], per_group=3)) is None


def test_the_same_seed_gives_the_same_figures_and_another_does_not():
    values = sample(np.random.default_rng(4).normal(size=60), per_group=3)
    assert interval(values) == interval(values)
    assert interval(values) != interval(values, seed=7)


def test_a_paired_difference_is_narrower_than_its_arms():
    draw = np.random.default_rng(5)
    base = draw.normal(0, 3, 80)
    a, b = sample(base + 0.5), sample(base + draw.normal(0, 0.1, 80))
    told = difference(a, b)
    assert told.value == pytest.approx(0.5, abs=0.05)
    assert not told.within_noise
    assert told.interval[1] - told.interval[0] < 0.1
    assert told.p < 0.01


def test_a_difference_within_noise_is_called_that():
    draw = np.random.default_rng(6)
    told = difference(sample(draw.normal(size=40)), sample(draw.normal(size=40)))
    assert told.within_noise
    assert told.p > 0.05


def test_the_permutation_test_counts_all_ways_where_there_are_few():
    # three conversations, all differences of one sign: 2 of the 8 ways are as extreme
    assert difference(sample([1, 2, 3]), sample([0, 0, 0])).p == 2 / 8
    assert difference(sample([1, 2, 3]), sample([1, 2, 3])).p == 1


def test_p_values_of_arms_that_are_alike_are_even():
    draw = np.random.default_rng(8)
    found = [difference(sample(draw.normal(size=12)), sample(draw.normal(size=12)), draws=400).p for _ in range(300)]
    assert 0.02 <= np.mean(np.array(found) <= 0.05) <= 0.09
    assert 0.42 <= np.mean(np.array(found) <= 0.5) <= 0.58


@pytest.mark.parametrize("kind", ["quantile", "auroc"])
def test_other_statistics_are_compared_too(kind):
    draw = np.random.default_rng(9)
    where, yes = [i // 3 for i in range(90)], [i % 2 == 0 for i in range(90)]
    noise = draw.normal(size=90)

    def arm(gap):
        if kind == "quantile":
            return quantile(noise + gap, 0.5, range(90), where)
        return statistics.auroc(noise + gap * np.array(yes), yes, range(90), where)

    told = difference(arm(3.0), arm(0.0), draws=500)
    assert told.value > 0
    assert told.p < 0.05
    assert not told.within_noise


def test_arms_must_be_measured_on_the_same_turns():
    with pytest.raises(Unpaired, match="3 and 2 turns; 1 are in one only, 2 first"):
        difference(sample([1, 0, 1]), sample([1, 0]))
    a, b = mean([1, 0], "xy", "gg"), mean([1, 0], "yx", "gg")
    with pytest.raises(Unpaired, match="in another order"):
        difference(a, b)
    with pytest.raises(Unpaired, match="Sums cannot be compared with a Quantile"):
        difference(sample([1, 0]), quantile([1, 0], 0.5, range(2), range(2)))


def test_not_below_by_a_margin():
    draw = np.random.default_rng(10)
    base = draw.normal(0.6, 0.2, 200)
    worse, alike = sample(base - 0.1), sample(base - 0.001 + draw.normal(0, 0.02, 200))
    found = difference(alike, sample(base))
    assert found.not_below(0.02)
    assert found.interval[0] < found.least < found.value < found.most < found.interval[1]
    assert found.turned().least == -found.most
    assert not difference(worse, sample(base)).not_below(0.02)
    assert difference(worse, sample(base)).least == pytest.approx(-0.1, abs=0.01)
    assert difference(sample(base), worse).not_below(0.0)


def test_one_conversation_is_never_called_not_below():
    alone = mean([1, 1], "xy", "gg")
    assert not difference(alone, alone).not_below(0.5)


def test_holm_by_hand():
    # sorted .01 .02 .03 .04: 4*.01, 3*.02, max(.06, 2*.03), max(.06, .04)
    assert holm([0.03, 0.01, 0.04, 0.02]) == pytest.approx([0.06, 0.04, 0.06, 0.06])
    assert holm([0.9, 0.8]) == [1.0, 1.0]
    assert holm([]) == []
