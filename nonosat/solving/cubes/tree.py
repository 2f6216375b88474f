"""The tree of cubes: what was branched on, and what has become of every leaf.

Invariant: a node is a leaf, or branches on one literal and has a child for either side of it. The
leaves' cubes, the literals on the way to them, therefore cover all assignments and do not overlap.
A node's children stand behind it in `nodes`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

LOOK_AHEAD = "look-ahead"


class Lit(NamedTuple):
    """ "The cell has the value", or where it does not hold: "it has not".

    Args:
        cell: In row-major order.
        value: 0 is empty, then the colours.
        holds: Which of the two.
    """

    cell: int
    value: int
    holds: bool


Cube = tuple[Lit, ...]


@dataclass(slots=True)
class Node:
    """A cube, by its last literal.

    Attributes:
        parent: Index of the node above, -1 at the root.
        lit: What it adds to the cube of that; None at the root.
        lessons: Cells whose probing ruled something out here, in order.
        children: Indices of the nodes where a further literal holds, and where it does not.
        ended_by: Of a leaf: LOOK_AHEAD, or the engine that has found all its solutions; "" while it
            is open.
        conflicts: Of that engine, at the last try.
    """

    parent: int
    lit: Lit | None
    lessons: tuple[int, ...] = ()
    children: tuple[int, int] | None = None
    ended_by: str = ""
    conflicts: int = 0


class Tree:
    """Grows downwards from a root that is open."""

    def __init__(self) -> None:
        self.nodes = [Node(-1, None)]

    def cube(self, index: int) -> Cube:
        """All literals of a node, from the root on."""
        lits: list[Lit] = []
        while (node := self.nodes[index]).lit is not None:
            lits.append(node.lit)
            index = node.parent
        return tuple(reversed(lits))

    def branch(self, index: int, cell: int, value: int) -> tuple[int, int]:
        """Make an open leaf an inner node; returns its children."""
        node = self.nodes[index]
        assert node.children is None, "it is a leaf"
        assert not node.ended_by, "it is open"
        first = len(self.nodes)
        node.children = (first, first + 1)
        self.nodes += [Node(index, Lit(cell, value, holds)) for holds in (True, False)]
        return node.children

    def leaves(self, index: int) -> Iterator[int]:
        """The leaves below a node from left to right: first those where its literal holds."""
        waiting = [index]
        while waiting:
            index = waiting.pop()
            children = self.nodes[index].children
            if children is None:
                yield index
            else:
                waiting += reversed(children)

    def leaf_of(self, cells: bytes) -> int:
        """The leaf whose cube a picture is in, a byte a cell."""
        index = 0
        while (children := self.nodes[index].children) is not None:
            lit = self.nodes[children[0]].lit
            assert lit is not None
            index = children[cells[lit.cell] != lit.value]
        return index

    def data(self, width: int, solutions: Iterable[bytes]) -> list[dict[str, Any]]:
        """All nodes as JSON data, the root first; `cubes.cover` says what they mean.

        Args:
            width: Of the board.
            solutions: Those of the result, a byte a cell.
        """
        numbers: dict[int, list[int]] = {}
        for number, cells in enumerate(solutions):
            numbers.setdefault(self.leaf_of(cells), []).append(number)
        return [self._data(index, width, numbers) for index in range(len(self.nodes))]

    def _data(self, index: int, width: int, numbers: dict[int, list[int]]) -> dict[str, Any]:
        node = self.nodes[index]
        probed = [[*divmod(cell, width)] for cell in node.lessons]
        data: dict[str, Any] = {"probed": probed} if probed else {}
        if node.children is not None:
            lit = self.nodes[node.children[0]].lit
            assert lit is not None
            branch = [*divmod(lit.cell, width), lit.value]
            return data | {"branch": branch, "children": list(node.children)}
        cube = [[*divmod(lit.cell, width), lit.value, lit.holds] for lit in self.cube(index)]
        data |= {"cube": cube, "ended by": node.ended_by, "solutions": numbers.get(index, [])}
        return data | ({"conflicts": node.conflicts} if node.conflicts else {})
