"""Easiest technique that finds a step in one line, evaluated lazily.

The techniques are rules: each reads a line and settles cells, that is, it leaves them one value.
They are tried in order, from the easiest. Most lines change again before harder rules are tried on
them. Results are cached: pictures that differ in a few cells have most of their lines in common,
and to rate one after the other takes a third of the time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from nonosat import _core
from nonosat.core.errors import counted
from nonosat.core.grid import UNKNOWN
from nonosat.core.model import Clue
from nonosat.core.wording import listed
from nonosat.explain.nonogram import words
from nonosat.explain.nonogram.knowledge import Removal, implied_in
from nonosat.explain.nonogram.step import TECHNIQUES

# Rules for one line, from the easiest to complete reasoning.
#
# A rule takes a line that has a placement, and returns the cells that it settles. It never
# settles more than `Knowledge.implied`, which is complete; the tests compare each rule with
# enumeration. A rule takes O(n b) steps for n cells and b blocks. Counting needs blocks of known
# length; splitting also needs a line of one colour. A rule that does not apply returns nothing.
#
# Source: the rules of the slides (Lemoine, TIPE): a clue of 0, black in every placement of a block,
# ranges that shrink beside a foreign black cell, a cell in no range.


EMPTY, FILLED = 0, 1
_ALL = 255  # the bits of a byte
_UNKNOWN = bytes(_ALL * (value == UNKNOWN) for value in range(256))  # for `bytes.translate`


class RuleResult(NamedTuple):
    """Result of a rule in a line.

    Args:
        values: Value of each position in the line that the rule settles.
        description: A clause for people: `{line}` is replaced by the line, `{so}` by the change
            of its cells, `{inks[1]}` by the name of the first colour.
    """

    values: dict[int, int]
    description: str


class LineView(NamedTuple):
    """A line as the input of rules.

    Args:
        clue: The blocks of the line.
        lengths: Lengths of the blocks; only the known ones.
        cells: One byte a cell: its value, or UNKNOWN.
        may: For each value one byte a cell: 1 if the cell may have it.
    """

    clue: Clue
    lengths: list[int]
    cells: bytes
    may: list[bytes]

    @property
    def is_measured(self) -> bool:
        return len(self.lengths) == len(self.clue)

    @property
    def is_plain(self) -> bool:
        return self.is_measured and len(self.may) == 2


def sight_of(clue: Clue, cells: bytes, may: list[bytes]) -> LineView:
    """Return the view of a line with this clue, these cells and these possible values."""
    return LineView(clue, [block.length for block in clue if block.length is not None], cells, may)


Rule = Callable[[LineView], RuleResult | None]


def empty_clue(line: LineView) -> RuleResult | None:
    """Settle a line without blocks: it is empty."""
    if line.clue:
        return None
    cells = line.cells
    return _found(cells, dict.fromkeys(range(len(cells)), EMPTY), "{line} has no blocks, so {so}")


def ranges(line: LineView) -> RuleResult | None:
    """Settle cells by the range of each block: the cells that the other blocks leave room for.

    If the cell just outside a range has the block's colour, it belongs to another block, and the
    range is shortened by the cell that must separate them. A cell that a block covers wherever it
    is placed in its range is filled; a cell in no range is empty.
    """
    if not line.is_measured:
        return None
    covered, reached = bytearray(len(line.cells)), bytearray(len(line.cells))
    for block, (first, last) in zip(line.clue, _ranges(line), strict=True):
        length = block.length or 0
        _mark(covered, last - length + 1, first + length, block.colour)
        _mark(reached, first, last + 1, _ALL)
    return _covering(line, covered, reached, "{line}")


def _ranges(line: LineView) -> Iterator[tuple[int, int]]:
    """Yield first and last cell of each block's range."""
    cells, clue = line.cells, line.clue
    gaps = [int(one.colour == other.colour) for one, other in pairwise(clue)]
    needed = sum(line.lengths) + sum(gaps)
    before = 0
    for block, length, gap in zip(clue, line.lengths, [*gaps, 0], strict=False):
        first, last = before, len(cells) - 1 - (needed - before - length)
        while first > 0 and cells[first - 1] == block.colour:
            first += 1
        while last + 1 < len(cells) and cells[last + 1] == block.colour:
            last -= 1
        yield first, last
        before += length + gap


def all_there(line: LineView) -> RuleResult | None:
    """Settle a line with as many filled cells, or possibly filled ones, as its clue needs.

    In the first case all other cells are empty, in the second all possibly filled ones are filled.
    """
    if not line.is_measured:
        return None
    cells, total = line.cells, sum(line.lengths)
    num_filled = len(cells) - cells.count(EMPTY) - cells.count(UNKNOWN)
    if num_filled == total:
        few = {1: "its filled cell", 2: "both its filled cells"}
        which = few.get(total, f"all its {total} filled cells")
        text = f"{{line}} has {which} already, so {{so}}"
        return _found(cells, dict.fromkeys(range(len(cells)), EMPTY), text)
    if line.is_plain and len(cells) - cells.count(EMPTY) == total:
        needs = counted(total, "filled cell")
        text = f"{{line}} needs {needs}, and no more of its cells can be filled, so {{so}}"
        return _found(cells, dict.fromkeys(range(len(cells)), FILLED), text)
    return None


def overlap(line: LineView) -> RuleResult | None:
    """Settle cells by the leftmost and rightmost placements, given the known cells."""
    covered, reached = bytearray(len(line.cells)), bytearray(len(line.cells))
    for block, (starts, ends) in zip(line.clue, _domains(line), strict=True):
        _mark(covered, starts[-1], ends[0] + 1, block.colour)
        _mark(reached, starts[0], ends[-1] + 1, _ALL)
    return _covering(line, covered, reached, "{line}, with its known cells")


def splitting(line: LineView) -> RuleResult | None:
    """Settle gaps between empty cells that no block fits into, else cells at or next to runs."""
    if not line.is_plain:
        return None
    domains = [starts for starts, _ in _domains(line)]
    lengths, cells = line.lengths, line.cells
    return _gaps(lengths, cells, domains) or _runs(lengths, cells, domains)


def _gaps(
    lengths: Sequence[int], cells: bytes, domains: Sequence[Sequence[int]]
) -> RuleResult | None:
    """Settle stretches between empty cells into which no block fits that can reach them."""
    values: dict[int, int] = {}
    gaps = []
    for first, last in _stretches(cells, lambda value: value != EMPTY):
        fits = any(
            max(first, starts[0]) <= min(last - length + 1, starts[-1])
            for length, starts in zip(lengths, domains, strict=True)
        )
        if not fits:
            values |= dict.fromkeys(range(first, last + 1), EMPTY)
            gaps.append(words.positions(range(first, last + 1)))
    if not gaps:
        return None
    where = f"the gap at {gaps[0]}, so it is empty"
    if len(gaps) > 1:
        where = f"the gaps at {listed(gaps)}, so they are empty"
    return _found(cells, values, f"no block of {{line}} fits into {where}")


def _runs(
    lengths: Sequence[int], cells: bytes, domains: Sequence[Sequence[int]]
) -> RuleResult | None:
    """Settle cells at the first run that allows it.

    The ends of a run that must be a whole block are empty. If there is little room on one side of a
    run, its block continues to the other side.
    """
    rooms = list(_stretches(cells, lambda value: value != EMPTY))
    for first, last in _stretches(cells, lambda value: value == FILLED):
        size = last - first + 1
        low, high = next(room for room in rooms if room[0] <= first <= room[1])
        sizes = {
            length
            for length, starts in zip(lengths, domains, strict=True)
            if size <= length <= high - low + 1
            and starts[0] <= first
            and last < starts[-1] + length
        }
        run = f"the filled {words.positions(range(first, last + 1))} of {{line}}"
        is_one = first == last
        if sizes == {size}:
            ends = [end for end in (first - 1, last + 1) if 0 <= end < len(cells)]
            are = "is" if is_one else "are"
            text = f"{run} {are} a complete block, since no longer one can be there, so {{so}}"
            if found := _found(cells, dict.fromkeys(ends, EMPTY), text):
                return found
        sure = set.intersection(*(_sure(size, (first, last), (low, high)) for size in sizes))
        size_of = f"{min(sizes)}" if min(sizes) == max(sizes) else f"{min(sizes)} or more"
        belong = "belongs" if is_one else "belong"
        text = (
            f"{run} {belong} to a block of {size_of}, which has little room on one side, so {{so}}"
        )
        if found := _found(cells, dict.fromkeys(sure, FILLED), text):
            return found
    return None


def _sure(length: int, run: tuple[int, int], room: tuple[int, int]) -> set[int]:
    """Return the positions that a block covers in every placement in `room` that contains `run`."""
    earliest = max(room[0], run[1] - length + 1)
    latest = min(run[0], room[1] - length + 1)
    return set(range(latest, earliest + length))


def _stretches(cells: bytes, includes: Callable[[int], bool]) -> Iterator[tuple[int, int]]:
    """Yield first and last position of each maximal stretch of cells that `includes` accepts."""
    first = None
    for position, value in enumerate(cells):
        if not includes(value):
            if first is not None:
                yield first, position - 1
            first = None
        elif first is None:
            first = position
    if first is not None:
        yield first, len(cells) - 1


def _domains(line: LineView) -> list[tuple[list[int], list[int]]]:
    """Return first and last cells of each block in the possible placements; at least one exists."""
    domains = _core.line_domains(len(line.cells), line.clue, line.may)
    assert domains is not None
    return domains


def _mark(cells: bytearray, start: int, stop: int, value: int) -> None:
    """Write a value into a stretch of cells, which may be empty."""
    if start < stop:
        cells[start:stop] = bytes((value,)) * (stop - start)


def _number(cells: bytes | bytearray) -> int:
    return int.from_bytes(cells, "little")


def _covering(
    line: LineView, covered: bytearray, reached: bytearray, subject: str
) -> RuleResult | None:
    """Settle cells that are covered in every placement, and cells that are never reached.

    Lines are checked very often, and most checks find nothing: so all cells are compared
    at once, as bytes of a large number.

    Args:
        line: The line.
        covered: A byte a cell: the colour that it has in every placement; 0 for none.
        reached: A byte a cell: 255 if a block can reach it, else 0.
        subject: The line in words, with what the argument uses.
    """
    cells = line.cells
    unknown = _number(cells.translate(_UNKNOWN))
    new, outside = unknown & _number(covered), unknown & ~_number(reached)
    if not (new or outside):
        return None
    size = len(cells)
    filled = {place: value for place, value in enumerate(new.to_bytes(size, "little")) if value}
    empty = [place for place, value in enumerate(outside.to_bytes(size, "little")) if value]
    covers = []
    for colour in sorted(set(filled.values())):
        mine = words.positions(place for place, value in filled.items() if value == colour)
        covers.append(f"{mine} in {{inks[{colour}]}}" if len(line.may) > 2 else mine)
    is_one = len(line.clue) == 1
    texts = []
    if covers:
        cover = (
            "wherever the block goes, it covers" if is_one else "wherever the blocks go, they cover"
        )
        texts.append(f"{cover} {listed(covers)}")
    if empty:
        reach = "the block cannot reach" if is_one else "no block can reach"
        so = "it is empty" if len(empty) == 1 else "they are empty"
        texts.append(f"{reach} {words.positions(empty)}, so {so}")
    text = f"{subject}: {'; '.join(texts)}"
    return _found(cells, filled | dict.fromkeys(empty, EMPTY), text)


def _found(cells: bytes, values: dict[int, int], description: str) -> RuleResult | None:
    """Return a result with those of `values` that are not known yet; None if all are known."""
    new = {place: value for place, value in values.items() if cells[place] == UNKNOWN}
    return RuleResult(dict(sorted(new.items())), description) if new else None


RULES: dict[str, Rule] = {
    "empty clue": empty_clue,
    "ranges": ranges,
    "all there": all_there,
    "overlap": overlap,
    "splitting": splitting,
}


LONGEST = 100  # cells of a line that is cached: long ones take much memory
RANK = {name: rank for rank, name in enumerate(TECHNIQUES)}
_COMPLETE = "complete line"
_ALL_AGREE = "in every placement of {line} that fits the known cells, {so}"
_IN_ORDER = (*RULES, _COMPLETE)


class LineStep(NamedTuple):
    """Step of the easiest technique in a line, independent of the line's position.

    Args:
        technique: Name of the technique.
        removals: Values that it rules out, as (position in the line, value).
        description: The step in words, as in `RuleResult`.
    """

    technique: str
    removals: Sequence[Removal]
    description: str


class Arguing:
    """Search for the step of the easiest technique in one line, technique by technique.

    Args:
        clue: Clue of the line.
        planes: For each value one byte a cell: 1 if the cell may have it.
        cells: One byte a cell: the only value that it may have, or `UNKNOWN`.

    Attributes:
        removals: All values that the clue rules out, as (position in the line, value); None if the
            line has no placement.
        order: Sort key for the difficulty of the step; smaller is easier. It is a lower bound until
            `found` is set.
        found: The step; None until a technique has found it.
    """

    def __init__(self, clue: Clue, planes: tuple[bytes, ...], cells: bytes) -> None:
        self._line = (clue, planes, cells)
        self._is_remembered = len(cells) <= LONGEST
        implied = _implied if self._is_remembered else _implied.__wrapped__
        self.removals = implied(clue, planes)
        self.found: LineStep | None = None
        slack = len(cells) - sum(block.length or 1 for block in clue) - max(len(clue) - 1, 0)
        self._score = min(cells.count(UNKNOWN), slack)
        self._num_tried = 0
        self._rate(self.removals or ())

    def _rate(self, removals: Sequence[Removal]) -> None:
        self.order = (RANK[_IN_ORDER[self._num_tried]], self._score, -len(removals))

    def advance(self) -> None:
        """Try the next technique; set `found` if it finds a step."""
        assert self.removals
        technique = _IN_ORDER[self._num_tried]
        if technique == _COMPLETE:
            self.found = LineStep(technique, self.removals, _ALL_AGREE)
            return
        tried = _tried if self._is_remembered else _tried.__wrapped__
        self.found = tried(technique, *self._line)
        if self.found is None:
            self._num_tried += 1
        self._rate(self.removals if self.found is None else self.found.removals)


@lru_cache(4096)
def _implied(clue: Clue, planes: tuple[bytes, ...]) -> Sequence[Removal] | None:
    return implied_in(clue, planes)


@lru_cache(4096)
def _tried(technique: str, clue: Clue, planes: tuple[bytes, ...], cells: bytes) -> LineStep | None:
    """Return the step that a rule finds in a line; None if it finds none."""
    found = RULES[technique](sight_of(clue, cells, list(planes)))
    if found is None:
        return None
    removals = [
        (at, other)
        for at, value in found.values.items()
        for other, plane in enumerate(planes)
        if plane[at] and other != value
    ]
    return LineStep(technique, removals, found.description)
