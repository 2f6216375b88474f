"""The formula that a proof refutes: the clues, encoded as a whole and open."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from itertools import combinations

from nonosat.board import presolve
from nonosat.clauses.cnf import Cnf
from nonosat.clauses.translate import translate
from nonosat.core.model import Model


def formula_of(model: Model, solution: bytes | None, pause: Callable[[], None]) -> Cnf:
    """The clues, and the clause that forbids the solution.

    Args:
        model: Of a nonogram.
        solution: A byte a cell; None where there is none.
        pause: Called every few milliseconds; what it raises ends the work.
    """
    formula = Cnf(model.num_vars)
    for clause in model.clauses:
        formula.add(clause.lits)
    for count in model.counts:
        pause()
        pairs = combinations(count.lits, 2)
        formula.add_batch(array("i", [n for a, b in pairs for n in (-a, -b, 0)]))
    lines = Model(model.num_vars, lines=model.lines)
    translate(lines, formula, {"line": "order"}, pause=pause)
    if solution is not None:
        shape = presolve.rectangle(model)
        assert shape is not None
        values = shape.values(solution)  # not the verifier's `forbidding`: no shared bug
        formula.add([-v if values[v] else v for v in range(1, len(values))])
    return formula
