"""The tree of cubes: what was branched on, and what has become of every leaf.

Invariant: a node is a leaf, or branches on one literal and has a child for either side of it. The
leaves' cubes, the literals on the way to them, therefore cover all assignments and do not overlap.
A node's children stand behind it in `nodes`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

LOOK_AHEAD = "look-ahead"
Names = Callable[[int], list[int]]  # what a literal is called in JSON


class Side(NamedTuple):
    """One side of a branch: the literal that was branched on holds, or its negation does.

    Args:
        lit: Of a variable of the model.
        holds: Which of the two.
    """

    lit: int
    holds: bool


Cube = tuple[Side, ...]


def lits_of(cube: Cube) -> list[int]:
    """The literals that hold in a cube."""
    return [side.lit if side.holds else -side.lit for side in cube]


def inside(solutions: Iterable[bytes], cube: Cube) -> list[bytes]:
    """The solutions, as values of the model, that lie in a cube."""
    lits = lits_of(cube)
    return [
        values for values in solutions if all(bool(values[abs(lit)]) == (lit > 0) for lit in lits)
    ]


@dataclass(slots=True)
class Node:
    """A cube, by its last literal.

    Attributes:
        parent: Index of the node above, -1 at the root.
        side: What it adds to the cube of that; None at the root.
        lessons: Row and column of cells whose probing ruled something out here, in order.
        children: Indices of the nodes where a further literal holds, and where it does not.
        ended_by: Of a leaf: LOOK_AHEAD, or the engine that has found all its solutions; "" while it
            is open.
        conflicts: Of that engine, at the last try.
    """

    parent: int
    side: Side | None = None
    lessons: tuple[tuple[int, int], ...] = ()
    children: tuple[int, int] | None = None
    ended_by: str = ""
    conflicts: int = 0


class Tree:
    """Grows downwards from a root that is open."""

    def __init__(self) -> None:
        self.nodes = [Node(-1)]

    def cube(self, index: int) -> Cube:
        """All literals of a node, from the root on."""
        sides: list[Side] = []
        while (node := self.nodes[index]).side is not None:
            sides.append(node.side)
            index = node.parent
        return tuple(reversed(sides))

    def branch(self, index: int, lit: int) -> tuple[int, int]:
        """Make an open leaf an inner node; returns its children."""
        node = self.nodes[index]
        assert node.children is None, "it is a leaf"
        assert not node.ended_by, "it is open"
        first = len(self.nodes)
        node.children = (first, first + 1)
        self.nodes += [Node(index, Side(lit, holds)) for holds in (True, False)]
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

    def leaf_of(self, values: bytes) -> int:
        """The leaf whose cube values of the model are in."""
        index = 0
        while (children := self.nodes[index].children) is not None:
            lit = self._branch(children)
            index = children[bool(values[abs(lit)]) != (lit > 0)]
        return index

    def data(self, named: Names, solutions: Iterable[bytes]) -> list[dict[str, Any]]:
        """All nodes as JSON data, the root first; `cubes.cover` says what they mean.

        Args:
            named: What literals are called.
            solutions: Those of the result, as values of the model.
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
        """The literal that was branched on above two children."""
        side = self.nodes[children[0]].side
        assert side is not None
        return side.lit
