"""Statistics of reports and comparisons, with the standard library alone.

Scores are PAR-2 (unsolved counts as twice the limit). Ratios are geometric means with Student's
confidence interval on the logarithms, which is exact if the logarithms are normally distributed.
The paired test is Wilcoxon's signed-rank test. It assumes only that the differences are symmetric,
so a run that a busy machine made ten times slower changes it by a few ranks. It is exact up to 50
pairs, ties included, and uses the normal approximation above. Several tests at once are corrected
by Holm's method.

Sources: F. Wilcoxon, Individual comparisons by ranking methods, 1945; S. Holm, A simple
sequentially rejective multiple test procedure, 1979; M. Abramowitz, I. Stegun, Handbook of
mathematical functions, 26.7.5, 1964 (Student's quantiles).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from math import exp, fsum, log, pi, sqrt, tan
from statistics import NormalDist, fmean, stdev
from typing import NamedTuple

CONFIDENCE = 0.95
# pairs; the exact distribution costs n**3 steps, and the approximation is good above
EXACT_UP_TO = 50
LEAST_S = 0.001  # lower times measure the clock and the scheduler rather than the solver


class Ratio(NamedTuple):
    """A geometric mean ratio.

    Args:
        num: Number of pairs.
        value: The mean; below 1 if the numerators are smaller.
        low: Lower end of the 95 % confidence interval; 0 with only one pair.
        high: Upper end; infinity with only one pair.
    """

    num: int
    value: float
    low: float
    high: float


def par2(solved: bool, seconds: float, limit_s: float) -> float:
    """Return the penalised seconds of one run."""
    return seconds if solved else 2 * limit_s


def ratio(pairs: Sequence[tuple[float, float]], least: float = LEAST_S) -> Ratio | None:
    """Return the geometric mean of numerator / denominator; None if there are no pairs.

    Args:
        pairs: (numerator, denominator).
        least: Lower limit applied to each number; above 0.
    """
    if not pairs:
        return None
    logs = log_ratios(pairs, least)
    mean = fmean(logs)
    if len(logs) == 1:
        return Ratio(1, exp(mean), 0.0, float("inf"))
    half = student(1 - (1 - CONFIDENCE) / 2, len(logs) - 1) * stdev(logs) / sqrt(len(logs))
    return Ratio(len(logs), exp(mean), _exp(mean - half), _exp(mean + half))


def _exp(power: float) -> float:
    return exp(power) if power < 700 else float("inf")


def log_ratios(pairs: Sequence[tuple[float, float]], least: float = LEAST_S) -> list[float]:
    """Return natural logarithms of numerator / denominator."""
    return [log(max(mine, least) / max(other, least)) for mine, other in pairs]


def student(probability: float, freedom: int) -> float:
    """Return a quantile of Student's distribution.

    Args:
        probability: Above 0.5 and below 1.
        freedom: Degrees of freedom, at least 1. One and two are exact; above, an expansion whose
            error at 0.975 is 0.1 % for three degrees and less for more.
    """
    if freedom == 1:
        return tan(pi * (probability - 0.5))
    if freedom == 2:
        return (2 * probability - 1) * sqrt(2 / (4 * probability * (1 - probability)))
    z = NormalDist().inv_cdf(probability)
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return z + fsum(term / freedom**power for power, term in enumerate(terms, 1))


def signed_rank(differences: Sequence[float]) -> float:
    """Return the two-sided p-value of Wilcoxon's signed-rank test; differences of 0 are dropped.

    Args:
        differences: One per pair; the null hypothesis is that they are symmetric around 0.
    """
    rest = sorted((one for one in differences if one), key=abs)
    if not rest:
        return 1.0
    ranks = _double_ranks(rest)
    positive = sum(rank for rank, one in zip(ranks, rest, strict=True) if one > 0)
    smaller = min(positive, sum(ranks) - positive)
    tail = _exact_tail(ranks, smaller) if len(rest) <= EXACT_UP_TO else _tail(ranks, smaller)
    return min(1.0, 2 * tail)


def _double_ranks(ordered: Sequence[float]) -> list[int]:
    """Return twice the ranks of absolute values in ascending order; equal ones share the mean."""
    ranks: list[int] = []
    for _size, tied in groupby(ordered, key=abs):
        num = len(list(tied))
        ranks += [2 * len(ranks) + num + 1] * num
    return ranks


def _exact_tail(ranks: Sequence[int], most: int) -> float:
    """Return the share of sign choices whose positive ranks sum to at most `most`."""
    ways = [1] + [0] * most
    for rank in ranks:
        for total in range(most, rank - 1, -1):
            ways[total] += ways[total - rank]
    return sum(ways) / float(2 ** len(ranks))


def _tail(ranks: Sequence[int], most: int) -> float:
    """Return the normal approximation of `_exact_tail`, corrected for continuity by half a rank."""
    mean = sum(ranks) / 2
    deviation = sqrt(sum(rank * rank for rank in ranks)) / 2
    return NormalDist().cdf((most + 1 - mean) / deviation)


def holm(chances: Sequence[float]) -> list[float]:
    """Return p-values with Holm's correction for multiple tests, in the same order."""
    order = sorted(range(len(chances)), key=lambda index: chances[index])
    corrected = [0.0] * len(chances)
    worst = 0.0
    for place, index in enumerate(order):
        worst = max(worst, min(1.0, chances[index] * (len(chances) - place)))
        corrected[index] = worst
    return corrected
