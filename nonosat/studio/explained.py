"""A page that steps through an explanation without a server: one HTML file, as the player's is."""

from __future__ import annotations

import nonosat
from nonosat.studio.bundling import own_page

# A table of techniques, and letters of colours, look as in the panels that they come from.
_STYLES = ("verdict/verdict.css", "play/play.css", "explain/explain.css", "single/single.css")


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
        _STYLES,
        {"puzzle": clues, "explanation": found.to_data(with_puzzle=False)},
        title=title,
        without=(
            "Stepping through needs JavaScript, which is part of this file; "
            "nonosat prints the same steps as text."
        ),
        below=ending,
    )
