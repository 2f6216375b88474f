"""A line as the table of its fillings: allowed assignments of its open cells.

Each filling that agrees with the known cells is a row of the table. Their number is bounded
before any is made: by stars and bars, which is exact for an open line, and by the number of
positions that the known cells leave each block.

Invariant: propagation is complete on the cells of a line. For m open cells and p fillings: m p
numbers.

Source: Bessiere, Regin, "Arc consistency for general constraint networks" (IJCAI 1997), for
propagation of tables; stars and bars: Feller, "An Introduction to Probability Theory" (1950).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from math import comb, prod
from typing import Any

from nonosat.board.line import Domain, domains, possible
from nonosat.core.errors import UnsupportedError, about, counted
from nonosat.core.model import FALSE, TRUE, Block, Line
from nonosat.core.plugins import Formulation

MAX_FILLINGS = 20_000  # with 40 cells, one such line takes CP-SAT 2 s and 130 MiB


def num_fillings(line: Line, found: tuple[Domain, ...]) -> int:
    """Return an upper bound on the line's number of fillings; it is exact if no cell is known."""
    blocks = line.clue
    gaps = sum(one.colour == other.colour for one, other in pairwise(blocks))
    slack = len(line) - gaps - sum(block.length or 1 for block in blocks)
    # Spare cells go before, between and after the blocks and into those of unknown length.
    bars = len(blocks) + sum(block.length is None for block in blocks)
    positions = prod(
        len(domain.starts) * (1 if block.length else len(domain.ends))
        for block, domain in zip(blocks, found, strict=True)
    )
    return min(comb(slack + bars, bars), positions)


def _spans(block: Block, domain: Domain, first: int) -> Iterator[tuple[int, int]]:
    """Yield (start, end) of the block's feasible places at or after the cell `first`.

    The end is exclusive.
    """
    for start in domain.starts:
        if start < first:
            continue
        if block.length is not None:
            yield start, start + block.length
            continue
        for end in domain.ends:
            if end >= start:
                yield start, end + 1


def _fillings(line: Line, found: tuple[Domain, ...]) -> list[bytes]:
    """Return every filling that agrees with the known cells, a byte per cell."""
    allowed = possible(line)
    assert allowed is not None, "a line whose blocks can be placed has fillings"
    may = [bytes(cell in cells for cell in range(len(line))) for cells in allowed]
    partial = [b""]  # the cells up to the end of the blocks placed so far
    before = 0
    for block, domain in zip(line.clue, found, strict=True):
        gap = block.colour == before
        longer = []
        for cells in partial:
            at = len(cells)
            for start, stop in _spans(block, domain, at + gap):
                if 0 in may[0][at:start]:
                    break  # later places leave it uncovered as well
                if 0 not in may[block.colour][start:stop]:
                    painted = bytes([block.colour]) * (stop - start)
                    longer.append(cells + bytes(start - at) + painted)
        partial, before = longer, block.colour
    rests = [may[0][len(cells) :] for cells in partial]
    return [
        cells + bytes(len(rest))
        for cells, rest in zip(partial, rests, strict=True)
        if 0 not in rest
    ]


def formulate(line: Line, context: Any) -> None:
    """Add the line to the `formulations.Context`.

    Raises:
        UnsupportedError: The line may have more than `MAX_FILLINGS` fillings.
    """
    found = domains(line)
    if found is None:
        context.model.add_bool_or([])
        return
    if (number := num_fillings(line, found)) > MAX_FILLINGS:
        raise UnsupportedError(
            f"a line of {len(line)} cells with {counted(len(line.clue), 'block')} has up to "
            f"{about(number)} "
            f"fillings, expected at most {MAX_FILLINGS} for a table; use line=starts"
        )
    columns = list(zip(*line.cells, strict=True))
    is_open = [any(lit not in (TRUE, FALSE) for lit in lits) for lits in columns]
    rows = {
        tuple(value for value, keep in zip(cells, is_open, strict=True) if keep)
        for cells in _fillings(line, found)
    }
    cells = [context.cell(lits) for lits, keep in zip(columns, is_open, strict=True) if keep]
    if cells:
        context.model.add_allowed_assignments(cells, sorted(rows))


PLUGIN = Formulation(
    summary="the table of the line's fillings, refused if they are very many",
    source="Bessiere, Regin 1997",
    formulate=formulate,
)
