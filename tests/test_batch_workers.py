"""Worker processes: every puzzle gets one record, even if other puzzles damage their worker."""

from __future__ import annotations

import os
import signal

import pytest

import nonosat
from helpers.hostile import Crash, Hunger, Leak, Mistake, Sleep
from helpers.processes import all_ended, children_of, is_running
from nonosat.batch.deciding import BatchTask, TimedPuzzle, decide
from nonosat.batch.workers import Deciding
from nonosat.core.errors import BackendError, RefutedError, UnsupportedError
from nonosat.core.grid import Grid
from nonosat.core.result import Options
from nonosat.processes.pools import LocalPool
from nonosat.puzzles.nonogram.data import from_grid

CHECK = Options(max_solutions=2)


def puzzle(number, side=5):
    cells = bytes((number >> place) & 1 for place in range(side * side))
    return from_grid(Grid(side, side, cells))


def collected(pool, *tasks):
    """Record by number and place; each must come once."""
    for number, puzzles in tasks:
        pool.submit(number, tuple(map(TimedPuzzle, puzzles)))
    wanted = sum(len(puzzles) for _, puzzles in tasks)
    found = {}
    while len(found) < wanted:
        for done in pool.done(0.1):
            assert (done.number, done.place) not in found
            found[done.number, done.place] = done.outcome
    assert pool.done(0.0) == []
    return found


@pytest.fixture
def others():
    """Children that existed before: engines of other tests, kept for the next puzzle."""
    return children_of(os.getpid())


@pytest.fixture
def local(request, others):
    num_workers, options = getattr(request, "param", (1, CHECK))
    pool = LocalPool(num_workers, Deciding(BatchTask("check", options)))
    yield pool
    pool.close()


def workers(others):
    """Workers that have started since."""
    return {pid for pid in children_of(os.getpid()) - others if is_running(pid)}


@pytest.mark.slow
@pytest.mark.parametrize("local", [(1, CHECK), (2, CHECK)], indirect=True)
def test_answers_are_those_of_the_pipeline(local):
    tasks = [
        (number, tuple(puzzle(0x15A3B1 * (number * 7 + index)) for index in range(6)))
        for number in range(5)
    ]
    found = collected(local, *tasks)
    for number, puzzles in tasks:
        for index, each in enumerate(puzzles):
            record = found[number, index]
            result = nonosat.check(each)
            assert record["status"] == "ok"
            assert record["verdict"] == result.verdict.value
            assert record["solutions"] == [grid.lines() for grid in result.solutions]


def test_a_crash_is_tried_again_and_affects_no_other_puzzle(local, tmp_path):
    once = Crash(str(tmp_path / "crashed"))
    found = collected(local, (0, (puzzle(1), Crash(), puzzle(3), once, puzzle(7))))
    assert [found[0, index]["status"] for index in range(5)] == ["ok", "crash", "ok", "ok", "ok"]
    assert "SIGKILL" in found[0, 1]["reason"]
    assert "2 times" in found[0, 1]["reason"]


def test_each_end_of_a_puzzle_has_its_status(monkeypatch):
    for error, status in (
        (UnsupportedError("no such method"), "unsupported"),
        (RefutedError("a wrong picture"), "wrong"),
        (BackendError("it broke"), "crash"),
        (MemoryError(), "memout"),
    ):

        def fail(*_args, error=error):
            raise error

        monkeypatch.setattr("nonosat.solving.pipeline.check_problem", fail)
        record = decide(BatchTask("check", CHECK), TimedPuzzle(puzzle(1)))
        assert (record["status"], record["verdict"]) == (status, "unknown")
        assert record["reason"] == (str(error) or "out of memory")


def test_an_unexpected_exception_is_recorded_and_the_worker_stays(local):
    found = collected(local, (0, (puzzle(1), Mistake(), puzzle(3))))
    assert [found[0, index]["status"] for index in range(3)] == ["ok", "crash", "ok"]
    assert found[0, 1]["reason"] == "ZeroDivisionError: a mistake"


@pytest.mark.real_time
@pytest.mark.parametrize("local", [(2, Options(max_solutions=2, time_limit_s=0.3))], indirect=True)
def test_time_limits_hold_for_work_that_never_polls(local):
    local.submit(9, (TimedPuzzle(Sleep(), 0.2),))
    (read_late,) = local.done(10.0)
    assert read_late.outcome["reason"] == "time limit of 0.3 s"
    found = collected(local, (0, (Sleep(), puzzle(1))), (1, (puzzle(3), Sleep())))
    statuses = {place: record["status"] for place, record in found.items()}
    assert statuses == {(0, 0): "timeout", (0, 1): "ok", (1, 0): "ok", (1, 1): "timeout"}
    assert found[0, 0]["reason"] == "time limit of 0.3 s"


@pytest.mark.thorough
@pytest.mark.parametrize(
    "local", [(1, Options(max_solutions=2, memory_limit_mib=300))], indirect=True
)
def test_memory_limits_hold_for_work_that_never_polls(local):
    found = collected(local, (0, (puzzle(1), Hunger(400), puzzle(3), Hunger(700))))
    assert [found[0, index]["status"] for index in range(4)] == ["ok", "memout", "ok", "memout"]
    assert found[0, 1]["reason"] == "memory limit of 300 MiB"


@pytest.mark.slow
def test_a_killed_worker_is_replaced_whether_idle_or_busy(local, others):
    assert len(collected(local, (0, (puzzle(1),)))) == 1
    for number in range(1, 4):
        (pid,) = workers(others)
        os.kill(pid, signal.SIGKILL)
        found = collected(local, (number, (puzzle(number), puzzle(number + 1))))
        assert [record["status"] for record in found.values()] == ["ok", "ok"]


def test_cancelling_forgets_everything_at_once(local, others):
    local.submit(0, (TimedPuzzle(Sleep()),))
    local.submit(1, (TimedPuzzle(puzzle(1)),))
    local.done(0.5)
    pids = workers(others)
    assert pids
    local.cancel()
    assert all_ended(pids)
    assert local.done(0.0) == []
    found = collected(local, (2, (puzzle(3),)))
    assert found[2, 0]["status"] == "ok"


def test_workers_that_cannot_start_are_an_error(local, monkeypatch):
    monkeypatch.setattr("sys.executable", "/bin/false")
    local.submit(0, (TimedPuzzle(puzzle(1)),))
    with pytest.raises(BackendError, match="workers cannot be started"):
        local.done(30.0)


@pytest.mark.slow
@pytest.mark.parametrize(
    "local", [(1, Options(max_solutions=2, memory_limit_mib=800))], indirect=True
)
def test_memory_left_by_a_puzzle_is_not_charged_to_the_next(local):
    found = collected(local, (0, (Leak(350), Leak(350), Leak(350), puzzle(1))))
    assert [found[0, index]["status"] for index in range(4)] == ["ok"] * 4


def test_reading_takes_from_the_time_of_a_puzzle(monkeypatch):
    """A puzzle has one time limit, for reading it and for the rest."""
    given = []

    def asked(problem):
        given.append(problem.options.time_limit_s)
        raise UnsupportedError("enough")

    monkeypatch.setattr("nonosat.solving.pipeline.check_problem", asked)
    within = BatchTask("check", Options(max_solutions=2, time_limit_s=2))
    for spent in (0.0, 0.01, 1.5, 99.0):
        decide(within, TimedPuzzle(puzzle(1), spent))
    decide(BatchTask("check", CHECK), TimedPuzzle(puzzle(1), 99.0))
    assert given == [2.0, 2.0, 0.5, 0.001, None]
    assert Deciding(within).limits(TimedPuzzle(puzzle(1), 1.5)).time_s == 0.5
