"""What a format can hold, and the refusal that names the formats that can hold more.

Invariant: a writer that has called `require` may rely on the features it declared. Metadata,
the looks of a single ink, the goal and saved states are not features, for the puzzle is the same
without them: a format without room for them drops them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from nonosat.errors import UnsupportedError, counted
from nonosat.grid import MAX_COLOURS


@dataclass(frozen=True, slots=True)
class Holds:
    """What the puzzles of a format may have.

    Args:
        family: Whose puzzles; None is all families.
        inks: How many colours.
        unknown: Blocks of unknown length.
        given: Cells known from the start.
        clues: Whether clues are written; a picture is not what every puzzle has.
    """

    family: str | None = "nonogram"
    inks: int = MAX_COLOURS
    unknown: bool = False
    given: bool = False
    clues: bool = True


def _unknown(puzzle: Any) -> bool:
    lines = (*puzzle.rows, *puzzle.columns)
    return any(length is None for clue in lines for length, _ in clue)


def _excess(puzzle: Any, holds: Holds) -> str | None:
    """The first thing that `puzzle` has and the format does not hold."""
    if holds.family not in (None, puzzle.family):
        return f"clues (a puzzle of {puzzle.family}, it holds {holds.family})"
    if puzzle.family != "nonogram":
        return None
    if len(puzzle.colours) > holds.inks:
        return f"{counted(len(puzzle.colours), 'colour')} (it holds {holds.inks})"
    if puzzle.given and not holds.given:
        return "given cells"
    if not holds.unknown and _unknown(puzzle):
        return "blocks of unknown length"
    return None


def able(puzzles: Sequence[Any]) -> str:
    """Names of the formats that can hold all of `puzzles`, for a message."""
    from nonosat import plugins

    names = [
        name
        for name, module in plugins.names("formats").items()
        if (holds := getattr(module, "HOLDS", None)) is not None
        and holds.clues
        and (module.HOLDS_MANY or len(puzzles) == 1)
        and not any(_excess(puzzle, holds) for puzzle in puzzles)
    ]
    return ", ".join(sorted(names)) or "none"


def require(name: str, holds: Holds, puzzles: Sequence[Any], *, many: bool = False) -> None:
    """Make sure that a format holds `puzzles`.

    Args:
        name: The format.
        holds: What it declares.
        puzzles: What is to be written.
        many: Whether it holds several puzzles.

    Raises:
        UnsupportedError: It does not, or there is nothing to write; lists formats that do.
    """
    if not puzzles:
        raise UnsupportedError("there is no puzzle to write, expected at least one")
    if len(puzzles) > 1 and not many:
        raise UnsupportedError(
            f"{name} holds one puzzle, not {len(puzzles)}; these hold them: {able(puzzles)}"
        )
    for puzzle in puzzles:
        if excess := _excess(puzzle, holds):
            raise UnsupportedError(
                f"{name} cannot hold the {excess} of {puzzle}; these can: {able(puzzles)}"
            )
