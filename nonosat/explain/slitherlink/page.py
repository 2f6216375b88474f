"""What the page of a Slitherlink's explanation draws, as data for its script."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from nonosat.explain.slitherlink.data import step_data

if TYPE_CHECKING:
    from nonosat.explain.slitherlink.step import Step
    from nonosat.puzzles.slitherlink import Slitherlink


def page_data(puzzle: Slitherlink, steps: Sequence[Step], contradiction: None) -> dict[str, Any]:
    """What the script `board.js` draws and steps through.

    Args:
        puzzle: The puzzle.
        steps: In order.
        contradiction: There is none.
    """
    del contradiction
    return {
        "height": puzzle.height,
        "width": puzzle.width,
        "rows": puzzle.rows(),
        "steps": [step_data(puzzle, step) for step in steps],
    }
