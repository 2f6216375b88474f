"""Random nonograms: with any number of solutions, with exactly one, or solvable by line logic.

Each cell is drawn independently, except for puzzles as those of tournaments, whose number of filled
cells is given. For a unique solution cells are changed until there is one
(`mending.quick`); for a grade, pictures are drawn until one has it, for the hardest grade with a
staircase of dominoes among random cells (`mending.planting`).

Invariant: the uniqueness of a solution is proved by a search for a second one; equal arguments
produce the same puzzle on every machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Real
from random import Random

from nonosat.core.errors import PuzzleError, shown
from nonosat.core.grid import Grid
from nonosat.core.limits import Watch, polled, watch_of
from nonosat.core.scope import within
from nonosat.generate.grades import HARDEST, LINE_LOGIC, check_grade
from nonosat.generate.mending.driving import alone
from nonosat.generate.mending.quick import mended
from nonosat.puzzles.nonogram.data import INKS, Colour, Nonogram, check_size, from_grid

ATTEMPTS = 500  # pictures drawn for a grade
STEP = 0.01  # of the density: fuller pictures are easier, emptier ones harder
# Shares of filled cells of the first and the last puzzle of a tournament's set. Source: rules of
# the tournaments of the TCGA (Nonogram_rule_150520.txt, 2015), and the generator that they name.
FIRST_SHARE, LAST_SHARE = 0.5, 0.35


def generate_nonogram(
    height: int,
    width: int,
    density: float = 0.5,
    seed: int = 0,
    *,
    unique: bool = False,
    logic_only: bool = False,
    grade: int | None = None,
    symmetric: bool = False,
    colours: int = 1,
    time_limit_s: float | None = None,
    memory_limit_mib: int | None = None,
) -> Nonogram:
    """Return a random nonogram, which has its picture as goal.

        >>> puzzle = nonosat.generate_nonogram(10, 10, seed=2, unique=True)
        >>> nonosat.is_unique(puzzle)
        True
        >>> puzzle == nonosat.generate_nonogram(10, 10, seed=2, unique=True)
        True

    Args:
        height: Number of rows.
        width: Number of columns.
        density: Share of filled cells. If it is small, most of them are emptied to get one
            solution.
        seed: Seed of the random numbers.
        unique: The clues have exactly one solution.
        logic_only: Line logic alone, one line at a time, finds the solution.
        grade: Integer part of the difficulty, as `rate` computes it, 1 to 7; implies unique. If
            pictures of the density are too hard, fuller ones are drawn; if they are too easy,
            emptier ones. For 7 a staircase of dominoes is put among the random cells, and cells
            around it are emptied, so that fewer are filled; a board of at least 9 rows and 9
            columns has room for it, 17 columns if it is symmetric.
        symmetric: The right half mirrors the left one.
        colours: Number of colours, 1 to 7; each filled cell gets a random one.
        time_limit_s: Wall seconds; None (or infinity) is without limit.
        memory_limit_mib: Resident memory of the process; None is without limit.

    Raises:
        PuzzleError: A size, density, grade or number of colours is out of range, or no picture of
            the grade was found.
        LimitReached: A limit was reached; the message names it.
    """
    check_size(height, width)
    _check(density, grade, colours, logic_only=logic_only)
    watch = watch_of(time_limit_s, memory_limit_mib)
    rng = Random(f"nonogram {height} {width} {float(density)!r} {colours} {symmetric} {seed}")
    drawing = _PictureSource(Grid.unknown(height, width), INKS[:colours], symmetric, watch)
    if not (unique or logic_only or grade):
        return within(watch, lambda: drawing.puzzle(drawing.random(density, rng)))
    if grade == HARDEST:
        from nonosat.generate.mending.planting import check_room

        check_room(height, width, is_symmetric=symmetric)
    is_logic = logic_only or (grade is not None and grade <= LINE_LOGIC)
    return within(watch, lambda: drawing.mended(density, rng, grade, logic_only=is_logic))


def generate_tournament(
    number: int,
    count: int = 1000,
    size: int = 25,
    seed: int = 0,
    *,
    time_limit_s: float | None = None,
    memory_limit_mib: int | None = None,
) -> Nonogram:
    """Return a puzzle of a set as the tournaments of the TCGA and TAAI use.

    The filled cells are a random subset; their share falls from `FIRST_SHARE` in the first puzzle
    to `LAST_SHARE` in the last one. The picture is the goal, and mostly one of many solutions.

    Args:
        number: Number of the puzzle in its set, from 1; it becomes the id.
        count: Number of puzzles of the set.
        size: Number of rows, and of columns.
        seed: Seed of the set.
        time_limit_s: Wall seconds; None (or infinity) is without limit.
        memory_limit_mib: Resident memory of the process; None is without limit.

    Raises:
        PuzzleError: The size or the number is out of range.
        LimitReached: A limit was reached; the message names it.
    """
    check_size(size, size)
    if not (type(number) is int and type(count) is int and 1 <= number <= count):
        raise PuzzleError(f"puzzle {shown(number)} of {shown(count)}, expected 1 to the count")
    rng = Random(f"tournament {size} {count} {seed} {number}")
    share = FIRST_SHARE + (LAST_SHARE - FIRST_SHARE) * (number - 1) / max(count - 1, 1)

    def made() -> Nonogram:
        # Selection sampling (D. E. Knuth, TAOCP 2, 3.4.2, algorithm S), which can poll.
        cells = bytearray(size * size)
        missing = int(share * len(cells))
        for left in polled(range(len(cells), 0, -1)):
            if rng.random() * left < missing:
                cells[-left] = 1
                missing -= 1
        return from_grid(Grid(size, size, bytes(cells)), INKS[:1]).about_with(id=str(number))

    return within(watch_of(time_limit_s, memory_limit_mib), made)


def _check(density: float, grade: int | None, colours: int, *, logic_only: bool) -> None:
    if not (isinstance(density, Real) and 0 <= density <= 1):
        raise PuzzleError(f"a density of {shown(density)}, expected 0 to 1")
    check_grade(grade, logic_only=logic_only)
    if not (type(colours) is int and 1 <= colours <= len(INKS)):
        raise PuzzleError(f"{shown(colours)} colours, expected 1 to {len(INKS)}")


class _PictureSource:
    """Source of random pictures of a size.

    Args:
        blank: Empty grid of the size.
        inks: Values of the colours.
        symmetric: True if the right half mirrors the left one.
        watch: Ends the work.
    """

    def __init__(self, blank: Grid, inks: Sequence[Colour], symmetric: bool, watch: Watch) -> None:
        self._blank, self._inks, self._watch = blank, tuple(inks), watch
        self._is_symmetric, self._orbit = symmetric, self._mirrored if symmetric else alone

    def _mirrored(self, cell: int) -> Sequence[int]:
        row, column = divmod(cell, self._blank.width)
        return (cell, (row + 1) * self._blank.width - 1 - column)

    def random(self, density: float, rng: Random) -> Grid:
        """Return a random picture."""
        cells = bytearray(self._blank.cells)
        for cell in range(len(cells)):
            if cell % self._blank.width == 0:
                self._watch.check()
            value = rng.randint(1, len(self._inks)) if rng.random() < density else 0
            for each in self._orbit(cell):
                cells[each] = value
        return Grid(self._blank.height, self._blank.width, bytes(cells))

    def puzzle(self, picture: Grid) -> Nonogram:
        """Return the puzzle of a picture."""
        return from_grid(picture, self._inks)

    def mended(
        self, density: float, rng: Random, grade: int | None, *, logic_only: bool
    ) -> Nonogram:
        """Return the puzzle of the first random picture that can be repaired and has the grade.

        Any grade is accepted if `grade` is None.
        """
        for _ in range(ATTEMPTS):
            picture, kept = self.random(density, rng), frozenset[int]()
            if grade == HARDEST:
                picture, kept = self._planted(picture, rng)
            drawn = self.puzzle(picture)
            puzzle = mended(drawn, self._watch, logic_only=logic_only, kept=kept, orbit=self._orbit)
            if puzzle is None:
                continue
            if grade is None or (found := self._grade(puzzle, grade)) == grade:
                return puzzle
            step = STEP if found is None else -STEP
            density = min(max(density + step, STEP), 1 - STEP)
        goal = "with one solution" if grade is None else f"of grade {grade}"
        raise PuzzleError(
            f"none of {ATTEMPTS} pictures was {goal}; expected another size, density or seed"
        )

    def _planted(self, picture: Grid, rng: Random) -> tuple[Grid, frozenset[int]]:
        """Return a picture with a staircase, and the cells that it requires."""
        from nonosat.generate.mending.planting import drawn_stencil

        stencil = drawn_stencil(
            picture.height,
            picture.width,
            rng,
            is_symmetric=self._is_symmetric,
            orbit=self._orbit,
        )
        return stencil.put_into(picture, rng.randint(1, len(self._inks))), stencil.cells

    def _grade(self, puzzle: Nonogram, hardest: int) -> int | None:
        """Return the grade of a puzzle; None if it is harder than `hardest`."""
        from nonosat.explain.nonogram.solving import graded_within

        return graded_within(puzzle, self._watch, hardest).grade
