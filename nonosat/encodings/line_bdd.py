"""Binary decision diagram of a line's fillings: a variable for the function of each node.

A node tests one cell literal, in the order of the cells and within a cell of the colours, and
leads to the constraint on the remaining cells; nodes without a choice are left out and equal ones
are shared. Its variable has the truth value of the node's function: "the cells from here on
complete a filling". That of the first node is true.

Invariant: the models are the fillings, one each, as each variable is defined by the cells from its
node on. The counts of the family state that a cell has at most one colour. Unit propagation
refutes every inconsistent partial line: a function that the known cells make unsatisfiable becomes
false, from the last cell up to the first. It misses implied cells, since no variable depends on
the cells before its node: in `???#` with the clue 1 1 that cell 2 is empty. For k blocks, m filled
cells and slack s: O((k + m) s) variables and six clauses for each.

Source: Bryant, "Graph-based algorithms for Boolean function manipulation" (1986); Eén, Sörensson,
"Translating pseudo-Boolean constraints into SAT" (JSAT 2006), for the clauses.
"""

from __future__ import annotations

from array import array
from collections import defaultdict

from nonosat.board.line import possible
from nonosat.clauses.batches import put
from nonosat.core.limits import polled
from nonosat.core.model import FALSE, TRUE, Line
from nonosat.core.plugins import Encoding, Sink, SizeFormula, Strength
from nonosat.encodings._layers import layers


class _Diagram:
    """The nodes of a diagram; equal nodes are made once."""

    def __init__(self, sink: Sink) -> None:
        self._sink = sink
        self._nodes: dict[tuple[int, int, int], int] = {}
        self.batch = array("i")

    def choose(self, lit: int, then: int, otherwise: int) -> int:
        """Return the literal of "`then` if `lit` is true, else `otherwise`"."""
        if lit == TRUE or then == otherwise:
            return then
        if lit == FALSE:
            return otherwise
        if (then, otherwise) in ((TRUE, FALSE), (FALSE, TRUE)):
            return lit if then == TRUE else -lit
        key = lit, then, otherwise
        if key not in self._nodes:
            node = self._nodes[key] = self._sink.new_var()
            put(self.batch, [(-node, -lit, then), (-node, lit, otherwise)])
            put(self.batch, [(node, -lit, -then), (node, lit, -otherwise)])
            put(self.batch, [(-node, then, otherwise), (node, -then, -otherwise)])
        return self._nodes[key]


def encode(line: Line, sink: Sink) -> None:
    """Add the clauses of a line to the sink."""
    found = layers(line)
    values = possible(line)
    if found is None or values is None:
        sink.add(())
        return
    diagram = _Diagram(sink)
    columns = list(zip(*line.cells, strict=True))
    below: dict[int, int] = dict.fromkeys((arc.head for arc in found[-1]), TRUE)
    for cell in polled(reversed(range(len(line)))):
        lits = columns[cell]
        may = [cell in cells for cells in values]
        put(diagram.batch, ((-lit,) for lit, can in zip(lits, may[1:], strict=True) if not can))
        if not may[0]:
            put(diagram.batch, [lits])
        leaving: dict[int, dict[int, int]] = defaultdict(dict)
        for tail, value, head in found[cell]:
            leaving[tail][value] = below[head]
        below = {tail: _node(lits, ways, may, diagram) for tail, ways in leaving.items()}
    put(diagram.batch, [(below[0],)])
    sink.add_batch(diagram.batch)


def _node(lits: tuple[int, ...], ways: dict[int, int], may: list[bool], diagram: _Diagram) -> int:
    """Return the literal of the node that tests the values of one cell.

    Args:
        lits: Literals of the cell, by colour.
        ways: For each value of the cell, the literal of the node that it leads to; a value that is
            missing has no filling of the remaining cells.
        may: may[value] is true if some filling has the value in this cell; no other is tested.
        diagram: Holds the nodes.
    """
    colours = [colour for colour, can in enumerate(may) if can and colour]
    chosen = ways.get(0, FALSE) if may[0] else ways.get(colours.pop(), FALSE)
    for colour in reversed(colours):
        chosen = diagram.choose(lits[colour - 1], ways.get(colour, FALSE), chosen)
    return chosen


PLUGIN = Encoding(
    summary="reduced binary decision diagram, a variable for the function below each node",
    source="Bryant 1986; Eén, Sörensson 2006",
    strength=Strength.CONFLICTS,
    size=SizeFormula(
        "one a node: up to (f + k)*(s + 1), fewer if literals decide",
        "up to 6 a node and n units",
    ),
    encode=encode,
)
