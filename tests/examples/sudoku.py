"""Sudoku as a family outside nonosat: all that nonosat requires of a new kind of puzzle.

`Count`s express the rules; encodings, engines, limits, counts and certificates come with them. Copy
this file for a family of your own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product
from math import isqrt

from nonosat.core.about import NOTHING_KNOWN, About
from nonosat.core.errors import PuzzleError
from nonosat.model import Clause, Count, Model
from nonosat.plugins import Family


def groups(size: int) -> Iterator[list[tuple[int, int]]]:
    """Rows, columns and boxes, as lists of cells."""
    side, lines = isqrt(size), range(size)
    for line in lines:
        yield [(line, at) for at in lines]
        yield [(at, line) for at in lines]
        above, left = side * (line // side), side * (line % side)
        yield [(above + at // side, left + at % side) for at in lines]


def build(puzzle: Sudoku) -> Model:
    """Constraints: one digit a cell, each digit once in each group, the given digits."""
    size, digits = puzzle.height, range(1, puzzle.height + 1)
    var = {place: number for number, place in places(puzzle).items()}
    one_of = [[var[*cell, k] for k in digits] for cell in product(range(size), repeat=2)]
    one_of += [[var[*cell, k] for cell in group] for group in groups(size) for k in digits]
    given = [Clause((lit,)) for (i, j, k), lit in var.items() if puzzle[i, j] == k]
    counts = tuple(Count(tuple(lits), 1, 1) for lits in one_of)
    return Model(size**3, counts=counts, clauses=tuple(given))


def places(puzzle: Sudoku) -> dict[int, tuple[int, ...]]:
    """Row and column, from 0, that each variable decides: (row, column, digit)."""
    lines = range(puzzle.height)
    return dict(enumerate(product(lines, lines, range(1, len(lines) + 1)), start=1))


def decode(puzzle: Sudoku, values: bytes) -> Filled:
    """Digit of each cell; values[v] is 1 if variable v is true (index 0 is unused)."""
    size = puzzle.height
    digits = iter([values[at : at + size].find(1) + 1 for at in range(1, size**3 + 1, size)])
    return Filled(tuple(zip(*[digits] * size, strict=True)))


def refutation(puzzle: Sudoku, filled: Filled) -> str | None:
    """Reason why the digits are no solution, checked without the model; None if they are one."""
    size, rows, every = puzzle.height, filled.rows, [*range(1, puzzle.height + 1)]
    if [*map(len, rows)] != [size] * size:
        return f"expected {size} rows of as many digits"
    for i, j in product(range(size), repeat=2):
        if puzzle[i, j] not in (0, rows[i][j]):
            return f"row {i + 1}, column {j + 1} has another digit than the given one"
    wrong = [group for group in groups(size) if sorted(rows[i][j] for i, j in group) != every]
    return f"a digit is missing in {wrong[0]}" if wrong else None


@dataclass(frozen=True)
class Filled:
    """Digits in all cells."""

    rows: tuple[tuple[int, ...], ...]

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def lines(self) -> list[str]:
        return [" ".join(map(str, row)) for row in self.rows]

    def differences(self, other: Filled) -> list[tuple[int, int]]:
        lines = range(len(self.rows))
        return [(i, j) for i in lines for j in lines if self.rows[i][j] != other.rows[i][j]]


@dataclass(frozen=True)
class Sudoku:
    """Given digits by row, 0 for none; 1, 4, 9, 16, ... rows."""

    rows: tuple[tuple[int, ...], ...]
    about: About = NOTHING_KNOWN

    family = Family(
        name="sudoku",
        summary="every digit once in each row, column and box",
        build=build,
        decode=decode,
        refutation=refutation,
        to_data=lambda puzzle: {"rows": [[*row] for row in puzzle.rows]},
        from_data=lambda data: Sudoku(tuple(map(tuple, data["rows"]))),
        keys=frozenset({"rows"}),
        solution_data=lambda puzzle, filled: [[*row] for row in filled.rows],
        solution_from_data=lambda puzzle, rows: Filled(tuple(map(tuple, rows))),
        places=places,
        part="digit",
    )
    height = width = property(lambda self: len(self.rows))
    size = property(lambda self: f"{self.height} x {self.width} digits")

    def __post_init__(self) -> None:
        size, known = self.height, {*range(self.height + 1)}
        are_rows = all(len(row) == size and known.issuperset(row) for row in self.rows)
        if not self.rows or isqrt(size) ** 2 != size or not are_rows:
            raise PuzzleError("expected 1, 4, 9, 16 ... rows of as many digits, 0 for open cells")

    def __getitem__(self, cell: tuple[int, int]) -> int:
        return self.rows[cell[0]][cell[1]]

    def __str__(self) -> str:
        return "\n".join(" ".join(".123456789ABCDEFG"[k] for k in row) for row in self.rows)

    def about_with(self, **changes: str) -> Sudoku:
        return replace(self, about=replace(self.about, **changes))
