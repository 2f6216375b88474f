"""Construction of models by users: fresh variables, checked constraints, then the model.

Every encoding, and every engine that takes the kind, accepts each constraint that passes the
checks: no later step fails because of its content. Time is linear in the size of the constraints.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from operator import index
from typing import Any

from nonosat.board.presolve import rectangle
from nonosat.clauses.cnf import check_num_vars
from nonosat.core.errors import PuzzleError, counted, shown
from nonosat.core.model import (
    FALSE,
    TRUE,
    AnyBlocks,
    Block,
    BlockOf,
    Clause,
    Constraint,
    Count,
    Entry,
    Line,
    Loop,
    Model,
    block_of,
    unknown_kind,
)

Statement = Constraint | Sequence[int]  # a sequence of literals is a clause


class Variables:
    """Allocator of the variables 1, 2, ...

    Attributes:
        num_vars: The allocated variables are 1 .. num_vars.
    """

    def __init__(self) -> None:
        self.num_vars = 0

    def new_var(self) -> int:
        """Return a fresh variable."""
        return self.new_vars(1)[0]

    def new_vars(self, count: int) -> range:
        """Return `count` consecutive fresh variables.

        Raises:
            PuzzleError: `count` is not a number of variables.
            UnsupportedError: There would be too many variables.
        """
        num_vars = self.num_vars + number("new variables", count)
        check_num_vars(num_vars)
        first, self.num_vars = self.num_vars + 1, num_vars
        return range(first, num_vars + 1)

    def new_grid(self, rows: int, columns: int) -> tuple[range, ...]:
        """Return fresh variables for a board: `grid[row][column]`; raises as `new_vars` does."""
        every = self.new_vars(number("rows of a grid", rows) * number("columns of a grid", columns))
        return tuple(every[row * columns : (row + 1) * columns] for row in range(rows))


class ModelBuilder(Variables):
    """Collector of variables and constraints for a `Model`.

    >>> builder = nonosat.ModelBuilder()
    >>> x = builder.new_vars(3)
    >>> builder.add(nonosat.Count(x, 1, 1), [-x[0], x[2]])
    >>> builder.build().num_vars
    3
    """

    def __init__(self) -> None:
        super().__init__()
        self._constraints: list[Constraint] = []
        self._one_coloured: set[tuple[int, ...]] = set()

    def add(self, *constraints: Statement) -> None:
        """Add constraints: `Clause`, `Count`, `Line`, `Loop`, or literals, which form a clause.

        Literals may be any sequences of whole numbers. A line of one colour may have its literals
        as `cells`, and blocks of colour 1 may be lengths: `Line(row, (3, None))`. For a line of
        several colours, the constraints that a cell has at most one of them are added
        automatically.

        Raises:
            PuzzleError: A constraint is invalid; the message states why.
        """
        for statement in constraints:
            new = completed(statement, self.num_vars, self._one_coloured)
            self._constraints += new
            self._one_coloured |= one_coloured(new)

    def build(self, blocked_on: Iterable[int] | None = None) -> Model:
        """Return the model of all constraints added so far.

        Args:
            blocked_on: Variables that distinguish solutions; all of them by default.

        Raises:
            PuzzleError: `blocked_on` are not variables.
        """
        model = model_of(self.num_vars, self._constraints)
        if blocked_on is None:
            return model
        apart = literals("blocked_on", blocked_on, self.num_vars)
        if wrong := [lit for lit in apart if not 0 < lit <= self.num_vars]:
            raise PuzzleError(f"blocked_on has {shown(wrong[0])}, expected variables alone")
        return replace(model, blocked_on=apart)


def model_of(num_vars: int, constraints: Iterable[Constraint]) -> Model:
    """Return the model that consists of these constraints."""
    clauses, counts, lines, loops = list[Clause](), list[Count](), list[Line](), list[Loop]()
    for constraint in constraints:
        match constraint:
            case Clause():
                clauses.append(constraint)
            case Count():
                counts.append(constraint)
            case Line():
                lines.append(constraint)
            case Loop():
                loops.append(constraint)
            case _:
                raise unknown_kind(constraint, "a model of its own")
    return Model(num_vars, tuple(lines), tuple(counts), tuple(clauses), tuple(loops))


def completed(
    statement: Statement, num_vars: int, known: Collection[tuple[int, ...]]
) -> list[Constraint]:
    """Return the checked constraint; of a line also the constraints on its single cells.

    Args:
        statement: As in `ModelBuilder.add`.
        num_vars: The variables are 1 .. num_vars.
        known: Tuples of literals that have an at-most-one constraint already, to be left out.
    """
    found = checked(statement, num_vars)
    more = of_cells(found) if isinstance(found, Line) else ()
    return [found, *(one for one in more if isinstance(one, Clause) or one.lits not in known)]


def one_coloured(constraints: Iterable[Constraint]) -> set[tuple[int, ...]]:
    """Return the literals of each constraint that at most one of them is true."""
    counts = (one for one in constraints if isinstance(one, Count) and one.upper == 1)
    return {tuple(count.lits) for count in counts}


def checked_model(model: Model) -> Model:
    """Return the model as a builder would have made it.

    Raises:
        PuzzleError: `model` is not a model, or a constraint is invalid.
        UnsupportedError: The model has too many variables.
    """
    if not isinstance(model, Model):
        raise PuzzleError(f"found {shown(model)}, expected a Model, as ModelBuilder.build() gives")
    if rectangle(model) is not None:  # its lines and counts are created on access
        for one in model.constraints():
            checked(one, model.num_vars)
        return model
    model.refuse_others("an engine", Clause, Count, Line, Loop)
    builder = ModelBuilder()
    builder.new_vars(model.num_vars)
    builder.add(*model.clauses, *model.counts, *model.lines, *model.loops)
    return replace(builder.build(model.blocked_on), blocked_by_true=model.blocked_by_true)


def checked(statement: Statement, num_vars: int) -> Constraint:
    """Return a constraint over the variables 1 .. num_vars, with its sequences as tuples.

    Raises:
        PuzzleError: The statement is invalid; the message states why.
    """
    if isinstance(statement, Clause):
        return Clause(literals("a Clause", statement.lits, num_vars))
    if isinstance(statement, Count):
        return _count(statement, num_vars)
    if isinstance(statement, Line):
        return _line(statement, num_vars)
    if isinstance(statement, Loop):
        return _loop(statement, num_vars)
    if isinstance(statement, Iterable) and not isinstance(statement, str | bytes):
        return Clause(literals("a clause", statement, num_vars))
    raise PuzzleError(
        f"found {shown(statement)}, expected a Clause, Count, Line, Loop or a sequence of literals"
    )


def of_cells(line: Line) -> Iterator[Clause | Count]:
    """Yield a line's constraints on single cells: at most one colour; a filled cell has one."""
    for cell, lits in enumerate(zip(*line.cells, strict=True)):
        mine = tuple(lit for lit in lits if lit != FALSE)
        if len(mine) > 1:
            yield Count(mine, 0, 1)
        if cell in line.filled:
            yield Clause(mine)


# Literals and numbers


def number(what: str, value: object) -> int:
    """Return a whole number, 0 or more; raise PuzzleError for other values."""
    found = _whole(what, value)
    if found < 0:
        raise PuzzleError(f"{what}: found {shown(value)}, expected at least 0")
    return found


def _whole(what: str, value: Any) -> int:
    if type(value) is int:
        return value
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise PuzzleError(f"{what}: found {shown(value)}, expected a whole number")
    return index(value)


def _items(what: str, values: Any) -> tuple[Any, ...]:
    try:
        return tuple(values)
    except TypeError:
        raise PuzzleError(f"{what}: found {shown(values)}, expected a sequence") from None


def literals(what: str, lits: object, num_vars: int) -> tuple[int, ...]:
    """Return checked literals; constants are permitted.

    Raises:
        PuzzleError: A value is neither a constant nor a literal of a variable 1 .. num_vars.
    """
    found = tuple(_whole(what, lit) for lit in _items(what, lits))
    for lit in found:
        if not 0 < abs(lit) <= num_vars and abs(lit) != TRUE:
            raise PuzzleError(
                f"{what} has the literal {shown(lit)}, expected a variable of 1 .. {num_vars} or "
                "its negation"
            )
    return found


def _refuse_twice(what: str, lits: Iterable[int]) -> None:
    """Raise PuzzleError if a variable occurs twice."""
    times = Counter(map(abs, lits))
    del times[TRUE]
    for var, many in times.items():
        if many > 1:
            raise PuzzleError(f"{what} has the variable {var} twice, expected different ones")


# The kinds


def _count(count: Count, num_vars: int) -> Count:
    lits = literals("a Count", count.lits, num_vars)
    _refuse_twice("a Count", lits)
    lower, upper = number("lower of a Count", count.lower), number("upper of a Count", count.upper)
    if lower > upper:
        raise PuzzleError(f"a Count of {lower} to {upper}, expected the lower bound first")
    return Count(lits, lower, upper)


def _line(line: Line, num_vars: int) -> Line:
    planes = _items("cells of a Line", line.cells)
    if planes and not isinstance(planes[0], Iterable):  # a line of one colour
        planes = (planes,)
    cells = tuple(literals("a Line", plane, num_vars) for plane in planes)
    lengths = [len(plane) for plane in cells]
    if len(set(lengths)) != 1 or not lengths[0]:
        raise PuzzleError(
            f"cells of a Line: found planes of {lengths or 'no'} cells, expected one a colour, all "
            "of the line's length"
        )
    _refuse_twice("a Line", (lit for plane in cells for lit in plane))
    blocks = tuple(_block(block, len(cells)) for block in _items("blocks of a Line", line.blocks))
    filled = {number("filled of a Line", cell) for cell in _items("filled of a Line", line.filled)}
    if filled and max(filled) >= lengths[0]:
        raise PuzzleError(
            f"filled of a Line: found {shown(max(filled))}, expected cells of 0 .. {lengths[0] - 1}"
        )
    return Line(cells, blocks, frozenset(filled), bool(line.feasible_starts))


def _block(block: object, num_colours: int) -> Entry:
    """Return an entry of a clue, or a block for (length, colour) or for its length alone."""
    if isinstance(block, AnyBlocks):
        return block
    if isinstance(block, BlockOf):
        _block((1, block.colour), num_colours)
        return block_of(block.lengths, block.colour, "a Line")
    pair = (block,) if block is None or hasattr(block, "__index__") else _items("a block", block)
    if not 0 < len(pair) < 3:
        raise PuzzleError(f"a block: found {shown(block)}, expected a length and a colour")
    length = None if pair[0] is None else _whole("the length of a block", pair[0])
    colour = _whole("the colour of a block", pair[1]) if pair[1:] else 1
    if length is not None and length < 1:
        raise PuzzleError(f"a block of length {shown(length)}, expected at least 1")
    if not 1 <= colour <= num_colours:
        raise PuzzleError(
            f"a block of colour {shown(colour)}, expected one of the line's, 1 .. {num_colours}"
        )
    return Block(length, colour)


def _loop(loop: Loop, num_vars: int) -> Loop:
    last = number("num_vertices of a Loop", loop.num_vertices) - 1
    edges = []
    for edge in _items("edges of a Loop", loop.edges):
        triple = _items("an edge of a Loop", edge)
        if len(triple) != 3:
            raise PuzzleError(f"an edge of a Loop: found {shown(edge)}, expected (u, v, literal)")
        u, v = (_whole("a vertex of a Loop", vertex) for vertex in triple[:2])
        if u == v or not (0 <= u <= last and 0 <= v <= last):
            raise PuzzleError(
                f"an edge of a Loop from {shown(u)} to {shown(v)}, expected two vertices of "
                f"0 .. {last}"
            )
        (lit,) = literals("a Loop", triple[2:], num_vars)
        edges.append((u, v, lit))
    _refuse_twice("a Loop", (lit for _, _, lit in edges))
    faces = None
    if loop.faces is not None:
        faces = tuple(_faces(pair, num_vars) for pair in _items("faces of a Loop", loop.faces))
    found = Loop(last + 1, tuple(edges), faces, bool(loop.spanning))
    _refuse_no_plane(found)
    return found


def _faces(pair: object, num_vars: int) -> tuple[int, int]:
    lits = literals("faces of a Loop", pair, num_vars)
    if len(lits) != 2 or any((lit < 0 and lit != FALSE) or lit == TRUE for lit in lits):
        raise PuzzleError(
            f"faces of a Loop: found {shown(pair)}, expected two, variables or FALSE, the outer one"
        )
    return lits[0], lits[1]


def _refuse_no_plane(loop: Loop) -> None:
    """Raise PuzzleError if the faces do not come from a drawing in the plane.

    They do if the boundary of each face is closed, the faces are connected, and their number
    satisfies Euler's formula; then the edges that separate faces form a cycle if and only if either
    side is connected (Whitney, "Non-separable and planar graphs", 1932).
    """
    if loop.faces is None:
        return
    if len(loop.faces) != len(loop.edges):
        raise PuzzleError(
            f"a Loop has faces for {counted(len(loop.faces), 'edge')}, but {len(loop.edges)} edges"
        )
    balance = Counter[tuple[int, int]]()  # entries minus exits of the walk, by (face, vertex)
    for (u, v, _), (left, right) in zip(loop.edges, loop.faces, strict=True):
        for face, start, end in ((left, u, v), (right, v, u)):
            balance[face, start] -= 1
            balance[face, end] += 1
    if wrong := [place for place, sum_ in balance.items() if sum_]:
        face, vertex = wrong[0]
        name = "the outer face" if face == FALSE else f"the face {face}"
        raise PuzzleError(
            f"faces of a Loop: the way around {name} ends at vertex {vertex}, expected it to be "
            "closed; left is as seen on the way from u to v"
        )
    faces = {FALSE, *(face for pair in loop.faces for face in pair)}
    vertices = _num_parts(range(loop.num_vertices), ((u, v) for u, v, _ in loop.edges))
    expected = len(loop.edges) - loop.num_vertices + vertices + 1
    if len(faces) != expected or _num_parts(faces, loop.faces) > 1:
        raise PuzzleError(
            f"faces of a Loop: found {len(faces)} with the outer one, FALSE; expected {expected} "
            "in one piece, as in a drawing in the plane"
        )


def _num_parts(nodes: Iterable[int], pairs: Iterable[tuple[int, int]]) -> int:
    """Return the number of connected components."""
    above = {node: node for node in nodes}

    def top(node: int) -> int:
        while above[node] != node:
            above[node] = node = above[above[node]]
        return node

    for one, other in pairs:
        above[top(one)] = top(other)
    return sum(node == parent for node, parent in above.items())
