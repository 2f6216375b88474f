"""Puzzles that come with nonosat, by names such as `bundled:cat`, `bundled:pictures`, `bundled:`.

Their only source is the folder `instances/` of a checkout, which an editable install reads in
place; a build copies its puzzle files and its index into the package.

Invariant: a name is that of a puzzle or that of a file of puzzles, never both.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from nonosat.core.errors import FormatError, meant, printable
from nonosat.core.limits import polled

BUNDLED = "bundled:"  # prefix of every name
_SUFFIX = ".jsonl"
_INDEX = "index.csv"
_PACKAGE = Path(__file__).parents[1]


class Bundled:
    """A bundled puzzle as the index describes it.

    It is a plain class because a named tuple would add 1.2 million instructions to every start.

    Attributes:
        id: Id of the puzzle; `bundled:ID` is its name.
        file: Name of the file that holds it, such as "bundled:pictures".
        family: Family of the puzzle.
        verdict: Verdict: unique, multiple or unsolvable.
        origin: Origin in a few words, such as "drawn by hand".
        difficulty: Difficulty, from 1.0 to 8.9; None if the index has none.
    """

    __slots__ = ("difficulty", "family", "file", "id", "origin", "verdict")

    def __init__(self, row: Mapping[str, str]) -> None:
        self.id = row["id"]
        self.file = BUNDLED + row["file"].removesuffix(_SUFFIX)
        self.family = row["family"]
        self.verdict = row["verdict"]
        self.origin = row["origin"]
        self.difficulty = float(row["difficulty"]) if row["difficulty"] else None


def _folder() -> Path:
    """Return the folder of the puzzle files: in the package, or in the checkout around it."""
    built = _PACKAGE / "instances"
    return built if built.is_dir() else _PACKAGE.with_name("instances")


def bundled() -> list[Bundled]:
    """Return the index of the bundled puzzles, in the order of their files."""
    import csv  # deferred, as it would delay every start

    with (_folder() / _INDEX).open(newline="", encoding="utf-8") as file:
        return [*map(Bundled, csv.DictReader(file))]


def contents(name: str) -> list[tuple[str, bytes | None]]:
    """Return the files that a name means, each with its content.

    Args:
        name: "bundled:" for all puzzles, "bundled:FILE" or "bundled:ID".

    Returns:
        Name and content of each file; for an ID the content is the line of this puzzle alone.

    Raises:
        FormatError: No bundled puzzle, and no file of them, has the name.
    """
    own, every = name.removeprefix(BUNDLED), bundled()
    files = list(dict.fromkeys(one.file for one in every))
    if not own:
        return [(file, _content(file)) for file in files]
    if name in files:
        return [(name, _content(name))]
    for one in every:
        if one.id == own:
            return [(one.file, _line(one))]
    known = [one.id for one in every] + [file.removeprefix(BUNDLED) for file in files]
    groups = ", ".join(file.removeprefix(BUNDLED) for file in files)
    raise FormatError(
        f"no bundled puzzle is called {printable(own)!r}{meant(own, known)}; {BUNDLED} alone means "
        f"all {len(every)}, and these names mean some of them: {groups}; a file of this name is "
        f"./{printable(name)}",
        path=name,
    )


def meant_by(name: str) -> str:
    """Return advice for a bundled name without the prefix "bundled:"; empty for other names."""
    if f"{name}:" == BUNDLED:
        return f"{BUNDLED} means all puzzles that come with nonosat, {BUNDLED}cat one of them"
    for one in bundled():
        if name == one.id:
            return f"the puzzle that comes with nonosat is {BUNDLED}{name}"
        if BUNDLED + name == one.file:
            return f"the puzzles that come with nonosat are {one.file}"
    return ""


def _content(file: str) -> bytes:
    return (_folder() / f"{file.removeprefix(BUNDLED)}{_SUFFIX}").read_bytes()


def _line(puzzle: Bundled) -> bytes:
    """Return the line of its file that holds the puzzle."""
    lines = _content(puzzle.file).splitlines()
    return next(line for line in polled(lines) if json.loads(line)["id"] == puzzle.id)
