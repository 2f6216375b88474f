"""Comparison of two benchmarks: which differences are regressions."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from helpers import recorded
from helpers.commands import run
from helpers.recorded import LIMIT_S, failed, one
from nonosat.bench.compare import Comparison, compare, unmatched
from nonosat.bench.records import Run, Status
from nonosat.bench.results import load
from nonosat.core.errors import UnsupportedError
from nonosat.core.result import Verdict


def timed(factor: float = 1.0, seed: int = 0, noise: float = 0.05, num: int = 40) -> list[Run]:
    """Runs of one configuration whose times differ by chance, and by a factor."""
    rng = random.Random(seed)
    return [
        replace(
            one("order", f"a#{n}", factor * (0.01 + n / 20) * (1 + rng.uniform(-noise, noise))),
            statistics={"conflicts": 100 * n},
        )
        for n in range(num)
    ]


@pytest.fixture
def compared(tmp_path: Path) -> Callable[..., Comparison]:
    def work(old: list[Run], new: list[Run]) -> Comparison:
        paths = [
            recorded.write(tmp_path / f"{name}.jsonl", runs)
            for name, runs in (("old", old), ("new", new))
        ]
        (found,) = compare(load(paths[:1]), load(paths[1:]), "cpu")
        return found

    return work


def test_nothing_changed(compared: Callable[..., Comparison]) -> None:
    found = compared(timed(seed=1), timed(seed=2))
    assert found.num == 40
    assert found.regressions(0.05) == []
    assert found.conflicts is not None
    assert found.conflicts.ratio.value == 1


def test_runs_of_only_one_file_are_reported(tmp_path: Path) -> None:
    old = recorded.write(tmp_path / "old", [*timed(), one("direct", "a#0")])
    less = [replace(done, instance=f"x{done.instance}") for done in timed()[5:]]
    new = recorded.write(tmp_path / "new", [*less, one("order", "b#1"), one("log", "a#0")])
    assert unmatched(load([old]), load([new])) == [
        "direct ran before and not now",
        "log did not run before",
        "order: 5 instances ran before and not now, 1 instance did not run before",
    ]
    done = run("bench", "compare", old, new)
    assert done.exit_code == 0
    assert "nonosat: direct ran before and not now\n" in done.stderr
    assert unmatched(load([old]), load([old])) == []


def test_slower(compared: Callable[..., Comparison]) -> None:
    found = compared(timed(seed=1), timed(1.2, seed=2))
    (told,) = found.regressions(0.05)
    assert told in ("slower by 19%", "slower by 20%", "slower by 21%")
    assert found.regressions(0.3) == []
    faster = compared(timed(1.2, seed=1), timed(seed=2))
    assert faster.regressions(0.05) == []
    assert faster.seconds is not None
    assert faster.seconds.is_better(0.05)


def test_one_spoilt_measurement_is_no_regression(compared: Callable[..., Comparison]) -> None:
    new = timed(seed=2)
    new[7] = replace(new[7], cpu_s=9.9)
    assert compared(timed(seed=1), new).regressions(0.05) == []


def test_repetitions_count_by_their_median(compared: Callable[..., Comparison]) -> None:
    def thrice(runs: list[Run], spoilt: float) -> list[Run]:
        return [
            replace(run, repetition=n, cpu_s=run.cpu_s * (spoilt if n == 1 else 1))
            for run in runs
            for n in range(3)
        ]

    assert compared(thrice(timed(), 1), thrice(timed(), 50)).regressions(0.05) == []


def test_conflicts(compared: Callable[..., Comparison]) -> None:
    more = [replace(run, statistics={"conflicts": 150 * n}) for n, run in enumerate(timed(seed=2))]
    (told,) = compared(timed(seed=1), more).regressions(0.05)
    assert told.endswith("more conflicts")
    faster = [replace(run, cpu_s=run.cpu_s / 2) for run in more]
    assert compared(timed(seed=1), faster).regressions(0.05) == []


def test_unsolved_and_wrong(compared: Callable[..., Comparison]) -> None:
    new = timed(seed=2)
    new[3] = failed("order", "a#3", Status.CRASH)
    new[5] = one("order", "a#5", verdict=Verdict.UNSOLVABLE, solutions=(), status=Status.WRONG)
    found = compared(timed(seed=1), new)
    assert found.regressions(0.05) == ["1 newly wrong", "1 newly unsolved"]
    assert (found.newly_wrong, found.newly_unsolved) == (["a#5"], ["a#3"])
    back = compared(new, timed(seed=1))
    assert back.regressions(0.05) == []
    assert back.newly_solved == ["a#3", "a#5"]


def test_timeout_near_the_limit_is_chance(compared: Callable[..., Comparison]) -> None:
    old = [*timed(seed=1), one("order", "slow#1", 0.9 * LIMIT_S), one("order", "quick#1", 1)]
    new = [*timed(seed=2), failed("order", "slow#1", Status.TIMEOUT)]
    assert compared(old[:-1], new).regressions(0.05) == []
    assert compared(old[:-1], new).at_limit == ["slow#1"]
    new.append(failed("order", "quick#1", Status.TIMEOUT))
    assert compared(old, new).newly_unsolved == ["quick#1"]


def test_timeouts_count_as_the_limit(compared: Callable[..., Comparison]) -> None:
    """A solver is slower if it now reaches the time limit on an instance that took long before."""
    old = [one("order", f"a#{n}", 6 + n / 100) for n in range(20)]
    new = [failed("order", f"a#{n}", Status.TIMEOUT, LIMIT_S) for n in range(20)]
    (told,) = compared(old, new).regressions(0.05)
    assert told.startswith("slower by")


def renamed(runs: list[Run], **changed: Any) -> list[Run]:
    return [replace(run, **changed) for run in runs]


def test_renamed_configuration_is_found_by_its_options(
    compared: Callable[..., Comparison],
) -> None:
    assert compared(timed(), renamed(timed(), configuration="new name")).num == 40


def test_nothing_in_common(compared: Callable[..., Comparison], tmp_path: Path) -> None:
    other = renamed(timed(), configuration="other", configuration_sha256="x")
    with pytest.raises(UnsupportedError, match="no instance ran under the same configuration"):
        compared(timed(), other)
    with pytest.raises(UnsupportedError, match="no instance ran"):
        compared(timed(), [one("order", "elsewhere#1")])
    old = load([recorded.write(tmp_path / "a", timed())])
    new = load([recorded.write(tmp_path / "b", timed(), recorded.header(task="solve"))])
    with pytest.raises(UnsupportedError, match="different tasks or limits"):
        compare(old, new, "cpu")


def test_command(tmp_path: Path) -> None:
    names = {"order": 1.0, "direct": 2.0}
    old = recorded.write(tmp_path / "old", recorded.many(160, names, seed=1))
    slow = recorded.write(tmp_path / "slow", recorded.many(160, {**names, "direct": 3.0}, seed=1))
    same = run("bench", "compare", old, old)
    assert same.exit_code == 0
    assert same.stdout.endswith("worse: 0 of 2 configurations\n")
    worse = run("bench", "compare", old, slow)
    assert worse.exit_code == 1
    assert "direct: WORSE: " in worse.stdout
    assert "order: no regression (40 instances)" in worse.stdout
    assert run("bench", "compare", old, slow, "--threshold", "0.6", "--seconds", "wall").stdout
    assert run("bench", "compare", old, str(tmp_path / "none")).exit_code == 2
