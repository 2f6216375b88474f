"""Staircases of dominoes of any size, whose uniqueness no search proves quickly."""

from __future__ import annotations

from nonosat.core.grid import Grid


def staircase(num: int) -> Grid:
    """Dominoes that step down the diagonal, each joined to the next (instances/domino.jsonl)."""
    size = 2 * num + 1
    cells = bytearray(size * size)
    for at in range(num):
        row, first = 2 * at, max(2 * at - 2, 0)
        filled = [(row, first), *((row, column) for column in range(2 * at, 2 * at + 3))]
        for r, c in [*filled, (row + 1, 2 * at)]:
            cells[r * size + c] = 1
    cells[1] = cells[2 * num * size + 2 * num - 2] = 1
    return Grid(size, size, bytes(cells))
