"""Checker for the form of a tree of cubes, independent of the splitter.

The tree of a puzzle that was solved in parts is a list of nodes, JSON objects, the root first:

    {"branch": [row, column, value], "children": [i, j], "probed": [[row, column], ...]}
    {"cube": [[row, column, value, holds], ...], "ended by": name, "solutions": [k, ...], "probed"}

An inner node branches on one literal: in child i the cell has the value (0 is empty, then the
colours), in child j it has not. The literals of puzzles other than nonograms are those of the model
that their family builds, a number each: {"branch": [lit]} and {"cube": [[lit, holds], ...]}, where
-7 means that variable 7 is false. A leaf's "ended by" is "look-ahead" if that has refuted the cube;
or the engine that claims that the cube's only solutions are those with the numbers k in the result;
or "" if the leaf is open. `probed` are the cells that look-ahead tried: a value that is refuted
under each value of a probed cell is ruled out in the whole subtree.

`claimed` checks the form: every node is reached once, every leaf's cube is the path to it, every
solution is in the leaf that it belongs to, and no leaf is open. `certify.covers` checks the rest.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from nonosat.core.errors import CertificateError, shown
from nonosat.solving.cubes.terms import Lit, Terms

LOOK_AHEAD = "look-ahead"
Node = Mapping[str, Any]
Way = list[tuple[Lit, bool]]  # branching literals with their truth values


@dataclass(frozen=True, slots=True)
class CompleteTree:
    """Summary of a checked tree, whose leaves cover the whole search space.

    Attributes:
        num_solutions: Number of solutions; exact if the engines are right.
        leaves: Number of leaves by the engine (or look-ahead) that decided them.
    """

    num_solutions: int
    leaves: Mapping[str, int]

    @property
    def trusted(self) -> Mapping[str, int]:
        """Number of leaves with unchecked claims: those that engines decided."""
        return {who: number for who, number in self.leaves.items() if who != LOOK_AHEAD}


def claimed(terms: Terms, solutions: Sequence[bytes], nodes: Sequence[Node]) -> CompleteTree:
    """Check the form of a tree.

    Args:
        terms: Meaning of the tree's literals.
        solutions: Solutions in the same terms.
        nodes: JSON data.

    Raises:
        CertificateError: The leaves do not cover everything; the message names the node.
    """
    walk = _Traversal(terms, solutions, nodes)
    walk.run()
    if len(walk.reached) < len(nodes):
        lost = next(index for index in range(len(nodes)) if index not in walk.reached)
        raise CertificateError(f"node {lost}: nothing leads to it")
    return CompleteTree(len(solutions), dict(walk.leaves))


class _Traversal:
    """Check of a tree's nodes during a traversal from the root to every leaf."""

    def __init__(self, terms: Terms, solutions: Sequence[bytes], nodes: Sequence[Node]) -> None:
        self.terms, self.solutions, self.nodes = terms, solutions, nodes
        self.reached: set[int] = set()
        self.leaves: Counter[str] = Counter()
        self._placed: set[int] = set()  # solutions

    def run(self) -> None:
        size = self.terms.size
        for number, cells in enumerate(self.solutions):
            if len(cells) != size or cells in self.solutions[:number]:
                raise CertificateError(f"solution {number} is another one again, or has no {size}")
        ways: list[tuple[int, Way]] = [(0, [])]
        while ways:
            index, way = ways.pop()
            node = self._node(index)
            self._cells(index, node.get("probed", []))
            ways += self._ways(index, node, way) if "children" in node else ()
            if "children" not in node:
                self._leaf(index, node, way)
        if missing := [n for n in range(len(self.solutions)) if n not in self._placed]:
            raise CertificateError(f"solution {missing[0]} is in no leaf")

    def _node(self, index: Any) -> Node:
        if type(index) is not int or not 0 <= index < len(self.nodes):
            raise CertificateError(f"there is no node {shown(index)}")
        if index in self.reached:
            raise CertificateError(f"node {index}: two ways lead to it")
        self.reached.add(index)
        if not isinstance(node := self.nodes[index], Mapping):
            raise CertificateError(f"node {index} is {shown(node)}, expected an object")
        return node

    def _ways(self, index: int, node: Node, way: Way) -> list[tuple[int, Way]]:
        """Return the cubes of both children of an inner node."""
        branch: Any = node.get("branch")
        children = node["children"]
        if mistake := self.terms.mistake(branch):
            raise CertificateError(f"node {index}: {mistake}")
        if not isinstance(children, list) or len(children) != 2:
            raise CertificateError(f"node {index}: {shown(children)} are no two children")
        sides = zip(children, (True, False), strict=True)
        return [(child, [*way, (branch, holds)]) for child, holds in sides]

    def _cells(self, index: int, cells: Any) -> None:
        for cell in cells if isinstance(cells, list) else [cells]:
            if mistake := self.terms.mistake_of_cell(cell):
                raise CertificateError(f"node {index}: {mistake}")

    def _leaf(self, index: int, node: Node, way: Way) -> None:
        ended_by, numbers = node.get("ended by"), node.get("solutions")
        cube = node.get("cube")
        if cube != [[*lit, holds] for lit, holds in way]:
            raise CertificateError(f"node {index}: its cube is not the way to it")
        if not isinstance(ended_by, str) or not ended_by:
            raise CertificateError(f"node {index}: it was left open")
        if not isinstance(numbers, list) or (numbers and ended_by == LOOK_AHEAD):
            raise CertificateError(f"node {index}: {shown(numbers)} are no solutions of it")
        self.leaves[ended_by] += 1
        for number in numbers:
            self._place(index, number, way)

    def _place(self, index: int, number: Any, way: Way) -> None:
        """Assign a solution to a leaf; check that it is in the cube and in no other leaf."""
        if type(number) is not int or not 0 <= number < len(self.solutions):
            raise CertificateError(f"node {index}: there is no solution {shown(number)}")
        if number in self._placed:
            raise CertificateError(f"solution {number} is in two leaves")
        self._placed.add(number)
        for lit, holds in way:
            if self.terms.holds(lit, self.solutions[number]) != holds:
                raise CertificateError(f"node {index}: solution {number} is not in its cube")
