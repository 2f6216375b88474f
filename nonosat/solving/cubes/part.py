"""Deciding one cube: what a process that works for a `Conquest` calls.

On a board the cube's cells are known cells: propagated, probed, and what is left is encoded for an
engine. Of any other model an engine is told the whole, and the cube beside it. Each cube has an
engine of its own, which then depends on the cube alone and not on those that the process had
before. So the same cubes are split again whatever the number of processes.

Invariant: a part that says "exhausted" has given every solution of its cube that it was not told.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import islice

from nonosat._core import BUDGETS
from nonosat.board.presolve import PresolvedModel, presolved
from nonosat.core.plugins import Puzzle
from nonosat.core.result import Options
from nonosat.solving import auto
from nonosat.solving.auto import SearchRound
from nonosat.solving.choices import chosen_phases
from nonosat.solving.cubes.grounds import put
from nonosat.solving.cubes.tree import Cube, inside
from nonosat.solving.problem import Problem
from nonosat.solving.session import Session

PHASED_CONFLICTS = 500


@dataclass(frozen=True, slots=True)
class Part:
    """A cube to be decided.

    Args:
        puzzle: Of any family.
        options: How; limits are held by who asks.
        cube: The part of it that is to be searched.
        seen: Values of solutions, in the cube or not, that shall not be given.
        most: Stop after so many solutions.
        budget: Stop after so many conflicts without a solution.
        has_phases: Whether to look for a solution before refuting.
    """

    puzzle: Puzzle
    options: Options
    cube: Cube
    seen: tuple[bytes, ...]
    most: int
    budget: int
    has_phases: bool


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of searching a cube.

    Args:
        cube: The one that was searched.
        solutions: Values of new ones.
        ended_by: What makes sure that there are no more; "" where that is open.
        conflicts: What it took.
        is_full: It was stopped by the number of solutions, not by the budget.
    """

    cube: Cube
    solutions: tuple[bytes, ...]
    ended_by: str
    conflicts: int = 0
    is_full: bool = False


def engine_of(options: Options) -> str:
    """The engine that decides cubes."""
    return auto.ENGINE if options.backend == "auto" else options.backend


def decide(part: Part) -> Outcome:
    """Search a cube, at most as far as its part says."""
    unlimited = replace(part.options, presolve="probe", time_limit_s=None, memory_limit_mib=None)
    problem = Problem(part.puzzle, unlimited)
    task = put(part.cube, problem.task)
    for done in presolved(task, problem.watch):
        if not done.is_consistent:
            return Outcome(part.cube, (), done.stage.name)
        if not task.num_open():
            values = task.values()
            return Outcome(part.cube, () if values in part.seen else (values,), done.stage.name)
    return _searched(part, task, problem)


def _searched(part: Part, task: PresolvedModel, problem: Problem) -> Outcome:
    name, seen = engine_of(part.options), inside(part.seen, part.cube)
    session = Session(name, task, problem.options, problem.choices, problem.watch)
    found: list[bytes] = []
    with closing(session):
        for values in islice(session.solutions(_turns(part, task, found), seen), part.most):
            found.append(values)
            seen.append(values)
        conflicts = session.stages()[-1].detail["conflicts"]
    ended_by = name if session.is_exhausted else ""
    return Outcome(part.cube, tuple(found), ended_by, conflicts, len(found) == part.most)


def _turns(part: Part, task: PresolvedModel, found: Sequence[bytes]) -> Iterator[SearchRound]:
    """As many as the budget allows.

    A large board, and the leftmost cube, whose cells have the values that rule out least, take the
    turns of `auto` until there is a solution; the other cubes one short turn with phases.
    """
    has_phases = part.has_phases and task.board is not None
    phases = chosen_phases(part.options, task.num_open()) if has_phases else None
    is_large = task.num_open() >= BUDGETS.large_open
    if is_large or all(side.holds for side in part.cube):
        wanted = auto.turns(phases, lambda: bool(found))
    else:
        wanted = iter(
            [SearchRound(PHASED_CONFLICTS, phases)] * (phases is not None) + [SearchRound()]
        )
    left = part.budget
    while left:
        turn = next(wanted)
        budget = left if turn.budget is None else min(left, turn.budget)
        yield SearchRound(budget, turn.phases)
        left -= budget
