"""Belief propagation: exact where that is known, equal to a slow and short twin elsewhere."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from itertools import product
from math import log
from statistics import fmean, stdev

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from helpers.belief_oracle import Rounds, line_marginals
from helpers.believing import (
    COLOURS,
    found_of,
    known_of,
    random_puzzle,
    small_tasks,
    task_of,
    watch,
)
from helpers.clocks import Clock, interrupt
from helpers.drawing import examples
from helpers.processes import interruptible
from nonosat import _core
from nonosat.board.beliefs import Beliefs, Settings, beliefs
from nonosat.board.presolve import OPEN, PresolvedModel
from nonosat.core.errors import LimitReached, UnsupportedError
from nonosat.core.grid import Grid
from nonosat.core.limits import Limits, Watch
from nonosat.core.model import Block, Clause, Clue, Model
from nonosat.puzzles.nonogram import Nonogram, build, decode, from_grid, mono, refutation
from nonosat.testing.oracles import solutions

# A board


def by_cell(found: Beliefs) -> list[dict[int, float]]:
    cells = zip(*found.planes, strict=True)
    return [{v: p for v, p in enumerate(cell) if p} for cell in cells]


@pytest.mark.slow
@examples(45)
@given(
    small_tasks(),
    st.integers(0, 5),
    st.sampled_from([0.0, 0.3, 0.5, 0.9]),
    st.sampled_from([0.5, 4.0, 12.0, 100.0]),
)
def test_rounds_equal_the_twin(
    drawn: tuple[Nonogram, PresolvedModel], rounds: int, damping: float, clamp: float
) -> None:
    puzzle, task = drawn
    assume(max(puzzle.height, puzzle.width) <= 12)  # the twin enumerates placements every round
    found = found_of(task, rounds=rounds, damping=damping, clamp=clamp)
    twin = Rounds(puzzle.rows, puzzle.columns, known_of(task), damping, clamp)
    twin.run(rounds)
    for mine, expected in zip(by_cell(found), twin.probabilities(), strict=True):
        assert mine == pytest.approx(expected, rel=1e-6, abs=1e-12)
    for index, (clue, _) in enumerate(twin.lines):
        shares = line_marginals(clue, twin.incoming(index))
        assert shares is not None
        for block, starts, ends in zip(
            found.blocks(index), shares.starts, shares.ends, strict=True
        ):
            check_cumulated(block.starts, block.started, starts)
            check_cumulated(block.ends, block.ended, ends if block.ends else {})


def check_cumulated(
    places: Sequence[int], sums: Sequence[float], expected: Mapping[int, float]
) -> None:
    assert list(places) == sorted(expected)
    total = [sum(expected[other] for other in places if other <= place) for place in places]
    assert list(sums) == pytest.approx(total, rel=1e-6, abs=1e-12)
    assert not sums or sums[-1] == 1.0


@examples(30)
@given(small_tasks(), st.integers(0, 40), st.floats(0, 5), st.integers(0, 2**64 - 1))
def test_probabilities_add_up_to_one(
    drawn: tuple[Nonogram, PresolvedModel], rounds: int, sigma: float, seed: int
) -> None:
    _, task = drawn
    found = found_of(task, rounds=rounds, sigma=sigma, seed=seed)
    for cell, values in zip(by_cell(found), known_of(task), strict=True):
        assert sum(cell.values()) == pytest.approx(1, abs=1e-12)
        assert set(cell) <= values
        assert all(0 <= p <= 1 for p in cell.values())


def forest(height: int, width: int, rng: random.Random) -> set[tuple[int, int]]:
    """Cells that, as edges between rows and columns, close no cycle."""
    tree = list(range(height + width))

    def root(node: int) -> int:
        while tree[node] != node:
            node = tree[node]
        return node

    chosen = set()
    cells = list(product(range(height), range(width)))
    for row, column in rng.sample(cells, len(cells)):
        ends = root(row), root(height + column)
        if ends[0] != ends[1]:
            tree[ends[0]] = ends[1]
            chosen.add((row, column))
    return chosen


def test_exact_if_open_cells_close_no_cycle() -> None:
    """On trees the messages converge to the exact marginals of all solutions."""
    num_open = 0
    for seed in range(150):
        rng = random.Random(seed)
        height, width, num_colours = rng.randint(1, 5), rng.randint(1, 6), rng.randint(1, 2)
        cells = bytes(rng.randrange(num_colours + 1) for _ in range(height * width))
        whole = from_grid(Grid(height, width, cells), COLOURS[:num_colours])
        unknown = forest(height, width, rng)
        puzzle = Nonogram(
            tuple(map(blotted, whole.rows)),
            tuple(map(blotted, whole.columns)),
            colours=whole.colours,
            given=tuple(
                (row, column, cells[row * width + column])
                for row, column in product(range(height), range(width))
                if (row, column) not in unknown
            ),
        )
        task = task_of(puzzle)
        num_open += task.num_open()
        found = by_cell(found_of(task, rounds=height + width, damping=0, clamp=100))
        fillings = solutions(puzzle)
        for cell, mine in enumerate(found):
            values = [filling[cell] for filling in fillings]
            expected = {value: values.count(value) / len(values) for value in set(values)}
            assert mine == pytest.approx(expected, abs=1e-9)
    assert num_open > 150


def blotted(clue: Clue) -> Clue:
    return tuple(Block(None, block.colour) for block in clue)


# Other starts, other boards


def test_the_same_settings_give_the_same_numbers() -> None:
    puzzle = random_puzzle(20, 20, 3, colours=2)
    drawn = [
        [bytes(plane) for plane in found_of(task_of(puzzle), sigma=0.1, seed=seed).planes]
        for seed in (1, 1, 2)
    ]
    assert drawn[0] == drawn[1] != drawn[2]


def test_initial_messages_are_normally_distributed() -> None:
    """No round: rows and columns have each sent a number of that distribution."""
    board = _core.Board(1, [((None, 1),)] * 60, [((None, 1),)] * 60)
    native = _core.Beliefs(board, damping=0.5, clamp=12, sigma=0.5, seed=4)
    assert native.run(0)
    plane = native.probabilities(1)
    assert plane is not None
    logs = [log(p / (1 - p)) for p in memoryview(plane).cast("d")]
    assert fmean(logs) == pytest.approx(0, abs=0.05)
    assert stdev(logs) == pytest.approx(0.5 * 2**0.5, rel=0.05)


def test_resumed_rounds_equal_uninterrupted_rounds() -> None:
    task = task_of(random_puzzle(15, 18, 1))
    whole, halves = (
        _core.Beliefs(task.board, damping=0.5, clamp=12, sigma=0.1, seed=5) for _ in range(2)
    )
    assert whole.run(10)
    assert halves.run(4)
    assert halves.run(6)
    assert whole.probabilities(1) == halves.probabilities(1)
    assert (
        (whole.num_rounds, whole.change)
        == (halves.num_rounds, halves.change)
        == (
            10,
            whole.change,
        )
    )


@pytest.mark.parametrize(("colours", "seed"), [(1, 0), (2, 2)])
def test_the_board_may_be_decided_step_by_step(colours: int, seed: int) -> None:
    """Fixing the most certain cell, propagating and continuing leads to a solution (decimation)."""
    puzzle = random_puzzle(12, 12, seed, colours)
    task = task_of(puzzle)
    board = task.board
    assert board is not None
    native = _core.Beliefs(board, damping=0.5, clamp=12, sigma=0.1, seed=1)
    while not board.is_complete:
        assert native.run(4)
        planes = planes_of(native, colours)
        open_cells = [cell for cell, value in enumerate(board.cells()) if value == OPEN]
        cell = max(open_cells, key=lambda cell: max(plane[cell] for plane in planes))
        board.assign(cell, max(range(colours + 1), key=lambda value: planes[value][cell]))
        assert board.propagate()
        for value, plane in enumerate(planes_of(native, colours)):
            assert [plane[i] for i, known in enumerate(board.cells()) if known != OPEN] == [
                known == value for known in board.cells() if known != OPEN
            ]
    assert refutation(puzzle, decode(puzzle, task.values())) is None


def test_both_sums_of_lines_agree_on_a_board_that_is_not_propagated() -> None:
    """Such a board has values that a line does not allow, even the lowest value left of a cell."""
    for seed in range(4):
        task = PresolvedModel.of(build(random_puzzle(20, 20, seed, colours=2)))
        by_segments, by_lines = (found_of(task, rounds=3, clamp=clamp) for clamp in (16, 16.0001))
        for plane, other in zip(by_segments.planes, by_lines.planes, strict=True):
            assert list(plane) == pytest.approx(list(other), abs=1e-5)


def planes_of(native: _core.Beliefs, colours: int) -> list[memoryview[float]]:
    planes = [native.probabilities(value) for value in range(colours + 1)]
    return [memoryview(plane or b"").cast("d") for plane in planes]


# Contradictions, corners, limits


def test_a_board_that_contradicts_itself() -> None:
    task = PresolvedModel.of(build(mono([[2], [1]], [[1], [1]])))
    assert task.board is not None
    task.board.propagate()
    task.board.assign(0, 0)
    task.board.assign(1, 0)
    assert beliefs(task, Settings(), watch()) is None


def test_a_line_that_lost_its_fillings_later() -> None:
    task = task_of(mono([[1], [1]], [[1], [1]]))
    assert task.board is not None
    found = found_of(task)
    task.board.assign(0, 1)
    task.board.assign(1, 1)
    with pytest.raises(ValueError, match="line 0 has no filling any more"):
        found.blocks(0)


def test_a_model_without_a_board() -> None:
    task = PresolvedModel.of(Model(2, clauses=(Clause((1, 2)),)))
    with pytest.raises(UnsupportedError, match="rows and columns"):
        beliefs(task, Settings(), watch())


@pytest.mark.parametrize(
    ("setting", "expected"),
    [
        ({"rounds": -1}, "rounds of beliefs is -1, expected 0 to 1000000"),
        ({"rounds": 1.5}, "rounds of beliefs is 1.5, expected"),
        ({"damping": 1}, "damping of beliefs is 1, expected at least 0, below 1"),
        ({"damping": float("nan")}, "damping of beliefs is nan"),
        ({"clamp": 0}, "clamp of beliefs is 0, expected above 0, at most 100"),
        ({"clamp": 101.0}, "clamp of beliefs is 101.0"),
        ({"sigma": -0.1}, "sigma of beliefs is -0.1, expected 0 to 100"),
        ({"sigma": "zero"}, "sigma of beliefs is 'zero'"),
        ({"seed": 2**64}, "seed of beliefs is 18446744073709551616"),
        ({"seed": True}, "seed of beliefs is True"),
    ],
)
def test_settings_out_of_range(setting: dict[str, object], expected: str) -> None:
    with pytest.raises(UnsupportedError, match=re.escape(expected)):
        Settings(**setting)  # type: ignore[arg-type]  # that is the test


def test_places_off_the_board() -> None:
    found = found_of(task_of(mono([[1], [1]], [[1], [1]])))
    assert found.probability(1, 0) == found.probability(1, 0, 0) == 0.5
    for place in ((2, 0), (0, -1), (0, 0, 2)):
        with pytest.raises(IndexError, match="2 rows x 2 columns with 1 colour"):
            found.probability(*place)


def test_empty_clues_and_no_slack() -> None:
    """Nothing is open: no message is sent, and every probability is 0 or 1."""
    found = found_of(task_of(mono([[], [3], [1, 1]], [[2], [1], [2]])))
    assert bytes(map(int, found.planes[1])) == b"\0\0\0\1\1\1\1\0\1"
    assert found.change == 0
    assert [block.started for block in found.blocks(2)] == [[1.0], [1.0]]


@pytest.mark.parametrize(("count", "length"), [(1, 1400), (300, 4), (1000, 1)])
def test_lines_of_thousands_of_cells(count: int, length: int) -> None:
    """In three such rows, saturated messages multiply to e^36000, and by symmetry the first block
    is as early as the last one is late."""
    width = 3000
    clue = (Block(length, 1),) * count
    columns = ((Block(None, 1),),) * width
    task = PresolvedModel.of(build(Nonogram((clue,) * 3, columns)))
    found = found_of(task, rounds=3, damping=0.0)
    row = found.planes[1][width : 2 * width]
    assert list(row) == pytest.approx(list(row)[::-1], rel=1e-6)
    assert all(0 <= p <= 1 for p in found.planes[1])
    blocks = found.blocks(1)
    assert len(blocks) == count
    assert all(block.started == sorted(block.started) for block in blocks)
    assert blocks[0].starts[0] == 0
    assert blocks[-1].starts[-1] == width - length


def test_a_time_limit_holds(clock: Clock) -> None:
    clock.step_s = 0.1
    task = PresolvedModel.of(build(random_puzzle(600, 600, 1)))
    with pytest.raises(LimitReached, match=r"time limit of 0\.3 s"):
        beliefs(task, Settings(rounds=1_000_000), watch(0.3))


def test_an_interrupt_gets_through(clock: Clock) -> None:
    task = PresolvedModel.of(build(random_puzzle(300, 300, 1)))
    with interruptible(), clock.then(interrupt), pytest.raises(KeyboardInterrupt):
        beliefs(task, Settings(rounds=1_000_000), watch(60))


def test_a_memory_limit_holds() -> None:
    task = PresolvedModel.of(build(random_puzzle(600, 600, 1)))
    with pytest.raises(LimitReached, match="memory limit of 1 MiB"):
        beliefs(task, Settings(), Watch(Limits(memory_mib=1)))
