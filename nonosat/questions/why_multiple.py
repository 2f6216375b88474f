"""Why a nonogram has several solutions: the independent parts of what its solutions differ in.

Cells that are equal in all solutions are settled (`backbones.py`). The others fall into parts, and
every part is sound: its fillings in all solutions do not depend on what the solution is elsewhere,
so the numbers of their fillings multiply to the number of solutions. Three steps, each finer:

* With the settled cells known, the fillings left of a line are often a product of segments
  (`native/count/diagram.hpp`). The cells of a segment belong together. A picture is a solution
  exactly where each of its segments is filled in a way that is left; therefore cells that no chain
  of segments connects are independent of each other.
* What is left of a line by itself may be more than solutions use. Of a line's cells in a part, let
  the engine find all fillings that occur in solutions. Each of them agrees with the clue, so a
  picture all of whose lines have such fillings is a solution, and any solution is one of those
  pictures. Hence the same holds of the factors of these fillings (`factors.py`) as of segments.
* Of a part with few fillings the engine finds all; their factors are the finest parts there are.
  A larger one may fall apart further, though hardly ever does.

How many fillings a part has is counted natively, with all other cells as in one solution: as parts
are independent, it makes no difference which.
"""

from __future__ import annotations

from collections.abc import Iterator
from time import perf_counter
from typing import Any

from nonosat import _core, families
from nonosat.blame import Suspects
from nonosat.board import presolve
from nonosat.errors import BackendError, counted
from nonosat.grid import UNKNOWN
from nonosat.limits import TimeLeft, Watch, as_asked
from nonosat.plugins import Puzzle
from nonosat.processes.guard import Guard, cut_by, left_of, watch_of
from nonosat.puzzles import nonogram
from nonosat.puzzles.nonogram.data import Nonogram
from nonosat.questions.ambiguity import Ambiguity, Switch
from nonosat.questions.asker import WITHOUT_END, Asker
from nonosat.questions.backbone_result import BackboneResult
from nonosat.questions.backbones import backbone
from nonosat.questions.counting import max_bytes
from nonosat.questions.factors import factors
from nonosat.result import Stage, Verdict
from nonosat.solving.findings import Findings

MOST_FILLINGS = 256  # of a part that is taken apart by all of them
MOST_OF_LINE = 24  # of a line in a part
KEPT = 8  # fillings in a result
POOL = 512  # solutions that are remembered
SOON = 20_000_000  # units of native work, about a nanosecond each: is a part small?
LONG = 3_000_000_000  # the same for a number, where no limit of time says how long

SHARE = 0.75  # of the time limit that the backbone may take

Cells = list[int]


def why_multiple(
    puzzle: Puzzle, *, time_limit_s: float | None = None, memory_limit_mib: int | None = None
) -> Ambiguity:
    """Find the independent switches that give a nonogram several solutions.

        >>> puzzle = nonosat.nonogram([[1, 1], [1, 1]], [[1], [1], [], [1], [1]])
        >>> found = nonosat.why_multiple(puzzle)
        >>> [len(switch.cells) for switch in found.switches], found.count
        ([4, 4], 4)

    Args:
        puzzle: A nonogram.
        time_limit_s: Wall seconds; None (or infinity) is without limit.
        memory_limit_mib: Resident memory of the process; None is without limit.

    Returns:
        The switches, each with its number of fillings: exact, or at least, where counting takes
        long. A limit leaves switches that might fall apart further, and cells undecided. Of a
        unique or unsolvable puzzle there are none.

    Raises:
        NotAPuzzleError: It is no puzzle; the message says what to write.
        UnsupportedError: It is a puzzle of another family, or limits are out of range.
        BackendError: A solver failed or gave an answer that the clues refute.
    """
    families.require(puzzle, "nonogram", "why there are several solutions can be asked")
    assert isinstance(puzzle, Nonogram)  # of that family
    watch, started = watch_of(time_limit_s, memory_limit_mib), perf_counter()
    run = _Why(puzzle, watch)
    limit = cut_by(watch, run.work, guarded=False)
    return run.result(limit, perf_counter() - started)


class _Part:
    """Cells that depend on no others, and what is known of them.

    Attributes:
        cells: Ascending.
        count: Fillings, at least.
        is_exact: Whether there are no more.
        fillings: All of them, where they have been found; else none.
    """

    def __init__(self, cells: Cells) -> None:
        self.cells, self.count, self.is_exact = cells, 1, False
        self.fillings: list[bytes] = []


class _Why:
    """What is known so far; its parts are independent of each other at all times."""

    def __init__(self, puzzle: Nonogram, watch: Watch) -> None:
        self._puzzle, self._watch = puzzle, watch
        self._log = Findings(puzzle)
        self._common: BackboneResult | None = None
        self._parts: list[_Part] = []
        self._known: dict[bytes, None] = {}  # cells of solutions, in order
        self._asker: Asker | None = None
        self._board: _core.Board | None = None  # with the settled cells, at its fixpoint

    # The way there

    def work(self) -> None:
        """Find out; LimitReached where a limit is hit."""
        self._common = common = backbone(self._puzzle, **self._share())
        detail = {"differing": len(common.differing), "undecided": common.num_undecided}
        self._log.stages.append(Stage("backbone", common.seconds, 0, detail))
        if common.verdict is not Verdict.MULTIPLE:
            return
        for grid in common.solutions:
            self._known[grid.cells] = None
        cells = common.settled.cells  # of a board
        self._parts = [_Part([at for at, value in enumerate(cells) if value == UNKNOWN])]
        started = perf_counter()
        try:
            with Guard(self._watch):
                self._take_apart(common)
        finally:
            if self._asker is not None:
                self._asker.close()
            self._log.stage("parts", started, parts=len(self._parts))

    def _share(self) -> dict[str, Any]:
        """Limits for the backbone, without which all cells would be one part."""
        left = left_of(self._watch)
        if (left_s := left["time_limit_s"]) is not None:
            left["time_limit_s"] = TimeLeft(SHARE * left_s, as_asked(left_s))
        return left

    def _take_apart(self, common: BackboneResult) -> None:
        task = presolve.Task.of(nonogram.build(self._puzzle), self._watch.check)
        assert task.board is not None
        task.board.assign_cells(common.settled.cells)
        task.propagate(self._watch)
        self._board = task.board.copy()
        self._asker = Asker(task, self._watch, WITHOUT_END)
        self._split(self._parts[0], self._by_segments(task.board))
        for part in [*self._parts]:
            self._refine(part)
        for part in self._parts:
            if not part.is_exact:
                self._count(part, LONG)

    def _split(self, part: _Part, into: list[Cells]) -> list[_Part]:
        """Put finer parts in the place of one."""
        at = self._parts.index(part)
        self._parts[at : at + 1] = made = [_Part(cells) for cells in into]
        return made

    def _refine(self, part: _Part) -> None:
        """Take a part further apart, and count its fillings where that is quick."""
        self._watch.check()
        self._count(part, SOON)
        if part.is_exact and part.count <= MOST_FILLINGS:
            self._take_factors(part)
            return
        finer = self._by_lines(part.cells)
        if len(finer) > 1:
            for one in self._split(part, finer):
                self._refine(one)

    def _take_factors(self, part: _Part) -> None:
        """The finest parts of one of few fillings, which become known."""
        fillings = self._fillings(part.cells, part.count)
        if fillings is None or len(fillings) < part.count:
            raise BackendError(
                f"{part.count} fillings of {counted(len(part.cells), 'cell')} were counted, an "
                f"engine finds {'more' if fillings is None else len(fillings)}"
            )
        found = factors(fillings)
        finer = self._split(part, [[part.cells[at] for at in factor.places] for factor in found])
        for one, factor in zip(finer, found, strict=True):
            one.fillings = [bytes(filling) for filling in factor.fillings]
            one.count, one.is_exact = len(factor.fillings), True

    # Where parts come from

    def _by_segments(self, board: _core.Board) -> list[Cells]:
        """The components of a board's open cells; the board is in use from then on."""
        counter = _core.Counter(board, max_bytes(self._watch))
        if counter.run(0, self._watch.remaining_s(), self._watch.poll) is None:
            raise self._watch.limit()
        parts: dict[int, Cells] = {}
        for cell, number in enumerate(counter.components()):
            if number >= 0:
                parts.setdefault(number, []).append(cell)
        return [*parts.values()]

    def _by_lines(self, cells: Cells) -> list[Cells]:
        """The components of a part by the fillings of its lines that occur in solutions."""
        leader = {cell: cell for cell in cells}

        def root(cell: int) -> int:
            while leader[cell] != cell:
                leader[cell] = cell = leader[leader[cell]]
            return cell

        for line in self._lines_of(cells):
            if len({root(cell) for cell in line}) == 1:
                continue
            fillings = self._fillings(line, MOST_OF_LINE)
            whole = [tuple(range(len(line)))]  # where there are too many
            groups = [one.places for one in factors(fillings)] if fillings else whole
            for places in groups:
                for place in places:
                    leader[root(line[place])] = root(line[places[0]])
        parts: dict[int, Cells] = {}
        for cell in cells:
            parts.setdefault(root(cell), []).append(cell)
        return [*parts.values()]

    def _lines_of(self, cells: Cells) -> Iterator[Cells]:
        """The cells by their rows, then by their columns."""
        for which in range(2):
            lines: dict[int, Cells] = {}
            for cell in cells:
                lines.setdefault(divmod(cell, self._puzzle.width)[which], []).append(cell)
            yield from lines.values()

    # Fillings

    def _fillings(self, cells: Cells, most: int) -> set[bytes] | None:
        """All fillings of cells that occur in solutions; None where there are more than `most`."""
        found = {bytes(known[cell] for cell in cells) for known in self._known}
        if len(found) > most:
            return None
        assert self._asker is not None
        for values in self._asker.others(cells, [*found]):
            grid = nonogram.decode(self._puzzle, values)
            self._log.checked(Suspects(WITHOUT_END.engine), grid)
            if len(self._known) < POOL:
                self._known[grid.cells] = None
            found.add(bytes(grid.cells[cell] for cell in cells))
            if len(found) > most:
                return None
        return found

    def _count(self, part: _Part, work: int) -> None:
        """Count the fillings of a part with all other cells as in the first solution."""
        assert self._board is not None
        first = next(iter(self._known))
        board = self._board.copy()
        others = bytearray(first)
        for cell in part.cells:
            others[cell] = presolve.OPEN
        board.assign_cells(bytes(others))
        counter = _core.Counter(board, max_bytes(self._watch))
        if self._watch.limits.time_s is not None and work == LONG:
            work = 2**60
        is_exact = counter.run(work, self._watch.remaining_s(), self._watch.poll)
        for known in self._known if not is_exact else ():
            for cell in part.cells:
                others[cell] = known[cell]
            counter.note(bytes(others))
        part.count = int.from_bytes(counter.total, "little")
        part.is_exact = bool(is_exact)
        if is_exact is None:
            raise self._watch.limit()

    # The result

    def result(self, reason: str, seconds: float) -> Ambiguity:
        """What was found so far."""
        common = self._common
        parts = sorted(self._parts, key=lambda part: part.cells)
        differing = self._differing()
        switches = [self._switch(part, differing) for part in parts]
        undecided = [
            cell
            for part in parts
            if not part.is_exact
            for cell in self._places(part.cells)
            if cell not in differing
        ]
        return Ambiguity(
            self._puzzle,
            Verdict.UNKNOWN if common is None else common.verdict,
            None if common is None else common.solution,
            tuple(switch for switch in switches if switch.count > 1),
            tuple(sorted(undecided)),
            reason=reason or ("" if common is None else common.reason),
            seconds=seconds,
            stages=tuple(self._log.stages),
            limits=self._watch.limits,
        )

    def _differing(self) -> set[tuple[int, int]]:
        """The cells of which two solutions are known that differ there."""
        if self._common is None:
            return set()
        first, *others = (int.from_bytes(cells, "big") for cells in self._known or [b"\0"])
        changed = 0
        for other in others:
            changed |= first ^ other
        size = self._puzzle.height * self._puzzle.width
        cells = [at for at, value in enumerate(changed.to_bytes(size, "big")) if value]
        known = ((row, column) for row, column in self._common.differing)
        return {*known, *self._places(cells)}

    def _places(self, cells: Cells) -> list[tuple[int, int]]:
        return [divmod(cell, self._puzzle.width) for cell in cells]

    def _switch(self, part: _Part, differing: set[tuple[int, int]]) -> Switch:
        """A part with some fillings, the first solution's first; no undecided cells of it."""
        places = self._places(part.cells)
        sure = [at for at, cell in enumerate(places) if part.is_exact or cell in differing]
        known = (bytes(cells[part.cells[at]] for at in sure) for cells in self._known)
        fillings = [*dict.fromkeys([next(known), *(sorted(part.fillings) or known)])]
        cells, least = tuple(places[at] for at in sure), 1 if part.is_exact else 2
        count = max(part.count, len(fillings), least) if cells else 1
        return Switch(cells, count, part.is_exact, tuple(map(tuple, fillings[:KEPT])))
