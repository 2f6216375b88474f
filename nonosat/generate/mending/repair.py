"""Repair: the fewest cells of a picture to change so that its clues have one solution."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from functools import partial
from operator import index
from time import perf_counter
from typing import Any

from nonosat.core import families
from nonosat.core.errors import LimitReached, PuzzleError, UnsupportedError, rows_by_columns, shown
from nonosat.core.grid import Grid, with_cells
from nonosat.core.limits import Watch, left_of, polled, watch_of
from nonosat.core.plugins import Puzzle
from nonosat.core.result import Verdict
from nonosat.core.scope import run_limited
from nonosat.core.wording import cell_text
from nonosat.explain.minimal_sets import MaxSatOracle
from nonosat.generate.grades import check_grade
from nonosat.generate.mending.clue_repair import ClueRepair, ClueSearch
from nonosat.generate.mending.driving import LocalSearch
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
from nonosat.generate.mending.result import Place, RepairResult, of_picture
from nonosat.generate.mending.ugliness import ugliness, ugliness_of
from nonosat.puzzles.nonogram.data import Nonogram
from nonosat.puzzles.nonogram.grids import grid_of, is_rows
from nonosat.questions.groups import of_grid
from nonosat.solving import pipeline

# Search for repairs by implicit hitting sets of flaws.
#
# Every picture that agrees with a candidate in all windows of one of its flaws has that flaw, too
# (`flaws.py`). Each flaw therefore yields a clause: one of the cells in its windows changes. A
# smallest set of changes that satisfies all clauses so far is the next candidate. The clauses hold
# for every repaired picture; therefore a candidate without a flaw is a smallest repair, and the
# size of any candidate is a proved bound. Each change weighs 2^40. Once a smallest repair is known,
# its ugliness (`ugliness.py`) is added, so that the least ugly of the smallest ones follow.
#
# Some pictures, above all those with few filled cells, need thousands of clauses. Meanwhile
# candidates are changed further (`driving.py`) until they have no flaw, and changes that are not
# needed are reverted: upper bounds in case that a limit is reached. Flaws found meanwhile yield
# clauses, too.
#
# Invariant: a reported repair was searched for flaws without result.
#
# Source: implicit hitting sets (`explain/minimal_sets.py`).


Changes = Mapping[int, int]  # new values of cells, row-major
CHANGE = 1 << 40  # weight of a change, above the ugliness of any number of changes
MORE = 4  # factor of the number of conflicts for the next attempt


class RepairSearch:
    """Known flaws and bounds of the repairs of a puzzle's picture.

    Args:
        puzzle: Puzzle whose goal is to be repaired; a cell may get any of its colours, or be
            emptied.
        finder: Function that finds the flaws of a picture.
        kept: Cells that stay unchanged.
        watch: Ends all work with LimitReached.

    Attributes:
        least: Lower bound on the cells that a repair changes.
        best: The smallest known repair that may not be optimal, or None.
        on_better: Called for each better repair that `drive` finds.
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
        self._driver = LocalSearch(
            puzzle.goal, len(puzzle.colours), self._doubts, self._kept, pause=watch.check
        )
        self._budget = BUDGET
        self._priced = set[int]()  # variables that already have a weight
        self._is_choosy = False
        self._oracle = MaxSatOracle(watch)

    def _others(self, cell: int) -> Iterator[int]:
        """Return the other values of a cell."""
        if cell not in self._kept:
            mine = self._picture.cells[cell]
            yield from (value for value in range(len(self._puzzle.colours) + 1) if value != mine)

    def _var(self, cell: int, value: int) -> int:
        """Return the variable of "this cell gets this other value"; its present value has none."""
        index = value - (value > self._picture.cells[cell])
        return 1 + cell * len(self._puzzle.colours) + index

    def _change(self, var: int) -> tuple[int, int]:
        cell, index = divmod(var - 1, len(self._puzzle.colours))
        return cell, index + (index >= self._picture.cells[cell])

    def changed(self, changes: Changes) -> Grid:
        """Return the original picture after these changes."""
        return with_cells(self._picture, changes)

    def candidate(self) -> Changes | None:
        """Return a cheapest set of changes that hits all known flaws; None if there is none."""
        what = "fewest and least ugly changes" if self._is_choosy else "fewest changes"
        self._watch.doing(f"{what}, at least", self.least)
        found = self._oracle.answer()
        if found is None:
            return None
        self.least = self._oracle.cost // CHANGE
        return dict(self._change(var) for var in found if var in self._priced)

    def is_mended(self, changes: Changes) -> bool | None:
        """Return True if a candidate is a repair; if it is not, it is excluded from now on.

        None if the budget does not suffice; the budget grows with each attempt.
        """
        self._watch.doing("check of changes", len(changes))
        try:
            return not self._flaws(self.changed(changes), self._budget)
        except Undecided:
            self._budget *= MORE
            return None

    def _flaws(self, mine: Grid, budget: int) -> list[Flaw]:
        """Return the flaws of a picture; all later candidates avoid them."""
        found = self._finder(of_picture(self._puzzle, mine), mine, self._watch, budget)
        if found and mine == self._picture:
            self.least = max(self.least, 1)
        for flaw in found:
            self._forbid(mine, flaw.windows)
        return found

    def _forbid(self, mine: Grid, cells: Sequence[int]) -> None:
        """Require that at least one of these cells differs from a picture."""
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
                    self._add_ugliness(var)
        self._oracle.require(clause)

    def choose(self) -> None:
        """Prefer the less ugly of equally small candidates from now on.

        This preference from the beginning would take up to ten times as long: many more sets of
        changes would have to be refuted before the number of changes is proved to be minimal.
        """
        self._is_choosy = True
        for var in self._priced:
            self._add_ugliness(var)

    def _add_ugliness(self, var: int) -> None:
        if weight := ugliness_of(self._picture, *self._change(var)):
            self._oracle.price(var, weight)

    def is_optimal(self, changes: Changes) -> bool:
        """Return True if the last candidate proves that no better repair exists."""
        ugly = sum(ugliness_of(self._picture, *change) for change in changes.items())
        price = CHANGE * len(changes) + (ugly if self._is_choosy else 0)
        return price <= self._oracle.cost

    def leave_out(self, changes: Changes) -> None:
        """Exclude a set of changes and all supersets of it from the search."""
        self._require([-self._var(cell, value) for cell, value in changes.items()])

    def drive(self, changes: Changes, most: int) -> None:
        """Search for a better repair: change more cells, then revert unnecessary changes."""
        self._watch.doing("repair with more changes")
        mended = self._driver.drive(self.changed(changes), most)
        if mended is None:
            return
        self.best = self._changes(mended)
        self.on_better()
        self._watch.doing("changes that are not needed")
        for easier in self._driver.eased(mended):
            self.best = self._changes(easier)
            self.on_better()

    def _doubts(self, mine: Grid) -> list[Sequence[int]]:
        return doubts(lambda budget: self._flaws(mine, budget))

    def _changes(self, mine: Grid) -> Changes:
        """Return the cells in which a picture differs from the original, with their values."""
        pairs = enumerate(zip(self._picture.cells, mine.cells, strict=True))
        return {cell: new for cell, (old, new) in pairs if old != new}

    def close(self) -> None:
        """Free the engine of RC2."""
        self._oracle.close()


# Cells that a repair keeps.


def kept_cells(puzzle: Puzzle, places: Iterable[Place]) -> set[int]:
    """Return the row-major numbers of cells that are given as (row, column).

    Raises:
        UnsupportedError: The argument does not contain cells.
        PuzzleError: A cell is outside of the board.
    """
    height, width = puzzle.height, puzzle.width
    if isinstance(places, str) or not isinstance(places, Iterable):
        raise UnsupportedError(f"keep is {shown(places)}, expected cells (row, column)")
    kept = set()
    for place in places:
        try:
            row, column = map(index, place)
        except (TypeError, ValueError):
            text = f"keep holds {shown(place)}, expected cells (row, column)"
            raise UnsupportedError(text) from None
        if not (0 <= row < height and 0 <= column < width):
            raise PuzzleError(
                f"the kept cell in {cell_text(row, column)} is outside the board of "
                f"{rows_by_columns(height, width)}"
            )
        kept.add(row * width + column)
    return kept


PATIENCE = 300  # extra candidates for a less ugly repair; drawings take up to 50
DRIVEN = 200  # changes; a picture that needs more is hardly the same one, unless it is large
DRIVEN_SHARE = 4  # one change per so many cells


class Interrupted(KeyboardInterrupt):
    """Ctrl-C was pressed after a repair was found.

    Attributes:
        found: Result so far.
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

    Of a Slitherlink or queens puzzle clues are changed: the fewest contradictory clues are removed,
    then, for the first solution, the fewest of its clues are added that exclude all other
    solutions.

        >>> found = nonosat.repair(nonosat.Grid.of_rows(["#.", ".#"], ".#"), most=10)
        >>> sorted(found.changes(picture) for picture in found.pictures)
        [[(0, 0)], [(0, 1)], [(1, 0)], [(1, 1)]]

    Of equally small repairs, as far as time allows, those with fewest isolated changes come first.

    Args:
        puzzle: A picture (`Grid` or rows); a nonogram: its goal or a solution; Slitherlink; queens.
        max_changes: Maximum number of changes; None is without limit.
        keep: Cells (row, column) that stay unchanged, as given cells do.
        most: Maximum number of repairs. Further ones change at least as many cells, and none
            includes all changes of another one.
        logic_only: Line logic alone, one line at a time, solves the repaired clues.
        grade: Difficulty (integer part, see `rate`) of the repaired puzzle, 1 to 7; a unique
            picture is made harder, or easier. Repairs may then include all changes of a smaller
            one. For 7 a staircase of dominoes is planted, which needs a board of 9x9 or more.
        on_progress: Called with each better repair or bound; not for a grade, nor for clues.
        time_limit_s: Wall seconds; None (or infinity) is without limit, except that the search for
            a grade ends after a fixed effort. At the limit the reply has the best repair so far.
        memory_limit_mib: Resident memory of the process; None is without limit.

    Returns:
        Repairs, each proved to have one solution; for families other than nonograms a `ClueRepair`.

    Raises:
        NotAPuzzleError: The argument is not a puzzle.
        PuzzleError: A kept cell is outside, a cell of the picture is unknown or contradicts a given
            cell, or there is no such grade.
        UnsupportedError: Another family, an argument that only pictures support, or a value out of
            range.
    """
    watch, started = watch_of(time_limit_s, memory_limit_mib), perf_counter()
    requested = _converted(puzzle)
    _check_wishes(most, max_changes, grade, logic_only=logic_only)
    if not isinstance(requested, Grid) and families.name_of(requested) != "nonogram":
        _check_clues(requested, is_plain=most == 1 and not logic_only and grade is None)
        kept = kept_cells(requested, keep)
        return _outcome(ClueSearch(requested, kept, max_changes, watch), watch, started)
    run = _Repair(_nonogram_of(requested), watch, most, max_changes, grade)
    run.keep(keep)
    run.finder, run.on_progress = in_line_logic if logic_only else in_uniqueness, on_progress
    return _outcome(run, watch, started)


def _converted(value: Any) -> Any:
    """Return the grid of rows; return a puzzle or a grid unchanged."""
    return grid_of(value, name="the picture", has_unknown=False) if is_rows(value) else value


def _check_clues(puzzle: Puzzle, *, is_plain: bool) -> None:
    """Raise UnsupportedError if the arguments do not apply to clues of such a puzzle."""
    name, clues = families.name_of(puzzle), families.family_of(puzzle).clues
    if clues is None or clues.clauses is None or clues.shown is None:
        raise UnsupportedError(
            f"a puzzle of the family {name}, expected a nonogram to repair, or a family that "
            "defines the clues of a solution"
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
    """Return the result of the work; raise `Interrupted` on Ctrl-C if it has a repair."""
    try:
        reason = run_limited(watch, run.work)
    except KeyboardInterrupt:
        found = run.result("interrupted", perf_counter() - started)
        if found.repaired():
            raise Interrupted(found) from None
        raise
    return run.result(reason, perf_counter() - started)


def _nonogram_of(puzzle: Puzzle | Grid) -> Nonogram:
    """Return a nonogram unchanged; return the puzzle of a picture, with the picture's colours."""
    if isinstance(puzzle, Grid):
        return of_grid(puzzle)
    assert isinstance(puzzle, Nonogram)
    return puzzle


class _Repair:
    """Repair of one puzzle, and its results so far."""

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
        """Exclude further cells from changes."""
        self._kept |= kept_cells(self._puzzle, places)

    def _check_given(self, picture: Grid) -> None:
        """Check that the given cells agree with the picture."""
        signs = self._puzzle.symbols
        for row, column, value in self._puzzle.given:
            if (found := picture[row, column]) != value:
                raise PuzzleError(
                    f"the picture has {signs[found]!r} in {cell_text(row, column)}, where "
                    f"{signs[value]!r} is given; expected the same"
                )

    def work(self) -> None:
        """Find the requested number of repairs, or all."""
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
            what = "with the kept cells" if self._kept else "of its size"
            self._reason, self._least = f"no picture {what} is of grade {grade}", 0

    def _mend(self, mender: RepairSearch) -> None:
        driven = max(DRIVEN, self._puzzle.height * self._puzzle.width // DRIVEN_SHARE)
        num_rounds, most = 0, min(driven, (self._max_changes or driven) + 1)
        while len(self._found) < self._most:
            self._report(mender)
            changes = mender.candidate()
            if changes is None:
                self._reason = "" if self._found else "no repair is possible with the kept cells"
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
        """Report the best repair and the bound if either has improved since the last report."""
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
        """Return the least ugly of the smallest repairs if it is found soon; else `smallest`.

        Args:
            mender: Search that found the known repair.
            smallest: The known repair, one of the smallest.
            num_rounds: Number of candidates that were tried until it was found.
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
            if self._most > 1:  # the time limit leaves no room for it
                self._found.append(mender.changed(smallest))
                raise
        return smallest

    def result(self, reason: str, seconds: float) -> RepairResult:
        """Return the result so far."""
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
