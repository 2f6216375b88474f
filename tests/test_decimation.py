"""Decimation: its results, the claims that it never makes, and the backend that follows it."""

from __future__ import annotations

import random
from dataclasses import asdict, replace
from pathlib import Path

import pytest

import nonosat
from helpers.clocks import Clock
from nonosat import _core
from nonosat.board.decimation import Decimated, Settings, decimate
from nonosat.board.phases import settings_of
from nonosat.board.presolve import OPEN, PresolvedModel
from nonosat.core import plugins
from nonosat.core.errors import LimitReached, UnsupportedError
from nonosat.core.limits import Limits, Watch
from nonosat.core.model import Block, Clause, Model
from nonosat.puzzles.nonogram import Colour, Nonogram, from_grid
from nonosat.solving.auto import SearchRound, turns
from nonosat.solving.steps import Steps
from nonosat.testing import oracles

INKS = (Colour("a", "#000000"), Colour("b", "#ff0000"))
BOUNDS = ("effort", "dead_ends")
QUICK = Settings(first=10)


def noise(height: int, width: int, seed: int, inks: int = 1) -> Nonogram:
    rng = random.Random(seed)
    cells = bytes(rng.randrange(1, inks + 1) * (rng.random() < 0.5) for _ in range(height * width))
    return from_grid(nonosat.Grid(height, width, cells), INKS[:inks])


def blotted(puzzle: Nonogram, rng: random.Random) -> Nonogram:
    rows = tuple(
        tuple(Block(None, block.colour) if rng.random() < 0.5 else block for block in clue)
        for clue in puzzle.rows
    )
    return Nonogram(rows, puzzle.columns, puzzle.colours)


def drawn(seed: int) -> Nonogram:
    """Draw small puzzles of all kinds: colours, unknown lengths, thin boards, contradictions."""
    rng = random.Random(seed)
    height, width = rng.choice([(1, 6), (6, 1), (1, 1), (3, 4), (4, 4), (4, 5)])
    puzzle = noise(height, width, seed, 1 + seed % 2)
    if seed % 3 == 0:
        puzzle = blotted(puzzle, rng)
    if seed % 5 == 0 and height > 1:
        rows = list(puzzle.rows)
        rng.shuffle(rows)
        puzzle = Nonogram(tuple(rows), puzzle.columns, puzzle.colours)
    return puzzle


def task_of(puzzle: Nonogram) -> PresolvedModel:
    return PresolvedModel.of(plugins.find("puzzles", puzzle.family).build(puzzle))


def reached(puzzle: Nonogram, settings: Settings) -> Decimated | None:
    return decimate(task_of(puzzle), settings, Watch(Limits()))


@pytest.mark.parametrize("seed", range(60))
def test_complete_boards_are_solutions_and_refuted_ones_have_none(seed: int) -> None:
    puzzle = drawn(seed)
    solutions = oracles.solutions(puzzle)
    found = reached(puzzle, replace(QUICK, seed=seed, pace=(seed % 4) / 4))
    if found is None:
        assert not solutions
    elif found.is_complete:
        assert found.cells in solutions
    else:
        assert OPEN in found.cells


def test_unsolvable_boards_exhaust_the_budget_or_are_refuted() -> None:
    outcomes = set()
    for seed in range(0, 300, 5):
        puzzle = drawn(seed)
        if not oracles.solutions(puzzle):
            found = reached(puzzle, replace(QUICK, effort=500))
            assert found is None or not found.is_complete
            outcomes.add(found is None)
    assert True in outcomes


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("presolve", ["none", "probe"])
def test_the_backend_finds_all_solutions_and_no_other(seed: int, presolve: str) -> None:
    puzzle = drawn(seed)
    hints = "decimation:first=5,effort=5000"
    options = {"backend": "decimation", "presolve": presolve, "hints": hints}
    result = nonosat.check(puzzle, **options, max_solutions=None)
    expected = oracles.solutions(puzzle)
    assert {grid.cells for grid in result.solutions} == expected
    assert len(result.solutions) == len(expected)
    words = ("unsolvable", "unique", "multiple")
    assert result.verdict.value == words[min(len(expected), 2)]


@pytest.mark.thorough
def test_the_task_keeps_its_board_and_the_beliefs_hold_the_result() -> None:
    task = task_of(noise(20, 20, 4))
    assert task.board is not None
    assert task.board.propagate()
    before = task.board.cells()
    found = decimate(task, Settings(effort=100_000), Watch(Limits()))
    assert found is not None
    assert task.board.cells() == before
    assert OPEN in before
    assert found.is_complete
    for cell, value in enumerate(found.cells):
        assert found.beliefs.planes[value][cell] > 0.5
    for line in range(40):
        for block in found.beliefs.blocks(line):
            assert block.started[-1] == 1


def test_a_large_random_board_is_completed_without_a_conflict_of_the_engine() -> None:
    result = nonosat.check(noise(45, 45, 1), backend="decimation")
    stages = {stage.name: stage.detail for stage in result.stages}
    assert (result.verdict.value, stages["decimate"]["complete"]) == ("multiple", 1)
    assert stages["solve"]["conflicts"] == 0
    assert stages["neighbours"]["solutions"] == 1


def test_equal_settings_give_equal_results_and_other_seeds_others() -> None:
    puzzle = noise(45, 45, 2)
    restless = replace(QUICK, first=1, rounds=1, sigma=3.0)
    one, again, other = (reached(puzzle, replace(restless, seed=seed)) for seed in (1, 1, 2))
    assert one is not None
    assert again is not None
    assert other is not None
    assert (one.cells, one.counts) == (again.cells, again.counts)
    assert one.cells != other.cells


def test_a_budget_in_pieces_gives_the_same_result() -> None:
    puzzle = noise(25, 25, 3)
    board = task_of(puzzle).board
    how = {"first": 9, "rounds": 3, "pace": 0.02, "widen": 1.0, "keep": 0.5, "pushes": 9}
    how |= {"damping": 0.5, "clamp": 15.0, "sigma": 0.1, "seed": 3}
    whole, pieces = (_core.Decimation(board, **how) for _ in range(2))
    assert whole.run(2**40) == _core.Decimation.Outcome.COMPLETE
    runs = 1
    while pieces.run(20_000) == _core.Decimation.Outcome.BUDGET:
        runs += 1
    assert runs > 5
    assert (pieces.cells(), pieces.num_steps) == (whole.cells(), whole.num_steps)


def test_a_small_budget_ends_it_early() -> None:
    puzzle = noise(40, 40, 5)
    little, more = (reached(puzzle, replace(QUICK, effort=effort)) for effort in (0, 200))
    assert little is not None
    assert more is not None
    assert little.counts["steps"] == 0 < more.counts["steps"]
    assert not little.is_complete


def test_dead_ends_end_it_like_the_budget_of_work() -> None:
    structured = Path(__file__).parent.parent / "instances" / "structured.jsonl"
    puzzle = next(one for one in nonosat.load_all(structured) if one.about.id == "spirals-6")
    how = replace(QUICK, pushes=0, effort=100)
    free, none, few = (reached(puzzle, replace(how, dead_ends=most)) for most in (10**9, 0, 7))
    assert free is not None
    assert none is not None
    assert few is not None
    assert free.counts["released"] > few.counts["released"] == 7
    assert none.counts["steps"] == none.counts["released"] == 0
    board = task_of(puzzle).board
    settings = {name: value for name, value in asdict(how).items() if name not in BOUNDS}
    pieces = _core.Decimation(board, **settings)
    for at in range(1, 8):  # one after another they are those of a single run
        assert pieces.run(2**40, dead_ends=1) == _core.Decimation.Outcome.BUDGET
        assert pieces.num_released == at
    assert pieces.cells() == few.cells
    with pytest.raises(ValueError, match="dead_ends is in"):
        pieces.run(1, dead_ends=-1)


def test_limits_hold(clock: Clock) -> None:
    clock.step_s = 0.005
    task = task_of(noise(60, 60, 0))
    watch = Watch(Limits(time_s=0.01))
    with pytest.raises(LimitReached, match="time limit"):
        decimate(task, Settings(first=1_000_000), watch)
    options = {"backend": "decimation", "hints": "decimation:first=1000000"}
    result = nonosat.check(noise(60, 60, 0), **options, time_limit_s=0.1)
    assert result.verdict.value == "unknown"


def test_a_stop_ends_it() -> None:
    board = task_of(noise(60, 60, 0)).board
    how = {"first": 1_000_000, "rounds": 3, "pace": 0.02, "widen": 1.0, "keep": 0.5, "pushes": 9}
    how |= {"damping": 0.5, "clamp": 15.0, "sigma": 0.1, "seed": 3}
    assert _core.Decimation(board, **how).run(2**60, poll=lambda: True) is None


def test_beliefs_about_another_board_are_refused() -> None:
    boards = [task_of(puzzle).board for puzzle in (noise(5, 6, 1), noise(6, 5, 1))]
    how = {"damping": 0.5, "clamp": 15.0, "sigma": 0.1, "seed": 3}
    fixing = {"first": 1, "rounds": 1, "pace": 0.1, "widen": 1, "keep": 1, "pushes": 0}
    native = _core.Decimation(boards[0], **fixing, **how)
    with pytest.raises(ValueError, match="a board of the same size"):
        native.transfer_to(_core.Beliefs(boards[1], **how))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("first", -1),
        ("rounds", 1.5),
        ("pace", 1.01),
        ("widen", -0.1),
        ("keep", 2),
        ("pushes", -1),
        ("damping", 1),
        ("clamp", 0),
        ("sigma", 101),
        ("seed", -1),
        ("effort", -1),
        ("dead_ends", -1),
    ],
)
def test_settings_out_of_range_are_refused(name: str, value: float) -> None:
    with pytest.raises(UnsupportedError, match=f"{name} of decimation is .*, expected"):
        Settings(**{name: value})


def test_texts_of_hints() -> None:
    assert settings_of("decimation") == Settings()
    assert settings_of("decimation:pace=0.01,first=9") == Settings(pace=0.01, first=9)
    with pytest.raises(UnsupportedError, match="expected each once of first, rounds, pace"):
        settings_of("decimation:speed=1")


def test_any_engine_with_phases_can_follow_it() -> None:
    for backend in ("cadical195", "cpsat", "auto"):
        puzzle = noise(5, 5, 3)
        result = nonosat.check(puzzle, backend=backend, hints="decimation", max_solutions=None)
        assert {grid.cells for grid in result.solutions} == oracles.solutions(puzzle)


def test_models_without_a_board_are_refused() -> None:
    with pytest.raises(UnsupportedError, match="this model has none"):
        decimate(PresolvedModel.of(Model(1, clauses=(Clause((1,)),))), Settings(), Watch(Limits()))


def test_without_hints_it_is_a_plain_engine() -> None:
    assert list(turns(None, lambda: False)) == [SearchRound()]
    result = nonosat.check(noise(4, 4, 1), backend="decimation", hints="none", presolve="none")
    assert {grid.cells for grid in result.solutions} <= oracles.solutions(noise(4, 4, 1))
    assert "decimate" not in {stage.name for stage in result.stages}


@pytest.mark.parametrize("side", [36, 50])
def test_auto_decimates_before_and_under_an_engine(side: int) -> None:
    puzzle = noise(side, side, 1)
    names = [stage.name for stage in nonosat.check(puzzle, presolve="propagate").stages]
    assert "decimate" in names
    assert "encode" not in names
    result = nonosat.check(puzzle, presolve="propagate", hints="decimation:effort=0,first=1")
    stages = [stage.detail for stage in result.stages if stage.name == "decimate"]
    assert result.verdict.value == "multiple"
    assert [stage["complete"] for stage in stages[:1]] == [0]
    assert ["suggested" in stage for stage in stages] == [False, True]


def test_cells_stay_undecided_if_a_limit_ends_the_search_for_a_second_solution(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def work(steps: Steps, strategy: _core.Strategy, task: PresolvedModel) -> None:
        if strategy.stage == "neighbours":
            raise LimitReached("time limit of 1 s")
        step(steps, strategy, task)

    step = Steps._work
    monkeypatch.setattr(Steps, "_work", work)
    result = nonosat.check(noise(36, 36, 1), presolve="propagate")
    assert result.verdict.value == "unknown"
    (stage,) = (stage for stage in result.stages if stage.name == "decimate")
    assert (stage.detail["complete"], stage.decided) == (1, 0)


def test_a_limit_ends_the_first_rounds(clock: Clock) -> None:
    """Their number is the user's, and on a large board each takes long."""
    clock.step_s = 20
    found = nonosat.solve(noise(60, 60, 3), hints="decimation:first=1000000", time_limit_s=60)
    assert found.reason.startswith("time limit of 60 s")
