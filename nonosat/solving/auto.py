"""How the backend `auto` searches the cells that presolve leaves open, in which order.

A short native search settles most small puzzles, prices settle structured ones: they are asked for
a solution, and once there is one, whether there can be another. Before them, dives find solutions
of much structure (`board/dives.py`); on other puzzles they are over in 0.3 ms. Decimation finds
solutions where there are many, and most that are the only one. The learning search takes what is
left: its decisions follow decimation, drawn anew from other starts when they lead nowhere; in its
last turn it decides on its own and proves that there are no more. The budgets are those of the
native sequence (native/strategy/budgets.hpp).
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
    """One go of an engine.

    Args:
        budget: What it may do, in the engine's own unit; None is without end.
        phases: Settings of the beliefs, or of the decimation, that it follows, or what a decimation
            has come to; None for nothing.
        pauses: Whether something else has a go after it, before the next turn.
        is_near: Whether the phases are of a solution that has been given: another is often close.
    """

    budget: int | None = None
    phases: How | None = None
    pauses: bool = False
    is_near: bool = False

    def near_solution(self) -> SearchRound:
        """What is left of the turn once the engine has been led to a solution."""
        if self.budget is None:
            return self
        return replace(self, budget=min(self.budget, BUDGETS.near))


def turns(phases: How | None, is_solved: Callable[[], bool]) -> Iterator[SearchRound]:
    """Turns of growing length, each with phases from another start; at last one without end.

    Once there is a solution, phases have done what they can. Where the first turns do not lead to
    any, turns without phases come between: some puzzles are misled by all phases.

    Args:
        phases: What the first turn follows; None for nothing in any turn.
        is_solved: Whether there is a solution.
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
    """The same turns, with pauses whenever as many conflicts have gone by as before the last pause.

    A last turn without end becomes turns of growing length, and one without end far behind them.
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
