"""Checks after edits: against all pictures of a size, and which results are kept and refused."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest

import nonosat
from helpers.clocks import Clock
from helpers.rectangles import rectangles
from nonosat.core.grid import Grid
from nonosat.core.limits import Watch
from nonosat.core.result import Result, Verdict
from nonosat.puzzles.nonogram import Nonogram, from_grid, refutation
from nonosat.puzzles.nonogram.data import clues_of
from nonosat.questions import checker as checking
from nonosat.questions.checker import Checker
from nonosat.testing.oracles import solutions

INSTANCES = Path(__file__).parents[1] / "instances"
COLOURS = {"a": "red", "b": "blue"}


def pictures(height: int, width: int, num_colours: int = 1) -> list[Grid]:
    every = product(range(num_colours + 1), repeat=height * width)
    return [Grid(height, width, bytes(cells)) for cells in every]


def checked(checker: Checker, is_multiple: bool) -> Result:
    """Return the result after a check of its verdict."""
    found = checker.check()
    assert found.verdict is (Verdict.MULTIPLE if is_multiple else Verdict.UNIQUE), checker.picture
    assert found.solutions[0] == checker.picture == found.puzzle.goal
    assert len(found.solutions) == 1 + is_multiple
    if is_multiple:
        assert found.solutions[1] != found.solutions[0]
        assert refutation(checker.puzzle, found.solutions[1]) is None
    return found


@pytest.fixture
def no_neighbours(budgets: Callable[..., None]) -> None:
    """Switch off cheap candidates, which would decide most small pictures."""
    budgets(neighbours=0)


@pytest.fixture
def the_engine_alone(budgets: Callable[..., None], no_neighbours: None) -> None:
    del no_neighbours
    budgets(probing_beside=0, prices_beside=0)


@pytest.fixture(params=["", "no_neighbours", "the_engine_alone"])
def ways(request: pytest.FixtureRequest) -> None:
    if request.param:
        request.getfixturevalue(request.param)


@pytest.mark.thorough
@pytest.mark.usefixtures("ways")
def test_every_edit_of_every_picture() -> None:
    every = pictures(3, 4)
    alike = Counter(map(clues_of, every))
    for number, picture in enumerate(every):
        if number % 19 != 1:
            continue
        checker = Checker(picture)
        checked(checker, alike[clues_of(picture)] > 1)
        for cell, value in enumerate(picture.cells):
            row, column = divmod(cell, 4)
            checker.set(row, column, 1 - value)
            checked(checker, alike[clues_of(checker.picture)] > 1)
            checker.set(row, column, value)


@pytest.mark.thorough
@pytest.mark.usefixtures("ways")
@pytest.mark.parametrize("size", [(1, 7), (6, 1), (2, 7), (5, 3)])
def test_walks_through_pictures(size: tuple[int, int]) -> None:
    alike = Counter(map(clues_of, pictures(*size)))
    draw = random.Random(3)
    checker = Checker(Grid(*size, bytes(size[0] * size[1])))
    for _ in range(150):
        for _edit in range(draw.choice([1, 1, 2, 5])):
            checker.set(draw.randrange(size[0]), draw.randrange(size[1]), draw.randrange(2))
        checked(checker, alike[clues_of(checker.picture)] > 1)


@pytest.mark.thorough
@pytest.mark.usefixtures("ways")
def test_walks_in_colours() -> None:
    alike = Counter(map(clues_of, pictures(3, 3, 2)))
    draw = random.Random(4)
    checker = Checker(nonosat.from_picture(["ab.", "...", "..."], colours=COLOURS))
    for _ in range(180):
        checker.set(draw.randrange(3), draw.randrange(3), draw.randrange(3))
        checked(checker, alike[clues_of(checker.picture)] > 1)


@pytest.mark.usefixtures("ways")
def test_given_cells_follow_the_picture() -> None:
    draw = random.Random(5)
    puzzle = replace(from_grid(Grid(3, 4, bytes(12))), given=((0, 0, 0), (1, 2, 0), (2, 3, 0)))
    checker = Checker(puzzle)
    told = set()
    for _ in range(90):
        checker.set(draw.randrange(3), draw.randrange(4), draw.randrange(2))
        now = checker.puzzle
        assert now.given == tuple(
            (row, column, checker.picture[row, column]) for row, column, _ in puzzle.given
        )
        checked(checker, len(solutions(now)) > 1)
        bare = Checker(checker.picture).check()
        told.add((checker.check().verdict, bare.verdict))
    assert (Verdict.UNIQUE, Verdict.MULTIPLE) in told


@pytest.mark.usefixtures("no_neighbours")
def test_known_results_are_not_computed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    draw = random.Random(2)
    checker = Checker(Grid(20, 20, bytes(draw.random() < 0.5 for _ in range(400))))
    first = checker.check()
    assert (first.verdict, first.backend) == (Verdict.MULTIPLE, "learn")
    monkeypatch.setattr(checking, "PresolvedModel", None)  # from now on calls of the board fail
    again = checked(checker, is_multiple=True)
    assert again.backend == "known"
    assert set(again.disputed) <= set(first.disputed)
    far = next(
        (row, column)
        for row, column in product(range(20), repeat=2)
        if all(row != one and column != other for one, other in first.disputed)
    )
    checker.set(*far, 1 - checker.picture[far])
    again = checked(checker, is_multiple=True)
    assert (again.backend, again.stages[0].name) == ("known", "known")
    assert set(again.disputed) <= set(first.disputed)


def test_a_unique_picture_is_known_again(monkeypatch: pytest.MonkeyPatch) -> None:
    checker = Checker(nonosat.from_picture([".#.", "###", ".#."]))
    checked(checker, is_multiple=False)
    checker.set(1, 1, 0)
    assert checker.check().backend != "known"
    checker.set(1, 1, 1)
    monkeypatch.setattr(checking, "PresolvedModel", None)
    assert checked(checker, is_multiple=False).backend == "known"


@pytest.mark.parametrize("num_colours", [1, 2])
def test_noise_is_judged_by_a_neighbour(num_colours: int) -> None:
    """Its board is not propagated, which would take seconds."""
    draw = random.Random(3)
    cells = bytes(value and draw.randint(1, num_colours) for value in noise(60, 3).cells)
    rows = Grid(60, 60, cells).lines(".ab")
    colours = {key: COLOURS[key] for key in "ab"[:num_colours]}
    puzzle = nonosat.from_picture(rows, colours=colours)
    found = checked(Checker(puzzle), is_multiple=True)
    assert ([stage.name for stage in found.stages], found.backend) == (["neighbours"], "neighbours")


@pytest.mark.usefixtures("no_neighbours")
def test_noise_without_neighbours_is_judged_by_decimation() -> None:
    """The engine, which takes seconds, is not called."""
    found = checked(Checker(noise(60, 3)), is_multiple=True)
    assert (found.stages[-1].name, found.backend) == ("decimate", "decimate")


def test_limits_are_results() -> None:
    draw = random.Random(1)
    checker = Checker(Grid(60, 60, bytes(draw.random() < 0.35 for _ in range(3600))))
    found = checker.check(time_limit_s=1e-9)
    assert (found.verdict, found.reason) == (Verdict.UNKNOWN, "time limit of 1e-09 s")
    assert found.solutions == (checker.picture,)
    assert found.options == nonosat.Options(2, time_limit_s=1e-9)
    with pytest.raises(nonosat.UnsupportedError):
        checker.check(time_limit_s=-1)


def test_other_data_of_the_puzzle_are_kept() -> None:
    puzzle = nonosat.from_picture(["ab", ".b"], colours=COLOURS, title="two")
    unknown = replace(puzzle, rows=((), ()), saved=(Grid.unknown(2, 2),))
    assert isinstance(unknown, Nonogram)
    checker = Checker(unknown)
    assert checker.puzzle == puzzle
    checker.set(1, 0, 2)
    assert checker.puzzle.rows == clues_of(checker.picture)[0]
    assert checker.puzzle.about.title == "two"


def test_a_large_drawing_is_probed_before_an_engine_is_called() -> None:
    found = Checker(Grid.of_rows(rectangles("#"), ".#")).check()
    assert (found.verdict, found.backend) == (Verdict.UNIQUE, "probe")


def noise(side: int, seed: int, density: float = 0.5) -> Grid:
    draw = random.Random(seed)
    return Grid(side, side, bytes(draw.random() < density for _ in range(side * side)))


@pytest.mark.usefixtures("no_neighbours")
def test_a_check_in_many_turns_has_the_same_result(clock: Clock) -> None:
    clock.step_s = 0.001
    for seed, density in ((0, 0.55), (1, 0.55), (2, 0.5), (3, 0.6)):
        picture = noise(25, seed, density)
        whole, parts = Checker(picture).check(), Checker(picture)
        found, seconds = parts.check(time_limit_s=1e-9), 0.0
        while found.verdict is Verdict.UNKNOWN:
            assert parts.is_under_way
            assert found.seconds >= seconds  # of all turns
            found, seconds = parts.check(time_limit_s=0.03), found.seconds
        assert not parts.is_under_way
        assert found.verdict is whole.verdict
        assert found.solutions[0] == picture
        if found.verdict is Verdict.MULTIPLE:
            assert refutation(parts.puzzle, found.solutions[1]) is None


def test_a_check_that_is_called_off_continues_later() -> None:
    """It keeps what its engine has learnt, however often it is called off."""
    puzzle = nonosat.load(f"{INSTANCES / 'unique.jsonl'}#weave-30-1")
    checker = Checker(nonosat.solve(puzzle).solution)
    asked, conflicts = 0, [0]

    def is_called_off() -> bool:
        nonlocal asked
        asked += 1
        return True

    for number in range(1, 1000):
        found = checker.check(is_called_off=is_called_off)
        assert (found.verdict, found.reason) == (Verdict.UNKNOWN, "called off")
        assert asked == number, "it was called again"
        assert checker.is_under_way
        if checker.is_searching:
            conflicts.append(found.stages[-1].detail["conflicts"])
        if len(conflicts) > 3:
            break
    assert conflicts == sorted(conflicts)
    found = checker.check(is_called_off=lambda: False)
    assert (found.verdict, found.backend) == (Verdict.UNIQUE, "learn")
    assert found.stages[-1].detail["conflicts"] > conflicts[-1] > 0
    assert not checker.is_under_way


@pytest.mark.slow
def test_a_picture_far_from_every_unique_one_is_checked_as_a_new_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    every = pictures(3, 3)
    alike = Counter(map(clues_of, every))
    real, near = checking.IncrementalCheck.other, []

    def other(
        self: checking.IncrementalCheck, edited: list[int] | None, watch: Watch
    ) -> Grid | None:
        near.append(None if edited is None else len(edited))
        return real(self, edited, watch)

    monkeypatch.setattr(checking.IncrementalCheck, "other", other)
    monkeypatch.setattr(checking, "MOST_NEAR", 2)
    for first, last in product(every[::37], every[::5]):
        checker = Checker(first)
        is_unique = checked(checker, alike[clues_of(first)] > 1).verdict is Verdict.UNIQUE
        near.clear()
        for cell, value in enumerate(last.cells):
            checker.set(*divmod(cell, 3), value)
        checked(checker, alike[clues_of(last)] > 1)
        num_edited = len(first.differences(last))
        if near:  # a known switch did not decide it
            assert near == [num_edited if is_unique and num_edited <= 2 else None]


def test_an_edit_ends_the_check_that_is_under_way() -> None:
    checker = Checker(noise(30, 1))
    checker.check(time_limit_s=1e-9)
    assert checker.is_under_way
    for row, column in product(range(30), repeat=2):
        checker.set(row, column, 1)
    assert not checker.is_under_way
    checked(checker, is_multiple=False)
    checker.set(0, 0, 0)
    checker.check(time_limit_s=1e-9)
    checker.abandon()
    assert not checker.is_under_way
    checked(checker, is_multiple=False)


def test_results_of_others_are_taken_over(monkeypatch: pytest.MonkeyPatch) -> None:
    picture = noise(20, 2)
    other = Checker(picture).check().solutions[1]
    cross = nonosat.from_picture([".#.", "###", ".#."]).goal
    assert cross is not None
    multiple, unique = Checker(picture), Checker(cross)
    for wrong in (picture, noise(20, 3), cross):
        with pytest.raises(nonosat.PuzzleError, match="no other solution"):
            multiple.learn(wrong)
    multiple.learn(other)
    unique.learn(None)
    monkeypatch.setattr(checking, "PresolvedModel", None)  # from now on calls of the board fail
    assert checked(multiple, is_multiple=True).backend == "known"
    assert checked(unique, is_multiple=False).backend == "known"
