"""Boards of the other families: Slitherlinks, queens completion, knight's tours."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

from entry import Entry, about

from nonosat.generate.slitherlink import clues_of, generate_slitherlink, grow
from nonosat.puzzles.knight import Knight
from nonosat.puzzles.queens import Queens
from nonosat.puzzles.slitherlink.data import BLANK, Slitherlink, around

GENERATED = "generated, thinned while unique"
# side, share of clues, seed
THINNED = ((8, 1.0, 1), (10, 0.4, 1), (15, 0.45, 2), (20, 0.5, 3), (30, 0.5, 4), (40, 0.55, 5))
OPEN = ((30, 0.2, 1), (40, 0.4, 2), (50, 0.2, 3), (50, 0.4, 4))


def slitherlinks() -> list[Entry]:
    """Return boards with one solution, then boards with a share of the clues of a loop."""
    unique = [
        Entry(
            replace(
                generate_slitherlink(side, side, share, seed),
                about=about(f"loop-{side}", f"Loop, {share:.0%} of the clues"),
            ),
            GENERATED,
        )
        for side, share, seed in THINNED
    ]
    few = [
        Entry(_sparse(side, share, seed), "generated, random clues of a loop")
        for side, share, seed in OPEN
    ]
    return [*unique, *few]


def _sparse(side: int, share: float, seed: int) -> Slitherlink:
    rng = random.Random(f"sparse {side} {share} {seed}")
    clues = bytearray(clues_of(around(side, side, grow(side, side, rng, lambda: None))))
    for cell in rng.sample(range(side * side), round((1 - share) * side * side)):
        clues[cell] = BLANK
    name = about(f"sparse-{side}-{round(100 * share)}", f"A loop with {share:.0%} random clues")
    return Slitherlink(side, side, bytes(clues), name)


def queens() -> list[Entry]:
    """Return open boards, boards with given queens of a placement, boards with blocked squares."""
    free = [Queens(n, about=about(f"queens-{n}", f"{n} queens")) for n in (8, 20, 50, 100)]
    given = [
        Queens(n, given=_some(n, num, seed), about=about(name, f"{num} of {n} queens given"))
        for n, num, seed in ((20, 4, 1), (50, 5, 2), (50, 25, 3), (100, 30, 4))
        for name in [f"given-{n}-{num}"]
    ]
    blocked = [
        Queens(n, blocked=_blocked(n, share, seed), about=about(name, f"{share:.0%} blocked"))
        for n, share, seed in ((10, 0.6, 1), (20, 0.5, 2), (20, 0.7, 3), (50, 0.7, 4))
        for name in [f"blocked-{n}-{round(100 * share)}"]
    ]
    return [
        *(Entry(puzzle, "construction") for puzzle in free),
        *(Entry(puzzle, "generated from a seed") for puzzle in (*given, *blocked)),
    ]


def _some(n: int, num: int, seed: int) -> tuple[tuple[int, int], ...]:
    """Return queens placed one by one without attacks; a completion may not exist."""
    rng = random.Random(f"given {n} {num} {seed}")
    placed: list[tuple[int, int]] = []
    while len(placed) < num:
        row, column = rng.randrange(n), rng.randrange(n)
        if all(row != r and column != c and abs(row - r) != abs(column - c) for r, c in placed):
            placed.append((row, column))
    return tuple(sorted(placed))


def _blocked(n: int, share: float, seed: int) -> tuple[tuple[int, int], ...]:
    rng = random.Random(f"blocked {n} {share} {seed}")
    squares = [(row, column) for row in range(n) for column in range(n)]
    return tuple(sorted(rng.sample(squares, round(share * n * n))))


def knights() -> list[Entry]:
    """Return rectangles with and without tours, boards with holes and with given numbers."""
    return [Entry(board, "construction") for board in _knights()]


def _knights() -> Iterator[Knight]:
    for rows, columns in ((5, 5), (6, 6), (8, 8), (30, 30)):
        yield Knight(rows, columns, about=about(f"open-{rows}", f"Open tour {rows} x {columns}"))
    for rows, columns in ((3, 8), (3, 10), (6, 6), (7, 7), (8, 8), (12, 12), (20, 20)):
        name = about(f"closed-{rows}-{columns}", f"Closed tour {rows} x {columns}")
        yield Knight(rows, columns, closed=True, about=name)
    for side in (6, 8, 10):
        hole = tuple((r, c) for r in (side // 2 - 1, side // 2) for c in (side // 2 - 1, side // 2))
        name = about(f"frame-{side}", f"Closed tour around a hole, {side} x {side}")
        yield Knight(side, side, closed=True, holes=hole, about=name)
    numbers = ((0, 0, 1), (2, 2, 7), (4, 4, 23))
    yield Knight(5, 5, given=numbers, about=about("numbers-5", "Three numbers given, 5 x 5"))
