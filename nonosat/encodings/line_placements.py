"""A variable for each filling of the line: the constraint as a table.

A filling gives every cell its value, and every value of a cell is given by one of the fillings
left. It is the plainest encoding and the largest, n times (slack + blocks choose blocks) clauses:
a line with more fillings than `MOST` is refused. The number for an open line is computed before any
filling is made: its spare cells are spread over the gaps, and over the blocks of unknown length
("stars and bars"). If that is too many, those that agree with the known cells are counted, cell by
cell.

Invariant: the models are the fillings, one each. The counts of the family state that a cell has at
most one colour. Unit propagation is complete: it keeps the fillings that agree with all cells, and
the values that they give.

Source: Bacchus, "GAC via unit propagation" (CP 2007), for tables; Feller, "An introduction to
probability theory" (1950), for stars and bars.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise
from math import comb

from nonosat.board.automaton import Layers
from nonosat.board.line import possible
from nonosat.clauses.batches import put
from nonosat.core.errors import UnsupportedError, counted
from nonosat.core.limits import polled
from nonosat.core.model import TRUE, Line
from nonosat.core.plugins import Encoding, Sink, SizeFormula, Strength
from nonosat.encodings._layers import layers, read, worn

MOST = 10_000  # fillings of a line


def num_placements(line: Line) -> int:
    """Return the number of fillings of a line without known cells."""
    colours = [block.colour for block in line.clue]
    touching = sum(one == other for one, other in pairwise(colours))
    slack = len(line) - touching - sum(block.length or 1 for block in line.clue)
    places = len(line.clue) + sum(block.length is None for block in line.clue)
    return comb(slack + places, places) if slack >= 0 else 0


def num_clauses(line: Line) -> int:
    """Return the number of clauses of an open line by its size formula, without making them.

    It is exact for one colour and known lengths, and nearly so for others. Known cells make it
    smaller; a line without slack has units.
    """
    return len(line) * (num_placements(line) + 2)


def encode(line: Line, sink: Sink) -> None:
    """Add the clauses of a line to the sink.

    Raises:
        UnsupportedError: The line has more than `MOST` fillings.
    """
    if possible(line) is None:
        sink.add(())
        return
    if num_placements(line) > MOST:
        _refuse_many(line)
    found = layers(line) or []
    fillings = list(_fillings(found))
    names = [TRUE]
    if len(fillings) > 1:
        first = sink.new_vars(len(fillings))
        names = list(range(first, first + len(fillings)))
    batch = array("i")
    for cell, lits in enumerate(zip(*line.cells, strict=True)):
        reading: dict[int, list[int]] = defaultdict(list)
        for name, filling in zip(names, fillings, strict=True):
            reading[filling[cell]].append(name)
            put(batch, worn(name, filling[cell], lits))
        read(reading, lits, batch)
    sink.add_batch(batch)


def _refuse_many(line: Line) -> None:
    ways = {0: 1}
    for arcs in polled(layers(line) or []):
        after: dict[int, int] = defaultdict(int)
        for tail, _, head in arcs:
            after[head] += ways[tail]
        ways = after
    if (count := sum(ways.values())) > MOST:
        raise UnsupportedError(
            f"a line of {len(line)} cells with {counted(len(line.clue), 'block')} has {count} "
            "placements, "
            f"the encoding placements takes at most {MOST}; use another one, such as order"
        )


def _fillings(found: Layers) -> Iterator[bytes]:
    """Yield every path through the layers, as the values that it reads."""
    paths = [(0, b"")]
    for arcs in polled(found):
        leaving = defaultdict(list)
        for tail, value, head in arcs:
            leaving[tail].append((head, bytes([value])))
        paths = [
            (head, read + value) for state, read in polled(paths) for head, value in leaving[state]
        ]
    return (filling for _, filling in paths)


PLUGIN = Encoding(
    summary="a variable for each filling of the line; refuses lines with very many",
    source="Bacchus 2007",
    strength=Strength.COMPLETE,
    size=SizeFormula("comb(s + k, k)", "n*comb(s + k, k) + 2*n"),
    encode=encode,
)
