"""The content of a file for another solver: a puzzle's model, part by part, under one numbering.

Invariant: with and without presolve, the cells have the variables of the whole model, 1 +
(k * height + row) * width + column for colour k + 1. Known cells are unit clauses, and constants
in the lines. Parts are made on demand, so that a formula takes no more memory than its puzzle.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from nonosat.board import presolve
from nonosat.board.presolve import OPEN, Rectangle
from nonosat.clauses import ENCODINGS
from nonosat.clauses.cnf import check_num_vars
from nonosat.core import families
from nonosat.core.errors import PuzzleError, Remedy, UnsupportedError
from nonosat.core.grid import Grid
from nonosat.core.limits import Limits, Watch, polled
from nonosat.core.model import FALSE, TRUE, Clause, Count, Line, Loop, Model, RowsAndColumns
from nonosat.core.plugins import Family, Puzzle
from nonosat.core.result import PRESOLVE_LEVELS
from nonosat.puzzles.nonogram.data import Nonogram
from nonosat.puzzles.nonogram.grids import grid_of


class ModelPart(NamedTuple):
    """A part of the model with its own auxiliary variables: "row 3", "cells", ..."""

    name: str
    model: Model


class PresolvedCells(NamedTuple):
    """Cells after presolve: the value of each (or OPEN), and for each value the possible cells."""

    cells: bytes
    may: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class ExportedModel:
    """A model to write into a file.

    Args:
        puzzle: The puzzle of the model.
        model: The whole model.
        encodings: Encoding by constraint kind.
        presolve: Level of presolve.
        known: Cells after presolve; None without presolve, or if it met a contradiction.
        further: More clauses, each ended by 0: a forbidden solution, a contradiction.
        unique: True if a solution is forbidden.
    """

    puzzle: Puzzle
    model: Model
    encodings: Mapping[str, str] = field(default_factory=lambda: ENCODINGS)
    presolve: str = "none"
    known: PresolvedCells | None = None
    further: array[int] = field(default_factory=lambda: array("i"))
    unique: bool = False

    @property
    def shape(self) -> Rectangle | None:
        """Rectangle of the board; None if the model is not one of a board."""
        return presolve.rectangle(self.model)

    def parts(self) -> Iterator[ModelPart]:
        """Yield the parts of the model, related constraints together, in a fixed order."""
        model = self.model
        model.refuse_others("export", Clause, Count, Line, Loop)
        if self.known is None or (shape := self.shape) is None:
            yield ModelPart("cells", Model(model.num_vars, (), model.counts, model.clauses))
            for index, loop in enumerate(model.loops):
                yield ModelPart(f"loop {index}", Model(model.num_vars, loops=(loop,)))
            lines: Iterator[tuple[int, Line]] = enumerate(model.lines)
        else:
            for row in polled(range(shape.height)):
                counts = tuple(_counts(shape, self.known, row))
                yield ModelPart("cells", Model(self.model.num_vars, counts=counts))
            lines = _open_lines(self.model.lines, shape, self.known)
        for index, line in polled(lines):
            name = _line_name(self.model.lines, index)
            yield ModelPart(name, Model(self.model.num_vars, lines=(line,)))

    def units(self, pause: Callable[[], None] = lambda: None) -> Iterator[array[int]]:
        """Yield unit clauses of the cells that presolve decided, in batches."""
        if self.known is None or (shape := self.shape) is None:
            return
        for row in range(shape.height):
            pause()
            span = shape.span(row)
            inside = self.known.cells[span]
            batch = array("i")
            for k, may in enumerate(self.known.may[1:], start=1):
                first = 1 + (k - 1) * shape.size + span.start
                lits = range(first, first + len(inside))
                for lit, value, can in zip(lits, inside, may[span], strict=True):
                    if value == k:
                        batch.extend((lit, 0))
                    elif value != OPEN or not can:
                        batch.extend((-lit, 0))
            yield batch

    def values(
        self, shape: Rectangle, pause: Callable[[], None] = lambda: None
    ) -> Iterator[list[tuple[int, ...] | None]]:
        """Yield, row by row, the values that are left for each cell of the board; None for all of
        them.
        """
        every = tuple(range(shape.num_colours + 1))
        given = _given(self.model, shape) if self.known is None else {}
        for row in range(shape.height):
            pause()
            span = shape.span(row)
            if self.known is None:
                yield [given.get(cell) for cell in range(span.start, span.stop)]
            else:
                planes = zip(*(may[span] for may in self.known.may), strict=True)
                pairs = zip(self.known.cells[span], planes, strict=True)
                yield [_left(value, may, every) for value, may in pairs]

    def forbidden_cells(self, shape: Rectangle) -> bytes | None:
        """Return the picture that a clause forbids, a byte per cell; None if none is forbidden."""
        if not self.unique:
            return None
        cells = bytearray(shape.size)
        clause = self.further[: self.further.index(0)]
        for cell, colour in (shape.place(lit) for lit in clause if lit < 0):
            cells[cell] = colour
        return bytes(cells)


def formula_of(
    puzzle: Puzzle,
    encodings: Mapping[str, str] = ENCODINGS,
    *,
    presolve: str = "none",
    forbidden: Grid | None = None,
    watch: Watch | None = None,
) -> ExportedModel:
    """Return the formula of a puzzle.

    Args:
        puzzle: A puzzle of any family.
        encodings: Encoding by constraint kind; the defaults for other kinds.
        presolve: "none": the clues alone; "propagate" or "probe": includes the cells that they
            find.
        forbidden: A solution that one more clause forbids: the formula then has a model exactly
            when there is another solution.
        watch: Limits of presolve.

    Raises:
        LimitReached: A limit ended presolve.
        UnsupportedError: `presolve` is not a level, `forbidden` is not a solution, or the board is
            too large.
    """
    watch = watch or Watch(Limits())
    if presolve not in PRESOLVE_LEVELS:
        levels = ", ".join(PRESOLVE_LEVELS)
        raise UnsupportedError(f"presolve {presolve!r} is not one of {levels}")
    family = families.family_of(puzzle)
    model = family.build(puzzle)
    check_num_vars(model.num_vars)
    further = array("i")
    if forbidden is not None:
        further.extend(_forbidding(puzzle, family, model, forbidden))
    known = None
    if presolve != "none":
        known, is_consistent = _presolved(model, presolve, watch)
        if not is_consistent:
            further.append(0)
    chosen = {**ENCODINGS, **encodings}
    return ExportedModel(puzzle, model, chosen, presolve, known, further, forbidden is not None)


def _forbidding(puzzle: Puzzle, family: Family, model: Model, grid: Any) -> array[int]:
    """Return the clause that only the picture `grid` violates."""
    shape = presolve.rectangle(model)
    if shape is None:
        raise UnsupportedError(
            "a solution is forbidden by its rows and columns of cells, which a puzzle of "
            f"{families.name_of(puzzle)} has not",
            remedy=Remedy("leave", "forbidden"),
        )
    if isinstance(puzzle, Nonogram):
        try:
            grid = grid_of(grid, puzzle, name="the solution to forbid", has_unknown=False)
        except PuzzleError as error:
            raise UnsupportedError(error.fact(), remedy=error.remedy) from None
    if mistake := family.refutation(puzzle, grid):
        raise UnsupportedError(f"the solution to forbid is not a solution: {mistake}")
    values = shape.values(grid.cells)
    lits = (-var if values[var] else var for var in range(1, model.num_vars + 1))
    return array("i", [*lits, 0])


def _presolved(model: Model, level: str, watch: Watch) -> tuple[PresolvedCells | None, bool]:
    """Return the cells after presolve, and False if it met a contradiction."""
    task = presolve.PresolvedModel.of(model, watch.check)
    if task.board is None or task.shape is None:
        return None, True
    watch.doing("propagate and probe")
    if not all(done.is_consistent for done in presolve.presolved(task, watch, level=level)):
        return None, False
    values = range(task.shape.num_colours + 1)
    return PresolvedCells(
        task.board.cells(), tuple(task.board.plane(value) for value in values)
    ), True


def _given(model: Model, shape: Rectangle) -> dict[int, tuple[int, ...]]:
    """Return the remaining values of each cell that occurs in a unit clause of the model."""
    left: dict[int, tuple[int, ...]] = {}
    for clause in model.clauses:
        (lit,) = clause.lits
        cell, colour = shape.place(lit)
        values = left.get(cell, range(shape.num_colours + 1))
        left[cell] = tuple(value for value in values if (value == colour) == (lit > 0))
    return left


def _left(value: int, may: tuple[int, ...], every: tuple[int, ...]) -> tuple[int, ...] | None:
    """Return the remaining values of a cell; None if all values `every` are possible."""
    if value != OPEN:
        return (value,)
    return None if all(may) else tuple(one for one in every if may[one])


def _counts(shape: Rectangle, known: PresolvedCells, row: int) -> Iterator[Count]:
    """Yield, for each open cell of a row, that it has at most one colour, or exactly one.

    Exactly one if the cell cannot be empty.
    """
    if shape.num_colours == 1:
        return
    span = shape.span(row)
    for cell in range(span.start, span.stop):
        if known.cells[cell] == OPEN:
            colours = (k for k in range(shape.num_colours) if known.may[k + 1][cell])
            may_be_empty = known.may[0][cell]
            lits = tuple(1 + k * shape.size + cell for k in colours)
            if len(lits) > 1 or not may_be_empty:
                yield Count(lits, 0 if may_be_empty else 1, 1)


def _open_lines(
    lines: Sequence[Line], shape: Rectangle, known: PresolvedCells
) -> Iterator[tuple[int, Line]]:
    """Yield the lines that presolve has left open, with constants for decided cells."""
    for index, line in enumerate(lines):
        span = shape.span(index)
        inside = known.cells[span]
        if OPEN not in inside:
            continue  # it holds: the board is at a fixpoint
        planes = tuple(
            tuple(
                TRUE if value == k else lit if value == OPEN and can else FALSE
                for lit, value, can in zip(plane, inside, may[span], strict=True)
            )
            for k, (plane, may) in enumerate(zip(line.cells, known.may[1:], strict=True), start=1)
        )
        pairs = zip(inside, known.may[0][span], strict=True) if shape.num_colours > 1 else ()
        filled = frozenset(i for i, (value, can) in enumerate(pairs) if value == OPEN and not can)
        yield index, Line(planes, line.blocks, filled)


def _line_name(lines: Sequence[Line], index: int) -> str:
    """Return the name of a line in the variable map."""
    if not isinstance(lines, RowsAndColumns):
        return f"line {index}"
    height = len(lines.rows)
    return f"row {index}" if index < height else f"column {index - height}"
