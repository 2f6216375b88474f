"""Human strategy of document 000, step by step (nonosat/study/methods/human.py).

`test_documents.py` has the table of the items that each test covers.
"""

from __future__ import annotations

from nonosat.puzzles.nonogram import Nonogram, mono
from nonosat.study._counting import fixed_cells, slack
from nonosat.study._grid import PlainBoard, SolveCounters
from nonosat.study._lines import EMPTY, FILLED, UNKNOWN, Meter
from nonosat.study.methods import human
from test_study_grids import SIX, SIX_COLUMNS, SIX_ROWS, SIX_SOLVED, rows_of


class Watched(PlainBoard):
    """Board that records what is painted on it and on its copies."""

    def __init__(self, puzzle: Nonogram) -> None:
        super().__init__(puzzle)
        self.painted: list[tuple[int, bytes]] = []

    def copy(self) -> PlainBoard:
        other = super().copy()
        other.__class__ = Watched
        other.painted = self.painted
        return other

    def paint(self, line: int, cells: bytes) -> list[int]:
        self.painted.append((line, cells))
        return super().paint(line, cells)


def test_a_person_takes_the_easiest_lines_first_and_paints_what_is_fixed() -> None:
    """Steps 1 and 2: by free cells, and only cells that the clue alone implies."""
    board = Watched(SIX)
    assert human._begin(board, SolveCounters(), Meter())
    order = [line for line, _ in board.painted]
    free = [slack(clue, 6) for clue in board.clues]
    assert sorted(order) == list(range(12))
    assert [free[line] for line in order] == sorted(free)
    assert order[:4] == [1, 7, 9, 0]  # 1 3 and the columns of 5, then 2 1
    fixed = {
        *((row, cell) for row in range(6) for cell in fixed_cells(SIX_ROWS[row], 6)),
        *((cell, column) for column in range(6) for cell in fixed_cells(SIX_COLUMNS[column], 6)),
    }
    assert {divmod(at, 6) for at, cell in enumerate(board.cells) if cell != UNKNOWN} == fixed


def test_a_person_goes_on_with_the_fewest_unknown_cells() -> None:
    """Step 3: of the changed lines, the one with the fewest unknown cells."""
    board = Watched(SIX)
    assert human._begin(board, SolveCounters(), Meter())
    replayed, dirty = board.copy(), set(range(12))
    first = len(board.painted)
    assert human._settle(board, set(dirty), SolveCounters(), Meter())
    assert rows_of(board) == SIX_SOLVED
    for line, painted in board.painted[first:]:
        unknown = {other: replayed.line(other).count(UNKNOWN) for other in dirty}
        assert unknown[line] == min(unknown.values())
        dirty.remove(line)
        dirty.update(PlainBoard.paint(replayed, line, painted))
    assert dirty == set()


def test_a_person_guesses_last_where_least_is_unknown() -> None:
    """Step 4: two knots of 3x3 and 2x2 cells; the guess is in the smaller one."""
    empty = [(r, c, EMPTY) for r in range(5) for c in range(5) if (r < 3) != (c < 3)]
    knots = mono([(1,)] * 5, [(1,)] * 5, given=tuple(empty))
    board, tally = Watched(knots), SolveCounters()
    assert human._begin(board, tally, Meter())
    settled = len(board.painted)
    found = list(human._go_on(board, tally, Meter()))
    assert len({grid.cells for grid in found}) == len(found) == 2 * 6
    # each line was tried in vain, then row 3 was guessed both ways
    order = [3, 4, 8, 9, 0, 1, 2, 5, 6, 7]
    assert [line for line, _ in board.painted[settled : settled + 12]] == [*order, 3, 3]
    assert [cells[3:] for _, cells in board.painted[settled + 10 : settled + 12]] == [
        bytes([FILLED, UNKNOWN]),
        bytes([EMPTY, UNKNOWN]),
    ]
