"""Union-find over cells, nearly linear."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


class UnionFind:
    """Partition of some cells; at first each cell is a part."""

    def __init__(self, cells: Iterable[int]) -> None:
        self._leader = {cell: cell for cell in cells}

    def root(self, cell: int) -> int:
        """Return the representative of the part of this cell."""
        leader = self._leader
        while leader[cell] != cell:
            leader[cell] = cell = leader[leader[cell]]
        return cell

    def join(self, group: Sequence[int]) -> None:
        """Merge the parts of these cells."""
        if group:
            root = self.root(group[0])
            for cell in group[1:]:
                self._leader[self.root(cell)] = root

    def parts(self) -> list[list[int]]:
        """Return the parts by their first cells; each has its cells in their original order."""
        found: dict[int, list[int]] = {}
        for cell in self._leader:
            found.setdefault(self.root(cell), []).append(cell)
        return list(found.values())
