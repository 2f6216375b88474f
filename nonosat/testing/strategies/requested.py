"""Common arguments of strategies for nonograms.

A function that draws one puzzle defines a class of nonograms, such as unique ones. The strategies
of all classes share these arguments and their documentation.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, Protocol

from hypothesis import strategies as st

from nonosat.puzzles.nonogram.data import Nonogram
from nonosat.testing.strategies.numbers import Shape, check_number, shape_of
from nonosat.testing.strategies.pictures import LETTERS, Inks, colour_sets

MOST_INKS = len(LETTERS)

_ARGUMENTS = """
    Args:
        max_cells: Largest board, unless height and width are both given.
        max_colours: Largest number of inks.
        unknown: Permit blocks of unknown length.
        given: Permit given cells.
        height: Rows; None for any number.
        width: Columns; None for any number.

    Raises:
        UnsupportedError: A number is too small, too large, or invalid.
    """


class NonogramRequirements(NamedTuple):
    """Requirements for nonograms.

    Args:
        shape: Permitted sizes.
        max_colours: Largest number of inks.
        unknown: Permit blocks of unknown length.
        given: Permit given cells.
    """

    shape: Shape
    max_colours: int
    unknown: bool
    given: bool

    def inks(self) -> st.SearchStrategy[Inks]:
        """Return a strategy for the inks of a puzzle."""
        return st.integers(1, self.max_colours).flatmap(colour_sets)


def requested_of(
    shape: Shape, max_colours: int, unknown: bool, given: bool
) -> NonogramRequirements:
    """Return the arguments combined; raise UnsupportedError if they are invalid."""
    check_number("max_colours", max_colours, 1, MOST_INKS)
    return NonogramRequirements(shape, max_colours, unknown, given)


class OfClass(Protocol):
    """Function that returns a strategy for a class of nonograms."""

    def __call__(
        self,
        max_cells: int = 36,
        max_colours: int = 3,
        unknown: bool = True,
        given: bool = True,
        height: int | None = None,
        width: int | None = None,
    ) -> st.SearchStrategy[Nonogram]: ...


def of_class(
    least: int = 1,
) -> Callable[[Callable[[st.DrawFn, NonogramRequirements], Nonogram]], OfClass]:
    """Return a decorator that turns a function that draws a puzzle into a strategy.

    Args:
        least: Minimum of `max_cells`.
    """

    def made(draw_one: Callable[[st.DrawFn, NonogramRequirements], Nonogram]) -> OfClass:
        drawn = st.composite(draw_one)

        def strategy(
            max_cells: int = 36,
            max_colours: int = 3,
            unknown: bool = True,
            given: bool = True,
            height: int | None = None,
            width: int | None = None,
        ) -> st.SearchStrategy[Nonogram]:
            shape = shape_of(max_cells, height, width, least)
            return drawn(requested_of(shape, max_colours, unknown, given))

        strategy.__name__ = strategy.__qualname__ = draw_one.__name__
        strategy.__module__ = draw_one.__module__
        strategy.__doc__ = f"{(draw_one.__doc__ or '').rstrip()}\n{_ARGUMENTS}"
        return strategy

    return made
