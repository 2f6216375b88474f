"""Search order of the backend `auto` for the cells that presolve leaves open.

A short native search decides most small puzzles, and prices decide structured ones: they search for
a solution, and after the first one for a proof that there is no other. Dives run before them and
find solutions with much structure (`board/dives.py`); on other puzzles they take 0.3 ms. Decimation
finds solutions of puzzles with many, and most unique ones. The learning search decides the rest:
its phases follow decimation, restarted from other seeds when they fail; its last turn has no phases
and proves that there are no further solutions. The budgets are those of the native sequence
(native/strategy/budgets.hpp).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from nonosat._core import BUDGETS

if TYPE_CHECKING:
    from nonosat.board.phases import How

ENGINE = "learn"
LONGEST_TURN = 2**22  # conflicts


@dataclass(frozen=True, slots=True)
class SearchRound:
    """One turn of an engine.

    Args:
        budget: Limit in the engine's own unit of work; None is without limit.
        phases: Settings of the beliefs or of the decimation that set its phases, or the result of a
            decimation; None for no phases.
        pauses: True if another step runs before the next turn.
        is_near: True if the phases come from a known solution: another is often close.
    """

    budget: int | None = None
    phases: How | None = None
    pauses: bool = False
    is_near: bool = False

    def near_solution(self) -> SearchRound:
        """Return the turn with the budget that remains after its phases led to a solution."""
        if self.budget is None:
            return self
        return replace(self, budget=min(self.budget, BUDGETS.near))


def turns(phases: How | None, is_solved: Callable[[], bool]) -> Iterator[SearchRound]:
    """Yield turns of growing length, each with phases from another seed; the last has no limit.

    After the first solution, phases are of no further use. If the first turns find no solution,
    turns without phases alternate with them, since all phases mislead the search on some puzzles.

    Args:
        phases: Phases of the first turn; None for no phases in any turn.
        is_solved: Return True if there is a solution.
    """
    if phases is not None and is_solved():
        from nonosat.board.decimation import Decimated

        if isinstance(phases, Decimated) and phases.is_complete:
            yield SearchRound(BUDGETS.close, phases, is_near=True)
    elif phases is not None:
        for turn in range(BUDGETS.led_turns):
            settings = phases.restarted(turn) if turn else phases
            yield SearchRound(BUDGETS.turn * (turn + 1), settings)
            if is_solved():
                break
            if turn + 1 >= BUDGETS.alone_from:
                yield SearchRound(BUDGETS.turn * (turn + 1))
                if is_solved():
                    break
    yield SearchRound()


def paused(turns: Iterable[SearchRound]) -> Iterator[SearchRound]:
    """Yield the turns, with a pause each time the number of conflicts has doubled.

    An unlimited last turn becomes turns of growing length, followed by an unlimited one.
    """
    passed, next_pause = 0, BUDGETS.pause
    for turn in turns:
        if turn.budget is None:
            while next_pause - passed <= LONGEST_TURN:
                yield replace(turn, budget=next_pause - passed, pauses=True)
                passed, next_pause = next_pause, 2 * next_pause
            yield turn
            return
        passed += turn.budget
        pauses = passed >= next_pause
        if pauses:
            next_pause = 2 * passed
        yield replace(turn, pauses=pauses)
