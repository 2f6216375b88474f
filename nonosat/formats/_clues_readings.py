"""Ways to read the parts of a free text as two lists of clues, and the choice of those that fit.

A way cuts each list into clues at separators of some rank (`_clues_lists`). Ways are ordered in
tiers, the likeliest first: first those that cut both lists at one rank, then those that cut each at
its own; first two lists with a separator between them, then one list that is divided by sums. The
first tier with a fitting reading decides. If it has two different readings, the caller refuses.
There are never more than a few dozen ways, each linear in the text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise, product
from typing import Any, NamedTuple

from nonosat.core.errors import FormatError, counted
from nonosat.core.grid import MAX_CELLS
from nonosat.core.limits import polled
from nonosat.formats._clues_lists import (
    NEWLINE,
    RULE,
    Body,
    Lengths,
    clues,
    cuts,
    is_sound,
    own_cuts,
    place_of,
    unterminated,
    unwrapped,
    variants,
)
from nonosat.formats._clues_sections import Draft, halves
from nonosat.formats._clues_words import COLUMNS, ROWS

_MOST_SPLITS = 4  # limit of possible ends of one list; two are too many already

_ENOUGH = 3  # blank lines that are deliberate

Source = Body | list[Lengths]


class Cut(NamedTuple):
    """A list of clues to be read: its source, the separator rank of the cut, the clues to take."""

    source: Source
    rank: int
    blanks: bool = False
    start: int = 0
    stop: int | None = None

    def clues(self, draft: Draft) -> list[Lengths]:
        """Return the clues of the list; raise FormatError if something in it is not a clue."""
        if not isinstance(self.source, Body):
            return self.source
        found = clues(self.source, self.rank, self.blanks, draft.places)
        if self.stop is not None and len(found) < self.stop:
            raise FormatError(f"{counted(len(found), 'clue')}, expected {self.stop}")
        return found[self.start : self.stop]

    def place(self, number: int) -> int | None:
        """Return the position in the text of the clue with this number; None if it is unknown."""
        if not isinstance(self.source, Body):
            return None
        return place_of(self.source, self.rank, self.blanks, self.start + number)


Way = tuple[Cut, Cut]


class WrittenBlock(NamedTuple):
    """A block as written: its length, and the letter of its colour."""

    length: int
    ink: str


Clues = tuple[tuple[WrittenBlock, ...], ...]


SIZE, CROWDED, SUMS = "size", "crowded", "sums"  # kinds of misfits


class ClueMismatch(NamedTuple):
    """Reason why clues are not those of one board, and the place of a clue that shows it.

    `kind` is SIZE (the text names another size), CROWDED (a clue is longer than its line) or SUMS
    (rows and columns fill different numbers of cells).
    """

    kind: str
    message: str
    place: int | None = None


@dataclass(frozen=True)
class Reading:
    """Clues of rows and of columns, and the reason why they do not fit one board, if any."""

    rows: Clues
    columns: Clues
    misfit: ClueMismatch | None = field(compare=False)

    @property
    def board(self) -> str:
        return f"{len(self.rows)}x{len(self.columns)}"


def named(draft: Draft) -> tuple[list[Reading], bool]:
    """Return the readings of lists below headings, and True if the text allows only one.

    Returns:
        (readings that fit, else the likeliest that do not; no two alike), True if only one is
        allowed.

    Raises:
        FormatError: There is no reading: something is not a clue.
    """
    pairs = _pairs(draft.named[ROWS], draft.named[COLUMNS])
    found, tried = _first(draft, [_alike(pairs), _each(pairs)])
    return found, tried == 1


def nameless(draft: Draft) -> list[Reading]:
    """Return the readings of lists without headings, with the rows first.

    Returns:
        The readings that fit, here or with the columns first, else the likeliest that do not.
    """
    body = unwrapped(draft.body)
    pairs = [pair for one, other in _divided(body) for pair in _pairs(one, other)]
    divided = list(_alike(pairs)) or list(_each(pairs))
    tiers = [(*_sized(draft, body), *divided), _each(pairs), _summed(draft, body)]
    return _first(draft, tiers, either=True)[0]


def turned(draft: Draft, reading: Reading) -> Reading:
    """Return the reading of the same lists with the columns first."""
    rows, columns = reading.columns, reading.rows
    return Reading(rows, columns, _misfit(draft, rows, columns))


def _first(
    draft: Draft, tiers: Sequence[Iterable[Way]], either: bool = False
) -> tuple[list[Reading], int]:
    """Return (readings of the first group of ways in which one fits, number of readings tried)."""
    poor: list[Reading] = []
    likeliest: list[Reading] = []
    refusals: list[FormatError] = []
    for tier in tiers:
        good: list[Reading] = []
        for way in tier:
            try:
                reading = _reading(draft, way)
            except FormatError as error:
                refusals.append(error)
                continue
            fits = not reading.misfit or (either and not turned(draft, reading).misfit)
            if reading not in good and reading not in poor:
                (good if fits else poor).append(reading)
        if good:
            return good, len(good) + len(poor)
        likeliest = likeliest or list(poor)
    if not poor and refusals:
        raise refusals[0]
    return likeliest, len(poor)


def _reading(draft: Draft, way: Way) -> Reading:
    first, second = unterminated(*(one.clues(draft) for one in way))
    for cut, side in zip(way, (first, second), strict=True):
        _check(draft, cut, side)
    if len(first) * len(second) > MAX_CELLS:
        raise FormatError(
            f"a board of {len(first)} x {len(second)} cells, expected at most {MAX_CELLS:,}"
        )
    rows, columns = _blocks(first), _blocks(second)
    return Reading(rows, columns, _misfit(draft, rows, columns, way))


def _check(draft: Draft, cut: Cut, side: Sequence[Lengths]) -> None:
    """Refuse a 0 among the blocks of a clue, and numbers with too many digits."""
    known: set[str] = set()
    for number, clue in enumerate(side):
        for length in clue:
            if length in known:
                continue
            if not is_sound(length):
                shown = " ".join(clue)
                shown = shown if len(shown) <= 40 else shown[:37] + "..."
                problem = f"a number of {len(length)} digits is longer than any line"
                if not length.strip("0"):
                    problem = (
                        f"a 0 among the blocks {shown!r}, expected a 0 alone for an empty line"
                    )
                place = cut.place(number)
                raise (
                    draft.places.error(problem, place)
                    if place is not None
                    else FormatError(problem)
                )
            known.add(length)


def _blocks(side: Sequence[Lengths]) -> Clues:
    known: dict[str, WrittenBlock] = {}
    for clue in polled(side):
        for text in clue:
            if text not in known:
                ink = text[-1] if text[-1].isalpha() else ""
                known[text] = WrittenBlock(int(text.removesuffix(ink).lstrip("0")), ink)
    return tuple(tuple(known[text] for text in clue) for clue in polled(side))


def _misfit(
    draft: Draft, rows: Clues, columns: Clues, way: Way | None = None
) -> ClueMismatch | None:
    """Return the reason why clues do not fit one board, by sizes, lengths and sums; else None."""
    if refusal := draft.sizes.refusal(len(rows), len(columns)):
        return ClueMismatch(SIZE, refusal, draft.sizes.place)
    return _crowded(rows, columns, way) or _uneven(rows, columns)


def fits(rows: Sequence[Sequence[Any]], columns: Sequence[Sequence[Any]]) -> bool:
    """Return True if clues, with blocks as (length, colour), fit their lines and sums agree."""
    return not _crowded(rows, columns) and not _uneven(rows, columns)


def _crowded(rows: Any, columns: Any, way: Way | None = None) -> ClueMismatch | None:
    """Return a mismatch for the first clue that is too long for its line; None if all fit."""
    for at, (side, length) in enumerate(((rows, len(columns)), (columns, len(rows)))):
        for number, clue in enumerate(side):
            if (cells := _needed(clue)) > length:
                names = ("row", "column")
                there = f"there {'is' if length == 1 else 'are'} {counted(length, names[1 - at])}"
                message = f"{names[at]} {number + 1} needs {counted(cells, 'cell')}, but {there}"
                return ClueMismatch(CROWDED, message, way[at].place(number) if way else None)
    return None


def _uneven(rows: object, columns: object) -> ClueMismatch | None:
    """Return a mismatch if rows and columns fill different numbers of cells; else None."""
    filled = [_filled(side) for side in (rows, columns)]
    for ink in sorted({*filled[0], *filled[1]}):
        if filled[0][ink] != filled[1][ink]:
            colour = f" of colour {ink}" if ink else ""
            return ClueMismatch(
                SUMS,
                f"the rows fill {counted(filled[0][ink], 'cell')}{colour}, the columns "
                f"{counted(filled[1][ink], 'cell')}",
            )
    return None


def _needed(clue: Sequence[tuple[int, Any]]) -> int:
    """Return the number of cells that a clue needs: blocks, and separators between them."""
    gaps = sum(1 for one, other in pairwise(clue) if one[1] == other[1])
    return gaps + sum(length for length, _ in clue)


def _filled(side: Any) -> Counter[Any]:
    found: Counter[Any] = Counter()
    for clue in polled(side):
        for length, ink in clue:
            found[ink] += length
    return found


# ---- ways


def _pairs(one: Source, other: Source) -> list[tuple[Source, Source]]:
    """Return the pair of lists, and the pair of their readings with blanks between clues."""
    sides = [unwrapped(side) if isinstance(side, Body) else side for side in (one, other)]
    options = [variants(side) if isinstance(side, Body) else [side] for side in sides]
    first, second = ((some[0], some[-1]) for some in options)
    alike = [(first[0], second[0])]
    return alike if all(len(some) == 1 for some in options) else [*alike, (first[1], second[1])]


def _alike(pairs: Sequence[tuple[Source, Source]]) -> Iterator[Way]:
    """Yield ways that cut both lists into clues at separators of the same rank."""
    for pair in pairs:
        for rank in cuts(*(side for side in pair if isinstance(side, Body))):
            yield from _with_blanks(pair, (rank, rank))


def _each(pairs: Sequence[tuple[Source, Source]]) -> Iterator[Way]:
    """Yield ways that cut each list into clues at separators of its own rank."""
    for pair in pairs:
        own = [own_cuts(side) if isinstance(side, Body) else [RULE] for side in pair]
        for ranks in product(*own):
            yield from _with_blanks(pair, ranks)


def _with_blanks(pair: Sequence[Source], ranks: Sequence[int]) -> Iterator[Way]:
    """Yield ways with blank lines as layout, and also with blank lines as empty clues.

    The latter only if blank lines are not between all clues.
    """
    options = []
    spaced = _spaced([side for side in pair if isinstance(side, Body) and not side.grouped])
    for side, rank in zip(pair, ranks, strict=True):
        some = isinstance(side, Body) and side.gaps and not spaced and not side.grouped
        flags = (False, True) if some and rank <= NEWLINE else (False,)
        options.append([Cut(side, rank, flag) for flag in flags])
    yield from product(*options)


def _spaced(bodies: Sequence[Body]) -> bool:
    """Return True if blank lines are between all clues of both lists, often enough to be layout."""
    lines = [sum(item.rank >= NEWLINE for item in body.items[1:]) for body in bodies]
    between = all(len(body.gaps) == many for body, many in zip(bodies, lines, strict=True))
    return between and (not any(lines) or (min(lines) > 0 and sum(lines) >= _ENOUGH))


def _divided(body: Body) -> Iterator[tuple[Source, Source]]:
    """Yield the two lists into which brackets, or one separator of highest rank, divide a list."""
    values = [item.value for item in body.items]
    if len(values) == 2 and all(isinstance(each, Body) for each in values):
        one, other = values
        assert isinstance(one, Body)
        assert isinstance(other, Body)
        yield one, other
    outermost = max(body.ranks, default=0)
    places = [at for at, item in enumerate(body.items) if at and item.rank == outermost]
    if len(places) == 1:
        yield halves(body, places[0])


def _ranks(body: Body) -> list[int]:
    return cuts(body) or own_cuts(body)[:1]


def _sized(draft: Draft, body: Body) -> Iterator[Way]:
    """Yield ways that divide one list into rows and columns by the sizes in the text."""
    stated = draft.sizes
    known = stated.pair or tuple(size for size in (stated.height, stated.width) if size)
    candidates = [(known, body)] if len(known) == 2 else []
    breaks = [at for at, item in enumerate(body.items[:4]) if at and item.rank >= NEWLINE]
    starts = breaks[:1] == [2] or breaks[:2] == [1, 2]
    head = [item.value for item in body.items[:2]]
    if starts and all(isinstance(each, str) and each.isdigit() and len(each) < 10 for each in head):
        first, second = (int(str(each)) for each in head)
        candidates.append(((first, second), halves(body, 2)[1]))
    for (one, other), rest in candidates:
        for rank in _ranks(rest):
            total = sum(1 for _ in _starts(rest, rank))
            missing = one + other - total
            if not 0 <= missing <= sum(rest.gaps.values()):
                continue
            if missing and missing != sum(rest.gaps.values()):
                continue
            for split in dict.fromkeys((one, other)):
                if split:
                    cut = Cut(rest, rank, missing > 0)
                    yield cut._replace(stop=split), cut._replace(start=split)


def _starts(body: Body, rank: int) -> Iterator[int]:
    for at, item in enumerate(body.items):
        if body.grouped or not at or item.rank >= rank:
            yield at


def _summed(draft: Draft, body: Body) -> Iterator[Way]:
    """Yield ways that divide one list into two parts that fill equally many cells."""
    for one, rank in [(each, rank) for each in variants(body) for rank in _ranks(each)]:
        try:
            found = clues(one, rank, False, draft.places)
        except FormatError:
            continue
        if all(is_sound(each) for clue in found for each in clue):
            whole = Cut(one, rank)
            for split in _splits(_blocks(found))[:_MOST_SPLITS]:
                yield whole._replace(stop=split), whole._replace(start=split)


def _splits(side: Clues) -> list[int]:
    """Return the numbers of clues in the first part such that both parts form one board.

    They fill equally many cells, and the clues of each fit into the lines of the other.
    """
    sums = [sum(block.length for block in clue) for clue in polled(side)]
    half, odd = divmod(sum(sums), 2)
    found, filled, longest = [], 0, 0
    needs = [_needed(clue) for clue in polled(side)]
    needed_after = [0]
    for need in reversed(needs):
        needed_after.append(max(needed_after[-1], need))
    for at in range(1, len(side)):
        filled += sums[at - 1]
        longest = max(longest, needs[at - 1])
        fits = longest <= len(side) - at and needed_after[len(side) - at] <= at
        if not odd and filled == half and fits:
            found.append(at)
    return found
