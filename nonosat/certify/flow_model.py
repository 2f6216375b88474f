"""Pseudo-Boolean constraints of a puzzle whose linear relaxation is the hull of each line.

Each line is represented by its graph of fillings (`nonosat.board.flow`): one 0/1 variable per arc,
and one unit of flow from the first node to the last. An arc that carries flow gives values to
cells.

Variables: 1 + (k * height + row) * width + column is "the cell has colour k + 1", as in every file
of the project. With several colours, variables "the cell is empty" follow in the same order; with
one colour, the negation is used instead. The arcs follow line by line, rows first.

Constraints, all but the last two kinds equalities:
* for each node of a line, arcs that leave it minus arcs that enter it: 1 for the first node, -1 for
  the last, 0 for the others;
* for each cell of a line and each value, the number of arcs that give the value equals its literal;
* with several colours, exactly one value per cell;
* for each given cell, its value;
* if a solution is given, at least one cell has another value.

Unit propagation on them is as strong as propagation of lines: an excluded value removes its arcs;
the value of a cell excludes the other values, and so their arcs; a node without arcs on one side
loses those on the other, so the remaining arcs are those of paths that agree with all cells; and a
value without an arc is excluded. (Without the constraints of empty cells a filled cell would remove
no arc.)

Size: O(nodes and arcs of all lines, times the cells that an arc covers).
Source: Ford, Fulkerson, "Flows in Networks" (1962); for cells by arcs: Pesant, "A regular language
membership constraint" (CP 2004), Cote, Gendron, Rousseau (CPAIOR 2007) for its flow model.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import NamedTuple

from nonosat.board.flow import Flow, flow_of
from nonosat.board.line import refuse_giant
from nonosat.board.presolve import Rectangle
from nonosat.clauses.cnf import check_num_vars
from nonosat.core.grid import Grid
from nonosat.core.model import RowsAndColumns
from nonosat.export.clauses import Aux, Extent, remarks
from nonosat.export.formula import formula_of
from nonosat.puzzles.nonogram.data import Nonogram

Term = tuple[int, int]  # a factor and a literal


class LineFlow(NamedTuple):
    """The part of the model that belongs to one line.

    Args:
        cells: Cells of the board in the line's order.
        flow: The graph of fillings.
        first_arc: Variable of the first arc; the others follow it.
        first_node: Constraint of the first node; the others follow it, two numbers each.
        first_value: Constraint of value 0 of the first cell; its other values, then the other cells
            follow.
    """

    cells: range
    flow: Flow
    first_arc: int
    first_node: int
    first_value: int


@dataclass(slots=True)
class FlowModel:
    """The constraints, numbered from 1; an equality counts as two, >= and then <=.

    Attributes:
        shape: The board.
        lines: Rows, then columns.
        num_vars: Number of variables so far.
        num_ids: Number of constraint numbers so far.
        first_one: Constraint "exactly one value" of the first cell if there are several colours.
        difference: Constraint that any other solution satisfies; 0 if there is none.
    """

    shape: Rectangle
    lines: list[LineFlow] = field(default_factory=list)
    num_vars: int = 0
    num_ids: int = 0
    first_one: int = 0
    difference: int = 0
    _texts: list[str] = field(default_factory=list)
    _num_terms: int = 0

    def value(self, cell: int, value: int) -> int:
        """Return the literal "the cell has the value"."""
        size, num_colours = self.shape.size, self.shape.num_colours
        if value:
            return 1 + (value - 1) * size + cell
        return 1 + num_colours * size + cell if num_colours > 1 else -(1 + cell)

    def equal(self, terms: Iterable[Term], bound: int) -> int:
        """Add "the sum of the terms is `bound`", two constraints; return the number of the >=."""
        self._add(terms, "=", bound)
        self.num_ids += 2
        return self.num_ids - 1

    def at_least(self, terms: Iterable[Term], bound: int) -> int:
        """Add the constraint that the sum of the terms is at least `bound`; return its number."""
        self._add(terms, ">=", bound)
        self.num_ids += 1
        return self.num_ids

    def _add(self, terms: Iterable[Term], relation: str, bound: int) -> None:
        words = []
        for factor, lit in terms:
            if lit < 0:  # 1 - x
                factor, bound = -factor, bound - factor
            words.append(f"{factor:+d} x{abs(lit)}")
        self._num_terms += len(words)
        self._texts.append(f"{' '.join(words) or '+0 x1'} {relation} {bound} ;\n")

    def add_line(self, line: LineFlow) -> None:
        """Add the constraints of a line, which get the next numbers."""
        entering: list[list[Term]] = [[] for _ in range(line.flow.num_nodes)]
        leaving: list[list[Term]] = [[] for _ in range(line.flow.num_nodes)]
        num_values = self.shape.num_colours + 1
        giving: list[list[Term]] = [[] for _ in range(num_values * len(line.cells))]
        for var, arc in enumerate(line.flow.arcs, start=line.first_arc):
            leaving[arc.tail].append((1, var))
            entering[arc.head].append((-1, var))
            for place, value in arc.covers():
                giving[place * num_values + value].append((1, var))
        last = line.flow.num_nodes - 1
        for node, (out, into) in enumerate(zip(leaving, entering, strict=True)):
            self.equal(chain(out, into), (node == 0) - (node == last))
        for index, arcs in enumerate(giving):
            place, value = divmod(index, num_values)
            self.equal([*arcs, (-1, self.value(line.cells[place], value))], 0)
        self.lines.append(line)

    def next_line(self, cells: range, flow: Flow) -> LineFlow:
        """Return a line with the next free variables and constraint numbers."""
        first_arc, first_node = self.num_vars + 1, self.num_ids + 1
        self.num_vars += len(flow.arcs)
        check_num_vars(self.num_vars)
        return LineFlow(cells, flow, first_arc, first_node, first_node + 2 * flow.num_nodes)

    def extent(self, auxiliaries: Sequence[Aux]) -> Extent:
        """Return the size of the model."""
        return Extent(self.num_vars, len(self._texts), self._num_terms, tuple(auxiliaries))

    def texts(self) -> Iterator[str]:
        """Return the constraints in OPB, one per line."""
        return iter(self._texts)


def flow_model(
    puzzle: Nonogram, solution: Grid | None, pause: Callable[[], None] = lambda: None
) -> tuple[FlowModel, bytes]:
    """Build the model of a puzzle and its OPB file.

    Args:
        puzzle: Any nonogram.
        solution: A solution to exclude; None for the puzzle alone.
        pause: Called before every line; an exception raised by it ends the work.

    Raises:
        UnsupportedError: `solution` is not a solution, or the model has too many variables.
        MemoryError: A line has millions of arcs.
    """
    formula = formula_of(puzzle, forbidden=solution)
    shape, lines = formula.shape, formula.model.lines
    assert shape is not None
    assert isinstance(lines, RowsAndColumns)
    planes = shape.num_colours + (shape.num_colours > 1)
    model = FlowModel(shape, num_vars=planes * shape.size)
    auxiliaries = []
    if shape.num_colours > 1:
        auxiliaries.append(Aux(shape.num_colours * shape.size + 1, model.num_vars, "cells empty"))
    for index, line in enumerate(lines):
        pause()
        refuse_giant(line)
        span = range(shape.size)[shape.span(index)]
        added = model.next_line(span, flow_of(line.clue, len(line)))
        model.add_line(added)
        if added.flow.arcs:
            where = f"row {index}" if index < shape.height else f"column {index - shape.height}"
            auxiliaries.append(Aux(added.first_arc, model.num_vars, f"{where} flow"))
    _add_cells(model, puzzle)
    if solution is not None:
        others = [(1, -model.value(cell, value)) for cell, value in enumerate(solution.cells)]
        model.difference = model.at_least(others, 1)
    extent = model.extent(auxiliaries)
    head = [f"* #variable= {extent.num_vars} #constraint= {extent.num_clauses}\n"]
    head += (f"* {text}\n" for text in remarks(formula, extent))
    return model, "".join(chain(head, model.texts())).encode()


def _add_cells(model: FlowModel, puzzle: Nonogram) -> None:
    """Add the constraints of single cells: exactly one value each, and the given cells."""
    values = range(model.shape.num_colours + 1)
    if model.shape.num_colours > 1:
        model.first_one = model.num_ids + 1
        for cell in range(model.shape.size):
            model.equal([(1, model.value(cell, value)) for value in values], 1)
    for row, column, colour in puzzle.given:
        model.at_least([(1, model.value(row * model.shape.width + column, colour))], 1)
