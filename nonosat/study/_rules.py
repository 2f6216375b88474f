"""The slides' four logic rules for the cells of one line.

A rule takes the block lengths and the line and returns the unknown cells that it settles, or
None if it finds that the line cannot be finished. All four are sound; together they are weaker
than complete propagation: they find every cell that is filled in all placements, but of the cells
that are empty in all of them only those that no range reaches (in `#?` with the clue 1 the second
cell stays unknown).

Corrected: rule 3 is vague in the slides ("beside the end of a range the range can be reduced");
here: if the cell just outside an end of a block's range is filled, the block cannot touch
it, so the end cell leaves the range, again and again. Rule 3 settles nothing by itself: rule 4
finds the cells that it frees. A clue 0 counts as no block (`normalised`).

Source: document 003 (T. Lemoine), "Règles logiques". O(states * cells) for rule 2, else linear in
cells and blocks except for rule 3, at most blocks * cells.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import accumulate
from typing import NamedTuple

from nonosat.study._automata import Automaton, automaton_of, values_left
from nonosat.study._grid import PlainBoard
from nonosat.study._lines import EMPTY, FILLED, UNKNOWN, Lengths, Meter

Found = dict[int, int]  # new values of unknown cells


class SlideRule(NamedTuple):
    """One rule of the slides.

    Args:
        number: The slides' number; rule 3 is applied together with rule 4.
        name: Name of the rule in results.
        settle: Maps (lengths, cells) to the cells that the rule settles; None if they are
            contradictory.
    """

    number: int
    name: str
    settle: Callable[[Lengths, bytes], Found | None]


_automaton: Callable[[Lengths], Automaton] = cache(automaton_of)


def empty_clue(lengths: Lengths, cells: bytes) -> Found | None:
    """Apply rule 1: in a line without blocks every cell is empty."""
    if lengths:
        return {}
    return _unless_known(range(len(cells)), cells, EMPTY)


def filled_everywhere(lengths: Lengths, cells: bytes) -> Found | None:
    """Apply rule 2: a cell that is filled in every placement that fits the line is filled."""
    left = values_left(_automaton(lengths), cells)
    if left is None:
        return None
    return _unless_known((i for i, values in enumerate(left) if values == {FILLED}), cells, FILLED)


def outside_ranges(lengths: Lengths, cells: bytes) -> Found | None:
    """Apply rule 4: a cell that is in no block's range is empty."""
    return _outside(ranges(lengths, len(cells)), cells)


def outside_shrunk_ranges(lengths: Lengths, cells: bytes) -> Found | None:
    """Apply rules 3 and 4: a cell that is in no block's shrunk range is empty."""
    found = ranges(lengths, len(cells))
    shrunk = None if found is None else shrunk_ranges(lengths, cells, found)
    return _outside(shrunk, cells)


def ranges(lengths: Lengths, num_cells: int) -> list[range] | None:
    """Return the cells that each block can reach by the slack alone; None if there are none."""
    slack = num_cells - sum(lengths) - max(len(lengths) - 1, 0)
    if slack < 0:
        return None
    firsts = accumulate((length + 1 for length in lengths[:-1]), initial=0)
    pairs = zip(firsts, lengths, strict=False)  # without blocks there is one first cell too many
    return [range(first, first + length + slack) for first, length in pairs]


def shrunk_ranges(lengths: Lengths, cells: bytes, found: Sequence[range]) -> list[range] | None:
    """Apply rule 3: return ranges without each end that is next to a filled cell outside.

    None if a range has become too short for its block.
    """
    shrunk = []
    for length, reach in zip(lengths, found, strict=True):
        first, end = reach.start, reach.stop
        while first > 0 and end - first >= length and cells[first - 1] == FILLED:
            first += 1
        while end < len(cells) and end - first >= length and cells[end] == FILLED:
            end -= 1
        if end - first < length:
            return None
        shrunk.append(range(first, end))
    return shrunk


def _outside(found: Sequence[range] | None, cells: bytes) -> Found | None:
    if found is None:
        return None
    inside = {cell for reach in found for cell in reach}
    return _unless_known((i for i in range(len(cells)) if i not in inside), cells, EMPTY)


def _unless_known(settled: Iterable[int], cells: bytes, value: int) -> Found | None:
    """Return `value` for those of the cells that are unknown; None if one has another value."""
    found = {}
    for cell in settled:
        if cells[cell] == UNKNOWN:
            found[cell] = value
        elif cells[cell] != value:
            return None
    return found


RULES = (
    SlideRule(1, "empty clue", empty_clue),
    SlideRule(2, "filled in every placement", filled_everywhere),
    SlideRule(4, "in no range", outside_ranges),
    SlideRule(3, "in no range beside a foreign block", outside_shrunk_ranges),
)


def settled_by(
    rules: Sequence[SlideRule], lengths: Lengths, cells: bytes
) -> tuple[bytes, dict[str, int]] | None:
    """Return a line after rules have been applied to their fixpoint.

    Returns:
        The line, and the number of cells that each rule settled, by its name; a rule is applied
        when those before it find nothing more. None for a contradiction.
    """
    line = bytearray(cells)
    counts = dict.fromkeys((rule.name for rule in rules), 0)
    is_new = True
    while is_new:
        is_new = False
        for rule in rules:
            found = rule.settle(lengths, bytes(line))
            if found is None:
                return None
            for cell, value in found.items():
                line[cell] = value
            counts[rule.name] += len(found)
            if found:
                is_new = True
                break
    return bytes(line), counts


def apply_rules(
    board: PlainBoard, rules: Sequence[SlideRule], meter: Meter
) -> dict[str, int] | None:
    """Bring a board to the fixpoint of the rules.

    Returns:
        The number of cells that each rule settled, by its name; None for a contradiction.
    """
    counts = dict.fromkeys((rule.name for rule in rules), 0)
    dirty = set(range(len(board.clues)))
    while dirty:
        meter()
        line = min(dirty)
        dirty.remove(line)
        found = settled_by(rules, board.clues[line], board.line(line))
        if found is None:
            return None
        dirty.update(board.paint(line, found[0]))
        for name, count in found[1].items():
            counts[name] += count
    return counts
