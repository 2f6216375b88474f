"""Reruns of the same are no regressions; real slowdowns are, in spite of noise."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from math import exp
from pathlib import Path
from statistics import fmean, stdev

import pytest

from helpers import recorded
from helpers.benches import WAYS, suite_of
from helpers.commands import run
from helpers.drawing import FUZZ
from helpers.recorded import LIMIT_S, failed, one
from nonosat.bench.cells import tabulate
from nonosat.bench.compare import Comparison, compare
from nonosat.bench.judge import judge
from nonosat.bench.noise import FEWEST, Drift, bootstrap, drift, margin_of
from nonosat.bench.records import Header, Run, Status
from nonosat.bench.results import load

RERUNS = 50 * FUZZ
FOUR_CORES = {"cpu": "one", "cores": 4}


def session(
    rng: random.Random,
    factor: float = 1.0,
    num: int = 40,
    repetitions: int = 1,
    drifting: float = 0.015,
    most: float = 4.0,
) -> list[Run]:
    """Return a rerun: runs of 5 ms to `most` seconds, slower by a factor, with noise of known size.

    Every run varies by 8 %, three of a hundred take up to four times as long, and a tenth of the
    runs, consecutive ones, take 30 % longer because of another program. Each pass over the suite is
    faster or slower by `drifting`, and starts its processes in up to 0.7 ms more or less.
    """
    runs = []
    for repetition in range(repetitions):
        speed, start, busy = exp(rng.gauss(0, drifting)), rng.uniform(-7e-4, 7e-4), rng.random()
        for n in range(num):
            seconds = factor * 0.005 * (most / 0.005) ** ((n * 17 % num) / num)
            seconds = start + seconds * speed * exp(rng.gauss(0, 0.08))
            seconds *= rng.uniform(1, 4) if rng.random() < 0.03 else 1
            seconds *= 1.3 if busy < n / num < busy + 0.1 else 1
            runs.append(one("order", f"a#{n}", seconds, repetition=repetition, statistics={}))
    return runs


Compared = Callable[..., Comparison]


@pytest.fixture
def compared(tmp_path: Path) -> Compared:
    def work(
        old: Sequence[Run], new: Sequence[Run], heads: Sequence[Header | None] = (None, None)
    ) -> Comparison:
        paths = [
            recorded.write(tmp_path / name, runs, head)
            for name, runs, head in zip(("old", "new"), (old, new), heads, strict=True)
        ]
        (found,) = compare(load(paths[:1]), load(paths[1:]), "cpu")
        return found

    return work


@pytest.mark.thorough
@pytest.mark.parametrize("repetitions", [1, 3])
def test_reruns_are_no_regressions(compared: Compared, repetitions: int) -> None:
    """Below 2 % of false alarms; with repetitions, also if the machine itself drifts by 5 %."""
    drifting = 0.05 if repetitions > 1 else 0.015
    alarms, seen = 0, []
    for seed in range(RERUNS):
        rng = random.Random(seed)
        old, new = (session(rng, repetitions=repetitions, drifting=drifting) for _ in range(2))
        found = compared(old, new)
        assert found.seconds is not None
        seen.append(found.seconds.ratio.value)
        alarms += bool(found.regressions(0.05))
    assert alarms < 0.02 * RERUNS
    assert max(seen) > 1.05  # the test can fail: by the mean alone these would be alarms


@pytest.mark.thorough
@pytest.mark.parametrize("repetitions", [1, 3])
def test_slower_by_thirty_percent_is_found(compared: Compared, repetitions: int) -> None:
    missed = 0
    for seed in range(12 * FUZZ):
        rng = random.Random(seed)
        old = session(rng, repetitions=repetitions)
        found = compared(old, session(rng, 1.3, repetitions=repetitions))
        missed += not found.regressions(0.05)
        assert found.seconds is not None
        assert not found.seconds.is_better(0.05)
    assert missed <= FUZZ


def test_drift_between_passes_is_noise(compared: Compared) -> None:
    """12 % more is a regression, but not if the passes of one file differ by 10 %."""

    def passes(*factors: float) -> list[Run]:
        return [
            one("order", f"a#{n}", (n + 1) * factor, repetition=repetition, statistics={})
            for repetition, factor in enumerate(factors)
            for n in range(30)
        ]

    steady = passes(1, 1.001, 0.999)
    assert compared(steady, passes(1.12, 1.121, 1.119)).regressions(0.05)
    assert not compared(steady, passes(1.12, 1.07, 1.17)).regressions(0.05)
    assert not compared(passes(1, 1.1, 0.9), passes(1.12, 1.121, 1.119)).regressions(0.05)


def test_drift_by_hand(tmp_path: Path) -> None:
    runs = [one("order", f"a#{n}", n + 1.0, repetition=r) for r in range(2) for n in range(4)]
    runs = [replace(run, cpu_s=run.cpu_s * exp(0.1 if run.repetition else -0.1)) for run in runs]
    runs.append(one("order", "once#1", 5))
    results = load([recorded.write(tmp_path / "r", runs)])
    cells = tabulate(results, judge(results), "cpu").column("order")
    assert drift(results, cells, "cpu") == (pytest.approx(0.02), 1)
    assert drift(results, {}, "cpu") == Drift(0, 0)
    assert margin_of(Drift(0, 0), Drift(0, 0)) == 0
    # t(0.975, 2) = 4.303, variance 0.01, two means of two with pi / 2 for the median
    by_hand = 4.303 * (0.01 * 1.5708) ** 0.5
    assert margin_of(Drift(0.01, 1), Drift(0.01, 1)) == pytest.approx(by_hand, rel=1e-3)


@pytest.mark.thorough
def test_bootstrap() -> None:
    """Nearly Student's interval if the values are independent, wider if they are correlated."""
    rng = random.Random(3)
    values = [rng.gauss(1, 2) for _ in range(100)]
    plain = 1.984 * stdev(values) / 10
    assert bootstrap(values) == pytest.approx(plain, rel=0.25)
    assert bootstrap(values) == bootstrap(values)
    assert bootstrap(sorted(values)) > 2 * plain
    assert bootstrap([3.0] * 7) == pytest.approx(0, abs=1e-12)
    assert fmean(bootstrap([rng.gauss(0, 1) for _ in range(FEWEST)]) for _ in range(200)) > 0.7


def busy(runs: Sequence[Run], load_: float, factor: float = 1.0) -> list[Run]:
    return [replace(run, cpu_s=factor * run.cpu_s, load=(load_, load_)) for run in runs]


@pytest.mark.parametrize(
    ("before", "after", "is_compared"),
    [(0, 1, True), (1, 1.9, True), (1, 2.1, False), (2.1, 0.5, False), (7, 30, True)],
)
def test_seconds_under_different_loads_are_not_compared(
    compared: Compared, before: float, after: float, is_compared: bool
) -> None:
    """On four cores: a run is a load of 1, a quarter of the cores is much, more than all is all."""
    head = recorded.header(environment=FOUR_CORES)
    runs = session(random.Random(1))
    found = compared(busy(runs, before), busy(runs, after, 1.5), (head, head))
    assert bool(found.regressions(0.05)) == is_compared
    assert found.num_aside == (0 if is_compared else 40)
    assert (found.seconds is None) == (not is_compared)


def test_seconds_of_other_machines_are_not_compared(compared: Compared) -> None:
    runs = session(random.Random(1))
    heads = [
        recorded.header(environment={"cpu": cpu, "cores": cores})
        for cpu, cores in (("one", 4), ("other", 4), ("one", 8), ("one", 4), ([], "many"))
    ]
    slower = busy(runs, 0.5, 1.5)
    found = [compared(runs, slower, (heads[0], head)).num_aside for head in heads]
    assert found == [0, 40, 40, 0, 40]


def test_conflicts_are_compared_under_any_load(compared: Compared) -> None:
    def counted(factor: int) -> list[Run]:
        return [one("order", f"a#{n}", statistics={"conflicts": factor * n}) for n in range(40)]

    (told,) = compared(counted(2), busy(counted(3), 9)).regressions(0.05)
    assert told.endswith("more conflicts")


def test_a_timeout_under_a_heavier_load_is_no_regression(compared: Compared) -> None:
    old = [*session(random.Random(1)), one("order", "b#1", 1)]
    for load_, lost in ((0.5, ["b#1"]), (9.0, [])):
        late = busy([failed("order", "b#1", Status.TIMEOUT)], load_)
        found = compared(old, [*session(random.Random(2)), *late])
        assert (found.newly_unsolved, found.at_limit) == (lost, [] if lost else ["b#1"])
    crashed = busy([failed("order", "b#1", Status.CRASH)], 9)
    assert compared(old, [*session(random.Random(2)), *crashed]).newly_unsolved == ["b#1"]


def test_few_instances_do_not_suffice(compared: Compared, tmp_path: Path) -> None:
    for num in (FEWEST - 1, FEWEST):
        runs = [one("order", f"a#{n}", 1 + n) for n in range(num)]
        found = compared(runs, busy(runs, 0.5, 3.0))
        assert bool(found.regressions(0.05)) == (num == FEWEST)
        assert found.num_seconds == num
    few = [recorded.write(tmp_path / name, runs[:2]) for name in ("a", "b")]
    done = run("bench", "compare", *few)
    assert done.exit_code == 0
    assert "seconds: too few to decide, 2 pairs, expected 6 or more" in done.stdout


def test_output_of_the_command(tmp_path: Path) -> None:
    runs = session(random.Random(1), num=20)
    moved = recorded.header(["log"])
    options = {**moved.configurations["log"], "backend": "glucose421"}
    head = recorded.header(configurations={"order": options})
    old = recorded.write(tmp_path / "old", runs)
    other = [replace(done, configuration_sha256=str(options["sha256"])) for done in runs]
    new = recorded.write(tmp_path / "new", [*busy(other[:9], 9), *other[9:]], head)
    done = run("bench", "compare", old, new)
    assert done.exit_code == 0
    assert "order: no regression (20 instances)" in done.stdout
    assert "seconds: no difference beyond the noise, new / old 1.000" in done.stdout
    assert "11 pairs, 9 set aside: other load or machine" in done.stdout
    assert (
        "order has other options now: backend 'glucose421' (was 'cadical195'), "
        "encoding {'line': 'log'} (was {'line': 'order'})"
    ) in done.stderr


@pytest.mark.thorough
def test_a_suite_really_run_twice(tmp_path: Path) -> None:
    """A rerun is not worse; a run that takes ten seconds longer is.

    The threshold is a factor of two, because the load of the machine is unknown.
    """
    puzzles = [{"id": str(n), "rows": [[1 + n], [2]], "columns": [[None]] * 12} for n in range(12)]
    suite_of(tmp_path, WAYS, *puzzles, head='task = "solve"\nrepetitions = 2')
    suite = tmp_path / "suite.toml"
    files = [str(tmp_path / name) for name in ("old.jsonl", "new.jsonl", "slow.jsonl")]
    for file in files[:2]:
        assert run("bench", "run", str(suite), "-o", file).exit_code == 0
    done = run("bench", "compare", *files[:2], "--threshold", "1")
    assert done.exit_code == 0, done.stdout
    assert done.stdout.endswith("worse: 0 of 2 configurations\n")
    results = load(files[:1])
    slower = [replace(one_, cpu_s=one_.cpu_s + LIMIT_S) for one_ in results.runs]
    recorded.write(Path(files[2]), slower, results.header)
    done = run("bench", "compare", files[0], files[2], "--threshold", "1")
    assert done.exit_code == 1
    assert done.stdout.endswith("worse: 2 of 2 configurations\n")
