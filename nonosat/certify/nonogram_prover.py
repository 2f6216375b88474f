"""Certificates of nonograms: by price tables where they suffice, else by a refutation in clauses.

By prices: find tables, make them small, check them as `verify` does. By clauses: encode the clues
alone, collect lemmas, refute, check, trim.

Lemmas of line propagation and probing come first. Where they end in a contradiction (with the
clues, or with the clause that forbids the solution) no SAT engine runs at all; otherwise one runs
once, without assumptions, on the formula and the facts among the lemmas, and its proof is put
behind them. How the solution was found, and candidates for a second one, leave nothing in a proof.

Invariant: price tables that are written have been checked as `verify` does; proofs are, too.
"""

from __future__ import annotations

from array import array
from contextlib import closing

from nonosat import _core
from nonosat.backends import answer_of, open_backend, values_of
from nonosat.board import presolve
from nonosat.certify import folder
from nonosat.certify.certificate import Certificate
from nonosat.certify.flow_proof import found_flow_proof
from nonosat.certify.open_formula import formula_of
from nonosat.certify.pictures import picture_text
from nonosat.certify.price_proof import PriceProver
from nonosat.certify.price_table import too_large, written
from nonosat.certify.price_verdict import price_proof
from nonosat.certify.prover import Prover
from nonosat.clauses.cnf import Cnf, check_num_vars
from nonosat.core import seams
from nonosat.core.blame import Suspects
from nonosat.core.errors import BackendError, CertificateError, LimitReached, counted
from nonosat.core.grid import Grid
from nonosat.core.limits import Watch
from nonosat.core.plugins import Answer
from nonosat.core.result import Verdict
from nonosat.processes.guard import left_of
from nonosat.puzzles import nonogram
from nonosat.puzzles.nonogram.data import Nonogram
from nonosat.solving import pipeline


class NonogramProver(Prover):
    """Makes the certificate of a nonogram.

    Args:
        puzzle, engine, watch: As for every `Prover`.
        by: "prices", "clauses" or "auto".
        cubes, jobs, veripb: As for `prove`.
    """

    def __init__(
        self,
        puzzle: Nonogram,
        engine: str,
        watch: Watch,
        *,
        by: str,
        cubes: int | None,
        jobs: int | None,
        veripb: bool,
    ) -> None:
        super().__init__(puzzle, engine, watch)
        self.puzzle, self.by, self.cubes, self.jobs = puzzle, by, cubes, jobs
        self._wants_veripb = veripb
        self._solution: Grid | None = None
        self._solved_by: str | None = None
        self.model = nonogram.build(puzzle)
        check_num_vars(self.model.num_vars)

    def find(self) -> None:
        """The first solution, if there is one; by the pipeline, which has a guard of its own."""
        cubes = {"cubes": self.cubes, "jobs": self.jobs}
        result = pipeline.solve(self.puzzle, **cubes, **left_of(self.watch))
        if result.verdict is Verdict.UNKNOWN:
            raise LimitReached(self.watch.reason() or result.reason)
        self.lap("solve")
        self._solved_by = result.backend
        self._solution = result.solutions[0] if result.solutions else None

    def run(self) -> Certificate:
        """The certificate, when it is known whether there is a solution."""
        certificate = self._made(self._solution)
        if self._wants_veripb and certificate.claim != "multiple":
            proof = found_flow_proof(self.puzzle, self._solution, self.watch)
            certificate.files |= {folder.OPB: proof.opb, folder.PBP: proof.pbp}
        return certificate

    def _made(self, solution: Grid | None) -> Certificate:
        if self.by != "clauses" and (found := self._by_prices(solution)) is not None:
            return found
        lemmas, facts, how = self._deduced()
        if how is None and (found := self._nearby(solution)) is not None:
            return found
        seams.doing("encode")
        cells = None if solution is None else solution.cells
        formula = formula_of(self.model, cells, self.watch.check)
        self.lap("encode")
        proof = [lemmas]
        if how is None:
            if self.cubes is None:
                how, other = self.engine, self._refuted(formula, facts, proof)
            else:
                how = f"{self.engine} in {counted(self.cubes, 'cube')}"
                other = self._refuted_in_parts(cells, facts, proof)
            if other is not None:
                assert solution is not None
                return self._multiple(solution, other)
        if solution is not None:
            self.files[folder.SOLUTION] = picture_text(solution)
        claim = "unsolvable" if solution is None else "unique"
        return self.by_clauses(claim, how, formula.num_vars, formula.buffer, b"".join(proof))

    def _nearby(self, solution: Grid | None) -> Certificate | None:
        """Two solutions, where cheap candidates close to the first one have another."""
        if solution is None:
            return None
        for candidate in nonogram.neighbours(self.puzzle, solution):
            self.watch.check()
            if candidate != solution and not nonogram.refutation(self.puzzle, candidate):
                return self._multiple(solution, candidate)
        return None

    def _by_prices(self, solution: Grid | None) -> Certificate | None:
        """The certificate by prices; None where clauses are to prove the claim.

        Raises:
            LimitReached: Nothing but prices is wanted, and they do not suffice.
        """
        why_not, is_wanted = too_large(self.puzzle) or "", self.by == "prices"
        if not why_not:
            cells = None if solution is None else solution.cells
            prover = PriceProver(self.puzzle, self.model, cells, self.watch)
            if not prover.is_open() and not is_wanted:
                return None
            if prover.is_open() and (found := self._nearby(solution)) is not None:
                return found
            # What solves a puzzle by its marginals most likely proves the verdict, too.
            stubborn = is_wanted or self._solved_by == "prices"
            tables, why_not = prover.run(stubborn=stubborn)
            self.lap("prices")
            if not why_not:
                has_solution = solution is not None
                return self._priced(
                    solution, written(self.puzzle, tables, has_solution=has_solution)
                )
        if is_wanted:
            raise LimitReached(f"{why_not}; clauses may prove it")
        return None

    def _priced(self, solution: Grid | None, data: bytes) -> Certificate:
        """Check price tables as anybody would, and put everything together."""
        try:
            cells = None if solution is None else solution.cells
            proof = price_proof(self.puzzle, cells, data, self.watch)
        except CertificateError as error:
            raise BackendError(f"the proof by prices is wrong: {error}") from None
        if solution is not None:
            self.files[folder.SOLUTION] = picture_text(solution)
        self.files[folder.PRICES] = data
        self.lap("check")
        claim = "unsolvable" if solution is None else "unique"
        return Certificate(claim, "prices", self.files, seconds=self.seconds, prices=proof)

    def _deduced(self) -> tuple[bytes, array[int], str | None]:
        """Lemmas as DRAT, the facts among them as clauses, and what settled the puzzle, if so."""
        seams.doing("lemmas")
        task = presolve.Task.of(self.model, self.watch.check)
        assert task.board is not None
        deduction, how = _core.Deduction(task.board), "propagation"
        is_open = self.ask(deduction.propagate) and task.num_open() > 0
        if is_open:
            task.reserve(self.watch)
            how, progress = "probing", self.ask(deduction.probe, presolve.PROBE_WORK)
            is_open = progress != _core.Progress.CONTRADICTION and task.num_open() > 0
        clauses, facts = self.ask(_core.lemmas, task.board, deduction.take_steps())
        text = _core.dimacs_text(array("i", clauses))
        self.lap("lemmas")
        return text, array("i", facts), None if is_open else how

    def _refuted(self, formula: Cnf, facts: array[int], proof: list[bytes]) -> Grid | None:
        """Let the engine refute the formula; a solution where it finds one instead."""
        seams.doing(f"refutation by {self.engine}")
        options = {"proof": "yes"}
        engine = open_backend(self.engine, formula.num_vars, 0, options, self.watch)
        with closing(engine):
            engine.add_batch(formula.buffer)
            engine.add_batch(facts)
            for line in self.model.lines:
                engine.observe(line)
            answer = answer_of(self.engine, engine.solve((), self.watch))
            if answer is Answer.UNKNOWN:
                raise self.watch.limit()
            found: Grid | None = None
            if answer is Answer.SAT:
                values = values_of(self.engine, engine.values(), self.model.num_vars)
                found = nonogram.decode(self.puzzle, values)
            else:
                proof.append(engine.proof())
        self.lap("engine")
        return found

    def _refuted_in_parts(
        self, solution: bytes | None, facts: array[int], proof: list[bytes]
    ) -> Grid | None:
        """The same, cube by cube, in processes of their own."""
        from nonosat.certify.parts import Partition

        assert self.cubes is not None
        seams.doing(f"refutation by {self.engine} in {counted(self.cubes, 'cube')}")
        partition = Partition(self.puzzle, solution, facts.tobytes(), self.engine, self.watch)
        found = partition.run(self.cubes, self.jobs)
        if found is None:
            proof += partition.proof()
        self.lap("engine")
        return found

    def _multiple(self, first: Grid, second: Grid) -> Certificate:
        for name, grid in ((folder.SOLUTION, first), (folder.SECOND, second)):
            if mistake := nonogram.refutation(self.puzzle, grid):
                advice = Suspects(self.engine).advice()
                what = f"{self.engine} gave a solution that the clues refute: {mistake}"
                raise BackendError(what, advice=advice)
            self.files[name] = picture_text(grid)
        return Certificate("multiple", "search", self.files, seconds=self.seconds)
