"""Result of `backbone`, with its conversion to words, pictures and JSON data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from nonosat.core.errors import counted
from nonosat.core.families import family_of
from nonosat.core.grid import UNKNOWN, Grid
from nonosat.core.limits import polled
from nonosat.core.presenting import Data, Scene
from nonosat.core.result import Verdict
from nonosat.questions.place_assignment import PlaceAssignment
from nonosat.questions.reply import Reply

Places = tuple[tuple[int, ...], ...]
DIFFERS, UNDECIDED = "?", "_"  # in rows of JSON data, in addition to the puzzle's own symbols


def symbols(puzzle: Any) -> str:
    """Return one character for each value of a cell; ".#" for puzzles without such characters."""
    found: str = getattr(puzzle, "symbols", ".#")
    return found


@dataclass(frozen=True, slots=True, repr=False)
class BackboneResult(Reply):
    """Backbone of a puzzle: values common to all solutions; other fields are those of `Reply`.

        >>> found = nonosat.backbone(nonosat.nonogram([[1], [1], [1]], [[1], [1], [1]]))
        >>> found
        <BackboneResult: nonogram: 3 rows x 3 columns: 0 cells settled, 9 differ>
        >>> nonosat.BackboneResult.from_data(found.to_data()) == found  # without `solutions`
        True

    Args:
        verdict: `unique`, `multiple`, `unsolvable`; `unknown` if a limit left that open.
        settled: Values that are equal in all solutions. For a puzzle with rows and columns of
            clues a grid, whose other cells are `grid.UNKNOWN`; else a `PlaceAssignment`.
        differing: Places in which some two solutions differ, in order: cells (row, column), or
            places of the `PlaceAssignment`.
        solutions: Verified solutions, all different: the first `KEPT` that were found.
        cells: For each solution a byte per place, in the order of `settled`.
    """

    verdict: Verdict
    settled: Any
    differing: Places = ()
    solutions: tuple[Any, ...] = field(default=(), compare=False)
    cells: tuple[bytes, ...] = field(default=(), compare=False)

    @property
    def solution(self) -> Any:
        """First solution, if there is one."""
        return self.solutions[0] if self.solutions else None

    @property
    def undecided(self) -> Places:
        """Places that a limit left undecided.

        They are computed on each access, because on a large board they take more memory than the
        search.
        """
        if not self.num_undecided:
            return ()
        settled, known = self.settled, set(self.differing)
        places = (settled.place(at) for at, value in enumerate(settled.cells) if value == UNKNOWN)
        return tuple(place for place in polled(places) if place not in known)

    @property
    def num_undecided(self) -> int:
        """Number of undecided places."""
        if self.verdict is Verdict.UNSOLVABLE:
            return 0
        return self._num_open() - len(self.differing)

    @property
    def num_settled(self) -> int:
        """Number of places that are equal in all solutions."""
        return len(self.settled.cells) - self._num_open()

    def _num_open(self) -> int:
        cells: bytes = self.settled.cells
        return cells.count(UNKNOWN)

    @property
    def marked(self) -> Places:
        """Places to mark in a picture: the differing ones, then the undecided ones."""
        return (*self.differing, *self.undecided)

    @property
    def is_complete(self) -> bool:
        """True if every place is proven settled or differing."""
        return self.verdict is not Verdict.UNKNOWN and not self.num_undecided

    def description(self) -> str:
        """Return the numbers of settled, differing and undecided places in words."""
        part = family_of(self.puzzle).part
        text = f"{counted(self.num_settled, part)} settled, {len(self.differing)} differ"
        return f"{text}, {self.num_undecided} undecided" if self.num_undecided else text

    def scene(self) -> Scene:
        """Return a solution, or the settled cells of a board; other places are marked."""
        if self.verdict is Verdict.UNSOLVABLE:
            return Scene(self.puzzle, caption=self.in_a_line())
        known = self.settled if isinstance(self.settled, Grid) else None
        return Scene(self.puzzle, self.solution or known, self.marked, self.in_a_line())

    def found_data(self) -> Data:
        """Return the settled places as data; `solutions` are left out.

        A board is given by its rows, with "?" if cells differ, "_" if they are undecided; else by
        the places that are chosen in every solution, and those in none.
        """
        undecided = self.undecided
        board = self.settled if isinstance(self.settled, Grid) else None
        legend = family_of(self.puzzle).legend(self.puzzle) if board else None
        return {
            "verdict": self.verdict.value,
            "backbone": self._rows(board) if board else self.settled.to_data(),
            **({"legend": legend} if legend else {}),
            "differing": [list(place) for place in polled(self.differing)],
            "undecided": list(map(list, polled(undecided))),
        }

    def _rows(self, board: Grid) -> list[str]:
        signs = symbols(self.puzzle)
        rows = [list(row) for row in board.lines(signs.ljust(UNKNOWN, DIFFERS) + DIFFERS)]
        for row, column in polled(self.undecided):
            rows[row][column] = UNDECIDED
        return ["".join(row) for row in rows]

    @classmethod
    def found_in(cls, data: Mapping[str, Any], puzzle: Any) -> dict[str, Any]:
        """Return constructor arguments from the data that `found_data` returned."""
        differing = tuple(tuple(map(int, place)) for place in data["differing"])
        found, verdict = data["backbone"], Verdict(data["verdict"])
        settled: Any
        if isinstance(found, Mapping):
            settled = PlaceAssignment.from_data(found, [*differing, *data["undecided"]])
        else:
            rows = [list(row) for row in found]
            for row, column in data["undecided"]:
                rows[int(row)][int(column)] = DIFFERS
            settled = Grid.of_rows(["".join(row) for row in rows], symbols(puzzle))
        return {"verdict": verdict, "settled": settled, "differing": differing}
