"""Native parts of proofs for nonograms: price tables, lemmas from line propagation and probing.

These derivations replace the refutation by an engine, or shorten it. Price tables are reduced in
size. If a cheap candidate near the first solution is a second solution, no proof is needed. The
clues are encoded completely, before any propagation, so the proof does not depend on the way the
solution was found.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from itertools import combinations
from typing import NamedTuple

from nonosat import _core
from nonosat.board import presolve
from nonosat.certify.price_proof import PriceProver
from nonosat.certify.price_table import too_large, written
from nonosat.clauses.cnf import Cnf
from nonosat.clauses.translate import translate
from nonosat.core.errors import LimitReached
from nonosat.core.grid import Grid
from nonosat.core.limits import Watch
from nonosat.core.model import Clause, Count, Line, Model
from nonosat.puzzles import nonogram
from nonosat.puzzles.nonogram.data import Nonogram


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
