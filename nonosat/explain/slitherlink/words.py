"""The English of a Slitherlink's explanation: names of cells, corners and edges, and outcomes.

Numbers count from 0 here, as in all of Python; the words count rows and columns from 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from nonosat.core.errors import counted
from nonosat.core.wording import listed

if TYPE_CHECKING:
    from nonosat.explain.slitherlink.knowledge import Lattice

ON = {0: "off the path", 1: "on the path"}
SHOWN = 6  # edges or cells of a list that are named one by one
_SIDES = ("top", "right", "bottom", "left")


class Words:
    """Names on a board.

    Args:
        lattice: The board.
    """

    def __init__(self, lattice: Lattice) -> None:
        self._lattice = lattice

    def cell(self, cell: int) -> str:
        """ "cell (4, 5)": its row and column; or what is beyond the board."""
        if cell == self._lattice.beyond:
            return "the outside of the board"
        row, column = divmod(cell, self._lattice.width)
        return f"cell ({row + 1}, {column + 1})"

    def clue(self, cell: int) -> str:
        """ "the 3 in cell (4, 5)"."""
        return f"the {self._lattice.puzzle.clues[cell]} in {self.cell(cell)}"

    def corner(self, corner: int, focus: int = -1) -> str:
        """ "the upper left corner of cell (4, 5)"; "its upper left corner" of the cell in focus."""
        row, column = divmod(corner, self._lattice.across)
        of_focus = divmod(focus, self._lattice.width)
        if focus >= 0 and row - of_focus[0] in (0, 1) and column - of_focus[1] in (0, 1):
            down, right = row - of_focus[0], column - of_focus[1]
            return f"its {('upper', 'lower')[down]} {('left', 'right')[right]} corner"
        down, right = row == self._lattice.height, column == self._lattice.width
        cell = (row - down) * self._lattice.width + column - right
        side, end = ("upper", "lower")[down], ("left", "right")[right]
        return f"the {side} {end} corner of {self.cell(cell)}"

    def edge(self, edge: int) -> str:
        """ "the top edge of cell (4, 5)"; at the lower and right rim the bottom or right edge."""
        cell = self._cell_of(edge)
        return f"the {self._sides([edge], cell)} of {self.cell(cell)}"

    def edges(self, edges: Sequence[int], focus: int = -1) -> str:
        """Several of them: "its top and right edges", "the left edge of cell (2, 3)"."""
        own = [edge for edge in edges if focus >= 0 and edge in self._lattice.around[focus]]
        parts = [f"its {self._sides(own, focus)}"] if own else []
        others = [edge for edge in edges if edge not in own]
        if len(others) > SHOWN:
            return listed([*parts, counted(len(others), "other edge" if own else "edge")])
        by_cell: dict[int, list[int]] = {}
        for edge in others:
            by_cell.setdefault(self._cell_of(edge), []).append(edge)
        parts += [f"the {self._sides(some, at)} of {self.cell(at)}" for at, some in by_cell.items()]
        return listed(parts)

    def _cell_of(self, edge: int) -> int:
        """The cell by which an edge is named: below it, or right of it, if there is one."""
        one, other = self._lattice.sides[edge]
        return one if other == self._lattice.beyond else other

    def _sides(self, edges: Sequence[int], cell: int) -> str:
        """ "top and left edges": of one cell."""
        names = [_SIDES[self._lattice.around[cell].index(edge)] for edge in edges]
        return f"{listed(names)} {'edge' if len(names) == 1 else 'edges'}"

    def outcome(self, pairs: Iterable[tuple[int, int]], focus: int = -1) -> str:
        """What becomes of edges: "its top edge is on the path and its left edge is off it"."""
        parts = []
        pairs = list(pairs)
        for value in (1, 0):
            mine = [edge for edge, other in pairs if other == value]
            if mine:
                verb = "is" if len(mine) == 1 else "are"
                parts.append(f"{self.edges(mine, focus)} {verb} {ON[value]}")
        return listed(parts)

    def cells(self, cells: Sequence[int], number: int) -> str:
        """ "cells (1, 2) and (3, 4)"; of many only their number."""
        if number > SHOWN:
            return f"{number} cells"
        names = [self.cell(cell).removeprefix("cell ") for cell in cells]
        return f"{'cell' if len(cells) == 1 else 'cells'} {listed(names)}"
