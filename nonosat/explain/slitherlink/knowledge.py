"""Knowledge about a board: its edges, the pieces of the path, and the sides of cells.

All changes can be undone, so that assumptions are propagated on the board itself. A piece is a
connected part of the path; it is represented by its two ends. A known edge relates the cells on
both sides of it: they are on one side of the path (both inside or both outside) if the edge is off
the path, and on different sides if it is on the path. Cells that are related, and the area beyond
the board, form sets. These are merged smaller into larger without path compression, so that a cell
finds its set in a logarithmic number of steps and a merger can be undone.
"""

from __future__ import annotations

from collections import deque
from typing import NamedTuple

from nonosat.core.limits import polled
from nonosat.explain.slitherlink.step import Mark
from nonosat.puzzles.slitherlink.data import BLANK, Slitherlink
from nonosat.puzzles.slitherlink.rules import IN, OPEN, OUT
from nonosat.puzzles.slitherlink.sights import Sights


class Impossible(Exception):  # noqa: N818  # an outcome, not a mistake
    """The clues cannot hold; the message states why."""


class Lattice:
    """Edges, corners and cells of a board, and their incidences, independent of the state.

    Cells are numbered row by row; the last number is the area beyond the board. Corners are
    numbered row by row, too.

    Attributes:
        ends: The two corners of each edge.
        sides: The two cells on either side of each edge.
        around: The edges above, right, below and left of each cell.
        at_corner: For each corner, the number of the place in `sights` at which its rules apply.
        at_cell: For each cell with a clue, the number of its place in `sights`.
    """

    def __init__(self, puzzle: Slitherlink) -> None:
        self.puzzle = puzzle
        self.sights = Sights(puzzle)
        self.height, self.width = puzzle.height, puzzle.width
        self.num_edges = self.sights.num_edges
        self.beyond = self.height * self.width
        self.across = self.width + 1
        self.ends: list[tuple[int, int]] = []
        self.sides: list[tuple[int, int]] = []
        for row in polled(range(self.height + 1)):
            for column in range(self.width):
                corner = row * self.across + column
                self.ends.append((corner, corner + 1))
                self.sides.append((self.cell(row - 1, column), self.cell(row, column)))
        for row in polled(range(self.height)):
            for column in range(self.width + 1):
                corner = row * self.across + column
                self.ends.append((corner, corner + self.across))
                self.sides.append((self.cell(row, column - 1), self.cell(row, column)))
        cells = (divmod(cell, self.width) for cell in polled(range(self.beyond)))
        self.around = [self.sights.around_cell(*cell) for cell in cells]
        self.border = [edge for edge, sides in enumerate(self.sides) if self.beyond in sides]
        self._between = {ends: edge for edge, ends in enumerate(self.ends)}
        self.at_corner, self.at_cell = [0] * (self.across * (self.height + 1)), dict[int, int]()
        for index, (what, row, column) in enumerate(polled(self.sights.places)):
            if what == "cell":
                self.at_cell[row * self.width + column] = index
            else:
                self.at_corner[row * self.across + column] = index

    def cell(self, row: int, column: int) -> int:
        """Return the number of the cell in a row and column; `beyond` if it is not on the board."""
        on_board = 0 <= row < self.height and 0 <= column < self.width
        return row * self.width + column if on_board else self.beyond

    def between(self, one: int, other: int) -> int | None:
        """Return the edge between two corners; None if there is none."""
        return self._between.get((one, other) if one < other else (other, one))

    def edges_of(self, cell: int) -> tuple[int, ...] | list[int]:
        """Return the edges around a cell, or around the board."""
        return self.border if cell == self.beyond else self.around[cell]

    def opposite(self, edge: int, cell: int) -> int:
        """Return the cell on the other side of an edge."""
        one, other = self.sides[edge]
        return other if one == cell else one

    def mark(self, edge: int, value: int) -> Mark:
        """Return an edge with its value as a mark of a step."""
        one, other = self.ends[edge]
        return (*divmod(one, self.across), *divmod(other, self.across), value)


class LoopCounts(NamedTuple):
    """Counts of pieces, loops and unsatisfied clues.

    Args:
        pieces: Number of pieces of the path that are not closed.
        closed: Number of loops.
        unmet: Number of clues with fewer edges of the path than they require.
    """

    pieces: int
    closed: int
    unmet: int


class Knowledge:
    """Known edges, and their consequences for pieces and cells.

    Args:
        lattice: The board.

    Attributes:
        states: IN, OUT or OPEN of every edge, followed by one state for all that are off the board.
        loops: Numbers of pieces, loops and unsatisfied clues.
        implied: Queue of open edges that are decided because both their cells are in one set.
        touched: Cells with clues for which a neighbour's set was merged, so that a rule may apply.
        tips: The two ends of the piece that the last edge on the path belongs to; None if that edge
            closed a loop.
    """

    def __init__(self, lattice: Lattice) -> None:
        self.lattice = lattice
        self.states = bytearray([OPEN]) * lattice.num_edges + bytes([OUT])
        clues = lattice.puzzle.clues
        num_corners = lattice.across * (lattice.height + 1)
        self._degree = bytearray(num_corners)
        self._end = list(range(num_corners))  # maps an end of a piece to the other one
        self._lacks = [0 if clue == BLANK else clue for clue in clues]
        self._is_clue = [clue != BLANK for clue in clues]
        self.loops = LoopCounts(0, 0, sum(lack > 0 for lack in self._lacks))
        self._root = list(range(lattice.beyond + 1))
        self._apart = bytearray(lattice.beyond + 1)  # relative to its parent in the set
        self._members = [[cell] for cell in range(lattice.beyond + 1)]
        self.implied: deque[int] = deque()
        self.touched: set[int] = set()
        self.tips: tuple[int, int] | None = None
        self._trail: list[tuple[int, ...]] = []
        self._counts: list[LoopCounts] = []

    # Cells

    def side(self, cell: int) -> tuple[int, int]:
        """Return the root of a cell's set, and 1 if it is on the other side of the path, else 0."""
        apart = 0
        while (up := self._root[cell]) != cell:
            apart ^= self._apart[cell]
            cell = up
        return cell, apart

    def value_by_sides(self, edge: int) -> int | None:
        """Return the value of an edge that the sides of its cells imply; None without one."""
        one, other = self.lattice.sides[edge]
        (mine, apart), (yours, also) = self.side(one), self.side(other)
        return apart ^ also if mine == yours else None

    def colour(self, cell: int) -> int | None:
        """Return 1 if a cell is inside the path, 0 if it is outside, None if this is not known."""
        beyond, apart = self.side(self.lattice.beyond)
        mine, also = self.side(cell)
        return apart ^ also if mine == beyond else None

    def join(self, edge: int) -> bool:
        """Merge the sets of the cells on both sides of a known edge.

        Return False if the cells are in one set already, and the edge's value contradicts it.
        """
        one, other = self.lattice.sides[edge]
        (mine, apart), (yours, also) = self.side(one), self.side(other)
        differ = apart ^ also ^ self.states[edge]
        if mine == yours:
            return not differ
        if len(self._members[mine]) < len(self._members[yours]):
            mine, yours = yours, mine
        self._root[yours], self._apart[yours] = mine, differ
        moved = self._members[yours]
        self._members[mine] += moved
        self._trail.append((mine, yours))
        states, lattice, root = self.states, self.lattice, mine
        for cell in moved:
            for near in lattice.edges_of(cell):
                beside = lattice.opposite(near, cell)
                if states[near] == OPEN and self.side(beside)[0] == root:
                    self.implied.append(near)
                self._touch(beside)
            self._touch(cell)
        return True

    def _touch(self, cell: int) -> None:
        if cell != self.lattice.beyond and self._is_clue[cell]:
            self.touched.add(cell)

    # Edges

    def put(self, edge: int, value: int) -> bool:
        """Decide an open edge; False if the path closes too early, or a corner has three edges.

        Sets of cells are not changed: `join` merges them.
        """
        self.states[edge] = value
        self._trail.append((edge,))
        if value == OUT:
            return True
        for cell in self.lattice.sides[edge]:
            if cell != self.lattice.beyond and self._is_clue[cell]:
                self._lacks[cell] -= 1
                if self._lacks[cell] == 0:
                    self._count(unmet=-1)
        return self._link(*self.lattice.ends[edge])

    def _link(self, one: int, other: int) -> bool:
        """Put an edge between two corners on the path; return False as `put` does."""
        degree, end = self._degree, self._end
        before = degree[one], degree[other]
        degree[one] += 1
        degree[other] += 1
        self.tips = None
        if max(before) > 1:
            self._trail.append((one, other, 0))
            return False
        far, near = end[one], end[other]
        if before == (1, 1) and far == other:
            self._trail.append((one, other, 0))
            self._count(pieces=-1, closed=1)
            return not self.is_early(0)
        self._trail.append((one, other, far, end[far], near, end[near]))
        end[far], end[near] = near, far
        self.tips = near, far
        if sum(before) != 1:
            self._count(pieces=1 if before == (0, 0) else -1)
        return True

    def _count(self, pieces: int = 0, closed: int = 0, unmet: int = 0) -> None:
        self._counts.append(self.loops)
        self._trail.append(())
        now = self.loops
        self.loops = LoopCounts(now.pieces + pieces, now.closed + closed, now.unmet + unmet)

    def is_early(self, num_met: int) -> bool:
        """True if the closed loop is not the solution: there are other pieces or unmet clues.

        Args:
            num_met: Number of clues that `loops` still counts as unmet although they are met.
        """
        now = self.loops
        return now.pieces > 0 or now.closed > 1 or now.unmet > num_met

    def closes_early(self, edge: int) -> bool:
        """True if an open edge would close a loop while other pieces or unmet clues are left."""
        one, other = self.lattice.ends[edge]
        if self._degree[one] != 1 or self._end[one] != other:
            return False
        clues = (c for c in self.lattice.sides[edge] if c != self.lattice.beyond)
        met = sum(self._is_clue[cell] and self._lacks[cell] == 1 for cell in clues)
        return self.loops.pieces > 1 or self.loops.closed > 0 or self.loops.unmet > met

    def piece(self, edge: int) -> list[int]:
        """Return the edges of the piece at the first corner of an edge, without the edge itself."""
        corner, found = self.lattice.ends[edge][0], list[int]()
        before = edge
        while onward := [near for near in self._on_path(corner) if near != before]:
            before = onward[0]
            if found and before == found[0]:
                break
            found.append(before)
            one, other = self.lattice.ends[before]
            corner = other if one == corner else one
        return found

    def _on_path(self, corner: int) -> list[int]:
        sees = self.lattice.sights.sees[self.lattice.at_corner[corner]]
        return [edge for edge in sees if self.states[edge] == IN]

    # Undoing

    def moment(self) -> int:
        """Return the present state as an argument of `back`: the length of the trail of changes."""
        return len(self._trail)

    def back(self, moment: int) -> None:
        """Undo all changes since the call of `moment` that returned this number."""
        trail = self._trail
        while len(trail) > moment:
            done = trail.pop()
            if not done:
                self.loops = self._counts.pop()
            elif len(done) == 1:
                self._take_back(done[0])
            elif len(done) == 2:
                mine, yours = done
                del self._members[mine][-len(self._members[yours]) :]
                self._root[yours], self._apart[yours] = yours, 0
            else:
                one, other = done[:2]
                self._degree[one] -= 1
                self._degree[other] -= 1
                if len(done) > 3:
                    _, _, far, of_far, near, of_near = done
                    self._end[far], self._end[near] = of_far, of_near
        self.implied.clear()

    def _take_back(self, edge: int) -> None:
        if self.states[edge] == IN:
            for cell in self.lattice.sides[edge]:
                if cell != self.lattice.beyond and self._is_clue[cell]:
                    self._lacks[cell] += 1
        self.states[edge] = OPEN
