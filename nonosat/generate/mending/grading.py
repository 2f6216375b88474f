"""Search for the fewest changes of a picture after which its puzzle has a requested grade.

An enumeration of all sets of changes, by size, and a local search alternate with about equal effort
and share their judgements of pictures. The first result of the enumeration is a smallest repair. A
result of the local search is a smallest one as soon as the enumeration has no smaller set left. For
the hardest grade the local search starts from pictures with an inserted staircase (`planting.py`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from enum import Enum
from itertools import cycle
from random import Random
from typing import NamedTuple

from nonosat.core.grid import Grid, with_cells
from nonosat.core.limits import Watch
from nonosat.explain.nonogram.solving import graded_within
from nonosat.generate.grades import HARDEST, LINE_LOGIC
from nonosat.generate.mending.driving import room_between
from nonosat.generate.mending.flaws import BUDGET, Flaw, Undecided, in_line_logic, in_uniqueness
from nonosat.generate.mending.planting import plantings
from nonosat.generate.mending.quick import mended
from nonosat.generate.mending.result import of_picture
from nonosat.generate.mending.ugliness import UGLIEST, ugliness_of
from nonosat.puzzles.nonogram.data import Nonogram

# Judgement of pictures.
#
# Most pictures are rejected long before they are rated: up to grade 4 a puzzle is solved by line
# propagation, from 5 on it is not, and a search soon finds another solution.


PROPAGATION, SEARCH = 3, 25  # effort in steps of reasoning about one line, on 15x15
Changes = Mapping[int, int]  # of cells, row-major: their new values


class Fault(Enum):
    """Reason why a picture is not the requested one."""

    NONE = "none"
    EASY = "easy"
    HARD = "hard"  # or with several solutions


class PictureJudgement(NamedTuple):
    """Result of judging a picture.

    Args:
        fault: Reason for the rejection.
        flaws: Flaws of a picture that is too hard; every requested picture differs in the windows
            of each.
        left: Cells that should be decided earlier, if the picture is too hard.
    """

    fault: Fault
    flaws: Sequence[Flaw] = ()
    left: Sequence[int] = ()


class Judge:
    """Judge of pictures: their grade, and their flaws. Each picture is judged once.

    Args:
        puzzle: Puzzle with the given cells and the colours.
        grade: Requested grade, 1 to 7.
        watch: Ends the search with LimitReached.

    Attributes:
        effort: Work done so far, in steps of reasoning of about 0.06 ms: equal on every machine.
    """

    def __init__(self, puzzle: Nonogram, grade: int, watch: Watch) -> None:
        self._puzzle, self.grade, self._watch = puzzle, grade, watch
        self._known: dict[bytes, PictureJudgement] = {}
        self.effort = 0

    def judge(self, picture: Grid) -> PictureJudgement:
        """Return the judgement of a picture."""
        self._watch.check()
        known = self._known.get(picture.cells)
        if known is None:
            self.effort += PROPAGATION
            known = self._known[picture.cells] = self._judged(picture)
        return known

    def num_open(self, picture: Grid) -> int:
        """Return the number of cells that line propagation of a picture's clues leaves open."""
        self.effort += PROPAGATION
        flaws = in_line_logic(of_picture(self._puzzle, picture), picture, self._watch)
        return sum(len(flaw.cells) for flaw in flaws)

    def _judged(self, picture: Grid) -> PictureJudgement:
        puzzle = of_picture(self._puzzle, picture)
        stuck = in_line_logic(puzzle, picture, self._watch)
        if self.grade <= LINE_LOGIC:
            if stuck:
                return _hard(stuck)
        elif not stuck:
            return PictureJudgement(Fault.EASY)
        else:
            self.effort += SEARCH + 4 * sum(len(flaw.cells) for flaw in stuck)
            with suppress(Undecided):  # prices may still decide it
                if flaws := in_uniqueness(puzzle, picture, self._watch, BUDGET):
                    return _hard(flaws)
        graded = graded_within(puzzle, self._watch, self.grade)
        self.effort += graded.effort
        if graded.grade is None:
            return PictureJudgement(Fault.HARD, (), graded.left)
        return PictureJudgement(Fault.NONE if graded.grade == self.grade else Fault.EASY)


def _hard(flaws: Sequence[Flaw]) -> PictureJudgement:
    return PictureJudgement(Fault.HARD, flaws, [cell for flaw in flaws for cell in flaw.cells])


class _Enumeration:
    """Enumeration of sets of changes, by size and then ugliness, that finds requested pictures.

    A set grows by one change at a time. If the current picture has a flaw (`flaws.py`), one of the
    next changes must be in the flaw's windows: each requested picture differs there. Every set that
    leads to a requested picture is therefore reached, whichever flaw is used; and flaws whose
    windows are disjoint take one change each.

    The number of sets of k changes is exponential in k. Without flaws that is 400 000 pairs on
    30x30.

    Args:
        picture: The picture that is changed.
        num_colours: Number of colours of the puzzle.
        kept: Cells that stay unchanged.
        judge: Decides which pictures have the requested grade.

    Attributes:
        least: Lower bound on the changes of a requested picture.
        is_whole: True if all sets have been enumerated.
    """

    def __init__(
        self, picture: Grid, num_colours: int, kept: Collection[int], judge: Judge
    ) -> None:
        self.least, self.is_whole = 0, False
        self._picture, self._judge = picture, judge
        self._choices = {
            cell: [
                (value, ugliness_of(picture, cell, value))
                for value in range(num_colours + 1)
                if value != mine
            ]
            for cell, mine in enumerate(picture.cells)
            if cell not in kept
        }

    def changes(self, most: int | None) -> Iterator[Changes | None]:
        """Yield each set that produces a requested picture, and None after each other picture.

        Args:
            most: Maximum size of a set; None is without limit.
        """
        num_free = len(self._choices)
        most = num_free if most is None else min(most, num_free)
        for size in range(most + 1):
            self.least = size
            for ugliness in range(UGLIEST * size + 1):
                yield from self._grown({}, size, ugliness, set())
        self.least, self.is_whole = most + 1, most == num_free

    def _grown(
        self,
        changes: dict[int, int],
        size: int,
        ugliness: int,
        seen: set[frozenset[tuple[int, int]]],
    ) -> Iterator[Changes | None]:
        """Yield the sets that add `size` changes, with a total ugliness of `ugliness`."""
        judged = self._judge.judge(with_cells(self._picture, changes))
        if not size:
            yield changes if judged.fault is Fault.NONE else None
            return
        yield None
        if _num_apart(judged.flaws) > size:
            return
        cells = min((flaw.windows for flaw in judged.flaws), key=len, default=self._choices)
        for cell in cells:
            if cell in changes or cell not in self._choices:
                continue
            for value, ugly in self._choices[cell]:
                rest = ugliness - ugly
                if not 0 <= rest <= UGLIEST * (size - 1):
                    continue
                grown = {**changes, cell: value}
                key = frozenset(grown.items())
                if key not in seen:
                    seen.add(key)
                    yield from self._grown(grown, size - 1, rest, seen)


def _num_apart(flaws: Sequence[Flaw]) -> int:
    """Return the number of flaws in a greedy choice of flaws with disjoint windows."""
    met, number = set[int](), 0
    for flaw in flaws:
        if met.isdisjoint(flaw.windows):
            met.update(flaw.windows)
            number += 1
    return number


# Local search for a picture of the requested grade, without minimising the changes.
#
# In a picture that is too easy, of a sample of changes the one is applied after which line
# propagation leaves the fewest cells open, but at least one. In a picture that is too hard, or has
# several solutions, one of the cells is changed that should be decided earlier: in every other walk
# so that its lines leave little room (`driving.py`), which is quick, else so that few such cells
# are left, by judging some changes. The walk thus oscillates around the requested grade. When it
# has the grade, changes that are not needed are reverted; then it restarts. For the hardest grade
# only pictures that are too hard are starting points: no single change makes an easy one so hard.


COMPARED, JUDGED = 60, 16  # changes that are compared
FARTHEST = 40  # changes of a walk before it restarts
STEPS = 10  # changes of a walk for the hardest grade, which has many starts
NOISE = 0.5  # random share of the room saved: otherwise the walk would repeat


class Walk:
    """Local search: walks from a picture to changed pictures, one change at a time.

    Args:
        picture: Original picture; its changes count.
        num_colours: Number of colours of the puzzle.
        kept: Cells that stay unchanged.
        judge: Decides which pictures have the requested grade.
        starts: Pictures from which successive walks start.
    """

    def __init__(
        self,
        picture: Grid,
        num_colours: int,
        kept: Collection[int],
        judge: Judge,
        starts: Iterable[Grid],
    ) -> None:
        self._starts = starts
        self._picture, self._values, self._judge = picture, range(num_colours + 1), judge
        self._free = [cell for cell in range(len(picture.cells)) if cell not in kept]
        self._choosable = frozenset(self._free)
        self._random = Random(0)
        self._is_quick = False

    def changes(self, most: int | None) -> Iterator[Changes | None]:
        """Yield ever smaller sets of changes that give the requested grade; None after other steps.

        Args:
            most: Maximum number of changes.
        """
        farthest, is_hardest = 0, self._judge.grade == HARDEST
        for number, mine in enumerate(self._starts):
            farthest = max(farthest, FARTHEST + len(self._changes(mine)))
            limit = farthest if most is None else min(most, farthest)
            if limit <= 0 or not self._free:
                return
            self._is_quick = is_hardest or number % 4 < 2
            for _ in range(STEPS if is_hardest else 2 * limit + 2):
                judged = self._judge.judge(mine)
                if judged.fault is Fault.NONE:
                    mine = self._eased(mine)
                    found = self._changes(mine)
                    if len(found) <= limit:
                        yield found
                        most = len(found) - 1
                    break
                yield None
                if judged.fault is Fault.EASY and is_hardest:
                    break
                mine = self._next(mine, judged)
                if len(self._picture.differences(mine)) > limit:
                    break

    def _next(self, mine: Grid, judged: PictureJudgement) -> Grid:
        """Return a picture with one change more, or fewer."""
        if judged.fault is Fault.EASY:
            return min(self._sample(mine, self._free, COMPARED), key=self._promise)
        cells = self._random.choice(judged.flaws).windows if judged.flaws else judged.left
        free = [cell for cell in cells if cell in self._choosable] or self._free
        if not self._is_quick:
            return min(self._sample(mine, free, JUDGED), key=self._distance)
        return min(
            self._sample(mine, free, COMPARED),
            key=lambda other: room_between(mine, other) + NOISE * self._random.random(),
        )

    def _promise(self, other: Grid) -> float:
        """Return the penalty of a picture: the number of cells that line propagation leaves open.

        If none is open, the puzzle is too easy and the penalty is at least 1000.
        """
        return self._judge.num_open(other) or 1000 + self._random.random()

    def _distance(self, other: Grid) -> float:
        judged = self._judge.judge(other)
        if judged.fault is Fault.NONE:
            return 0
        return len(judged.left) or 1000 + self._random.random()

    def _sample(self, mine: Grid, cells: Sequence[int], most: int) -> list[Grid]:
        """Return at most `most` random pictures that differ from `mine` in one of the cells."""
        some = self._random.sample(cells, min(most, len(cells)))
        values = [[value for value in self._values if value != mine.cells[cell]] for cell in some]
        return [
            with_cells(mine, {cell: self._random.choice(its)})
            for cell, its in zip(some, values, strict=True)
        ]

    def _eased(self, mine: Grid) -> Grid:
        """Return a picture of the requested grade after reverting changes that it does not need."""
        for cell in self._changes(mine):
            fewer = with_cells(mine, {cell: self._picture.cells[cell]})
            if self._judge.judge(fewer).fault is Fault.NONE:
                mine = fewer
        return mine

    def _changes(self, mine: Grid) -> Changes:
        pairs = enumerate(zip(self._picture.cells, mine.cells, strict=True))
        return {cell: new for cell, (old, new) in pairs if old != new}


EFFORT = 500_000  # steps of reasoning, 10 to 40 s, if there is no time limit
CHOOSING = 20_000  # steps of reasoning to improve the looks of a known smallest repair


class GradeSearch:
    """Search for changes after which the clues have one solution and a grade.

    Args:
        puzzle: Puzzle whose goal is changed.
        kept: Cells that stay unchanged.
        grade: Requested grade, 1 to 7.
        watch: Ends the search with LimitReached.

    Attributes:
        found: Repairs that are proved to be smallest, in order.
        best: The smallest other repair, or None.
        least: Lower bound on the cells that a repair changes.
        is_exhausted: True if there is no repair of any size.
    """

    def __init__(self, puzzle: Nonogram, kept: Collection[int], grade: int, watch: Watch) -> None:
        assert puzzle.goal is not None
        self.found: list[Changes] = []
        self.best: Changes | None = None
        self.is_exhausted = False
        self._picture, self._kept = puzzle.goal, kept
        self._judge, self._gives_up = Judge(puzzle, grade, watch), watch.limits.time_s is None
        colours = len(puzzle.colours)
        self._sets = _Enumeration(puzzle.goal, colours, kept, self._judge)
        self._walk = Walk(puzzle.goal, colours, kept, self._judge, self._starts())
        self._puzzle, self._watch = puzzle, watch

    @property
    def least(self) -> int:
        return len(self.found[0]) if self.found else self._sets.least

    def pictures(self, most: int) -> list[Grid]:
        """Return the known repaired pictures, at most a given number."""
        every = [*self.found]
        if self.best is not None and self.best not in every:
            every.append(self.best)
        return [with_cells(self._picture, changes) for changes in every[:most]]

    def soon(self) -> Grid | None:
        """Return a repaired picture with few changes, equal on every machine, if any is found."""
        self._gives_up = True
        self.work(1, None, is_hurried=True)
        return next(iter(self.pictures(1)), None)

    def work(self, most: int, max_changes: int | None, *, is_hurried: bool = False) -> str:
        """Search for repairs; return "" if there are `most` or no further ones, else the reason.

        Args:
            most: Number of repairs, at least 1.
            max_changes: Maximum number of changes of each; None is without limit.
            is_hurried: Stop after twice the time to the first repair.
        """
        sets = self._sets.changes(max_changes)
        steps: Iterator[Changes | None] = self._walk.changes(max_changes)
        is_walking, walked, proved, enough = True, 0, None, EFFORT
        while len(self.found) < most:
            started = self._judge.effort
            self._watch.doing("grade of changed pictures, steps of reasoning", started)
            if is_hurried and self.best is not None:
                enough = min(enough, 2 * started + CHOOSING)
            if self._gives_up and started > enough:
                return f"gave up after {started} steps of reasoning; set a time limit to try longer"
            if most == 1 and self._is_smallest(self.best):
                proved = started if proved is None else proved
                if started > proved + CHOOSING:
                    return ""
            if is_walking and not self.found and proved is None and 2 * walked < started:
                is_walking = self._walked(steps)
                walked += self._judge.effort - started + 1
                continue
            try:
                changes = next(sets)
            except StopIteration:
                self.is_exhausted = self._sets.is_whole and not self.found
                return ""
            if changes is not None:
                self.found.append(changes)
                if not changes:
                    return ""
        return ""

    def _starts(self) -> Iterator[Grid]:
        """Yield pictures from which walks start.

        They are the repaired picture and the original one, in turn; for the hardest grade, each of
        them once, and then pictures into which a staircase of dominoes is inserted.
        """
        mine = self._mended(self._puzzle, self._kept) or self._picture
        if self._judge.grade < HARDEST:
            yield from cycle((mine, self._picture))
        yield from (mine, self._picture)
        for planted, stencil in plantings(self._picture, self._kept, len(self._puzzle.colours)):
            self._judge.effort += len(planted.cells)
            drawn = of_picture(self._puzzle, planted)
            if found := self._mended(drawn, stencil.cells.union(self._kept)):
                yield found

    def _mended(self, puzzle: Nonogram, kept: Collection[int]) -> Grid | None:
        """Return the picture repaired to one solution; None if this failed.

        For low grades line logic alone finds the solution.
        """
        is_logic = self._judge.grade <= LINE_LOGIC
        found = mended(puzzle, self._watch, logic_only=is_logic, eased=True, kept=kept)
        return None if found is None else found.goal

    def _walked(self, steps: Iterator[Changes | None]) -> bool:
        """Take a step of the walk, which may set `best`; return False if the walk has ended."""
        try:
            self.best = next(steps) or self.best
        except StopIteration:
            return False
        return True

    def _is_smallest(self, changes: Changes | None) -> bool:
        return changes is not None and len(changes) <= self._sets.least
