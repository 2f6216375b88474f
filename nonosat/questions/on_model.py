"""Backbone over the places that a family names: of a model without a board, by an engine alone.

Encodings may be lazy: an assignment of the engine counts once no refiner adds a clause.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from nonosat.board.presolve import PresolvedModel
from nonosat.core import families
from nonosat.core.answer_source import AnswerSource
from nonosat.core.limits import Watch
from nonosat.core.plugins import Puzzle
from nonosat.core.result import Options
from nonosat.core.wording import place_text
from nonosat.questions.backbone_state import BackboneState
from nonosat.questions.place_assignment import Place, places_of
from nonosat.questions.solution_oracle import Budget, OracleFactory, SolutionOracle
from nonosat.solving.choices import choices_of
from nonosat.solving.solve_log import SolveLog

ENGINE = "learn"  # keeps learnt clauses while cuts are added, in this process


class OnModel:
    """Computation of the backbone of a puzzle without a board, over its places.

    Attributes:
        places: The places in order; `known` refers to them by index.
        known: The backbone so far.
        spread: Places in which some solution that was found differs from `against`.
    """

    def __init__(self, log: SolveLog, factory: ModelOracleFactory, against: Any = None) -> None:
        """Prepare the computation; `against` is a solution to compare all others with, or None."""
        self.places: Sequence[Place] = tuple(factory.places)
        self.known = BackboneState(log, len(self.places), lambda at: place_text(self.places[at]))
        self.spread: set[tuple[int, int]] = set()
        self._against = against
        self._log = log
        self._factory = factory

    def work(self, jobs: int = 1) -> None:
        """Compute the backbone; raise LimitReached at a limit."""
        with self._factory as factory:
            if self.known.first is None:
                values = factory.first()
                if values is None:
                    self.known.refute(f"a complete search by {ENGINE} finds no solution")
                    return
                self._take(values)
            self.known.query(factory, self._take, jobs)

    def _take(self, values: bytes) -> None:
        self.take(values, self._factory.suspects)

    def take(self, values: bytes, by: AnswerSource) -> None:
        """Verify a solution, and add it to the known ones."""
        solution = self._log.decoded(by, values)
        if self._against is not None:
            self.spread.update(self._against.differences(solution))
        self.known.take(by.backend, solution, self._factory.cells_of(values))


class ModelOracleFactory(OracleFactory):
    """Factory of oracles for a model without a board; its places are numbered from 0.

    Args:
        puzzle: The puzzle.
        task: Model of the puzzle; a board must be propagated, and not change while engines exist.
        watch: Limits of queries.
        budget: Budget of the queries.

    Attributes:
        places: Maps each place, in order, to the variable that decides it.
    """

    def __init__(self, puzzle: Puzzle, task: PresolvedModel, watch: Watch, budget: Budget) -> None:
        self.places: Mapping[Place, int] = places_of(puzzle, task.model)
        self._vars = variables = tuple(self.places.values())
        choices = choices_of(Options(), families.family_of(puzzle))
        super().__init__(task, lambda at: variables[at : at + 1], watch, budget, choices)
        self.engine = ENGINE
        self._spare: SolutionOracle | None = None

    def __enter__(self) -> ModelOracleFactory:
        self._first = self._spare = super().open(self.watch)
        return self

    def __exit__(self, *_: object) -> None:
        if self._spare is not None:
            self._spare.close()

    def first(self) -> bytes | None:
        """Return values of some solution; None if there is none."""
        return self._first.solved()

    @property
    def suspects(self) -> AnswerSource:
        """Return the source of the answers."""
        return self._first.oracle.suspects

    def cells_of(self, values: bytes) -> bytes:
        """Return a byte for each place: 1 if it is chosen in a solution with these values."""
        return bytes(values[var] for var in self._vars)

    def open(self, watch: Watch) -> SolutionOracle:
        """Return the engine that gave the first solution, then new ones."""
        oracle, self._spare = self._spare, None
        return oracle or super().open(watch)

    def copy(self) -> OracleFactory:
        """Return this object if there is no board: no thread changes a model."""
        return self if self._task.any_board is None else super().copy()
