"""Number of n x n pictures with unique clues (OEIS A242876): n = 6 counted, n = 7 estimated.

    python benchmarks/research/squares.py                 # n = 1 to 5, a second
    python benchmarks/research/squares.py --n 6           # three minutes of one core
    python benchmarks/research/squares.py --n 7 --sample 2000   # estimate of number and cost
    ... --record                                          # also write into results.json

Builds squares.cpp, which documents the method, and compares the numbers with `KNOWN`.
"""

from __future__ import annotations

import argparse
import json
import math
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))
from common import Figures, surroundings

HERE = Path(__file__).parent
RESULTS = HERE / "results.json"
# https://oeis.org/A242876, with the correction of the last one of June 2025.
KNOWN = {1: 2, 2: 14, 3: 384, 4: 52_362, 5: 25_309_575, 6: 49_745_060_669}
NUM_IMAGES = 4  # lists of row clues that two reflections map to each other


def build(folder: Path) -> Path:
    """Return the compiled program."""
    target = folder / "squares"
    command = ["g++", "-std=c++20", "-O3", "-o", str(target), str(HERE / "squares.cpp")]
    subprocess.run(command, check=True)
    return target


def run(program: Path, *arguments: object) -> Figures:
    """Return the figures that the program prints."""
    done = subprocess.run(
        [program, *map(str, arguments)], check=True, capture_output=True, text=True
    )
    found: Figures = json.loads(done.stdout)
    return found


def counted(program: Path, n: int) -> Figures:
    """Return the number of unique pictures; raise ValueError if it is not the known one."""
    found = run(program, "count", n, 0, 1)
    if found["pictures"] != 2 ** (n * n) or found["unique"] != KNOWN.get(n, found["unique"]):
        raise ValueError(f"{found}, expected {KNOWN.get(n)} of {2 ** (n * n)} pictures")
    return found


def estimated(program: Path, n: int, samples: int, seed: int = 1) -> Figures:
    """Return an estimate of the number of unique pictures, and of the time that a count takes."""
    found = run(program, "sample", n, seed, samples)
    error = math.sqrt(found["variance"] / samples)
    second_s = found["cpu_s"] / found["enumerated"]
    return found | {
        "unique": found["share"] * 2 ** (n * n),
        "standard_error": error * 2 ** (n * n),
        "ns_a_picture": 1e9 * second_s,
        "core_days": second_s * 2 ** (n * n) / NUM_IMAGES / 86_400,
    }


def main() -> None:
    """Count or estimate, print, record."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--n", type=int, choices=range(1, 8), help="default: 1 to 5")
    parser.add_argument("--sample", type=int, metavar="LISTS", help="estimate from random lists")
    parser.add_argument("--record", action="store_true", help=f"write into {RESULTS.name}")
    options = parser.parse_args()
    if options.sample is not None and options.sample < 1:
        parser.error("--sample needs at least one list")
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        program = build(Path(folder))
        for n in [options.n] if options.n else range(1, 6):
            row = estimated(program, n, options.sample) if options.sample else counted(program, n)
            rows.append(row)
            print(json.dumps(row), flush=True)
    if options.record:
        record(RESULTS, "squares", rows)


def record(path: Path, name: str, rows: list[Figures]) -> None:
    """Put rows into a file of records; rows of the same n and kind are replaced."""
    kept = json.loads(path.read_text()) if path.exists() else {}
    new = {(row["n"], "samples" in row) for row in rows}
    old = kept.get(name, {"rows": []})["rows"]
    rows = sorted(
        [row for row in old if (row["n"], "samples" in row) not in new] + rows,
        key=lambda row: (row["n"], "samples" in row),
    )
    kept[name] = {"of": surroundings(), "rows": rows}
    path.write_text(json.dumps(kept, indent=1) + "\n")


if __name__ == "__main__":
    main()
