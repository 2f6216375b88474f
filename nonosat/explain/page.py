"""The page: one HTML file that steps through an explanation, without a network.

Every text from a puzzle is escaped or set as text (see `nonosat.render.page`). The body, the style
sheet and the script are the files `page.*` beside this one.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

from nonosat.explain.data import rows_data, step_data
from nonosat.explain.knowledge import Knowledge
from nonosat.render.nonogram.text import clue_text
from nonosat.render.page import embedded, file, filled, framed, scripted

if TYPE_CHECKING:
    from nonosat.explain.step import Step
    from nonosat.puzzles.nonogram import Nonogram


def page(puzzle: Nonogram, steps: tuple[Step, ...], title: str, ending: str) -> str:
    """The steps of an explanation as a page.

    Args:
        puzzle: The puzzle.
        steps: In order, from its given cells on.
        title: What it is about.
        ending: What is to be said of the whole.
    """
    body = filled(_file("page.html"), {"title": escape(title), "ending": escape(ending)})
    scripts, policy = scripted(_file("page.js"), embedded(_data(puzzle, steps)))
    return framed(title, body, _file("page.css"), scripts, policy)


def _file(name: str) -> str:
    return file(name, __package__)


def _data(puzzle: Nonogram, steps: tuple[Step, ...]) -> dict[str, Any]:
    signs = puzzle.symbols
    inks = [puzzle.background, *puzzle.colours]
    return {
        "height": puzzle.height,
        "width": puzzle.width,
        "rows": [clue_text(puzzle, clue).split() for clue in puzzle.rows],
        "columns": [clue_text(puzzle, clue).split() for clue in puzzle.columns],
        "inks": {sign: ink.rgb for sign, ink in zip(signs, inks, strict=True)},
        "start": rows_data(puzzle, bytes(Knowledge(puzzle).cells)),
        "steps": [step_data(puzzle, step) for step in steps],
    }
