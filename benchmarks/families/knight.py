"""Knight's tours: methods, engines and given numbers in CPU seconds.

    python benchmarks/families/knight.py methods|engines|numbers|quarter [SECONDS]

Every run is a process of its own (children included in its time), from the board to the verified
tour, medians of three; a run is ended after 60 s. `quarter` solves 50 boards, once each, within
5 s by the clock or as many as are said, and shows seconds by the clock and of the processor.
KNIGHT.md has the results.
"""

from __future__ import annotations

import random
import sys
from itertools import product
from time import perf_counter, process_time

from forked import answered, row

import nonosat
from nonosat.puzzles.knight import Knight
from nonosat.puzzles.knight.graph import Squares


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


QUARTER_SIDES = (8, 10, 12, 15, 18, 20, 22, 25, 28, 30)


def quarter() -> None:
    """A number in four of a tour drawn at random, which has none of the turns of a simple rule."""
    limit_s = float(sys.argv[2]) if len(sys.argv) > 2 else 5.0
    for index in range(50):
        puzzle = drawn(QUARTER_SIDES[index % 10], index, closed=index // 10 % 2 == 1)
        started, worked = perf_counter(), process_time()
        result = nonosat.solve(puzzle, time_limit_s=limit_s)
        seconds, of_processor = perf_counter() - started, process_time() - worked
        kind = "closed" if puzzle.closed else "open"
        board = f"{kind} {puzzle.rows} x {puzzle.columns}, {len(puzzle.given)} given"
        print(
            f"| {board} | {result.backend} | {result.verdict.value} "
            f"| {seconds:.2f} | {of_processor:.2f} |",
            flush=True,
        )


def drawn(side: int, seed: int, *, closed: bool) -> Knight:
    """A board with a quarter of the numbers of a random tour, closed where it can be.

    From a tour by Warnsdorff's rule a random walk over tours: the last square moves to any square
    of the path that is near it, and what comes behind that square is turned round (the
    "backbite" move of polymer physics: Mansfield 1982).
    """
    draw, size = random.Random(seed), side * side
    tour = nonosat.solve(Knight(side, side), backend="warnsdorff", seed=seed).solution
    squares = Squares(Knight(side, side))
    path = sorted(squares.places, key=lambda place: tour[divmod(place, side)])
    closed = closed and size % 2 == 0
    moves = 0
    while moves < 60 * size or (closed and path[0] not in squares.near(path[-1])):
        moves += 1
        if moves % 2:
            path.reverse()
        turn = path.index(draw.choice(squares.near(path[-1]))) + 1
        path[turn:] = path[turn:][::-1]
    given = ((*divmod(place, side), number) for number, place in enumerate(path, start=1))
    chosen = tuple(sorted(one for one in given if draw.random() < 0.25))
    return Knight(side, side, closed=closed, given=chosen)


if __name__ == "__main__":
    WORK = {"methods": methods, "engines": engines, "numbers": numbers, "quarter": quarter}
    WORK[sys.argv[1]]()
