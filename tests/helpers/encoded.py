"""Lines as their encodings say them, for the tests of all encodings.

A line's open cells are the variables 1 .. cells, colour by colour.
"""

from __future__ import annotations

import ast
import random
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations

from nonosat import plugins
from nonosat.clauses.cnf import Cnf
from nonosat.model import FALSE, TRUE, Block, Clue, Line
from nonosat.puzzles.nonogram.data import clue_of
from nonosat.testing import oracles

ENCODINGS = plugins.names("encodings")
LINES = [name for name in ENCODINGS if name.startswith("line-")]


def planes(length: int, num_colours: int) -> tuple[range, ...]:
    """Variables of an open line, colour by colour."""
    return tuple(range(1 + k * length, 1 + (k + 1) * length) for k in range(num_colours))


def lits_of(values: Sequence[int], cells: Sequence[Sequence[int]]) -> frozenset[int]:
    """The literals that say that the cells have these values."""
    return frozenset(
        lit if value == colour else -lit
        for colour, plane in enumerate(cells, start=1)
        for value, lit in zip(values, plane, strict=True)
    )


def encoded(name: str, line: Line) -> Cnf:
    """The clauses of a line and "one colour a cell at most" over variables 1 .. cells."""
    length = len(line)
    cnf = Cnf(length * line.num_colours)
    for column in zip(*line.cells, strict=True):
        for one, other in combinations(column, 2):
            cnf.add([-one, -other])
    ENCODINGS[name].encode(line, cnf)
    return cnf


@cache
def fillings(clue: Clue, length: int) -> tuple[bytes, ...]:
    return tuple(oracles.fillings(clue, length))


def with_knowledge(
    clue: Clue, known: Sequence[frozenset[int]], num_colours: int, feasible_starts: bool = True
) -> Line:
    """A line whose cells say what is known as constants; open literals keep their variables."""
    cells = [list(plane) for plane in planes(len(known), num_colours)]
    for place, values in enumerate(known):
        for colour, plane in enumerate(cells, start=1):
            if values == {colour}:
                plane[place] = TRUE
            elif colour not in values:
                plane[place] = FALSE
    filled = frozenset(place for place, values in enumerate(known) if 0 not in values)
    return Line(tuple(cells), clue, filled, feasible_starts)


def drawn_lines(seed: int, count: int, longest: int) -> Iterator[tuple[Clue, list[frozenset[int]]]]:
    """Seeded clues with some knowledge that a filling agrees with, in two colours."""
    rng = random.Random(seed)
    for _ in range(count):
        cells = bytes(rng.choice((0, 1, 1, 2)) for _ in range(rng.randint(3, longest)))
        runs = clue_of(cells)
        clue = tuple(Block(rng.choice((b.length, b.length, None)), b.colour) for b in runs)
        more = rng.choice((1, 2, 3))
        yield clue, [frozenset({value, *rng.choices(range(3), k=more)}) for value in cells]


def is_arithmetic(text: str) -> bool:
    """Whether a size is a formula, not words."""
    try:
        ast.parse(text, mode="eval")
    except SyntaxError:
        return False
    return True
