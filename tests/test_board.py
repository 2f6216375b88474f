"""Native board against line-by-line enumeration and brute force.

Propagation must equal the fixpoint that the line oracle reaches; probing may only remove values
that no solution has; search must list exactly the solutions. Boards with sides above 127 take the
windowed line solver, whose segments and lasting windows only a whole board exercises.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product

import pytest

from nonosat import _core
from nonosat.core.grid import Grid
from nonosat.puzzles.nonogram import Colour, Nonogram, clue_of, from_grid, refutation
from nonosat.testing import oracles

UNLIMITED = 2**60


def board_of(puzzle: Nonogram) -> _core.Board:
    board = _core.Board(len(puzzle.colours), puzzle.rows, puzzle.columns)
    for row, column, colour in puzzle.given:
        board.assign(row * puzzle.width + column, colour)
    return board


def values_left(board: _core.Board, puzzle: Nonogram) -> list[frozenset[int]]:
    planes = [board.plane(value) for value in range(len(puzzle.colours) + 1)]
    return [
        frozenset(value for value, plane in enumerate(planes) if plane[cell])
        for cell in range(puzzle.height * puzzle.width)
    ]


def fixpoint(puzzle: Nonogram) -> list[frozenset[int]] | None:
    """Values left in each cell when every line is consistent; None for a contradiction."""
    left = [frozenset(range(len(puzzle.colours) + 1))] * (puzzle.height * puzzle.width)
    for row, column, colour in puzzle.given:
        left[row * puzzle.width + column] = frozenset([colour])
    spans = [slice(r * puzzle.width, (r + 1) * puzzle.width) for r in range(puzzle.height)]
    spans += [slice(c, None, puzzle.width) for c in range(puzzle.width)]
    clues = (*puzzle.rows, *puzzle.columns)
    before = None
    while before != left:
        before = list(left)
        for clue, span in zip(clues, spans, strict=True):
            support = oracles.line_support(clue, left[span])
            if support is None:
                return None
            left[span] = support.values
    return left


def random_grid(rng: random.Random, height: int, width: int, num_colours: int) -> Grid:
    """Grid of runs of random lengths, so that long lines have both short and long blocks."""
    cells: list[int] = []
    while len(cells) < height * width:
        colour = rng.randint(0, num_colours)
        cells += [colour] * rng.choice([1, 1, 2, 3, 5, rng.randint(1, width)])
    return Grid(height, width, bytes(cells[: height * width]))


def colours(number: int) -> tuple[Colour, ...]:
    return tuple(Colour(chr(97 + k), f"#{k:06x}") for k in range(number))


def small_puzzles() -> Iterator[Nonogram]:
    rng = random.Random(5)
    for _ in range(150):
        height, width = rng.choice([(1, 7), (7, 1), (2, 5), (4, 4), (5, 3), (4, 6), (1, 1)])
        num_colours = rng.choice([1, 1, 2, 3])
        grid = random_grid(rng, height, width, num_colours)
        puzzle = from_grid(grid, colours(num_colours))
        if rng.random() < 0.3:  # clues of two different pictures: usually unsolvable
            other = random_grid(rng, height, width, num_colours)
            rows = tuple(clue_of(other.row(row)) for row in range(height))
            puzzle = Nonogram(rows, puzzle.columns, puzzle.colours)
        if rng.random() < 0.3:
            rows = tuple(
                tuple(b._replace(length=None) if rng.random() < 0.5 else b for b in clue)
                for clue in puzzle.rows
            )
            puzzle = Nonogram(rows, puzzle.columns, puzzle.colours)
        yield puzzle


SMALL = list(small_puzzles())


@pytest.mark.parametrize("puzzle", SMALL, ids=range(len(SMALL)))
def test_small_boards_against_the_oracles(puzzle: Nonogram) -> None:
    left = fixpoint(puzzle)
    board = board_of(puzzle)
    consistent = board.propagate()
    assert consistent == (left is not None)
    truth = oracles.solutions(puzzle)
    if left is None:
        assert not truth
        return
    assert values_left(board, puzzle) == left

    progress = _core.Prober(board).run(UNLIMITED)
    if progress == _core.Progress.CONTRADICTION:
        assert not truth
        return
    assert progress == _core.Progress.FIXPOINT
    probed = values_left(board, puzzle)
    for cell, used in enumerate(probed):
        assert {solution[cell] for solution in truth} <= used <= left[cell]

    search = _core.Search(board)
    found = []
    while search.next(UNLIMITED) == _core.Outcome.SOLUTION:
        found.append(board.cells())
    assert len(found) == len(set(found))
    assert set(found) == truth


def test_probing_removes_every_value_that_one_assumption_refutes() -> None:
    """Definition of probing, by the oracle: a value stays if its fixpoint is consistent."""
    puzzle = next(p for p in SMALL if len(oracles.solutions(p)) > 1 and len(p.colours) == 1)
    board = board_of(puzzle)
    board.propagate()
    assert _core.Prober(board).run(UNLIMITED) == _core.Progress.FIXPOINT
    left = values_left(board, puzzle)
    for cell, values in enumerate(left):
        for value in values:
            row, column = divmod(cell, puzzle.width)
            given = (*puzzle.given, (row, column, value))
            assumed = Nonogram(puzzle.rows, puzzle.columns, puzzle.colours, given=given)
            assert fixpoint(assumed) is not None


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("shape", "num_colours"),
    [*product([(3, 200), (140, 4), (2, 64), (130, 9), (63, 63)], [1, 2])],
)
def test_long_lines_reach_the_oracle_fixpoint(shape: tuple[int, int], num_colours: int) -> None:
    rng = random.Random(shape[0] * 1000 + shape[1] + num_colours)
    for _ in range(2 if min(shape) > 60 else 4):
        grid = random_grid(rng, *shape, num_colours)
        puzzle = from_grid(grid, colours(num_colours))
        board = board_of(puzzle)
        assert board.propagate()
        left = fixpoint(puzzle)
        assert left is not None
        assert values_left(board, puzzle) == left
        # Assumptions and their removal, with lasting windows.
        if any(len(values) > 1 for values in left):
            _core.Prober(board).run(20_000_000)
            probed = values_left(board, puzzle)
            assert all(mine <= root for mine, root in zip(probed, left, strict=True))
            assert all(grid.cells[cell] in values for cell, values in enumerate(probed))


def test_search_on_long_lines_lists_every_solution() -> None:
    """Two free cells in each of three strips: 2 x 2 switches far apart on lines of 150 cells."""
    width = 150
    cells = bytearray(2 * width)
    for column in (3, 70, 140):
        cells[column] = 1
        cells[width + column + 2] = 1
    puzzle = from_grid(Grid(2, width, bytes(cells)))
    board = board_of(puzzle)
    assert board.propagate()
    search = _core.Search(board)
    found = set()
    while search.next(UNLIMITED) == _core.Outcome.SOLUTION:
        found.add(board.cells())
    # Each of the six filled columns has its cell in one of the rows, three of them in the first.
    assert len(found) == 20
    assert all(refutation(puzzle, Grid(2, width, solution)) is None for solution in found)


def test_a_budget_pauses_the_search_without_losing_solutions() -> None:
    ones = ((oracles.Block(1),),) * 5
    board = board_of(Nonogram(ones, ones))
    assert board.propagate()
    search = _core.Search(board)
    found = []
    pauses = 0
    while (outcome := search.next(2_000)) != _core.Outcome.EXHAUSTED:
        if outcome == _core.Outcome.SOLUTION:
            found.append(board.cells())
        else:
            pauses += 1
    assert pauses > 0
    assert len(found) == len(set(found)) == 120


def hard_search() -> _core.Search:
    """Search that is far from its first solution after many seconds."""
    rng = random.Random(3)
    cells = bytes(rng.random() < 0.5 for _ in range(90 * 90))
    board = board_of(from_grid(Grid(90, 90, cells)))
    assert board.propagate()
    return _core.Search(board)


def test_the_deadline_stops_the_search() -> None:
    assert hard_search().next(UNLIMITED, remaining_s=0.0) is None


def test_polling_stops_the_search() -> None:
    calls: list[int] = []

    def poll() -> bool:
        calls.append(1)
        return len(calls) > 2

    assert hard_search().next(UNLIMITED, remaining_s=60.0, poll=poll) is None
    assert len(calls) == 3


def test_exceptions_of_polls_pass_through() -> None:
    def poll() -> bool:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        hard_search().next(UNLIMITED, poll=poll)


# Limits


def test_a_contradiction_lasts() -> None:
    board = _core.Board(1, [[(2, 1)]], [[(1, 1)], []])
    assert board.propagate() is False
    assert board.propagate() is False
    assert _core.Prober(board).run(UNLIMITED) == _core.Progress.CONTRADICTION
    with pytest.raises(ValueError, match="line fixpoint is expected"):
        _core.Search(board)


def test_searching_needs_a_propagated_board() -> None:
    board = _core.Board(1, [[(2, 1)]], [[(1, 1)], [(1, 1)]])
    with pytest.raises(ValueError, match="line fixpoint is expected"):
        _core.Search(board)
    assert board.propagate()
    assert _core.Search(board).next(UNLIMITED) == _core.Outcome.SOLUTION
    assert board.cells() == b"\1\1"


@pytest.mark.parametrize("block", [(-1, 1), (0, 1), (1, 0), (1, 2)])
def test_invalid_blocks_are_refused(block: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="a block has"):
        _core.Board(1, [[block]], [[]])


@pytest.mark.parametrize(("cell", "value"), [(-1, 0), (1, 0), (0, -1), (0, 2)])
def test_places_outside_the_board_are_refused(cell: int, value: int) -> None:
    board = _core.Board(1, [[]], [[]])
    with pytest.raises(IndexError):
        board.remove(cell, value)
    with pytest.raises(IndexError):
        board.assign(cell, value)


def test_a_contradiction_on_decided_long_lines_is_noticed() -> None:
    """A block fixed for good on a long line is not solved again, but must not be lost."""
    side = 130
    board = _core.Board(1, [[(side, 1)]] * side, [[(side, 1)]] * side)
    assert board.propagate()
    board.assign(0, 0)
    assert board.propagate() is False


def test_boards_that_need_too_much_memory_are_refused() -> None:
    length = 200_000
    clue = [(1, 1)] * (length // 4)
    with pytest.raises(MemoryError, match="200000 cells with 50000 blocks takes 1192 MiB"):
        _core.line_values(length, clue, [b"\1" * length] * 2)
    with pytest.raises(MemoryError, match="takes 2384 MiB"):
        _core.line_domains(length, clue, [b"\1" * length] * 2)
    with pytest.raises(MemoryError, match="2200000 rows x 1 columns"):
        _core.Board(255, [()] * 2_200_000, [()])
