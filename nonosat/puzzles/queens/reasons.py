"""Reasons why given queens and blocked squares leave no placement, if a sentence can state one.

Three reasons: a row or column without a free square; the same after placing queens on every line
with a single free square; and rows whose free squares are in fewer columns, or columns in fewer
rows (Hall 1935), found by a matching of rows with columns. All three are polynomial, so most boards
without solution have no such reason. Lines are numbered, rows first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from nonosat.core.limits import Watch
from nonosat.core.wording import cell_text, line_text, lines_listed, listed
from nonosat.puzzles.queens.data import Queens, Square

MOST_NAMED = 4  # queens listed in a sentence
CLUES = "given queens and blocked squares"


def free_squares(puzzle: Queens) -> list[int]:
    """Return each row's free columns as bits: not blocked, nor attacked by a given queen."""
    n = puzzle.n
    free = [(1 << n) - 1] * n
    for row, column in puzzle.given:
        for other in range(n):
            free[other] &= ~attacked(row, column, other) if other != row else 1 << column
    for row, column in puzzle.blocked:
        free[row] &= ~(1 << column)
    return free


def attacked(row: int, column: int, other: int) -> int:
    """Return columns of row `other` that a queen attacks, as bits; some are off the board."""
    square, away = 1 << column, abs(other - row)
    return square | square << away | square >> away


def breaks(puzzle: Queens, watch: Watch) -> str:
    """Return a reason why the puzzle has no solution, in words; "" if none is found."""
    board = _PropagatedBoard(puzzle)
    while (line := board.tight_line()) is not None:
        watch.check()
        if not board.squares_of(line, board.free):
            return f"{board.cause([line])} leave no square of {line_text(line, puzzle.n)}"
        board.place(line)
    if crowd := _crowd(board, watch):
        lines, crossing = (lines_listed(each, puzzle.n) for each in crowd)
        return f"{board.cause(crowd[0])} leave {lines} only squares in {crossing}"
    return ""


class _PropagatedBoard:
    """A board with a queen on every row or column that has a single free square.

    Attributes:
        free: The free squares of each row as bits.
        rows: Rows without a queen.
        columns: The columns without a queen, as bits.
    """

    def __init__(self, puzzle: Queens) -> None:
        self.n = puzzle.n
        self.free = free_squares(puzzle)
        self.rows: set[int] = {*range(self.n)} - {row for row, _ in puzzle.given}
        self.columns = ((1 << self.n) - 1) & ~sum(1 << column for _, column in puzzle.given)
        self._at_first = [*self.free]
        self._lines: dict[Square, int] = {}  # line of each queen placed, in order

    def tight_line(self) -> int | None:
        """Return a line without a queen that has no free square, else one that has a single one."""
        once = twice = 0
        single: int | None = None
        for row in sorted(self.rows):
            squares = self.free[row]
            if not squares:
                return row
            if single is None and not squares & (squares - 1):
                single = row
            twice |= once & squares
            once |= squares
        alone = self.columns & ~twice
        if missing := alone & ~once:
            return self.n + next(_bits(missing))
        if single is None and alone:
            return self.n + next(_bits(alone))
        return single

    def squares_of(self, line: int, free: Sequence[int]) -> list[Square]:
        """Return the free squares of a line."""
        if line < self.n:
            return [(line, column) for column in _bits(free[line])]
        column = line - self.n
        return [(row, column) for row in range(self.n) if free[row] >> column & 1]

    def place(self, line: int) -> None:
        """Put a queen on the only square of a line."""
        ((row, column),) = self.squares_of(line, self.free)
        self._lines[row, column] = line
        self.rows.remove(row)
        self.columns &= ~(1 << column)
        for other in {*range(self.n)} - {row}:
            self.free[other] &= ~attacked(row, column, other)
        self.free[row] = 1 << column

    def cause(self, lines: Iterable[int]) -> str:
        """Return why squares of lines are not free, in words: clues, and queens that they force."""
        queens = [*self._lines]
        needed: set[int] = set()
        waiting = [(line, len(queens)) for line in lines]
        while waiting:
            line, end = waiting.pop()
            for row, column in self.squares_of(line, self._at_first):
                for place in range(end):
                    if _meet(queens[place], (row, column)):
                        if place not in needed:
                            needed.add(place)
                            waiting.append((self._lines[queens[place]], place))
                        break
        if not needed:
            return CLUES
        squares = [f"in {cell_text(*queens[place])}" for place in sorted(needed)]
        if len(squares) > MOST_NAMED:
            squares[MOST_NAMED - 1 :] = [f"on {len(squares) - MOST_NAMED + 1} other squares"]
        return f"{CLUES} force queens {listed(squares)}, which"


def _crowd(board: _PropagatedBoard, watch: Watch) -> tuple[list[int], list[int]] | None:
    """Return lines whose free squares are on fewer lines of the other kind, and those other lines.

    The first are rows and the others columns, or vice versa; None if there are no such lines.
    Each row is matched to a column of its own by augmenting paths. If there is no path for a
    row, the rows and columns that the search has reached are such sets.
    """
    owners: dict[int, int] = {}  # row of each column
    for start in sorted(board.rows):
        watch.check()
        found = _path(board.free, owners, start)
        if isinstance(found, list):
            owners.update(found)
            continue
        rows, columns = found
        others = board.rows - rows
        if len(others) < len(rows) - 1:  # the statement about the other columns is shorter
            lines = [board.n + column for column in _bits(board.columns) if column not in columns]
            return lines, [*others]
        return [*rows], [board.n + column for column in columns]
    return None


def _path(
    free: Sequence[int], owners: dict[int, int], start: int
) -> list[Square] | tuple[set[int], set[int]]:
    """Return (column, new row) along an augmenting path; else the reached (rows, columns)."""
    before: dict[int, int] = {}  # row from which each column was reached
    rows, reached = [start], 0
    for row in rows:
        for column in _bits(free[row] & ~reached):
            before[column] = row
            if column not in owners:
                return _changes(owners, before, start, column)
            rows.append(owners[column])
        reached |= free[row]
    return {*rows}, {*before}


def _changes(
    owners: dict[int, int], before: dict[int, int], start: int, column: int
) -> list[Square]:
    """Return (column, new row) along the augmenting path that ends at a free column."""
    owned = {row: column for column, row in owners.items()}
    changes = [(column, before[column])]
    while changes[-1][1] != start:
        column = owned[changes[-1][1]]
        changes.append((column, before[column]))
    return changes


def _meet(queen: Square, square: Square) -> bool:
    """True if a queen attacks a square or is on it."""
    down, across = abs(queen[0] - square[0]), abs(queen[1] - square[1])
    return not down or not across or down == across


def _bits(word: int) -> Iterator[int]:
    """Yield the numbers of the bits that are set, ascending."""
    while word:
        yield (word & -word).bit_length() - 1
        word &= word - 1
