"""Order encoding of the blocks' starts and ends, in its lean form: no variable per covered cell.

`o(b, p)` means "block b starts at or before p", `e(b, p)` "block b has ended by p" (its last cell
is at or before p). For a block of known length, `e(b, p)` is `o(b, p - length + 1)`; a block of
unknown length has variables for both. Only the positions that are feasible with the known cells
have variables: below the first, the bound is FALSE, from the last on it is TRUE, in between it is
the variable of the greatest feasible position that is not beyond p.

Invariant: the models are the fillings, one each, so the auxiliary variables are determined by the
cells; the counts of the family state that a cell has at most one colour. Unit propagation refutes
every inconsistent partial line, though it misses some implied cells. For n cells, k blocks and
slack s: O(k s) variables, O(n + k s + filled cells) clauses a colour.

Source: Tamura, Taga, Kitagawa, Banbara, "Compiling finite linear CSP into SAT" (Constraints,
2009), for the order encoding.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from nonosat import _core
from nonosat.board.line import Domain, domains, is_giant, refuse_giant
from nonosat.board.open_lines import OpenLines
from nonosat.clauses.batches import negated, put, put_columns
from nonosat.core.model import FALSE, TRUE, Block, Line
from nonosat.core.plugins import Encoding, Sink, SizeFormula, Strength


class _OrderLiterals(NamedTuple):
    """The literals "at or before p" of a block's start or end.

    Args:
        places: The feasible positions, ascending.
        lits: One literal for each of them; the last is TRUE.
        at: at[p + 1] is the literal of position p, for p from -1 to the line's last cell.
    """

    places: Sequence[int]
    lits: list[int]
    at: list[int]


def _new_bound(places: Sequence[int], length: int, sink: Sink) -> _OrderLiterals:
    """Return a bound with a variable for each position except the last, which is always reached."""
    count = len(places) - 1
    first = sink.new_vars(count) if count else 0
    lits = [*range(first, first + count), TRUE]
    at = [FALSE] * (places[0] + 1)
    for lit, place, after in zip(lits, places, (*places[1:], length), strict=True):
        at += [lit] * (after - place)
    return _OrderLiterals(places, lits, at)


def _bounds(
    block: Block, domain: Domain, length: int, sink: Sink
) -> tuple[_OrderLiterals, _OrderLiterals]:
    """Return the bounds of a block's start and of its end."""
    start = _new_bound(domain.starts, length, sink)
    if block.length is None:
        return start, _new_bound(domain.ends, length, sink)
    behind = block.length - 1
    shifted = [FALSE] * behind + start.at[: length + 1 - behind]
    return start, _OrderLiterals(domain.ends, start.lits, shifted)


def _implied(by: _OrderLiterals, of: _OrderLiterals, distance: int) -> Iterator[tuple[int, int]]:
    """Yield the clauses "by(p) implies of(p - distance)" for all p.

    Of the positions with the same consequence only the last needs a clause; the others follow from
    it by the order chain of `by`. From the last position on, the consequence is TRUE.
    """
    pending: tuple[int, int] | None = None
    for place, lit in zip(by.places, by.lits, strict=True):
        consequence = of.at[place - distance + 1]
        if pending is not None and pending[1] != consequence:
            yield pending
        pending = (-lit, consequence)


def encode(line: Line, sink: Sink) -> None:
    """Add the clauses of a line to the sink; the native builder makes the clauses of `clauses`."""
    batch = _native_clauses(line, sink) if line.feasible_starts else clauses(line, sink)
    if batch is None:
        sink.add(())
    else:
        sink.add_batch(batch)


def _native_clauses(line: Line, sink: Sink) -> array[int] | None:
    refuse_giant(line)
    made = _core.order_clauses(line.cells, line.clue, list(line.filled), sink.new_vars)
    return None if made is None else array("i", made)


_MOST_LINES = 64  # per piece: enough to make the cost of a call negligible
_MOST_PLACES = 2**16  # cells times blocks per piece: at most 4 MiB of clauses, 14 MiB of `learn`


def encode_lines(lines: Sequence[Line], sink: Sink) -> Iterator[Sequence[int]] | None:
    """Encode the lines of a board natively, without a `Line` for each of them."""
    return _encoded(lines, sink) if isinstance(lines, OpenLines) else None


def _encoded(lines: OpenLines, sink: Sink) -> Iterator[Sequence[int]]:
    for some in _pieces(lines):
        numbers = [lines.numbers[index] for index in some]
        rest = (lines.lits, lines.filled, numbers, sink.new_vars)
        if isinstance(lines.board, _core.LaneBoard):
            made, counts = _core.open_lane_clauses(lines.board, *rest)
        else:
            made, counts = _core.open_line_clauses(lines.board, *rest)
        sink.add_batch(array("i", made))
        yield counts


def _pieces(lines: OpenLines) -> Iterator[range]:
    """Yield ranges of consecutive lines, small enough to check limits of memory between them."""
    start = places = 0
    for index in range(len(lines)):
        num_blocks, length = len(lines.clue(index)), len(lines.whole)
        if is_giant(num_blocks, length):
            refuse_giant(lines[index])
        places += num_blocks * length
        if (places > _MOST_PLACES and index > start) or index - start == _MOST_LINES:
            yield range(start, index)
            start, places = index, num_blocks * length
    if start < len(lines):
        yield range(start, len(lines))


def clauses(line: Line, sink: Sink) -> array[int] | None:
    """Return the clauses of a line: the readable twin of the native builder.

    Args:
        line: The line to encode.
        sink: Makes the variables; no clause is added to it.

    Returns:
        The clauses, each ended by 0; None if no filling is left.
    """
    found = domains(line)
    if found is None:
        return None
    bounds = [
        _bounds(block, domain, len(line), sink)
        for block, domain in zip(line.clue, found, strict=True)
    ]
    batch = array("i")
    _blocks(line.clue, bounds, batch)
    for block, (start, end) in zip(line.clue, bounds, strict=True):
        _filled(line.cells[block.colour - 1], start, end, batch)
    # White: a cell between two blocks has no colour.
    emptied = _emptied(line)
    for first, stop, ended, begun in _gaps(len(line), bounds):
        for plane in emptied:
            put_columns(batch, negated(ended), begun, plane[first:stop])
    return batch


def _blocks(
    blocks: tuple[Block, ...],
    bounds: list[tuple[_OrderLiterals, _OrderLiterals]],
    batch: array[int],
) -> None:
    """Add the clauses between the bounds, which do not depend on the cells."""
    for index, (start, end) in enumerate(bounds):
        # Order chains: at or before one position implies at or before the next.
        put_columns(batch, negated(start.lits), start.lits[1:])
        if blocks[index].length is None:
            put_columns(batch, negated(end.lits), end.lits[1:])
            # A block has started when it has ended.
            put(batch, _implied(end, start, 0))
        if index:
            # Order of blocks: the one before has ended, with a gap between equal colours.
            gap = blocks[index - 1].colour == blocks[index].colour
            put(batch, _implied(start, bounds[index - 1][1], 1 + gap))


def _filled(
    plane: Sequence[int], start: _OrderLiterals, end: _OrderLiterals, batch: array[int]
) -> None:
    """Add "a cell at which the block has started and not ended before has its colour"."""
    first, stop = start.places[0], end.places[-1] + 1
    begun, ended = start.at[first + 1 : stop + 1], end.at[first:stop]
    if start.lits is not end.lits:
        put_columns(batch, negated(begun), ended, plane[first:stop])
        return
    # Equal literals: one is true and the other false, so no placement covers these cells.
    clauses = zip(begun, ended, plane[first:stop], strict=True)
    put(batch, [(-lit, other, cell) for lit, other, cell in clauses if lit != other])


def _gaps(
    length: int, bounds: list[tuple[_OrderLiterals, _OrderLiterals]]
) -> Iterator[tuple[int, int, list[int], list[int]]]:
    """Yield the stretches between neighbouring blocks; the borders of the line count as blocks.

    Yields:
        First cell and end of the stretch that may be a gap, and for each of its cells "the block
        before has ended before it" and "the block after has started at or before it".
    """
    firsts = [0, *(end.places[0] + 1 for _, end in bounds)]
    stops = [*(start.places[-1] for start, _ in bounds), length]
    befores = [[TRUE] * length, *(end.at for _, end in bounds)]
    afters = [*(start.at[1:] for start, _ in bounds), [FALSE] * length]
    for first, stop, ended, begun in zip(firsts, stops, befores, afters, strict=True):
        if first < stop:
            yield first, stop, ended[first:stop], begun[first:stop]


def _emptied(line: Line) -> list[list[int]]:
    """Return, by colour, the literal that a gap makes true, for each cell.

    A cell that must have a colour cannot be in a gap: its literal is FALSE for the first colour
    and TRUE for the others.
    """
    planes = [list(negated(plane)) for plane in line.cells]
    for cell in line.filled:
        for colour, plane in enumerate(planes):
            plane[cell] = TRUE if colour else FALSE
    return planes


def phases(first: int, likely: bytes) -> list[int]:
    """Return the likelier literal of each variable that `encode` made for a line.

    Args:
        first: The line's first auxiliary variable.
        likely: `Beliefs.likely_bounds` of the line: a byte for each of these variables.
    """
    return [var if holds else -var for var, holds in enumerate(likely, start=first)]


PLUGIN = Encoding(
    summary="order variables for the blocks' starts; small, refutes every inconsistent line",
    source="Tamura, Taga, Kitagawa, Banbara 2009",
    strength=Strength.CONFLICTS,
    size=SizeFormula("k*s", "4*k*s + f - 1"),
    encode=encode,
    encode_lines=encode_lines,
    phases=phases,
)
