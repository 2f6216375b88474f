"""Knight's tours: methods, engines and given numbers in CPU seconds.

    python benchmarks/families/knight.py methods|engines|numbers

Every run is a process of its own (children included in its time), from the board to the verified
tour, medians of three; a run is ended after 60 s. KNIGHT.md has the results.
"""

from __future__ import annotations

import random
import sys
from itertools import product

from forked import answered, row

import nonosat
from nonosat.puzzles.knight import Knight


def show(name: str, puzzle: Knight, **options: object) -> None:
    """A row of a table."""
    kind = "closed" if puzzle.closed else "open"
    board = f"{kind} {puzzle.rows} x {puzzle.columns}"
    row(board, name, answered(3, "solve", puzzle, **options))


def methods() -> None:
    """What needs no engine."""
    for size in (8, 30, 100, 300, 1000):
        for closed in (False, True):
            show("construction", Knight(size, size, closed=closed), backend="construction")
    for size in (8, 30, 100, 300):
        show("warnsdorff", Knight(size, size), backend="warnsdorff")
    show("refused", Knight(7, 7, closed=True))


def engines() -> None:
    """The model, without a look at methods."""
    for closed, size in product((False, True), (8, 20, 30, 50)):
        for name in ("learn", "cadical195", "cpsat"):
            if name != "cpsat" or size <= 30:
                show(name, Knight(size, size, closed=closed), backend=name)
    for size in (6, 8):
        show(
            "learn, positions", Knight(size, size), backend="learn", encoding={"loop": "positions"}
        )


def numbers() -> None:
    """A share of a tour's numbers is given."""
    for size, share in product((8, 12), (0.02, 0.1, 0.3)):
        tour = nonosat.solve(Knight(size, size), backend="warnsdorff").solution
        draw = random.Random(size)
        given = tuple(
            (row, column, tour[row, column])
            for row, column in product(range(size), repeat=2)
            if draw.random() < share
        )
        for name in ("auto", "cadical195", "learn", "cpsat"):
            show(f"{len(given)} given, {name}", Knight(size, size, given=given), backend=name)


if __name__ == "__main__":
    {"methods": methods, "engines": engines, "numbers": numbers}[sys.argv[1]]()
