"""Literals, variables and the four kinds of constraint that families and solvers share.

A variable is a positive 32-bit integer, a literal a variable or its negation. The constants `TRUE`
and `FALSE` may replace any literal: a sink drops the clauses that `TRUE` satisfies and the `FALSE`
literals of the others. A family builds a `Model`; encodings, formulations and backends read it.
This module depends on neither puzzles nor solvers. Users make a model with `nonosat.ModelBuilder`,
which validates its input.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Never, Self, TypeGuard, overload

from nonosat.core.errors import PuzzleError, UnsupportedError, shown
from nonosat.core.presenting import Presented, reading

__all__ = [
    "FALSE",
    "TRUE",
    "AnyBlocks",
    "Block",
    "BlockOf",
    "Clause",
    "Clue",
    "Constraint",
    "Count",
    "Line",
    "Loop",
    "MadeLines",
    "Model",
    "OneColourEach",
    "OpenClue",
    "RowsAndColumns",
    "Values",
]

MAX_COLOURS = 254  # a cell is one byte, and 255 stands for "open" in the native core
MAX_LENGTH = 999_999_999  # of a block; native code stores it, and sums of them can be printed
TRUE = 2**31 - 1
FALSE = -TRUE


class Block(NamedTuple):
    """An entry of a clue: `length` cells (None: unknown, at least 1) of colour `colour` >= 1.

    >>> nonosat.Block(3), nonosat.Block(None, colour=2)
    (Block(length=3, colour=1), Block(length=None, colour=2))
    """

    length: int | None
    colour: int = 1


Clue = tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class BlockOf:
    """An entry of an open clue: a block whose length is one of several.

        >>> from nonosat.core.model import BlockOf
        >>> BlockOf(range(2, 5)), BlockOf((3, 5), colour=2)
        (BlockOf(lengths=range(2, 5), colour=1), BlockOf(lengths=(3, 5), colour=2))

    Args:
        lengths: At least two, ascending, in 1 .. `MAX_LENGTH`: a range of step 1 that ends there if
            no length is too long, or a tuple of lengths that are no such range.
        colour: Its colour, from 1.
    """

    lengths: range | tuple[int, ...]
    colour: int = 1


@dataclass(frozen=True, slots=True)
class AnyBlocks:
    """An entry of an open clue: any number of blocks, also none, of any lengths and colours.

    Attributes:
        colour: 0, since it has no colour of its own.
    """

    colour: ClassVar[int] = 0


Entry = Block | BlockOf | AnyBlocks
OpenClue = tuple[Entry, ...]


_OPEN = frozenset((BlockOf, AnyBlocks))


def block_of(lengths: object, colour: int, where: str) -> Block | BlockOf:
    """Return the entry for a block of one of some lengths; equal choices give equal entries.

    Args:
        lengths: A range of step 1, or a list or tuple in any order.
        colour: Its colour.
        where: The line, for messages.

    Raises:
        PuzzleError: There is no length, or one that is no whole number in 1 .. `MAX_LENGTH`.
    """
    if not isinstance(lengths, range | list | tuple):
        raise PuzzleError(f"{where} has a block of lengths {shown(lengths)}, expected a list")
    if not lengths:
        raise PuzzleError(f"{where} has a block without a possible length, expected at least one")
    ends = (lengths[0], lengths[-1]) if isinstance(lengths, range) else lengths
    if wrong := [one for one in ends if type(one) is not int or not 0 < one <= MAX_LENGTH]:
        raise PuzzleError(
            f"{where} has a block of length {shown(wrong[0])}, expected a positive whole number "
            f"up to {MAX_LENGTH}; an empty line has no blocks"
        )
    is_ordered = isinstance(lengths, range) and lengths.step == 1
    ordered = lengths if is_ordered else sorted(set(lengths))
    first, last = ordered[0], ordered[-1]
    if last - first + 1 > len(ordered):
        return BlockOf(tuple(ordered), colour)
    if first == last:
        return Block(first, colour)
    is_any = (first, last) == (1, MAX_LENGTH)
    return Block(None, colour) if is_any else BlockOf(range(first, last + 1), colour)


def is_plain(clue: OpenClue) -> TypeGuard[Clue]:
    """True if every entry of a clue is a block whose length is known or unknown."""
    return _OPEN.isdisjoint(map(type, clue))  # some encodings read it thrice a line


def are_runs_of(clue: OpenClue, runs: Sequence[tuple[int, int]]) -> bool:
    """True if the runs (length, colour) of a finished line are blocks that its clue allows."""
    ends = {0}  # numbers of runs that can be the blocks of the entries so far
    for entry in clue:
        if isinstance(entry, AnyBlocks):
            ends = set(range(min(ends), len(runs) + 1))
        else:
            ends = {end + 1 for end in ends if end < len(runs) and _fits(entry, *runs[end])}
        if not ends:
            return False
    return len(runs) in ends


def _fits(entry: Block | BlockOf, length: int, colour: int) -> bool:
    """True if a run can be the block of an entry."""
    if isinstance(entry, BlockOf):
        return colour == entry.colour and length in entry.lengths
    return colour == entry.colour and entry.length in (None, length)


@dataclass(frozen=True, slots=True)
class Clause:
    """At least one of the literals is true.

    >>> nonosat.solve_model(nonosat.Model(2, clauses=(nonosat.Clause((1, 2)),))).answer.value
    'sat'
    """

    lits: Sequence[int]  # a tuple in every model


@dataclass(frozen=True, slots=True)
class Count:
    """Between `lower` and `upper` of the literals are true (both bounds included).

    >>> builder = nonosat.ModelBuilder()
    >>> lits = builder.new_vars(5)
    >>> builder.add(nonosat.Count(lits, 2, 2))
    >>> len(list(nonosat.enumerate_model(builder.build())))
    10
    """

    lits: Sequence[int]  # a tuple in every model
    lower: int
    upper: int


@dataclass(frozen=True, slots=True)
class Line:
    """Blocks in a row of cells, in this order.

        >>> builder = nonosat.ModelBuilder()
        >>> row = builder.new_vars(5)
        >>> builder.add(nonosat.Line(row, (1, 2)))
        >>> sorted(values.true(row) for values in nonosat.enumerate_model(builder.build()))
        [[1, 3, 4], [1, 4, 5], [2, 4, 5]]

    Consecutive blocks of one colour have at least one empty cell between them, blocks of different
    colours may touch, and every cell outside the blocks is empty.

    Args:
        cells: `cells[k - 1][i]` is the literal "cell i has colour k"; all sequences have the line's
            length. A cell is empty if none of its literals is true. Two are never true: a `Count`
            of the model states this once for all lines through the cell. Families pass ranges, so
            that a model costs memory by its lines, not by its cells.
        blocks: The clue; every colour has its plane in `cells`. Uses that know the lengths of
            `Block` alone read `clue` instead.
        filled: Positions known to be filled although their colour is unknown.
        feasible_starts: True if encodings leave out block starts that known cells rule out. If
            False, they keep all starts that the slack allows, and clauses rule them out.
    """

    cells: tuple[Sequence[int], ...]
    blocks: OpenClue
    filled: frozenset[int] = frozenset()
    feasible_starts: bool = True

    if TYPE_CHECKING:  # `ModelBuilder` and `Engine` accept incomplete lines: literals, lengths

        def __init__(
            self,
            cells: Sequence[int] | Sequence[Sequence[int]],
            blocks: Sequence[Entry | int | None],
            filled: Collection[int] = frozenset(),
            feasible_starts: bool = True,
        ) -> None: ...

    def __len__(self) -> int:
        return len(self.cells[0])

    @property
    def num_colours(self) -> int:
        return len(self.cells)

    @property
    def clue(self) -> Clue:
        """The blocks, for uses that know no other entries of a clue.

        Raises:
            UnsupportedError: A block has a choice of lengths, or the clue leaves blocks open.
        """
        if is_plain(self.blocks):
            return self.blocks
        raise UnsupportedError(
            "a block with a choice of lengths, and '*' for any blocks, have no other encodings of "
            "a line than automaton, automaton-state, bdd and mdd, and no other formulations than "
            "automaton, or booleans: with one of these encodings"
        )


class MadeLines(Sequence[Line]):
    """Lines that are created on access, since most uses never read all of them."""

    __slots__ = ()

    @abstractmethod
    def line(self, index: int) -> Line:
        """Return the line with an index, which is at least 0 and below the number of lines."""

    @overload
    def __getitem__(self, index: int) -> Line: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[Line, ...]: ...

    def __getitem__(self, index: int | slice) -> Line | tuple[Line, ...]:
        if isinstance(index, slice):
            return tuple(self.line(place) for place in range(*index.indices(len(self))))
        return self.line(range(len(self))[index])


@dataclass(frozen=True, slots=True)
class RowsAndColumns(MadeLines):
    """The lines of a rectangular board, rows first, then columns.

    Variable 1 + (k * height + row) * width + column means "the cell has colour k + 1". The
    model of a board is as small as its clues.
    """

    rows: tuple[Clue, ...]
    columns: tuple[Clue, ...]
    num_colours: int

    def __len__(self) -> int:
        return len(self.rows) + len(self.columns)

    def line(self, index: int) -> Line:
        height, width = len(self.rows), len(self.columns)
        planes = range(1, 1 + self.num_colours * height * width, height * width)
        if index < height:
            starts = (at + index * width for at in planes)
            return Line(tuple(range(at, at + width) for at in starts), self.rows[index])
        starts = (at + index - height for at in planes)
        cells = tuple(range(at, at + height * width, width) for at in starts)
        return Line(cells, self.columns[index - height])


@dataclass(frozen=True, slots=True)
class LaneLines(MadeLines):
    """The lines of a board whose lanes are any sequences of its cells.

    Variable 1 + k * num_cells + cell means "the cell has colour k + 1". `names` are the names of
    the lanes in sentences.
    """

    lanes: tuple[tuple[int, ...], ...]
    clues: tuple[Clue, ...]
    names: tuple[str, ...]
    num_cells: int
    num_colours: int

    def __len__(self) -> int:
        return len(self.lanes)

    def line(self, index: int) -> Line:
        planes = range(1, 1 + self.num_colours * self.num_cells, self.num_cells)
        cells = tuple(tuple(first + cell for cell in self.lanes[index]) for first in planes)
        return Line(cells, self.clues[index])


@dataclass(frozen=True, slots=True)
class OneColourEach(Collection[Count]):
    """At most one colour for each of `num_cells` cells.

    Literal k * num_cells + 1 + cell is colour k + 1 of a cell. The counts are created on access
    because a large board has very many.
    """

    num_cells: int
    num_colours: int

    def __len__(self) -> int:
        return self.num_cells if self.num_colours > 1 else 0

    def __iter__(self) -> Iterator[Count]:
        end = self.num_cells * self.num_colours
        for cell in range(1, len(self) + 1):
            yield Count(tuple(range(cell, end + 1, self.num_cells)), 0, 1)

    def __contains__(self, count: object) -> bool:
        return any(count == mine for mine in self)


@dataclass(frozen=True, slots=True)
class Loop:
    """The edges whose literal is true form one cycle (at least one edge).

        >>> builder = nonosat.ModelBuilder()
        >>> ab, bc, ca, cd = builder.new_vars(4)
        >>> builder.add(nonosat.Loop(4, [(0, 1, ab), (1, 2, bc), (2, 0, ca), (2, 3, cd)]))
        >>> nonosat.solve_model(builder.build()).values.true()
        [1, 2, 3]

    Args:
        num_vertices: Vertices are 0 .. num_vertices - 1.
        edges: (u, v, literal) for every edge that may be chosen.
        faces: For a graph drawn in the plane, the variables "this face is inside" to the left and
            to the right of each edge from u to v, parallel to `edges`; FALSE is the outer face. An
            edge is chosen if and only if exactly one of its faces is inside. (Left and right may be
            exchanged for all edges, which gives the mirror image.)
        spanning: True if the cycle passes through every vertex.
    """

    num_vertices: int
    edges: Sequence[tuple[int, int, int]]
    faces: Sequence[tuple[int, int]] | None = None
    spanning: bool = False


Constraint = Clause | Count | Line | Loop
Kind = type[Clause] | type[Count] | type[Line] | type[Loop]


def unknown_kind(constraint: Never, use: str) -> UnsupportedError:
    """Return the error for a constraint that no case of a `match` handles.

    It is raised after the last case, so that mypy reports each kind without a case.
    """
    return _unknown(type(constraint), use)


def _unknown(kind: type, use: str) -> UnsupportedError:
    return UnsupportedError(
        f"{use} is not possible for constraints of the kind {kind.__name__}; state them by "
        "Clause, Count, Line or Loop"
    )


@dataclass(frozen=True, slots=True)
class Model:
    """Variables 1 .. num_vars and constraints on them; `ModelBuilder` makes one with checks.

        >>> model = nonosat.Model(2, clauses=(nonosat.Clause((1, 2)), nonosat.Clause((-1, -2))))
        >>> [values.true() for values in nonosat.enumerate_model(model)]
        [[2], [1]]

    `lines` and `counts` may be lazy: large boards have very many. Native propagation requires lines
    that are `RowsAndColumns` or `LaneLines`, native search the former.

    `blocked_on` are the variables that distinguish solutions: assignments that agree on all of them
    count as one solution. None means all variables. With `blocked_by_true`, the true ones of a
    solution are never a subset of those of another solution (the edges of a loop, the squares of n
    queens), so that a blocking clause negates only the true ones.
    """

    num_vars: int
    lines: Sequence[Line] = ()
    counts: Collection[Count] = ()
    clauses: tuple[Clause, ...] = ()
    loops: tuple[Loop, ...] = ()
    blocked_on: Sequence[int] | None = None
    blocked_by_true: bool = False

    def by_kind(self) -> dict[Kind, Collection[Constraint]]:
        """Return the constraints of each kind; all other code that depends on kinds uses this."""
        return {Clause: self.clauses, Count: self.counts, Line: self.lines, Loop: self.loops}

    def kinds(self) -> tuple[str, ...]:
        """Return the kinds of constraint other than clauses that the model has, lines first."""
        there = [kind for kind, found in self.by_kind().items() if len(found)]
        there.sort(key=lambda kind: kind is not Line)
        return tuple(kind.__name__.lower() for kind in there if kind is not Clause)

    def constraints(self) -> Iterator[Constraint]:
        """Yield every constraint, the clauses first."""
        return chain.from_iterable(self.by_kind().values())

    def refuse_others(self, use: str, *known: Kind) -> None:
        """Refuse constraints that a use would ignore, because it reads the fields one by one.

        Args:
            use: What is done with the model, as the subject of a sentence.
            known: The kinds that it reads.

        Raises:
            UnsupportedError: The model has constraints of another kind.
        """
        for kind, constraints in self.by_kind().items():
            if len(constraints) and kind not in known:
                raise _unknown(kind, use)


@dataclass(frozen=True, slots=True, repr=False)
class Values(Presented):
    """Values of a model's variables: `values[lit]` is True if the literal is true.

        >>> values = nonosat.Values.from_data({"values": [1, -2, 3]})
        >>> values
        <Values: 3 variables, 2 of them true>
        >>> values[1], values[2], values.true(), values.to_data()
        (True, False, [1, 3], {'values': [1, -2, 3]})

    Args:
        data: data[v] is 1 if variable v is true, else 0; index 0 is unused.
    """

    data: bytes
    __iter__ = None  # iteration would read `values[0]`, and 0 is no literal

    @property
    def num_vars(self) -> int:
        return len(self.data) - 1

    def __getitem__(self, lit: int) -> bool:
        var = abs(lit)
        if var == TRUE:
            return lit == TRUE
        if not 0 < var <= self.num_vars:
            raise LookupError(f"there is no literal {lit}, expected one of 1 .. {self.num_vars}")
        return bool(self.data[var]) == (lit > 0)

    def true(self, lits: Iterable[int] | None = None) -> list[int]:
        """Return the true literals among `lits` in their order, by default of all variables."""
        return [lit for lit in (range(1, len(self.data)) if lits is None else lits) if self[lit]]

    def __str__(self) -> str:
        return f"{self.num_vars} variables, {self.data.count(1)} of them true"

    def to_data(self) -> dict[str, Any]:
        """Return the true literal of each variable, in order."""
        return {"values": [var if on else -var for var, on in enumerate(self.data[1:], start=1)]}

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Self:
        """Return the values in which these literals, one per variable, are true."""
        with reading(cls):
            lits = data["values"]
            if [*map(abs, lits)] != [*range(1, len(lits) + 1)]:
                raise ValueError("expected a literal of each variable from 1 on, in order")
            return cls(b"\0" + bytes(lit > 0 for lit in lits))
