"""The Glasgow Constraint Solver's example `nonogram` as a program: `glasgow.py FILE`.

Reads a puzzle in the project's JSON, writes the data of the MiniZinc challenge of 2013 (each clue
as the runs and gaps of its line, padded with -1), and executes the solver.
"""

import json
import os
import sys
from pathlib import Path


def main() -> None:
    puzzle = json.loads(Path(sys.argv[1]).read_text())
    clues = [clue for part in ("rows", "columns") for clue in puzzle[part]]
    if puzzle.get("given") or any(type(block) is not int for clue in clues for block in clue):
        sys.exit("beyond it: colours, blocks of unknown length or given cells")
    lines = [",0,".join(",".join("1" * block) for block in clue) for clue in clues]
    lines = [line and f"{line}," for line in lines]
    longest = max(1, *(line.count(",") for line in lines))
    lines = [(line + "-1," * (longest - line.count(","))).rstrip(",") for line in lines]
    num_rows = len(puzzle["rows"])
    rows, columns = "\n| ".join(lines[:num_rows]), "\n| ".join(lines[num_rows:])
    text = f"X = {len(puzzle['columns'])};\nY = {num_rows};\nmaxlen = {longest};\n"
    Path("puzzle.dzn").write_text(f"{text}rows = [| {rows} |];\ncols = [| {columns} |];\n")
    os.execvp("nonogram", ["nonogram", "--dzn", "puzzle.dzn"])  # noqa: S606, S607 - no shell


if __name__ == "__main__":
    main()
