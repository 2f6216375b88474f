"""The English of explanations: cells, lines and what is settled, all counted from 0."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from nonosat.render.nonogram.text import clue_text

if TYPE_CHECKING:
    from nonosat.puzzles.nonogram.data import Nonogram

SHOWN_LINES = 6  # of a chain, named one by one


def listed(items: Sequence[str]) -> str:
    """ "a", "a and b", "a, b and c"."""
    return " and ".join([", ".join(items[:-1]), items[-1]]) if len(items) > 1 else "".join(items)


def are(number: int) -> str:
    return "is" if number == 1 else "are"


def spans(numbers: Iterable[int]) -> Iterator[tuple[int, int]]:
    """First and last of each stretch of consecutive numbers, ascending."""
    first = last = None
    for number in sorted(numbers):
        if last is not None and number == last + 1:
            last = number
            continue
        if first is not None and last is not None:
            yield first, last
        first = last = number
    if first is not None and last is not None:
        yield first, last


def positions(numbers: Iterable[int]) -> str:
    """ "cell 3", "cells 3-5 and 8"."""
    found = list(spans(numbers))
    noun = "cell" if len(found) == 1 and found[0][0] == found[0][1] else "cells"
    return f"{noun} {listed([str(a) if a == b else f'{a}-{b}' for a, b in found])}"


def lines_listed(lines: Iterable[int], height: int) -> str:
    """ "row 3", "rows 0 and 2-4 and column 1"."""
    every = sorted(lines)
    kinds = (
        ("row", [line for line in every if line < height]),
        ("column", [line - height for line in every if line >= height]),
    )
    return " and ".join(_of_kind(kind, numbers) for kind, numbers in kinds if numbers)


def _of_kind(kind: str, numbers: list[int]) -> str:
    parts = [str(a) if a == b else f"{a}-{b}" for a, b in spans(numbers)]
    return f"{kind if len(numbers) == 1 else f'{kind}s'} {listed(parts)}"


class Words:
    """Names of a puzzle's lines, cells and values."""

    def __init__(self, puzzle: Nonogram) -> None:
        self._puzzle = puzzle
        self._clues = (*puzzle.rows, *puzzle.columns)
        keys = [ink.key for ink in puzzle.colours]
        self._filled = ["filled"] if len(keys) == 1 else keys

    def value(self, value: int) -> str:
        """ "empty", "filled", or a colour's key."""
        return self._filled[value - 1] if value else "empty"

    def place(self, place: int) -> str:
        """ "cell (3, 4)": its row and column."""
        row, column = divmod(place, self._puzzle.width)
        return f"cell ({row}, {column})"

    def line(self, line: int) -> str:
        """ "row 3 (2 1)": with its clue."""
        return f"{self.short(line)} ({clue_text(self._puzzle, self._clues[line])})"

    def short(self, line: int) -> str:
        """ "row 3"."""
        height = self._puzzle.height
        return f"row {line}" if line < height else f"column {line - height}"

    def outcome(self, settled: dict[int, int], ruled_out: Iterable[tuple[int, int]] = ()) -> str:
        """What becomes of positions in a line: "cells 3-4 are filled and cell 7 is empty"."""
        parts = []
        for value in sorted(set(settled.values()), reverse=True):
            mine = [position for position, other in settled.items() if other == value]
            parts.append(f"{positions(mine)} {are(len(mine))} {self.value(value)}")
        gone: dict[int, list[int]] = {}
        for position, value in ruled_out:
            gone.setdefault(value, []).append(position)
        for value, mine in sorted(gone.items()):
            parts.append(f"{positions(mine)} {are(len(mine))} not {self.value(value)}")
        return listed(parts)

    def scattered(self, settled: dict[int, int], ruled_out: Iterable[tuple[int, int]] = ()) -> str:
        """The same for places anywhere on the board: "(0, 1) and (2, 3) are filled"."""
        parts = []
        for value in sorted(set(settled.values()), reverse=True):
            mine = [place for place, other in settled.items() if other == value]
            parts.append(f"{self._places(mine)} {are(len(mine))} {self.value(value)}")
        for place, value in ruled_out:
            parts.append(f"{self.place(place)} is not {self.value(value)}")
        return listed(parts)

    def _places(self, places: list[int]) -> str:
        width = self._puzzle.width
        noun = "cell" if len(places) == 1 else "cells"
        return f"{noun} {listed([str(divmod(place, width)) for place in places])}"


def sentence(text: str) -> str:
    """A clause as a sentence."""
    return f"{text[0].upper()}{text[1:]}."
