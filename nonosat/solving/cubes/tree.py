"""Tree of cubes: the branches, and the state of every leaf.

Invariant: a node is a leaf, or branches on one literal and has a child for either value of it. The
leaves' cubes, the literals on the paths to them, therefore cover all assignments and do not
overlap. A node's children have higher indices in `nodes`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

LOOK_AHEAD = "look-ahead"
Names = Callable[[int], list[int]]  # name of a literal in JSON


class Branch(NamedTuple):
    """One side of a branch: the branching literal or its negation is true.

    Args:
        lit: Literal of a variable of the model.
        holds: True if the literal is true on this side.
    """

    lit: int
    holds: bool


Cube = tuple[Branch, ...]


def lits_of(cube: Cube) -> list[int]:
    """Return the literals that are true in a cube, negated if the branch is its false side."""
    return [side.lit if side.holds else -side.lit for side in cube]


def inside(solutions: Iterable[bytes], cube: Cube) -> list[bytes]:
    """Return the solutions, as values of the model, that are in a cube."""
    lits = lits_of(cube)
    return [
        values for values in solutions if all(bool(values[abs(lit)]) == (lit > 0) for lit in lits)
    ]


@dataclass(slots=True)
class Node:
    """A cube, stored as its last literal.

    Attributes:
        parent: Index of the parent, -1 at the root.
        side: Literal that it adds to the parent's cube; None at the root.
        lessons: (row, column) of the cells whose probing ruled out values at this node, in order.
        children: Indices of the nodes for the true and the false branching literal.
        ended_by: For a leaf: LOOK_AHEAD, or the engine that has found all its solutions; "" while
            it is open.
        conflicts: Conflicts of that engine in its last run on the leaf.
    """

    parent: int
    side: Branch | None = None
    lessons: tuple[tuple[int, int], ...] = ()
    children: tuple[int, int] | None = None
    ended_by: str = ""
    conflicts: int = 0


class CubeTree:
    """A tree that grows from an open root."""

    def __init__(self) -> None:
        self.nodes = [Node(-1)]

    def cube(self, index: int) -> Cube:
        """Return all literals of a node, from the root on."""
        sides: list[Branch] = []
        while (node := self.nodes[index]).side is not None:
            sides.append(node.side)
            index = node.parent
        return tuple(reversed(sides))

    def branch(self, index: int, lit: int) -> tuple[int, int]:
        """Turn an open leaf into an inner node; return its children."""
        node = self.nodes[index]
        assert node.children is None, "it is a leaf"
        assert not node.ended_by, "it is open"
        first = len(self.nodes)
        node.children = (first, first + 1)
        self.nodes += [Node(index, Branch(lit, holds)) for holds in (True, False)]
        return node.children

    def leaves(self, index: int) -> Iterator[int]:
        """Yield the leaves below a node from left to right: the true side of each branch first."""
        waiting = [index]
        while waiting:
            index = waiting.pop()
            children = self.nodes[index].children
            if children is None:
                yield index
            else:
                waiting += reversed(children)

    def leaf_of(self, values: bytes) -> int:
        """Return the leaf whose cube contains values of the model."""
        index = 0
        while (children := self.nodes[index].children) is not None:
            lit = self._branch(children)
            index = children[bool(values[abs(lit)]) != (lit > 0)]
        return index

    def data(self, named: Names, solutions: Iterable[bytes]) -> list[dict[str, Any]]:
        """Return all nodes as JSON data, the root first, as described in `cubes.cover`.

        Args:
            named: Returns the name of a literal in JSON.
            solutions: Solutions of the result, as values of the model.
        """
        numbers: dict[int, list[int]] = {}
        for number, values in enumerate(solutions):
            numbers.setdefault(self.leaf_of(values), []).append(number)
        return [self._data(index, named, numbers) for index in range(len(self.nodes))]

    def _data(self, index: int, named: Names, numbers: dict[int, list[int]]) -> dict[str, Any]:
        node = self.nodes[index]
        data: dict[str, Any] = {"probed": [*map(list, node.lessons)]} if node.lessons else {}
        if node.children is not None:
            branch = named(self._branch(node.children))
            return data | {"branch": branch, "children": list(node.children)}
        cube = [[*named(lit), holds] for lit, holds in self.cube(index)]
        data |= {"cube": cube, "ended by": node.ended_by, "solutions": numbers.get(index, [])}
        return data | ({"conflicts": node.conflicts} if node.conflicts else {})

    def _branch(self, children: tuple[int, int]) -> int:
        """Return the branching literal above two children."""
        side = self.nodes[children[0]].side
        assert side is not None
        return side.lit
