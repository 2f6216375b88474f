"""The formula of a puzzle, a second time: written from its description, for the verifier alone.

Nothing here is shared with `nonosat.encodings` or `nonosat.board`; `verify` compares both, clause
by clause, and tests hold them equal. In the lean order encoding, block b of an open line has
slack + 1 starts, and variable i of it (i < slack) says "at most i cells behind its first start";
for i < 0 that is false, for i >= slack true. A block of unknown length counts as one cell and has
a second row of variables, for its end; of the others the end is the start, moved.

Variables: 1 + (k * height + row) * width + column is "the cell has colour k + 1". Then, line by
line, rows first, the variables of the blocks: `slack` a block, twice as many for unknown length.

Clauses: a unit for each given cell and colour, at most one colour a cell (in pairs), the lines.
Size: O(n + k s) clauses for a line of n cells, k blocks and slack s.

Source: Tamura, Taga, Kitagawa, Banbara, "Compiling finite linear CSP into SAT" (Constraints, 2009).
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise

from nonosat.core.errors import counted
from nonosat.core.model import Clue
from nonosat.core.wording import line_text
from nonosat.puzzles.nonogram.data import Nonogram

YES = 2**31 - 1  # stands for true in a clause under way, its negation for false
NO = -YES


class Bound:
    """ "At most i cells behind the first place", for any i."""

    def __init__(self, place: int, first_var: int, slack: int) -> None:
        self.place, self._first, self._slack = place, first_var, slack

    def by(self, cell: int) -> int:
        """The literal "at or before this cell"; YES or NO where that is certain."""
        behind = cell - self.place
        if behind < 0:
            return NO
        return YES if behind >= self._slack else self._first + behind


class OpenLine:
    """The variables of one line.

    Attributes:
        starts, ends: A `Bound` for the first and the last cell of each block.
        next_var: The first variable that belongs to the next line.
        slack: Negative when the blocks do not fit.
    """

    def __init__(self, clue: Clue, length: int, next_var: int) -> None:
        gaps = [int(before.colour == after.colour) for before, after in pairwise(clue)]
        least = [block.length or 1 for block in clue]
        self.slack = length - sum(least) - sum(gaps)
        self.starts: list[Bound] = []
        self.ends: list[Bound] = []
        self.next_var = next_var
        if self.slack < 0:
            return
        place = 0
        for block, size, gap in zip(clue, least, [*gaps, 0], strict=False):
            self.starts.append(Bound(place, self.next_var, self.slack))
            if block.length is None:
                self.next_var += self.slack
            self.ends.append(Bound(place + size - 1, self.next_var, self.slack))
            self.next_var += self.slack
            place += size + gap


def line_clauses(
    clue: Clue, length: int, line: OpenLine, cells: Sequence[Sequence[int]]
) -> Iterator[list[int]]:
    """The clauses of a line, with the constants in them; `cells` has a row for each colour."""
    if line.slack < 0:
        yield []
        return
    starts, ends = line.starts, line.ends
    for b, (block, start, end) in enumerate(zip(clue, starts, ends, strict=True)):
        yield from _implied(start, start, line.slack, 1)
        if block.length is None:
            yield from _implied(end, end, line.slack, 1)
            yield from _implied(end, start, line.slack, 0)
        if b:
            yield from _implied(start, ends[b - 1], line.slack, 0)
    for block, start, end in zip(clue, starts, ends, strict=True):
        for cell in range(start.place, end.place + line.slack + 1):
            yield [-start.by(cell), end.by(cell - 1), cells[block.colour - 1][cell]]
    for b in range(len(clue) + 1):  # the gap before block b
        first = ends[b - 1].place + 1 if b else 0
        stop = starts[b].place + line.slack if b < len(clue) else length
        for plane in cells:
            for cell in range(first, stop):
                ended = ends[b - 1].by(cell - 1) if b else YES
                begun = starts[b].by(cell) if b < len(clue) else NO
                yield [-ended, begun, -plane[cell]]


def _implied(one: Bound, other: Bound, slack: int, more: int) -> Iterator[list[int]]:
    """One block at most i cells behind its first place: then the other at most i + more."""
    for behind in range(slack):
        yield [-one.by(one.place + behind), other.by(other.place + behind + more)]


def clauses_by_part(puzzle: Nonogram) -> Iterator[tuple[str, Iterator[list[int]], int]]:
    """(name, clauses, variables used so far) of the cells, then of each line, rows first.

    In the clauses, YES and NO still stand (see `put`).
    """
    height, width, num_colours = puzzle.height, puzzle.width, len(puzzle.colours)
    size = height * width
    num_vars = size * num_colours
    yield "the cells", _cells(puzzle), num_vars
    planes = range(1, num_vars + 1, size)
    for index, clue in enumerate((*puzzle.rows, *puzzle.columns)):
        name = line_text(index, height)
        if index < height:
            length, first, step = width, index * width, 1
        else:
            length, first, step = height, index - height, width
        cells = [range(at + first, at + first + length * step, step) for at in planes]
        line = OpenLine(clue, length, num_vars + 1)
        num_vars = line.next_var - 1
        yield name, line_clauses(clue, length, line, cells), num_vars


def _cells(puzzle: Nonogram) -> Iterator[list[int]]:
    """Clauses for the given cells, and for one colour a cell."""
    size = puzzle.height * puzzle.width
    colours = range(len(puzzle.colours))
    for row, column, colour in puzzle.given:
        cell = 1 + row * puzzle.width + column
        yield from ([cell + k * size if k + 1 == colour else -cell - k * size] for k in colours)
    for cell in range(1, size + 1) if len(colours) > 1 else ():
        pairs = combinations(range(cell, cell + len(colours) * size, size), 2)
        yield from ([-one, -other] for one, other in pairs)


def forbidding(puzzle: Nonogram, cells: Sequence[int]) -> list[int]:
    """The clause that another picture than this one (a byte a cell) satisfies."""
    size = puzzle.height * puzzle.width
    return [
        -(cell + k * size) if colour == k + 1 else cell + k * size
        for k in range(len(puzzle.colours))
        for cell, colour in enumerate(cells, start=1)
    ]


def put(clause: list[int], clauses: array[int]) -> None:
    """Append a clause: nothing where YES makes it true, and without NO."""
    if YES not in clause:
        clauses.extend([lit for lit in clause if lit != NO] if NO in clause else clause)
        clauses.append(0)


def difference(
    puzzle: Nonogram, cells: Sequence[int] | None, num_vars: int, clauses: array[int]
) -> str | None:
    """Where a formula is not the one of the puzzle, or None.

    The order inside a line (of clauses, and of literals in them) does not matter.

    Args:
        puzzle: The clues.
        cells: The solution that the formula's last clause forbids; None when there is none.
        num_vars: Of the formula.
        clauses: Of the formula, each ended by 0.
    """
    at, num_wanted = 0, 0
    for name, wanted, num_used in clauses_by_part(puzzle):
        num_wanted = num_used
        if num_wanted > num_vars:  # also clues that ask for more variables than 32 bits tell apart
            num_found = counted(num_vars, "variable")
            return f"the formula has {num_found}, up to {name} alone the clues need {num_wanted}"
        flat, most = array("i"), len(clauses) - at  # clues may ask for more than memory holds
        for clause in wanted:
            put(clause, flat)
            if len(flat) > most:
                break
        found = clauses[at : at + len(flat)]
        at += len(flat)
        if found != flat and not _agree(found, flat):
            return f"the clauses of {name} are not those that the clues ask for"
    if cells is not None:
        last = array("i", [*forbidding(puzzle, cells), 0])
        found = clauses[at : at + len(last)]
        at += len(found)
        if not _agree(found, last):
            return "the last clause does not forbid the solution"
    if at != len(clauses):
        more = counted(clauses[at:].count(0), "clause")
        return f"the formula has {more} more than the clues ask for"
    if num_vars == num_wanted:
        return None
    return f"the formula has {counted(num_vars, 'variable')}, expected {num_wanted}"


def _agree(one: array[int], other: array[int]) -> bool:
    """The same clauses, in any order."""
    whole = len(one) == len(other) and one.count(0) == other.count(0) and one[-1:] == other[-1:]
    return whole and _sorted(one) == _sorted(other)


def _sorted(clauses: array[int]) -> list[list[int]]:
    found: list[list[int]] = [[]]
    for lit in clauses:
        if lit:
            found[-1].append(lit)
        else:
            found[-1].sort()
            found.append([])
    return sorted(found)
