"""Step by step solver of nonograms: always the easiest technique, on the easiest line for it.

The native core has the techniques that only propagate lines (native/explain/); prices and guesses
come after them. Invariant: every step follows from the knowledge before it. A guess follows if
`is_proven`; if not, it agrees with a known solution.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import TYPE_CHECKING, Any

from nonosat import _core
from nonosat.core.grid import UNKNOWN
from nonosat.core.wording import sentence
from nonosat.explain.nonogram.guessing import Guesser
from nonosat.explain.nonogram.knowledge import Impossible, Knowledge, Removal, task_of
from nonosat.explain.nonogram.pricing import Argument, argument, price_table
from nonosat.explain.nonogram.step import GRADES, Cell, Step, of_native
from nonosat.explain.nonogram.words import Words

if TYPE_CHECKING:
    from nonosat.core.limits import Watch
    from nonosat.puzzles.nonogram import Nonogram


class Reasoner:
    """Steps on a board by propagation of lines, the easiest first.

    Args:
        puzzle: The puzzle.
        known: The known values; changed by every step.
        watch: Limits of the work.
        lines: The lines whose clues may be used; empty for all. With some lines only, `next` tries
            no assumptions.
        hardest: A grade; techniques for several lines that are harder are not tried.
        is_brief: True to apply all refuted assumptions at once, in steps without words, instead of
            only the easiest one. The final state is the same.

    Attributes:
        known: The known values so far.
    """

    def __init__(
        self,
        puzzle: Nonogram,
        known: Knowledge,
        watch: Watch,
        lines: Collection[int] = (),
        hardest: int = GRADES["guess"],
        *,
        is_brief: bool = False,
    ) -> None:
        self.known = known
        self.words = Words(puzzle)
        self._watch = watch
        self._native = _core.Explainer(
            known.board, self.words.native, sorted(lines), hardest, is_brief
        )

    def next(self) -> Step | None:
        """Return the next step by any of these techniques; None if none finds one.

        Raises:
            Impossible: A line has no placement.
            LimitReached: A limit of the watch is reached.
        """
        return self._found(self._native.next)

    def line_step(self) -> Step | None:
        """Return the easiest step that one line allows; None if no line allows any.

        Raises:
            Impossible, LimitReached: As for `next`.
        """
        return self._found(self._native.line_step)

    def refute(self, place: int) -> Step | None:
        """Return the step that refutes a value of a place by these lines; None if they refute none.

        No line may allow a step.

        Raises:
            LimitReached: A limit of the watch is reached.
        """
        return self._found(self._native.refute, place)

    def _found(self, native: Callable[..., Any], *arguments: int) -> Step | None:
        cells = self.known.cells
        self._watch.doing("cells settled", len(cells) - cells.count(UNKNOWN), len(cells))
        step, broken = self._watch.result_of(native, *arguments)
        if broken is not None:
            line, text = broken
            raise Impossible(text, line)
        return None if step is None else of_native(step)

    def assumptions(self) -> list[tuple[int, int, int]]:
        """Return (place, value, number of values that it rules out) if `next` has found nothing."""
        return self._native.assumptions

    def take(self, removals: list[Removal]) -> tuple[list[Removal], list[Removal]]:
        """Remove values from the board.

        Returns:
            (place, value) of the cells that have one value left now; the removals from cells that
            stay open.
        """
        return self._native.take(removals)

    def cells(self, pairs: list[tuple[int, int]]) -> tuple[Cell, ...]:
        """Return (row, column, value) for each (place, value)."""
        return tuple((*divmod(place, self.known.width), value) for place, value in pairs)

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
        is_now = self.words.outcome(settled, ruled_out)
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


def needed(steps: list[Step], known: Knowledge, places: Collection[int]) -> tuple[Step, ...]:
    """Return the steps on which the values of the given places depend."""
    uses = []
    for step in steps:
        cells = (*step.settled, *step.ruled_out)
        changed = [row * known.width + column for row, column, _ in cells]
        lines = [*step.lines, *(link.line for link in step.chain)]
        # It may use any lines; a search that refutes a guess depends on the clues alone.
        uses.append((lines, changed, step.technique == "either way"))
    kept = _core.needed_steps(uses, [*places], known.height, known.width)
    return tuple(steps[at] for at in kept)


class Solver:
    """Solver of a nonogram, step by step up to the solution.

    Args:
        puzzle: The puzzle.
        watch: Limits of the work.
        known: The initial knowledge, which must not be known to be wrong; None for the given cells
            of the puzzle.
        hardest: As for `Reasoner`.
        is_brief: As for `Reasoner`.
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
        self._hardest, self._puzzle, self._watch = hardest, puzzle, watch
        known = known or Knowledge(puzzle)
        self.reasoner = Reasoner(puzzle, known, watch, (), hardest, is_brief=is_brief)
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
        while step := self.reasoner.next() or self._further_step():
            yield step

    def _further_step(self) -> Step | None:
        """Return a step by prices or a guess; None if there is none."""
        if self.known.board.is_complete or self._hardest < GRADES["prices"]:
            return None
        task = task_of(self._puzzle, self.known, self._watch)
        task.propagate(self._watch)
        if priced := argument(self.known, task, self._watch):
            return self.reasoner.price_step(priced)
        return self._guess() if self._hardest >= GRADES["guess"] else None

    def _guess(self) -> Step | None:
        """Return the step of a guess; None if each open cell differs in two solutions.

        Raises:
            Impossible: A search finds that there is no solution.
        """
        guess = self.guesser.next(self.known, self.reasoner.assumptions())
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
        is_now = names.scattered(settled, ruled_out)
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
