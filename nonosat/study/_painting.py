"""`ToMau`: painting the cells of one line that its clue settles, by three methods and shortcuts.

All of them give the same line: every cell that has the same value in all placements that agree with
the known cells, or None if there is no such placement. They differ in cost, for m cells:

* method 1 paints during the recursion and keeps the common cells of both branches of an unknown
  cell: O(m 2^m) claimed, O(1.618^m) nodes of up to m cells;
* method 2 tests every unknown cell with both values by T: O(m 2^m) claimed, O(m 1.618^m) nodes;
* the optimum is method 2 with a memory of failures: O(m^2) claimed; a test is O(m^2), and there are
  2m of them, so O(m^3).

Corrected, method 1: no blocks paint cell j as well; the block that fills the prefix is painted
FILLED, and only if it is the first; loops read cell i, not j; the separator is painted; the
recursion continues to paint; the branches are distinguished. Shortcuts: they keep known cells and
detect contradictions, and that of the empty line paints up to m cells, which is O(m), not O(log m).

Source: document 000 (Viblo article), "Phương pháp 1" to "Một số cải tiến khác".
"""

from __future__ import annotations

from collections.abc import Callable

from nonosat.study._counting import fixed_cells, placements, slack
from nonosat.study._lines import EMPTY, FILLED, UNKNOWN, Lengths, Tick
from nonosat.study._recursion import completable

Paint = Callable[[bytes, Lengths, Tick], bytes | None]


# Method 1


def by_branches(cells: bytes, lengths: Lengths, tick: Tick) -> bytes | None:
    """Return the line painted by method 1; None if no placement agrees with the known cells.

    Cells are painted during the recursion. At an unknown cell both values are tried, and only the
    cells on which both branches agree are painted.
    """
    line = bytearray(cells)
    return bytes(line) if _paint_prefix(line, lengths, len(line) - 1, len(lengths), tick) else None


def _paint_prefix(line: bytearray, lengths: Lengths, j: int, b: int, tick: Tick) -> bool:
    """Run `ToMau(L, s, j, b)`: paint cells 0 .. j; return True if the first b blocks fit there."""
    tick()
    if b == 0:
        return _paint_span(line, 0, j + 1, EMPTY)
    s = lengths[b - 1]
    if j < s - 1:
        return False
    if j == s - 1:
        return b == 1 and _paint_span(line, 0, s, FILLED)
    if line[j] == UNKNOWN:
        return _intersect(line, lengths, j, b, tick)
    if line[j] == EMPTY:
        return _paint_prefix(line, lengths, j - 1, b, tick)
    is_block = _paint_span(line, j - s, j - s + 1, EMPTY) and _paint_span(
        line, j - s + 1, j + 1, FILLED
    )
    return is_block and _paint_prefix(line, lengths, j - s - 1, b - 1, tick)


def _paint_span(line: bytearray, start: int, end: int, value: int) -> bool:
    """Paint the unknown cells of a span; return False if a known one has another value."""
    if (EMPTY if value == FILLED else FILLED) in line[start:end]:
        return False
    line[start:end] = bytes([value]) * (end - start)
    return True


def _intersect(line: bytearray, lengths: Lengths, j: int, b: int, tick: Tick) -> bool:
    """Try both values of the unknown cell j; paint the common cells. False if neither fits."""
    found = []
    for value in (EMPTY, FILLED):
        prefix = line[: j + 1]
        prefix[j] = value
        if _paint_prefix(prefix, lengths, j, b, tick):
            found.append(prefix)
    if not found:
        return False
    for i, (one, other) in enumerate(zip(found[0], found[-1], strict=True)):
        if line[i] == UNKNOWN and one == other:
            line[i] = one
    return True


# Method 2 and the optimum


def by_trials(cells: bytes, lengths: Lengths, tick: Tick) -> bytes | None:
    """Return the line painted by method 2: every unknown cell is tested with both values."""
    return _by_trials(cells, lengths, lambda line: completable(line, lengths, tick))


def by_memory(cells: bytes, lengths: Lengths, tick: Tick) -> bytes | None:
    """Return the line painted by the optimum: method 2 with a memory of failures per trial."""
    return _by_trials(cells, lengths, lambda line: completable(line, lengths, tick, set()))


def _by_trials(
    cells: bytes, lengths: Lengths, is_completable: Callable[[bytes], bool]
) -> bytes | None:
    line = bytearray(cells)
    for i, cell in enumerate(line):
        if cell != UNKNOWN:
            if not is_completable(bytes(line)):
                return None
            continue
        fits = {}
        for value in (EMPTY, FILLED):
            line[i] = value
            fits[value] = is_completable(bytes(line))
        if not any(fits.values()):
            return None
        line[i] = UNKNOWN if all(fits.values()) else FILLED if fits[FILLED] else EMPTY
    return bytes(line)


# Shortcuts


def with_shortcuts(paint: Paint) -> Paint:
    """Return the painter with shortcuts, which handle easy lines without recursion in O(m)."""

    def painted(cells: bytes, lengths: Lengths, tick: Tick) -> bytes | None:
        free = slack(lengths, len(cells))
        if free < 0:
            return None
        if not lengths or free == 0:
            (only,) = placements(lengths, len(cells))
            return only if agrees(cells, only) else None
        if set(cells) == {UNKNOWN}:
            line = bytearray(cells)
            for cell in fixed_cells(lengths, len(cells)):
                line[cell] = FILLED
            return bytes(line)
        return paint(cells, lengths, tick)

    return painted


def agrees(cells: bytes, filling: bytes) -> bool:
    """Return True if a filling keeps every known cell."""
    return all(cell in (UNKNOWN, value) for cell, value in zip(cells, filling, strict=True))
