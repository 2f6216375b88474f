"""What is known of a nonogram while steps are followed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from nonosat.core.grid import UNKNOWN, Grid
from nonosat.core.presenting import Scene
from nonosat.core.wording import listed
from nonosat.explain.nonogram.data import rows_data
from nonosat.explain.nonogram.knowledge import Knowledge
from nonosat.explain.nonogram.step import standing_out
from nonosat.explain.nonogram.words import Words

if TYPE_CHECKING:
    from nonosat.explain.nonogram.step import Best, Step
    from nonosat.puzzles.nonogram import Nonogram

# Price tables for people: what every line earns or pays, and the table as text.


WIDEST = 100  # characters of a row of a table that is printed


def printed(puzzle: Nonogram, step: Step) -> list[str]:
    """The table of a step by prices as text, one for each colour; of a wide one only its size.

    The last column says what a row earns at most, the last row what a column pays at least. What
    the step settles is marked.

    Args:
        puzzle: The puzzle.
        step: The step.
    """
    table = step.prices
    assert table is not None
    best = {own.line: own for own in table.best}
    shown = [price for *_, price in table.prices] + [own.amount for own in best.values()]
    size = 1 + max(len(str(price)) for price in shown)
    if (size + 1) * (puzzle.width + 1) > WIDEST:
        prices = [price for *_, price in table.prices]
        return [
            f"   The table has {len(prices)} prices from {min(prices)} to {max(prices)}; "
            "a page (HTML) draws it and JSON has it."
        ]
    signs = {value: puzzle.symbols[value] if value else "x" for _, _, value in step.settled}
    marks = {(row, column): signs[value] for row, column, value in step.settled}
    text = []
    for value in sorted({value for _, _, value, _ in table.prices}):
        mine = {(row, column): price for row, column, v, price in table.prices if v == value}
        text.append(f"   Prices{_of_value(puzzle, value)}{_legend(signs)}:")
        for row in range(puzzle.height):
            places = [(row, column) for column in range(puzzle.width)]
            cells = [(mine.get(place), marks.get(place, " ")) for place in places]
            text.append(_aligned(cells, best.get(row), size))
    paid = [best.get(puzzle.height + column) for column in range(puzzle.width)]
    sums = [(None if own is None else own.amount, " ") for own in paid]
    return [*text, "   " + "-" * ((size + 1) * puzzle.width), _aligned(sums, None, size)]


def _of_value(puzzle: Nonogram, value: int) -> str:
    """Which value the prices are of, where there are several."""
    return f" of {Words(puzzle).value(value)} cells" if len(puzzle.colours) > 1 else ""


def _legend(signs: Mapping[int, str]) -> str:
    """What the marks are."""
    shown = listed([signs[value] for value in sorted(signs, reverse=True)])
    return f", with {shown} for what they settle" if shown else ""


def _aligned(cells: Iterable[tuple[int | None, str]], best: Best | None, size: int) -> str:
    """A row of a table; a cell without a price is a dot."""
    inside = "".join(f"{'.' if price is None else price:>{size}}{mark}" for price, mark in cells)
    return f"   {inside}|{'' if best is None else best.amount:>{size}}".rstrip()


class Following:
    """A `story.Board`.

    Args:
        puzzle: The puzzle, whose given cells are known.
        given: What else is known; None is nothing.
    """

    def __init__(self, puzzle: Nonogram, given: Grid | None = None) -> None:
        self._puzzle = puzzle
        self._known = Knowledge(puzzle)
        for place, value in enumerate(given.cells if given else b""):
            if value != UNKNOWN:
                self._known.apply(self._known.settling(place, value))

    def learn(self, step: Step) -> None:
        self._known.learn(step)

    def state(self) -> Grid:
        return Grid(self._puzzle.height, self._puzzle.width, bytes(self._known.cells))

    def lines(self) -> list[str]:
        return rows_data(self._puzzle, bytes(self._known.cells))

    def table(self, step: Step) -> list[str]:
        return [] if step.prices is None else printed(self._puzzle, step)

    def scene(self, step: Step, caption: str) -> Scene:
        return Scene(self._puzzle, self.state(), *standing_out(step, caption))
