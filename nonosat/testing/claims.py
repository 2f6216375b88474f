"""Answers of solvers, built-in or not, in one form that can be compared.

A claim restricts the number of solutions by its verdict, its count and its solutions. Together they
give a range of numbers. Two claims exclude each other if their ranges are disjoint.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from math import inf
from typing import Any, NamedTuple, Self

from nonosat.core.errors import UnsupportedError, counted, shown
from nonosat.core.plugins import Puzzle
from nonosat.core.result import Result, Verdict
from nonosat.questions.counting import CountResult

_RANGES = {
    Verdict.SOLVED: (1, inf),
    Verdict.UNIQUE: (1, 1),
    Verdict.MULTIPLE: (2, inf),
    Verdict.UNSOLVABLE: (0, 0),
    Verdict.UNKNOWN: (0, inf),
}


class CountRange(NamedTuple):
    """Possible numbers of solutions: from `fewest` to `most`, without 1 if `but_one`.

    >>> CountRange(0, 3).meet(CountRange(2, inf))
    CountRange(fewest=2, most=3, but_one=False)
    """

    fewest: float = 0
    most: float = inf
    but_one: bool = False

    @property
    def is_possible(self) -> bool:
        """True if the range is not empty."""
        only_one = self.fewest == self.most == 1
        return self.fewest <= self.most and not (self.but_one and only_one)

    def meet(self, other: CountRange) -> CountRange:
        """Return the intersection of both ranges."""
        fewest, most = max(self.fewest, other.fewest), min(self.most, other.most)
        return CountRange(fewest, most, self.but_one or other.but_one)

    def within(self, other: CountRange) -> bool:
        """Return True if this range is a subset of the other one."""
        has_one = self.fewest <= 1 <= self.most and not self.but_one
        inside = other.fewest <= self.fewest and self.most <= other.most
        return inside and not (other.but_one and has_one)

    def __str__(self) -> str:
        fewest, most = self.fewest, self.most
        if fewest == most:
            return "no solution" if most == 0 else f"exactly {counted(int(most), 'solution')}"
        if most < inf:
            return f"{int(fewest)} to {counted(int(most), 'solution')}"
        return f"at least {counted(int(fewest), 'solution')}"


@dataclass(frozen=True, slots=True)
class Claim:
    """Answer of a solver to one puzzle.

        >>> Claim(Verdict.UNIQUE).numbers
        CountRange(fewest=1, most=1, but_one=False)
        >>> print(Claim(count=7))
        7 solutions

    Args:
        verdict: SOLVED if only a solution is claimed, UNKNOWN without a verdict.
        solutions: Solutions in the answer, as objects of the puzzle's family; not verified.
        count: Claimed number of solutions; None if there is none.
        failure: Reason for the lack of an answer, a sentence without its subject: "died of
            SIGSEGV"; "" if there is an answer. With a failure the verdict is UNKNOWN.
        seconds: Wall seconds of the solver.
        is_not_unique: True for the claim that the number of solutions is not one.
        unsupported: Reason why the solver does not support this puzzle, which is not a fault; else
            "".
        reason: Further remark, such as the limit that was hit or the line that is contradictory.

    Raises:
        UnsupportedError: The verdict is not a Verdict, or the count is not a whole number from 0.
    """

    verdict: Verdict = Verdict.UNKNOWN
    solutions: tuple[Any, ...] = ()
    count: int | None = None
    failure: str = ""
    seconds: float = field(default=0.0, compare=False)
    is_not_unique: bool = False
    unsupported: str = ""
    reason: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        if not isinstance(self.verdict, Verdict):
            raise UnsupportedError(f"the verdict is {shown(self.verdict)}, expected a Verdict")
        if self.count is not None and (type(self.count) is not int or self.count < 0):
            raise UnsupportedError(f"the count is {shown(self.count)}, expected 0 or more")

    @classmethod
    def of_result(cls, result: Result | CountResult, seconds: float | None = None) -> Self:
        """Return the claim of a result of this package."""
        took = result.seconds if seconds is None else seconds
        if isinstance(result, CountResult):
            count = result.count if result.is_exact else None
            return cls(count=count, seconds=took, reason=result.reason)
        return cls(result.verdict, result.solutions, seconds=took, reason=result.reason)

    @classmethod
    def of_solutions(cls, solutions: Iterable[Any], *, all_of_them: bool = False) -> Self:
        """Return the claim of a solver that lists solutions: none, exactly one, or several.

        Args:
            solutions: All solutions; or at least two of them if there are several.
            all_of_them: True if the list is complete, so that their number is claimed, too.
        """
        found = tuple(solutions)
        verdict = (Verdict.UNSOLVABLE, Verdict.UNIQUE, Verdict.MULTIPLE)[min(len(found), 2)]
        return cls(verdict, found, len(found) if all_of_them else None)

    @property
    def numbers(self) -> CountRange:
        """Range of the number of solutions by verdict and count; `solutions` is not counted."""
        stated = CountRange(*_RANGES[self.verdict], self.is_not_unique)
        return stated if self.count is None else stated.meet(CountRange(self.count, self.count))

    def __str__(self) -> str:
        if self.failure:
            return "failed"
        if self.unsupported:
            return "not supported"
        if self.is_not_unique:
            return "not unique"
        if self.count is not None:
            return counted(self.count, "solution")
        return self.verdict.value


@dataclass(frozen=True, slots=True)
class Solver:
    """A solver under comparison.

    Args:
        name: Name of the solver in reports.
        query: Function from puzzle to claim; raises only exceptions that end the whole program.
        is_ours: True if the solver belongs to this package.
    """

    name: str
    query: Callable[[Any], Claim]
    is_ours: bool = False

    def __call__(self, puzzle: Puzzle) -> Claim:
        return self.query(puzzle)
