"""Pictures of puzzles and solutions: text for terminals and pipes, SVG for notebooks and pages.

A module or folder of this package, named as the family, draws its puzzles: `text(puzzle, solution,
style, marked)` and `svg(puzzle, solution, marked, caption)`, where no solution (None) means the
puzzle as it is printed, and `marked` are places that stand out. A family without one is shown by
the lines of its solutions.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any

from nonosat import plugins
from nonosat.render._style import PLAIN, Style

if TYPE_CHECKING:
    from nonosat.result import Result

__all__ = ["PLAIN", "Places", "Style", "puzzle_svg", "result_svg", "svg", "text"]

Places = Collection[tuple[int, int]]


def _drawing(puzzle: Any) -> Any:
    """The module that draws puzzles of this family."""
    if plugins.is_there("render", puzzle.family):
        return plugins.find("render", puzzle.family)
    from nonosat.render import _lines

    return _lines


def text(puzzle: Any, solution: Any, style: Style = PLAIN, marked: Places = ()) -> str:
    """A solution as text, with the places that stand out; the puzzle where `solution` is None."""
    found: str = _drawing(puzzle).text(puzzle, solution, style, marked)
    return found


def svg(puzzle: Any, solution: Any, marked: Places = (), caption: str = "") -> str:
    """The same as a whole SVG document, without XML declaration, to be embedded or saved."""
    found: str = _drawing(puzzle).svg(puzzle, solution, marked, caption)
    return found


def puzzle_svg(puzzle: Any) -> str:
    """The puzzle as it is printed; a goal is not shown."""
    return svg(puzzle, None, (), str(puzzle))


def result_svg(result: Result) -> str:
    """The first solution with its disputed places marked; the puzzle where there is no solution.

    Its caption says the verdict.
    """
    return svg(result.puzzle, result.solution, result.disputed, str(result))
