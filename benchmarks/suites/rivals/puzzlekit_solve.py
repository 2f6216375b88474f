"""puzzlekit (github.com/SmilingWayne/PuzzleSolver) as a program: `puzzlekit_solve.py FILE SECONDS`.

Reads a puzzle in the project's JSON; prints puzzlekit's status and grid. It supports neither
colours, nor blocks of unknown length, nor given cells.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path


def main() -> None:
    puzzle = json.loads(Path(sys.argv[1]).read_text())
    clues = puzzle["rows"] + puzzle["columns"]
    is_plain = all(type(block) is int for clue in clues for block in clue)
    if not is_plain or puzzle.get("given"):
        sys.exit("beyond it: colours, blocks of unknown length or given cells")
    try:
        from puzzlekit.solvers.nonogram import NonogramSolver
    except ImportError as error:
        sys.exit(f"puzzlekit cannot be imported: {error}")
    rows, columns = ([[*map(str, clue)] for clue in puzzle[name]] for name in ("rows", "columns"))
    solver = NonogramSolver(len(rows), len(columns), rows, columns)
    options = {"time_limit_sec": float(sys.argv[2]), "num_search_workers": 1}
    found = solver.solve(options).solution_data
    print(found["status"], found["solution_grid"], sep="\n")


if __name__ == "__main__":
    main()
