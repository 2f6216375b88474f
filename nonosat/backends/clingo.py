"""Clingo: answer set solving, by clauses as integrity constraints over atoms of a choice rule.

Every variable is an atom that may be chosen freely, so that the answer sets are the models; no rule
has a head, and the unfounded sets of other programs do not occur. Counts are weight constraints.
`encode -o NAME.lp` writes a program with rules for lines and loops instead.

Source: Gebser, Kaminski, Kaufmann, Schaub, "Multi-shot ASP solving with clingo" (TPLP 2019).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from nonosat.backends._packages import imported
from nonosat.clauses.cnf import split
from nonosat.clauses.counts import counted
from nonosat.clauses.sinks import Buffer
from nonosat.core.errors import UnsupportedError, meant, shown
from nonosat.core.limits import Watch
from nonosat.core.model import Constraint, Count
from nonosat.core.plugins import Answer, Backend, Engine

_MAX_SEED = 2**32
# Options of clasp's search and preprocessing. Others change which answers it returns, or print.
OPTIONS = (
    *("configuration", "heuristic", "score-res", "score-other", "sign-def"),
    *("vsids-progress", "save-progress", "init-watches", "update-mode", "rand-freq"),
    *("lookahead", "restarts", "reset-restarts", "counter-restarts"),
    *("block-restarts", "deletion", "del-grow", "del-cfl", "del-init", "del-max", "del-glue"),
    *("strengthen", "otfs", "update-lbd", "reverse-arcs", "contraction"),
    *("sat-prepro", "eq", "trans-ext", "loops"),
)
_COUNTERS = {"choices": "decisions", "conflicts": "conflicts", "restarts": "restarts"}


class ClingoEngine(Buffer, Engine):
    """A program that grows between its solves.

    Args:
        num_vars: Variables of the model.
        seed: 0 .. 2**32 - 1, larger ones are reduced.
        options: Those of `OPTIONS`, without "--".
    """

    label = "clingo"

    def __init__(self, num_vars: int, seed: int, options: Mapping[str, str] = {}) -> None:
        super().__init__(num_vars)
        self._control = _control(seed, options)
        self._atoms = [0]  # by variable
        self._counts: list[tuple[Sequence[int], int]] = []  # at most so many of the literals
        self._values = b""
        self._failed: list[int] = []
        self._counters: Counter[str] = Counter()

    def constrain(self, constraint: Constraint) -> None:
        if not isinstance(constraint, Count):
            super().constrain(constraint)
        elif bounds := counted(constraint, self):
            for lits, _, upper in (bounds, bounds.of_false()):
                if upper < len(lits):
                    self._counts.append((lits, upper))

    def solve(self, assumptions: Sequence[int], watch: Watch, budget: int | None = None) -> Answer:
        """Decide satisfiability; UNKNOWN after the budget of conflicts."""
        del watch  # clingo is not interrupted: it runs in a child process
        self._values, self._failed = b"", []
        self._flush()
        if self._control.is_conflicting:  # no search follows; the counters are those of the last
            return Answer.UNSAT
        self._control.configuration.solve.solve_limit = "umax" if budget is None else str(budget)
        atoms = [self._atom(lit) for lit in assumptions]
        with self._control.solve(assumptions=atoms, yield_=True) as search:
            model = search.model()
            if model is not None:
                chosen = map(model.is_true, self._atoms[1:])
                self._values = b"\0" + bytes(chosen)
            result = search.get()
            if result.unsatisfiable:
                core = set(search.core())
                self._failed = [lit for lit in assumptions if self._atom(lit) in core]
        self._count()
        if model is not None:
            return Answer.SAT
        return Answer.UNSAT if result.unsatisfiable else Answer.UNKNOWN

    def values(self) -> bytes:
        return self._values

    def failed(self) -> list[int]:
        """Return the failed assumptions after UNSAT, not necessarily minimal."""
        return self._failed

    def statistics(self) -> dict[str, int]:
        return dict(self._counters)

    def _atom(self, lit: int) -> int:
        return self._atoms[lit] if lit > 0 else -self._atoms[-lit]

    def _flush(self) -> None:
        """Add new variables and constraints to the program."""
        with self._control.backend() as rules:
            fresh = [rules.add_atom() for _ in range(self.num_vars + 1 - len(self._atoms))]
            self._atoms += fresh
            if fresh:
                rules.add_rule(fresh, choice=True)
            for clause in split(self.take()):
                rules.add_rule([], [-self._atom(lit) for lit in clause])
            for lits, upper in self._counts:
                rules.add_weight_rule([], upper + 1, [(self._atom(lit), 1) for lit in lits])
            self._counts = []

    def _count(self) -> None:
        """Add the counters of the last run to the totals of all runs."""
        found: Any = self._control.statistics["solving"]["solvers"]
        for name, ours in _COUNTERS.items():
            self._counters[ours] += int(found[name])


def _control(seed: int, options: Mapping[str, str]) -> Any:
    clingo = imported("clingo", "clingo", "clingo")
    own = [f"--{name}={value}" for name, value in options.items()]
    return clingo.Control(["--warn=none", f"--seed={seed % _MAX_SEED}", *own])


def check_options(name: str, options: Mapping[str, str]) -> None:
    """Raise UnsupportedError for options that are not in OPTIONS, or with a wrong value."""
    for option, value in options.items():
        if option not in OPTIONS:
            raise UnsupportedError(
                f"{name} has no option {shown(option)}{meant(option, OPTIONS)}; it has: "
                f"{', '.join(OPTIONS)} (`clingo --help=3` explains them)"
            )
        try:
            _control(0, {option: value})
        except RuntimeError as error:
            raise UnsupportedError(f"option {option!r} of {name}: {error}") from error


def open_engine(name: str, num_vars: int, seed: int, options: dict[str, str]) -> ClingoEngine:
    """Return a fresh program."""
    del name
    return ClingoEngine(num_vars, seed, options)


PLUGIN = Backend(
    summary="clingo: answer set solving; counts, budgets of conflicts, seed",
    needs="clingo",
    open_engine=open_engine,
    native=frozenset({Count}),
    explains=True,
    check_options=check_options,
)
