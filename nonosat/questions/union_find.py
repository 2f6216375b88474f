"""Cells in parts that grow together: union-find, nearly linear."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


class UnionFind:
    """Parts of some cells; at first each cell is one of its own."""

    def __init__(self, cells: Iterable[int]) -> None:
        self._leader = {cell: cell for cell in cells}

    def root(self, cell: int) -> int:
        """A cell that stands for the part of this one."""
        leader = self._leader
        while leader[cell] != cell:
            leader[cell] = cell = leader[leader[cell]]
        return cell

    def join(self, group: Sequence[int]) -> None:
        """These cells belong together."""
        if group:
            root = self.root(group[0])
            for cell in group[1:]:
                self._leader[self.root(cell)] = root

    def parts(self) -> list[list[int]]:
        """The parts, and the cells of each, in the order of the cells."""
        found: dict[int, list[int]] = {}
        for cell in self._leader:
            found.setdefault(self.root(cell), []).append(cell)
        return list(found.values())
