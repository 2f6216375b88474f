"""Gallery of the studio: puzzles in groups, ready to play: first small ones, then bundled ones.

The difficulty of a bundled puzzle is that of the index; small ones are rated each time.
"""

from __future__ import annotations

from typing import Any

import nonosat
from nonosat.formats import bundled
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
_UNRATED = 9.0  # above all difficulties


def gallery() -> list[dict[str, Any]]:
    """Return the groups; puzzles are ordered from easy to hard, then from small to large."""
    first = [
        nonosat.from_picture(rows.replace(" ", "\n"), title=title) for title, rows in _FIRST.items()
    ]
    ratings = {one.id: one.difficulty for one in bundled()}
    groups = {FIRST: [(nonosat.rate(puzzle).difficulty, puzzle) for puzzle in first]}
    for group, file in GROUPS.items():
        puzzles = [puzzle for puzzle in nonosat.load_all(file) if _is_shown(puzzle, file)]
        groups[group] = [(ratings.get(puzzle.about.id), puzzle) for puzzle in puzzles]
    return [
        {"group": group, "puzzles": [_entry(*one) for one in sorted(rated, key=_effort)]}
        for group, rated in groups.items()
    ]


def _effort(rated: tuple[float | None, Any]) -> tuple[float, int]:
    difficulty, puzzle = rated
    return difficulty or _UNRATED, puzzle.height * puzzle.width


def _entry(difficulty: float | None, puzzle: Any) -> dict[str, Any]:
    """Return a puzzle as the page shows it."""
    return {
        "id": puzzle.about.id or f"first-{puzzle.about.title}",
        "title": puzzle.about.title or puzzle.about.id,
        "size": puzzle.size,
        "family": puzzle.family,
        "difficulty": difficulty,
        "puzzle": puzzle.to_data(),
    }


def _is_shown(puzzle: Any, file: str) -> bool:
    if wire.why_no_room(puzzle):
        return False
    is_mathematics = file == GROUPS["Mathematics"]
    return not is_mathematics or puzzle.height * puzzle.width <= MOST_CELLS
