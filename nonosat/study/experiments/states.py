"""Experiment: number of states of the automaton of a clue, before and after it is determinised.

The automaton reads lines with unknown cells, which make it non-deterministic.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log2
from time import process_time
from typing import TYPE_CHECKING, Any

from nonosat.core.wording import listed
from nonosat.puzzles.nonogram import Nonogram
from nonosat.study._automata import automaton_of, determinised
from nonosat.study.experiments import Data, Plot, Row, Scale
from nonosat.study.experiments._figures import draw_spreads, shown, slope, spread
from nonosat.study.experiments._lines import BUNDLED, SQUARES, lines_of
from nonosat.study.experiments._squares import squares

if TYPE_CHECKING:
    from matplotlib.axes import Axes

TITLE = "How large do the automata of clues become?"
QUESTION = (
    "A clue can be checked by an automaton. If cells are still unknown the automaton has to follow "
    "many possibilities at once; making it deterministic, one state for each set of possibilities, "
    "can take 2^Q states where it had Q. The slides call that extremely costly. Is it?"
)
HOW = (
    "The automata of clues with equal blocks, and of every clue of the puzzles, are made "
    "deterministic, and their states counted."
)

_BEFORE, _AFTER = "states of the clue's automaton", "states after determinising"
_BLOCKS = {"blocks of 1": 1, "blocks of 2": 2, "blocks of 3": 3, "blocks of 5": 5}


def measure(scale: Scale, bundled: Sequence[Nonogram]) -> Data:
    """Measure states for clues of equal blocks, of three growing blocks, and of puzzles."""
    most = scale.line // 2
    curves = {
        name: [_point((length,) * k) for k in range(1, most + 1)]
        for name, length in _BLOCKS.items()
    }
    lengths = range(1, scale.line // 3 + 1)
    drawn = [
        one for size in range(4, scale.counted + 1) for one in squares(size, scale.num_counted)
    ]
    return {
        "curves": curves,
        "lengths": [[length, _point((length,) * 3)[1]] for length in lengths],
        "2 3": _point((2, 3)),
        "5 5 5": _point((5, 5, 5)),
        "clues": {SQUARES: _clues(drawn), BUNDLED: _clues(bundled)},
    }


def _clues(puzzles: Sequence[Nonogram]) -> dict[str, Any]:
    """Return the number of clues, the hardest one, and CPU seconds.

    Further the states after determinising by the states before.
    """
    clues = sorted({clue for clue, _ in lines_of(puzzles)})
    points = [_point(clue) for clue in clues]
    hardest = max(range(len(clues)), key=lambda i: points[i][1], default=None)
    return {
        "all": len(clues),
        "hardest": None
        if hardest is None
        else [" ".join(map(str, clues[hardest])), *points[hardest]],
        "seconds": round(sum(point[2] for point in points) / 1000, 3),
        "by states": spread((int(point[0]), int(point[1])) for point in points),
    }


def _point(lengths: tuple[int, ...]) -> list[float]:
    """Return (states before determinising, states after, CPU milliseconds) of a clue."""
    automaton = automaton_of(lengths)
    started = process_time()
    after = len(determinised(automaton))
    return [automaton.num_states, after, round(1000 * (process_time() - started), 2)]


def _draw(axes: Axes, data: Data) -> None:
    """Draw a curve for each length of blocks, and the table of all sets; powers are straight."""
    axes.set(xscale="log", yscale="log")
    for name, points in data["curves"].items():
        before, after, _ = zip(*points, strict=True)
        axes.plot(before, after, label=name, marker="o", markersize=3)
    whole = range(2, 17)
    axes.plot(whole, [2**q for q in whole], label="all sets, 2^Q", linestyle=":")


def _draw_clues(axes: Axes, data: Data) -> None:
    """Draw median and maximum over the clues whose automata have the same number of states."""
    axes.set_yscale("log")
    draw_spreads(axes, {source: clues["by states"] for source, clues in data["clues"].items()})


def power(points: Sequence[Sequence[float]]) -> float | None:
    """Return the exponent e if states after grow like (states before)^e, for the larger clues."""
    kept = points[len(points) // 2 :]
    return slope([log2(point[0]) for point in kept], [log2(point[1]) for point in kept])


def bits(points: Sequence[Sequence[float]]) -> float | None:
    """Return the growth of log2(states) per cell of length of three blocks, from length 3."""
    kept = [point for point in points if point[0] >= 3]
    return slope([point[0] for point in kept], [log2(point[1]) for point in kept])


def _conclusion(data: Data) -> str:
    """Return a sentence on the growth of states with the number and the length of blocks."""
    ones, fives = (power(data["curves"][f"blocks of {length}"]) for length in (1, 5))
    (q, after, _), (q5, after5, ms5) = data["2 3"], data["5 5 5"]
    return (
        f"The slides call determinising extremely costly, but only the sets that can be reached "
        f"matter: {after:.0f} of 2^{q:.0f} for the clue 2 3 and {after5:.0f} of 2^{q5:.0f} for "
        f"5 5 5, in {ms5:.1f} ms of plain Python. With more blocks they grow like a power of the "
        f"states in front ({shown(ones)} for blocks of 1, {shown(fives)} for blocks of 5), with "
        f"longer ones exponentially, by {shown(bits(data['lengths']))} bits for each cell that "
        "three blocks are longer."
    )


def _conclusion_clues(data: Data) -> str:
    """Return a sentence on the cost of determinising for the clues of puzzles."""
    sizes, costs = [], []
    for source, clues in data["clues"].items():
        if clues["hardest"]:
            clue, before, after, ms = clues["hardest"]
            sizes.append(
                f"{after:,.0f} of 2^{before:.0f} states for {clue or 'no block'} in {source}"
            )
            costs.append(
                f"{clues['all']:,} different clues of {source} in {clues['seconds']:.2f} s"
            )
            costs[-1] += f" ({ms:.0f} ms for the one named)"
    return (
        f"The largest automata of clues from puzzles have {listed(sizes)}. Plain Python "
        f"determinises the {listed(costs)}, once for all grids with such clues."
    )


def answer(data: Data) -> str:
    """Return the expected and the measured cost, in plain words."""
    totals = [
        f"{clues['all']:,} different clues of {source} in {clues['seconds']:.1f} s"
        for source, clues in data["clues"].items()
        if clues["hardest"]
    ]
    before, after, _ = data["5 5 5"]
    done = f" Plain Python does it for {listed(totals)}." if totals else ""
    return (
        f"Mostly not: of the 2^{before:.0f} sets for the clue 5 5 5 only {after:.0f} can ever be "
        f"reached.{done} What makes automata large is long blocks, not many."
    )


def table(data: Data) -> list[Row]:
    """Return the largest clue of each length of blocks, and the clue of document 003."""
    named = {name: points[-1] for name, points in data["curves"].items()}
    rows: list[Row] = []
    for name, point in {**named, "2 3": data["2 3"], "5 5 5": data["5 5 5"]}.items():
        points = data["curves"].get(name, [])
        rows.append(
            {
                "clue": f"{len(points)} {name}" if points else name,
                "states": f"{point[0]:.0f}",
                "determinised": f"{point[1]:,.0f}",
                "of all sets": f"2^{point[0]:.0f}",
                "power of the states": shown(power(points)),
                "CPU": f"{point[2]:.1f} ms",
            }
        )
    return rows


PLOTS = (
    Plot("Clues of equal blocks", _BEFORE, _AFTER, _draw, _conclusion),
    Plot("Clues of puzzles", _BEFORE, _AFTER, _draw_clues, _conclusion_clues),
)
