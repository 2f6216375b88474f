"""A count as one linear constraint, or as a Boolean constraint if that is equivalent.

Source: the constraints of CP-SAT (Perron, Furnon, OR-Tools).
"""

from __future__ import annotations

from typing import Any

from nonosat.core.model import Count
from nonosat.core.plugins import Formulation


def formulate(count: Count, context: Any) -> None:
    """Add the count to the `formulations.Context`."""
    literals = [context.literal(lit) for lit in count.lits]
    bounds = max(count.lower, 0), min(count.upper, len(literals))
    if bounds == (1, 1):
        context.model.add_exactly_one(literals)
    elif bounds == (0, 1):
        context.model.add_at_most_one(literals)
    elif bounds[0] > bounds[1]:
        context.model.add_bool_or([])
    else:
        context.model.add_linear_constraint(sum(literals), *bounds)


PLUGIN = Formulation(
    summary="a linear constraint over the literals",
    source="Perron, Furnon: OR-Tools CP-SAT",
    formulate=formulate,
)
