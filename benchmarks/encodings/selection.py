"""The puzzles of the comparison of encodings, in ten classes.

Bundled puzzles and those of the folder in NONOSAT_INSTANCES are listed by their ids; random ones by
size and seed, with every cell filled with probability 1/2. They are selected so that the default
method decides nearly all of them in less than 2 s, and the slowest methods many of them in 60 s.
"""

from __future__ import annotations

import csv
import os
import random
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import islice, zip_longest
from pathlib import Path

import nonosat
from nonosat.puzzles.nonogram import Nonogram, from_grid

BUNDLED = Path(__file__).parents[2] / "instances"

# By class: file and ids; a file that is not bundled is in NONOSAT_INSTANCES.
CLASSES: dict[str, dict[str, str]] = {
    "easy pictures": {
        "pictures.jsonl": "smile heart duck cup cat snail teapot boat owl lighthouse",
    },
    "medium": {
        "mathematics.jsonl": "hilbert moire truchet-probing pentagrid primes-dark rose-5 carpet",
        "hard.jsonl": "knot-fine triangles-24",
        "special.jsonl": "cat-blots",
    },
    "survey-hard": {
        "survey.jsonl": "webpbn-08098 webpbn-06574 webpbn-00803 webpbn-01611 webpbn-03541 "
        "webpbn-02040 webpbn-06739 webpbn-10088 webpbn-09892 webpbn-18297",
    },
    "random 30x30": {},
    "random 40x40": {},
    "random 50x50": {},
    "n-domino": {
        "hard.jsonl": "steps-8 steps-10 steps-long steps-mixed",
        "domino.jsonl": "domino-12 domino-14",
        "minizinc.jsonl": "mzn-dom_10 mzn-dom_12",
    },
    "coloured": {
        "colour.jsonl": "tulip strawberry toadstool fish butterfly melon ladybird balloon "
        "steps-colour",
        "random.jsonl": "random-20-37",
    },
    "unique-hard": {
        "unique.jsonl": "blobs-30-3 noise-30-2 noise-30-41 noise-35-6 mirror-35-1 slope-40-3 "
        "transpose-40-3 noise-45-20 noise-50-11 noise-60-51",
    },
    "unique noise": {
        "unique.jsonl": "noise-30-40 noise-35-301 noise-40-301 noise-45-201",
    },
}
ALL = "*"
CLASSES["survey"] = {"survey.jsonl": ALL}  # not compared, but decided by all pairs
COMPARED = [name for name in CLASSES if name != "survey"]
RANDOM = {
    "random 30x30": (30, range(6)),
    "random 40x40": (40, range(6)),
    "random 50x50": (50, range(4)),
}


@dataclass(frozen=True, slots=True)
class Item:
    """A puzzle of a class; `verdict` is that of the bundled index, or "" without one."""

    kind: str
    id: str
    puzzle: Nonogram
    verdict: str = ""


def _file(name: str) -> Path:
    bundled = BUNDLED / name
    if bundled.exists():
        return bundled
    folder = os.environ.get("NONOSAT_INSTANCES")
    if not folder:
        sys.exit(f"set NONOSAT_INSTANCES to a folder with {name}, or leave out its class")
    return Path(folder) / name


@cache
def _puzzles(name: str) -> dict[str, Nonogram]:
    return {puzzle.about.id: puzzle for puzzle in nonosat.load_all(str(_file(name)))}


@cache
def _verdicts() -> dict[str, str]:
    with (BUNDLED / "index.csv").open(newline="") as file:
        return {row["id"]: row["verdict"] for row in csv.DictReader(file)}


def random_puzzle(size: int, seed: int) -> Nonogram:
    """Return the clues of a random square picture."""
    rng = random.Random(seed)
    cells = bytes(rng.random() < 0.5 for _ in range(size * size))
    whole = from_grid(nonosat.Grid(size, size, cells))
    return Nonogram(whole.rows, whole.columns)


def _class(kind: str) -> Iterator[Item]:
    for name, ids in CLASSES[kind].items():
        is_bundled = (BUNDLED / name).exists()
        for id_ in _puzzles(name) if ids == ALL else ids.split():
            verdict = _verdicts()[id_] if is_bundled else ""
            yield Item(kind, id_, _puzzles(name)[id_], verdict)
    if kind in RANDOM:
        size, seeds = RANDOM[kind]
        for seed in seeds:
            yield Item(kind, f"random-{size}-seed-{seed}", random_puzzle(size, seed))


def items(kinds: list[str], per_class: int | None = None) -> list[Item]:
    """Return the puzzles of some classes in turn, so that an interrupted run stays balanced.

    Args:
        kinds: Keys of CLASSES.
        per_class: Maximum number of puzzles per class.
    """
    turns = zip_longest(*(islice(_class(kind), per_class) for kind in kinds))
    return [item for turn in turns for item in turn if item is not None]
