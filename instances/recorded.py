"""Tool for puzzles with recorded verdicts: finds hard unique ones, and proves all of them again.

    python instances/recorded.py search SIZE DENSITY SEED [--texture NAME] [--count N]
    python instances/recorded.py confirm [ID...] [--time-limit S]
    python instances/recorded.py flips HEIGHT WIDTH DENSITY SEED

`search` repairs the random pictures of N seeds from SEED on, and adds those that are unique and
hard to `unique.csv`. `confirm` decides every puzzle with a recorded verdict (including the
staircases of dominoes) with two engines, each with its own encoding and without presolve, and
writes their CPU seconds and the number of cells that probing leaves open into the table; it fails
if a verdict differs. `flips` prints the recipe of any repaired picture, hard or not.
"""

from __future__ import annotations

import argparse
import resource
import sys
from collections.abc import Sequence
from dataclasses import replace
from multiprocessing import get_context

import dominoes
import unique
from entry import Entry
from random_pictures import Recipe, picture
from textures import TEXTURES
from unique import Row

from nonosat import check, repair
from nonosat.puzzles.nonogram.data import Nonogram

# Engine and encoding of each proof; both differ in code and variables.
PROOFS = {"glucose421": "order", "cadical195": "automaton"}


def repaired(recipe: Recipe, time_limit_s: float | None = None) -> Recipe | None:
    """Return the recipe with the fewest flips found in time; None if there is none."""
    start = picture(recipe)
    found = repair(start, time_limit_s=time_limit_s)
    if not found.pictures:
        return None
    flips = {*recipe.flips} ^ {*start.differences(found.pictures[0])}
    return replace(recipe, flips=tuple(sorted(flips)))


def hard(recipe: Recipe, patience_s: float) -> Row | None:
    """Return the repaired recipe if it is unique but not by probing; else None."""
    found = repaired(recipe, patience_s)
    num_open = unique.num_open(found) if found else 0
    return Row(found, num_open) if found and num_open else None


def cpu_s() -> float:
    """Return user and system seconds of this process and its ended children."""
    usages = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def _prove(puzzle: Nonogram, engine: str, time_limit_s: float) -> tuple[str, float]:
    started = cpu_s()
    result = check(
        puzzle,
        backend=engine,
        encoding={"line": PROOFS[engine]},
        presolve="none",
        hints="none",
        # A memory limit makes the engine run in a child process, whose CPU time counts when it
        # ends.
        memory_limit_mib=4096,
        time_limit_s=time_limit_s,
    )
    return result.verdict.value, round(cpu_s() - started, 3)


def prove(puzzle: Nonogram, engine: str, time_limit_s: float) -> tuple[str, float]:
    """Return verdict and CPU seconds of a check without presolve, in a separate process."""
    with get_context("spawn").Pool(1) as pool:
        return pool.apply(_prove, (puzzle, engine, time_limit_s))


def search(options: argparse.Namespace) -> int:
    """Try seeds; return the exit status."""
    for seed in range(options.seed, options.seed + options.count):
        size = options.size
        recipe = Recipe(size, size, options.density, seed, texture=options.texture)
        row = hard(recipe, options.patience)
        if row is None:
            print(f"{options.texture} {size} {options.density} {seed}: not hard, or not repaired")
            continue
        puzzle = unique.entry(row).puzzle
        verdict, seconds = prove(puzzle, "glucose421", options.time_limit)
        print(f"{row.id}: {verdict}, {row.num_open} open, {seconds} s", flush=True)
        if verdict == "unique":
            others = [other for other in unique.read() if other.id != row.id]
            unique.write([*others, replace(row, glucose421_s=seconds)])
    return 0


def _confirmed(entry: Entry, time_limit_s: float) -> dict[str, float]:
    """Return CPU seconds by engine; 0 for one that could not decide the puzzle in time."""
    assert entry.record is not None
    found: dict[str, float] = {}
    for engine in PROOFS:
        verdict, seconds = prove(entry.puzzle, engine, time_limit_s)
        print(f"{entry.puzzle.about.id}: {verdict} by {engine}, {seconds} s", flush=True)
        if verdict not in (entry.record.verdict, "unknown"):
            sys.exit(f"{entry.puzzle.about.id} is recorded as {entry.record.verdict}")
        found[f"{engine}_s"] = seconds if verdict != "unknown" else 0.0
    return found


def _update(name: str, seconds: dict[str, float]) -> None:
    """Write the results of a puzzle into the table if it contains the puzzle."""
    unique.write(
        replace(row, num_open=unique.num_open(row.recipe), **seconds) if row.id == name else row
        for row in unique.read()
    )


def confirm(options: argparse.Namespace) -> int:
    """Decide the recorded puzzles again; return the exit status."""
    undecided = 0
    for entry in (*unique.entries(), *dominoes.entries()):
        name = entry.puzzle.about.id
        if not options.ids or name in options.ids:
            seconds = _confirmed(entry, options.time_limit)
            undecided += 0.0 in seconds.values()
            _update(name, seconds)
    print(f"{undecided} not decided by both engines")
    return int(undecided > 0)


def flips(options: argparse.Namespace) -> int:
    """Print a recipe; return the exit status."""
    recipe = Recipe(options.height, options.width, options.density, options.seed)
    found = repaired(recipe)
    print(found or "not repaired; try another seed")
    return int(found is None)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one of the commands; return the exit status."""
    parser = argparse.ArgumentParser(description="Find and confirm hard puzzles.")
    commands = parser.add_subparsers(required=True)
    command = commands.add_parser("search", help="add hard puzzles to the table")
    command.set_defaults(run=search)
    command.add_argument("size", type=int)
    command.add_argument("density", type=float)
    command.add_argument("seed", type=int)
    command.add_argument("--texture", choices=["noise", *TEXTURES], default="noise")
    command.add_argument("--count", type=int, default=1)
    command.add_argument("--patience", type=float, default=4.0, metavar="S")
    command.add_argument("--time-limit", type=float, default=60.0, metavar="S")
    command = commands.add_parser("confirm", help="decide the recorded puzzles again")
    command.set_defaults(run=confirm)
    command.add_argument("ids", nargs="*", metavar="ID")
    command.add_argument("--time-limit", type=float, default=300.0, metavar="S")
    command = commands.add_parser("flips", help="print the recipe of a repaired picture")
    command.set_defaults(run=flips)
    command.add_argument("height", type=int)
    command.add_argument("width", type=int)
    command.add_argument("density", type=float)
    command.add_argument("seed", type=int)
    options = parser.parse_args(arguments)
    status: int = options.run(options)
    return status


if __name__ == "__main__":
    sys.exit(main())
