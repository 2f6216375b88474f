"""Puzzles, formulas and native objects at which calls take long."""

from __future__ import annotations

import random
from array import array
from collections.abc import Iterator
from itertools import chain
from math import isqrt
from typing import Any

from nonosat import _core

Clue = list[tuple[int | None, int]]

# Clues of lines, sorted and unsorted, and inks for them.
TEXTS = ["", "0", "2 1", "1a,2b", "00", "1,,1", "9" * 9, "9" * 40, "\0", "\ud800", "1é", " " * 999]
INKS = {"": 1, "a": 2, "é": 3}


def noise(side: int, seed: int = 1) -> tuple[list[Clue], list[Clue]]:
    """Clues of random cells, on which every method takes long."""
    draw = random.Random(seed)
    rows = [[draw.random() < 0.5 for _ in range(side)] for _ in range(side)]
    columns = list(zip(*rows, strict=True))
    return [clue_of(row) for row in rows], [clue_of(column) for column in columns]


def clue_of(cells: Any) -> Clue:
    runs = "".join("x" if cell else " " for cell in cells).split()
    return [(len(run), 1) for run in runs]


def board(side: int, seed: int = 1) -> _core.Board:
    return _core.Board(1, *noise(side, seed))


def lane_board(side: int, seed: int = 1) -> _core.LaneBoard:
    """Return the board of `board`, its rows and columns as lanes."""
    rows, columns = noise(side, seed)
    lanes = [range(row * side, (row + 1) * side) for row in range(side)]
    lanes += [range(column, side**2, side) for column in range(side)]
    return _core.LaneBoard(1, side**2, [*map(list, lanes)], [*rows, *columns])


def settled_lanes(side: int) -> _core.LaneBoard:
    found = lane_board(side)
    assert found.propagate()
    return found


def settled(side: int) -> _core.Board:
    found = board(side)
    assert found.propagate()
    return found


def words(side: int, num_colours: int = 1) -> _core.Words:
    """Return names for a square board with a block of one cell in each line."""
    inks = ["empty", *"abcdefgh"[:num_colours]]
    return _core.Words(side, side, inks, True, [[(1, 1)]] * (2 * side))


def explainer(on: _core.Board) -> _core.Explainer:
    """Return an explainer of a square board in one or two colours."""
    side = isqrt(len(on.cells()))
    try:
        on.plane(2)
    except IndexError:
        return _core.Explainer(on, words(side), [], 8, False)
    return _core.Explainer(on, words(side, 2), [], 8, False)


def settled_squares(side: int) -> _core.Board:
    """One cell in each row and column, at its fixpoint."""
    found = _core.Board(1, [[(1, 1)]] * side, [[(1, 1)]] * side)
    assert found.propagate()
    return found


def ring(num_clauses: int) -> array[int]:
    """Clauses of three and four literals that are easy to satisfy."""
    return array("i", [1, 2, 3, 0, -1, 2, -3, 4, 0, 5, -6, 7, 0]) * (num_clauses // 3)


def threshold(num_vars: int, seed: int = 1) -> array[int]:
    """Random clauses of three literals, as many as make them hard (near the threshold)."""
    draw = random.Random(seed)
    clauses = (draw.sample(range(1, num_vars + 1), 3) for _ in range(int(4.26 * num_vars)))
    signed = ([draw.choice((1, -1)) * var for var in clause] for clause in clauses)
    return array("i", chain.from_iterable([*clause, 0] for clause in signed))


def learner(num_vars: int, clauses: array[int] | None = None) -> _core.Learner:
    found = _core.Learner()
    found.new_vars(num_vars)
    if clauses is not None:
        found.add_clauses(clauses)
    return found


def lattice(side: int) -> array[int]:
    """Faces on both sides of each edge of a square lattice."""
    number = side * side
    faces = array("i", range(1, number + 1))
    right, down = faces[1:] + array("i", [0]), faces[side:] + array("i", [0]) * side
    right[side - 1 :: side] = array("i", [0]) * side
    return woven(faces, right, faces, down)


def woven(*columns: array[int]) -> array[int]:
    """Numbers of equally long columns, row by row."""
    found = array("i", [0]) * (len(columns) * len(columns[0]))
    for place, column in enumerate(columns):
        found[place :: len(columns)] = column
    return found


def speckled(side: int) -> bytes:
    """Every fifth face of a lattice is inside, so that there are many isolated parts."""
    return bytes(
        [0, *(int((row + 2 * column) % 5 == 0) for row in range(side) for column in range(side))]
    )


def beliefs(on: _core.Board) -> _core.Beliefs:
    return _core.Beliefs(on, damping=0.5, clamp=12, sigma=0, seed=0)


def decimation(of: _core.Board) -> _core.Decimation:
    how = {"rounds": 6, "pace": 0.02, "widen": 1, "keep": 1, "pushes": 9}
    how |= {"damping": 0.5, "clamp": 12}
    return _core.Decimation(of, first=10**6, sigma=0, seed=0, **how)


def loops(side: int) -> _core.LoopCount:
    """Loops on the lattice of a board."""
    across = range(side * (side + 1))
    wide = [(row * (side + 1) + at, 1) for row in range(side + 1) for at in range(side)]
    ends = [
        end
        for one, step in [*wide, *((at, side + 1) for at in across)]
        for end in (one, one + step)
    ]
    return _core.LoopCount((side + 1) ** 2, ends, False, [1, 3, 1, -2, 3, 0] if side else [], 2**29)


def rules(side: int) -> _core.RulesCount:
    """Latin squares: one per row, column and digit."""
    var = [1 + at for at in range(side**3)]
    found = []
    for one in range(side):
        for other in range(side):
            begin = one * side + other
            found += [1, 1, *var[begin * side : (begin + 1) * side], 0]
            found += [1, 1, *var[begin :: side * side], 0]
            found += [1, 1, *var[one * side * side + other : (one + 1) * side * side : side], 0]
    return _core.RulesCount(side**3, found, var, 2**28)


def prices(of: _core.Board) -> _core.Prices:
    return _core.Prices(of, None)


def implications(of: _core.Board, side: int, poll: Any = None) -> _core.Implications:
    return _core.Implications(of, array("i", range(1, side * side + 1)), 10**6, poll)


def tours(side: int) -> _core.TourSearch:
    squares = _core.KnightBoard(side, side, [])
    return _core.TourSearch(squares, [1], [], closed=False, halved=False, guided=False)


def queens(size: int) -> list[int]:
    return [(1 << size) - 1] * size


def crowded(size: int) -> bytes:
    """Board of queens with so many blocked squares that a placement is hard to find."""
    draw = random.Random(1)
    return bytes(draw.random() < 0.055 for _ in range(size * size))


class Lying:
    """Sequence that reports a wrong length."""

    def __init__(self, items: list[Any], says: int) -> None:
        self.items, self.says = items, says

    def __len__(self) -> int:
        return self.says

    def __getitem__(self, index: int) -> Any:
        return self.items[index]


class Shrinking:
    """Item that empties its list when it is converted to a number."""

    def __init__(self, home: list[Any]) -> None:
        self.home = home

    def __index__(self) -> int:
        self.home.clear()
        return 1

    def __iter__(self) -> Iterator[Any]:
        self.home.clear()
        return iter((1, 1))

    def __len__(self) -> int:
        self.home.clear()
        return 2

    def __getitem__(self, index: int) -> int:
        self.home.clear()
        return [1, 1][index]
