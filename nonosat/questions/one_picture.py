"""One check of a picture: whether its clues have another solution, in as many calls as it takes.

The picture is itself a solution of its clues, so no time is spent on finding a first one. Cheap
candidates for another one come first, as noise, dithered photographs and drawings that are not done
have (a random 100x100 at 50 %: 1 ms in place of 5 s). Then lines, probes and prices settle what
they can; then an engine looks for a solution that differs, near the picture.

A picture that leaves most of its board open has many solutions. Where none of them is close by, as
in noise of which such ambiguities were taken away, decimation reaches one sooner than an engine
does from the picture (60x60 at 40 %: 0.02 to 0.2 s in place of 2.4).

A check that its time ended is kept, with all that the engine has learnt, until the picture changes:
the next one goes on with it. Decimation keeps nothing: a go that is ended is not taken again. Where
the engine's conflicts are spent, each call asks the pipeline anew, which has more ways but keeps
nothing.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from time import perf_counter
from typing import Any

from nonosat.board import decimation, prices
from nonosat.board.presolve import OPEN, Task
from nonosat.core.blame import Suspects
from nonosat.core.errors import LimitReached
from nonosat.core.grid import Grid
from nonosat.core.limits import Watch
from nonosat.core.result import Options, Verdict
from nonosat.processes.guard import left_of
from nonosat.puzzles.nonogram import PLUGIN, build, neighbours, refutation
from nonosat.puzzles.nonogram.data import Nonogram
from nonosat.questions.rivals import ENGINE, PatienceError, Seeker
from nonosat.solving import pipeline
from nonosat.solving.auto import LARGE_OPEN
from nonosat.solving.findings import Findings
from nonosat.solving.problem import Problem

CONFLICTS = 50_000  # of the engine; what takes more is left to the pipeline
PROBING = 20_000_000  # units of native work, about a nanosecond each, on up to 1000 cells
PRICING = 5_000_000  # the same for each search for prices

Ends = tuple[list[int], list[int]]
# What settles cells of a board in a short time: from its task, the picture and a watch.
_WAYS: tuple[tuple[str, Callable[[Task, bytes, Watch], object]], ...] = (
    ("propagate", lambda task, _, watch: task.propagate(watch)),
    ("probe", lambda task, mine, watch: task.probe(watch, _probing(len(mine)))),
    ("prices", lambda task, mine, watch: prices.settle_beside(task, mine, watch, PRICING)),
)


def _probing(num_cells: int) -> int:
    """Units of work for probing a board.

    Larger ones have more: a drawing of 200x200 that 0.1 s of probing settles was still open after
    40 s of an engine.
    """
    return PROBING * max(1000, num_cells) // 1000


class Check:
    """A check of a picture, in as many calls as it takes.

    Attributes:
        puzzle, mine: The puzzle, its picture.
        log: What steps have written down by now.
        seconds: Of all calls.
    """

    def __init__(self, puzzle: Nonogram) -> None:
        assert puzzle.goal is not None
        self.puzzle, self.mine = puzzle, puzzle.goal
        self.log = Findings(puzzle, PLUGIN)
        self.seconds = 0.0
        self._task: Task | None = None
        self._ways = deque(_WAYS)  # that are left
        self._num_decided = 0  # cells, by those that are done
        self._goes: deque[decimation.Settings] | None = None  # of decimation that are left
        self._seeker: Seeker | None = None
        self._is_for_engine = True

    def other(self, edited: list[int] | None, watch: Watch) -> Grid | None:
        """Another solution than the picture; None where there is none.

        Args:
            edited: Cells in which the picture differs from a unique one; None where none is known.
            watch: Ends this call; the next one goes on.
        """
        if self._task is None:
            if other := self._neighbour(watch):
                return other
            self._task = Task.of(build(self.puzzle), watch.check)
        if self._is_for_engine and self._seeker is None:
            ends = self._settled(self._task, edited, watch)
            if not ends:
                return None
            if edited is None and (other := self._decimated(self._task, watch)):
                return other
            seeker = Seeker(self._task, self.puzzle, self.mine, watch)
            self._seeker = seeker
            try:
                seeker.differ_in(ends)
            except BaseException:  # an engine that does not know this would find our own picture
                self.close()
                raise
        if self._seeker is not None:
            try:
                return self._by_engine(self._seeker, watch)
            except PatienceError:
                self.close()
                self._is_for_engine = False
        return self._by_pipeline(watch)

    @property
    def has_engine(self) -> bool:
        """Whether an engine is at work that is not out of patience."""
        return self._seeker is not None

    def close(self) -> None:
        """Free the engine."""
        seeker, self._seeker = self._seeker, None
        if seeker is not None:
            seeker.close()

    def _neighbour(self, watch: Watch) -> Grid | None:
        """Another solution among the cheap candidates that are made of the picture."""
        started, found = perf_counter(), None
        for candidate in neighbours(self.puzzle, self.mine):
            watch.check()
            if refutation(self.puzzle, candidate) is None:
                self.log.backend, found = "neighbours", candidate
                break
        self.log.stage("neighbours", started)
        return found

    def _settled(self, task: Task, edited: list[int] | None, watch: Watch) -> list[Ends]:
        """Settle cells in a short time; what `_ends` says of those that are left open."""
        assert task.board is not None
        started = perf_counter()
        while self._ways:
            name, settle = self._ways[0]
            settle(task, self.mine.cells, watch)
            self._ways.popleft()
            self.log.backend = name
            self.log.stage(name, started, task.num_decided() - self._num_decided)
            started, self._num_decided = perf_counter(), task.num_decided()
            if not self._ends(edited, task.board.cells()):
                return []
        return self._ends(edited, task.board.cells())

    def _decimated(self, task: Task, watch: Watch) -> Grid | None:
        """Another solution that decimation comes to where most of the board is open."""
        assert task.board is not None
        if self._goes is None:
            num_open = task.board.cells().count(OPEN)
            goes = decimation.QUICK + (decimation.SLOWER if num_open >= LARGE_OPEN else ())
            self._goes = deque(goes if 2 * num_open > len(self.mine.cells) else ())
        while self._goes:
            # One that the time ends is not begun again: with as little time it never came to its
            # end, and the engine, which goes on where it was, would not have its turn.
            started, settings = perf_counter(), self._goes.popleft()
            reached = decimation.decimate(task, settings, watch)
            self.log.stage("decimate", started)
            if reached is not None and reached.is_complete and reached.cells != self.mine.cells:
                other = Grid(self.mine.height, self.mine.width, reached.cells)
                found: Grid = self.log.checked(Suspects("decimate"), other)
                return found
        return None

    def _ends(self, edited: list[int] | None, cells: bytes) -> list[Ends]:
        """Where another solution has to differ from the picture, as far as cells are open.

        Returns:
            Pairs; in both parts of one of them it differs. Nothing where there is no solution.
        """
        width, size = self.mine.width, len(cells)
        if edited is None:
            every = [cell for cell, value in enumerate(cells) if value == OPEN]
            return [(every, every)] if every else []
        pairs = []
        for cell in edited:
            row, column = divmod(cell, width)
            for line, place in (
                (range(row * width, (row + 1) * width), column),
                (range(column, size, width), row),
            ):
                before = [at for at in line[: place + 2] if cells[at] == OPEN]
                behind = [at for at in line[max(place - 1, 0) :] if cells[at] == OPEN]
                if before and behind:
                    pairs.append((before, behind))
        return pairs

    def _by_engine(self, seeker: Seeker, watch: Watch) -> Grid | None:
        """Another solution as the engine finds it; PatienceError after many conflicts."""
        started = perf_counter()
        try:
            return seeker.seek(max(0, CONFLICTS - seeker.num_conflicts), watch)
        finally:
            self.log.backend = ENGINE
            self.log.stage("solve", started, engine=ENGINE)

    def _by_pipeline(self, watch: Watch) -> Grid | None:
        """The answer of `nonosat.check`, which has more ways."""
        problem = Problem(self.puzzle, Options(2, **left_of(watch)))
        problem.watch.is_called_off = watch.is_called_off
        result = pipeline.check_problem(problem)
        self.log.stages += result.stages
        self.log.backend = result.backend
        if result.verdict is Verdict.UNKNOWN:
            raise LimitReached(result.reason)
        others: list[Any] = [grid for grid in result.solutions if grid != self.mine]
        return others[0] if others else None
