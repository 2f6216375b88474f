"""The strategy for models of all four kinds of constraint."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from random import Random

from hypothesis import strategies as st

from nonosat.core.errors import UnsupportedError, counted, shown
from nonosat.core.model import (
    FALSE,
    TRUE,
    Block,
    Clause,
    Clue,
    Constraint,
    Count,
    Line,
    Loop,
    Model,
    unknown_kind,
)
from nonosat.solving.modelling import model_of
from nonosat.testing.oracles import matches
from nonosat.testing.strategies.numbers import check_number

# Small random models of all four kinds, and their solutions by enumeration.
#
# `holds` defines the constraints, and shares no code with the code under test.


MOST_VARS = 24
True_ = frozenset[int]  # the true literals and constants


def assignments(num_vars: int) -> Iterator[True_]:
    """Yield every assignment of the variables 1 .. num_vars."""
    for signs in product((-1, 1), repeat=num_vars):
        yield frozenset((TRUE, *(sign * var for var, sign in enumerate(signs, start=1))))


def solutions_of(model: Model) -> set[bytes]:
    """Return the solutions, each with one byte per variable. 2**num_vars steps, 1 s for 16.

    Raises:
        UnsupportedError: It is not a model, or has more than `MOST_VARS` variables.
    """
    if not isinstance(model, Model):
        raise UnsupportedError(f"{shown(model)} is not a Model, expected one")
    if model.num_vars > MOST_VARS:
        raise UnsupportedError(
            f"{counted(model.num_vars, 'variable')}, brute force is for at most {MOST_VARS}; "
            "nonosat.enumerate_model takes larger models"
        )
    constraints = list(model.constraints())
    return {
        bytes(var in true for var in range(1, model.num_vars + 1))
        for true in assignments(model.num_vars)
        if all(holds(constraint, true) for constraint in constraints)
    }


def holds(constraint: Constraint, true: True_) -> bool:
    """Return True if a constraint holds under an assignment."""
    if isinstance(constraint, Clause):
        return any(lit in true for lit in constraint.lits)
    if isinstance(constraint, Count):
        return constraint.lower <= sum(lit in true for lit in constraint.lits) <= constraint.upper
    if isinstance(constraint, Line):
        return _line_holds(constraint, true)
    if isinstance(constraint, Loop):
        return _loop_holds(constraint, true)
    raise unknown_kind(constraint, "brute force")


def _line_holds(line: Line, true: True_) -> bool:
    cells = [
        [k + 1 for k, lit in enumerate(lits) if lit in true]
        for lits in zip(*line.cells, strict=True)
    ]
    return (
        all(len(colours) < 2 for colours in cells)
        and all(cells[place] for place in line.filled)
        and matches(line.clue, [sum(colours) for colours in cells])
    )


def _loop_holds(loop: Loop, true: True_) -> bool:
    chosen = [(u, v) for u, v, lit in loop.edges if lit in true]
    ends = [vertex for edge in chosen for vertex in edge]
    reached = set(ends[:1])
    for _ in chosen:
        reached |= {vertex for edge in chosen if reached & set(edge) for vertex in edge}
    is_cycle = chosen and reached == set(ends) and all(ends.count(v) == 2 for v in reached)
    pairs = loop.faces or ()
    return (
        bool(is_cycle)
        and (not loop.spanning or len(reached) == loop.num_vertices)
        and all(
            (lit in true) == ((left in true) != (right in true))
            for (_, _, lit), (left, right) in zip(loop.edges, pairs, strict=False)
        )
    )


# Random models


def random_model(rng: Random, max_vars: int = 9) -> Model:
    """Return a model with few variables; two of three have solutions."""
    num_vars = rng.randint(1, max_vars)
    made: list[Constraint] = []
    while len(made) < 4 and rng.randint(0, 4):  # hypothesis can remove any one of them
        make = rng.choice((_clause, _clause, _count, _count, _line, _loop))
        made.append(make(rng, num_vars))
    return model_of(num_vars, made)


def _seldom(rng: Random, times: int) -> bool:
    """Return True with probability 1 / `times`. Hypothesis shrinks the number to 0: False."""
    return rng.randint(1, times) == times


def _lits(rng: Random, num_vars: int, most: int) -> tuple[int, ...]:
    """Return literals of different variables; sometimes a constant."""
    variables = rng.sample(range(1, num_vars + 1), rng.randint(0, min(most, num_vars)))
    lits = [rng.choice((var, -var)) for var in variables]
    return tuple(rng.choice((TRUE, FALSE)) if _seldom(rng, 20) else lit for lit in lits)


def _clause(rng: Random, num_vars: int) -> Clause:
    lits = _lits(rng, num_vars, 4) or (1,)
    if _seldom(rng, 10):  # a literal twice, or with its negation
        lits += (rng.choice((lits[0], -lits[0])),)
    return Clause(lits if not _seldom(rng, 50) else ())


def _count(rng: Random, num_vars: int) -> Count:
    lits = _lits(rng, num_vars, 7)
    lower = rng.randint(0, len(lits) + 1 if _seldom(rng, 20) else len(lits))
    return Count(lits, lower, rng.randint(lower, len(lits) + 2))


def _line(rng: Random, num_vars: int) -> Line:
    lits = _lits(rng, num_vars, 8) or (1,)
    num_colours = rng.choice((1, 1, 1, 2, 3))
    length = max(1, len(lits) // num_colours)
    spare = (FALSE,) * (num_colours * length)
    cells = tuple((lits + spare)[k * length : (k + 1) * length] for k in range(num_colours))
    filled = frozenset(place for place in range(length) if _seldom(rng, 10))
    return Line(cells, _clue(rng, length, num_colours), filled)


def _clue(rng: Random, length: int, num_colours: int) -> Clue:
    """Return the clue of a random line; sometimes of a longer one, or with unknown lengths."""
    cells = [rng.randint(0, num_colours) for _ in range(length + _seldom(rng, 20))]
    blocks: list[Block] = []
    for before, colour in zip([0, *cells], cells, strict=False):
        if colour and colour == before:
            blocks[-1] = Block((blocks[-1].length or 0) + 1, colour)
        elif colour:
            blocks.append(Block(1, colour))
    return tuple(Block(None, b.colour) if _seldom(rng, 10) else b for b in blocks)


def _loop(rng: Random, num_vars: int) -> Loop:
    """Return a graph with parallel edges, or squares in a row with their faces."""
    spanning = _seldom(rng, 3)
    lits = rng.sample(range(1, num_vars + 1), num_vars)
    if num_vars >= 5 and _seldom(rng, 2):
        return _squares(rng, lits, 2 if num_vars >= 9 else 1, spanning)
    num_vertices = rng.randint(2, 4)
    edges = []
    for var in lits:
        u, v = rng.sample(range(num_vertices), 2)
        constant = _seldom(rng, 20)
        lit = rng.choice((TRUE, FALSE)) if constant else rng.choice((var, var, var, -var))
        edges.append((u, v, lit))
    return Loop(num_vertices, tuple(edges), None, spanning)


def _squares(rng: Random, lits: list[int], count: int, spanning: bool) -> Loop:
    """Return the loop on the edges of `count` squares in a row, which are its faces.

    The corner in row `row` (0 or 1) and column `column` is vertex 2 * column + row.
    """
    inside = lits[3 * count + 1 : 4 * count + 1]
    beside = [FALSE, *inside, FALSE]
    edges, faces = [], []
    for column in range(count + 1):
        edges.append((2 * column, 2 * column + 1))
        faces.append((beside[column + 1], beside[column]))
    for column in range(count):
        for row in range(2):
            edges.append((2 * column + row, 2 * column + row + 2))
            faces.append((inside[column], FALSE) if row else (FALSE, inside[column]))
    turns = [_seldom(rng, 2) for _ in edges]  # direction of each edge
    return Loop(
        2 * count + 2,
        tuple(
            ((v, u) if turn else (u, v)) + (lit,)
            for (u, v), turn, lit in zip(edges, turns, lits, strict=False)
        ),
        tuple(pair[::-1] if turn else pair for pair, turn in zip(faces, turns, strict=True)),
        spanning,
    )


def models(max_vars: int = 9) -> st.SearchStrategy[Model]:
    """Return a strategy for small models; two of three have solutions.

    They shrink to fewer constraints, fewer variables and fewer literals: to one variable without
    constraints. `random_model` draws the same from a `random.Random`.

    Args:
        max_vars: Largest number of variables.

    Raises:
        UnsupportedError: The number is too small, too large, or invalid.
    """
    check_number("max_vars", max_vars, 1, MOST_VARS)
    return st.randoms(use_true_random=False).map(lambda rng: random_model(rng, max_vars))
