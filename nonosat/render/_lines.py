"""Puzzles of families that nothing else draws: the lines of a solution, a character a place."""

from __future__ import annotations

from typing import Any

from nonosat.plugins import Drawing, Puzzle
from nonosat.render._document import FONT, document, escaped
from nonosat.render._style import Style

LINE = FONT * 5 // 4
WIDE = FONT * 3 // 4  # of a character, wide enough for every monospaced font
MONOSPACED = 'font-family="monospace" xml:space="preserve"'


def text(puzzle: Puzzle, solution: Any, style: Style, marked: object = ()) -> str:
    """The lines of a solution; of a puzzle its size."""
    del style, marked
    return "\n".join(_lines(puzzle, solution))


def svg(puzzle: Puzzle, solution: Any, marked: object, caption: str) -> str:
    """The same lines as an SVG document."""
    del marked
    lines = _lines(puzzle, solution)
    body = [
        f'<text y="{LINE * row}" {MONOSPACED}>{escaped(line)}</text>'
        for row, line in enumerate(lines, start=1)
    ]
    return document((WIDE * max(map(len, lines)), LINE * (len(lines) + 1)), body, caption)


def _lines(puzzle: Puzzle, solution: Any) -> list[str]:
    return [str(puzzle)] if solution is None else solution.lines()


DRAWING = Drawing(summary="the lines of a solution", text=text, svg=svg)
