"""Repair: the fewest cells of a picture to change so that its clues have one solution."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from functools import partial
from operator import index
from time import perf_counter
from typing import Any

from nonosat.core import families, hooks
from nonosat.core.errors import LimitReached, PuzzleError, UnsupportedError, rows_by_columns, shown
from nonosat.core.grid import Grid
from nonosat.core.limits import Watch, left_of, polled, watch_of
from nonosat.core.plugins import Puzzle
from nonosat.core.result import Verdict
from nonosat.core.scope import run_limited
from nonosat.core.wording import cell_text
from nonosat.generate.grades import check_grade
from nonosat.generate.mending.clue_repair import ClueRepair, ClueSearch
from nonosat.generate.mending.driving import Driver
from nonosat.generate.mending.flaws import (
    BUDGET,
    Finder,
    Flaw,
    Undecided,
    doubts,
    in_line_logic,
    in_uniqueness,
)
from nonosat.generate.mending.grading import GradeSearch
from nonosat.generate.mending.hitting_sets import MaxSatOracle
from nonosat.generate.mending.looks import ugliness, ugliness_of
from nonosat.generate.mending.result import Place, RepairResult, of_picture
from nonosat.puzzles.nonogram.data import Nonogram
from nonosat.puzzles.nonogram.grids import grid_of, is_rows
from nonosat.questions.groups import of_grid
from nonosat.solving import pipeline

# What is known of the ways to mend a picture: flaws to be mended, and the fewest changes for it.
#
# Every picture that agrees with a candidate in all windows of one of its flaws has that flaw, too
# (`flaws.py`). So each flaw gives a clause: one of the cells in its windows is another one. A
# smallest set of changes that satisfies all clauses so far is the next candidate. The clauses hold
# for every mended picture; therefore a candidate without a flaw is a smallest repair, and the size
# of any candidate is a proven bound. Each change weighs 2^40. Once a smallest repair is known, its
# ugliness (`looks.py`) is added, so that the least ugly of the smallest ones follow.
#
# Some pictures, those of few filled cells above all, need thousands of clauses. Meanwhile
# candidates are driven on (`driving.py`) until they have no flaw, and changes that are not needed
# are taken back: repairs that may not be smallest, for when the time is up. What is learned on the
# way counts.
#
# Invariant: a repair that is told has been searched for flaws in vain.
#
# Source: implicit hitting sets (`hitting.py`).


Changes = Mapping[int, int]  # of cells, row-major: their new values
CHANGE = 1 << 40  # the weight of a change, above the ugliness of any number of them
MORE = 4  # times so many conflicts the next time


class RepairSearch:
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
        self._oracle = MaxSatOracle(watch)

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
        hooks.doing(f"{what}, at least", self.least)
        found = self._oracle.answer()
        if found is None:
            return None
        self.least = self._oracle.cost // CHANGE
        return dict(self._change(var) for var in found if var in self._priced)

    def is_mended(self, changes: Changes) -> bool | None:
        """Whether this is a repair; if it is not, it is never a candidate again.

        None where that is too hard to find out; each time more is tried.
        """
        hooks.doing("check of changes", len(changes))
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
        for cell in polled(cells):
            if mine.cells[cell] == self._picture.cells[cell]:
                clause += [self._var(cell, value) for value in self._others(cell)]
            else:
                clause.append(-self._var(cell, mine.cells[cell]))
        self._require(clause)

    def _require(self, clause: list[int]) -> None:
        for var in polled(map(abs, clause)):
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
        hooks.doing("repair with more changes")
        mended = self._driver.drive(self.changed(changes), most)
        if mended is None:
            return
        self.best = self._changes(mended)
        self.on_better()
        hooks.doing("changes that are not needed")
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


# Cells that a repair leaves as they are.


def kept_cells(puzzle: Puzzle, places: Iterable[Place]) -> set[int]:
    """The numbers of cells (row, column) of a puzzle.

    Raises:
        UnsupportedError: They are no cells.
        PuzzleError: One is outside.
    """
    height, width = puzzle.height, puzzle.width
    if isinstance(places, str) or not isinstance(places, Iterable):
        raise UnsupportedError(f"keep is {shown(places)}, expected cells (row, column)")
    kept = set()
    for place in places:
        try:
            row, column = map(index, place)
        except (TypeError, ValueError):
            told = f"keep holds {shown(place)}, expected cells (row, column)"
            raise UnsupportedError(told) from None
        if not (0 <= row < height and 0 <= column < width):
            raise PuzzleError(
                f"the kept cell in {cell_text(row, column)} is outside the board of "
                f"{rows_by_columns(height, width)}"
            )
        kept.add(row * width + column)
    return kept


PATIENCE = 300  # candidates and more for a less ugly repair; drawings take up to 50
DRIVEN = 200  # changes; a picture that needs so many is hardly the same one, unless it is large
DRIVEN_SHARE = 4  # one in so many cells


class Interrupted(KeyboardInterrupt):
    """Ctrl-C after some repair was found.

    Attributes:
        found: What was found so far.
    """

    def __init__(self, found: RepairResult | ClueRepair) -> None:
        super().__init__()
        self.found = found


def repair(
    puzzle: Puzzle | Grid | Sequence[Any],
    *,
    max_changes: int | None = None,
    keep: Iterable[Place] = (),
    most: int = 1,
    logic_only: bool = False,
    grade: int | None = None,
    on_progress: Callable[[RepairResult], None] | None = None,
    time_limit_s: float | None = None,
    memory_limit_mib: int | None = None,
) -> RepairResult | ClueRepair:
    """Find a smallest set of cells to change so that a picture's clues have one solution.

    Of a Slitherlink or of queens clues are changed: the fewest that contradict the others, then for
    the first solution the fewest of its clues are added that no other solution has.

        >>> found = nonosat.repair(nonosat.Grid.of_rows(["#.", ".#"], ".#"), most=10)
        >>> sorted(found.changes(picture) for picture in found.pictures)
        [[(0, 0)], [(0, 1)], [(1, 0)], [(1, 1)]]

    Of equally small repairs the least ugly come first: changes that stand alone are ugly (see
    `looks`). Where nothing is found soon, the least ugly of those that were found comes first.

    Args:
        puzzle: A picture (`Grid` or rows); a nonogram: its goal or a solution; Slitherlink; queens.
        max_changes: Look for no repair that changes more cells; None is without end.
        keep: Cells (row, column) that stay as they are, as given cells do.
        most: Stop after so many repairs. Further ones change at least as many cells, and none
            changes all that another one does and more.
        logic_only: Line logic alone, one line at a time, solves the repaired clues.
        grade: The difficulty of the repaired puzzle as `rate` has it is this number, 1 to 7, and
            some tenths; a unique picture is made harder, or easier. Then repairs that change more
            cells than others may change all that those do and more. For 7 a staircase of dominoes
            is put in, 20 to 50 cells mostly; a board below 9x9 has no room for one.
        on_progress: Called with each better repair or bound; not for a grade, nor for clues.
        time_limit_s: Wall seconds; None (or infinity) is without limit, but the search for a grade
            is given up after a while. The reply then has the best repair so far.
        memory_limit_mib: Resident memory of the process; None is without limit.

    Returns:
        Repairs, each proved to have one solution; of families other than nonograms a `ClueRepair`.

    Raises:
        NotAPuzzleError: It is no puzzle.
        PuzzleError: A kept cell is outside, a cell of the picture is unknown or not as given, or
            there is no such grade.
        UnsupportedError: Another family, a wish for pictures alone, or a value out of range.
    """
    watch, started = watch_of(time_limit_s, memory_limit_mib), perf_counter()
    asked = _converted(puzzle)
    _check_wishes(most, max_changes, grade, logic_only=logic_only)
    if not isinstance(asked, Grid) and families.name_of(asked) != "nonogram":
        _check_clues(asked, is_plain=most == 1 and not logic_only and grade is None)
        kept = kept_cells(asked, keep)
        return _outcome(ClueSearch(asked, kept, max_changes, watch), watch, started)
    run = _Repair(_asked(asked), watch, most, max_changes, grade)
    run.keep(keep)
    run.finder, run.on_progress = in_line_logic if logic_only else in_uniqueness, on_progress
    return _outcome(run, watch, started)


def _converted(value: Any) -> Any:
    """Return the grid of rows; a puzzle or a grid as it is."""
    return grid_of(value, name="the picture", has_unknown=False) if is_rows(value) else value


def _check_clues(puzzle: Puzzle, *, is_plain: bool) -> None:
    """Raises UnsupportedError where clues of such a puzzle cannot be changed as is wished."""
    name, clues = families.name_of(puzzle), families.family_of(puzzle).clues
    if clues is None or clues.clauses is None or clues.shown is None:
        raise UnsupportedError(
            f"a puzzle of the family {name}, expected a nonogram to repair, or a family that says "
            "which clues a solution has"
        )
    if not is_plain:
        raise UnsupportedError(
            f"a puzzle of the family {name}; several repairs, logic alone and grades are for "
            "nonograms"
        )


def _check_wishes(
    most: int, max_changes: int | None, grade: int | None, *, logic_only: bool
) -> None:
    check_grade(grade, logic_only=logic_only)
    for name, value in (("most", most), ("max_changes", max_changes)):
        if value is not None and (type(value) is not int or value < 1):
            raise UnsupportedError(f"{name} is {shown(value)}, expected at least 1")


def _outcome(run: _Repair | ClueSearch, watch: Watch, started: float) -> RepairResult | ClueRepair:
    """What the work comes to; after Ctrl-C `Interrupted` has it, where there is a repair."""
    try:
        reason = run_limited(watch, run.work)
    except KeyboardInterrupt:
        found = run.result("interrupted", perf_counter() - started)
        if found.repaired():
            raise Interrupted(found) from None
        raise
    return run.result(reason, perf_counter() - started)


def _asked(puzzle: Puzzle | Grid) -> Nonogram:
    """The puzzle, or that of a picture in as many colours as it has."""
    if isinstance(puzzle, Grid):
        return of_grid(puzzle)
    assert isinstance(puzzle, Nonogram)
    return puzzle


class _Repair:
    """The work on one puzzle, and what it has come to."""

    def __init__(
        self,
        puzzle: Nonogram,
        watch: Watch,
        most: int,
        max_changes: int | None,
        grade: int | None,
    ) -> None:
        self._puzzle, self._watch = puzzle, watch
        self._most, self._max_changes, self._grade = most, max_changes, grade
        self._kept = {row * puzzle.width + column for row, column, _ in puzzle.given}
        self._picture = puzzle.goal
        self.finder: Finder = in_uniqueness
        self.on_progress: Callable[[RepairResult], None] | None = None
        self._reported: tuple[int, int, int] | None = None
        self._started = perf_counter()
        self._found: list[Grid] = []
        self._least, self._reason, self._is_cut = 0, "", False

    def keep(self, places: Iterable[Place]) -> None:
        """Leave these cells as they are, too."""
        self._kept |= kept_cells(self._puzzle, places)

    def _check_given(self, picture: Grid) -> None:
        """Given cells stay, so they must be those of the picture."""
        signs = self._puzzle.symbols
        for row, column, value in self._puzzle.given:
            if (found := picture[row, column]) != value:
                raise PuzzleError(
                    f"the picture has {signs[found]!r} in {cell_text(row, column)}, where "
                    f"{signs[value]!r} is given; expected the same"
                )

    def work(self) -> None:
        """Find as many repairs as are wanted, or all."""
        if self._picture is None:
            result = pipeline.solve(self._puzzle, **left_of(self._watch))
            self._reason = result.reason
            if not result.solutions:
                self._is_cut = result.verdict is Verdict.UNKNOWN
                return
            self._picture = result.solutions[0]
        self._check_given(self._picture)
        puzzle = of_picture(self._puzzle, self._picture)
        if self._grade is not None:
            self._find_grade(puzzle, self._grade)
            return
        with closing(RepairSearch(puzzle, self.finder, self._kept, self._watch)) as mender:
            mender.on_better = partial(self._report, mender)
            try:
                self._mend(mender)
            finally:
                if not self._found:
                    self._least = mender.least
                    if mender.best is not None:
                        self._found.append(mender.changed(mender.best))

    def _find_grade(self, puzzle: Nonogram, grade: int) -> None:
        search = GradeSearch(puzzle, self._kept, grade, self._watch)
        try:
            self._reason = search.work(self._most, self._max_changes)
            self._is_cut = bool(self._reason)
        except LimitReached:
            if self._most > 1 or search.best is None or len(search.best) > search.least:
                raise
        finally:
            self._found, self._least = search.pictures(self._most), search.least
        if search.is_exhausted:
            what = "with what is kept" if self._kept else "of its size"
            self._reason, self._least = f"no picture {what} is of grade {grade}", 0

    def _mend(self, mender: RepairSearch) -> None:
        driven = max(DRIVEN, self._puzzle.height * self._puzzle.width // DRIVEN_SHARE)
        num_rounds, most = 0, min(driven, (self._max_changes or driven) + 1)
        while len(self._found) < self._most:
            self._report(mender)
            changes = mender.candidate()
            if changes is None:
                self._reason = "" if self._found else "what is kept cannot be mended"
                return
            if self._max_changes is not None and mender.least > self._max_changes:
                return
            if mender.best is not None and mender.is_optimal(mender.best):
                changes, mender.best = mender.best, None
            elif not (is_mended := mender.is_mended(changes)):
                num_rounds += 1
                is_due = is_mended is None or num_rounds.bit_count() == 1  # 1, 2, 4, 8, ...
                if is_due and not self._found:
                    mender.drive(changes, most if mender.best is None else len(mender.best))
                continue
            if not self._found:
                self._least = mender.least
                changes = self._chosen(mender, changes, num_rounds)
            self._found.append(mender.changed(changes))
            if not changes:
                return
            mender.leave_out(changes)

    def _report(self, mender: RepairSearch) -> None:
        """Pass on the best repair and the bound if they are better than those reported before."""
        if self.on_progress is None or self._picture is None:
            return
        least = self._least if self._found else mender.least
        best = -1 if mender.best is None else len(mender.best)
        known = (least, best, len(self._found))
        if known == self._reported:
            return
        self._reported = known
        known_best = [] if mender.best is None else [mender.changed(mender.best)]
        pictures = self._found or known_best
        seconds = perf_counter() - self._started
        limits = self._watch.limits
        found = RepairResult(
            self._puzzle,
            self._picture,
            tuple(pictures),
            least,
            False,
            seconds=seconds,
            limits=limits,
        )
        self.on_progress(found)

    def _chosen(self, mender: RepairSearch, smallest: Changes, num_rounds: int) -> Changes:
        """The least ugly of the smallest repairs, if it is found soon; else the one that is known.

        Args:
            mender: Has found it.
            smallest: One of them.
            num_rounds: How many candidates it took to find it.
        """
        mender.choose()
        try:
            for _ in range(num_rounds + PATIENCE):
                changes = mender.candidate()
                assert changes is not None
                if mender.is_optimal(smallest):
                    break
                if mender.is_mended(changes):
                    return changes
        except LimitReached:
            if self._most > 1:  # which there is no time for
                self._found.append(mender.changed(smallest))
                raise
        return smallest

    def result(self, reason: str, seconds: float) -> RepairResult:
        """What was found so far."""
        picture = self._picture
        if picture is not None:
            self._found.sort(
                key=lambda one: (len(picture.differences(one)), ugliness(picture, one))
            )
        return RepairResult(
            self._puzzle,
            picture,
            tuple(self._found),
            self._least,
            not (reason or self._is_cut),
            reason=reason or self._reason,
            seconds=seconds,
            limits=self._watch.limits,
        )
