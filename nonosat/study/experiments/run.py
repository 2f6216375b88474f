"""Run all experiments, and store their measurements as JSON data that can be recorded."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from itertools import islice
from time import monotonic
from typing import Any, cast

from nonosat.batch.environment import environment
from nonosat.core.result import Verdict
from nonosat.puzzles.nonogram import Nonogram
from nonosat.solving import pipeline
from nonosat.study._lines import refusal
from nonosat.study.experiments import FULL, ON_BUNDLED, QUICK, Data, Experiment, Plot

ORDER = ("growth", "rules", "placements", "states", "orders", "exponents", "terms")
MOST_SIDE = 30  # limit of the bundled puzzles
_PATIENCE_S = 10


def experiment(name: str) -> Experiment:
    """Return the module of an experiment."""
    return cast("Experiment", import_module(f"nonosat.study.experiments.{name}"))


def plots(name: str, found: Data) -> list[Plot]:
    """Return the plots of an experiment for which there are data."""
    every = experiment(name).PLOTS
    return [plot for plot in every if found["puzzles"] or plot.title != ON_BUNDLED]


def suitable(puzzles: Iterable[Any], *, quick: bool) -> list[Nonogram]:
    """Return the solvable puzzles of up to 30 rows and columns that the documents' methods can
    take.

    Args:
        puzzles: Puzzles of any kind, read only until there are enough for a run.
        quick: True for a run that measures very little.
    """
    able = (
        puzzle
        for puzzle in puzzles
        if isinstance(puzzle, Nonogram)
        and max(puzzle.height, puzzle.width) <= MOST_SIDE
        and refusal(puzzle) is None
        and pipeline.solve(puzzle, time_limit_s=_PATIENCE_S).verdict is Verdict.SOLVED
    )
    return list(islice(able, (QUICK if quick else FULL).num_bundled))


def run(bundled: Sequence[Nonogram], quick: bool, report: Callable[[str], None]) -> Data:
    """Run every experiment, and return its measurements.

    Args:
        bundled: Suitable puzzles.
        quick: True to measure very little, as a test.
        report: Called with the title of each experiment before it starts.
    """
    scale, started, found = QUICK if quick else FULL, monotonic(), {}
    bundled = bundled[: scale.num_bundled]
    for name in ORDER:
        module = experiment(name)
        report(module.TITLE)
        found[name] = module.measure(scale, bundled)
    return {
        "environment": environment(),
        "quick": quick,
        "puzzles": len(bundled),
        "seconds": round(monotonic() - started, 1),
        "experiments": found,
    }


def as_json(found: Data) -> str:
    """Return a run in its recorded form."""
    return json.dumps(found, indent=1) + "\n"


def lead(found: Data) -> str:
    """Return a summary of the run, in a line."""
    where = found["environment"]
    size = "A quick run, too small to tell much" if found["quick"] else "The whole run"
    return (
        f"{size}: seeded random squares and {found['puzzles']} bundled puzzles, "
        f"{found['seconds']:g} s on {where['cpu']}, Python {where['python']}, "
        f"nonosat {where['nonosat']}"
    )
