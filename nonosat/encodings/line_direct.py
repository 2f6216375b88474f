"""Direct encoding of starts: a variable for each position of a block's start.

A block has exactly one start. Starts of neighbours support each other: a start implies that the
next block starts far enough after it. A block fills its cells, and a filled cell is covered by one
of the blocks of its colour. A block of unknown length has a variable for each first and each last
cell, and one for each cell that it may cover: a cell is covered if the block has begun and has not
ended before it.

Invariant: the models are the fillings, one each, since all variables are determined by the cells.
Unit propagation may miss that a partial line has no filling; the smallest is `?#?#?` with the clue
2, in which two starts are left for either cell. For n cells, k blocks, f filled cells and slack s:
k (s + 1) variables, k s^2 / 2 + O(k s + f s + n) clauses.

Source: Walsh, "SAT v CSP" (CP 2000), for the encoding; Gent, "Arc consistency in SAT" (ECAI 2002),
for the supports.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Sequence
from itertools import combinations, pairwise
from typing import NamedTuple

from nonosat.board.line import Domain, domains
from nonosat.clauses.batches import put
from nonosat.core.model import FALSE, TRUE, Block, Line
from nonosat.core.plugins import Encoding, Sink, SizeFormula, Strength


class _Position(NamedTuple):
    """Position of a block's first or last cell: a literal for each feasible one."""

    places: Sequence[int]
    lits: Sequence[int]

    def at(self, place: int) -> int:
        """Return the literal "at this place"."""
        index = bisect_left(self.places, place)
        found = index < len(self.places) and self.places[index] == place
        return self.lits[index] if found else FALSE


class _Placed(NamedTuple):
    start: _Position
    end: _Position


def encode(line: Line, sink: Sink) -> None:
    """Add the clauses of a line to the sink."""
    found = domains(line)
    if found is None:
        sink.add(())
        return
    batch = array("i")
    placed = [
        _place(block, domain, batch, sink) for block, domain in zip(line.clue, found, strict=True)
    ]
    for (one, other), (before, after) in zip(pairwise(placed), pairwise(line.clue), strict=True):
        _support(one.end, other.start, 1 + (before.colour == after.colour), batch)
    covering: dict[tuple[int, int], list[int]] = defaultdict(list)
    for block, where in zip(line.clue, placed, strict=True):
        plane = line.cells[block.colour - 1]
        for cell, lits in _covers(block, where, batch, sink).items():
            covering[block.colour, cell] += lits
            put(batch, ((-lit, plane[cell]) for lit in lits))
    for colour, plane in enumerate(line.cells, start=1):
        put(batch, ((-lit, *covering[colour, cell]) for cell, lit in enumerate(plane)))
    for cell in line.filled:
        put(batch, [[plane[cell] for plane in line.cells]])
    sink.add_batch(batch)


def _place(block: Block, domain: Domain, batch: array[int], sink: Sink) -> _Placed:
    """Return the variables of a block after adding that exactly one position of each is true."""
    start = _one_of(domain.starts, batch, sink)
    if block.length is not None:
        return _Placed(start, _Position(domain.ends, start.lits))
    end = _one_of(domain.ends, batch, sink)
    _support(start, end, 0, batch)
    return _Placed(start, end)


def _one_of(places: Sequence[int], batch: array[int], sink: Sink) -> _Position:
    if len(places) == 1:
        return _Position(places, [TRUE])
    first = sink.new_vars(len(places))
    lits = range(first, first + len(places))
    put(batch, [lits])
    put(batch, ((-one, -other) for one, other in combinations(lits, 2)))
    return _Position(places, lits)


def _support(one: _Position, other: _Position, distance: int, batch: array[int]) -> None:
    """Add the support clauses of "the second is at least this far after the first"."""
    for place, lit in zip(one.places, one.lits, strict=True):
        fitting = [
            behind
            for there, behind in zip(other.places, other.lits, strict=True)
            if there >= place + distance
        ]
        if len(fitting) < len(other.lits):
            put(batch, [(-lit, *fitting)])
    for place, lit in zip(other.places, other.lits, strict=True):
        fitting = [
            before
            for there, before in zip(one.places, one.lits, strict=True)
            if there <= place - distance
        ]
        if len(fitting) < len(one.lits):
            put(batch, [(-lit, *fitting)])


def _covers(block: Block, placed: _Placed, batch: array[int], sink: Sink) -> dict[int, list[int]]:
    """Return for each cell literals of which one is true exactly when the block covers it."""
    start, end = placed
    covers: dict[int, list[int]] = defaultdict(list)
    if block.length is not None:
        for place, lit in zip(start.places, start.lits, strict=True):
            for cell in range(place, place + block.length):
                covers[cell].append(lit)
        return covers
    before, ended = FALSE, FALSE
    for cell in range(start.places[0], end.places[-1] + 1):
        begins = start.at(cell)
        if (ended, begins) == (FALSE, FALSE) or (before, begins) == (FALSE, TRUE):
            now = before if begins == FALSE else TRUE
        else:
            now = sink.new_var()
        # A cell is covered if the block begins there, or covered the cell before and has not ended.
        put(batch, [(-begins, now), (-before, ended, now)])
        put(batch, [(-now, begins, before), (-now, -ended)])
        covers[cell] = [now]
        before, ended = now, end.at(cell)
    return covers


PLUGIN = Encoding(
    summary="a variable for each start of a block; quadratic in the slack",
    source="Walsh 2000; Gent 2002",
    strength=Strength.NONE,
    size=SizeFormula("k*(s + 1)", "k*s*(s + 1)//2 + 2*(k - 1)*s + f*(s + 1) + n + k"),
    encode=encode,
)
