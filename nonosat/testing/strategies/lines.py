"""Strategies for one line: clues, what is known of a line, lines of a model."""

from __future__ import annotations

from typing import NamedTuple, TypeVar

from hypothesis import strategies as st

from nonosat.core.model import Block, Clue, Line
from nonosat.puzzles.nonogram.data import clue_of
from nonosat.testing.lines import with_knowledge
from nonosat.testing.strategies.numbers import MOST_COLOURS, MOST_SIDE, check_number

T = TypeVar("T")


class PartialLine(NamedTuple):
    """A line of which something is known.

    Args:
        clue: Its blocks.
        known: By cell the values that it may have, of 0 (empty) and 1 .. num_colours; as all
            oracles of lines take it.
        num_colours: How many colours there are.
    """

    clue: Clue
    known: tuple[frozenset[int], ...]
    num_colours: int


def several(
    element: st.SearchStrategy[T], most: int, exactly: int | None = None
) -> st.SearchStrategy[list[T]]:
    """One element to `most` of them, often as many; each can be taken out while shrinking."""
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
    """Entries of clues; short ones mostly. They shrink to a single cell of the first colour.

    Args:
        max_length: Cells of the line that they are meant for; now and then one is too long.
        max_colours: How many colours there are.
        unknown: Whether they may be of unknown length (None).

    Raises:
        UnsupportedError: A number is too small, too large, or none.
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
    """Clues for lines of `max_length` cells; now and then one does not fit.

    They shrink to fewer and shorter blocks of the first colour, at last to (), an empty line.

    Args:
        max_length: Cells of the line that they are meant for.
        max_colours: How many colours there are.
        unknown: Whether blocks may be of unknown length (None).

    Raises:
        UnsupportedError: A number is too small, too large, or none.
    """
    block = blocks(max_length, max_colours, unknown)
    return st.lists(block, max_size=(max_length + 1) // 2).map(tuple)


def hide(clue: Clue, mask: int) -> Clue:
    """The clue with the blocks of which the mask has a bit of unknown length."""
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
    """A clue, and of each cell the values that it may still have.

    Most have the clue of a finished line, and knowledge that agrees with it. They shrink to fewer
    cells, then to empty ones of which nothing is known. A test of a line solver of your own:

        @given(partial_lines(max_length=10, max_colours=1, unknown=False))
        def test_my_line(line):
            lengths = [block.length for block in line.clue]
            truth = oracles.line_support(line.clue, line.known)  # None: no filling agrees
            found = my_line(lengths, line.known)  # of each cell the values that it may have
            assert found == (None if truth is None else list(truth.values))

    Args:
        max_length: Cells, at least 1.
        max_colours: How many colours there may be.
        unknown: Whether blocks may be of unknown length.
        consistent: Whether every line has a filling.

    Raises:
        UnsupportedError: A number is too small, too large, or none.
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
    lost = st.just(0) | st.integers(0, everything - 1)  # values that are ruled out, a bit each
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
    """`partial_lines` as constraints of a model, what is known as constants and filled cells.

    Literal k * length + 1 + i is "cell i has colour k + 1" where it is not a constant.

    Args:
        max_length: Cells, at least 1.
        max_colours: How many colours there may be.
        unknown: Whether blocks may be of unknown length.

    Raises:
        UnsupportedError: A number is too small, too large, or none.
    """
    return partial_lines(max_length, max_colours, unknown).map(
        lambda line: with_knowledge(line.clue, line.known, line.num_colours)
    )
