"""The statistics of benchmarks against definitions, enumeration and published tables."""

from __future__ import annotations

import itertools
import random
from math import exp, log, sqrt
from statistics import fmean, stdev

import pytest

from nonosat.bench.statistics import EXACT_UP_TO, holm, par2, ratio, signed_rank, student


def chance_by_enumeration(differences: list[float]) -> float:
    """Two-sided p-value from all choices of signs; ranks by counting, equal values share them."""
    rest = [one for one in differences if one]
    sizes = [abs(one) for one in rest]
    ranks = [
        sum(other < size for other in sizes) + (sum(other == size for other in sizes) + 1) / 2
        for size in sizes
    ]
    seen = sum(rank for rank, one in zip(ranks, rest, strict=True) if one > 0)
    sums = [
        sum(itertools.compress(ranks, signs))
        for signs in itertools.product((0, 1), repeat=len(ranks))
    ]
    below = sum(one <= seen for one in sums) / len(sums)
    above = sum(one >= seen for one in sums) / len(sums)
    return min(1.0, 2 * min(below, above))


@pytest.mark.parametrize("seed", range(30))
def test_signed_rank_is_exact(seed: int) -> None:
    rng = random.Random(seed)
    differences = [float(rng.randint(-4, 6)) for _ in range(rng.randint(1, 10))]
    assert signed_rank(differences) == pytest.approx(chance_by_enumeration(differences))


def test_signed_rank_without_differences() -> None:
    assert signed_rank([]) == signed_rank([0.0, 0.0]) == 1.0


def test_approximation_continues_the_exact_test() -> None:
    """One pair more than the maximum of the exact test changes the p-value only slightly."""
    rng = random.Random(4)
    differences = [rng.gauss(0.3, 1) for _ in range(EXACT_UP_TO)]
    more = [*differences, fmean(differences)]
    assert signed_rank(more) == pytest.approx(signed_rank(differences), rel=0.15)


def test_false_alarms_are_as_rare_as_promised() -> None:
    rng = random.Random(5)
    chances = [signed_rank([rng.gauss(0, 1) for _ in range(60)]) for _ in range(1000)]
    assert 30 <= sum(chance < 0.05 for chance in chances) <= 70


@pytest.mark.parametrize(
    ("freedom", "quantile"),  # any table of Student's distribution, at 0.975
    [(1, 12.706), (2, 4.303), (3, 3.182), (4, 2.776), (10, 2.228), (30, 2.042), (1000, 1.962)],
)
def test_quantiles(freedom: int, quantile: float) -> None:
    assert student(0.975, freedom) == pytest.approx(quantile, rel=0.0015)


def test_ratio_and_interval() -> None:
    pairs = [(2.0, 1.0), (3.0, 1.0), (1.0, 1.0), (5.0, 2.0)]
    found = ratio(pairs)
    logs = [log(new / old) for new, old in pairs]
    half = 3.182 * stdev(logs) / sqrt(4)
    assert found is not None
    assert found.num == 4
    assert found.value == pytest.approx((2 * 3 * 1 * 2.5) ** 0.25)
    assert found.low == pytest.approx(exp(fmean(logs) - half), rel=0.01)
    assert found.high == pytest.approx(exp(fmean(logs) + half), rel=0.01)


def test_ratio_of_short_times() -> None:
    assert ratio([]) is None
    assert ratio([(1e-9, 1e-6)]) == (1, 1.0, 0.0, float("inf"))  # below the resolution of a clock


def test_par2() -> None:
    assert (par2(True, 3, 10), par2(False, 3, 10)) == (3, 20)


def test_holm() -> None:
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([]) == []
