"""The repair of a puzzle by its clues, told in words, pictures and JSON data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from nonosat.core.errors import counted
from nonosat.core.families import family_of, solution_of
from nonosat.core.plugins import PlacedClue
from nonosat.core.presenting import Data, Scene
from nonosat.generate.mending.version import Version
from nonosat.questions.clue_asker import clues_of
from nonosat.questions.reply import Reply


@dataclass(frozen=True, slots=True, repr=False)
class ClueRepair(Reply):
    """The fewest clues to add so that a puzzle has one solution; other fields as in `Reply`.

        >>> found = nonosat.repair(nonosat.slitherlink(["3.", ".."]))
        >>> found
        <ClueRepair: slitherlink: 2 rows x 2 columns: 1 clue to add, fewer are not enough>
        >>> nonosat.ClueRepair.from_data(found.to_data()) == found
        True

    Args:
        solution: The one that the repaired puzzle has: the first that was found; None where none
            is known.
        taken: Clues that contradict others and are taken away: row, column, value.
        added: Clues of the solution, a changed one among them where one of its cell was taken.
        is_repaired: Whether the puzzle has one solution with them.
        least: Clues that every repair for this solution changes, at least; it is proved.
        is_complete: Whether no limit was hit.
    """

    solution: Any = None
    taken: tuple[PlacedClue, ...] = ()
    added: tuple[PlacedClue, ...] = ()
    is_repaired: bool = False
    least: int = 0
    is_complete: bool = True

    @property
    def num_changes(self) -> int:
        """Places whose clue is taken away, changed or added."""
        return len({clue[:2] for clue in (*self.taken, *self.added)})

    @property
    def is_smallest(self) -> bool:
        """Whether no repair for this solution changes fewer clues."""
        return self.is_repaired and self.num_changes <= self.least

    def repaired(self) -> list[Any]:
        """The repaired puzzle, if there is one."""
        if not self.is_repaired:
            return []
        clues = clues_of(self.puzzle)
        kept = [clue for clue in clues.of(self.puzzle) if clue not in self.taken]
        return [clues.with_only(self.puzzle, [*kept, *self.added])]

    def versions(self, most: int) -> list[Version]:
        """The repaired puzzle for people, up to `most` of its changes in words."""
        marked = sorted({clue[:2] for clue in (*self.taken, *self.added)})
        return [
            Version(puzzle, self.solution, marked, self.changes_in_words(most))
            for puzzle in self.repaired()
        ]

    def changes_in_words(self, most: int = 20) -> str:
        """What is changed: "row 1, column 2 (clue 3) added"."""
        clues = clues_of(self.puzzle)
        told = [f"{clues.told(self.puzzle, one)} taken away" for one in self.taken]
        told += [f"{clues.told(self.puzzle, one)} added" for one in self.added]
        more = [f"and {len(told) - most} more"] if len(told) > most else []
        return "; ".join([*told[:most], *more])

    def told(self) -> str:
        """How many clues to change, and whether fewer will do."""
        if not self.is_repaired:
            if not self.is_complete:
                return f"no repair yet; at least {counted(self.least, 'change')} needed"
            asked = "" if self.solution is None else " for the solution that was found first"
            fewer = f" that changes fewer than {counted(self.least, 'clue')}" if self.least else ""
            return f"there is no repair{asked}{fewer}"
        if not self.num_changes:
            return "nothing to change"
        num = self.num_changes
        does = "change" if self.taken else "add"
        fewer = "fewer are not enough" if self.is_smallest else f"at least {self.least} are needed"
        return f"{counted(num, 'clue')} to {does}, {fewer}"

    def scene(self) -> Scene:
        """The repaired puzzle and its solution, changed clues marked."""
        for puzzle, solution, marked, _ in self.versions(0):
            return Scene(puzzle, solution, marked, self.in_a_line())
        return Scene(self.puzzle, self.solution, caption=self.in_a_line())

    def found_data(self) -> Data:
        """The solution, and of the repair the clues taken away and those added."""
        family, solution = family_of(self.puzzle), self.solution
        told = None if solution is None else family.solution_data(self.puzzle, solution)
        repair = {"taken": [*map(list, self.taken)], "added": [*map(list, self.added)]}
        return {
            "solution": told,
            "repairs": [repair] if self.is_repaired else [],
            "least": self.least,
            "complete": self.is_complete,
        }

    @classmethod
    def found_in(cls, data: Mapping[str, Any], puzzle: Any) -> dict[str, Any]:
        """The fields of that data."""
        told, repairs = data["solution"], data["repairs"]
        taken: tuple[PlacedClue, ...] = ()
        added: tuple[PlacedClue, ...] = ()
        if repairs:
            taken, added = (_clues(repairs[0][name]) for name in ("taken", "added"))
        return {
            "solution": None if told is None else solution_of(puzzle, told),
            "taken": taken,
            "added": added,
            "is_repaired": bool(repairs),
            "least": int(data["least"]),
            "is_complete": bool(data["complete"]),
        }


def _clues(data: Any) -> tuple[PlacedClue, ...]:
    return tuple(tuple(map(int, clue)) for clue in data)
