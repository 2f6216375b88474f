"""Repairs to a grade, against the ratings of all pictures of a size."""

from __future__ import annotations

import random
from functools import cache
from itertools import islice, product, repeat

import pytest

import nonosat
from helpers.clocks import Clock
from helpers.drawing import FUZZ
from helpers.mending import ugliness
from nonosat.core.errors import PuzzleError
from nonosat.core.grid import Grid, with_cells
from nonosat.core.limits import Limits, Watch
from nonosat.explain.nonogram.solving import graded_within
from nonosat.explain.nonogram.step import GRADES
from nonosat.generate.grades import HARDEST, LINE_LOGIC
from nonosat.generate.mending import grading
from nonosat.generate.mending.grading import Judge, Walk
from nonosat.generate.mending.planting import plantings
from nonosat.puzzles.nonogram.data import INKS, Nonogram, from_grid

SIZES = [(3, 4, 1, 5), (2, 3, 2, 4)]  # and the hardest grade
CUP = [
    ".######.",
    "########",
    "#......#",
    "#.####.#",
    "#.####.#",
    "#......#",
    "########",
    "..####..",
]


def puzzle_of(cells: bytes, height: int, width: int, num_colours: int) -> Nonogram:
    return from_grid(Grid(height, width, cells), INKS[:num_colours])


def every_picture(num_cells: int, num_colours: int) -> list[bytes]:
    return list(map(bytes, product(range(num_colours + 1), repeat=num_cells)))


def grade_of(cells: bytes, height: int, width: int, num_colours: int) -> int | None:
    """Return the grade of a picture; None if it has several solutions."""
    rated = nonosat.rate(puzzle_of(cells, height, width, num_colours)).difficulty
    return None if rated is None else int(rated)


@cache
def grades(height: int, width: int, num_colours: int) -> dict[bytes, int | None]:
    """Return the grade of every picture."""
    pictures = every_picture(height * width, num_colours)
    return {cells: grade_of(cells, height, width, num_colours) for cells in pictures}


def num_changed(one: bytes, other: bytes) -> int:
    return sum(a != b for a, b in zip(one, other, strict=True))


@pytest.mark.thorough
@pytest.mark.parametrize(("height", "width", "num_colours", "hardest"), SIZES)
def test_smallest_repairs_to_a_grade_are_all_found(
    height: int, width: int, num_colours: int, hardest: int
) -> None:
    rng = random.Random(7)
    all_grades = grades(height, width, num_colours)
    for cells in rng.sample(list(all_grades), 2 * FUZZ):
        picture = Grid(height, width, cells)
        for grade in (1, 2, hardest):
            wanted = [one for one, its in all_grades.items() if its == grade]
            fewest = min(num_changed(cells, one) for one in wanted)
            keys = sorted(
                (num_changed(cells, one), ugliness(picture, one))
                for one in wanted
                if num_changed(cells, one) <= max(1, fewest)
            )
            found = nonosat.repair(
                puzzle_of(cells, height, width, num_colours),
                grade=grade,
                most=10**6 if fewest else 1,
                max_changes=max(1, fewest),
            )
            assert (found.is_smallest, found.least, found.is_complete) == (True, fewest, True)
            assert {one.cells for one in found.pictures} <= {*wanted}
            assert [
                (num_changed(cells, one.cells), ugliness(picture, one.cells))
                for one in found.pictures
            ] == (keys if fewest else [(0, 0)])
            first = nonosat.repair(found.puzzle_of(picture), grade=grade)
            assert (len(first.pictures), first.is_smallest, first.reason) == (1, True, "")
            assert ugliness(picture, first.pictures[0].cells) == keys[0][1]


def test_larger_repairs_may_hold_smaller_ones() -> None:
    """One more change may keep the grade: all sets of up to two changes are returned."""
    all_grades = grades(2, 3, 2)
    cells = random.Random(3).choice([one for one, its in all_grades.items() if its is None])
    wanted = [one for one, its in all_grades.items() if its == 2]
    puzzle = puzzle_of(cells, 2, 3, 2)
    found = nonosat.repair(puzzle, grade=2, most=10**6, max_changes=2)
    near = {one for one in wanted if num_changed(cells, one) <= 2}
    assert {one.cells for one in found.pictures} == near
    assert found.description().startswith(f"{len(near)} repairs, the first: ")


def test_kept_cells_stay_and_a_missing_repair_is_reported() -> None:
    rng, nothing = random.Random(5), 0
    pictures = every_picture(12, 1)
    for cells in rng.sample(pictures, 25):
        kept = rng.sample(range(12), 9)
        near = [one for one in pictures if all(one[at] == cells[at] for at in kept)]
        same = [num_changed(cells, one) for one in near if grade_of(one, 3, 4, 1) == 5]
        found = nonosat.repair(
            puzzle_of(cells, 3, 4, 1), grade=5, keep=[divmod(at, 4) for at in kept]
        )
        assert found.is_complete
        if same:
            assert (found.least, found.is_smallest) == (min(same), True)
        else:
            nothing += 1
            assert (found.pictures, found.least) == ((), 0)
            assert found.description() == "there is no repair"
            assert found.reason == "no picture with the kept cells is of grade 5"
    assert 0 < nothing < 25


def test_a_proof_that_few_changes_are_not_enough() -> None:
    found = nonosat.repair(Grid.of_rows(CUP, ".#"), grade=7, max_changes=1)
    assert (found.pictures, found.least, found.is_complete) == ((), 2, True)
    assert found.description() == "there is no repair that changes fewer than 2 cells"


def test_a_unique_picture_is_made_harder_and_easier_again() -> None:
    cup = Grid.of_rows(CUP, ".#")
    assert int(nonosat.rate(from_grid(cup)).difficulty) == 1
    harder = nonosat.repair(cup, grade=5)
    assert (len(harder.changes(harder.pictures[0])), harder.is_smallest) == (2, True)
    assert int(nonosat.rate(harder.puzzle_of(harder.pictures[0])).difficulty) == 5
    easier = nonosat.repair(harder.pictures[0], grade=1)
    assert 1 <= len(easier.changes(easier.pictures[0])) <= 2
    assert int(nonosat.rate(easier.puzzle_of(easier.pictures[0])).difficulty) == 1


def test_it_gives_up_and_reports_it(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    clock.step_s = 0.0001
    monkeypatch.setattr(grading, "EFFORT", 5000)
    found = nonosat.repair(Grid.of_rows(CUP, ".#"), grade=7)
    assert not found.is_complete
    assert found.reason.startswith("gave up after 5")
    assert found.reason.endswith("steps of reasoning; set a time limit to try longer")
    cut = nonosat.repair(Grid.of_rows(CUP, ".#"), grade=7, time_limit_s=0.2)
    assert (cut.reason, cut.is_complete) == ("time limit of 0.2 s", False)


@pytest.mark.thorough
def test_a_walk_finds_fewer_changes_each_time() -> None:
    rng = random.Random(2)
    for grade in (2, 5):
        picture = Grid(8, 8, bytes(rng.random() < 0.4 for _ in range(64)))
        puzzle, kept = from_grid(picture), range(2)
        walk = Walk(picture, 1, kept, Judge(puzzle, grade, Watch(Limits())), repeat(picture))
        sizes = []
        for changes in islice(walk.changes(None), 400):
            if changes is not None:
                after = with_cells(picture, changes)
                assert int(nonosat.rate(from_grid(after)).difficulty) == grade
                assert min(changes) >= 2
                sizes.append(len(changes))
        assert sizes == sorted({*sizes}, reverse=True)
        assert sizes


@pytest.mark.thorough
def test_grades_are_those_of_ratings() -> None:
    sizes = [(8, 8, 1)] * 25 + [(6, 6, 3)] * 15
    rng, met = random.Random(1), set()
    for height, width, num_colours in sizes:
        cells = bytes(
            rng.randint(1, num_colours) if rng.random() < 0.45 else 0 for _ in range(height * width)
        )
        puzzle = puzzle_of(cells, height, width, num_colours)
        rated = nonosat.rate(puzzle).difficulty
        for hardest in range(1, 8):
            found = graded_within(puzzle, Watch(Limits()), hardest)
            is_found = rated is not None and int(rated) <= hardest
            assert (found.grade is None) == (not is_found)
            assert (found.grade == hardest) == (is_found and int(rated) == hardest)
            if is_found and hardest < HARDEST:
                assert found.grade == int(rated)
            assert bool(found.left) != is_found
        met.add(rated and int(rated))
    assert met >= {None, 2, 4, 5}


@pytest.mark.parametrize(
    ("family", "n"),
    [("dominoes", 4), ("dominoes", 5), ("knights", 4), ("mirrored", 3), ("swapped", 3)],
)
def test_grades_are_those_of_ratings_where_prices_or_guesses_count(family: str, n: int) -> None:
    puzzle = nonosat.generate_structured(family, n)
    rated = int(nonosat.rate(puzzle).difficulty)
    found = graded_within(puzzle, Watch(Limits()), HARDEST)
    assert (found.grade == HARDEST) == (rated == HARDEST)
    assert (found.grade is None) == bool(found.left) == (rated > HARDEST)


def test_the_hardest_grade_is_reached_and_kept_cells_stay(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(grading, "EFFORT", 10_000)
    picture = Grid(10, 11, bytes(110))
    kept = [(0, 0), (9, 10), (4, 4)]
    found = nonosat.repair(picture, grade=7, keep=kept)
    after = found.pictures[0]
    assert int(nonosat.rate(found.puzzle_of(after)).difficulty) == 7
    assert not {*kept} & {*found.changes(after)}
    assert 1 <= found.least < len(found.changes(after)) <= 17
    other = nonosat.check(found.puzzle_of(after), backend="cadical195", hints="none")
    assert other.verdict is nonosat.Verdict.UNIQUE


def test_staircases_are_inserted_where_few_cells_change() -> None:
    rng = random.Random(4)
    picture = Grid(12, 10, bytes(rng.choice((0, 0, 1, 2)) for _ in range(120)))
    kept = [5, 50, 118]
    costs: dict[int, list[int]] = {}
    for planted, stencil in plantings(picture, kept, 2):
        places = {row * 10 + column for row, column in picture.differences(planted)}
        assert places <= stencil.cells - {*kept}
        assert len({planted.cells[cell] for cell in stencil.filled} - {0}) == 1
        assert not any(planted.cells[cell] for cell in stencil.empty)
        costs.setdefault(len(stencil.filled), []).append(len(places))
    assert list(costs) == [17]
    assert costs[17] == sorted(costs[17])
    assert len(costs[17]) > 2


@pytest.mark.parametrize(
    ("named", "told"),
    [
        ({"grade": 8}, "grade is 8, expected 1 to 7"),
        ({"grade": 2.5}, "grade is 2.5, expected 1 to 7"),
        ({"grade": 5, "logic_only": True}, "grade 5 by line logic alone, expected at most 4"),
    ],
)
def test_unknown_grades_are_refused(named: dict[str, object], told: str) -> None:
    with pytest.raises(PuzzleError, match=told):
        nonosat.repair(Grid(1, 1, b"\1"), **named)


def test_numbers_of_grades_are_those_that_ratings_have() -> None:
    assert (GRADES["complete line"], GRADES["prices"]) == (LINE_LOGIC, HARDEST)
