"""Python interface of native line propagation: possible values and block positions of one line.

Complete: a value stays possible exactly when some placement of the blocks supports it. O(b log n)
operations on n-bit words for a line of n cells and b blocks (native/line.hpp has the method).
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

from nonosat import _core
from nonosat.board.automaton import automaton, unrolled
from nonosat.core.errors import counted
from nonosat.core.model import FALSE, TRUE, Line, is_plain

_MAX_POSITIONS = 2_000_000  # lists of so many positions take 100 MiB


class Domain(NamedTuple):
    """Feasible positions of a block, ascending: first cells and last cells."""

    starts: tuple[int, ...]
    ends: tuple[int, ...]


def _planes(line: Line) -> list[bytes]:
    """Return one byte a cell for each value (0 empty, then the colours): 1 if possible."""
    must = [bytearray(lit == TRUE for lit in plane) for plane in line.cells]
    may = [bytearray(lit != FALSE for lit in plane) for plane in line.cells]
    empty = bytearray(b"\1") * len(line)
    for colour, plane in enumerate(must):
        for cell in (index for index, known in enumerate(plane) if known):
            empty[cell] = 0
            for other, others in enumerate(may):
                others[cell] &= other == colour
    for cell in line.filled:
        empty[cell] = 0
    return [bytes(plane) for plane in (empty, *may)]


def possible(line: Line) -> tuple[frozenset[int], ...] | None:
    """Return the cells that can have each value, given the known cells of `line`.

    A cell literal TRUE or FALSE and a position in `line.filled` are known; every other
    literal is open.

    Returns:
        For each value (0 empty, then the colours) the cells that have it in some placement;
        None when there is no placement.
    """
    if not is_plain(line.blocks):
        return _possible_openly(line)
    values = _core.line_values(len(line), line.blocks, _planes(line))
    return None if values is None else tuple(frozenset(cells) for cells in values)


def _possible_openly(line: Line) -> tuple[frozenset[int], ...] | None:
    """Return the possible values of a line with an open clue, by its automaton."""
    may = [[cell for cell, can in enumerate(plane) if can] for plane in _planes(line)]
    layers = unrolled(automaton(line), list(map(frozenset, may)), len(line))
    if not all(layers):
        return None
    read = [{arc.value for arc in arcs} for arcs in layers]
    return tuple(
        frozenset(cell for cell, values in enumerate(read) if value in values)
        for value in range(line.num_colours + 1)
    )


def is_giant(num_blocks: int, length: int) -> bool:
    """True if the line may have too many block positions, so that `refuse_giant` must check it."""
    return num_blocks * length > _MAX_POSITIONS


def refuse_giant(line: Line) -> None:
    """Raise MemoryError if a list of all positions of the blocks would be too long."""
    if not is_giant(len(line.clue), len(line)):
        return
    room = len(line) - sum(block.length or 1 for block in line.clue) + 1
    if (positions := len(line.clue) * room) > _MAX_POSITIONS:
        raise MemoryError(
            f"a line of {len(line)} cells with {counted(len(line.clue), 'block')} has about "
            f"{positions} "
            f"positions of blocks, expected at most {_MAX_POSITIONS}"
        )


def windows(line: Line) -> tuple[Domain, ...] | None:
    """Return the positions of every block of `line` by its slack alone, ignoring its cells.

    Returns:
        A domain for each block; None when the line is too short for its blocks.
    """
    colours = [block.colour for block in line.clue]
    touching = sum(one == other for one, other in pairwise(colours))
    slack = len(line) - touching - sum(block.length or 1 for block in line.clue)
    if slack < 0:
        return None
    found = []
    first = 0
    for index, (length, colour) in enumerate(line.clue):
        starts = tuple(range(first, first + slack + 1))
        first += length or 1
        ends = tuple(range(first - 1, first + slack))
        found.append(Domain(starts, ends))
        first += colour in colours[index + 1 : index + 2]
    return tuple(found)


def domains(line: Line) -> tuple[Domain, ...] | None:
    """Return the feasible positions of every block of `line`, given its cells (see `possible`).

    If `line.feasible_starts` is False, the result is that of `windows`.

    Returns:
        A domain for each block, each value in it used by some placement; None when there is no
        placement.

    Raises:
        MemoryError: The blocks have millions of positions.
    """
    refuse_giant(line)
    if not line.feasible_starts:
        return windows(line)
    found = _core.line_domains(len(line), line.clue, _planes(line))
    return (
        None
        if found is None
        else tuple(Domain(tuple(starts), tuple(ends)) for starts, ends in found)
    )
