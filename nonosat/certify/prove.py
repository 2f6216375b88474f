"""Writing certificates: by price tables where they suffice, else by a refutation in clauses.

By prices: find tables, make them small, check them as `verify` does. By clauses: encode the clues
alone, collect lemmas, refute, check, trim.

Lemmas of line propagation and probing come first. Where they end in a contradiction (with the
clues, or with the clause that forbids the solution) no SAT engine runs at all; otherwise one runs
once, without assumptions, on the formula and the facts among the lemmas, and its proof is put
behind them. How the solution was found, and candidates for a second one, leave nothing in a proof.

Invariant: a proof that is written has been checked, clauses by the native backward checker, and
holds only the lemmas that the checker needed.
"""

from __future__ import annotations

from array import array
from contextlib import closing
from time import perf_counter
from typing import Any

from nonosat import _core, families, plugins, seams
from nonosat.backends import answer_of, open_backend, values_of
from nonosat.blame import Suspects
from nonosat.board import presolve
from nonosat.certify import folder
from nonosat.certify.certificate import Certificate
from nonosat.certify.flow_proof import found_flow_proof
from nonosat.certify.open_formula import formula_of
from nonosat.certify.pictures import picture_text
from nonosat.certify.price_proof import PriceProver
from nonosat.certify.price_table import too_large, written
from nonosat.certify.price_verdict import price_proof
from nonosat.clauses.cnf import Cnf, check_num_vars
from nonosat.errors import (
    BackendError,
    CertificateError,
    LimitReached,
    UnsupportedError,
    alternatives,
    counted,
    shown,
)
from nonosat.formats import jsonl
from nonosat.grid import Grid
from nonosat.limits import Limits, Watch
from nonosat.plugins import Answer
from nonosat.processes.guard import Guard, left_of, within
from nonosat.puzzles import nonogram
from nonosat.puzzles.nonogram.data import Nonogram
from nonosat.result import Options, Verdict
from nonosat.solving import pipeline
from nonosat.solving.choices import choices_of

# `prove`, CPU seconds on 22 bundled puzzles that need an engine: 20, learn-lines 23, glucose421 26,
# cadical195 42; n-domino 20 alone: 56, 53, 49, 59 (benchmarks/native/PROOFS.md).
ENGINE = "learn"
WAYS = ("auto", "prices", "clauses")


def prove(
    puzzle: Nonogram,
    *,
    by: str = "auto",
    engine: str | None = None,
    cubes: int | None = None,
    jobs: int | None = None,
    veripb: bool = False,
    time_limit_s: float | None = None,
    memory_limit_mib: int | None = None,
) -> Certificate:
    """Decide a puzzle and certify the verdict, for others to check.

        >>> certificate = nonosat.prove(nonosat.nonogram([[2], [1]], [[1], [2]]))
        >>> certificate.claim
        'unique'

    `certificate.write(folder)` writes its files, which `verify` and other checkers read.

    Args:
        puzzle: Any nonogram.
        by: What proves that there is no other solution, or none: "prices", "clauses", or "auto":
            clauses where propagation alone leaves nothing open or an engine or cubes are asked for,
            else prices where they suffice, else clauses.
        engine: A backend that writes proofs (`plugins.Backend.proves`); "learn" by default.
        cubes, jobs: As in `nonosat.solve`: the cubes' refutations are put together to one.
        veripb: Add the clues in OPB, and a proof by prices in VeriPB's format, for checkers of
            pseudo-Boolean proofs; a puzzle with several solutions has none.
        time_limit_s: Wall seconds for everything.
        memory_limit_mib: Resident memory of this process, and of the engine's.

    Raises:
        NotAPuzzleError: It is no puzzle; the message says what to write.
        LimitReached: A limit was hit, or prices alone do not suffice; the message says which.
        UnsupportedError: The engine writes no proofs, the board has too many variables, it is no
            nonogram, or an engine or cubes are asked for where prices have to do.
        BackendError: The engine failed, or its proof is wrong.
    """
    families.require(puzzle, "nonogram", "proofs are written")
    by = _way(by, engine, cubes)
    engine = engine or ENGINE
    plugins.require_proofs(engine)
    if jobs is not None and cubes is None:
        raise UnsupportedError("a proof by several processes is one of cubes; say how many cubes")
    wanted = Options(backend=engine, cubes=cubes, jobs=jobs)
    choices_of(wanted)  # refuses engines that decide no cubes
    watch = Watch(Limits(time_limit_s, memory_limit_mib))

    def work() -> Certificate:
        with Guard(watch):
            prover = _Prover(puzzle, by, engine, cubes, jobs, watch)
        solution = prover.solution()  # by the pipeline, which has a guard of its own
        with Guard(watch):
            certificate = prover.run(solution)
            if veripb and certificate.claim != "multiple":
                proof = found_flow_proof(puzzle, solution, watch)
                certificate.files |= {folder.OPB: proof.opb, folder.PBP: proof.pbp}
            return certificate

    return within(watch, work, guarded=False)


def _way(by: str, engine: str | None, cubes: int | None) -> str:
    """The way that is asked for; who names an engine or cubes asks for clauses."""
    if by not in WAYS:
        raise UnsupportedError(f"{shown(by)} proves nothing; these do: {alternatives(WAYS)}")
    if engine is None and cubes is None:
        return by
    if by == "prices":
        raise UnsupportedError("engines and cubes prove by clauses; leave them out, or prices")
    return "clauses"


class _Prover:
    def __init__(
        self,
        puzzle: Nonogram,
        by: str,
        engine: str,
        cubes: int | None,
        jobs: int | None,
        watch: Watch,
    ) -> None:
        self.puzzle, self.by, self.engine, self.watch = puzzle, by, engine, watch
        self.cubes, self.jobs = cubes, jobs
        self._solved_by: str | None = None
        self.model = nonogram.build(puzzle)
        check_num_vars(self.model.num_vars)
        self.files = {folder.PUZZLE: jsonl.write([puzzle])}
        self.seconds: dict[str, float] = {}
        self._started = perf_counter()

    def run(self, solution: Grid | None) -> Certificate:
        """The certificate, when it is known whether there is a solution."""
        if self.by != "clauses" and (found := self._by_prices(solution)) is not None:
            return found
        lemmas, facts, how = self._deduced()
        if how is None and (found := self._nearby(solution)) is not None:
            return found
        cells = None if solution is None else solution.cells
        formula = formula_of(self.model, cells, self.watch.check)
        self._lap("encode")
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
        return self._certificate(solution, formula, proof, how)

    def _lap(self, stage: str) -> None:
        now = perf_counter()
        self.seconds[stage], self._started = now - self._started, now

    def solution(self) -> Grid | None:
        """The first solution, if there is one."""
        cubes = {"cubes": self.cubes, "jobs": self.jobs}
        result = pipeline.solve(self.puzzle, **cubes, **left_of(self.watch))
        if result.verdict is Verdict.UNKNOWN:
            raise LimitReached(self.watch.reason() or result.reason)
        self._lap("solve")
        self._solved_by = result.backend
        return result.solutions[0] if result.solutions else None

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
            self._lap("prices")
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
        self._lap("check")
        claim = "unsolvable" if solution is None else "unique"
        return Certificate(claim, "prices", self.files, seconds=self.seconds, prices=proof)

    def _deduced(self) -> tuple[bytes, array[int], str | None]:
        """Lemmas as DRAT, the facts among them as clauses, and what settled the puzzle, if so."""
        seams.doing("lemmas")
        task = presolve.Task.of(self.model, self.watch.check)
        assert task.board is not None
        deduction, how = _core.Deduction(task.board), "propagation"
        is_open = self._ask(deduction.propagate) and task.num_open() > 0
        if is_open:
            task.reserve(self.watch)
            how, progress = "probing", self._ask(deduction.probe, presolve.PROBE_WORK)
            is_open = progress != _core.Progress.CONTRADICTION and task.num_open() > 0
        clauses, facts = self._ask(_core.lemmas, task.board, deduction.take_steps())
        text = _core.dimacs_text(array("i", clauses))
        self._lap("lemmas")
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
        self._lap("engine")
        return found

    def _refuted_in_parts(
        self, solution: bytes | None, facts: array[int], proof: list[bytes]
    ) -> Grid | None:
        """The same, cube by cube, in processes of their own."""
        from nonosat.certify.parts import Partition

        assert self.cubes is not None
        partition = Partition(self.puzzle, solution, facts.tobytes(), self.engine, self.watch)
        found = partition.run(self.cubes, self.jobs)
        if found is None:
            proof += partition.proof()
        self._lap("engine")
        return found

    def _multiple(self, first: Grid, second: Grid) -> Certificate:
        for name, grid in ((folder.SOLUTION, first), (folder.SECOND, second)):
            if mistake := nonogram.refutation(self.puzzle, grid):
                advice = Suspects(self.engine).advice()
                what = f"{self.engine} gave a solution that the clues refute: {mistake}"
                raise BackendError(what, advice=advice)
            self.files[name] = picture_text(grid)
        return Certificate("multiple", "search", self.files, seconds=self.seconds)

    def _certificate(
        self, solution: Grid | None, formula: Cnf, proof: list[bytes], how: str
    ) -> Certificate:
        """Check and trim the proof, and put everything together."""
        seams.doing("check of the proof")
        clauses, text = formula.buffer.tobytes(), b"".join(proof)
        try:
            checked = self._ask(_core.check_drat, formula.num_vars, clauses, text, True)
        except ValueError as error:
            advice = Suspects(how).advice()
            raise BackendError(f"the proof of {how} is wrong: {error}", advice=advice) from None
        num_logged, num_lemmas, drat, lrat = checked
        self._lap("check")
        if solution is not None:
            self.files[folder.SOLUTION] = picture_text(solution)
        header = f"p cnf {formula.num_vars} {formula.num_clauses}\n".encode()
        self.files[folder.FORMULA] = header + _core.dimacs_text(formula.buffer)
        self.files |= {folder.DRAT: drat, folder.LRAT: lrat}
        claim = "unsolvable" if solution is None else "unique"
        self._lap("write")
        sizes = (formula.num_clauses, num_lemmas, num_logged)
        return Certificate(claim, how, self.files, *sizes, seconds=self.seconds)

    def _ask(self, native: Any, *arguments: Any) -> Any:
        """The answer of native code, within the limits."""
        answer = native(*arguments, remaining_s=self.watch.remaining_s(), poll=self.watch.poll)
        if answer is None:
            raise self.watch.limit()
        return answer
