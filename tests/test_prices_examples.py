"""Examples of benchmarks/native/PRICES.md: its price table, its least distances, its gap."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import nonosat
from nonosat.board import prices
from nonosat.board.presolve import PresolvedModel
from nonosat.core.limits import Limits, Watch
from nonosat.puzzles.nonogram import Nonogram, build
from nonosat.testing import oracles

PAGE = (Path(__file__).parent.parent / "benchmarks" / "native" / "PRICES.md").read_text()


def _task(puzzle: Nonogram) -> tuple[PresolvedModel, Watch]:
    task, watch = PresolvedModel.of(build(puzzle)), Watch(Limits())
    assert task.propagate(watch)
    return task, watch


def _dearest(clue, paid):
    fillings = oracles.fillings(clue, len(paid))
    return max(
        sum(p for p, cell in zip(paid, filling, strict=True) if cell) for filling in fillings
    )


def _bound(puzzle, picture, table):
    """Return the bound by its definition on the page, in plain Python over all fillings."""
    costs = [[-1 if cell == "#" else 1 for cell in row] for row in picture]
    left = [[c - u for c, u in zip(*both, strict=True)] for both in zip(costs, table, strict=True)]
    rows = sum(map(_dearest, puzzle.rows, table))
    columns = sum(map(_dearest, puzzle.columns, zip(*left, strict=True)))
    return "".join(picture).count("#") + rows + columns, left


def test_the_worked_example():
    text = re.search(r"```example\n.*\n((?:.*\n){3})```", PAGE)[1]
    picture = [row.split()[0] for row in text.splitlines()]
    numbers = [list(map(int, row.split()[1:])) for row in text.splitlines()]
    table = [row[:3] for row in numbers]
    puzzle = nonosat.nonogram([[3], [1], [1]], [[3], [1], [1]])
    assert nonosat.solve(puzzle).solution.lines() == picture
    bound, left = _bound(puzzle, picture, table)
    assert left == [row[3:] for row in numbers]
    assert bound == 0
    assert "5 - 4 + 0 + 0 - 3 + 1 + 1 = 0" in PAGE
    assert _bound(puzzle, picture, [[0] * 3] * 3)[0] == 4
    assert "With prices of 0\neverywhere the bound is 4" in PAGE


@pytest.mark.parametrize(
    ("rows", "columns", "least"),
    [
        ([[1], [1]], [[1], [1]], 4),
        ([[2], [1]], [[None], [None]], 2),
        ([[None], [None]], [[2], [1]], 2),
        ([[None], [2]], [[None], [None]], 1),
    ],
)
def test_least_distances_are_attained(rows, columns, least):
    puzzle = nonosat.nonogram(rows, columns)
    found = oracles.solutions(puzzle)
    apart = {
        sum(a != b for a, b in zip(one, other, strict=True))
        for one in found
        for other in found
        if one != other
    }
    assert min(apart) == least
    assert prices.least_distance(_task(puzzle)[0]) == least


def test_the_smallest_board_whose_bound_is_not_tight():
    puzzle = nonosat.nonogram([[1, 1], [2]], [[1], [1], [1], [1]])
    task, watch = _task(puzzle)
    (cells,) = oracles.solutions(puzzle)
    proof = prices.refute_others(task, cells, watch, stubborn=True)
    assert (proof.outcome, proof.bound) == (prices.PriceOutcome.OPEN, 8)
    assert proof.bound == task.num_open()
    for cell, value in enumerate(cells):
        trial, _ = _task(puzzle)
        trial.board.assign(cell, 1 - value)
        if trial.propagate(watch):
            found = prices.find(trial, watch, stubborn=True)
            assert found.outcome is prices.PriceOutcome.REFUTED
