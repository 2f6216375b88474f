"""Puzzles for the tests of prices: small ones that propagation leaves open, and staircases."""

from __future__ import annotations

import random
from collections.abc import Callable

from nonosat.core.grid import Grid
from nonosat.core.model import Block, Clue
from nonosat.puzzles.nonogram import Colour, Nonogram, from_grid

INKS = tuple(Colour(key, f"#{number}00000") for number, key in enumerate("abcd"))
TOUCHING = ((1,), (1,), (2,), (1, 1), (), (3,))  # sizes of blocks in a loose line


def dominoes(count: int) -> Grid:
    """The staircase of dominoes: one solution, exponentially hard for a search."""
    side = 2 * count + 1
    rows = [bytearray(side) for _ in range(side)]
    rows[0][0] = rows[-1][-3] = 1
    for step in range(0, side - 1, 2):
        rows[step][step : step + 3] = b"\1\1\1"
        rows[step + 1][step] = 1
        rows[step][max(step - 2, 0)] = 1
    return Grid(side, side, b"".join(rows))


def puzzle_of(grid: Grid) -> Nonogram:
    return from_grid(grid, INKS[: max(1, *grid.cells)])


def noise(rng: random.Random) -> Nonogram:
    height, width = rng.choice([(3, 4), (4, 4), (5, 4), (5, 5), (1, 7), (6, 1), (1, 1), (2, 6)])
    share, inks = rng.choice([0, 0.3, 0.5, 0.6, 1]), rng.choice([1, 1, 1, 2, 3, 4])
    cells = (rng.randint(1, inks) * (rng.random() < share) for _ in range(height * width))
    return puzzle_of(Grid(height, width, bytes(cells)))


def permutations(rng: random.Random) -> Nonogram:
    """Random permutations: few filled cells, about as many in each row and column."""
    side, inks = rng.choice([3, 4, 5]), rng.choice([1, 1, 2, 3, 4])
    cells = bytearray(side * side)
    for _ in range(rng.choice([1, 1, 2])):
        for row, column in enumerate(rng.sample(range(side), side)):
            cells[row * side + column] = rng.randint(1, inks) * (rng.random() < 0.9)
    return puzzle_of(Grid(side, side, bytes(cells)))


def stairs(rng: random.Random) -> Nonogram:
    """A piece of a staircase of dominoes: often one solution, which propagation does not find."""
    whole = dominoes(rng.choice([2, 2, 3]))
    side = rng.choice([5, min(7, whole.height)])
    at = rng.randrange(0, whole.height - side + 1, 2)
    rows = [bytearray(whole.row(row)[at : at + side]) for row in range(at, at + side)]
    if rng.random() < 0.2:
        rows[rng.randrange(side)][rng.randrange(side)] ^= 1
    if rng.random() < 0.3:
        rows.insert(rng.choice([0, side]), bytearray(side))  # an empty line
    if rng.random() < 0.5:
        rows = [row[::-1] for row in rows]
    if rng.random() < 0.1:
        rows[0][rng.randrange(side)] = 2
    return puzzle_of(Grid(len(rows), side, b"".join(rows)))


def loose(rng: random.Random) -> Nonogram:
    """Short clues, drawn without a picture: mostly unsolvable, which no line alone shows."""
    side = rng.choice([4, 5])

    def clues() -> tuple[Clue, ...]:
        sizes = (rng.choice(TOUCHING) for _ in range(side))
        return tuple(tuple(Block(size) for size in line) for line in sizes)

    return Nonogram(clues(), clues(), INKS[:1])


KINDS: tuple[Callable[[random.Random], Nonogram], ...] = (noise, permutations, stairs, loose)


def drawn(seed: int) -> Nonogram:
    """A puzzle of any kind; some with blocks of unknown length, shuffled rows or a given cell."""
    rng = random.Random(seed)
    puzzle = rng.choice(KINDS)(rng)
    rows, columns = list(puzzle.rows), list(puzzle.columns)
    share = rng.choice([0, 0, 0, 0.1, 0.2, 1 if len(rows) * len(columns) < 17 else 0.3])
    for clues in rng.choice([(rows,), (rows, columns)]):
        clues[:] = [blotted(clue, share, rng) for clue in clues]
    given: tuple[tuple[int, int, int], ...] = ()
    what = rng.random()
    if what < 0.1:
        rng.shuffle(rows)
    elif what < 0.2:
        at = rng.randrange(len(rows)), rng.randrange(len(columns))
        given = ((*at, rng.randrange(len(puzzle.colours) + 1)),)
    return Nonogram(tuple(rows), tuple(columns), puzzle.colours, given=given)


def blotted(clue: Clue, share: float, rng: random.Random) -> Clue:
    return tuple(Block(None, b.colour) if rng.random() < share else b for b in clue)
