"""What is known of the ways to mend a picture: flaws to be mended, and the fewest changes for it.

Every picture that agrees with a candidate in all windows of one of its flaws has that flaw, too
(`flaws.py`). So each flaw gives a clause: one of the cells in its windows is another one. A
smallest set of changes that satisfies all clauses so far is the next candidate. The clauses hold
for every mended picture; therefore a candidate without a flaw is a smallest repair, and the size
of any candidate is a proven bound. Each change weighs 2^40. Once a smallest repair is known, its
ugliness (`looks.py`) is added, so that the least ugly of the smallest ones follow.

Some pictures, those of few filled cells above all, need thousands of clauses. Meanwhile candidates
are driven on (`driving.py`) until they have no flaw, and changes that are not needed are taken
back: repairs that may not be smallest, for when the time is up. What is learned on the way counts.

Invariant: a repair that is told has been searched for flaws in vain.

Source: implicit hitting sets (`cheapest.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

from nonosat.core import seams
from nonosat.core.grid import Grid
from nonosat.core.limits import Watch
from nonosat.generate.mending.cheapest import Cheapest
from nonosat.generate.mending.driving import Driver
from nonosat.generate.mending.flaws import BUDGET, Finder, Flaw, Undecided, doubts
from nonosat.generate.mending.looks import ugliness_of
from nonosat.generate.mending.result import of_picture
from nonosat.puzzles.nonogram.data import Nonogram

Changes = Mapping[int, int]  # of cells, row-major: their new values
CHANGE = 1 << 40  # the weight of a change, above the ugliness of any number of them
MORE = 4  # times so many conflicts the next time


class Mender:
    """What is known of the repairs of a puzzle's picture.

    Args:
        puzzle: Its goal is to be repaired; a cell may get any of its colours, or be emptied.
        finder: Finds the flaws of a picture.
        kept: Cells that stay as they are.
        watch: Ends all work with LimitReached.

    Attributes:
        least: Cells that every repair changes, at least.
        best: The smallest repair that is known and may not be the smallest; or None.
        on_better: Called when a better one was found while a repair is driven on.
    """

    def __init__(
        self, puzzle: Nonogram, finder: Finder, kept: Collection[int], watch: Watch
    ) -> None:
        assert puzzle.goal is not None
        self.least = 0
        self.best: Changes | None = None
        self.on_better: Callable[[], None] = lambda: None
        self._puzzle, self._picture, self._kept = puzzle, puzzle.goal, frozenset(kept)
        self._finder, self._watch = finder, watch
        self._driver = Driver(
            puzzle.goal, len(puzzle.colours), self._doubts, self._kept, pause=watch.check
        )
        self._budget = BUDGET
        self._priced = set[int]()  # the variables that cost something already
        self._is_choosy = False
        self._oracle = Cheapest(watch)

    def _others(self, cell: int) -> Iterator[int]:
        """The values that a cell may be changed to."""
        if cell not in self._kept:
            mine = self._picture.cells[cell]
            yield from (value for value in range(len(self._puzzle.colours) + 1) if value != mine)

    def _var(self, cell: int, value: int) -> int:
        """The variable of a change; a cell's own value has none."""
        index = value - (value > self._picture.cells[cell])
        return 1 + cell * len(self._puzzle.colours) + index

    def _change(self, var: int) -> tuple[int, int]:
        cell, index = divmod(var - 1, len(self._puzzle.colours))
        return cell, index + (index >= self._picture.cells[cell])

    def changed(self, changes: Changes) -> Grid:
        """The changed picture."""
        cells = bytearray(self._picture.cells)
        for cell, value in changes.items():
            cells[cell] = value
        return Grid(self._picture.height, self._picture.width, bytes(cells))

    def candidate(self) -> Changes | None:
        """The best changes that break all switches so far; None where nothing does."""
        what = "fewest and least ugly changes" if self._is_choosy else "fewest changes"
        seams.doing(f"{what}, at least", self.least)
        found = self._oracle.answer()
        if found is None:
            return None
        self.least = self._oracle.cost // CHANGE
        return dict(self._change(var) for var in found if var in self._priced)

    def is_mended(self, changes: Changes) -> bool | None:
        """Whether this is a repair; if it is not, it is never a candidate again.

        None where that is too hard to find out; each time more is tried.
        """
        seams.doing("check of changes", len(changes))
        try:
            return not self._flaws(self.changed(changes), self._budget)
        except Undecided:
            self._budget *= MORE
            return None

    def _flaws(self, mine: Grid, budget: int) -> list[Flaw]:
        """The flaws of a picture, which are forbidden from now on."""
        found = self._finder(of_picture(self._puzzle, mine), mine, self._watch, budget)
        if found and mine == self._picture:
            self.least = max(self.least, 1)
        for flaw in found:
            self._forbid(mine, flaw.windows)
        return found

    def _forbid(self, mine: Grid, cells: Sequence[int]) -> None:
        """One of these cells has to be another one than in a picture."""
        clause = []
        for cell in cells:
            if mine.cells[cell] == self._picture.cells[cell]:
                clause += [self._var(cell, value) for value in self._others(cell)]
            else:
                clause.append(-self._var(cell, mine.cells[cell]))
        self._require(clause)

    def _require(self, clause: list[int]) -> None:
        for var in map(abs, clause):
            if var not in self._priced:
                self._priced.add(var)
                self._oracle.price(var, CHANGE)
                if self._is_choosy:
                    self._weigh_looks(var)
        self._oracle.require(clause)

    def choose(self) -> None:
        """Prefer the less ugly of equally small candidates from now on.

        From the beginning that would take up to ten times as long: many more sets of changes are to
        be refuted before the number of changes is proved to be the smallest one.
        """
        self._is_choosy = True
        for var in self._priced:
            self._weigh_looks(var)

    def _weigh_looks(self, var: int) -> None:
        if weight := ugliness_of(self._picture, *self._change(var)):
            self._oracle.price(var, weight)

    def is_optimal(self, changes: Changes) -> bool:
        """Whether the last candidate proves that nothing better is a repair."""
        looks = sum(ugliness_of(self._picture, *change) for change in changes.items())
        price = CHANGE * len(changes) + (looks if self._is_choosy else 0)
        return price <= self._oracle.cost

    def leave_out(self, changes: Changes) -> None:
        """Look for others than these changes, and than all that has them and more."""
        self._require([-self._var(cell, value) for cell, value in changes.items()])

    def drive(self, changes: Changes, most: int) -> None:
        """Look for a better repair: change more cells, then take back what is not needed."""
        seams.doing("repair with more changes")
        mended = self._driver.drive(self.changed(changes), most)
        if mended is None:
            return
        self.best = self._changes(mended)
        self.on_better()
        seams.doing("changes that are not needed")
        for easier in self._driver.eased(mended):
            self.best = self._changes(easier)
            self.on_better()

    def _doubts(self, mine: Grid) -> list[Sequence[int]]:
        return doubts(lambda budget: self._flaws(mine, budget))

    def _changes(self, mine: Grid) -> Changes:
        """What a picture has changed."""
        pairs = enumerate(zip(self._picture.cells, mine.cells, strict=True))
        return {cell: new for cell, (old, new) in pairs if old != new}

    def close(self) -> None:
        """Free the engine of RC2."""
        self._oracle.close()
