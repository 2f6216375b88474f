"""Features that a format can hold, and the refusal that names the formats that can hold more.

Invariant: a writer that has called `require` may rely on the features it declared. Metadata,
the colour of a single ink, the goal and saved states are not features, because the puzzle is the
same without them; a format that has no place for them drops them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from nonosat.core import plugins
from nonosat.core.errors import UnsupportedError, counted
from nonosat.core.families import name_of
from nonosat.core.grid import Grid
from nonosat.core.limits import polled
from nonosat.core.plugins import FormatCapabilities, Puzzle
from nonosat.puzzles.nonogram.data import Nonogram
from nonosat.puzzles.nonogram.verify import refutation

if TYPE_CHECKING:
    from nonosat.puzzles.lanes.data import LaneNonogram

# Given values, by the families of which not every format holds them.
_GIVEN = {
    "nonogram": "given cells",
    "ranges": "given cells",
    "lanes": "given cells",
    "slitherlink": "given edges",
}


def _unknown(puzzle: Nonogram | LaneNonogram) -> bool:
    lines = (*puzzle.rows, *puzzle.columns) if isinstance(puzzle, Nonogram) else puzzle.clues
    return any(length is None for clue in polled(lines) for length, _ in clue)


def _excess(puzzle: Puzzle, holds: FormatCapabilities) -> str | None:
    """Return the first feature of `puzzle` that the format does not hold."""
    if not holds.takes(family := name_of(puzzle)):
        held = " and ".join((holds.family or "", *holds.also))
        return f"clues (a puzzle of {family}, it holds {held})"
    if family in _GIVEN and getattr(puzzle, "given", False) and not holds.given:
        return _GIVEN[family]
    if not isinstance(puzzle, Nonogram):
        if family != "lanes":
            return None
        puzzle = cast("LaneNonogram", puzzle)
        if holds.family and puzzle.shape.kind != "triddler":
            return "shape (it holds triddlers)"
    if holds.square and puzzle.height != puzzle.width:
        return "shape (it holds squares)"
    if len(puzzle.colours) > holds.inks:
        return f"{counted(len(puzzle.colours), 'colour')} (it holds {holds.inks})"
    if not holds.unknown and _unknown(puzzle):
        return "blocks of unknown length"
    return None


def able(puzzles: Sequence[Puzzle]) -> str:
    """Return names of the formats that can hold all of `puzzles`, for a message."""
    names = [
        name
        for name, format_ in plugins.names("formats").items()
        if (holds := format_.holds).clues
        and (holds.many or len(puzzles) == 1)
        and not any(_excess(puzzle, holds) for puzzle in puzzles)
    ]
    return ", ".join(sorted(names)) or "none"


def require(name: str, holds: FormatCapabilities, puzzles: Sequence[Puzzle]) -> None:
    """Make sure that a format holds `puzzles`.

    Args:
        name: The format.
        holds: Features that it declares.
        puzzles: The puzzles to write.

    Raises:
        UnsupportedError: The format does not hold them, or there are none; lists formats that do.
    """
    if not puzzles:
        raise UnsupportedError("there is no puzzle to write, expected at least one")
    if len(puzzles) > 1 and not holds.many:
        raise UnsupportedError(
            f"{name} holds one puzzle, not {len(puzzles)}; these hold them: {able(puzzles)}"
        )
    for puzzle in puzzles:
        if excess := _excess(puzzle, holds):
            raise UnsupportedError(
                f"{name} cannot hold the {excess} of {_called(puzzle)}; these can: {able(puzzles)}"
            )


def _called(puzzle: Puzzle) -> str:
    """Return a puzzle's text for a message: its size if its own text is a picture."""
    text = str(puzzle)
    return puzzle.size if "\n" in text else text


def goal_of(puzzle: Nonogram) -> Grid:
    """Return the picture that a format without clues writes.

    Raises:
        UnsupportedError: There is no goal, or it does not satisfy the clues.
    """
    if puzzle.goal is None:
        raise UnsupportedError(f"{puzzle} has no goal to draw; solve it first")
    if reason := refutation(puzzle, puzzle.goal):
        raise UnsupportedError(f"the goal of {puzzle} is not a solution ({reason}); solve it first")
    return puzzle.goal
