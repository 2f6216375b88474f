"""Fillings of the cells of a board, whose rules are its lines.

With the settled cells known, the fillings left of a line are often a product of segments
(`native/count/diagram.hpp`). The cells of a segment belong together. A picture is a solution
exactly where each of its segments is filled in a way that is left; therefore cells that no chain of
segments connects are independent of each other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from nonosat import _core
from nonosat.board import presolve
from nonosat.core.blame import Suspects
from nonosat.core.grid import Grid
from nonosat.core.limits import Watch
from nonosat.core.plugins import Puzzle
from nonosat.questions.asker import WITHOUT_END, Asker
from nonosat.questions.counting import max_bytes
from nonosat.questions.fillings import Cells, Fillings


class BoardFillings(Fillings):
    """What can be asked of a board.

    Args:
        puzzle: The puzzle.
        task: Its board, without what is settled.
        settled: What is.
        watch: Ends all work.
    """

    def __init__(self, puzzle: Puzzle, task: presolve.Task, settled: Grid, watch: Watch) -> None:
        assert task.board is not None
        task.board.assign_cells(settled.cells)
        task.propagate(watch)
        self._board = task.board.copy()
        self._first = task.board
        self._watch = watch
        super().__init__(puzzle, Asker(task, watch, WITHOUT_END))

    def components(self) -> list[Cells]:
        """The components of the board's open cells."""
        counter = _core.Counter(self._first, max_bytes(self._watch))
        if counter.run(0, self._watch.remaining_s(), self._watch.poll) is None:
            raise self._watch.limit()
        parts: dict[int, Cells] = {}
        for cell, number in enumerate(counter.components()):
            if number >= 0:
                parts.setdefault(number, []).append(cell)
        return [*parts.values()]

    def scopes(self, cells: Cells) -> Iterator[Cells]:
        """The cells by their rows, then by their columns."""
        for which in range(2):
            lines: dict[int, Cells] = {}
            for cell in cells:
                lines.setdefault(divmod(cell, self.puzzle.width)[which], []).append(cell)
            yield from lines.values()

    def count(
        self, cells: Cells, first: bytes, known: Iterable[bytes], work: int
    ) -> tuple[int, bool]:
        board = self._board.copy()
        others = bytearray(first)
        for cell in cells:
            others[cell] = presolve.OPEN
        board.assign_cells(bytes(others))
        counter = _core.Counter(board, max_bytes(self._watch))
        is_exact = counter.run(work, self._watch.remaining_s(), self._watch.poll)
        for solution in known if not is_exact else ():
            for cell in cells:
                others[cell] = solution[cell]
            counter.note(bytes(others))
        if is_exact is None:
            raise self._watch.limit()
        return int.from_bytes(counter.total, "little"), is_exact

    def _cells_of(self, values: bytes) -> bytes:
        grid: Grid = self._decode(self.puzzle, values)
        return grid.cells

    def _suspects(self) -> Suspects:
        return Suspects(WITHOUT_END.engine)
