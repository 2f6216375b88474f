"""A refutation of a puzzle, composed of the refutations of its cubes.

The negation of a cube is appended to every lemma of its refutation. A lemma that follows by unit
propagation under the cube's literals then follows without them. The last lemma of a cube is its
negation alone. The negation of an inner node follows from those of its two children; the negation
of the root is the empty clause. So the composition is one DRAT proof of the formula, and a checker
needs no knowledge of cubes.

Invariant: lemmas of a cube follow from the formula, the lemmas of presolve, and preceding lemmas of
the same cube.

Source: Heule, Kullmann, Marek, "Solving and Verifying the Boolean Pythagorean Triples Problem via
Cube-and-Conquer" (SAT 2016), for composing the proofs of cubes.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass

from nonosat import _core
from nonosat.backends import open_backend
from nonosat.board import presolve
from nonosat.certify.derived import formula_of
from nonosat.clauses.cnf import Cnf
from nonosat.core.errors import BackendError
from nonosat.core.grid import Grid
from nonosat.core.limits import Limits, Watch
from nonosat.core.model import Model
from nonosat.core.plugins import Answer
from nonosat.processes.tools import Call
from nonosat.puzzles import nonogram
from nonosat.puzzles.nonogram.data import Nonogram
from nonosat.solving.cubes.grounds import ground_of, put
from nonosat.solving.cubes.leaves import Leaves
from nonosat.solving.cubes.tree import Cube, CubeTree, lits_of


@dataclass(frozen=True, slots=True)
class RefutationTask:
    """A cube to be refuted.

    Args:
        puzzle: The puzzle.
        solution: The solution that the formula forbids, one byte per cell; None if there is none.
        facts: Clauses derived by presolve, as 32-bit integers.
        engine: A backend that writes proofs.
        cube: The cube.
        budget: Maximum number of conflicts.
    """

    puzzle: Nonogram
    solution: bytes | None
    facts: bytes
    engine: str
    cube: Cube
    budget: int


@dataclass(frozen=True, slots=True)
class RefutedCube:
    """Lemmas of a refuted cube as DRAT, the negation of the cube among the last of them."""

    lemmas: bytes


def refute(part: RefutationTask) -> RefutedCube | Grid | None:
    """Refute a cube or return a solution in it; return None if the budget is exhausted."""
    model = nonogram.build(part.puzzle)
    given = lits_of(part.cube)
    formula = formula_of(model, part.solution, lambda: None)
    formula.add_batch(array("i", part.facts))
    for lit in given:
        formula.add([lit])
    lemmas, facts, is_refuted = _deduced(model, part.cube)
    proof = _core.dimacs_text(array("i", lemmas))
    if not is_refuted:
        found = _solved(part, model, formula, facts)
        if not isinstance(found, bytes):
            return found
        proof += found
    return RefutedCube(_lengthened(_trimmed(formula, proof), [-lit for lit in given]))


def _solved(part: RefutationTask, model: Model, formula: Cnf, facts: bytes) -> bytes | Grid | None:
    """Return the engine's proof, or a solution, or None if the budget is exhausted."""
    watch = Watch(Limits())
    options = {"proof": "yes"}
    engine = open_backend(part.engine, formula.num_vars, 0, options, watch)
    with closing(engine):
        engine.add_batch(formula.buffer)
        engine.add_batch(array("i", facts))
        for line in model.lines:
            engine.observe(line)
        answer = engine.solve((), watch, part.budget)
        if answer is Answer.SAT:
            return nonogram.decode(part.puzzle, engine.values())
        return bytes(engine.proof()) if answer is Answer.UNSAT else None


def _trimmed(formula: Cnf, proof: bytes) -> bytes:
    """Return the lemmas that a check of the proof uses, with a unit lemma for each fixed literal.

    In the cube, an engine deletes clauses that have become units, and a checker that knows the
    units accepts that. `_lengthened` appends the negation of the cube to every lemma, after which
    they are no longer units, so the proof must contain them as lemmas before such a deletion.
    """
    try:
        checked = _core.check_drat(formula.num_vars, formula.buffer.tobytes(), proof, True)
    except ValueError as error:
        raise BackendError(f"the proof of a cube is wrong: {error}") from None
    assert checked is not None, "there are no limits"
    return checked[2]


def _deduced(model: Model, cube: Cube) -> tuple[bytes, bytes, bool]:
    """Return lemmas of propagation and probing in a cube, the facts, and True if they refute it.

    Lemmas that hold without the cube are not repeated.
    """
    task = presolve.PresolvedModel.of(model)
    assert task.board is not None
    deduction = _core.Deduction(task.board)
    is_open = bool(deduction.propagate())
    is_open = is_open and deduction.probe(presolve.PROBE_WORK) != _core.Progress.CONTRADICTION
    assert is_open, "presolve has left the puzzle open"
    put(cube, task)
    deduction.take_steps()  # drop the steps so far, the cube's own literals among them
    is_open = bool(deduction.propagate())
    is_open = is_open and deduction.probe(presolve.PROBE_WORK) != _core.Progress.CONTRADICTION
    lemmas = _core.lemmas(task.board, deduction.take_steps())
    assert lemmas is not None, "there are no limits"
    return *lemmas, not is_open


def _line(lits: Sequence[int]) -> bytes:
    return b"".join(b"%d " % lit for lit in lits) + b"0\n"


def _lengthened(proof: bytes, negation: Sequence[int]) -> bytes:
    """Append the cube's negation to every clause; the empty clause becomes the negation itself."""
    lines = []
    for line in proof.splitlines():
        verb, numbers = (b"d ", line[2:]) if line.startswith(b"d ") else (b"", line)
        lits = dict.fromkeys([*map(int, numbers.split()[:-1]), *negation])
        # otherwise the cube alone satisfies the clause
        if not any(-lit in lits for lit in negation):
            lines.append(verb + _line([*lits]))
    return b"".join(lines)


class Partition:
    """The cubes of a puzzle, refuted in parallel.

    Args:
        puzzle, solution, facts, engine: See `RefutationTask`.
        watch: Limits of the whole work; the memory limit applies to each process.
    """

    def __init__(
        self, puzzle: Nonogram, solution: bytes | None, facts: bytes, engine: str, watch: Watch
    ) -> None:
        self._requested = (puzzle, solution, facts, engine)
        self._watch = watch
        self._tree = CubeTree()
        self._lemmas: dict[int, bytes] = {}

    def run(self, num_cubes: int, jobs: int | None) -> Grid | None:
        """Refute all cubes; return another solution if there is one."""
        task = presolve.PresolvedModel.of(nonogram.build(self._requested[0]), self._watch.check)
        ground = ground_of(task, {}, self._watch)
        leaves = Leaves(ground, num_cubes, self._call, self._watch, has_refuted=True)
        self._tree = leaves.tree
        with closing(leaves.outcomes(jobs, None)) as outcomes:
            for leaf, outcome in outcomes:
                if isinstance(outcome, Grid):
                    return outcome
                if isinstance(outcome, RefutedCube):
                    self._lemmas[leaf] = outcome.lemmas
                    leaves.end(leaf)
                else:
                    leaves.split(leaf)
        return None

    def proof(self) -> list[bytes]:
        """Return the proof that follows the lemmas of presolve: children before their parents."""
        return [self._data_of_node(index) for index in reversed(range(len(self._tree.nodes)))]

    def _call(self, cube: Cube, budget: int) -> Call:
        return Call(refute, (RefutationTask(*self._requested, cube, budget),))

    def _data_of_node(self, index: int) -> bytes:
        """Return the lemmas that a node adds to the proof."""
        negation = _line([-lit for lit in lits_of(self._tree.cube(index))])
        children = self._tree.nodes[index].children
        return negation if children is not None else self._lemmas[index]
