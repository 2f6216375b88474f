"""Experiment: number of cells found by four simple rules of logic, each alone and all together.

The rules (`_rules.py`) are those of document 003, a set of slides. Starting from empty grids, they
are applied up to a fixpoint, and the result is compared with that of complete line solving.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from nonosat.puzzles.nonogram import Nonogram
from nonosat.study._grid import PlainBoard, SolveCounters, alternate, by_index
from nonosat.study._lines import Meter
from nonosat.study._rules import RULES, SlideRule, apply_rules
from nonosat.study.experiments import ON_BUNDLED, ON_SQUARES, Data, Plot, Row, Scale
from nonosat.study.experiments._figures import rounded_mean, shown
from nonosat.study.experiments._lines import painted
from nonosat.study.experiments._squares import squares

if TYPE_CHECKING:
    from matplotlib.axes import Axes

TITLE = "How far do simple logic rules get?"
QUESTION = (
    "The slides give four rules of logic for one line: a line without blocks is empty (rule 1); a "
    "cell that every placement of a block covers is filled (2); a cell that no block can reach is "
    "empty (3 and 4, which narrow down where a block can be). How many cells do they find, "
    "compared with all placements of a line, which show everything that its clue implies?"
)
HOW = (
    "The rules are applied to empty grids until they find nothing more, each set of rules by "
    "itself; then lines are solved completely, in the same way. Cells that are found are counted."
)

SIZE = 6  # the slides' own
_LARGEST = 15
_BY_NUMBER = {rule.number: rule for rule in RULES}
SETS: dict[str, tuple[SlideRule, ...]] = {
    "rule 1": (_BY_NUMBER[1],),
    "rule 2": (_BY_NUMBER[2],),
    "rule 4": (_BY_NUMBER[4],),
    "rules 3 and 4": (_BY_NUMBER[3],),
    "all four": RULES,
}
COMPLETE = "complete propagation"
_IN_ALL = {"rule 1": 1, "rule 2": 2, "rule 4": 4, "rules 3 and 4": 3}


def measure(scale: Scale, bundled: Sequence[Nonogram]) -> Data:
    """Measure the cells that rules find: means by size, gain of each rule, in bundled puzzles."""
    sizes = [*range(4, min(_LARGEST, scale.counted) + 1)]
    together = [_settled(puzzle, RULES) for puzzle in squares(SIZE, scale.num_counted)]
    found = [[_found(puzzle) for puzzle in squares(size, scale.num_counted)] for size in sizes]
    curves = {
        name: [rounded_mean([one[name] for one in group]) for group in found]
        for name in (*SETS, COMPLETE)
    }
    of_bundled = [_found(puzzle) for puzzle in bundled]
    return {
        "sizes": sizes,
        "curves": curves,
        "together": {
            name: rounded_mean([one[_BY_NUMBER[number].name] for one in together])
            for name, number in _IN_ALL.items()
        },
        "bundled": {name: [one[name] for one in of_bundled] for name in curves},
        "bundled_cells": [puzzle.height * puzzle.width for puzzle in bundled],
    }


def _found(puzzle: Nonogram) -> dict[str, int]:
    """Return the number of cells that each set of rules finds, and complete line solving."""
    counts = {}
    for name, rules in SETS.items():
        counts[name] = sum(_settled(puzzle, rules).values())
    board = PlainBoard(puzzle)
    assert alternate(board, range(len(board.clues)), painted, by_index, SolveCounters(), Meter())
    counts[COMPLETE] = len(board.cells) - board.num_unknown()
    return counts


def _settled(puzzle: Nonogram, rules: Sequence[SlideRule]) -> dict[str, int]:
    counts = apply_rules(PlainBoard(puzzle), rules, Meter())
    assert counts is not None
    return counts


def _draw(axes: Axes, data: Data) -> None:
    """Draw a curve for each set of rules."""
    for name, means in data["curves"].items():
        axes.plot(data["sizes"], means, label=name, marker="o", markersize=3)


def _draw_bundled(axes: Axes, data: Data) -> None:
    """Draw for each set of rules the shares of cells found in the puzzles, in ascending order."""
    for name, found in data["bundled"].items():
        shares = sorted(map(_percentage, found, data["bundled_cells"]))
        axes.plot(range(1, len(shares) + 1), shares, label=name, marker="o", markersize=3)


def _percentage(found: int, cells: int) -> float:
    return 100 * found / cells


def _at_6(data: Data, name: str) -> float:
    value: float = data["curves"][name][data["sizes"].index(SIZE)]
    return value


def _conclusion(data: Data) -> str:
    """Return a sentence on the most productive rule, and on the share of cells that all miss."""
    sizes, curves = data["sizes"], data["curves"]
    share = curves["all four"][-1] / max(curves[COMPLETE][-1], 0.01)
    return (
        f"At the slides' size 6 rule 2 finds {_at_6(data, 'rule 2'):.1f} of 36 cells by itself, "
        f"rule 1 {_at_6(data, 'rule 1'):.1f}, rules 3 and 4 {_at_6(data, 'rules 3 and 4'):.1f} and "
        f"all four {_at_6(data, 'all four'):.1f}, where complete propagation of the lines finds "
        f"{_at_6(data, COMPLETE):.1f}. At size {sizes[-1]} the four rules find {share:.0%} of what "
        "the lines say; what they miss begins with empty cells inside a block's range, of which "
        "no rule speaks."
    )


def _conclusion_bundled(data: Data) -> str:
    """Return a sentence on the shares of cells found in bundled puzzles, and on finished ones."""
    cells, found = data["bundled_cells"], data["bundled"]
    shares = {name: sum(counts) / sum(cells) for name, counts in found.items()}
    finished = {name: sum(map(int.__eq__, counts, cells)) for name, counts in found.items()}
    return (
        f"Of the {sum(cells):,} cells rule 2 finds {shares['rule 2']:.1%} by itself, rule 1 "
        f"{shares['rule 1']:.1%}, rules 3 and 4 {shares['rules 3 and 4']:.1%}, all four "
        f"{shares['all four']:.1%} and complete propagation {shares[COMPLETE]:.1%}. The four rules "
        f"finish {finished['all four']} of {len(cells)} puzzles and complete propagation "
        f"{finished[COMPLETE]}; beyond that it takes guesses."
    )


def answer(data: Data) -> str:
    """Return the result in plain words: the share of cells that the rules find."""
    together, complete = _at_6(data, "all four"), _at_6(data, COMPLETE)
    size, last, best = (
        data["sizes"][-1],
        data["curves"]["all four"][-1],
        data["curves"][COMPLETE][-1],
    )
    return (
        f"On squares of side {SIZE}, the size in the slides, the four rules find {together:.1f} of "
        f"{SIZE**2} cells in the mean and complete line solving {complete:.1f}. With the size they "
        f"fall behind: at side {size} they find {last:.1f} of {size**2}, complete line solving "
        f"{best:.1f}. Rule 2 alone finds {_at_6(data, 'rule 2'):.1f} at side {SIZE}."
    )


def table(data: Data) -> list[Row]:
    """Return a row for each set of rules."""
    cells = max(sum(data["bundled_cells"]), 1)
    last = data["sizes"][-1]
    return [
        {
            "rules": name,
            f"mean of 36 cells at {SIZE}": f"{_at_6(data, name):.2f}",
            "of them in all four": shown(data["together"].get(name)),
            f"mean of {last**2} cells at {last}": f"{data['curves'][name][-1]:.2f}",
            "of bundled cells": f"{sum(data['bundled'][name]) / cells:.1%}",
        }
        for name in data["curves"]
    ]


PLOTS = (
    Plot(ON_SQUARES, "side of the square", "mean cells found", _draw, _conclusion),
    Plot(
        ON_BUNDLED,
        "puzzles, by that share",
        "share of the cells found, %",
        _draw_bundled,
        _conclusion_bundled,
    ),
)
