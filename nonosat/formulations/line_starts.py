"""A line as integers: the start of each block, restricted to its feasible starts.

A block of unknown length has an integer for its last cell too. Blocks are in order, and a cell has
a colour exactly when one of the blocks of that colour covers it.

Invariant: starts, ends and covering Booleans are determined by the cells. For n cells, k blocks
and slack s: k integers, O(n + k s) Booleans.

Source: Bosch, "Painting by numbers" (Optima, 2001), for a start for each block and covering.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from nonosat.board.line import Domain, domains
from nonosat.core.model import Block, Line
from nonosat.core.plugins import Formulation


@dataclass(frozen=True, slots=True)
class _StartBlock:
    """A block, its feasible positions, and CP-SAT expressions for its first and last cell."""

    block: Block
    domain: Domain
    start: Any
    end: Any

    def reaches(self, cell: int) -> bool:
        """Return True if the block may cover the cell."""
        length = self.block.length
        if length is None:
            return self.domain.starts[0] <= cell <= self.domain.ends[-1]
        return any(start <= cell < start + length for start in self.domain.starts)

    def cover(self, cell: int, literal: Any, context: Any) -> None:
        """Make a literal true exactly when the block covers the cell."""
        length = self.block.length
        if length is not None:
            inside = [start for start in self.domain.starts if start <= cell < start + length]
            _tie(literal, self.start, self.domain.starts, inside, context)
            return
        begun, lasts = context.model.new_bool_var(""), context.model.new_bool_var("")
        inside = [start for start in self.domain.starts if start <= cell]
        _tie(begun, self.start, self.domain.starts, inside, context)
        inside = [end for end in self.domain.ends if end >= cell]
        _tie(lasts, self.end, self.domain.ends, inside, context)
        context.model.add_bool_and([begun, lasts]).only_enforce_if(literal)
        context.model.add_bool_or([~begun, ~lasts, literal])


def _tie(
    literal: Any, expression: Any, values: Sequence[int], inside: list[int], context: Any
) -> None:
    chosen = set(inside)
    context.tie(literal, expression, inside, [value for value in values if value not in chosen])


def formulate(line: Line, context: Any) -> None:
    """Add the line to the `formulations.Context`."""
    found = domains(line)
    if found is None:
        context.model.add_bool_or([])
        return
    placed = [
        _place(block, domain, context) for block, domain in zip(line.clue, found, strict=True)
    ]
    for one, other in pairwise(placed):
        gap = one.block.colour == other.block.colour
        context.model.add(other.start >= one.end + 1 + gap)
    for colour, plane in enumerate(line.cells, start=1):
        mine = [one for one in placed if one.block.colour == colour]
        for cell, lit in enumerate(plane):
            _colour(cell, context.literal(lit), [p for p in mine if p.reaches(cell)], context)
    for cell in line.filled:
        context.model.add_bool_or([context.literal(plane[cell]) for plane in line.cells])


def _place(block: Block, domain: Domain, context: Any) -> _StartBlock:
    """Return the block with new integers for its start and, if its length is unknown, its end."""
    start = context.integer(domain.starts)
    if block.length is not None:
        return _StartBlock(block, domain, start, start + block.length - 1)
    end = context.integer(domain.ends)
    context.model.add(end >= start)
    return _StartBlock(block, domain, start, end)


def _colour(cell: int, literal: Any, blocks: list[_StartBlock], context: Any) -> None:
    """Add "the cell has the colour of these blocks exactly when one of them covers it"."""
    if len(blocks) == 1:
        blocks[0].cover(cell, literal, context)
        return
    covers = [context.model.new_bool_var("") for _ in blocks]
    for block, cover in zip(blocks, covers, strict=True):
        block.cover(cell, cover, context)
        context.model.add_implication(cover, literal)
    context.model.add_bool_or([*covers, ~literal])


PLUGIN = Formulation(
    summary="an integer start for each block, tied to the cells that it covers",
    source="Bosch 2001",
    formulate=formulate,
)
