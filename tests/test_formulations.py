"""Every CP-SAT formulation: its solutions are the assignments that the constraint allows.

Solutions are counted over all variables of the CP-SAT model with one worker, so auxiliary
variables that the cells do not determine would show as repeated solutions.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product

import oracles
import pytest
from ortools.sat.python import cp_model

from nonosat import plugins
from nonosat.formulations._context import Context
from nonosat.model import FALSE, TRUE, Block, Clue, Count, Line
from nonosat.puzzles.nonogram.data import clue_of

FORMULATIONS = plugins.names("formulations")
LINES = [name for name in FORMULATIONS if name.startswith("line-")]
COUNTS = [name for name in FORMULATIONS if name.startswith("count-")]


class _Collector(cp_model.CpSolverSolutionCallback):
    """Keeps the Booleans 1 .. num_vars of each solution."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._variables = context.variables[1:]
        self.found: list[tuple[int, ...]] = []

    def on_solution_callback(self) -> None:
        self.found.append(tuple(self.boolean_value(v) for v in self._variables))


def solutions(context: Context) -> list[tuple[int, ...]]:
    """Every solution's values of variables 1 .. num_vars; repeated if auxiliaries are open."""
    assert context.model.validate() == ""
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1  # with more, enumeration loses solutions
    solver.parameters.enumerate_all_solutions = True
    collector = _Collector(context)
    status = solver.solve(context.model, collector)
    assert status in (cp_model.OPTIMAL, cp_model.INFEASIBLE)
    return collector.found


def drawn(seed: int, count: int, longest: int, num_colours: int) -> Iterator[tuple[Clue, bytes]]:
    """Seeded fillings with their clues, some blocks of unknown length."""
    rng = random.Random(seed)
    for _ in range(count):
        values = [0, *range(1, num_colours + 1), rng.randint(0, num_colours)]
        cells = bytes(rng.choice(values) for _ in range(rng.randint(1, longest)))
        unknown = rng.random() < 0.4
        yield (
            tuple(
                Block(None if unknown and rng.random() < 0.6 else length, colour)
                for length, colour in clue_of(cells)
            ),
            cells,
        )


def check_line(name: str, clue: Clue, known: list[frozenset[int]], num_colours: int) -> None:
    """Solutions of a line of which something is known, its constants standing in the cells."""
    length = len(known)
    variables = {}
    planes = []
    for colour in range(1, num_colours + 1):
        plane = []
        for place, values in enumerate(known):
            is_open = colour in values and len(values) > 1
            if is_open:
                variables[place, colour] = len(variables) + 1
            plane.append(
                variables[place, colour] if is_open else TRUE if values == {colour} else FALSE
            )
        planes.append(tuple(plane))
    filled = frozenset(place for place, values in enumerate(known) if 0 not in values)
    context = Context(len(variables))
    FORMULATIONS[name].formulate(Line(tuple(planes), clue, filled), context)
    for column in zip(*planes, strict=True):
        FORMULATIONS["count-linear"].formulate(Count(column, 0, 1), context)
    expected = [
        tuple(int(filling[place] == colour) for place, colour in variables)
        for filling in oracles.fillings(clue, length)
        if oracles.agrees(filling, known)
    ]
    found = solutions(context)
    assert len(found) == len(expected), (clue, known, found)
    assert set(found) == set(expected), (clue, known)


@pytest.mark.parametrize("name", LINES)
@pytest.mark.parametrize(
    ("length", "num_colours", "unknown"), [(1, 1, True), (4, 1, True), (6, 1, False), (2, 2, True)]
)
def test_solutions_of_an_open_line_are_its_fillings(name, length, num_colours, unknown):
    for clue in oracles.clues(length, num_colours, unknown=unknown):
        check_line(name, clue, oracles.free(length, num_colours), num_colours)


@pytest.mark.parametrize("name", LINES)
@pytest.mark.parametrize("num_colours", [1, 2])
def test_solutions_of_drawn_lines(name, num_colours):
    rng = random.Random(3)
    for clue, cells in drawn(5, 40, 10, num_colours):
        check_line(name, clue, oracles.free(len(cells), num_colours), num_colours)
        known = [
            frozenset({value, *rng.choices(range(num_colours + 1), k=rng.randint(0, 2))})
            for value in cells
        ]
        check_line(name, clue, known, num_colours)


@pytest.mark.parametrize("name", LINES)
@pytest.mark.parametrize(
    ("cells", "filled"), [((FALSE, FALSE, 1), ()), ((TRUE, FALSE, TRUE), ()), ((FALSE, 1, 2), (0,))]
)
def test_a_line_without_fillings_has_no_solution(name, cells, filled):
    context = Context(2)
    FORMULATIONS[name].formulate(Line((cells,), (Block(2),), frozenset(filled)), context)
    assert solutions(context) == []


@pytest.mark.parametrize("name", LINES)
def test_rows_and_columns_share_their_cells(name):
    """All clues 1 on a square: the permutations, each once."""
    context = Context(16)
    for row in range(4):
        cells = range(1 + 4 * row, 5 + 4 * row)
        FORMULATIONS[name].formulate(Line((cells,), (Block(1),)), context)
        FORMULATIONS[name].formulate(Line((range(1 + row, 17, 4),), (Block(1),)), context)
    found = solutions(context)
    assert len(found) == len(set(found)) == 24


@pytest.mark.parametrize("name", LINES)
def test_coloured_rows_and_columns(name):
    """Two rows and columns, a cell of either colour in each: the two diagonals' two ways."""
    context = Context(8)
    clue = (Block(1, 1), Block(1, 2))
    for cells, blocks in (
        ((range(1, 3), range(5, 7)), clue),
        ((range(3, 5), range(7, 9)), clue[::-1]),
        ((range(1, 5, 2), range(5, 9, 2)), clue),
        ((range(2, 5, 2), range(6, 9, 2)), clue[::-1]),
    ):
        FORMULATIONS[name].formulate(Line(cells, blocks), context)
    for cell in range(1, 5):
        FORMULATIONS["count-linear"].formulate(Count((cell, cell + 4), 0, 1), context)
    assert solutions(context) == [(1, 0, 0, 1, 0, 1, 1, 0)]


def test_a_cell_is_one_expression():
    context = Context(4)
    assert context.cell((1, 2)) is context.cell((1, 2))
    assert context.cell((1, 2)) is not context.cell((3, 4))
    assert context.cell((1,)) is context.cell((1,))


@pytest.mark.parametrize(
    ("lits", "values"),
    [
        ((1,), {0, 1}),
        ((TRUE,), {1}),
        ((FALSE, FALSE), {0}),
        ((FALSE, 1), {0, 2}),
        ((-1, FALSE, 2), {0, 1, 3}),
        ((1, TRUE), {2}),
        ((-1,), {0, 1}),
    ],
)
def test_values_of_a_cell(lits, values):
    seen = set()
    for value in range(4):
        context = Context(2)
        context.model.add(context.cell(lits) == value)
        if solutions(context):
            seen.add(value)
    assert seen == values


@pytest.mark.parametrize("name", COUNTS)
@pytest.mark.parametrize("size", range(5))
def test_counts(name, size):
    for lower, upper in product(range(-1, size + 2), repeat=2):
        lits = [-v if v == 2 else v for v in range(1, size + 1)]
        context = Context(size)
        FORMULATIONS[name].formulate(Count((*lits, TRUE, FALSE), lower + 1, upper + 1), context)
        expected = {
            values
            for values in product((0, 1), repeat=size)
            if lower <= sum(v != (lit < 0) for v, lit in zip(values, lits, strict=True)) <= upper
        }
        found = solutions(context)
        assert len(found) == len(expected), (size, lower, upper)
        assert set(found) == expected


@pytest.mark.parametrize("name", FORMULATIONS)
def test_formulations_say_what_they_are(name):
    assert FORMULATIONS[name].SUMMARY
    assert FORMULATIONS[name].SOURCE
