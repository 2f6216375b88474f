"""Small puzzles on the fast path: the results are those of the pipeline."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

import nonosat
from helpers.clocks import Clock
from nonosat import _core
from nonosat.core.grid import Grid
from nonosat.core.result import Result
from nonosat.puzzles import nonogram
from nonosat.puzzles.nonogram import Nonogram, from_grid, mono
from nonosat.puzzles.nonogram.data import INKS
from nonosat.solving import pipeline

FORCED = mono([[2], [1]], [[1], [2]])


def drawn(seed: int) -> Nonogram:
    """A small puzzle; most of them are forced."""
    rng = random.Random(seed)
    height, width, most = rng.randint(1, 9), rng.randint(1, 9), rng.choice([1, 1, 3])
    cells = bytes(rng.randint(0, most) for _ in range(height * width))
    puzzle = from_grid(Grid(height, width, cells), INKS[:most])
    return puzzle if rng.random() < 0.5 else replace(puzzle, goal=None)


def told(result: Result) -> tuple[Any, ...]:
    stages = [(stage.name, stage.decided, stage.detail) for stage in result.stages]
    return result, result.backend, dict(result.encoding), result.options, stages


def by_pipeline(monkeypatch: pytest.MonkeyPatch, puzzle: Nonogram, **options: Any) -> Result:
    with monkeypatch.context() as patched:
        patched.setitem(vars(nonogram.PLUGIN), "fast_path", None)
        return pipeline.solve(puzzle, **options)


@pytest.mark.parametrize("options", [{}, {"max_solutions": 2}, {"max_solutions": None, "seed": 3}])
def test_results_are_those_of_the_pipeline(
    monkeypatch: pytest.MonkeyPatch, options: dict[str, Any]
) -> None:
    num_forced = 0
    for seed in range(300):
        puzzle = drawn(seed)
        result = nonosat.solve(puzzle, **options)
        assert told(result) == told(by_pipeline(monkeypatch, puzzle, **options))
        num_forced += nonogram.fast_path(puzzle) is not None
    assert 100 < num_forced < 290


def broken(puzzle: Nonogram) -> Grid:
    raise AssertionError("the pipeline was to decide that")


@pytest.mark.parametrize(
    "options",
    [
        {"backend": "learn"},
        {"presolve": "none"},
        {"hints": "none"},
        {"encoding": {"line": "order"}},
        {"cubes": 2, "jobs": 1},
        {"memory_limit_mib": 4000},
        {"time_limit_s": 0.001},
        {"redundant": ("counts",)},
    ],
)
def test_unusual_options_are_left_to_the_pipeline(
    clock: Clock, monkeypatch: pytest.MonkeyPatch, options: dict[str, Any]
) -> None:
    monkeypatch.setitem(vars(nonogram.PLUGIN), "fast_path", broken)
    assert nonosat.check(FORCED, **options).options.presolve == options.get("presolve", "probe")
    with pytest.raises(AssertionError, match="the pipeline"):
        nonosat.check(FORCED, time_limit_s=1)


def test_large_puzzles_and_given_cells_are_left_to_the_pipeline() -> None:
    assert nonogram.fast_path(FORCED) == Grid(2, 2, b"\1\1\0\1")
    assert nonogram.fast_path(replace(FORCED, given=((0, 0, 1),))) is None
    assert nonogram.fast_path(mono([[33]] * 33, [[33]] * 33)) is None
    assert nonogram.fast_path(mono([[1], [1]], [[1], [1]])) is None
    assert nonogram.fast_path(mono([[2]], [[1]])) is None


def test_a_wrong_picture_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_core, "forced_cells", lambda *clues: b"\1\0\0\1")
    assert nonosat.check(FORCED).solution.cells == b"\1\1\0\1"


def test_a_wrong_goal_is_reported() -> None:
    puzzle = replace(FORCED, goal=Grid(2, 2, b"\1\1\1\1"))
    assert "the goal is not a solution" in nonosat.check(puzzle).warnings[0]


def test_invalid_native_boards_are_refused() -> None:
    for bad in ((0, [], []), (1, [[]], []), (256, [[]], [[]]), (1, [[(1, 2)]], [[]])):
        with pytest.raises(ValueError, match=r"a board has|a block has"):
            _core.forced_cells(*bad)
