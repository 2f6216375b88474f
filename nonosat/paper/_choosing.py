"""The cheapest reading whose clues fit: a choice of one alternative for each number, by CP-SAT.

The numbers of the rows have the sum of those of the columns in each colour, and no clue is longer
than its line. Gaps between blocks of one colour among several are left to the solver.
The cost of an alternative is the logarithm of how much less likely it is than the likeliest one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log
from typing import Any, NamedTuple

from nonosat.core.errors import LimitReached
from nonosat.paper._plain import Number, Plain

_SCALE = 1000  # costs are whole numbers
_MOST_WORK = 2.0  # deterministic seconds of a search, which takes hundredths of one
_BOUNDS = (1.0, 6.0, 17.0)  # costs that are tried first

Values = tuple[int | None, ...]


class Choice(NamedTuple):
    """A reading: the value of each number, None for no number, and its cost."""

    values: Values
    cost: float


def likeliest(numbers: Sequence[Number]) -> Values:
    """Return the likeliest value of each number."""
    return tuple(number.alternatives[0][0] for number in numbers)


def cheapest(
    plain: Plain, forbidden: Sequence[Mapping[int, int | None]], most: float
) -> Choice | None:
    """Return the cheapest reading whose clues fit; None if each costs more than `most`.

    Args:
        plain: The numbers with their alternatives.
        forbidden: Values by the number's index, not all of which may be chosen together.
        most: Greatest cost.

    Raises:
        LimitReached: The search for it takes too long.
    """
    # A reading of a small cost has no alternative of a larger one: the first models are tiny.
    for bound in [*(bound for bound in _BOUNDS if bound < most), most]:
        found = _cheapest(plain, forbidden, bound)
        if found is not None:
            return found
    return None


def _cheapest(
    plain: Plain, forbidden: Sequence[Mapping[int, int | None]], most: float
) -> Choice | None:
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    chosen, costs = [], []
    lengths: dict[int, list[Any]] = {}
    balance: dict[int, list[Any]] = {}  # by colour
    has_gaps = len(plain.colours) == 1  # else none between numbers of different colours
    for number in plain.numbers:
        options: dict[int | None, Any] = {}
        for value, chance in number.alternatives:
            cost = log(number.alternatives[0][1] / chance)
            if cost > most:
                break
            options[value] = model.new_bool_var("")
            costs.append(round(_SCALE * cost) * options[value])
            if value:
                sign = 1 if number.line < plain.height else -1
                balance.setdefault(number.colour, []).append(sign * value * options[value])
                lengths.setdefault(number.line, []).append((value + has_gaps) * options[value])
        model.add_exactly_one(options.values())
        chosen.append(options)
    for parts in balance.values():
        model.add(sum(parts) == 0)
    for line, parts in lengths.items():
        longest = plain.width if line < plain.height else plain.height
        model.add(sum(parts) <= longest + has_gaps)
    for together in forbidden:
        if all(value in chosen[at] for at, value in together.items()):
            model.add_bool_or([chosen[at][value].negated() for at, value in together.items()])
    model.add(sum(costs) <= round(_SCALE * most))
    model.minimize(sum(costs))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.max_deterministic_time = _MOST_WORK
    status = solver.solve(model)
    if status == cp_model.INFEASIBLE:
        return None
    if status != cp_model.OPTIMAL:
        raise LimitReached("too many readings have to be compared")
    values = tuple(
        next(value for value, variable in options.items() if solver.boolean_value(variable))
        for options in chosen
    )
    return Choice(values, solver.objective_value / _SCALE)
