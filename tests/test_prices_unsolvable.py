"""Prices that refute a puzzle, and the contradictory clues that they identify."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from math import prod
from pathlib import Path

import pytest

import nonosat
from helpers.drawing import FUZZ
from helpers.explained import State
from nonosat import _core
from nonosat.board import clashing, prices
from nonosat.board.clashing import Clash
from nonosat.board.presolve import PresolvedModel, Rectangle
from nonosat.core.grid import Grid
from nonosat.core.limits import Limits, Watch
from nonosat.core.model import Block
from nonosat.core.plugins import Answer
from nonosat.core.result import Verdict
from nonosat.explain import Minimality, contradiction
from nonosat.explain.nonogram import contradictions
from nonosat.explain.nonogram.clue_oracle import ClueOracle
from nonosat.puzzles import nonogram
from nonosat.puzzles.nonogram.data import Colour, Nonogram, from_grid, mono
from nonosat.testing import oracles

INSTANCES = Path(__file__).parent.parent / "instances"
INKS = (Colour("red", "#ff0000"), Colour("blue", "#0000ff"))
MOST_FILLINGS = 20_000  # solutions of a board, checked one by one
WORK = 3_000_000  # units of native work, which a stubborn search would use in vain


def staircase(steps: int, draw: random.Random, num_colours: int) -> Grid:
    """Dominoes along the diagonal, for which line propagation and probing yield nothing."""
    side = 2 * steps + 1
    cells = bytearray(side * side)

    def fill(row: int, first: int, last: int) -> None:
        for column in range(first, min(last, side - 1) + 1):
            cells[row * side + column] = draw.randint(1, num_colours)

    for step in range(steps):
        if step:
            fill(2 * step, 2 * step - 2, 2 * step - 2)
        fill(2 * step, 2 * step, 2 * step + 2)
        fill(2 * step + 1, 2 * step, 2 * step)
    fill(2 * steps, 2 * steps - 2, 2 * steps - 2)
    return Grid(side, side, bytes(cells))


def speckled(draw: random.Random, num_colours: int) -> Grid:
    height, width, filled = draw.randint(1, 5), draw.randint(1, 5), draw.random()
    values = (
        draw.randint(1, num_colours) if draw.random() < filled else 0 for _ in range(height * width)
    )
    return Grid(height, width, bytes(values))


def matched(draw: random.Random) -> Nonogram:
    """One cell a line, with some places excluded: often too few columns for some rows."""
    side = draw.randint(4, 6)
    places = range(side)
    given = tuple((row, at, 0) for row in places for at in places if draw.random() < 0.5)
    return replace(mono([[1]] * side, [[1]] * side), given=given)


def drawn(draw: random.Random, *, most_steps: int = 4) -> Nonogram:
    """Clues of a picture, mostly mistyped, sometimes with given cells and unknown lengths."""
    if draw.random() < 0.4:
        return matched(draw)
    num_colours = draw.choice([1, 1, 1, 2])
    if draw.random() < 0.6:
        grid = staircase(draw.randint(2, most_steps), draw, num_colours)
    else:
        grid = speckled(draw, num_colours)
    puzzle = from_grid(grid, colours=INKS[:num_colours])
    sides = [list(puzzle.rows), list(puzzle.columns)]
    for _ in range(draw.randint(0, 2)):
        side = draw.choice(sides)
        one, other = draw.randrange(len(side)), draw.randrange(len(side))
        side[one], side[other] = side[other], side[one]
    if draw.random() < 0.2:
        side = draw.choice(sides)
        at = draw.randrange(len(side))
        side[at] = tuple(Block(None, block.colour) for block in side[at])
    given = []
    if draw.random() < 0.2:
        row, column = draw.randrange(grid.height), draw.randrange(grid.width)
        given = [(row, column, draw.choice([0, grid[row, column]]))]
    rows, columns = map(tuple, sides)
    return replace(puzzle, rows=rows, columns=columns, given=tuple(given), goal=None)


def swapped(name: str, one: int, other: int) -> Nonogram:
    """A puzzle of the collection with the clues of two rows swapped."""
    puzzle: Nonogram = nonosat.load(INSTANCES / name)
    rows = list(puzzle.rows)
    rows[one], rows[other] = rows[other], rows[one]
    return replace(puzzle, rows=tuple(rows), goal=None)


def task_of(puzzle: Nonogram) -> PresolvedModel:
    return PresolvedModel.of(nonogram.build(puzzle))


def watch() -> Watch:
    return Watch(Limits())


def fillings(puzzle: Nonogram, line: int) -> list[bytes]:
    """Return the fillings of a line by its clue and the given cells."""
    places = State(puzzle).places(line)
    may = [State(puzzle).may[place] for place in places]
    clue = (*puzzle.rows, *puzzle.columns)[line]
    return [cells for cells in oracles.fillings(clue, len(places)) if oracles.agrees(cells, may)]


def can_hold(puzzle: Nonogram, lines: set[int]) -> bool | None:
    """Return True if a board has a filling by the clues of these lines and the given cells; None if
    large.

    Every filling of the rows is tried; a column is free if its clue is left out.
    """
    rows = sorted(line for line in lines if line < puzzle.height)
    choices = [fillings(puzzle, row) for row in rows]
    if prod(map(len, choices)) > MOST_FILLINGS:
        return None
    columns = {}
    for line in lines - set(rows):
        column = line - puzzle.height
        columns[column] = {bytes(cells[row] for row in rows) for cells in fillings(puzzle, line)}
    return any(
        all(bytes(row[column] for row in board) in mine for column, mine in columns.items())
        for board in product(*choices)
    )


def assert_priced(puzzle: Nonogram, clash: Clash) -> None:
    """Check that the table supports the sentence, on a board without knowledge from other clues."""
    state, kept = State(puzzle), set(clash.lines)
    changed = True
    while changed:
        before = dict(state.may)
        for line in kept:
            supported = state.supported(line)
            assert supported is not None  # propagation would have found it
            state.may |= supported
        changed = before != state.may

    def worths(line: int) -> Iterator[int]:
        places = state.places(line)
        may = [state.may[place] for place in places]
        for filling in fillings(puzzle, line):
            if oracles.agrees(filling, may):
                pairs = zip(places, filling, strict=True)
                at = ((row * puzzle.width + column, value) for (row, column), value in pairs)
                yield sum(clash.prices.get(pair, 0) for pair in at)

    assert sum(max(worths(line)) for line in kept if line < puzzle.height) == clash.most
    assert sum(min(worths(line)) for line in kept if line >= puzzle.height) == clash.least
    assert clash.most < clash.least
    for cell, _ in clash.prices:  # otherwise omitted lines would be paid, too
        row, column = divmod(cell, puzzle.width)
        assert {row, puzzle.height + column} <= kept


@pytest.mark.thorough
def test_puzzles_refuted_by_prices_have_no_solution() -> None:
    draw = random.Random(17)
    num_refuted = num_open = 0
    for _ in range(1000 * FUZZ):
        puzzle = drawn(draw)
        task = task_of(puzzle)
        if not task.propagate(watch()) or not task.num_open():
            continue
        found = prices.find(task, watch(), work=WORK, stubborn=draw.random() < 0.5)
        has_solution = bool(oracles.solutions(puzzle, limit=1))
        if found.outcome is prices.PriceOutcome.REFUTED:
            num_refuted += 1
            assert not has_solution
            assert found.table().scale == 1
            proof = found.native.proof()
            assert proof is not None
            assert sum(most for most, _ in proof[1]) == found.native.bound < 0
            assert all(most <= free for most, free in proof[1])
        elif found.outcome is prices.PriceOutcome.SOLUTION:
            solution = Grid(puzzle.height, puzzle.width, found.cells)
            assert not nonogram.refutation(puzzle, solution)
        else:
            num_open += not has_solution
    assert num_refuted > 30
    assert num_refuted > num_open  # boards without solution


@pytest.mark.thorough
def test_the_clues_that_prices_name_contradict_each_other() -> None:
    draw = random.Random(71)
    num_found = num_left_out = num_judged = 0
    for _ in range(600 * FUZZ):
        puzzle = drawn(draw, most_steps=5)
        clash = clashing.fewest(task_of(puzzle), watch())
        if clash is None:
            continue
        num_found += 1
        num_left_out += len(clash.lines) < puzzle.height + puzzle.width
        engine = ClueOracle(puzzle, watch())
        assert engine.query([engine.selectors[line] for line in clash.lines]) is Answer.UNSAT
        engine.close()
        can = can_hold(puzzle, set(clash.lines))
        num_judged += can is not None
        assert not can
        assert_priced(puzzle, clash)
    assert num_found > 20
    assert num_left_out > 20
    assert num_judged > 20


@pytest.mark.parametrize(
    ("name", "rows"), [("hard.jsonl#steps-4", (0, 1)), ("hard.jsonl#steps-8", (1, 4))]
)
def test_no_further_clue_can_be_left_out(name: str, rows: tuple[int, int]) -> None:
    puzzle = swapped(name, *rows)
    clash = clashing.fewest(task_of(puzzle), watch())
    assert clash is not None
    assert len(clash.lines) < puzzle.height + puzzle.width
    assert_priced(puzzle, clash)
    again = clashing.among(task_of(puzzle), clash.lines, watch())
    assert again is not None
    assert again.lines == clash.lines
    for line in clash.lines:
        fewer = set(clash.lines) - {line}
        assert clashing.among(task_of(puzzle), fewer, watch()) is None


def test_given_cells_hold_in_addition_to_the_clues() -> None:
    # Each line has one cell, and three rows have only two columns to choose from.
    empty = tuple((row, column, 0) for row in range(3) for column in range(2, 5))
    puzzle = replace(mono([[1]] * 5, [[1]] * 5), given=empty)
    clash = clashing.fewest(task_of(puzzle), watch())
    assert clash is not None
    assert clash.lines in ((0, 1, 2, 5, 6), (3, 4, 7, 8, 9))
    assert_priced(puzzle, clash)
    assert clash.least - clash.most == 1
    assert set(map(abs, clash.prices.values())) <= {0, 1}
    start = contradictions._priced_start(puzzle, watch())
    assert start is None  # a probe finds it as well
    assert clashing.fewest(task_of(replace(puzzle, given=empty[1:])), watch()) is None
    found = contradiction(puzzle)
    assert found.minimality is not None


def test_boards_that_propagation_refutes_are_not_priced() -> None:
    puzzle = mono([[2], []], [[1], [2]])
    assert not task_of(puzzle).propagate(watch())
    assert clashing.fewest(task_of(puzzle), watch()) is None


@pytest.mark.parametrize(
    ("rows", "columns"),
    [
        ([[1, 1]], [[1], [], [1], []]),
        ([[]], [[]]),
        ([[3], [3]], [[2], [2], [2]]),
        ([[2]], [[None], [None], [None]]),
    ],
)
def test_lines_of_one_cell_empty_and_full_ones(
    rows: list[list[int | None]], columns: list[list[int | None]]
) -> None:
    for puzzle in (mono(rows, columns), mono(columns, rows)):
        is_solvable = bool(oracles.solutions(puzzle, limit=1))
        assert not (is_solvable and clashing.fewest(task_of(puzzle), watch()))


def test_a_board_without_some_clues_uses_the_others() -> None:
    draw = random.Random(5)
    for _ in range(300):
        puzzle = drawn(draw, most_steps=2)
        num_lines = puzzle.height + puzzle.width
        left_out = {line for line in range(num_lines) if draw.random() < 0.3}
        task, state = task_of(puzzle), State(puzzle)
        assert task.board is not None
        for line in left_out:
            task.board.leave_out(line)
        is_consistent, changed = True, True
        while changed and is_consistent:
            before = dict(state.may)
            for line in set(range(num_lines)) - left_out:
                supported = state.supported(line)
                is_consistent = is_consistent and supported is not None
                state.may |= supported or {}
            changed = before != state.may
        assert task.propagate(watch()) == is_consistent
        if not is_consistent:
            continue
        for value in range(len(puzzle.colours) + 1):
            plane = task.board.plane(value)
            for (row, column), values in state.may.items():
                assert plane[row * puzzle.width + column] == (value in values)
        assert task.board.copy().plane(0) == task.board.plane(0)


@pytest.mark.parametrize("line", [-1, 5])
def test_only_lines_of_the_board_are_left_out(line: int) -> None:
    with pytest.raises(IndexError):
        _core.Board(1, [[(1, 1)], []], [[(1, 1)], [], []]).leave_out(line)


@pytest.mark.parametrize(
    ("price", "most", "least", "told"),
    [
        (1, 1, 2, "at most 1 can be filled by the clue of row 2, and at least 2 must be by"),
        (-1, -2, -1, "at most 1 can be filled by the clues of all columns, and at least 2 must"),
        (3, 3, 4, "there are prices for 2 cells at which all that is filled costs at most 3 by"),
    ],
)
def test_a_table_is_described_in_words(price: int, most: int, least: int, told: str) -> None:
    table = {(2, 1): price, (3, 1): price, (0, 1): 0}
    clash = Clash(Rectangle(2, 2, 1), (1, 2, 3), most, least, table)
    assert told in clash.description()
    assert clash.description().startswith("there are ")
    assert "2 cells" in clash.description()
    coloured = replace(clash, shape=Rectangle(2, 2, 2))
    assert "there are prices for 2 cells" in coloured.description()


@pytest.mark.parametrize("backend", ["auto", "prices"])
def test_prices_give_the_reason_why_a_puzzle_is_unsolvable(
    monkeypatch: pytest.MonkeyPatch, backend: str
) -> None:
    monkeypatch.setattr(prices, "find", None)  # they are not run again for the sentence
    result = nonosat.check(swapped("hard.jsonl#steps-10", 0, 4), backend=backend)
    assert (result.verdict, result.backend) == (Verdict.UNSOLVABLE, "prices")
    assert result.reason.startswith("no line breaks by itself, but there are prices for ")
    assert "costs at most" in result.reason
    assert "and at least" in result.reason


def test_a_contradiction_begins_with_the_clues_that_prices_name() -> None:
    puzzle = swapped("domino.jsonl#domino-12", 1, 4)
    start = contradictions._priced_start(puzzle, watch())
    assert start is not None
    assert len(start.lines) < puzzle.height + puzzle.width
    assert start.places == frozenset()
    found = contradiction(swapped("hard.jsonl#steps-8", 1, 4))
    assert found.verdict is Verdict.UNSOLVABLE
    assert found.minimality is Minimality.SMALLEST
    assert (
        "there are 42 cells of which at most 6 can be filled by the clues of rows 5, 8, 10, 12, 14 "
        "and 16, and at least 7 must be by the clues of columns 3, 5, 7"
    ) in found.end


def test_a_contradiction_that_probing_shows_needs_no_prices() -> None:
    puzzle = mono([[1], [1], [1]], [[1], [1], [1]])
    assert contradictions._priced_start(puzzle, watch()) is None
    assert contradictions._price_clause(puzzle, range(6), watch()) == ""
