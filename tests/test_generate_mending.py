"""Repairs of pictures, against all pictures of a size: the smallest are found."""

from __future__ import annotations

import random
from collections import Counter
from functools import cache
from itertools import product

import pytest

import nonosat
from helpers.clocks import Clock
from helpers.mending import is_line_solvable, ugliness
from nonosat.core.errors import PuzzleError, RefutedError, UnsupportedError
from nonosat.core.grid import Grid
from nonosat.core.limits import Limits, Watch
from nonosat.generate.mending.flaws import in_line_logic, in_uniqueness
from nonosat.generate.mending.ugliness import ugliness_of
from nonosat.puzzles.nonogram.data import INKS, Nonogram, clues_of, from_grid

HOW = {"unique": False, "line logic": True}
SIZES = [(1, 5, 1), (2, 4, 1), (3, 3, 1), (2, 3, 2)]
ALL = [(*size, how) for size in SIZES for how in HOW] + [(3, 4, 1, "unique")]


@cache
def pictures(height: int, width: int, num_colours: int) -> list[Grid]:
    every = product(range(num_colours + 1), repeat=height * width)
    return [Grid(height, width, bytes(cells)) for cells in every]


@cache
def good(height: int, width: int, num_colours: int, how: str) -> frozenset[bytes]:
    """Pictures that need no repair."""
    every = pictures(height, width, num_colours)
    if HOW[how]:
        return frozenset(one.cells for one in every if is_line_solvable(one, num_colours))
    clues = [clues_of(one) for one in every]
    times = Counter(clues)
    return frozenset(one.cells for one, its in zip(every, clues, strict=True) if times[its] == 1)


def puzzle_of(picture: Grid, num_colours: int = 1) -> Nonogram:
    return from_grid(picture, INKS[:num_colours])


@pytest.mark.thorough
@pytest.mark.parametrize(("height", "width", "num_colours", "how"), ALL)
def test_smallest_repairs_are_all_found(
    height: int, width: int, num_colours: int, how: str
) -> None:
    rng = random.Random(f"{height} {width} {num_colours}")
    fine = good(height, width, num_colours, how)
    for picture in rng.sample(pictures(height, width, num_colours), 25):
        far = [sum(a != b for a, b in zip(picture.cells, one, strict=True)) for one in fine]
        fewest = min(far)
        found = nonosat.repair(
            puzzle_of(picture, num_colours),
            most=10**6,
            max_changes=max(1, fewest),
            logic_only=HOW[how],
        )
        changes = [len(found.changes(one)) for one in found.pictures]
        assert {one.cells for one in found.pictures} <= fine
        assert (found.is_smallest, found.least) == (True, fewest)
        if fewest:
            assert changes == [fewest] * far.count(fewest)
            looks = [ugliness(picture, one.cells) for one in found.pictures]
            assert looks == sorted(looks)
            first = nonosat.repair(puzzle_of(picture, num_colours), logic_only=HOW[how])
            assert ugliness(picture, first.pictures[0].cells) == looks[0]
        else:
            assert found.pictures == (picture,)


def test_an_isolated_pixel_is_ugly() -> None:
    picture = Grid.of_rows(["##....", "##..#.", "....##", "......"], ".#")
    found = nonosat.repair(picture, most=20, max_changes=1)
    words = [found.changes_in_words(one) for one in found.pictures]
    assert words[0] == "row 3, column 6 emptied"  # the end of a line
    assert {*words[-3:]} == {
        f"row {at} filled" for at in ("1, column 6", "4, column 1", "4, column 2")
    }


def test_a_colour_of_the_neighbourhood_is_less_ugly() -> None:
    red, blue, green = 1, 2, 3
    rows = [[red, red, red, 0], [red, red, red, 0], [0, blue, 0, 0]]
    picture = Grid(3, 4, bytes(value for row in rows for value in row))
    assert [ugliness_of(picture, 1, value) for value in (red, 0, blue, green)] == [1, 3, 4, 4]
    assert [ugliness_of(picture, 5, value) for value in (blue, green, 0)] == [3, 4, 4]


@pytest.mark.parametrize("how", HOW)
def test_kept_cells_stay(how: str) -> None:
    rng = random.Random(3)
    fine = good(3, 3, 1, how)
    nothing = 0
    for picture in rng.sample(pictures(3, 3, 1), 40):
        kept = rng.sample([(row, column) for row in range(3) for column in range(3)], 8)
        same = [one for one in fine if all(one[3 * r + c] == picture[r, c] for r, c in kept)]
        found = nonosat.repair(picture, keep=kept, logic_only=HOW[how])
        assert found.is_complete
        if not same:
            nothing += 1
            assert (found.pictures, found.reason) == (
                (),
                "no repair is possible with the kept cells",
            )
            continue
        far = min(sum(a != b for a, b in zip(picture.cells, one, strict=True)) for one in same)
        assert found.pictures[0].cells in same
        assert len(found.changes(found.pictures[0])) == far
    assert nothing


def test_given_cells_are_kept_and_count() -> None:
    switch = nonosat.nonogram([[1], [1]], [[1], [1]])
    given = nonosat.from_picture("#.\n.#").about_with(title="flag")
    assert nonosat.repair(switch).least == 1
    helped = Nonogram(given.rows, given.columns, goal=given.goal, given=((0, 0, 1),))
    assert nonosat.repair(helped).pictures == (given.goal,)


@pytest.mark.parametrize("find", [in_uniqueness, in_line_logic])
def test_pictures_that_agree_in_the_windows_have_the_flaw(find: object) -> None:
    """Therefore a clause of the windows holds for every repaired picture."""
    rng = random.Random(5)
    how = "unique" if find is in_uniqueness else "line logic"
    fine = good(3, 3, 1, how)
    for picture in rng.sample(pictures(3, 3, 1), 60):
        flaws = find(puzzle_of(picture), picture, Watch(Limits()), None)
        assert bool(flaws) == (picture.cells not in fine)
        for flaw in flaws:
            assert set(flaw.cells) <= set(flaw.windows)
            assert not any(
                all(one[cell] == picture.cells[cell] for cell in flaw.windows) for one in fine
            )


@pytest.mark.thorough
def test_a_large_picture_has_an_answer_under_a_limit() -> None:
    rng = random.Random(1)
    picture = Grid(25, 25, bytes(rng.random() < 0.4 for _ in range(625)))
    found = nonosat.repair(picture, time_limit_s=5, max_changes=60)
    assert found.pictures
    assert nonosat.is_unique(found.puzzle_of(found.pictures[0]))
    assert found.is_complete == (len(found.changes(found.pictures[0])) == found.least)
    assert nonosat.repair(picture, time_limit_s=1e-6).reason == "time limit of 1e-06 s"


def test_results_are_restored_from_their_data() -> None:
    for picture in pictures(2, 3, 2)[::50]:
        found = nonosat.repair(puzzle_of(picture, 2), most=3)
        assert nonosat.RepairResult.from_data(found.to_data()) == found


def test_a_repair_is_reported() -> None:
    found = nonosat.repair(Grid.of_rows(["#.", ".#"], ".#"))
    assert found.description() == "1 cell to change, fewer are not enough"
    ((row, column),) = found.changes(found.pictures[0])
    what = "filled" if found.pictures[0][row, column] else "emptied"
    assert found.changes_in_words(found.pictures[0]) == f"row {row + 1}, column {column + 1} {what}"
    assert found.scene().marked == [(row, column)]
    colours = nonosat.repair(puzzle_of(Grid.of_rows(["r.", ".r"], ".rb"), 2), most=2)
    assert [len(colours.changes(one)) for one in colours.pictures] == [1, 1]
    none = nonosat.repair(
        Grid.of_rows(["#...#", ".#.#.", "..#..", ".#.#.", "#...#"], ".#"), max_changes=1
    )
    assert (none.description(), none.is_complete) == (
        "there is no repair that changes fewer than 2 cells",
        True,
    )


@pytest.mark.parametrize(
    ("named", "told"),
    [
        ({"most": 0}, "most is 0, expected at least 1"),
        ({"keep": [5]}, "keep holds 5, expected cells"),
        ({"keep": [("a", 0)]}, "keep holds .*'a', 0.*, expected cells"),
        ({"max_changes": True}, "max_changes is True, expected at least 1"),
    ],
)
def test_values_out_of_range_are_refused(named: dict[str, object], told: str) -> None:
    with pytest.raises(UnsupportedError, match=told):
        nonosat.repair(Grid(1, 1, b"\1"), **named)


def test_pictures_in_colours_are_taken_and_unknown_cells_refused() -> None:
    found = nonosat.repair(Grid(2, 2, bytes([1, 2, 2, 1])))
    assert (found.is_smallest, len(found.puzzle.colours)) == (True, 2)
    with pytest.raises(PuzzleError, match="unknown cells"):
        nonosat.repair(Grid.unknown(2, 2))


def test_one_change_is_needed_as_soon_as_a_second_solution_is_known(clock: Clock) -> None:
    clock.step_s = 0.002
    rng = random.Random(1)
    picture = Grid(30, 30, bytes(rng.random() < 0.3 for _ in range(900)))
    assert nonosat.repair(picture, time_limit_s=60).least >= 1


def test_pictures_that_cannot_be_repaired_are_refused() -> None:
    with pytest.raises(UnsupportedError, match="of the family knight, expected a nonogram"):
        nonosat.repair(nonosat.Knight(5, 5))
    with pytest.raises(PuzzleError, match="row 3, column 1 is outside the board of 1 row x 1"):
        nonosat.repair(Grid(1, 1, b"\1"), keep=[(2, 0)])
    unsolvable = nonosat.repair(nonosat.nonogram([[2], [2]], [[1], [1]]))
    assert (unsolvable.picture, unsolvable.description()) == (None, "no solution to be repaired")


def test_an_engine_with_a_wrong_alternative_is_refuted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nonosat.generate.mending.flaws.decode", lambda *_: Grid(2, 2, b"\1\1\0\0"))
    with pytest.raises(RefutedError, match="learn gave a solution that is none"):
        nonosat.repair(Grid.of_rows(["#.", ".#"], ".#"))


@pytest.mark.parametrize("size", [4, 7])
def test_progress_is_a_bound_that_grows_and_a_repair_that_shrinks(size: int) -> None:
    picture = Grid.of_rows(["." * row + "#" + "." * (size - 1 - row) for row in range(size)], ".#")
    known: list[nonosat.RepairResult] = []
    found = nonosat.repair(picture, most=3, on_progress=known.append)
    bounds = [one.least for one in known]
    assert bounds == sorted(bounds)
    assert bounds[-1] == found.least
    assert not any(one.is_complete for one in known)
    sizes = [len(one.changes(one.pictures[0])) for one in known if one.pictures]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[-1] == found.least
    for one in known:
        for repaired in one.pictures:
            assert nonosat.check(nonosat.from_picture(repaired)).verdict.value == "unique"
