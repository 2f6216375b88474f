"""Slitherlinks, and loops on their lattice: frozen, validated data.

A board of cells, each with a clue or blank. Its edges are numbered row by row: first the
horizontal ones, (height + 1) * width of them, then the vertical ones, height * (width + 1).
Without blank cells and without the clue 4 it is a Slink.

Invariant: a `Slitherlink` that exists is well formed; the existence of a solution is a verdict.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, Self

from nonosat.core.about import NOTHING_KNOWN, About
from nonosat.core.errors import PuzzleError, counted, printable, rows_by_columns, shown
from nonosat.core.grid import UNKNOWN, refuse_size, whole_numbers
from nonosat.core.limits import polled
from nonosat.core.presenting import Drawn, DrawnPuzzle, Scene, reading
from nonosat.core.wording import cell_text

BLANK = 255
MAX_CLUE = 4  # all edges of a cell; a loop around this cell alone
MAX_CELLS = 1_000_000  # 3 million variables
_SIGNS = {0: "x", 1: "#", UNKNOWN: "?"}  # of edges
SYMBOLS = {".": BLANK, "-": BLANK, **{str(clue): clue for clue in range(MAX_CLUE + 1)}}


def check_size(height: int, width: int) -> None:
    """Raise an error for impossible boards; readers call it before they allocate memory.

    Raises:
        PuzzleError: A side below 1, or more than `MAX_CELLS` cells.
    """
    refuse_size(height, width, MAX_CELLS)


@dataclass(frozen=True, slots=True, repr=False)
class Slitherlink(DrawnPuzzle):
    """A board with clues for one closed path on its lattice.

        >>> puzzle = nonosat.slitherlink(["33", "33"])
        >>> puzzle
        <Slitherlink: slink: 2 rows x 2 columns>
        >>> nonosat.check(puzzle).verdict.value
        'unsolvable'

    `nonosat.slitherlink` makes one from rows of clues.

    Args:
        height: Number of rows of cells.
        width: Number of columns of cells.
        clues: A byte a cell, row by row: the number of its edges on the path, or `BLANK`.
        about: Title, author, licence and the like.
        given: A byte an edge in the order of `Path.edges`: 1 on the path, 0 off it, or `UNKNOWN`;
            empty if no edge is known from the start.

    Raises:
        PuzzleError: The data do not describe a board; the message names the cell and the clue.
    """

    height: int
    width: int
    clues: bytes
    about: About = NOTHING_KNOWN
    given: bytes = b""

    @property
    def family(self) -> str:
        """Name of the module in `puzzles/` that builds and verifies the puzzle."""
        return "slitherlink"

    @property
    def size(self) -> str:
        """Size in words."""
        return rows_by_columns(self.height, self.width)

    @property
    def num_clues(self) -> int:
        """Number of cells that are not blank."""
        return len(self.clues) - self.clues.count(BLANK)

    @property
    def is_slink(self) -> bool:
        """True if every cell has a clue of 0 to 3."""
        return max(self.clues) < MAX_CLUE

    def __post_init__(self) -> None:
        for name in ("height", "width"):
            if type(getattr(self, name)) is not int:
                raise PuzzleError(
                    f"{name} is {shown(getattr(self, name))}, expected a whole number"
                )
        check_size(self.height, self.width)
        if type(self.clues) is not bytes or len(self.clues) != self.height * self.width:
            raise PuzzleError(
                f"the clues are {shown(self.clues)}, expected "
                f"{counted(self.height * self.width, 'byte')}"
            )
        if not isinstance(self.about, About):
            raise PuzzleError(f"about is {shown(self.about)}, expected an About")
        if self.clues.translate(None, bytes([*range(MAX_CLUE + 1), BLANK])):
            known = {*range(MAX_CLUE + 1), BLANK}
            place = next(at for at, clue in enumerate(self.clues) if clue not in known)
            row, column = divmod(place, self.width)
            raise PuzzleError(
                f"the clue {self.clues[place]} in {cell_text(row, column)}, expected 0 to "
                f"{MAX_CLUE} or blank ({BLANK})"
            )

        num_edges = 2 * self.height * self.width + self.height + self.width
        if type(self.given) is not bytes or len(self.given) not in (0, num_edges):
            what = f"the given edges are {shown(self.given)}"
            raise PuzzleError(f"{what}, expected {counted(num_edges, 'byte')}, one each, or none")
        if wrong := self.given.translate(None, bytes(_SIGNS)):
            raise PuzzleError(f"a given edge is {wrong[0]}, expected 0, 1 or UNKNOWN ({UNKNOWN})")
        if not self.given.strip(bytes([UNKNOWN])):
            object.__setattr__(self, "given", b"")

    def given_edges(self) -> list[tuple[int, int]]:
        """Return (number, value) of each edge that is known from the start."""
        return [pair for pair in enumerate(self.given) if pair[1] != UNKNOWN]

    def __getitem__(self, place: tuple[int, int]) -> int | None:
        """Return the clue of a cell; None for a blank one."""
        row, column = place
        if not (0 <= row < self.height and 0 <= column < self.width):
            raise IndexError(f"cell {place} is outside {self.size}")
        clue = self.clues[row * self.width + column]
        return None if clue == BLANK else clue

    def rows(self) -> list[str]:
        """Return the clues as a character a cell, "." for a blank one."""
        text = "".join("." if clue == BLANK else str(clue) for clue in polled(self.clues))
        return [text[at : at + self.width] for at in range(0, len(text), self.width)]

    def __str__(self) -> str:
        title = printable(self.about.title or self.about.id)
        return f"{title or ('slink' if self.is_slink else 'slitherlink')}: {self.size}"


def from_rows(
    rows: Iterable[Sequence[int | str | None]], about: About = NOTHING_KNOWN
) -> Slitherlink:
    """Return the board of rows of clues: numbers, digits, None, -1, "." or "-" for blank cells.

    Raises:
        PuzzleError: Rows of different lengths, or something that is not a clue.
    """
    found = []
    for row, one in enumerate(polled(_sequence(rows, "the clues are"))):
        clues = _sequence(one, f"row {row + 1} is")
        found.append([_clue(clue, row, at) for at, clue in enumerate(clues)])
    width = len(found[0]) if found else 0
    for row, one in enumerate(found):
        if len(one) != width:
            raise PuzzleError(
                f"row {row + 1} has {counted(len(one), 'cell')}, expected {width} as in row 1"
            )
    check_size(len(found), width)
    return Slitherlink(len(found), width, bytes(chain.from_iterable(found)), about)


def _sequence(value: object, what: str) -> Iterable[Any]:
    """Return a value unchanged if it is iterable and no mapping; else raise PuzzleError."""
    if isinstance(value, Mapping) or not isinstance(value, Iterable):
        raise PuzzleError(f"{what} {shown(value)}, expected a list of rows of clues")
    return value


def _clue(clue: object, row: int, column: int) -> int:
    if clue is None or clue == -1:
        return BLANK
    value = SYMBOLS.get(clue) if isinstance(clue, str) else clue
    if type(value) is not int or not (0 <= value <= MAX_CLUE or value == BLANK):
        raise PuzzleError(
            f"the clue {shown(clue)} in {cell_text(row, column)}, expected 0 to {MAX_CLUE}, "
            "or '.' or '-' where a cell is blank"
        )
    return value


@dataclass(frozen=True, slots=True, repr=False)
class Path(Drawn):
    """Chosen edges of a lattice; a solution of a `Slitherlink`.

        >>> path = nonosat.solve(nonosat.slitherlink(["33", ".."])).solution
        >>> path
        <Path: 2 rows x 2 columns, 6 edges>
        >>> print(path)
        ##
        ..

    Args:
        height: Number of rows of cells.
        width: Number of columns of cells.
        edges: A byte an edge, 1 if it is on the path, in the order of the module.
    """

    height: int
    width: int
    edges: bytes

    def __post_init__(self) -> None:
        whole_numbers((self.height, self.width), "height and width")
        if not isinstance(self.edges, bytes):
            raise PuzzleError(f"edges is {shown(self.edges)}, expected bytes, 0 or 1 an edge")

    @property
    def size(self) -> str:
        """Size in words."""
        return rows_by_columns(self.height, self.width)

    def horizontal(self, row: int) -> bytes:
        """Return the edges above row `row` of cells, left to right; `row` may be `height`."""
        return self.edges[row * self.width : (row + 1) * self.width]

    def vertical(self, row: int) -> bytes:
        """Return the edges left of the cells of row `row` and right of its last one."""
        start = (self.height + 1) * self.width + row * (self.width + 1)
        return self.edges[start : start + self.width + 1]

    def inside(self) -> bytes:
        """Return a byte a cell, 1 if an odd number of edges of the path are to its left."""
        found = bytearray()
        for row in polled(range(self.height)):
            is_inside = 0
            for edge in self.vertical(row)[:-1]:
                is_inside ^= edge
                found.append(is_inside)
        return bytes(found)

    def differences(self, other: Path) -> list[tuple[int, int]]:
        """Return cells (row, column) that are inside one path and outside the other, row by row."""
        if (self.height, self.width) != (other.height, other.width):
            raise ValueError("paths on boards of different sizes cannot be compared")
        pairs = enumerate(zip(self.inside(), other.inside(), strict=True))
        return [divmod(at, self.width) for at, (mine, yours) in pairs if mine != yours]

    def lines(self) -> list[str]:
        """Return the rows of cells, "#" inside the path, "." outside."""
        text = self.inside().translate(bytes.maketrans(b"\0\1", b".#")).decode()
        return [text[at : at + self.width] for at in range(0, len(text), self.width)]

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def _summary(self) -> str:
        return f"{self.size}, {counted(self.edges.count(1), 'edge')}"

    def scene(self) -> Scene:
        """Return the path on a board without clues."""
        blank = bytes([BLANK]) * (self.height * self.width)
        return Scene(Slitherlink(self.height, self.width, blank), self, (), self.in_a_line())

    def to_data(self) -> dict[str, Any]:
        """Return the size, and a text with a character per edge: 1 if it is on the path, else 0."""
        edges = self.edges.translate(bytes.maketrans(b"\0\1", b"01")).decode()
        return {"height": self.height, "width": self.width, "edges": edges}

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Self:
        """Return the path for data of `to_data`."""
        with reading(cls):
            height, width, edges = data["height"], data["width"], bytes(map(int, data["edges"]))
            if len(edges) != 2 * height * width + height + width or max(edges) > 1:
                raise ValueError(f"{shown(data['edges'])} are no edges of {height} x {width} cells")
            return cls(height, width, edges)


def around(height: int, width: int, inside: Sequence[int]) -> Path:
    """Return the edges between inside cells and outside ones (or the area beyond the board)."""

    def cell(row: int, column: int) -> int:
        on_board = 0 <= row < height and 0 <= column < width
        return inside[row * width + column] if on_board else 0

    horizontal = (
        cell(row - 1, column) != cell(row, column)
        for row in polled(range(height + 1))
        for column in range(width)
    )
    vertical = (
        cell(row, column - 1) != cell(row, column)
        for row in polled(range(height))
        for column in range(width + 1)
    )
    return Path(height, width, bytes(chain(horizontal, vertical)))


# As JSON


def to_data(puzzle: Slitherlink) -> dict[str, Any]:
    """Return the puzzle as plain JSON values, without `about`: its rows, "." for a blank cell.

    Given edges are a text in the order of `Path.edges`: "#" on the path, "x" off it, "?" unknown.
    """
    given = "".join(map(_SIGNS.__getitem__, puzzle.given))
    return {"rows": puzzle.rows()} | ({"given": given} if given else {})


def from_data(data: Mapping[str, Any]) -> Slitherlink:
    """Return the puzzle from the values that `to_data` returns; other keys are ignored.

    Raises:
        PuzzleError: The data do not describe a puzzle.
    """
    if "rows" not in data:
        raise PuzzleError("'rows' is missing, expected a list of strings, a character a cell")
    rows = data.get("rows")
    if not isinstance(rows, list) or not all(isinstance(row, str) for row in rows):
        raise PuzzleError(f"rows are {shown(rows)}, expected a list of strings, a character a cell")
    given = data.get("given", "")
    values = {sign: value for value, sign in _SIGNS.items()}
    if not isinstance(given, str) or any(sign not in values for sign in given):
        raise PuzzleError(f"given edges are {shown(given)}, expected a text of '#', 'x' and '?'")
    puzzle = from_rows(rows)
    return replace(puzzle, given=bytes(map(values.__getitem__, given))) if given else puzzle


def solution_from_data(puzzle: Slitherlink, rows: Sequence[str]) -> Path:
    """Return the path around the inside cells, which are given as by `Path.lines`."""
    inside = [".#".index(sign) for row in rows for sign in row]
    if len(inside) != puzzle.height * puzzle.width:
        raise ValueError(f"{counted(len(inside), 'cell')}, expected {puzzle.size}")
    return around(puzzle.height, puzzle.width, inside)
