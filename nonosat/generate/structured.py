"""Families of nonograms whose only solution depends on the whole board.

Each is a picture of a few cells per line, composed of one small shape repeated many times, so that
every line has much slack, and a wrong cell at one end is refuted only at the other. Propagation and
probing decide nothing, and the conflicts of clause learning grow exponentially with the number of
shapes. The price bound (`board/prices.py`) decides most of them at once;
benchmarks/native/PRICES.md has the measurements.

Uniqueness is not proved for all sizes: it was checked for small ones of every family
(`tests/test_generate_structured.py`, by several engines). Only `beside-noise`, which draws until a
picture has one solution, checks each puzzle that it makes.

Linear in the board, except for `beside-noise`. Source: staircases of dominoes are the idea of
Wolter's n-domino family (survey of paint-by-number solvers, 2009).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import count
from types import MappingProxyType

from nonosat.core.about import About
from nonosat.core.errors import LimitReached, PuzzleError, shown
from nonosat.core.grid import MAX_CELLS, Grid, refuse_size
from nonosat.core.limits import Watch, left_of, polled, watch_of
from nonosat.core.model import Block, Clue
from nonosat.core.result import Verdict
from nonosat.core.scope import within
from nonosat.puzzles.nonogram.data import BLACK, Colour, Nonogram, from_grid
from nonosat.solving import pipeline

Place = tuple[int, int]  # row and column; pictures may begin at any offset
Picture = Mapping[Place, int]  # colours of the filled cells

CORNER = frozenset({(0, 0), (0, 1), (0, 2), (1, 0), (2, 0)})  # of a domino staircase
INKS = (Colour("r", "#d03020"), Colour("b", "#2040c0"))
NOISE_WIDTH, NOISE_DENSITY = 8, 0.5


@dataclass(frozen=True, slots=True)
class PictureKind:
    """A kind of picture.

    Args:
        title: Title of a puzzle, with {n} in it.
        draw: Function that returns the puzzle of a size; or puzzles, of which the first with one
            solution is used.
    """

    title: str
    draw: Callable[[int], Nonogram | Iterator[Nonogram]]


def generate_structured(
    family: str,
    n: int,
    *,
    time_limit_s: float | None = None,
    memory_limit_mib: int | None = None,
) -> Nonogram:
    """Return the puzzle of a family with n shapes; equal arguments give equal puzzles.

        >>> puzzle = nonosat.generate_structured("dominoes", 20)
        >>> puzzle.height, nonosat.check(puzzle).verdict.value
        (41, 'unique')

    Args:
        family: Name that `nonosat generate structured --help` lists, for example `dominoes`.
        n: Number of shapes; the size of the board depends on the family.
        time_limit_s: Wall seconds; None (or infinity) is without limit.
        memory_limit_mib: Memory of this process; None is without limit.

    Raises:
        PuzzleError: There is no such family, or n is below 1 or too large.
        LimitReached: A limit was reached first.
    """
    if family not in FAMILIES:
        names = ", ".join(FAMILIES)
        raise PuzzleError(f"{shown(family)} is no family of structured puzzles, expected {names}")
    found = FAMILIES[family]
    if n < 1:
        raise PuzzleError(f"{family} of {n} shapes, expected at least 1")
    refuse_size(n, n, MAX_CELLS)  # reserved before the picture is drawn
    watch = watch_of(time_limit_s, memory_limit_mib)
    puzzle = within(watch, partial(_drawn, found, n, watch))
    source = "nonosat generate structured"
    about = About(id=f"{family}-{n}", title=found.title.format(n=n), source=source)
    return replace(puzzle, about=about)


def _drawn(family: PictureKind, n: int, watch: Watch) -> Nonogram:
    """Return the puzzle; of several, the first with one solution."""
    watch.check()
    puzzles = family.draw(n)
    if isinstance(puzzles, Nonogram):
        watch.check()
        return puzzles
    for puzzle in puzzles:
        result = pipeline.check(puzzle, **left_of(watch))
        if result.verdict is Verdict.UNIQUE:
            return puzzle
        if result.verdict is Verdict.UNKNOWN:
            raise LimitReached(result.reason)
    raise AssertionError("puzzles without end have ended")


# Parts of pictures


def staircase(steps: int, arms: tuple[int, ...] = (3,), colours: int = 1) -> Grid:
    """Return corners down the diagonal from the top left, each with two arms of equal length.

    The arm of step k is `arms[k % len(arms)]`, its colour `k % colours + 1`. Neighbouring corners
    share a row and a column, so every line contains cells of two corners at most. Arms of 3 are
    n-domino.
    """
    places: dict[Place, int] = {}
    corner = 0
    for step in range(steps):
        length = arms[step % len(arms)]
        for away in range(length):
            places[corner, corner + away] = places[corner + away, corner] = step % colours + 1
        corner += length - 1
    return _grid(places)


def _chain(shape: Iterable[Place], step: Place, n: int) -> set[Place]:
    """Return the cells of n copies of a shape, each moved by `step` from the one before."""
    down, right = step
    return {(row + k * down, column + k * right) for k in range(n) for row, column in shape}


def _grid(picture: Picture) -> Grid:
    """Return the smallest board around a picture."""
    top = min(row for row, _ in picture)
    left = min(column for _, column in picture)
    height = max(row for row, _ in picture) - top + 1
    width = max(column for _, column in picture) - left + 1
    refuse_size(height, width, MAX_CELLS)
    cells = bytearray(height * width)
    for (row, column), colour in polled(picture.items()):
        cells[(row - top) * width + column - left] = colour
    return Grid(height, width, bytes(cells))


def _clued(grid: Grid) -> Nonogram:
    """Return the puzzle whose clues are those of a picture; it stores no goal."""
    inks = INKS if max(grid.cells) > 1 else (BLACK,)
    whole = from_grid(grid, inks)
    return Nonogram(whole.rows, whole.columns, whole.colours)


def _black(places: Iterable[Place]) -> Nonogram:
    return _clued(_grid(dict.fromkeys(places, 1)))


def _spiral(reach: int) -> set[Place]:
    """Return a spiral one cell wide from the top left into a square of 2 * reach + 1."""
    row, column, down, right = 0, 0, 0, 1
    places = {(row, column)}
    lengths = [2 * reach, *(side for side in range(2 * reach, 0, -2) for _ in range(2))]
    for length in polled(lengths):
        for _ in range(length):
            row, column = row + down, column + right
            places.add((row, column))
        down, right = right, -down
    return places


# Families


def _combs(n: int) -> Nonogram:
    back = {(row, 0) for row in range(5)}
    teeth = {(row, column) for row in (0, 2, 4) for column in (1, 2, 3)}
    return _black(_chain(back | teeth, (6, 3), n))


def _spirals(n: int) -> Nonogram:
    return _black(_chain(_spiral(3), (4, 8), n))


def _interleaved(n: int) -> Nonogram:
    corners = _chain(CORNER, (2, 2), n)
    return _black(corners | {(row + 1, column + 6) for row, column in corners})


def _swapped(n: int) -> Nonogram:
    places = {(2 * k + row, 2 * (k ^ 1) + column) for k in range(2 * n) for row, column in CORNER}
    return _black(places)


def _coloured(n: int) -> Nonogram:
    falling = _chain(CORNER, (2, 2), n)
    rising = {(row, 4 * n - column) for row, column in falling}
    return _clued(_grid(dict.fromkeys(falling, 1) | dict.fromkeys(rising - falling, 2)))


def _unknown_lengths(n: int) -> Nonogram:
    """Return a staircase whose blocks of one cell have unknown lengths.

    Columns with a single block keep its length.
    """

    def hidden(clue: Clue, feet_only: bool) -> Clue:
        if feet_only and len(clue) == 1:
            return clue
        return tuple(Block(None, 1) if block.length == 1 else block for block in clue)

    whole = _clued(staircase(n))
    rows = tuple(hidden(clue, False) for clue in whole.rows)
    columns = tuple(hidden(clue, True) for clue in whole.columns)
    return Nonogram(rows, columns, whole.colours)


def _beside_noise(n: int) -> Iterator[Nonogram]:
    corners = _chain(CORNER, (2, 2), n)
    height = 2 * n + 1
    for seed in count():
        rng = random.Random(seed)
        noise = {
            (row, height + 1 + column)
            for row in range(height)
            for column in range(NOISE_WIDTH)
            if rng.random() < NOISE_DENSITY
        }
        yield _black(corners | noise)


def _knights(n: int) -> Nonogram:
    lying, upright = {(0, 0), (0, 1)}, {(2, 1), (3, 1)}
    return _black(_chain(lying | upright, (3, 3), n))


def _trominoes(n: int) -> Nonogram:
    pair = _chain({(0, 0), (0, 1), (1, 1)}, (3, 1), 2)
    return _black(_chain(pair, (4, 3), n))


def _mirrored(n: int) -> Nonogram:
    corners = _chain(CORNER, (2, 2), n)
    return _black(corners | {(row, 4 * n - column) for row, column in corners})


def _diamonds(n: int) -> Nonogram:
    side = {(row, 2 * n - column) for row, column in _chain(CORNER, (2, 2), n)}
    last = 4 * n + 1
    rows = side | {(last - row, column) for row, column in side}
    return _black(rows | {(row, last - column) for row, column in rows})


FAMILIES: Mapping[str, PictureKind] = MappingProxyType(
    {
        "dominoes": PictureKind("Staircase of {n} dominoes", lambda n: _clued(staircase(n))),
        "combs": PictureKind("{n} combs", _combs),
        "spirals": PictureKind("{n} spirals", _spirals),
        "interleaved": PictureKind("Two staircases of {n} dominoes, interleaved", _interleaved),
        "swapped": PictureKind("Staircase of {n} pairs of dominoes, swapped", _swapped),
        "coloured": PictureKind("Staircases of {n} dominoes, red and blue", _coloured),
        "unknown-lengths": PictureKind("{n} dominoes of unknown lengths", _unknown_lengths),
        "beside-noise": PictureKind("Staircase of {n} dominoes beside noise", _beside_noise),
        "knights": PictureKind("{n} dominoes and their neighbours a knight away", _knights),
        "trominoes": PictureKind("{n} pairs of trominoes", _trominoes),
        "mirrored": PictureKind("Two staircases of {n} dominoes with a common column", _mirrored),
        "diamonds": PictureKind("Diamond with sides of {n} dominoes", _diamonds),
    }
)
