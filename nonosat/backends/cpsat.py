"""CP-SAT of OR-tools: lazy clause generation over integers, with its own presolve and symmetries.

Lines, counts and loops are translated by formulations; clauses are added unchanged. CP-SAT always
works with one worker here. With more workers, its own enumeration misses solutions and still claims
to be complete; therefore each solution found is forbidden by a clause and the next one is searched
for. Source: L. Perron, F. Didier, CP-SAT, CP 2023.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from nonosat.core import plugins
from nonosat.core.errors import BackendError, UnsupportedError, meant, shown
from nonosat.core.limits import Watch
from nonosat.core.model import Clause, Constraint, Count, Line, Loop
from nonosat.core.plugins import Answer, Backend, Engine
from nonosat.formulations import DEFAULTS, Context, CpClauseSink

_SLACK_S = 0.2  # CP-SAT's limit is so much later than the watch's, which names the one it hit
_MAX_SEED = 2**31
_UNLIMITED = 2**63 - 1
_LP_ITERATIONS = 1_000_000
# Parameters that nonosat sets, from its own options or as the docstrings explain.
_OWN = (
    *("num_workers", "num_search_workers", "random_seed", "catch_sigint_signal"),
    *("max_number_of_conflicts", "max_time_in_seconds", "max_deterministic_time"),
    *("max_memory_in_mb", "enumerate_all_solutions"),
    *("stop_after_first_solution", "stop_after_presolve", "stop_after_root_propagation"),
)
_BOOLEANS = {"0": False, "1": True, "false": False, "true": True}
_COUNTERS: dict[str, Callable[[Any], int]] = {
    "conflicts": lambda solver: int(solver.num_conflicts),
    "decisions": lambda solver: int(solver.num_branches),
    "propagations": lambda solver: int(solver.num_binary_propagations),  # number of Booleans
    "integer_propagations": lambda solver: int(solver.num_integer_propagations),
    "deterministic_us": lambda solver: round(1e6 * solver.deterministic_time),
}


class CpSatEngine(CpClauseSink, Engine):
    """One CP-SAT model, solved from scratch after each addition.

    Args:
        num_vars: Variables of the model.
        seed: 0 .. 2**31 - 1, larger ones are reduced.
        formulations: Formulation by constraint kind.
        parameters: CP-SAT's own parameters by name.
    """

    def __init__(
        self,
        num_vars: int,
        seed: int,
        formulations: Mapping[str, str],
        parameters: Mapping[str, str] = {},
    ) -> None:
        cp_model = _package()
        self._formulations = {**DEFAULTS, **formulations}
        super().__init__(Context(num_vars))
        self._solver = cp_model.CpSolver()
        self._solver.parameters.num_workers = 1
        self._solver.parameters.random_seed = seed % _MAX_SEED
        # CP-SAT would install a handler of SIGINT, even over an ignored one, and later the default.
        self._solver.parameters.catch_sigint_signal = False
        for name, text in parameters.items():
            _set_parameter(self._solver.parameters, name, text)
        self._answers = {
            cp_model.OPTIMAL: Answer.SAT,
            cp_model.FEASIBLE: Answer.SAT,
            cp_model.INFEASIBLE: Answer.UNSAT,
            cp_model.UNKNOWN: Answer.UNKNOWN,
        }
        self._values = b""
        self._statistics: dict[str, int] = dict.fromkeys(_COUNTERS, 0)

    @property
    def _model(self) -> Any:
        return self._context.model

    def constrain(self, constraint: Constraint) -> None:
        if isinstance(constraint, Clause):
            self.add(constraint.lits)
            return
        kind = type(constraint).__name__.lower()
        name = f"{kind}-{self._formulations.get(kind, '?')}"
        formulation = plugins.find("formulations", name)
        if isinstance(constraint, Line) and not plugins.is_built_in("formulations", name):
            constraint.clue  # noqa: B018  # refuses entries that other packages do not know
        if formulation.is_hull:
            self._relax()
        formulation.formulate(constraint, self._context)

    def _relax(self) -> None:
        """Solve the whole linear relaxation to optimality before branching.

        If the hulls of lines leave no solution other than a forbidden one, this refutes the model
        without a conflict: n-domino 14 in 0.6 s. With CP-SAT's own choice of constraints, 4.6 s
        were not enough. Maximising the difference from the forbidden solution as well takes 1.5 s.
        """
        self._solver.parameters.linearization_level = 2
        self._solver.parameters.add_lp_constraints_lazily = False
        self._solver.parameters.root_lp_iterations = _LP_ITERATIONS

    def set_phases(self, lits: Sequence[int]) -> bool:
        """Add these literals as hints; the solver repairs hints that do not fit."""
        self._model.clear_hints()
        for lit in lits:
            self._model.add_hint(self.literal(abs(lit)), lit > 0)
        return True

    def solve(self, assumptions: Sequence[int], watch: Watch, budget: int | None = None) -> Answer:
        """Decide satisfiability within the watch's time and the budget of conflicts."""
        self._values = b""
        self._solver.parameters.max_number_of_conflicts = _UNLIMITED if budget is None else budget
        remaining_s = watch.remaining_s()
        if remaining_s is not None:
            self._solver.parameters.max_time_in_seconds = remaining_s + _SLACK_S
        self._model.clear_assumptions()
        self._model.add_assumptions([self.literal(lit) for lit in assumptions])
        status = self._solver.solve(self._model)
        if status not in self._answers:
            raise BackendError(f"cpsat finds its model invalid: {self._model.validate()}")
        self._count()
        answer = self._answers[status]
        if answer is Answer.SAT:
            variables = [*self._context.variables, *self.own]
            self._values = bytes(map(self._solver.boolean_value, variables))
        return answer

    def values(self) -> bytes:
        return self._values

    def _count(self) -> None:
        """Add the counters of the last run to the totals of all runs."""
        for name, read in _COUNTERS.items():
            self._statistics[name] += read(self._solver)

    def statistics(self) -> dict[str, int]:
        """Return counters over all runs; `deterministic_us` is CP-SAT's measure of work."""
        return dict(self._statistics)

    def interrupt(self) -> None:
        """End a running `solve`; nonosat kills the process of a remote engine instead."""
        self._solver.stop_search()


def _package() -> Any:
    try:
        from ortools.sat.python import cp_model
    except ImportError as error:
        what = f"cpsat needs ortools: {error}"
        raise BackendError(what, advice="install ortools") from error
    return cp_model


def _set_parameter(parameters: Any, name: str, text: str) -> None:
    """Set a parameter of CP-SAT, whose type is that of its default.

    Raises:
        UnsupportedError: There is none, nonosat sets it, or its value has another type.
    """
    usual: Any = getattr(parameters, name, None)
    names = [
        one for one in dir(parameters) if one.islower() and _is_value(getattr(parameters, one))
    ]
    if name not in names or name in _OWN:
        own = "; nonosat sets it" if name in _OWN else meant(name, names)
        raise UnsupportedError(
            f"cpsat has no option {shown(name)}{own}; it has the parameters of CP-SAT "
            "(sat_parameters.proto) that are single values"
        )
    values = getattr(type(usual), "__members__", _BOOLEANS if isinstance(usual, bool) else None)
    try:
        setattr(parameters, name, type(usual)(text) if values is None else values[text])
    except (ValueError, KeyError, TypeError) as error:
        expected = f"one of {', '.join(values)}" if values else f"a value such as {usual}"
        raise UnsupportedError(
            f"option {name!r} of cpsat is {shown(text)}, expected {expected}"
        ) from error


def _is_value(value: object) -> bool:
    """Return True for a number, a text, or a member of an enumeration."""
    return isinstance(value, int | float | str) or hasattr(type(value), "__members__")


def check_options(name: str, options: Mapping[str, str]) -> None:
    """Raise UnsupportedError for parameters that CP-SAT lacks, or that nonosat sets."""
    del name
    solver = _package().CpSolver()
    for option, text in options.items():
        _set_parameter(solver.parameters, option, text)


def open_engine(name: str, num_vars: int, seed: int, options: dict[str, str]) -> CpSatEngine:
    """Return a fresh model.

    Options: a formulation's name by constraint kind, as in DEFAULTS, and parameters by name.
    """
    del name
    formulations = {kind: chosen for kind, chosen in options.items() if kind in DEFAULTS}
    parameters = {option: text for option, text in options.items() if option not in DEFAULTS}
    return CpSatEngine(num_vars, seed, formulations, parameters)


PLUGIN = Backend(
    summary="CP-SAT: constraint programming with clause learning",
    needs="ortools",
    open_engine=open_engine,
    native=frozenset({Clause, Count, Line, Loop}),
    formulates=True,
    check_options=check_options,
)
