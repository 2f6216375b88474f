"""Arguments about the cells of a board: ways over known edges, sides of clues, narrow ways.

A closed path divides the board: the cells inside it are connected, and so are the cells outside it
with the area beyond the board. A way leads from cell to neighbouring cell, across the edge between
them; it changes sides whenever it crosses the path. Each function is at most linear in the board.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from itertools import islice, pairwise, product
from typing import NamedTuple

from nonosat.explain.slitherlink.knowledge import Knowledge
from nonosat.puzzles.slitherlink.rules import IN, OPEN, OUT


def way(known: Knowledge, start: int, end: int) -> list[int]:
    """Return the edges that a shortest way over known edges crosses, in order.

    The way leads from cell `start` to cell `end`, which are in one set of `known`.
    """
    if start == end:
        return []
    lattice, states = known.lattice, known.states
    came: dict[int, int] = {start: -1}
    waiting = deque([start])
    while waiting:
        cell = waiting.popleft()
        for edge in lattice.edges_of(cell):
            beside = lattice.opposite(edge, cell)
            if states[edge] == OPEN or beside in came:
                continue
            came[beside] = edge
            if beside == end:
                return _back(known, came, start, end)
            waiting.append(beside)
    raise AssertionError("the cells are in one set")


def _back(known: Knowledge, came: dict[int, int], start: int, end: int) -> list[int]:
    found = []
    while end != start:
        found.append(came[end])
        end = known.lattice.opposite(came[end], end)
    return found[::-1]


class SideConclusions(NamedTuple):
    """Conclusions for the edges of a clue from the sides of cells around it.

    Args:
        cell: Cell of the clue.
        decided: Edges that are decided, each with its value IN or OUT.
        pairs: Pairs of neighbours of which it is known if they are on the same side of the path.
    """

    cell: int
    decided: tuple[tuple[int, int], ...]
    pairs: tuple[tuple[int, int], ...]


def sides_of_clue(known: Knowledge, cell: int) -> SideConclusions | None:
    """Return conclusions for a clue's edges from the sides of its neighbours; None without any.

    If no choice of edges satisfies the clue, `decided` is empty.
    """
    lattice, states = known.lattice, known.states
    edges = lattice.around[cell]
    undecided = [edge for edge in edges if states[edge] == OPEN]
    if len(undecided) < 2:
        return None
    groups: dict[int, list[tuple[int, int]]] = {}
    for edge in undecided:
        root, apart = known.side(lattice.opposite(edge, cell))
        groups.setdefault(root, []).append((edge, apart))
    if len(groups) == len(undecided):
        return None
    clue = lattice.puzzle.clues[cell] - sum(states[edge] == IN for edge in edges)
    choices = []
    for own in product((OUT, IN), repeat=len(groups)):
        chosen = zip(own, groups.values(), strict=True)
        choice = {edge: side ^ apart for side, group in chosen for edge, apart in group}
        if sum(choice.values()) == clue:
            choices.append(choice)
    decided = tuple(
        (edge, choices[0][edge])
        for edge in undecided
        if choices and all(choice[edge] == choices[0][edge] for choice in choices)
    )
    if choices and not decided:
        return None
    pairs = tuple(
        (lattice.opposite(one, cell), lattice.opposite(other, cell))
        for group in groups.values()
        for (one, _), (other, _) in pairwise(group)
    )
    return SideConclusions(cell, decided, pairs)


MOST_CUT = 60  # cells that are highlighted as cut off


class CutEdge(NamedTuple):
    """An edge that is decided by a narrow way: cells on one side have no other connection.

    Args:
        edge: The decided edge.
        value: Value of the edge: IN or OUT.
        colour: Side of the cells: 1 inside, 0 outside.
        cut: Cells of that side that would be cut off, `MOST_CUT` of them at most.
        num_cut: Number of all these cells.
        through: The cell through which they must be connected; None if it is across the edge.
    """

    edge: int
    value: int
    colour: int
    cut: tuple[int, ...]
    num_cut: int
    through: int | None


class Split(NamedTuple):
    """Contradiction: the cells `cut` of one side have no connection to the others of that side."""

    colour: int
    cut: tuple[int, ...]


def narrow_ways(known: Knowledge, pause: Callable[[], None]) -> Iterator[CutEdge | Split]:
    """Yield the edges that are decided because all cells of one side must be connected.

    A `Split` is yielded if they cannot be. An exception of `pause` ends the search.
    """
    lattice = known.lattice
    colours = [known.colour(cell) for cell in range(lattice.beyond + 1)]
    for colour in (1, 0):
        if colour in colours:
            yield from _Sweep(known, colours, colour).found(pause)


class _Sweep:
    """Depth-first search over the cells that are, or may be, on one side of the path.

    The search finds bridges and articulation points. The side of a cell, inside or outside, is
    called its colour.
    """

    def __init__(self, known: Knowledge, colours: list[int | None], colour: int) -> None:
        self._known, self._colours, self._colour = known, colours, colour
        self._order: list[int] = []
        self._number: dict[int, int] = {}
        self._low: dict[int, int] = {}
        self._came: dict[int, int] = {}  # by cell, the edge over which it was reached

    def found(self, pause: Callable[[], None]) -> Iterator[CutEdge | Split]:
        targets = [cell for cell, one in enumerate(self._colours) if one == self._colour]
        self._visit(targets[-1], pause)
        if missed := tuple(cell for cell in targets if cell not in self._number):
            yield Split(self._colour, missed)
            return
        below = self._targets_below()
        for cell in self._order[1:]:
            edge = self._came[cell]
            up = self._known.lattice.opposite(edge, cell)
            first, last = self._number[cell], self._number[cell] + below[cell][0]
            if not below[cell][1] or self._low[cell] < self._number[up]:
                continue
            decided: list[tuple[int, int, int | None]] = []
            decided += [(edge, OUT, None)] if self._is_bridge(cell, edge) else []
            if self._colours[up] is None:
                decided += self._through(up)
            if decided:
                inside = (self._order[at] for at in range(first, last))
                targets_in = (one for one in inside if self._colours[one] == self._colour)
                cut = tuple(islice(targets_in, MOST_CUT))
                for one, value, through in decided:
                    yield CutEdge(one, value, self._colour, cut, below[cell][1], through)

    def _is_bridge(self, cell: int, edge: int) -> bool:
        """True if an open edge is the only way to a cell and the cells reached over it."""
        up = self._known.lattice.opposite(edge, cell)
        return self._low[cell] > self._number[up] and self._known.states[edge] == OPEN

    def _through(self, cell: int) -> list[tuple[int, int, int | None]]:
        """Return the open edges between a cell, which must have the colour, and coloured cells.

        Each is (edge, its value, the cell).
        """
        lattice = self._known.lattice
        beside = ((edge, lattice.opposite(edge, cell)) for edge in lattice.edges_of(cell))
        return [
            (edge, other ^ self._colour, cell)
            for edge, near in beside
            if (other := self._colours[near]) is not None and self._known.states[edge] == OPEN
        ]

    def _visit(self, start: int, pause: Callable[[], None]) -> None:
        lattice, states = self._known.lattice, self._known.states
        number, low = self._number, self._low
        number[start] = low[start] = 0
        self._order.append(start)
        stack = [(start, -1, iter(lattice.edges_of(start)))]
        while stack:
            cell, came, edges = stack[-1]
            for edge in edges:
                beside = lattice.opposite(edge, cell)
                if states[edge] == IN or edge == came or self._colours[beside] == 1 - self._colour:
                    continue
                if beside in number:
                    low[cell] = min(low[cell], number[beside])
                    continue
                number[beside] = low[beside] = len(self._order)
                self._order.append(beside)
                self._came[beside] = edge
                pause()
                stack.append((beside, edge, iter(lattice.edges_of(beside))))
                break
            else:
                stack.pop()
                if stack:
                    up = stack[-1][0]
                    low[up] = min(low[up], low[cell])

    def _targets_below(self) -> dict[int, tuple[int, int]]:
        """Return two numbers for each cell: all cells in its subtree, and those of the colour."""
        below = {cell: (1, int(self._colours[cell] == self._colour)) for cell in self._order}
        for cell in reversed(self._order[1:]):
            up = self._known.lattice.opposite(self._came[cell], cell)
            size, targets = below[up]
            below[up] = size + below[cell][0], targets + below[cell][1]
        return below
