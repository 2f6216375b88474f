"""Documents' methods for whole grids, and their agreement with enumeration.

Every slip is shown with its counterexample and the correction. `test_documents.py` has the table of
the items that each test covers.
"""

from __future__ import annotations

import pytest
from hypothesis import given

import nonosat
from helpers.drawing import examples
from nonosat import Verdict
from nonosat.core import plugins
from nonosat.core.grid import Grid
from nonosat.core.limits import Limits, Watch
from nonosat.core.model import Block
from nonosat.core.plugins import Ending
from nonosat.puzzles import nonogram
from nonosat.puzzles.nonogram import Nonogram, from_grid, mono
from nonosat.study._automata import accepts, automaton_of
from nonosat.study._backtracking import backtracked
from nonosat.study._counting import num_fixed, num_placements, slack
from nonosat.study._grid import (
    PlainBoard,
    SolveCounters,
    alternate,
    by_index,
    by_score,
    completed,
    score,
)
from nonosat.study._lines import EMPTY, FILLED, UNKNOWN, Meter
from nonosat.study._painting import by_memory
from nonosat.study._rules import RULES
from nonosat.study.methods import brute_force, rules_backtracking
from nonosat.testing import oracles
from nonosat.testing.strategies import puzzles

METHODS = {
    name: module for name, module in plugins.names("study").items() if module.family == "nonogram"
}
methods = pytest.mark.parametrize("name", METHODS)
WITHOUT_GUESSES = {"alternating", "rules"}  # they may leave a puzzle open

# Grids of the documents, rebuilt from their clues.
SIX_ROWS = [(2, 1), (1, 3), (1, 2), (3,), (4,), (1,)]
SIX_COLUMNS = [(1,), (5,), (2,), (5,), (2, 1), (2,)]
SIX = mono(SIX_ROWS, SIX_COLUMNS)
SIX_SOLVED = ["##...#", ".#.###", ".#.##.", ".###..", ".####.", "...#.."]
FIVE = mono([(1, 1, 1), (5,), (1, 1), (3,), (5,)], [(2, 1), (4,), (2, 2), (4,), (2, 1)])
FIVE_SOLVED = ["#.#.#", "#####", ".#.#.", ".###.", "#####"]
STUCK = mono([(2,), (1, 1)], [(1,)] * 4)  # line solving makes no progress
STUCK_SOLVED = [".##.", "#..#"]
TWO_PASSES = mono([(2,), (1,), ()], [(1,), (2,), ()])
GRIDS: dict[str, tuple[Nonogram, list[list[str]]]] = {
    "6x6": (SIX, [SIX_SOLVED]),
    "5x5": (FIVE, [FIVE_SOLVED]),
    "0 solutions": (mono([(1,), (1,), ()], [(), (), (1, 1)]), []),
    "diagonals": (
        mono([(1,), (), (1,)], [(1,), (), (1,)]),
        [["#..", "...", "..#"], ["..#", "...", "#.."]],
    ),
    "2x4": (STUCK, [STUCK_SOLVED]),
    "3x3": (TWO_PASSES, [["##.", ".#.", "..."]]),
}


def watch() -> Watch:
    return Watch(Limits())


def ended(name: str, puzzle: Nonogram) -> tuple[list[Grid], Ending]:
    """Return all solutions of a method, and how it ends."""
    run = METHODS[name].solve(puzzle, watch(), 0)
    found = []
    while True:
        try:
            found.append(next(run))
        except StopIteration as stop:
            return found, stop.value


def solved(name: str, puzzle: Nonogram) -> set[bytes]:
    """Return the solutions, none twice; a method that cannot decide has reported that."""
    found, ending = ended(name, puzzle)
    assert len({grid.cells for grid in found}) == len(found)
    assert ending.exhausted or name in WITHOUT_GUESSES
    return {grid.cells for grid in found}


def passed(puzzle: Nonogram) -> tuple[PlainBoard, SolveCounters]:
    """Return the board after the alternating passes."""
    board, tally = PlainBoard(puzzle), SolveCounters()
    assert alternate(board, range(len(board.clues)), by_memory, by_index, tally, Meter())
    return board, tally


def rows_of(board: PlainBoard) -> list[str]:
    symbols = {EMPTY: ".", FILLED: "#", UNKNOWN: "?"}
    return ["".join(symbols[cell] for cell in board.line(row)) for row in range(board.height)]


# The documents' grids


def suitable(largest: int = 16) -> list[tuple[str, str]]:
    """Names of methods and grids; brute force gets the small ones alone."""
    return [
        (name, grid)
        for name in METHODS
        for grid, (puzzle, _) in GRIDS.items()
        if name != "brute-force" or puzzle.height * puzzle.width <= largest
    ]


OPEN = {  # open cells after methods without guesses
    ("alternating", "2x4"): "8 cells are",
    ("alternating", "diagonals"): "4 cells are",
    ("rules", "6x6"): "21 cells are",
    ("rules", "5x5"): "4 cells are",
    ("rules", "2x4"): "8 cells are",
    ("rules", "diagonals"): "4 cells are",
    ("rules", "3x3"): "1 cell is",
}


@pytest.mark.parametrize(("name", "grid"), suitable())
def test_the_documents_grids(name: str, grid: str) -> None:
    puzzle, solutions = GRIDS[grid]
    found, ending = ended(name, puzzle)
    if still := OPEN.get((name, grid)):
        assert (found, ending.exhausted) == ([], False)
        assert ending.reason == f"undetermined: {still} open"
    else:
        assert ending.exhausted
        assert sorted(grid.lines() for grid in found) == solutions


@pytest.mark.parametrize("grid", GRIDS)
def test_the_documents_grids_by_the_native_solver(grid: str) -> None:
    puzzle, solutions = GRIDS[grid]
    assert sorted(one.lines() for one in nonosat.solutions(puzzle)) == solutions
    assert {b"".join(map(_coded, one)) for one in solutions} == oracles.solutions(puzzle)


def _coded(rows: str) -> bytes:
    return bytes(char == "#" for char in rows)


def test_one_solution_is_enough_and_all_are_found() -> None:
    """The slides' frame: at least one solution, and one suffices to call a grid solved."""
    puzzle, _ = GRIDS["diagonals"]
    assert nonosat.solve(puzzle, backend="study:brute-force").verdict is Verdict.SOLVED
    assert nonosat.check(puzzle, backend="study:brute-force").verdict is Verdict.MULTIPLE
    puzzle, _ = GRIDS["0 solutions"]
    assert nonosat.solve(puzzle, backend="study:greedy").verdict is Verdict.UNSOLVABLE


def test_the_clues_of_the_brute_force_example() -> None:
    """Slip: "1 <= 2" takes the first row's block for 1; three blacks against four, 0 solutions."""
    wrong = mono([(1,), (1, 1)], [(1,)] * 4)
    assert oracles.solutions(wrong) == set()
    assert all(not solved(name, wrong) for name in METHODS)


# Passes


def passes_as_printed(board: PlainBoard) -> int:
    """Return the number of passes while there are dirty rows AND columns."""
    rows = set(range(board.height))
    columns = set(range(board.height, len(board.clues)))
    passes = 0
    while rows and columns:
        passes += 1
        for mine, crossing in ((rows, columns), (columns, rows)):
            for line in sorted(mine):
                painted = by_memory(board.line(line), board.clues[line], Meter())
                assert painted is not None
                crossing.update(board.paint(line, painted))
                mine.remove(line)
    return passes


def test_passes_go_on_while_rows_or_columns_are_dirty() -> None:
    """Slip: with AND the loop ends after one pass, whatever is left."""
    board = PlainBoard(TWO_PASSES)
    assert passes_as_printed(board) == 1
    assert board.num_unknown() > 0
    board, tally = passed(TWO_PASSES)
    assert (rows_of(board), tally.passes) == (["##.", ".#.", "..."], 2)


def test_the_slides_grid_needs_four_passes() -> None:
    board, tally = passed(SIX)
    assert (rows_of(board), tally.passes) == (SIX_SOLVED, 4)
    board = PlainBoard(SIX)
    passes_as_printed(board)
    assert board.num_unknown() > 0


def test_line_solving_makes_no_progress_on_the_brute_force_example() -> None:
    """With the document's numbers of free cells and placements: rows 2, 3 and 1, 3; columns 1, 2.
    No
    block is longer than its slack, so nothing is fixed.
    """
    counted = [((2,), 4), ((1, 1), 4), ((1,), 2)]
    assert [slack(*line) for line in counted] == [2, 1, 1]
    assert [num_placements(*line) for line in counted] == [3, 3, 2]
    assert [num_fixed(*line) for line in counted] == [0, 0, 0]
    board, tally = passed(STUCK)
    assert rows_of(board) == ["????", "????"]
    assert (tally.passes, tally.line_solves) == (1, 6)


def test_the_cells_that_the_slide_marks() -> None:
    """The 5x5 grid: the row of clue 3 ends with an X on both sides. The columns imply them after
    the
    rows
    are done: their blocks are above and below.
    """
    board = PlainBoard(FIVE)
    for line in range(board.height + board.width):
        painted = by_memory(board.line(line), board.clues[line], Meter())
        assert painted is not None
        board.paint(line, painted)
        if line == board.height - 1:
            assert rows_of(board) == ["#.#.#", "#####", "?????", "??#??", "#####"]
    assert rows_of(board)[3] == ".###."


def test_a_cell_makes_one_line_dirty() -> None:
    """Slip: Theta(m^3) counts one pass. Each cell is painted once and its other line is solved
    again,
    so at most m^2 + 2 m line solves can happen, at most 2 m^2 from m = 2 on.
    """
    _, tally = passed(SIX)
    assert 12 < tally.line_solves <= 12 + 36 <= 2 * 6 * 6


@pytest.mark.slow
@given(puzzle=puzzles(max_cells=30, max_colours=1, unknown=False))
@examples(35)
def test_passes_reach_the_native_fixpoint(puzzle: Nonogram) -> None:
    """Lines that are complete have one fixpoint, whatever the order."""
    from nonosat.board.presolve import PresolvedModel

    task = PresolvedModel.of(nonogram.build(puzzle))
    holds = task.propagate(watch())
    for order in (by_index, by_score):
        board, tally = PlainBoard(puzzle), SolveCounters()
        lines = range(len(board.clues))
        assert alternate(board, lines, by_memory, order, tally, Meter()) == holds
        assert tally.line_solves <= len(lines) + len(board.cells)
        if holds:
            assert task.board is not None
            assert bytes(board.cells) == task.board.cells()


# The greedy order


def test_greedy_takes_the_easiest_lines_first() -> None:
    board = PlainBoard(mono([(1,), (3,), (), (2,)], [(2,), (2,), (2,)]))
    assert [score(board.line(row), board.clues[row]) for row in range(4)] == [2, 0, 0, 1]
    assert by_score(board, range(4)) == [1, 2, 3, 0]
    assert by_index(board, {3, 0, 2}) == [0, 2, 3]


def test_finished_lines_come_last() -> None:
    """Slip: a finished line has the best score, 0; there is nothing to paint in it."""
    board = PlainBoard(mono([(1,), (2,)], [(1,), (1,), (1,)]))
    board.paint(0, bytes([FILLED, EMPTY, EMPTY]))
    assert by_score(board, [0, 1]) == [1, 0]


# Guesses and backtracking


def test_guesses_work_on_copies() -> None:
    """Not stated in the document: both branches would paint the same matrix."""
    board = PlainBoard(STUCK)
    found = list(completed(board, range(6), by_memory, by_index, tally := SolveCounters(), Meter()))
    assert [grid.lines() for grid in found] == [STUCK_SOLVED]
    assert tally.guesses == 1
    assert board.num_unknown() == 8


def test_the_tree_of_guesses_is_2_to_the_cells() -> None:
    """Slip: O(2^(m^3)); each guess decides a cell, so there are at most 2^(m^2) leaves."""
    permutations = mono([(1,)] * 4, [(1,)] * 4)
    board, tally = PlainBoard(permutations), SolveCounters()
    found = list(completed(board, range(8), by_memory, by_index, tally, Meter()))
    assert len(found) == 24
    assert tally.guesses + 1 <= 2**16 < 2**64


def backtrack_as_printed(board: PlainBoard, cell: int) -> bool:
    """Slides' procedure: it calls itself and drops the answer."""
    automata = [automaton_of(clue) for clue in board.clues]
    row, column = divmod(cell, board.width)
    for value in (EMPTY, FILLED):
        board.cells[cell] = value
        lines = (row, board.height + column)
        if all(_is_partial(automata[line], board.line(line)) for line in lines):
            if cell == len(board.cells) - 1:
                return True
            backtrack_as_printed(board, cell + 1)
    board.cells[cell] = UNKNOWN
    return False


def _is_partial(automaton, line: bytes) -> bool:
    from nonosat.study._automata import is_partial

    return is_partial(automaton, line)


def test_backtracking_uses_the_answer_of_its_recursion() -> None:
    """Slip: it always ends in false with the grid reset, except for 1x1."""
    full = mono([(2,), (2,)], [(2,), (2,)])
    board = PlainBoard(full)
    assert backtrack_as_printed(board, 0) is False
    assert board.num_unknown() >= 3
    assert [grid.lines() for grid in backtracked(PlainBoard(full), Meter())] == [["##", "##"]]
    assert backtrack_as_printed(PlainBoard(mono([(1,)], [(1,)])), 0) is True


def test_the_validator_checks_every_line() -> None:
    """O(n^2) a grid, because the automata are built beforehand."""
    board = PlainBoard(from_grid(Grid(2, 2, bytes([1, 0, 0, 1]))))
    validator = [automaton_of(clue) for clue in board.clues]
    for number in range(16):
        board.cells[:] = bytes(number >> bit & 1 for bit in range(4))
        right = oracles.matches((Block(1),), board.line(0))
        right &= all(oracles.matches((Block(1),), board.line(line)) for line in range(1, 4))
        assert brute_force.is_valid(board, validator) == right
        assert accepts(validator[0], board.line(0)) == (sum(board.line(0)) == 1)


@pytest.mark.parametrize("grid", ["0 solutions", "diagonals", "2x4"])
def test_brute_force_tries_every_grid(grid: str) -> None:
    """2^(n^2) of them, if every solution is requested."""
    puzzle, _ = GRIDS[grid]
    _, ending = ended("brute-force", puzzle)
    assert ending.detail["steps"] == 2 ** (puzzle.height * puzzle.width)


def test_rules_leave_less_to_backtrack() -> None:
    plain, helped = Meter(), Meter()
    assert len(list(backtracked(PlainBoard(SIX), plain))) == 1
    board = PlainBoard(SIX)
    counts = rules_backtracking.apply_rules(board, RULES, helped)
    assert counts is not None
    assert sum(counts.values()) == 36 - board.num_unknown() > 0
    assert len(list(backtracked(board, helped))) == 1
    assert helped.steps < plain.steps
