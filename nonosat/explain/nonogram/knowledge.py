"""What is known of a board while it is being explained: the values that each cell may still have.

Lines are numbered rows first, then columns; a place is a cell's number in row-major order.
Invariant: `cells[place]` is the one value that is left for a place, and UNKNOWN otherwise.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import compress
from typing import TYPE_CHECKING

from nonosat import _core
from nonosat.core.grid import UNKNOWN

if TYPE_CHECKING:
    from nonosat.core.model import Clue
    from nonosat.explain.nonogram.step import Step
    from nonosat.puzzles.nonogram.data import Nonogram

MOST_KNOWN = 500_000  # removals that are kept, some 90 bytes each
Removal = tuple[int, int]  # a place, and a value that it does not have


class Impossible(Exception):  # noqa: N818  # an outcome, not a mistake
    """The clues, or what was known from the start, cannot hold; the message says why.

    Attributes:
        line: Number of the line that has no placement left; None where a search found it out.
    """

    def __init__(self, message: str, line: int | None = None) -> None:
        super().__init__(message)
        self.line = line


class _KnownLines(dict[tuple[int | bytes, ...], tuple[Removal, ...] | None]):
    """What lines' clues have been found to rule out, by line and what was known of its cells."""

    def __init__(self) -> None:
        self._num_kept = 0

    def keep(self, asked: tuple[int | bytes, ...], removals: tuple[Removal, ...] | None) -> None:
        """Keep an answer; all others are forgotten where there is no room."""
        self._num_kept += 10 + len(removals or ())  # a key is as large as some removals
        if self._num_kept > MOST_KNOWN:
            self.clear()
            self._num_kept = 0
        self[asked] = removals


class Knowledge:
    """The values left for each cell of a puzzle's board; at the start all but the given ones.

    Attributes:
        cells: One byte a place: its value, or UNKNOWN while several are left.
        clues: Of all lines.
    """

    def __init__(self, puzzle: Nonogram) -> None:
        self.height, self.width = puzzle.height, puzzle.width
        self.clues = (*puzzle.rows, *puzzle.columns)
        self.num_values = 1 + len(puzzle.colours)
        size = self.height * self.width
        self.cells = bytearray([UNKNOWN]) * size
        self._may = [bytearray(b"\1") * size for _ in range(self.num_values)]
        self._left = bytearray([self.num_values]) * size
        self._known_lines = _KnownLines()
        for row, column, value in puzzle.given:
            self.apply(self.settling(row * self.width + column, value))

    def copy(self) -> Knowledge:
        """The same knowledge, to be changed on its own."""
        other = Knowledge.__new__(Knowledge)
        other.height, other.width = self.height, self.width
        other.clues, other.num_values = self.clues, self.num_values
        other.cells, other._left = self.cells[:], self._left[:]
        other._may = [plane[:] for plane in self._may]
        other._known_lines = self._known_lines  # what a clue says depends on its line alone
        return other

    # Lines

    def span(self, line: int) -> range:
        """The places of a line, in its direction."""
        if line < self.height:
            return range(line * self.width, (line + 1) * self.width)
        return range(line - self.height, self.height * self.width, self.width)

    def through(self, place: int) -> tuple[int, int]:
        """The row and the column that meet in a place, as lines."""
        row, column = divmod(place, self.width)
        return row, self.height + column

    def inside(self, line: int) -> bytes:
        """The cells of a line."""
        span = self.span(line)
        return bytes(self.cells[span.start : span.stop : span.step])

    # Values

    def may_be(self, place: int, value: int) -> bool:
        return bool(self._may[value][place])

    def values(self, place: int) -> list[int]:
        """The values that are left for a place."""
        return [value for value, plane in enumerate(self._may) if plane[place]]

    def open_places(self) -> list[int]:
        """The places for which more than one value is left."""
        return [place for place, value in enumerate(self.cells) if value == UNKNOWN]

    def settling(self, place: int, value: int) -> list[Removal]:
        """The removals after which only `value` is left."""
        return [(place, other) for other in self.values(place) if other != value]

    def removed(self) -> Iterator[Removal]:
        """Everything that has been taken away."""
        for value, plane in enumerate(self._may):
            for place, is_possible in enumerate(plane):
                if not is_possible:
                    yield place, value

    def apply(self, removals: Iterable[Removal]) -> None:
        """Take values away; the last value of a place stays in `cells`."""
        for place, value in removals:
            if self._may[value][place]:
                self._may[value][place] = 0
                self._left[place] -= 1
                if self._left[place] == 1:
                    self.cells[place] = self.values(place)[0]

    def learn(self, step: Step) -> None:
        """Believe a step of an explanation."""
        for row, column, value in step.settled:
            self.apply(self.settling(row * self.width + column, value))
        self.apply((row * self.width + column, value) for row, column, value in step.ruled_out)

    # Complete line reasoning

    def planes(self, line: int) -> list[bytes]:
        """By value one byte a cell of the line: whether the cell may have it."""
        span = self.span(line)
        return [bytes(plane[span.start : span.stop : span.step]) for plane in self._may]

    def implied(self, line: int) -> list[Removal] | None:
        """All that the clue of a line rules out; None where no placement fits what is known.

        Arguments ask the same of the same lines: four of five answers are known (circles in 200 x
        200), which takes a third of the time of an explanation away.
        """
        planes = self.planes(line)
        asked: tuple[int | bytes, ...] = (line, *planes)
        if asked not in self._known_lines:
            found, span = implied_in(self.clues[line], planes), self.span(line)
            kept = None if found is None else tuple((span[at], value) for at, value in found)
            self._known_lines.keep(asked, kept)
        removals = self._known_lines[asked]
        return None if removals is None else [*removals]


def implied_in(clue: Clue, planes: Sequence[bytes]) -> list[Removal] | None:
    """All that a clue rules out, as (position in the line, value); None where nothing fits."""
    length = len(planes[0])
    found = _core.line_values(length, clue, list(planes))
    if found is None:
        return None
    removals = []
    for value, (plane, supported) in enumerate(zip(planes, found, strict=True)):
        if plane.count(1) != len(supported):
            kept = set(supported)
            possible = compress(range(length), plane)
            removals += [(at, value) for at in possible if at not in kept]
    return removals
