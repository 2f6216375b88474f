"""The incremental solver: an engine, everything it was told, and questions about that.

The contract is that of MiniSat (Eén, Sörensson, "An extensible SAT-solver", SAT 2003). Variables
are the engine's; encodings make some of their own in between. Nothing that was told is taken back:
what holds in some questions only is told behind a selector, a literal that these questions assume.
`solve` has three answers. After SAT there are `values`, which no refiner objects to; after UNSAT
there are `failed` assumptions; after UNKNOWN a limit or the budget has ended the search, and the
next question goes on with what was learnt.

An oracle serves one thread at a time. Twins, one for each thread, share the refiners alone.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from threading import Lock
from time import perf_counter
from typing import Self

from nonosat.backends import RemoteEngine, answer_of, open_backend, values_of
from nonosat.clauses.cnf import check_num_vars
from nonosat.clauses.sinks import SinkBase
from nonosat.clauses.translate import ENCODINGS, Size, translate
from nonosat.core import plugins
from nonosat.core.answer_source import AnswerSource
from nonosat.core.errors import BackendError
from nonosat.core.limits import Watch
from nonosat.core.model import FALSE, TRUE, Model
from nonosat.core.plugins import Answer, Engine, Refiner
from nonosat.formulations import DEFAULTS as FORMULATIONS
from nonosat.solving.choices import Choices, native_kinds

DEFAULTS = Choices(ENCODINGS, FORMULATIONS)


class Oracle:
    """An engine that is told constraints and asked questions.

    Args:
        name: The engine's.
        engine: The engine; nothing else tells it anything.
        num_vars: Variables that it was opened with: 1 .. num_vars.
        watch: Holds for everything that it is told, and for questions without a watch of their own.
        choices: Encodings and formulations by constraint kind.

    Attributes:
        num_vars: The last variable that is known; values are there up to it.
        size: What encodings have made so far.
        encoding: The encodings or formulations used so far, by constraint kind.
        num_cuts: Clauses that refiners have added.
        seconds: Spent in questions.
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
        self._refining = Lock()  # of all twins: refiners work on objects of their own

    @classmethod
    def open(
        cls, name: str, num_vars: int, watch: Watch, choices: Choices = DEFAULTS, seed: int = 0
    ) -> Self:
        """Open an engine that knows of variables alone.

        Raises:
            UnsupportedError: Nothing has the name, or there are too many variables.
            LimitReached: The engine would break the memory limit.
            BackendError: The engine's package is missing.
        """
        check_num_vars(num_vars)
        own = choices.formulations if plugins.find("backends", name).formulates else {}
        engine = open_backend(name, num_vars, seed, own, watch)
        return cls(name, engine, num_vars, watch, choices)

    @classmethod
    def of(
        cls, model: Model, name: str, watch: Watch, choices: Choices = DEFAULTS, seed: int = 0
    ) -> Self:
        """Open an engine that knows a model; raises what `open` and `tell` raise."""
        oracle = cls.open(name, model.num_vars, watch, choices, seed)
        try:
            oracle.tell(model)
        except BaseException:
            oracle.close()
            raise
        return oracle

    def twin(self, engine: Engine) -> Oracle:
        """An oracle with another engine that has been told the same, for another thread."""
        made = copy(self)
        made.engine, made.num_cuts, made.seconds = engine, 0, 0.0
        return made

    # What holds

    def tell(self, model: Model, selector: int | None = None) -> Size:
        """Add constraints over the variables that there are.

        Args:
            model: The constraints.
            selector: A literal; the constraints hold where it does. None: they always hold.

        Returns:
            What encodings have made of them.

        Raises:
            UnsupportedError: An encoding cannot express one.
            LimitReached: The watch ended it; only part of the model has been added.
        """
        size = translate(
            model,
            self.engine if selector is None else _Behind(self.engine, selector),
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
        """Add a clause: one of the literals holds."""
        self.engine.add(clause)

    def fix(self, lits: Iterable[int]) -> None:
        """Add that each of these literals holds."""
        for lit in lits:
            self.engine.add([lit])

    def block(self, lits: Iterable[int]) -> None:
        """Add that these literals do not all hold; those of a solution leave that one out."""
        self.engine.add([-lit for lit in lits])

    def new_var(self) -> int:
        """A fresh variable."""
        return self.new_vars(1)

    def new_vars(self, count: int) -> int:
        """The first of so many fresh variables in a row. Engines with formulations have none."""
        first = self.engine.new_vars(count)
        self.num_vars = first + count - 1
        return first

    def one_of(self, lits: Sequence[int]) -> int:
        """A fresh literal under which one of these holds."""
        selector = self.new_var()
        self.add([-selector, *lits])
        return selector

    def all_of(self, lits: Sequence[int]) -> int:
        """A literal under which all of these hold, which is the literal itself if it is alone."""
        if len(lits) == 1:
            return lits[0]
        selector = self.new_var()
        for lit in lits:
            self.add([-selector, lit])
        return selector

    def set_phases(self, lits: Sequence[int]) -> bool:
        """Set the phases of these literals' variables; returns whether the engine has phases."""
        return self.engine.set_phases(lits)

    # Questions

    def solve(
        self, assumptions: Sequence[int] = (), budget: int | None = None, watch: Watch | None = None
    ) -> Answer:
        """Decide whether everything that was told can hold together with the assumptions.

        Args:
            assumptions: Literals, or constants, that hold for this question alone.
            budget: What the engine may do between two refinements, in its unit, mostly conflicts.
            watch: Ends the question; the watch of the oracle unless given.

        Returns:
            SAT, then `values` hold and no refiner objects; UNSAT, then `failed` names assumptions;
            UNKNOWN, then `pause` says why.

        Raises:
            LimitReached: The watch ended it between two refinements.
            UnsupportedError: The engine takes no assumptions, or keeps to no budget.
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
        """Add the clauses that the engine's values violate; returns whether there were any."""
        if not self.size.refiners:
            return False
        values = self.values()
        with self._refining:
            cuts = [cut for refiner in self.size.refiners for cut in refiner(values)]
        for cut in cuts:
            self.engine.add(cut)
        self.num_cuts += len(cuts)
        return bool(cuts)

    def values(self) -> bytes:
        """After SAT: a byte for each variable, index 0 unused; there may be more at the end.

        Raises:
            BackendError: The engine gives something else.
        """
        return values_of(self.name, self.engine.values(), self.num_vars)

    def failed(self) -> tuple[int, ...]:
        """After UNSAT: assumptions that cannot hold together, in order, not always the fewest.

        Raises:
            UnsupportedError: The engine does not name them; `Backend.explains` says if it does.
            BackendError: The engine names others.
        """
        if FALSE in self._assumed:
            return (FALSE,)
        named = set(self.engine.failed())
        found = tuple(lit for lit in dict.fromkeys(self._assumed) if lit in named)
        if len(found) != len(named):
            raise BackendError(
                f"{self.name} names failed assumptions that were not made",
                advice=self.suspects.advice(),
            )
        return found

    def pause(self, watch: Watch | None = None) -> str:
        """After UNKNOWN: the reason in words; `watch` is that of the question."""
        return (watch or self.watch).reason() or self.engine.reason() or "the budget was spent"

    # The engine

    @property
    def suspects(self) -> AnswerSource:
        """Name and choices of the engine that gives the answers, for messages."""
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
        """The engine's counters, and the cuts where encodings are lazy."""
        cuts = {"cuts": self.num_cuts} if self.size.refiners else {}
        return {**cuts, **self.engine.statistics()}

    @property
    def work(self) -> int:
        """Propagations of all questions so far, where the engine counts them."""
        return int(self.engine.statistics().get("propagations", 0))

    def close(self) -> None:
        """Free the engine."""
        self.engine.close()


class _Behind(SinkBase):
    """A sink whose clauses hold where a literal, the selector, does."""

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
    """A refiner that objects to values only where a literal, the selector, is true."""

    def refine(values: bytes) -> Iterator[Sequence[int]]:
        if bool(values[abs(selector)]) == (selector > 0):
            for cut in refiner(values):
                yield [*cut, -selector]

    return refine
