"""Step by step solver of nonograms: always the easiest technique, on the easiest line for it.

A line is easier than another if an easier technique finds something in it. Of equally easy lines
the one with the smaller score min(open cells, slack) comes first (the greedy order of document 000,
an article), then the one in which more cells are decided, then the first. Invariant: every step
follows from the knowledge before it. A guess follows if `is_proven`; if not, it agrees with a
known solution.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from heapq import heappop, heappush, heapreplace
from typing import TYPE_CHECKING

from nonosat import _core
from nonosat.board import presolve
from nonosat.core.grid import UNKNOWN
from nonosat.core.wording import lines_listed, sentence
from nonosat.explain.nonogram import words
from nonosat.explain.nonogram.arguing import Arguing, LineStep
from nonosat.explain.nonogram.guessing import Guesser
from nonosat.explain.nonogram.knowledge import Impossible, Knowledge, Removal
from nonosat.explain.nonogram.pricing import Argument, argument, price_table
from nonosat.explain.nonogram.probing import Prober, Refuted, refuting, task_of
from nonosat.explain.nonogram.step import GRADES, Cell, Step
from nonosat.explain.nonogram.words import Words

if TYPE_CHECKING:
    from nonosat.core.limits import Watch
    from nonosat.puzzles.nonogram import Nonogram

MOST_REFUTED = 400  # limit of assumptions from which the easiest to refute is chosen


class Reasoner:
    """Line arguments on a board, the easiest first.

    Args:
        puzzle: The puzzle.
        known: The known values; changed by every step.
        watch: Limits of the work.
        lines: The lines whose clues may be used; None for all.

    Attributes:
        known: The known values so far.
        news: The removals since this list was last emptied.
    """

    def __init__(
        self,
        puzzle: Nonogram,
        known: Knowledge,
        watch: Watch,
        lines: frozenset[int] | None = None,
    ) -> None:
        self.puzzle = puzzle
        self.known = known
        self.news: list[Removal] = []
        self.words = Words(puzzle)
        self._watch = watch
        self._lines = lines
        self._changed = set(range(len(known.clues)) if lines is None else lines)
        self._seen: dict[int, Arguing] = {}  # of lines that allow a step
        # Lines by a lower bound on the difficulty of their step; some entries are out of date.
        self._heap: list[tuple[tuple[int, int, int], int, int, Arguing]] = []
        self._num_entries = 0  # distinguishes two entries of a line

    def line_step(self) -> Step | None:
        """Return the easiest step that one line allows; None if no line allows any.

        Raises:
            Impossible: A line has no placement.
            LimitReached: A limit of the watch is reached.
        """
        size = len(self.known.cells)
        self._watch.doing("cells settled", size - self.known.cells.count(UNKNOWN), size)
        for line in sorted(self._changed):
            self._watch.check()
            self._evaluate(line)
        self._changed.clear()
        easiest = self._easiest()
        if easiest is None:
            return None
        line, seen = easiest
        span = self.known.span(line)
        settled, ruled_out = self.take([(span[at], value) for at, value in seen.removals])
        so = self.words.outcome(
            {span.index(place): value for place, value in settled},
            [(span.index(place), value) for place, value in ruled_out],
        )
        text = seen.description.format(line=self.words.line(line), so=so, inks=self.words.inks)
        return Step(
            seen.technique, (line,), self.cells(settled), self.cells(ruled_out), sentence(text)
        )

    def _evaluate(self, line: int) -> None:
        """Queue a line for a step if its clue rules out values.

        Raises:
            Impossible: The line has no placement.
        """
        known = self.known
        self._seen.pop(line, None)
        found = Arguing(known.clues[line], tuple(known.planes(line)), known.inside(line))
        if found.removals is None:
            text = f"{self.words.line(line)} has no placement that fits the known cells"
            raise Impossible(text, line)
        if found.removals:
            self._seen[line] = found
            self._num_entries += 1
            heappush(self._heap, (found.order, line, self._num_entries, found))

    def _easiest(self) -> tuple[int, LineStep] | None:
        """Return the line with the easiest step, the first of equals; None if no line has one."""
        heap, seen = self._heap, self._seen
        while heap:
            _, line, entry, found = heap[0]
            if seen.get(line) is not found:  # an outdated entry
                heappop(heap)
            elif found.found is not None:
                return line, found.found
            else:
                found.advance()
                heapreplace(heap, (found.order, line, entry, found))
        return None

    def take(self, removals: list[Removal]) -> tuple[list[Removal], list[Removal]]:
        """Remove values from the board.

        Returns:
            (place, value) of the cells that have one value left now; the removals from cells that
            stay open.
        """
        self.known.apply(removals)
        self.news += removals
        places = sorted({place for place, _ in removals})
        for place in places:
            through = self.known.through(place)
            self._changed.update(
                line for line in through if self._lines is None or line in self._lines
            )
        cells = self.known.cells
        settled = [(place, cells[place]) for place in places if cells[place] != UNKNOWN]
        return settled, [gone for gone in removals if cells[gone[0]] == UNKNOWN]

    def cells(self, pairs: list[tuple[int, int]]) -> tuple[Cell, ...]:
        """Return (row, column, value) for each (place, value)."""
        return tuple((*divmod(place, self.known.width), value) for place, value in pairs)

    # Steps with an assumption

    def refutation_step(self, refuted: Refuted) -> Step:
        """Return the step that refutes an assumption."""
        names = self.words
        settled, ruled_out = self.take([(refuted.place, refuted.value)])
        lines = [link.line for link in refuted.chain]
        last = names.line(lines[-1])
        if refuted.is_parallel:
            between = sorted(set(lines) - {lines[0], lines[-1]})
            passing = lines_listed(between, self.known.height)
            how = f"{names.line(lines[0])} and then {passing} would leave no room for {last}"
        elif len(lines) == 1:
            how = f"there would be no room for {last}"
        elif len(lines) <= words.SHOWN_LINES:
            way = ", then ".join(names.short(line) for line in lines[:-1])
            how = f"{way} would leave no room for {last}"
        else:
            how = f"a chain of {len(lines) - 1} deductions in lines would leave no room for {last}"
        is_now = names.scattered(dict(settled), ruled_out)
        text = (
            f"if {names.place(refuted.place)} were {names.value(refuted.value)}, {how}, so {is_now}"
        )
        return Step(
            "parallel lines" if refuted.is_parallel else "probing",
            tuple(dict.fromkeys(lines)),
            self.cells(settled),
            self.cells(ruled_out),
            sentence(text),
            assumed=refuting(refuted, self.known.width),
            chain=refuted.chain,
        )

    def refutations_step(self, refuted: list[tuple[int, int]]) -> Step:
        """Return the step that refutes many assumptions, without a derivation."""
        settled, ruled_out = self.take(refuted)
        return Step("probing", (), self.cells(settled), self.cells(ruled_out), "")

    def either_step(self, at: int, agreed: list[tuple[int, int]]) -> Step:
        """Return the step for a place if all its possible values imply the same values of others.

        Args:
            at: The place.
            agreed: (place, value) of the others.
        """
        names = self.words
        values = " or ".join(names.value(value) for value in self.known.values(at))
        gone = [one for place, value in agreed for one in self.known.settling(place, value)]
        row, column = divmod(at, self.known.width)
        lines = self.known.through(at)
        settled, _ = self.take(gone)
        text = (
            f"whether {names.place(at)} is {values}, it follows line by line that "
            f"{names.scattered(dict(settled))}"
        )
        return Step(
            "either way",
            lines,
            self.cells(settled),
            (),
            sentence(text),
            assumed=(row, column, UNKNOWN),
        )

    # A step by prices

    def price_step(self, found: Argument) -> Step:
        """Return the step that rules out values whose loss exceeds the slack of a price table."""
        settled, ruled_out = self.take(found.removals)
        table = price_table(found, self.known.width)
        inks = self.words.inks[1:]
        filled = inks[0] if len(inks) == 1 else "coloured"
        slack = found.earned - found.paid
        so = "so every row earns its maximum and every column pays its minimum"
        if slack:
            so = (
                f"so all lines together can miss these bounds by at most {slack}, and no cell has "
                "a value that costs its row and its column more than that"
            )
        is_now = self._outcome(dict(settled), ruled_out)
        text = (
            f"by prices of cells: rows earn the prices of their {filled} cells and columns pay "
            "them, so in a solution both sums are equal. Together the rows can earn at most "
            f"{found.earned}, and the columns must pay at least {found.paid}, {so}: {is_now}"
        )
        return Step(
            "prices",
            table.lines(self.known.height),
            self.cells(settled),
            self.cells(ruled_out),
            sentence(text),
            prices=table,
        )

    def _outcome(self, settled: dict[int, int], ruled_out: list[Removal]) -> str:
        """Describe changes of cells anywhere on the board; only their number if they are many."""
        if len(settled) + len(ruled_out) <= words.SHOWN_MARKS:
            return self.words.scattered(settled, ruled_out)
        return self.words.counted(settled, len(ruled_out))


def needed(steps: list[Step], known: Knowledge, places: Collection[int]) -> tuple[Step, ...]:
    """Return the steps on which the values of the given places depend."""
    kept: list[Step] = []
    spans: list[range] = []
    for step in reversed(steps):
        cells = (*step.settled, *step.ruled_out)
        changed = {row * known.width + column for row, column, _ in cells}
        if not changed.isdisjoint(places) or any(at in span for span in spans for at in changed):
            kept.append(step)
            lines = [*step.lines, *(link.line for link in step.chain)]
            spans += [known.span(line) for line in lines]
            # It may use any lines; a search that refutes a guess depends on the clues alone.
            if step.technique == "either way":
                spans.append(range(known.height * known.width))
    return tuple(reversed(kept))


class Solver:
    """Solver of a nonogram, step by step up to the solution.

    Args:
        puzzle: The puzzle.
        watch: Limits of the work.
        known: The initial knowledge, which must not be known to be wrong; None for the given cells
            of the puzzle.
        hardest: A grade; techniques for several lines that are harder are not tried.
        is_brief: True to apply all refuted assumptions at once, in steps without words, instead of
            only the easiest one. The final state is the same.
    """

    def __init__(
        self,
        puzzle: Nonogram,
        watch: Watch,
        known: Knowledge | None = None,
        hardest: int = GRADES["guess"],
        *,
        is_brief: bool = False,
    ) -> None:
        self._hardest, self._is_brief = hardest, is_brief
        self._puzzle = puzzle
        self._watch = watch
        self.reasoner = Reasoner(puzzle, known or Knowledge(puzzle), watch)
        self._prober = Prober(watch)
        self._task: presolve.PresolvedModel | None = None
        self.guesser = Guesser(puzzle, watch)

    @property
    def known(self) -> Knowledge:
        return self.reasoner.known

    def steps(self) -> Iterator[Step]:
        """Yield steps until all cells are settled, or each open cell differs in two solutions.

        Raises:
            Impossible: There is no solution.
            LimitReached: A limit of the watch is reached.
        """
        while step := self.reasoner.line_step() or self._further_step():
            yield step

    def _further_step(self) -> Step | None:
        """Return the easiest step with assumptions, prices or a guess; None if there is none."""
        if UNKNOWN not in self.known.cells or self._hardest < GRADES["parallel lines"]:
            return None
        if refuted := self._prober.kept(self.known):
            return self.reasoner.refutation_step(refuted)
        outlook = self._look_ahead()
        if self._is_brief and outlook.refuted:
            return self.reasoner.refutations_step(outlook.refuted)
        if refuted := self._prober.easiest(self.known, outlook.refuted):
            return self.reasoner.refutation_step(refuted)
        if outlook.either:
            return self.reasoner.either_step(*outlook.either)
        if self._hardest < GRADES["prices"]:
            return None
        assert self._task is not None
        if priced := argument(self.known, self._task, self._watch):
            return self.reasoner.price_step(priced)
        return self._guess(outlook) if self._hardest >= GRADES["guess"] else None

    def _look_ahead(self) -> _core.Outlook:
        """Propagate lines under each assumption about an open cell; return all consequences."""
        watch = self._watch
        if self._task is None:
            self._task = task_of(self._puzzle, self.known, watch)
            self.reasoner.news.clear()
        board = self._task.board
        assert board is not None
        for place, value in self.reasoner.news:
            board.remove(place, value)
        self.reasoner.news.clear()
        self._task.propagate(watch)
        return watch.result_of(_core.look_ahead, board, MOST_REFUTED)

    def _guess(self, outlook: _core.Outlook) -> Step | None:
        """Return the step of a guess; None if each open cell differs in two solutions.

        Raises:
            Impossible: A search finds that there is no solution.
        """
        guess = self.guesser.next(self.known, outlook.open)
        if guess is None:
            return None
        names = self.reasoner.words
        lines = self.known.through(guess.place)
        settled, ruled_out = self.reasoner.take([(guess.place, guess.value)])
        how = "a search refutes the opposite"
        if not guess.is_proven:
            how = (
                f"a search of {guess.conflicts} conflicts did not refute the opposite, but a known "
                "solution has this value"
            )
        is_now = names.scattered(dict(settled), ruled_out)
        text = (
            "a guess, because neither a line nor a single assumption, followed line by line, "
            f"settles a cell: {is_now}; {how}"
        )
        return Step(
            "guess",
            lines,
            self.reasoner.cells(settled),
            self.reasoner.cells(ruled_out),
            sentence(text),
            searched=guess.conflicts,
            is_proven=guess.is_proven,
        )
