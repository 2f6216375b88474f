"""Experiment: number of line solves if lines are solved in greedy, plain or a person's order."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import log2
from operator import truediv
from typing import TYPE_CHECKING

from nonosat.puzzles.nonogram import Nonogram
from nonosat.study._grid import Order, PlainBoard, SolveCounters, alternate, by_index, by_score
from nonosat.study._lines import Meter
from nonosat.study.experiments import ON_BUNDLED, ON_SQUARES, Data, Plot, Row, Scale
from nonosat.study.experiments._figures import rounded_mean, shown, slope
from nonosat.study.experiments._lines import painted
from nonosat.study.experiments._squares import squares

if TYPE_CHECKING:
    from matplotlib.axes import Axes

TITLE = "Does it help to take the easiest line first?"
QUESTION = (
    "The article proposes a greedy order: solve the line with the fewest unknown cells first. Does "
    "that save work, compared with going through the lines from the first to the last?"
)
HOW = (
    "Line solves are counted until nothing changes any more: in passes over all rows, then all "
    "columns, in both orders; and from a single list of rows and columns, the easiest first."
)

Count = Callable[[Nonogram], SolveCounters]


def in_passes(order: Order) -> Count:
    """Return a function that counts the line solves of alternating passes in an order."""

    def counted(puzzle: Nonogram) -> SolveCounters:
        board, tally = PlainBoard(puzzle), SolveCounters()
        alternate(board, range(len(board.clues)), painted, order, tally, Meter())
        return tally

    return counted


def one_by_one(puzzle: Nonogram) -> SolveCounters:
    """Count line solves when always the easiest of all changed rows and columns is solved next."""
    board, tally = PlainBoard(puzzle), SolveCounters()
    dirty = set(range(len(board.clues)))
    while dirty:
        line = by_score(board, dirty)[0]
        dirty.remove(line)
        tally.line_solves += 1
        found = painted(board.line(line), board.clues[line], Meter())
        assert found is not None
        dirty.update(board.paint(line, found))
    return tally


_PLAIN, _GREEDY, ONE_BY_ONE = "plain", "greedy", "one by one, easiest first"
ORDERS: dict[str, Count] = {
    _PLAIN: in_passes(by_index),
    _GREEDY: in_passes(by_score),
    ONE_BY_ONE: one_by_one,
}


def measure(scale: Scale, bundled: Sequence[Nonogram]) -> Data:
    """Count line solves and passes until the alternating passes end, solved or not."""
    sizes = [*range(4, scale.counted + 1)]
    curves: dict[str, list[float]] = {name: [] for name in ORDERS}
    passes: dict[str, list[float]] = {name: [] for name in ORDERS}
    for size in sizes:
        puzzles = squares(size, scale.num_counted)
        for name, count in ORDERS.items():
            tallies = [count(puzzle) for puzzle in puzzles]
            curves[name].append(rounded_mean([tally.line_solves for tally in tallies]))
            passes[name].append(rounded_mean([tally.passes for tally in tallies]))
    return {
        "sizes": sizes,
        "curves": curves,
        "passes": passes,
        "bundled": {
            name: [count(puzzle).line_solves for puzzle in bundled]
            for name, count in ORDERS.items()
        },
        "bundled_lines": [puzzle.height + puzzle.width for puzzle in bundled],
    }


def _draw(axes: Axes, data: Data) -> None:
    """Draw a curve of line solves for each order, and one for a single pass."""
    for name, means in data["curves"].items():
        style = {"linewidth": 3, "alpha": 0.6} if name == _PLAIN else {"linestyle": "--"}
        axes.plot(data["sizes"], means, label=name, **style)
    axes.plot(data["sizes"], [2 * size for size in data["sizes"]], label="one pass, 2 m", ls=":")


def _draw_bundled(axes: Axes, data: Data) -> None:
    """Draw a dot per puzzle and order.

    The dots of the first order are larger, because those of the others often cover them.
    """
    axes.set(xscale="log", yscale="log")
    for (name, counts), size in zip(data["bundled"].items(), (7, 3, 3), strict=True):
        axes.plot(data["bundled_lines"], counts, label=name, marker="o", ms=size, ls="", alpha=0.8)
    lines = sorted(data["bundled_lines"])
    axes.plot(lines, lines, label="one pass", ls=":")


def growth(data: Data) -> float | None:
    """Return the exponent e if the number of line solves grows like side^e."""
    logs = [log2(size) for size in data["sizes"]]
    return slope(logs, [log2(mean) for mean in data["curves"][_PLAIN]])


def _conclusion(data: Data) -> str:
    """Return a sentence on the gain by the greedy order, if any, and on the growth."""
    size, last = data["sizes"][-1], data["curves"][_PLAIN][-1]
    return (
        f"{_compared(data['curves'])}. At side {size} the plain order takes {last:.1f} line "
        f"solves, where one pass over the untouched square, which the document's bound counts, "
        f"takes {2 * size} and at most m^2 + 2 m = {size**2 + 2 * size} are possible; they grow "
        f"with the side to the power {shown(growth(data))}."
    )


def _conclusion_bundled(data: Data) -> str:
    """Return a sentence on the gain by the greedy order on bundled puzzles."""
    counts, lines = data["bundled"][_PLAIN], data["bundled_lines"]
    once = sum(map(int.__eq__, counts, lines))
    factor = max(map(truediv, counts, lines))
    return (
        f"{_compared(data['bundled'])}. In the plain order {once} of {len(lines)} puzzles end "
        f"after each line has been solved once, and at most {factor:.1f} times as many line solves "
        "as a puzzle has lines are taken."
    )


def _compared(counts: Mapping[str, Sequence[float]]) -> str:
    """Return a sentence that compares the orders by their counts."""
    greedy, one = (sum(counts[name]) / sum(counts[_PLAIN]) for name in (_GREEDY, ONE_BY_ONE))
    if counts[_GREEDY] == counts[_PLAIN]:
        text = (
            "exactly as many line solves as the plain one (a pass solves every dirty line once, "
            "and rows do not touch each other): no gain, as the document says"
        )
    else:
        text = f"{greedy:.3f} times as many line solves as the plain one"
    return (
        f"The greedy order takes {text}; a single list of rows and columns, the easiest first, "
        f"takes {one:.2f} times as many"
    )


def answer(data: Data) -> str:
    """Return the result in plain words: the gain by the greedy order, if any."""
    counts = data["curves"]
    plain = sum(counts[_PLAIN])
    greedy, single = (sum(counts[name]) / plain for name in (_GREEDY, ONE_BY_ONE))
    text = (
        "No: both take equally many line solves" if greedy == 1 else f"{greedy:.2f} times as many"
    )
    return (
        f"{text} within passes, since the rows of a pass do not influence each other. One list of "
        f"rows and columns, the easiest first, takes {single:.2f} times as many line solves as "
        "plain passes on random squares."
    )


def table(data: Data) -> list[Row]:
    """Return a row per order."""
    last, bundled = data["sizes"][-1], len(data["bundled_lines"])
    return [
        {
            "order": name,
            f"line solves at {last}": f"{data['curves'][name][-1]:.1f}",
            f"passes at {last}": f"{data['passes'][name][-1] or '-'}",
            f"line solves on {bundled} bundled puzzles": f"{sum(data['bundled'][name]):,}",
        }
        for name in ORDERS
    ]


PLOTS = (
    Plot(ON_SQUARES, "side of the square", "mean line solves to the fixpoint", _draw, _conclusion),
    Plot(ON_BUNDLED, "lines of the puzzle", "line solves", _draw_bundled, _conclusion_bundled),
)
