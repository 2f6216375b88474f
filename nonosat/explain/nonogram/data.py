"""Steps, lines and cells as JSON data and back; board after each step.

A line is {"row": 3} or {"column": 3}; a cell is [row, column, symbol], with the puzzle's symbols.
These numbers count from 0; only the sentences count from 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from nonosat.core.grid import UNKNOWN, Grid
from nonosat.core.presenting import Data, Scene
from nonosat.core.wording import listed
from nonosat.explain.data import line_data, line_of
from nonosat.explain.nonogram.given import known_cells
from nonosat.explain.nonogram.knowledge import Knowledge
from nonosat.explain.nonogram.step import Best, Cell, Link, PriceTable, Step, highlights
from nonosat.explain.nonogram.words import Words

if TYPE_CHECKING:
    from nonosat.explain.nonogram.step import Best, Step
    from nonosat.puzzles.nonogram import Nonogram


OPEN = "?"
_WIDEST = 100  # characters of a row of a table that is printed


def clue_data(puzzle: Nonogram, line: int) -> Data:
    """Return a line as JSON data, with its clue as it is printed."""
    return {**line_data(puzzle, line), "clue": Words(puzzle).clue(line)}


def cells_data(puzzle: Nonogram, cells: tuple[Cell, ...]) -> list[list[Any]]:
    """Return cells as JSON data, with the symbols of their values."""
    signs = puzzle.symbols
    return [[row, column, signs[value]] for row, column, value in cells]


def rows_data(puzzle: Nonogram, cells: bytes) -> list[str]:
    """Return a board as rows of symbols, OPEN if unknown."""
    text = signs_of(puzzle, cells)
    return [text[at : at + puzzle.width] for at in range(0, len(text), puzzle.width)]


def signs_of(puzzle: Nonogram, cells: bytes) -> str:
    """Return a sequence of cells as symbols, OPEN for an unknown cell."""
    return cells.decode("latin-1").translate(puzzle.symbols.ljust(UNKNOWN, OPEN) + OPEN)


def step_data(puzzle: Nonogram, step: Step) -> Data:
    """Return a step as JSON data, without keys of empty fields."""
    data: Data = {
        "technique": step.technique,
        "lines": [line_data(puzzle, line) for line in step.lines],
        "settled": cells_data(puzzle, step.settled),
    }
    if step.ruled_out:
        data["ruled_out"] = cells_data(puzzle, step.ruled_out)
    if step.assumed is not None:
        row, column, value = step.assumed
        signs = puzzle.symbols.ljust(UNKNOWN, OPEN) + OPEN
        data["assumed"] = [row, column, signs[value]]
    if step.chain:
        data["chain"] = [
            {**line_data(puzzle, link.line), "rules_out": cells_data(puzzle, link.rules_out)}
            for link in step.chain
        ]
    if step.prices is not None:
        data["prices"] = _table_data(puzzle, step.prices)
    if step.technique == "guess":
        data |= {"conflicts": step.searched, "proven": step.is_proven}
    return data | {"sentence": step.sentence}


def _table_data(puzzle: Nonogram, table: PriceTable) -> Data:
    """Return a price table as JSON data: prices that are not 0, and best fillings of lines."""
    signs = puzzle.symbols
    prices = [[row, column, signs[value], price] for row, column, value, price in table.prices]
    best = [
        line_data(puzzle, own.line)
        | {"amount": own.amount, "filling": signs_of(puzzle, own.filling)}
        for own in table.best
    ]
    return {"table": prices, "earned": table.earned, "paid": table.paid, "best": best}


# From JSON data


def cells_of(puzzle: Nonogram, cells: Iterable[Sequence[Any]]) -> tuple[Cell, ...]:
    """Return cells (row, column, value) from their JSON data."""
    values = {symbol: value for value, symbol in enumerate(puzzle.symbols)} | {OPEN: UNKNOWN}
    return tuple((int(row), int(column), values[sign]) for row, column, sign in cells)


def _table_of(puzzle: Nonogram, data: Mapping[str, Any]) -> PriceTable:
    """Return a price table from its JSON data."""
    values = {symbol: value for value, symbol in enumerate(puzzle.symbols)}
    prices = tuple(
        (int(row), int(column), values[sign], int(price))
        for row, column, sign, price in data["table"]
    )
    best = tuple(
        Best(
            line_of(puzzle, own), int(own["amount"]), bytes(values[sign] for sign in own["filling"])
        )
        for own in data.get("best", ())  # older data do not have it
    )
    return PriceTable(prices, int(data["earned"]), int(data["paid"]), best)


def step_of(puzzle: Nonogram, data: Mapping[str, Any]) -> Step:
    """Return a step from its JSON data."""
    assumed = cells_of(puzzle, [data["assumed"]])[0] if "assumed" in data else None
    chain = (
        Link(line_of(puzzle, link), cells_of(puzzle, link["rules_out"]))
        for link in data.get("chain", ())
    )
    return Step(
        technique=data["technique"],
        lines=tuple(line_of(puzzle, line) for line in data["lines"]),
        settled=cells_of(puzzle, data["settled"]),
        ruled_out=cells_of(puzzle, data.get("ruled_out", ())),
        sentence=data["sentence"],
        assumed=assumed,
        chain=tuple(chain),
        searched=data.get("conflicts", 0),
        is_proven=data.get("proven", True),
        prices=_table_of(puzzle, data["prices"]) if "prices" in data else None,
    )


def steps_of(puzzle: Nonogram, steps: Iterable[Mapping[str, Any]]) -> tuple[Step, ...]:
    """Return steps from their JSON data."""
    return tuple(step_of(puzzle, step) for step in steps)


def grid_data(puzzle: Nonogram, grid: Grid) -> list[str]:
    """Return a grid as rows of symbols."""
    return rows_data(puzzle, grid.cells)


def grid_of(puzzle: Nonogram, rows: Sequence[str]) -> Grid:
    """Return the grid of rows of symbols."""
    return Grid.of_rows(rows, puzzle.symbols)


# Board after each step, and price tables as text


def printed(puzzle: Nonogram, step: Step) -> list[str]:
    """Return lines of text with the price table of a step, a table for each colour.

    The last column has the maximal earning of a row, the last row the minimal payment of a column.
    Cells that the step settles are marked. If a table is too wide, only its size is stated.

    Args:
        puzzle: The puzzle.
        step: The step.
    """
    table = step.prices
    assert table is not None
    best = {own.line: own for own in table.best}
    shown = [price for *_, price in table.prices] + [own.amount for own in best.values()]
    size = 1 + max(len(str(price)) for price in shown)
    if (size + 1) * (puzzle.width + 1) > _WIDEST:
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
    """Return the colour that a price table is for, in words; "" if there is only one colour."""
    return f" of {Words(puzzle).value(value)} cells" if len(puzzle.colours) > 1 else ""


def _legend(signs: Mapping[int, str]) -> str:
    """Return the meaning of the marks on cells in a price table; "" if there are none."""
    shown = listed([signs[value] for value in sorted(signs, reverse=True)])
    return f", with {shown} for the cells that they decide" if shown else ""


def _aligned(cells: Iterable[tuple[int | None, str]], best: Best | None, size: int) -> str:
    """Return a row of a table; a cell without a price is a dot."""
    inside = "".join(f"{'.' if price is None else price:>{size}}{mark}" for price, mark in cells)
    return f"   {inside}|{'' if best is None else best.amount:>{size}}".rstrip()


class Following:
    """Board to which the steps of a nonogram are applied; a `story.BoardState`.

    Args:
        puzzle: The puzzle, whose given cells are known.
        given: Other known cells; None for none.
    """

    def __init__(self, puzzle: Nonogram, given: Grid | None = None) -> None:
        self._puzzle = puzzle
        self._known = Knowledge(puzzle)
        for place, value in known_cells(given) if given else ():
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
        return Scene(self._puzzle, self.state(), *highlights(step, caption))
