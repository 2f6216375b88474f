"""Progress of a batch."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from nonosat.batch.deciding import Record
from nonosat.batch.results import outcome_of
from nonosat.core import hooks


@dataclass(slots=True)
class BatchTally:
    """Progress of a batch in one call.

    Attributes:
        kept: Puzzles that an earlier call has recorded.
        done: Puzzles that this call has recorded.
        outcomes: Number of each outcome, in both.
        failed: Number of puzzles that this call recorded with a status other than "ok".
        slowest: Seconds and name of the puzzle that took longest.
        seconds: Since the start.
    """

    kept: int = 0
    done: int = 0
    failed: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)
    slowest: tuple[float, str] = (0.0, "")
    started: float = field(default_factory=lambda: hooks.clock())

    @property
    def seconds(self) -> float:
        return hooks.clock() - self.started

    def keep(self, outcome: str) -> None:
        """Count a puzzle that an earlier call has recorded."""
        self.kept += 1
        self.outcomes[outcome] += 1

    def count(self, record: Record) -> None:
        """Count a record of this call."""
        self.done += 1
        self.failed += record["status"] != "ok"
        self.outcomes[outcome_of(record)] += 1
        self.slowest = max(self.slowest, (record["seconds"], f"{record['file']}#{record['id']}"))

    def add(self, other: BatchTally) -> None:
        """Add the counts of another tally."""
        self.kept += other.kept
        self.done += other.done
        self.failed += other.failed
        self.outcomes += other.outcomes
        self.slowest = max(self.slowest, other.slowest)
