"""Lines in the form that encodings take, for the tests of all encodings.

A line's open cells are the variables 1 .. cells, colour by colour.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from nonosat.clauses.cnf import Cnf
from nonosat.core import plugins
from nonosat.core.model import Block, Clue, Line
from nonosat.puzzles.nonogram.data import clue_of
from nonosat.testing.encodings import line_clauses

ENCODINGS = plugins.names("encodings")
LINES = [name for name in ENCODINGS if name.startswith("line-")]


def encoded(name: str, line: Line) -> Cnf:
    """Return the clauses of a line and "at most one colour a cell" over variables 1 .. cells."""
    return line_clauses(ENCODINGS[name], line)


def drawn_lines(seed: int, count: int, longest: int) -> Iterator[tuple[Clue, list[frozenset[int]]]]:
    """Seeded clues with some known cells that agree with a filling, in two colours."""
    rng = random.Random(seed)
    for _ in range(count):
        cells = bytes(rng.choice((0, 1, 1, 2)) for _ in range(rng.randint(3, longest)))
        runs = clue_of(cells)
        clue = tuple(Block(rng.choice((b.length, b.length, None)), b.colour) for b in runs)
        more = rng.choice((1, 2, 3))
        yield clue, [frozenset({value, *rng.choices(range(3), k=more)}) for value in cells]
