"""N-queens problems and their solutions: frozen, validated data.

Invariant: the squares of a `Queens` that exists are on the board, in order, each named once. It may
still be unsolvable; that is a verdict, not an error.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from nonosat.core.about import NOTHING_KNOWN, About
from nonosat.core.errors import PuzzleError, UnsupportedError, counted, printable, shown
from nonosat.core.grid import whole_numbers
from nonosat.core.limits import polled
from nonosat.core.presenting import Drawn, DrawnPuzzle, Scene, reading
from nonosat.core.wording import cell_text

Square = tuple[int, int]  # (row, column), from 0

MAX_QUEENS = 1_000_000
MAX_DRAWN = 4_000  # queens; their picture has 16 million squares


@dataclass(frozen=True, slots=True, repr=False)
class Queens(DrawnPuzzle):
    """N queens to be placed so that none attacks another.

        >>> puzzle = nonosat.Queens(6, given=[(0, 1)])
        >>> puzzle
        <Queens: queens: 6 queens>
        >>> print(nonosat.solve(puzzle).solution)
        .Q....
        ...Q..
        .....Q
        Q.....
        ..Q...
        ....Q.

    Args:
        n: Number of queens, of rows and of columns; at least 0.
        given: Squares with a queen from the start.
        blocked: Squares that may not have a queen.
        about: Title, author, licence and the like.

    Raises:
        PuzzleError: A number of queens out of range, a square off the board or named twice.
    """

    n: int
    given: tuple[Square, ...] = ()
    blocked: tuple[Square, ...] = ()
    about: About = NOTHING_KNOWN

    def __post_init__(self) -> None:
        if type(self.n) is not int or not 0 <= self.n <= MAX_QUEENS:
            raise PuzzleError(f"{shown(self.n)} queens, expected 0 to {MAX_QUEENS}")
        for name in ("given", "blocked"):
            object.__setattr__(self, name, _squares(getattr(self, name), name, self.n))

    @property
    def family(self) -> str:
        """Name of the module in `puzzles/` that builds and verifies the puzzle."""
        return "queens"

    @property
    def height(self) -> int:
        return self.n

    @property
    def width(self) -> int:
        return self.n

    @property
    def size(self) -> str:
        """Size in words."""
        return counted(self.n, "queen")

    def __str__(self) -> str:
        return f"{printable(self.about.title or self.about.id) or 'queens'}: {self.size}"


@dataclass(frozen=True, slots=True, repr=False)
class Placement(Drawn):
    """A solution: `columns[row]` is the column of the row's queen (-1: there is none).

    >>> nonosat.Placement((1, 3, 0, 2))
    <Placement: 4 queens, row by row in columns 2 4 1 3>
    """

    columns: tuple[int, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", whole_numbers(self.columns, "columns"))

    def differences(self, other: Placement) -> list[Square]:
        """Return squares that have a queen in only one of two placements, row-major."""
        rows = enumerate(zip(self.columns, other.columns, strict=True))
        return [(row, column) for row, pair in rows if len({*pair}) > 1 for column in sorted(pair)]

    def lines(self) -> list[str]:
        """Return the rows as strings: Q for a queen, a dot for an empty square."""
        n = len(self.columns)
        check_drawn(n)
        return ["." * column + "Q" + "." * (n - column - 1) for column in polled(self.columns)]

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def _summary(self) -> str:
        columns = " ".join(str(column + 1) for column in self.columns[:100])
        return f"{counted(len(self.columns), 'queen')}, row by row in columns {columns}"

    def scene(self) -> Scene:
        """Return a picture of the queens on an empty board."""
        return Scene(Queens(len(self.columns)), self, (), self.in_a_line())

    def to_data(self) -> dict[str, Any]:
        """Return the column of each row's queen."""
        return {"columns": [*self.columns]}

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Self:
        """Return the placement for data of `to_data`."""
        with reading(cls):
            return cls(tuple(map(int, data["columns"])))


def _squares(squares: object, name: str, n: int) -> tuple[Square, ...]:
    """Return the squares in order, all of them different and on the board."""
    if not isinstance(squares, tuple | list):
        raise PuzzleError(f"{name} is {shown(squares)}, expected a list of squares (row, column)")
    found = set()
    for square in polled(squares):
        pair = tuple(square) if isinstance(square, tuple | list) else ()
        if [*map(type, pair)] != [int, int]:
            raise PuzzleError(f"the {name} square is {shown(square)}, expected (row, column)")
        if not all(0 <= place < n for place in pair):
            raise PuzzleError(
                f"the {name} square in {cell_text(*pair)} is off the board of {n} x {n} squares"
            )
        if pair in found:
            raise PuzzleError(f"the {name} square in {cell_text(*pair)} is named twice")
        found.add(pair)
    return tuple(sorted(found))


def check_drawn(n: int) -> None:
    """Raise UnsupportedError if the board has too many squares for a picture."""
    if n > MAX_DRAWN:
        raise UnsupportedError(f"no picture has {n} x {n} squares, expected at most {MAX_DRAWN}")


# As JSON


def to_data(puzzle: Queens) -> dict[str, Any]:
    """Return the puzzle as plain JSON values, without `about`."""
    data: dict[str, Any] = {"n": puzzle.n}
    for name in ("given", "blocked"):
        if squares := getattr(puzzle, name):
            data[name] = [list(square) for square in squares]
    return data


def from_data(data: Mapping[str, Any]) -> Queens:
    """Return the puzzle from the values that `to_data` returns; other keys are ignored.

    Raises:
        PuzzleError: The data do not describe a puzzle.
    """
    if "n" not in data:
        raise PuzzleError("'n' is missing, expected the number of queens")
    return Queens(data.get("n"), data.get("given") or (), data.get("blocked") or ())  # type: ignore[arg-type]  # checked there


def solution_data(puzzle: Queens, placement: Placement) -> list[int]:
    """Return a solution as plain JSON values: the column of each row's queen."""
    del puzzle
    return list(placement.columns)


def solution_from_data(puzzle: Queens, columns: Sequence[int]) -> Placement:
    """Return the placement from the values that `solution_data` returns."""
    del puzzle
    return Placement(tuple(map(int, columns)))
