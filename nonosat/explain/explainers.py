"""Who explains the puzzles of a family."""

from __future__ import annotations

from nonosat.core import plugins
from nonosat.core.errors import UnsupportedError
from nonosat.core.families import name_of
from nonosat.core.plugins import Explainer, Puzzle
from nonosat.core.wording import listed


def explainer_of(puzzle: Puzzle, what: str = "explanations are") -> Explainer:
    """What explains puzzles of this family.

    Args:
        puzzle: The puzzle.
        what: What is asked for, as the error names it.

    Raises:
        NotAPuzzleError: It is no puzzle; the message says what to write.
        UnsupportedError: Nothing explains them.
    """
    name = name_of(puzzle)
    if isinstance(puzzle.family, str) and plugins.is_there("explain", name):
        return plugins.find("explain", name)
    able = listed(sorted(plugins.names("explain")))
    raise UnsupportedError(f"{what} for the families {able}; this puzzle is of the family {name}")
