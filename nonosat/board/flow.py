"""The fillings of a line as the paths of a layered graph, from its first node to its last.

A node is determined by the number of blocks passed and the number of cells that they, their gaps
and empty cells cover; a block of unknown length has a second row of nodes, for its inner cells. An
arc is an empty cell, a whole block with the gap that must follow it, or a step of a block of
unknown length. Every path covers each cell by one arc; paths and fillings correspond one to one.

Size: O(k s) nodes and arcs for a line of k blocks and slack s. A unit of flow through the graph is
a convex combination of fillings, so flow conservation describes their convex hull.

Source: Ford, Fulkerson, "Flows in Networks" (1962), for the hull; the graph is that of the
dynamic program of Batenburg, Kosters, "Solving Nonograms by combining relaxations" (2009).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate, pairwise
from typing import NamedTuple

from nonosat.board.line import possible, refuse_giant
from nonosat.core.model import Clue, Count, Line


class FlowArc(NamedTuple):
    """An arc of the graph: a step of a filling.

    Args:
        tail, head: The nodes that the arc joins; the tail is the smaller one.
        first: The first cell that the arc covers.
        values: Values of the cells that the arc covers, a byte each; empty if it covers none.
    """

    tail: int
    head: int
    first: int
    values: bytes

    def covers(self) -> enumerate[int]:
        """Return (cell, value) of the cells that the arc covers."""
        return enumerate(self.values, start=self.first)


class Flow(NamedTuple):
    """The graph of a line: paths from node 0 to the last node are its fillings.

    Args:
        num_nodes: At least 1.
        arcs: By tail, ascending; empty if the blocks do not fit.
    """

    num_nodes: int
    arcs: tuple[FlowArc, ...]

    def within(self, may: Sequence[Sequence[int]]) -> list[bool]:
        """Return for each arc if it lies on a path that gives each cell a possible value.

        Args:
            may: may[value][cell] is true if the cell of the line may have the value.
        """
        is_allowed = [all(may[value][cell] for cell, value in arc.covers()) for arc in self.arcs]
        from_first, to_last = bytearray(self.num_nodes), bytearray(self.num_nodes)
        from_first[0] = to_last[-1] = 1
        for arc, allowed in zip(self.arcs, is_allowed, strict=True):
            from_first[arc.head] |= allowed and from_first[arc.tail]
        for arc, allowed in zip(reversed(self.arcs), reversed(is_allowed), strict=True):
            to_last[arc.tail] |= allowed and to_last[arc.head]
        return [
            bool(allowed and from_first[arc.tail] and to_last[arc.head])
            for arc, allowed in zip(self.arcs, is_allowed, strict=True)
        ]


def flow_of(clue: Clue, length: int) -> Flow:
    """Return the graph of a line with this clue.

    Args:
        clue: Blocks of the line.
        length: Number of its cells.
    """
    gaps = [int(before.colour == after.colour) for before, after in pairwise(clue)]
    spans = [(block.length or 1) + gap for block, gap in zip(clue, [*gaps, 0], strict=False)]
    firsts = [*accumulate(spans, initial=0)]
    slack = length - firsts[-1]
    if slack < 0:
        return Flow(2, ())
    arcs: list[FlowArc] = []
    node, row = 0, slack + 1  # nodes of the gap before a block: one for each start of the block
    for block, span, gap, first in zip(clue, spans, [*gaps, 0], firsts, strict=False):
        colour, empty = bytes([block.colour]), bytes(gap)
        after = node + row if block.length else node + 2 * row
        for place in range(row):
            at = first + place
            if place < slack:
                arcs.append(FlowArc(node + place, node + place + 1, at, b"\0"))
            if block.length:
                arcs.append(FlowArc(node + place, after + place, at, colour * (span - gap) + empty))
            else:
                arcs.append(FlowArc(node + place, node + row + place, at, colour))
        if not block.length:  # nodes inside the block, after its first cell
            for place in range(row):
                at = first + place + 1
                under_way = node + row + place
                if place < slack:
                    arcs.append(FlowArc(under_way, under_way + 1, at, colour))
                arcs.append(FlowArc(under_way, after + place, at, empty))
        node = after
    rest = range(slack)
    arcs += (FlowArc(node + place, node + place + 1, firsts[-1] + place, b"\0") for place in rest)
    return Flow(node + row, tuple(arcs))


def flow_counts(line: Line, new_vars: Callable[[int], int]) -> Iterator[Count]:
    """Yield counts that state a line as a unit of flow through its graph.

    The relaxation of the counts is the convex hull of the line's fillings.

    Args:
        line: A line with a plain clue.
        new_vars: Makes so many variables with consecutive numbers and returns the first; the cells
            determine their values.

    Raises:
        UnsupportedError: The clue is open.
        MemoryError: The graph has millions of arcs.
    """
    refuse_giant(line)
    cells = possible(line)
    if cells is None:
        yield Count((), 1, 1)
        return
    may = [[place in known for place in range(len(line))] for known in cells]
    flow = flow_of(line.clue, len(line))
    arcs = [arc for arc, is_left in zip(flow.arcs, flow.within(may), strict=True) if is_left]
    out: list[list[int]] = [[] for _ in range(flow.num_nodes)]
    into: list[list[int]] = [[] for _ in range(flow.num_nodes)]
    giving: list[list[list[int]]] = [[[] for _ in may] for _ in range(len(line))]
    for way, arc in enumerate(arcs, start=new_vars(len(arcs))):
        out[arc.tail].append(way)
        into[arc.head].append(-way)
        for place, value in arc.covers():
            giving[place][value].append(way)
    yield Count(out[0], 1, 1)
    for leaving, entering in zip(out[1:-1], into[1:-1], strict=True):
        if leaving:  # as many as enter
            yield Count((*leaving, *entering), len(entering), len(entering))
    for (empty, *filled), lits in zip(giving, zip(*line.cells, strict=True), strict=True):
        yield Count((*empty, *lits), 1, 1)
        for ways, lit in zip(filled, lits, strict=True):
            yield Count((*ways, -lit), 1, 1)
