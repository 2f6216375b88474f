"""Verifier of paths. Shares no code with the model, rules or encodings.

A solution is accepted natively, by code with no other use
(`native/puzzles/verify_loop.hpp`). The error of any other path is found here: `mistake` follows
the path from its first edge, marks these edges, and compares the number of marked sides of
each cell with the clue. Linear in the board.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from nonosat import _core
from nonosat.core.errors import counted
from nonosat.core.limits import checkpoint, polled
from nonosat.core.wording import cell_text, corner_text

if TYPE_CHECKING:
    from nonosat.puzzles.slitherlink.data import Path, Slitherlink

_BLANK = 255
_UNKNOWN = 255  # of a given edge
_STEPS = ((0, 1), (1, 0), (0, -1), (-1, 0))


def refutation(puzzle: Slitherlink, path: Path) -> str | None:
    """Return why `path` is not a solution of `puzzle`, or None if it is one."""
    if (path.height, path.width) != (puzzle.height, puzzle.width):
        return f"the path is on {path.size}, the puzzle has {puzzle.size}"
    num_edges = 2 * path.height * path.width + path.height + path.width
    if len(path.edges) != num_edges or path.edges.translate(None, b"\0\1"):
        return f"the path is not {counted(num_edges, 'edge')}, each 0 or 1"
    is_right = _core.is_loop(path.edges, puzzle.clues, puzzle.width, _BLANK)
    return _ungiven(puzzle, path) if is_right else mistake(puzzle, path)


def _ungiven(puzzle: Slitherlink, path: Path) -> str | None:
    """Return the given edge that the path violates; None if there is none."""
    across, first = puzzle.width, (puzzle.height + 1) * puzzle.width
    for at, (value, found) in enumerate(polled(zip(puzzle.given, path.edges, strict=False))):
        if value not in (found, _UNKNOWN):
            is_level = at < first
            row, column = divmod(at if is_level else at - first, across if is_level else across + 1)
            where = corner_text(row, column, puzzle.height, puzzle.width)
            way = "to the right of" if is_level else "below"
            on = ("is off", "is on")
            return f"the edge {way} {where} {on[found]} the path, while it {on[value]} it as given"
    return None


def mistake(puzzle: Slitherlink, path: Path) -> str | None:
    """Return the error of a path in words, without native code; None if it is a solution.

    The path must have as many edges as the board.
    """
    across = [path.horizontal(row) for row in range(path.height + 1)]
    down = [path.vertical(row) for row in range(path.height)]
    if broken := _not_one_loop(across, down):
        return broken
    for row in range(path.height):
        for column in polled(range(path.width)):
            sides = (across[row], across[row + 1])
            found = sum(side[column] for side in sides) + sum(down[row][column : column + 2])
            clue = puzzle[row, column]
            if clue is not None and found != clue:
                edges = counted(found, "edge")
                where = cell_text(row, column)
                return f"the cell in {where} has {edges} of the path, while its clue is {clue}"
    return None


def _not_one_loop(across: list[bytes], down: list[bytes]) -> str | None:
    """Return the reason why the edges are not one closed path; None if they are."""
    chosen = {
        ((r, c), (r, c + 1))
        for r, row in enumerate(polled(across))
        for c, on in enumerate(row)
        if on
    }
    chosen |= {
        ((r, c), (r + 1, c)) for r, row in enumerate(polled(down)) for c, on in enumerate(row) if on
    }
    if not chosen:
        return "the path has no edges"
    start, at = min(chosen)
    before, walked = start, 1
    while at != start:
        checkpoint()
        ways = [
            there
            for down_, right in _STEPS
            if (there := (at[0] + down_, at[1] + right)) != before
            and (min(at, there), max(at, there)) in chosen
        ]
        if len(ways) != 1:
            return _wrong_corner(len(ways) + 1, at, across)
        before, at = at, ways[0]
        walked += 1
    degree = sum((min(start, there), max(start, there)) in chosen for there in _around(start))
    if degree != 2:
        return _wrong_corner(degree, start, across)
    if walked != len(chosen):
        return f"the path is not one loop: {walked} of its {len(chosen)} edges are on the first"
    return None


def _wrong_corner(degree: int, corner: tuple[int, int], across: list[bytes]) -> str:
    where = corner_text(*corner, len(across) - 1, len(across[0]))
    return f"the path has {counted(degree, 'edge')} at {where}, expected 2"


def _around(corner: tuple[int, int]) -> list[tuple[int, int]]:
    return [(corner[0] + down, corner[1] + right) for down, right in _STEPS]
