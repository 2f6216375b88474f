"""Switches: independent parts of the cells in which two solutions of the same clues differ.

Whether a set of cells is a switch depends on nearby cells only. In each line with cells of the set,
let a window reach from the cell before the first of them to the cell after the last one. The window
has the same runs before and after the change, and begins and ends with the same cells; so the clues
stay the same when the cells change, for any values outside of the windows. Therefore a picture that
agrees with ours in all windows has another solution, too.

With blocks of unknown length the runs may differ: then a window ends after a cell at which both
lines have begun equally many blocks, and equally much of a block of known length.

Time is linear in the number of cells in the lines that contain a differing cell.

Windows are not always the finest parts: `#.#....` and `....#.#` have one window, yet the first and
the last cell that differ can change without the other two. `finest_switches` divides the parts
further: it joins the changes that each window allows, as relations, and divides a set of changes
while all combinations of the pieces are among the joined ones. Parts with many cells or very
many changes stay whole.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, pairwise
from typing import NamedTuple

from nonosat.core.grid import Grid
from nonosat.core.limits import polled
from nonosat.core.model import Block, Clue
from nonosat.puzzles.nonogram.data import clue_of
from nonosat.questions.union_find import UnionFind

# State of a line after a cell: number of blocks begun, and 0 if the cell is empty, else the number
# of cells of the last block so far (1 if its length is unknown). Equal states allow equal rests.
State = tuple[int, int]
START: State = (0, 0)

LEAST_OF_KNOWN = 4  # cells of a switch of known lengths: two each in two rows and two columns
MOST_CELLS = 256  # of a part that is divided further
MOST_CHANGES = 1024  # allowed by a window, or by some windows of a part


class _Window(NamedTuple):
    """A window of a line: places `start` to `stop` - 1, and the differing cells in it.

    `mine` and `other` are the line in both pictures. Lines are numbered, rows first. The clue
    is None if it has no unknown lengths. `begun` is the number of its blocks that end before
    the window.
    """

    line: int
    mine: bytes
    other: bytes
    clue: Clue | None
    begun: int
    start: int
    stop: int
    cells: list[int]


class _Relation(NamedTuple):
    """Sets of cells that may change together without changing the clue of one window.

    A set is an integer with one bit for each cell of the part.
    """

    mask: int  # all cells of the window
    changes: set[int]


def switches(
    mine: Grid, other: Grid, clues: tuple[Sequence[Clue], Sequence[Clue]] | None = None
) -> list[list[int]]:
    """Divide the cells in which two pictures differ into parts that share no window.

    Args:
        mine: A picture.
        other: Another picture with the same clues.
        clues: Clues of the rows and of the columns that both satisfy; None if these are the
            clues of the pictures themselves, without unknown lengths.

    Returns:
        Parts as lists of row-major cells. Each is a switch of its own: it changes whole windows,
        so the clues stay satisfied, independently of the other parts.
    """
    return _apart(mine, other, mine.differing(other), clues or ((), ()))


def finest_switches(
    mine: Grid, other: Grid, differing: list[int], clues: tuple[Sequence[Clue], Sequence[Clue]]
) -> list[list[int]]:
    """Divide the cells in which two solutions of the same clues differ as finely as possible.

    Args:
        mine: A solution.
        other: Another solution.
        differing: The cells in which they differ, in order.
        clues: Clues of the rows and of the columns.

    Returns:
        Parts as ascending lists of row-major cells. Changing the cells of any part leads from
        either solution to a solution. Parts are as small as possible, except those that have
        more than `MOST_CELLS` cells or `MOST_CHANGES` changes, or that in a line surround cells
        of another part.
    """
    found = _apart(mine, other, differing, clues)
    loose = tuple({line for line, clue in enumerate(one) if _is_loose(clue)} for one in clues)
    divisible = [part for part in found if _may_divide(part, loose, mine.width)]
    # Windows are built only for these: most parts of large boards have four cells.
    number = {cell: at for at, part in enumerate(divisible) for cell in part}
    windows_of: list[list[_Window]] = [[] for _ in divisible]
    for window in _windows_of(mine, other, sorted(number), clues):
        windows_of[number[window.cells[0]]].append(window)
    whole = [part for part in found if part[0] not in number]
    return whole + [
        finer
        for part, its_windows in zip(divisible, windows_of, strict=True)
        for finer in _divided(part, its_windows)
    ]


def _may_divide(part: list[int], loose: tuple[set[int], ...], width: int) -> bool:
    """Return True if a part is not too large for an attempt to divide it.

    Args:
        part: The cells of the part.
        loose: Rows and columns whose clues have unknown lengths.
        width: Number of columns of the board.
    """
    if len(part) >= 2 * LEAST_OF_KNOWN or not any(loose):
        return 2 * LEAST_OF_KNOWN <= len(part) <= MOST_CELLS
    rows, columns = loose
    places = (divmod(cell, width) for cell in part)
    return len(part) > 1 and any(row in rows or column in columns for row, column in places)


def parts(grid: Grid, cells: Iterable[int]) -> list[list[int]]:
    """Divide cells of a board into parts that share no line.

    Args:
        grid: Any grid of the board's size.
        cells: Row-major numbers, ascending, as are those of each part.
    """
    every = list(cells)
    rows, columns = by_lines(every, grid.width)
    groups = [[row * grid.width + place for place in places] for row, places in rows.items()]
    groups += [
        [place * grid.width + column for place in places] for column, places in columns.items()
    ]
    return _joined(every, groups)


def _apart(
    mine: Grid, other: Grid, differing: list[int], clues: tuple[Sequence[Clue], Sequence[Clue]]
) -> list[list[int]]:
    """Divide the cells in which two pictures differ into parts that share no window.

    The arguments are those of `_windows_of`, which is not used because building its records takes
    long for thousands of small parts.
    """
    groups = (
        cells[bisect_left(places, start) : bisect_left(places, stop)]
        for _, pair, clue, places, cells in _lines_of(mine, other, differing, clues)
        for start, stop in windows(*pair, places, clue)
    )
    return _joined(differing, groups)


def _windows_of(
    mine: Grid, other: Grid, differing: list[int], clues: tuple[Sequence[Clue], Sequence[Clue]]
) -> Iterator[_Window]:
    """Yield the windows that contain differing cells, line by line, those of a line in order.

    Args:
        mine: A picture.
        other: Another picture.
        differing: The cells in which they differ, or those of some windows, in order.
        clues: Clues of the rows and of the columns; empty if they are those of the pictures.
    """
    for line in _lines_of(mine, other, differing, clues):
        yield from _windows_in(*line)


def _lines_of(
    mine: Grid, other: Grid, differing: list[int], clues: tuple[Sequence[Clue], Sequence[Clue]]
) -> Iterator[tuple[int, tuple[bytes, bytes], Clue | None, list[int], list[int]]]:
    """Yield the arguments of `_windows_in` for each line that contains a differing cell."""
    width = mine.width
    rows, columns = by_lines(differing, width)
    for row, places in rows.items():
        cells = [row * width + place for place in places]
        yield row, (mine.row(row), other.row(row)), _loose(clues[0], row), places, cells
    for column, places in columns.items():
        pair = mine.column(column), other.column(column)
        cells = [place * width + column for place in places]
        yield mine.height + column, pair, _loose(clues[1], column), places, cells


def _windows_in(
    line: int, pair: tuple[bytes, bytes], clue: Clue | None, places: list[int], cells: list[int]
) -> Iterator[_Window]:
    """Yield the windows of a line; `cells` are the numbers of the places."""
    mine, other = pair
    num_begun, seen = 0, 0
    for start, stop in windows(mine, other, places, clue):
        begun = 0
        if clue:
            num_begun += _num_begun(mine, seen, start)
            begun, seen = num_begun, start
            if start and mine[start] and mine[start] == mine[start - 1]:
                begun -= 1
        inside = cells[bisect_left(places, start) : bisect_left(places, stop)]
        if inside:
            yield _Window(line, mine, other, clue, begun, start, stop, inside)


def _num_begun(line: bytes, start: int, stop: int) -> int:
    """Return the number of runs that begin in a part of a line."""
    before = line[start - 1] if start else 0
    num = 0
    for value in line[start:stop]:
        num += value not in (0, before)
        before = value
    return num


def _loose(clues: Sequence[Clue], line: int) -> Clue | None:
    """Return the clue of a line if it has blocks of unknown length."""
    return clues[line] if clues and _is_loose(clues[line]) else None


def _is_loose(clue: Clue) -> bool:
    """Return True if a clue has blocks of unknown length."""
    return None in chain.from_iterable(clue)  # no colour is None


def by_lines(cells: Iterable[int], width: int) -> tuple[dict[int, list[int]], dict[int, list[int]]]:
    """Return the columns of the cells in each row, and their rows in each column."""
    rows: dict[int, list[int]] = {}
    columns: dict[int, list[int]] = {}
    for cell in polled(cells):
        row, column = divmod(cell, width)
        rows.setdefault(row, []).append(column)
        columns.setdefault(column, []).append(row)
    return rows, columns


def _joined(cells: Sequence[int], groups: Iterable[Sequence[int]]) -> list[list[int]]:
    """Divide cells into parts such that each group lies in one part."""
    joining = UnionFind(cells)
    for group in groups:
        joining.join(group)
    return joining.parts()


def surroundings(mine: Grid, switch: Sequence[int], other: Grid) -> list[int]:
    """Return all cells of the windows of a switch; a picture equal to `mine` there has it, too.

    Args:
        mine: A picture.
        switch: Cells in which `other` differs from it; one of `switches`.
        other: A picture with the same clues.

    Returns:
        Cells, row-major, including those of the switch.
    """
    width = mine.width
    found = set[int]()
    rows, columns = by_lines(switch, width)
    for row, places in rows.items():
        for start, stop in windows(mine.row(row), other.row(row), places):
            found.update(range(row * width + start, row * width + stop))
    for column, places in columns.items():
        for start, stop in windows(mine.column(column), other.column(column), places):
            found.update(range(start * width + column, stop * width + column, width))
    return sorted(found)


def windows(
    mine: bytes, other: bytes, places: Sequence[int], clue: Clue | None = None
) -> Iterator[tuple[int, int]]:
    """Yield the smallest windows (start, stop) of a line that hold all places where it differs.

    Args:
        mine: The line of a picture.
        other: The same line of another picture with the same clue.
        places: Places where they differ, in order.
        clue: Clue of the line, if it has blocks of unknown length.
    """
    return _loose_windows(mine, other, clue) if clue else _tight_windows(mine, other, places)


def _tight_windows(mine: bytes, other: bytes, places: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield the windows of two lines with the same runs.

    A window may end after any place up to which both lines have equally many filled cells: the
    beginnings then have the same runs, because the whole lines have.
    """
    first = places[0]
    more = 0  # filled cells of `mine` in the window
    for place, following in pairwise([*places, len(mine) + 2]):
        more += bool(mine[place]) - bool(other[place])
        if not more and following >= place + 2:
            yield max(first - 1, 0), min(place + 2, len(mine))
            first = following


def _loose_windows(mine: bytes, other: bytes, clue: Clue) -> Iterator[tuple[int, int]]:
    """Yield the windows of two solutions of a clue with unknown lengths."""
    first: int | None = None
    one = another = START
    for at, (value, changed) in enumerate(zip(mine, other, strict=True)):
        one, another = _after(one, value, clue), _after(another, changed, clue)
        if value != changed and first is None:
            first = at
        if one == another and first is not None:
            yield max(first - 1, 0), at + 1
            first = None
    if first is not None:
        yield max(first - 1, 0), len(mine)


def _after(state: State, value: int, clue: Clue) -> State:
    """Return the state after one more cell of a line that satisfies the clue.

    A state is (number of blocks begun, length so far of a block that may continue, else 0).
    """
    begun, length = state
    if not value:
        return begun, 0
    if not length or clue[begun - 1].colour != value:
        return begun + 1, 1
    return begun, length if clue[begun - 1].length is None else length + 1


def _divided(part: list[int], its_windows: list[_Window]) -> list[list[int]]:
    """Divide a part that `switches` returned into the finest independent parts."""
    bit = {cell: 1 << at for at, cell in enumerate(part)}
    relations: list[_Relation] = []
    for window in _merged(its_windows):
        found = _changes(window, [bit[cell] for cell in window.cells])
        if found is None:
            return [part]
        relations.append(_Relation(sum(bit[cell] for cell in window.cells), found))
    every = _joined_changes(relations)
    if every is None:
        return [part]
    groups = _finest(every, (1 << len(part)) - 1)
    return [[cell for at, cell in enumerate(part) if group >> at & 1] for group in groups]


def _merged(its_windows: Iterable[_Window]) -> list[_Window]:
    """Return the windows of a part, joined if no cell of their line between them differs."""
    found: list[_Window] = []
    for window in its_windows:
        before = found[-1] if found else None
        if before and before.line == window.line:
            between = slice(before.stop, window.start)
            if window.mine[between] == window.other[between]:
                found.pop()
                cells = before.cells + window.cells
                window = window._replace(begun=before.begun, start=before.start, cells=cells)
        found.append(window)
    return found


def _clue_within(window: _Window) -> Clue:
    """Return the clue of a window: its runs, with unknown lengths for blocks that have them."""
    clue, runs = window.clue, clue_of(window.mine[window.start : window.stop])
    if clue is None:
        return runs
    blocks = clue[window.begun : window.begun + len(runs)]
    return tuple(
        Block(block.length and run.length, run.colour)
        for run, block in zip(runs, blocks, strict=True)
    )


def _changes(window: _Window, bits: Iterable[int]) -> set[int] | None:
    """Return the sets of cells whose change keeps a window's clue; None if they are too many.

    Args:
        window: May hold no differing cells of other parts.
        bits: For each differing cell of the window the bit that represents it in a set.
    """
    left, clue = iter(bits), _clue_within(window)
    found: dict[State, set[int]] = {START: {0}}
    for at in range(window.start, window.stop):
        value, changed = window.mine[at], window.other[at]
        further: defaultdict[State, set[int]] = defaultdict(set)
        ways = [(value, 0), (changed, next(left))] if value != changed else [(value, 0)]
        for state, sets in found.items():
            for taken, bit in ways:
                if _may_follow(state, taken, clue):
                    further[_after(state, taken, clue)].update(one | bit for one in sets)
        found = further
        if sum(map(len, found.values())) > MOST_CHANGES:
            return None
    ends = (sets for state, sets in found.items() if _is_end(state, clue))
    return set[int]().union(*ends)


def _may_follow(state: State, value: int, clue: Clue) -> bool:
    """Return True if the next cell may have `value` when the cells before it led to `state`."""
    begun, length = state
    if length:
        block = clue[begun - 1]
        if block.colour == value:
            return block.length is None or length < block.length
        if block.length not in (None, length):
            return False
    return not value or (begun < len(clue) and clue[begun].colour == value)


def _is_end(state: State, clue: Clue) -> bool:
    """Return True if a line in this state satisfies the clue."""
    begun, length = state
    return begun == len(clue) and (not length or clue[-1].length in (None, length))


def _joined_changes(relations: list[_Relation]) -> set[int] | None:
    """Return the sets of cells that all relations allow; None if they are too many."""
    left, found, known = list(relations), {0}, 0
    while left:
        relation = max(left, key=lambda one: (one.mask & known).bit_count())
        left.remove(relation)
        overlap = relation.mask & known
        by_overlap: defaultdict[int, list[int]] = defaultdict(list)
        for change in relation.changes:
            by_overlap[change & overlap].append(change)
        found = {one | more for one in found for more in by_overlap[one & overlap]}
        known |= relation.mask
        if len(found) > MOST_CHANGES:
            return None
    return found


def _finest(changes: set[int], whole: int) -> list[int]:
    """Divide a set as finely as possible, such that all unions of parts are in `changes`.

    The smallest subset that can be a part is taken first.
    """
    left, done = [whole], list[int]()
    while left:
        part = left.pop()
        unions = [0]
        for one in left + done:
            unions += [union | one for union in unions]
        inside = (one for one in changes if one and one != part and one | part == part)
        for one in sorted(inside, key=lambda one: (one.bit_count(), one)):
            if all({union | one, union | part ^ one} <= changes for union in unions):
                left += [part ^ one, one]
                break
        else:
            done.append(part)
    return done
