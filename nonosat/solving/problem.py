"""A puzzle with the data that all queries on it share: family, model, board, limits, log.

An entry point (solve, check, count, backbone, ...) makes one `Problem` and passes it down. A
subordinate query uses a `part` of it, with limits and a log of its own.

Invariant: for a problem and all its parts together the family is looked up once, the model is built
once, and its board is propagated and probed once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from time import perf_counter
from typing import Any

from nonosat.board.presolve import PROBE_WORK, Presolved, PresolvedModel, presolved
from nonosat.core import families, plugins
from nonosat.core.errors import UnsupportedError
from nonosat.core.limits import Limits, Watch, left_of
from nonosat.core.model import Model
from nonosat.core.plugins import Family, Puzzle
from nonosat.core.result import Options
from nonosat.solving.auto import ENGINE
from nonosat.solving.choices import Choices, choices_of
from nonosat.solving.solve_log import SolveLog


class _Facts:
    """Results about a puzzle that a problem and its parts share; None until first computed."""

    obstacle: str | None = None
    model: Model | None = None
    task: PresolvedModel | None = None
    is_presolved = False
    has_parts = False


class Problem:
    """A puzzle with its options, to be solved, checked, counted, ...

    Args:
        puzzle: A puzzle of any family.
        options: Options of solving, limits included.
        whole: The problem that this one is a part of.

    Attributes:
        family: Family of the puzzle.

    Raises:
        NotAPuzzleError: `puzzle` is not a puzzle; the message shows the call to write instead.
    """

    def __init__(self, puzzle: Puzzle, options: Options, whole: Problem | None = None) -> None:
        self.puzzle, self.options = puzzle, options
        self.family: Family = families.family_of(puzzle) if whole is None else whole.family
        self._facts: _Facts = _Facts() if whole is None else whole._facts

    def part(self, **changes: Any) -> Problem:
        """Return a problem for a subordinate query on the puzzle, within the rest of the limits.

        Args:
            **changes: Options that differ, limits included.

        Raises:
            LimitReached: No time is left.
        """
        self._facts.has_parts = True
        options = replace(self.options, **{**left_of(self.watch), **changes})
        return Problem(self.puzzle, options, self)

    # Created at the first use: a tiny puzzle is decided in 30 microseconds without them.

    @cached_property
    def watch(self) -> Watch:
        """Clock of this query; it starts with the first use.

        Raises:
            UnsupportedError: Memory is limited on a system that cannot measure its use.
        """
        return Watch(Limits(self.options.time_limit_s, self.options.memory_limit_mib))

    @cached_property
    def log(self) -> SolveLog:
        """Solutions and stages of this query."""
        return SolveLog(self.puzzle, self.family)

    @cached_property
    def choices(self) -> Choices:
        """Encodings and formulations; raises UnsupportedError for options that do not fit."""
        return choices_of(self.options, self.family)

    # Facts

    def obstacle(self) -> str:
        """Return an obvious reason why there is no solution; "" if there is none."""
        facts = self._facts
        if facts.obstacle is None:
            facts.obstacle = self.family.obstacle(self.puzzle) or ""
        return facts.obstacle

    @property
    def model(self) -> Model:
        """Model of the puzzle."""
        facts = self._facts
        if facts.model is None:
            facts.model = self.family.build(self.puzzle)
        return facts.model

    @property
    def task(self) -> PresolvedModel:
        """Model with its board, as far as it is presolved; copy it before the board is changed."""
        facts = self._facts
        if facts.task is None:
            facts.task = PresolvedModel.of(self.model, self.watch.check)
        return facts.task

    def own_task(self) -> PresolvedModel:
        """Return a task whose board may be changed: a copy if there are parts that share it."""
        return self.task.copy() if self._facts.has_parts else self.task

    def presolve(self, work: int = PROBE_WORK) -> Iterator[Presolved]:
        """Propagate and probe the board, as far as the options allow; log the stages.

        Do nothing if an earlier query has presolved it.

        Args:
            work: Budget of probing, in units of native work.

        Raises:
            LimitReached: The watch ended it.
        """
        if self._facts.is_presolved:
            return
        started, level = perf_counter(), self.options.presolve
        self.watch.doing("propagate and probe")
        task, signs = self.task, getattr(self.puzzle, "signs", "")
        if task.any_board is not None and task.board is None:
            self.refuse_without_board()  # now, since these steps may decide the puzzle
        for done in presolved(
            task, self.watch, level=level, work=work, started=started, signs=signs
        ):
            self.log.stages.append(done.stage)
            yield done
        self._facts.is_presolved = True

    # Options that depend on the puzzle

    def steps(self) -> Sequence[str]:
        """Return the methods and engines to try, in order, until one decides the puzzle.

        Methods are left out if options select encodings or cubes, which methods do not use.
        """
        options, choose = self.options, self.family.auto
        if options.backend != "auto" or choose is None:
            return (options.backend,)
        names: Sequence[str] = choose(self.puzzle, options.max_solutions)
        if options.encoding or options.cubes is not None:
            names = [name for name in names if plugins.is_there("backends", name)]
        return names or (ENGINE,)

    def refuse_without_board(self) -> None:
        """Raise UnsupportedError for options that need rows and columns of clues."""
        options = self.options
        board = (
            "rows and columns of clues, which a puzzle of the family "
            f"{self.puzzle.family} does not have"
        )
        if options.redundant:
            raise UnsupportedError(f"redundant clauses are made of {board}; leave them out")
        if options.hints not in ("auto", "none"):
            raise UnsupportedError(f"hints are made of {board}; leave them out")
        if options.backend == "auto" or families.is_method(options.backend, self.family):
            return
        backend = plugins.find("backends", options.backend)
        is_led = options.hints == "auto" and backend.hints != "none"
        takes_task = backend.takes_lanes and self.task.any_board is not None
        if is_led or (backend.on_board and not takes_task):
            raise UnsupportedError(
                f"backend {options.backend!r} needs {board}; `learn` is one that does not, and so "
                "are engines without hints, as in portfolio:learn,cadical195"
            )
