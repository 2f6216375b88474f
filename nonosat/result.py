"""What is asked of the pipeline and what comes back: options, verdicts, stages, results."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from nonosat.errors import UnsupportedError
from nonosat.grid import Grid

PRESOLVE_LEVELS = ("none", "propagate", "probe")


class Verdict(Enum):
    """What is certain of a puzzle."""

    SOLVED = "solved"  # at least one solution; a further one was not looked for
    UNIQUE = "unique"
    MULTIPLE = "multiple"
    UNSOLVABLE = "unsolvable"
    UNKNOWN = "unknown"  # a limit was hit


@dataclass(frozen=True, slots=True)
class Options:
    """How to solve; everything here is recorded with the result.

    Args:
        max_solutions: Stop after so many (at least 1); None is all of them.
        backend: Name of a backend, or "auto".
        encoding: Encoding by constraint kind, e.g. {"line": "order"}; defaults for the others.
        formulation: The same for CP-SAT, e.g. {"line": "starts"}.
        presolve: "none", "propagate" or "probe": how far lines are propagated before a backend
            sees the puzzle.
        time_limit_s: Wall seconds for one puzzle; None is without limit.
        memory_limit_mib: Resident memory of the solving process; None is without limit.
        seed: For the engines that take one.

    Raises:
        UnsupportedError: A value out of range; the message lists what would work.
    """

    max_solutions: int | None = 1
    backend: str = "auto"
    encoding: Mapping[str, str] = field(default_factory=dict)
    formulation: Mapping[str, str] = field(default_factory=dict)
    presolve: str = "probe"
    time_limit_s: float | None = None
    memory_limit_mib: int | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        if self.presolve not in PRESOLVE_LEVELS:
            levels = ", ".join(PRESOLVE_LEVELS)
            raise UnsupportedError(f"presolve {self.presolve!r} is not one of {levels}")
        if self.max_solutions is not None and self.max_solutions < 1:
            raise UnsupportedError(f"max_solutions is {self.max_solutions}, expected at least 1")
        if self.time_limit_s is not None and not self.time_limit_s > 0:
            raise UnsupportedError(f"the time limit is {self.time_limit_s}, expected seconds > 0")
        if self.memory_limit_mib is not None and self.memory_limit_mib < 1:
            raise UnsupportedError(f"the memory limit is {self.memory_limit_mib}, expected MiB > 0")


@dataclass(frozen=True, slots=True)
class Stage:
    """A step of the pipeline: its wall seconds, the cells it decided, its own counters."""

    name: str
    seconds: float
    decided: int = 0
    detail: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Result:
    """A verdict with all that it rests on.

    Args:
        puzzle: The puzzle as it was given.
        verdict: What is certain.
        solutions: Verified solutions, all different.
        reason: Why a puzzle is unsolvable at sight, or which limit was hit; else "".
        seconds: Wall seconds, everything included.
        stages: The steps taken, in order.
        backend: The engine that had the last word ("propagate" and "probe" included).
        encoding: The encodings or formulations used, by constraint kind; empty where none was.
        options: What was asked.
        warnings: Claims of the file that did not hold (a goal that the clues refute).
    """

    puzzle: Any
    verdict: Verdict
    solutions: tuple[Grid, ...] = ()
    reason: str = ""
    seconds: float = field(default=0.0, compare=False)
    stages: tuple[Stage, ...] = field(default=(), compare=False)
    backend: str = field(default="", compare=False)
    encoding: Mapping[str, str] = field(default_factory=dict, compare=False)
    options: Options = field(default=Options(), compare=False)
    warnings: tuple[str, ...] = ()

    @property
    def solution(self) -> Grid | None:
        """The first solution, if there is one."""
        return self.solutions[0] if self.solutions else None

    @property
    def disputed(self) -> tuple[tuple[int, int], ...]:
        """Cells (row, column) in which the first two solutions differ, row-major."""
        if len(self.solutions) < 2:
            return ()
        return tuple(self.solutions[0].differences(self.solutions[1]))

    def __str__(self) -> str:
        text = f"{self.puzzle}: {self.verdict.value}"
        return f"{text} ({self.reason})" if self.reason else text

    def _repr_svg_(self) -> str:
        # A notebook asks the object itself for its picture; the drawing stays where it belongs.
        from nonosat.render.svg import result_svg

        return result_svg(self)
