"""Threads of one puzzle: the same verdicts as one thread, and no thread left afterwards."""

from __future__ import annotations

import random
import threading
from array import array
from contextlib import closing
from dataclasses import asdict, replace
from functools import partial

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pysat.solvers import Solver

import nonosat
from helpers.clocks import interrupt
from helpers.native_inputs import learner, threshold
from helpers.processes import eventually, interruptible
from nonosat import _core
from nonosat.backends.learn import LearningEngine
from nonosat.board import decimation, presolve
from nonosat.core import hooks
from nonosat.core.errors import BackendError, LimitReached, UnsupportedError
from nonosat.core.limits import Limits, Watch, checkpoint
from nonosat.core.plugins import Answer
from nonosat.processes.threads import Threads
from nonosat.puzzles.nonogram import build, from_grid, refutation
from nonosat.questions import backbone_state
from nonosat.solving import session
from nonosat.solving.auto import SearchRound
from nonosat.solving.oracle import Oracle
from nonosat.solving.problem import Problem
from nonosat.solving.steps import Steps
from nonosat.testing import oracles
from nonosat.testing.strategies import puzzles, slitherlinks

HARD = "instances/unique.jsonl#noise-60-303"  # some seconds
UNIQUE = "instances/unique.jsonl#slope-45-3"  # 400 conflicts
SEARCHED = {"backend": "learn", "presolve": "none"}


@pytest.fixture
def eager(monkeypatch):
    """Teams that start at once."""
    monkeypatch.setattr(session, "ALONE_CONFLICTS", 1)


@pytest.fixture(autouse=True)
def no_thread_stays():
    yield
    names = {"nonosat-thread"}
    assert eventually(lambda: names.isdisjoint(each.name for each in threading.enumerate()))


def size_of_team(result):
    return max(stage.detail.get("threads", 1) for stage in result.stages)


# Solutions and verdicts


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(puzzles(max_cells=20), st.integers(2, 4), st.booleans())
def test_a_team_finds_the_same_solutions(eager, puzzle, jobs, is_deterministic):
    found = nonosat.solve(
        puzzle, **SEARCHED, max_solutions=None, jobs=jobs, deterministic=is_deterministic
    )
    assert {grid.cells for grid in found.solutions} == oracles.solutions(puzzle)
    assert len(set(found.solutions)) == len(found.solutions)


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(slitherlinks())
def test_clauses_added_during_the_search_belong_to_one_worker_each(eager, puzzle):
    found = nonosat.solve(puzzle, backend="learn", max_solutions=40, jobs=2)
    alone = nonosat.solve(puzzle, backend="learn", max_solutions=40)
    assert len(found.solutions) == len(alone.solutions)
    if len(alone.solutions) < 40:
        assert set(found.solutions) == set(alone.solutions)


def test_members_refine_one_after_the_other(eager):
    """A refiner works on an object of its own, which takes one call at a time."""
    puzzle = nonosat.load("instances/slitherlink.jsonl#loop-30")
    for seed in range(10):
        found = nonosat.check(puzzle, backend="learn", jobs=4, seed=seed)
        assert found.verdict is nonosat.Verdict.UNIQUE
        assert found.stages[-1].detail["cuts"] > 0


@pytest.mark.parametrize("is_deterministic", [False, True])
@pytest.mark.parametrize("backend", ["auto", "learn", "learn-lines"])
def test_a_unique_puzzle_is_unique(eager, backend, is_deterministic):
    puzzle = nonosat.load(UNIQUE)
    found = nonosat.check(puzzle, backend=backend, jobs=2, deterministic=is_deterministic)
    assert found.verdict is nonosat.Verdict.UNIQUE
    assert size_of_team(found) == 2
    assert found.stages[-1].detail["imported"] > 0


def test_an_unsolvable_puzzle_is_unsolvable(eager):
    puzzle = nonosat.load(UNIQUE)
    solution = nonosat.check(puzzle).solution
    at = next(cell for cell in range(45**2) if not solution.cells[cell])
    wrong = nonosat.nonogram(
        [[block.length for block in clue] for clue in puzzle.rows],
        [[block.length for block in clue] for clue in puzzle.columns],
        given=[(*divmod(at, 45), 1)],
    )
    assert nonosat.check(wrong, presolve="none", jobs=2).verdict is nonosat.Verdict.UNSOLVABLE


def test_deterministic_runs_repeat(eager):
    puzzle = nonosat.nonogram([[1]] * 9, [[1]] * 9)
    ask = partial(nonosat.solve, puzzle, **SEARCHED, max_solutions=30, jobs=3, deterministic=True)
    first, second = ask(), ask()
    assert first.solutions == second.solutions
    assert size_of_team(first) == 3


def test_easy_puzzles_have_no_team():
    assert size_of_team(nonosat.check(nonosat.nonogram([[1]] * 9, [[1]] * 9), jobs=2)) == 1


def test_many_threads(eager):
    assert size_of_team(nonosat.check(nonosat.load(UNIQUE), jobs=8)) == 8


@pytest.mark.parametrize("name", ["slope-45-3", "noise-35-6"])
def test_the_first_thread_does_what_one_thread_does(monkeypatch, name):
    """If no other thread finds anything, all counters of its stages are equal."""
    puzzle = nonosat.load(f"instances/unique.jsonl#{name}")
    alone = nonosat.check(puzzle)
    monkeypatch.setattr(session.Team, "_start", lambda team, number: None)
    found = nonosat.check(puzzle, jobs=3)
    assert size_of_team(found) == 3
    # The clause that excludes the solution is added to all workers, the first one included.
    apart = {"threads": 1, "imported": 0}
    counts = [(stage.name, stage.decided, stage.detail | apart) for stage in found.stages]
    assert counts == [(stage.name, stage.decided, stage.detail | apart) for stage in alone.stages]


@pytest.mark.thorough
def test_the_first_member_works_as_if_it_were_alone():
    """Clauses of other workers do not change its search: a team is no slower than one thread."""
    clauses = threshold(200, 3)
    alone, first = learner(200, clauses), learner(200, clauses)
    second, exchange = first.twin(1), _core.Exchange(2, 200, True)
    first.join(exchange, 0)
    second.join(exchange, 1)
    sent = []
    while alone.solve([], 100) == first.solve([], 100) == _core.Answer.UNKNOWN:
        second.solve([], 100)
        sent.append(second.statistics["imported"])
    assert len(sent) > 2
    assert sent[-1] > 0
    assert first.statistics["imported"] == 0
    assert first.statistics["conflicts"] == alone.statistics["conflicts"]


def test_a_twin_of_a_led_member_stops_following_its_phases():
    """Its engine is a copy with the phases; a turn without any has to remove them."""
    suggested = []

    class Recording:
        def set_phases(self, lits):
            suggested.append(lits)

        def solve(self, assumptions, watch, budget):
            return Answer.UNSAT

    watch = Watch(Limits())
    first = session.Worker(Oracle("learn", Recording(), 1, watch), None, watch)
    first._is_led = True
    twin = first.twin(Recording(), watch)
    assert list(twin.solutions([SearchRound()], [])) == []
    assert twin.is_exhausted
    assert suggested == [()]


# Decimation in several threads

QUICK = (replace(decimation.FURTHER, effort=1, first=1), replace(decimation.FURTHER, seed=7))


def board_of(puzzle):
    return presolve.PresolvedModel.of(build(puzzle), int)


@pytest.fixture
def board():
    return board_of(nonosat.load("instances/unique.jsonl#noise-35-6"))


def race_on(board, attempts, num_threads=3):
    return closing(decimation.Race(board, attempts, num_threads, Watch(Limits())))


def test_each_thread_has_settings_of_its_own():
    attempts = [replace(decimation.FURTHER, effort=effort, seed=effort) for effort in (30, 60, 90)]
    once = [[one.effort for one in decimation._others(attempts, number, 1)] for number in (1, 2, 3)]
    assert once == [[90, 30, 60], [60, 90, 30], [30, 60, 90]]
    lists = [[*decimation._others(attempts, number, 3)] for number in (1, 2, 3)]
    assert [one.effort for one in lists[0]] == [10] * 3 + [20] * 3 + [30] * 3
    every = {(*asdict(one).values(),) for each in (attempts, *lists) for one in each}
    assert len(every) == 3 + 3 * 3 * 3


def test_the_first_thread_that_completes_the_board_ends_the_race():
    puzzle = nonosat.nonogram([[1]] * 9, [[1]] * 9)
    with race_on(board_of(puzzle), [decimation.FURTHER]) as race:
        assert eventually(race.is_over)
        race.close()
        assert not race.is_over()
    assert race.num_running == 0
    assert not race.is_refuted
    grid = nonosat.Grid(9, 9, race.reached.cells)
    assert not refutation(puzzle, grid)


def test_a_race_refutes_a_board():
    puzzle = nonosat.nonogram([[2], [2], []], [[1, 1], [1], [1]])
    with race_on(board_of(puzzle), QUICK) as race:
        assert eventually(race.is_over)
    assert race.is_refuted
    assert race.reached is None


def test_a_race_without_memory_ends_alone(board, monkeypatch):
    def failing(task, settings, watch):
        raise MemoryError

    monkeypatch.setattr(decimation, "decimate", failing)
    with race_on(board, QUICK) as race:
        assert eventually(lambda: race.is_over() or not race.num_running)
        assert not race.is_over()


def test_an_abandoned_race_ends_at_once(board):
    endless = decimation.Settings(first=decimation.MAX_ROUNDS)
    with race_on(board, [endless]) as race:
        assert not race.is_over()
        assert race.num_running == 2


def noise():
    """Picture whose clues leave most cells open."""
    draw = random.Random(3)
    return nonosat.Grid(60, 60, bytes(draw.random() < 0.5 for _ in range(3600)))


class WonRace:
    """Race with a given end, from the moment at which `is_won` returns True."""

    num_running = 1

    def __init__(self, reached, is_won):
        self.reached, self.is_refuted = reached, reached is None
        self._is_won, self._is_closed = is_won, False

    def is_over(self):
        return not self._is_closed and self._is_won()

    def close(self):
        self._is_closed = True


@pytest.mark.parametrize("stage", ["decimate", "solve"])
def test_a_solution_of_the_race_is_the_first_one(monkeypatch, stage):
    """It arrives while the first thread decimates, or while its engine searches."""
    picture = noise()
    puzzle = from_grid(picture)
    reached = decimation.Decimated(decimation.Settings(), picture.cells, True, None, {"steps": 1})
    is_solving = threading.Event()
    is_won = is_solving.is_set if stage == "solve" else lambda: True
    monkeypatch.setattr(decimation, "Race", lambda *_: WonRace(reached, is_won))
    hints = "decimation:effort=0" if stage == "solve" else "decimation:effort=1000000"
    solve = LearningEngine.solve

    def solving(self, *arguments):
        is_solving.set()
        return solve(self, *arguments)

    monkeypatch.setattr(LearningEngine, "solve", solving)
    found = nonosat.solve(puzzle, jobs=2, hints=hints)
    assert found.solution == picture


def test_a_refutation_of_the_race_ends_the_search(monkeypatch):
    monkeypatch.setattr(decimation, "Race", lambda *_: WonRace(None, lambda: True))
    found = nonosat.check(from_grid(noise()), jobs=2, hints="decimation:effort=1000000")
    assert found.verdict is nonosat.Verdict.UNSOLVABLE


def test_a_race_that_is_over_does_not_end_other_stages(board):
    """Only a step that decimates takes the result; an engine's turns take it by themselves."""

    class Step:
        stage = "prices"

        def step(self, remaining_s, poll):
            return not poll()

    steps = Steps(Problem(nonosat.nonogram([[1]], [[1]]), nonosat.Options(jobs=2)))
    steps._race = WonRace(None, lambda: True)
    steps._work(Step(), board)


def test_threads_of_a_race_that_cannot_start_end(board, monkeypatch):
    copy, copies = presolve.PresolvedModel.copy, []

    def failing(self):
        copies.append(self)
        if len(copies) == 2:
            raise MemoryError
        return copy(self)

    monkeypatch.setattr(presolve.PresolvedModel, "copy", failing)
    before = threading.active_count()
    with pytest.raises(MemoryError):
        race_on(board, [decimation.Settings(first=decimation.MAX_ROUNDS)])
    assert threading.active_count() == before


def test_the_effort_of_a_race_stays_in_its_range():
    most = replace(decimation.FURTHER, effort=decimation.MAX_EFFORT)
    every = list(decimation._others([most], 1, decimation._CYCLES))
    assert max(one.effort for one in every) == decimation.MAX_EFFORT


def test_limited_memory_limits_the_threads(board, monkeypatch):
    monkeypatch.setattr(hooks, "resident_mib", lambda pid: 10)
    size = board.shape.size * (32 + 16 + 8) / 2**20  # messages and a copy of the board
    for most, expected in ((11, int(0.5 / size)), (10, 1), (1000, 64)):
        watch = Watch(Limits(memory_mib=most))
        assert decimation._num_affordable(board, 64, watch) == expected


# Engines that exchange clauses


def random_team(num_vars, draw, is_prompt):
    clauses = threshold(num_vars, draw.randrange(10**6))
    first = learner(num_vars, clauses)
    engines = [first, *(first.twin(seed) for seed in range(1, draw.randint(2, 4)))]
    exchange = _core.Exchange(len(engines), num_vars, is_prompt)
    for number, engine in enumerate(engines):
        engine.join(exchange, number)
    return clauses, engines, exchange


@pytest.mark.parametrize("is_prompt", [True, False])
def test_members_agree_with_another_engine(is_prompt):
    draw, imported, verdicts = random.Random(5), 0, set()
    for _ in range(40):
        clauses, engines, exchange = random_team(60, draw, is_prompt)
        answer = _core.Answer.UNKNOWN
        while answer == _core.Answer.UNKNOWN:
            engine = draw.choice(engines)
            answer = engine.solve([], draw.randint(1, 20))
            if draw.random() < 0.2:
                exchange.deliver()
        lists = [[*clauses[at : at + 3]] for at in range(0, len(clauses), 4)]
        with Solver("cadical153", bootstrap_with=lists) as other:
            assert (answer == _core.Answer.SAT) == other.solve()
        if answer == _core.Answer.SAT:
            values = engine.values()
            assert all(any(values[abs(lit)] == (lit > 0) for lit in one) for one in lists)
        verdicts.add(answer)
        imported += sum(engine.statistics["imported"] for engine in engines)
    assert len(verdicts) == 2
    assert imported > 100


def test_messages_that_are_not_prompt_wait():
    first = learner(200, threshold(200, 3))
    second, exchange = first.twin(1), _core.Exchange(2, 200, False)
    first.join(exchange, 0)
    second.join(exchange, 1)
    first.solve([], 1000)
    second.solve([], 1)
    assert second.statistics["imported"] == 0
    exchange.deliver()
    second.solve([], 1)
    assert second.statistics["imported"] > 0


def test_messages_to_all_apply_at_once():
    first = learner(2, array("i", [1, 2, 0]))
    second, exchange = first.twin(1), _core.Exchange(2, 2, False)
    first.join(exchange, 0)
    second.join(exchange, 1)
    exchange.tell([-1])
    exchange.tell([-2])
    assert {engine.solve() for engine in (first, second)} == {_core.Answer.UNSAT}


def test_a_twin_has_the_learnt_clauses_and_is_independent():
    first = learner(150, threshold(150, 8))
    while (answer := first.solve([], 50)) == _core.Answer.UNKNOWN:
        twin = first.twin(4)
    assert twin.statistics["conflicts"] == 0
    assert twin.solve() == answer
    spent = first.statistics
    twin.add_clauses(array("i", [1, 0, -1, 0]))
    assert twin.solve() == _core.Answer.UNSAT
    assert first.statistics == spent


def test_engines_that_cannot_join():
    exchange, proving = _core.Exchange(2, 1, True), learner(1)
    proving.keep_proof()
    with pytest.raises(ValueError, match="records a proof"):
        proving.join(exchange, 0)
    with pytest.raises(ValueError, match="a member of the exchange"):
        learner(1).join(exchange, 2)
    with pytest.raises(ValueError, match="lacks variables"):
        learner(0).join(exchange, 1)


def test_messages_that_an_exchange_refuses():
    exchange = _core.Exchange(2, 3, True)
    for lits in ([0], [4], [-4], [-(2**31)]):
        with pytest.raises(ValueError, match="an existing variable"):
            exchange.tell(lits)
    for sizes in ((0, 1), (1025, 1), (1, -1), (1, 2**31)):
        with pytest.raises(ValueError, match=r"expected|numbered"):
            _core.Exchange(*sizes, True)


def test_variables_of_one_alone_stay_with_it():
    first = learner(100, threshold(100, 3))
    second, exchange = first.twin(1), _core.Exchange(2, 50, True)
    first.join(exchange, 0)
    second.join(exchange, 1)
    while first.solve([], 200) == second.solve([], 200) == _core.Answer.UNKNOWN:
        continue
    assert first.solve() == second.solve() == learner(100, threshold(100, 3)).solve()


# Ends of a team


@pytest.mark.parametrize("is_deterministic", [False, True])
def test_a_time_limit_ends_all(clock, is_deterministic):
    clock.step_s = 0.01
    puzzle = nonosat.load(HARD)
    found = nonosat.check(puzzle, jobs=2, time_limit_s=0.6, deterministic=is_deterministic)
    assert (found.verdict.value, found.reason) == ("unknown", "time limit of 0.6 s")


@pytest.mark.slow
def test_ctrl_c_ends_all(clock):
    puzzle = nonosat.load(HARD)
    with interruptible(), clock.then(interrupt), pytest.raises(KeyboardInterrupt):
        nonosat.check(puzzle, jobs=2, time_limit_s=60)


def test_an_abandoned_iterator_ends_all(eager):
    found = nonosat.solutions(nonosat.nonogram([[1]] * 9, [[1]] * 9), **SEARCHED, jobs=2)
    assert next(found) != next(found)
    found.close()


@pytest.mark.parametrize("error", [BackendError("broken"), MemoryError("no more")])
def test_a_member_that_fails_is_not_hidden(eager, monkeypatch, error):
    solve = LearningEngine.solve

    def failing(self, *arguments):
        if threading.current_thread() is not threading.main_thread():
            raise error
        return solve(self, *arguments)

    monkeypatch.setattr(LearningEngine, "solve", failing)
    ask = partial(nonosat.check, nonosat.load(UNIQUE), jobs=2)
    if isinstance(error, MemoryError):
        assert ask().reason == "out of memory: no more"
        return
    with pytest.raises(BackendError, match="broken"):
        ask()


# Other queries


@pytest.mark.parametrize("ask", [nonosat.backbone, nonosat.count])
def test_other_queries_use_threads(ask):
    puzzle = nonosat.load(UNIQUE)
    assert ask(puzzle, jobs=2) == ask(puzzle)


@settings(max_examples=25, deadline=None)
@given(puzzles(max_cells=30))
def test_a_backbone_of_threads_is_right(puzzle):
    found, solutions = nonosat.backbone(puzzle, jobs=3), oracles.solutions(puzzle)
    cells = list(zip(*solutions, strict=True))
    width = puzzle.width
    assert found.differing == tuple(
        divmod(cell, width) for cell, values in enumerate(cells) if len(set(values)) > 1
    )


# Threads themselves


def test_exceptions_of_a_call_are_raised():
    def fail():
        raise BackendError("it failed")

    with closing(Threads[str](2, Watch(Limits()))) as threads:
        threads.submit("well", lambda: 1)
        assert threads.next() == ("well", 1)
        threads.submit("ill", fail)
        with pytest.raises(BackendError, match="it failed"):
            threads.next()


def test_a_limit_ends_the_wait(clock):
    clock.step_s = 4
    watch = Watch(Limits(60))
    with closing(Threads[int](1, watch)) as threads:
        threads.submit(0, lambda: wait_for(threads.watch))
        with pytest.raises(LimitReached, match=r"60 s"):
            threads.next()


def wait_for(watch):
    while not watch.is_revoked:
        threading.Event().wait(0.001)


def refuse_threads(monkeypatch, num_started):
    """Let the system start only so many helper threads; return the list of all attempts."""
    starts, start = [], threading.Thread.start

    def refuse(thread):
        if thread.name == "nonosat-thread":
            starts.append(thread)
            if len(starts) > num_started:
                raise RuntimeError("can't start new thread")
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", refuse)
    return starts


@pytest.mark.parametrize("num_started", [0, 1, 2])
def test_calls_are_carried_out_by_the_threads_that_can_be_started(monkeypatch, num_started):
    refuse_threads(monkeypatch, num_started)
    with closing(Threads[int](3, Watch(Limits()))) as threads:
        for number in range(4):
            threads.submit(number, partial(pow, number, 2))
        found = sorted(threads.next() for _ in range(4))
    assert found == [(number, number**2) for number in range(4)]


@pytest.mark.slow
@pytest.mark.parametrize("num_started", [0, 1])
@pytest.mark.parametrize("options", [SEARCHED, {**SEARCHED, "deterministic": True}])
def test_a_puzzle_is_decided_without_further_threads(eager, monkeypatch, options, num_started):
    puzzle = nonosat.load(UNIQUE)
    expected = nonosat.check(puzzle).solution
    starts = refuse_threads(monkeypatch, num_started)
    found = nonosat.check(puzzle, jobs=3, **options)
    assert (found.verdict.value, found.solution) == ("unique", expected)
    assert len(starts) > num_started


@pytest.mark.parametrize("num_started", [0, 1])
def test_a_backbone_is_found_without_further_threads(monkeypatch, num_started):
    monkeypatch.setattr(backbone_state, "ALONE", 0)
    puzzle = nonosat.Queens(6)
    expected = nonosat.backbone(puzzle)
    starts = refuse_threads(monkeypatch, num_started)
    assert nonosat.backbone(puzzle, jobs=3).differing == expected.differing
    assert len(starts) > num_started


def test_work_that_has_not_begun_does_not_begin():
    begun = []
    with closing(Threads[int](1, Watch(Limits()))) as threads:
        threads.submit(0, lambda: wait_for(threads.watch))
        threads.submit(1, lambda: begun.append(1))
    assert begun == []


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"jobs": 0}, "jobs is 0"),
        ({"jobs": 2, "backend": "cadical195"}, "these have several: auto, learn, learn-lines"),
        ({"jobs": 2, "backend": "search"}, "'search' has one thread"),
        ({"deterministic": True}, "set the number of jobs"),
        ({"jobs": 2, "deterministic": 1}, "expected True or False"),
        ({"jobs": 2, "cubes": 2, "deterministic": True}, "jobs without cubes"),
    ],
)
def test_options_that_exclude_threads(options, told):
    with pytest.raises(UnsupportedError, match=told):
        nonosat.check(nonosat.nonogram([[1]], [[1]]), **options)


def test_calls_without_a_watch_poll_that_of_the_threads(clock):
    clock.step_s = 20

    def endless():
        while True:
            checkpoint()

    watch = Watch(Limits(time_s=60))
    with closing(Threads[int](1, watch)) as threads:
        threads.submit(1, endless)
        with pytest.raises(LimitReached, match="time limit of 60 s"):
            threads.next()
