"""Knowledge about a board during an explanation: the possible values of each cell.

Lines are numbered rows first, then columns; a place is a cell's number in row-major order.
Invariant: `cells[place]` is the only possible value of a place, or UNKNOWN if there are several.
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

MOST_KNOWN = 500_000  # removals that are cached, some 90 bytes each
Removal = tuple[int, int]  # a place, and a value that it does not have


class Impossible(Exception):  # noqa: N818  # an outcome, not a mistake
    """The clues, or the initial knowledge, cannot hold; the message states why.

    Attributes:
        line: Number of the line that has no placement left; None if a search found it.
    """

    def __init__(self, message: str, line: int | None = None) -> None:
        super().__init__(message)
        self.line = line


class _KnownLines(dict[tuple[int | bytes, ...], tuple[Removal, ...] | None]):
    """Cache of the values that clues rule out, by line and possible values of its cells."""

    def __init__(self) -> None:
        self._num_kept = 0

    def keep(
        self, requested: tuple[int | bytes, ...], removals: tuple[Removal, ...] | None
    ) -> None:
        """Store the removals of a line; clear the cache first if it is full."""
        self._num_kept += 10 + len(removals or ())  # a key is as large as some removals
        if self._num_kept > MOST_KNOWN:
            self.clear()
            self._num_kept = 0
        self[requested] = removals


class Knowledge:
    """Possible values of each cell of a puzzle's board; at the start all but those of given cells.

    Attributes:
        cells: One byte a place: its value, or UNKNOWN while several are possible.
        clues: Clues of all lines.
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
        """Return an independent copy."""
        other = Knowledge.__new__(Knowledge)
        other.height, other.width = self.height, self.width
        other.clues, other.num_values = self.clues, self.num_values
        other.cells, other._left = self.cells[:], self._left[:]
        other._may = [plane[:] for plane in self._may]
        other._known_lines = self._known_lines  # removals by a clue depend on its line only
        return other

    # Lines

    def span(self, line: int) -> range:
        """Return the places of the cells of a line, in order."""
        if line < self.height:
            return range(line * self.width, (line + 1) * self.width)
        return range(line - self.height, self.height * self.width, self.width)

    def through(self, place: int) -> tuple[int, int]:
        """Return the numbers of the two lines through a place: its row, then its column."""
        row, column = divmod(place, self.width)
        return row, self.height + column

    def inside(self, line: int) -> bytes:
        """Return the values of the cells of a line, UNKNOWN if several are possible."""
        span = self.span(line)
        return bytes(self.cells[span.start : span.stop : span.step])

    # Values

    def may_be(self, place: int, value: int) -> bool:
        return bool(self._may[value][place])

    def values(self, place: int) -> list[int]:
        """Return the possible values of a place."""
        return [value for value, plane in enumerate(self._may) if plane[place]]

    def open_places(self) -> list[int]:
        """Return the places with more than one possible value."""
        return [place for place, value in enumerate(self.cells) if value == UNKNOWN]

    def settling(self, place: int, value: int) -> list[Removal]:
        """Return the removals that leave a place only `value`."""
        return [(place, other) for other in self.values(place) if other != value]

    def removed(self) -> Iterator[Removal]:
        """Yield all removed values."""
        for value, plane in enumerate(self._may):
            for place, is_possible in enumerate(plane):
                if not is_possible:
                    yield place, value

    def apply(self, removals: Iterable[Removal]) -> None:
        """Remove values; the last value of a place is stored in `cells`."""
        for place, value in removals:
            if self._may[value][place]:
                self._may[value][place] = 0
                self._left[place] -= 1
                if self._left[place] == 1:
                    self.cells[place] = self.values(place)[0]

    def learn(self, step: Step) -> None:
        """Apply the changes of an explanation's step."""
        for row, column, value in step.settled:
            self.apply(self.settling(row * self.width + column, value))
        self.apply((row * self.width + column, value) for row, column, value in step.ruled_out)

    # Complete line reasoning

    def planes(self, line: int) -> list[bytes]:
        """Return for each value one byte a cell of the line: 1 if the cell may have it."""
        span = self.span(line)
        return [bytes(plane[span.start : span.stop : span.step]) for plane in self._may]

    def implied(self, line: int) -> list[Removal] | None:
        """Return all values that the clue of a line rules out; None if there is no placement.

        The same lines are queried repeatedly: four of five answers are cached (circles in 200 x
        200), which saves a third of the time of an explanation.
        """
        planes = self.planes(line)
        requested: tuple[int | bytes, ...] = (line, *planes)
        if requested not in self._known_lines:
            found, span = implied_in(self.clues[line], planes), self.span(line)
            kept = None if found is None else tuple((span[at], value) for at, value in found)
            self._known_lines.keep(requested, kept)
        removals = self._known_lines[requested]
        return None if removals is None else [*removals]


def implied_in(clue: Clue, planes: Sequence[bytes]) -> list[Removal] | None:
    """Return each (position in the line, value) that a clue rules out; None without a placement."""
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
