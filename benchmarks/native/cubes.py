"""Measures cubes: `python benchmarks/native/cubes.py [--cubes 2,8,32] [--jobs 1,2] [NAME...]`.

Each puzzle is checked without cubes, then with each number of cubes and processes, every time by a
separate command. A cell of the table, which is printed as Markdown, is CPU seconds (user and
system, of all processes) / wall seconds. Puzzles not decided after `--limit` wall seconds are open.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from common import BUNDLED, COMMAND, cpu_of, noise

from nonosat.formats import jsonl

UNIQUE = ("noise-40-302", "noise-50-308", "noise-60-303", "noise-60-102", "noise-55-402")
DOMINO = ("domino-14", "domino-16")
SEEDS = (2312,)  # the random 30x30 that take longest


def puzzles(folder: Path) -> dict[str, str]:
    """Return the command-line argument of each puzzle, by name."""
    named = {name: f"{BUNDLED / 'unique.jsonl'}#{name}" for name in UNIQUE}
    named |= {name: f"{BUNDLED / 'domino.jsonl'}#{name}" for name in DOMINO}
    for seed in SEEDS:
        path = folder / f"random-30-{seed}.json"
        path.write_bytes(jsonl.write([noise(30, seed)]))
        named[path.stem] = str(path)
    return named


def measured(source: str, limit_s: float, *options: str) -> str:
    """Return CPU and wall seconds of a check, and the number of cubes split again."""
    command = [*COMMAND, "check", source, "--json", "--time-limit", f"{limit_s:g}", *options]
    cpu, wall, output = cpu_of(command)
    result = json.loads(output)
    if result["verdict"] == "unknown":
        return "open"
    details = {stage["name"]: stage.get("detail", {}) for stage in result["stages"]}
    again = details.get("cubes", {}).get("split again", 0)
    return f"{cpu:.1f} / {wall:.1f}" + (f" ({again} again)" if again else "")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--cubes", default="2,8,32")
    parser.add_argument("--jobs", default="1,2")
    parser.add_argument("--limit", type=float, default=60.0)
    asked = parser.parse_args()
    pairs = [(n, j) for n in asked.cubes.split(",") for j in asked.jobs.split(",")]
    print("| puzzle | plain |", *(f"{n} cubes, {j} jobs |" for n, j in pairs))
    print("|---|" + "---|" * (1 + len(pairs)))
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as folder:
        for name, source in puzzles(Path(folder)).items():
            if asked.names and name not in asked.names:
                continue
            cells = [measured(source, asked.limit)]
            for num, jobs in pairs:
                options = ("--cubes", num, "--jobs", jobs)
                cells.append(measured(source, asked.limit, *options))
            print(f"| {name} |", " | ".join(cells), "|", flush=True)


if __name__ == "__main__":
    main()
