"""How likely each cell of a puzzle is filled, from what line propagation leaves open."""

from __future__ import annotations

from typing import Any, NamedTuple

from nonosat import families
from nonosat.board.beliefs import Beliefs, Settings, beliefs
from nonosat.board.presolve import Task
from nonosat.errors import LimitReached
from nonosat.limits import Limits, Watch
from nonosat.processes.guard import Guard


class Estimate(NamedTuple):
    """Beliefs about a puzzle, or why there are none.

    Args:
        found: None where `verdict` is "unsolvable" or "unknown".
        num_open: Cells that propagation left open.
        verdict: What the attempt decided by the way; None where it decided nothing.
        reason: Of the verdict.
    """

    found: Beliefs | None
    num_open: int = 0
    verdict: str | None = None
    reason: str = ""


def estimate(puzzle: Any, settings: Settings, limits: Limits) -> Estimate:
    """Beliefs about a puzzle, from what line propagation leaves open.

    Args:
        puzzle: Of a family whose models are rows and columns.
        settings: How messages are exchanged.
        limits: Of time and memory; hitting one is a result.

    Raises:
        UnsupportedError: The puzzle's model has no rows and columns.
    """
    family = families.family_of(puzzle)
    if reason := family.obstacle(puzzle):
        return Estimate(None, verdict="unsolvable", reason=reason)
    watch = Watch(limits)
    try:
        with Guard(watch):
            task = Task.of(family.build(puzzle), watch.check)
            consistent = task.board is None or task.board.propagate(watch.remaining_s(), watch.poll)
            if consistent is None:
                raise watch.limit()
            found = beliefs(task, settings, watch) if consistent else None
            num_open = task.num_open()
    except LimitReached as limit:
        reason = str(limit) or str(watch.reason())
        return Estimate(None, verdict="unknown", reason=reason)
    except MemoryError as error:
        return Estimate(None, verdict="unknown", reason=f"out of memory: {error}".rstrip(": "))
    if found is None:
        return Estimate(None, verdict="unsolvable", reason="lines contradict each other")
    return Estimate(found, num_open)
