"""Knowledge about a board during an explanation: the possible values of each cell.

Lines are numbered rows first, then columns; a place is a cell's number in row-major order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from nonosat import _core
from nonosat.board import presolve
from nonosat.core.grid import UNKNOWN
from nonosat.puzzles import nonogram

if TYPE_CHECKING:
    from nonosat.core.limits import Watch
    from nonosat.explain.nonogram.step import Step
    from nonosat.puzzles.nonogram.data import Nonogram

Removal = tuple[int, int]  # a place, and a value that it does not have


class Impossible(Exception):  # noqa: N818  # an outcome, not a mistake
    """The clues, or the initial knowledge, cannot hold; the message states why.

    Attributes:
        line: Number of the line that has no placement left; None if a search found it.
    """

    def __init__(self, message: str, line: int | None = None) -> None:
        super().__init__(message)
        self.line = line


class Knowledge:
    """Possible values of each cell of a puzzle's board; at the start all but those of given cells.

    Attributes:
        board: The native board; its lines are not propagated.
        clues: Clues of all lines.
    """

    def __init__(self, puzzle: Nonogram) -> None:
        self.height, self.width = puzzle.height, puzzle.width
        self.clues = (*puzzle.rows, *puzzle.columns)
        self.num_values = 1 + len(puzzle.colours)
        self.board = _core.Board(len(puzzle.colours), puzzle.rows, puzzle.columns)
        for row, column, value in puzzle.given:
            self.board.assign(row * self.width + column, value)

    def copy(self) -> Knowledge:
        """Return an independent copy."""
        other = Knowledge.__new__(Knowledge)
        other.height, other.width = self.height, self.width
        other.clues, other.num_values = self.clues, self.num_values
        other.board = self.board.copy()
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

    def planes(self, line: int) -> list[bytes]:
        """Return for each value one byte a cell of the line: 1 if the cell may have it."""
        return self.board.line_planes(line)

    def implied(self, line: int) -> list[Removal] | None:
        """Return all values that the clue of a line rules out; None if there is no placement."""
        return _core.implied(self.board, line)

    # Values

    @property
    def cells(self) -> bytes:
        """One byte a place: its value, or UNKNOWN while several are possible."""
        return self.board.cells()

    def may_be(self, place: int, value: int) -> bool:
        return self.board.may(place, value)

    def values(self, place: int) -> list[int]:
        """Return the possible values of a place."""
        return [value for value in range(self.num_values) if self.board.may(place, value)]

    def open_places(self) -> list[int]:
        """Return the places with more than one possible value."""
        return [place for place, value in enumerate(self.cells) if value == UNKNOWN]

    def settling(self, place: int, value: int) -> list[Removal]:
        """Return the removals that leave a place only `value`."""
        return [(place, other) for other in self.values(place) if other != value]

    def removed(self) -> Iterator[Removal]:
        """Yield all removed values."""
        for value in range(self.num_values):
            for place, is_possible in enumerate(self.board.plane(value)):
                if not is_possible:
                    yield place, value

    def apply(self, removals: Iterable[Removal]) -> None:
        """Remove values."""
        for place, value in removals:
            self.board.remove(place, value)

    def learn(self, step: Step) -> None:
        """Apply the changes of an explanation's step."""
        for row, column, value in step.settled:
            self.board.assign(row * self.width + column, value)
        self.apply((row * self.width + column, value) for row, column, value in step.ruled_out)


def task_of(puzzle: Nonogram, known: Knowledge, watch: Watch) -> presolve.PresolvedModel:
    """Return the knowledge of a puzzle as a presolved model; its lines are not propagated."""
    task = presolve.PresolvedModel.of(nonogram.build(puzzle), watch.check)
    assert task.board is not None
    for place, value in known.removed():
        task.board.remove(place, value)
    return task
