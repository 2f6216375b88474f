"""Idle workers' cores are given to the remaining puzzles."""

from __future__ import annotations

import json
import os
import signal
from itertools import count
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import nonosat
from helpers.commands import run
from nonosat.backends.learn import LearningEngine
from nonosat.batch.deciding import BatchTask, TimedPuzzle
from nonosat.batch.workers import Deciding
from nonosat.core import hooks
from nonosat.core.plugins import Answer
from nonosat.core.result import Options
from nonosat.processes.beacon import Beacon
from nonosat.processes.pools import LocalPool
from nonosat.processes.tools import Work
from nonosat.solving import pipeline
from nonosat.solving.problem import Problem
from nonosat.testing import oracles
from nonosat.testing.strategies import puzzles, slitherlinks

HARD = "instances/unique.jsonl#weave-55-81"  # a second
UNIQUE = "instances/unique.jsonl#noise-35-6"  # a quarter of that
CHECK = Options(max_solutions=2)
EASY = nonosat.nonogram([[1]], [[1]])


def growing(*numbers, every=2):
    """Number of cores that grows after every few queries."""
    asked = count()
    return lambda: numbers[min(next(asked) // every, len(numbers) - 1)]


def asked(question, puzzle, options, cores=None):
    """Return the answer to a query on a puzzle that may use so many cores."""
    problem = Problem(puzzle, options)
    problem.watch.cores = cores
    return question(problem)


def size_of_team(stages):
    return max(stage.get("detail", {}).get("threads", 1) for stage in stages)


def threads_of(result):
    return size_of_team([{"detail": stage.detail} for stage in result.stages])


# A search with threads that join it


@pytest.fixture
def eager(monkeypatch):
    """Engines that poll for an interrupt before any work, not after milliseconds."""
    solve = LearningEngine.solve

    def polling(self, assumptions, watch, budget=None):
        return Answer.UNKNOWN if watch.poll() else solve(self, assumptions, watch, budget)

    monkeypatch.setattr(LearningEngine, "solve", polling)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(puzzles(max_cells=20), st.lists(st.integers(1, 4), min_size=1, max_size=4))
def test_a_team_that_grows_finds_the_same_solutions(eager, puzzle, numbers):
    options = Options(max_solutions=None, backend="learn", presolve="none")
    found = asked(pipeline.decide, puzzle, options, growing(*sorted(numbers)))
    assert {grid.cells for grid in found.solutions} == oracles.solutions(puzzle)
    assert len(set(found.solutions)) == len(found.solutions)


def test_a_team_that_grows_between_solutions_gives_none_twice(eager):
    options = Options(max_solutions=500, backend="learn", presolve="none")
    permutations = nonosat.nonogram([[1]] * 9, [[1]] * 9)
    found = asked(pipeline.decide, permutations, options, growing(1, 2, 3, 4))
    assert len(set(found.solutions)) == 500
    assert threads_of(found) == 4


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(slitherlinks())
def test_clauses_added_during_the_search_belong_to_one_worker_each(eager, puzzle):
    options = Options(max_solutions=40, backend="learn")
    found = asked(pipeline.decide, puzzle, options, growing(1, 2, 3))
    alone = nonosat.solve(puzzle, backend="learn", max_solutions=40)
    assert len(found.solutions) == len(alone.solutions)
    if len(alone.solutions) < 40:
        assert set(found.solutions) == set(alone.solutions)


@pytest.mark.parametrize("backend", ["auto", "learn", "learn-lines"])
def test_a_unique_puzzle_is_unique(backend):
    options = Options(max_solutions=2, backend=backend)
    found = asked(pipeline.check_problem, nonosat.load(UNIQUE), options, growing(1, 2, 4))
    assert found.verdict is nonosat.Verdict.UNIQUE
    assert threads_of(found) == 4
    assert found.stages[-1].detail["imported"] > 0


def test_without_more_cores_a_search_is_unchanged():
    puzzle = nonosat.load(UNIQUE)
    counts = [
        result.stages[-1].detail
        for result in (
            asked(pipeline.check_problem, puzzle, CHECK, lambda: 1),
            asked(pipeline.check_problem, puzzle, CHECK),
        )
    ]
    assert counts[0] == counts[1]


def test_no_thread_joins_without_memory_for_it():
    options = Options(max_solutions=2, memory_limit_mib=1)
    puzzle = nonosat.load(UNIQUE)
    roomy = Options(max_solutions=2, memory_limit_mib=2**20)
    assert threads_of(asked(pipeline.check_problem, puzzle, roomy, lambda: 2)) == 2
    just = Options(max_solutions=2, memory_limit_mib=int(hooks.resident_mib(None) * 2))
    found = asked(pipeline.check_problem, puzzle, just, lambda: 2)
    assert (found.verdict, threads_of(found)) == (nonosat.Verdict.UNIQUE, 1)
    assert (
        asked(pipeline.check_problem, puzzle, options, lambda: 2).verdict is nonosat.Verdict.UNKNOWN
    )


@pytest.mark.slow
def test_an_engine_of_one_thread_is_left_alone():
    options = Options(max_solutions=2, backend="cadical195")
    found = asked(pipeline.check_problem, nonosat.load(UNIQUE), options, lambda: 4)
    assert (found.verdict, threads_of(found)) == (nonosat.Verdict.UNIQUE, 1)


def test_a_time_limit_holds_for_threads_that_have_joined(clock):
    clock.step_s = 0.1
    hardest = nonosat.load("instances/unique.jsonl#noise-60-303")  # some seconds

    options = Options(max_solutions=2, time_limit_s=60)
    found = asked(pipeline.check_problem, hardest, options, growing(1, 2))
    assert (found.verdict.value, found.reason) == ("unknown", "time limit of 60 s")
    assert threads_of(found) == 2


# Distribution of cores


class Shared(Work):
    """Parts of the work end when they are stopped."""

    def __init__(self):
        self.cores = {}
        self.at_work = {}

    def start(self):
        return Talking()

    def give(self, process, pieces):
        (process.piece,) = pieces
        self.at_work[process.piece] = process
        self.cores[process.piece] = self.cores.get(process.piece, 1)

    def share(self, process, num_cores):
        if process.piece is not None:
            assert num_cores >= self.cores[process.piece], "cores are never taken back"
            self.cores[process.piece] = num_cores

    def take(self, process):
        process.said()
        self.at_work.pop(process.piece, None)
        return process.piece, False

    def ended(self, error, seconds):
        raise AssertionError(error)


class Talking:
    """Simulated process, which sends a message at each call of `say`."""

    pid = 0

    def __init__(self):
        self.piece = None
        self._read, self._write = os.pipe()
        self.say()  # it is ready

    def say(self):
        os.write(self._write, b"x")

    def said(self):
        os.read(self._read, 1)

    def fileno(self):
        return self._read

    def doom(self):
        pass

    def kill(self):
        os.close(self._read)
        os.close(self._write)


def test_cores_are_spread_over_what_is_left():
    work = Shared()
    pool = LocalPool(7, work)
    try:
        for number in range(9):
            pool.submit(number, (f"piece {number}",))
        assert pool.done(0.1) == []
        pool.no_more()
        assert set(work.cores.values()) == {1}, "there is a queue"
        shares = []
        for number in range(8):
            work.at_work[f"piece {number}"].say()
            (done,) = pool.done(1.0)
            assert done.outcome == f"piece {number}"
            shares.append([work.cores[piece] for piece in work.at_work])
        assert shares[:3] == [[1] * 7, [1] * 7, [2, 1, 1, 1, 1, 1]]
        assert [sum(each) for each in shares] == [7] * 8
        assert shares[-1] == [7]
    finally:
        pool.close()


def test_a_beacon_shows_0_until_another_number_is_shown():
    ours = Beacon()
    theirs = Beacon(os.dup(ours.fd))
    assert theirs() == 0
    ours.show(70_000)
    assert theirs() == 70_000
    ours.close()
    theirs.close()


# A batch


@pytest.fixture
def pool():
    pool = LocalPool(2, Deciding(BatchTask("check", CHECK)))
    yield pool
    pool.close()


@pytest.fixture
def warm(pool):
    """Pool with both workers idle: none is still starting when a hard puzzle is done."""
    for number in (100, 101):
        pool.submit(number, (TimedPuzzle(EASY),))
    assert len(records(pool, 2)) == 2
    return pool


def records(pool, num):
    found = {}
    while len(found) < num:
        found |= {done.number: done.outcome for done in pool.done(0.1)}
    return found


@pytest.mark.slow
def test_the_last_puzzle_gets_both_cores(warm):
    warm.submit(0, (TimedPuzzle(EASY),))
    warm.submit(1, (TimedPuzzle(nonosat.load(HARD)),))
    warm.no_more()
    found = records(warm, 2)
    assert [found[number]["verdict"] for number in (0, 1)] == ["unique", "unique"]
    assert [size_of_team(found[number]["stages"]) for number in (0, 1)] == [1, 2]


@pytest.mark.slow
def test_a_repeated_puzzle_gets_them_again(warm):
    warm.submit(0, (TimedPuzzle(EASY),))
    warm.submit(1, (TimedPuzzle(nonosat.load(HARD)),))
    warm.no_more()
    assert set(records(warm, 1)) == {0}
    (tool,) = warm._at_work.values()
    os.kill(tool._process.pid, signal.SIGKILL)
    found = records(warm, 1)
    assert (found[1]["verdict"], size_of_team(found[1]["stages"])) == ("unique", 2)


@pytest.mark.slow
def test_later_puzzles_have_one_core_again(pool):
    pool.submit(0, (TimedPuzzle(nonosat.load(HARD)),))
    pool.no_more()
    assert size_of_team(records(pool, 1)[0]["stages"]) == 2
    for number in (1, 2):
        pool.submit(number, (TimedPuzzle(nonosat.load(UNIQUE)),))
    found = records(pool, 2)
    assert [size_of_team(found[number]["stages"]) for number in (1, 2)] == [1, 1]


@pytest.mark.thorough
@pytest.mark.parametrize("more", [[], ["--shards"]])
def test_a_batch_ends_with_all_cores_at_one_puzzle(tmp_path, more):
    source = tmp_path / "puzzles.jsonl"
    lines = [f'{{"id": "easy-{n}", "rows": [[1]], "columns": [[1]]}}\n' for n in range(20)]
    bundled, _, name = HARD.partition("#")
    found = Path(bundled).read_text().splitlines(keepends=True)
    lines += [line for line in found if f'"id":"{name}"' in line]
    source.write_text("".join(lines))
    for attempt in range(3):  # a machine that stalls may leave the other worker at work too long
        output = tmp_path / f"results-{attempt}"
        run("batch", str(source), "-o", str(output), "--jobs", "2", *more)
        listed = run("batch", "-o", str(output), "--latest").stdout.splitlines()
        records = {record["id"]: record for record in map(json.loads, listed)}
        assert len(records) == 21
        assert {record["verdict"] for record in records.values()} == {"unique"}
        if (size := size_of_team(records[name]["stages"])) == 2:
            break
    assert size == 2
    assert size_of_team(records["easy-3"]["stages"]) == 1
