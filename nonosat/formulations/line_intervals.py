"""A line as intervals without overlap: its blocks, and the cells that are not of their colour.

For each colour, the blocks of that colour and the unit intervals of the cells that have another
value or none do not overlap, so a block covers only cells of its colour; and the number of such
cells is the total length of the blocks, so every such cell is covered. Blocks follow each other in
order. A block of unknown length is an interval of variable size.

Invariant: starts and sizes are determined by the cells. For n cells, c colours and k blocks: k
integers, n c + k intervals, no Booleans.

Source: Baptiste, Le Pape, Nuijten, "Constraint-Based Scheduling" (2001), for (optional) intervals
and disjunctive resources.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any, NamedTuple

from nonosat.board.line import Domain, domains
from nonosat.core.model import TRUE, Block, Line
from nonosat.core.plugins import Formulation


class _IntervalBlock(NamedTuple):
    """A block with CP-SAT expressions: its first cell, the cell after it, its length."""

    block: Block
    start: Any
    stop: Any
    length: Any
    interval: Any


def _place(block: Block, domain: Domain, context: Any) -> _IntervalBlock:
    """Return the block with its integers, after adding its interval to the model."""
    model = context.model
    start = context.integer(domain.starts)
    if block.length is not None:
        interval = model.new_fixed_size_interval_var(start, block.length, "")
        return _IntervalBlock(block, start, start + block.length, block.length, interval)
    stop = context.integer([end + 1 for end in domain.ends])
    longest = domain.ends[-1] + 1 - domain.starts[0]
    length = context.integer(range(1, longest + 1))
    interval = model.new_interval_var(start, length, stop, "")
    return _IntervalBlock(block, start, stop, length, interval)


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
        context.model.add(other.start >= one.stop + gap)
    for colour, plane in enumerate(line.cells, start=1):
        mine = [one for one in placed if one.block.colour == colour]
        others = [
            context.model.new_optional_fixed_size_interval_var(cell, 1, ~context.literal(lit), "")
            for cell, lit in enumerate(plane)
            if lit != TRUE
        ]
        context.model.add_no_overlap([*(one.interval for one in mine), *others])
        covered = sum(one.length for one in mine)
        context.model.add(sum(context.literal(lit) for lit in plane) == covered)
    for cell in line.filled:
        context.model.add_bool_or([context.literal(plane[cell]) for plane in line.cells])


PLUGIN = Formulation(
    summary="an interval for each block and each cell of another colour, none of them overlap",
    source="Baptiste, Le Pape, Nuijten 2001",
    formulate=formulate,
)
