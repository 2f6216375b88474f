"""What makes two puzzles the same to a solver, as a hash; linear in the clues."""

from __future__ import annotations

import json
from hashlib import sha256

from nonosat.puzzles.nonogram.data import Nonogram


def fingerprint(puzzle: Nonogram) -> str:
    """Hash of what there is to solve: number of colours, clues, cells given."""
    data = {
        "colors": len(puzzle.colours),
        "rows": puzzle.rows,
        "columns": puzzle.columns,
        "given": sorted(puzzle.given),
    }
    return sha256(json.dumps(data, separators=(",", ":")).encode()).hexdigest()
