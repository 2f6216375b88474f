"""Experiment: growth of the methods for one line, in steps, beside the claims and proven bounds.

A hard line of length m has a block of length m/4, which starts at the first cell, and then blocks
of length 1; only the first cell is known (filled). Methods that read the line from its end find the
other cells of the first block only after they have tried all fillings of the rest. The lines of
puzzles, with no cell known, are measured as well.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from math import log2
from typing import TYPE_CHECKING, NamedTuple

from nonosat.core.wording import listed
from nonosat.puzzles.nonogram import Nonogram
from nonosat.study._automata import accepts, after, automaton_of
from nonosat.study._counting import placements
from nonosat.study._lines import EMPTY, FILLED, UNKNOWN, Lengths, Meter
from nonosat.study._painting import by_branches, by_memory, by_trials
from nonosat.study._recursion import completable
from nonosat.study.experiments import Data, Plot, Row, Scale
from nonosat.study.experiments._figures import rounded_mean, shown, slope
from nonosat.study.experiments._lines import BUNDLED, SQUARES, lines_of
from nonosat.study.experiments._squares import squares

if TYPE_CHECKING:
    from matplotlib.axes import Axes

TITLE = "How does the work for one line grow with its length?"
QUESTION = (
    "The article gives three methods for one line and claims O(m 2^m) steps for two of them and "
    "O(m^2) for the third, the optimum, in a line of m cells. Are these claims right?"
)
HOW = (
    "Steps, not seconds, are counted: on lines made to be hard for these methods, and on the "
    "untouched lines of puzzles. From the growth a base b (steps like b^m) or an exponent e (steps "
    "like m^e) is fitted."
)

_CELLS = "cells of the line"
_NUM_LINES = 20  # limit of untouched ones of each length
_FEWEST_LINES = 5  # minimum for a point
_EASY_MOST = 20  # limit of cells for the exponential methods


class LineMethod(NamedTuple):
    """A method for one line.

    Args:
        name: Name in tables.
        claim: Bound that its document claims.
        bound: Correct bound.
        is_exponential: True to fit the base of b^m, False to fit the exponent of m^e.
        steps: Maps (lengths, cells) to the number of steps that the method takes.
    """

    name: str
    claim: str
    bound: str
    is_exponential: bool
    steps: Callable[[Lengths, bytes], int]


def hard_line(num_cells: int) -> tuple[Lengths, bytes]:
    """Return the clue and the cells of a hard line; only the first cell is known (filled)."""
    first = num_cells // 4
    ones = (num_cells - first) // 4
    return (first, *(1,) * ones), bytes([FILLED]) + bytes([UNKNOWN]) * (num_cells - 1)


def _metered(paint: Callable[[bytes, Lengths, Meter], object]) -> Callable[[Lengths, bytes], int]:
    def steps(lengths: Lengths, cells: bytes) -> int:
        meter = Meter()
        paint(cells, lengths, meter)
        return meter.steps

    return steps


def _recursion(lengths: Lengths, cells: bytes) -> int:
    """Count the steps of the recursion T on a line.

    If the first cell is filled, the line is meant to be hard: the second cell is set to empty
    here, and T has to refute the line.
    """
    meter, is_hard = Meter(), cells[0] == FILLED
    tried = cells[:1] + bytes([EMPTY]) + cells[2:] if is_hard else cells
    assert completable(tried, lengths, meter) is not is_hard
    return meter.steps


def _word(lengths: Lengths, cells: bytes) -> int:
    """Count the cells that the deterministic automaton reads in one finished line of the clue."""
    word = iter(next(placements(lengths, len(cells))))
    assert accepts(automaton_of(lengths), word)
    return len(cells) - len(bytes(word))


def _partial(lengths: Lengths, cells: bytes) -> int:
    """Count the automaton's states, summed over all cells, in a run over an unknown line."""
    automaton = automaton_of(lengths)
    states, steps = frozenset({automaton.start}), 0
    for _ in cells:
        steps += len(states)
        states = after(automaton, states, UNKNOWN)
    return steps


METHODS = (
    LineMethod("recursion T", "O(2^m)", "O(1.618^m)", True, _recursion),
    LineMethod("method 1", "O(m 2^m)", "O(m 1.618^m)", True, _metered(by_branches)),
    LineMethod("method 2", "O(m 2^m)", "O(m 1.618^m)", True, _metered(by_trials)),
    LineMethod("the optimum", "O(m^2)", "O(m^3)", False, _metered(by_memory)),
    LineMethod("automaton, a word", "O(m)", "O(m)", False, _word),
    LineMethod("automaton, partial line", "O(Q m)", "O(Q m) = O(m^2)", False, _partial),
)
_OPTIMUM = METHODS[3]


def measure(scale: Scale, bundled: Sequence[Nonogram]) -> Data:
    """Return points (cells, steps) of each method: for hard lines, and means for puzzles' lines."""
    curves = {}
    for method in METHODS:
        longest = scale.line if method.is_exponential else 4 * scale.line
        lengths = range(8, longest + 1, 2 if method.is_exponential else 8)
        curves[method.name] = [[m, method.steps(*hard_line(m))] for m in lengths]
    drawn = [
        one for size in range(4, scale.counted + 1) for one in squares(size, scale.num_counted)
    ]
    sources = {SQUARES: _by_length(drawn), BUNDLED: _by_length(bundled)}
    lines = {source: _means(by_length) for source, by_length in sources.items()}
    return {"curves": curves, "lines": lines}


def _by_length(puzzles: Sequence[Nonogram]) -> dict[int, list[Lengths]]:
    """Return for each length of line a random selection of the puzzles' different clues."""
    found: dict[int, set[Lengths]] = {}
    for lengths, num_cells in lines_of(puzzles):
        if lengths:
            found.setdefault(num_cells, set()).add(lengths)
    rng = random.Random("lines")
    return {
        num_cells: rng.sample(sorted(clues), min(len(clues), _NUM_LINES))
        for num_cells, clues in sorted(found.items())
        if len(clues) >= _FEWEST_LINES
    }


def _means(by_length: Mapping[int, Sequence[Lengths]]) -> dict[str, list[list[float]]]:
    """Return points (cells, mean steps) of each method on untouched lines."""
    return {
        method.name: [
            [m, rounded_mean([method.steps(clue, bytes([UNKNOWN]) * m) for clue in clues])]
            for m, clues in by_length.items()
            if m <= _EASY_MOST or not method.is_exponential
        ]
        for method in METHODS
    }


def growth(points: Sequence[Sequence[float]], method: LineMethod) -> float | None:
    """Return the fitted base of an exponential method, or exponent of a polynomial one."""
    if not points:
        return None
    cells, steps = zip(*points, strict=True)
    logs = [log2(count) for count in steps]
    if method.is_exponential:
        found = slope(cells, logs)
        return None if found is None else 2**found
    # Small lines have small clues, so the upper half determines the exponent.
    half = len(cells) // 2 if len(cells) >= 6 else 0
    return slope([log2(m) for m in cells[half:]], logs[half:])


def _draw(axes: Axes, data: Data) -> None:
    """Draw a curve per method, both axes logarithmic: powers are straight."""
    axes.set(xscale="log", yscale="log")
    for name, points in data["curves"].items():
        axes.plot(*zip(*points, strict=True), label=name, marker="o", markersize=3)


def _draw_lines(axes: Axes, data: Data) -> None:
    """Draw a curve per method on untouched lines, dashed for the bundled puzzles."""
    axes.set(xscale="log", yscale="log")
    colours = {}
    for name, points in data["lines"][SQUARES].items():
        (line,) = axes.plot(*zip(*points, strict=True), label=name, marker="o", markersize=3)
        colours[name] = line.get_color()
    for name, points in data["lines"][BUNDLED].items():
        if points:
            style = {"ls": "--", "color": colours[name], "label": f"{name}, bundled"}
            axes.plot(*zip(*points, strict=True), **style)


def _conclusion(data: Data) -> str:
    """Return a sentence on the documents' claims that are too high, and those that are too low."""
    found = {method.name: growth(data["curves"][method.name], method) for method in METHODS}
    return (
        "A filled cell ends a block and takes its separator with it, so the recursion branches "
        f"into m - 1 and at most m - 2 cells and its base is at most 1.618, not 2: measured "
        f"{shown(found['recursion T'])} for T, {shown(found['method 1'])} for method 1 and "
        f"{shown(found['method 2'])} for method 2. The O(m^2) that the optimum is claimed to take "
        "is what each of its 2 m tests may take: its measured exponent is "
        f"{shown(found['the optimum'])}, where the automaton reads a whole partial line in m to "
        f"the {shown(found['automaton, partial line'])}."
    )


def _conclusion_lines(data: Data) -> str:
    """Return a sentence that compares the lines of puzzles with the hard lines."""
    methods = [method for method in METHODS if method.name in ("method 1", "method 2")]
    bases, powers = [], []
    for source, points in data["lines"].items():
        if points[_OPTIMUM.name]:
            pairs = [f"{shown(growth(points[one.name], one))} for {one.name}" for one in methods]
            bases.append(f"{listed(pairs)} in {source}")
            powers.append(f"{shown(growth(points[_OPTIMUM.name], _OPTIMUM))} in {source}")
    hard = listed([shown(growth(data["curves"][one.name], one)) for one in methods])
    return (
        f"On untouched lines, up to {_EASY_MOST} cells, the measured bases are {'; '.join(bases)} "
        f"(hard lines: {hard}). The exponent of the optimum is {listed(powers)} (hard lines: "
        f"{shown(growth(data['curves'][_OPTIMUM.name], _OPTIMUM))}), at lengths that need not show "
        "the power of its bound, 3, yet."
    )


def answer(data: Data) -> str:
    """Return claims and measurements, in plain words."""
    found = {method.name: growth(data["curves"][method.name], method) for method in METHODS}
    return (
        f"The first two grow like {shown(found['method 1'])}^m and {shown(found['method 2'])}^m: "
        "less than claimed, since a filled cell settles its neighbour too, which gives a base of "
        f"at most 1.618. The optimum grows like m^{shown(found[_OPTIMUM.name])}: more than "
        "claimed, O(m^3), because each of its 2 m tests may take m^2 steps. An automaton does "
        f"the same in m^{shown(found['automaton, partial line'])}."
    )


def table(data: Data) -> list[Row]:
    """Return a row per method."""
    rows: list[Row] = []
    for method in METHODS:
        cells, steps = data["curves"][method.name][-1]
        rows.append(
            {
                "method": method.name,
                "measured": _power(data["curves"][method.name], method),
                "the document": method.claim,
                "correct bound": method.bound,
                "steps": f"{steps:,} for {cells} cells",
                **{
                    f"on lines of {source}": _power(points[method.name], method)
                    for source, points in data["lines"].items()
                },
            }
        )
    return rows


def _power(points: Sequence[Sequence[float]], method: LineMethod) -> str:
    value = shown(growth(points, method))
    return value if value == "-" else f"{value}^m" if method.is_exponential else f"m^{value}"


PLOTS = (
    Plot("Hard lines", _CELLS, "steps", _draw, _conclusion),
    Plot("Untouched lines of puzzles", _CELLS, "mean steps", _draw_lines, _conclusion_lines),
)
