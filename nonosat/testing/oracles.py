"""Oracles of tests: enumeration, a cell-by-cell dynamic program, a small unit propagator.

| oracle | subject | up to about |
|---|---|---|
| `placements`, `fillings`, `clues`, `partials` | all variants of a line | 12 cells |
| `open_fillings` | a line with an open clue | 10 cells |
| `enumerated_support`, `line_support` | possible values of each cell of a line | 12, 100 cells |
| `solutions` | a nonogram | 50 cells at once; most of 100 |
| `slitherlink_solutions` | a Slitherlink | 16 cells |
| `lane_pictures` | a board of lanes, such as a triddler | 40 cells |
| `queens_solutions` | n queens | 10 queens |
| `knight_solutions` | a knight's tour | 16 squares |
| `models` | clauses | 20 variables |
| `nonosat.testing.strategies.models.solutions_of` | a `Model` of all kinds | 16 variables |

Larger puzzles raise UnsupportedError. A smaller nonogram takes long, too, if it has very many
solutions; then use a limit.

Nothing here uses the code under test, except for the plain data (`Block`, puzzles). The three
oracles for a line are independent: `placements` places blocks, `matches` reads a finished line, and
`line_support` runs an automaton over the cells.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from itertools import groupby, islice, product
from typing import Any, NamedTuple

from nonosat.core.errors import UnsupportedError, counted, shown
from nonosat.core.grid import Grid
from nonosat.core.limits import checkpoint
from nonosat.core.model import AnyBlocks, Block, BlockOf, Clue, Entry, OpenClue
from nonosat.core.plugins import Puzzle
from nonosat.puzzles.knight.data import Knight
from nonosat.puzzles.lanes.data import LaneNonogram
from nonosat.puzzles.nonogram.data import Nonogram
from nonosat.puzzles.queens.data import Queens
from nonosat.puzzles.ranges.data import RangeNonogram
from nonosat.puzzles.slitherlink.data import Slitherlink
from nonosat.testing.boards import check_kind, paths_of, placements_of, tours_of
from nonosat.testing.boards import (
    knight_solutions as knight_solutions,
)
from nonosat.testing.boards import (
    queens_solutions as queens_solutions,
)
from nonosat.testing.boards import (
    slitherlink_solutions as slitherlink_solutions,
)

MOST_CELLS = 1_000  # of a nonogram; larger ones take long even if they are easy
Known = Sequence[frozenset[int]]  # possible values of each cell of a line


def _check(clue: Clue, known: Known = ()) -> None:
    """Raise UnsupportedError unless the arguments are blocks and sets of values."""
    for block in clue:
        if not isinstance(block, Block):
            raise UnsupportedError(f"a block is {shown(block)}, expected Block(length, colour)")
    for values in known:
        if not isinstance(values, Set):
            raise UnsupportedError(
                f"a cell is {shown(values)}, expected the set of the values that it may have: "
                "{0, 1} for an unknown one"
            )


def free(length: int, num_colours: int = 1) -> list[frozenset[int]]:
    """Return a line without known cells."""
    return [frozenset(range(num_colours + 1))] * length


def partials(length: int, num_colours: int = 1) -> Iterator[list[frozenset[int]]]:
    """Yield every state of knowledge about a line: a non-empty set of values for each cell."""
    values = range(num_colours + 1)
    sets = [frozenset(v for v in values if mask >> v & 1) for mask in range(1, 2 << num_colours)]
    return (list(known) for known in product(sets, repeat=length))


# Clues


def clues(length: int, num_colours: int = 1, *, unknown: bool = False) -> Iterator[Clue]:
    """Yield every clue that fits into a line; with `unknown` also blocks of length None."""
    yield ()
    if length < 1:
        return
    sizes = [*range(1, length + 1), *([None] if unknown else [])]
    for size, colour in product(sizes, range(1, num_colours + 1)):
        block = Block(size, colour)
        for rest in clues(length - (size or 1), num_colours, unknown=unknown):
            if not rest or rest[0].colour != colour:
                yield (block, *rest)
        for rest in clues(length - (size or 1) - 1, num_colours, unknown=unknown):
            if rest and rest[0].colour == colour:
                yield (block, *rest)


def matches(clue: Clue, cells: Sequence[int]) -> bool:
    """Return True if the runs of a finished line are the blocks of the clue."""
    runs = [(colour, len(list(run))) for colour, run in groupby(cells) if colour]
    return len(runs) == len(clue) and all(
        colour == block.colour and block.length in (None, length)
        for (colour, length), block in zip(runs, clue, strict=True)
    )


# A line by enumeration


def placements(clue: Clue, length: int, at: int = 0) -> Iterator[tuple[tuple[int, int], ...]]:
    """Yield for every placement from cell `at` on the (first, last) cell of each block."""
    if not clue:
        yield ()
        return
    (size, colour), rest = clue[0], clue[1:]
    gap = bool(rest) and rest[0].colour == colour
    for start in range(at, length):
        for end in range(start, length) if size is None else [start + size - 1]:
            if end < length:
                for others in placements(rest, length, end + 1 + gap):
                    yield ((start, end), *others)


def paint(clue: Clue, length: int, placement: Iterable[tuple[int, int]]) -> bytes:
    """Return the line with the blocks at these positions, one byte per cell."""
    cells = bytearray(length)
    for (_, colour), (start, end) in zip(clue, placement, strict=True):
        cells[start : end + 1] = bytes([colour]) * (end - start + 1)
    return bytes(cells)


def fillings(clue: Clue, length: int) -> Iterator[bytes]:
    """Yield every finished line with this clue."""
    _check(clue)
    return (paint(clue, length, placement) for placement in placements(clue, length))


def open_fillings(clue: OpenClue, length: int, num_colours: int = 1) -> Iterator[bytes]:
    """Yield every finished line of an open clue: every line that its regular expression matches."""
    pattern = re.compile(rb"0*" + rb"0*".join(map(_pattern, clue)) + rb"0*")
    digits = bytes.maketrans(bytes(range(10)), b"0123456789")
    lines = map(bytes, product(range(num_colours + 1), repeat=length))
    return (cells for cells in lines if pattern.fullmatch(cells.translate(digits)))


def _pattern(entry: Entry) -> bytes:
    """Return the regular expression of an entry; it begins and ends between runs."""
    match entry:
        case AnyBlocks():
            return b".*"
        case Block(length, colour):
            sizes = b"+" if length is None else b"{%d}" % length
        case BlockOf(range() as lengths, colour):
            sizes = b"{%d,%d}" % (lengths[0], min(lengths[-1], 60_000))  # the most that `re` takes
        case BlockOf(lengths, colour):
            among = b"|".join(b"%d{%d}" % (colour, length) for length in lengths)
            return b"(?<!%d)(?:%s)(?!%d)" % (colour, among, colour)
    return b"(?<!%d)%d%s(?!%d)" % (colour, colour, sizes, colour)


class Support(NamedTuple):
    """Possible values of each cell of a line, and possible first and last cells of each block."""

    values: tuple[frozenset[int], ...]
    starts: tuple[frozenset[int], ...]
    ends: tuple[frozenset[int], ...]


def agrees(cells: bytes, known: Known) -> bool:
    return all(value in values for value, values in zip(cells, known, strict=True))


def support_of(
    pairs: Iterable[tuple[tuple[tuple[int, int], ...], bytes]], known: Known
) -> Support | None:
    """Return the support by the (placement, line) pairs that agree with `known`, if any does."""
    left = [(placement, cells) for placement, cells in pairs if agrees(cells, known)]
    if not left:
        return None
    blocks = list(zip(*(placement for placement, _ in left), strict=True))
    return Support(
        tuple(frozenset(column) for column in zip(*(cells for _, cells in left), strict=True)),
        tuple(frozenset(start for start, _ in block) for block in blocks),
        tuple(frozenset(end for _, end in block) for block in blocks),
    )


def enumerated_support(clue: Clue, known: Known) -> Support | None:
    """Return the same as `line_support`, by enumeration of placements."""
    _check(clue, known)
    length = len(known)
    return support_of(((p, paint(clue, length, p)) for p in placements(clue, length)), known)


# A line by dynamic programming over its cells

_State = tuple[int, int]  # blocks begun, cells of the last one so far (0: it has ended)


def _steps(clue: Clue, state: _State) -> Iterator[tuple[int, _State]]:
    """Yield (value of the next cell, next state) for all transitions."""
    begun, size = state
    block = clue[begun - 1] if size else None
    if block and (block.length is None or size < block.length):
        yield block.colour, (begun, min(size + 1, block.length or 1))
    if block and block.length is not None and size < block.length:
        return
    yield 0, (begun, 0)
    if begun < len(clue) and (block is None or clue[begun].colour != block.colour):
        yield clue[begun].colour, (begun + 1, 1)


def _is_final(clue: Clue, state: _State) -> bool:
    begun, size = state
    whole = size == 0 or clue[begun - 1].length in (None, size)
    return begun == len(clue) and whole


def line_support(clue: Clue, known: Known) -> Support | None:
    """Return the values, starts and ends of all fillings that agree with `known`.

    Return None if no filling agrees.

        >>> clue, nothing = (Block(2), Block(1)), free(5)
        >>> line_support(clue, nothing).values[1]  # the second of five cells is filled
        frozenset({1})

    Args:
        clue: The blocks.
        known: Possible values of each cell: 0 is empty, 1 the first colour.

    Raises:
        UnsupportedError: The arguments are not blocks, or not sets of values.
    """
    _check(clue, known)
    layers: list[set[_State]] = [{(0, 0)}]
    for values in known:
        steps = (step for state in layers[-1] for step in _steps(clue, state))
        layers.append({after for value, after in steps if value in values})
    alive = {state for state in layers[-1] if _is_final(clue, state)}
    if not alive:
        return None
    cells: list[frozenset[int]] = []
    starts: list[set[int]] = [set() for _ in clue]
    ends: list[set[int]] = [set() for _ in clue]
    for begun, size in alive:
        if size:
            ends[begun - 1].add(len(known) - 1)
    for place in reversed(range(len(known))):
        used = [
            (before, value, after)
            for before in layers[place]
            for value, after in _steps(clue, before)
            if value in known[place] and after in alive
        ]
        for (begun, size), value, after in used:
            if value and after[0] > begun:
                starts[begun].add(place)
            if size and (value == 0 or after[0] > begun):
                ends[begun - 1].add(place - 1)
        cells.append(frozenset(value for _, value, _ in used))
        alive = {before for before, _, _ in used}
    return Support(
        tuple(reversed(cells)), tuple(map(frozenset, starts)), tuple(map(frozenset, ends))
    )


# Puzzles


def _alive(clue: Clue, length: int) -> list[set[_State]]:
    """Return, for each number of cells read, the states on paths to an accepted line."""
    layers: list[set[_State]] = [{(0, 0)}]
    for _ in range(length):
        layers.append({after for state in layers[-1] for _, after in _steps(clue, state)})
    layers[-1] = {state for state in layers[-1] if _is_final(clue, state)}
    for place in reversed(range(length)):
        layers[place] = {
            state
            for state in layers[place]
            if any(after in layers[place + 1] for _, after in _steps(clue, state))
        }
    return layers


def solutions(puzzle: Nonogram, limit: int | None = None) -> set[bytes]:
    """Return the solutions of a nonogram, cell by cell along the automata of both lines.

    Exponential in the number of cells, but a line that cannot be finished ends a branch: 50 cells
    take some milliseconds, 100 mostly less than a second.

    Args:
        puzzle: Any nonogram, with or without unknown lengths and given cells.
        limit: Maximum number of solutions; None for all.

    Returns:
        Row-major bytes, one byte per cell.

    Raises:
        NotAPuzzleError: The argument is not a nonogram.
        UnsupportedError: It has more than `MOST_CELLS` cells, or the limit is below 0.
    """
    check_kind(puzzle, Nonogram)
    if limit is not None and (type(limit) is not int or limit < 0):
        raise UnsupportedError(f"limit is {shown(limit)}, expected 0 or more (or None for all)")
    if puzzle.height * puzzle.width > MOST_CELLS:
        raise UnsupportedError(
            f"{counted(puzzle.height * puzzle.width, 'cell')}, brute force is for at most "
            f"{MOST_CELLS}; nonosat.solutions takes larger boards"
        )
    return set(islice(_walk(puzzle), limit))


def _walk(puzzle: Nonogram) -> Iterator[bytes]:
    height, width = puzzle.height, puzzle.width
    given = {row * width + column: colour for row, column, colour in puzzle.given}
    row_alive = [_alive(clue, width) for clue in puzzle.rows]
    column_alive = [_alive(clue, height) for clue in puzzle.columns]

    def extend(cells: bytes, across: _State, down: tuple[_State, ...]) -> Iterator[bytes]:
        checkpoint()
        row, column = divmod(len(cells), width)
        if row == height:
            yield cells
            return
        below = dict(_steps(puzzle.columns[column], down[column]))
        for value, right in _steps(puzzle.rows[row], across if column else (0, 0)):
            if (
                given.get(len(cells), value) == value
                and right in row_alive[row][column + 1]
                and below.get(value) in column_alive[column][row + 1]
            ):
                states = (*down[:column], below[value], *down[column + 1 :])
                yield from extend(cells + bytes([value]), right, states)

    return extend(b"", (0, 0), ((0, 0),) * width)


def _pictures(puzzle: Nonogram) -> Iterator[Grid]:
    return (Grid(puzzle.height, puzzle.width, cells) for cells in _walk(puzzle))


def _open_pictures(puzzle: RangeNonogram) -> Iterator[Grid]:
    """Yield pictures row by row; every column is the beginning of a filling."""
    colours = len(puzzle.colours)
    rows = [[*open_fillings(clue, puzzle.width, colours)] for clue in puzzle.rows]
    begun = [
        {one[:end] for one in open_fillings(clue, puzzle.height, colours) for end in ends}
        for ends in [range(puzzle.height + 1)]
        for clue in puzzle.columns
    ]

    def extend(columns: tuple[bytes, ...]) -> Iterator[tuple[bytes, ...]]:
        checkpoint()
        if (row := len(columns[0])) == puzzle.height:
            yield columns
            return
        for cells in rows[row]:
            longer = tuple(one + bytes([cell]) for one, cell in zip(columns, cells, strict=True))
            if all(one in some for one, some in zip(longer, begun, strict=True)):
                yield from extend(longer)

    for columns in extend((b"",) * puzzle.width):
        if all(columns[column][row] == value for row, column, value in puzzle.given):
            cells = bytes(column[row] for row in range(puzzle.height) for column in columns)
            yield Grid(puzzle.height, puzzle.width, cells)


def lane_pictures(puzzle: LaneNonogram) -> Iterator[Grid]:
    """Yield the solutions of a board of lanes, filling by filling of the lane that has the fewest.

    Exponential in the number of lanes.
    """
    layout, size = puzzle.layout, puzzle.height * puzzle.width
    at = {cell: row * puzzle.width + column for cell, (row, column) in enumerate(layout.places)}
    lanes = [
        ([at[cell] for cell in lane], [*fillings(clue, len(lane))])
        for lane, clue in zip(layout.lanes, puzzle.clues, strict=True)
    ]

    def extend(
        known: dict[int, int], left: list[tuple[list[int], list[bytes]]]
    ) -> Iterator[dict[int, int]]:
        checkpoint()
        if not left:
            yield known
            return
        narrowed = [
            (lane, [f for f in found if all(known.get(c, v) == v for c, v in zip(lane, f))])  # noqa: B905
            for lane, found in left
        ]
        chosen = min(range(len(narrowed)), key=lambda one: len(narrowed[one][1]))
        lane, found = narrowed.pop(chosen)
        for filling in found:
            yield from extend({**known, **dict(zip(lane, filling, strict=True))}, narrowed)

    given = {row * puzzle.width + column: colour for row, column, colour in puzzle.given}
    for cells in extend(given, lanes):
        yield Grid(puzzle.height, puzzle.width, bytes(cells.get(place, 0) for place in range(size)))


_MOST_FILLINGS = 20_000  # candidates for one line of an open clue, each read by a pattern


def _has_few_fillings(puzzle: Puzzle) -> bool:
    """Return False for open clues with very many candidates for the fillings of one line."""
    if not isinstance(puzzle, RangeNonogram):
        return True
    num_fillings: int = (len(puzzle.colours) + 1) ** max(puzzle.height, puzzle.width)
    return num_fillings <= _MOST_FILLINGS


# By class of puzzles: maximum number of cells, and generator of solutions.
_FAMILIES: dict[type, tuple[int, Callable[[Any], Iterator[Any]]]] = {
    Nonogram: (64, _pictures),
    RangeNonogram: (25, _open_pictures),
    LaneNonogram: (64, lane_pictures),
    Queens: (64, placements_of),
    Knight: (20, tours_of),
    Slitherlink: (20, paths_of),
}


def every_solution(puzzle: Puzzle) -> Iterator[Any] | None:
    """Return an iterator over all solutions without repetition; None if the puzzle is too large."""
    for kind, (most, found) in _FAMILIES.items():
        is_small = isinstance(puzzle, kind) and puzzle.height * puzzle.width <= most
        if is_small and _has_few_fillings(puzzle):
            return found(puzzle)
    return None


# Clauses


class Propagator:
    """Unit propagation over clauses, without watches or other optimisations."""

    def __init__(self, clauses: Iterable[Sequence[int]]) -> None:
        self.clauses = [tuple(clause) for clause in clauses]
        self.watchers: dict[int, list[tuple[int, ...]]] = defaultdict(list)
        for clause in self.clauses:
            for lit in clause:
                self.watchers[lit].append(clause)

    def root(self) -> frozenset[int] | None:
        """Return the literals implied by the unit clauses; None for a conflict."""
        units = [clause[0] for clause in self.clauses if len(clause) == 1]
        return self.extend(frozenset(), units) if all(self.clauses) else None

    def extend(self, known: frozenset[int], lits: Iterable[int]) -> frozenset[int] | None:
        """Return the literals that `known` and `lits` imply; None for a conflict.

        `known` must contain all literals that it implies.
        """
        true, queue = set(known), list(lits)
        while queue:
            lit = queue.pop()
            if -lit in true:
                return None
            if lit in true:
                continue
            true.add(lit)
            for clause in self.watchers[-lit]:
                if true.isdisjoint(clause):
                    left = -lit  # a conflict, unless one literal is open
                    for other in clause:
                        if -other not in true:
                            if left != -lit:
                                break
                            left = other
                    else:
                        queue.append(left)
        return frozenset(true)


def models(
    propagator: Propagator, num_vars: int, known: frozenset[int] | None = None, first: int = 1
) -> Iterator[frozenset[int]]:
    """Yield every total assignment that satisfies the clauses, by plain branching.

    Args:
        propagator: The clauses.
        num_vars: Number of variables.
        known: A closed set of literals to start with; by default those implied by the clauses.
        first: First variable that may be open.
    """
    known = propagator.root() if known is None else known
    if known is None:
        return
    open_vars = (v for v in range(first, num_vars + 1) if v not in known and -v not in known)
    var = next(open_vars, None)
    if var is None:
        yield known
        return
    for lit in (var, -var):
        extended = propagator.extend(known, [lit])
        if extended is not None:
            yield from models(propagator, num_vars, extended, var + 1)
