"""Knight's tours: methods, engines and given numbers in CPU seconds.

    python benchmarks/families/knight.py methods|engines|numbers|quarter [SECONDS]|holes

Every run is a separate process (children included in its time), from the board to the verified
tour, medians of three; a run is ended after 60 s. `quarter` solves 50 boards, once each, within
SECONDS of wall time (5 by default), and prints wall and CPU seconds; `holes` decides ten boards of
each kind within 60 s. KNIGHT.md contains the results.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Sequence
from itertools import product
from statistics import median
from time import perf_counter, process_time

from forked import answered, row

import nonosat
from nonosat.puzzles.knight import Knight
from nonosat.puzzles.knight.graph import Squares


def show(name: str, puzzle: Knight, **options: object) -> None:
    """Print a row of a table."""
    kind = "closed" if puzzle.closed else "open"
    board = f"{kind} {puzzle.rows} x {puzzle.columns}"
    row(board, name, answered(3, "solve", puzzle, **options))


def methods() -> None:
    """Measure methods that need no engine."""
    for size in (8, 30, 100, 300, 1000):
        for closed in (False, True):
            show("construction", Knight(size, size, closed=closed), backend="construction")
    for size in (8, 30, 100, 300):
        show("warnsdorff", Knight(size, size), backend="warnsdorff")
    show("refused", Knight(7, 7, closed=True))


def engines() -> None:
    """Measure the model, without methods."""
    for closed, size in product((False, True), (8, 20, 30, 50)):
        for name in ("learn", "cadical195", "cpsat"):
            if name != "cpsat" or size <= 30:
                show(name, Knight(size, size, closed=closed), backend=name)
    for size in (6, 8):
        show(
            "learn, positions", Knight(size, size), backend="learn", encoding={"loop": "positions"}
        )


def numbers() -> None:
    """Measure boards with a share of a tour's numbers given."""
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
    """Measure boards with a quarter of the numbers of a random tour, which no simple rule made."""
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
    """Return a board with a quarter of the numbers of a random tour, closed if possible.

    A tour by Warnsdorff's rule is changed by a random walk over tours: the last square moves to any
    square of the path next to it, and the path after that square is reversed (the "backbite" move
    of polymer physics: Mansfield 1982).
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


def holes() -> None:
    """Measure boards with holes: how many are decided, the method, CPU seconds of this process."""
    for side, share, closed in product((8, 20, 30, 50), (0.02, 0.1, 0.2, 0.3), (False, True)):
        puzzles = [scattered(side, share, seed, closed=closed) for seed in range(10)]
        decided(f"{side} x {side}, {share:.0%}", puzzles)
    for (side, one_in), closed in product(((12, 18), (20, 20), (30, 36)), (False, True)):
        puzzles = [split(side, side * side // one_in, seed, closed=closed) for seed in range(10)]
        decided(f"{side} x {side}, {2 / one_in:.0%}, a colour a half", puzzles)
    for doors, closed in product((1, 2, 4), (False, True)):
        puzzles = [rooms(doors, seed, closed=closed) for seed in range(10)]
        decided(f"two rooms of 8 x 8, {doors} squares between", puzzles)


def decided(name: str, puzzles: Sequence[Knight]) -> None:
    """Print a row on boards of one kind."""
    verdicts, seconds = Counter[str](), []
    for puzzle in puzzles:
        started = process_time()
        result = nonosat.solve(puzzle, time_limit_s=60)
        seconds.append(process_time() - started)
        verdicts[f"{result.verdict.value} by {result.backend}"] += 1
    kind = "closed" if puzzles[0].closed else "open"
    by = ", ".join(f"{number} {verdict}" for verdict, number in verdicts.most_common())
    row(f"{kind} {name}", by, f"{median(seconds):.3f}", f"{max(seconds):.2f}")


def scattered(side: int, share: float, seed: int, *, closed: bool) -> Knight:
    """Return a board with random holes; every square keeps two moves, and the colours are even."""
    draw = random.Random(seed)
    squares = Squares(Knight(side, side))
    near = {place: set(squares.near(place)) for place in squares.places}
    left = [max(1, int(share * side * side / 2))] * 2
    chosen = []
    for place in draw.sample(squares.places, len(squares.places)):
        square = divmod(place, side)
        if left[sum(square) % 2] and all(len(near[other]) > 2 for other in near[place]):
            left[sum(square) % 2] -= 1
            chosen.append(square)
            for other in near.pop(place):
                near[other].discard(place)
    return Knight(side, side, closed=closed, holes=tuple(chosen))


def split(side: int, num_holes: int, seed: int, *, closed: bool) -> Knight:
    """Return a board with holes of one colour in the left half, of the other in the right half."""
    draw, half = random.Random(seed), side // 2
    chosen = []
    for colour, columns in enumerate((range(half), range(half, side))):
        squares = [at for at in product(range(side), columns) if sum(at) % 2 == colour]
        chosen += draw.sample(squares, num_holes)
    return Knight(side, side, closed=closed, holes=tuple(chosen))


def rooms(num_doors: int, seed: int, *, closed: bool) -> Knight:
    """Return two rooms with a wall of two squares between them and `num_doors` open squares."""
    wall = list(product(range(8), (8, 9)))
    doors = random.Random(seed).sample(wall, num_doors)
    return Knight(8, 18, closed=closed, holes=tuple(at for at in wall if at not in doors))


if __name__ == "__main__":
    WORK = {
        "methods": methods,
        "engines": engines,
        "numbers": numbers,
        "quarter": quarter,
        "holes": holes,
    }
    WORK[sys.argv[1]]()
