"""What a solver says of a puzzle, ours or anybody's, in one form that can be compared.

A claim says something of the number of solutions: the verdict, a count, the solutions that were
shown. All of it together is a range of numbers. Two claims exclude each other where their ranges
have nothing in common.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from math import inf
from typing import Any, NamedTuple, Self

from nonosat.core.errors import UnsupportedError, counted, shown
from nonosat.core.result import Result, Verdict
from nonosat.questions.counting import CountResult

_RANGES = {
    Verdict.SOLVED: (1, inf),
    Verdict.UNIQUE: (1, 1),
    Verdict.MULTIPLE: (2, inf),
    Verdict.UNSOLVABLE: (0, 0),
    Verdict.UNKNOWN: (0, inf),
}


class Numbers(NamedTuple):
    """How many solutions there may be: from `fewest` to `most`, perhaps without 1.

    >>> Numbers(0, 3).meet(Numbers(2, inf))
    Numbers(fewest=2, most=3, but_one=False)
    """

    fewest: float = 0
    most: float = inf
    but_one: bool = False

    @property
    def is_possible(self) -> bool:
        """Whether any number is left."""
        only_one = self.fewest == self.most == 1
        return self.fewest <= self.most and not (self.but_one and only_one)

    def meet(self, other: Numbers) -> Numbers:
        """The numbers that both allow."""
        fewest, most = max(self.fewest, other.fewest), min(self.most, other.most)
        return Numbers(fewest, most, self.but_one or other.but_one)

    def within(self, other: Numbers) -> bool:
        """Whether the other allows all of these."""
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
    """What a solver says of one puzzle.

        >>> Claim(Verdict.UNIQUE).numbers
        Numbers(fewest=1, most=1, but_one=False)
        >>> print(Claim(count=7))
        7 solutions

    Args:
        verdict: SOLVED where only a solution is claimed, UNKNOWN where none is given.
        solutions: The family's solutions that it shows; nobody has verified them yet.
        count: How many solutions there are, where it says so.
        failure: Why there is no answer, a sentence without its subject: "died of SIGSEGV"; "" where
            there is one. The verdict is UNKNOWN then.
        seconds: Wall seconds that it took.
        is_not_unique: It says that there is not exactly one solution, and no more than that.
        unsupported: Why the solver cannot be asked of this puzzle, which is no fault; else "".
        reason: What it says besides: a limit that it kept, where the puzzle breaks.

    Raises:
        UnsupportedError: The verdict is none, or the count is no whole number from 0 on.
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
        """What one of our own results says."""
        took = result.seconds if seconds is None else seconds
        if isinstance(result, CountResult):
            count = result.count if result.is_exact else None
            return cls(count=count, seconds=took, reason=result.reason)
        return cls(result.verdict, result.solutions, seconds=took, reason=result.reason)

    @classmethod
    def of_solutions(cls, solutions: Iterable[Any], *, all_of_them: bool = False) -> Self:
        """The claim of whoever lists solutions: none, exactly one, or several.

        Args:
            solutions: At least two where there are several.
            all_of_them: Whether no other is left, so that their number is claimed, too.
        """
        found = tuple(solutions)
        verdict = (Verdict.UNSOLVABLE, Verdict.UNIQUE, Verdict.MULTIPLE)[min(len(found), 2)]
        return cls(verdict, found, len(found) if all_of_them else None)

    @property
    def numbers(self) -> Numbers:
        """How many solutions there are, if it is true; the solutions shown are not counted."""
        stated = Numbers(*_RANGES[self.verdict], self.is_not_unique)
        return stated if self.count is None else stated.meet(Numbers(self.count, self.count))

    def __str__(self) -> str:
        if self.failure:
            return "failed"
        if self.unsupported:
            return "not asked"
        if self.is_not_unique:
            return "not unique"
        if self.count is not None:
            return counted(self.count, "solution")
        return self.verdict.value


@dataclass(frozen=True, slots=True)
class Solver:
    """Something that can be asked of puzzles.

    Args:
        name: What reports call it.
        ask: Puzzle to claim; it raises nothing but what ends the whole program.
        is_ours: Whether this package is to blame for its mistakes.
    """

    name: str
    ask: Callable[[Any], Claim]
    is_ours: bool = False

    def __call__(self, puzzle: Any) -> Claim:
        return self.ask(puzzle)
