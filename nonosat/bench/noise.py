"""Noise of two benchmarks: differences that are not caused by changes of the code.

A rerun of the same code on the same machine differs for four reasons, which a comparison must
consider:

* Single runs vary. The interval of the mean comes from a paired bootstrap: the pairs (new,
  old) are resampled in blocks of neighbours, because a busy minute affects consecutive
  runs. The random numbers have a fixed seed, so that the same files give the same interval.
* Starting a process takes half a millisecond more or less in one session than in another.
  The difference is the same for all runs of a session (see `START_S`).
* The machine's speed differs between passes over the suite. If a suite has repetitions,
  this is estimated from the passes of each file.
* Other processes use the machine. Each run records the load; pairs that ran under different
  loads, or on different machines, are not compared.

Linear in the number of runs, and in resamples times blocks for the bootstrap.

Sources: B. Efron, Bootstrap methods: another look at the jackknife, 1979; H. R. Künsch, The
jackknife and the bootstrap for general stationary observations, 1989 (blocks).
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from itertools import accumulate
from math import exp, fsum, isqrt, log, pi, sqrt
from statistics import fmean, median, stdev
from typing import Any, NamedTuple

from nonosat.bench.cells import SECONDS, Cell
from nonosat.bench.records import Run, Status
from nonosat.bench.results import Results
from nonosat.bench.statistics import CONFIDENCE, LEAST_S, Ratio, log_ratios, student

FEWEST = 6  # pairs; with five, no signed-rank test can be significant
# Four runs of `smoke` in a row on an idle machine: the runs of 3 to 50 ms took 0.6 to 1 ms longer
# in the second than in the first; those of 0.1 s and more agreed to 0.5 %.
START_S = 0.001
LOAD = 0.25  # share of the cores by which like loads may differ
_RESAMPLES = 2000
_SEED = 1979
_LARGEST = 700.0  # exp of larger arguments overflows

Pairs = Sequence[tuple[float, float]]


class Drift(NamedTuple):
    """Differences between the passes over a suite within a file.

    Args:
        squares: Sum of squares of the passes' effects. An effect is the median, over the instances,
            of the logarithm of the seconds minus its mean over all passes.
        freedom: Number of passes minus one; 0 without repetitions.
    """

    squares: float
    freedom: int


def beyond(pairs: Pairs, least: float, start: float) -> list[float]:
    """Return the logarithm of new / old of each pair, as near to 0 as the error `start` allows.

    Args:
        pairs: (new, old).
        least: Lower limit applied to each number.
        start: Maximum error of one number relative to the other, in their unit.
    """
    kept = []
    for new, old in ((max(a, least), max(b, least)) for a, b in pairs):
        slower, faster = log(new / (old + start)), log((new + start) / old)
        kept.append(slower if slower > 0 else min(faster, 0.0))
    return kept


def ratio_of(pairs: Pairs, least: float, start: float, margin: float) -> Ratio:
    """Return the geometric mean of new / old, with an interval that includes all noise.

    Args:
        pairs: (new, old); at least two.
        least: Lower limit applied to each number.
        start: Possible error of both numbers, in the same direction for all pairs.
        margin: Half an interval of the logarithm, for effects common to all pairs.
    """
    logs = log_ratios(pairs, least)
    known = [(max(new, least), max(old, least)) for new, old in pairs]
    low = fmean(log(new / (old + start)) for new, old in known)
    high = fmean(log((new + start) / old) for new, old in known)
    half = sqrt(bootstrap(logs) ** 2 + margin**2)
    return Ratio(len(logs), exp(fmean(logs)), _exp(low - half), _exp(high + half))


def _exp(power: float) -> float:
    return exp(power) if power < _LARGEST else float("inf")


def bootstrap(values: Sequence[float]) -> float:
    """Return half of the confidence interval of the mean, by a block bootstrap with a fixed seed.

    Args:
        values: At least two, in the order of measurement. The blocks are about the square root of
            their number long, and wrap around at the end.
    """
    num, length = len(values), isqrt(len(values))
    sums = [0.0, *accumulate([*values, *values[: length - 1]])]
    blocks = [sums[at + length] - sums[at] for at in range(num)]
    rng, num_blocks = random.Random(_SEED), -(-num // length)
    means = [
        fsum(rng.choices(blocks, k=num_blocks)) / (num_blocks * length) for _ in range(_RESAMPLES)
    ]
    small = sqrt(num / (num - 1))  # corrects the smaller variance of resamples of few values
    return student(1 - (1 - CONFIDENCE) / 2, num - 1) * stdev(means) * small


def drift(results: Results, cells: Mapping[str, Cell], kind: str) -> Drift:
    """Return the differences between the passes of one configuration.

    Args:
        results: The runs.
        cells: The configuration's cells; only those solved in every pass are used.
        kind: "cpu" or "wall" seconds.
    """
    most = max((len(cell.runs) for cell in cells.values()), default=0)
    rows = []
    for cell in cells.values():
        runs = sorted((results.runs[at] for at in cell.runs), key=lambda run: run.repetition)
        if len(runs) == most and all(run.status is Status.OK for run in runs):
            logs = [log(max(float(getattr(run, SECONDS[kind])), LEAST_S)) for run in runs]
            rows.append([one - fmean(logs) for one in logs])
    if most < 2 or not rows:
        return Drift(0.0, 0)
    return Drift(fsum(median(column) ** 2 for column in zip(*rows, strict=True)), most - 1)


def margin_of(old: Drift, new: Drift) -> float:
    """Return half of the confidence interval of the difference of two files, by their passes.

    It is the pooled standard deviation of a pass times Student's quantile. The variance of the
    median of several passes is pi / 2 times that of their mean. 0 if neither file has repetitions.
    """
    freedom = old.freedom + new.freedom
    if not freedom:
        return 0.0
    parts = (1 / (one.freedom + 1) * (pi / 2 if one.freedom else 1) for one in (old, new))
    variance = (old.squares + new.squares) / freedom * sum(parts)
    return student(1 - (1 - CONFIDENCE) / 2, freedom) * sqrt(variance)


def is_alike(old: Results, before: Run, new: Results, after: Run) -> bool:
    """Return True if two runs were made on like machines under like loads."""
    machines = [_machine(results, run) for results, run in ((old, before), (new, after))]
    if machines[0] != machines[1]:
        return False
    cores = machines[0][1]
    return abs(_busy(before, cores) - _busy(after, cores)) <= LOAD


def is_busier(new: Results, after: Run, before: Run) -> bool:
    """Return True if other processes used the machine more than before."""
    cores = _machine(new, after)[1]
    return _busy(after, cores) - _busy(before, cores) > LOAD


def _machine(results: Results, run: Run) -> tuple[Any, int]:
    """Return processor and number of cores; one core if the record does not contain it."""
    header = results.headers[run.configuration]
    place = header.hosts.get(run.host, header.environment)
    facts = place if isinstance(place, Mapping) else {}
    cores = facts.get("cores")
    return facts.get("cpu"), cores if type(cores) is int and cores > 0 else 1


def _busy(run: Run, cores: int) -> float:
    """Return the share of the cores that other processes use; the run itself is a load of 1."""
    return min(1.0, max(0.0, fmean(run.load) - 1) / cores)
