"""What is counted: the cells of a board, or the variables of a model by which solutions differ.

Either hands out native counters, and takes what a backbone settles: the next counter knows of it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Protocol

from nonosat import _core
from nonosat.board import presolve
from nonosat.core.grid import UNKNOWN, Grid
from nonosat.core.limits import Watch
from nonosat.core.model import Model
from nonosat.core.plugins import Puzzle
from nonosat.questions.backbone_result import BackboneResult
from nonosat.questions.facts import places_of
from nonosat.questions.loop_models import Loops, loops_of
from nonosat.questions.rule_models import Rules, rules_of

_OF_BOARDS = {
    "components": "num_components",
    "frontiers": "num_frontiers",
    "nodes": "num_nodes",
    "recalled": "num_recalled",
}
_OF_LOOPS = {"edges": "num_steps", "width": "width", "states": "num_states"}
_OF_RULES = {"nodes": "num_nodes", "recalled": "num_recalled"}


class Counter(Protocol):
    """A native counter under way; `total` is its number, or a lower bound."""

    @property
    def total(self) -> bytes: ...
    @property
    def is_exact(self) -> bool: ...
    def run(
        self, budget: int, remaining_s: float | None = None, poll: Callable[[], bool] | None = None
    ) -> bool | None: ...


class Countable(ABC):
    """What counters are made of.

    Attributes:
        details: What a stage tells of a counter, by attribute.
        factor: Number of solutions of the puzzle for each one that a counter counts.
    """

    details: Mapping[str, str]
    factor = 1

    @abstractmethod
    def counter(self, max_bytes: int, watch: Watch) -> Counter:
        """A counter that has not begun."""

    @abstractmethod
    def settle(self, common: BackboneResult, watch: Watch) -> bool:
        """Take over what is settled; whether the next counter would know more than the last one.

        Raises:
            LimitReached: The watch ended it.
        """

    def note(self, counter: Counter, common: BackboneResult) -> None:
        """Tell a counter that has begun of the solutions that were found, if it takes them."""
        del counter, common

    def is_spent(self, counter: Counter) -> bool:
        """Whether the counter cannot go on for want of memory."""
        return False


class BoardCountable(Countable):
    """A propagated board, which only the last counter may change."""

    details = _OF_BOARDS

    def __init__(self, board: _core.Board) -> None:
        self._board = board

    def counter(self, max_bytes: int, watch: Watch) -> _core.Counter:
        return _core.Counter(self._board, max_bytes)

    def settle(self, common: BackboneResult, watch: Watch) -> bool:
        settled = common.settled
        assert isinstance(settled, Grid)  # of a board
        cells = zip(settled.cells, self._board.cells(), strict=True)
        if not any(value != UNKNOWN and known == presolve.OPEN for value, known in cells):
            return False
        self._board.assign_cells(settled.cells)
        if self._board.propagate(watch.remaining_s(), watch.poll) is None:
            raise watch.limit()
        return True

    def note(self, counter: Counter, common: BackboneResult) -> None:
        assert isinstance(counter, _core.Counter)
        for grid in common.solutions:
            counter.note(grid.cells)


class ModelCountable(Countable):
    """A model that is no board: about the edges of one loop alone, or about anything.

    Attributes:
        units: Literals that hold in what the next counter counts.
    """

    def __init__(
        self, puzzle: Puzzle, model: Model, watch: Watch, factor: int | None = None
    ) -> None:
        """Store what native code counts; raises what `rules_of` raises.

        Args:
            puzzle: The puzzle.
            model: Its model.
            watch: Ends the translation of the model.
            factor: For a model of `Family.tally`: its variables are not those of the puzzle's
                model, so that nothing of a backbone applies to them.
        """
        self.factor = factor or 1
        self._vars = {} if factor else places_of(puzzle, model)
        self.units: list[int] = []
        loops = loops_of(model)
        self._source: Loops | Rules = rules_of(model, watch) if loops is None else loops
        self.details = _OF_RULES if loops is None else _OF_LOOPS

    def counter(self, max_bytes: int, watch: Watch) -> Counter:
        return self._source.counter(self.units, max_bytes, watch)

    def settle(self, common: BackboneResult, watch: Watch) -> bool:
        on, off = (common.settled.having(value) for value in (1, 0))
        signed = ((1, on), (-1, off))
        units = [
            sign * self._vars[place]
            for sign, places in signed
            for place in places
            if place in self._vars
        ]
        has_news, self.units = len(units) > len(self.units), units
        return has_news

    def is_spent(self, counter: Counter) -> bool:
        assert isinstance(counter, _core.LoopCount | _core.RulesCount)
        return counter.is_full
