"""A flow network through the gaps of a line: one state per gap, and a block is one jump.

A node is a position in the gap before a block or after the last. Its arcs go over
one empty cell, or over the whole block and the empty cell that must follow it. A block of
unknown length is a node of its own at each position, entered and left cell by cell. A filling is a
path from the line's beginning to its end: one unit that flows through the network. There is a
variable for each arc; if a node has one way in and one way out, they are the same.

Invariant: the models are the fillings, one each: once all cells are known, the arcs of one path are
left. The counts of the family state that a cell has at most one colour. Unit propagation is
complete: an arc that remains has remaining ones before and after it, hence a whole path of them.
For k blocks, f filled cells and slack s: 2 k s + k + s variables at most, f s + O(k s) clauses.

Source: Ahuja, Magnanti, Orlin, "Network flows" (1993), for flows as paths; Quimper, Walsh, "Global
grammar constraints" (CP 2006), for clauses along them.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from nonosat.board.line import Domain, domains, possible
from nonosat.clauses.batches import put
from nonosat.core.limits import polled
from nonosat.core.model import TRUE, Line
from nonosat.core.plugins import Encoding, Sink, SizeFormula, Strength
from nonosat.encodings._layers import read, worn

Node = tuple[int, int]  # position; twice the gap's number, plus one inside the block that follows


class _RunArc(NamedTuple):
    """A step over `stop - first` cells of one value, and over an empty cell if it has a gap."""

    tail: Node
    head: Node
    value: int
    first: int
    stop: int
    gap: bool = False

    def cells(self) -> Iterator[tuple[int, int]]:
        """Yield each (cell, value) that the step reads."""
        yield from ((cell, self.value) for cell in range(self.first, self.stop))
        if self.gap:
            yield self.stop, 0


def encode(line: Line, sink: Sink) -> None:
    """Add the clauses of a line to the sink."""
    found, values = domains(line), possible(line)
    if found is None or values is None:
        sink.add(())
        return
    source, target = (0, 0), (len(line), 2 * len(line.clue))
    steps = [*_blocks(line, found), *_gaps(line, values[0])]
    possible_steps = [
        step for step in polled(steps) if all(c in values[v] for c, v in step.cells())
    ]
    arcs = _alive(possible_steps, source, target)
    names = _names(arcs, source, sink)
    batch = array("i")
    put(batch, _flow(names, source, target))
    reading: list[dict[int, list[int]]] = [defaultdict(list) for _ in range(len(line))]
    columns = list(zip(*line.cells, strict=True))
    for arc, lit in polled(names.items()):
        for cell, value in arc.cells():
            reading[cell][value].append(lit)
            put(batch, worn(lit, value, columns[cell]))
    for lits, literals in zip(columns, reading, strict=True):
        read(literals, lits, batch)
    sink.add_batch(batch)


def _gaps(line: Line, empty: frozenset[int]) -> Iterator[_RunArc]:
    """Yield the arcs over one empty cell, for each gap."""
    for gap in range(0, 2 * len(line.clue) + 1, 2):
        yield from (_RunArc((cell, gap), (cell + 1, gap), 0, cell, cell + 1) for cell in empty)


def _blocks(line: Line, found: Sequence[Domain]) -> Iterator[_RunArc]:
    """Yield the arcs of blocks, with the empty cell before the next block of the same colour."""
    colours = [block.colour for block in line.clue]
    for index, ((length, colour), domain) in enumerate(zip(line.clue, found, strict=True)):
        gap = colour in colours[index + 1 : index + 2]
        before, inside, behind = range(2 * index, 2 * index + 3)
        if length is not None:
            for place in domain.starts:
                head = (place + length + gap, behind)
                yield _RunArc((place, before), head, colour, place, place + length, gap)
            continue
        for place in domain.starts:
            yield _RunArc((place, before), (place + 1, inside), colour, place, place + 1)
        for place in range(domain.starts[0] + 1, domain.ends[-1] + 1):
            yield _RunArc((place, inside), (place + 1, inside), colour, place, place + 1)
        for place in domain.ends:
            yield _RunArc(
                (place + 1, inside), (place + 1 + gap, behind), 0, place + 1, place + 1, gap
            )


def _alive(arcs: list[_RunArc], source: Node, target: Node) -> list[_RunArc]:
    """Return the arcs on a path from the source to the target, sorted."""
    reached = {source}
    onward = []
    for arc in polled(sorted(arcs)):
        if arc.tail in reached:
            reached.add(arc.head)
            onward.append(arc)
    alive = {target}
    kept = []
    for arc in polled(sorted(onward, key=lambda arc: arc.head, reverse=True)):
        if arc.head in alive:
            alive.add(arc.tail)
            kept.append(arc)
    return sorted(kept)


def _names(arcs: list[_RunArc], source: Node, sink: Sink) -> dict[_RunArc, int]:
    """Return a literal for each arc: new, or that of its only predecessor if there is no
    alternative.
    """
    leaving, entering = defaultdict(list), defaultdict(list)
    for arc in polled(arcs):
        leaving[arc.tail].append(arc)
        entering[arc.head].append(arc)
    names: dict[_RunArc, int] = {}
    for arc in polled(arcs):
        before = [TRUE] if arc.tail == source else [names[way] for way in entering[arc.tail]]
        alone = len(before) == len(leaving[arc.tail]) == 1
        names[arc] = before[0] if alone else sink.new_var()
    return names


def _flow(names: dict[_RunArc, int], source: Node, target: Node) -> Iterator[tuple[int, ...]]:
    """Yield clauses for conservation of flow: an arc into a node implies an arc out of the node.

    The converse is encoded, too.
    """
    entering, leaving = defaultdict(list, {source: [TRUE]}), defaultdict(list, {target: [TRUE]})
    for arc, lit in polled(names.items()):
        leaving[arc.tail].append(lit)
        entering[arc.head].append(lit)
    for node, before in polled(entering.items()):
        behind = leaving[node]
        if before != behind:
            yield from ((-lit, *behind) for lit in before)
            yield from ((-lit, *before) for lit in behind)


PLUGIN = Encoding(
    summary="a flow through the gaps, blocks are jumps; complete propagation",
    source="Ahuja, Magnanti, Orlin 1993; Quimper, Walsh 2006",
    strength=Strength.COMPLETE,
    size=SizeFormula("2*k*s + k + s - 2", "6*k*s + f*s + 3*n + 2*k + s - 6"),
    encode=encode,
)
