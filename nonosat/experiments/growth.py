"""CPU time against size: the documents' methods for whole grids, native propagation, SAT.

Every method is asked for a solution of squares of growing side, until it fails on half of those of
a size within the limit; then of the bundled puzzles, each within a shorter one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log2
from statistics import median
from time import process_time
from typing import TYPE_CHECKING, Any, NamedTuple

from nonosat import pipeline
from nonosat.errors import UnsupportedError
from nonosat.experiments import Data, Row, Scale
from nonosat.experiments._squares import shown, slope, square, squares
from nonosat.puzzles.nonogram import Nonogram
from nonosat.result import Verdict

if TYPE_CHECKING:
    from matplotlib.axes import Axes

TITLE = "Time against size"
ACROSS = "side of the square"
UP = "median CPU seconds"

_LEAST_S = 1e-5
_PATIENCE_S = 60


class Method(NamedTuple):
    """A method for grids.

    Args:
        name: In tables.
        options: For the pipeline.
        claim: What its document says of an n x n grid.
        bound: What holds.
    """

    name: str
    options: Mapping[str, Any]
    claim: str
    bound: str


def _study(name: str, claim: str, bound: str) -> Method:
    return Method(name, {"backend": f"study:{name}"}, claim, bound)


METHODS = (
    _study("brute-force", "O(2^(n^2) n^2)", "O(2^(n^2) n^2)"),
    _study("automata-backtracking", "faster, without a bound", "O(2^(n^2) n^2)"),
    _study("rules-backtracking", "fewer grids, without a bound", "O(2^(n^2) n^2)"),
    _study("method-1", "O(n 2^n) a line", "O(n 1.618^n) a line, 2^(n^2) guesses"),
    _study("method-2", "O(n 2^n) a line", "O(n 1.618^n) a line, 2^(n^2) guesses"),
    _study("optimum", "O(n^2) a line, O(2^(n^3))", "O(n^3) a line, 2^(n^2) guesses"),
    _study("completion", "O(n^3), O(2^(n^3))", "O(n^5), 2^(n^2) guesses"),
    Method("native", {"backend": "search"}, "-", "2^(n^2) guesses"),
    Method("SAT", {"backend": "minisat22", "presolve": "none"}, "-", "exponential"),
)


def measure(scale: Scale, bundled: Sequence[Nonogram]) -> Data:
    """Points of each method: side, how many were solved, median seconds."""
    curves: dict[str, list[dict[str, Any]]] = {}
    solved: dict[str, int] = {}
    for method in METHODS:
        _timed(method, square(2, 0), _PATIENCE_S)  # imports what it needs
        points = curves[method.name] = []
        for size in range(2, scale.sizes + 1):
            point = _point(method, size, scale)
            if point is None:
                break
            points.append(point)
        results = [_timed(method, puzzle, scale.bundled_s) for puzzle in bundled]
        solved[method.name] = sum(is_solved for is_solved, _ in results)
    return {
        "limit_s": scale.limit_s,
        "bundled_s": scale.bundled_s,
        "sizes": scale.sizes,
        "curves": curves,
        "bundled": solved,
        "num_bundled": len(bundled),
    }


def _point(method: Method, size: int, scale: Scale) -> dict[str, Any] | None:
    """The squares of one size; None as soon as half of them have failed."""
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
        "seconds": round(max(median(seconds), _LEAST_S), 6),
    }


def _timed(method: Method, puzzle: Nonogram, limit_s: float) -> tuple[bool, float]:
    """Whether it found a solution in time, and CPU seconds."""
    started = process_time()
    try:
        result = pipeline.solve(puzzle, time_limit_s=limit_s, **method.options)
    except UnsupportedError:  # too large for it
        return False, 0.0
    return result.verdict is Verdict.SOLVED, process_time() - started


def draw(axes: Axes, data: Data) -> None:
    """A curve a method."""
    axes.set_yscale("log")
    for name, points in data["curves"].items():
        if points:
            sides = [point["size"] for point in points]
            axes.plot(sides, [point["seconds"] for point in points], label=name, marker="o", ms=3)


def bits_a_cell(points: Sequence[Mapping[str, float]]) -> float | None:
    """How the logarithm of the seconds grows with the cells, beyond what starting takes."""
    kept = [point for point in points if point["seconds"] >= 2e-4]
    cells = [point["size"] ** 2 for point in kept]
    return slope(cells, [log2(point["seconds"]) for point in kept])


def power(points: Sequence[Mapping[str, float]]) -> float | None:
    """The power of the side by which the seconds grow, from side 5 on."""
    kept = [point for point in points if point["size"] >= 5]
    sides = [log2(point["size"]) for point in kept]
    return slope(sides, [log2(point["seconds"]) for point in kept])


def _largest(data: Data, name: str) -> int:
    points = data["curves"][name]
    return points[-1]["size"] if points else 0


def says(data: Data) -> str:
    """How far each comes."""
    sides = {method.name: _largest(data, method.name) for method in METHODS}
    bits = {name: bits_a_cell(points) for name, points in data["curves"].items()}
    others = [value for name, value in bits.items() if name != "brute-force" and value is not None]
    return (
        f"Within {data['limit_s']:g} s brute force comes to side {sides['brute-force']}, "
        f"backtracking with automata to {sides['automata-backtracking']}, with the logic rules "
        f"first to {sides['rules-backtracking']}, passes with method 1 to {sides['method-1']}, "
        f"with method 2 to {sides['method-2']} and with the optimum to {sides['optimum']}; native "
        f"propagation and search come to {sides['native']} and SAT to {sides['SAT']} of the "
        f"{data['sizes']} that were tried. Brute force pays {shown(bits['brute-force'])} bits for "
        "each cell, where its bound has 1, and every method that looks at lines at most "
        f"{shown(max(others, default=None), '{:.3f}')}: on random squares their bounds say little."
    )


def table(data: Data) -> list[Row]:
    """A row a method."""
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
                f"solved of {data['num_bundled']} bundled": data["bundled"][method.name],
            }
        )
    return rows
