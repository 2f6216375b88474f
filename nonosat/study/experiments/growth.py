"""Experiment: CPU time by size of the grid, for several methods.

They are the documents' methods for whole grids, native propagation, and a SAT engine. Every method
solves square grids of growing size, until it fails to solve half of the grids of one size within
the time limit. Then it solves the bundled puzzles, each within a shorter limit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log2
from statistics import median
from time import process_time
from typing import TYPE_CHECKING, Any, NamedTuple

from nonosat.core.errors import UnsupportedError
from nonosat.core.result import Verdict
from nonosat.core.wording import listed
from nonosat.puzzles.nonogram import Nonogram
from nonosat.solving import pipeline
from nonosat.study.experiments import ON_BUNDLED, ON_SQUARES, Data, Plot, Row, Scale
from nonosat.study.experiments._figures import shown, slope
from nonosat.study.experiments._squares import square, squares

if TYPE_CHECKING:
    from matplotlib.axes import Axes

TITLE = "How large a puzzle can each method solve?"
QUESTION = (
    "How fast does the time of a method grow with the size of the puzzle, and at which size does "
    "it become hopeless? The documents give bounds for most of their methods, and examples of a "
    "few cells."
)
HOW = (
    "Every method searches for a solution of some random squares of each size, until it fails on "
    "half of them within a short time; then of each bundled puzzle, within a shorter one. Times "
    "are CPU seconds in one process; the limits are given below the plots."
)

_ALL_GRIDS, _NATIVE, _SAT = "brute-force", "native", "SAT"
_LEAST_S = 1e-5
_PATIENCE_S = 60


class GridMethod(NamedTuple):
    """A method for grids.

    Args:
        name: Name in tables.
        options: Options of the pipeline.
        claim: Bound that its document claims for an n x n grid.
        bound: Correct bound.
    """

    name: str
    options: Mapping[str, Any]
    claim: str
    bound: str


def _study(name: str, claim: str, bound: str) -> GridMethod:
    return GridMethod(name, {"backend": f"study:{name}"}, claim, bound)


METHODS = (
    _study(_ALL_GRIDS, "O(2^(n^2) n^2)", "O(2^(n^2) n^2)"),
    _study("automata-backtracking", "faster, without a bound", "O(2^(n^2) n^2)"),
    _study("rules-backtracking", "fewer grids, without a bound", "O(2^(n^2) n^2)"),
    _study("method-1", "O(n 2^n) a line", "O(n 1.618^n) a line, 2^(n^2) guesses"),
    _study("method-2", "O(n 2^n) a line", "O(n 1.618^n) a line, 2^(n^2) guesses"),
    _study("optimum", "O(n^2) a line, O(2^(n^3))", "O(n^3) a line, 2^(n^2) guesses"),
    _study("completion", "O(n^3), O(2^(n^3))", "O(n^5), 2^(n^2) guesses"),
    GridMethod(_NATIVE, {"backend": "search"}, "-", "2^(n^2) guesses"),
    GridMethod(_SAT, {"backend": "minisat22", "presolve": "none"}, "-", "exponential"),
)


def measure(scale: Scale, bundled: Sequence[Nonogram]) -> Data:
    """Return points of each method: side, number solved, median seconds; and seconds by puzzle."""
    curves: dict[str, list[dict[str, Any]]] = {}
    times: dict[str, list[float | None]] = {}
    for method in METHODS:
        _timed(method, square(2, 0), _PATIENCE_S)  # imports its modules before the measurement
        points = curves[method.name] = []
        for size in range(2, scale.sizes + 1):
            point = _point(method, size, scale)
            if point is None:
                break
            points.append(point)
        results = (_timed(method, puzzle, scale.bundled_s) for puzzle in bundled)
        times[method.name] = [_rounded(taken) if done else None for done, taken in results]
    return {
        "limit_s": scale.limit_s,
        "bundled_s": scale.bundled_s,
        "sizes": scale.sizes,
        "curves": curves,
        "bundled": times,
        "bundled_cells": [puzzle.height * puzzle.width for puzzle in bundled],
    }


def _point(method: GridMethod, size: int, scale: Scale) -> dict[str, Any] | None:
    """Return the point of one size; None as soon as half of its squares have failed."""
    seconds, failed = [], 0
    for puzzle in squares(size, scale.num_timed):
        is_solved, taken = _timed(method, puzzle, scale.limit_s)
        seconds.append(taken)
        failed += not is_solved
        if 2 * failed >= scale.num_timed:
            return None
    return {
        "size": size,
        "solved": scale.num_timed - failed,
        "seconds": _rounded(median(seconds)),
    }


def _rounded(seconds: float) -> float:
    return round(max(seconds, _LEAST_S), 6)


def _timed(method: GridMethod, puzzle: Nonogram, limit_s: float) -> tuple[bool, float]:
    """Return True if the method found a solution in time, and the CPU seconds that it took."""
    started = process_time()
    try:
        result = pipeline.solve(puzzle, time_limit_s=limit_s, **method.options)
    except UnsupportedError:  # too large for it
        return False, 0.0
    return result.verdict is Verdict.SOLVED, process_time() - started


def _draw(axes: Axes, data: Data) -> None:
    """Draw a curve per method."""
    axes.set_yscale("log")
    for name, points in data["curves"].items():
        sides = [point["size"] for point in points]
        axes.plot(sides, [point["seconds"] for point in points], label=name, marker="o", ms=3)


def _draw_bundled(axes: Axes, data: Data) -> None:
    """Draw a dot for each puzzle that a method has solved."""
    axes.set(xscale="log", yscale="log")
    for name in data["bundled"]:
        cells, seconds = _solved(data, name)
        fill = "none" if name == _SAT else "full"  # there are more methods than colours
        (dots,) = axes.plot(cells, seconds, label=name, marker="o", ms=4, alpha=0.75, ls="")
        dots.set_fillstyle(fill)


def bits_a_cell(points: Sequence[Mapping[str, float]]) -> float | None:
    """Return the growth of log2(seconds) per cell; points below the cost of a start are ignored."""
    kept = [point for point in points if point["seconds"] >= 2e-4]
    cells = [point["size"] ** 2 for point in kept]
    return slope(cells, [log2(point["seconds"]) for point in kept])


def power(points: Sequence[Mapping[str, float]]) -> float | None:
    """Return the power of the side with which the seconds grow, from side 5 on."""
    kept = [point for point in points if point["size"] >= 5]
    sides = [log2(point["size"]) for point in kept]
    return slope(sides, [log2(point["seconds"]) for point in kept])


def _largest(data: Data, name: str) -> int:
    points = data["curves"][name]
    return points[-1]["size"] if points else 0


def _conclusion(data: Data) -> str:
    """Return a sentence on the largest size that each method solves."""
    names = [method.name for method in METHODS]
    sides = listed([f"{_largest(data, name)} by {name}" for name in names])
    bits = {name: bits_a_cell(points) for name, points in data["curves"].items()}
    others = [bits[name] for name in names if name != _ALL_GRIDS]
    most = max((value for value in others if value is not None), default=None)
    return (
        f"Of squares of growing side, {data['sizes']} at most, more than half are solved within "
        f"{data['limit_s']:g} s each up to side {sides}. By the fit brute force pays "
        f"{shown(bits[_ALL_GRIDS])} bits for each further cell, where its bound has 1, and none of "
        f"the others more than {shown(most, '{:.3f}')}, where their bounds have 1 as well."
    )


def _conclusion_bundled(data: Data) -> str:
    """Return a sentence on the number and sizes of the bundled puzzles that each method solves."""
    solved = {name: _solved(data, name)[0] for name in data["bundled"]}
    counts = listed([f"{len(cells)} by {name}" for name, cells in solved.items()])
    largest = {name: max(cells, default=0) for name, cells in solved.items()}
    by_study = max(largest[name] for name in largest if name not in (_NATIVE, _SAT))
    return (
        f"Of {len(data['bundled_cells'])} puzzles, within {data['bundled_s']:g} s each, so many "
        f"are solved: {counts}. The largest has {_cells(by_study)} where the documents' methods "
        f"are asked, {_cells(largest[_NATIVE])} with native propagation and search and "
        f"{_cells(largest[_SAT])} with SAT."
    )


def _cells(number: int) -> str:
    return f"{number} cells" if number else "none"


def _solved(data: Data, name: str) -> tuple[list[int], list[float]]:
    """Return cells and seconds of the bundled puzzles that a method has solved."""
    pairs = zip(data["bundled_cells"], data["bundled"][name], strict=True)
    solved = [(cells, seconds) for cells, seconds in pairs if seconds is not None]
    return [cells for cells, _ in solved], [seconds for _, seconds in solved]


def answer(data: Data) -> str:
    """Return the largest size of each method, in plain words."""
    sides = {method.name: _largest(data, method.name) for method in METHODS}
    others = [side for name, side in sides.items() if name not in (_ALL_GRIDS, _NATIVE, _SAT)]
    return (
        f"Trying every grid ends at side {sides[_ALL_GRIDS]}. The documents' better methods reach "
        f"sides of {min(others)} to {max(others)}, the native search of nonosat {sides[_NATIVE]} "
        f"and a SAT solver {sides[_SAT]}, where {data['sizes']} is the "
        "largest side that was tried. On most puzzles the work lies far below the proven bounds, "
        "which all allow for the worst."
    )


def table(data: Data) -> list[Row]:
    """Return a row per method."""
    rows: list[Row] = []
    for method in METHODS:
        points = data["curves"][method.name]
        last = f"{points[-1]['seconds']:.4f} s" if points else "-"
        rows.append(
            {
                "method": method.name,
                "largest side": _largest(data, method.name),
                "median there": last,
                "bits a cell": shown(bits_a_cell(points), "{:.3f}"),
                "power of the side": shown(power(points)),
                "the document": method.claim,
                "correct bound": method.bound,
                f"solved of {len(data['bundled_cells'])} bundled": len(
                    _solved(data, method.name)[0]
                ),
            }
        )
    return rows


PLOTS = (
    Plot(ON_SQUARES, "side of the square", "median CPU seconds", _draw, _conclusion),
    Plot(ON_BUNDLED, "cells of the puzzle", "CPU seconds", _draw_bundled, _conclusion_bundled),
)
