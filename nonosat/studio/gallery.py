"""Gallery of the studio: bundled puzzles in groups, ready to play."""

from __future__ import annotations

from typing import Any

import nonosat
from nonosat.studio import wire

GROUPS = {
    "Pictures": "bundled:pictures",
    "In colour": "bundled:colour",
    "Slitherlink": "bundled:slitherlink",
    "Mathematics": "bundled:mathematics",
}
MOST_CELLS = 4000  # cells of a mathematical pattern: some are far larger


def gallery() -> list[dict[str, Any]]:
    """Return the groups, each with its puzzles from small to large."""
    return [{"group": group, "puzzles": _shown(file)} for group, file in GROUPS.items()]


def _shown(file: str) -> list[dict[str, Any]]:
    puzzles = [puzzle for puzzle in nonosat.load_all(file) if _is_shown(puzzle, file)]
    return [
        {
            "id": puzzle.about.id,
            "title": puzzle.about.title or puzzle.about.id,
            "size": puzzle.size,
            "family": puzzle.family,
            "puzzle": puzzle.to_data(),
        }
        for puzzle in sorted(puzzles, key=lambda puzzle: puzzle.height * puzzle.width)
    ]


def _is_shown(puzzle: Any, file: str) -> bool:
    if wire.why_no_room(puzzle):
        return False
    is_mathematics = file == GROUPS["Mathematics"]
    return not is_mathematics or puzzle.height * puzzle.width <= MOST_CELLS
