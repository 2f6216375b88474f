"""Prices: every bound agrees with enumeration, and the claims are true."""

from __future__ import annotations

import random
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from itertools import combinations, islice

import pytest

import nonosat
from helpers.believing import known_of, random_puzzle, task_of, watch
from helpers.clocks import Clock, interrupt
from helpers.drawing import FUZZ
from helpers.price_oracle import PricedLines
from helpers.priced import dominoes, drawn, puzzle_of
from helpers.processes import interruptible
from nonosat import _core
from nonosat.board.presolve import PresolvedModel
from nonosat.board.prices import PriceOutcome, PriceResult, find, least_distance, refute_others
from nonosat.core.errors import LimitReached
from nonosat.core.grid import Grid
from nonosat.core.limits import Limits, Watch
from nonosat.core.model import Block
from nonosat.puzzles.nonogram import Nonogram, build, mono, refutation
from nonosat.testing.oracles import solutions

MOST = 100  # maximum number of solutions of a puzzle in these tests
SWITCH = mono([[1], [1]], [[1], [1]])
NO_END = 2**62  # units of work
Native = _core.Prices


def native_of(puzzle: Nonogram, solution: bytes | None) -> Native:
    return Native(task_of(puzzle).board, solution)


def open_task(puzzle: Nonogram) -> PresolvedModel | None:
    """Propagated task, if that leaves cells open."""
    task = PresolvedModel.of(build(puzzle))
    assert task.board is not None
    return task if task.board.propagate() and task.num_open() else None


def distance(one: bytes, other: bytes) -> int:
    return sum(a != b for a, b in zip(one, other, strict=True))


# Bounds


def narrow(task: PresolvedModel, solution: bytes, rng: random.Random) -> None:
    """Reduce the board further, in one of the ways in which boards come to prices."""
    assert task.board is not None
    how = rng.randrange(3)
    if how == 1:
        task.probe(watch())
    elif how == 2:
        cell = rng.randrange(len(solution))
        task.board.assign(cell, solution[cell])
    assert task.board.propagate()


@pytest.mark.slow
def test_bounds_and_losses_are_those_of_enumeration() -> None:
    seen: Counter[object] = Counter()
    for seed in range(1200 * FUZZ):
        rng, puzzle = random.Random(seed), drawn(seed)
        task = open_task(puzzle)
        found = sorted(solutions(puzzle, MOST)) if task else []
        if task is None or not found:
            continue
        known = rng.choice([None, rng.choice(found)])
        narrow(task, known or found[0], rng)
        budget = rng.choice([0, 20_000, 1_000_000])
        if known is None:
            priced = find(task, watch(), work=budget, stubborn=True)
        else:
            priced = refute_others(task, known, watch(), work=budget, stubborn=True)
        check_table(puzzle, task, priced, known)
        seen[len(puzzle.colours)] += 1
        seen[known is None] += 1
        seen["dear"] += any(priced.table().prices.values())
    assert min(seen[kind] for kind in (1, 2, 3, 4, True, False, "dear")) > 12, seen


def check_table(
    puzzle: Nonogram, task: PresolvedModel, priced: PriceResult, solution: bytes | None
) -> None:
    table, known = priced.table(), known_of(task)
    lines = PricedLines(puzzle, known, table.prices, table.scale, solution)
    assert table.bound == lines.bound()
    assert priced.bound == table.bound // table.scale
    pairs = [(cell, value) for cell, left in enumerate(known) if len(left) > 1 for value in left]
    assert len(table.prices) == len(pairs) - len({cell for cell, _ in pairs})
    bounds = {pair: lines.bound_with(*pair) for pair in pairs}
    for goal in (-3, 0, 1, 4, 9):
        others = {
            (cell, value)
            for (cell, value), bound in bounds.items()
            if bound < goal * table.scale and (solution is None or solution[cell] != value)
        }
        named = priced.ruled_out(goal, watch())
        assert set(named) == others
        assert len(named) == len(others)


@pytest.mark.parametrize(
    "puzzle",
    [
        mono([[1]], [[1]]),
        mono([[]], [[]]),
        mono([[1, 1]], [[1], [], [1]]),
        mono([[], [2]], [[1], [1]]),
        mono([[3]] * 2, [[2]] * 3),
    ],
)
def test_a_board_without_open_cells_is_the_solution_and_the_only_one(puzzle: Nonogram) -> None:
    task = task_of(puzzle)
    assert task.board is not None
    found = find(task, watch())
    assert (found.outcome, found.cells) == (PriceOutcome.SOLUTION, task.board.cells())
    others = refute_others(task, found.cells, watch())
    assert (others.outcome, others.bound, others.table().prices) == (PriceOutcome.REFUTED, 0, {})
    assert others.ruled_out(4, watch()) == []


# Claims


@pytest.mark.thorough
def test_claims_on_random_puzzles_are_true() -> None:
    """Propagation leaves many hundreds of 2000 puzzles open."""
    made: Counter[str] = Counter()
    for seed in range(2000 * FUZZ):
        puzzle = drawn(seed)
        if (task := open_task(puzzle)) is not None:
            check_claims(puzzle, task, made, seed)
    assert made["puzzles"] > 600
    for claim in ("a solution", "no solution", "no other", "not this value", "not so far"):
        assert made[claim] > 40, made
    assert made["no other, colours or unknown lengths"] > 10, made


def check_claims(puzzle: Nonogram, task: PresolvedModel, made: Counter[str], seed: int) -> None:
    made["puzzles"] += 1
    found = find(task, watch(), stubborn=True)
    real = sorted(solutions(puzzle, MOST))
    if found.outcome is PriceOutcome.SOLUTION:
        made["a solution"] += 1
        assert refutation(puzzle, Grid(puzzle.height, puzzle.width, found.cells)) is None
    if found.outcome is PriceOutcome.REFUTED:
        made["no solution"] += 1
        assert real == []
    if not real:
        return
    one = random.Random(seed).choice(real)
    others = refute_others(task, one, watch(), stubborn=True)
    furthest = max(distance(one, other) for other in real)
    assert furthest <= others.bound
    made["not so far"] += furthest > 0
    if others.outcome is PriceOutcome.REFUTED:
        made["no other"] += 1
        made["no other, colours or unknown lengths"] += (
            len(puzzle.colours) > 1 or least_distance(task) < 4
        )
        assert real == [one]
    for goal in (least_distance(task), least_distance(task) + 2):
        for cell, value in others.ruled_out(goal, watch()):
            made["not this value"] += len(real) > 1
            assert one[cell] != value
            assert all(other[cell] != value or distance(one, other) < goal for other in real)


# The least distance

FILLED = Block(None)
UNKNOWN_COLUMNS = Nonogram(((Block(2),), (Block(1),)), ((FILLED,), (FILLED,)))
UNKNOWN = Nonogram(((Block(2),), (FILLED,)), ((FILLED,), (FILLED,)))


def transposed(puzzle: Nonogram) -> Nonogram:
    return Nonogram(puzzle.columns, puzzle.rows, puzzle.colours)


@pytest.mark.parametrize(
    ("puzzle", "least"),
    [(SWITCH, 4), (UNKNOWN_COLUMNS, 2), (transposed(UNKNOWN_COLUMNS), 2), (UNKNOWN, 1)],
)
def test_two_solutions_can_be_as_near_as_the_least_distance(puzzle: Nonogram, least: int) -> None:
    pairs = combinations(solutions(puzzle), 2)
    assert least_distance(task_of(puzzle)) == min(distance(*pair) for pair in pairs) == least


@pytest.mark.slow
def test_two_solutions_are_never_nearer_than_the_least_distance() -> None:
    attained: Counter[tuple[int, bool]] = Counter()
    for seed in range(1600 * FUZZ):
        puzzle = drawn(seed)
        if (task := open_task(puzzle)) is None:
            continue
        real = solutions(puzzle, 30)
        if len(real) > 1:
            nearest = min(distance(*pair) for pair in combinations(real, 2))
            assert least_distance(task) <= nearest
            if nearest == least_distance(task):
                attained[nearest, len(puzzle.colours) > 1] += 1
    for least in (1, 2, 4):
        assert min(attained[least, False], attained[least, True]) > 0, attained


# Determinism and resuming


def known_dominoes(count: int) -> Native:
    picture = dominoes(count)
    return native_of(puzzle_of(picture), picture.cells)


def table_of(native: Native) -> tuple[object, ...]:
    return native.prices(), native.scale, native.bound, native.num_sweeps, native.cells()


def test_staircases_are_found_and_proved() -> None:
    for count in (2, 5, 14, 25):
        task = task_of(puzzle_of(dominoes(count)))
        found = find(task, watch())
        assert (found.outcome, found.cells) == (PriceOutcome.SOLUTION, dominoes(count).cells)
        others = refute_others(task, found.cells, watch(), stubborn=True)
        assert others.outcome is PriceOutcome.REFUTED
        assert others.bound < 4


def test_tables_are_the_same_each_time_and_in_any_thread() -> None:
    def made() -> tuple[object, ...]:
        native = known_dominoes(10)
        assert native.lower(4, NO_END) == Native.Outcome.REACHED
        return table_of(native)

    with ThreadPoolExecutor(3) as pool:
        others = [pool.submit(made) for _ in range(3)]
        assert all(other.result() == made() for other in others)


def test_a_budget_in_pieces_gives_the_same_result() -> None:
    whole, pieces = known_dominoes(14), known_dominoes(14)
    assert whole.lower(4, NO_END) == Native.Outcome.REACHED
    calls = 1
    while (outcome := pieces.lower(4, 1)) == Native.Outcome.BUDGET:
        calls += 1
    assert outcome == Native.Outcome.REACHED
    assert calls > 20
    assert table_of(pieces) == table_of(whole)


def test_a_stopped_search_resumes() -> None:
    native, seconds, stops = known_dominoes(30), 0.001, 0
    while (outcome := native.lower(4, NO_END, remaining_s=seconds)) is None:
        stops, seconds = stops + 1, seconds * 1.5
    assert stops > 0
    assert outcome == Native.Outcome.REACHED
    assert native.lower(4, NO_END) == Native.Outcome.REACHED


# The end of a search


def test_a_constant_bound_ends_the_most_stubborn_search() -> None:
    square = mono([[1]] * 5, [[1]] * 5)
    for solution, least in ((None, 0), (bytes([1, 0, 0, 0, 0, 0] * 4 + [1]), 10)):
        native = native_of(square, solution)
        for _ in range(2):
            assert native.lower(least, NO_END, True, remaining_s=60) == Native.Outcome.STALLED
        assert native.num_sweeps < 1000
        assert native.bound >= least * native.scale


def test_a_bound_without_a_least_value_stays_exact() -> None:
    """Without a solution it falls until a table cannot hold larger prices."""
    puzzle = mono([[1], [1], [1], [1]], [[1], [1], [1], [2]])
    task = task_of(puzzle)
    assert find(task, watch(), stubborn=True).outcome is PriceOutcome.REFUTED
    native = Native(task.board, None)
    ended = native.lower(-(2**31), NO_END, True, remaining_s=60)
    assert ended in (Native.Outcome.STALLED, Native.Outcome.REACHED)
    prices = {(cell, value): price for cell, value, price in native.prices()}
    assert max(map(abs, prices.values())) > 10**6
    lines = PricedLines(puzzle, known_of(task), prices, native.scale, None)
    assert native.bound == lines.bound() < -(10**6) * native.scale


def test_hopeless_searches_are_abandoned_at_once() -> None:
    task = task_of(random_puzzle(40, 40, 1))
    assert find(task, watch()).num_sweeps < 40
    assert find(task, watch(), stubborn=True, work=10**9).num_sweeps > 40


# Refusals


@pytest.mark.parametrize(
    "solution", [b"", b"\1\0\0", b"\1\0\0\1\0", b"\2\0\0\1", b"\xff\0\0\1", bytes(5)]
)
def test_a_solution_that_the_board_does_not_allow_is_refused(solution: bytes) -> None:
    with pytest.raises(ValueError, match="a value a cell that the board allows"):
        native_of(SWITCH, solution)


def test_a_board_that_is_not_at_its_fixpoint_is_propagated_first() -> None:
    board = PresolvedModel.of(build(SWITCH)).board
    assert board is not None
    board.assign(0, 1)
    native = Native(board, None)
    assert native.find(NO_END) == Native.Outcome.REACHED
    assert native.cells() == b"\1\0\0\1"
    assert board.cells() == b"\1\xff\xff\xff"  # it worked on a copy
    board.assign(3, 0)
    with pytest.raises(ValueError, match="a board without a solution"):
        Native(board, None)


def test_goals_beyond_any_board_are_refused() -> None:
    native = native_of(SWITCH, None)
    with pytest.raises(TypeError):
        native.lower(2**31, 1)
    with pytest.raises(TypeError):
        native.ruled_out(2**31)
    assert set(native.ruled_out(2**31 - 1)) == {(c, v) for c in range(4) for v in (0, 1)}


@pytest.mark.thorough
def test_too_many_prices_are_refused() -> None:
    lines = [[(1, 1)]] * 600
    board = _core.Board(255, lines, lines)
    with pytest.raises(MemoryError, match="prices of 360000 cells"):
        Native(board, None)


@pytest.mark.thorough
def test_attempts_go_on_if_prices_need_too_much_memory() -> None:
    lines = [[(1, 1)]] * 600
    budgets = _core.Budgets()
    budgets.search = budgets.dive = 0
    strategy = _core.Strategy.of_presolved(_core.Board(255, lines, lines), None, 2, budgets=budgets)
    stages = []
    while strategy.stage != "decimate":
        stages.append(strategy.stage)
        assert strategy.step()
    assert stages[-2:] == ["prices", "prices"]
    assert strategy.verdict == _core.Strategy.Verdict.OPEN


def test_lack_of_memory_for_prices_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    def too_large(*_: object, **__: object) -> None:
        raise MemoryError("prices of 70000000 cells")

    monkeypatch.setattr("nonosat.board.prices.pricing", too_large)
    alone = nonosat.check(puzzle_of(dominoes(12)), backend="prices")
    assert alone.verdict.value == "unknown"
    assert "memory" in alone.reason


# Limits


@pytest.fixture(scope="module")
def large() -> PresolvedModel:
    """Board on which a stubborn search takes minutes."""
    return task_of(random_puzzle(300, 300, 1))


def test_a_time_limit_holds(clock: Clock, large: PresolvedModel) -> None:
    clock.step_s = 0.02
    with pytest.raises(LimitReached, match=r"time limit of 0\.3 s"):
        find(large, watch(0.3), stubborn=True, work=NO_END)


def test_a_memory_limit_holds(large: PresolvedModel) -> None:
    with pytest.raises(LimitReached, match="memory limit of 1 MiB"):
        find(large, Watch(Limits(memory_mib=1)))


def test_an_interrupt_gets_through(clock: Clock, large: PresolvedModel) -> None:
    with interruptible(), clock.then(interrupt), pytest.raises(KeyboardInterrupt):
        find(large, watch(60), stubborn=True, work=NO_END)


def test_exceptions_of_a_poll_pass_through(large: PresolvedModel) -> None:
    answers = islice([False, True], 2)
    native = Native(large.board, None)
    assert native.find(NO_END, True, None, lambda: next(answers)) is None
    with pytest.raises(StopIteration):
        native.find(NO_END, True, None, lambda: next(answers))
    assert native.find(1, True) == Native.Outcome.BUDGET
