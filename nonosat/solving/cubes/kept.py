"""What became of the cubes of one puzzle, in a file: a later call goes on from there.

The tree of cubes depends on the puzzle and the options alone, so that a cube and its budget are
found again. Invariant: a cube that is kept has its solutions with it, also those that were known
before; one whose process was stopped by the number of solutions is not kept. The file is a journal
(`processes/journal.py`): a header, then a line a cube.

| key of a header | what |
|---|---|
| kind, schema | "header", 2 |
| puzzle_sha256 | hash of what there is to solve |
| options | those that the tree and the answers depend on |

| key of a cube | what |
|---|---|
| kind | "cube" |
| cube | the literals that were branched on, of the model's variables, and whether each holds |
| budget | conflicts that it was allowed |
| ended_by | what has refuted the rest of it; "" where it has used up its budget |
| conflicts | that it took |
| solutions | those in it, a character a variable of the model |
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from hashlib import sha256
from typing import Any

from nonosat.core import families
from nonosat.core.errors import FormatError, Remedy, UnsupportedError
from nonosat.core.plugins import Puzzle
from nonosat.core.result import Options
from nonosat.processes.journal import Journal, read, removal
from nonosat.solving.cubes.part import Outcome
from nonosat.solving.cubes.tree import Cube, Side

SCHEMA = 2
_TOLD = ("cubes", "backend", "encoding", "seed", "hints", "presolve", "redundant")


class Kept:
    """The cubes of one puzzle; a context manager that holds the file open.

    Args:
        path: The file; made if there is none.
        puzzle: The puzzle.
        options: With `journal`.
        num_vars: Of its model.

    Raises:
        UnsupportedError: On opening: the file has cubes and is not to be gone on with, or they are
            those of another puzzle or of other options; another process writes to it.
        FormatError: On opening: it is another kind of file.
    """

    def __init__(self, path: str, puzzle: Puzzle, options: Options, num_vars: int) -> None:
        self._path = path
        self._puzzle = puzzle
        self._num_vars = num_vars
        self._journal = Journal(path)
        self._header = _header(puzzle, options)
        self._resume = options.resume
        self._known: dict[tuple[Cube, int], Outcome] = {}

    def __enter__(self) -> Kept:
        self._journal.__enter__()
        try:
            self._read()
        except BaseException:
            self._journal.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._journal.__exit__()

    def outcome(self, cube: Cube, budget: int) -> Outcome | None:
        """What became of a cube under a budget, if that is known."""
        return self._known.get((cube, budget))

    def keep(self, outcome: Outcome, budget: int, solutions: Iterable[bytes]) -> None:
        """Write down what became of a cube; it is on the disk when this returns.

        Args:
            outcome: It, not stopped by the number of solutions.
            budget: That it had.
            solutions: Values of all that are known to lie in the cube.
        """
        record = {
            "kind": "cube",
            "cube": [list(side) for side in outcome.cube],
            "budget": budget,
            "ended_by": outcome.ended_by,
            "conflicts": outcome.conflicts,
            "solutions": ["".join(map(str, values[1:])) for values in solutions],
        }
        self._journal.append([record])

    def _read(self) -> None:
        """Take over what is in the file, or begin it."""
        if self._journal.is_new:
            self._journal.append([self._header])
            return
        if not self._resume:
            raise UnsupportedError(
                f"{self._path} has cubes already; choose another file, or go on with them",
                remedy=Remedy("set", "resume", ("True",)),
            )
        for number, record in enumerate(read(self._path, removal), start=1):
            if number == 1:
                self._check(record)
                continue
            try:
                outcome, budget = self._outcome(record)
            except (IndexError, KeyError, TypeError, ValueError) as error:
                what = f"this is no record of a cube; {removal(self._path, number)}"
                raise FormatError(what, path=self._path, line=number) from error
            self._known[outcome.cube, budget] = outcome

    def _check(self, header: dict[str, Any]) -> None:
        """Raises where the file is about something else."""
        if header.get("kind") != "header" or "puzzle_sha256" not in header:
            what = "this file is no journal of cubes; choose another one"
            raise FormatError(what, path=self._path, line=1)
        if header.get("schema") != SCHEMA:
            raise UnsupportedError(
                f"{self._path} was written by another version of nonosat; choose another file"
            )
        if header["puzzle_sha256"] != self._header["puzzle_sha256"]:
            raise UnsupportedError(f"{self._path} has cubes of another puzzle; choose another file")
        if header != self._header:
            before, now = header.get("options"), self._header["options"]
            raise UnsupportedError(
                f"{self._path} has cubes under the options {json.dumps(before)}, now they are "
                f"{json.dumps(now)}; ask with the same, or choose another file"
            )

    def _outcome(self, record: dict[str, Any]) -> tuple[Outcome, int]:
        """An outcome and the budget it was found with; ValueError or the like for anything else."""
        family = families.family_of(self._puzzle)
        cube = tuple(Side(int(lit), bool(holds)) for lit, holds in record["cube"])
        solutions = []
        for text in record["solutions"]:
            if len(text) != self._num_vars:
                raise ValueError(f"{len(text)} values, expected {self._num_vars}")
            solutions.append(bytes([0, *map("01".index, text)]))
            solution = family.decode(self._puzzle, solutions[-1])
            if problem := family.refutation(self._puzzle, solution):
                raise ValueError(problem)
        ended_by, conflicts = str(record["ended_by"]), int(record["conflicts"])
        return Outcome(cube, tuple(solutions), ended_by, conflicts), int(record["budget"])


def _header(puzzle: Puzzle, options: Options) -> dict[str, Any]:
    data = families.family_of(puzzle).to_data(puzzle)
    asked = options.to_data()
    return {
        "kind": "header",
        "schema": SCHEMA,
        "puzzle_sha256": sha256(json.dumps(data, sort_keys=True).encode()).hexdigest(),
        "options": {name: asked[name] for name in _TOLD},
    }
