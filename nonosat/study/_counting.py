"""Placements of a clue in a line without known cells: their number, a list, their common cells.

A line of m cells and a clue s of k blocks: the blocks and the cells between them take gamma =
sum(s) + k - 1 cells, n = m - gamma empty cells are free, and they go into k + 1 gaps in
C(n + k, k) ways (stars and bars). A block longer than n has fixed cells.

Corrected: the induction starts at one gap for every n (the document has n = k = 1 with the equation
x_1 = 0); there are |s| + 1 gaps (its text has |s| once); the number of fixed cells is the sum of
max(0, s_l - n) and not max(0, sum(s) - n |s|); they begin at delta_l + n with delta_l the sum of
s_i + 1 over the preceding blocks (not s_i + i), and end *before* delta_l + s_l; a line has a single
placement if n = 0 *or* there are no blocks.

Source: document 000 (Viblo article), "Độ khó của chuỗi ô" to "Hệ quả".
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import accumulate
from math import comb

from nonosat.study._lines import EMPTY, FILLED, Lengths


def gamma(lengths: Lengths) -> int:
    """Return the cells of the blocks with one empty cell between them; -1 without blocks."""
    return sum(lengths) + len(lengths) - 1


def slack(lengths: Lengths, num_cells: int) -> int:
    """Return the free empty cells n; negative if the clue is too long."""
    return num_cells - max(gamma(lengths), 0)


def num_placements(lengths: Lengths, num_cells: int) -> int:
    """Return the number of placements of the blocks in an untouched line."""
    n, k = slack(lengths, num_cells), len(lengths) + 1
    return comb(n + k - 1, k - 1) if n >= 0 else 0


@cache
def num_solutions(n: int, k: int) -> int:
    """Count solutions of x_1 + ... + x_k = n in natural numbers, by the document's induction."""
    return 1 if k == 1 else sum(num_solutions(n - t, k - 1) for t in range(n + 1))


def placements(lengths: Lengths, num_cells: int) -> Iterator[bytes]:
    """Yield every filling of an untouched line, in the document's order: blocks leftmost first."""
    if not lengths:
        yield bytes([EMPTY]) * num_cells
        return
    rest = lengths[1:]
    for free in range(slack(lengths, num_cells) + 1):
        block = bytes([EMPTY]) * free + bytes([FILLED]) * lengths[0] + bytes([EMPTY]) * bool(rest)
        for end in placements(rest, num_cells - len(block)):
            yield block + end


def fixed_cells(lengths: Lengths, num_cells: int) -> list[int]:
    """Return the cells that every placement in an untouched line fills; [] if there is none."""
    n = slack(lengths, num_cells)
    deltas = accumulate((length + 1 for length in lengths), initial=0)
    pairs = zip(lengths, deltas, strict=False)
    return [cell for s, delta in pairs for cell in range(delta + n, delta + s)] if n >= 0 else []


def num_fixed(lengths: Lengths, num_cells: int) -> int:
    """Return the number of cells of `fixed_cells`."""
    n = slack(lengths, num_cells)
    return sum(max(0, length - n) for length in lengths) if n >= 0 else 0
