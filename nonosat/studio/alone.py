"""Pages of one HTML file, without a server: to play a puzzle, to step through an explanation."""

from __future__ import annotations

from typing import Any

import nonosat
from nonosat.studio.bundling import own_page

# Styles of a table of techniques, and of letters of colours, as in the panels of the studio.
_EXPLAINED = ("verdict/verdict.css", "play/play.css", "explain/explain.css", "single/single.css")
PLAYED = ("play/play.css", "single/single.css", "print/print.css")


def player_page(puzzle: Any, title: str = "", **limits: Any) -> str:
    """Return a page that plays a puzzle, with hints if it is unique and can be explained.

    Args:
        puzzle: A nonogram or a Slitherlink. Its goal is left out.
        title: Title of the page; by default the puzzle's own title.
        **limits: Limits of the explanation that provides the hints, as for `nonosat.explain`.

    Raises:
        UnsupportedError: The puzzle is of another family.
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
        PLAYED,
        {"puzzle": data, "explanation": explanation},
        title=heading,
        without="Playing needs JavaScript, which is part of this file.",
        below=puzzle.about.author,
    )


def explained_page(found: nonosat.Explanation | nonosat.Reason, title: str, ending: str) -> str:
    """Return a page that steps through the solution of a puzzle, or the reason of a cell's value.

    Args:
        found: The explanation.
        title: Title of the page.
        ending: Summary after the last step.

    Raises:
        UnsupportedError: The board of the page does not support the puzzle's family.
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
