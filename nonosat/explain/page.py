"""The page: one HTML file that steps through an explanation, without a network.

Every text from a puzzle is escaped or set as text (see `nonosat.render.page`). Stepping is the
files `page.*` beside this one; the board is the files `board.*` of its explainer.
"""

from __future__ import annotations

from html import escape
from typing import Any

from nonosat.explain.explainers import explainer_of
from nonosat.render.nonogram.states import css
from nonosat.render.page import embedded, file, filled, framed, scripted


def page(
    puzzle: Any, steps: tuple[Any, ...], title: str, ending: str, contradiction: Any = None
) -> str:
    """The steps of an explanation as a page.

    Args:
        puzzle: The puzzle.
        steps: In order, from what it gives on.
        title: What it is about.
        ending: What is to be said of the whole.
        contradiction: The clues that contradict each other; None without any.
    """
    explainer = explainer_of(puzzle)
    own, data = explainer.files, explainer.page(puzzle, steps, contradiction)
    parts = {"title": escape(title), "ending": escape(ending), "board": file("board.html", own)}
    script = f"{_file('page.js')}\n{file('board.js', own)}"
    style = f"{_file('page.css')}\n{file('board.css', own)}"
    scripts, policy = scripted(script, embedded(data))
    return framed(title, filled(_file("page.html"), parts), filled(style, css()), scripts, policy)


def _file(name: str) -> str:
    return file(name, __package__)
