"""The recursion T: can the cells 0 .. j of a line be completed with the first b blocks?

The document uses the letter l for b. T reads the line from its end: an empty cell is skipped, a
filled one ends block b, an unknown one is tried as both. Without a memory it visits O(1.618^m)
nodes of a line of m cells (O(2^m) is claimed).

Corrected: without blocks *all* of the cells 0 .. j must be free of filled ones (the document leaves
out cell j, and always accepts for j = 0); the case j = s_l - 1 reads all j + 1 cells; the cases
of the recursion hold for every b >= 1 and include the unknown cell; the index may become -1,
before the line, where only zero blocks fit. The memory of failures belongs to one line: it must
not outlive a change of a cell (in [unknown, unknown] with the clue 1 the document's would call the
solvable line contradictory).

Source: document 000 (Viblo article), "Giải quyết một chuỗi ô" and "Phương pháp tối ưu".
"""

from __future__ import annotations

from nonosat.study._lines import EMPTY, FILLED, Lengths, Tick

Failures = set[tuple[int, int]]  # (j, b) for which T has failed


def completable(cells: bytes, lengths: Lengths, tick: Tick, memory: Failures | None = None) -> bool:
    """Return T(L, s, |L| - 1, |s|): True if the unknown cells can be chosen so that the clue holds.

    Args:
        cells: The line L.
        lengths: The clue s.
        tick: Called at every node of the recursion.
        memory: Failures to remember, empty; None remembers nothing. With one there are at most
            m |s| nodes, each of them O(m): O(m^2) as the blocks' lengths add up to m at most.
    """
    return _t(cells, lengths, len(cells) - 1, len(lengths), tick, memory)


def _t(cells: bytes, lengths: Lengths, j: int, b: int, tick: Tick, memory: Failures | None) -> bool:
    """Return T(L, s, j, b): True if cells 0 .. j can be completed with the first b blocks."""
    tick()
    if memory is not None and (j, b) in memory:
        return False
    found = _by_cases(cells, lengths, j, b, tick, memory)
    if memory is not None and not found:
        memory.add((j, b))  # the first success ends the search, so failures are enough
    return found


def _by_cases(
    cells: bytes, lengths: Lengths, j: int, b: int, tick: Tick, memory: Failures | None
) -> bool:
    if b == 0:
        return FILLED not in cells[: j + 1]
    s = lengths[b - 1]
    if j < s - 1:
        return False
    if j == s - 1:
        return b == 1 and EMPTY not in cells[: j + 1]
    if cells[j] != FILLED and _t(cells, lengths, j - 1, b, tick, memory):
        return True
    # T2: the block b ends at j, with an empty cell before it.
    is_block = cells[j - s] != FILLED and EMPTY not in cells[j - s + 1 : j + 1]
    return is_block and _t(cells, lengths, j - s - 1, b - 1, tick, memory)


def num_nodes(lengths: Lengths, num_cells: int) -> int:
    """Return the number of nodes of the recursion on an unknown line if every branch is taken.

    It is an upper bound for a trial of method 2. The nodes branch like Fibonacci numbers: at most
    2 F(m + 1) - 1 in a line of m cells, so O(1.618^m).
    """
    nodes: dict[tuple[int, int], int] = {}
    for b in range(len(lengths) + 1):
        for j in range(-1, num_cells):
            is_leaf = b == 0 or j <= lengths[b - 1] - 1
            before = 0 if is_leaf else nodes[j - 1, b] + nodes[j - lengths[b - 1] - 1, b - 1]
            nodes[j, b] = 1 + before
    return nodes[num_cells - 1, len(lengths)]


def branch_nodes(lengths: Lengths, num_cells: int) -> int:
    """Return the number of nodes of painting method 1 on a line of unknown cells."""
    return 2 * num_nodes(lengths, num_cells) - 1


def trial_nodes(lengths: Lengths, num_cells: int) -> int:
    """Return an upper bound on the nodes of two trials per cell."""
    return 2 * num_cells * num_nodes(lengths, num_cells)


def remembered_nodes(lengths: Lengths, num_cells: int) -> int:
    """Return an upper bound on the nodes of two trials per cell with a memory of failures."""
    return 2 * num_cells * (num_cells + 1) * (len(lengths) + 1)
