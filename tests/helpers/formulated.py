"""Application of formulations to CP-SAT models, by name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from nonosat.core import plugins
from nonosat.core.model import Clause, Constraint
from nonosat.formulations import Context

FORMULATIONS = plugins.names("formulations")
LINES = [name for name in FORMULATIONS if name.startswith("line-")]
COUNTS = [name for name in FORMULATIONS if name.startswith("count-")]


def formulate(name: str, constraint: Constraint, context: Context) -> None:
    """Apply a formulation by its name, with its argument if it has one: "line-booleans:order"."""
    plugins.find("formulations", name).formulate(constraint, context)


def formulate_all(
    constraints: Iterable[Constraint], context: Context, names: Mapping[str, str]
) -> None:
    """Apply to every constraint the formulation of its kind."""
    for constraint in constraints:
        if isinstance(constraint, Clause):
            context.model.add_bool_or([context.literal(lit) for lit in constraint.lits])
        else:
            kind = type(constraint).__name__.lower()
            formulate(f"{kind}-{names[kind]}", constraint, context)
