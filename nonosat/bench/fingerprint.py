"""What makes two puzzles the same to a solver, and two solutions, as hashes; linear in both."""

from __future__ import annotations

import json
from collections.abc import Sequence
from hashlib import sha256
from typing import Any

from nonosat.families import family_of


def fingerprint(puzzle: Any) -> str:
    """Hash of what there is to solve: of a nonogram colours, clues, cells given."""
    family = {} if puzzle.family == "nonogram" else {"family": puzzle.family}
    data = family | family_of(puzzle).to_data(puzzle)
    return sha256(json.dumps(data, separators=(",", ":")).encode()).hexdigest()


def digest(rows: Sequence[str]) -> str:
    """Short hash of a solution, given as row strings; 96 bits."""
    return sha256("\n".join(rows).encode(errors="backslashreplace")).hexdigest()[:24]
