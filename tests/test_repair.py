"""Repaired random pictures, and the classes of puzzles whose verdicts are recorded."""

from __future__ import annotations

import csv
from collections import defaultdict
from dataclasses import replace
from itertools import groupby, product

import pytest

from helpers.generator import INSTANCES, generator
from nonosat import check
from nonosat.grid import Grid
from nonosat.result import Verdict


@pytest.fixture(scope="module")
def modules():
    with generator() as found:
        yield found


def _runs(cells):
    return tuple((value, len(list(run))) for value, run in groupby(cells) if value)


def _signature(grid):
    rows = tuple(_runs(grid.row(index)) for index in range(grid.height))
    return rows, tuple(_runs(grid.column(index)) for index in range(grid.width))


@pytest.fixture(scope="module")
def by_clues():
    """Every picture of 3 x 4 cells, by its clues."""
    found = defaultdict(list)
    for cells in product(range(2), repeat=12):
        grid = Grid(3, 4, bytes(cells))
        found[_signature(grid)].append(grid)
    return found


@pytest.mark.parametrize("seed", range(12))
def test_repair_ends_with_one_solution_by_enumeration(modules, by_clues, seed):
    random_pictures = modules["random_pictures"]
    start = random_pictures.Recipe(3, 4, 0.5, seed)

    def disputes(grid):
        rivals = [rival for rival in by_clues[_signature(grid)] if rival != grid]
        return [grid.differences(rival) for rival in rivals[:1]]

    recipe = random_pictures.repair(start, disputes)
    picture = random_pictures.picture(recipe)
    assert by_clues[_signature(picture)] == [picture]
    flipped = random_pictures.picture(start).differences(picture)
    assert tuple(flipped) == recipe.flips


def test_a_repair_that_never_ends_or_cannot_go_on_is_given_up(modules):
    random_pictures = modules["random_pictures"]
    start = random_pictures.Recipe(2, 2, 0.5, 0)
    assert random_pictures.repair(start, lambda grid: [[(0, 0), (0, 1)]]) is None
    assert random_pictures.repair(start, lambda grid: None) is None


@pytest.mark.parametrize("seed", range(40))
def test_disputes_are_what_enumeration_finds(modules, by_clues, seed):
    random_pictures, rivals = modules["random_pictures"], modules["rivals"]
    picture = random_pictures.picture(random_pictures.Recipe(3, 4, 0.45, seed))
    found = rivals.disputes(picture)
    others = [grid for grid in by_clues[_signature(picture)] if grid != picture]
    differences = [set(picture.differences(other)) for other in others]
    assert all(set(cells) in differences for cells in found)
    assert len({cell for cells in found for cell in cells}) == sum(map(len, found))
    met = {cell for cells in found for cell in cells}
    assert all(cells & met for cells in differences)


def test_textures_have_their_symmetries(modules):
    random_pictures = modules["random_pictures"]

    def draw(texture):
        return random_pictures.picture(random_pictures.Recipe(20, 21, 0.5, 5, texture=texture))

    mirror, transpose = draw("mirror"), draw("transpose")
    assert all(mirror.row(row) == mirror.row(row)[::-1] for row in range(20))
    assert all(transpose[a, b] == transpose[b, a] for a in range(20) for b in range(20))
    assert len({draw(texture) for texture in ("noise", *modules["textures"].TEXTURES)}) == 6


# The classes whose verdicts are recorded


def test_at_least_40_unique_puzzles_are_not_solved_by_probing(modules):
    rows = modules["unique"].read()
    num_open, picture = modules["rivals"].num_open, modules["random_pictures"].picture
    assert len({row.id for row in rows}) == len(rows) >= 40
    assert {row.recipe.height for row in rows} >= {30, 35, 40, 45, 50, 55, 60}
    assert all(row.glucose421_s > 0 and row.cadical195_s > 0 for row in rows)
    for row in rows:
        assert 30 <= row.recipe.height <= 60
        assert num_open(picture(row.recipe)) == row.num_open > 0


def test_no_solution_but_the_picture_for_every_fifth_puzzle(modules):
    for row in modules["unique"].read()[::5]:  # `repair.py confirm` decides all of them
        assert modules["rivals"].disputes(modules["random_pictures"].picture(row.recipe)) == []


def test_the_quick_ones_are_unique_by_a_check_of_their_clues(modules):
    unique, picture = modules["unique"], modules["random_pictures"].picture
    quick = [row for row in unique.read() if row.glucose421_s < 0.25]
    assert len(quick) >= 8
    for row in quick:
        result = check(unique.entry(row).puzzle)
        assert result.verdict is Verdict.UNIQUE
        assert result.solution == picture(row.recipe)


def test_domino_puzzles_are_a_class(modules):
    with (INSTANCES / "index.csv").open(newline="") as file:
        index = list(csv.DictReader(file))
    rows = {row["id"]: row["verdict"] for row in index if row["class"] == "domino"}
    assert rows == dict.fromkeys((f"domino-{n}" for n in (12, 14, 16, 20)), "unique")
    assert check(modules["dominoes"].entries()[0].puzzle).verdict is Verdict.UNIQUE


@pytest.fixture
def table(modules, tmp_path, monkeypatch):
    """The table of unique puzzles, in a file of its own and with its quickest puzzle alone."""
    unique = modules["unique"]
    rows = unique.read()
    monkeypatch.setattr(unique, "TABLE", tmp_path / "unique.csv")
    unique.write([min(rows, key=lambda row: row.glucose421_s)])
    return unique


def test_the_search_adds_a_hard_puzzle(modules, table):
    (known,) = table.read()
    assert modules["repair"].main(["search", "25", "0.45", "1", "--count", "3"]) == 0
    found = [row for row in table.read() if row.id != known.id]
    assert found
    for row in found:
        puzzle = table.entry(row).puzzle
        assert check(puzzle).verdict is Verdict.UNIQUE
        assert check(puzzle, presolve="probe", backend="search").backend == "search"
        assert row.num_open > 0


def test_confirming_writes_seconds_and_finds_a_wrong_record(modules, table, monkeypatch, capsys):
    repair = modules["repair"]
    (row,) = table.read()
    table.write([replace(row, cadical195_s=0.0, num_open=1)])
    assert repair.main(["confirm", row.id]) == 0
    assert "0 not decided" in capsys.readouterr().out
    (confirmed,) = table.read()
    assert confirmed.cadical195_s > 0
    assert confirmed.num_open == row.num_open
    assert repair.main(["confirm", row.id, "--time-limit", "0.001"]) == 1
    assert table.read()[0].glucose421_s == 0
    table.write([replace(row, recipe=replace(row.recipe, flips=()))])
    with pytest.raises(SystemExit, match="recorded as unique"):
        repair.main(["confirm", row.id])


def test_the_flips_command_prints_a_recipe_with_one_solution(modules, capsys):
    repair, random_pictures = modules["repair"], modules["random_pictures"]
    assert repair.main(["flips", "8", "9", "0.5", "3"]) == 0
    recipe = eval(capsys.readouterr().out, {"Recipe": random_pictures.Recipe})
    grid = random_pictures.picture(recipe)
    assert check(modules["unique"].clued("", "", grid, "").puzzle).solutions == (grid,)
