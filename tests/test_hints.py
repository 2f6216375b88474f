"""Hints to engines: their texts, their effect on engines, and that they change no answer."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import islice
from pathlib import Path

import pytest

import nonosat
from helpers.believing import task_of
from nonosat import _core
from nonosat._core import BUDGETS
from nonosat.board.beliefs import Settings
from nonosat.board.decimation import FURTHER, decimate
from nonosat.board.phases import settings_of
from nonosat.core.errors import UnsupportedError
from nonosat.core.limits import Limits, Watch
from nonosat.core.model import Block
from nonosat.puzzles.nonogram import Colour, Nonogram, from_grid
from nonosat.solving.auto import SearchRound, taken, turns
from nonosat.testing import oracles

INSTANCES = Path(__file__).parent.parent / "instances"
INKS = (Colour("a", "#000000"), Colour("b", "#ff0000"))


def noise(side: int, seed: int) -> Nonogram:
    rng = random.Random(seed)
    return from_grid(nonosat.Grid(side, side, bytes(rng.random() < 0.5 for _ in range(side**2))))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("none", None),
        ("beliefs", Settings()),
        ("beliefs:rounds=7", Settings(rounds=7)),
        ("beliefs:damping=0.25,sigma=1,seed=3", Settings(damping=0.25, sigma=1.0, seed=3)),
    ],
)
def test_texts_and_the_settings_that_they_stand_for(text: str, expected: Settings | None) -> None:
    assert settings_of(text) == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "there are no hints ''; there are: none, beliefs"),
        ("nonsense", "there are no hints 'nonsense'"),
        ("none:rounds=1", "there are no hints"),
        ("beliefs:", "there are no hints 'beliefs:'"),
        ("beliefs:rounds", "expected a number"),
        ("beliefs:rounds=x", "'rounds=x', expected a number"),
        ("beliefs:loops=1", "'loops=1', expected each once of rounds, damping"),
        ("beliefs:rounds=1,rounds=2", "'rounds=2', expected each once"),
        ("beliefs:damping=1", "damping of beliefs is 1"),
    ],
)
def test_other_texts_are_refused(text: str, message: str) -> None:
    with pytest.raises(UnsupportedError, match=message):
        settings_of(text)
    with pytest.raises(UnsupportedError):
        nonosat.check(noise(3, 1), hints=text)


def test_a_search_on_the_board_takes_no_hints() -> None:
    with pytest.raises(UnsupportedError, match="backend 'search' takes no hints"):
        nonosat.check(noise(3, 1), backend="search", hints="beliefs")
    assert nonosat.check(noise(3, 1), backend="search", hints="none").solutions


@pytest.mark.parametrize("backend", ["cadical195", "glucose421", "minisat22", "cpsat"])
@pytest.mark.parametrize("presolve", ["none", "probe"])
def test_hints_are_recorded_and_change_no_answer(backend: str, presolve: str) -> None:
    puzzle = noise(5, 3)
    options = {"backend": backend, "presolve": presolve, "max_solutions": None}
    plain = nonosat.check(puzzle, **options, hints="none")
    result = nonosat.check(puzzle, **options, hints="beliefs:rounds=9")
    assert {grid.cells for grid in result.solutions} == oracles.solutions(puzzle)
    assert set(result.solutions) == set(plain.solutions)
    assert "beliefs" not in [stage.name for stage in plain.stages]
    (stage,) = [stage for stage in result.stages if stage.name == "beliefs"]
    assert (stage.detail["rounds"], stage.detail["times"]) == (9, 1)
    encode = next(stage.detail for stage in result.stages if stage.name == "encode")
    auxiliaries = encode["auxiliaries"] if backend != "cpsat" else 0
    assert stage.detail["suggested"] == encode["variables"] + auxiliaries


@pytest.mark.parametrize("seed", range(6))
def test_hints_in_colour_and_with_unknown_lengths(seed: int) -> None:
    rng = random.Random(seed)
    puzzle = from_grid(nonosat.Grid(4, 5, bytes(rng.randrange(3) for _ in range(20))), INKS)
    rows = tuple(tuple(Block(None, block.colour) for block in clue) for clue in puzzle.rows)
    blotted = Nonogram(rows, puzzle.columns, INKS)
    for one in (puzzle, blotted):
        for encoding in ("order", "automaton"):
            options = {"backend": "minisat-gh", "presolve": "none", "max_solutions": None}
            result = nonosat.solve(one, **options, encoding={"line": encoding}, hints="beliefs")
            assert {grid.cells for grid in result.solutions} == oracles.solutions(one)


def test_hints_lead_to_a_solution_of_a_large_board_at_once() -> None:
    """Without them the engine has hundreds of conflicts."""
    result = nonosat.solve(noise(40, 1), backend="minisat-gh", hints="beliefs")
    plain = nonosat.solve(noise(40, 1), backend="minisat-gh", hints="none")
    conflicts = [each.stages[-1].detail["conflicts"] for each in (result, plain)]
    assert conflicts[0] < 50 < conflicts[1]


def test_turns_grow_and_vary_their_start_and_the_last_has_no_end() -> None:
    *made, last = turns(Settings(rounds=5, seed=9), lambda: False)
    budgets = [BUDGETS.turn * number for number in range(1, BUDGETS.led_turns + 1)]
    hinted = [turn for turn in made if turn.phases]
    assert [turn.budget for turn in hinted] == budgets
    assert [turn.budget for turn in made if not turn.phases] == budgets[BUDGETS.alone_from - 1 :]
    starts = {(turn.phases.sigma, turn.phases.seed) for turn in hinted if turn.phases}
    assert len(starts) == len(hinted)
    assert all(turn.phases is not None and turn.phases.rounds == 5 for turn in hinted)
    assert last == SearchRound()


def test_a_solution_ends_the_turns_between_too() -> None:
    answers = iter([False] * (1 + BUDGETS.alone_from) + [True])
    made = list(turns(Settings(), lambda: next(answers)))
    assert [bool(turn.phases) for turn in made] == [True] * BUDGETS.alone_from + [False, False]
    assert [turn.budget is None for turn in made] == [False] * (BUDGETS.alone_from + 1) + [True]


def test_no_hinted_turn_follows_a_solution() -> None:
    answers = iter([False, True])
    made = list(turns(Settings(), lambda: next(answers)))
    assert [turn.budget for turn in made] == [BUDGETS.turn, None]
    assert [turn.phases for turn in made] == [Settings(), None]
    assert list(turns(Settings(), lambda: True)) == [SearchRound()]


def test_an_engine_searches_close_to_the_result_of_decimation() -> None:
    task = task_of(noise(9, 4))
    reached = decimate(task, FURTHER, Watch(Limits()))
    assert reached is not None
    assert reached.is_complete
    strategy = _core.Strategy.of_presolved(task.board, None, 2)
    strategy.take_decimated(reached.cells)
    assert strategy.stage == "neighbours"
    near, last = islice(taken(strategy.next_turn, lambda: reached), 2)
    assert near == SearchRound(BUDGETS.close, reached, is_near=True)
    assert (last.phases, last.pauses) == (None, True)


def test_a_turn_goes_on_for_a_while_close_to_a_solution() -> None:
    led = SearchRound(2 * BUDGETS.near, Settings(), pauses=True)
    assert led.near_solution() == SearchRound(BUDGETS.near, Settings(), pauses=True)
    assert SearchRound(BUDGETS.near - 1, Settings()).near_solution().budget == BUDGETS.near - 1
    assert SearchRound(None, Settings()).near_solution() == SearchRound(None, Settings())


def test_the_proof_after_hints_restarts_as_one_without_hints() -> None:
    """If restarts used the glue of hinted conflicts, hardly any restart would be due."""
    puzzle = nonosat.load(str(INSTANCES / "unique.jsonl#noise-35-6"))
    between = []
    for hints in ("auto", "none"):
        (done,) = [one for one in nonosat.check(puzzle, hints=hints).stages if one.name == "solve"]
        between.append(done.detail["conflicts"] / done.detail["restarts"])
    assert between[0] < 2 * between[1]


def test_auto_uses_beliefs_only_where_allowed() -> None:
    puzzle = noise(40, 4)
    stages = {
        hints: {stage.name for stage in nonosat.check(puzzle, hints=hints).stages}
        for hints in ("auto", "beliefs", "none")
    }
    assert stages["auto"] >= {"decimate"}
    assert "solve" not in stages["auto"]
    assert stages["beliefs"] >= {"beliefs", "solve"}
    assert "decimate" not in stages["beliefs"]
    assert stages["none"] >= {"solve"}
    assert not stages["none"] & {"beliefs", "decimate"}


@pytest.mark.parametrize("work", [0, 3000, 2_000_000])
@pytest.mark.parametrize("conflicts", [1, 500])
def test_auto_loses_and_repeats_nothing_from_engine_to_engine(
    budgets: Callable[..., None], work: int, conflicts: int
) -> None:
    """Search, neighbours, hinted turns and the last engine share one enumeration."""
    budgets(search=work, turn=conflicts, led_turns=2)
    deciders = set()
    for seed in range(12):
        rng = random.Random(seed)
        cells = bytes(rng.choice((0, 0, 1, 2)) % (1 + seed % 3) for _ in range(25))
        puzzle = from_grid(nonosat.Grid(5, 5, cells), INKS[: 1 + (seed % 3 == 2)])
        ones = Nonogram(((Block(1),),) * 4, ((Block(1),),) * 4)
        for one in (puzzle, ones):
            result = nonosat.solve(one, max_solutions=None, presolve="propagate")
            assert len(result.solutions) == len(set(result.solutions))
            assert {grid.cells for grid in result.solutions} == oracles.solutions(one)
            deciders.add(result.backend)
    assert deciders & {"search", "learn"}


def test_pauses_come_whenever_the_conflicts_have_doubled() -> None:
    plan = _core.Turns(BUDGETS, is_led=True, pauses=True)
    made = [plan.next(is_solved=number >= 5) for number in range(20)]
    budgets = [BUDGETS.turn * number for number in (1, 2, 3, 3, 4)]
    assert [turn.budget for turn in made[:5]] == budgets
    assert [turn.pauses for turn in made[:5]] == [False, False, False, True, False]
    passed = sum(budgets[:4])
    assert (made[5].budget, made[5].restart) == (2 * passed - passed - budgets[4], None)
    assert [turn.budget for turn in made[6:9]] == [2 * passed, 4 * passed, 8 * passed]
    is_divided = [turn.budget is not None for turn in made[5:]]
    assert [turn.pauses for turn in made[5:]] == is_divided
    assert not is_divided[-1]


def test_auto_refutes_after_all_its_stages(budgets: Callable[..., None]) -> None:
    budgets(search=0, prices=0, turn=1, led_turns=2)
    puzzle = nonosat.load(str(INSTANCES / "special.jsonl#broken-steps"))
    result = nonosat.check(puzzle)
    engines = [stage.detail["engine"] for stage in result.stages if "engine" in stage.detail]
    assert (result.verdict.value, engines) == (
        "unsolvable",
        ["search", "prices", "learn"],
    )
