"""Unrolled automaton: a variable for each state before each cell, none for transitions.

All transitions into a state of this automaton read the same value, so the state after a cell
determines the cell's value, and two neighbouring states determine the transition. Each state
implies one possible predecessor and one possible successor.

Invariant: the models are the fillings, one each: once all cells are known, the states of the one
path through them are left. The counts of the family state that a cell has at most one colour. Unit
propagation is complete: neighbouring states are binary constraints in their support encoding,
which it makes arc consistent, and in a chain of them arc consistency is enough. For k blocks, m
filled cells and slack s: O((k + m) s) variables, of which those inside a block are equivalent.

Source: Quimper, Walsh, "Global grammar constraints" (CP 2006), for the states; Gent, "Arc
consistency in SAT" (ECAI 2002), for their supports.
"""

from __future__ import annotations

from array import array
from collections import defaultdict

from nonosat.board.automaton import Arc
from nonosat.clauses.batches import put
from nonosat.core.model import TRUE, Line
from nonosat.core.plugins import Encoding, Sink, SizeFormula, Strength
from nonosat.encodings._layers import HEAD, TAIL, layers, read, worn


def encode(line: Line, sink: Sink) -> None:
    """Add the clauses of a line to the sink."""
    found = layers(line)
    if found is None:
        sink.add(())
        return
    batch = array("i")
    states = {0: TRUE}
    for arcs, lits in zip(found, zip(*line.cells, strict=True), strict=True):
        values = {arc.head: arc.value for arc in arcs}
        heads = _name(sorted(values), sink)
        _support(arcs, TAIL, states, HEAD, heads, batch)
        _support(arcs, HEAD, heads, TAIL, states, batch)
        reading: dict[int, list[int]] = defaultdict(list)
        for state, value in values.items():
            reading[value].append(heads[state])
            put(batch, worn(heads[state], value, lits))
        read(reading, lits, batch)
        states = heads
    sink.add_batch(batch)


def _name(states: list[int], sink: Sink) -> dict[int, int]:
    """Return a variable for each state; a single state is TRUE."""
    if len(states) == 1:
        return {states[0]: TRUE}
    first = sink.new_vars(len(states))
    return {state: var for var, state in enumerate(states, start=first)}


def _support(
    arcs: list[Arc],
    field: int,
    states: dict[int, int],
    other: int,
    others: dict[int, int],
    batch: array[int],
) -> None:
    """Add the clauses "a state at one end of the arcs implies a state at the other end"."""
    ways = defaultdict(list)
    for arc in arcs:
        ways[arc[field]].append(others[arc[other]])
    put(batch, [(-states[state], *lits) for state, lits in ways.items()])


PLUGIN = Encoding(
    summary="unrolled automaton with a variable for each state at each cell; complete propagation",
    source="Quimper, Walsh 2006; Gent 2002",
    strength=Strength.COMPLETE,
    size=SizeFormula("(f + k)*(s + 1) + s - 1", "3*(f + k)*(s + 1) + 2*n + 3*s - 6"),
    encode=encode,
)
