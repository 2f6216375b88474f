"""Every backend with every encoding or formulation of loops agrees with enumeration on tours."""

from __future__ import annotations

import pytest
from hypothesis import given

import nonosat
from helpers.agreeing import agrees
from helpers.drawing import examples
from helpers.engines import each
from nonosat.core import plugins
from nonosat.core.result import Verdict
from nonosat.puzzles.knight import METHODS, Knight, methods, segments
from nonosat.testing.boards import knight_solutions
from nonosat.testing.strategies import knights

BACKENDS = plugins.names("backends")
ON_CLAUSES = [
    name for name, module in BACKENDS.items() if module.takes_clauses and module.hints == "none"
]
ENCODINGS = ("cut-sets", "positions")  # a knight's graph has no faces, which cells would need


def agree(puzzle: Knight, **options: object) -> None:
    agrees(puzzle, knight_solutions(puzzle), **options)


@pytest.mark.thorough
@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("backend", each(ON_CLAUSES))
@examples(5)
@given(puzzle=knights())
def test_engines_of_clauses_agree(backend, encoding, puzzle):
    agree(puzzle, backend=backend, encoding={"loop": encoding})


@pytest.mark.thorough
@examples(5)
@given(puzzle=knights())
def test_circuits_agree(puzzle):
    agree(puzzle, backend="cpsat", formulation={"loop": "circuit"})


@pytest.mark.thorough
@pytest.mark.parametrize("backend", ["auto", "backtracking", "first-steps"])
@examples(45)
@given(puzzle=knights())
def test_methods_agree(backend, puzzle):
    agree(puzzle, backend=backend)


@pytest.mark.thorough
@pytest.mark.parametrize("short", [0, 1, 3, 60])
@examples(40)
@given(puzzle=knights(16))
def test_given_numbers_with_any_labels_of_segments(short, puzzle):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(segments, "SHORT", short)
        agree(puzzle, backend="learn")


def test_first_steps_that_do_not_suffice_are_followed_by_an_engine(monkeypatch):
    monkeypatch.setattr(methods, "FIRST_STEPS", 10)
    puzzle = Knight(7, 7, start=(3, 3), given=((0, 0, 29), (4, 5, 2)))
    result = nonosat.solve(puzzle)
    assert result.verdict is Verdict.SOLVED
    assert result.backend == "local-search"
    assert result.reason == ""
    monkeypatch.setattr(methods, "MOST_SEARCHED", 48)
    result = nonosat.solve(puzzle)
    assert result.verdict is Verdict.SOLVED
    assert result.backend == methods.NUMBERS_ENGINE
    assert result.reason == ""
    alone = nonosat.solve(puzzle, backend="first-steps")
    assert alone.verdict is Verdict.UNKNOWN
    assert alone.reason == "a search that entered 10 squares has not ended"


@pytest.mark.slow
def test_an_engine_repeats_no_tour_of_the_first_steps(monkeypatch):
    whole = nonosat.solve(Knight(5, 8)).solution
    squares = enumerate(whole.squares(), start=1)
    given_ = tuple((row, column, number) for number, (row, column) in squares if number < 24)
    puzzle = Knight(5, 8, given=given_)
    every = list(nonosat.solutions(puzzle, backend="backtracking"))
    assert len(every) > 2
    for steps in (45, 80, 150):
        monkeypatch.setattr(methods, "FIRST_STEPS", steps)
        found = list(nonosat.solutions(puzzle))
        assert len(found) == len({*found})
        assert {*found} == {*every}


def test_all_of_them_are_tested():
    assert {"learn", "cadical195", "minisat22", "kissat404", "glucose421"} <= {*ON_CLAUSES}
    every = {"construction", "warnsdorff", "rotations", "backtracking", "first-steps"}
    assert {*METHODS} == {*every, "local-search"}
