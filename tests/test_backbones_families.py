"""Backbones and checks of every family against enumeration without a model."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import pairwise, product
from typing import Any

import pytest
from hypothesis import assume, given

import nonosat
from helpers.commands import put, run
from helpers.drawing import examples
from nonosat.core.grid import UNKNOWN
from nonosat.core.plugins import Puzzle
from nonosat.core.result import Verdict
from nonosat.puzzles.knight import Knight, Tour
from nonosat.puzzles.queens import Placement, Queens
from nonosat.puzzles.slitherlink import Path, Slitherlink
from nonosat.questions.backbones import backbone, differing
from nonosat.questions.place_assignment import PlaceAssignment
from nonosat.questions.solution_oracle import Budget
from nonosat.testing import check_plugin
from nonosat.testing.oracles import every_solution
from nonosat.testing.strategies import knights, queens, slitherlinks
from test_own_family import FAMILY, Lights

__all__ = ["put"]

Chosen = set[tuple[int, ...]]


def of_placement(puzzle: Queens, placement: Placement) -> Chosen:
    return {*enumerate(placement.columns)}


def of_path(puzzle: Slitherlink, path: Path) -> Chosen:
    places = product(range(puzzle.height), range(puzzle.width))
    inside = dict(zip(places, path.inside(), strict=True))
    cells = {cell for cell, is_inside in inside.items() if is_inside}
    edges = set()
    for row, column in cells:
        square = [(row, column), (row, column + 1), (row + 1, column + 1), (row + 1, column)]
        around = [(row - 1, column), (row, column + 1), (row + 1, column), (row, column - 1)]
        sides = pairwise([*square, square[0]])
        edges |= {
            (*min(side), *max(side))
            for side, other in zip(sides, around, strict=True)
            if not inside.get(other)
        }
    return {*cells, *edges}


def of_tour(puzzle: Knight, tour: Tour) -> Chosen:
    squares = tour.squares()
    moves = [*pairwise(squares)]
    if puzzle.closed:
        return {(*min(move), *max(move)) for move in [*moves, (squares[-1], squares[0])]}
    ends = {(*squares[0], 1), (*squares[-1], len(squares))}
    return ends | {(*min(move), *max(move)) for move in moves}


def check_against(puzzle: Puzzle, chosen: list[Chosen], **asked: Any) -> None:
    found = backbone(puzzle, **asked)
    assert isinstance(found.settled, PlaceAssignment)
    verdicts = (Verdict.UNSOLVABLE, Verdict.UNIQUE, Verdict.MULTIPLE)
    assert found.verdict is verdicts[min(len(chosen), 2)]
    assert found.is_complete
    assert found.undecided == ()
    assert nonosat.BackboneResult.from_data(found.to_data(), puzzle) == found
    if not chosen:
        assert len(found.settled) == 0
        return
    every, some = set.intersection(*chosen), set.union(*chosen)
    assert found.settled.chosen() == sorted(every)
    assert list(found.differing) == sorted(some - every)
    assert found.settled.having(UNKNOWN) == list(found.differing)
    assert not some.intersection(found.settled.having(0))
    assert list(found.settled) == sorted(found.settled)
    assert [found.settled[place] for place in every] == [1] * len(every)


def check_all(puzzle: Puzzle, read: Callable[[Any, Any], Chosen]) -> None:
    solutions = every_solution(puzzle)
    assert solutions is not None
    every = list(solutions)
    check_against(puzzle, [read(puzzle, solution) for solution in every])
    result = nonosat.check(puzzle)
    if result.verdict is Verdict.MULTIPLE:
        spread = {place for one in every for place in every[0].differences(one)}
        found = differing(result)
        assert {*result.disputed} <= {*found.cells} <= spread
        assert not found.is_complete or {*found.cells} == spread
        if not isinstance(puzzle, Knight):  # whose numbers no variable decides
            assert found.is_complete
        assert not differing(result, Budget(cells=0)).is_complete


@examples(50)
@given(queens())
def test_squares_of_queens(puzzle: Queens) -> None:
    check_all(puzzle, of_placement)


@pytest.mark.thorough
@examples(50)
@given(slitherlinks(max_cells=12))
def test_edges_and_cells_of_slitherlinks(puzzle: Slitherlink) -> None:
    check_all(puzzle, of_path)


@examples(35)
@given(knights(max_squares=20))
def test_moves_of_tours(puzzle: Knight) -> None:
    assume(every_solution(puzzle) is not None)
    check_all(puzzle, of_tour)


def test_boards_with_many_solutions() -> None:
    for puzzle in (
        nonosat.slitherlink(["...."] * 3),
        nonosat.slitherlink(["2...", "..3.", "...."]),
    ):
        check_all(puzzle, of_path)
    for board in (Knight(3, 4, start=(0, 0)), Knight(1, 1), Knight(4, 4, start=(0, 0))):
        check_all(board, of_tour)


def test_an_external_family() -> None:
    for width, dark in product(range(1, 7), ((), (0,), (1, 3))):
        puzzle = Lights(width, frozenset(place for place in dark if place < width))
        lit = [
            {(place + 1,) for place in range(width) if lamps[place]}
            for lamps in product((0, 1), repeat=width)
            if not any(lamps[place] for place in puzzle.dark)
            and all(one or other for one, other in pairwise(lamps))
        ]
        check_against(puzzle, lit)
        check_against(puzzle, lit, jobs=2)
    found = backbone(Lights(4, frozenset({1})))
    assert str(found).endswith("3 places settled, 1 differ")
    assert "#.#" in found._repr_svg_()


def test_a_family_names_its_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    named = {"places": lambda puzzle: {1 + at: (0, at) for at in range(puzzle.width)}}
    for name, value in {**named, "part": "lamp"}.items():
        monkeypatch.setitem(vars(FAMILY), name, value)
    found = nonosat.backbone(Lights(4, frozenset({1})))
    assert found.settled.chosen() == [(0, 0), (0, 2)]
    assert str(found).endswith("3 lamps settled, 1 differ")
    assert "#.#?" in found._repr_svg_()
    assert differing(nonosat.check(Lights(4, frozenset({1})))) == (((0, 3),), True)
    check_plugin(FAMILY, "puzzles", puzzles=[Lights(3)])
    monkeypatch.setitem(vars(FAMILY), "places", lambda _: {1: (0, 0)})
    with pytest.raises(AssertionError, match="`places` does not name variable 2"):
        check_plugin(FAMILY, "puzzles", puzzles=[Lights(3)])


def test_limits_leave_the_rest_undecided() -> None:
    board = nonosat.slitherlink(["." * 60] * 60)
    for limit in (1e-9, 0.5):
        found = backbone(board, time_limit_s=limit)
        assert (found.is_complete, found.reason) == (False, f"time limit of {limit:g} s")
        assert nonosat.BackboneResult.from_data(found.to_data(), board) == found


def test_threads_prove_the_same() -> None:
    puzzle = nonosat.slitherlink(["3..2..", "...1..", "2....3", ".0..2.", "....1."])
    assert backbone(puzzle, jobs=2) == backbone(puzzle)


def test_commands_show_it(put: Any) -> None:
    path = put(
        {"family": "slitherlink", "rows": ["..2", "3.."]},
        {"family": "queens", "n": 5, "given": [[0, 0]]},
        {"family": "knight", "rows": 3, "columns": 4, "start": [0, 0]},
        {"family": "queens", "n": 3},
    )
    done = run("backbone", path)
    assert done.exit_code == 4
    out = done.stdout
    assert "multiple, 8 places settled, 15 differ" in out
    assert "not settled (row,column): 1,1 1,1-1,2 1,1-2,1 1,2-2,2 1,3" in out
    assert "# +-?-+ ? +-?-+ #" in out
    assert "multiple, 17 squares settled, 8 differ" in out
    assert "♛ · · · ·\n· · ? ? ·" in out
    assert "multiple, 17 moves settled, 4 differ" in out
    assert "no solution (3 queens on 3 x 3 squares always attack each other)" in out
    data = [json.loads(line) for line in run("backbone", path, "--json").stdout.splitlines()]
    assert data[1]["backbone"]["every"] == [[0, 0]]
    assert data[2]["differing"] == [[0, 2, 1, 0], [0, 2, 2, 3], [1, 0, 12], [2, 3, 12]]
    assert run("backbone", path + "#1", "--svg", "a.svg").exit_code == 0


def test_check_of_a_tour_reports_that_all_its_squares_differ(put: Any) -> None:
    out = run("check", put({"family": "knight", "rows": 3, "columns": 4})).stdout
    assert "  12 cells differ between some two solutions (marked)" in out


def test_check_marks_all_differing_places(put: Any) -> None:
    path = put({"family": "queens", "n": 5, "given": [[0, 0]]})
    out = run("check", path).stdout
    assert "8 cells differ between some two solutions (marked)" in out
    (data,) = map(json.loads, run("check", path, "--json").stdout.splitlines())
    assert (len(data["differing"]), data["differing_complete"]) == (8, True)
