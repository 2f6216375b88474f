"""An engine to talk to: variables and constraints as they come, questions under assumptions.

Its process may be ended by a limit or by Ctrl-C: it is opened anew, and told everything again, with
the next question. All values are checked against everything that was added, in time linear in that.
It serves one thread at a time: another one that comes in between is refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from threading import Lock
from types import TracebackType
from typing import Self

from nonosat.core.errors import LimitReached, UnsupportedError
from nonosat.core.limits import Limits, Watch
from nonosat.core.model import Constraint, Model, Values
from nonosat.core.plugins import Answer, names
from nonosat.core.result import Options
from nonosat.processes.guard import Guard
from nonosat.solving.live import LiveModel, engine_of, names_failed
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
        model: What it knows from the start; nothing unless told.
        backend: Name of a backend; "auto" is `learn`.
        encoding, formulation: By constraint kind, as in `Options`.
        seed: For the engines that take one.
        memory_limit_mib: Resident memory of the engine's process; None is without limit.

    Attributes:
        num_vars: Its variables are 1 .. num_vars.
        reason: Why the last answer is UNKNOWN; else "".

    Raises:
        PuzzleError: The model is none.
        UnsupportedError: Options that do not go together; the message lists what would work.
        BackendError: The engine's package is missing.
    """

    def __init__(
        self,
        model: Model | None = None,
        *,
        backend: str = "auto",
        encoding: Mapping[str, str] | None = None,
        formulation: Mapping[str, str] | None = None,
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
            seed=seed,
            memory_limit_mib=memory_limit_mib,
        )
        self._said: list[Constraint] = []
        self._one_coloured: set[tuple[int, ...]] = set()
        self._answer = Answer.UNKNOWN
        self._values: Values | None = None
        self._failed: tuple[int, ...] | None = None
        self._is_closed = False
        self._live: LiveModel | None = None
        if model is not None:
            known = checked_model(model)
            self.num_vars = known.num_vars
            self._said += known.constraints()
            self._one_coloured |= one_coloured(known.counts)
        with suppress(LimitReached):  # `solve` opens it then, and says which limit it was
            self._live = self._opened()

    @property
    def name(self) -> str:
        """The backend at work."""
        return engine_of(self._options)

    def new_vars(self, count: int) -> range:
        """As `Variables.new_vars`; a closed engine has no more."""
        with self._alone():
            return super().new_vars(count)

    def add(self, *constraints: Statement) -> None:
        """What has to hold from now on; constraints as for `ModelBuilder.add`.

        Raises:
            PuzzleError: A constraint says nothing that can be true or false; the message says why.
            UnsupportedError: An encoding cannot say it; or the engine is closed, or in use.
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
        """Whether everything added can hold together with the assumptions.

        Args:
            assumptions: Literals that hold for this question alone.
            time_limit_s: Wall seconds; None is without limit.
            budget: What the engine may do, in its own unit, mostly conflicts.

        Returns:
            SAT, with `values`; UNSAT, with `failed`; UNKNOWN, with the `reason`.

        Raises:
            PuzzleError: Assumptions that are no literals.
            UnsupportedError: The engine takes no assumptions, or keeps to no budget; the limit or
                the budget is out of range; or the engine is closed, or in use.
            BackendError: The engine failed.
            RefutedError: It gave values that a constraint refutes.
        """
        lits = literals("assumptions", assumptions, self.num_vars)
        limit_s = Options(time_limit_s=time_limit_s).time_limit_s
        if budget is not None and number("budget", budget) < 1:
            raise UnsupportedError("budget is 0, expected at least 1")
        watch = Watch(Limits(limit_s, self._options.memory_limit_mib))
        with self._alone():
            return self._asked(lits, watch, budget)

    @property
    def values(self) -> Values:
        """After SAT: what holds; LookupError otherwise."""
        if self._values is None:
            raise LookupError(f"there are no values: the last answer is {self._answer.value}")
        return self._values

    @property
    def failed(self) -> tuple[int, ...]:
        """After UNSAT: assumptions that cannot hold together; none where nothing can hold.

        They need not be the fewest.

        Raises:
            LookupError: The last answer is another one.
            UnsupportedError: The engine does not name them; the message lists some that do.
        """
        if self._answer is not Answer.UNSAT:
            raise LookupError(f"no assumptions failed: the last answer is {self._answer.value}")
        if self._failed is None:
            able = ", ".join(sorted(name for name in names("backends") if names_failed(name)))
            raise UnsupportedError(f"{self.name} names no failed assumptions; these do: {able}")
        return self._failed

    @property
    def statistics(self) -> dict[str, int]:
        """The engine's counters; none while it has to be opened anew."""
        if self._is_closed:
            return {}
        with self._alone():
            return {} if self._live is None else self._live.statistics()

    def close(self) -> None:
        """Free the engine; it takes nothing more."""
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
        """While one thread uses the engine; UnsupportedError for others, or where it is closed."""
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
            self._tell(new)
        except LimitReached:
            self._drop()  # `solve` opens it anew, and says which limit it was
        except BaseException:
            self._drop()  # nobody knows how much of it was told
            raise
        self._said += new
        self._one_coloured |= one_coloured(new)

    def _asked(self, lits: Sequence[int], watch: Watch, budget: int | None) -> Answer:
        """The answer to a question, which is kept with what came with it."""
        self._answer, self._values, self._failed, self.reason = Answer.UNKNOWN, None, None, ""
        try:
            with Guard(watch):
                live = self._ready()
                answer = live.ask(lits, watch, budget)
                self._keep(answer, live, lits, watch)
        except (LimitReached, MemoryError) as error:
            self._drop()
            self.reason = str(error) or watch.reason() or "out of memory"
            return Answer.UNKNOWN
        except BaseException:
            self._drop()
            raise
        self._answer = answer
        return answer

    def _opened(self) -> LiveModel:
        """A fresh engine that has been told everything."""
        watch = Watch(Limits(None, self._options.memory_limit_mib))
        live = LiveModel(self.num_vars, self._options, watch)
        try:
            live.tell(model_of(self.num_vars, self._said))
        except BaseException:
            live.close()
            raise
        return live

    def _ready(self) -> LiveModel:
        """The engine, with all variables; a fresh one where it has to be."""
        if self._live is not None and not self._is_fit(self._live):
            self._drop()
        if self._live is None:
            self._live = self._opened()
        self._live.grow(self.num_vars)
        return self._live

    def _is_fit(self, live: LiveModel) -> bool:
        return not live.is_lost and (live.may_grow or live.num_vars == self.num_vars)

    def _tell(self, constraints: Sequence[Constraint]) -> None:
        """Tell the engine, unless it has to be opened anew: then it is told everything."""
        if self._live is not None and self._is_fit(self._live):
            self._live.grow(self.num_vars)
            self._live.tell(model_of(self.num_vars, constraints))

    def _drop(self) -> None:
        live, self._live = self._live, None
        if live is not None:
            live.close()

    def _keep(self, answer: Answer, live: LiveModel, lits: Sequence[int], watch: Watch) -> None:
        """Values, core or reason of an answer; RefutedError for values that solve nothing."""
        if answer is Answer.UNKNOWN:
            self.reason = watch.reason() or "the budget was spent"
        elif answer is Answer.UNSAT:
            if not lits or names_failed(self.name):
                self._failed = live.failed(lits) if lits else ()
        else:
            values = live.values()
            refuse_wrong(live.suspects, self._said, lits, values)
            self._values = values
