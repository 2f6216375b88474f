"""Flow model and its proofs by prices, against enumeration and an independent checker."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from functools import cache

import pytest
from hypothesis import assume, given

import nonosat
from helpers import veripb
from helpers.drawing import FUZZ, examples
from nonosat.board import prices
from nonosat.board.presolve import PresolvedModel
from nonosat.certify.flow_model import flow_model
from nonosat.certify.flow_proof import FlowProof, flow_proof, found_flow_proof
from nonosat.cli import message_of
from nonosat.core.errors import LimitReached, UnsupportedError
from nonosat.core.grid import Grid
from nonosat.core.limits import Limits, Watch
from nonosat.core.model import Block
from nonosat.generate.structured import staircase
from nonosat.puzzles import nonogram
from nonosat.puzzles.nonogram.data import BLACK, Colour, Nonogram, from_grid, mono
from nonosat.testing import oracles
from nonosat.testing.strategies import puzzles

INKS = (Colour("a", "#aa0000"), Colour("b", "#0000bb"))
OPEN_EDGE = mono([[1], [1]], [[1], [1]])  # two solutions


def watch() -> Watch:
    return Watch(Limits())


def propagated(puzzle: Nonogram) -> PresolvedModel | None:
    """Return the puzzle at its line fixpoint; None if lines refute it."""
    task = PresolvedModel.of(nonogram.build(puzzle))
    return task if task.propagate(watch()) else None


def table_of(puzzle: Nonogram, solution: Grid | None) -> prices.PriceBound | None:
    """Price table that proves that the puzzle has no (other) solution; None if there is none."""
    task = propagated(puzzle)
    assert task is not None
    if solution is None:
        found = prices.find(task, watch(), stubborn=True)
    else:
        found = prices.refute_others(task, solution.cells, watch(), stubborn=True)
    return found.table() if found.outcome is prices.PriceOutcome.REFUTED else None


def check(proof: FlowProof) -> int:
    return veripb.check(proof.opb.decode(), proof.pbp.decode())


@cache
def dominoes(steps: int) -> tuple[Nonogram, Grid]:
    grid = staircase(steps)
    return from_grid(grid), grid


# The model


def cell_solutions(puzzle: Nonogram, opb: bytes) -> list[bytes]:
    """Cells of every solution of the constraints, by CP-SAT; repeated if arcs are open."""
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    constraints = veripb.read_opb(opb.decode())
    num_vars = int(opb.split(maxsplit=3)[2])
    variables = [model.new_constant(0), *(model.new_bool_var("") for _ in range(num_vars))]
    for factors, degree in constraints:
        terms = [
            f * (variables[lit] if lit > 0 else 1 - variables[-lit]) for lit, f in factors.items()
        ]
        model.add(sum(terms) >= degree)
    found: list[bytes] = []

    class Collector(cp_model.CpSolverSolutionCallback):
        def on_solution_callback(self) -> None:
            values = bytes(map(self.boolean_value, variables))
            found.append(nonogram.decode(puzzle, values).cells)

    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.enumerate_all_solutions = True
    assert solver.solve(model, Collector()) in (cp_model.OPTIMAL, cp_model.INFEASIBLE)
    return found


@pytest.mark.slow
@examples(35)
@given(puzzle=puzzles(max_cells=16, max_colours=2))
def test_the_model_has_the_solutions_of_the_puzzle(puzzle):
    truth = oracles.solutions(puzzle, 60)
    assume(len(truth) < 60)
    _, opb = flow_model(puzzle, None)
    found = cell_solutions(puzzle, opb)
    assert sorted(found) == sorted(truth)
    if truth:
        first = min(truth)
        _, opb = flow_model(puzzle, Grid(puzzle.height, puzzle.width, first))
        assert sorted(cell_solutions(puzzle, opb)) == sorted(truth - {first})


@pytest.mark.slow
@examples(90)
@given(puzzle=puzzles(max_cells=24, max_colours=3))
def test_unit_propagation_is_that_of_lines(puzzle):
    """For cells, and for arcs: those are left that a filling within the cells uses."""
    model, opb = flow_model(puzzle, None)
    database = veripb.Propagator()
    for constraint in veripb.read_opb(opb.decode()):
        database.add(constraint)
    task = propagated(puzzle)
    assert database.is_refuted == (task is None)
    if task is None:
        return
    planes = [task.board.plane(value) for value in range(len(puzzle.colours) + 1)]
    for value, plane in enumerate(planes):
        for cell, may in enumerate(plane):
            assert (-model.value(cell, value) in database.true) == (not may)
            is_known = task.board.cells()[cell] == value
            assert (model.value(cell, value) in database.true) == is_known
    for line in model.lines:
        left = line.flow.within([[plane[cell] for cell in line.cells] for plane in planes])
        for var, is_left in enumerate(left, start=line.first_arc):
            assert (-var in database.true) == (not is_left)


def test_the_file_is_one_of_ours():
    """Its variables are mapped as in all exported files, so solvers' answers can be read back."""
    _, opb = flow_model(OPEN_EDGE, Grid(2, 2, b"\1\0\0\1"))
    lines = opb.decode().splitlines()
    assert lines[0] == "* #variable= 20 #constraint= 33"
    assert lines[1:5] == [
        "* nonosat 1",
        "* board rows 2 columns 2 colours 1",
        "* presolve none",
        "* forbids 1",
    ]
    assert lines[5:8] == [
        "* cells 1-2 row 0 colour 1",
        "* cells 3-4 row 1 colour 1",
        "* aux 5-8 row 0 flow",
    ]
    assert lines[-1] == "-1 x1 +1 x2 +1 x3 -1 x4 >= -1 ;"


# Proofs


@pytest.mark.thorough
@pytest.mark.parametrize("steps", [6, 7, 8, 10, 12, 14])
def test_staircases(steps):
    puzzle, grid = dominoes(steps)
    table = table_of(puzzle, grid)
    assert table is not None
    assert (table.bound // table.scale > 0) == (steps == 8)  # a least distance of 4 is needed
    check(flow_proof(puzzle, grid, table))


def blotted(rng: random.Random, clue: nonosat.Clue) -> nonosat.Clue:
    return tuple(Block(None if rng.random() < 0.3 else length, colour) for length, colour in clue)


def drawn(rng: random.Random) -> Nonogram:
    """Draw a small puzzle, of a picture or not."""
    height, width, num_colours = rng.randint(1, 6), rng.randint(1, 6), rng.choice((1, 1, 2))
    density = rng.choice((0.3, 0.4, 0.5))
    grid = Grid(
        height,
        width,
        bytes(
            rng.randint(1, num_colours) if rng.random() < density else 0
            for _ in range(height * width)
        ),
    )
    puzzle = from_grid(grid, INKS if num_colours == 2 else (BLACK,))
    rows, columns = list(puzzle.rows), list(puzzle.columns)
    if rng.random() < 0.3:
        rng.shuffle(rows)
    if (kind := rng.randrange(6)) < 3:  # in rows, columns, both
        rows = [blotted(rng, clue) for clue in rows] if kind != 1 else rows
        columns = [blotted(rng, clue) for clue in columns] if kind != 0 else columns
    return replace(puzzle, rows=tuple(rows), columns=tuple(columns), goal=None)


def made_unique(rng: random.Random, puzzle: Nonogram) -> tuple[Nonogram, Grid | None]:
    """Add given cells until the puzzle has at most one solution; return it with that."""
    while len(found := sorted(oracles.solutions(puzzle, 2))) > 1:
        place = rng.choice([at for at, (a, b) in enumerate(zip(*found, strict=True)) if a != b])
        cell = (*divmod(place, puzzle.width), rng.choice(found)[place])
        puzzle = replace(puzzle, given=frozenset({*puzzle.given, cell}))
    return puzzle, Grid(puzzle.height, puzzle.width, found[0]) if found else None


@pytest.mark.thorough
def test_drawn_puzzles():
    """Whenever prices prove something, in one colour or two, with cells given, unknown lengths.

    Every kind of proof is among them: of uniqueness with a least distance of 1, 2 and 4, with and
    without open cells, and of puzzles without a solution.
    """
    rng = random.Random(17)
    kinds = set()
    for _ in range(1500 * FUZZ):
        puzzle = drawn(rng)
        task = propagated(puzzle)
        if task is None:
            if rng.random() < 0.02:
                check(flow_proof(puzzle, None, None))
            continue
        if not task.num_open() and rng.random() < 0.95:
            continue  # most of them
        puzzle, solution = made_unique(rng, puzzle)
        if (task := propagated(puzzle)) is None:
            continue
        if (table := table_of(puzzle, solution)) is None:
            continue
        check(flow_proof(puzzle, solution, table))
        kind = (prices.least_distance(task), task.num_open() > 0)
        kinds.add("none" if solution is None else kind)
    assert kinds >= {"none", *((n, is_open) for n in (1, 2, 4) for is_open in (0, 1))}


def test_a_coloured_staircase():
    """Two colours that change with each domino, with a large price bound of the first table."""
    _, grid = dominoes(8)
    cells = bytes(
        value + (value and (at // grid.width // 2) % 2) for at, value in enumerate(grid.cells)
    )
    painted = Grid(grid.height, grid.width, cells)
    puzzle = from_grid(painted, INKS)
    table = table_of(puzzle, painted)
    assert table is not None
    check(flow_proof(puzzle, painted, table))


@pytest.mark.parametrize(
    ("rows", "columns"),
    [
        ([[], [], []], [[], []]),
        ([[3], [3]], [[2], [2], [2]]),
        ([[1, 1]], [[1], [], [1], []]),
        ([[2], [], [1]], [[1, 1], [1]]),
        ([[1]], [[1]]),
    ],
)
def test_empty_full_and_narrow_lines(rows, columns):
    puzzle = mono(rows, columns)
    solution = nonosat.solve(puzzle).solution
    table = table_of(puzzle, solution)
    assert table is not None
    check(flow_proof(puzzle, solution, table))


@pytest.mark.parametrize(
    "puzzle",
    [mono([[5]], [[1], [1]]), mono([[1], [1]], [[2], [1]]), mono([[3], [], [1]], [[1], [1], [2]])],
    ids=["too long", "sums", "crossed"],
)
def test_lines_alone_show_that_there_is_no_solution(puzzle):
    assert check(flow_proof(puzzle, None, None)) == 1


# What is refused


def test_a_table_that_proves_nothing():
    solution = Grid(2, 2, b"\1\0\0\1")
    with pytest.raises(ValueError, match="price bound is 4 cells, expected less than 4"):
        flow_proof(OPEN_EDGE, solution, prices.PriceBound({}, 1, 0))
    with pytest.raises(ValueError, match="price bound is 0, expected one below 0"):
        flow_proof(OPEN_EDGE, None, prices.PriceBound({}, 1, -1))
    with pytest.raises(ValueError, match="expected a price table"):
        flow_proof(OPEN_EDGE, None, None)


def test_a_solution_that_is_none():
    with pytest.raises(UnsupportedError, match="not a solution"):
        flow_proof(OPEN_EDGE, Grid(2, 2, b"\1\0\1\0"), prices.PriceBound({}, 1, 0))


def test_a_limit(clock):
    puzzle, grid = dominoes(12)
    table = table_of(puzzle, grid)
    clock.step_s = 20
    with pytest.raises(LimitReached):
        flow_proof(puzzle, grid, table, Watch(Limits(60)))


@pytest.mark.slow
def test_prices_changed_or_for_another_solution():
    """A written proof holds for any table."""
    rng = random.Random(3)
    puzzle, grid = dominoes(6)
    table = table_of(puzzle, grid)
    assert table is not None
    written = 0
    for _ in range(18 * FUZZ):
        changed = dict(table.prices)
        for key in rng.sample(sorted(changed), rng.randint(1, 6)):
            changed[key] += rng.randint(-30, 30) * table.scale
        try:
            proof = flow_proof(puzzle, grid, prices.PriceBound(changed, table.scale, table.bound))
        except ValueError:
            continue
        check(proof)
        written += 1
    assert 0 < written < 18 * FUZZ


def mutations(pbp: str, rng: random.Random, count: int) -> list[str]:
    """The proof with one number of a step changed, a different one each time."""
    lines = pbp.splitlines(keepends=True)
    steps = [at for at, line in enumerate(lines) if line.startswith(("pol", "rup"))]
    found = []
    for _ in range(count):
        at = rng.choice(steps)
        number = rng.choice([*re.finditer(r"\d+", lines[at])])
        other = str(int(number[0]) + rng.choice((-1, 1, 2)))
        changed = lines[at][: number.start()] + other + lines[at][number.end() :]
        found.append("".join((*lines[:at], changed, *lines[at + 1 :])))
    return found


@pytest.mark.thorough
@pytest.mark.parametrize(("steps", "count"), [(6, 30), (8, 2)])
def test_mutated_proofs(steps, count):
    """A changed factor, literal or number of a constraint: hardly any such proof holds.

    The formula without "some cell differs" has a solution, so no proof of it may hold.
    """
    puzzle, grid = dominoes(steps)
    table = table_of(puzzle, grid)
    assert table is not None
    proof = flow_proof(puzzle, grid, table)
    opb, pbp = proof.opb.decode(), proof.pbp.decode()
    head, _, _ = opb.rpartition(";\n")[0].rpartition("\n")
    loose = f"{head}\n+0 x1 >= 0 ;\n"
    survivors = 0
    for mutated in mutations(pbp, random.Random(steps), count * FUZZ):
        with pytest.raises(veripb.WrongProofError):
            veripb.check(loose, mutated)
        try:
            veripb.check(opb, mutated)
        except veripb.WrongProofError:
            continue
        survivors += 1
    assert survivors <= count * FUZZ // 10
    veripb.check(opb, pbp)
    with pytest.raises(veripb.WrongProofError):
        veripb.check(loose, pbp)


def test_without_a_single_table_clauses_are_advised():
    puzzle = mono([[1], [1]], [[1], [1]])  # two solutions, so that no table exists
    solution = Grid(2, 2, b"\1\0\0\1")
    with pytest.raises(LimitReached, match=r"no single price table .*; use by='clauses'") as raised:
        found_flow_proof(puzzle, solution, Watch(Limits()))
    assert message_of(raised.value).endswith("use --by clauses")
