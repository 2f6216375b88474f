"""Growth of the methods for one line, measured in their steps, beside claims and bounds.

The lines are hard ones of their length m: a block of m/4 that the first, filled cell begins, then
single cells. Each of its cells has to be found filled, which the methods that read the line from
its end learn only after they have tried everything behind it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import log2
from typing import TYPE_CHECKING, NamedTuple

from nonosat.experiments import Data, Row, Scale
from nonosat.experiments._squares import shown, slope
from nonosat.puzzles.nonogram import Nonogram
from nonosat.study._automata import accepts, after, automaton_of
from nonosat.study._lines import EMPTY, FILLED, UNKNOWN, Lengths, Meter
from nonosat.study._painting import by_branches, by_memory, by_trials
from nonosat.study._recursion import completable

if TYPE_CHECKING:
    from matplotlib.axes import Axes

TITLE = "Growth of the methods for one line"
ACROSS = "cells of the line"
UP = "steps"


class Method(NamedTuple):
    """A method for one line.

    Args:
        name: In tables.
        claim: What its document says.
        bound: What holds.
        is_exponential: Whether the base or the exponent is fitted.
        steps: (lengths, cells) to the steps that it takes.
    """

    name: str
    claim: str
    bound: str
    is_exponential: bool
    steps: Callable[[Lengths, bytes], int]


def hard_line(num_cells: int) -> tuple[Lengths, bytes]:
    """A clue and a line whose first cell is filled."""
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
    """T on the same line with its second cell empty, so that it must fail."""
    meter = Meter()
    assert not completable(cells[:1] + bytes([EMPTY]) + cells[2:], lengths, meter)
    return meter.steps


def _word(lengths: Lengths, cells: bytes) -> int:
    """Letters that the deterministic automaton reads of a filling."""
    read = 0

    def letters() -> Sequence[int]:
        nonlocal read
        found = [cell for length in lengths for cell in (*(FILLED,) * length, EMPTY)]
        word = [*found, *(EMPTY,) * (len(cells) - len(found))]
        read = len(word)
        return word

    assert accepts(automaton_of(lengths), letters())
    return read


def _partial(lengths: Lengths, cells: bytes) -> int:
    """Steps of states in a run over an unknown line."""
    automaton = automaton_of(lengths)
    states, steps = frozenset({automaton.start}), 0
    for _ in cells:
        steps += len(states)
        states = after(automaton, states, UNKNOWN)
    return steps


METHODS = (
    Method("recursion T", "O(2^m)", "O(1.618^m)", True, _recursion),
    Method("method 1", "O(m 2^m)", "O(m 1.618^m)", True, _metered(by_branches)),
    Method("method 2", "O(m 2^m)", "O(m 1.618^m)", True, _metered(by_trials)),
    Method("the optimum", "O(m^2)", "O(m^3)", False, _metered(by_memory)),
    Method("automaton, a word", "O(m)", "O(m)", False, _word),
    Method("automaton, partial line", "O(Q m)", "O(Q m) = O(m^2)", False, _partial),
)


def measure(scale: Scale, bundled: Sequence[Nonogram]) -> Data:
    """Points (cells, steps) of each method."""
    del bundled
    curves = {}
    for method in METHODS:
        longest = scale.line if method.is_exponential else 4 * scale.line
        lengths = range(8, longest + 1, 2 if method.is_exponential else 8)
        curves[method.name] = [[m, method.steps(*hard_line(m))] for m in lengths]
    return {"curves": curves}


def growth(data: Data, method: Method) -> float | None:
    """The base of an exponential method, the exponent of a polynomial one."""
    cells, steps = zip(*data["curves"][method.name], strict=True)
    logs = [log2(count) for count in steps]
    if method.is_exponential:
        found = slope(cells, logs)
        return None if found is None else 2**found
    # small lines have small clues: the upper half tells the exponent
    half = len(cells) // 2 if len(cells) >= 6 else 0
    return slope([log2(m) for m in cells[half:]], logs[half:])


def draw(axes: Axes, data: Data) -> None:
    """A curve a method, both axes logarithmic: powers are straight."""
    axes.set(xscale="log", yscale="log")
    for name, points in data["curves"].items():
        cells, steps = zip(*points, strict=True)
        axes.plot(cells, steps, label=name, marker="o", markersize=3)


def says(data: Data) -> str:
    """Where claims are too high, and where too low."""
    found = {method.name: growth(data, method) for method in METHODS}
    return (
        "A filled cell ends a block and takes its separator with it, so the recursion branches "
        f"into m - 1 and at most m - 2 cells and its base is at most 1.618, not 2: measured "
        f"{shown(found['recursion T'])} for T, {shown(found['method 1'])} for method 1 and "
        f"{shown(found['method 2'])} for method 2. The O(m^2) that the optimum is claimed to take "
        "is what each of its 2 m tests may take: its measured exponent is "
        f"{shown(found['the optimum'])}, where the automaton reads a whole partial line in m to "
        f"the {shown(found['automaton, partial line'])}."
    )


def table(data: Data) -> list[Row]:
    """A row a method."""
    rows: list[Row] = []
    for method in METHODS:
        value = shown(growth(data, method))
        cells, steps = data["curves"][method.name][-1]
        rows.append(
            {
                "method": method.name,
                "measured": f"{value}^m" if method.is_exponential else f"m^{value}",
                "the document": method.claim,
                "correct bound": method.bound,
                "steps": f"{steps:,} for {cells} cells",
            }
        )
    return rows
