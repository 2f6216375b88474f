"""Measures line and grid propagation without Python: `python benchmarks/native/line.py`.

Builds line.cpp with the native sources in a temporary folder and prints Markdown: nanoseconds per
line by length, blocks and colours, compared with the word operations that the method needs,
O(blocks x log length x words); callgrind's instruction count if valgrind is installed; whole
line-solvable puzzles, by side, with the exponent of the growth. `--record FILE` writes the figures
as JSON.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import re
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from nonosat.puzzles.nonogram import clue_of

ROOT = Path(__file__).parent.parent.parent
NATIVE = ROOT / "nonosat" / "native"
LENGTHS = (15, 30, 60, 100, 200, 500, 2000)
KINDS = ((2, 1), (6, 1), (2, 3))  # (mean length of blocks and gaps, colours)
SIDES = (25, 50, 100, 200, 400, 800, 1600)
Figures = list[dict[str, Any]]


def build(folder: Path) -> Path:
    """Return the program, compiled with the options of the extension."""
    program = folder / "line"
    sources = [*NATIVE.glob("line/*.cpp"), *NATIVE.glob("board/*.cpp")]
    command = ["g++", "-std=gnu++20", "-O3", "-DNDEBUG", "-I", str(NATIVE)]
    subprocess.run(
        [*command, str(Path(__file__).with_suffix(".cpp")), *map(str, sources), "-o", str(program)],
        check=True,
    )
    return program


def run(*command: str) -> dict[str, Any]:
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def instructions(program: Path, arguments: list[str]) -> int | None:
    """Return the instructions of one solve by callgrind, from two more rounds over the lines."""
    if not shutil.which("valgrind"):
        return None
    counts = []
    for rounds in (1, 3):
        command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
        done = subprocess.run(
            [*command, str(program), *arguments, str(rounds)],
            capture_output=True,
            text=True,
            check=True,
        )
        counts.append(int(re.findall(r"refs:\s+([\d,]+)", done.stderr)[0].replace(",", "")))
        num_lines = json.loads(done.stdout)["lines"]
    return round((counts[1] - counts[0]) / 2 / num_lines)


def lines(program: Path) -> Figures:
    """Measure random lines with a random share of their cells known."""
    figures = []
    for length in LENGTHS:
        for gap, num_colours in KINDS:
            arguments = ["lines", str(length), str(gap), str(num_colours)]
            found = run(str(program), *arguments, "40")
            words = math.ceil((length + 2) / 64)
            figures.append(
                {
                    "cells": length,
                    "colours": num_colours,
                    "blocks": found["blocks"],
                    "ns": found["ns"],
                    "units per ns": found["units_per_ns"],
                    "needed": round(found["blocks"] * math.log2(length) * words),
                    "instructions": instructions(program, arguments),
                }
            )
    return figures


def tight_picture(side: int, seed: int) -> list[bytearray]:
    """Return isolated empty cells and a few pairs per line: line-solvable in many rounds."""
    rng = random.Random(seed)
    cells = [bytearray(b"\1" * side) for _ in range(side)]
    for _ in range(side * side // 5):
        row, column = rng.randrange(side), rng.randrange(side)
        around = ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))
        if all(not (0 <= r < side and 0 <= c < side) or cells[r][c] for r, c in around):
            cells[row][column] = 0
    for _ in range(3 * side):
        row, column = rng.randrange(side - 1), rng.randrange(side - 1)
        cells[row][column] = cells[row][column + 1] = cells[row + 1][column] = 0
    return cells


def boards(program: Path, folder: Path) -> Figures:
    """Measure the propagation of line-solvable puzzles: the first such seed of each side."""
    figures: Figures = []
    seed = 0
    while len(figures) < len(SIDES):
        side, seed = SIDES[len(figures)], seed + 1
        cells = tight_picture(side, seed)
        clues = [clue_of(bytes(line)) for line in (*cells, *zip(*cells, strict=True))]
        numbers = [f"1 {side} {side}"]
        for clue in clues:
            numbers.append(" ".join([str(len(clue)), *(f"{b.length} {b.colour}" for b in clue)]))
        path = folder / "puzzle"
        path.write_text("\n".join(numbers))
        found = run(str(program), "board", str(path), "7")
        if found.pop("complete"):
            figures.append({"side": side, "seed": seed, **found})
            seed = 0
    return figures


def exponent(figures: Figures) -> float:
    """Return the exponent of growth in the number of cells, by least squares of the logarithms."""
    xs = [2 * math.log(figure["side"]) for figure in figures]
    ys = [math.log(figure["ms"]) for figure in figures]
    middle_x, middle_y = sum(xs) / len(xs), sum(ys) / len(ys)
    both = sum((x - middle_x) * (y - middle_y) for x, y in zip(xs, ys, strict=True))
    return both / sum((x - middle_x) ** 2 for x in xs)


def table(figures: Figures) -> str:
    """Return a table as Markdown."""
    rows = [list(figures[0]), ["---:"] * len(figures[0])]
    rows += [[str(value) for value in figure.values()] for figure in figures]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--record", metavar="FILE", type=Path, help="write the figures as JSON")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        program = build(Path(name))
        found_lines = lines(program)
        print(table(found_lines), end="\n\n", flush=True)
        found_boards = boards(program, Path(name))
        print(table(found_boards))
    power = round(exponent(found_boards), 2)
    print(f"\nTime grows with the number of cells to the power {power}.")
    if arguments.record:
        figures = {"lines": found_lines, "boards": found_boards, "exponent": power}
        arguments.record.write_text(json.dumps(figures, indent=2) + "\n")


if __name__ == "__main__":
    main()
