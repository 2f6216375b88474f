"""Decision of one puzzle, and the data recorded for it.

Invariant: every outcome of a puzzle becomes its record; none raises an exception.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import Any, NamedTuple

from nonosat.core.errors import (
    LimitReached,
    NonosatError,
    RefutedError,
    UnsupportedError,
    remedy_in_records,
)
from nonosat.core.families import name_of
from nonosat.core.limits import MEMORY, Limits
from nonosat.core.plugins import Puzzle
from nonosat.core.result import Options, Result, Verdict
from nonosat.solving import pipeline
from nonosat.solving.problem import Problem

Record = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Rules:
    """Rules of a tournament.

    Args:
        name: Value of `--rules`.
        set_limit_s: Wall seconds for a set.
        question: Task of the batch.
        published: Results of other programs by the name of the set, as texts for `rules.COLUMNS`.
    """

    name: str
    set_limit_s: float
    question: str = "solve"
    published: Mapping[str, tuple[str, ...]] = field(default_factory=dict, compare=False)

    def check(self, puzzle: Any) -> None:
        """Raise UnsupportedError for a puzzle whose solution the text of answers cannot hold."""
        family = name_of(puzzle)
        if family != "nonogram" or len(puzzle.colours) > 1:
            found = f"the family {family}" if family != "nonogram" else "several colours"
            raise UnsupportedError(
                f"the rules {self.name} are for nonograms of one colour, this puzzle is of {found}"
            )

    def end_of(self, set_s: float) -> Record:
        """Return the part of a record that ends a set after some seconds; {} if time is left."""
        if set_s < self.set_limit_s:
            return {}
        return end_data("timeout", f"the time limit of its set, {self.set_limit_s:g} s", 0.0)


@dataclass(frozen=True, slots=True)
class BatchTask:
    """The query that a batch makes about every puzzle.

    Args:
        question: "solve" or "check".
        options: Options of solving, limits included; by rules the time is that of a set, and the
            seconds that its earlier puzzles took count as spent.
        rules: Rules of a tournament; None without.
    """

    question: str
    options: Options
    rules: Rules | None = None

    def limits(self, spent_s: float) -> Limits:
        """Return the limits that remain for a puzzle after it has been read.

        Args:
            spent_s: Seconds that reading took; they count towards the time limit.
        """
        return Limits(self.options.time_limit_s, self.options.memory_limit_mib).after(spent_s)

    def options_after(self, spent_s: float) -> Options:
        """Return the options with the time limit reduced by `spent_s`, as in `limits`."""
        left_s = self.limits(spent_s).time_s
        same = left_s is self.options.time_limit_s
        return self.options if same else replace(self.options, time_limit_s=left_s)


class TimedPuzzle(NamedTuple):
    """A puzzle, and the wall seconds that count towards its time limit: those of reading it."""

    puzzle: Puzzle
    seconds: float = 0.0


def status_of(error: Exception) -> str:
    """Return the status for an item that could not be read: "memout", "timeout" or "error"."""
    if isinstance(error, LimitReached):
        return "memout" if error.kind == MEMORY else "timeout"
    return "error"


def end_data(status: str, reason: str, seconds: float) -> Record:
    """Return the part of a record that describes an outcome without a result."""
    return {
        "status": status,
        "verdict": Verdict.UNKNOWN.value,
        "solutions": [],
        "seconds": round(seconds, 6),
        "reason": reason,
    }


def reason_of(error: Exception) -> str:
    """Return an error as the `reason` of a record."""
    if isinstance(error, NonosatError):
        return error.description(remedy_in_records)
    return f"{type(error).__name__}: {error}"


def decide(task: BatchTask, read: TimedPuzzle, cores: Callable[[], int] | None = None) -> Record:
    """Solve or check one puzzle, and return the part of its record that describes the outcome.

    Args:
        task: The task.
        read: The puzzle.
        cores: Function that returns the number of cores that solving may use now; None if the
            number does not change.
    """
    started = perf_counter()
    query = pipeline.decide if task.question == "solve" else pipeline.check_problem
    try:
        if task.rules is not None:
            task.rules.check(read.puzzle)
        problem = Problem(read.puzzle, task.options_after(read.seconds))
        if cores is not None:
            problem.watch.cores = cores
        result = query(problem)
    except UnsupportedError as error:
        status, reason = "unsupported", reason_of(error)
    except MemoryError:
        status, reason = "memout", "out of memory"
    except RefutedError as error:
        status, reason = "wrong", reason_of(error)
    except Exception as error:
        status, reason = "crash", reason_of(error)
    else:
        return {"status": _status_of(result)} | result.found_data()
    return end_data(status, reason, perf_counter() - started)


def _status_of(result: Result) -> str:
    if result.verdict is not Verdict.UNKNOWN:
        return "ok"
    return "memout" if "memory" in result.reason else "timeout"
