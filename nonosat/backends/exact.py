"""Exact: pseudo-Boolean solving by cutting planes.

Counts are linear constraints; with `--encoding line=native` each line is a unit of flow through the
graph of its fillings, whose relaxation is their convex hull. Cutting planes can add up such
constraints, which clauses cannot.

Source: Devriendt, Gocht, Demirovic, Nordstrom, Stuckey, "Cutting to the core of pseudo-Boolean
optimization" (AAAI 2021); Elffers, Nordstrom, "Divide and conquer: towards faster pseudo-Boolean
solving" (IJCAI 2018).
"""

from __future__ import annotations

from collections.abc import Sequence

from nonosat.backends._packages import imported
from nonosat.board.flow import flow_counts
from nonosat.clauses.cnf import split
from nonosat.clauses.counts import counted
from nonosat.clauses.sinks import Buffer
from nonosat.core.errors import UnsupportedError
from nonosat.core.limits import Watch
from nonosat.core.model import Constraint, Count, Line
from nonosat.core.plugins import Answer, Backend, Engine

_MAX_SEED = 2**31
_COUNTERS = ("conflicts", "decisions", "propagations", "restarts")


class ExactEngine(Buffer, Engine):
    """A set of linear constraints that grows between its solves.

    Args:
        num_vars: Variables of the model.
        seed: For the order of decisions; 0 keeps the default.
    """

    label = "exact"

    def __init__(self, num_vars: int, seed: int) -> None:
        super().__init__(num_vars)
        exact = imported("exact", "exact", "exact")
        options = {"verbosity": "0", **({"seed": str(seed % _MAX_SEED or 1)} if seed else {})}
        self._solver = exact.Exact([*options.items()])
        self._names: list[str] = []  # of the variables that the solver has
        self._is_refuted = False  # it takes no constraints after that
        self._values = b""
        self._failed: list[int] = []

    def constrain(self, constraint: Constraint) -> None:
        if isinstance(constraint, Line):
            for count in flow_counts(constraint, self.new_vars):
                self.constrain(count)
        elif not isinstance(constraint, Count):
            super().constrain(constraint)
        elif bounds := counted(constraint, self):
            self._add(*bounds)

    def solve(self, assumptions: Sequence[int], watch: Watch, budget: int | None = None) -> Answer:
        """Decide satisfiability; it has no budget."""
        del watch  # Exact is not interrupted: it runs in a child process
        if budget is not None:
            raise UnsupportedError("exact keeps to no budget of conflicts")
        self._values, self._failed = b"", []
        for clause in split(self.take()):
            lits = sorted(set(clause))
            if not any(-lit in lits for lit in lits):
                self._add(lits, 1, len(lits))
        self._add((), 0, 0)
        if self._is_refuted:
            return Answer.UNSAT
        if opposite := [lit for lit in assumptions if -lit in assumptions]:
            self._failed = opposite
            return Answer.UNSAT
        self._solver.clearAssumptions()
        assumed = {abs(lit): lit for lit in assumptions}
        named = [(self._names[var - 1], int(lit > 0)) for var, lit in assumed.items()]
        self._solver.setAssumptions(named)
        found = self._solver.runFull(False, 0.0)
        if found == "SAT":
            self._values = b"\0" + bytes(self._solver.getLastSolutionFor(self._names))
            return Answer.SAT
        if found == "INCONSISTENT":
            core = {int(name[1:]) for name in self._solver.getLastCore()}
            self._failed = [lit for var, lit in assumed.items() if var in core]
        else:
            self._is_refuted = True
        return Answer.UNSAT

    def values(self) -> bytes:
        return self._values

    def failed(self) -> list[int]:
        """Return the failed assumptions after UNSAT, not necessarily minimal."""
        return self._failed

    def statistics(self) -> dict[str, int]:
        found = {name.removeprefix("number of "): value for name, value in self._solver.getStats()}
        return {name: int(found[name]) for name in _COUNTERS}

    def _add(self, lits: Sequence[int], lower: int, upper: int) -> None:
        """Add bounds of the number of true literals, and the variables that are new."""
        for var in range(len(self._names) + 1, self.num_vars + 1):
            self._names.append(f"x{var}")
            self._solver.addVariable(self._names[-1], 0, 1)
        if lower > upper or lower > len(lits) or upper < 0:
            self._is_refuted = True
        if self._is_refuted or (lower <= 0 and upper >= len(lits)):
            return
        terms = [(1 if lit > 0 else -1, self._names[abs(lit) - 1]) for lit in lits]
        known = sum(lit < 0 for lit in lits)
        self._solver.addConstraint(terms, True, lower - known, True, upper - known)


def open_engine(name: str, num_vars: int, seed: int, options: dict[str, str]) -> ExactEngine:
    """Return a fresh solver; there are no options."""
    del name, options
    return ExactEngine(num_vars, seed)


PLUGIN = Backend(
    summary="Exact: pseudo-Boolean solving by cutting planes; counts, lines as flows, seed",
    needs="exact",
    open_engine=open_engine,
    native=frozenset({Count, Line}),
    explains=True,
)
