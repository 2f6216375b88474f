"""Files of covers, one line of JSON per puzzle, as `solve --cover` and `check --cover` write them.

A cover is the tree of cubes into which the search was divided, with the outcome of each cube.
    {"cover": 1, "puzzle": {...}, "verdict": "unique", "solutions": [[[0, 1], ...]], "nodes": [...]}

The puzzle is in the project's own JSON. A solution is a list of rows with one number per cell (0 is
empty, then the colours). `nonosat.solving.cubes.cover` documents the nodes.

Solutions are verified. Leaves that look-ahead refuted are refuted again by line propagation in
plain Python (`plain_board`). The engine's claims are not checked; `nonosat prove` writes proofs of
those as well. Cost: one fixpoint of the lines for each ancestor of a leaf that look-ahead refuted,
and one for each value of each cell probed there.

Invariant: for any file content, each line yields a `Cover` or raises a `CertificateError`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any

from nonosat.certify.folder import json_of
from nonosat.certify.plain_board import PlainBoard
from nonosat.certify.witness import read_nonogram
from nonosat.core.errors import CertificateError, Remedy, UnsupportedError, counted, shown
from nonosat.core.families import name_of
from nonosat.core.grid import UNKNOWN, Grid
from nonosat.core.limits import Limits, Watch
from nonosat.core.plugins import Puzzle
from nonosat.core.result import Result, Verdict
from nonosat.core.scope import within
from nonosat.formats import jsonl
from nonosat.puzzles.nonogram.data import Nonogram
from nonosat.puzzles.nonogram.verify import refutation
from nonosat.solving.cubes.cover import LOOK_AHEAD, CompleteTree, Node, claimed
from nonosat.solving.cubes.terms import CellTerms

VERSION = 1
# Least and greatest number of solutions by verdict.
_NUMBERS = {Verdict.UNSOLVABLE.value: (0, 0), Verdict.UNIQUE.value: (1, 1)}
_SEVERAL = (2, 2**63)


@dataclass(frozen=True, slots=True)
class Cover:
    """A cover that has been checked.

    Attributes:
        puzzle: The covered puzzle.
        verdict: "unique", "unsolvable" or "multiple".
        covered: Numbers of solutions and leaves of the checked tree.
        seconds: Wall seconds of the check.
    """

    puzzle: Nonogram
    verdict: str
    covered: CompleteTree
    seconds: float


def refuse_others(puzzle: Puzzle) -> None:
    """Raise UnsupportedError for puzzles other than nonograms, whose cubes cannot be checked."""
    if not isinstance(puzzle, Nonogram):
        raise UnsupportedError(
            "covers are for nonograms, whose lines can refute cubes again; "
            f"cubes decide a puzzle of the family {name_of(puzzle)} as well without one",
            remedy=Remedy("leave", "cover"),
        )


def line(result: Result) -> str:
    """Return the cover of a puzzle that was decided by cubes (`result.tree`), as a line of JSON."""
    grids = result.solutions
    data = {
        "cover": VERSION,
        "puzzle": json.loads(jsonl.write([result.puzzle])),
        "verdict": result.verdict.value,
        "solutions": [[list(grid.row(index)) for index in range(grid.height)] for grid in grids],
        "nodes": [dict(node) for node in result.tree],
    }
    return json.dumps(data, separators=(",", ":")) + "\n"


def verify_covers(
    path: Path, time_limit_s: float | None = None, memory_limit_mib: int | None = None
) -> Iterator[Cover]:
    """Check every cover of a file.

    Args:
        path: The file.
        time_limit_s: Wall seconds for each cover.
        memory_limit_mib: Resident memory of this process.

    Raises:
        CertificateError: A cover is wrong; the message names its line and the reason.
        LimitReached: A limit was hit; the message names it.
    """
    try:
        Watch(Limits(None, memory_limit_mib)).reserve(2 * path.stat().st_size)
        lines = path.read_bytes().splitlines()
    except OSError as error:
        raise CertificateError(f"{error.strerror}") from None
    if not lines:
        raise CertificateError(
            "there is no cover in it, expected one that a check in cubes has written"
        )
    for number, data in enumerate(lines, start=1):
        watch = Watch(Limits(time_limit_s, memory_limit_mib))
        try:
            cover = within(watch, partial(_verified, data, watch))
        except CertificateError as error:
            raise CertificateError(f"line {number}: {error}") from None
        yield cover


def _verified(data: bytes, watch: Watch) -> Cover:
    started = perf_counter()
    found = json_of(data, "the cover")
    version = found.get("cover") if isinstance(found, dict) else None
    if type(version) is not int or version != VERSION:
        raise CertificateError(
            f"this is not a cover of version {VERSION}, expected one written by a check in cubes"
        )
    puzzle = read_nonogram(json.dumps(found.get("puzzle")).encode(), "puzzle")
    verdict, grids, nodes = (found.get(name) for name in ("verdict", "solutions", "nodes"))
    if not isinstance(grids, list) or not isinstance(nodes, list):
        raise CertificateError("'solutions' or 'nodes' is not a list")
    solutions = [_cells(puzzle, number, rows) for number, rows in enumerate(grids)]
    least, most = _NUMBERS.get(str(verdict), _SEVERAL)
    if verdict not in (*_NUMBERS, Verdict.MULTIPLE.value) or not least <= len(solutions) <= most:
        raise CertificateError(
            f"the verdict {shown(verdict)} contradicts {counted(len(solutions), 'solution')}"
        )
    covered = check_tree(puzzle, solutions, nodes, watch.check)
    return Cover(puzzle, str(verdict), covered, perf_counter() - started)


def _cells(puzzle: Nonogram, number: int, rows: Any) -> bytes:
    is_matrix = isinstance(rows, list) and all(
        isinstance(row, list) and {*map(type, row)} <= {int} for row in rows
    )
    values = [value for row in rows for value in row] if is_matrix else [-1]
    if min(values, default=0) < 0 or max(values, default=0) > UNKNOWN:
        raise CertificateError(f"solution {number} is not a list of rows of numbers from 0")
    cells = bytes(values)
    if len(cells) != puzzle.height * puzzle.width:
        num_cells = puzzle.height * puzzle.width
        found = counted(len(cells), "cell")
        raise CertificateError(f"solution {number} has {found}, the puzzle {num_cells}")
    return cells


def check_tree(
    puzzle: Nonogram,
    solutions: Sequence[bytes],
    nodes: Sequence[Node],
    pause: Callable[[], None] = lambda: None,
) -> CompleteTree:
    """Check every part of a tree that can be checked without an engine.

    Args:
        puzzle: The nonogram; branches are on its cells and colours.
        solutions: The solutions that the cover lists, one byte per cell.
        nodes: Nodes of the tree, JSON data (`nonosat.solving.cubes.cover` documents them).
        pause: Called every few milliseconds; an exception raised by it ends the work.

    Raises:
        CertificateError: The tree is wrong; the message names the node or the solution.
    """
    covered = claimed(CellTerms(puzzle), solutions, nodes)
    for number, cells in enumerate(solutions):
        if mistake := refutation(puzzle, Grid(puzzle.height, puzzle.width, cells)):
            raise CertificateError(f"solution {number} is wrong: {mistake}")
    _refute_again(puzzle, nodes, pause)
    return covered


# Refutations by look-ahead


def _refute_again(puzzle: Nonogram, nodes: Sequence[Node], pause: Callable[[], None]) -> None:
    """Repeat propagation and probing down to each leaf refuted by look-ahead; raise on failure."""
    useful = _above_look_ahead(nodes)
    whole = PlainBoard(puzzle, pause)
    states = [(0, whole if whole.propagate() else None)] if useful else []
    while states:
        index, board = states.pop()
        node = nodes[index]
        if board is not None and not board.probe(node.get("probed", [])):
            board = None  # all nodes below are refuted as well
        if "children" not in node:
            if board is not None:
                raise CertificateError(f"node {index}: propagation does not refute it")
            continue
        row, column, value = node["branch"]
        for child, holds in zip(node["children"], (True, False), strict=True):
            if child not in useful:
                continue
            state = board and board.with_literal(row, column, value, holds=holds)
            states.append((child, state))


def _above_look_ahead(nodes: Sequence[Node]) -> set[int]:
    """Return the ancestors of all leaves that look-ahead refuted, and these leaves."""
    parents = {
        child: index for index, node in enumerate(nodes) for child in node.get("children", ())
    }
    useful: set[int] = set()
    for index, node in enumerate(nodes):
        at: int | None = index if node.get("ended by") == LOOK_AHEAD else None
        while at is not None and at not in useful:
            useful.add(at)
            at = parents.get(at)
    return useful
