"""Writing certificates: solve, encode the clues alone, collect lemmas, refute, check, trim.

Lemmas of line propagation and probing come first. Where they end in a contradiction (with the
clues, or with the clause that forbids the solution) no SAT engine runs at all; otherwise one runs
once, without assumptions, on the formula and the facts among the lemmas, and its proof is put
behind them. How the solution was found, and candidates for a second one, leave nothing in a proof.

Invariant: a proof that is written has been checked by the native backward checker, and holds only
the lemmas that the checker needed.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Any, Self

from nonosat import _core, families, plugins, seams
from nonosat.backends import open_backend
from nonosat.blame import Suspects
from nonosat.board import presolve
from nonosat.certify import folder
from nonosat.certify.flow_proof import found_flow_proof
from nonosat.certify.open_formula import formula_of
from nonosat.certify.pictures import picture_text
from nonosat.clauses.cnf import Cnf, check_num_vars
from nonosat.errors import BackendError, LimitReached, counted
from nonosat.formats import jsonl
from nonosat.grid import Grid
from nonosat.limits import Limits, Watch
from nonosat.plugins import Answer
from nonosat.presenting import Data, Presented, reading
from nonosat.processes.guard import Guard, left_of, within
from nonosat.puzzles import nonogram
from nonosat.puzzles.nonogram.data import Nonogram
from nonosat.result import Options, Verdict
from nonosat.solving import pipeline
from nonosat.solving.choices import choices_of
from nonosat.versions import versions

# `prove`, CPU seconds on 22 bundled puzzles that need an engine: 20, learn-lines 23, glucose421 26,
# cadical195 42; n-domino 20 alone: 56, 53, 49, 59 (benchmarks/native/PROOFS.md).
ENGINE = "learn"


@dataclass(slots=True, repr=False)
class Certificate(Presented):
    """A verdict, and the files that certify it; `prove` gives it.

        >>> certificate = nonosat.prove(nonosat.nonogram([[2], [1]], [[1], [2]]))
        >>> certificate
        <Certificate: unique by propagation, 13 clauses, 3 lemmas>
        >>> [*certificate.files]
        ['puzzle.json', 'solution.txt', 'formula.cnf', 'proof.drat', 'proof.lrat']
        >>> nonosat.Certificate.from_data(certificate.to_data()) == certificate
        True

    Attributes:
        claim: "unique", "unsolvable" or "multiple".
        how: What ended the matter: "propagation", "probing", the engine's name, or "search" for a
            second solution.
        files: Content by name.
        num_clauses, num_lemmas: Of the formula and of the proof; 0 where there is none.
        num_logged: Lemmas before trimming, which drops what is not needed, and gives each root
            literal that is needed a lemma.
        seconds: By stage.
    """

    claim: str
    how: str
    files: dict[str, bytes]
    num_clauses: int = 0
    num_lemmas: int = 0
    num_logged: int = 0
    seconds: dict[str, float] = field(default_factory=dict, compare=False)

    def write(self, target: str | Path, *, force: bool = False) -> None:
        """Write it into a folder that is new or empty.

        Args:
            target: The folder.
            force: It may hold another certificate, which is replaced.

        Raises:
            UnsupportedError: There is something else already, or nothing can be put there.
        """
        made = {"how": self.how, **versions()}
        folder.write(Path(target), self.claim, self.files, made, replaces=force)

    def __str__(self) -> str:
        clauses, lemmas = self.num_clauses, self.num_lemmas
        sizes = f", {counted(clauses, 'clause', ',')}, {counted(lemmas, 'lemma', ',')}"
        return f"{self.claim} by {self.how}{sizes if clauses else ''}"

    def to_data(self) -> Data:
        """The certificate as JSON data, the text of its files included."""
        return {
            "claim": self.claim,
            "how": self.how,
            "files": {name: content.decode() for name, content in self.files.items()},
            "clauses": self.num_clauses,
            "lemmas": self.num_lemmas,
            "logged": self.num_logged,
            "seconds": dict(self.seconds),
            "versions": versions(),
        }

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Self:
        """The certificate of such data; whether it holds is for `verify` to say."""
        with reading(cls):
            files = {str(name): content.encode() for name, content in data["files"].items()}
            clauses, lemmas, logged = (int(data[name]) for name in ("clauses", "lemmas", "logged"))
            seconds = dict(data["seconds"])
            return cls(data["claim"], data["how"], files, clauses, lemmas, logged, seconds)


def prove(
    puzzle: Nonogram,
    *,
    engine: str = ENGINE,
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
        engine: A backend that writes proofs (`plugins.Backend.proves`).
        cubes, jobs: As in `nonosat.solve`: the cubes' refutations are put together to one.
        veripb: Add the clues in OPB, and a proof by prices in VeriPB's format, for checkers of
            pseudo-Boolean proofs; a puzzle with several solutions has none.
        time_limit_s: Wall seconds for everything.
        memory_limit_mib: Resident memory of this process, and of the engine's.

    Raises:
        NotAPuzzleError: It is no puzzle; the message says what to write.
        LimitReached: A limit was hit, or prices do not prove what `veripb` asks for.
        UnsupportedError: The engine writes no proofs, the board has too many variables, or it is
            no nonogram.
        BackendError: The engine failed, or its proof is wrong.
    """
    families.require(puzzle, "nonogram", "proofs are written")
    plugins.require_proofs(engine)
    wanted = Options(backend=engine, cubes=cubes, jobs=jobs)
    choices_of(wanted)  # refuses engines that decide no cubes
    watch = Watch(Limits(time_limit_s, memory_limit_mib))

    def work() -> Certificate:
        with Guard(watch):
            prover = _Prover(puzzle, engine, cubes, jobs, watch)
        solution = prover.solution()  # by the pipeline, which has a guard of its own
        with Guard(watch):
            certificate = prover.run(solution)
            if veripb and certificate.claim != "multiple":
                proof = found_flow_proof(puzzle, solution, watch)
                certificate.files |= {folder.OPB: proof.opb, folder.PBP: proof.pbp}
            return certificate

    return within(watch, work, guarded=False)


class _Prover:
    def __init__(
        self, puzzle: Nonogram, engine: str, cubes: int | None, jobs: int | None, watch: Watch
    ) -> None:
        self.puzzle, self.engine, self.watch = puzzle, engine, watch
        self.cubes, self.jobs = cubes, jobs
        self.model = nonogram.build(puzzle)
        check_num_vars(self.model.num_vars)
        self.files = {folder.PUZZLE: jsonl.write([puzzle])}
        self.seconds: dict[str, float] = {}
        self._started = perf_counter()

    def run(self, solution: Grid | None) -> Certificate:
        """The certificate, when it is known whether there is a solution."""
        lemmas, facts, how = self._deduced()
        if how is None and solution is not None:
            for candidate in nonogram.neighbours(self.puzzle, solution):
                self.watch.check()
                if candidate != solution and not nonogram.refutation(self.puzzle, candidate):
                    return self._multiple(solution, candidate)
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
        return result.solutions[0] if result.solutions else None

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
            answer = engine.solve((), self.watch)
            if answer is Answer.UNKNOWN:
                raise self.watch.limit()
            found = nonogram.decode(self.puzzle, engine.values()) if answer is Answer.SAT else None
            if found is None:
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
