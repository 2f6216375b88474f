"""The page: one HTML file that steps through an explanation, without a network.

Every text from a puzzle is escaped or set as text; the page's own policy lets nothing run but the
one script whose hash it names, and nothing be fetched. The frame, the style sheet and the script
are the files `page.*` beside this one.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from html import escape
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from nonosat.explain.data import rows_data, step_data
from nonosat.explain.knowledge import Knowledge
from nonosat.render.nonogram.text import clue_text

if TYPE_CHECKING:
    from nonosat.explain.step import Step
    from nonosat.puzzles.nonogram import Nonogram

_MARK = re.compile(r"\{\{(\w+)\}\}")


def page(puzzle: Nonogram, steps: tuple[Step, ...], title: str, ending: str) -> str:
    """The steps of an explanation as a page.

    Args:
        puzzle: The puzzle.
        steps: In order, from its given cells on.
        title: What it is about.
        ending: What is to be said of the whole.
    """
    script = _file("page.js")
    parts = {
        "title": escape(title),
        "ending": escape(ending),
        "style": _file("page.css"),
        "script": script,
        "hash": base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
        "data": _embedded(_data(puzzle, steps)),
    }
    return _MARK.sub(lambda mark: parts[mark[1]], _file("page.html"))


def _file(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


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


def _embedded(data: dict[str, Any]) -> str:
    """Data as JSON that may stand in a script element."""
    text = json.dumps(data, separators=(",", ":"), allow_nan=False, ensure_ascii=True)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
