"""Contract of formulations: CP-SAT's solutions are those of the constraint, each once.

Solutions are enumerated over all variables of the model with one worker, so auxiliary variables
that the cells do not determine cause repeated solutions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from nonosat.core import plugins
from nonosat.core.errors import UnsupportedError
from nonosat.core.model import FALSE, TRUE, Clue, Constraint, Count, Line
from nonosat.core.plugins import Formulation
from nonosat.formulations import Context
from nonosat.testing import loops, oracles
from nonosat.testing.contract import broken, within
from nonosat.testing.encodings import all_bounds, assignments

OPEN = [*((length, 1) for length in range(1, 6)), (1, 2), (2, 2), (3, 2)]
KNOWN = [(1, 1), (2, 1), (1, 2)]
MOST_COUNTED = 4  # literals of a count


def check_formulation(formulation: Formulation, kind: str) -> None:
    """Check a formulation against its contract.

    Args:
        formulation: The formulation.
        kind: Kind of the constraint: "line", "count" or "loop".

    Raises:
        AssertionError: It violates the contract; the message gives the reason and the constraint.
    """
    if not (formulation.summary and formulation.source):
        broken("its summary or source is empty")
    checks = {"line": _check_lines, "count": _check_counts, "loop": _check_loops}
    if not checks[kind](formulation):
        broken(f"it refuses every {kind}")


def solutions(context: Context) -> list[tuple[int, ...]]:
    """Return all solutions over variables 1 .. num_vars.

    One is repeated for each assignment of auxiliary variables that it permits.
    """
    from ortools.sat.python import cp_model

    class Collector(cp_model.CpSolverSolutionCallback):  # type: ignore[misc]  # it has no types
        def on_solution_callback(self) -> None:
            found.append(tuple(self.boolean_value(v) for v in variables))

    found: list[tuple[int, ...]] = []
    variables = context.variables[1:]
    if problem := context.model.validate():
        broken(f"CP-SAT finds the model invalid: {problem}")
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1  # with several workers, enumeration loses solutions
    solver.parameters.enumerate_all_solutions = True
    status = solver.solve(context.model, Collector())
    if status not in (cp_model.OPTIMAL, cp_model.INFEASIBLE):
        broken(f"CP-SAT ends with {solver.status_name(status)}")
    return found


def check_solutions(
    formulate: Callable[[Context], None],
    num_vars: int,
    expected: Sequence[tuple[int, ...]],
    each_once: bool = True,
) -> bool:
    """Check the solutions of a formulation; return False if it rejects the constraint."""
    context = Context(num_vars)
    try:
        formulate(context)
    except UnsupportedError:
        return False
    found = solutions(context)
    if wrong := set(found) - set(expected):
        broken(f"it allows {min(wrong)}, which the constraint forbids")
    if lost := set(expected) - set(found):
        broken(f"it forbids {min(lost)}, which the constraint allows")
    if each_once and len(found) != len(expected):
        broken(f"CP-SAT finds {len(found)} solutions, there are {len(expected)}")
    return True


def check_line(
    formulation: Formulation,
    clue: Clue,
    known: Sequence[frozenset[int]],
    num_colours: int,
    each_once: bool = True,
) -> bool:
    """Check a partly known line, with constants for known cells."""
    variables: dict[tuple[int, int], int] = {}
    planes = []
    for colour in range(1, num_colours + 1):
        plane = []
        for place, values in enumerate(known):
            is_open = colour in values and len(values) > 1
            if is_open:
                variables[place, colour] = len(variables) + 1
            plane.append(
                variables[place, colour] if is_open else TRUE if values == {colour} else FALSE
            )
        planes.append(tuple(plane))
    filled = frozenset(place for place, values in enumerate(known) if 0 not in values)
    line = Line(tuple(planes), clue, filled)

    def formulate(context: Context) -> None:
        formulation.formulate(line, context)
        for column in zip(*planes, strict=True):
            plugins.find("formulations", "count-linear").formulate(Count(column, 0, 1), context)

    expected = [
        tuple(int(filling[place] == colour) for place, colour in variables)
        for filling in oracles.fillings(clue, len(known))
        if oracles.agrees(filling, known)
    ]
    with within(line):
        return check_solutions(formulate, len(variables), expected, each_once)


def _check_lines(formulation: Formulation) -> int:
    taken = 0
    for length, num_colours in OPEN:
        for clue in oracles.clues(length, num_colours, unknown=True):
            taken += check_line(formulation, clue, oracles.free(length, num_colours), num_colours)
    for length, num_colours in KNOWN:
        for clue in oracles.clues(length, num_colours, unknown=True):
            for known in oracles.partials(length, num_colours):
                taken += check_line(formulation, clue, known, num_colours)
    return taken


def _taken(
    formulation: Formulation,
    constraint: Constraint,
    num_vars: int,
    allowed: Sequence[frozenset[int]],
) -> bool:
    """Check one constraint; `allowed` has the literals that are true in each of its solutions."""
    expected = [tuple(int(v in lits) for v in range(1, num_vars + 1)) for lits in allowed]
    with within(constraint):
        return check_solutions(
            lambda context: formulation.formulate(constraint, context), num_vars, expected
        )


def _check_counts(formulation: Formulation) -> int:
    taken = 0
    for size, lower, upper in all_bounds(MOST_COUNTED):
        lits = [-v if v % 3 == 0 else v for v in range(1, size + 1)]
        allowed = assignments(lits, lower, upper)
        taken += _taken(formulation, Count(tuple(lits), lower, upper), size, allowed)
    return taken


def _check_loops(formulation: Formulation) -> int:
    taken = 0
    for loop in loops.samples():
        num_vars = max(loops.variables(loop), default=0)
        taken += _taken(formulation, loop, num_vars, [*loops.solutions_of(loop)])
    return taken
