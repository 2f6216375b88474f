"""Knight's tour puzzles and their solutions: frozen, validated data.

Squares are (row, column) from 0, moves are numbered from 1. An accepted puzzle is well formed;
the existence of a tour is a verdict, not an error.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from nonosat.core.about import NOTHING_KNOWN, About
from nonosat.core.errors import (
    PuzzleError,
    UnsupportedError,
    counted,
    printable,
    rows_by_columns,
    shown,
)
from nonosat.core.grid import whole_numbers
from nonosat.core.limits import polled
from nonosat.core.presenting import Drawn, DrawnPuzzle, Scene, reading
from nonosat.core.wording import cell_text

MAX_SQUARES = 4_000_000  # a tour of 2000 x 2000 is made in seconds; every number is stored

MAX_DRAWN = 1_000_000

Square = tuple[int, int]
Given = tuple[int, int, int]  # row, column, number of the move


@dataclass(frozen=True, slots=True, repr=False)
class Knight(DrawnPuzzle):
    """A board on which a knight must visit every square exactly once.

        >>> puzzle = nonosat.Knight(3, 4, start=(0, 0))
        >>> puzzle
        <Knight: knight's tour: 3 rows x 4 columns>
        >>> print(nonosat.solve(puzzle).solution)
         1  4  7 10
        12  9  2  5
         3  6 11  8

    Args:
        rows: Number of rows.
        columns: Number of columns.
        start: First square of the tour; None for any. Equivalent to the given number 1.
        closed: True if the last square must be a move away from the first.
        holes: Squares that are not part of the board.
        given: (row, column, number) of moves that are known; a number 1 among them becomes
            `start`.
        about: Title, author, licence and the like.

    Raises:
        PuzzleError: The data do not describe a board; the message names the square and the value.
    """

    rows: int
    columns: int
    start: Square | None = None
    closed: bool = False
    holes: tuple[Square, ...] = ()
    given: tuple[Given, ...] = ()
    about: About = NOTHING_KNOWN

    def __post_init__(self) -> None:
        self._check_size()
        if type(self.closed) is not bool:
            raise PuzzleError(f"closed is {shown(self.closed)}, expected True or False")
        if not isinstance(self.about, About):
            raise PuzzleError(f"about is {shown(self.about)}, expected an About")
        holes = sorted(
            {self._square(hole, "the hole") for hole in polled(_items(self.holes, "holes"))}
        )
        object.__setattr__(self, "holes", tuple(holes))
        if self.num_squares == 0:
            raise PuzzleError("every square of the board is a hole, expected at least one to visit")
        numbers = [_whole(item, 3, "the given number") for item in _items(self.given, "given")]
        if self.start is not None:
            numbers.append((*_whole(self.start, 2, "the start"), 1))
        self._set_numbers(numbers)

    @property
    def family(self) -> str:
        """Name of the package that builds and verifies the puzzle."""
        return "knight"

    @property
    def height(self) -> int:
        return self.rows

    @property
    def width(self) -> int:
        return self.columns

    @property
    def num_squares(self) -> int:
        """Number of squares to visit: all but the holes."""
        return self.rows * self.columns - len(self.holes)

    @property
    def numbered(self) -> tuple[Given, ...]:
        """All given numbers in their order, including 1 for the start."""
        first = () if self.start is None else ((*self.start, 1),)
        return first + self.given

    @property
    def size(self) -> str:
        """Size of the board in words."""
        holes = f", {counted(len(self.holes), 'hole')}" if self.holes else ""
        return f"{rows_by_columns(self.rows, self.columns)}{holes}"

    def lines(self) -> list[str]:
        """Return the rows of the board: given numbers, "x" for a hole, "." for any other square."""
        signs = dict.fromkeys(self.holes, "x")
        signs |= {(row, column): str(number) for row, column, number in self.numbered}
        rows, columns = range(self.rows), range(self.columns)
        return _aligned(
            [[signs.get((row, column), ".") for column in columns] for row in polled(rows)]
        )

    def __str__(self) -> str:
        kind = "closed knight's tour" if self.closed else "knight's tour"
        return f"{printable(self.about.title or self.about.id) or kind}: {self.size}"

    def _check_size(self) -> None:
        for name in ("rows", "columns"):
            if type(size := getattr(self, name)) is not int or size < 1:
                raise PuzzleError(f"{shown(size)} {name}, expected at least 1")
        if self.rows * self.columns > MAX_SQUARES:
            raise PuzzleError(
                f"{rows_by_columns(self.rows, self.columns)} are {self.rows * self.columns} "
                f"squares, expected at most {MAX_SQUARES}"
            )

    def _square(self, value: object, what: str) -> Square:
        """Return a square on the board as a tuple; raise PuzzleError for others."""
        row, column = _whole(value, 2, what)
        if not (0 <= row < self.rows and 0 <= column < self.columns):
            raise PuzzleError(
                f"{what} in {cell_text(row, column)} is outside the board of "
                f"{rows_by_columns(self.rows, self.columns)}"
            )
        return row, column

    def _set_numbers(self, numbers: Iterable[tuple[int, ...]]) -> None:
        """Check all given numbers together and store them in their order, 1 as the start."""
        holes = frozenset(self.holes)
        by_square: dict[Square, int] = {}
        by_number: dict[int, Square] = {}
        for row, column, number in polled(numbers):
            what = "the start" if number == 1 else f"the given number {shown(number)}"
            square = self._square((row, column), what)
            where = cell_text(*square)
            if square in holes:
                raise PuzzleError(f"{what} in {where} is on a hole, expected a square to visit")
            if not 1 <= number <= self.num_squares:
                raise PuzzleError(
                    f"{what} in {where}, expected 1 to {self.num_squares}, the number of squares"
                )
            if (other := by_square.setdefault(square, number)) != number:
                raise PuzzleError(f"the square in {where} has the numbers {other} and {number}")
            if (first := by_number.setdefault(number, square)) != square:
                raise PuzzleError(
                    f"the number {number} is given twice: to {cell_text(*first)} and to {where}"
                )
        object.__setattr__(self, "start", by_number.pop(1, None))
        given = tuple((*by_number[number], number) for number in sorted(by_number))
        object.__setattr__(self, "given", given)


def check_drawn(puzzle: Knight) -> None:
    """Raise an error for boards with too many squares for a picture.

    Raises:
        UnsupportedError: There are more than `MAX_DRAWN` squares.
    """
    if puzzle.rows * puzzle.columns > MAX_DRAWN:
        raise UnsupportedError(
            f"a board of {puzzle.size} is too large for a picture, expected at most {MAX_DRAWN} "
            "squares; the list of squares and JSON have any number"
        )


def _items(value: object, what: str) -> Iterable[Any]:
    if isinstance(value, Iterable) and not isinstance(value, str | bytes | Mapping):
        return value
    raise PuzzleError(f"{what} is {shown(value)}, expected a list")


def _whole(value: object, length: int, what: str) -> tuple[int, ...]:
    """Return whole numbers in a tuple or list of this length."""
    found = tuple(value) if isinstance(value, tuple | list) else ()
    if len(found) != length or any(type(part) is not int for part in found):
        parts = ("row", "column", "number")[:length]
        raise PuzzleError(f"{what} is {shown(value)}, expected ({', '.join(parts)})")
    return found


@dataclass(frozen=True, slots=True, repr=False)
class Tour(Drawn):
    """Solution of a `Knight`: a numbered board.

        >>> tour = nonosat.solve(nonosat.Knight(3, 4, start=(0, 0))).solution
        >>> tour
        <Tour: 3 rows x 4 columns, 12 squares visited>
        >>> tour.squares()[:3]
        [(0, 0), (1, 2), (2, 0)]

    Args:
        rows: Number of rows.
        columns: Number of columns.
        numbers: For each square, row by row, its number in the tour, 1 for the start, 0 for a
            hole.

    Raises:
        PuzzleError: There are not rows * columns numbers.
    """

    rows: int
    columns: int
    numbers: tuple[int, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "numbers", whole_numbers(self.numbers, "numbers"))
        whole_numbers((self.rows, self.columns), "rows and columns")
        if min(self.rows, self.columns) < 1 or len(self.numbers) != self.rows * self.columns:
            raise PuzzleError(
                f"a tour of {rows_by_columns(self.rows, self.columns)} has "
                f"{counted(len(self.numbers), 'number')}, expected "
                f"{max(self.rows * self.columns, 1)}"
            )

    def __getitem__(self, square: Square) -> int:
        row, column = square
        if not (0 <= row < self.rows and 0 <= column < self.columns):
            raise IndexError(f"{square} is outside {rows_by_columns(self.rows, self.columns)}")
        return self.numbers[row * self.columns + column]

    def matrix(self) -> list[list[int]]:
        """Return the numbers by row."""
        ends = range(self.columns, len(self.numbers) + 1, self.columns)
        return [list(self.numbers[end - self.columns : end]) for end in polled(ends)]

    def squares(self) -> list[Square]:
        """Return the squares (row, column) in the order in which they are visited."""
        visited = [place for place, number in enumerate(polled(self.numbers)) if number]
        visited.sort(key=self.numbers.__getitem__)
        return [divmod(place, self.columns) for place in polled(visited)]

    def differences(self, other: Tour) -> list[Square]:
        """Return the squares with different numbers in two tours of one board."""
        if (self.rows, self.columns) != (other.rows, other.columns):
            raise ValueError("tours of boards of different sizes cannot be compared")
        pairs = enumerate(zip(self.numbers, other.numbers, strict=True))
        return [
            divmod(place, self.columns) for place, (mine, yours) in polled(pairs) if mine != yours
        ]

    def lines(self) -> list[str]:
        """Return the matrix of numbers: a line per row, right-aligned, "x" for a hole."""
        return _aligned([[str(number or "x") for number in row] for row in polled(self.matrix())])

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def _summary(self) -> str:
        visited = counted(len(self.numbers) - self.numbers.count(0), "square")
        return f"{rows_by_columns(self.rows, self.columns)}, {visited} visited"

    def scene(self) -> Scene:
        """Return the path of the knight on a board with the same holes."""
        squares = enumerate(self.numbers)
        holes = tuple(divmod(at, self.columns) for at, number in polled(squares) if not number)
        return Scene(Knight(self.rows, self.columns, holes=holes), self, (), self.in_a_line())

    def to_data(self) -> dict[str, Any]:
        """Return the numbers by row, 0 for a hole."""
        return {"numbers": self.matrix()}

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Self:
        """Return the tour for data of `to_data`."""
        with reading(cls):
            return cls.of_matrix(data["numbers"])

    @classmethod
    def of_matrix(cls, matrix: Sequence[Sequence[int]]) -> Self:
        """Return the tour whose squares have these numbers, a list per row.

        Raises:
            ValueError: Rows of several lengths.
        """
        if len({len(row) for row in matrix}) > 1:
            raise ValueError("rows of different lengths")
        width = len(matrix[0]) if matrix else 0
        return cls(
            len(matrix), width, tuple(int(number) for row in polled(matrix) for number in row)
        )


def _aligned(rows: list[list[str]]) -> list[str]:
    """Return lines with words in columns of the same width."""
    width = max(len(word) for row in polled(rows) for word in row)
    return [" ".join(word.rjust(width) for word in row) for row in polled(rows)]


def tour_of(puzzle: Knight, path: Sequence[int]) -> Tour:
    """Return the tour that visits places (row * columns + column) in the order of `path`.

    The numbers agree with the puzzle's given ones. A closed path has neither a first square nor a
    direction. Without given numbers, 1 is the board's first square. If no number determines the
    direction, then of the two neighbours of the square with the lowest given number the one that is
    first in row order gets the next number.

    Args:
        puzzle: The board; the path is not verified to be one of its tours.
        path: Every square once. An open path may also be given in reverse.
    """
    numbered = [(row * puzzle.columns + column, k) for row, column, k in puzzle.numbered]
    if puzzle.closed:
        place, first = numbered[0] if numbered else (min(path), 1)
        at = path.index(place)
        ahead = [*path[at:], *path[:at]]
        back = [ahead[0], *ahead[:0:-1]]
        ways: list[Sequence[int]] = sorted((ahead, back), key=lambda way: list(way[1:2]))
        # The place with the number `first` is at index 0: rotate it to the index of that number.
        ways = [[*way[len(way) - first + 1 :], *way[: len(way) - first + 1]] for way in ways]
    else:
        ways = [path, path[::-1]]
    fits = (way for way in ways if all(way[k - 1] == place for place, k in numbered))
    numbers = array("i", [0]) * (puzzle.rows * puzzle.columns)
    for k, place in enumerate(polled(next(fits, ways[0])), start=1):
        numbers[place] = k
    return Tour(puzzle.rows, puzzle.columns, tuple(numbers))


def to_data(puzzle: Knight) -> dict[str, Any]:
    """Return a puzzle as JSON data, without its family and `about`."""
    data: dict[str, Any] = {"rows": puzzle.rows, "columns": puzzle.columns}
    if puzzle.start is not None:
        data["start"] = list(puzzle.start)
    if puzzle.closed:
        data["closed"] = True
    if puzzle.holes:
        data["holes"] = [list(hole) for hole in puzzle.holes]
    if puzzle.given:
        data["given"] = [list(given) for given in puzzle.given]
    return data


def from_data(data: Mapping[str, Any]) -> Knight:
    """Return the puzzle of JSON data.

    Raises:
        PuzzleError: The data describe no puzzle.
    """
    for name in ("rows", "columns"):
        if name not in data:
            raise PuzzleError(f"{name!r} is missing, expected the size of the board")
    names = ("rows", "columns", "start", "closed", "holes", "given")
    return Knight(**{name: data[name] for name in names if name in data})


def solution_data(puzzle: Knight, tour: Tour) -> list[list[int]]:
    """Return a tour as JSON data: its matrix, 0 for a hole."""
    del puzzle
    return tour.matrix()


def solution_from_data(puzzle: Knight, matrix: Sequence[Sequence[int]]) -> Tour:
    """Return the tour of a matrix of step numbers."""
    del puzzle
    return Tour.of_matrix(matrix)
