"""Do the cubes of a puzzle cover everything? Checked by code that shares nothing with the splitter.

The tree of a puzzle that was solved in parts is a list of nodes, JSON objects, the root first:

    {"branch": [row, column, value], "children": [i, j], "probed": [[row, column], ...]}
    {"cube": [[row, column, value, holds], ...], "ended by": name, "solutions": [k, ...], "probed"}

An inner node branches on one literal: child i is where the cell has the value (0 is empty, then the
colours), child j where it has not. The literals of puzzles that are no nonograms are those of the
model that their family builds, a number each: {"branch": [lit]} and {"cube": [[lit, holds], ...]},
where -7 says that variable 7 is false. A leaf's claim is about the cube that it names: "look-ahead"
has refuted it, or an engine says that it has no solutions but the k-th ones of the result; "" is a
leaf that was left open. `probed` are cells that look-ahead tried: what they rule out under each of
their values holds for all below.

`claimed` checks the form: every node is reached once, every leaf's cube is the way to it, every
solution is in the leaf that it belongs to, and none is left open. `check` also verifies solutions,
and refutes again what look-ahead has refuted, by line propagation of its own. What is left on trust
are the engine's claims; `nonosat prove` writes proofs of those as well.

Cost of `check`: a fixpoint of the lines in Python for each node on the way to a leaf that
look-ahead has refuted, and one for each value of each cell probed there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from nonosat.core.errors import CertificateError, shown
from nonosat.core.grid import Grid
from nonosat.core.model import Clue
from nonosat.puzzles.nonogram.data import Nonogram
from nonosat.puzzles.nonogram.verify import refutation
from nonosat.solving.cubes.terms import Cells, Lit, Terms

LOOK_AHEAD = "look-ahead"
Node = Mapping[str, Any]
Way = list[tuple[Lit, bool]]  # literals that were branched on, and whether they hold


@dataclass(frozen=True, slots=True)
class Covered:
    """A tree that covers everything.

    Attributes:
        num_solutions: That there are; no more than these where the engines are right.
        leaves: How many there are, by what has ended them.
    """

    num_solutions: int
    leaves: Mapping[str, int]

    @property
    def trusted(self) -> Mapping[str, int]:
        """The leaves whose claims nobody has checked: those that engines have ended."""
        return {who: number for who, number in self.leaves.items() if who != LOOK_AHEAD}


def claimed(terms: Terms, solutions: Sequence[bytes], nodes: Sequence[Node]) -> Covered:
    """Check the form of a tree.

    Args:
        terms: In which it is told.
        solutions: In the same terms.
        nodes: JSON data.

    Raises:
        CertificateError: It does not cover everything; the message names the node.
    """
    walk = _Walk(terms, solutions, nodes)
    walk.run()
    if len(walk.reached) < len(nodes):
        lost = next(index for index in range(len(nodes)) if index not in walk.reached)
        raise CertificateError(f"node {lost}: nothing leads to it")
    return Covered(len(solutions), dict(walk.leaves))


def check(
    puzzle: Nonogram,
    solutions: Sequence[bytes],
    nodes: Sequence[Node],
    pause: Callable[[], None] = lambda: None,
) -> Covered:
    """Check all of a tree that can be checked without an engine.

    Args:
        puzzle: Its cells and colours are the terms.
        solutions, nodes: See `claimed`.
        pause: Called every few milliseconds; what it raises ends the work.

    Raises:
        CertificateError: It does not hold; the message names the node or the solution.
    """
    covered = claimed(Cells(puzzle), solutions, nodes)
    for number, cells in enumerate(solutions):
        if mistake := refutation(puzzle, Grid(puzzle.height, puzzle.width, cells)):
            raise CertificateError(f"solution {number} is none: {mistake}")
    _refute_again(puzzle, nodes, pause)
    return covered


# The form


class _Walk:
    """From the root to every leaf."""

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
        """Both sides of an inner node."""
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
        """A solution that a leaf has: no other has it, and it is inside the cube."""
        if type(number) is not int or not 0 <= number < len(self.solutions):
            raise CertificateError(f"node {index}: there is no solution {shown(number)}")
        if number in self._placed:
            raise CertificateError(f"solution {number} is in two leaves")
        self._placed.add(number)
        for lit, holds in way:
            if self.terms.holds(lit, self.solutions[number]) != holds:
                raise CertificateError(f"node {index}: solution {number} is not in its cube")


# What look-ahead has refuted


def _refute_again(puzzle: Nonogram, nodes: Sequence[Node], pause: Callable[[], None]) -> None:
    """Go the way to every leaf that look-ahead has refuted; raises where it has not."""
    useful = _above_look_ahead(nodes)
    states: list[tuple[int, _Board | None]] = [(0, _Board(puzzle, pause))] if useful else []
    while states:
        index, board = states.pop()
        node = nodes[index]
        if board is not None and not board.probe(
            [r * puzzle.width + c for r, c in node.get("probed", [])]
        ):
            board = None  # whatever stands below is refuted as well
        if "children" not in node:
            if board is not None:
                raise CertificateError(f"node {index}: propagation does not refute it")
            continue
        row, column, value = node["branch"]
        for child, holds in zip(node["children"], (True, False), strict=True):
            if child not in useful:
                continue
            state = board and board.told(row * puzzle.width + column, value, holds)
            states.append((child, state))


def _above_look_ahead(nodes: Sequence[Node]) -> set[int]:
    """Nodes on the way to a leaf that look-ahead has refuted."""
    parents = {
        child: index for index, node in enumerate(nodes) for child in node.get("children", ())
    }
    useful: set[int] = set()
    for index, node in enumerate(nodes):
        at: int | None = index if node.get("ended by") == LOOK_AHEAD else None
        while at is not None and at not in useful:
            useful.add(at)
            at = parents.get(at)
    return useful


class _Line:
    """A clue as an automaton whose states are the bits of a number, from left to right.

    State 0 is the gap before the first block; then, block by block, its cells and the gap behind. A
    state is entered by reading its own colour. A block of unknown length is one cell that repeats.
    """

    def __init__(self, clue: Clue, num_colours: int) -> None:
        self.masks = [1, *([0] * num_colours)]  # by value: the states that it enters
        self.loops = 1
        self.skips = 0  # last cells behind which the next block may follow at once
        place = self.last = 0
        for number, block in enumerate(clue):
            size = block.length or 1
            self.masks[block.colour] |= ((1 << size) - 1) << (place + 1)
            self.last = place + size
            if block.length is None:
                self.loops |= 1 << self.last
            if number + 1 < len(clue) and clue[number + 1].colour != block.colour:
                self.skips |= 1 << self.last
            place = self.last + 1
            self.masks[0] |= 1 << place
            self.loops |= 1 << place
        self.ends = 1 << place | 1 << self.last  # the last gap, the last block

    def values(self, domains: Sequence[int]) -> list[int] | None:
        """What each cell may be in some filling, a bit a value; None where there is none."""
        masks = [
            sum(mask for value, mask in enumerate(self.masks) if domain >> value & 1)
            for domain in domains
        ]
        before = [1]
        for mask in masks:
            at = before[-1]
            before.append((at << 1 | at & self.loops | (at & self.skips) << 2) & mask)
        found, after = [0] * len(masks), self.ends
        for cell in range(len(masks) - 1, -1, -1):
            at = before[cell + 1] & after
            if not at:
                return None
            found[cell] = sum(1 << value for value, mask in enumerate(self.masks) if at & mask)
            entered = after & masks[cell]
            after = entered >> 1 | entered & self.loops | entered >> 2 & self.skips
        return found


class _Board:
    """What the cells may be, a bit a value, at the fixpoint of all lines."""

    def __init__(self, puzzle: Nonogram, pause: Callable[[], None]) -> None:
        height, width, colours = puzzle.height, puzzle.width, len(puzzle.colours)
        self.pause = pause
        self.is_refuted = False
        self.spans = [range(row * width, (row + 1) * width) for row in range(height)]
        self.spans += [range(column, height * width, width) for column in range(width)]
        self.lines = [_Line(clue, colours) for clue in (*puzzle.rows, *puzzle.columns)]
        self.height, self.width = height, width
        self.cells = [(2 << colours) - 1] * (height * width)
        for row, column, value in puzzle.given:
            self.cells[row * width + column] = 1 << value
        self._propagate(set(range(height + width)))

    def told(self, cell: int, value: int, holds: bool) -> _Board | None:
        """A copy that knows one literal more; None where that is refuted."""
        copy = object.__new__(_Board)
        copy.__dict__ = {**self.__dict__, "cells": [*self.cells]}
        copy._restrict(cell, 1 << value if holds else ~(1 << value))
        return None if copy.is_refuted else copy

    def probe(self, cells: Iterable[int]) -> bool:
        """Keep what every value of a cell leads to, cell by cell; False at a contradiction."""
        for cell in cells:
            if self.is_refuted:
                break
            values = [v for v in range(self.cells[cell].bit_length()) if self.cells[cell] >> v & 1]
            branches = [branch for v in values if (branch := self.told(cell, v, True))]
            if not branches:
                self.is_refuted = True
                break
            joined = [0] * len(self.cells)
            for branch in branches:
                joined = [one | other for one, other in zip(joined, branch.cells, strict=True)]
            changed = [i for i, (a, b) in enumerate(zip(self.cells, joined, strict=True)) if a != b]
            self.cells = joined
            self._propagate({line for i in changed for line in self._lines_of(i)})
        return not self.is_refuted

    def _lines_of(self, cell: int) -> tuple[int, int]:
        return cell // self.width, self.height + cell % self.width

    def _restrict(self, cell: int, domain: int) -> None:
        self.cells[cell] &= domain
        self._propagate(set(self._lines_of(cell)))

    def _propagate(self, lines: set[int]) -> None:
        while lines and not self.is_refuted:
            self.pause()
            line = lines.pop()
            span = self.spans[line]
            domains = [self.cells[cell] for cell in span]
            found = self.lines[line].values(domains)
            if found is None:
                self.is_refuted = True
                return
            for cell, old, new in zip(span, domains, found, strict=True):
                if old != new:
                    self.cells[cell] = new
                    lines.update(self._lines_of(cell))
            lines.discard(line)
