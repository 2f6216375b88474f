"""Backend `prices`: its verdicts, its reasons when undecided, and its part in `auto`."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

import nonosat
from helpers import priced
from helpers.clocks import Clock
from helpers.commands import run
from helpers.processes import begun
from nonosat._core import BUDGETS
from nonosat.backends.prices import PLUGIN
from nonosat.board.presolve import PresolvedModel
from nonosat.core.errors import UnsupportedError
from nonosat.core.limits import Limits, Watch
from nonosat.core.model import Clause
from nonosat.core.result import Verdict
from nonosat.generate.structured import generate_structured
from nonosat.puzzles import nonogram
from nonosat.puzzles.nonogram import Nonogram, from_grid

INSTANCES = Path(__file__).parent.parent / "instances"
SWITCH = nonosat.nonogram([[1], [1]], [[1], [1]])


def dominoes(name: str) -> Nonogram:
    found = nonosat.load(str(INSTANCES / f"domino.jsonl#domino-{name}"))
    assert isinstance(found, Nonogram)
    return found


def noise(side: int, seed: int) -> Nonogram:
    rng = random.Random(seed)
    return from_grid(nonosat.Grid(side, side, bytes(rng.random() < 0.5 for _ in range(side**2))))


@pytest.mark.parametrize("presolve", ["none", "propagate", "probe"])
@pytest.mark.parametrize("backend", ["auto", "prices"])
def test_dominoes_are_decided_without_search(backend: str, presolve: str) -> None:
    result = nonosat.check(dominoes("12"), backend=backend, presolve=presolve)
    assert (result.verdict, result.backend) == (Verdict.UNIQUE, "prices")
    (stage,) = [stage for stage in result.stages if stage.name == "prices"]
    assert (stage.decided, stage.detail["bound"]) == (25 * 25, 0)
    assert 20 < stage.detail["sweeps"] < 200
    assert "learn" not in {stage.detail.get("engine") for stage in result.stages}


def test_a_bound_that_does_not_reach_is_the_reason() -> None:
    result = nonosat.check(noise(12, 3), backend="prices")
    learnt = nonosat.check(noise(12, 3), backend="learn")
    assert learnt.verdict is Verdict.MULTIPLE
    assert (result.verdict, len(result.solutions)) == (Verdict.UNKNOWN, 1)
    bound = result.stages[-1].detail["bound"]
    assert bound >= max(
        sum(a != b for a, b in zip(result.solution.cells, other.cells, strict=True))
        for other in nonosat.solutions(noise(12, 3))
    )
    assert f"the price bound is {bound}: another solution may differ in so many" in result.reason
    assert "expected below 4" in result.reason


def test_the_exit_status_of_the_command_is_unknown(tmp_path: Path) -> None:
    path = tmp_path / "noise.jsonl"
    nonosat.save(noise(12, 3), path)
    found = run("check", str(path), "--backend", "prices")
    assert found.exit_code == 5
    assert "the price bound is" in found.stdout


def test_a_single_solution_needs_no_bound() -> None:
    assert nonosat.solve(dominoes("12"), backend="prices").verdict is Verdict.SOLVED
    assert nonosat.solve(noise(12, 3), backend="prices").verdict is Verdict.SOLVED


def test_if_there_are_two_solutions_the_first_is_given() -> None:
    result = nonosat.check(SWITCH, backend="prices")
    assert (result.verdict, len(result.solutions)) == (Verdict.UNKNOWN, 1)
    assert "the price bound is 4: another solution may differ in so many of the 4" in result.reason


def test_unsolvable_without_search() -> None:
    puzzle = nonosat.load(str(INSTANCES / "special.jsonl#broken-steps"))
    result = nonosat.check(puzzle, backend="prices")
    assert (result.verdict, result.backend) == (Verdict.UNSOLVABLE, "prices")
    assert nonosat.check(puzzle, backend="learn").verdict is Verdict.UNSOLVABLE


@pytest.mark.parametrize("presolve", ["none", "probe"])
@pytest.mark.parametrize(
    ("rows", "columns", "verdict"),
    [
        ([[2]], [[1], [1], []], Verdict.UNIQUE),
        ([[], []], [[], []], Verdict.UNIQUE),
        ([[1]], [[1]], Verdict.UNIQUE),
        ([[3]], [[1], [2], []], Verdict.UNSOLVABLE),
        ([[1], [2]], [[2], [1]], Verdict.UNIQUE),
    ],
)
def test_narrow_boards(
    rows: list[list[int]], columns: list[list[int]], verdict: Verdict, presolve: str
) -> None:
    puzzle = nonosat.nonogram(rows, columns)
    assert nonosat.check(puzzle, backend="prices", presolve=presolve).verdict is verdict


def test_after_the_first_solution_of_an_engine_the_bound_is_computed(
    budgets: Callable[..., None],
) -> None:
    """For boards whose marginals are not the solution, but whose bound is tight all the same."""
    budgets(search=0, dive=0, prices=1_200_000, cell_sweeps=10**9)  # enough for the bound alone
    result = nonosat.check(dominoes("12"), hints="none")
    assert (result.verdict, result.backend) == (Verdict.UNIQUE, "prices")
    engines = [stage.detail["engine"] for stage in result.stages if "engine" in stage.detail]
    assert sorted(engines) == ["learn", "prices", "prices", "search"]


def test_puzzles_that_it_refuses() -> None:
    task = PresolvedModel.of(nonogram.build(SWITCH))
    assert PLUGIN.open_on_board is not None
    engine = PLUGIN.open_on_board(task, {})
    with pytest.raises(UnsupportedError, match="no clauses but those that forbid a solution"):
        engine.add([1, 2])
    with pytest.raises(UnsupportedError, match="no variables but the cells"):
        engine.new_var()
    with pytest.raises(UnsupportedError, match="takes no Clause"):
        engine.constrain(Clause((1,)))
    with pytest.raises(UnsupportedError, match="takes no assumptions"):
        engine.solve([1], Watch(Limits()))


def test_limits_hold(clock: Clock) -> None:
    clock.step_s = 0.05
    result = nonosat.check(noise(300, 1), backend="prices", time_limit_s=0.3)
    assert (result.verdict, result.reason) == (Verdict.UNKNOWN, "time limit of 0.3 s")


@pytest.mark.real_time
def test_promising_prices_are_tried_again_if_an_engine_takes_long(
    budgets: Callable[..., None],
) -> None:
    puzzle = generate_structured("interleaved", 12)
    result = nonosat.check(puzzle, time_limit_s=60)
    assert (result.verdict, result.backend) == (Verdict.UNIQUE, "prices")
    stages = [stage for stage in result.stages if stage.name in ("prices", "solve")]
    assert [stage.name for stage in stages] == ["prices", "prices", "solve"]
    assert stages[-1].detail["conflicts"] <= BUDGETS.pause + 100
    assert sum(stage.decided for stage in result.stages) == puzzle.height * puzzle.width
    budgets(promising_sweeps=10**9, pause=100)
    others, _ = begun(
        lambda limit_s: nonosat.check(puzzle, time_limit_s=limit_s),
        lambda found: "solve" in [stage.name for stage in found.stages],
        1.0,
    )
    assert [stage.name for stage in others.stages].count("prices") == 1


def test_cells_are_decided_by_a_solution_of_a_pause(budgets: Callable[..., None]) -> None:
    """The solution is attributed to the engine that was paused, also if no more than that is
    requested.
    """
    budgets(search=0, prices=3000, patient_prices=10**8, pause=1, promising_sweeps=0, dive=0)
    rows = [[3, 2], [1, 1, 1], [1, 3, 1], [1, 1, 1], [1, 3, 1], [1, 1, 1], [1, 2]]
    columns = [[3], [1], [1, 3], [1], [1, 3], [1], [1], [2, 1], [1, 1, 1], [1, 3], [2]]
    puzzle = nonosat.nonogram(rows, columns)
    result = nonosat.solve(puzzle, presolve="propagate", hints="none")
    assert (result.verdict, result.backend) == (Verdict.SOLVED, "prices")
    assert sum(stage.decided for stage in result.stages) == puzzle.height * puzzle.width


def test_cells_are_decided_if_a_pause_finds_that_no_more_can_be_remembered(
    budgets: Callable[..., None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    budgets(search=0, prices=0, pause=1)
    monkeypatch.setattr("nonosat.solving.steps.MOST_KNOWN", 1)
    puzzle = priced.puzzle_of(priced.dominoes(5))
    result = nonosat.check(puzzle, hints="none")
    assert result.verdict is Verdict.UNIQUE
    engines = [stage.detail["engine"] for stage in result.stages if "engine" in stage.detail]
    assert engines == ["search", "prices", "learn", "search"]
    assert sum(stage.decided for stage in result.stages) == puzzle.height * puzzle.width
