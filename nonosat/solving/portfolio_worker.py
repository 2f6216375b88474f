"""One engine that runs through a sequence of turns, as a generator.

The generator yields at a solution, at the end of a turn and at a pause. It may be resumed in the
same thread or in another one (`solving/session.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from enum import Enum
from typing import TYPE_CHECKING

from nonosat.core.errors import LimitReached
from nonosat.core.limits import InterruptibleWatch
from nonosat.core.plugins import Answer, Engine
from nonosat.solving.auto import SearchRound
from nonosat.solving.oracle import Oracle

if TYPE_CHECKING:
    from nonosat.board.phases import Phases


class PauseReason(Enum):
    """Reason of a pause without a solution."""

    TURN = "next turn needed; None ends the course"
    PAUSE = "pause of its turn"
    ROUND = "end of a round of conflicts"
    CALLED = "cores for further workers"


Course = Generator[bytes | PauseReason, SearchRound | None, None]


class PortfolioWorker:
    """An oracle that runs search rounds.

    Args:
        oracle: An oracle with a model.
        phases: Source of phases for it; None if there is none.

    Attributes:
        oracle, phases: The arguments.
        watch: Limits of all work.
        is_called: Return True if the engine must pause in the middle of a turn; None if it never
            must.
        is_exhausted: There are no further solutions.
    """

    def __init__(self, oracle: Oracle, phases: Phases | None) -> None:
        self.oracle, self.phases, self.watch = oracle, phases, oracle.watch
        self.is_called: Callable[[], bool] | None = None
        self.is_exhausted = False
        self._is_led = False

    def twin(self, engine: Engine) -> PortfolioWorker:
        """Return a worker with another engine for the same model, and phases of its own."""
        made = PortfolioWorker(self.oracle.twin(engine), self.phases and self.phases.twin())
        made.watch, made.is_called = self.watch, self.is_called
        made._is_led = self._is_led  # the engine was copied with its phases
        return made

    def course(self, seen: Sequence[bytes], round_budget: int | None = None) -> Course:
        """Yield the values of each solution, until the turns are over or there are no more.

        Args:
            seen: Solutions found so far; the engine has blocking clauses for them.
            round_budget: Pause after this amount of the engine's work, even in the middle of a
                turn.

        Raises:
            LimitReached: A limit ended it.
        """
        while (turn := (yield PauseReason.TURN)) is not None:
            if self.phases and turn.phases and (turn.is_near or not seen):
                self.phases.give(self.oracle.engine, turn.phases, self.watch)
                self._is_led = True
            elif self._is_led and not turn.phases:
                self.oracle.set_phases(())
                self._is_led = False
            while (answer := (yield from self._answer(turn.budget, round_budget))) is Answer.SAT:
                values = self.oracle.values()
                yield values
                if turn.phases:  # a second solution is often close to the first
                    self.oracle.set_phases([v if values[v] else -v for v in range(1, len(values))])
                    turn = turn.near_solution()
            if answer is Answer.UNSAT:
                self.is_exhausted = True
                return
            if self.watch.reason():
                raise self.watch.limit()
            if turn.budget is None:
                raise LimitReached(self.oracle.engine.reason() or f"{self.oracle.name} gave up")
            if turn.pauses:
                yield PauseReason.PAUSE

    def _answer(
        self, budget: int | None, round_budget: int | None
    ) -> Generator[PauseReason, SearchRound | None, Answer]:
        """Return the engine's answer within a budget, with a pause after each round."""
        left = budget
        while True:
            piece = min((most for most in (left, round_budget) if most is not None), default=None)
            answer = self._query(piece)
            while answer is Answer.UNKNOWN and self._was_called():  # not charged to the budget
                yield PauseReason.CALLED
                answer = self._query(piece)
            if answer is not Answer.UNKNOWN or piece == left or self.watch.reason():
                return answer
            if left is not None and piece is not None:
                left -= piece
            yield PauseReason.ROUND

    def _was_called(self) -> bool:
        return self.is_called is not None and not self.watch.reason() and self.is_called()

    def _query(self, budget: int | None) -> Answer:
        watch = InterruptibleWatch(self.watch, self.is_called) if self.is_called else self.watch
        return self.oracle.solve((), budget, watch)
