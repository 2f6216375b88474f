"""A model in integer variables, for the languages of constraint solvers: sums, automata, circuits.

Boards of lines have a form of their own in those languages, an integer per cell; this module is for
all other models. The model's variables are the integers 0 and 1 of an array `x`; auxiliary
variables of clauses about loops are those of `y`. A line's cell without a variable of its own has
an integer of `z`, and a loop is an array `s0`, `s1`, ... of the vertices that follow each other; a
vertex off the loop follows itself.

Invariant: the integers made here are determined by the model's variables, which have the values of
the model's solutions, each once. The clauses of loops are held in memory, linear in their edges;
everything else is made on demand.

Source: Caseau, Laburthe, "Solving small TSPs with constraints" (ICLP 1997), for circuits.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from nonosat.board.automaton import Automaton, automaton
from nonosat.board.line import possible
from nonosat.clauses.cnf import split
from nonosat.clauses.loops import add_arcs, add_cycles, add_roots
from nonosat.clauses.sinks import Buffer
from nonosat.core.errors import UnsupportedError
from nonosat.core.model import FALSE, TRUE, Clause, Count, Line, Loop
from nonosat.export.formula import ExportedModel


class VariableArray(NamedTuple):
    """An array `name` of integers `low` .. `high`, numbered `first` .. `first + size - 1`."""

    name: str
    first: int
    size: int
    low: int
    high: int


class Names:
    """Name of an integer: its array, and its index there from 0."""

    def __init__(self, arrays: Sequence[VariableArray]) -> None:
        self._arrays = arrays
        self._firsts = [one.first for one in arrays]

    def __getitem__(self, number: int) -> tuple[str, int]:
        found = self._arrays[bisect_right(self._firsts, number) - 1]
        return found.name, number - found.first


class Sum(NamedTuple):
    """`lower` <= the sum of `plus` less that of `minus` <= `upper`; None is not a bound."""

    plus: Sequence[int]
    minus: Sequence[int]
    lower: int | None
    upper: int | None


class NoSolution(NamedTuple):
    """Contradiction: the model has no solution.

    Args:
        number: An arbitrary integer, for languages in which a contradiction must name one.
    """

    number: int


class OneOf(NamedTuple):
    """An integer has one of the listed values; the list is not empty."""

    number: int
    values: Sequence[int]


class ValueLiteral(NamedTuple):
    """The literal `lit` is true exactly when the integer `number` has the value `value`."""

    lit: int
    number: int
    value: int


class Regular(NamedTuple):
    """The cells of a line, two or more integers, satisfy its clue; the clue fits into the line."""

    cells: Sequence[int]
    line: Line

    def automaton(self) -> Automaton:
        """Return transitions (state, value, next state) and final states; state 0 is the start."""
        return automaton(self.line)


class Circuit(NamedTuple):
    """The array `name` holds each vertex's successor on one cycle.

    The cycle passes through all vertices if `spanning`; else a vertex may follow itself.
    """

    name: str
    spanning: bool


Statement = Sum | NoSolution | OneOf | ValueLiteral | Regular | Circuit


class IntegerModel(NamedTuple):
    """A model in integers.

    Args:
        arrays: The first of them is `x`; empty arrays are left out.
        statements: Returns the constraints, made again by each call.
    """

    arrays: tuple[VariableArray, ...]
    statements: Callable[[], Iterator[Statement]]


def stated(formula: ExportedModel, pause: Callable[[], None] = lambda: None) -> IntegerModel:
    """Return a formula in integers; known cells and forbidden solutions of boards are not included.

    Args:
        formula: What to state; its encodings are not used.
        pause: Called before every statement; an exception that it raises ends the work.

    Raises:
        UnsupportedError: The model has no variables, or a loop has two edges between two
            vertices.
    """
    model = formula.model
    model.refuse_others("export", Clause, Count, Line, Loop)
    if not model.num_vars:
        raise UnsupportedError("the model has no variables, expected at least one to write")
    sink = Buffer(model.num_vars)
    loops = []
    for loop in model.loops:
        pause()
        loops.append((loop, _directed(loop, sink)))
    colours = max((line.num_colours for line in model.lines), default=0)
    arrays = [VariableArray("x", 1, model.num_vars, 0, 1)]

    def put(name: str, size: int, high: int) -> int:
        first = arrays[-1].first + arrays[-1].size
        if size:
            arrays.append(VariableArray(name, first, size, 0, high))
        return first

    put("y", sink.num_vars - model.num_vars, 1)
    cells = put("z", sum(len(one) for one in model.lines if not _is_plain(one)), colours)
    sizes = [loop.num_vertices for loop, _ in loops]
    firsts = [put(f"s{index}", size, size - 1) for index, size in enumerate(sizes)]

    def statements() -> Iterator[Statement]:
        for clause in model.clauses:
            yield from _count(Count(clause.lits, 1, len(clause.lits)))
        for count in model.counts:
            yield from _count(count)
        yield from _lines(model.lines, cells)
        for lits in split(sink.buffer):
            yield from _count(Count(lits, 1, len(lits)))
        for index, (loop, arcs) in enumerate(loops):
            yield from _successors(loop, arcs, firsts[index])
            yield Circuit(f"s{index}", loop.spanning)

    def under_limits() -> Iterator[Statement]:
        for statement in statements():
            pause()
            yield statement

    return IntegerModel(tuple(arrays), under_limits)


def _count(count: Count) -> Iterator[Statement]:
    """Yield a count, with its constants and negations eliminated."""
    plus = [lit for lit in count.lits if 0 < lit < TRUE]
    minus = [-lit for lit in count.lits if FALSE < lit < 0]
    known = len(minus) + count.lits.count(TRUE)
    lower, upper = count.lower - known, count.upper - known
    if lower > len(plus) or upper < -len(minus) or lower > upper:
        yield NoSolution(1)
        return
    least = None if lower <= -len(minus) else lower
    most = None if upper >= len(plus) else upper
    if least is not None or most is not None:
        yield Sum(plus, minus, least, most)


# Lines


def _is_plain(line: Line) -> bool:
    """Return True if the line's cells are single variables."""
    return line.num_colours == 1 and all(0 < lit < TRUE for lit in line.cells[0])


def _lines(lines: Sequence[Line], first: int) -> Iterator[Statement]:
    for line in lines:
        if _is_plain(line):
            cells: Sequence[int] = line.cells[0]
        else:
            cells = range(first, first + len(line))
            first += len(line)
            yield from _cells(line, cells)
        for place in sorted(line.filled):
            yield OneOf(cells[place], range(1, line.num_colours + 1))
        yield from line_statements(cells, line)


def _cells(line: Line, cells: Sequence[int]) -> Iterator[Statement]:
    """Yield "the integers of a line's cells have the colours of its literals"."""
    for place, number in enumerate(cells):
        left = list(range(line.num_colours + 1))
        for colour, plane in enumerate(line.cells, start=1):
            lit = plane[place]
            if abs(lit) != TRUE:
                yield ValueLiteral(lit, number, colour)
            elif lit == TRUE:
                left = [value for value in left if value == colour]
            else:
                left.remove(colour)
        if len(left) <= line.num_colours:
            yield OneOf(number, left) if left else NoSolution(number)


def line_statements(cells: Sequence[int], line: Line) -> Iterator[Statement]:
    """Yield the clue of a line over its cells.

    Some solvers refuse an automaton over one cell, or one that accepts nothing.

    Args:
        cells: The integers that are the line's cells.
        line: Line with the clue and the length; its literals are not used.
    """
    free = Line(tuple(range(1, 1 + len(line)) for _ in line.cells), line.blocks)
    values = possible(free)
    if values is None:
        yield NoSolution(cells[0])
    elif len(cells) == 1:
        yield OneOf(cells[0], [value for value, places in enumerate(values) if places])
    else:
        yield Regular(cells, free)


# Loops


def _directed(loop: Loop, sink: Buffer) -> list[tuple[int, int, int]]:
    """Return the arcs (from, to, literal) of a loop; their clauses are added to the sink."""
    pairs = [frozenset(edge[:2]) for edge in loop.edges if edge[2] != FALSE]
    if len(set(pairs)) < len(pairs):
        raise UnsupportedError(
            "a loop has two edges between the same vertices, which a circuit cannot distinguish; "
            "write .cnf or .opb"
        )
    add_cycles(loop, sink)
    arcs = add_arcs(loop, sink)
    sink.add([lit for _, _, lit in loop.edges if lit != FALSE])
    if loop.faces is None:
        add_roots(loop, arcs, sink)
    return arcs


def _successors(
    loop: Loop, arcs: Sequence[tuple[int, int, int]], first: int
) -> Iterator[Statement]:
    """Yield "every vertex is followed by the end of its chosen arc, or else by itself"."""
    heads: list[list[int]] = [[] if loop.spanning else [u] for u in range(loop.num_vertices)]
    for u, v, _ in arcs:
        heads[u].append(v)
    for u, values in enumerate(heads):
        yield OneOf(first + u, sorted(values)) if values else NoSolution(first + u)
    for u, v, lit in arcs:
        yield ValueLiteral(lit, first + u, v)
