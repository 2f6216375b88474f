"""Certificates for puzzles of every family.

The verdict is computed first, by the pipeline, or from the own model of a family that is not built
in. Two solutions are a certificate. Otherwise price tables prove the verdict of a nonogram if they
suffice (`certify.derived`). Otherwise an engine refutes the rules (`certify.formula`) together with
the clause that forbids the solution, in one run and without assumptions. For a nonogram, lemmas of
propagation and probing come first, and the engine refutes the rest. If the engine returns a model
whose loop consists of several cycles, cuts that the model violates are added and the engine is run
again, until the formula is unsatisfiable.

Invariant: price tables are written after the same check as in `verify`. A proof has been checked by
the native backward checker, and contains only the lemmas that the checker needed. The formula
contains only cuts that the verifier's `Cutter` accepts.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from itertools import starmap
from time import perf_counter
from typing import Any, NamedTuple

from nonosat import _core
from nonosat.backends import open_backend
from nonosat.certify import cuts, folder, witness
from nonosat.certify.certificate import Certificate
from nonosat.certify.cuts import Border, Cut, Walls
from nonosat.certify.derived import Derivation, Deriver
from nonosat.certify.formula import Formula
from nonosat.certify.price_table import price_proof
from nonosat.certify.proof_steps import VERSIONS
from nonosat.certify.rules import rules_of
from nonosat.certify.witness import Witness
from nonosat.clauses.cnf import check_num_vars, split
from nonosat.core import plugins
from nonosat.core.answer_source import AnswerSource
from nonosat.core.errors import (
    BackendError,
    CertificateError,
    LimitReached,
    RefutedError,
    UnsupportedError,
    alternatives,
    counted,
    shown,
)
from nonosat.core.families import family_of, name_of
from nonosat.core.grid import Grid
from nonosat.core.limits import Limits, Watch, left_of
from nonosat.core.model import Loop
from nonosat.core.plugins import Answer, Puzzle
from nonosat.core.result import Options, Verdict
from nonosat.core.scope import within
from nonosat.encodings.loop_cells import separators
from nonosat.encodings.loop_cut_sets import CutSets
from nonosat.formats import jsonl
from nonosat.puzzles import nonogram
from nonosat.puzzles.nonogram.data import Nonogram
from nonosat.solving import models, pipeline
from nonosat.solving.choices import choices_of
from nonosat.solving.oracle import Oracle

# `prove`, CPU seconds on 22 bundled puzzles that need an engine: 20, learn-lines 23, glucose421 26,
# cadical195 42; n-domino 20 alone: 56, 53, 49, 59 (benchmarks/native/PROOFS.md).
ENGINE = "learn"
WAYS = ("auto", "prices", "clauses")


def prove(
    puzzle: Puzzle,
    *,
    by: str = "auto",
    engine: str | None = None,
    cubes: int | None = None,
    jobs: int | None = None,
    veripb: bool | str = False,
    time_limit_s: float | None = None,
    memory_limit_mib: int | None = None,
) -> Certificate:
    """Decide a puzzle and certify the verdict, for others to check.

        >>> certificate = nonosat.prove(nonosat.nonogram([[2], [1]], [[1], [2]]))
        >>> certificate.claim
        'unique'
        >>> nonosat.prove(nonosat.slitherlink(["33", "33"]))
        <Certificate: unsolvable by learn, 93 clauses, 9 lemmas>

    `certificate.write(folder)` writes its files, which `verify` and other checkers read.

    Args:
        puzzle: A puzzle of any family. The rules of a family that is not built in are those of its
            own model, and certificates record this.
        by: Kind of proof that there is no (other) solution: "prices" (nonograms only), "clauses",
            or "auto": clauses if propagation alone decides the puzzle or an engine or cubes are
            given, else prices if they suffice, else clauses.
        engine: A backend that writes proofs (`plugins.Backend.proves`); "learn" by default.
        cubes, jobs: As in `nonosat.solve`; the refutations of the cubes are composed into one
            (nonograms only).
        veripb: Add the clues of a nonogram in OPB, and a proof in VeriPB's format, for checkers of
            pseudo-Boolean proofs; a puzzle with several solutions has none. The proof is by prices
            if the certificate is, or if propagation alone decides the puzzle; otherwise it derives
            the clauses of the formula from the clues, and then the lemmas. "2.0" or "3.0" is the
            version of the format; True is the latter.
        time_limit_s: Wall seconds for everything.
        memory_limit_mib: Resident memory of this process and of the engine's process.

    Raises:
        NotAPuzzleError: `puzzle` is not a puzzle; the message gives the expected form.
        LimitReached: A limit was hit, or prices alone do not suffice; the message gives the reason.
        UnsupportedError: The engine writes no proofs, the board has too many variables, an engine
            or cubes are given with by="prices", or an option for nonograms with another puzzle.
        BackendError: The engine failed, or its proof is wrong.
    """
    name = name_of(puzzle)  # raises if `puzzle` is not a puzzle
    by = _way(by, engine, cubes)
    engine = engine or ENGINE
    plugins.require_proofs(engine)
    if jobs is not None and cubes is None:
        raise UnsupportedError("a proof by several processes needs cubes; set the number of cubes")
    # Raises for engines that do not support cubes.
    choices_of(Options(backend=engine, cubes=cubes, jobs=jobs), family_of(puzzle))
    watch = Watch(Limits(time_limit_s, memory_limit_mib))
    if not isinstance(puzzle, Nonogram):
        _refuse_parts(name, cubes)
        _refuse_prices(name, by, veripb)
    ways = _ProveOptions(by, engine, cubes, jobs, _version(veripb))
    return within(watch, partial(_certificate, puzzle, ways, watch))


def _certificate(puzzle: Puzzle, ways: _ProveOptions, watch: Watch) -> Certificate:
    """Return the certificate, within the limits of a watch."""
    prover = _Prover(puzzle, ways, watch)
    prover.find()
    return prover.run()


def _refuse_parts(name: str, cubes: int | None) -> None:
    """Raise UnsupportedError for a proof by cubes of a family other than nonograms."""
    if cubes is not None:
        raise UnsupportedError(
            "proofs are put together from cubes for nonograms alone, which a puzzle of the family "
            f"{name} is not; leave cubes out"
        )


def _version(veripb: bool | str) -> str:
    """Return the version of VeriPB's format; "" if it is not requested."""
    version = ("", VERSIONS[0])[veripb] if isinstance(veripb, bool) else veripb
    if version not in ("", *VERSIONS):
        names = alternatives([f'"{one}"' for one in VERSIONS])
        raise UnsupportedError(f"veripb is {shown(veripb)}, expected True, False, {names}")
    return version


def _refuse_prices(name: str, by: str, veripb: bool | str) -> None:
    """Raise UnsupportedError for a proof by prices of a family without lines."""
    if by == "prices" or veripb:
        raise UnsupportedError(
            "prices are for rows and columns of clues, which a puzzle of the family "
            f"{name} does not have; clauses prove its verdict, leave out "
            f"{'veripb' if veripb else 'prices'}"
        )


def _way(by: str, engine: str | None, cubes: int | None) -> str:
    """Return the kind of proof; a given engine or number of cubes implies clauses."""
    if by not in WAYS:
        raise UnsupportedError(f"{shown(by)} proves nothing; these do: {alternatives(WAYS)}")
    if engine is None and cubes is None:
        return by
    if by == "prices":
        raise UnsupportedError("engines and cubes prove by clauses; leave them out, or prices")
    return "clauses"


class _ProveOptions(NamedTuple):
    """Options of `prove`, with the engine resolved."""

    by: str
    engine: str
    cubes: int | None
    jobs: int | None
    veripb: str


class _Prover:
    """A certificate under construction.

    Args:
        puzzle: The puzzle.
        ways: Options of the proof.
        watch: Limits of the whole work.
    """

    def __init__(self, puzzle: Puzzle, ways: _ProveOptions, watch: Watch) -> None:
        self._ways, self._engine, self._watch = ways, ways.engine, watch
        self._files = {folder.PUZZLE: jsonl.write([puzzle])}
        self._seconds: dict[str, float] = {}
        self._started = perf_counter()
        self._rules = rules_of(puzzle)
        check_num_vars(self._rules.model.num_vars)
        self._deriver: Deriver | None = None
        if self._rules.is_board:
            assert isinstance(puzzle, Nonogram)
            self._deriver = Deriver(puzzle, watch, self._lap)
        self._found: list[Witness] = []
        self._found_by = self._engine
        self._cuts: list[Cut] = []

    def _lap(self, stage: str) -> None:
        """Record the seconds of a stage that has ended."""
        now = perf_counter()
        self._seconds[stage], self._started = now - self._started, now

    # Solutions

    def find(self) -> None:
        """Search for two solutions by the pipeline or, for a family not built in, by its model.

        For a nonogram one solution is enough, because the attempt to refute all others finds a
        second one if it exists.
        """
        self._found = self._decoded() if self._rules.trusted else self._solved()
        self._lap("solve")

    def _solved(self) -> list[Witness]:
        """Return solutions of the pipeline, which verifies them."""
        options = {"cubes": self._ways.cubes, "jobs": self._ways.jobs, **left_of(self._watch)}
        most = 1 if self._deriver else 2
        result = pipeline.solve(self._rules.puzzle, max_solutions=most, **options)
        if result.verdict is Verdict.UNKNOWN:
            raise self._watch.limit() if self._watch.reason() else LimitReached(result.reason)
        self._found_by = result.backend
        return [witness.of_solution(self._rules, solution) for solution in result.solutions]

    def _decoded(self) -> list[Witness]:
        """Return solutions with their values of the family's own model, for the certificate."""
        rules = self._rules
        encoding = rules.family.encodings
        every = models.enumerate_model(rules.model, 2, encoding=encoding, **left_of(self._watch))
        found = [witness.of_values(rules, values) for values in every]
        for one in found:
            if mistake := rules.family.refutation(rules.puzzle, one.solution):
                advice = AnswerSource(self._engine, family=rules.trusted).advice()
                what = f"the model of {rules.trusted} has a solution that its verifier refutes"
                raise RefutedError(f"{what}: {mistake}", advice=advice)
        return found

    @property
    def _solution(self) -> Any:
        """The first solution found; None if there is none."""
        return self._found[0].solution if self._found else None

    # The certificate

    def run(self) -> Certificate:
        """Return the certificate after the search for solutions."""
        for name, one in zip(witness.names(self._rules), self._found, strict=False):
            self._files[name] = witness.written(self._rules, one)
        certificate = self._proven()
        certificate.trusted = self._rules.trusted
        if self._ways.veripb and certificate.claim != "multiple":
            self._add_veripb(certificate)
        return certificate

    def _add_veripb(self, certificate: Certificate) -> None:
        """Add the flow model and a proof over it, by prices if the certificate or lines permit."""
        assert self._deriver is not None, "the flow model is for nonograms"
        puzzle, solution = self._deriver.puzzle, self._solution
        self._watch.doing("proof for VeriPB")
        if certificate.how in ("prices", "propagation"):
            from nonosat.certify.flow_proof import found_flow_proof

            proof = found_flow_proof(puzzle, solution, self._watch, self._ways.veripb)
            names = (folder.OPB, folder.PBP)
        else:
            from nonosat.certify.clause_proof import clause_proof

            formula = self._files[folder.FORMULA]
            _, clauses = self._watch.result_of(_core.parse_dimacs, formula)
            given = (array("i", clauses), self._files[folder.LRAT])
            proof = clause_proof(puzzle, solution, *given, self._watch, self._ways.veripb)
            names = (folder.CLAUSES_OPB, folder.CLAUSES_PBP)
        certificate.files |= zip(names, proof, strict=True)
        self._lap("VeriPB")

    def _proven(self) -> Certificate:
        if len(self._found) == 2:
            if self._found[0].true == self._found[1].true:
                raise BackendError(f"{self._found_by} gave the same solution twice")
            return self._made("search")
        derived = Derivation()
        if self._deriver:
            # A puzzle that marginals solve most likely has a proof by prices, too.
            is_stubborn = self._found_by == "prices"
            derived = self._deriver.derived(self._solution, self._ways.by, stubborn=is_stubborn)
        if derived.other is not None:
            return self._multiple(derived.other)
        return self._by_prices(derived.tables) if derived.tables else self._by_clauses(derived)

    def _made(self, how: str, **proof: Any) -> Certificate:
        claim = ("unsolvable", "unique", "multiple")[len(self._found)]
        return Certificate(claim, how, self._files, seconds=self._seconds, **proof)

    def _multiple(self, other: Grid) -> Certificate:
        """Return the certificate of a nonogram with two solutions."""
        if mistake := self._rules.family.refutation(self._rules.puzzle, other):
            what = f"{self._engine} gave a solution that the clues refute: {mistake}"
            raise BackendError(what, advice=AnswerSource(self._engine).advice())
        if not self._found:
            raise self._contradiction()
        self._found.append(witness.of_solution(self._rules, other))
        self._files[folder.SECOND] = witness.written(self._rules, self._found[1])
        return self._made("search")

    def _by_prices(self, tables: bytes) -> Certificate:
        """Check price tables like any verifier, and return the certificate."""
        assert self._deriver is not None
        try:
            cells = self._found[0].solution.cells if self._found else None
            proof = price_proof(self._deriver.puzzle, cells, tables, self._watch)
        except CertificateError as error:
            raise BackendError(f"the proof by prices is wrong: {error}") from None
        self._files[folder.PRICES] = tables
        self._lap("check")
        return self._made("prices", prices=proof)

    def _by_clauses(self, derived: Derivation) -> Certificate:
        """Return a certificate by clauses, or of two solutions if the engine finds another one."""
        self._watch.doing("encode")
        formula = Formula(self._rules, self._watch.check)
        if self._deriver:
            encoded = self._deriver.formula(self._solution)
            num_vars, clauses, forbidding = encoded.num_vars, encoded.buffer, array("i")
        else:
            clauses = formula.of_rules()
            num_vars = formula.num_vars
            forbidding = formula.forbidding(self._found[0].true if self._found else None)
        self._lap("encode")
        how, proof = derived.how, [derived.lemmas]
        if not how:
            how, found = self._refuted(formula, num_vars, clauses + forbidding, derived.facts)
            self._lap("engine")
            if not isinstance(found, list):
                return self._multiple(found)
            proof += found
        if not self._deriver:
            self._files[folder.CUTS] = cuts.written(self._cuts)
        every = clauses + formula.of_cuts(self._cuts) + forbidding
        return self._checked(how, num_vars, every, b"".join(proof))

    def _checked(self, how: str, num_vars: int, clauses: array[int], proof: bytes) -> Certificate:
        """Check and trim a refutation, and return the certificate.

        Args:
            how: Name of the method that refuted the formula.
            num_vars, clauses: The formula; each clause is ended by 0.
            proof: DRAT in text.
        """
        self._watch.doing("check of the proof")
        given = (num_vars, clauses.tobytes(), proof, True)
        try:
            checked = self._watch.result_of(_core.check_drat, *given)
        except ValueError as error:
            advice = AnswerSource(how).advice()
            raise BackendError(f"the proof of {how} is wrong: {error}", advice=advice) from None
        num_logged, num_lemmas, drat, lrat = checked
        self._lap("check")
        self._watch.doing("write")
        num_clauses = clauses.count(0)
        header = f"p cnf {num_vars} {num_clauses}\n".encode()
        self._files[folder.FORMULA] = header + _core.dimacs_text(clauses)
        self._files |= {folder.DRAT: drat, folder.LRAT: lrat}
        self._lap("write")
        sizes = {"num_clauses": num_clauses, "num_lemmas": num_lemmas, "num_logged": num_logged}
        return self._made(how, **sizes, num_cuts=len(self._cuts))

    # The engine

    def _refuted(
        self, formula: Formula, num_vars: int, clauses: array[int], facts: array[int]
    ) -> tuple[str, list[bytes] | Grid]:
        """Return the method that refuted the clauses, with its proof or another solution.

        After an engine received cuts during its run, a new one starts with all of them. That costs
        a third of the time, the proof is shorter, and not every engine's proof (CaDiCaL 3.0.0)
        records clauses that were added later.
        """
        if self._ways.cubes is not None:
            return self._refuted_in_parts(self._ways.cubes, facts)
        while True:
            options, num_cuts = {"proof": "yes"}, len(self._cuts)
            engine = open_backend(self._engine, num_vars, 0, options, self._watch)
            with closing(Oracle(self._engine, engine, num_vars, self._watch)) as oracle:
                engine.add_batch(clauses + facts + formula.of_cuts(self._cuts))
                for line in self._deriver.model.lines if self._deriver else ():
                    engine.observe(line)
                other = self._other_solution(oracle, formula)
                if other is not None:
                    return self._engine, other
                if len(self._cuts) == num_cuts:
                    return self._engine, [engine.proof()]

    def _refuted_in_parts(
        self, num_cubes: int, facts: array[int]
    ) -> tuple[str, list[bytes] | Grid]:
        """Refute the clauses cube by cube, in separate processes; return the same as `_refuted`."""
        from nonosat.certify.parts import Partition

        assert self._deriver is not None
        who = f"{self._engine} in {counted(num_cubes, 'cube')}"
        self._watch.doing(f"refutation by {who}")
        cells = self._found[0].solution.cells if self._found else None
        requested = (self._deriver.puzzle, cells, facts.tobytes(), self._engine)
        partition = Partition(*requested, self._watch)
        found = partition.run(num_cubes, self._ways.jobs)
        return who, partition.proof() if found is None else found

    def _other_solution(self, oracle: Oracle, formula: Formula) -> Grid | None:
        """Add cuts to an engine until it refutes the formula or finds another solution."""
        cutters = [*starmap(_cutter, enumerate(self._rules.model.loops))]

        def refine(values: bytes) -> Iterator[list[int]]:
            new = [cut for cutter in cutters for cut in cutter(values)]
            self._cuts += new
            if new:
                self._watch.doing(f"{doing} with {counted(len(self._cuts), 'cut', ',')}")
            return split(formula.of_cuts(new))

        doing = f"refutation by {self._engine}"
        self._watch.doing(doing)
        oracle.size.refiners.append(refine)
        answer = oracle.solve()
        if answer is Answer.UNKNOWN:
            raise self._watch.limit()
        return None if answer is Answer.UNSAT else self._other(oracle.values())

    def _other(self, values: bytes) -> Grid:
        """Return the solution that an engine's values encode."""
        if self._deriver is None:
            raise self._contradiction()
        return nonogram.decode(self._deriver.puzzle, values)

    def _contradiction(self) -> BackendError:
        who = sorted({self._found_by, self._engine})
        return BackendError(
            f"{' and '.join(who)} contradict each other: one has found a solution more than the "
            "other",
            advice=AnswerSource(self._engine).advice(),
        )


def _cutter(place: int, loop: Loop) -> Callable[[bytes], Iterator[Cut]]:
    """Return a function that yields cuts violated by values; none if they form a single loop."""
    if loop.faces is not None:
        refine = separators(loop.faces)

        def walls(values: bytes) -> Iterator[Cut]:
            for clause in refine(values):
                inside = tuple(-lit for lit in clause if lit < 0)
                yield Walls(place, inside, tuple(lit for lit in clause if lit > 0))

        return walls
    cut_sets = CutSets(loop)

    def borders(values: bytes) -> Iterator[Cut]:
        for cycle, own, other in cut_sets.apart(values):
            sides = (None, None) if loop.spanning else (own, other)
            yield Border(place, tuple(sorted(cycle)), *sides)

    return borders
