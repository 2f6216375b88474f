"""How likely each cell of a puzzle is filled, from what line propagation leaves open."""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter

from nonosat import families
from nonosat.board.beliefs import Beliefs, Settings, beliefs
from nonosat.board.presolve import Task, presolved
from nonosat.limits import Limits, Watch
from nonosat.plugins import Puzzle
from nonosat.processes.guard import cut_by
from nonosat.questions.reply import Reply
from nonosat.result import Verdict


@dataclass(frozen=True, slots=True)
class Estimate(Reply):
    """Beliefs about a puzzle, or why there are none; the other fields are those of `Reply`.

    Args:
        found: None where `verdict` is "unsolvable" or "unknown".
        num_open: Cells that propagation left open.
        verdict: What the attempt decided by the way; None where it decided nothing.
    """

    found: Beliefs | None
    num_open: int = 0
    verdict: str | None = None

    def told(self) -> str:
        """How many cells the estimate is about, or the verdict."""
        return self.verdict or f"{self.num_open} open cells"


def estimate(puzzle: Puzzle, settings: Settings, limits: Limits) -> Estimate:
    """Beliefs about a puzzle, from what line propagation leaves open.

    Args:
        puzzle: Of a family whose models are rows and columns.
        settings: How messages are exchanged.
        limits: Of time and memory; hitting one is a result.

    Raises:
        UnsupportedError: The puzzle's model has no rows and columns.
    """
    watch, started = Watch(limits), perf_counter()
    family = families.family_of(puzzle)
    found: Beliefs | None = None
    num_open, reason = 0, ""

    def work() -> None:
        nonlocal found, num_open, reason
        if reason := family.obstacle(puzzle) or "":
            return
        task = Task.of(family.build(puzzle), watch.check)
        signs = families.signs(puzzle)
        for done in presolved(task, watch, level="propagate", signs=signs):
            reason = done.reason
        if not reason:
            found = beliefs(task, settings, watch)
            num_open = task.num_open()

    limit = cut_by(watch, work)
    verdict = Verdict.UNKNOWN if limit else Verdict.UNSOLVABLE if reason else None
    return Estimate(
        puzzle,
        None if limit else found,
        num_open,
        verdict and verdict.value,
        reason=limit or reason,
        seconds=perf_counter() - started,
        limits=limits,
    )
