"""Find unique puzzles that probing does not solve, by repairing random pictures, and prove them.

    python instances/repair.py search SIZE DENSITY SEED [--texture NAME] [--count N]
    python instances/repair.py confirm [ID...] [--time-limit S]
    python instances/repair.py flips HEIGHT WIDTH DENSITY SEED

`search` tries N seeds from SEED on and adds to `unique.csv` what is unique and hard. `confirm`
decides every puzzle whose verdict is recorded (the staircases of dominoes too) with two engines,
each with another encoding and without presolve, and writes into the table their CPU seconds and
the cells that probing leaves open; it fails when a verdict differs. `flips` prints the recipe of
any repaired picture, hard or not.
"""

from __future__ import annotations

import argparse
import resource
import sys
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from multiprocessing import get_context

import dominoes
import unique
from entry import Entry
from random_pictures import Recipe, picture, repair
from rivals import disputes, num_open
from textures import TEXTURES
from unique import Row

from nonosat import check
from nonosat.puzzles.nonogram.data import Nonogram

ATTEMPTS = 4  # ways to repair a picture before it is given up
# Engine and encoding of each proof: they have neither code nor variables in common.
PROOFS = {"glucose421": "order", "cadical195": "automaton"}


def hard(recipe: Recipe, patience_s: float) -> Row | None:
    """The recipe repaired so that its clues are unique, but not by probing; None if that fails.

    It is given up when a search for other solutions has found none after `patience_s`.
    """
    for attempt in range(ATTEMPTS):
        repaired = repair(recipe, partial(disputes, time_limit_s=patience_s), attempt)
        if repaired is None:
            break  # too hard to decide, and no easier another way
        if left := num_open(picture(repaired)):
            return Row(repaired, left)
    return None


def cpu_s() -> float:
    """User and system seconds of this process and its ended children."""
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
        # A memory limit gives the engine a child of its own, whose CPU time counts when it ends.
        memory_limit_mib=4096,
        time_limit_s=time_limit_s,
    )
    return result.verdict.value, round(cpu_s() - started, 3)


def prove(puzzle: Nonogram, engine: str, time_limit_s: float) -> tuple[str, float]:
    """Verdict and CPU seconds of a check without presolve, in a process of its own."""
    with get_context("spawn").Pool(1) as pool:
        return pool.apply(_prove, (puzzle, engine, time_limit_s))


def search(options: argparse.Namespace) -> int:
    """Try seeds; returns the exit status."""
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
    """CPU seconds by engine; 0 for one that could not decide it in time."""
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
    """Write what was found of a puzzle into the table, if it stands there."""
    unique.write(
        replace(row, num_open=num_open(picture(row.recipe)), **seconds) if row.id == name else row
        for row in unique.read()
    )


def confirm(options: argparse.Namespace) -> int:
    """Decide the recorded puzzles again; returns the exit status."""
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
    """Print a recipe; returns the exit status."""
    recipe = Recipe(options.height, options.width, options.density, options.seed)
    repaired = repair(recipe, disputes)
    print(repaired or "not repaired; try another seed")
    return int(repaired is None)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one of the commands; returns the exit status."""
    parser = argparse.ArgumentParser(description="Repair random pictures.")
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
