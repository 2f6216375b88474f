"""The repairs of a picture, told in words, pictures and JSON data."""

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
_MOST_TITLED = 3  # changes in the title of a picture


@dataclass(frozen=True, slots=True, repr=False)
class RepairResult(Reply):
    """The repairs of a picture; the other fields are those of `Reply`.

        >>> found = nonosat.repair(nonosat.Grid.of_rows(["#.", ".#"], ".#"))
        >>> found
        <RepairResult: nonogram: 2 rows x 2 columns: 1 cell to change, fewer are not enough>
        >>> found.is_smallest, len(found.changes(found.pictures[0]))
        (True, 1)

    Args:
        picture: What was to be repaired; None where the puzzle has no solution.
        pictures: Pictures whose clues have one solution each, fewest changes first.
        least: Cells that every repair changes, at least; it is proved.
        is_complete: Whether there are as many repairs as were asked for, or no more.
    """

    picture: Grid | None
    pictures: tuple[Grid, ...] = ()
    least: int = 0
    is_complete: bool = True

    is_gallery: ClassVar[bool] = True

    @property
    def is_smallest(self) -> bool:
        """Whether no repair changes fewer cells than the first one."""
        return bool(self.pictures) and len(self.changes(self.pictures[0])) <= self.least

    def changes(self, repaired: Grid) -> list[Place]:
        """The cells (row, column) that a repaired picture has changed, row-major."""
        return [] if self.picture is None else self.picture.differences(repaired)

    def repaired(self) -> list[Nonogram]:
        """The repaired puzzles; several of them have numbers behind their id."""
        puzzles = [self.puzzle_of(picture) for picture in self.pictures]
        if len(puzzles) < 2:
            return puzzles
        own = self.puzzle.about.id
        return [one.about_with(id=f"{own}-{number}") for number, one in enumerate(puzzles, start=1)]

    def versions(self, most: int) -> list[Version]:
        """Each repaired puzzle for people, up to `most` of its changes in words."""
        return [
            Version(self.puzzle_of(one), one, self.changes(one), self.changes_in_words(one, most))
            for one in self.pictures
        ]

    def changes_in_words(self, repaired: Grid, most: int = 20) -> str:
        """What a repaired picture has changed, the first cells of it: "row 1, column 2 filled"."""
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

    def told(self) -> str:
        """How many cells to change, and whether fewer will do."""
        if self.picture is None:
            return "no solution to be repaired"
        anew = "; the picture does not fit the clues, which are made anew"
        return self._told() + (anew if self._is_foreign(self.picture) else "")

    def _is_foreign(self, picture: Grid) -> bool:
        """Whether the picture is a goal that the puzzle's clues refute."""
        if self.puzzle.goal is None or clues_of(picture) == (self.puzzle.rows, self.puzzle.columns):
            return False
        return refutation(self.puzzle, picture) is not None  # lengths may be unknown

    def _told(self) -> str:
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
        """The first repaired picture with its changes marked, or what was to be repaired."""
        if not self.pictures:
            return Scene(self.puzzle, self.picture, caption=self.in_a_line())
        return self._scene_of(self.pictures[0])

    def story(self) -> list[tuple[str, Scene]]:
        """Each repaired picture with its changes marked, numbered."""
        if len(self.pictures) < 2:
            return [("", self.scene())]
        return [
            (f"{number}: {self.changes_in_words(one, _MOST_TITLED)}", self._scene_of(one))
            for number, one in enumerate(self.pictures, start=1)
        ]

    def _scene_of(self, repaired: Grid) -> Scene:
        return Scene(self.puzzle_of(repaired), repaired, self.changes(repaired), self.in_a_line())

    def puzzle_of(self, repaired: Grid) -> Nonogram:
        """The puzzle of a repaired picture, with colours, title and given cells of the old one."""
        return of_picture(self.puzzle, repaired)

    def found_data(self) -> Data:
        """Rows of each repaired picture, and its changes as [row, column, symbol]."""
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
        """The fields of that data."""
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
    """The puzzle with the clues of another picture, which is its goal."""
    rows, columns = clues_of(picture)
    return replace(puzzle, rows=rows, columns=columns, goal=picture, saved=())
