"""Lookup of a family's explainer, and conversion of marks on a board to given values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from nonosat.core import plugins
from nonosat.core.errors import FormatError, PuzzleError, UnsupportedError
from nonosat.core.families import name_of
from nonosat.core.plugins import Explainer, Puzzle
from nonosat.core.wording import listed


def explainer_of(puzzle: Puzzle, what: str = "explanations are") -> Explainer:
    """Return the explainer of the puzzle's family.

    Args:
        puzzle: The puzzle.
        what: Subject of the error message.

    Raises:
        NotAPuzzleError: It is not a puzzle; the message names valid inputs.
        UnsupportedError: The family has no explainer.
    """
    name = name_of(puzzle)
    if isinstance(puzzle.family, str) and plugins.is_there("explain", name):
        return plugins.find("explain", name)
    able = listed(sorted(plugins.names("explain")))
    raise UnsupportedError(f"{what} for the families {able}; this puzzle is of the family {name}")


def marked(puzzle: Any, data: bytes) -> Any:
    """Return the puzzle with the marks of a file as given values.

    Its solutions are those of the puzzle that agree with every mark.

    Args:
        puzzle: A puzzle of a family with steps, or with boards that are written as text.
        data: The file's content: a state as `hint` reads it, or a board as the commands of the
            family read it.

    Raises:
        FormatError: The file is not a state of the puzzle, or a mark contradicts a given value.
        UnsupportedError: The puzzle is of another family.
    """
    mark = _marker(name_of(puzzle), is_ours=isinstance(puzzle.family, str))
    try:
        return mark(puzzle, data)
    except PuzzleError as error:
        what = f"marks that contradict the puzzle: {error.fact()}"
        raise FormatError(what, remedy=error.remedy) from error


def _marker(family: str, *, is_ours: bool) -> Callable[[Any, bytes], Any]:
    """Return the function that makes marks in a file given values of a family's puzzle.

    The arguments of this function are the puzzle and the content of the file. `is_ours` is False if
    the puzzle holds its family's record; its marks are not supported.
    """
    explained = "nonogram" if family == "ranges" else family  # marks on the same cells
    if is_ours and plugins.is_there("explain", explained):
        explainer = plugins.find("explain", explained)
        return lambda puzzle, data: explainer.with_given(puzzle, explainer.read_state(data, puzzle))
    formats = plugins.names("formats")
    if is_ours and family in formats and (mark := formats[family].mark) is not None:
        return mark
    able = [name for name, one in formats.items() if one.mark is not None]
    every = listed(sorted([*plugins.names("explain"), "ranges", *able]))
    raise UnsupportedError(
        f"marks are given for the families {every}; this puzzle is of the family {family}"
    )
