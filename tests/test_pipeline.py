"""Pipeline from puzzle to verdict: every backend and method against brute force.

The oracle is `oracles.solutions`, which shares no code with the package. Shortcuts, limits and
options have tests of their own.
"""

from __future__ import annotations

import random
from itertools import islice

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import nonosat
from helpers import drawing
from helpers.clocks import Clock
from nonosat.board.presolve import PresolvedModel
from nonosat.core.errors import BackendError, LimitReached, RefutedError, UnsupportedError
from nonosat.core.grid import Grid
from nonosat.core.model import Block
from nonosat.core.result import PRESOLVE_LEVELS, Options, Verdict
from nonosat.puzzles import nonogram
from nonosat.puzzles.nonogram import Nonogram, from_grid, mono
from nonosat.solving.pipeline import Pipeline
from nonosat.solving.problem import Problem
from nonosat.testing import oracles, strategies

ROUTES = [
    {"backend": "auto"},
    {"backend": "search"},
    {"backend": "cadical195", "encoding": {"line": "order"}},
    {"backend": "cadical195", "encoding": {"line": "automaton"}},
    {"backend": "glucose421"},
    {"backend": "minisat22", "encoding": {"line": "automaton"}},
]
CP_ROUTES = [
    {"backend": "cpsat", "formulation": {"line": "automaton"}},
    {"backend": "cpsat", "formulation": {"line": "starts"}},
]
ONES = mono([[1]] * 5, [[1]] * 5)  # 120 permutations
SWITCH = mono([[1], [1]], [[1], [1]])


@pytest.fixture(params=[*ROUTES, *CP_ROUTES], ids=lambda route: "-".join(map(str, route.values())))
def route_without_presolve(request: pytest.FixtureRequest) -> dict:
    return {**request.param, "presolve": "none"}


def all_cells(puzzle: Nonogram, **options: object) -> list[bytes]:
    return [grid.cells for grid in nonosat.solutions(puzzle, **options)]


def assert_same_solutions(puzzle: Nonogram, route: dict, presolve: str) -> None:
    truth = oracles.solutions(puzzle, 41)
    assume(len(truth) <= 40)  # each takes a call of an engine
    found = all_cells(puzzle, presolve=presolve, **route)
    assert len(found) == len(set(found))
    assert set(found) == truth


@pytest.mark.thorough
@pytest.mark.parametrize("route", ROUTES, ids=lambda route: "-".join(map(str, route.values())))
@drawing.examples(40)
@given(puzzle=strategies.puzzles(max_cells=36), presolve=st.sampled_from(PRESOLVE_LEVELS))
def test_every_route_lists_exactly_the_solutions(
    route: dict, puzzle: Nonogram, presolve: str
) -> None:
    assert_same_solutions(puzzle, route, presolve)


@pytest.mark.parametrize("route", CP_ROUTES, ids=lambda route: "-".join(map(str, route.values())))
@drawing.examples(20)
@given(puzzle=strategies.puzzles(max_cells=36), presolve=st.sampled_from(PRESOLVE_LEVELS))
def test_cp_sat_lists_exactly_the_solutions(route: dict, puzzle: Nonogram, presolve: str) -> None:
    assert_same_solutions(puzzle, route, presolve)


@drawing.examples(80)
@given(puzzle=strategies.puzzles(max_cells=36))
def test_verdicts_of_check_and_solve(puzzle: Nonogram) -> None:
    truth = oracles.solutions(puzzle, 10_000)
    assume(len(truth) < 10_000)
    checked = nonosat.check(puzzle)
    expected = [Verdict.UNSOLVABLE, Verdict.UNIQUE, Verdict.MULTIPLE][min(len(truth), 2)]
    assert checked.verdict is expected
    assert {grid.cells for grid in checked.solutions} <= truth
    assert len(checked.solutions) == min(len(truth), 2)
    if expected is Verdict.MULTIPLE:
        one, two = checked.solutions
        differing = [
            divmod(index, puzzle.width)
            for index in range(len(one.cells))
            if one.cells[index] != two.cells[index]
        ]
        assert list(checked.disputed) == differing != []
    solved = nonosat.solve(puzzle)
    assert solved.verdict is (Verdict.SOLVED if truth else Verdict.UNSOLVABLE)
    assert sum(stage.decided for stage in checked.stages) <= puzzle.height * puzzle.width


@pytest.mark.parametrize("backend", ["auto", "search", "glucose421", "cadical195", "kissat404"])
def test_max_solutions(backend: str) -> None:
    for wanted in (2, 5):
        result = nonosat.solve(ONES, max_solutions=wanted, backend=backend)
        assert result.verdict is Verdict.MULTIPLE
        assert len(set(result.solutions)) == wanted
        assert all(nonogram.refutation(ONES, grid) is None for grid in result.solutions)
    assert len(list(nonosat.solutions(SWITCH, backend=backend))) == 2
    assert len(list(nonosat.solutions(SWITCH, 1, backend=backend))) == 1


def test_all_of_them() -> None:
    result = nonosat.solve(ONES, max_solutions=None)
    assert result.verdict is Verdict.MULTIPLE
    assert len(set(result.solutions)) == 120


def test_a_rejected_answer_is_an_error_that_names_the_engine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from nonosat.backends import search

    wrong = bytes([0, 1, 1, 0, 0])  # both cells of the first row
    monkeypatch.setattr(search.SearchEngine, "values", lambda _: wrong)
    with pytest.raises(BackendError, match=r"search gave a solution that the clues refute: row 1"):
        nonosat.solve(SWITCH, backend="search")


def test_an_engine_that_repeats_itself_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    from nonosat.backends import pysat

    monkeypatch.setattr(pysat.PysatEngine, "values", lambda _: bytes([0, 1, 0, 0, 1]))
    with pytest.raises(BackendError, match="line=order gave the same solution twice"):
        nonosat.check(SWITCH, backend="minisat22", max_solutions=3)


# Contradictions visible in the clues


@pytest.mark.parametrize(
    ("rows", "columns", "reason"),
    [
        ([[3]], [[1], [1]], "row 1 (clue 3) needs at least 3 cells, it has 2"),
        ([[1], []], [[1, 1]], "column 1 (clue 1 1) needs at least 3 cells, it has 2"),
        ([[1], [1]], [[1], []], "the rows fill 2 cells, the columns 1"),
        ([[None, None]], [[1], [1]], "row 1 (clue ? ?) needs at least 3 cells, it has 2"),
    ],
)
def test_visible_obstacles_are_named(rows: list, columns: list, reason: str) -> None:
    result = nonosat.check(mono(rows, columns))
    assert (result.verdict, result.reason, result.backend) == (Verdict.UNSOLVABLE, reason, "sight")


def test_an_obstacle_in_one_colour() -> None:
    inks = (nonogram.Colour("r", "#ff0000"), nonogram.Colour("g", "#00ff00"))
    puzzle = Nonogram(
        rows=((Block(1, 1), Block(1, 2)),),
        columns=((Block(1, 1),), (Block(1, 1),)),
        colours=inks,
    )
    assert nonosat.check(puzzle).reason == "the rows fill 1 cell of colour 'r', the columns 2"


def test_sums_are_not_compared_if_a_length_is_unknown() -> None:
    puzzle = mono([[None], [1]], [[2], [1]])
    assert nonosat.check(puzzle).verdict is Verdict.UNIQUE


@pytest.mark.parametrize(("height", "width"), [(1, 1), (1, 9), (9, 1), (4, 7)])
@pytest.mark.parametrize("value", [0, 1])
@pytest.mark.parametrize("backend", ["auto", "search", "cadical195", "cpsat"])
def test_empty_and_full_boards(height: int, width: int, value: int, backend: str) -> None:
    grid = Grid(height, width, bytes([value]) * (height * width))
    for presolve in ("none", "probe"):
        result = nonosat.check(from_grid(grid), backend=backend, presolve=presolve)
        assert (result.verdict, result.solutions) == (Verdict.UNIQUE, (grid,))


def test_given_cells_decide_between_solutions() -> None:
    for colour, expected in ((1, b"\1\0\0\1"), (0, b"\0\1\1\0")):
        puzzle = Nonogram(SWITCH.rows, SWITCH.columns, given=((0, 0, colour),))
        result = nonosat.check(puzzle)
        assert (result.verdict, result.solutions[0].cells) == (Verdict.UNIQUE, expected)


def test_a_goal_is_only_a_claim() -> None:
    puzzle = Nonogram(SWITCH.rows, SWITCH.columns, goal=Grid(2, 2, b"\1\1\0\0"))
    (warning,) = nonosat.check(puzzle).warnings
    assert warning.startswith("the goal is not a solution: row 1 has the run 2, its clue is 1")


# Presolve and reduction


@drawing.examples(40)
@given(puzzle=strategies.puzzles(max_cells=36), propagate=st.booleans())
def test_the_reduced_model_has_the_same_solutions(puzzle: Nonogram, propagate: bool) -> None:
    """By brute force over the reduced model's variables, without encodings."""
    truth = oracles.solutions(puzzle, 500)
    assume(truth)
    task = PresolvedModel.of(nonogram.build(puzzle))
    assert task.board is not None
    if propagate:
        assert task.board.propagate()
    reduced = task.reduce()
    for cells in truth:
        values = task.values(cells)
        lits = reduced.restrict(values)
        small = bytearray(reduced.model.num_vars + 1)
        for lit in lits:
            small[abs(lit)] = lit > 0
        assert nonogram.decode(puzzle, reduced.lift(bytes(small))).cells == cells


# Options and limits


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"backend": "nobody"}, "no backend is called 'nobody'"),
        ({"encoding": {"line": "nothing"}}, "no encoding is called 'line=nothing'"),
        ({"encoding": {"grid": "order"}}, "there are no encodings of 'grid'"),
        ({"backend": "search", "encoding": {"line": "order"}}, "'search' uses no encodings"),
        ({"backend": "cpsat", "encoding": {"line": "order"}}, "'cpsat' uses no encodings"),
        ({"formulation": {"line": "starts"}}, "'auto' uses no formulations"),
        ({"presolve": "some"}, "presolve 'some' is not one of"),
        ({"max_solutions": 0}, "max_solutions is 0"),
        ({"time_limit_s": 0}, "the time limit is 0"),
        ({"memory_limit_mib": 0}, "memory_limit_mib is 0"),
    ],
)
def test_impossible_options(options: dict, message: str) -> None:
    with pytest.raises(UnsupportedError, match=message):
        nonosat.solve(SWITCH, **options)


def test_check_needs_two_solutions() -> None:
    with pytest.raises(UnsupportedError, match="allow at least 2"):
        nonosat.check(SWITCH, max_solutions=1)


def hard_puzzle() -> Nonogram:
    """Random board far beyond what any engine solves in a second."""
    rng = random.Random(2)
    grid = Grid(200, 200, bytes(rng.random() < 0.5 for _ in range(40_000)))
    puzzle = from_grid(grid)
    return Nonogram(puzzle.rows, puzzle.columns)


@pytest.mark.slow
@pytest.mark.parametrize("backend", ["auto", "search", "cadical195", "minisat22", "cpsat"])
def test_the_time_limit_gives_an_unknown_with_its_reason(clock: Clock, backend: str) -> None:
    clock.step_s = 2
    result = nonosat.check(hard_puzzle(), backend=backend, time_limit_s=60)
    assert result.verdict is Verdict.UNKNOWN
    assert result.reason == "time limit of 60 s"
    assert result.solutions == ()


def test_an_enumeration_that_is_cut_short_reports_it(clock: Clock) -> None:
    clock.step_s = 0.01
    with pytest.raises(LimitReached, match=r"incomplete: time limit of 0\.2 s"):
        list(nonosat.solutions(hard_puzzle(), time_limit_s=0.2))


def test_the_memory_limit_gives_an_unknown_with_its_reason() -> None:
    result = nonosat.check(hard_puzzle(), memory_limit_mib=1)
    assert (result.verdict, result.reason) == (Verdict.UNKNOWN, "memory limit of 1 MiB")


def test_results_record_their_stages() -> None:
    result = nonosat.check(SWITCH, backend="cadical195", encoding={"line": "automaton"}, seed=3)
    assert result.backend == "cadical195"
    assert result.encoding == {"line": "automaton"}  # there are no counts in one colour
    assert result.options == Options(
        max_solutions=2, backend="cadical195", encoding={"line": "automaton"}, seed=3
    )
    assert [stage.name for stage in result.stages] == ["propagate", "probe", "encode", "solve"]
    assert str(result) == "nonogram: 2 rows x 2 columns: multiple"
    assert result == nonosat.check(SWITCH, backend="cadical195", encoding={"line": "automaton"})


def test_iterating_may_stop_at_any_solution() -> None:
    for backend in ("search", "cadical195", "minisat22"):
        assert len(list(islice(nonosat.solutions(ONES, backend=backend), 3))) == 3


def test_lack_of_memory_leaves_the_verdict_open() -> None:
    """Two lines of 200 000 cells whose blocks have much slack need more than the limit."""
    length = 200_000
    ones = [1] * (length // 4)
    columns = [[1]] * (2 * len(ones)) + [[]] * (length - 2 * len(ones))
    result = nonosat.check(mono([ones, ones], columns))
    assert result.verdict is Verdict.UNKNOWN
    assert "50000 blocks takes" in result.reason


@pytest.mark.slow
def test_a_long_line_that_its_crossing_lines_decide_is_read_directly() -> None:
    length = 200_000
    columns = [[1], [], [], []] * (length // 4)
    result = nonosat.check(mono([[1] * (length // 4)], columns))
    assert result.verdict is Verdict.UNIQUE
    shifted = nonosat.check(mono([[1] * (length // 4 - 2) + [2]], columns))
    assert (shifted.verdict, shifted.backend) == (Verdict.UNSOLVABLE, "propagate")


def test_given_cells_that_contradict_a_clue(route_without_presolve: dict) -> None:
    for cells in ([(0, 0, 0)], [(0, 0, 0), (0, 1, 0)], [(0, 0, 1), (0, 1, 1)]):
        puzzle = Nonogram(SWITCH.rows, SWITCH.columns, given=tuple(cells))
        expected = len(oracles.solutions(puzzle))
        assert len(all_cells(puzzle, **route_without_presolve)) == expected


def test_decided_counts_only_what_was_decided(clock: Clock) -> None:
    clock.step_s = 2
    result = nonosat.check(hard_puzzle(), backend="minisat22", time_limit_s=60)
    assert sum(stage.decided for stage in result.stages) < 8100


def test_stages_name_the_neighbours_that_answered() -> None:
    ones = mono([[1]] * 40, [[1]] * 40)
    result = nonosat.check(ones)
    assert result.verdict is Verdict.MULTIPLE
    assert result.backend in [stage.detail.get("engine", stage.name) for stage in result.stages]


# The pipeline itself


@pytest.mark.parametrize(
    ("most", "backend", "is_exhausted"),
    [(1, "auto", False), (2, "auto", False), (3, "auto", True), (None, "cadical195", True)],
)
def test_consumed_solutions_include_how_it_ended(
    most: int | None, backend: str, is_exhausted: bool
) -> None:
    taken: list[Grid] = []
    pipeline = Pipeline(Problem(SWITCH, Options(max_solutions=None, backend=backend)))
    ending = pipeline.take(most, taken.append)
    assert len(set(taken)) == len(taken) == min(most or 2, 2)
    assert ending.exhausted == is_exhausted
    assert ending.reason == ""
    assert "propagate" in [stage.name for stage in pipeline.problem.log.stages]


def test_an_ending_gives_its_reason(clock: Clock) -> None:
    clock.step_s = 0.01
    at_sight = Pipeline(Problem(mono([[3]], [[1], [1]]), Options())).take(1, list)
    assert (at_sight.exhausted, at_sight.reason) == (
        True,
        "row 1 (clue 3) needs at least 3 cells, it has 2",
    )
    cut_short = Pipeline(Problem(hard_puzzle(), Options(time_limit_s=0.2))).take(1, list)
    assert (cut_short.exhausted, cut_short.reason) == (False, "time limit of 0.2 s")


def test_stages_are_recorded_for_every_end_of_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = Grid(2, 2, bytes([1, 1, 0, 0]))
    monkeypatch.setitem(vars(nonogram.PLUGIN), "decode", lambda _puzzle, _values: wrong)
    pipeline = Pipeline(Problem(SWITCH, Options(backend="cadical195")))
    with pytest.raises(RefutedError, match="line=order gave a solution that the clues refute"):
        pipeline.take(1, list)
    assert [stage.name for stage in pipeline.problem.log.stages][-2:] == ["encode", "solve"]
