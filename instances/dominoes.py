"""The class `domino`: staircases so long that proving them unique takes seconds.

The idea is from Wolter's n-domino family (survey of paint-by-number solvers, 2009); 12, 14, 16 and
20 dominoes. Their verdicts are recorded; `recorded.py confirm` computes them again.
"""

from __future__ import annotations

from dataclasses import replace

from entry import Entry, Record, clued

from nonosat.generate.structured import staircase

KIND = "domino"
SIZES = (12, 14, 16, 20)


def entry(steps: int) -> Entry:
    """Return a staircase of `steps` dominoes; its picture is the only solution."""
    grid = staircase(steps)
    whole = clued(f"domino-{steps}", f"Staircase of {steps} dominoes", grid, "construction")
    return replace(whole, record=Record("unique", KIND))


def entries() -> list[Entry]:
    """Return all entries."""
    return [entry(steps) for steps in SIZES]
