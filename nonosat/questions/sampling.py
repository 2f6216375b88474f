"""Uniformly random solutions of a puzzle, exact: the solution with a random index.

Solutions are in the order of their values, place by place; places are the cells of a board, or the
variables that distinguish the solutions of a model. Native counters (`questions/countable.py`)
count the solutions that begin with given values, and so the solution with an index is found place
by place. Independent parts of a board have indices of their own.

The solutions are counted first, in the turns of `count`: the backbone that a long count computes
settles places, which have no choice then.

Invariant: indices and solutions correspond one to one, and all numbers are exact integers. Each
solution is therefore as probable as its index, and verified like an engine's. At most one count for
each value of an open place, except the last value; counts are shared between samples.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import cached_property
from math import prod
from random import Random
from time import perf_counter
from typing import Any

from nonosat.board.presolve import OPEN, AnyBoard, PresolvedModel
from nonosat.core.answer_source import AnswerSource
from nonosat.core.errors import LimitReached, UnsupportedError, counted, shown
from nonosat.core.families import family_of, solution_of
from nonosat.core.limits import Watch
from nonosat.core.plugins import Puzzle
from nonosat.core.presenting import Data, Scene
from nonosat.core.result import Options
from nonosat.core.scope import run_limited
from nonosat.questions.countable import (
    BoardCountable,
    Counter,
    ModelCountable,
    board_countable,
    counter_of,
)
from nonosat.questions.counting import (
    CountComputation,
    digits,
    max_bytes,
    number,
    solutions_text,
)
from nonosat.questions.on_model import ENGINE, ModelOracleFactory
from nonosat.questions.place_assignment import distinguishing
from nonosat.questions.reply import Reply
from nonosat.questions.solution_oracle import WITHOUT_END, board_factory
from nonosat.solving.problem import Problem

MOST_KNOWN = 100_000  # numbers of solutions that a part remembers
_MOST_WORK = 2**60


@dataclass(frozen=True, slots=True, repr=False)
class Sample(Reply):
    """Uniformly random solutions of a puzzle; the other fields are those of `Reply`.

        >>> found = nonosat.sample(nonosat.nonogram([[1], [1]], [[1], [1]]), 3)
        >>> found
        <Sample: nonogram: 2 rows x 2 columns: 3 samples of 2 solutions>
        >>> len(found.solutions), found.count
        (3, 2)
        >>> nonosat.Sample.from_data(found.to_data()) == found
        True

    Args:
        solutions: Verified solutions, drawn independently of each other, so that one may occur
            several times; fewer than required if a limit was hit, none if there is no solution.
        count: Number of solutions of the puzzle; None if a limit was hit before it was known.
    """

    solutions: tuple[Any, ...]
    count: int | None

    def description(self) -> str:
        """Return the number of samples and of solutions in words."""
        if self.count is None:
            return "solutions not counted"
        if not self.count:
            return solutions_text(0, is_exact=True)
        samples = counted(len(self.solutions), "sample")
        return f"{samples} of {solutions_text(self.count, is_exact=True)}"

    def scene(self) -> Scene:
        """Return the first sample, or the puzzle."""
        first = self.solutions[0] if self.solutions else None
        return Scene(self.puzzle, first, (), self.in_a_line())

    def found_data(self) -> Data:
        """Return the samples as data; the number of solutions is a string, as that of `count`."""
        family = family_of(self.puzzle)
        legend = family.legend(self.puzzle)
        return {
            "count": None if self.count is None else digits(self.count),
            "solutions": [family.solution_data(self.puzzle, one) for one in self.solutions],
            **({"legend": legend} if legend else {}),
        }

    @classmethod
    def found_in(cls, data: Mapping[str, Any], puzzle: Any) -> dict[str, Any]:
        """Return constructor arguments from the data that `found_data` returned."""
        return {
            "solutions": tuple(solution_of(puzzle, one) for one in data["solutions"]),
            "count": None if data["count"] is None else number(data["count"]),
        }


def sample(
    puzzle: Puzzle,
    n: int = 1,
    *,
    seed: int = 0,
    time_limit_s: float | None = None,
    memory_limit_mib: int | None = None,
) -> Sample:
    """Draw solutions of a puzzle at random, each with exactly the same probability.

        >>> board = nonosat.nonogram([[1]] * 9, [[1]] * 9)
        >>> found = nonosat.sample(board, 4, seed=1)
        >>> found.count, len(set(found.solutions))
        (362880, 4)

    Args:
        puzzle: A puzzle of any family, small enough to be counted.
        n: Number of solutions, at least 1; they are independent, so that some may be equal.
        seed: Seed of the random numbers: the same seed gives the same solutions.
        time_limit_s: Wall seconds; None (or infinity) is without limit.
        memory_limit_mib: Resident memory of the process; without it the counter uses at most 1 GiB.

    Returns:
        The solutions, fewer if a limit was hit, and their number.

    Raises:
        NotAPuzzleError: It is not a puzzle; the message names valid inputs.
        UnsupportedError: Numbers out of range, or the puzzle is too large for the counter.
        BackendError: A solution that the clues refute was found.
    """
    if type(n) is not int or n < 1:
        raise UnsupportedError(f"the number of samples is {shown(n)}, expected at least 1")
    started = perf_counter()
    limits = Options(seed=seed, time_limit_s=time_limit_s, memory_limit_mib=memory_limit_mib)
    problem, run = Problem(puzzle, limits), _Sampling()
    limit = run_limited(problem.watch, lambda: run.work(problem, n, Random(seed)))
    return Sample(
        puzzle,
        tuple(run.drawn),
        run.count,
        reason=limit or run.reason,
        seconds=perf_counter() - started,
        stages=tuple(problem.log.stages),
        limits=problem.watch.limits,
    )


class _Sampling:
    """Computation of samples; it keeps those drawn before an interruption.

    Attributes:
        drawn: The samples.
        count: Number of solutions; None until it is known.
        reason: Why there is no solution, or "".
    """

    def __init__(self) -> None:
        self.drawn: list[Any] = []
        self.count: int | None = None
        self.reason = ""

    def work(self, problem: Problem, n: int, source: Random) -> None:
        """Draw n solutions; raise LimitReached at a limit."""
        self.reason = problem.obstacle()
        if not self.reason and problem.task.any_board is not None:
            for done in problem.presolve():
                self.reason = done.reason
        if self.reason:
            self.count = 0
            return
        countable = countable_of(problem)
        counting = CountComputation(problem)
        try:
            counting.take_turns(countable)
        finally:
            problem.log.stages[:] = counting.stages()
        self.count, _ = counting.known()
        if not self.count:
            self.reason = counting.no_solution or "a complete search finds no solution"
            return
        started = perf_counter()
        with closing(solutions_of(problem, countable)) as solutions:
            for index in range(n):
                problem.watch.check()
                problem.watch.doing("solutions drawn", index, n)
                values = solutions.values(source.randrange(self.count))
                self.drawn.append(problem.log.decoded(AnswerSource("count"), values))
            problem.log.stage("draw", started)


class Solutions(ABC):
    """Solutions of a puzzle by their index.

    Attributes:
        parts: Independent parts of each solution.
        count: Number of solutions.
    """

    parts: Sequence[_Part] = ()

    @cached_property
    def count(self) -> int:
        return prod(part.number for part in self.parts)

    def values(self, index: int) -> bytes:
        """Return the values of the model in the solution with that index."""
        fillings = []
        for part in self.parts:
            index, own = divmod(index, part.number)
            fillings.append(part.filling(own))
        return self._values(fillings)

    @abstractmethod
    def _values(self, fillings: Sequence[bytes]) -> bytes:
        """Return the values of the model for a filling of each part."""

    def close(self) -> None:  # noqa: B027  # optional
        """Free the engine, if there is one."""


class _Part(ABC):
    """Fillings of the places of one part, by their index.

    A path holds the values of the first places.

    Attributes:
        number: Number of fillings.
    """

    def __init__(self, watch: Watch) -> None:
        self._watch = watch
        self._known: dict[bytes, int] = {}  # numbers by path
        self.number = self._number(b"")

    def filling(self, index: int) -> bytes:
        """Return the path to a filling: as many values as determine it."""
        path, left = b"", self.number
        while values := self._next(path, left):
            for value in values[:-1]:
                number = self._number(path + bytes((value,)))
                if index < number:
                    path, left = path + bytes((value,)), number
                    break
                index, left = index - number, left - number
            else:
                path += bytes(values[-1:])
        return path

    def _number(self, path: bytes) -> int:
        number = self._known.get(path)
        if number is None:
            if len(self._known) >= MOST_KNOWN:
                self._known.clear()
            counter = self._counter(path)
            if not self._watch.result_of(counter.run, _MOST_WORK):
                raise LimitReached(f"counting needs more than {max_bytes(self._watch) >> 20} MiB")
            number = self._known[path] = int.from_bytes(counter.total, "little")
        return number

    @abstractmethod
    def _next(self, path: bytes, left: int) -> Sequence[int]:
        """Return possible values of the next place, in order; none if the path is complete.

        Args:
            path: b"", or the path of the last call and one of the values that it returned.
            left: Number of fillings with these values.
        """

    @abstractmethod
    def _counter(self, path: bytes) -> Counter:
        """Return a counter for a path: that of the last `_next`, and a value that it returned."""


class BoardSolutions(Solutions):
    """Solutions of a propagated board, whose components are independent."""

    def __init__(self, problem: Problem, board: AnyBoard) -> None:
        """Split the solutions into parts; `board` is propagated, and has a solution."""
        task, watch = replace(problem.task, any_board=board), problem.watch
        assert task.shape is not None
        self._shape, self._orders = task.shape, list[list[int]]()
        self._cells = board.cells()
        if OPEN not in self._cells:
            return
        budget = replace(WITHOUT_END, engine=ENGINE)
        with closing(board_factory(task, watch, budget).open(watch)) as oracle:
            found = oracle.solved()
        assert found is not None
        self._cells = task.shape.cells(found)  # of any solution
        self._orders = [*self._components(board, watch)]
        self.parts = [self._part(board, cells, watch) for cells in self._orders]

    def _components(self, board: AnyBoard, watch: Watch) -> Iterator[list[int]]:
        """Yield the cells of each component, along its shorter lines: so the rest is narrow."""
        counter = counter_of(board.copy(), max_bytes(watch))
        watch.result_of(counter.run, 0)
        parts: dict[int, list[int]] = {}
        for cell, component in enumerate(counter.components()):
            if component >= 0:
                parts.setdefault(component, []).append(cell)
        for cells in parts.values():
            rows, columns = zip(*(divmod(cell, self._shape.width) for cell in cells), strict=True)
            if max(columns) - min(columns) > max(rows) - min(rows):
                cells.sort(key=lambda cell: (cell % self._shape.width, cell))
            yield cells

    def _part(self, board: AnyBoard, cells: list[int], watch: Watch) -> _Part:
        """Return the fillings of these cells, with the others as in one solution."""
        others = bytearray(self._cells)
        for cell in cells:
            others[cell] = OPEN
        own = board.copy()
        own.assign_cells(bytes(others))
        watch.result_of(own.propagate)
        return _BoardPart(own, cells, self._shape.num_colours + 1, watch)

    def _values(self, fillings: Sequence[bytes]) -> bytes:
        cells = bytearray(self._cells)
        for order, filling in zip(self._orders, fillings, strict=True):
            for cell, value in zip(order, filling, strict=True):
                cells[cell] = value
        return self._shape.values(bytes(cells))


def countable_of(problem: Problem) -> BoardCountable | ModelCountable:
    """Return the factory of counters of a presolved puzzle.

    Raises:
        UnsupportedError: The puzzle is too large for the counter.
        LimitReached: A limit is reached.
    """
    if on_board := board_countable(problem):
        return on_board
    try:
        return ModelCountable(problem.puzzle, problem.model, problem.watch)
    except UnsupportedError as error:
        raise UnsupportedError(
            f"samples need a count, for which this puzzle is too large ({error}); other queries "
            "find solutions that are not random: solve, with up to `max_solutions`"
        ) from None


def solutions_of(problem: Problem, countable: BoardCountable | ModelCountable) -> Solutions:
    """Return the solutions of a presolved puzzle that has any; raises LimitReached at a limit."""
    if isinstance(countable, ModelCountable):
        return ModelSolutions(problem, countable)
    return BoardSolutions(problem, countable.board)


class _BoardPart(_Part):
    """Fillings of one component of a board.

    Args:
        board: A propagated board, on which no other cells are open.
        cells: The cells in the order of paths.
        num_values: Number of values of a cell.
        watch: Limits.
    """

    def __init__(
        self, board: AnyBoard, cells: Sequence[int], num_values: int, watch: Watch
    ) -> None:
        self._board = self._walked = board
        self._cells, self._num_values = cells, num_values
        super().__init__(watch)

    def _next(self, path: bytes, left: int) -> Sequence[int]:
        if not path:
            self._walked = self._board.copy()
        else:
            self._walked.assign(self._cells[len(path) - 1], path[-1])
            self._watch.result_of(self._walked.propagate)
        if len(path) == len(self._cells):
            return ()
        cell = self._cells[len(path)]
        return [value for value in range(self._num_values) if self._walked.plane(value)[cell]]

    def _counter(self, path: bytes) -> Counter:
        board = self._walked.copy()
        if path:
            board.assign(self._cells[len(path) - 1], path[-1])
        return counter_of(board, max_bytes(self._watch))


class ModelSolutions(Solutions):
    """Solutions of any other model, whose variables are one part."""

    def __init__(self, problem: Problem, countable: ModelCountable) -> None:
        puzzle, model, watch = problem.puzzle, problem.model, problem.watch
        self._variables = sorted(set(distinguishing(model)))
        self._settled = tuple(countable.units)
        self.parts = [_ModelPart(countable, self._variables, watch)]
        self._oracle = ModelOracleFactory(
            puzzle, PresolvedModel(model, None, None), watch, WITHOUT_END
        ).open(watch)

    def _values(self, fillings: Sequence[bytes]) -> bytes:
        (path,) = fillings
        values = self._oracle.solved([*self._settled, *_literals(self._variables, path)])
        assert values is not None
        return values

    def close(self) -> None:
        self._oracle.close()


class _ModelPart(_Part):
    """Values of the variables that distinguish solutions; a path ends if it has one solution.

    Args:
        countable: The model.
        variables: Its variables in the order of paths.
        watch: Limits.
    """

    def __init__(self, countable: ModelCountable, variables: Sequence[int], watch: Watch) -> None:
        self._countable, self._variables = countable, variables
        self._settled = tuple(countable.units)
        super().__init__(watch)

    def _next(self, path: bytes, left: int) -> Sequence[int]:
        del path
        return (0, 1) if left > 1 else ()

    def _counter(self, path: bytes) -> Counter:
        self._countable.units = [*self._settled, *_literals(self._variables, path)]
        return self._countable.counter(max_bytes(self._watch), self._watch)


def _literals(variables: Sequence[int], path: bytes) -> list[int]:
    """Return the literals that are true if the first variables have these values."""
    return [var if value else -var for var, value in zip(variables, path, strict=False)]
