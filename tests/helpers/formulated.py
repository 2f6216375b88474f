"""Solutions of a CP-SAT model that formulations have made.

They are counted over all variables of the model with one worker, so auxiliary variables that the
cells do not determine would show as repeated solutions.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ortools.sat.python import cp_model

from nonosat import plugins
from nonosat.formulations import Context
from nonosat.model import Clause, Constraint

FORMULATIONS = plugins.names("formulations")
LINES = [name for name in FORMULATIONS if name.startswith("line-")]
COUNTS = [name for name in FORMULATIONS if name.startswith("count-")]


def formulate(name: str, constraint: Constraint, context: Context) -> None:
    """By a formulation's name, with its argument where it has one: "line-booleans:order"."""
    module = plugins.find("formulations", name)
    module.formulate(constraint, context, *name.split(":", 1)[1:])


def formulate_all(
    constraints: Iterable[Constraint], context: Context, names: Mapping[str, str]
) -> None:
    """Every constraint, by the formulation of its kind."""
    for constraint in constraints:
        if isinstance(constraint, Clause):
            context.model.add_bool_or([context.literal(lit) for lit in constraint.lits])
        else:
            kind = type(constraint).__name__.lower()
            formulate(f"{kind}-{names[kind]}", constraint, context)


class _Collector(cp_model.CpSolverSolutionCallback):
    """Keeps the Booleans 1 .. num_vars of each solution."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._variables = context.variables[1:]
        self.found: list[tuple[int, ...]] = []

    def on_solution_callback(self) -> None:
        self.found.append(tuple(self.boolean_value(v) for v in self._variables))


def solutions(context: Context) -> list[tuple[int, ...]]:
    """Every solution's values of variables 1 .. num_vars; repeated if auxiliaries are open."""
    assert context.model.validate() == ""
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1  # with more, enumeration loses solutions
    solver.parameters.enumerate_all_solutions = True
    collector = _Collector(context)
    status = solver.solve(context.model, collector)
    assert status in (cp_model.OPTIMAL, cp_model.INFEASIBLE)
    return collector.found
