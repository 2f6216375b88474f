"""The whole grid, line by line: alternating passes over dirty rows and columns, then guesses.

A line is *dirty* if a cell of it has been painted since it was last solved. A pass solves the
dirty rows, then the dirty columns, and a newly painted cell makes the line that crosses there
dirty. When nothing is dirty and cells are unknown, one of them is guessed both ways, each on a copy
of the grid of which only that cell's row and column are dirty.

Corrected: the passes continue while there are dirty rows OR columns (the document has AND, but
after a column pass no column is dirty, so it would always stop after the first). A cell is painted
once and makes one line dirty, so there are at most m^2 + 2 m line solves in an m x m grid: O(m^5)
with the O(m^3) of the optimum; the document's Theta(m^3) counts one pass. The tree of guesses has
at most 2^(m^2) leaves (not 2^(m^3)).

Source: document 000 (Viblo article), "Giải quyết toàn bộ khung", "Áp dụng giải thuật tham lam" and
"Vét cạn".
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from nonosat.core.errors import about
from nonosat.core.grid import Grid
from nonosat.core.limits import Watch
from nonosat.core.plugins import Ending
from nonosat.puzzles.nonogram import Nonogram
from nonosat.study._counting import slack
from nonosat.study._lines import (
    EMPTY,
    FILLED,
    MOST_STEPS,
    UNKNOWN,
    Lengths,
    Meter,
    StepsExceeded,
    lengths_of,
    metered,
    refusal,
)
from nonosat.study._painting import Paint

MOST_LENGTH = 120  # cells of a line: each may be two levels of a recursion
BEARABLE = f"{MOST_LENGTH} cells a line and {MOST_STEPS:,} steps for the first pass"

Order = Callable[["PlainBoard", Collection[int]], Sequence[int]]


class PlainBoard:
    """A grid that is being solved; lines are numbered rows first, then columns."""

    def __init__(self, puzzle: Nonogram) -> None:
        self.height, self.width = puzzle.height, puzzle.width
        self.clues = [lengths_of(clue) for clue in (*puzzle.rows, *puzzle.columns)]
        self.cells = bytearray([UNKNOWN]) * (self.height * self.width)
        for row, column, value in puzzle.given:
            self.cells[row * self.width + column] = value

    def copy(self) -> PlainBoard:
        """Return a copy of the board with cells of its own."""
        other = PlainBoard.__new__(PlainBoard)
        other.height, other.width, other.clues = self.height, self.width, self.clues
        other.cells = self.cells[:]
        return other

    def span(self, line: int) -> slice:
        """Return the slice of the board's cells that is a line."""
        if line < self.height:
            return slice(line * self.width, (line + 1) * self.width)
        return slice(line - self.height, None, self.width)

    def line(self, line: int) -> bytes:
        """Return the cells of a line."""
        return bytes(self.cells[self.span(line)])

    def paint(self, line: int, cells: bytes) -> list[int]:
        """Write a line's cells, and return the lines that cross at changed cells."""
        before = self.line(line)
        self.cells[self.span(line)] = cells
        first = self.height if line < self.height else 0
        pairs = enumerate(zip(before, cells, strict=True))
        return [first + i for i, (old, new) in pairs if old != new]

    def num_unknown(self) -> int:
        """Return the number of unknown cells."""
        return self.cells.count(UNKNOWN)

    def grid(self) -> Grid:
        """Return the finished board."""
        return Grid(self.height, self.width, bytes(self.cells))


@dataclass(slots=True)
class SolveCounters:
    """Counters of the work of solving a grid, such as line solves and guesses."""

    passes: int = 0
    line_solves: int = 0
    guesses: int = 0


# Orders


def by_index(board: PlainBoard, dirty: Collection[int]) -> Sequence[int]:
    """Return dirty lines in the document's plain order, ascending."""
    del board
    return sorted(dirty)


def score(cells: bytes, lengths: Lengths) -> int:
    """Return the difficulty of a line: min(unknown cells, free empty cells).

    Corrected: an empty clue leaves nothing free (the document's formula gives it m + 1, and so the
    worst score to the easiest line), and a finished line, in which nothing is left to paint, comes
    last (the document's formula gives it the best score).
    """
    unknown = cells.count(UNKNOWN)
    if not unknown:
        return len(cells) + 1
    return min(unknown, slack(lengths, len(cells))) if lengths else 0


def by_score(board: PlainBoard, dirty: Collection[int]) -> Sequence[int]:
    """Return dirty lines in the greedy order, easiest first. Sorting is O(m log m), not O(m)."""
    return sorted(dirty, key=lambda line: (score(board.line(line), board.clues[line]), line))


# Passes and guesses


def alternate(
    board: PlainBoard,
    dirty: Collection[int],
    paint: Paint,
    order: Order,
    tally: SolveCounters,
    meter: Meter,
) -> bool:
    """Run row and column passes until nothing is dirty; return False if a line is contradictory."""
    rows = {line for line in dirty if line < board.height}
    columns = {line for line in dirty if line >= board.height}
    while rows or columns:
        tally.passes += 1
        for mine, crossing in ((rows, columns), (columns, rows)):
            for line in order(board, mine):
                meter()
                tally.line_solves += 1
                painted = paint(board.line(line), board.clues[line], meter)
                if painted is None:
                    return False
                crossing.update(board.paint(line, painted))
                mine.remove(line)
    return True


def completed(
    board: PlainBoard,
    dirty: Collection[int],
    paint: Paint,
    order: Order,
    tally: SolveCounters,
    meter: Meter,
) -> Iterator[Grid]:
    """Yield every solution, by passes and guesses; a stack of guesses replaces the recursion."""
    waiting = [(board, dirty)]
    while waiting:
        board, dirty = waiting.pop()
        if not alternate(board, dirty, paint, order, tally, meter):
            continue
        cell = board.cells.find(UNKNOWN)
        if cell < 0:
            yield board.grid()
            continue
        row, column = divmod(cell, board.width)
        tally.guesses += 1
        for value in (FILLED, EMPTY):  # the last one is tried first
            guess = board.copy()
            guess.cells[cell] = value
            waiting.append((guess, (row, board.height + column)))


def solve_by(
    paint: Paint, order: Order, puzzle: Nonogram, watch: Watch
) -> Generator[Grid, None, Ending]:
    """Yield the solutions of a puzzle by passes and guesses, which begin with its given cells."""
    board, tally, meter = PlainBoard(puzzle), SolveCounters(), Meter(watch)
    every = range(len(board.clues))
    found = completed(board, every, paint, order, tally, meter)
    return (yield from metered(found, meter, lambda: asdict(tally)))


def without_guesses(
    holds: Callable[[], bool],
    board: PlainBoard,
    meter: Meter,
    detail: Callable[[], Mapping[str, Any]],
) -> Generator[Grid, None, Ending]:
    """Run a method without guesses, and yield the solution if it finds one.

    Args:
        holds: The method; returns False if it has met a contradiction.
        board: The board that it changes.
        meter: The meter that it calls at every step.
        detail: Returns further fields of the ending.
    """
    try:
        is_sound = holds()
    except StepsExceeded as error:
        return Ending(False, str(error), {"steps": meter.steps, **detail()})
    ending = {"steps": meter.steps, **detail()}
    if is_sound and (unknown := board.num_unknown()):
        cells = "1 cell is" if unknown == 1 else f"{unknown} cells are"
        return Ending(False, f"undetermined: {cells} open", ending)
    if is_sound:
        yield board.grid()
    return Ending(True, detail=ending)


def too_many_steps(puzzle: Nonogram, steps_of: Callable[[Lengths, int], int]) -> str | None:
    """Return a message if painting every line of a puzzle once takes too many steps, else None.

    Args:
        puzzle: The puzzle.
        steps_of: Returns an upper bound of the steps for a clue and the length of its line.
    """
    if reason := refusal(puzzle):
        return reason
    if (longest := max(puzzle.height, puzzle.width)) > MOST_LENGTH:
        return f"lines of {longest} cells, expected at most {MOST_LENGTH}: one is a recursion"
    sides = ((puzzle.rows, puzzle.width), (puzzle.columns, puzzle.height))
    lines = ((lengths_of(clue), length) for clues, length in sides for clue in clues)
    total = sum(steps_of(clue, length) for clue, length in lines)
    if total <= MOST_STEPS:
        return None
    return f"its first pass takes up to {about(total)} steps, expected at most {MOST_STEPS:,}"
