"""Puzzles checked in turn, each within a limit of CPU seconds, for `run.py`."""

from __future__ import annotations

import statistics
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from common import Figures, check_once

import nonosat
from nonosat.puzzles.nonogram import Nonogram

REPEATED_BELOW_S = 1.0
NUM_RETAKEN = 3  # number of slowest puzzles of a set that are repeated
SETTLED = ("unique", "multiple", "unsolvable")


@dataclass(frozen=True, slots=True)
class How:
    """Choices of the command line: a backend, and the most seconds for a puzzle."""

    backend: str = "auto"
    most_s: float | None = None

    def limit(self, limit_s: float) -> float:
        return limit_s if self.most_s is None else min(limit_s, self.most_s)


def named(path: Path, *ids: str) -> list[Nonogram]:
    """Return the puzzles of a file, or those with these ids in this order."""
    puzzles = {puzzle.about.id: puzzle for puzzle in nonosat.load_all(str(path))}
    return [puzzles[id_] for id_ in ids] if ids else list(puzzles.values())


@dataclass(slots=True)
class Timed:
    """CPU seconds of `check` by puzzle, the median of its runs, and the verdicts."""

    limit_s: float
    seconds: list[float]
    verdicts: list[str]

    def num_open(self) -> int:
        """Return the number of puzzles that reached the limit."""
        return self.verdicts.count("unknown")

    def figures(self) -> Figures:
        """Return the verdicts, and the number of puzzles that reached the limit."""
        return {
            "limit_s": self.limit_s,
            "verdicts": dict(Counter(self.verdicts)),
            "open at the limit": self.num_open(),
            "slowest_s": round(max(self.seconds), 4),
        }


def timed(
    puzzles: Sequence[Nonogram], how: How, limit_s: float, rounds: int = 3, truth: str = ""
) -> Timed:
    """Check every puzzle once, and again if it is quick or among the slowest.

    Args:
        puzzles: Puzzles, which take turns.
        how: Backend and limit.
        limit_s: CPU seconds for a puzzle.
        rounds: Number of runs of puzzles below REPEATED_BELOW_S.
        truth: The known verdict of all puzzles.
    """
    limit_s = how.limit(limit_s)
    runs: list[list[float]] = [[] for _ in puzzles]
    verdicts = [""] * len(puzzles)

    def once(i: int) -> None:
        if verdicts[i] == "unknown":
            return
        seconds, verdict = check_once(puzzles[i], limit_s, backend=how.backend)
        runs[i].append(seconds)
        if verdict in SETTLED and verdict != (truth or verdict):
            sys.exit(f"wrong verdict: {puzzles[i].about.id} is {truth}, not {verdict}")
        verdicts[i] = verdict

    for turn in range(rounds):
        for i in range(len(puzzles)):
            if turn == 0 or runs[i][0] < REPEATED_BELOW_S:
                once(i)
    slowest = sorted(range(len(puzzles)), key=lambda i: -runs[i][0])[:NUM_RETAKEN]
    for _ in range(2):
        for i in slowest:
            if len(runs[i]) < 3:
                once(i)
    return Timed(limit_s, [statistics.median(each) for each in runs], verdicts)
