"""What the backend `auto` does with what presolve leaves open, and with which budgets.

A short native search settles most small puzzles. What it leaves is given to an in-process engine
whose decisions follow beliefs, on large boards decimation, drawn anew from other starts when they
lead nowhere; that finds solutions where there are many. The last engine is the one that proves best
that there are no more. Budgets are counts of work, not seconds, so that they are deterministic;
benchmarks/README.md has the measurements behind them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nonosat.hints import How

PROBE_WORK = 500_000_000  # units of native work, about a nanosecond each
SEARCH_WORK = 2_000_000
HINTED_ENGINE = "minisat-gh"  # follows its phases whatever it has learnt, unlike Glucose
LAST_ENGINE = "glucose421"
DECIMATED_OPEN = 2000  # cells; from there on decimation leads further than beliefs alone
HINTED_TURNS = 14
TURN_CONFLICTS = 500  # the k-th turn has k times as many
PROOF_CONFLICTS = 2000


@dataclass(frozen=True, slots=True)
class Turn:
    """One go of an engine.

    Args:
        budget: What it may do, in the engine's own unit; None is without end.
        hints: Settings of the beliefs, or of the decimation, that it follows; None is no hints.
    """

    budget: int | None = None
    hints: How | None = None


def hinted_turns(settings: How, is_solved: Callable[[], bool]) -> Iterator[Turn]:
    """Turns of growing length; all but the first start the beliefs at random.

    Once there is a solution, hints have done what they can, and one last turn tries to show that
    there is no other.
    """
    hints = settings
    for turn in range(1, HINTED_TURNS + 1):
        yield Turn(TURN_CONFLICTS * turn, hints)
        if is_solved():
            yield Turn(PROOF_CONFLICTS, hints)
            return
        hints = settings.restarted(turn)
