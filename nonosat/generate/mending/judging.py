"""Decide if the clues of a picture have one solution and a grade; if not, find the reason.

Most pictures are rejected long before they are rated: up to grade 4 a puzzle is solved by line
propagation, from 5 on it is not, and a search soon finds another solution.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from enum import Enum
from typing import NamedTuple

from nonosat.core.grid import Grid
from nonosat.core.limits import Watch
from nonosat.explain.nonogram.solving import graded_within
from nonosat.generate.grades import LINE_LOGIC
from nonosat.generate.mending.flaws import BUDGET, Flaw, Undecided, in_line_logic, in_uniqueness
from nonosat.generate.mending.result import of_picture
from nonosat.puzzles.nonogram.data import Nonogram

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
        left: Cells of a picture that is too hard which should be decided earlier.
    """

    fault: Fault
    flaws: Sequence[Flaw] = ()
    left: Sequence[int] = ()


class Judge:
    """Judge of pictures; each picture is judged once.

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
        """Return the number of cells that line propagation leaves open."""
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
