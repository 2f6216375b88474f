"""What makes two puzzles the same to a solver, and two solutions, as hashes; linear in both."""

from __future__ import annotations

import json
from collections.abc import Sequence
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


def digest(rows: Sequence[str]) -> str:
    """Short hash of a solution, given as row strings; 96 bits."""
    return sha256("\n".join(rows).encode(errors="backslashreplace")).hexdigest()[:24]
