"""The certainty of a model that is no board: by an engine alone, over what its family names.

Encodings may be lazy: a model of the engine counts once no refiner has anything to add.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from nonosat.core import families
from nonosat.core.limits import Watch
from nonosat.core.model import Model
from nonosat.core.plugins import Answer, Puzzle
from nonosat.core.result import Options
from nonosat.core.wording import place_text
from nonosat.questions.asker import Budget, Questioned, Subject
from nonosat.questions.certainty import Certainty
from nonosat.questions.facts import Place, places_of
from nonosat.solving.findings import Findings
from nonosat.solving.live import LiveModel

ENGINE = "learn"  # keeps what it has learnt while cuts are added, in this process


class OnModel:
    """What is known of the places of a model, and the way to more.

    Attributes:
        places: In order; `known` numbers them.
        known: What is certain of them.
        spread: Where any solution that was found differs from the one it is held against.
    """

    def __init__(self, log: Findings, subject: ModelSubject, against: Any = None) -> None:
        """`against`: a solution, where it is asked what others differ in from it."""
        self.places: Sequence[Place] = tuple(subject.places)
        self.known = Certainty(log, len(self.places), lambda at: place_text(self.places[at]))
        self.spread: set[tuple[int, int]] = set()
        self._against = against
        self._log = log
        self._subject = subject

    def work(self, jobs: int = 1) -> None:
        """Find out; LimitReached where a limit is hit."""
        with self._subject as subject:
            values = subject.first()
            if values is None:
                self.known.refute(f"a complete search by {ENGINE} finds no solution")
                return
            self._take(values)
            self.known.ask(subject, self._take, jobs)

    def _take(self, values: bytes) -> None:
        solution = self._log.decoded(self._subject.suspects, values)
        if self._against is not None:
            self.spread.update(self._against.differences(solution))
        self.known.take(ENGINE, solution, self._subject.cells_of(values))


class ModelSubject(Subject):
    """A model that engines are told.

    Args:
        puzzle: The puzzle whose model it is.
        model: The model.
        watch: Ends questions.
        budget: What it may take.

    Attributes:
        places: By place, in order, the variable that decides it.
    """

    def __init__(self, puzzle: Puzzle, model: Model, watch: Watch, budget: Budget) -> None:
        self.watch, self.budget = watch, budget
        self.places: Mapping[Place, int] = places_of(puzzle, model)
        self._model = model
        self._vars = tuple(self.places.values())
        self._options = Options(backend=ENGINE, encoding=dict(families.family_of(puzzle).encodings))
        self._spare: ModelAsker | None = None

    def __enter__(self) -> ModelSubject:
        self._first = self._spare = ModelAsker(self._model, self._vars, self._options, self)
        return self

    def __exit__(self, *_: object) -> None:
        if self._spare is not None:
            self._spare.close()

    def first(self) -> bytes | None:
        """Values of some solution; None where there is none."""
        return self._first.solved(())

    @property
    def suspects(self) -> Any:
        """What gives the answers."""
        return self._first.live.suspects

    def cells_of(self, values: bytes) -> bytes:
        """A byte a place."""
        return bytes(values[var] for var in self._vars)

    def open(self, watch: Watch) -> Questioned:
        asker, self._spare = self._spare, None
        return asker or ModelAsker(self._model, self._vars, self._options, self, watch)

    def copy(self) -> Subject:
        return self  # nobody changes a model


class ModelAsker(Questioned):
    """An engine that knows a model; places are the numbers of its variables.

    Attributes:
        live: The engine.
    """

    def __init__(
        self,
        model: Model,
        variables: Sequence[int],
        options: Options,
        subject: Subject,
        watch: Watch | None = None,
    ) -> None:
        self.watch = watch or subject.watch
        self._vars = variables
        self._budget = subject.budget
        self.live = LiveModel(model.num_vars, options, self.watch)
        self._num_vars = model.num_vars
        try:
            self.live.tell(model)
        except BaseException:
            self.close()
            raise

    def solved(self, assumptions: Sequence[int]) -> bytes | None:
        left = self._budget.conflicts_left(self.live.statistics())
        answer = self.live.ask(assumptions, self.watch, left)
        if answer is Answer.UNKNOWN:
            raise self.watch.limit()
        if answer is Answer.UNSAT:
            return None
        return self.live.values().data[: self._num_vars + 1]

    def _new_var(self) -> int:
        self.live.grow(self.live.num_vars + 1)
        return self.live.num_vars

    def _add(self, clause: Sequence[int]) -> None:
        self.live.forbid([-lit for lit in clause])

    def _suggest(self, lits: Sequence[int]) -> None:
        self.live.suggest(lits)

    def _value(self, cell: int, values: bytes) -> int:
        return values[self._vars[cell]]

    def _unlike(self, cell: int, value: int) -> tuple[int]:
        return (-self._vars[cell] if value else self._vars[cell],)

    def close(self) -> None:
        self.live.close()
