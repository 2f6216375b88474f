"""Proofs of clausal refutations over the flow model, by an independent checker of their format."""

from __future__ import annotations

import random
import re
from array import array
from functools import cache

import pytest

import nonosat
from helpers import veripb
from helpers.drawing import FUZZ
from nonosat import _core
from nonosat.certify import folder
from nonosat.certify.clause_proof import clause_proof
from nonosat.certify.flow_model import flow_model
from nonosat.certify.proof_steps import FlowProof
from nonosat.core import hooks
from nonosat.core.errors import LimitReached, UnsupportedError
from nonosat.core.grid import Grid
from nonosat.core.limits import Limits, Watch
from nonosat.core.model import Block
from nonosat.generate.structured import staircase
from nonosat.puzzles.nonogram.data import Nonogram, from_grid, mono
from test_flow_proof import INKS, drawn, made_unique

FOUR = bytes((1, 2, 0, 1, 0, 1, 2, 2, 2, 0, 1, 0, 1, 1, 0, 2))
VARIABLES = re.compile(r"(?<=x)\d+")


def refutation(puzzle: Nonogram) -> tuple[array[int], bytes]:
    """The formula and the LRAT proof of the certificate by clauses."""
    files = nonosat.prove(puzzle, by="clauses").files
    return array("i", _core.parse_dimacs(files[folder.FORMULA])[1]), files[folder.LRAT]


def using_all(clauses: array[int], lrat: bytes) -> bytes:
    """The LRAT proof with all clauses of the formula among the hints of its first lemma."""
    first, newline, others = lrat.partition(b"\n")
    more = " ".join(map(str, range(1, clauses.count(0) + 1)))
    return first[:-1] + more.encode() + b" 0" + newline + others


def proof_of(puzzle: Nonogram, solution: Grid | None, version: str = "3.0") -> FlowProof:
    """The proof, with all clauses of the formula derived."""
    clauses, lrat = refutation(puzzle)
    return clause_proof(puzzle, solution, clauses, using_all(clauses, lrat), version=version)


def check(proof: FlowProof) -> int:
    return veripb.check(proof.opb.decode(), proof.pbp.decode())


@cache
def steps_of(steps: int) -> tuple[Nonogram, Grid, FlowProof]:
    """A staircase of dominoes, which lines do not decide, with its proof."""
    grid = staircase(steps)
    puzzle = from_grid(grid)
    return puzzle, grid, clause_proof(puzzle, grid, *refutation(puzzle))


UNIQUE = {
    "lines": from_grid(Grid(4, 4, b"\1\1\0\1\0\1\0\0\1\1\1\1\0\1\0\1")),
    "empty": mono([[], [], []], [[], []]),
    "colours": from_grid(Grid(4, 4, FOUR), INKS),
    "given": Nonogram(
        rows=((Block(1, 1),),) * 2, columns=((Block(1, 1),),) * 2, given=frozenset({(0, 1, 1)})
    ),
    "unknown lengths": Nonogram(
        rows=((Block(None, 1),), (Block(None, 1), Block(1, 1)), (Block(2, 1),)),
        columns=((Block(2, 1),), (Block(1, 1),), (Block(2, 1),), (Block(1, 1),)),
    ),
}


@pytest.mark.parametrize("name", UNIQUE)
def test_every_clause_follows_from_the_clues(name):
    puzzle, solution = made_unique(random.Random(1), UNIQUE[name])
    for version in ("3.0", "2.0"):
        check(proof_of(puzzle, solution, version))


@pytest.mark.parametrize(
    "puzzle",
    [mono([[5]], [[1], [1]]), mono([[3], [3]], [[2], [2], [1]]), mono([[1], [1]], [[2], [1]])],
    ids=["too long", "sums", "crossed"],
)
def test_unsolvable_puzzles(puzzle):
    check(proof_of(puzzle, None))


def test_lemmas_of_an_engine():
    *_, proof = steps_of(4)
    assert check(proof) > 100
    assert b"\ndel id " in proof.pbp


@pytest.mark.slow
def test_drawn_puzzles():
    """One colour or two, cells given, unknown lengths, with a solution and without."""
    rng = random.Random(29)
    num_unsolvable = 0
    for _ in range(60 * FUZZ):
        puzzle, solution = made_unique(rng, drawn(rng))
        check(proof_of(puzzle, solution))
        num_unsolvable += solution is None
    assert 0 < num_unsolvable < 60 * FUZZ


# What is refused


def loosened(opb: str, variables: range) -> str:
    """The formula without the constraints that contain one of some variables."""
    lines = opb.splitlines()
    for at, line in enumerate(lines):
        if line[0] != "*" and not {*map(int, VARIABLES.findall(line))}.isdisjoint(variables):
            lines[at] = f"+0 x1 {'=' if ' = ' in line else '>='} 0 ;"
    return "".join(f"{line}\n" for line in lines)


def test_no_proof_without_a_line_or_the_difference():
    """Neither the proof nor one with a changed sign refutes a solvable formula."""
    rng = random.Random(5)
    puzzle, grid, proof = steps_of(4)
    opb = proof.opb.decode()
    *constraints, difference = opb.splitlines(keepends=True)
    assert difference.startswith(("-1 x1 ", "+1 x1 "))
    model, _ = flow_model(puzzle, grid)
    row = model.lines[1]
    without_row = loosened(opb, range(row.first_arc, row.first_arc + len(row.flow.arcs)))
    assert without_row.count("+0 x1 = 0") == row.flow.num_nodes + 2 * grid.width
    loose = ["".join((*constraints, "+0 x1 >= 0 ;\n")), without_row]
    lines = proof.pbp.decode().splitlines(keepends=True)
    steps = [at for at, line in enumerate(lines) if line.startswith(("rup", "red"))]
    for at in [None, *rng.sample(steps, 4 * FUZZ)]:
        changed = list(lines)
        if at is not None:
            changed[at] = changed[at].replace("x", "~x", 1).replace("~~", "")
        for formula in loose:
            with pytest.raises(veripb.WrongProofError):
                veripb.check(formula, "".join(changed))


@pytest.mark.parametrize(
    ("rule", "old", "new", "message"),
    [
        ("red", "-> 0", "-> 1", "not redundant"),
        ("red", ">= 1", ">= 2", "not redundant"),
        ("rup", ">= 1", ">= 2", "unit propagation"),
        ("del", "id ", "id 1 1 ", "no constraint 1"),
    ],
)
def test_a_changed_step_is_refused(rule, old, new, message):
    *_, proof = steps_of(4)
    head, found, rest = proof.pbp.decode().partition(f"\n{rule} ")
    with pytest.raises(veripb.WrongProofError, match=message):
        veripb.check(proof.opb.decode(), head + found + rest.replace(old, new, 1))


def test_a_proof_for_another_puzzle():
    *_, proof = steps_of(4)
    _, _, other = steps_of(5)
    with pytest.raises(veripb.WrongProofError):
        veripb.check(other.opb.decode(), proof.pbp.decode())


def test_a_solution_that_is_none():
    puzzle, grid, _ = steps_of(4)
    with pytest.raises(UnsupportedError, match="not a solution"):
        clause_proof(puzzle, Grid(grid.height, grid.width, bytes(len(grid.cells))), array("i"), b"")


def test_limits(clock):
    puzzle, grid, _ = steps_of(4)
    given = refutation(puzzle)
    clock.step_s = 2
    with pytest.raises(LimitReached):
        clause_proof(puzzle, grid, *given, Watch(Limits(60)))


def test_the_memory_limit_is_checked_before_the_lemmas():
    puzzle, grid, _ = steps_of(4)
    clauses, lrat = refutation(puzzle)
    large = b"%b9999 d %b0\n" % (lrat, b"1 " * 20_000_000)
    most = Limits(memory_mib=int(hooks.resident_mib(None)) + 100)
    with pytest.raises(LimitReached, match="memory limit"):
        clause_proof(puzzle, grid, clauses, large, Watch(most))
