"""Decision of one cube: the function that a process of a `CubeSearch` calls.

A process that is a copy of one whose engine has searched the whole puzzle keeps that engine: the
cube's literals are assumptions, and all cubes of the process use all that it has learnt. Without
it, the work of a puzzle is 5 to 40 times as much (`benchmarks/native/CUBES.md`).

In any other process each cube has a fresh engine, and the outcome depends on the cube alone. On a
board the cube's cells are given cells then: they are propagated and probed, and the engine receives
an encoding of the remaining cells. For any other model the engine receives the whole model and the
cube as unit clauses.

Invariant: if an outcome names the engine in `ended_by`, every solution of the cube is among its
solutions and those passed as `seen`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from contextvars import ContextVar
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from nonosat._core import BUDGETS
from nonosat.board.presolve import PresolvedModel, presolved
from nonosat.core.plugins import Answer, Puzzle
from nonosat.core.result import Options
from nonosat.processes.worker import serve
from nonosat.solving import auto
from nonosat.solving.auto import SearchRound
from nonosat.solving.choices import chosen_phases
from nonosat.solving.cubes.grounds import put
from nonosat.solving.cubes.tree import Cube, inside, lits_of
from nonosat.solving.problem import Problem
from nonosat.solving.session import Session

PHASED_CONFLICTS = 500


@dataclass(frozen=True, slots=True)
class CubeTask:
    """A cube to decide.

    Args:
        puzzle: A puzzle of any family.
        options: Options of solving; the caller enforces the limits.
        cube: The literals that restrict the search.
        seen: Values of solutions, in the cube or not, to exclude.
        most: Stop after this number of solutions.
        budget: Stop after this number of conflicts without a solution.
        has_phases: True to search for a solution with phases before refuting.
    """

    puzzle: Puzzle
    options: Options
    cube: Cube
    seen: tuple[bytes, ...]
    most: int
    budget: int
    has_phases: bool


@dataclass(frozen=True, slots=True)
class CubeOutcome:
    """Result of searching a cube.

    Args:
        cube: The cube.
        solutions: Values of new solutions.
        ended_by: The engine or step that proved that there are no more solutions; "" if neither
            did.
        conflicts: Number of conflicts.
        is_full: True if the number of solutions ended the search, not the budget.
    """

    cube: Cube
    solutions: tuple[bytes, ...]
    ended_by: str
    conflicts: int = 0
    is_full: bool = False


def engine_of(options: Options) -> str:
    """Return the engine that decides cubes."""
    return auto.ENGINE if options.backend == "auto" else options.backend


_engine: ContextVar[tuple[Session, set[bytes]] | None] = ContextVar("engine", default=None)


def serve_with(session: Session, known: Sequence[bytes], stream: Any) -> None:
    """Serve calls in a copy of a process whose engine has searched the whole puzzle.

    Args:
        session: The engine.
        known: All known solutions, in the order of `Session.solutions`.
        stream: The calls.
    """
    session.prepare(known)
    _engine.set((session, set(known)))
    serve(stream)


def _continued(part: CubeTask, session: Session, excluded: set[bytes]) -> CubeOutcome:
    """Search a cube with all that the engine has learnt in this process and before it."""
    found: list[bytes] = []
    before, answer = session.num_conflicts, Answer.UNKNOWN
    fresh = [values for values in part.seen if values not in excluded]
    while len(found) < part.most:
        excluded.update(fresh)
        reached = session.continued(lits_of(part.cube), part.budget, fresh)
        if isinstance(reached, Answer):
            answer = reached
            break
        found.append(reached)
        fresh = [reached]
    ended_by = engine_of(part.options) if answer is Answer.UNSAT else ""
    conflicts, is_full = session.num_conflicts - before, len(found) == part.most
    return CubeOutcome(part.cube, tuple(found), ended_by, conflicts, is_full)


def decide(part: CubeTask) -> CubeOutcome:
    """Search a cube within its budget of conflicts."""
    if own := _engine.get():
        return _continued(part, *own)
    unlimited = replace(part.options, presolve="probe", time_limit_s=None, memory_limit_mib=None)
    problem = Problem(part.puzzle, unlimited)
    task = put(part.cube, problem.task)
    for done in presolved(task, problem.watch):
        if not done.is_consistent:
            return CubeOutcome(part.cube, (), done.stage.name)
        if not task.num_open():
            values = task.values()
            return CubeOutcome(part.cube, () if values in part.seen else (values,), done.stage.name)
    return _searched(part, task, problem)


def _searched(part: CubeTask, task: PresolvedModel, problem: Problem) -> CubeOutcome:
    name, seen = engine_of(part.options), inside(part.seen, part.cube)
    session = Session(name, task, problem.options, problem.choices, problem.watch)
    found: list[bytes] = []
    with closing(session):
        for values in islice(session.solutions(_turns(part, task, found), seen), part.most):
            found.append(values)
            seen.append(values)
        conflicts = session.stages()[-1].detail["conflicts"]
    ended_by = name if session.is_exhausted else ""
    return CubeOutcome(part.cube, tuple(found), ended_by, conflicts, len(found) == part.most)


def _turns(part: CubeTask, task: PresolvedModel, found: Sequence[bytes]) -> Iterator[SearchRound]:
    """Yield the turns that the budget allows.

    On a large board, and in the leftmost cube, whose values rule out least, these are the turns of
    `auto` until there is a solution; in other cubes one short turn with phases, then the rest.
    """
    has_phases = part.has_phases and task.board is not None
    phases = chosen_phases(part.options, task.num_open()) if has_phases else None
    is_large = task.num_open() >= BUDGETS.large_open
    if is_large or all(side.holds for side in part.cube):
        rounds = auto.turns(phases, lambda: bool(found))
    else:
        rounds = iter(
            [SearchRound(PHASED_CONFLICTS, phases)] * (phases is not None) + [SearchRound()]
        )
    return auto.within(rounds, part.budget)
