"""Slitherlink boards with exactly one solution, thinned to a requested share of clues or grade.

A region grows cell by cell from a random one, by cells that leave it simply connected ("simple
points": around them, inside and outside change exactly twice), so that a single loop surrounds it.
All its clues together mostly have that loop as their only solution. Clues are then removed in
batches, in random order, as long as a learning search finds no second loop; a batch that fails is
halved.

For symmetric boards, clues of an orbit are removed together. If a grade is requested and the
thinned board is harder, clues are removed again, as long as an explanation without harder steps
ends with the loop, which also proves its uniqueness.

Invariant: the board has one solution, proved by the search or by such an explanation; the share is
met unless every clue left is necessary. Regions are linear in the board; thinning takes a few
hundred queries.

Source: simple points: Kong, Rosenfeld, "Digital topology: introduction and survey" (CVGIP 48,
1989); deletion in batches is after Marques-Silva, Janota, Belov, "Minimal sets over monotone
predicates" (CAV 2013).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace

from nonosat.core.errors import PuzzleError, shown
from nonosat.core.families import family_of
from nonosat.core.limits import Watch, watch_of
from nonosat.core.model import Count, Loop, Model
from nonosat.core.plugins import Answer
from nonosat.core.result import Options
from nonosat.core.wording import listed
from nonosat.generate.grades import check_grade
from nonosat.puzzles import slitherlink
from nonosat.puzzles.slitherlink.data import BLANK, Path, Slitherlink, around, check_size
from nonosat.solving.choices import choices_of
from nonosat.solving.oracle import Oracle

ENGINE = "learn"
INSIDE = 0.55  # share of the cells; below it loops get short, above it regions fill the board
SLENDER = 2  # neighbours inside, of eight; cells with more of them make a region compact, ...
STOUT = 0.1  # ... and the loop around it short, and are accepted only with this probability
ATTEMPTS = 200  # paths drawn for a grade
_RING = ((-1, -1), (-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1))

Orbit = tuple[int, ...]  # cells that have a clue all together or not at all


def _alone(height: int, width: int) -> list[Orbit]:
    return [(cell,) for cell in range(height * width)]


def _turned(height: int, width: int) -> list[Orbit]:
    last = height * width - 1
    return [tuple(sorted({cell, last - cell})) for cell in range((last + 2) // 2)]


def _mirrored(height: int, width: int) -> list[Orbit]:
    half = range((width + 1) // 2)
    cells = ((row * width, column) for row in range(height) for column in half)
    return [tuple(sorted({first + column, first + width - 1 - column})) for first, column in cells]


SYMMETRIES = {"": _alone, "rotation": _turned, "mirror": _mirrored}


def generate_slitherlink(
    height: int,
    width: int,
    clues: float = 0.4,
    seed: int = 0,
    *,
    grade: int | None = None,
    symmetric: str = "",
    time_limit_s: float | None = None,
    memory_limit_mib: int | None = None,
) -> Slitherlink:
    """Return a Slitherlink with exactly one solution.

        >>> puzzle = nonosat.generate_slitherlink(5, 5, clues=0.5, seed=1)
        >>> puzzle.num_clues, nonosat.is_unique(puzzle)
        (12, True)
        >>> puzzle == nonosat.generate_slitherlink(5, 5, clues=0.5, seed=1)
        True

    Args:
        height: Number of rows.
        width: Number of columns.
        clues: Share of the cells with a clue; 1 makes a Slink (of more than one cell).
        seed: Seed of the random numbers.
        grade: Integer part of the difficulty, as `rate` computes it, 1 to 7. If boards with the
            share of clues are too easy, there are fewer clues; if they are too hard, more.
        symmetric: "rotation" if a half turn maps the places of clues to themselves, "mirror" if the
            right half mirrors the left one; "" for neither.
        time_limit_s: Wall seconds; None (or infinity) is without limit.
        memory_limit_mib: Resident memory of the process; None is without limit.

    Raises:
        PuzzleError: A size, share, grade or symmetry is out of range, or no board of the grade was
            found.
        LimitReached: A limit was reached; the message names it.
    """
    check_size(height, width)
    if not 0 <= clues <= 1:
        raise PuzzleError(f"a share of {clues:g} clues, expected 0 to 1")
    check_grade(grade, logic_only=False)
    if symmetric not in SYMMETRIES:
        raise PuzzleError(f"symmetric is {shown(symmetric)}, expected {_named()}")
    watch = watch_of(time_limit_s, memory_limit_mib)
    rng = random.Random(f"slitherlink {height} {width} {seed}")
    orbits = SYMMETRIES[symmetric](height, width)
    goal = round(clues * height * width)
    for _ in range(ATTEMPTS):
        thinning = _unique(height, width, seed, rng, orbits, watch)
        found = thinning.thinned(goal, rng) if grade is None else thinning.graded(goal, rng, grade)
        if found is not None:
            return found
    raise PuzzleError(
        f"none of {ATTEMPTS} boards of {height} x {width} cells is of grade {grade}; try another "
        "size or grade"
    )


def _named() -> str:
    """Return the names of the symmetries, as a list for a message."""
    return listed([repr(name) for name in SYMMETRIES])


def _unique(
    height: int, width: int, seed: int, rng: random.Random, orbits: Sequence[Orbit], watch: Watch
) -> _ClueReduction:
    """Return the clue reduction for a random loop that is the only solution of all its clues."""
    while True:
        path = around(height, width, grow(height, width, rng, watch.check))
        full = Slitherlink(height, width, clues_of(path))
        thinning = _ClueReduction(full, path, seed, orbits, watch)
        if thinning.is_unique(()):
            return thinning


def grow(
    height: int, width: int, rng: random.Random, pause: Callable[[], None] = lambda: None
) -> bytes:
    """Return a random region without holes, one byte per cell."""
    inside = bytearray((height + 2) * (width + 2))  # with a margin, so that every neighbour exists
    step = width + 2
    ring = [row * step + column for row, column in _RING]
    sides = ring[1::2]
    on_board = [(row + 1) * step + column + 1 for row in range(height) for column in range(width)]
    allowed = bytearray(len(inside))
    for place in on_board:
        allowed[place] = 1
    place = rng.choice(on_board)
    goal = max(min(2, len(on_board)), round(INSIDE * len(on_board)))  # one cell: clue 4
    waiting, left = [place], goal
    while waiting and left:
        pause()
        at = rng.randrange(len(waiting))
        place = waiting[at]
        if sum(inside[place + way] for way in ring) > SLENDER and rng.random() > STOUT:
            continue
        waiting[at] = waiting[-1]
        waiting.pop()
        around_it = [inside[place + way] for way in ring]
        changes = sum(around_it[i] != around_it[i - 1] for i in range(8))
        if inside[place] or ((changes != 2 or not any(around_it[1::2])) and left < goal):
            continue
        inside[place] = 1
        left -= 1
        waiting += [place + way for way in sides if allowed[place + way]]
    return bytes(inside[place] for place in on_board)


def clues_of(path: Path) -> bytes:
    """Return the clue of each cell if the path is the solution."""
    clues = bytearray()
    for row in range(path.height):
        sides = path.vertical(row)
        above, below = path.horizontal(row), path.horizontal(row + 1)
        clues += bytes(map(sum, zip(above, below, sides[:-1], sides[1:], strict=True)))
    return bytes(clues)


class _ClueReduction:
    """Removal of clues of a loop, with an incremental engine that searches for a second loop.

    Each clue holds while its selector, a variable of its own, is assumed.
    """

    def __init__(
        self, full: Slitherlink, path: Path, seed: int, orbits: Sequence[Orbit], watch: Watch
    ) -> None:
        self._orbits = orbits
        self._full = full
        self._path = path
        self._watch = watch
        self._kept = dict.fromkeys(range(len(full.clues)))
        model = slitherlink.build(full)
        model.refuse_others("the choice of clues", Count, Loop)
        self._edges = model.blocked_on or ()
        choices = choices_of(Options(), family_of(full))
        oracle = Oracle.of(replace(model, counts=()), ENGINE, watch, choices, seed)
        self._oracle = oracle
        self._switches = oracle.new_vars(len(full.clues))
        for switch, count in enumerate(model.counts, start=self._switches):
            oracle.add_model(Model(model.num_vars, counts=(count,)), switch)
        oracle.block(edge for edge, on in zip(self._edges, path.edges, strict=True) if on)
        # For each other loop that was found: number of kept clues that it violates.
        self._num_violated: list[int] = []
        self._violated_by: list[list[int]] = [[] for _ in full.clues]

    def is_unique(self, batch: Sequence[int]) -> bool:
        """Return True if the path is still the only loop after a batch of clues is removed."""
        self._watch.doing("clues left", len(self._kept))
        if self._is_known_to_fail(batch):
            return False
        gone = set(batch)
        switches = [self._switches + clue for clue in self._kept if clue not in gone]
        if self._oracle.solve(switches) is Answer.SAT:
            self._remember(slitherlink.decode(self._full, self._oracle.values()))
            return False
        self._watch.check()
        return True

    def _is_known_to_fail(self, batch: Sequence[int]) -> bool:
        """Return True if a known other loop would violate no clue after a batch is removed."""
        less: dict[int, int] = {}
        for clue in batch:
            for other in self._violated_by[clue]:
                less[other] = less.get(other, 0) + 1
        return any(self._num_violated[other] == number for other, number in less.items())

    def _remember(self, other: Path) -> None:
        pairs = zip(self._full.clues, clues_of(other), strict=True)
        violated = [clue for clue, (mine, yours) in enumerate(pairs) if mine != yours]
        for clue in violated:
            self._violated_by[clue].append(len(self._num_violated))
        self._num_violated.append(sum(clue in self._kept for clue in violated))

    def thinned(self, goal: int, rng: random.Random) -> Slitherlink:
        """Return the board with `goal` clues, or with all that are necessary."""
        self._thin(goal, rng, self.is_unique)
        return self._board()

    def graded(self, goal: int, rng: random.Random, grade: int) -> Slitherlink | None:
        """Return a board of a grade, with `goal` clues if possible; None if none was found."""

        def is_no_harder(batch: Sequence[int]) -> bool:
            return self._grade(grade, batch) is not None

        for least in (goal, 0):
            before = dict(self._kept)
            self._thin(least, rng, self.is_unique)
            found = self._grade(grade)
            if found is None:  # too hard: remove clues again, now limited by the grade
                self._put_back(before)
                self._thin(least, rng, is_no_harder)
                found = self._grade(grade)
            if found == grade:
                return self._board()
        return None

    def _thin(self, goal: int, rng: random.Random, may_go: Callable[[Sequence[int]], bool]) -> None:
        """Remove clues in random order until `goal` are left, or every other one is necessary."""
        order = rng.sample(range(len(self._orbits)), len(self._orbits))
        order = [at for at in order if self._orbits[at][0] in self._kept]
        size, at = max(1, len(order) // 8), 0
        while at < len(order) and len(self._kept) > goal:
            orbits = self._fitting([self._orbits[one] for one in order[at : at + size]], goal)
            taken = len(orbits)
            if not taken:  # it has more cells than may be removed; a smaller one may follow
                at += 1
                continue
            batch = [cell for orbit in orbits for cell in orbit]
            if may_go(batch):
                self._take_away(batch)
                at += taken
                size = taken + taken // 2 + 1
            elif taken == 1:
                at += 1
            else:
                size = taken // 2

    def _fitting(self, orbits: Sequence[Orbit], goal: int) -> Sequence[Orbit]:
        """Return the longest prefix of the orbits whose removal keeps `goal` clues or more."""
        left = len(self._kept) - goal
        for number, orbit in enumerate(orbits):
            left -= len(orbit)
            if left < 0:
                return orbits[:number]
        return orbits

    def _board(self, batch: Sequence[int] = ()) -> Slitherlink:
        """Return the board of the kept clues, without those of a batch."""
        kept = self._kept.keys() - set(batch)
        clues = bytes(
            number if clue in kept else BLANK for clue, number in enumerate(self._full.clues)
        )
        return Slitherlink(self._full.height, self._full.width, clues)

    def _grade(self, hardest: int, batch: Sequence[int] = ()) -> int | None:
        """Return the grade of the kept clues without those of a batch; None if it exceeds
        `hardest`.
        """
        from nonosat.explain.slitherlink.solving import grade_within

        self._watch.doing("clues left", len(self._kept))
        return grade_within(self._board(batch), self._watch, hardest)

    def _put_back(self, kept: dict[int, None]) -> None:
        """Restore these clues."""
        for clue in kept.keys() - self._kept.keys():
            for other in self._violated_by[clue]:
                self._num_violated[other] += 1
        self._kept = dict(kept)

    def _take_away(self, batch: Sequence[int]) -> None:
        for clue in batch:
            del self._kept[clue]
            for other in self._violated_by[clue]:
                self._num_violated[other] -= 1
