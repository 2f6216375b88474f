"""Public interface of an oracle: variables, constraints and queries in any order.

If a limit or Ctrl-C ended the engine's process, the next query opens a new engine and adds all
constraints again. All values are checked against all constraints, in linear time. The variables are
1, 2, ... without gaps; the oracle numbers them differently, because encodings allocate variables in
between. An engine serves one thread at a time and refuses others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from threading import Lock
from types import TracebackType
from typing import Self

from nonosat.core.errors import LimitReached, UnsupportedError
from nonosat.core.limits import Limits, Watch
from nonosat.core.model import (
    TRUE,
    Clause,
    Constraint,
    Count,
    Line,
    Loop,
    Model,
    Values,
    unknown_kind,
)
from nonosat.core.plugins import Answer, find, names
from nonosat.core.result import Options
from nonosat.core.scope import within
from nonosat.solving.choices import engine_choices, engine_of, names_failed
from nonosat.solving.modelling import (
    Statement,
    Variables,
    checked_model,
    completed,
    literals,
    model_of,
    number,
    one_coloured,
)
from nonosat.solving.oracle import Oracle
from nonosat.solving.refuting import refuse_wrong


class Engine(Variables):
    """A live engine, for one thread at a time.

        >>> with nonosat.Engine(backend="glucose421") as engine:
        ...     x, y = engine.new_vars(2)
        ...     engine.add([x, y])
        ...     answers = [engine.solve(), engine.solve([-x, -y])]
        ...     engine.failed
        (-1, -2)
        >>> [answer.value for answer in answers]
        ['sat', 'unsat']

    Args:
        model: Initial constraints; none by default.
        backend: Name of a backend; "auto" is `learn`.
        encoding, formulation: Names by constraint kind, as in `Options`.
        engine_options: Options of the backend's engine by name, as in `Options`.
        seed: Random seed, for engines that take one.
        memory_limit_mib: Resident memory of the engine's process; None is without limit.

    Attributes:
        num_vars: Number of variables; they are 1 .. num_vars.
        reason: The limit that made the last answer UNKNOWN; else "".

    Raises:
        PuzzleError: The model is invalid.
        UnsupportedError: Options that cannot be combined; the message lists what would work.
        BackendError: The engine's package is missing.
    """

    def __init__(
        self,
        model: Model | None = None,
        *,
        backend: str = "auto",
        encoding: Mapping[str, str] | None = None,
        formulation: Mapping[str, str] | None = None,
        engine_options: Mapping[str, str | float] | None = None,
        seed: int = 0,
        memory_limit_mib: int | None = None,
    ) -> None:
        super().__init__()
        self.reason = ""
        self._in_use = Lock()
        self._options = Options(
            backend=backend,
            encoding=encoding or {},
            formulation=formulation or {},
            engine_options=engine_options or {},
            seed=seed,
            memory_limit_mib=memory_limit_mib,
        )
        self._constraints: list[Constraint] = []
        self._one_coloured: set[tuple[int, ...]] = set()
        self._answer = Answer.UNKNOWN
        self._values: Values | None = None
        self._failed: tuple[int, ...] | None = None
        self._is_closed = False
        self._oracle: Oracle | None = None
        self._vars: list[int] = []  # the oracle's variables, by the engine's
        if model is not None:
            known = checked_model(model)
            self.num_vars = known.num_vars
            self._constraints += known.constraints()
            self._one_coloured |= one_coloured(known.counts)
        with suppress(LimitReached):  # `solve` opens it then, and names the limit
            self._oracle = self._opened()

    @property
    def name(self) -> str:
        """Name of the backend."""
        return engine_of(self._options)

    def new_vars(self, count: int) -> range:
        """Return fresh variables as `Variables.new_vars` does; a closed engine raises."""
        with self._alone():
            return super().new_vars(count)

    def add(self, *constraints: Statement) -> None:
        """Add constraints; they are as for `ModelBuilder.add`.

        Raises:
            PuzzleError: A constraint is invalid; the message states why.
            UnsupportedError: An encoding cannot express it; or the engine is closed, or in use.
        """
        with self._alone():
            for statement in constraints:
                self._add(completed(statement, self.num_vars, self._one_coloured))

    def solve(
        self,
        assumptions: Iterable[int] = (),
        *,
        time_limit_s: float | None = None,
        budget: int | None = None,
    ) -> Answer:
        """Decide whether all constraints are satisfiable together with the assumptions.

        Args:
            assumptions: Literals that hold for this query alone.
            time_limit_s: Wall seconds; None is without limit.
            budget: Limit in the engine's own unit of work, mostly conflicts.

        Returns:
            SAT, with `values`; UNSAT, with `failed`; UNKNOWN, with the `reason`.

        Raises:
            PuzzleError: Assumptions that are no literals.
            UnsupportedError: The engine takes no assumptions, or supports no budget; the limit or
                the budget is out of range; or the engine is closed, or in use.
            BackendError: The engine failed.
            RefutedError: The engine returned values that a constraint refutes.
        """
        lits = literals("assumptions", assumptions, self.num_vars)
        limit_s = Options(time_limit_s=time_limit_s).time_limit_s
        if budget is not None and number("budget", budget) < 1:
            raise UnsupportedError("budget is 0, expected at least 1")
        watch = Watch(Limits(limit_s, self._options.memory_limit_mib))
        with self._alone():
            return self._answered(lits, watch, budget)

    @property
    def values(self) -> Values:
        """Values after SAT; LookupError otherwise."""
        if self._values is None:
            raise LookupError(f"there are no values: the last answer is {self._answer.value}")
        return self._values

    @property
    def failed(self) -> tuple[int, ...]:
        """Failed assumptions after UNSAT; empty if the constraints alone are unsatisfiable.

        They need not be minimal.

        Raises:
            LookupError: The last answer is not UNSAT.
            UnsupportedError: The engine does not return them; the message lists some that do.
        """
        if self._answer is not Answer.UNSAT:
            raise LookupError(f"no assumptions failed: the last answer is {self._answer.value}")
        if self._failed is None:
            able = ", ".join(sorted(name for name in names("backends") if names_failed(name)))
            raise UnsupportedError(f"{self.name} names no failed assumptions; these do: {able}")
        return self._failed

    @property
    def statistics(self) -> dict[str, int]:
        """Counters of the engine; empty if it must be reopened."""
        if self._is_closed:
            return {}
        with self._alone():
            return {} if self._oracle is None else self._oracle.statistics()

    def close(self) -> None:
        """Free the engine; later calls raise."""
        if not self._is_closed:
            with self._alone():
                self._is_closed = True
                self._drop()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: object, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Engine({self.name!r}, {self.num_vars} variables)"

    # The engine itself

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Lock the engine for one thread; raise UnsupportedError for others, or if it is closed."""
        if not self._in_use.acquire(blocking=False):
            raise UnsupportedError("this engine is in use by another thread; open one for each")
        try:
            if self._is_closed:
                raise UnsupportedError("this engine is closed; open another one")
            yield
        finally:
            self._in_use.release()

    def _add(self, new: Sequence[Constraint]) -> None:
        try:
            self._add_to_oracle(new)
        except LimitReached:
            self._drop()  # `solve` reopens it, and names the limit
        except BaseException:
            self._drop()  # it may have received only a part of the constraints
            raise
        self._constraints += new
        self._one_coloured |= one_coloured(new)

    def _answered(self, lits: Sequence[int], watch: Watch, budget: int | None) -> Answer:
        """Return the answer to a query, and store it with its values, core or reason."""
        self._answer, self._values, self._failed, self.reason = Answer.UNKNOWN, None, None, ""
        try:
            answer = within(watch, partial(self._kept, lits, watch, budget))
        except LimitReached as limit:
            self._drop()
            self.reason = str(limit)
            return Answer.UNKNOWN
        except BaseException:
            self._drop()
            raise
        self._answer = answer
        return answer

    def _kept(self, lits: Sequence[int], watch: Watch, budget: int | None) -> Answer:
        oracle = self._ready()
        answer = oracle.solve([*map(self._own, lits)], budget, watch)
        self._keep(answer, oracle, lits, watch)
        return answer

    def _opened(self) -> Oracle:
        """Return a new oracle with all constraints."""
        watch = Watch(Limits(None, self._options.memory_limit_mib))
        model, choices = model_of(self.num_vars, self._constraints), engine_choices(self._options)
        oracle = Oracle.of(model, self.name, watch, choices, self._options.seed)
        self._vars = [*range(self.num_vars + 1)]
        return oracle

    def _ready(self) -> Oracle:
        """Return the oracle, with all variables added; a new one if it is unusable."""
        if self._oracle is not None and not self._is_fit(self._oracle):
            self._drop()
        if self._oracle is None:
            self._oracle = self._opened()
        self._grow(self._oracle)
        return self._oracle

    def _is_fit(self, oracle: Oracle) -> bool:
        """Return True if the oracle's process is alive and it can have all variables.

        Engines with formulations take no further variables.
        """
        has_all = len(self._vars) == self.num_vars + 1
        return not oracle.is_lost and (has_all or not find("backends", self.name).formulates)

    def _grow(self, oracle: Oracle) -> None:
        """Add the new variables to the oracle."""
        if count := self.num_vars + 1 - len(self._vars):
            first = oracle.new_vars(count)
            self._vars += range(first, first + count)

    def _add_to_oracle(self, constraints: Sequence[Constraint]) -> None:
        """Add constraints to the oracle, unless it must be reopened, which adds all of them."""
        if self._oracle is not None and self._is_fit(self._oracle):
            self._grow(self._oracle)
            own = (renamed(one, self._own) for one in constraints)
            self._oracle.add_model(model_of(self._vars[-1], own))

    def _own(self, lit: int) -> int:
        """Return the oracle's literal for a literal of the user."""
        if abs(lit) == TRUE:
            return lit
        return self._vars[lit] if lit > 0 else -self._vars[-lit]

    def _drop(self) -> None:
        oracle, self._oracle = self._oracle, None
        if oracle is not None:
            oracle.close()

    def _keep(self, answer: Answer, oracle: Oracle, lits: Sequence[int], watch: Watch) -> None:
        """Store values, core or reason of an answer; raise RefutedError for wrong values."""
        if answer is Answer.UNKNOWN:
            self.reason = oracle.pause(watch)
        elif answer is Answer.UNSAT:
            if not lits or names_failed(self.name):
                failed = set(oracle.failed()) if lits else ()
                self._failed = tuple(lit for lit in dict.fromkeys(lits) if self._own(lit) in failed)
        else:
            found = oracle.values()
            values = Values(b"\0" + bytes(found[var] for var in self._vars[1:]))
            refuse_wrong(oracle.suspects, self._constraints, lits, values)
            self._values = values


def renamed(constraint: Constraint, own: Callable[[int], int]) -> Constraint:
    """Return the constraint with each literal `lit` replaced by `own(lit)`."""
    match constraint:
        case Clause() | Count():
            return replace(constraint, lits=tuple(map(own, constraint.lits)))
        case Line():
            return replace(
                constraint, cells=tuple(tuple(map(own, plane)) for plane in constraint.cells)
            )
        case Loop():
            edges = [(u, v, own(lit)) for u, v, lit in constraint.edges]
            faces = constraint.faces and [
                (own(left), own(right)) for left, right in constraint.faces
            ]
            return replace(constraint, edges=edges, faces=faces)
        case _:
            raise unknown_kind(constraint, "the addition to an engine")
