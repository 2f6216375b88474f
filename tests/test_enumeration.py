"""Enumeration: every solution once, and in bounded memory."""

from __future__ import annotations

from collections.abc import Callable
from math import factorial

import pytest
from hypothesis import given

import nonosat
from helpers.drawing import examples
from nonosat.core.result import Options
from nonosat.puzzles.nonogram import Nonogram, mono
from nonosat.solving import pipeline, steps
from nonosat.solving.problem import Problem
from nonosat.testing.oracles import solutions as enumerated
from nonosat.testing.strategies import puzzles


@pytest.fixture
def few_seen(budgets: Callable[..., None], monkeypatch: pytest.MonkeyPatch) -> None:
    """Limit the number of solutions that the pipeline remembers."""
    monkeypatch.setattr(steps, "MOST_KNOWN", 3)
    budgets(search=1)


@pytest.mark.usefixtures("few_seen")
@examples(35)
@given(puzzles(max_cells=25))
def test_nothing_is_lost_or_repeated(puzzle: Nonogram) -> None:
    grids = [grid.cells for grid in nonosat.solutions(puzzle)]
    assert len(set(grids)) == len(grids)
    assert set(grids) == enumerated(puzzle)


@pytest.mark.usefixtures("few_seen")
def test_verdicts_of_many_solutions() -> None:
    rooks = mono([[1]] * 4, [[1]] * 4)
    found = nonosat.solve(rooks, max_solutions=None)
    assert len(set(found.solutions)) == factorial(4)
    assert (found.verdict, found.backend) == (nonosat.Verdict.MULTIPLE, "search")
    assert len(nonosat.solve(rooks, max_solutions=10).solutions) == 10


@pytest.mark.parametrize("limit", ["MOST_KNOWN", "MOST_KNOWN_BYTES"])
def test_the_number_of_remembered_solutions_is_bounded(
    budgets: Callable[..., None], monkeypatch: pytest.MonkeyPatch, limit: str
) -> None:
    budgets(search=100_000)
    monkeypatch.setattr(steps, limit, 100 * (1 if limit == "MOST_KNOWN" else 2 * 49))
    run = pipeline.Pipeline(Problem(mono([[1]] * 7, [[1]] * 7), Options(max_solutions=None)))
    grids: list[object] = []
    assert run.take(None, grids.append).exhausted
    assert len(grids) == factorial(7)
    assert len(run.problem.log.solutions) < 400


@pytest.mark.parametrize("backend", ["auto", "search"])
def test_a_search_that_ends_in_time_remembers_no_more(
    budgets: Callable[..., None], monkeypatch: pytest.MonkeyPatch, backend: str
) -> None:
    monkeypatch.setattr(steps, "MOST_KNOWN", 100)
    budgets(search=2**40)  # for every solution
    options = Options(max_solutions=None, backend=backend)
    run = pipeline.Pipeline(Problem(mono([[1]] * 7, [[1]] * 7), options))
    grids: set[object] = set()
    assert run.take(None, grids.add).exhausted
    assert len(grids) == factorial(7)
    assert len(run.problem.log.solutions) == 100
    assert sum(stage.decided for stage in run.problem.log.stages) == 49
