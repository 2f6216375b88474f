"""Solving and enumeration of models that belong to no puzzle.

Rows and columns of a board are propagated and probed first; the engine receives all other
constraints unchanged. All values are checked against the model by code that shares nothing with the
encodings.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any, Self

from nonosat.board.presolve import PresolvedModel, Reduced, presolved
from nonosat.core.answer_source import AnswerSource
from nonosat.core.errors import LimitReached, RefutedError
from nonosat.core.limits import Limits, Watch
from nonosat.core.model import Model, Values
from nonosat.core.plugins import Answer
from nonosat.core.presenting import Data, Presented, reading
from nonosat.core.result import FrozenDict, Options, Stage
from nonosat.core.scope import run_limited, within
from nonosat.core.versions import versions
from nonosat.solving.choices import engine_choices, engine_of, names_failed
from nonosat.solving.modelling import checked_model, literals
from nonosat.solving.oracle import Oracle
from nonosat.solving.refuting import refuse_wrong


@dataclass(frozen=True, slots=True, repr=False)
class ModelResult(Presented):
    """Result of solving a model; `result[lit]` is True if a literal is true.

        >>> builder = nonosat.ModelBuilder()
        >>> x, y = builder.new_vars(2)
        >>> builder.add([x, y], [-x])
        >>> result = nonosat.solve_model(builder.build())
        >>> result, result[y]
        (<ModelResult: sat, 2 variables, 1 of them true>, True)
        >>> nonosat.ModelResult.from_data(result.to_data()) == result
        True

    Args:
        answer: SAT, UNSAT, or UNKNOWN if a limit was hit.
        values: The values after SAT; else None.
        failed: Failed assumptions after UNSAT, not necessarily minimal; empty if the model has no
            solution at all. None if the engine does not return them.
        reason: The limit that was hit, or, after UNSAT, the step that refuted the model; else "".
        seconds: Wall seconds, everything included.
        stages: The steps taken, in order.
        backend: The engine or step that completed the answer ("propagate" and "probe" included).
        encoding: The encodings or formulations used, by constraint kind.
        options: The options of the call.
    """

    answer: Answer
    values: Values | None = None
    failed: tuple[int, ...] | None = None
    reason: str = ""
    seconds: float = field(default=0.0, compare=False)
    stages: tuple[Stage, ...] = field(default=(), compare=False)
    backend: str = field(default="", compare=False)
    encoding: Mapping[str, str] = field(default_factory=FrozenDict, compare=False)
    options: Options = field(default=Options(), compare=False)
    __iter__ = None  # iteration would read the literal 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "encoding", FrozenDict(self.encoding))
        object.__setattr__(self, "stages", tuple(self.stages))

    def __getitem__(self, lit: int) -> bool:
        if self.values is None:
            raise LookupError(f"there are no values: the answer is {self.answer.value}")
        return self.values[lit]

    def __str__(self) -> str:
        return f"{self.answer.value} ({self.reason})" if self.reason else self.answer.value

    def _summary(self) -> str:
        return str(self) if self.values is None else f"{self}, {self.values}"

    def to_data(self) -> Data:
        """Return the result as JSON data; its values are one true literal per variable."""
        return {
            "answer": self.answer.value,
            "values": None if self.values is None else self.values.to_data()["values"],
            "failed": None if self.failed is None else [*self.failed],
            "reason": self.reason,
            "seconds": round(self.seconds, 6),
            "stages": [stage.to_data() for stage in self.stages],
            "backend": self.backend,
            "encoding": dict(self.encoding),
            "options": self.options.to_data(),
            "versions": versions(),
        }

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Self:
        """Return the result for data of `to_data`."""
        with reading(cls):
            return cls(
                Answer(data["answer"]),
                None if data["values"] is None else Values.from_data(data),
                None if data["failed"] is None else tuple(data["failed"]),
                data["reason"],
                data["seconds"],
                tuple(map(Stage.from_data, data["stages"])),
                data["backend"],
                data["encoding"],
                Options.from_data(data["options"]),
            )


def solve_model(
    model: Model,
    *,
    backend: str = "auto",
    encoding: Mapping[str, str] | None = None,
    formulation: Mapping[str, str] | None = None,
    assumptions: Iterable[int] = (),
    presolve: str = "probe",
    time_limit_s: float | None = None,
    memory_limit_mib: int | None = None,
    seed: int = 0,
) -> ModelResult:
    """Find values that satisfy a model.

        >>> builder = nonosat.ModelBuilder()
        >>> x, y = builder.new_vars(2)
        >>> builder.add([x, y])
        >>> nonosat.solve_model(builder.build(), assumptions=[-x]).values.true()
        [2]
        >>> nonosat.solve_model(builder.build(), assumptions=[-x, -y]).answer.value
        'unsat'

    Args:
        model: Model of `ModelBuilder.build`, or a `Model` made by hand.
        backend: Name of a backend; "auto" is `learn`.
        encoding: Encoding by constraint kind, such as {"count": "totalizer"}.
        formulation: CP-SAT formulation by constraint kind.
        assumptions: Literals assumed to be true; if they are refuted, `failed` lists them.
        presolve: How far rows and columns are propagated first, if the model consists of them and
            there are no assumptions: "none", "propagate" or "probe".
        time_limit_s: Wall seconds; None is without limit.
        memory_limit_mib: Resident memory of the solving process; None is without limit.
        seed: Random seed, for engines that take one.

    Raises:
        PuzzleError: The model is invalid; the message states why.
        UnsupportedError: Options that cannot be combined; the message lists what would work.
        BackendError: An engine failed, or (RefutedError) returned values that the model refutes.
    """
    started = perf_counter()
    options = Options(
        backend=backend,
        encoding=encoding or {},
        formulation=formulation or {},
        presolve=presolve,
        time_limit_s=time_limit_s,
        memory_limit_mib=memory_limit_mib,
        seed=seed,
    )
    run = _ModelSearch(model, options, assumptions)
    with closing(run.solutions()) as solutions:
        values = run.next_of(solutions)
    return _result(run, values, options, perf_counter() - started)


def _result(
    run: _ModelSearch, values: Values | None, options: Options, seconds: float
) -> ModelResult:
    """Return the result of a run with at most one solution."""
    unsat = Answer.UNSAT if run.is_exhausted else Answer.UNKNOWN
    return ModelResult(
        answer=unsat if values is None else Answer.SAT,
        values=values,
        failed=run.failed,
        reason=run.reason or ("" if values is not None else run.refuted),
        seconds=seconds,
        stages=tuple(run.stages),
        backend=run.backend,
        encoding=run.encoding,
        options=options,
    )


def enumerate_model(
    model: Model,
    limit: int | None = None,
    *,
    backend: str = "auto",
    encoding: Mapping[str, str] | None = None,
    formulation: Mapping[str, str] | None = None,
    presolve: str = "probe",
    time_limit_s: float | None = None,
    memory_limit_mib: int | None = None,
    seed: int = 0,
) -> Iterator[Values]:
    """Yield all solutions of a model, each once; arguments as for `solve_model`.

    Solutions that agree on the model's `blocked_on` count as one; by default these are all
    variables.

        >>> builder = nonosat.ModelBuilder()
        >>> builder.add(nonosat.Count(builder.new_vars(4), 1, 1))
        >>> sorted(values.true() for values in nonosat.enumerate_model(builder.build()))
        [[1], [2], [3], [4]]

    Args:
        model: Model of `ModelBuilder.build`, or a `Model` made by hand.
        limit: Stop after this number of solutions; None means all.
        backend, encoding, formulation, presolve, seed, memory_limit_mib: As for `solve_model`.
        time_limit_s: Wall seconds for the whole enumeration.

    Raises:
        LimitReached: A limit was hit before the last solution; the message names it.
        PuzzleError, UnsupportedError, BackendError: As for `solve_model`.
    """
    options = Options(
        max_solutions=limit,
        backend=backend,
        encoding=encoding or {},
        formulation=formulation or {},
        presolve=presolve,
        time_limit_s=time_limit_s,
        memory_limit_mib=memory_limit_mib,
        seed=seed,
    )
    return _enumerated(_ModelSearch(model, options))


def _enumerated(run: _ModelSearch) -> Iterator[Values]:
    count = 0
    with closing(run.solutions()) as solutions:
        while count != run.options.max_solutions:
            if (values := run.next_of(solutions)) is None:
                break
            count += 1
            yield values
    if run.reason:
        raise LimitReached(f"the enumeration is incomplete: {run.reason}")


class _ModelSearch:
    """Search for the solutions of one model; `solutions` fills in the attributes.

    Attributes:
        is_exhausted: True if there are no further solutions.
        reason: The limit that was hit.
        refuted: Reason why there is no solution, in words: a contradictory place, or a complete
            search; "" if there is none.
        failed, stages, backend, encoding: As in `ModelResult`.
    """

    def __init__(self, model: Model, options: Options, assumptions: Iterable[int] = ()) -> None:
        self.options = options
        self.backend = engine_of(options)
        engine_choices(options)  # raises now, not at the first solution
        self.watch = Watch(Limits(options.time_limit_s, options.memory_limit_mib))
        self.is_exhausted = False
        self.refuted = ""
        self.failed: tuple[int, ...] | None = None
        self.stages: list[Stage] = []
        self.encoding: Mapping[str, str] = {}
        self._seen: set[bytes] = set()
        # Checking a million clauses takes seconds.
        self.reason = run_limited(self.watch, lambda: self._take(model, assumptions))

    def _take(self, model: Model, assumptions: Iterable[int]) -> None:
        """Check model and options; raise PuzzleError for an invalid model."""
        self._model = checked_model(model)
        self._assumptions = literals("assumptions", assumptions, model.num_vars)
        blocked_on = self._model.blocked_on
        every = range(1, model.num_vars + 1)
        self._apart = dict.fromkeys(every if blocked_on is None else blocked_on)

    def next_of(self, solutions: Iterator[Values]) -> Values | None:
        """Return the next solution; None at the end, or after a limit was hit."""
        if self.reason:
            return None
        try:
            return within(self.watch, lambda: next(solutions, None))
        except LimitReached as limit:
            self.is_exhausted = False
            self.reason = str(limit)
            return None

    def solutions(self) -> Generator[Values, None, None]:
        """Yield solutions of the model, each checked and distinct."""
        reduced = yield from self._presolved()
        if self.is_exhausted:
            return
        started = perf_counter()
        choices, seed = engine_choices(self.options), self.options.seed
        oracle = Oracle.of(reduced.model, self.backend, self.watch, choices, seed)
        with closing(oracle):
            self.encoding = oracle.encoding
            size = oracle.size.detail()
            self._stage("encode", started, variables=reduced.model.num_vars, **size)
            yield from self._searched(oracle, reduced)

    def _searched(self, oracle: Oracle, reduced: Reduced) -> Iterator[Values]:
        """Yield the engine's solutions until there are none left."""
        try:
            while (answer := oracle.solve(self._assumptions)) is Answer.SAT:
                values = Values(reduced.lift(oracle.values()))
                yield self._accepted(oracle.suspects, values)
                oracle.block(self._marks(reduced, values))
        finally:
            detail = {"engine": oracle.name, **oracle.statistics()}
            self.stages.append(Stage("solve", oracle.seconds, 0, detail))
        if answer is Answer.UNKNOWN:
            raise self.watch.limit()
        self.is_exhausted = True
        what = "the model and the assumptions" if self._assumptions else "the model"
        self.refuted = f"a complete search by {oracle.name} finds no values for {what}"
        if not self._assumptions:
            self.failed = ()
        elif names_failed(oracle.name):
            self.failed = oracle.failed()

    def _marks(self, reduced: Reduced, values: Values) -> list[int]:
        """Return the reduced model's literals whose conjunction excludes all other solutions."""
        pairs = enumerate(reduced.origin)
        lits = [own if values[var] else -own for own, var in pairs if var in self._apart]
        return [lit for lit in lits if lit > 0] if self._model.blocked_by_true else lits

    def _accepted(self, by: AnswerSource, values: Values) -> Values:
        """Return the values; raise RefutedError if they are no solution, or a known one."""
        refuse_wrong(by, self._model.constraints(), self._assumptions, values)
        key = bytes(values.data[var] for var in self._apart)
        if key in self._seen:
            raise RefutedError(f"{by} gave the same solution twice", advice=by.advice())
        self._seen.add(key)
        return values

    # Rows and columns

    def _presolved(self) -> Generator[Values, None, Reduced]:
        """Return the model that propagation and probing leave; None if they decide it."""
        whole = PresolvedModel(self._model, None, None)
        if self.options.presolve == "none" or self._assumptions:
            return whole.whole()
        task = PresolvedModel.of(self._model, self.watch.check)
        if task.board is None:
            return whole.whole()
        for done in presolved(task, self.watch, level=self.options.presolve):
            self.stages.append(done.stage)
            if not done.is_consistent or not task.num_open():
                self.backend = done.stage.name
                if done.is_consistent:
                    yield self._accepted(AnswerSource(self.backend), Values(task.values()))
                self.is_exhausted, self.refuted = True, done.reason
                self.failed = ()
                break
        return task.reduce(self.watch.check)

    def _stage(self, name: str, started: float, decided: int = 0, **detail: Any) -> None:
        self.stages.append(Stage(name, perf_counter() - started, decided, detail))
