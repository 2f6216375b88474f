"""Pages of one HTML file, without a server: to play a puzzle, to step through an explanation."""

from __future__ import annotations

from typing import Any

import nonosat
from nonosat.studio.bundling import own_page

# A table of techniques, and letters of colours, look as in the panels that they come from.
_EXPLAINED = ("verdict/verdict.css", "play/play.css", "explain/explain.css", "single/single.css")
_PLAYED = ("play/play.css", "single/single.css")


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
        _PLAYED,
        {"puzzle": data, "explanation": explanation},
        title=heading,
        without="Playing needs JavaScript, which is part of this file.",
        below=puzzle.about.author,
    )


def explained_page(found: nonosat.Explanation | nonosat.Reason, title: str, ending: str) -> str:
    """A page that steps through how a puzzle is solved, or why a cell has its value.

    Args:
        found: What is stepped through.
        title: What it is about.
        ending: What is to be said of the whole.

    Raises:
        UnsupportedError: The puzzle is of a family that the board does not show.
    """
    puzzle = found.puzzle
    if not isinstance(puzzle, nonosat.Nonogram | nonosat.Slitherlink):
        raise nonosat.UnsupportedError(
            "pages show the steps of nonograms and Slitherlinks, of no other family"
        )
    clues = {key: value for key, value in puzzle.to_data().items() if key not in ("goal", "saved")}
    return own_page(
        "explain/page.js",
        _EXPLAINED,
        {"puzzle": clues, "explanation": found.to_data(with_puzzle=False)},
        title=title,
        without=(
            "Stepping through needs JavaScript, which is part of this file; "
            "nonosat prints the same steps as text."
        ),
        below=ending,
    )
