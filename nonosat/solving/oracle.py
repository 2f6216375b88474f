"""Incremental solver: an engine, its constraints, and queries on them.

The contract is that of MiniSat (Eén, Sörensson, "An extensible SAT-solver", SAT 2003). Variables
belong to the engine; encodings allocate some of their own in between. Constraints are never
removed: those that only some queries use are added with a selector, a literal that these queries
assume. `solve` has three answers. After SAT, `values` returns a model that satisfies all refiners;
after UNSAT, `failed` returns the failed assumptions; after UNKNOWN, a limit or the budget has ended
the search, and the next query keeps the learnt clauses.

An oracle serves one thread at a time. Twins, one for each thread, share only the refiners.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from threading import Lock
from time import perf_counter
from typing import Self

from nonosat.backends import RemoteEngine, answer_of, open_backend, values_of
from nonosat.clauses import ENCODINGS
from nonosat.clauses.cnf import check_num_vars
from nonosat.clauses.sinks import SinkBase
from nonosat.clauses.translate import Size, translate
from nonosat.core import plugins
from nonosat.core.answer_source import AnswerSource
from nonosat.core.errors import BackendError
from nonosat.core.limits import Watch, polled
from nonosat.core.model import FALSE, TRUE, Model
from nonosat.core.plugins import Answer, Engine, Refiner
from nonosat.formulations import DEFAULTS as FORMULATIONS
from nonosat.solving.choices import Choices, native_kinds

DEFAULTS = Choices(ENCODINGS, FORMULATIONS)


class Oracle:
    """An engine with constraints and queries.

    Args:
        name: Name of the engine.
        engine: The engine; only the oracle adds constraints to it.
        num_vars: Variables that it was opened with: 1 .. num_vars.
        watch: Limits for adding constraints, and for queries without a watch of their own.
        choices: Encodings and formulations by constraint kind.

    Attributes:
        num_vars: The last known variable; values are available up to it.
        size: Variables and clauses that encodings have made, and their refiners.
        encoding: The encodings or formulations used so far, by constraint kind.
        num_cuts: Clauses that refiners have added.
        seconds: Time spent in queries.
    """

    def __init__(
        self,
        name: str,
        engine: Engine,
        num_vars: int,
        watch: Watch,
        choices: Choices = DEFAULTS,
    ) -> None:
        self.name, self.engine, self.num_vars, self.watch = name, engine, num_vars, watch
        self.size = Size()
        self.encoding: dict[str, str] = {}
        self.num_cuts, self.seconds = 0, 0.0
        self._choices = choices
        self._assumed: Sequence[int] = ()
        self._refining = Lock()  # shared by all twins: refiners modify objects of their own

    @classmethod
    def open(
        cls, name: str, num_vars: int, watch: Watch, choices: Choices = DEFAULTS, seed: int = 0
    ) -> Self:
        """Open an engine with variables and without constraints.

        Raises:
            UnsupportedError: The name is unknown, or there are too many variables.
            LimitReached: The engine would exceed the memory limit.
            BackendError: The engine's package is missing.
        """
        check_num_vars(num_vars)
        backend = plugins.find("backends", name)
        own = {**choices.engine_options, **(choices.formulations if backend.formulates else {})}
        engine = open_backend(name, num_vars, seed, own, watch)
        return cls(name, engine, num_vars, watch, choices)

    @classmethod
    def of(
        cls, model: Model, name: str, watch: Watch, choices: Choices = DEFAULTS, seed: int = 0
    ) -> Self:
        """Open an engine with a model; raises as `open` and `add_model` do."""
        oracle = cls.open(name, model.num_vars, watch, choices, seed)
        try:
            oracle.add_model(model)
        except BaseException:
            oracle.close()
            raise
        return oracle

    def twin(self, engine: Engine) -> Oracle:
        """Return an oracle with another engine and the same constraints, for another thread."""
        made = copy(self)
        made.engine, made.num_cuts, made.seconds = engine, 0, 0.0
        return made

    # Constraints

    def add_model(self, model: Model, selector: int | None = None) -> Size:
        """Add constraints over existing variables.

        Args:
            model: The constraints.
            selector: A literal that implies the constraints. None: they always hold.

        Returns:
            Variables and clauses that encodings have made of the constraints, and their refiners.

        Raises:
            UnsupportedError: An encoding cannot express one.
            LimitReached: The watch ended it; only part of the model has been added.
        """
        size = translate(
            model,
            self.engine if selector is None else _SelectorSink(self.engine, selector),
            self._choices.encodings,
            native=native_kinds(self.name, self._choices) if selector is None else frozenset(),
            lazy=True,
            pause=self.watch.check,
        )
        if selector is not None:
            size.refiners = [_behind(refiner, selector) for refiner in size.refiners]
        self.size.include(size)
        used = self._choices.formulations if self._formulates() else self._choices.encodings
        self.encoding.update((kind, used[kind]) for kind in model.kinds())
        return size

    def add(self, clause: Sequence[int]) -> None:
        """Add a clause."""
        self.engine.add(clause)

    def fix(self, lits: Iterable[int]) -> None:
        """Add each of these literals as a unit clause."""
        for lit in polled(lits):
            self.engine.add([lit])

    def block(self, lits: Iterable[int]) -> None:
        """Add the clause of the negated literals, which excludes a solution with these literals."""
        self.engine.add([-lit for lit in lits])

    def new_var(self) -> int:
        """Return a fresh variable."""
        return self.new_vars(1)

    def new_vars(self, count: int) -> int:
        """Return the first of `count` consecutive fresh variables.

        Engines with formulations cannot make any.
        """
        first = self.engine.new_vars(count)
        self.num_vars = first + count - 1
        return first

    def one_of(self, lits: Sequence[int]) -> int:
        """Return a fresh literal that implies the disjunction of the given literals."""
        selector = self.new_var()
        self.add([-selector, *lits])
        return selector

    def all_of(self, lits: Sequence[int]) -> int:
        """Return a literal that implies all given ones: fresh, unless only one is given."""
        if len(lits) == 1:
            return lits[0]
        selector = self.new_var()
        for lit in lits:
            self.add([-selector, lit])
        return selector

    def set_phases(self, lits: Sequence[int]) -> bool:
        """Set the phases of these literals' variables; return True if the engine has phases."""
        return self.engine.set_phases(lits)

    # Queries

    def solve(
        self, assumptions: Sequence[int] = (), budget: int | None = None, watch: Watch | None = None
    ) -> Answer:
        """Decide whether the constraints are satisfiable under the assumptions.

        Args:
            assumptions: Literals, or constants, that hold for this query alone.
            budget: Limit of the engine between two refinements, in its unit, mostly conflicts.
            watch: Limits of the query; by default the watch of the oracle.

        Returns:
            SAT, then `values` satisfies all refiners; UNSAT, then `failed` returns assumptions;
            UNKNOWN, then `pause` returns the reason.

        Raises:
            LimitReached: The watch ended it between two refinements.
            UnsupportedError: The engine takes no assumptions, or supports no budget.
            BackendError: The engine failed.
        """
        self._assumed = assumptions
        if FALSE in assumptions:
            return Answer.UNSAT
        lits = [lit for lit in assumptions if lit != TRUE] if TRUE in assumptions else assumptions
        watch = watch or self.watch
        started = perf_counter()
        try:
            while True:
                answer = answer_of(self.name, self.engine.solve(lits, watch, budget))
                if answer is not Answer.SAT or not self._refine():
                    return answer
                watch.check()
        finally:
            self.seconds += perf_counter() - started

    def _refine(self) -> bool:
        """Add the clauses that the engine's values violate; return True if there were any."""
        if not self.size.refiners:
            return False
        values = self.values()
        with self._refining:
            cuts = [cut for refiner in self.size.refiners for cut in refiner(values)]
        for cut in polled(cuts):
            self.engine.add(cut)
        self.num_cuts += len(cuts)
        return bool(cuts)

    def values(self) -> bytes:
        """Return the model after SAT: a byte for each variable, index 0 unused, maybe more bytes.

        Raises:
            BackendError: The engine returned something else.
        """
        return values_of(self.name, self.engine.values(), self.num_vars)

    def failed(self) -> tuple[int, ...]:
        """Return the failed assumptions after UNSAT, in order, not necessarily minimal.

        Raises:
            UnsupportedError: The engine does not return them; see `Backend.explains`.
            BackendError: The engine returned literals that were not assumed.
        """
        if FALSE in self._assumed:
            return (FALSE,)
        named = set(self.engine.failed())
        found = tuple(lit for lit in dict.fromkeys(self._assumed) if lit in named)
        if len(found) != len(named):
            raise BackendError(
                f"{self.name} returned failed assumptions that were not made",
                advice=self.suspects.advice(),
            )
        return found

    def pause(self, watch: Watch | None = None) -> str:
        """Return the reason of UNKNOWN in words; `watch` is the one that was passed to `solve`."""
        return (watch or self.watch).reason() or self.engine.reason() or "the budget was spent"

    # The engine

    @property
    def suspects(self) -> AnswerSource:
        """Name and choices of the engine that produces the answers, for messages."""
        kind = "formulations" if self.encoding and self._formulates() else "encodings"
        return AnswerSource(self.name, kind, dict(self.encoding))

    def _formulates(self) -> bool:
        return plugins.find("backends", self.name).formulates

    @property
    def is_lost(self) -> bool:
        """True if a limit or an interruption has ended the engine's process."""
        engine = self.engine
        return isinstance(engine, RemoteEngine) and not (engine.child and engine.child.is_alive)

    def statistics(self) -> dict[str, int]:
        """Return the engine's counters, and the number of cuts if there are refiners."""
        cuts = {"cuts": self.num_cuts} if self.size.refiners else {}
        return {**cuts, **self.engine.statistics()}

    @property
    def work(self) -> int:
        """Number of propagations of all queries so far; 0 if the engine does not count them."""
        return int(self.engine.statistics().get("propagations", 0))

    def close(self) -> None:
        """Free the engine, and end the processes of refiners."""
        self.engine.close()
        for child in self.size.children:
            child.close()


class _SelectorSink(SinkBase):
    """Sink that adds each clause to an engine with the negated selector as a further literal."""

    def __init__(self, engine: Engine, selector: int) -> None:
        self._engine, self._selector = engine, selector

    def new_vars(self, count: int) -> int:
        return self._engine.new_vars(count)

    def add(self, clause: Sequence[int]) -> None:
        self._engine.add([*clause, -self._selector])

    def add_batch(self, clauses: array[int]) -> None:
        end = (-self._selector, 0)
        self._engine.add_batch(
            array("i", [one for lit in clauses for one in ((lit,) if lit else end)])
        )


def _behind(refiner: Refiner, selector: int) -> Refiner:
    """Return a refiner that is active only if the selector is true."""

    def refine(values: bytes) -> Iterator[Sequence[int]]:
        if bool(values[abs(selector)]) == (selector > 0):
            for cut in refiner(values):
                yield [*cut, -selector]

    return refine
