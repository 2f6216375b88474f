"""The strategy of a person, in four steps.

1. In the untouched grid take the easiest lines first, those with the fewest free empty cells.
2. Paint their cells that are fixed independently of other lines (`_counting.fixed_cells`, and the
   whole line if there is a single placement).
3. Then, one by one, the line with the fewest unknown cells among those that have changed.
4. When logic finds nothing more, guess a cell of the line with the fewest unknown cells, both ways.

Source: document 000 (Viblo article), "Kết luận về cách giải ở người chơi".
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import asdict
from functools import partial

from nonosat.core.grid import Grid
from nonosat.core.limits import Watch
from nonosat.core.plugins import Ending, Study
from nonosat.puzzles.nonogram import Nonogram
from nonosat.study._counting import fixed_cells, placements, slack
from nonosat.study._grid import BEARABLE, PlainBoard, SolveCounters, too_many_steps
from nonosat.study._lines import EMPTY, FILLED, UNKNOWN, Lengths, Meter, metered
from nonosat.study._painting import agrees, by_memory, with_shortcuts
from nonosat.study._recursion import remembered_nodes

_paint = with_shortcuts(by_memory)


def solve(puzzle: Nonogram, watch: Watch, seed: int = 0) -> Generator[Grid, None, Ending]:
    """Yield all solutions."""
    del seed
    board, tally, meter = PlainBoard(puzzle), SolveCounters(), Meter(watch)

    def found() -> Iterator[Grid]:
        if _begin(board, tally, meter):
            yield from _go_on(board, tally, meter)

    return (yield from metered(found(), meter, lambda: asdict(tally)))


def _begin(board: PlainBoard, tally: SolveCounters, meter: Meter) -> bool:
    """Run steps 1 and 2; return False if they contradict known cells."""

    def free(line: int) -> int:
        clue = board.clues[line]
        return slack(clue, len(board.line(line))) if clue else 0

    for line in sorted(range(len(board.clues)), key=free):
        meter()
        tally.line_solves += 1
        painted = _with_fixed(board.line(line), board.clues[line])
        if painted is None:
            return False
        board.paint(line, painted)
    return True


def _with_fixed(cells: bytes, lengths: Lengths) -> bytes | None:
    """Return the line with the cells that its clue alone fixes; None if they contradict it."""
    free = slack(lengths, len(cells))
    if free < 0:
        return None
    if free == 0 or not lengths:
        (only,) = placements(lengths, len(cells))
        return only if agrees(cells, only) else None
    line = bytearray(cells)
    for cell in fixed_cells(lengths, len(cells)):
        if line[cell] == EMPTY:
            return None
        line[cell] = FILLED
    return bytes(line)


def _go_on(board: PlainBoard, tally: SolveCounters, meter: Meter) -> Iterator[Grid]:
    """Run steps 3 and 4, with all lines regarded as changed; yield every solution."""
    waiting = [(board, set(range(len(board.clues))))]
    while waiting:
        board, dirty = waiting.pop()
        if not _settle(board, dirty, tally, meter):
            continue
        if not board.num_unknown():
            yield board.grid()
            continue
        tally.guesses += 1
        lines = range(len(board.clues))
        easiest = min(
            (line for line in lines if _unknown(board, line)), key=partial(_unknown, board)
        )
        cells = bytearray(board.line(easiest))
        crossing = cells.find(UNKNOWN)
        for value in (FILLED, EMPTY):  # the last one is tried first
            guess = board.copy()
            cells[crossing] = value
            waiting.append((guess, {easiest, *guess.paint(easiest, bytes(cells))}))


def _unknown(board: PlainBoard, line: int) -> int:
    return board.line(line).count(UNKNOWN)


def _settle(board: PlainBoard, dirty: set[int], tally: SolveCounters, meter: Meter) -> bool:
    """Run step 3 until logic finds nothing more; return False if a line is contradictory."""
    while dirty:
        meter()
        line = min(sorted(dirty), key=partial(_unknown, board))
        dirty.remove(line)
        tally.line_solves += 1
        painted = _paint(board.line(line), board.clues[line], meter)
        if painted is None:
            return False
        dirty.update(board.paint(line, painted))
    return True


PLUGIN = Study(
    family="nonogram",
    summary="easiest lines first, fixed cells, then fewest unknown cells, a guess at the end",
    source="document 000, the conclusion on how people solve",
    largest=BEARABLE,
    limit=partial(too_many_steps, steps_of=remembered_nodes),
    solve=solve,
)
