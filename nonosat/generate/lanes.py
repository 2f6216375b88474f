"""Random boards of lanes, such as triddlers: with any number of solutions, or with exactly one.

Each cell is drawn independently. For a unique solution, cells in which another solution differs
from the picture are changed one by one until there is none (a random walk, which ends soon because
such cells form small regions unless few cells are filled); after too many changes another picture
is drawn.

Invariant: the uniqueness of a solution is proved by `check`; equal arguments produce the same
puzzle on every machine. A change costs one check.
"""

from __future__ import annotations

from numbers import Real
from random import Random

from nonosat.core.errors import PuzzleError, shown
from nonosat.core.grid import Grid
from nonosat.core.limits import Watch, left_of, watch_of
from nonosat.core.result import Verdict
from nonosat.core.scope import within
from nonosat.puzzles.lanes import LaneNonogram, Shape, from_grid
from nonosat.solving.pipeline import check

ATTEMPTS = 20  # pictures drawn for a unique solution


def generate_lanes(
    shape: Shape,
    density: float = 0.5,
    seed: int = 0,
    *,
    unique: bool = False,
    time_limit_s: float | None = None,
    memory_limit_mib: int | None = None,
) -> LaneNonogram:
    """Return the clues of a random picture on a board of lanes.

        >>> from nonosat.generate.lanes import generate_lanes
        >>> from nonosat.puzzles.lanes import triddler
        >>> puzzle = generate_lanes(triddler(5), 0.6, seed=1, unique=True)
        >>> nonosat.is_unique(puzzle)
        True

    Args:
        shape: Cells and lanes.
        density: Share of filled cells.
        seed: Seed of the random numbers.
        unique: The clues have exactly one solution.
        time_limit_s: Wall seconds; None (or infinity) is without limit.
        memory_limit_mib: Resident memory of the process; None is without limit.

    Raises:
        PuzzleError: The density is out of range, or no picture with one solution was found.
        LimitReached: A limit was reached; the message names it.
    """
    if not (isinstance(density, Real) and 0 <= density <= 1):
        raise PuzzleError(f"a density of {shown(density)}, expected 0 to 1")
    watch = watch_of(time_limit_s, memory_limit_mib)
    rng = Random(f"lanes {shape.to_data()} {float(density)!r} {seed}")
    if not unique:
        return within(watch, lambda: _puzzle(shape, _picture(shape, density, rng, watch)))
    return within(watch, lambda: _unique(shape, density, rng, watch))


def _picture(shape: Shape, density: float, rng: Random, watch: Watch) -> bytearray:
    """Return a random picture, a byte for each place of the rectangle around the board."""
    layout = shape.layout
    picture = bytearray(layout.height * layout.width)
    for number, (row, column) in enumerate(layout.places):
        if number % 4096 == 0:
            watch.check()
        picture[row * layout.width + column] = rng.random() < density
    return picture


def _puzzle(shape: Shape, picture: bytearray) -> LaneNonogram:
    return from_grid(shape, Grid(shape.layout.height, shape.layout.width, bytes(picture)))


def _unique(shape: Shape, density: float, rng: Random, watch: Watch) -> LaneNonogram:
    """Return the puzzle of the first random picture that changes make unique."""
    for _ in range(ATTEMPTS):
        picture = _picture(shape, density, rng, watch)
        for _ in shape.layout.places:
            puzzle = _puzzle(shape, picture)
            result = check(puzzle, **left_of(watch))
            if result.verdict is Verdict.UNIQUE:
                return puzzle
            if result.verdict is Verdict.UNKNOWN:
                raise watch.limit()
            row, column = rng.choice(sorted(result.disputed))
            picture[row * shape.layout.width + column] ^= 1
    raise PuzzleError(
        f"{ATTEMPTS} pictures of the density {density:g} could not be made unique; expected a "
        "larger density or another seed"
    )
