"""The page: one HTML file that steps through an explanation, without a network.

Every text from a puzzle is escaped or set as text (see `nonosat.render.page`). The body, the style
sheet and the script are the files `page.*` beside this one.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING, Any

from nonosat.explain.data import line_data, rows_data, signs_of, step_data
from nonosat.explain.knowledge import Knowledge
from nonosat.explain.tables import best_of_lines
from nonosat.explain.words import Words
from nonosat.render.nonogram.inks import letters
from nonosat.render.nonogram.states import css
from nonosat.render.page import embedded, file, filled, framed, scripted

if TYPE_CHECKING:
    from nonosat.explain.step import Step
    from nonosat.model import Clue
    from nonosat.puzzles.nonogram import Nonogram


def page(
    puzzle: Nonogram,
    steps: tuple[Step, ...],
    title: str,
    ending: str,
    clashing: Sequence[int] = (),
) -> str:
    """The steps of an explanation as a page.

    Args:
        puzzle: The puzzle.
        steps: In order, from its given cells on.
        title: What it is about.
        ending: What is to be said of the whole.
        clashing: Numbers of the lines whose clues contradict each other.
    """
    body = filled(_file("page.html"), {"title": escape(title), "ending": escape(ending)})
    scripts, policy = scripted(_file("page.js"), embedded(_data(puzzle, steps, clashing)))
    return framed(title, body, filled(_file("page.css"), css()), scripts, policy)


def _file(name: str) -> str:
    return file(name, __package__)


def _data(puzzle: Nonogram, steps: tuple[Step, ...], clashing: Sequence[int]) -> dict[str, Any]:
    signs = puzzle.symbols
    inks = [puzzle.background, *puzzle.colours]
    return {
        "height": puzzle.height,
        "width": puzzle.width,
        "rows": [_blocks(puzzle, clue) for clue in puzzle.rows],
        "columns": [_blocks(puzzle, clue) for clue in puzzle.columns],
        "inks": {sign: ink.rgb for sign, ink in zip(signs, inks, strict=True)},
        "names": dict(zip(signs, Words(puzzle).inks, strict=True)),
        "start": rows_data(puzzle, bytes(Knowledge(puzzle).cells)),
        "steps": _steps(puzzle, steps),
        "clashing": [line_data(puzzle, line) for line in clashing],
    }


def _steps(puzzle: Nonogram, steps: tuple[Step, ...]) -> list[dict[str, Any]]:
    """The steps, price tables with the best filling of each of their lines."""
    known = Knowledge(puzzle)
    found = []
    for step in steps:
        data = step_data(puzzle, step)
        if step.prices is not None:
            data["prices"]["best"] = [
                line_data(puzzle, line)
                | {"amount": best.amount, "filling": signs_of(puzzle, best.filling)}
                for line, best in best_of_lines(step.prices, known).items()
            ]
        known.learn(step)
        found.append(data)
    return found


def _blocks(puzzle: Nonogram, clue: Clue) -> list[tuple[str, str]]:
    """A clue as (text, sign of its colour); no sign where there is but one colour.

    The text has the letter that stands for the colour in grey prints, as on sheets.
    """
    signs = puzzle.symbols if len(puzzle.colours) > 1 else ""
    named = letters(puzzle)
    texts = (f"{block.length or '?'}{named[block.colour - 1]}" for block in clue)
    found = [(text, signs and signs[block.colour]) for text, block in zip(texts, clue, strict=True)]
    return found or [("0", "")]
