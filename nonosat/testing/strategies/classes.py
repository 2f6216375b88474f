"""Strategies for nonograms of one class: unique, multiple, unsolvable, hard.

No example is discarded: a puzzle is drawn, the native solver determines its class, and a puzzle of
another class is repaired. It becomes unique by given cells or by filling its picture until every
other solution is gone; multiple by a switch (two cells that can change places with two others);
unsolvable by an additional block.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import count

from hypothesis import strategies as st

from nonosat.board.presolve import PresolvedModel
from nonosat.core.grid import Grid, with_cells
from nonosat.core.limits import Limits, Watch
from nonosat.core.model import Block
from nonosat.core.result import Verdict
from nonosat.generate.structured import FAMILIES, generate_structured
from nonosat.puzzles.nonogram import build
from nonosat.puzzles.nonogram.data import Nonogram
from nonosat.solving import pipeline
from nonosat.testing.strategies.nonograms import changed, clued, pictures
from nonosat.testing.strategies.numbers import Shape, shape_of
from nonosat.testing.strategies.pictures import Inks, Sketch
from nonosat.testing.strategies.requested import NonogramRequirements, of_class, requested_of

# Families whose generators do not retry until there is a single solution.
STRUCTURED = [name for name in FAMILIES if name != "beside-noise"]
_MOST_RANDOM = 144  # cells of hard puzzles that are drawn cell by cell


@of_class()
def unique_puzzles(draw: st.DrawFn, requested: NonogramRequirements) -> Nonogram:
    """Return a strategy for nonograms with exactly one solution, which is their goal.

    They shrink as `puzzles` do, to a single empty cell.
    """
    inks = draw(requested.inks())
    sketch = draw(pictures(requested, len(inks)))
    return _settled(sketch, inks, requested.given and draw(st.booleans()))


def _settled(sketch: Sketch, inks: Inks, give: bool) -> Nonogram:
    """Return the puzzle of a sketch, made unique by given cells (`give`), or by changes.

    The changes make lengths of blocks known and fill cells.
    """
    puzzle = clued(sketch, inks)
    while (other := _other_solution(puzzle)) is not None:
        places = sketch.grid.differences(other)
        if give:
            cell = (*places[0], sketch.grid[places[0]])
            puzzle = replace(puzzle, given=(*puzzle.given, cell))
        else:
            sketch = _plainer(sketch, places)
            puzzle = clued(sketch, inks)
    return puzzle


def _other_solution(puzzle: Nonogram) -> Grid | None:
    """Return a solution that differs from the goal."""
    found = pipeline.solutions(puzzle, limit=2)
    return next((solution for solution in found if solution != puzzle.goal), None)


def _plainer(sketch: Sketch, places: list[tuple[int, int]]) -> Sketch:
    """Return a sketch with fewer solutions: with known lengths in the lines of `places`.

    If they are known already, one of the cells gets colour 1. Then both solutions have equally many
    cells of that colour in each row, so some of `places`, in which they differ, do not have it. A
    full board is unique, so repetition terminates.
    """
    rows, columns = {row for row, _ in places}, {column for _, column in places}
    known = sketch._replace(
        rows=tuple(0 if row in rows else mask for row, mask in enumerate(sketch.rows)),
        columns=tuple(0 if one in columns else mask for one, mask in enumerate(sketch.columns)),
    )
    if known != sketch:
        return known
    grid = sketch.grid
    row, column = next(place for place in places if grid[place] != 1)
    return sketch._replace(grid=with_cells(grid, {row * grid.width + column: 1}))


@of_class(least=4)
def multiple_puzzles(draw: st.DrawFn, requested: NonogramRequirements) -> Nonogram:
    """Return a strategy for nonograms with several solutions; the goal is one of them.

    They shrink to the 2x2 switch, with one cell in each row and column. No smaller board has two
    solutions; a height or width below 2 is taken as 2.
    """
    inks = draw(requested.inks())
    sketch = draw(pictures(requested, len(inks)))
    puzzle = clued(sketch, inks)
    return puzzle if _other_solution(puzzle) else clued(_with_switch(sketch), inks)


def _with_switch(sketch: Sketch) -> Sketch:
    """Return a sketch whose last two rows and columns are empty except for a 2x2 switch.

    They have no marks.
    """
    grid = sketch.grid
    height, width = max(2, grid.height), max(2, grid.width)
    if grid.height < 2:
        width = max(2, width // 2)
    elif grid.width < 2:
        height = max(2, height // 2)
    cells, marks = bytearray(height * width), bytearray(height * width)
    for row in range(height - 2):
        for column in range(width - 2):
            cells[row * width + column] = grid[row, column]
            marks[row * width + column] = sketch.marks[row * grid.width + column]
    cells[-width - 2] = cells[-1] = 1
    return Sketch(
        Grid(height, width, bytes(cells)),
        bytes(marks),
        (*sketch.rows, 0)[:height],
        (*sketch.columns, 0)[:width],
    )


@of_class()
def unsolvable_puzzles(draw: st.DrawFn, requested: NonogramRequirements) -> Nonogram:
    """Return a strategy for nonograms without a solution.

    Many have the clues of a picture with two of them swapped, or one wrong given cell, so that the
    contradiction is found late; some have an obviously too short line. They shrink to a board of
    one cell.
    """
    inks = draw(requested.inks())
    change = draw(st.sampled_from(["wrong", "clue", "swap"]))
    puzzle = draw(changed(requested, inks, change))
    place = draw(st.integers(0, requested.shape.longest - 1))
    solutions = list(pipeline.solutions(puzzle, limit=2))
    if requested.given and len(solutions) == 1:
        return _with_wrong_cell(puzzle, solutions[0], place)
    return _too_long(puzzle, place % puzzle.height) if solutions else puzzle


def _with_wrong_cell(puzzle: Nonogram, solution: Grid, place: int) -> Nonogram:
    """Return the puzzle with a given cell that contradicts its only solution."""
    row, column = divmod(place % len(solution.cells), puzzle.width)
    value = (solution[row, column] + 1) % (len(puzzle.colours) + 1)
    others = tuple(cell for cell in puzzle.given if cell[:2] != (row, column))
    return replace(puzzle, given=(*others, (row, column, value)))


def _too_long(puzzle: Nonogram, row: int) -> Nonogram:
    """Return the puzzle with the first block of a row lengthened until there is no solution."""
    clue = puzzle.rows[row] or (Block(0),)
    for length in count(1 + (clue[0].length or 1)):
        longer = (Block(length, clue[0].colour), *clue[1:])
        rows = (*puzzle.rows[:row], longer, *puzzle.rows[row + 1 :])
        longer_puzzle = replace(puzzle, rows=rows)
        if pipeline.solve(longer_puzzle).verdict is Verdict.UNSOLVABLE:
            return longer_puzzle
    raise AssertionError("a block that is longer than its line fits")


def hard_puzzles(
    max_cells: int = 256,
    max_colours: int = 2,
    unknown: bool = True,
    given: bool = True,
) -> st.SearchStrategy[Nonogram]:
    """Return a strategy for solvable nonograms that line solving and probing leave open.

    Hard means: every line was solved exactly until nothing changed, both values of every open cell
    were probed until nothing changed, and some cells are still open. Half of them are structured
    ones with a single solution (`nonosat.generate.structured`: dominoes and other shapes that are
    connected over the whole board), if boards may have 81 cells and more; the others have several
    solutions, as small hard random boards always do. They shrink to the 2x2 switch.

    Args:
        max_cells: Largest board, at least 4.
        max_colours: Largest number of inks.
        unknown: Permit blocks of unknown length.
        given: Permit given cells.

    Raises:
        UnsupportedError: A number is too small, too large, or invalid.
    """
    return _hard(requested_of(shape_of(max_cells, None, None, 4), max_colours, unknown, given))


@st.composite
def _hard(draw: st.DrawFn, requested: NonogramRequirements) -> Nonogram:
    max_cells = requested.shape.max_cells
    structured = _structured(max_cells, requested.max_colours, requested.unknown)
    if draw(st.booleans()) and structured:
        return generate_structured(*draw(st.sampled_from(structured)))
    inks = draw(requested.inks())
    smaller = requested._replace(shape=Shape(min(max_cells, _MOST_RANDOM)))
    sketch = draw(pictures(smaller, len(inks)))
    puzzle = clued(sketch, inks)
    return puzzle if is_hard(puzzle) else clued(_with_switch(sketch), inks)


@cache
def _structured(max_cells: int, max_colours: int, unknown: bool) -> list[tuple[str, int]]:
    """Return (family, number of shapes) of hard structured puzzles that are not too large."""
    found = []
    for name in STRUCTURED:
        for n in count(1):
            puzzle = generate_structured(name, n)
            if puzzle.height * puzzle.width > max_cells:
                break
            lengths = [block.length for clue in puzzle.rows for block in clue]
            fits = len(puzzle.colours) <= max_colours and (unknown or None not in lengths)
            if fits and is_hard(puzzle):
                found.append((puzzle.height * puzzle.width, name, n))
    return [(name, n) for _, name, n in sorted(found)]


def is_hard(puzzle: Nonogram) -> bool:
    """Return True if cells are open after line solving and probing of every cell."""
    task, watch = PresolvedModel.of(build(puzzle)), Watch(Limits())
    return task.propagate(watch) and task.probe(watch)[0] and task.num_open() > 0
