"""Cutting planes proof of a price table over the flow model, for checkers of VeriPB's format.

The maximum price of a line is the longest path through its graph. The potential of a node is the
length of the longest path to it. Conservation of flow times potentials, the shortfall of each arc
(times "the arc is not negative"), and the constraints of cells by arcs add up to an upper bound on
the sum of prices of the line's cells. Arcs that known cells exclude may be longer; unit propagation
derives that they are 0, which removes their excess. The sum over all lines states that `scale`
times the number of cells with another value is at most the price bound. Division by `scale` and
rounding gives a whole number of cells, `most`.

If `most` is 0, that contradicts "at least one cell differs". For a larger `most` two solutions must
differ in more cells: in 2 if all rows (or all columns) have known lengths, in 4 if both have. The
proof derives this as follows. In a line of known lengths every filling contains a value equally
often (another line bound, with a price of -1 for the value), so as many cells of the line gain the
value as lose it, and the number of differing cells is at least twice the number of those that lose
it:

    differing in line >= 2 * losing value in line                                           (1)

For the cells of a row that lose a value, (1) for the row gives as many further differing cells; and
(1) for each column, with the value of its cell in the solution, gives one more in that column for
each of these:

    differing in all columns >= 2 * differing in row >= 4 * losing value in row

With `most` < 4, division by 4 rounds "losing value in row" down to 0, for all rows and values; so
no cell differs. If only rows (columns) have known lengths, 2 replaces 4, and the trivial bounds of
all other cells replace the constraints of columns.

Without a known solution there are no costs, and the sum of all lines is 0 >= a positive number.

Size: O(nodes and arcs of all lines), and O(size) for each row (column) if `most` is above 0.
Source: Gocht, Nordstrom, "Certifying parity reasoning efficiently using pseudo-Boolean proofs"
(AAAI 2021), and the descriptions of the format, versions 2.0 and 3.0, that come with VeriPB.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from nonosat.board.presolve import PresolvedModel
from nonosat.board.prices import PriceBound, PriceOutcome, find, least_distance, refute_others
from nonosat.certify.flow_model import FlowModel, LineFlow, flow_model
from nonosat.certify.proof_steps import VERSIONS, FlowProof, ProofSteps, Terms, name_of
from nonosat.core.errors import LimitReached, Remedy
from nonosat.core.grid import Grid
from nonosat.core.limits import Limits, Watch
from nonosat.core.model import RowsAndColumns
from nonosat.puzzles import nonogram
from nonosat.puzzles.nonogram.data import Nonogram

Prices = Mapping[tuple[int, int], int]  # by cell of the board and value; missing ones are 0


def flow_proof(
    puzzle: Nonogram,
    solution: Grid | None,
    table: PriceBound | None,
    watch: Watch | None = None,
    version: str = VERSIONS[0],
) -> FlowProof:
    """Return the flow model of a puzzle and the proof by prices that it has no (other) solution.

    Args:
        puzzle: Any nonogram.
        solution: Its only solution; None if there is none.
        table: Prices of the board at its line fixpoint, for this solution; None if propagation of
            lines alone refutes the puzzle.
        watch: Limits of the whole work.
        version: One of VERSIONS.

    Raises:
        LimitReached: A limit of the watch was reached.
        UnsupportedError: `solution` is not a solution.
        ValueError: The table does not prove the claim.
    """
    watch = watch or Watch(Limits())
    model, opb = flow_model(puzzle, solution, watch.check)
    task = PresolvedModel.of(nonogram.build(puzzle), watch.check)
    steps = ProofSteps(model.num_ids, watch.check, version)
    if not task.propagate(watch):
        last = steps.rup(())
    elif table is None:
        raise ValueError("lines alone do not show it, expected a price table")
    else:
        assert task.board is not None
        planes = [task.board.plane(value) for value in range(model.shape.num_colours + 1)]
        last = _LineBounds(model, steps, planes, watch.check).contradiction(task, solution, table)
    return FlowProof(opb, steps.text(last))


def found_flow_proof(
    puzzle: Nonogram, solution: Grid | None, watch: Watch, version: str = VERSIONS[0]
) -> FlowProof:
    """Search for a price table and return the model and proof of `flow_proof`.

    Raises:
        LimitReached: Prices do not prove the claim, or a limit of the watch was reached.
    """
    task = PresolvedModel.of(nonogram.build(puzzle), watch.check)
    if not task.propagate(watch):
        return flow_proof(puzzle, None, None, watch, version)
    if solution is None:
        found = find(task, watch, stubborn=True)
    else:
        found = refute_others(task, solution.cells, watch, stubborn=True)
    if found.outcome is not PriceOutcome.REFUTED:
        raise LimitReached(
            "no single price table proves it, which VeriPB's format needs; clauses may prove it",
            remedy=Remedy("set", "by", ("clauses",)),
        )
    return flow_proof(puzzle, solution, found.table(watch.check), watch, version)


class _LineBounds:
    """Derivation of bounds of lines on the sum of their prices, and of a contradiction from them.

    Args:
        model: The formula.
        steps: The proof to which steps are added.
        planes: For each value one byte per cell, nonzero if the cell may have it after line
            propagation.
    """

    def __init__(
        self, model: FlowModel, steps: ProofSteps, planes: list[bytes], pause: Callable[[], None]
    ) -> None:
        self._model, self._steps = model, steps
        self._gone: dict[int, int] = {}  # by arc: number of the constraint that it is 0
        self._twices: dict[tuple[int, int], int] = {}  # by line and value
        self._alive = []
        for line in model.lines:
            pause()
            may = [plane[line.cells.start : line.cells.stop : line.cells.step] for plane in planes]
            self._alive.append(line.flow.within(may))

    def contradiction(self, task: PresolvedModel, solution: Grid | None, table: PriceBound) -> int:
        """Return the number of a contradictory constraint; arguments are those of `flow_proof`."""
        size, height = self._model.shape.size, self._model.shape.height
        cells = () if solution is None else enumerate(solution.cells)
        # A cell of the solution pays `scale` instead of the others. Both differ by a constant only,
        # and this needs no constraint on the values of a cell.
        left = {key: -price for key, price in table.prices.items()}
        for key in cells:
            left[key] = left.get(key, 0) - table.scale
        paid = [table.prices if index < height else left for index in range(len(self._model.lines))]
        bounds = [
            self.line_bound(index, prices)
            for index, prices in enumerate(paid)
            if self._values(self._model.lines[index], prices)  # otherwise the bound is 0 >= 0
        ]
        total = sum(bound for _, bound in bounds)
        terms = [(number, 1) for number, _ in bounds]
        if solution is None:
            if total >= 0:
                raise ValueError(f"the price bound is {total}, expected one below 0")
            return self._steps.sum(terms)
        most = (size * table.scale + total) // table.scale
        if most >= (least := least_distance(task)):
            raise ValueError(f"the price bound is {most} cells, expected less than {least}")
        nearest = self._steps.sum(terms, table.scale)
        if most:
            nearest = self._equal(task, solution, nearest, least)
        return self._steps.sum([(nearest, 1), (self._model.difference, 1)])

    def line_bound(self, index: int, prices: Prices) -> tuple[int, int]:
        """Return (number, bound) of the constraint that the line's prices sum to <= bound."""
        line, alive = self._model.lines[index], self._alive[index]
        paid = [
            sum(prices.get((line.cells[place], value), 0) for place, value in arc.covers())
            for arc in line.flow.arcs
        ]
        lengths: list[int | None] = [None] * line.flow.num_nodes
        lengths[0] = 0
        for arc, price, is_alive in zip(line.flow.arcs, paid, alive, strict=True):
            tail, head = lengths[arc.tail], lengths[arc.head]
            if is_alive and tail is not None and (head is None or tail + price > head):
                lengths[arc.head] = tail + price
        potentials = [length or 0 for length in lengths]
        terms = self._values(line, prices)
        for node, potential in enumerate(potentials):
            if potential:
                # The two numbers of an equality are those of >=, then <=, which replaces a negative
                # factor.
                number = line.first_node + 2 * node + (potential < 0)
                terms.append((number, abs(potential)))
        for var, (arc, price) in enumerate(
            zip(line.flow.arcs, paid, strict=True), start=line.first_arc
        ):
            short = potentials[arc.head] - potentials[arc.tail] - price
            if short > 0:
                terms.append((name_of(var), short))
            elif short < 0:
                terms.append((self._is_gone(var), -short))
        return self._steps.sum(terms), potentials[-1]

    def _values(self, line: LineFlow, prices: Prices) -> Terms:
        """Return (number, factor) of the constraints of cells by arcs, each times its price."""
        terms: Terms = []
        num_values = self._model.shape.num_colours + 1
        for place, cell in enumerate(line.cells):
            for value in range(num_values):
                if price := prices.get((cell, value), 0):
                    number = line.first_value + 2 * (place * num_values + value) + (price < 0)
                    terms.append((number, abs(price)))
        return terms

    def _is_gone(self, var: int) -> int:
        """Return the number of the constraint that arc variable `var` is 0; add it if it is new."""
        if var not in self._gone:
            self._gone[var] = self._steps.rup((-var,))
        return self._gone[var]

    # Distances above 1

    def _equal(self, task: PresolvedModel, solution: Grid, nearest: int, least: int) -> int:
        """Derive "no cell differs" from "fewer than `least` cells differ"; return its number.

        The known constraint has the number `nearest`.
        """
        shape, cells = self._model.shape, solution.cells
        lines = task.model.lines
        assert isinstance(lines, RowsAndColumns)
        by_rows = all(block.length for clue in lines.rows for block in clue)
        groups = range(shape.height) if by_rows else range(shape.height, len(lines))
        parts = []
        for index in groups:
            span = self._model.lines[index].cells
            further = self._in_columns(span, cells) if least == 4 else self._outside(span, cells)
            for value in sorted({cells[cell] for cell in span}):
                twice = (self._twice(index, value, cells), least // 2)
                parts.append((self._steps.sum([(nearest, 1), twice, *further], least), 1))
        return self._steps.sum(parts)

    def _differs(self, cell: int, cells: bytes) -> str:
        return name_of(-self._model.value(cell, cells[cell]))

    def _outside(self, span: range, cells: bytes) -> Terms:
        """Return the literals "differs" of all cells outside a line, as trivial bounds."""
        inside = set(span)
        others = (cell for cell in range(len(cells)) if cell not in inside)
        return [(self._differs(cell, cells), 1) for cell in others]

    def _in_columns(self, row: range, cells: bytes) -> Terms:
        """Return terms for the bound of all columns by a row: (1) for each column and its cell."""
        terms: Terms = []
        for column, mine in enumerate(row):
            index = self._model.shape.height + column
            terms.append((self._twice(index, cells[mine], cells), 1))
            others = (cell for cell in self._model.lines[index].cells if cell != mine)
            alike = (cell for cell in others if cells[cell] == cells[mine])
            terms += ((self._differs(cell, cells), 2) for cell in alike)
        return terms

    def _twice(self, index: int, value: int, cells: bytes) -> int:
        """Return the number of constraint (1) of the module docstring, for a line and a value."""
        if (index, value) not in self._twices:
            line = self._model.lines[index].cells
            number, _ = self.line_bound(index, {(cell, value): -1 for cell in line})
            terms: Terms = [(number, 1)]
            for cell in line if self._model.first_one else ():
                if cells[cell] != value:  # a cell that gained the value has lost its own
                    terms.append((self._model.first_one + 2 * cell + 1, 1))
                    rest = set(range(self._model.shape.num_colours + 1)) - {value, cells[cell]}
                    terms += ((name_of(self._model.value(cell, one)), 1) for one in sorted(rest))
            self._twices[index, value] = self._steps.sum(terms)
        return self._twices[index, value]
