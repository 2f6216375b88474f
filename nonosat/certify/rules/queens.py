"""The rules of n queens: one in each row and column, at most one on each diagonal.

Variable 1 + row * n + column means that a queen is on that square. Size: quadratic in n.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from nonosat.certify.rules import Statement
from nonosat.core.errors import UnsupportedError
from nonosat.core.limits import polled
from nonosat.core.model import Clause, Count, Model
from nonosat.puzzles.queens.data import Placement, Queens

MAX_QUEENS = 1_000  # a million variables, and some times as many for counting


def model_of(puzzle: Queens) -> Model:
    """Return a model of the lines of the board, given queens, and blocked squares.

    Raises:
        UnsupportedError: There are more than `MAX_QUEENS` queens.
    """
    n = puzzle.n
    if n > MAX_QUEENS:
        raise UnsupportedError(
            f"the formula of {n} queens would have {n * n:,} variables and more, expected at most "
            f"{MAX_QUEENS} queens"
        )
    lines: dict[tuple[str, int], list[int]] = defaultdict(list)
    for row in polled(range(n)):
        for column in range(n):
            queen = 1 + row * n + column
            lines["row", row].append(queen)
            lines["column", column].append(queen)
            lines["falling", column - row].append(queen)
            lines["rising", column + row].append(queen)
    least = {"row": 1, "column": 1, "falling": 0, "rising": 0}
    given = (Clause((1 + row * n + column,)) for row, column in puzzle.given)
    blocked = (Clause((-1 - row * n - column,)) for row, column in puzzle.blocked)
    return Model(
        num_vars=n * n,
        counts=tuple(
            Count(tuple(lits), least[kind], 1) for (kind, _), lits in polled(lines.items())
        ),
        clauses=(*given, *blocked),
        blocked_on=range(1, n * n + 1),
        blocked_by_true=True,
    )


def true_in(puzzle: Queens, placement: Placement) -> Iterator[int]:
    """Yield the variables of the squares of a placement."""
    return (1 + row * puzzle.n + column for row, column in enumerate(placement.columns))


RULES = Statement(Queens, model_of, true_in)
