"""All of the documents' methods agree with enumeration and with the native solver.

Each method gets puzzles of sizes that it can handle. Methods without guesses may leave a puzzle
open.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import assume, given

import nonosat
from helpers.drawing import examples
from nonosat import Verdict, load_all
from nonosat.core.grid import Grid
from nonosat.puzzles.nonogram import Nonogram, from_grid, mono
from nonosat.study.experiments.run import suitable
from nonosat.testing import oracles
from nonosat.testing.strategies import puzzles
from test_study_grids import METHODS, WITHOUT_GUESSES, methods, solved

PICTURES = Path(__file__).parent.parent / "instances" / "pictures.jsonl"


def agree(puzzle: Nonogram) -> None:
    """Check that every method gives the solutions of enumeration."""
    right = oracles.solutions(puzzle)
    for name, module in METHODS.items():
        if module.limit(puzzle) is None:
            found = solved(name, puzzle)
            assert found == right or (name in WITHOUT_GUESSES and found < right), name


@pytest.mark.slow
@given(puzzle=puzzles(max_cells=12, max_colours=1, unknown=False))
@examples(40)
def test_all_methods_agree_with_enumeration(puzzle: Nonogram) -> None:
    agree(puzzle)


@pytest.mark.slow
@given(puzzle=puzzles(max_cells=30, max_colours=1, unknown=False))
@examples(20)
def test_methods_agree_on_larger_boards(puzzle: Nonogram) -> None:
    """All but brute force, which would try 2^30 grids."""
    result = nonosat.solve(puzzle, max_solutions=40)
    right = {grid.cells for grid in result.solutions}
    for name in METHODS.keys() - {"brute-force", *WITHOUT_GUESSES}:
        if METHODS[name].limit(puzzle) is not None:
            continue
        mine = nonosat.solve(puzzle, max_solutions=40, backend=f"study:{name}")
        if result.verdict is Verdict.UNSOLVABLE or len(right) < 40:
            assert {grid.cells for grid in mine.solutions} == right, name
        else:
            assert len(mine.solutions) == 40
        assert mine.verdict is result.verdict


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(METHODS.keys() - {"brute-force", *WITHOUT_GUESSES}))
@given(puzzle=puzzles(max_cells=36, max_colours=1, unknown=False))
@examples(12)
def test_every_method_lists_exactly_the_solutions(name: str, puzzle: Nonogram) -> None:
    """Methods as backends; brute force would try 2^36 grids."""
    assume(METHODS[name].limit(puzzle) is None)
    truth = oracles.solutions(puzzle, 41)
    assume(len(truth) <= 40)
    found = [grid.cells for grid in nonosat.solutions(puzzle, backend=f"study:{name}")]
    assert len(found) == len(truth)
    assert set(found) == truth


@pytest.mark.slow
@methods
@pytest.mark.parametrize(("height", "width"), [(1, 1), (1, 9), (9, 1), (4, 4)])
@pytest.mark.parametrize("value", [0, 1])
def test_empty_and_full_boards(name: str, height: int, width: int, value: int) -> None:
    grid = Grid(height, width, bytes([value]) * (height * width))
    result = nonosat.check(from_grid(grid), backend=f"study:{name}")
    assert (result.verdict, result.solutions) == (Verdict.UNIQUE, (grid,))


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(METHODS.keys() - WITHOUT_GUESSES))
def test_requested_numbers_of_solutions(name: str) -> None:
    ones = mono([(1,)] * 4, [(1,)] * 4)
    for wanted, found in ((1, 1), (2, 2), (5, 5), (24, 24), (100, 24)):
        result = nonosat.solve(ones, max_solutions=wanted, backend=f"study:{name}")
        assert len(set(result.solutions)) == found
        assert result.verdict is (Verdict.SOLVED if wanted == 1 else Verdict.MULTIPLE)


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", sorted(METHODS.keys() - {"automata-backtracking", "rules-backtracking"})
)
def test_methods_agree_on_pictures(name: str) -> None:
    """With native search, on bundled puzzles; backtracking takes minutes for some of them."""
    taken = 0
    for puzzle in suitable(load_all(PICTURES), quick=False)[:6]:
        if METHODS[name].limit(puzzle) is not None:
            continue
        mine = nonosat.check(puzzle, backend=f"study:{name}")
        right = nonosat.check(puzzle, backend="search")
        if name in WITHOUT_GUESSES and mine.verdict is Verdict.UNKNOWN:
            assert mine.reason.startswith("undetermined: ")
        else:
            assert mine.verdict is right.verdict
            assert mine.verdict is Verdict.MULTIPLE or mine.solutions == right.solutions
            taken += 1
    assert taken > 2 or name in ("brute-force", "rules")


@given(puzzle=puzzles(max_cells=30, max_colours=3))
@examples(30)
def test_features_unknown_to_the_documents_are_refused(puzzle: Nonogram) -> None:
    """Colours and blocks of unknown length, by every method and in words."""
    blocks = [block for clue in (*puzzle.rows, *puzzle.columns) for block in clue]
    is_known = len(puzzle.colours) == 1 and all(block.length for block in blocks)
    for name, module in METHODS.items():
        reason = module.limit(puzzle)
        if not is_known:
            assert reason is not None
            assert "the documents know only" in reason
        elif name != "brute-force":
            assert reason is None
