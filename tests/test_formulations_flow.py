"""Formulations that declare their relaxation to be the hull of a line's fillings, and their use."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import pytest

import nonosat
from helpers.drawing import FUZZ
from helpers.formulated import LINES, formulate
from nonosat.core import plugins
from nonosat.core.model import FALSE, TRUE, Block, Clue, Line
from nonosat.formulations import Context
from nonosat.generate.structured import staircase
from nonosat.puzzles.nonogram.data import from_grid
from nonosat.testing import oracles

HULLS = [name for name in LINES if plugins.find("formulations", name).is_hull]


def most(context: Context, weights: Sequence[int]) -> float | None:
    """Maximum sum of weights of true variables in the relaxation; None if it is infeasible."""
    from ortools.linear_solver import pywraplp

    solver = pywraplp.Solver.CreateSolver("GLOP")
    numbers = [
        solver.NumVar(min(one.domain), max(one.domain), "") for one in context.model.proto.variables
    ]

    def value(lit: int) -> Any:
        return numbers[lit] if lit >= 0 else 1 - numbers[-lit - 1]

    for constraint in context.model.proto.constraints:
        assert not constraint.enforcement_literal
        if constraint.has_exactly_one():
            solver.Add(sum(map(value, constraint.exactly_one.literals)) == 1)
        elif constraint.has_bool_or():
            solver.Add(sum(map(value, constraint.bool_or.literals)) >= 1)
        else:
            linear = constraint.linear
            terms = zip(linear.vars, linear.coeffs, strict=True)
            total = sum(factor * value(var) for var, factor in terms)
            low, high = linear.domain
            solver.Add(total >= low)
            solver.Add(total <= high)
    variables = context.variables[1:]
    pairs = zip(variables, weights, strict=True)
    solver.Maximize(sum(weight * numbers[variable.index] for variable, weight in pairs))
    status = solver.Solve()
    assert status in (pywraplp.Solver.OPTIMAL, pywraplp.Solver.INFEASIBLE)
    return solver.Objective().Value() if status == pywraplp.Solver.OPTIMAL else None


def relaxed_most(name: str, clue: Clue, length: int, num_colours: int, weights: list[int]) -> Any:
    context = Context(length * num_colours)
    starts = range(1, 1 + length * num_colours, length)
    formulate(name, Line(tuple(range(at, at + length) for at in starts), clue), context)
    return most(context, weights)


def test_there_is_one():
    assert "line-flow" in HULLS


@pytest.mark.parametrize("name", HULLS)
@pytest.mark.parametrize(
    ("length", "num_colours"), [(1, 1), (3, 1), (5, 1), (6, 1), (3, 2), (4, 2)]
)
def test_the_relaxation_is_the_hull(name, length, num_colours):
    """Over the relaxation the maximum of a sum is attained at a filling, for any weights of cells
    and
    colours.
    """
    rng = random.Random(length + num_colours)
    for clue in oracles.clues(length, num_colours, unknown=True):
        if rng.random() > 0.2 * FUZZ and length > 3:
            continue
        weights = [rng.randint(-9, 9) for _ in range(length * num_colours)]
        sums = [
            sum(weights[(value - 1) * length + at] for at, value in enumerate(cells) if value)
            for cells in oracles.fillings(clue, length)
        ]
        assert relaxed_most(name, clue, length, num_colours, weights) == pytest.approx(max(sums))


def test_others_are_not():
    """The clauses of an encoding leave far more, so the test above can fail."""
    clue = (Block(2), Block(1))
    assert relaxed_most("line-booleans:order", clue, 6, 1, [1] * 6) > 3.4
    assert relaxed_most("line-flow", clue, 6, 1, [1] * 6) == pytest.approx(3)


@pytest.mark.parametrize(
    ("cells", "clue"), [((TRUE, FALSE, 1), (Block(2),)), ((1, 1), (Block(3),))]
)
def test_a_line_without_fillings_is_refuted_at_once(cells, clue):
    context = Context(1)
    formulate("line-flow", Line((cells,), clue), context)
    assert most(context, [1]) is None


def test_structured_uniqueness_takes_no_conflict():
    """The relaxation alone refutes a second solution; without it there are thousands."""
    grid = staircase(8)
    puzzle = from_grid(grid)
    conflicts = {}
    for line in ("flow", "automaton"):
        result = nonosat.check(puzzle, backend="cpsat", formulation={"line": line}, hints="none")
        assert result.verdict is nonosat.Verdict.UNIQUE
        assert result.solution == grid
        conflicts[line] = sum(stage.detail.get("conflicts", 0) for stage in result.stages)
    assert conflicts["flow"] * 10 < conflicts["automaton"]
