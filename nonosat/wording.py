"""How sentences for people name rows, columns, cells and clues.

Rows and columns count from 1 in sentences and in options of commands, from 0 in Python and in JSON:
every function here takes numbers from 0 and names them from 1.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import islice

from nonosat.errors import shown

SHOWN_BLOCKS = 8  # of a clue; longer ones are shortened
SHOWN_CELLS = 10  # of a list


def cell_text(row: int, column: int) -> str:
    """A cell, or a square: "row 3, column 5"."""
    return f"row {shown(row + 1)}, column {shown(column + 1)}"


def cells_text(cells: Collection[tuple[int, int]], most: int = SHOWN_CELLS) -> str:
    """Cells as options of commands take them: "3,5 3,6 and 7 more"."""
    text = " ".join(f"{row + 1},{column + 1}" for row, column in islice(cells, most))
    more = len(cells) - most
    return f"{text} and {more} more" if more > 0 else text


def line_text(line: int, height: int) -> str:
    """A line by its number, rows first: "row 3", "column 5"."""
    return f"row {line + 1}" if line < height else f"column {line - height + 1}"


def clue_text(blocks: Iterable[tuple[int | None, int]], signs: str = "") -> str:
    """Blocks (length, colour) in one line: "3 1", "2r 4b", "? 1", or "0" for none.

    Args:
        blocks: A clue, or the runs of a picture.
        signs: By colour, a character that names it; "" where one colour needs no name.
    """
    parts = (
        ("?" if length is None else str(length)) + (signs and signs[colour])
        for length, colour in blocks
    )
    return " ".join(parts) or "0"


def short_clue_text(blocks: Sequence[tuple[int | None, int]], signs: str = "") -> str:
    """The same for a sentence: of a long clue the beginning, and how many blocks it has."""
    if len(blocks) <= SHOWN_BLOCKS:
        return clue_text(blocks, signs)
    return f"{clue_text(blocks[:SHOWN_BLOCKS], signs)} ..., {len(blocks)} blocks"


def line_with_clue(
    line: int, height: int, clue: Sequence[tuple[int | None, int]], signs: str = ""
) -> str:
    """A line with its clue: "row 28 (clue 40)"."""
    return f"{line_text(line, height)} (clue {short_clue_text(clue, signs)})"


def value_text(value: int, signs: str = "") -> str:
    """What a cell is: "empty", "filled", or a colour's sign."""
    if not value:
        return "empty"
    return repr(signs[value]) if signs else "filled"


def corner_text(row: int, column: int, height: int, width: int) -> str:
    """A corner of the lattice around height x width cells, by a cell that it is a corner of."""
    side = "upper" if row < height else "lower"
    end = "left" if column < width else "right"
    return f"the {side} {end} corner of {cell_text(min(row, height - 1), min(column, width - 1))}"
