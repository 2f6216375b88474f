"""Gallery of the studio: puzzles in groups, ready to play: first small ones, then bundled ones."""

from __future__ import annotations

from typing import Any

import nonosat
from nonosat.studio import wire

FIRST = "First steps"
_FIRST = {  # title to picture
    "Little heart": ".#.#. ##### ##### .###. ..#..",
    "House": "..#.. .###. ##### .#.#. .###.",
    "Fish": "..##..# .####.# ####### .####.# ..##..#",
}
GROUPS = {
    "Pictures": "bundled:pictures",
    "In colour": "bundled:colour",
    "Slitherlink": "bundled:slitherlink",
    "Mathematics": "bundled:mathematics",
}
MOST_CELLS = 4000  # cells of a mathematical pattern: some are far larger


def gallery() -> list[dict[str, Any]]:
    """Return the groups; bundled puzzles are ordered from small to large."""
    first = [
        nonosat.from_picture(rows.replace(" ", "\n"), title=title) for title, rows in _FIRST.items()
    ]
    return [
        {"group": FIRST, "puzzles": [_entry(puzzle) for puzzle in first]},
        *({"group": group, "puzzles": _bundled(file)} for group, file in GROUPS.items()),
    ]


def _bundled(file: str) -> list[dict[str, Any]]:
    puzzles = [puzzle for puzzle in nonosat.load_all(file) if _is_shown(puzzle, file)]
    return [_entry(one) for one in sorted(puzzles, key=lambda puzzle: puzzle.height * puzzle.width)]


def _entry(puzzle: Any) -> dict[str, Any]:
    """Return a puzzle as the page shows it."""
    return {
        "id": puzzle.about.id or f"first-{puzzle.about.title}",
        "title": puzzle.about.title or puzzle.about.id,
        "size": puzzle.size,
        "family": puzzle.family,
        "puzzle": puzzle.to_data(),
    }


def _is_shown(puzzle: Any, file: str) -> bool:
    if wire.why_no_room(puzzle):
        return False
    is_mathematics = file == GROUPS["Mathematics"]
    return not is_mathematics or puzzle.height * puzzle.width <= MOST_CELLS
