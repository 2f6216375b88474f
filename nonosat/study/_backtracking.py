"""Backtracking cell by cell: empty, then filled, as long as row and column stay partial solutions.

Non-deterministic automata check the grid's lines, O(n^2) per cell of an n x n grid;
the tree has up to 2^(n^2) leaves.

Corrected: the document's procedure ignores the result of the recursion ("backtrack to the next
cell" and then on to the other colour), so that it always ends with `false` and the cell reset; the
result must decide. Here every solution is yielded instead, in the order of the search.
Cells that are known beforehand are skipped, so every line is checked once before the start.

Source: document 003 (T. Lemoine), "Algorithme de backtracking".
"""

from __future__ import annotations

from collections.abc import Iterator

from nonosat.core.errors import about
from nonosat.core.grid import Grid
from nonosat.puzzles.nonogram import Nonogram
from nonosat.study._automata import automaton_of, is_partial
from nonosat.study._grid import PlainBoard
from nonosat.study._lines import EMPTY, FILLED, UNKNOWN, Meter, refusal

MOST_CELLS = 400  # each is a level of the recursion
BEARABLE = f"{MOST_CELLS} cells"


def backtracked(board: PlainBoard, meter: Meter) -> Iterator[Grid]:
    """Yield every solution that keeps the known cells; `meter` counts cells read by automata."""
    automata = [automaton_of(clue) for clue in board.clues]
    unknown = [cell for cell, value in enumerate(board.cells) if value == UNKNOWN]

    def is_possible(line: int) -> bool:
        return is_partial(automata[line], board.line(line), meter)

    def backtrack(place: int) -> Iterator[Grid]:
        """Yield the grid for every way to fill the cells unknown[place:]."""
        if place == len(unknown):
            yield board.grid()
            return
        cell = unknown[place]
        row, column = divmod(cell, board.width)
        for value in (EMPTY, FILLED):
            board.cells[cell] = value
            if is_possible(row) and is_possible(board.height + column):
                yield from backtrack(place + 1)
        board.cells[cell] = UNKNOWN

    if all(map(is_possible, range(len(automata)))):
        yield from backtrack(0)


def too_large(puzzle: Nonogram) -> str | None:
    """Return a message if a puzzle has too many cells for backtracking, else None."""
    if reason := refusal(puzzle):
        return reason
    cells = puzzle.height * puzzle.width
    if cells <= MOST_CELLS:
        return None
    return f"up to {about(2**cells)} grids of {cells} cells, expected at most {MOST_CELLS} cells"
