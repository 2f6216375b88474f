"""The bundled puzzles, by groups: a newcomer plays within seconds.

They are files of `instances/`: in a checkout they are read there; the build puts the same files
beside this module.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nonosat
from nonosat.studio import wire

GROUPS = {
    "Pictures": "pictures.jsonl",
    "In colour": "colour.jsonl",
    "Slitherlink": "slitherlink.jsonl",
    "Mathematics": "mathematics.jsonl",
}
MOST_CELLS = 4000  # of a puzzle of mathematics: some are far larger
_HERE = Path(__file__).parent


def folder() -> Path:
    """Where the files are."""
    built = _HERE / "puzzles"
    return built if built.is_dir() else _HERE.parents[1] / "instances"


def gallery() -> list[dict[str, Any]]:
    """The groups, each with its puzzles from small to large."""
    return [{"group": group, "puzzles": _shown(folder() / file)} for group, file in GROUPS.items()]


def _shown(path: Path) -> list[dict[str, Any]]:
    puzzles = [puzzle for puzzle in nonosat.load_all(path) if _is_shown(puzzle, path)]
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


def _is_shown(puzzle: Any, path: Path) -> bool:
    if wire.why_no_room(puzzle):
        return False
    is_mathematics = path.name == GROUPS["Mathematics"]
    return not is_mathematics or puzzle.height * puzzle.width <= MOST_CELLS
