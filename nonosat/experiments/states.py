"""How many states the determinised automaton of a partial line has, against what was feared."""

from __future__ import annotations

from collections.abc import Sequence
from math import log2
from time import process_time
from typing import TYPE_CHECKING, Any

from nonosat.experiments import Data, Row, Scale
from nonosat.experiments._squares import shown, slope
from nonosat.puzzles.nonogram import Nonogram
from nonosat.study._automata import automaton_of, determinised

if TYPE_CHECKING:
    from matplotlib.axes import Axes

TITLE = "States of determinised automata"
ACROSS = "states of the clue's automaton"
UP = "states after determinising"

_BLOCKS = {"blocks of 1": 1, "blocks of 2": 2, "blocks of 3": 3, "blocks of 5": 5}


def measure(scale: Scale, bundled: Sequence[Nonogram]) -> Data:
    """Clues of equal blocks, one block more at a time, and the slides' own clue 2 3."""
    del bundled
    curves: dict[str, list[list[float]]] = {}
    for name, length in _BLOCKS.items():
        curves[name] = []
        for k in range(1, scale.line // (length + 1) + 1):
            curves[name].append(_point((length,) * k))
    return {"curves": curves, "2 3": _point((2, 3)), "5 5 5": _point((5, 5, 5))}


def _point(lengths: tuple[int, ...]) -> list[float]:
    """States before, after, and CPU milliseconds."""
    automaton = automaton_of(lengths)
    started = process_time()
    after = len(determinised(automaton))
    return [automaton.num_states, after, round(1000 * (process_time() - started), 2)]


def draw(axes: Axes, data: Data) -> None:
    """A curve for each length of blocks, and the table of all sets."""
    axes.set_yscale("log")
    for name, points in data["curves"].items():
        before, after, _ = zip(*points, strict=True)
        axes.plot(before, after, label=name, marker="o", markersize=3)
    most = max(point[0] for points in data["curves"].values() for point in points)
    whole = range(1, min(most, 16) + 1)
    axes.plot(whole, [2**q for q in whole], label="all sets, 2^Q", linestyle=":")


def _growth(points: Sequence[Sequence[float]]) -> float | None:
    return slope([point[0] for point in points], [log2(point[1]) for point in points])


def says(data: Data) -> str:
    """Few states for the slides' clue; an exponential with a small base all the same."""
    ones, fives = (_growth(data["curves"][f"blocks of {length}"]) for length in (1, 5))
    (q, after, _), (q5, after5, ms5) = data["2 3"], data["5 5 5"]
    return (
        f"The slides call determinising extremely costly, but only the sets that can be reached "
        f"matter: {after:.0f} of 2^{q:.0f} for the clue 2 3 and {after5:.0f} of 2^{q5:.0f} for "
        f"5 5 5, in {ms5:.1f} ms of plain Python. They do grow exponentially with the clue, by "
        f"{shown(ones)} bits for each of its automaton's states where all blocks are ones and by "
        f"{shown(fives)} where they are fives, so determinising pays for short clues alone."
    )


def table(data: Data) -> list[Row]:
    """The largest clue of each length of blocks."""
    rows: list[dict[str, Any]] = []
    named = {**{name: points[-1] for name, points in data["curves"].items()}}
    for name, point in {**named, "2 3": data["2 3"], "5 5 5": data["5 5 5"]}.items():
        points = data["curves"].get(name, [])
        rows.append(
            {
                "clue": f"{len(points)} {name}" if points else name,
                "states": f"{point[0]:.0f}",
                "determinised": f"{point[1]:,.0f}",
                "of all sets": f"{2 ** point[0]:,.0f}",
                "bits a state": shown(_growth(points)),
            }
        )
    return [dict(row) for row in rows]
