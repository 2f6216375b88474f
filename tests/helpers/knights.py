"""Small boards for a knight, and all their tours by trying; shared by the tests of the family."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from hypothesis import strategies as st

from nonosat.puzzles.knight import Knight, Tour

Square = tuple[int, int]


def is_move(one: Square, other: Square) -> bool:
    return abs(one[0] - other[0]) * abs(one[1] - other[1]) == 2


def walks(squares: list[Square]) -> Iterator[list[Square]]:
    """Every way of visiting the squares by knight's moves, without any thought."""
    near = {one: [other for other in squares if is_move(one, other)] for one in squares}

    def go_on(path: list[Square], left: set[Square]) -> Iterator[list[Square]]:
        if not left:
            yield list(path)
        for square in near[path[-1]]:
            if square in left:
                yield from go_on([*path, square], left - {square})

    for start in squares:
        yield from go_on([start], set(squares) - {start})


def fits(puzzle: Knight, walk: list[Square]) -> bool:
    given = {(row, column): number for row, column, number in puzzle.given}
    if puzzle.start is not None:
        given[puzzle.start] = 1
    numbers = {square: number for number, square in enumerate(walk, start=1)}
    return all(numbers[square] == number for square, number in given.items())


def enumerated(puzzle: Knight) -> list[Tour]:
    """All tours; closed ones each in the numbering that stands for it."""
    every = product(range(puzzle.rows), range(puzzle.columns))
    squares = [square for square in every if square not in puzzle.holes]
    found: dict[object, list[list[Square]]] = {}
    for walk in walks(squares):
        if not fits(puzzle, walk):
            continue
        if puzzle.closed:
            if len(walk) < 4 or not is_move(walk[0], walk[-1]):
                continue
            pairs = zip(walk, [*walk[1:], walk[0]], strict=True)
            found.setdefault(frozenset(map(frozenset, pairs)), []).append(walk)
        else:
            found[tuple(walk)] = [walk]
    return [
        numbered(puzzle, min(group, key=lambda walk: rank(puzzle, walk)))
        for group in found.values()
    ]


def rank(puzzle: Knight, walk: list[Square]) -> tuple[Square, Square]:
    """Least for the numbering of a closed tour that stands for all of them."""
    lowest = min((number for _, _, number in puzzle.given), default=1)
    if puzzle.start is not None:
        lowest = 1
    return walk[lowest - 1], walk[lowest % len(walk)]


def numbered(puzzle: Knight, walk: list[Square]) -> Tour:
    numbers = {square: number for number, square in enumerate(walk, start=1)}
    every = product(range(puzzle.rows), range(puzzle.columns))
    return Tour(puzzle.rows, puzzle.columns, tuple(numbers.get(square, 0) for square in every))


# Boards that have tours more often than not: squares of a random walk, the others holes.


@st.composite
def boards(draw: st.DrawFn, most: int = 14) -> Knight:
    """A board of at most `most` squares to visit, some numbers given, rightly or not."""
    rows, columns = draw(st.integers(3, 5)), draw(st.integers(3, 5))
    at = (draw(st.integers(0, rows - 1)), draw(st.integers(0, columns - 1)))
    walk = [at]
    every = list(product(range(rows), range(columns)))
    for _ in range(draw(st.integers(3, most - 1))):
        ways = [square for square in every if is_move(walk[-1], square) and square not in walk]
        if not ways:
            break
        walk.append(draw(st.sampled_from(ways)))
    holes = [square for square in every if square not in walk]
    if holes and draw(st.booleans()):
        holes.remove(draw(st.sampled_from(holes)))
    chosen = draw(st.lists(st.sampled_from(walk), max_size=4, unique=True))
    given = {square: 1 + walk.index(square) for square in chosen}
    if given and draw(st.integers(0, 3)) == 0:  # one of them wrong
        given[draw(st.sampled_from(sorted(given)))] = draw(st.integers(1, len(walk)))
    if len(set(given.values())) < len(given):
        given = {}
    is_closed = draw(st.booleans()) and (is_move(walk[0], walk[-1]) or draw(st.booleans()))
    marks = tuple((row, column, number) for (row, column), number in given.items())
    return Knight(rows, columns, closed=is_closed, holes=tuple(holes), given=marks)
