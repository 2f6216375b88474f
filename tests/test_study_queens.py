"""The two methods of document 004, their counts of calls, and its slips as regressions."""

from __future__ import annotations

import pytest

import nonosat
from nonosat.core import families, plugins
from nonosat.core.errors import LimitReached, UnsupportedError
from nonosat.core.limits import Limits, Watch
from nonosat.core.plugins import Ending
from nonosat.puzzles.nonogram import mono
from nonosat.puzzles.queens import Placement, Queens, refutation

COUNTS = [1, 1, 0, 0, 2, 10, 4, 40, 92, 352]


def run(name: str, puzzle: Queens, watch: Watch | None = None) -> tuple[list[Placement], Ending]:
    """Return all solutions of a method, each checked, and how it ended."""
    method = families.method(families.family_of(puzzle), puzzle, f"study:{name}")
    assert method is not None
    steps = method(puzzle, watch or Watch(Limits()), 0)
    found: list[Placement] = []
    while True:
        try:
            found.append(next(steps))
        except StopIteration as end:
            return found, end.value
        assert refutation(puzzle, found[-1]) is None


@pytest.mark.parametrize(("n", "count"), [*enumerate(COUNTS)])
def test_rows_gives_every_placement_in_order(n, count):
    found, ending = run("queens-rows", Queens(n))
    assert len(found) == count
    assert ending.exhausted
    assert found == sorted(found, key=lambda placement: placement.columns)


def test_rows_begins_as_the_document_shows():
    found, ending = run("queens-rows", Queens(8))
    assert found[0].columns == (0, 4, 7, 5, 2, 6, 1, 3)
    assert ending.detail == {"calls": 2057}


def test_rows_of_no_queens_has_the_empty_placement():
    """The document's gen(0, 0) gives nothing."""
    assert run("queens-rows", Queens(0)) == ([Placement(())], Ending(True, detail={"calls": 1}))


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("n", "calls"), [(2, 5), (3, 26), (4, 20), (5, 6), (6, 1440), (7, 12), (9, 6346)]
)
def test_board_takes_as_many_calls_as_the_document(n, calls):
    _, ending = run("queens-board", Queens(n))
    assert ending.detail == {"calls": calls}


@pytest.mark.parametrize("n", [2, 3])
def test_board_reports_that_there_is_none(n):
    """The document's method prints a board without queens."""
    found, ending = run("queens-board", Queens(n))
    assert not found
    assert ending.exhausted


@pytest.mark.parametrize(
    ("n", "given"), [(4, ((0, 0), (0, 1))), (8, ((0, 0), (1, 0))), (5, ((0, 0), (0, 2)))]
)
@pytest.mark.parametrize("name", ["queens-rows", "queens-board"])
def test_given_queens_that_attack_each_other_are_no_solution(name, n, given):
    """The document's second method accepts them: it counts queens and checks none."""
    found, ending = run(name, Queens(n, given))
    assert not found
    assert ending.exhausted


@pytest.mark.parametrize("name", ["queens-rows", "queens-board"])
def test_given_queens_and_blocked_squares_are_kept(name):
    found, _ = run(name, Queens(6, given=((1, 3),), blocked=((0, 1),)))
    assert found == []
    found, _ = run(name, Queens(6, given=((1, 3),), blocked=((0, 0),)))
    assert found == [Placement((1, 3, 5, 0, 2, 4))]
    found, ending = run(name, Queens(4, given=((0, 1),), blocked=((0, 1),)))
    assert found == []
    assert ending.exhausted


@pytest.mark.parametrize(("name", "n"), [("queens-rows", 29), ("queens-board", 11)])
def test_boards_beyond_a_method_are_refused(name, n):
    with pytest.raises(UnsupportedError, match=f"study:{name}' cannot handle this puzzle: {n} q"):
        run(name, Queens(n))


@pytest.mark.parametrize("name", ["queens-rows", "queens-board"])
def test_a_limit_ends_a_method(clock, name):
    clock.step_s = 0.002
    with pytest.raises(LimitReached, match="time limit"):
        run(name, Queens(10), Watch(Limits(time_s=0.01)))


@pytest.mark.parametrize("name", plugins.names("study"))
def test_every_study_names_its_document(name):
    module = plugins.find("study", name)
    assert module.source.startswith("document 00")
    assert module.summary
    assert module.family in plugins.names("puzzles")


def test_they_are_backends():
    result = nonosat.solve(Queens(8), backend="study:queens-rows")
    assert result.solution == Placement((0, 4, 7, 5, 2, 6, 1, 3))
    assert result.backend == "study:queens-rows"
    assert len(list(nonosat.solutions(Queens(6), backend="study:queens-rows"))) == 4
    with pytest.raises(UnsupportedError, match="is a method for queens; this puzzle is"):
        nonosat.solve(mono([[1]], [[1]]), backend="study:queens-rows")
    with pytest.raises(UnsupportedError, match="queens-board, queens-rows"):
        nonosat.solve(Queens(8), backend="study:queens-columns")
