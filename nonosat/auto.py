"""What the backend `auto` does with what presolve leaves open, and with which budgets.

A short native search settles most small puzzles. What it leaves is given to an in-process engine
whose decisions follow beliefs, drawn anew from other starts when they lead nowhere; that finds
solutions where there are many. The last engine is the one that proves best that there are no more.
Budgets are counts of work, not seconds, so that they are deterministic; benchmarks/README.md has
the measurements behind them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from nonosat.beliefs import Settings

PROBE_WORK = 500_000_000  # units of native work, about a nanosecond each
SEARCH_WORK = 30_000_000
HINTED_ENGINE = "minisat-gh"  # follows its phases whatever it has learnt, unlike Glucose
LAST_ENGINE = "glucose421"
HINTED_TURNS = 14
TURN_CONFLICTS = 500  # the k-th turn has k times as many
RESTART_SIGMA = 1.0


@dataclass(frozen=True, slots=True)
class Turn:
    """One go of an engine.

    Args:
        budget: What it may do, in the engine's own unit; None is without end.
        hints: Settings of the beliefs that it follows; None is no hints.
    """

    budget: int | None = None
    hints: Settings | None = None


def hinted_turns(settings: Settings) -> Iterator[Turn]:
    """Turns of growing length; all but the first start the beliefs at random."""
    yield Turn(TURN_CONFLICTS, settings)
    for turn in range(1, HINTED_TURNS):
        drawn = replace(
            settings, sigma=max(settings.sigma, RESTART_SIGMA), seed=settings.seed + turn
        )
        yield Turn(TURN_CONFLICTS * (turn + 1), drawn)
