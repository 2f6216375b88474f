"""The unrolled automaton of a line, for the encodings that follow it cell by cell.

A layer holds the transitions over one cell. Only those states remain that are reachable from the
start over possible values of the cells, and from which a final state is reachable: every
transition lies on the path of some filling.

For k blocks, m filled cells and slack s there are O((k + m) s) transitions in all.

Source: Pesant, "A regular language membership constraint for finite sequences of variables" (CP
2004), for the layers.
"""

from __future__ import annotations

from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping

from nonosat.board.automaton import Arc, Layers, automaton, unrolled
from nonosat.board.line import possible
from nonosat.clauses.batches import put
from nonosat.core.model import TRUE, Line
from nonosat.core.plugins import Sink

TAIL, VALUE, HEAD = range(3)  # the fields of an arc


def layers(line: Line) -> Layers | None:
    """Return the transitions over each cell that lie on a path from the start to a final state.

    Returns:
        None if the line has no filling. The start is state 0.
    """
    values = possible(line)
    if values is None:
        return None
    return unrolled(automaton(line), values, len(line))


def add_paths(found: Layers, line: Line, sink: Sink) -> None:
    """Add the clauses of "there is one path from the start to the end, and the cells have its
    values".

    There is a variable for each state before each cell and for each transition over it. Two of them
    that are equivalent, because a state has one way out or one way in, are the same variable.
    """
    batch = array("i")
    states = {0: TRUE}
    for arcs, lits in zip(found, zip(*line.cells, strict=True), strict=True):
        names = _name_arcs(arcs, states, sink)
        heads = _name_heads(names, sink)
        _link(names, states, heads, batch)
        read(_by(names, VALUE), lits, batch)
        put(batch, _worn(names, lits))
        states = heads
    sink.add_batch(batch)


def read(reading: Mapping[int, list[int]], lits: tuple[int, ...], batch: array[int]) -> None:
    """Add the clauses "a value of a cell implies one of the literals that read it".

    Args:
        reading: For each value, literals of which one is true if the cell has it.
        lits: Literals of the cell.
        batch: Receives the clauses.
    """
    put(batch, [(*lits, *reading.get(0, ()))])
    put(batch, [(-lit, *reading.get(colour, ())) for colour, lit in enumerate(lits, start=1)])


def worn(taken: int, value: int, lits: tuple[int, ...]) -> list[tuple[int, int]]:
    """Return the clauses "if the literal `taken` is true, the cell has this value"."""
    return [(-taken, -lit) for lit in lits] if value == 0 else [(-taken, lits[value - 1])]


def _worn(names: dict[Arc, int], lits: tuple[int, ...]) -> Iterable[tuple[int, int]]:
    return (clause for arc, lit in names.items() for clause in worn(lit, arc.value, lits))


def _by(names: dict[Arc, int], field: int) -> dict[int, list[int]]:
    """Return the literals of the transitions in lists, by the value of an `Arc`'s field."""
    groups: dict[int, list[int]] = defaultdict(list)
    for arc, lit in names.items():
        groups[arc[field]].append(lit)
    return groups


def _name_arcs(arcs: list[Arc], states: dict[int, int], sink: Sink) -> dict[Arc, int]:
    """Return a literal for each transition: that of its state if it has no alternative, or new."""
    ways = Counter(arc.tail for arc in arcs)
    return {arc: states[arc.tail] if ways[arc.tail] == 1 else sink.new_var() for arc in arcs}


def _name_heads(names: dict[Arc, int], sink: Sink) -> dict[int, int]:
    """Return a literal for each state after the cell; a single transition into it shares its
    literal.
    """
    ways = _by(names, HEAD)
    if len(ways) == 1:
        return dict.fromkeys(ways, TRUE)
    return {state: lits[0] if len(lits) == 1 else sink.new_var() for state, lits in ways.items()}


def _link(
    names: dict[Arc, int], tails: dict[int, int], heads: dict[int, int], batch: array[int]
) -> None:
    """Add the clauses that tie transitions to the states at their ends, in both directions."""
    for field, states in ((TAIL, tails), (HEAD, heads)):
        for state, lits in _by(names, field).items():
            here = states[state]
            if lits != [here]:
                put(batch, [(-here, *lits)])
                put(batch, [(-lit, here) for lit in lits])
