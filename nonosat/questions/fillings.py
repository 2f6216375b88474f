"""How solutions fill some of a puzzle's cells: what is asked to find switches.

Cells are numbered as in a backbone: the cells of a board, or the places that a model decides. A
filling is a byte a cell.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from nonosat.core.families import family_of
from nonosat.core.plugins import Puzzle
from nonosat.questions.asker import Questioned
from nonosat.solving.findings import Findings

Cells = list[int]
FillingsOf = Callable[[Cells], Iterable[bytes] | None]


class Fillings(ABC):
    """What can be asked of a puzzle whose backbone is known.

    Args:
        puzzle: The puzzle.
        asker: Knows the model, and what is settled.
    """

    def __init__(self, puzzle: Puzzle, asker: Questioned) -> None:
        self.puzzle, self.asker = puzzle, asker
        self._decode = family_of(puzzle).decode
        self._log = Findings(puzzle)

    def others(self, cells: Sequence[int], known: Iterable[bytes]) -> Iterator[bytes]:
        """Verified solutions, a byte a cell, each of which fills these cells in a new way."""
        for values in self.asker.others(cells, known):
            self._log.decoded(self._suspects(), values)
            yield self._cells_of(values)

    @abstractmethod
    def components(self) -> list[Cells]:
        """The cells that are not settled, in parts that are independent at sight."""

    @abstractmethod
    def scopes(self, cells: Cells) -> Iterator[Cells]:
        """Those of the cells that each rule speaks of.

        Whoever fills all scopes as solutions do keeps all rules, but for what `dependent` adds.
        """

    def dependent(self, parts: Sequence[Cells], fillings_of: FillingsOf) -> list[int]:
        """The indices of parts that are not shown to be independent of each other.

        Args:
            parts: Independent as far as scopes tell.
            fillings_of: The fillings of a part that occur in solutions; None where they are many.
        """
        del parts, fillings_of
        return []

    @abstractmethod
    def count(
        self, cells: Cells, first: bytes, known: Iterable[bytes], work: int
    ) -> tuple[int, bool]:
        """Count the ways to fill cells with all others as in a solution.

        Args:
            cells: To be filled.
            first: The solution.
            known: Others, whose fillings of the cells occur.
            work: Units of native work.

        Returns:
            The number, or one that it is not below, and whether it is exact.

        Raises:
            LimitReached: The watch ended it.
        """

    @abstractmethod
    def _cells_of(self, values: bytes) -> bytes: ...
    @abstractmethod
    def _suspects(self) -> Any: ...
