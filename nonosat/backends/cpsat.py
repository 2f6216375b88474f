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
_RELAXED = {
    "linearization_level": 2,
    "add_lp_constraints_lazily": False,
    "root_lp_iterations": 1_000_000,
}
# Parameters of search, presolve and linear relaxation. Others change which answers CP-SAT returns
# (`max_presolve_iterations` 0 refutes puzzles that have a solution), do not end, or print.
OPTIONS = (
    *("search_branching", "preferred_variable_order", "initial_polarity", "use_phase_saving"),
    *("random_polarity_ratio", "random_branches_ratio", "polarity_rephase_increment"),
    *("use_erwa_heuristic", "initial_variables_activity", "variable_activity_decay"),
    *("also_bump_variables_in_conflict_reasons", "instantiate_all_variables", "randomize_search"),
    *("minimization_algorithm", "binary_minimization_algorithm", "clause_activity_decay"),
    *("subsumption_during_conflict_analysis", "use_chronological_backtracking"),
    *("clause_cleanup_period", "clause_cleanup_target", "clause_cleanup_ratio"),
    *("clause_cleanup_lbd_bound", "clause_cleanup_ordering", "restart_period"),
    *("restart_running_window_size", "restart_dl_average_ratio", "restart_lbd_average_ratio"),
    *("use_blocking_restart", "use_sat_inprocessing", "inprocessing_dtime_ratio"),
    *("cp_model_presolve", "cp_model_probing_level", "cp_model_use_sat_presolve"),
    *("presolve_bve_threshold", "presolve_bve_clause_weight", "presolve_blocked_clause"),
    *("presolve_use_bva", "presolve_probing_deterministic_time_limit"),
    *("probing_deterministic_time_limit", "symmetry_level", "linearization_level"),
    *("boolean_encoding_level", "add_lp_constraints_lazily", "root_lp_iterations"),
    *("add_clique_cuts", "add_mir_cuts", "add_zero_half_cuts", "add_cg_cuts", "cut_level"),
    *("max_num_cuts", "max_cut_rounds_at_level_zero", "only_add_cuts_at_level_zero"),
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
        parameters: CP-SAT's own parameters by name, as `check_options` accepts them.
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
        self._given = frozenset(parameters)
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
        Parameters that the user has set stay as they are.
        """
        for name, value in _RELAXED.items():
            if name not in self._given:
                setattr(self._solver.parameters, name, value)

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
        UnsupportedError: It is not in OPTIONS, or its value has another type.
    """
    if name not in OPTIONS:
        raise UnsupportedError(
            f"cpsat has no option {shown(name)}{meant(name, OPTIONS)}; it has: "
            f"{', '.join(OPTIONS)} (sat_parameters.proto of CP-SAT explains them)"
        )
    usual: Any = getattr(parameters, name)
    values = getattr(type(usual), "__members__", _BOOLEANS if isinstance(usual, bool) else None)
    try:
        setattr(parameters, name, type(usual)(text) if values is None else values[text])
    except (ValueError, KeyError, TypeError) as error:
        expected = f"one of {', '.join(values)}" if values else f"a value such as {usual}"
        raise UnsupportedError(
            f"option {name!r} of cpsat is {shown(text)}, expected {expected}"
        ) from error


def check_options(name: str, options: Mapping[str, str]) -> None:
    """Raise UnsupportedError for options that are not in OPTIONS, or with a wrong value."""
    del name
    cp_model = _package()
    for option, text in options.items():
        solver = cp_model.CpSolver()
        solver.parameters.num_workers = 1
        solver.parameters.catch_sigint_signal = False
        _set_parameter(solver.parameters, option, text)
        # CP-SAT checks the ranges of parameters before it solves.
        if solver.solve(cp_model.CpModel()) == cp_model.MODEL_INVALID:
            raise UnsupportedError(
                f"option {option!r} of cpsat is {shown(text)}: {solver.solution_info()}"
            )


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
