"""What strategies for nonograms are asked for.

The arguments that the strategies for classes share, and their docstring, stand here once; a class
is a function that draws one puzzle of it.
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
        max_cells: Largest board, where height and width are not both given.
        max_colours: Largest number of inks.
        unknown: Whether blocks may be of unknown length.
        given: Whether cells may be given from the start.
        height: Rows; None for any number.
        width: Columns; None for any number.

    Raises:
        UnsupportedError: A number is too small, too large, or none.
    """


class Asked(NamedTuple):
    """What nonograms are asked for.

    Args:
        shape: What they may measure.
        max_colours: Largest number of inks.
        unknown: Whether blocks may be of unknown length.
        given: Whether cells may be given from the start.
    """

    shape: Shape
    max_colours: int
    unknown: bool
    given: bool

    def inks(self) -> st.SearchStrategy[Inks]:
        """The inks of a puzzle."""
        return st.integers(1, self.max_colours).flatmap(colour_sets)


def asked_of(
    max_cells: int,
    max_colours: int,
    unknown: bool,
    given: bool,
    height: int | None = None,
    width: int | None = None,
    least: int = 1,
) -> Asked:
    """The arguments together; raises UnsupportedError where they make no sense."""
    check_number("max_colours", max_colours, 1, MOST_INKS)
    return Asked(shape_of(max_cells, height, width, least), max_colours, unknown, given)


class OfClass(Protocol):
    """A strategy for a class of nonograms."""

    def __call__(
        self,
        max_cells: int = 36,
        max_colours: int = 3,
        unknown: bool = True,
        given: bool = True,
        height: int | None = None,
        width: int | None = None,
    ) -> st.SearchStrategy[Nonogram]: ...


def of_class(least: int = 1) -> Callable[[Callable[[st.DrawFn, Asked], Nonogram]], OfClass]:
    """Make a strategy with the shared arguments of a function that draws a puzzle.

    Args:
        least: What `max_cells` has to be at least.
    """

    def made(draw_one: Callable[[st.DrawFn, Asked], Nonogram]) -> OfClass:
        drawn = st.composite(draw_one)

        def strategy(
            max_cells: int = 36,
            max_colours: int = 3,
            unknown: bool = True,
            given: bool = True,
            height: int | None = None,
            width: int | None = None,
        ) -> st.SearchStrategy[Nonogram]:
            return drawn(asked_of(max_cells, max_colours, unknown, given, height, width, least))

        strategy.__name__ = strategy.__qualname__ = draw_one.__name__
        strategy.__module__ = draw_one.__module__
        strategy.__doc__ = f"{(draw_one.__doc__ or '').rstrip()}\n{_ARGUMENTS}"
        return strategy

    return made
