"""Certificates of puzzles of all other families: the rules as clauses, and a refutation of them.

The verdict is found first, by the pipeline, or from the model of a family that is not ours. Two
solutions are a certificate. Else an engine refutes the rules, together with the clause that forbids
the solution. Where its values fall apart into several cycles it is told of cuts that they violate,
and asked again, until there are no values left.

Invariant: no cut is in a formula that the verifier's `Cutter` would not make a clause of.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import starmap
from typing import NoReturn

from nonosat.backends import answer_of, open_backend, values_of
from nonosat.certify import cuts, folder, witness
from nonosat.certify.certificate import Certificate
from nonosat.certify.cuts import Border, Cut, Walls
from nonosat.certify.prover import Prover
from nonosat.certify.rules import rules_of
from nonosat.certify.stated_formula import StatedFormula
from nonosat.certify.witness import Witness
from nonosat.core import seams
from nonosat.core.blame import Suspects
from nonosat.core.errors import BackendError, LimitReached, RefutedError, counted
from nonosat.core.limits import Watch
from nonosat.core.model import Loop
from nonosat.core.plugins import Answer, Engine, Puzzle
from nonosat.core.result import Verdict
from nonosat.encodings.loop_cells import separators
from nonosat.encodings.loop_cut_sets import CutSets
from nonosat.processes.guard import left_of
from nonosat.solving import models, pipeline


class StatedProver(Prover):
    """Makes the certificate of a puzzle whose rules are stated. Arguments as for every `Prover`."""

    def __init__(self, puzzle: Puzzle, engine: str, watch: Watch) -> None:
        super().__init__(puzzle, engine, watch)
        self._rules = rules_of(puzzle)
        self._witnesses: list[Witness] = []
        self._found_by = engine

    def find(self) -> None:
        """Two solutions, if there are so many; by what has guards of its own."""
        self._witnesses = self._decoded() if self._rules.trusted else self._solved()
        self.lap("solve")

    def _solved(self) -> list[Witness]:
        """By the pipeline, which verifies them."""
        rules = self._rules
        result = pipeline.solve(rules.puzzle, max_solutions=2, **left_of(self.watch))
        if result.verdict is Verdict.UNKNOWN:
            raise LimitReached(self.watch.reason() or result.reason)
        self._found_by = result.backend
        return [witness.of_solution(rules, solution) for solution in result.solutions]

    def _decoded(self) -> list[Witness]:
        """Values of the family's own model, whose variables the certificate names."""
        rules = self._rules
        encoding = rules.family.encodings
        every = models.enumerate_model(rules.model, 2, encoding=encoding, **left_of(self.watch))
        found = [witness.of_values(rules, values) for values in every]
        for one in found:
            if mistake := rules.family.refutation(rules.puzzle, one.solution):
                advice = Suspects(self.engine, family=rules.trusted).advice()
                what = f"the model of {rules.trusted} has a solution that its verifier refutes"
                raise RefutedError(f"{what}: {mistake}", advice=advice)
        return found

    def run(self) -> Certificate:
        """The certificate, when solutions have been looked for."""
        rules, found = self._rules, self._witnesses
        for name, one in zip((folder.SOLUTION_JSON, folder.SECOND_JSON), found, strict=False):
            self.files[name] = witness.written(rules, one)
        if len(found) == 2:
            if found[0].true == found[1].true:
                raise BackendError(f"{self._found_by} gave the same solution twice")
            return Certificate(
                "multiple", "search", self.files, seconds=self.seconds, trusted=rules.trusted
            )
        seams.doing("encode")
        true = found[0].true if found else None
        formula = StatedFormula(rules, self.watch.check)
        clauses, forbidding = formula.of_rules(), formula.forbidding(true)
        self.lap("encode")
        added, proof = self._refuted(formula, clauses + forbidding)
        self.lap("engine")
        every = clauses + formula.of_cuts(added) + forbidding
        self.files[folder.CUTS] = cuts.written(added)
        claim = "unique" if found else "unsolvable"
        certificate = self.by_clauses(claim, self.engine, formula.num_vars, every, proof)
        certificate.num_cuts, certificate.trusted = len(added), rules.trusted
        return certificate

    def _refuted(self, formula: StatedFormula, clauses: array[int]) -> tuple[list[Cut], bytes]:
        """The cuts that it took to refute a formula, and the proof of an engine with all of them.

        An engine that was told of cuts on the way is followed by a fresh one that knows them from
        the start. That costs a third of the time, the proof is shorter, and not every engine's
        proof (CaDiCaL 3.0.0) takes note of clauses that came later.
        """
        added: list[Cut] = []
        while True:
            options = {"proof": "yes"}
            engine = open_backend(self.engine, formula.num_vars, 0, options, self.watch)
            with closing(engine):
                engine.add_batch(clauses + formula.of_cuts(added))
                num_before = len(added)
                self._cut_off(engine, formula, added)
                if len(added) == num_before:
                    return added, engine.proof()

    def _cut_off(self, engine: Engine, formula: StatedFormula, added: list[Cut]) -> None:
        """Tell an engine of cuts until it has refuted everything; they are added to the others."""
        cutters = [*starmap(_cutter, enumerate(self._rules.model.loops))]
        while True:
            cuts_text = f" with {counted(len(added), 'cut', ',')}" if added else ""
            seams.doing(f"refutation by {self.engine}{cuts_text}")
            values = self._values(engine, formula.num_vars)
            if values is None:
                return
            new = [cut for cutter in cutters for cut in cutter(values)]
            if not new:
                self._refuse_other_solution()
            engine.add_batch(formula.of_cuts(new))
            added += new

    def _values(self, engine: Engine, num_vars: int) -> bytes | None:
        """What the engine has found; None where it has refuted the formula."""
        answer = answer_of(self.engine, engine.solve((), self.watch))
        if answer is Answer.UNKNOWN:
            raise self.watch.limit()
        return None if answer is Answer.UNSAT else values_of(self.engine, engine.values(), num_vars)

    def _refuse_other_solution(self) -> NoReturn:
        who = sorted({self._found_by, self.engine})
        raise BackendError(
            f"{' and '.join(who)} contradict each other: one has found a solution more than the "
            "other",
            advice=Suspects(self.engine).advice(),
        )


def _cutter(place: int, loop: Loop) -> Callable[[bytes], Iterator[Cut]]:
    """What finds cuts that values violate; none where they are a single loop."""
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
