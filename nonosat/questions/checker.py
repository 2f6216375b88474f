"""Incremental check of a picture after an edit.

An edited picture is similar to the one before, so results about that one are reused. A switch of a
picture is a set of cells that can change so that the clues stay the same (`switches.py`); the
picture is then not unique.

* A switch of a picture is also a switch of every picture that is equal in the windows around it. As
  long as an edit does not change these windows, the edited picture has several solutions; the
  second one is the picture with the cells of the switch changed.
* Take a picture that is known to be unique, and another solution of an edited picture. Each part of
  their difference is a switch of the edited picture. If no edited cell were in its windows, it
  would be a switch of the unique picture, too. So a window of it has an edited cell. The window
  reaches from the cell before its first differing cell to the cell after its last one; hence in
  the row or the column of the edited cell the other solution differs at or before the cell that
  comes next, and at or after the cell that comes before. Only such solutions are searched for;
  if the board settles these places, there are none.

Other cases are decided by the native sequence of attempts (native/strategy/strategy.hpp), to which
the picture is a known solution: no time is spent on finding a first one. An edit of a given cell
changes the given value, too, so that the solver always gets values of the picture. A check that its
time limit interrupts is kept, with all learnt clauses, until the picture changes: the next call
continues it.

Invariant: a verdict is that of `nonosat.check` for the puzzle of the picture.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from operator import itemgetter
from time import perf_counter
from typing import Any, NamedTuple

from nonosat import _core
from nonosat.board.presolve import PresolvedModel
from nonosat.core import families
from nonosat.core.answer_source import AnswerSource
from nonosat.core.errors import LimitReached, PuzzleError, rows_by_columns, shown
from nonosat.core.grid import Grid, with_cells
from nonosat.core.limits import CALLED_OFF, Watch, watch_of
from nonosat.core.result import Options, Result, Verdict
from nonosat.core.scope import within
from nonosat.core.wording import cell_text
from nonosat.puzzles.nonogram import PLUGIN, build, refutation
from nonosat.puzzles.nonogram.data import Nonogram, clue_of, clues_of
from nonosat.puzzles.nonogram.grids import grid_of, is_rows
from nonosat.questions.groups import of_grid
from nonosat.questions.switches import surroundings, switches
from nonosat.solving.auto import ENGINE
from nonosat.solving.solve_log import SolveLog

MOST_SWITCHES = 256  # number of switches remembered
MOST_UNIQUE = 8  # number of unique pictures remembered
# Number of cells. A picture that differs in more cells from every unique picture is checked as if
# none were known: a search for solutions near so many cells takes longer than one for any solution
# (95 of 100 checks of a 30x30 that grows from nothing took 7 to 19 ms, and take 1 to 7).
MOST_NEAR = 40

_NOT_ZERO = re.compile(rb"[^\0]")


class _CellSwitch(NamedTuple):
    """Switch: a set of cells whose values can change so that the clues of a picture stay the same.

    Args:
        cells: The cells that change.
        thrown: Values of these cells after the change.
        around: Function that returns, from the values of a picture, those in the windows.
        values: Values in the windows for which the switch exists.
    """

    cells: tuple[int, ...]
    thrown: bytes
    around: Callable[[bytes], tuple[int, ...]]
    values: tuple[int, ...]


class IncrementalCheck:
    """Check of a picture, in one or more calls.

    Attributes:
        puzzle, mine: The puzzle, and its picture.
        log: The stages so far.
        seconds: Seconds of all calls together.
    """

    def __init__(self, puzzle: Nonogram) -> None:
        assert puzzle.goal is not None
        self.puzzle, self.mine = puzzle, puzzle.goal
        self.log = SolveLog(puzzle, PLUGIN)
        self.seconds = 0.0
        self._strategy: _core.Strategy | None = None

    def other(self, edited: list[int] | None, watch: Watch) -> Grid | None:
        """Return a solution other than the picture; None if there is none.

        Args:
            edited: Cells in which the picture differs from a unique one; None if none is known.
            watch: Limits of this call; the next call continues the search.

        Raises:
            LimitReached: A limit of the watch is reached.
        """
        if self._strategy is None:
            task = PresolvedModel.of(build(self.puzzle), watch.check)
            assert task.board is not None
            task.reserve(watch)
            self._strategy = _core.Strategy(task.board, self.mine.cells, edited, _core.BUDGETS)
        while self._strategy.verdict == _core.Strategy.Verdict.OPEN:
            self._take_stage(self._strategy, watch)
        if (second := self._strategy.solution(1)) is None:
            return None
        other = Grid(self.mine.height, self.mine.width, second)
        found: Grid = self.log.checked(AnswerSource(self.log.backend), other)
        return found

    def _take_stage(self, strategy: _core.Strategy, watch: Watch) -> None:
        """Work on one stage until it is over, and log it."""
        name, started, num_open = strategy.stage, perf_counter(), strategy.num_open
        try:
            while strategy.verdict == _core.Strategy.Verdict.OPEN and strategy.stage == name:
                if not strategy.step(watch.remaining_s(), watch.poll):
                    raise watch.limit()
        finally:
            is_engine = name == "solve"
            self.log.backend = ENGINE if is_engine else name
            engine = {"engine": ENGINE, "conflicts": strategy.num_conflicts} if is_engine else {}
            self.log.stage(name, started, num_open - strategy.num_open, **engine)

    @property
    def has_engine(self) -> bool:
        """True if an engine can continue its search."""
        return self._strategy is not None and self._strategy.num_conflicts is not None


class Checker:
    """Incremental check if a picture is the only solution of its clues, after each edit.

        >>> checker = nonosat.Checker(nonosat.Grid.of_rows(["#.", ".#"], ".#"))
        >>> checker.check().verdict.value
        'multiple'
        >>> checker.set(0, 1, 1)
        >>> print(checker.picture)
        ##
        .#
        >>> checker.check().verdict.value
        'unique'

    Use it in one thread at a time.

    Args:
        picture: A picture (a `Grid`, or its rows), or a nonogram with a goal. Colours, given cells
            and metadata of the nonogram are kept; its clues become those of the goal.
            Given cells have the values of the picture for the solver.

    Raises:
        NotAPuzzleError: `picture` is neither picture nor puzzle; the message names valid inputs.
        UnsupportedError: `picture` is a puzzle of another family.
        PuzzleError: The puzzle has no goal, or the picture has unknown cells.
    """

    def __init__(self, picture: Grid | Nonogram | Sequence[Any]) -> None:
        if isinstance(picture, Grid) or is_rows(picture):
            grid = grid_of(picture, name="the picture", has_unknown=False)
            picture = of_grid(grid)
        requested: Any = picture
        families.require(requested, "nonogram", "pictures are checked again")
        puzzle: Nonogram = requested
        if puzzle.goal is None:
            raise PuzzleError("the puzzle has no goal, expected one: it is the picture to check")
        self._plain = replace(puzzle, saved=())
        self._cells = bytearray(puzzle.goal.cells)
        self._rows, self._columns = map(list, clues_of(puzzle.goal))
        self._switches = deque[_CellSwitch](maxlen=MOST_SWITCHES)  # newest first
        self._unique = deque[bytes](maxlen=MOST_UNIQUE)  # cells of unique pictures
        self._run: IncrementalCheck | None = None  # check of the current picture

    @property
    def is_under_way(self) -> bool:
        """True if a time limit interrupted the last check, and the next call continues it."""
        return self._run is not None

    @property
    def is_searching(self) -> bool:
        """True if the interrupted check has an engine that can continue its search."""
        return self._run is not None and self._run.has_engine

    @property
    def picture(self) -> Grid:
        """Current picture."""
        return Grid(self._plain.height, self._plain.width, bytes(self._cells))

    @property
    def puzzle(self) -> Nonogram:
        """Puzzle of the current picture, which is its goal."""
        picture = self.picture
        given = tuple((row, column, picture[row, column]) for row, column, _ in self._plain.given)
        rows, columns = tuple(self._rows), tuple(self._columns)
        return replace(self._plain, rows=rows, columns=columns, given=given, goal=picture)

    def set(self, row: int, column: int, colour: int) -> None:
        """Edit a cell.

        Args:
            row: From 0.
            column: From 0.
            colour: 0 for empty, k for the k-th colour.

        Raises:
            PuzzleError: There is no such cell or colour.
        """
        if type(row) is not int or type(column) is not int:
            raise PuzzleError(f"the cell is {shown((row, column))}, expected two whole numbers")
        height, width = self._plain.height, self._plain.width
        if not (0 <= row < height and 0 <= column < width):
            raise PuzzleError(
                f"the cell in {cell_text(row, column)} is outside the board of "
                f"{rows_by_columns(height, width)}"
            )
        most = len(self._plain.colours)
        if type(colour) is not int or not 0 <= colour <= most:
            raise PuzzleError(f"the colour is {shown(colour)}, expected 0 to {most}")
        self.abandon()
        self._cells[row * width + column] = colour
        self._rows[row] = clue_of(self._cells[row * width : (row + 1) * width])
        self._columns[column] = clue_of(self._cells[column::width])

    def check(
        self,
        *,
        time_limit_s: float | None = None,
        memory_limit_mib: int | None = None,
        is_called_off: Callable[[], bool] | None = None,
    ) -> Result:
        """Decide whether the picture is the only solution of its clues.

        After a time limit or a cancellation, the next call continues the check.

        Args:
            time_limit_s: Wall seconds of this call; None (or infinity) is without limit.
            memory_limit_mib: Resident memory of the process; None is without limit.
            is_called_off: Called every few milliseconds; the check is cancelled when it returns
                True. It must be quick.

        Returns:
            Verdict `unique`, `multiple` (the picture and a second solution), or `unknown` if a
            limit was hit, or it was cancelled. The result's puzzle is `puzzle`, its seconds are
            those of all calls since the last edit.

        Raises:
            UnsupportedError: Limits are out of range.
            BackendError: A solver failed or gave an answer that the clues refute.
        """
        watch, started = watch_of(time_limit_s, memory_limit_mib), perf_counter()
        watch.is_called_off = is_called_off
        run, self._run = self._run or IncrementalCheck(self.puzzle), None
        other, reason = None, ""
        try:
            other = within(watch, partial(self._other, run, watch))
            verdict = Verdict.MULTIPLE if other else Verdict.UNIQUE
        except LimitReached as limit:
            verdict, reason = Verdict.UNKNOWN, str(limit)
            if watch.remaining_s() == 0 or limit.kind == CALLED_OFF:
                self._run = run
        finally:
            run.seconds += perf_counter() - started
        return Result(
            run.puzzle,
            verdict,
            (run.mine, other) if other else (run.mine,),
            reason,
            run.seconds,
            tuple(run.log.stages),
            run.log.backend,
            options=Options(2, time_limit_s=time_limit_s, memory_limit_mib=memory_limit_mib),
        )

    def abandon(self) -> None:
        """Discard an interrupted check, which frees its memory."""
        self._run = None

    def learn(self, other: Grid | Sequence[Any] | None) -> None:
        """Record an external verdict on the current picture.

        Args:
            other: Another solution of the picture's clues (a `Grid`, or its rows); None if the
                picture is known to be the only solution, which is not verified.

        Raises:
            PuzzleError: `other` is not another solution.
        """
        mine = self.picture
        if other is None:
            self._unique.appendleft(mine.cells)
            return
        other = grid_of(other, name="the solution", has_unknown=True)
        wrong = "it is the picture" if other == mine else refutation(self.puzzle, other)
        if wrong:
            raise PuzzleError(f"this is no other solution of the picture's clues: {wrong}")
        for switch in switches(mine, other):
            self._remember(mine, switch, other)

    def _other(self, run: IncrementalCheck, watch: Watch) -> Grid | None:
        """Return another solution, None if there is none; raise LimitReached at a limit."""
        started, mine = perf_counter(), run.mine
        other = self._with_switch(mine)
        edited = self._edited(mine.cells)
        if other is not None or edited == []:
            run.log.stage("known", started)
            run.log.backend = "known"
            return run.log.checked(AnswerSource("known"), other) if other else None
        other = run.other(edited, watch)
        self.learn(other)
        return other

    def _with_switch(self, mine: Grid) -> Grid | None:
        """Return another solution by changing the cells of a known switch; None if none fits."""
        for switch in self._switches:
            if switch.around(mine.cells) == switch.values:
                return with_cells(mine, dict(zip(switch.cells, switch.thrown, strict=True)))
        return None

    def _edited(self, cells: bytes) -> list[int] | None:
        """Return the cells that differ from the closest known unique picture, if one is close."""
        if not self._unique:
            return None
        mine = int.from_bytes(cells, "big")
        pairs = ((mine ^ int.from_bytes(unique, "big")) for unique in self._unique)
        differing = max((pair.to_bytes(len(cells), "big") for pair in pairs), key=_num_zeros)
        if len(differing) - _num_zeros(differing) > MOST_NEAR:
            return None
        return [found.start() for found in _NOT_ZERO.finditer(differing)]

    def _remember(self, mine: Grid, cells: list[int], other: Grid) -> None:
        """Store a switch for later pictures: from `mine` to `other`, and back."""
        around = itemgetter(*surroundings(mine, cells, other))
        changed = bytearray(mine.cells)
        for cell in cells:
            changed[cell] = other.cells[cell]
        for before, after in ((bytes(changed), mine.cells), (mine.cells, bytes(changed))):
            thrown = bytes(after[cell] for cell in cells)
            self._switches.appendleft(_CellSwitch(tuple(cells), thrown, around, around(before)))


def _num_zeros(cells: bytes) -> int:
    return cells.count(0)
