"""Unrolled automaton: a variable for each state before each cell and for each transition over it.

Only states remain that can be reached from the start over values that the cells may have and from
which a final state can be reached. Where two of these variables are equivalent because a state has
one way out or one way in, they are the same variable: inside a block of known length nothing is
ever new.

Invariant: the models are the fillings, one each, since the automaton is deterministic; that a cell
has at most one colour is said by the family's counts. Unit propagation is complete: a transition
that remains has remaining ones before and after it, hence a whole path of them. For k blocks, m
filled cells and slack s: O(k s) variables, O((k + m) s) clauses a colour.

Source: Quimper, Walsh, "Global grammar constraints" (CP 2006); Bacchus, "GAC via unit propagation"
(CP 2007).
"""

from __future__ import annotations

from array import array
from collections import Counter, defaultdict
from typing import NamedTuple

from nonosat.encodings._shared import put
from nonosat.formulations.line_automaton import automaton
from nonosat.line import possible
from nonosat.model import TRUE, Line
from nonosat.plugins import Sink, Strength

SUMMARY = "unrolled automaton with states and transitions; larger, complete propagation"
SOURCE = "Quimper, Walsh 2006; Bacchus 2007"
STRENGTH = Strength.COMPLETE


class _Arc(NamedTuple):
    """A transition over one cell: from a state, reading a value, to a state."""

    tail: int
    value: int
    head: int


TAIL, VALUE, HEAD = range(3)  # the fields of an arc


def _layers(line: Line, values: tuple[frozenset[int], ...]) -> list[list[_Arc]]:
    """The transitions over each cell that lie on a path from the start to a final state."""
    transitions, finals = automaton(line.blocks)
    leaving = defaultdict(list)
    for transition in transitions:
        leaving[transition[0]].append(_Arc(*transition))
    layers: list[list[_Arc]] = []
    reached = {0}
    for cell in range(len(line)):
        arcs = [arc for state in reached for arc in leaving[state] if cell in values[arc.value]]
        reached = {arc.head for arc in arcs}
        layers.append(arcs)
    alive = set(finals)
    for cell in reversed(range(len(line))):
        layers[cell] = [arc for arc in layers[cell] if arc.head in alive]
        alive = {arc.tail for arc in layers[cell]}
    return layers


def encode(line: Line, sink: Sink) -> None:
    """Add the clauses of a line to the sink."""
    values = possible(line)
    if values is None:
        sink.add(())
        return
    batch = array("i")
    states = {0: TRUE}
    for arcs, lits in zip(_layers(line, values), zip(*line.cells, strict=True), strict=True):
        names = _name_arcs(arcs, states, sink)
        heads = _name_heads(names, sink)
        _link(names, states, heads, batch)
        _read(names, lits, batch)
        states = heads
    sink.add_batch(batch)


def _by(names: dict[_Arc, int], field: int) -> dict[int, list[int]]:
    """The literals of the transitions, grouped by a field of theirs."""
    groups: dict[int, list[int]] = defaultdict(list)
    for arc, lit in names.items():
        groups[arc[field]].append(lit)
    return groups


def _name_arcs(arcs: list[_Arc], states: dict[int, int], sink: Sink) -> dict[_Arc, int]:
    """A literal for each transition: a variable, or that of its state if there is no other way."""
    ways = Counter(arc.tail for arc in arcs)
    return {arc: states[arc.tail] if ways[arc.tail] == 1 else sink.new_var() for arc in arcs}


def _name_heads(names: dict[_Arc, int], sink: Sink) -> dict[int, int]:
    """A literal for each state behind the cell; the only way into a state stands for it."""
    ways = _by(names, HEAD)
    if len(ways) == 1:
        return dict.fromkeys(ways, TRUE)
    return {state: lits[0] if len(lits) == 1 else sink.new_var() for state, lits in ways.items()}


def _link(
    names: dict[_Arc, int], tails: dict[int, int], heads: dict[int, int], batch: array[int]
) -> None:
    """A transition is taken between states that are passed, and a passed state has one."""
    for field, states in ((TAIL, tails), (HEAD, heads)):
        for state, lits in _by(names, field).items():
            here = states[state]
            if lits != [here]:
                put(batch, [(-here, *lits)])
                put(batch, [(-lit, here) for lit in lits])


def _read(names: dict[_Arc, int], lits: tuple[int, ...], batch: array[int]) -> None:
    """A transition reads the cell's value, and the value is read by a transition."""
    reading = _by(names, VALUE)
    empty = reading.get(0, [])
    put(batch, [(*lits, *empty)])
    put(batch, [(-taken, -lit) for taken in empty for lit in lits])
    for colour, lit in enumerate(lits, start=1):
        taken = reading.get(colour, [])
        put(batch, [(-lit, *taken)])
        put(batch, [(-one, lit) for one in taken])
