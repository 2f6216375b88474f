"""Strategies for one line: clues, possible values, lines of a model."""

from __future__ import annotations

from typing import NamedTuple, TypeVar

from hypothesis import strategies as st

from nonosat.core.model import Block, Clue, Line
from nonosat.puzzles.nonogram.data import clue_of
from nonosat.testing.lines import with_knowledge
from nonosat.testing.strategies.numbers import MOST_COLOURS, MOST_SIDE, check_number

T = TypeVar("T")


class PartialLine(NamedTuple):
    """A partly known line.

    Args:
        clue: Clue of the line.
        known: For each cell the set of its possible values, of 0 (empty) and 1 .. num_colours.
        num_colours: Number of colours.
    """

    clue: Clue
    known: tuple[frozenset[int], ...]
    num_colours: int


def several(
    element: st.SearchStrategy[T], most: int, exactly: int | None = None
) -> st.SearchStrategy[list[T]]:
    """Return a strategy for lists of 1 to `most` elements, often nearly `most`, or of `exactly`.

    Shrinking can remove each element.
    """
    if exactly is not None:
        return st.lists(element, min_size=exactly, max_size=exactly)
    few = st.lists(element, min_size=1, max_size=most)
    near = st.lists(element, min_size=max(1, most - 1), max_size=most)
    return st.one_of(few, near, near)


def _check(max_length: int, max_colours: int) -> None:
    check_number("max_length", max_length, 1, MOST_SIDE)
    check_number("max_colours", max_colours, 1, MOST_COLOURS)


def blocks(
    max_length: int = 8, max_colours: int = 3, unknown: bool = True
) -> st.SearchStrategy[Block]:
    """Return a strategy for entries of clues, mostly short ones.

    They shrink to a single cell of the first colour.

    Args:
        max_length: Cells of the intended line; sometimes one is too long.
        max_colours: Number of colours.
        unknown: Permit unknown length (None).

    Raises:
        UnsupportedError: A number is too small, too large, or invalid.
    """
    _check(max_length, max_colours)
    short = st.integers(1, max(1, max_length // 2))
    length: st.SearchStrategy[int | None] = short | st.integers(1, max_length + 1)
    if unknown:
        length |= st.none()
    return st.builds(Block, length, st.integers(1, max_colours))


def clues(
    max_length: int = 8, max_colours: int = 3, unknown: bool = True
) -> st.SearchStrategy[Clue]:
    """Return a strategy for clues of lines of `max_length` cells; sometimes one does not fit.

    They shrink to fewer and shorter blocks of the first colour, at last to (), an empty line.

    Args:
        max_length: Cells of the intended line.
        max_colours: Number of colours.
        unknown: Permit blocks of unknown length (None).

    Raises:
        UnsupportedError: A number is too small, too large, or invalid.
    """
    block = blocks(max_length, max_colours, unknown)
    return st.lists(block, max_size=(max_length + 1) // 2).map(tuple)


def hide(clue: Clue, mask: int) -> Clue:
    """Return the clue with unknown length for each block whose bit is set in `mask`."""
    return tuple(
        Block(None, block.colour) if mask >> place % 8 & 1 else block
        for place, block in enumerate(clue)
    )


def partial_lines(
    max_length: int = 8,
    max_colours: int = 3,
    unknown: bool = True,
    consistent: bool = False,
) -> st.SearchStrategy[PartialLine]:
    """Return a strategy for a clue with the possible values of each cell.

    Most have the clue of a finished line, and values that agree with it. They shrink to fewer
    cells, then to empty ones with all values possible. A test of a line solver:

        @given(partial_lines(max_length=10, max_colours=1, unknown=False))
        def test_my_line(line):
            lengths = [block.length for block in line.clue]
            truth = oracles.line_support(line.clue, line.known)  # None: no filling agrees
            found = my_line(lengths, line.known)  # of each cell the values that it may have
            assert found == (None if truth is None else list(truth.values))

    Args:
        max_length: Cells, at least 1.
        max_colours: Largest number of colours.
        unknown: Permit blocks of unknown length.
        consistent: Draw only lines with a filling.

    Raises:
        UnsupportedError: A number is too small, too large, or invalid.
    """
    _check(max_length, max_colours)
    return _partial_lines(max_length, max_colours, unknown, consistent)


@st.composite
def _partial_lines(
    draw: st.DrawFn, max_length: int, max_colours: int, unknown: bool, consistent: bool
) -> PartialLine:
    colours = draw(st.integers(1, max_colours))
    everything = (2 << colours) - 1
    value = st.integers(0, colours)
    lost = st.just(0) | st.integers(0, everything - 1)  # excluded values, one bit each
    cells = draw(several(st.tuples(value, lost), max_length))
    values = [value for value, _ in cells]
    agrees = consistent or draw(st.sampled_from([True, True, False]))
    if consistent or draw(st.sampled_from([True, True, False])):
        clue = clue_of(values)
        if unknown and clue and draw(st.booleans()):
            clue = hide(clue, draw(st.integers(0, 255)))
    else:
        clue = draw(clues(max_length, colours, unknown))
    masks = [everything & ~lost | (1 << value if agrees else 0) for value, lost in cells]
    return PartialLine(clue, tuple(map(_values, masks)), colours)


def _values(mask: int) -> frozenset[int]:
    return frozenset(value for value in range(mask.bit_length()) if mask >> value & 1)


def lines(
    max_length: int = 8, max_colours: int = 3, unknown: bool = True
) -> st.SearchStrategy[Line]:
    """Return `partial_lines` as constraints of a model, with constants for known cells.

    Literal k * length + 1 + i is "cell i has colour k + 1" if it is not a constant.

    Args:
        max_length: Cells, at least 1.
        max_colours: Largest number of colours.
        unknown: Permit blocks of unknown length.

    Raises:
        UnsupportedError: A number is too small, too large, or invalid.
    """
    return partial_lines(max_length, max_colours, unknown).map(
        lambda line: with_knowledge(line.clue, line.known, line.num_colours)
    )
