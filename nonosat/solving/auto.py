"""Turns of the learning search: the runs with a budget into which the backend `auto` divides it.

The backend `auto` makes several short attempts on a puzzle; if none decides it, the learning search
follows, in turns of growing length with different phases. native/strategy/turns.hpp plans the
turns, native/strategy/strategy.hpp the attempts before them, and native/strategy/budgets.hpp has
the budgets of both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from nonosat import _core
from nonosat._core import BUDGETS

if TYPE_CHECKING:
    from nonosat.board.phases import How

ENGINE = "learn"
# Conflicts of one engine before it is worth while to split a puzzle into cubes (CUBES.md), since
# each process learns anew what it needs: after the first solution, and before it.
WHOLE_CONFLICTS = 10_000
UNSOLVED_CONFLICTS = 100_000


@dataclass(frozen=True, slots=True)
class SearchRound:
    """One turn of an engine: a run within a budget, after which another step or turn may follow.

    Args:
        budget: Limit in the engine's own unit of work; None is without limit.
        phases: Settings of the beliefs or of the decimation that set its phases, or the result of a
            decimation; None for no phases.
        pauses: True if another step runs before the next turn.
        is_near: True if the phases come from a known solution, to find another one close to it.
    """

    budget: int | None = None
    phases: How | None = None
    pauses: bool = False
    is_near: bool = False

    def near_solution(self) -> SearchRound:
        """Return the turn with its budget reduced to at most `BUDGETS.near` conflicts.

        This budget applies to the rest of a turn whose phases have led to a solution: a second
        solution is often close to the first.
        """
        if self.budget is None:
            return self
        return replace(self, budget=min(self.budget, BUDGETS.near))


def turns(phases: How | None, is_solved: Callable[[], bool]) -> Iterator[SearchRound]:
    """Yield turns of growing length, each with phases from another seed; the last has no limit.

    Args:
        phases: Phases of the first turn; None for none in any turn.
        is_solved: Returns True if a solution has been found.
    """
    plan = _core.Turns(BUDGETS, phases is not None, pauses=False)
    return taken(lambda: plan.next(is_solved()), lambda: phases)


def within(turns: Iterator[SearchRound], budget: int) -> Iterator[SearchRound]:
    """Yield turns until their budgets add up to `budget`; the last is shortened."""
    while budget:
        turn = next(turns)
        most = min(turn.budget or budget, budget)
        yield replace(turn, budget=most)
        budget -= most


def before_cubes(
    turns: Iterator[SearchRound], is_solved: Callable[[], bool]
) -> Iterator[SearchRound]:
    """Yield the turns of one engine on a whole puzzle, until it pays to split it into cubes.

    Args:
        turns: All turns.
        is_solved: Returns True if a solution has been found.
    """
    left = UNSOLVED_CONFLICTS
    for turn in within(turns, left):
        rest = turn.budget or 0
        while rest and left:
            left = min(left, WHOLE_CONFLICTS) if is_solved() else left
            # Turns with phases are short; others end soon after a solution that they find.
            most = min(rest, left, rest if turn.phases else WHOLE_CONFLICTS)
            yield replace(turn, budget=most, pauses=turn.pauses and most == rest)
            rest, left = rest - most, left - most


def taken(
    plan: Callable[[], _core.Turn], phases: Callable[[], How | None]
) -> Iterator[SearchRound]:
    """Yield planned turns up to the last one, which has no limit.

    Args:
        plan: Returns the next turn.
        phases: Returns the phases of the first turn; later turns use them with other seeds.
    """
    while True:
        turn = plan()
        how = phases() if turn.is_near or turn.restart is not None else None
        if how is not None and turn.restart:
            how = how.restarted(turn.restart)
        yield SearchRound(turn.budget, how, turn.pauses, turn.is_near)
        if turn.budget is None:
            return
