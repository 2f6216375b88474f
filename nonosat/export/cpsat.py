"""A formula as a CP-SAT model, stated by formulations, for other programs that use OR-tools.

Variable v of the formula is the Boolean of index v, called "xv"; index 0 is the constant 0.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from nonosat.clauses.cnf import split
from nonosat.core import plugins
from nonosat.core.errors import BackendError
from nonosat.core.model import Clause
from nonosat.export.formula import ExportedModel
from nonosat.formulations import DEFAULTS as FORMULATIONS


def cpsat_model(
    formula: ExportedModel,
    formulations: Mapping[str, str] = FORMULATIONS,
    pause: Callable[[], None] = lambda: None,
) -> Any:
    """Return the `CpModel` of a formula.

    Args:
        formula: What to state; its encodings are not used.
        formulations: Formulation by constraint kind.
        pause: Called before every constraint; an exception that it raises ends the work.
    """
    try:
        from nonosat.formulations import Context

        context = Context(formula.model.num_vars)
    except ImportError as error:
        what = f"a CP-SAT model needs ortools: {error}"
        raise BackendError(what, advice="install ortools") from error

    def add(lits: Sequence[int]) -> None:
        context.model.add_bool_or([context.literal(lit) for lit in lits])

    for batch in (*formula.units(pause), formula.further):
        for clause in split(batch):
            add(tuple(clause))
    for _, model in formula.parts():
        for constraint in model.constraints():
            pause()
            if isinstance(constraint, Clause):
                add(constraint.lits)
            else:
                kind = type(constraint).__name__.lower()
                module = plugins.find("formulations", f"{kind}-{formulations[kind]}")
                module.formulate(constraint, context)
    return context.model
