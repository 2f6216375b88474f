"""A picture of a wanted grade soon, by changes here and there, not with the fewest changes.

In a picture that is too easy the change is taken, of some, after which line propagation leaves
least open, but something. In one that is too hard, or that has several solutions, one of the cells
is changed that should be settled sooner: in every other walk so that its lines leave little room
(`driving.py`), which is quick, else so that few such cells are left, by judging some changes. So
the walk goes to and fro around the wanted grade. Where it gets there, changes that are not needed
are taken back; then it starts again. To the hardest grade only a picture that is too hard is walked
from: no change here and there makes an easy one so hard.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from random import Random

from nonosat.core.grid import Grid
from nonosat.generate.grades import HARDEST
from nonosat.generate.mending.driving import room_between
from nonosat.generate.mending.enumerating import changed
from nonosat.generate.mending.judging import Changes, Fault, Judge, Judged

LOOKED_AT, JUDGED = 60, 16  # changes that are compared
FARTHEST = 40  # changes of a walk, before it starts again
STEPS = 10  # of a walk to the hardest grade, where there are many starts
NOISE = 0.5  # of the room saved, at random: the same walk would come again


class Walk:
    """Walks from a picture to others.

    Args:
        picture: Its changes count.
        num_colours: Of the puzzle.
        kept: Cells that stay as they are.
        judge: Says which pictures are wanted.
        starts: Where walks start, one after the other.
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
        """Changes that make a wanted picture, fewer each time; None after each step in vain.

        Args:
            most: Look for no more changes.
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

    def _next(self, mine: Grid, judged: Judged) -> Grid:
        """A picture with one change more, or less."""
        if judged.fault is Fault.EASY:
            return min(self._sample(mine, self._free, LOOKED_AT), key=self._promise)
        cells = self._random.choice(judged.flaws).windows if judged.flaws else judged.left
        free = [cell for cell in cells if cell in self._choosable] or self._free
        if not self._is_quick:
            return min(self._sample(mine, free, JUDGED), key=self._distance)
        return min(
            self._sample(mine, free, LOOKED_AT),
            key=lambda other: room_between(mine, other) + NOISE * self._random.random(),
        )

    def _promise(self, other: Grid) -> float:
        """Less for a picture that is a little too hard for line propagation."""
        return self._judge.num_open(other) or 1000 + self._random.random()

    def _distance(self, other: Grid) -> float:
        judged = self._judge.judge(other)
        if judged.fault is Fault.NONE:
            return 0
        return len(judged.left) or 1000 + self._random.random()

    def _sample(self, mine: Grid, cells: Sequence[int], most: int) -> list[Grid]:
        """Pictures that differ in one of these cells."""
        some = self._random.sample(cells, min(most, len(cells)))
        values = [[value for value in self._values if value != mine.cells[cell]] for cell in some]
        return [
            changed(mine, {cell: self._random.choice(its)})
            for cell, its in zip(some, values, strict=True)
        ]

    def _eased(self, mine: Grid) -> Grid:
        """The same without changes that it can do without."""
        for cell in self._changes(mine):
            fewer = changed(mine, {cell: self._picture.cells[cell]})
            if self._judge.judge(fewer).fault is Fault.NONE:
                mine = fewer
        return mine

    def _changes(self, mine: Grid) -> Changes:
        pairs = enumerate(zip(self._picture.cells, mine.cells, strict=True))
        return {cell: new for cell, (old, new) in pairs if old != new}
