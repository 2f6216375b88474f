"""Pictures of puzzles and solutions: text for terminals and pipes; figures for SVG, PNG and PDF.

A module or folder of this package that has the name of a family draws its puzzles by a record
`plugins.Drawing`. A family without one is shown by the lines of its solutions. Figures
(`figures.py`) are made of `shapes`, and painted as SVG for notebooks and pages, as PNG and as PDF,
from the same shapes. `saving` writes sheets and pictures into files. A command that prints text
imports no module for figures.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from itertools import chain
from typing import Any

from nonosat.core import lazy, plugins
from nonosat.core.families import name_of
from nonosat.core.plugins import Drawing, Puzzle
from nonosat.render._style import PLAIN, Style

__all__ = ["PLAIN", "Places", "Style", "drawing_of", "grouped", "lines_of", "text"]

Places = Collection[tuple[int, ...]]


def drawing_of(puzzle: Puzzle) -> Drawing:
    """Return the record that draws puzzles of this family."""
    is_ours = isinstance(puzzle.family, str)  # another object may have the name by chance
    if is_ours and plugins.is_there("render", name := name_of(puzzle)):
        return plugins.find("render", name)
    return _BY_LINES


def text(puzzle: Puzzle, solution: object, style: Style = PLAIN, marked: Places = ()) -> str:
    """Return a solution as text with marked places; the puzzle as text if `solution` is None."""
    return drawing_of(puzzle).text(puzzle, solution, style, marked)


def grouped(
    puzzle: Puzzle,
    solution: object,
    groups: Sequence[Places],
    others: Places = (),
    style: Style = PLAIN,
) -> str:
    """Return a solution as text, with a mark for each group of places, and "?" on `others`.

    The marks are those of `questions.groups.marks`. If the family's pictures have no groups, all of
    these places are marked alike.
    """
    drawing = drawing_of(puzzle)
    if drawing.grouped is None:
        return drawing.text(puzzle, solution, style, [*chain(*groups), *others])
    return drawing.grouped(puzzle, solution, groups, others, style)


# Puzzles of families without a drawing: the lines of a solution. A line with as many words as the
# puzzle has columns has a word per place, any other a character per place. Marked places (row,
# column) or (row, column, content) have "?" instead.


def _lines_as_text(puzzle: Puzzle, solution: object, style: Style, marked: Places = ()) -> str:
    """Return the lines of a solution as one text; `str(puzzle)` if `solution` is None."""
    del style
    return "\n".join(lines_of(puzzle, solution, marked))


def lines_of(puzzle: Puzzle, solution: Any, marked: Places) -> list[str]:
    """Return the lines of a solution; `[str(puzzle)]` if `solution` is None."""
    if solution is None:
        return [str(puzzle)]
    columns: dict[int, set[int]] = {}
    for row, column in (place[:2] for place in marked if len(place) in (2, 3)):
        columns.setdefault(row, set()).add(column)
    lines = enumerate(solution.lines())
    return [_marked(line, columns.get(row, set()), puzzle.width) for row, line in lines]


def _marked(line: str, columns: Collection[int], width: int) -> str:
    """Return a line with "?" in some columns."""
    spans = [word.span() for word in re.finditer(r"\S+", line)]
    if len(spans) != width:
        spans = [(at, at + 1) for at in range(len(line))]
    chars = [*line]
    for start, end in (spans[column] for column in columns if column < len(spans)):
        chars[start:end] = "?".rjust(end - start)
    return "".join(chars)


_BY_LINES = Drawing(
    summary="the lines of a solution",
    text=_lines_as_text,
    figure=lazy.function("nonosat.render.figures", "figure_by_lines"),
)
