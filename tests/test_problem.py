"""A puzzle is resolved once: model and board are made once for all queries."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

import nonosat
from nonosat.core.limits import TimeLeft
from nonosat.core.result import Options
from nonosat.puzzles import nonogram, slitherlink
from nonosat.questions import counting
from nonosat.solving import pipeline, problem
from nonosat.solving.problem import Problem

OPEN = nonosat.nonogram([[1]] * 8, [[1]] * 8)  # propagation decides nothing
HARD = nonosat.load("instances/unique.jsonl#noise-35-6")  # an engine decides it
LOOP = nonosat.slitherlink(["3..", "..."])

QUESTIONS: dict[str, Callable[[Any], object]] = {
    "solve": nonosat.solve,
    "check": nonosat.check,
    "solutions": lambda puzzle: next(nonosat.solutions(puzzle)),
    "count": nonosat.count,
    "sample": nonosat.sample,
    "backbone": nonosat.backbone,
    "why_multiple": nonosat.why_multiple,
}


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Calls of the families' model functions, of presolve, and of the search for an obstacle."""
    calls = Counter[str]()

    def counted(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **named: Any) -> Any:
            calls[name] += 1
            return function(*args, **named)

        return call

    for family in (nonogram.PLUGIN, slitherlink.PLUGIN):
        for name in ("build", "obstacle"):
            double = counted(name, getattr(family, name))
            monkeypatch.setitem(vars(family), name, double)
    monkeypatch.setattr(problem, "presolved", counted("presolved", problem.presolved))
    return calls


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("puzzle", [OPEN, HARD, LOOP], ids=["open", "hard", "loop"])
def test_model_and_presolve_are_made_once(
    calls: Counter[str], monkeypatch: pytest.MonkeyPatch, puzzle: Any, question: str
) -> None:
    # A count takes turns with several searches for the backbone.
    monkeypatch.setattr(counting, "FIRST_WORK", 1000)
    monkeypatch.setattr(counting, "GROWTH", 2)
    QUESTIONS[question](puzzle)
    assert calls["build"] <= 1
    assert calls["obstacle"] <= 1
    assert calls["presolved"] <= 1


def test_a_part_shares_data_and_has_its_own_limits_and_log() -> None:
    whole = Problem(OPEN, Options(max_solutions=None, time_limit_s=50))
    task, model = whole.task, whole.model
    part = whole.part(max_solutions=2)
    assert part.model is model
    assert part.task is task
    assert part.log is not whole.log
    assert isinstance(part.options.time_limit_s, TimeLeft)
    assert (part.options.max_solutions, whole.options.max_solutions) == (2, None)
    assert whole.part(time_limit_s=1.0).watch.limits.time_s == 1.0


def test_the_board_that_parts_share_stays_as_presolve_leaves_it() -> None:
    whole = Problem(HARD, Options())
    assert [done.stage.name for done in whole.presolve()] == ["propagate", "probe"]
    assert whole.task.board is not None
    before = whole.task.board.cells()
    assert pipeline.check_problem(whole.part(max_solutions=2)).verdict is nonosat.Verdict.UNIQUE
    assert whole.task.board.cells() == before
    assert list(whole.part().presolve()) == []
