"""Native parts of proofs for nonograms: price tables, lemmas from line propagation and probing.

These derivations replace the refutation by an engine, or shorten it. For price tables the lines of
the board are propagated to their fixpoint without probing, as in the checkers. A table that does
not prove the claim may still exclude values of cells; then another one is computed for the
remaining fillings. The numbers of a table are made as small as the claim allows. If a cheap
candidate near the first solution is a second solution, no proof is needed. The clues are encoded
completely, before any propagation, so the proof does not depend on the way the solution was found.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from itertools import combinations
from typing import NamedTuple

from nonosat import _core
from nonosat.board import presolve, prices
from nonosat.board.presolve import PresolvedModel
from nonosat.certify.price_check import ClaimedPrices
from nonosat.certify.price_table import MOST_TABLES, distance_of, natively, too_large, written
from nonosat.clauses.cnf import Cnf
from nonosat.clauses.translate import translate
from nonosat.core.errors import LimitReached, counted
from nonosat.core.grid import Grid
from nonosat.core.limits import Watch
from nonosat.core.model import Clause, Count, Line, Model
from nonosat.puzzles import nonogram
from nonosat.puzzles.nonogram.data import Nonogram

# Work limit of a search that is unlikely to succeed: of the 13 puzzles of the survey that lines
# leave open prices prove 6, 3 of which look hopeless at first; none of them takes 0.1 s.
_BRIEF = 100_000_000  # units of native work
_PER_CELL = 1_000_000  # n-domino 20 takes 10,000 for each open cell, n-domino 100 200,000
_MOST_HALVINGS = 60


class Derivation(NamedTuple):
    """Result of a derivation: another solution, price tables, or lemmas for a proof in clauses.

    Args:
        other: A solution that differs from the known one.
        tables: The file of the price tables.
        lemmas: DRAT in text.
        facts: The clauses among the lemmas, each ended by 0.
        how: "propagation" or "probing" if the lemmas refute everything else; else "".
    """

    other: Grid | None = None
    tables: bytes = b""
    lemmas: bytes = b""
    facts: array[int] = array("i")
    how: str = ""


class Deriver:
    """Derivations for one nonogram.

    Args:
        puzzle: The puzzle.
        watch: Limits of all steps.
        lap: Called at the end of each stage with its name.

    Attributes:
        model: The model that engines receive.
    """

    def __init__(self, puzzle: Nonogram, watch: Watch, lap: Callable[[str], None]) -> None:
        self.puzzle, self.model = puzzle, nonogram.build(puzzle)
        self._watch, self._lap = watch, lap

    def derived(self, solution: Grid | None, by: str, *, stubborn: bool) -> Derivation:
        """Derive a complete or partial proof that no solution other than the given one exists.

        Args:
            solution: The solution; None if there is none.
            by: "prices", "clauses" or "auto".
            stubborn: Search for prices for longer.

        Raises:
            LimitReached: Only prices are permitted, and they do not suffice.
        """
        if by != "clauses":
            is_required = by == "prices"
            found = self._priced(
                solution, is_required=is_required, stubborn=stubborn or is_required
            )
            if isinstance(found, Derivation):
                return found
            if is_required:
                raise LimitReached(f"{found}; clauses may prove it")
        lemmas = self._deduced()
        other = None if lemmas.how else self._nearby(solution)
        return lemmas if other is None else Derivation(other=other)

    def _nearby(self, solution: Grid | None) -> Grid | None:
        """Return another solution if there is one among cheap candidates near the first one."""
        if solution is None:
            return None
        for candidate in nonogram.neighbours(self.puzzle, solution):
            self._watch.check()
            if candidate != solution and not nonogram.refutation(self.puzzle, candidate):
                return candidate
        return None

    def _priced(
        self, solution: Grid | None, *, is_required: bool, stubborn: bool
    ) -> Derivation | str:
        """Search for price tables that prove the claim, or for another solution.

        Returns:
            The tables or the solution; else, as text, the reason why clauses must prove the claim.
        """
        puzzle = self.puzzle
        if why_not := too_large(puzzle):
            return why_not
        cells = None if solution is None else solution.cells
        prover = PriceProver(puzzle, self.model, cells, self._watch)
        if not prover.is_open() and not is_required:
            return "lines prove it"
        if prover.is_open() and (other := self._nearby(solution)) is not None:
            return Derivation(other=other)
        tables, why_not = prover.run(stubborn=stubborn)
        self._lap("prices")
        if why_not:
            return why_not
        return Derivation(tables=written(puzzle, tables, has_solution=solution is not None))

    def _deduced(self) -> Derivation:
        """Return lemmas of propagation, and of probing if propagation leaves cells open."""
        self._watch.doing("lemmas")
        task = presolve.PresolvedModel.of(self.model, self._watch.check)
        assert task.board is not None
        deduction, how = _core.Deduction(task.board), "propagation"
        is_open = self._watch.result_of(deduction.propagate) and task.num_open() > 0
        if is_open:
            task.reserve(self._watch)
            how, progress = "probing", self._watch.result_of(deduction.probe, presolve.PROBE_WORK)
            is_open = progress != _core.Progress.CONTRADICTION and task.num_open() > 0
        clauses, facts = self._watch.result_of(_core.lemmas, task.board, deduction.take_steps())
        text = _core.dimacs_text(array("i", clauses))
        self._lap("lemmas")
        return Derivation(lemmas=text, facts=array("i", facts), how="" if is_open else how)

    def formula(self, solution: Grid | None) -> Cnf:
        """Return the encoded clues and the clause that forbids the solution."""
        cells = None if solution is None else solution.cells
        return formula_of(self.model, cells, self._watch.check)


def formula_of(model: Model, solution: bytes | None, pause: Callable[[], None]) -> Cnf:
    """Return the encoded clues and the clause that forbids the solution.

    Args:
        model: The model of a nonogram.
        solution: One byte per cell; None if there is none.
        pause: Called every few milliseconds; an exception raised by it ends the work.
    """
    model.refuse_others("a certificate of lines", Clause, Count, Line)
    formula = Cnf(model.num_vars)
    for clause in model.clauses:
        formula.add(clause.lits)
    for count in model.counts:
        pause()
        pairs = combinations(count.lits, 2)
        formula.add_batch(array("i", [n for a, b in pairs for n in (-a, -b, 0)]))
    lines = Model(model.num_vars, lines=model.lines)
    translate(lines, formula, {"line": "order"}, pause=pause)
    if solution is not None:
        shape = presolve.rectangle(model)
        assert shape is not None
        # not the verifier's `forbidding`, so that they share no bug
        values = shape.values(solution)
        formula.add([-v if values[v] else v for v in range(1, len(values))])
    return formula


class FoundTables(NamedTuple):
    """Result of a search for tables.

    Args:
        tables: The tables; all of them are needed if they prove the claim.
        why_not: Reason in words why they do not prove the claim; "" if they do.
    """

    tables: list[ClaimedPrices]
    why_not: str


class PriceProver:
    """Search for the tables of one puzzle after propagation of its lines.

    Args:
        puzzle: A puzzle that is not too large (`price_table.too_large`).
        model: Model of the puzzle.
        solution: The only known solution, one byte per cell, row-major; None for the claim that
            there is none.
        watch: Polled throughout.
    """

    def __init__(
        self, puzzle: Nonogram, model: Model, solution: bytes | None, watch: Watch
    ) -> None:
        watch.doing("prices")
        self.puzzle, self.solution, self._watch = puzzle, solution, watch
        self._goal = distance_of(puzzle, has_solution=solution is not None)
        self._task = PresolvedModel.of(model, watch.check)
        self._is_consistent = self._task.propagate(watch)

    def is_open(self) -> bool:
        """Return True if propagation alone leaves the puzzle open."""
        return self._is_consistent and self._task.num_open() > 0

    def run(self, *, stubborn: bool) -> FoundTables:
        """Search for tables.

        Args:
            stubborn: Continue for long even if success is unlikely.
        """
        board = self._task.board
        assert board is not None
        tables: list[ClaimedPrices] = []
        while self.is_open():
            if len(tables) == MOST_TABLES:
                return FoundTables(tables, f"{MOST_TABLES} price tables do not prove it")
            priced = self._priced(stubborn)
            tables.append(self._table(priced))
            if priced.bound < self._goal:
                tables[-1] = self._smaller(tables)
                break
            ruled_out = priced.ruled_out(self._goal, self._watch)
            if not ruled_out:
                bound = counted(priced.bound, "cell")
                return FoundTables(
                    tables, f"the price bound is {bound}, expected below {self._goal}"
                )
            for cell, value in ruled_out:
                board.remove(cell, value)
            self._is_consistent = self._task.propagate(self._watch)
        return FoundTables(tables, "")

    def _priced(self, stubborn: bool) -> prices.PriceResult:
        """Search for one table."""
        work = min(prices.WORK, _BRIEF + _PER_CELL * self._task.num_open())
        found = self._searched(work, stubborn=stubborn)
        if stubborn or found.bound < self._goal:
            return found
        return self._searched(_BRIEF, stubborn=True)

    def _searched(self, work: int, *, stubborn: bool) -> prices.PriceResult:
        if self.solution is None:
            return prices.find(self._task, self._watch, work=work, stubborn=stubborn)
        return prices.refute_others(
            self._task, self.solution, self._watch, work=work, stubborn=stubborn
        )

    def _table(self, priced: prices.PriceResult) -> ClaimedPrices:
        """Return the best table over all cells, with a price of 0 for empty.

        The native search makes the lowest remaining value of a cell free; if that is a colour, the
        cell cannot be empty.
        """
        found = priced.table(self._watch.check)
        width = self.puzzle.width
        planes = tuple([[0] * width for _ in self.puzzle.rows] for _ in self.puzzle.colours)
        for (cell, value), price in found.prices.items():
            planes[value - 1][cell // width][cell % width] = price
        return ClaimedPrices(found.scale, planes)

    def _smaller(self, tables: list[ClaimedPrices]) -> ClaimedPrices:
        """Return the last table with smaller numbers, as long as they still prove the claim."""
        *before, best = tables
        whole = _divided(best, 1, best.scale)
        first = best = whole if self._is_proven([*before, whole]) else best
        for halvings in range(1, _MOST_HALVINGS):
            smaller = _divided(first, first.scale, 2**halvings)
            if smaller == best or not self._is_proven([*before, smaller]):
                break
            best = smaller
        return best

    def _is_proven(self, tables: list[ClaimedPrices]) -> bool:
        """Return True if the bound of the last table proves the claim without propagation."""
        found = natively(self.puzzle, self.solution, tables, self._watch)
        return found.is_proven and found.bound < self._goal * tables[-1].scale


def _divided(table: ClaimedPrices, scale: int, divisor: int) -> ClaimedPrices:
    """Return the table with another scale, its prices divided and rounded."""
    planes = (
        [[(2 * price + divisor) // (2 * divisor) for price in row] for row in plane]
        for plane in table.prices
    )
    return ClaimedPrices(scale, tuple(planes))
