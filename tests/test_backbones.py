"""Backbones: against all solutions, and under limits."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given

import nonosat
from helpers.drawing import examples
from nonosat.core.grid import UNKNOWN, Grid
from nonosat.core.result import Result, Verdict
from nonosat.puzzles.nonogram import Nonogram, from_grid, mono
from nonosat.puzzles.queens.data import Queens
from nonosat.questions.backbone_state import KEPT
from nonosat.questions.backbones import backbone, differing
from nonosat.questions.solution_oracle import Budget
from nonosat.solving import pipeline
from nonosat.solving.problem import Problem
from nonosat.testing.oracles import solutions
from nonosat.testing.strategies import puzzles


def noise(side: int, seed: int, share: float = 0.5) -> Nonogram:
    draw = random.Random(seed)
    return from_grid(Grid(side, side, bytes(draw.random() < share for _ in range(side * side))))


def check_against(puzzle: Nonogram, all_solutions: set[bytes]) -> None:
    found = backbone(puzzle)
    assert found.is_complete
    verdicts = (Verdict.UNSOLVABLE, Verdict.UNIQUE, Verdict.MULTIPLE)
    assert found.verdict is verdicts[min(len(all_solutions), 2)]
    assert found.undecided == ()
    assert {grid.cells for grid in found.solutions} <= all_solutions
    assert len(set(found.solutions)) == len(found.solutions)
    if not all_solutions:
        assert set(found.settled.cells) == {UNKNOWN}
        assert found.differing == ()
        return
    columns = zip(*all_solutions, strict=True)
    expected = bytes(cell[0] if len(set(cell)) == 1 else UNKNOWN for cell in columns)
    assert found.settled.cells == expected
    differing = [divmod(at, puzzle.width) for at, cell in enumerate(expected) if cell == UNKNOWN]
    assert list(found.differing) == differing


@examples(60)
@given(puzzles(max_cells=25))
def test_backbones_are_those_of_enumeration(puzzle: Nonogram) -> None:
    check_against(puzzle, solutions(puzzle))


@pytest.mark.parametrize("seed", [0, 1, 4, 6])
def test_random_pictures(seed: int) -> None:
    puzzle = noise(15, seed)
    check_against(puzzle, {grid.cells for grid in nonosat.solutions(puzzle, backend="search")})


def test_unknown_lengths_and_many_solutions() -> None:
    for seed in range(12):
        draw = random.Random(seed)
        clues = [[None] * draw.randint(1, 2) for _ in range(9)]
        puzzle = mono(clues[:4], clues[4:])
        check_against(puzzle, solutions(puzzle))


def test_solutions_kept_are_bounded() -> None:
    found = backbone(mono([[1]] * 12, [[1]] * 12))
    assert len(found.differing) == 144
    assert 2 <= len(found.solutions) <= KEPT
    assert found.solution == found.solutions[0]


def test_cells_that_differ_far_from_each_other() -> None:
    # Two switches with a decided picture between them; the engine is called for it.
    puzzle = nonosat.load("instances/mathematics.jsonl#moire-fine")
    found = backbone(puzzle)
    assert found.verdict is Verdict.MULTIPLE
    assert found.is_complete
    assert "solve" in [stage.name for stage in found.stages]
    for row, column in found.differing:
        cell = {grid[row, column] for grid in found.solutions}
        assert cell == {0, 1}


def test_results_before_a_time_limit_are_proven() -> None:
    puzzle = noise(60, 3, 0.4)
    whole = len(puzzle.rows) * len(puzzle.columns)
    for limit in (1e-9, 0.3):
        found = backbone(puzzle, time_limit_s=limit)
        assert found.reason == f"time limit of {limit:g} s"
        assert not found.is_complete
        settled = whole - found.settled.cells.count(UNKNOWN)
        assert settled + len(found.differing) + len(found.undecided) == whole
        assert str(found).endswith(f"undecided ({found.reason})")


def test_decided_without_search_and_by_propagation() -> None:
    found = backbone(mono([[3]], [[1], [1]]))
    assert (found.verdict, found.undecided) == (Verdict.UNSOLVABLE, ())
    assert found.reason == "row 1 (clue 3) needs at least 3 cells, it has 2"
    found = nonosat.backbone(mono([[2], []], [[1], [1]]))
    assert found.verdict is Verdict.UNIQUE
    assert found.settled == found.solution
    assert str(found).endswith("4 cells settled, 0 differ")


# Cells that differ, in a check


@pytest.mark.slow
@examples(120)
@given(puzzles(max_cells=25))
def test_differing_cells_are_those_of_enumeration(puzzle: Nonogram) -> None:
    result = nonosat.check(puzzle)
    if result.verdict is not Verdict.MULTIPLE:
        return
    columns = list(zip(*solutions(puzzle), strict=True))
    expected = [divmod(at, puzzle.width) for at, cell in enumerate(columns) if len(set(cell)) > 1]
    assert differing(result) == (tuple(expected), True)
    for small in (Budget(cells=1), Budget(probing=0, questions=1), Budget(open_cells=0)):
        found = differing(result, small)
        assert set(result.disputed) <= set(found.cells) <= set(expected)
        assert not found.is_complete or list(found.cells) == expected
        assert differing(result, small) == found


def test_a_small_budget_gives_a_lower_bound() -> None:
    puzzle = noise(30, 1, 0.4)
    result = nonosat.check(puzzle)
    assert len(result.disputed) < len(differing(result).cells)
    for small in (
        Budget(cells=899),
        Budget(questions=1),
        Budget(conflicts=1),
        Budget(open_cells=9),
    ):
        assert not differing(result, small).is_complete
    assert differing(result, Budget(cells=899)).cells == result.disputed


def test_a_time_limit_leaves_the_cells_that_solutions_decide() -> None:
    puzzle = noise(30, 1, 0.4)
    result = nonosat.check(puzzle)
    late = replace(result, seconds=2.0, options=replace(result.options, time_limit_s=1.0))
    found = differing(late)  # it has a millisecond, in which it may find some more
    assert not found.is_complete
    assert {*result.disputed} <= {*found.cells}


def test_all_solutions_leave_nothing_open() -> None:
    result = nonosat.check(Queens(6), max_solutions=10)
    found = differing(result)
    assert found.is_complete
    assert len(found.cells) == 24  # four placements of six queens, none on the same square
    assert differing(nonosat.check(Queens(6))) == found
    assert not differing(nonosat.check(Queens(6)), Budget(questions=0)).is_complete


def test_a_goal_that_holds_is_the_first_solution() -> None:
    for goal in (b"\1\0\0\1", b"\0\1\1\0"):
        puzzle = Nonogram(*[mono([[1]] * 2, [[1]] * 2).rows] * 2, goal=Grid(2, 2, goal))
        assert nonosat.check(puzzle).solutions[0].cells == goal
    rooks = mono([[1]] * 4, [[1]] * 4)
    for grid in nonosat.solutions(rooks):
        result = nonosat.check(Nonogram(rooks.rows, rooks.columns, goal=grid))
        assert result.solutions[0] == grid
        assert len(set(result.solutions)) == 2
    wrong = Nonogram(rooks.rows, rooks.columns, goal=Grid(4, 4, bytes(16)))
    assert wrong.goal not in nonosat.check(wrong).solutions


def test_the_limit_that_the_pipeline_hit_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """Memory: after the pipeline has freed it, no watch can notice the lack."""
    reason = "memory limit of 100 MiB"

    def check(problem: Problem) -> Result:
        return Result(problem.puzzle, Verdict.UNKNOWN, (), reason)

    monkeypatch.setattr(pipeline, "check_problem", check)
    puzzle = mono([[1], [1]], [[1], [1]])
    assert backbone(puzzle).reason == reason
    assert nonosat.why_multiple(puzzle).reason == reason
