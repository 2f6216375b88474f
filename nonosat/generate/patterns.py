"""Well-known pictures as nonograms: fractals, curves, automata, number patterns, weaves.

Each is drawn in any size; many exist in some sizes only, and then the largest one that fits is
drawn. They are made to look at: whether a puzzle has one solution is asked by `nonosat.check`.
`nonosat.generate.structured` has others, which are made to have one and to be hard.

Source: see `patterns_mathematics.py` and `patterns_weaves.py`; staircases of dominoes are Wolter's
(survey of paint-by-number solvers, 2009).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType
from typing import NamedTuple

from nonosat.core.about import About
from nonosat.core.errors import PuzzleError, counted, meant, shown
from nonosat.core.grid import Grid
from nonosat.generate import patterns_mathematics as mathematics
from nonosat.generate import patterns_weaves as weaves
from nonosat.generate.canvas import negative
from nonosat.generate.structured import staircase
from nonosat.processes.guard import watch_of, within
from nonosat.puzzles.nonogram.data import Nonogram, from_grid

MOST_ROWS = 1000


class Pattern(NamedTuple):
    """A kind of picture.

    Args:
        title: Of a puzzle.
        least: Rows of the smallest one.
        draw: The largest one of at most so many rows.
    """

    title: str
    least: int
    draw: Callable[[int], Grid]


def generate_pattern(
    name: str,
    size: int,
    *,
    dark: bool = False,
    time_limit_s: float | None = None,
    memory_limit_mib: int | None = None,
) -> Nonogram:
    """Make the nonogram of a well-known picture, with the picture as its goal.

        >>> print(nonosat.generate_pattern("carpet", 9).goal)
        #########
        #.##.##.#
        #########
        ###...###
        #.#...#.#
        ###...###
        #########
        #.##.##.#
        #########

    Args:
        name: One of those that `nonosat generate pattern --help` lists, as `rose`.
        size: How many rows it has at most; some pictures exist in some sizes only.
        dark: Whether filled and empty cells are exchanged.
        time_limit_s: Wall seconds; None (or infinity) is without limit.
        memory_limit_mib: Of this process; None is without limit.

    Raises:
        PuzzleError: There is no such picture, or none of so few or so many rows.
        LimitReached: A limit was hit first.
    """
    if name not in PATTERNS:
        idea = meant(name, PATTERNS) if isinstance(name, str) else ""
        known = ", ".join(PATTERNS)
        raise PuzzleError(f"{shown(name)} is no pattern{idea}, expected {known}")
    pattern = PATTERNS[name]
    if type(size) is not int or not pattern.least <= size <= MOST_ROWS:
        found = counted(size, "row") if type(size) is int else shown(size)
        raise PuzzleError(f"{name} of {found}, expected {pattern.least} to {MOST_ROWS}")
    watch = watch_of(time_limit_s, memory_limit_mib)
    watch.check()
    drawn = within(watch, partial(pattern.draw, size))
    title = f"{pattern.title}, dark" if dark else pattern.title
    ending = "-dark" if dark else ""
    source = "nonosat generate pattern"
    about = About(id=f"{name}-{drawn.height}{ending}", title=title, source=source)
    return from_grid(negative(drawn) if dark else drawn, about=about)


def _power(base: int, most: int) -> int:
    """The largest exponent with base**exponent <= most; most is at least 1."""
    exponent = 0
    while base ** (exponent + 1) <= most:
        exponent += 1
    return exponent


def _dragon(most: int) -> Grid:
    """A curve begins with that of one fold less, so it is at least as large."""
    found = mathematics.dragon(1)
    folds = 2
    while (larger := mathematics.dragon(folds)).height <= most:
        found, folds = larger, folds + 1
    return found


PATTERNS: Mapping[str, Pattern] = MappingProxyType(
    {
        "carpet": Pattern("Sierpinski's carpet", 3, lambda n: mathematics.carpet(_power(3, n))),
        "dominoes": Pattern("Staircase of dominoes", 3, lambda n: staircase((n - 1) // 2)),
        "dragon": Pattern("Dragon curve", 5, _dragon),
        "glider-gun": Pattern("Glider gun", 12, lambda n: mathematics.glider_gun(n, 150)),
        "hilbert": Pattern(
            "Hilbert's curve", 3, lambda n: mathematics.hilbert(_power(2, n + 1) - 1)
        ),
        "knot": Pattern(
            "Plaited knot", 17, lambda n: weaves.knot((n - 5) // 12, (n - 5) // 12 + 1)
        ),
        "mandelbrot": Pattern(
            "Mandelbrot set", 5, lambda n: mathematics.mandelbrot(n, (60 * n + 24) // 49)
        ),
        "moire": Pattern("Moire rings", 15, lambda n: mathematics.moire(n, 3, 6)),
        "pentagrid": Pattern("Five directions", 5, lambda n: mathematics.pentagrid(n, 5.5)),
        "primes": Pattern(
            "Prime spiral", 3, lambda n: mathematics.prime_spiral((n - 1) // 2 * 2 + 1)
        ),
        "rose": Pattern("Rose of five petals", 5, lambda n: mathematics.rose(n, 5)),
        "rule-30": Pattern("Rule 30", 2, mathematics.rule_30),
        "sierpinski": Pattern(
            "Sierpinski's triangle", 2, lambda n: weaves.sierpinski(_power(2, n))
        ),
        "spirograph": Pattern("Spirograph", 9, lambda n: mathematics.spirograph(n, 0.3, 0.25, 3)),
        "triangles": Pattern(
            "Triangles of triangles", 3, lambda n: weaves.triangles(_power(2, n // 3))
        ),
        "truchet": Pattern("Truchet tiles", 7, lambda n: mathematics.truchet(n // 7, 1, 7)),
    }
)
