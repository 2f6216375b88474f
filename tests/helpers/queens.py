"""Boards of queens, and their solutions by a test of each pair of queens."""

from __future__ import annotations

from itertools import combinations, permutations

from hypothesis import strategies as st

from nonosat.puzzles.queens import Placement, Queens

Square = tuple[int, int]


@st.composite
def boards(draw: st.DrawFn, largest: int = 6) -> Queens:
    """Boards with some given queens, which may attack each other, and some blocked squares."""
    n = draw(st.sampled_from([*range(largest, -1, -1)]) | st.just(largest))
    if not n:
        return Queens(0)
    square = st.tuples(st.integers(0, n - 1), st.integers(0, n - 1))
    given_ = draw(st.lists(square, max_size=2, unique=True))
    blocked = draw(st.lists(square, max_size=n, unique=True))
    return Queens(n, tuple(given_), tuple(blocked))


def attack(one: Square, other: Square) -> bool:
    down, across = abs(one[0] - other[0]), abs(one[1] - other[1])
    return down == 0 or across == 0 or down == across


def is_solution(puzzle: Queens, placed: tuple[int, ...]) -> bool:
    standing = [*enumerate(placed)]
    return (
        not any(attack(one, other) for one, other in combinations(standing, 2))
        and {*puzzle.given} <= {*standing}
        and not {*puzzle.blocked} & {*standing}
    )


def enumerated(puzzle: Queens) -> list[Placement]:
    """Solutions in lexicographic order."""
    orders = permutations(range(puzzle.n))
    return [Placement(order) for order in orders if is_solution(puzzle, order)]
