"""Brute force: every grid, checked by the automata of its lines.

2^(n^2) grids of n x n cells, each checked in O(n^2) once the automaton of each line is
built. All solutions come in the order of the grids, which count up like a binary number.

Source: document 003 (T. Lemoine), "Vérification d'une grille" and "Premier algorithme".
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from itertools import product

from nonosat.core.errors import about
from nonosat.core.grid import Grid
from nonosat.core.limits import Watch
from nonosat.core.plugins import Ending, Study
from nonosat.puzzles.nonogram import Nonogram
from nonosat.study._automata import Automaton, accepts, automaton_of
from nonosat.study._grid import PlainBoard
from nonosat.study._lines import EMPTY, FILLED, UNKNOWN, Meter, metered, refusal

MOST_OPEN = 25  # cells: 2^25 grids take some minutes


def limit(puzzle: Nonogram) -> str | None:
    """Return a message if there are too many grids to try, else None."""
    if reason := refusal(puzzle):
        return reason
    num_open = puzzle.height * puzzle.width - len({cell[:2] for cell in puzzle.given})
    if num_open <= MOST_OPEN:
        return None
    return f"{about(2**num_open)} grids, expected at most {2**MOST_OPEN:,} ({MOST_OPEN} open cells)"


def is_valid(board: PlainBoard, validator: Sequence[Automaton]) -> bool:
    """Return True if the automata accept all lines of the board (`est_solution_valide_total`)."""
    return all(accepts(one, board.line(line)) for line, one in enumerate(validator))


def solve(puzzle: Nonogram, watch: Watch, seed: int = 0) -> Generator[Grid, None, Ending]:
    """Yield all solutions."""
    del seed
    meter = Meter(watch)
    return (yield from metered(_valid_grids(PlainBoard(puzzle), meter), meter))


def _valid_grids(board: PlainBoard, meter: Meter) -> Iterator[Grid]:
    validator = [automaton_of(clue) for clue in board.clues]
    unknown = [cell for cell, value in enumerate(board.cells) if value == UNKNOWN]
    for values in product((EMPTY, FILLED), repeat=len(unknown)):
        meter()
        for cell, value in zip(unknown, values, strict=True):
            board.cells[cell] = value
        if is_valid(board, validator):
            yield board.grid()


PLUGIN = Study(
    family="nonogram",
    summary="every grid, checked by the automata of all lines",
    source="document 003, bruteforce and est_solution_valide_total",
    largest=f"{MOST_OPEN} open cells",
    limit=limit,
    solve=solve,
)
