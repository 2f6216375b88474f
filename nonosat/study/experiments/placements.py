"""Experiment: number of placements of a clue, by its slack.

An assertion checks that the formula (stars and bars), the document's induction and enumeration
agree.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from nonosat.core.wording import listed
from nonosat.puzzles.nonogram import Nonogram
from nonosat.study._counting import num_fixed, num_placements, num_solutions, placements, slack
from nonosat.study._lines import Lengths
from nonosat.study.experiments import Data, Plot, Row, Scale
from nonosat.study.experiments._figures import draw_spreads, spread
from nonosat.study.experiments._lines import BUNDLED, SQUARES, lines_of
from nonosat.study.experiments._squares import squares

if TYPE_CHECKING:
    from matplotlib.axes import Axes

TITLE = "How many placements does a clue have in its line?"
QUESTION = (
    "According to the article, a line with less slack is easier. How does the number of "
    "placements depend on the slack, and is the article's formula for the cells that are fixed "
    "from the start right?"
)
HOW = (
    "The formula for the number of placements is compared with counting them one by one; then the "
    "placements of every line of the puzzles are counted."
)

_SLACK, _PLACEMENTS = "slack (free empty cells)", "placements"
_BLOCKS = (1, 2, 3, 4, 6, 8)
_MOST = 3000  # placements that are enumerated to check the formula


def measure(scale: Scale, bundled: Sequence[Nonogram]) -> Data:
    """Count placements by slack: for clues of blocks of 2 cells, and for lines of puzzles."""
    slacks = range(scale.counted + 1)
    curves, checked = {}, 0
    for k in _BLOCKS:
        clue = (2,) * k
        lengths = [3 * k - 1 + n for n in slacks]
        counts = [num_placements(clue, length) for length in lengths]
        assert counts == [num_solutions(n, k + 1) for n in slacks]
        for length, count in zip(lengths, counts, strict=True):
            if count <= _MOST:
                assert sum(1 for _ in placements(clue, length)) == count
                checked += 1
        curves[str(k)] = counts
    fixed = [num_fixed((8, 3), 12 + n) for n in range(9)]
    drawn = [
        one for size in range(4, scale.counted + 1) for one in squares(size, scale.num_counted)
    ]
    return {
        "slacks": [*slacks],
        "curves": curves,
        "checked": checked,
        "fixed_of_8_3": fixed,
        "lines": {SQUARES: _counted(lines_of(drawn)), BUNDLED: _counted(lines_of(bundled))},
    }


def _counted(lines: Sequence[tuple[Lengths, int]]) -> dict[str, Any]:
    """Return the numbers of lines, of lines with one placement, and of lines with fixed cells.

    Further the median and the maximum of placements by slack.
    """
    counts = [(slack(*line), num_placements(*line)) for line in lines]
    return {
        "all": len(lines),
        "single": sum(count == 1 for _, count in counts),
        "fixed": sum(num_fixed(*line) > 0 for line in lines),
        "by slack": spread(counts),
    }


def _draw(axes: Axes, data: Data) -> None:
    """Draw a curve for each number of blocks."""
    axes.set_yscale("log")
    for k, counts in data["curves"].items():
        axes.plot(data["slacks"], counts, label=_blocks(k))


def _draw_lines(axes: Axes, data: Data) -> None:
    """Draw the median and the largest number of placements of the lines with each slack."""
    axes.set_yscale("log")
    draw_spreads(axes, {source: lines["by slack"] for source, lines in data["lines"].items()})


def _blocks(k: str) -> str:
    return "1 block" if k == "1" else f"{k} blocks"


def _conclusion(data: Data) -> str:
    """Return a sentence on the growth, polynomial in the slack, and on the fixed cells."""
    most, fixed = data["slacks"][-1], data["fixed_of_8_3"]
    last = data["curves"][str(_BLOCKS[-1])][-1]
    return (
        f"A clue of k blocks with slack n has C(n + k, k) placements: from 1 without slack to "
        f"{last:,} for {_BLOCKS[-1]} blocks and slack {most}, which the document's induction gives "
        f"as well and enumeration on all {data['checked']} lines with up to {_MOST} of them. The "
        "same slack decides what is fixed: of the clue 8 3 there are "
        f"{listed(list(map(str, fixed)))} cells at slacks from 0 to {len(fixed) - 1}, where the "
        "document's max(0, sum - n k) has "
        f"{listed([str(max(0, 11 - 2 * n)) for n in range(len(fixed))])}."
    )


def _conclusion_lines(data: Data) -> str:
    """Return a sentence on the share of easy lines, and on the slack of the hard ones."""
    parts, most = [], []
    for source, lines in data["lines"].items():
        if total := lines["all"]:
            single, fixed = lines["single"] / total, lines["fixed"] / total
            parts.append(f"{single:.1%} of the {total:,} lines of {source}")
            parts[-1] += f" (fixed cells: {fixed:.1%})"
            at, _, count = max(lines["by slack"], key=itemgetter(2))
            most.append(f"{count:,} at slack {at} of {lines['by slack'][-1][0]} in {source}")
    return (
        f"A single placement is left to {listed(parts)}. The most placements are {listed(most)}: "
        "it takes both slack and blocks, and the largest slacks are those of lines with few."
    )


def answer(data: Data) -> str:
    """Return the formula and the document's slip, in plain words."""
    shares = [
        f"{lines['single'] / lines['all']:.1%} of the lines of {source}"
        for source, lines in data["lines"].items()
        if lines["all"]
    ]
    return (
        "With k blocks and slack n there are C(n + k, k) placements, as the article says; slack "
        "alone does not make a line hard, it takes slack and many blocks. Only "
        f"{listed(shares)} have a single placement. The article's formula for the fixed cells is "
        "too low where blocks are unequal."
    )


def table(data: Data) -> list[Row]:
    """Return a row per slack."""
    return [
        {"slack": n, **{_blocks(k): f"{c[at]:,}" for k, c in data["curves"].items()}}
        for at, n in enumerate(data["slacks"])
        if n % 4 == 0
    ]


PLOTS = (
    Plot("By the formula, blocks of 2", _SLACK, _PLACEMENTS, _draw, _conclusion),
    Plot("In the lines of puzzles", _SLACK, _PLACEMENTS, _draw_lines, _conclusion_lines),
)
