"""A page that plays one puzzle without a server: one HTML file with the page's own modules."""

from __future__ import annotations

from typing import Any

import nonosat
from nonosat.studio.bundling import own_page

_STYLES = ("play/play.css", "single/single.css")


def player_page(puzzle: Any, title: str = "", **limits: Any) -> str:
    """A page that plays a puzzle, with hints where it is unique and has steps.

    Args:
        puzzle: A nonogram or a Slitherlink. Its goal is left out.
        title: What the page is called; the puzzle's own title without it.
        **limits: Of the explanation that the hints are taken from, as `nonosat.explain` takes them.

    Raises:
        UnsupportedError: It is of another family.
    """
    if not isinstance(puzzle, nonosat.Nonogram | nonosat.Slitherlink):
        raise nonosat.UnsupportedError("nonograms and Slitherlinks can be played, no other family")
    found = nonosat.explain(puzzle, **limits)
    explanation = None
    if found.verdict.value == "unique":
        explanation = {"verdict": "unique"} | {
            key: value for key, value in found.to_data().items() if key in ("steps", "legend")
        }
    data = puzzle.to_data()
    data.pop("goal", None)
    data.pop("saved", None)
    heading = title or puzzle.about.title or "A puzzle to play"
    return own_page(
        "play/player.js",
        _STYLES,
        {"puzzle": data, "explanation": explanation},
        title=heading,
        without="Playing needs JavaScript, which is part of this file.",
        below=puzzle.about.author,
    )
