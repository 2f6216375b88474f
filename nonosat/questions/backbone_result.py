"""What all solutions of a puzzle have in common: told in words, pictures and JSON data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from nonosat.errors import counted
from nonosat.grid import UNKNOWN, Grid
from nonosat.presenting import Data, Scene
from nonosat.questions.reply import Reply
from nonosat.result import Verdict

Places = tuple[tuple[int, int], ...]
DIFFERS, UNDECIDED = "?", "_"  # in rows of JSON data, beside the puzzle's own symbols


@dataclass(frozen=True, slots=True, repr=False)
class BackboneResult(Reply):
    """What all solutions of a puzzle have in common; the other fields are those of `Reply`.

        >>> found = nonosat.backbone(nonosat.nonogram([[1], [1], [1]], [[1], [1], [1]]))
        >>> found
        <BackboneResult: nonogram: 3 rows x 3 columns: 0 cells settled, 9 differ>
        >>> nonosat.BackboneResult.from_data(found.to_data()) == found  # without `solutions`
        True

    Args:
        verdict: `unique`, `multiple`, `unsolvable`; `unknown` where a limit left that open.
        settled: The cells that are equal in all solutions; the others are `grid.UNKNOWN`.
        differing: Cells (row, column), row-major, in which some two solutions differ.
        solutions: Verified solutions, all different: the first `KEPT` that were found.
    """

    verdict: Verdict
    settled: Grid
    differing: Places = ()
    solutions: tuple[Grid, ...] = field(default=(), compare=False)

    @property
    def solution(self) -> Grid | None:
        """The first solution, if there is one."""
        return self.solutions[0] if self.solutions else None

    @property
    def undecided(self) -> Places:
        """Cells (row, column) that are proven neither way, because a limit was hit.

        They are made of `settled` when they are asked for: of a large board they take more memory
        than all that led to them.
        """
        if not self.num_undecided:
            return ()
        cells, width, known = self.settled.cells, self.settled.width, set(self.differing)
        places = (divmod(at, width) for at, value in enumerate(cells) if value == UNKNOWN)
        return tuple(place for place in places if place not in known)

    @property
    def num_undecided(self) -> int:
        """How many cells are proven neither way."""
        if self.verdict is Verdict.UNSOLVABLE:
            return 0
        return self.settled.cells.count(UNKNOWN) - len(self.differing)

    @property
    def is_complete(self) -> bool:
        """Whether every cell is proven one way or the other."""
        return self.verdict is not Verdict.UNKNOWN and not self.num_undecided

    def told(self) -> str:
        """How many cells are settled, differ or are undecided."""
        known = len(self.settled.cells) - self.settled.cells.count(UNKNOWN)
        text = f"{counted(known, 'cell')} settled, {len(self.differing)} differ"
        return f"{text}, {self.num_undecided} undecided" if self.num_undecided else text

    def scene(self) -> Scene:
        """A solution, or what is settled of it; cells that are not are marked."""
        if self.verdict is Verdict.UNSOLVABLE:
            return Scene(self.puzzle, caption=self.in_a_line())
        marked = (*self.differing, *self.undecided)
        return Scene(self.puzzle, self.solution or self.settled, marked, self.in_a_line())

    def found_data(self) -> Data:
        """Rows of settled cells, "?" where they differ, "_" undecided; `solutions` are left out."""
        signs = self.puzzle.symbols
        rows = [list(row) for row in self.settled.lines(signs.ljust(UNKNOWN, DIFFERS) + DIFFERS)]
        undecided = self.undecided
        for row, column in undecided:
            rows[row][column] = UNDECIDED
        legend = self.puzzle.legend
        return {
            "verdict": self.verdict.value,
            "backbone": ["".join(row) for row in rows],
            **({"legend": legend} if legend else {}),
            "differing": [list(cell) for cell in self.differing],
            "undecided": list(map(list, undecided)),
        }

    @classmethod
    def found_in(cls, data: Mapping[str, Any], puzzle: Any) -> dict[str, Any]:
        """The fields of that data."""
        differing = tuple((int(row), int(column)) for row, column in data["differing"])
        rows = [list(row) for row in data["backbone"]]
        for row, column in data["undecided"]:
            rows[int(row)][int(column)] = DIFFERS
        return {
            "verdict": Verdict(data["verdict"]),
            "settled": Grid.of_rows(["".join(row) for row in rows], puzzle.symbols),
            "differing": differing,
        }
