"""Repairs of a picture, and their form as text, pictures and JSON data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from nonosat.core.errors import counted
from nonosat.core.grid import Grid
from nonosat.core.presenting import Data, Scene
from nonosat.core.wording import cell_text
from nonosat.generate.mending.version import Version
from nonosat.puzzles.nonogram import refutation
from nonosat.puzzles.nonogram.data import Nonogram, clues_of
from nonosat.questions.reply import Reply

Place = tuple[int, int]
_MOST_TITLED = 3  # changes listed in the title of a picture


@dataclass(frozen=True, slots=True, repr=False)
class RepairResult(Reply):
    """The repairs of a picture; the other fields are those of `Reply`.

        >>> found = nonosat.repair(nonosat.Grid.of_rows(["#.", ".#"], ".#"))
        >>> found
        <RepairResult: nonogram: 2 rows x 2 columns: 1 cell to change, fewer are not enough>
        >>> found.is_smallest, len(found.changes(found.pictures[0]))
        (True, 1)

    Args:
        picture: Picture to be repaired; None if the puzzle has no solution.
        pictures: Pictures whose clues have one solution each, fewest changes first.
        least: Proved lower bound on the cells that a repair changes.
        is_complete: True if the requested number of repairs was found, or no more exist.
    """

    picture: Grid | None
    pictures: tuple[Grid, ...] = ()
    least: int = 0
    is_complete: bool = True

    is_gallery: ClassVar[bool] = True

    @property
    def is_smallest(self) -> bool:
        """True if no repair changes fewer cells than the first one."""
        return bool(self.pictures) and len(self.changes(self.pictures[0])) <= self.least

    def changes(self, repaired: Grid) -> list[Place]:
        """Return the cells (row, column) that differ in a repaired picture, row-major."""
        return [] if self.picture is None else self.picture.differences(repaired)

    def repaired(self) -> list[Nonogram]:
        """Return the repaired puzzles; if there are several, their ids are numbered."""
        puzzles = [self.puzzle_of(picture) for picture in self.pictures]
        if len(puzzles) < 2:
            return puzzles
        own = self.puzzle.about.id
        return [one.about_with(id=f"{own}-{number}") for number, one in enumerate(puzzles, start=1)]

    def versions(self, most: int) -> list[Version]:
        """Return each repaired puzzle for display, up to `most` of its changes in words."""
        return [
            Version(self.puzzle_of(one), one, self.changes(one), self.changes_in_words(one, most))
            for one in self.pictures
        ]

    def changes_in_words(self, repaired: Grid, most: int = 20) -> str:
        """Return the first changes of a repaired picture in words: "row 1, column 2 filled"."""
        signs = self.puzzle.symbols
        several = len(self.puzzle.colours) > 1
        every = self.changes(repaired)
        words = []
        for row, column in every[:most]:
            value = repaired[row, column]
            ink = f" {signs[value]}" if several else ""
            words.append(f"{cell_text(row, column)} {f'filled{ink}' if value else 'emptied'}")
        if len(every) > most:
            words.append(f"and {len(every) - most} more")
        return "; ".join(words)

    def description(self) -> str:
        """Return a sentence with the number of cells to change and its proved bound."""
        if self.picture is None:
            return "no solution to be repaired"
        anew = "; the picture does not fit the clues, which are derived from it again"
        return self._description() + (anew if self._is_foreign(self.picture) else "")

    def _is_foreign(self, picture: Grid) -> bool:
        """Return True if the picture is a goal that violates the puzzle's clues."""
        if self.puzzle.goal is None or clues_of(picture) == (self.puzzle.rows, self.puzzle.columns):
            return False
        return refutation(self.puzzle, picture) is not None  # lengths may be unknown

    def _description(self) -> str:
        if not self.pictures and self.is_complete:
            most = (
                "" if self.least == 0 else f" that changes fewer than {counted(self.least, 'cell')}"
            )
            return f"there is no repair{most}"
        if not self.pictures:
            return f"no repair yet; at least {counted(self.least, 'change')} needed"
        num = len(self.changes(self.pictures[0]))
        if not num:
            return "nothing to change"
        more = f"{counted(len(self.pictures), 'repair')}, the first: " * (len(self.pictures) > 1)
        fewer = "fewer are not enough" if self.is_smallest else f"at least {self.least} are needed"
        return f"{more}{counted(num, 'cell')} to change, {fewer}"

    def scene(self) -> Scene:
        """Return the first repaired picture, changes marked, or the picture to be repaired."""
        if not self.pictures:
            return Scene(self.puzzle, self.picture, caption=self.in_a_line())
        return self._scene_of(self.pictures[0])

    def story(self) -> list[tuple[str, Scene]]:
        """Return each repaired picture with its changes marked, numbered."""
        if len(self.pictures) < 2:
            return [("", self.scene())]
        return [
            (f"{number}: {self.changes_in_words(one, _MOST_TITLED)}", self._scene_of(one))
            for number, one in enumerate(self.pictures, start=1)
        ]

    def _scene_of(self, repaired: Grid) -> Scene:
        return Scene(self.puzzle_of(repaired), repaired, self.changes(repaired), self.in_a_line())

    def puzzle_of(self, repaired: Grid) -> Nonogram:
        """Return the puzzle of a repaired picture, with colours, title and given cells of the old
        one.
        """
        return of_picture(self.puzzle, repaired)

    def found_data(self) -> Data:
        """Return the rows of each repaired picture, and its changes as [row, column, symbol]."""
        signs, legend = self.puzzle.symbols, self.puzzle.legend
        repairs = [
            {
                "changes": [
                    [row, column, signs[repaired[row, column]]]
                    for row, column in self.changes(repaired)
                ],
                "picture": repaired.lines(signs),
            }
            for repaired in self.pictures
        ]
        picture = None if self.picture is None else self.picture.lines(signs)
        return {
            "picture": picture,
            **({"legend": legend} if legend else {}),
            "repairs": repairs,
            "least": self.least,
            "complete": self.is_complete,
        }

    @classmethod
    def found_in(cls, data: Mapping[str, Any], puzzle: Any) -> dict[str, Any]:
        """Return the fields read from the data of `found_data`."""
        rows = data["picture"]
        return {
            "picture": None if rows is None else Grid.of_rows(rows, puzzle.symbols),
            "pictures": tuple(
                Grid.of_rows(each["picture"], puzzle.symbols) for each in data["repairs"]
            ),
            "least": int(data["least"]),
            "is_complete": bool(data["complete"]),
        }


def of_picture(puzzle: Nonogram, picture: Grid) -> Nonogram:
    """Return the puzzle with the clues of another picture, which becomes its goal."""
    rows, columns = clues_of(picture)
    return replace(puzzle, rows=rows, columns=columns, goal=picture, saved=())
