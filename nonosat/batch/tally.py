"""How far a batch is."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from time import monotonic

from nonosat.batch.deciding import Record
from nonosat.batch.results import outcome_of


@dataclass(slots=True)
class Tally:
    """How far a call has come.

    Attributes:
        kept: Puzzles that an earlier call has recorded.
        done: Puzzles that this call has recorded.
        outcomes: How many of each outcome, of both.
        failed: How many were recorded by this call with a status other than "ok".
        slowest: Seconds and name of the puzzle that has taken longest.
        seconds: Since the start.
    """

    kept: int = 0
    done: int = 0
    failed: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)
    slowest: tuple[float, str] = (0.0, "")
    started: float = field(default_factory=monotonic)

    @property
    def seconds(self) -> float:
        return monotonic() - self.started

    def keep(self, outcome: str) -> None:
        """A puzzle needs not be done."""
        self.kept += 1
        self.outcomes[outcome] += 1

    def count(self, record: Record) -> None:
        """A puzzle has been recorded."""
        self.done += 1
        self.failed += record["status"] != "ok"
        self.outcomes[outcome_of(record)] += 1
        self.slowest = max(self.slowest, (record["seconds"], f"{record['file']}#{record['id']}"))

    def add(self, other: Tally) -> None:
        """Others have counted some of the puzzles."""
        self.kept += other.kept
        self.done += other.done
        self.failed += other.failed
        self.outcomes += other.outcomes
        self.slowest = max(self.slowest, other.slowest)
