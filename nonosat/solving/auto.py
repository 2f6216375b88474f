"""What the backend `auto` does with what presolve leaves open, and with which budgets.

A short native search settles most small puzzles. What it leaves is given to the learning search,
whose decisions follow beliefs, on large boards decimation, drawn anew from other starts when they
lead nowhere; that finds solutions where there are many. In its last turn it decides on its own and
proves that there are no more. Budgets are counts of work, not seconds, so that they are
deterministic; benchmarks/native/SEARCH.md has the measurements behind them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nonosat.board.phases import How

SEARCH_WORK = 500_000  # units of native work, about a nanosecond each
ENGINE = "learn"
DECIMATED_OPEN = 2000  # cells; from there on decimation leads further than beliefs alone
HINTED_TURNS = 14
TURN_CONFLICTS = 500  # the k-th turn has k times as many
ALONE_FROM = 3  # turn, behind which and each later one the engine has as many without hints


@dataclass(frozen=True, slots=True)
class Turn:
    """One go of an engine.

    Args:
        budget: What it may do, in the engine's own unit; None is without end.
        hints: Settings of the beliefs, or of the decimation, that it follows; None is no hints.
    """

    budget: int | None = None
    hints: How | None = None


def turns(hints: How | None, is_solved: Callable[[], bool]) -> Iterator[Turn]:
    """Turns of growing length, all but the first with hints from other starts; one without end.

    Once there is a solution, hints have done what they can. Where the first ones do not lead to
    any, turns without hints come between: some puzzles are misled by all of them.

    Args:
        hints: Those of the first turn; None is no hints at all.
        is_solved: Whether there is a solution.
    """
    if hints is not None:
        for turn in range(HINTED_TURNS):
            settings = hints.restarted(turn) if turn else hints
            yield Turn(TURN_CONFLICTS * (turn + 1), settings)
            if is_solved():
                break
            if turn + 1 >= ALONE_FROM:
                yield Turn(TURN_CONFLICTS * (turn + 1))
                if is_solved():
                    break
    yield Turn()
