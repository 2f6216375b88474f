"""What makes two puzzles the same to a solver, as a hash; linear in the clues."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any

from nonosat.families import family_of


def fingerprint(puzzle: Any) -> str:
    """Hash of what there is to solve: of a nonogram colours, clues, cells given."""
    family = {} if puzzle.family == "nonogram" else {"family": puzzle.family}
    data = family | family_of(puzzle).to_data(puzzle)
    return sha256(json.dumps(data, separators=(",", ":")).encode()).hexdigest()
