"""All ways to change a picture so that it gets a grade, the smallest first.

Sets of changes are tried by size, and those of a size by ugliness. A set grows by one change after
the other. Where the picture so far has a flaw (`flaws.py`), one of the next changes must be in the
flaw's windows: each wanted picture differs there. So each set that leads to a wanted picture is
reached, whichever flaw is looked at; and flaws whose windows have no cell in common take a change
each.

The number of sets of k changes is exponential in k. Without flaws that is 400 000 pairs on 30x30.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from nonosat.core.grid import Grid
from nonosat.generate.mending.flaws import Flaw
from nonosat.generate.mending.judging import Changes, Fault, Judge
from nonosat.generate.mending.looks import UGLIEST, ugliness_of


class Enumeration:
    """Sets of changes by size, then by ugliness.

    Args:
        picture: What is changed.
        num_colours: Of the puzzle.
        kept: Cells that stay as they are.
        judge: Says which pictures are wanted.

    Attributes:
        least: No wanted picture takes fewer changes.
        is_whole: Whether all sets have been tried.
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
        """Each set that makes a wanted picture; None after each picture that is none.

        Args:
            most: Changes of the largest set; None is without end.
        """
        num_free = len(self._choices)
        most = num_free if most is None else min(most, num_free)
        for size in range(most + 1):
            self.least = size
            for looks in range(UGLIEST * size + 1):
                yield from self._grown({}, size, looks, set())
        self.least, self.is_whole = most + 1, most == num_free

    def _grown(
        self,
        changes: dict[int, int],
        size: int,
        looks: int,
        seen: set[frozenset[tuple[int, int]]],
    ) -> Iterator[Changes | None]:
        """The sets with so many changes more, of so much ugliness."""
        judged = self._judge.judge(changed(self._picture, changes))
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
                rest = looks - ugly
                if not 0 <= rest <= UGLIEST * (size - 1):
                    continue
                grown = {**changes, cell: value}
                key = frozenset(grown.items())
                if key not in seen:
                    seen.add(key)
                    yield from self._grown(grown, size - 1, rest, seen)


def changed(picture: Grid, changes: Changes) -> Grid:
    """The changed picture."""
    cells = bytearray(picture.cells)
    for cell, value in changes.items():
        cells[cell] = value
    return Grid(picture.height, picture.width, bytes(cells))


def _num_apart(flaws: Sequence[Flaw]) -> int:
    """How many flaws have windows without a common cell, at least."""
    met, number = set[int](), 0
    for flaw in flaws:
        if met.isdisjoint(flaw.windows):
            met.update(flaw.windows)
            number += 1
    return number
