"""N queens on a board of n x n squares, none of which attacks another.

Queens may be given and squares blocked, which makes the problem NP-complete (Gent, Jefferson,
Nightingale, "Complexity of n-Queens Completion", JAIR 2017). Rows and columns have one queen each,
diagonals at most one: 6 n - 6 counts over n^2 variables.

Variable 1 + row * n + column means that the square has a queen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from operator import add, sub

from nonosat.core.errors import UnsupportedError, counted
from nonosat.core.limits import polled
from nonosat.core.model import FALSE, Clause, Count, Model
from nonosat.core.plugins import Clues, Family, PlacedClue, Symmetry
from nonosat.core.wording import cell_text
from nonosat.puzzles.queens.data import (
    Placement,
    Queens,
    Square,
    from_data,
    solution_data,
    solution_from_data,
    to_data,
)
from nonosat.puzzles.queens.methods import (
    MAX_SEARCHED,
    backtracking,
    construction,
    count,
    count_classes,
    fewest_first,
    is_first,
)
from nonosat.puzzles.queens.reasons import breaks, free_squares

METHODS = {
    "construction": construction,
    "backtracking": backtracking,
    "fewest-first": fewest_first,
}

MAX_MODELLED = 1_000  # queens; their model has a million variables
FEW = 14  # queens for which backtracking is instantaneous, with one solution or all

__all__ = [
    "METHODS",
    "PLUGIN",
    "Placement",
    "Queens",
    "auto",
    "breaks",
    "build",
    "count",
    "decode",
    "from_data",
    "obstacle",
    "places",
    "refutation",
    "solution_data",
    "solution_from_data",
    "to_data",
]


def build(puzzle: Queens) -> Model:
    """Return the model: a `Count` for each row, column and diagonal.

    Squares that are blocked or attacked by a given queen are false, and FALSE in the counts: that
    makes engines three times as fast on boards whose squares are mostly blocked.

    Raises:
        UnsupportedError: More than `MAX_MODELLED` queens.
    """
    n, side = puzzle.n, range(puzzle.n)
    if n > MAX_MODELLED:
        raise UnsupportedError(
            f"the model of {n} queens has {n * n:,} variables, expected at most {MAX_MODELLED} "
            "queens; without given queens and blocked squares the construction needs no model"
        )
    free = free_squares(puzzle)
    places = [[1 + i * n + j for j in side] for i in polled(side)]
    queen = [[places[i][j] if free[i] >> j & 1 else FALSE for j in side] for i in polled(side)]
    columns = zip(*queen, strict=True)
    falling = (
        [queen[i][i - d] for i in side if 0 <= i - d < n] for d in polled(range(2 - n, n - 1))
    )
    rising = (
        [queen[i][d - i] for i in side if 0 <= d - i < n] for d in polled(range(1, 2 * n - 2))
    )
    return Model(
        num_vars=n * n,
        counts=(
            *(Count(tuple(line), 1, 1) for line in polled((*queen, *columns))),
            *(Count(tuple(line), 0, 1) for line in (*falling, *rising)),
        ),
        clauses=tuple(
            Clause((-places[i][j],)) for i in polled(side) for j in side if queen[i][j] == FALSE
        ),
        blocked_on=range(1, n * n + 1),
        blocked_by_true=True,
    )


def decode(puzzle: Queens, values: bytes) -> Placement:
    """Return the placement of `values`: values[v] is 1 if variable v is true (index 0 unused)."""
    n = puzzle.n
    return Placement(
        tuple(values[at : at + n].find(1) for at in polled(range(1, n * n + 1, n or 1)))
    )


def places(puzzle: Queens) -> dict[int, Square]:
    """Map each variable to its square (row, column)."""
    return {1 + place: divmod(place, puzzle.n) for place in polled(range(puzzle.n**2))}


# The rules without a model


def refutation(puzzle: Queens, placement: Placement) -> str | None:
    """Return why a placement is not a solution, or None if it is one."""
    columns = placement.columns
    if len(columns) != puzzle.n:
        return f"the placement has {counted(len(columns), 'row')}, the board has {puzzle.n}"
    for row, column in enumerate(polled(columns)):
        if not 0 <= column < puzzle.n:
            return f"row {row + 1} has no queen"
    if not _is_peaceful(columns) and (pair := _attacking(enumerate(columns))):
        return f"the queens in {_both(pair)} attack each other"
    for row, column in puzzle.given:
        if columns[row] != column:
            return f"the given queen in {cell_text(row, column)} is missing"
    for row, column in puzzle.blocked:
        if columns[row] == column:
            return f"a queen is on the blocked square in {cell_text(row, column)}"
    return None


def _is_peaceful(columns: Sequence[int]) -> bool:
    """True if no two queens share a column or a diagonal.

    A third of the time of a search for the two queens, and less memory, which matters on large
    boards.
    """
    n = len(columns)
    falling, rising = map(sub, columns, range(n)), map(add, columns, range(n))
    return not any(map(_has_twice, (columns, falling, rising), (n, 2 * n, 2 * n)))


def _has_twice(lines: Iterable[int], num_lines: int) -> bool:
    """True if a line number occurs twice; negative numbers count from the end."""
    is_taken = bytearray(num_lines)
    for line in polled(lines):
        if is_taken[line]:
            return True
        is_taken[line] = True
    return False


def _attacking(queens: Iterable[Square]) -> tuple[Square, Square] | None:
    """Return two queens that attack each other, if there are any."""
    seen: tuple[dict[int, Square], ...] = ({}, {}, {}, {})
    for row, column in polled(queens):
        for others, line in zip(seen, (row, column, row - column, row + column), strict=True):
            if (other := others.setdefault(line, (row, column))) != (row, column):
                return other, (row, column)
    return None


def _both(pair: tuple[Square, Square]) -> str:
    return f"{cell_text(*pair[0])} and in {cell_text(*pair[1])}"


def obstacle(puzzle: Queens) -> str | None:
    """Return a reason, found without search, why there is no solution; None without one."""
    if pair := _attacking(puzzle.given):
        return f"the given queens in {_both(pair)} attack each other"
    if both := set(puzzle.given) & set(puzzle.blocked):
        return f"the given queen in {cell_text(*min(both))} is on a blocked square"
    for place, name in enumerate(("row", "column")):
        for line, blocked in Counter(square[place] for square in puzzle.blocked).items():
            if blocked == puzzle.n:
                return f"every square of {name} {line + 1} is blocked"
    if puzzle.n in (2, 3):
        return f"{puzzle.n} queens on {puzzle.n} x {puzzle.n} squares always attack each other"
    return None


def auto(puzzle: Queens, max_solutions: int | None) -> Sequence[str]:
    """Return the methods and engines in the order in which they are tried.

    Methods that find all solutions yield them in lexicographic order.
    """
    is_open = not puzzle.given and not puzzle.blocked
    if is_open and max_solutions == 1:
        return ("construction",)
    if puzzle.n <= (MAX_SEARCHED if max_solutions is None else FEW):
        return ("backtracking",)
    if is_open:
        return ("construction", "learn")
    return ("learn",) if max_solutions is None else ("fewest-first", "learn")


# Clues are squares with a queen (1), or without one (0).


def _clues_of(puzzle: Queens) -> list[PlacedClue]:
    """Return the given queens, then the blocked squares."""
    given: list[PlacedClue] = [(*square, 1) for square in puzzle.given]
    return [*given, *((*square, 0) for square in puzzle.blocked)]


def _with_only(puzzle: Queens, clues: Sequence[PlacedClue]) -> Queens:
    """Return the board with these queens and blocked squares only."""
    given, blocked = (
        tuple((row, column) for row, column, value in clues if value == given_value)
        for given_value in (1, 0)
    )
    return replace(puzzle, given=given, blocked=blocked)


def _clue_text(puzzle: Queens, clue: PlacedClue) -> str:
    """Return a clue in words: "the queen given in row 1, column 2", "the square blocked in ..."."""
    del puzzle
    row, column, value = clue
    return f"the {'queen given' if value else 'square blocked'} in {cell_text(row, column)}"


def _clue_clauses(puzzle: Queens, clue: PlacedClue) -> list[list[int]]:
    """Return a unit clause: the square has a queen, or has none."""
    row, column, value = clue
    var = 1 + row * puzzle.n + column
    return [[var if value else -var]]


def _clues_shown(puzzle: Queens, placement: Placement) -> list[PlacedClue]:
    """Return the queens of a placement, and the blocked squares of the puzzle without a queen."""
    queens = placement.columns
    free = [(row, column, 0) for row, column in puzzle.blocked if queens[row] != column]
    return [*((row, column, 1) for row, column in enumerate(queens)), *free]


CLUES = Clues(
    of=_clues_of,
    with_only=_with_only,
    told=_clue_text,
    clauses=_clue_clauses,
    shown=_clues_shown,
)


PLUGIN = Family(
    summary="n queens that do not attack each other, some given, some squares blocked",
    build=build,
    decode=decode,
    refutation=refutation,
    to_data=to_data,
    from_data=from_data,
    keys=frozenset({"n", "given", "blocked"}),
    obstacle=obstacle,
    breaks=breaks,
    solution_data=solution_data,
    solution_from_data=solution_from_data,
    count=count,
    symmetry=Symmetry(count=count_classes, is_first=is_first),
    places=places,
    part="square",
    clues=CLUES,
    auto=auto,
    methods=METHODS,
    encodings={"count": "product"},
)
