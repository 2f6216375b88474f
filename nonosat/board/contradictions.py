"""Where a board broke, in words: the line, or the cell of which no value holds.

What is said is what native propagation or probing found; nothing is searched for here but, for a
cell, the line that each of its values breaks: a propagation for each.
"""

from __future__ import annotations

from nonosat import _core
from nonosat.core.limits import Watch
from nonosat.core.model import RowsAndColumns
from nonosat.core.wording import cell_text, line_with_clue, value_text

MOST_VALUES = 3  # of a cell that are gone through one by one


def of_line(board: _core.Board, lines: RowsAndColumns, signs: str) -> str:
    """After a `propagate` that returned False.

    Args:
        board: The board.
        lines: Its lines.
        signs: By colour, what names it; "" for one colour.
    """
    return f"line propagation leaves no placement of {_broken(board, lines, signs)}"


def of_cell(board: _core.Board, lines: RowsAndColumns, cell: int, signs: str, watch: Watch) -> str:
    """After a probe that refuted every value of a cell.

    Args:
        board: The board, as it was before that probe.
        lines: Its lines.
        cell: The cell.
        signs: By colour, what names it; "" for one colour.
        watch: Raises LimitReached.
    """
    where = cell_text(*divmod(cell, len(lines.columns)))
    values = [value for value in range(lines.num_colours + 1) if board.plane(value)[cell]]
    told = []
    for value in values[:MOST_VALUES]:
        trial = board.copy()
        trial.assign(cell, value)
        if trial.propagate(watch.remaining_s(), watch.poll) is None:
            raise watch.limit()
        told.append(f"{value_text(value, signs)}, {_broken(trial, lines, signs)} breaks")
    if more := len(values) - len(told):
        told.append(f"and so on for {more} more")
    return f"whichever value the cell in {where} has, a line breaks: {'; '.join(told)}"


def _broken(board: _core.Board, lines: RowsAndColumns, signs: str) -> str:
    line = board.broken_line
    assert line is not None
    height = len(lines.rows)
    clue = lines.rows[line] if line < height else lines.columns[line - height]
    return line_with_clue(line, height, clue, signs)
