"""Models of CPMpy: all of their solutions are those of the puzzle, and `decode` reads values."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import nonosat
from helpers.exported import BOARDS, OTHERS
from nonosat.core.errors import BackendError, FormatError, LimitReached, UnsupportedError
from nonosat.testing import oracles

RECIPE = Path(__file__).parent.parent / ".docs" / "recipes" / "encodings.md"
MOST = 20


def solutions(puzzle: Any, **how: Any) -> list[str]:
    """Solutions that CPMpy finds, in order, checked by `decode`."""
    pytest.importorskip("cpmpy", reason="CPMpy is not installed")
    model, cells = nonosat.to_cpmpy(puzzle, **how)
    found: list[str] = []

    def read() -> None:
        found.append(str(nonosat.decode(puzzle, cells.value()).solution))

    assert model.solveAll(solver="ortools", display=read, solution_limit=MOST) == len(found)
    return sorted(found)


@pytest.mark.slow
@pytest.mark.parametrize("name", BOARDS)
def test_boards_have_their_solutions(name: str) -> None:
    puzzle = BOARDS[name]
    height, width = puzzle.height, puzzle.width
    cells = oracles.solutions(puzzle)
    assert solutions(puzzle) == sorted(str(nonosat.Grid(height, width, one)) for one in cells)


@pytest.mark.slow
@pytest.mark.parametrize("name", OTHERS)
def test_other_puzzles_have_their_solutions(name: str) -> None:
    puzzle: Any = OTHERS[name]
    assert solutions(puzzle) == sorted(map(str, nonosat.solutions(puzzle)))


@pytest.mark.slow
def test_open_clues_have_their_solutions() -> None:
    puzzle = nonosat.loads('{"rows": ["*", "2+"], "columns": ["1 *", "1", "?"]}')
    assert solutions(puzzle) == sorted(map(str, nonosat.solutions(puzzle)))


@pytest.mark.slow
def test_presolve_and_a_forbidden_solution() -> None:
    puzzle = BOARDS["ones"]
    every = solutions(puzzle)
    (first, *_) = nonosat.solutions(puzzle)
    for level in ("none", "probe"):
        rest = solutions(puzzle, presolve=level, forbidden=first)
        assert sorted([*rest, str(first)]) == every


def test_values_are_checked() -> None:
    puzzle = BOARDS["ones"]
    with pytest.raises(FormatError, match="not a solution"):
        nonosat.decode(puzzle, [[1, 1, 0], [0, 0, 0], [0, 0, 1]])
    with pytest.raises(FormatError, match="x has 2 values, expected 9"):
        nonosat.decode(puzzle, [0, 1])
    with pytest.raises(FormatError, match="x has the value 2, expected 0 to 1"):
        nonosat.decode(puzzle, [2] * 9)
    for value in (None, "1", 0.5, float("nan")):
        with pytest.raises(UnsupportedError, match="expected whole numbers"):
            nonosat.decode(puzzle, [value] * 9)


@pytest.mark.slow
def test_a_limit_ends_it(clock: Any) -> None:
    pytest.importorskip("cpmpy", reason="CPMpy is not installed")
    clock.step_s = 1
    with pytest.raises(LimitReached):
        nonosat.to_cpmpy(BOARDS["ones"], time_limit_s=5)


def test_the_package_may_be_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "cpmpy", None)
    with pytest.raises(BackendError, match=r"needs cpmpy.*pip install"):
        nonosat.to_cpmpy(BOARDS["ones"])


@pytest.mark.slow
def test_the_recipe_runs() -> None:
    pytest.importorskip("cpmpy", reason="CPMpy is not installed")
    (code,) = re.findall(r"```python\n(.*?)```", RECIPE.read_text(), re.DOTALL)
    exec(compile(code, str(RECIPE), "exec"), {})
