"""Experiments of the documents that this project began with, run again on seeded puzzles.
Readers need not know the documents: `words` introduces them, and each experiment states its
question (`QUESTION`), its method (`HOW`) and its result (`answer`), before plots and tables.

An experiment is a module of this package that fits the protocol `Experiment`; `run.ORDER` lists
them. Its measurements are JSON data, from which page and Markdown are made (`page`, `text`), so
that other programs can read a recorded run.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from nonosat.puzzles.nonogram import Nonogram

ON_SQUARES, ON_BUNDLED = "On random squares", "On the bundled puzzles"

Data = Mapping[str, Any]
Row = Mapping[str, object]


class Scale(NamedTuple):
    """Size of the measurements.

    Args:
        limit_s: Seconds for a method on a generated puzzle; after too many failures at one size
            larger ones are left out.
        bundled_s: Seconds for a method on a bundled puzzle.
        num_bundled: Number of bundled puzzles, the first ones.
        sizes: Largest side of the squares that methods are timed on.
        num_timed: Squares of each size for timing.
        num_counted: Squares of each size for counting.
        counted: Largest side of the squares for counting.
        line: Cells of the longest line for the exponential methods; others get up to four times as
            many.
    """

    limit_s: float
    bundled_s: float
    num_bundled: int
    sizes: int
    num_timed: int
    num_counted: int
    counted: int
    line: int


FULL = Scale(2.0, 0.25, num_bundled=100, sizes=30, num_timed=5, num_counted=20, counted=20, line=24)
QUICK = Scale(1.0, 1.0, num_bundled=3, sizes=5, num_timed=2, num_counted=2, counted=7, line=18)


class Plot(NamedTuple):
    """A plot of an experiment.

    Args:
        title: Name of the puzzles that were measured.
        across: Label of the horizontal axis.
        up: Label of the vertical axis.
        draw: Draws the data.
        conclusion: Returns the result in two sentences, computed from the data.
    """

    title: str
    across: str
    up: str
    draw: Callable[[Axes, Data], None]
    conclusion: Callable[[Data], str]


class Experiment(Protocol):
    """An experiment: a module of this package with these names.

    Attributes:
        TITLE: The question, short.
        QUESTION: The question, and the documents' claims.
        HOW: Method of measurement.
        PLOTS: The plots.
    """

    TITLE: str
    QUESTION: str
    HOW: str
    PLOTS: tuple[Plot, ...]

    def measure(self, scale: Scale, bundled: Sequence[Nonogram]) -> Data:
        """Run the experiment; `bundled` are puzzles of one colour with blocks of known lengths."""

    def answer(self, data: Data) -> str:
        """Return the result in plain words, computed from the data."""

    def table(self, data: Data) -> list[Row]:
        """Return the numbers of the experiment as rows with equal keys."""
