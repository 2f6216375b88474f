"""Every backend with every encoding or formulation of counts agrees with enumeration on queens."""

from __future__ import annotations

import pytest
from hypothesis import given

import nonosat
from helpers.agreeing import agrees
from helpers.drawing import examples
from helpers.engines import each
from helpers.queens import boards, enumerated
from nonosat.core import plugins
from nonosat.core.errors import UnsupportedError
from nonosat.core.result import Verdict
from nonosat.puzzles.queens import METHODS, Queens
from test_queens_model import COUNTINGS

BACKENDS = plugins.names("backends")
ON_CLAUSES = [
    name for name, module in BACKENDS.items() if module.takes_clauses and module.hints == "none"
]
FORMULATIONS = ["linear", *(f"booleans:{name}" for name in COUNTINGS)]
NATIVE = [name for name in ON_CLAUSES if BACKENDS[name].native]


def agree(puzzle: Queens, **options: object) -> None:
    agrees(puzzle, enumerated(puzzle), **options)


@pytest.mark.thorough
@pytest.mark.parametrize("backend", each(ON_CLAUSES))
@examples(5)
@given(puzzle=boards())
def test_engines_of_clauses_agree(backend, puzzle):
    for counting in COUNTINGS:
        agree(puzzle, backend=backend, encoding={"count": counting})


@pytest.mark.parametrize("backend", each(NATIVE, pytest.mark.slow))
@examples(12)
@given(puzzle=boards())
def test_engines_that_count_agree(backend, puzzle):
    agree(puzzle, backend=backend, encoding={"count": "native"})


@pytest.mark.slow
@pytest.mark.parametrize("formulation", FORMULATIONS)
@examples(5)
@given(puzzle=boards(5))
def test_formulations_agree(formulation, puzzle):
    agree(puzzle, backend="cpsat", formulation={"count": formulation})


@pytest.mark.parametrize("backend", ["auto", "backtracking", "study:queens-rows"])
@examples(20)
@given(puzzle=boards())
def test_methods_agree(backend, puzzle):
    agree(puzzle, backend=backend)


@examples(30)
@given(puzzle=boards(5))
def test_the_second_study_agrees_on_existence(puzzle):
    result = nonosat.solve(puzzle, backend="study:queens-board")
    assert (result.verdict is Verdict.SOLVED) == bool(enumerated(puzzle))


def test_all_of_them_are_tested():
    assert {"learn", "cadical195", "minisat22", "kissat404", "glucose421"} <= {*ON_CLAUSES}
    assert {"minicard", "gluecard4"} <= {*NATIVE}
    assert {*METHODS} == {"construction", "backtracking", "fewest-first"}


@pytest.mark.parametrize("n", [20, 50, 70])
def test_completion_of_large_boards(n):
    """Half of a placement is given; what completes it is verified by the pipeline."""
    whole = nonosat.solve(Queens(n)).solution
    given_ = tuple(enumerate(whole.columns))[::2]
    for backend in ("auto", "learn"):
        result = nonosat.solve(Queens(n, given_), backend=backend)
        assert result.verdict is Verdict.SOLVED
        assert result.backend == ("fewest-first" if backend == "auto" else "learn")


def test_a_few_of_very_many_solutions():
    result = nonosat.solve(Queens(40), max_solutions=12)
    assert result.verdict is Verdict.MULTIPLE
    assert len({*result.solutions}) == 12
    assert [stage.name for stage in result.stages] == ["construction", "encode", "solve"]
    assert nonosat.check(Queens(100_000)).verdict is Verdict.MULTIPLE


@pytest.mark.parametrize("backend", METHODS)
def test_methods_take_no_encodings(backend):
    with pytest.raises(UnsupportedError, match="uses no encodings"):
        nonosat.solve(Queens(8), backend=backend, encoding={"count": "ladder"})
