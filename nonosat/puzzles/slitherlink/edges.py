"""Known edges of a board, such as a person's progress."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from nonosat.core.errors import PuzzleError, counted, rows_by_columns, shown
from nonosat.core.grid import UNKNOWN
from nonosat.core.presenting import Drawn, Scene, reading
from nonosat.puzzles.slitherlink.data import BLANK, Path, Slitherlink, check_size
from nonosat.puzzles.slitherlink.model import places

SIGNS = {0: "x", 1: "#", UNKNOWN: "?"}
_VALUES = {sign: value for value, sign in SIGNS.items()}


@dataclass(frozen=True, slots=True, repr=False)
class Edges(Drawn):
    """Edges of a board, each on the path, off it, or unknown.

        >>> found = nonosat.explain(nonosat.slitherlink(["33", ".."])).grid
        >>> found
        <Edges: 2 rows x 2 columns, 6 on the path, 6 off it>
        >>> print(found)
        ##
        #x#
        ##
        xxx
        xx

    Lines of the text are, alternately, edges above a row of cells and edges left and right of its
    cells.

    Args:
        height: Number of rows of cells.
        width: Number of columns of cells.
        values: A byte an edge in the order of `Path.edges`: 1 on the path, 0 off it, or `UNKNOWN`.

    Raises:
        PuzzleError: These are not the edges of such a board.
    """

    height: int
    width: int
    values: bytes

    def __post_init__(self) -> None:
        check_size(self.height, self.width)
        number = 2 * self.height * self.width + self.height + self.width
        if type(self.values) is not bytes or len(self.values) != number:
            raise PuzzleError(f"{shown(self.values)}, expected {counted(number, 'byte')}, one each")
        if wrong := self.values.translate(None, bytes(SIGNS)):
            raise PuzzleError(f"an edge is {wrong[0]}, expected 0, 1 or UNKNOWN ({UNKNOWN})")

    @classmethod
    def unknown(cls, height: int, width: int) -> Self:
        """Return a board whose edges are all unknown."""
        return cls(height, width, bytes([UNKNOWN]) * (2 * height * width + height + width))

    @classmethod
    def given(cls, puzzle: Slitherlink) -> Self:
        """Return the edges of a puzzle that are known from the start."""
        if not puzzle.given:
            return cls.unknown(puzzle.height, puzzle.width)
        return cls(puzzle.height, puzzle.width, puzzle.given)

    @property
    def size(self) -> str:
        """Size in words."""
        return rows_by_columns(self.height, self.width)

    def path(self) -> Path:
        """Return the edges that are on the path."""
        return Path(self.height, self.width, self.values.replace(bytes([UNKNOWN]), b"\0"))

    def lines(self) -> list[str]:
        """Return lines of horizontal edges and lines of vertical edges, alternately."""
        text = "".join(SIGNS[value] for value in self.values)
        first = (self.height + 1) * self.width
        found = []
        for row in range(self.height + 1):
            found.append(text[row * self.width : (row + 1) * self.width])
            beside = first + row * (self.width + 1)
            found.append(text[beside : beside + self.width + 1])
        return found[:-1]

    @classmethod
    def of_lines(cls, lines: Sequence[str]) -> Self:
        """Return the edges from the lines that `lines` returns.

        Raises:
            ValueError: The lines do not have the lengths of such lines.
        """
        across, beside = lines[::2], lines[1::2]
        height, width = len(beside), len(across[0]) if across else 0
        if [*map(len, across), *map(len, beside)] != [width] * (height + 1) + [width + 1] * height:
            raise ValueError("lines of edges are of other lengths")
        return cls(height, width, bytes(_VALUES[sign] for sign in "".join([*across, *beside])))

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def _summary(self) -> str:
        on, off = self.values.count(1), self.values.count(0)
        return f"{self.size}, {on} on the path, {off} off it"

    def scene(self) -> Scene:
        """Return the edges on a board without clues; unknown ones are marked."""
        board = Slitherlink(self.height, self.width, bytes([BLANK]) * (self.height * self.width))
        pairs = zip(places(board).values(), self.values, strict=False)  # cells follow the edges
        marked = [place for place, value in pairs if value == UNKNOWN]
        return Scene(board, self, marked, self.in_a_line())

    def to_data(self) -> dict[str, Any]:
        """Return lines of edges, as `str` prints them."""
        return {"edges": self.lines()}

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Self:
        """Return the edges for data of `to_data`."""
        with reading(cls):
            return cls.of_lines(data["edges"])
