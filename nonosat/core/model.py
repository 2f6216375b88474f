"""Literals, variables and the four kinds of constraint that families and solvers share.

A variable is a positive 32-bit integer, a literal a variable or its negation, and the constants
`TRUE` and `FALSE` may stand wherever a literal may: a sink drops the clauses that `TRUE` satisfies
and the `FALSE` literals of the others. A `Model` is what a family builds and what every encoding,
formulation and backend reads; nothing here knows of puzzles or of solvers. By hand a model is made
with `nonosat.ModelBuilder`, which checks what it is given.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple, Never, Self, overload

from nonosat.core.errors import UnsupportedError
from nonosat.core.presenting import Presented, reading

__all__ = [
    "FALSE",
    "TRUE",
    "Block",
    "Clause",
    "Clue",
    "Constraint",
    "Count",
    "Line",
    "Loop",
    "MadeLines",
    "Model",
    "OneColourEach",
    "RowsAndColumns",
    "Values",
]

MAX_COLOURS = 254  # a cell is one byte, and 255 stands for "open" in the native core
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

    Consecutive blocks of one colour have at least one empty cell between them, blocks of
    different colours may touch, and every cell outside the blocks is empty.

    Args:
        cells: `cells[k - 1][i]` is the literal "cell i has colour k"; all are of the line's
            length. None of a cell's literals true means empty, and two are never true: a `Count`
            of the model says so, once for all lines through the cell. A family hands out ranges,
            so a model costs memory by its lines, not by its cells.
        blocks: The clue; every colour has its plane in `cells`.
        filled: Positions known to be filled although their colour is still open.
        feasible_starts: Whether encodings leave out the places of blocks that known cells rule
            out. Without it they keep all that the slack allows, and clauses rule them out.
    """

    cells: tuple[Sequence[int], ...]
    blocks: Clue
    filled: frozenset[int] = frozenset()
    feasible_starts: bool = True

    if TYPE_CHECKING:  # what `ModelBuilder` and `Engine` complete: literals, lengths

        def __init__(
            self,
            cells: Sequence[int] | Sequence[Sequence[int]],
            blocks: Sequence[Block | int | None],
            filled: Collection[int] = frozenset(),
            feasible_starts: bool = True,
        ) -> None: ...

    def __len__(self) -> int:
        return len(self.cells[0])

    @property
    def num_colours(self) -> int:
        return len(self.cells)


class MadeLines(Sequence[Line]):
    """Lines that are made one by one as they are asked for; most often nobody asks for all."""

    __slots__ = ()

    @abstractmethod
    def line(self, index: int) -> Line:
        """The line of an index from 0 to below the number of lines."""

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
class OneColourEach(Collection[Count]):
    """At most one colour for each of `num_cells` cells; literal k * num_cells + 1 + cell is colour
    k + 1 of a cell. Made one by one as they are asked for: a large board has very many.
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
        faces: Where the graph is drawn in the plane, the variables "this face is inside" to the
            left and to the right of each edge from u to v, parallel to `edges`; FALSE is the
            outer face. An edge is chosen exactly where one of its faces is inside. (Left and
            right may be exchanged everywhere: a mirror image is as good.)
        spanning: Whether the cycle passes through every vertex.
    """

    num_vertices: int
    edges: Sequence[tuple[int, int, int]]
    faces: Sequence[tuple[int, int]] | None = None
    spanning: bool = False


Constraint = Clause | Count | Line | Loop
Kind = type[Clause] | type[Count] | type[Line] | type[Loop]


def unknown_kind(constraint: Never, use: str) -> UnsupportedError:
    """The error for a constraint that no case of a use matches.

    It is raised behind the last case, where mypy reports each kind that has none.
    """
    return _unknown(type(constraint), use)


def _unknown(kind: type, use: str) -> UnsupportedError:
    return UnsupportedError(
        f"{use} is not possible for constraints of the kind {kind.__name__}; state them by "
        "Clause, Count, Line or Loop"
    )


@dataclass(frozen=True, slots=True)
class Model:
    """Variables 1 .. num_vars and what must hold of them; `ModelBuilder` makes one with checks.

        >>> model = nonosat.Model(2, clauses=(nonosat.Clause((1, 2)), nonosat.Clause((-1, -2))))
        >>> [values.true() for values in nonosat.enumerate_model(model)]
        [[2], [1]]

    `lines` and `counts` may be lazy: large boards have very many. Lines that are `RowsAndColumns`
    are what native propagation and search ask for.

    `blocked_on` are variables that tell solutions apart: one that agrees with another on all of
    them is not a further one. None: every variable does. With `blocked_by_true` those that one
    solution makes true are never a part of those of another: the edges of a loop, the squares of n
    queens. A clause that forbids a solution then negates its true ones alone.
    """

    num_vars: int
    lines: Sequence[Line] = ()
    counts: Collection[Count] = ()
    clauses: tuple[Clause, ...] = ()
    loops: tuple[Loop, ...] = ()
    blocked_on: Sequence[int] | None = None
    blocked_by_true: bool = False

    def by_kind(self) -> dict[Kind, Collection[Constraint]]:
        """The constraints of each kind; everything else about kinds follows from it."""
        return {Clause: self.clauses, Count: self.counts, Line: self.lines, Loop: self.loops}

    def kinds(self) -> tuple[str, ...]:
        """The kinds of constraint, clauses apart, that it has; lines come first."""
        there = [kind for kind, found in self.by_kind().items() if len(found)]
        there.sort(key=lambda kind: kind is not Line)
        return tuple(kind.__name__.lower() for kind in there if kind is not Clause)

    def constraints(self) -> Iterator[Constraint]:
        """Every constraint, the clauses first."""
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
    """What a solution says of a model's variables: `values[lit]` is whether the literal holds.

        >>> values = nonosat.Values.from_data({"values": [1, -2, 3]})
        >>> values
        <Values: 3 variables, 2 of them true>
        >>> values[1], values[2], values.true(), values.to_data()
        (True, False, [1, 3], {'values': [1, -2, 3]})

    Args:
        data: data[v] is 1 where variable v is true, else 0; index 0 is unused.
    """

    data: bytes
    __iter__ = None  # iteration would call `values[0]`, and 0 is no literal

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
        """The literals that hold, in their order; of all variables unless told."""
        return [lit for lit in (range(1, len(self.data)) if lits is None else lits) if self[lit]]

    def __str__(self) -> str:
        return f"{self.num_vars} variables, {self.data.count(1)} of them true"

    def to_data(self) -> dict[str, Any]:
        """The literal of each variable that holds, in order."""
        return {"values": [var if on else -var for var, on in enumerate(self.data[1:], start=1)]}

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Self:
        """The values of such literals."""
        with reading(cls):
            lits = data["values"]
            if [*map(abs, lits)] != [*range(1, len(lits) + 1)]:
                raise ValueError("expected a literal of each variable from 1 on, in order")
            return cls(b"\0" + bytes(lit > 0 for lit in lits))
