"""Clauses into files: DIMACS CNF and OPB (pseudo-Boolean constraints), streamed.

Both formats begin with numbers that are known only after encoding. Encoding is fast and
always the same, so it runs twice, first to measure and then to write: no byte of the formula is
held in memory, and the output may be a pipe or a compressed file.

The comments of a DIMACS file are a map of its variables, one statement a line, numbers from 0 but
variables from 1 (in an OPB file "*" stands for "c"):

    c nonosat 1                           version of this grammar
    c puzzle NAME                         the id of the puzzle, if it has one
    c board rows 2 columns 3 colours 1
    c presolve none                       or propagate, probe: level that found the known cells
    c forbids 1                           only with --unique: one clause forbids a solution
    c cells 1-3 row 0 colour 1            variables of a row's cells, left to right
    c aux 7-9 row 0 order                 variables of an encoding, and which it is
    c t pmc                               projected model counting, of
    c p show 1 2 3 4 5 6 0                the cells

With the default encoding a counter may as well ignore the last line: its auxiliary variables are
determined by the cells.

Sources: DIMACS 1993; SAT competition output requirements 2024; model counting competition
(track and projection lines); Roussel, Manquinho, "Input/Output Format and Solver Requirements for
the Competitions of Pseudo-Boolean Solvers" (2012).
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import BinaryIO, NamedTuple

from nonosat import _core
from nonosat.clauses.cnf import Cnf, check_num_vars
from nonosat.clauses.sinks import SinkBase
from nonosat.clauses.translate import translate
from nonosat.core.errors import UnsupportedError
from nonosat.core.families import name_of
from nonosat.core.model import TRUE, Constraint, Count
from nonosat.export.formula import ExportedModel

VERSION = 1
_SHOWN = 2**16  # variables per write of the projection line


class Aux(NamedTuple):
    """Variables `first` .. `last` of one encoding."""

    first: int
    last: int
    where: str


class Extent(NamedTuple):
    """Size of a formula in variables, clauses (or constraints) and literals."""

    num_vars: int
    num_clauses: int
    num_lits: int
    auxiliaries: tuple[Aux, ...] = ()


def _nothing() -> None:
    pass


class _Stream(SinkBase):
    """A sink that counts, and passes clauses to `take` and counts to `take_count`."""

    def __init__(
        self,
        num_vars: int,
        take: Callable[[array[int]], object],
        take_count: Callable[[Count], int],
    ) -> None:
        self.num_vars = num_vars
        self.num_clauses = self.num_lits = 0
        self._take, self._take_count = take, take_count

    def new_vars(self, count: int) -> int:
        first = self.num_vars + 1
        self.num_vars += count
        check_num_vars(self.num_vars)
        return first

    def add_batch(self, clauses: array[int]) -> None:
        """Add clauses without constants, each ended by 0."""
        num_clauses = _core.num_clauses(clauses)
        self.num_clauses += num_clauses
        self.num_lits += len(clauses) - num_clauses
        self._take(clauses)

    def constrain(self, constraint: Constraint) -> None:
        """Add a count, which this format stores without encoding it."""
        assert isinstance(constraint, Count)
        written = self._take_count(constraint)
        self.num_clauses += written
        self.num_lits += written * len(constraint.lits)


def _run(
    formula: ExportedModel, sink: _Stream, native: frozenset[type], pause: Callable[[], None]
) -> Extent:
    """Write a formula into a sink, and return its size.

    Args:
        formula: The formula.
        sink: Receives clauses, and constraints of the kinds in `native`.
        native: Kinds of constraint that the sink stores without encoding them.
        pause: Called before every constraint; an exception that it raises ends the work.
    """
    auxiliaries: list[Aux] = []
    for batch in formula.units(pause):
        sink.add_batch(batch)
    for name, model in formula.parts():
        first = sink.num_vars + 1
        translate(model, sink, formula.encodings, native=native, pause=pause)
        if sink.num_vars >= first:
            (kind,) = model.kinds()  # clauses have no auxiliary variables
            where = f"{name} {formula.encodings[kind]}"
            if auxiliaries and auxiliaries[-1].where == where:
                first = auxiliaries.pop().first
            auxiliaries.append(Aux(first, sink.num_vars, where))
    sink.add_batch(formula.further)
    return Extent(sink.num_vars, sink.num_clauses, sink.num_lits, tuple(auxiliaries))


def _measured(formula: ExportedModel, native: frozenset[type], pause: Callable[[], None]) -> Extent:
    def ignore(clauses: array[int]) -> None:
        del clauses

    sink = _Stream(formula.model.num_vars, ignore, lambda count: len(_count_lines(count)))
    return _run(formula, sink, native, pause)


def measure(formula: ExportedModel, pause: Callable[[], None] = _nothing) -> Extent:
    """Return the size of a formula in clauses; the clauses are made and discarded.

    Args:
        formula: What to encode.
        pause: Called before every constraint; an exception that it raises ends the work.
    """
    return _measured(formula, frozenset(), pause)


def write_dimacs(
    formula: ExportedModel, stream: BinaryIO, pause: Callable[[], None] = _nothing
) -> Extent:
    """Write a formula as DIMACS CNF with its variable map.

    Args:
        formula: What to encode.
        stream: Only written to.
        pause: Called before every constraint; an exception that it raises ends the work.
    """
    extent = _measured(formula, frozenset(), pause)
    for text in remarks(formula, extent):
        stream.write(f"c {text}\n".encode())
    _write_projection(stream, formula.model.num_vars, pause)
    stream.write(f"p cnf {extent.num_vars} {extent.num_clauses}\n".encode())

    def take(clauses: array[int]) -> None:
        stream.write(_core.dimacs_text(clauses))

    sink = _Stream(formula.model.num_vars, take, lambda _: 0)
    return _checked(extent, _run(formula, sink, frozenset(), pause))


def write_opb(
    formula: ExportedModel, stream: BinaryIO, pause: Callable[[], None] = _nothing
) -> Extent:
    """Write a formula as OPB, counts as linear constraints; arguments as for `write_dimacs`."""
    native = frozenset({Count})
    extent = _measured(formula, native, pause)
    numbers = f"* #variable= {extent.num_vars} #constraint= {extent.num_clauses}\n"
    stream.write(numbers.encode())
    for text in remarks(formula, extent):
        stream.write(f"* {text}\n".encode())

    def take(clauses: array[int]) -> None:
        stream.write(_core.opb_text(clauses))

    def take_count(count: Count) -> int:
        lines = _count_lines(count)
        stream.write("".join(lines).encode())
        return len(lines)

    sink = _Stream(formula.model.num_vars, take, take_count)
    return _checked(extent, _run(formula, sink, native, pause))


def write_cnf(cnf: Cnf, stream: BinaryIO, comments: Iterable[str] = ()) -> None:
    """Write clauses unchanged as DIMACS CNF.

    Args:
        cnf: The clauses.
        stream: Only written to.
        comments: A line each.
    """
    for text in comments:
        stream.write(f"c {text}\n".encode())
    stream.write(f"p cnf {cnf.num_vars} {cnf.num_clauses}\n".encode())
    stream.write(_core.dimacs_text(cnf.buffer))


def _checked(measured: Extent, written: Extent) -> Extent:
    if measured != written:
        raise UnsupportedError(
            "the encoding made other clauses the second time, expected the same ones; "
            "a file needs their number before them"
        )
    return written


def remarks(formula: ExportedModel, extent: Extent) -> Iterator[str]:
    """Yield the variable map and remarks on a file, a comment each.

    Args:
        formula: Content of the file.
        extent: Size of the formula in the file, and its auxiliary variables.
    """
    yield f"nonosat {VERSION}"
    if name := formula.puzzle.about.id:
        yield f"puzzle {''.join(char if char.isprintable() else '?' for char in name)}"
    shape = formula.shape
    if shape is not None:
        size = f"rows {shape.height} columns {shape.width} colours {shape.num_colours}"
        yield f"board {size}"
    else:
        yield f"variables 1-{formula.model.num_vars} of the {name_of(formula.puzzle)}"
    yield f"presolve {formula.presolve}"
    if formula.unique:
        yield "forbids 1"
    if shape is not None:
        for number in range(shape.num_colours * shape.height):
            colour, row = divmod(number, shape.height)
            first, last = 1 + number * shape.width, (number + 1) * shape.width
            yield f"cells {first}-{last} row {row} colour {colour + 1}"
    for first, last, where in extent.auxiliaries:
        yield f"aux {first}-{last} {where}"


def _write_projection(stream: BinaryIO, num_vars: int, pause: Callable[[], None]) -> None:
    stream.write(b"c t pmc\nc p show ")
    for first in range(1, num_vars + 1, _SHOWN):
        pause()
        stop = min(first + _SHOWN, num_vars + 1)
        stream.write((" ".join(map(str, range(first, stop))) + " ").encode())
    stream.write(b"0\n")


def _count_lines(count: Count) -> list[str]:
    """Return a count as one or two linear constraints; none if its bounds are trivial."""
    lits = [lit for lit in count.lits if abs(lit) != TRUE]
    known = count.lits.count(TRUE)
    lower, upper = count.lower - known, count.upper - known
    if lower == upper:
        return [_linear(lits, 1, "=", lower)]
    lines = []
    if lower > 0:
        lines.append(_linear(lits, 1, ">=", lower))
    if upper < len(lits):
        lines.append(_linear(lits, -1, ">=", -upper))
    return lines


def _linear(lits: Sequence[int], sign: int, relation: str, bound: int) -> str:
    """Return the constraint: `sign` times the number of true literals `relation` `bound`.

    A negated literal "not x" is written as 1 - x.
    """
    bound -= sign * sum(lit < 0 for lit in lits)
    terms = [f"{sign if lit > 0 else -sign:+d} x{abs(lit)}" for lit in lits] or ["+0 x1"]
    return f"{' '.join(terms)} {relation} {bound} ;\n"
