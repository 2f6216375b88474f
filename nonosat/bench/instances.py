"""The puzzles of a suite: files, folders, globs, FILE#ID, and seeded random ones.

Each becomes an `Instance`: its clues as one line of JSON, without the goal or other data that would
help a solver, and a hash of the problem. Files with the same puzzle have the same hash in every
format.
"""

from __future__ import annotations

import csv
import os
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

from nonosat import formats
from nonosat.batch.fingerprint import fingerprint
from nonosat.core.about import About
from nonosat.core.errors import FormatError
from nonosat.core.grid import Grid
from nonosat.core.result import Verdict
from nonosat.puzzles.nonogram import Colour, Nonogram, from_grid
from nonosat.puzzles.nonogram.data import BLACK

INDEX = "index.csv"
_VARIABLE = re.compile(r"\$(\w+)")
_MAGIC = re.compile(r"[*?\[]")


@dataclass(frozen=True, slots=True)
class Instance:
    """A puzzle to run.

    Args:
        name: "FILE#ID" with the file relative to the suite's folder; or the generator's parameters.
        sha256: Hash of the problem.
        size: Rows and columns.
        expected: The verdict in the index next to its file, if there is one.
        text: The puzzle in the format jsonl.
    """

    name: str
    sha256: str
    size: tuple[int, int]
    expected: Verdict | None
    text: str


@dataclass(frozen=True, slots=True)
class Source:
    """Files to read, as given by a suite.

    Args:
        path: A file, a folder, a glob or FILE#ID; "$NAME" at its beginning is the folder in the
            environment variable NAME, "bundled:" the puzzles that come with nonosat.
        format: Name of the format of all of them; None to detect it.
        family: Name of the family of all their puzzles; None to detect it.
        first: Maximum number of puzzles; None for all of them.
    """

    path: str
    format: str | None = None
    family: str | None = None
    first: int | None = None


@dataclass(frozen=True, slots=True)
class Noise:
    """Random pictures: every cell has one of the colours with probability `density`."""

    height: int
    width: int
    density: float
    seeds: tuple[int, ...]
    colours: int = 1


def _instance(puzzle: Any, name: str, expected: Verdict | None) -> Instance:
    bare = replace(puzzle, about=About(id=puzzle.about.id))
    if isinstance(bare, Nonogram):  # only nonograms may come with a known solution
        bare = replace(bare, goal=None, saved=())
    size = (puzzle.height, puzzle.width)
    text = formats.write([bare], "jsonl").decode()
    return Instance(name, fingerprint(puzzle), size, expected, text)


# Files


def read(source: Source, suite: Path) -> Iterator[Instance]:
    """Yield the puzzles of a source.

    Args:
        source: The source.
        suite: The suite's file; relative paths start at its folder.

    Raises:
        FormatError: There are no puzzles, or one cannot be read.
    """
    if source.path.startswith(formats.BUNDLED):
        yield from _bundled(source)
        return
    folder, path = _resolved(source.path, suite)
    prefix = _VARIABLE.match(source.path)
    variable, is_absolute = prefix[0] if prefix else "", Path(path).is_absolute()
    files = _matching(folder, path, source.path, suite)
    found = formats.iter_sources(files, source.format, source.family)
    for file, item in islice(found, source.first):
        if isinstance(item, Exception):
            raise item
        expected = _index(str(Path(file).parent)).get((Path(file).name, item.about.id))
        shown = _shown(Path(file), folder, variable, is_absolute)
        yield _instance(item, f"{shown}#{item.about.id}", expected)


def _bundled(source: Source) -> Iterator[Instance]:
    """Yield the bundled puzzles of a source, with the verdicts of their index."""
    verdicts = {(one.file, one.id): Verdict(one.verdict) for one in formats.bundled()}
    found = formats.iter_sources([source.path], source.format, source.family)
    for file, item in islice(found, source.first):
        if isinstance(item, Exception):
            raise item
        own = item.about.id
        yield _instance(item, f"{file}#{own}", verdicts.get((file, own)))


def _resolved(path: str, suite: Path) -> tuple[Path, str]:
    """Return the folder at which a path starts, and the rest of the path."""
    if not (found := _VARIABLE.match(path)):
        return suite.parent, path
    value = os.environ.get(found[1])
    if not value:
        raise FormatError(
            f"instances in {path!r}, but {found[1]} is not set; expected the environment variable "
            "to name the folder that holds them",
            path=str(suite),
        )
    return Path(value), path[found.end() :].lstrip("/")


def _matching(folder: Path, path: str, located: str, suite: Path) -> list[str]:
    """Return the files of a path; for a glob all matches, sorted."""
    whole = folder / path
    if not _MAGIC.search(path) or os.path.lexists(whole):
        return [str(whole)]
    anchor = Path(whole.anchor) if Path(path).is_absolute() else folder
    pattern = str(whole.relative_to(anchor)) if Path(path).is_absolute() else path
    if found := sorted(str(file) for file in anchor.glob(pattern) if file.is_file()):
        return found
    raise FormatError(f"no file matches {located!r}, expected at least one", path=str(suite))


def _shown(file: Path, folder: Path, variable: str, is_absolute: bool) -> str:
    """Return a file's name in the form used by suites."""
    if is_absolute:
        return str(file)
    own = os.path.relpath(file, folder)
    return f"{variable}/{own}" if variable else own


@cache
def _index(folder: str) -> dict[tuple[str, str], Verdict]:
    """Return verdicts by file and id from the index in a folder; empty without an index."""
    path = Path(folder) / INDEX
    if not path.is_file():
        return {}
    known = {verdict.value: verdict for verdict in Verdict}
    with path.open(newline="", encoding="utf-8") as file:
        return {
            (row["file"], row["id"]): known[row["verdict"]]
            for row in csv.DictReader(file)
            if row.keys() >= {"file", "id"} and row.get("verdict") in known
        }


# Generators


def generate(noise: Noise) -> Iterator[Instance]:
    """Yield the clues of random pictures, one puzzle per seed."""
    shape = f"{noise.height}x{noise.width}"
    for seed in noise.seeds:
        name = f"noise:{shape},density={noise.density!r},seed={seed}"
        if noise.colours > 1:
            name += f",colours={noise.colours}"
        yield _instance(_noise(noise, seed), name, None)


def _noise(noise: Noise, seed: int) -> Nonogram:
    rng = random.Random(seed)

    def cell() -> int:
        is_filled = rng.random() < noise.density
        if noise.colours == 1:
            return int(is_filled)
        return rng.randint(1, noise.colours) if is_filled else 0

    grid = Grid(noise.height, noise.width, bytes(cell() for _ in range(noise.height * noise.width)))
    colours: tuple[Any, ...] = (BLACK,)
    if noise.colours > 1:
        colours = tuple(
            Colour(f"c{index}", f"#{index * 0xFFFFFF // (noise.colours + 1):06x}")
            for index in range(1, noise.colours + 1)
        )
    return from_grid(grid, colours, about=About(id=str(seed)))
