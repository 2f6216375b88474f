"""What the page of a nonogram's explanation draws, as data for its script."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from nonosat.explain.data import line_data
from nonosat.explain.nonogram.data import rows_data, signs_of, step_data
from nonosat.explain.nonogram.knowledge import Knowledge
from nonosat.explain.nonogram.tables import best_of_lines
from nonosat.explain.nonogram.words import Words
from nonosat.render.nonogram.inks import letters

if TYPE_CHECKING:
    from nonosat.explain.nonogram.contradictions import Contradiction
    from nonosat.explain.nonogram.step import Step
    from nonosat.model import Clue
    from nonosat.puzzles.nonogram import Nonogram


def page_data(
    puzzle: Nonogram, steps: Sequence[Step], contradiction: Contradiction | None
) -> dict[str, Any]:
    """What the script `board.js` draws and steps through.

    Args:
        puzzle: The puzzle.
        steps: In order, from its given cells on.
        contradiction: Whose clues are framed; None without one.
    """
    clashing = () if contradiction is None else contradiction.lines
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


def _steps(puzzle: Nonogram, steps: Sequence[Step]) -> list[dict[str, Any]]:
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
