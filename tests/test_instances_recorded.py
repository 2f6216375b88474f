"""Random pictures, and the classes of puzzles with recorded verdicts."""

from __future__ import annotations

import csv
from dataclasses import replace

import pytest

from helpers.generator import INSTANCES, generator
from nonosat import check
from nonosat.core.limits import Limits, Watch
from nonosat.core.result import Verdict
from nonosat.generate.mending.flaws import rivals


@pytest.fixture(scope="module")
def modules():
    with generator() as found:
        yield found


def test_textures_have_their_symmetries(modules):
    random_pictures = modules["random_pictures"]

    def draw(texture):
        return random_pictures.picture(random_pictures.Recipe(20, 21, 0.5, 5, texture=texture))

    mirror, transpose = draw("mirror"), draw("transpose")
    assert all(mirror.row(row) == mirror.row(row)[::-1] for row in range(20))
    assert all(transpose[a, b] == transpose[b, a] for a in range(20) for b in range(20))
    assert len({draw(texture) for texture in ("noise", *modules["textures"].TEXTURES)}) == 6


# Classes with recorded verdicts


@pytest.mark.thorough
def test_at_least_40_unique_puzzles_are_not_solved_by_probing(modules):
    rows = modules["unique"].read()
    assert len({row.id for row in rows}) == len(rows) >= 40
    assert {row.recipe.height for row in rows} >= {30, 35, 40, 45, 50, 55, 60}
    assert all(row.glucose421_s > 0 and row.cadical195_s > 0 for row in rows)
    for row in rows:
        assert 30 <= row.recipe.height <= 60
        assert modules["unique"].num_open(row.recipe) == row.num_open > 0


@pytest.mark.thorough
def test_no_solution_but_the_picture_for_every_third_of_those_soon_proved(modules):
    rows = [row for row in modules["unique"].read() if row.glucose421_s < 0.3]
    assert len(rows) >= 15
    for row in rows[::3]:  # `recorded.py confirm` decides all of them
        entry = modules["unique"].entry(row)
        picture = modules["random_pictures"].picture(row.recipe)
        assert list(rivals(entry.puzzle, picture, Watch(Limits()))) == []


@pytest.mark.thorough
def test_the_quick_ones_are_unique_by_a_check_of_their_clues(modules):
    unique, picture = modules["unique"], modules["random_pictures"].picture
    quick = [row for row in unique.read() if row.glucose421_s < 0.25]
    assert len(quick) >= 8
    for row in quick[::3]:  # `recorded.py confirm` decides all of them
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
    """Return the table of unique puzzles in a file of its own, with its quickest puzzle alone."""
    unique = modules["unique"]
    rows = unique.read()
    monkeypatch.setattr(unique, "TABLE", tmp_path / "unique.csv")
    unique.write([min(rows, key=lambda row: row.glucose421_s)])
    return unique


@pytest.mark.slow
def test_the_search_adds_a_hard_puzzle(modules, table):
    (known,) = table.read()
    patience = ["--patience", "600", "--time-limit", "600"]
    assert modules["recorded"].main(["search", "25", "0.42", "1", *patience]) == 0
    found = [row for row in table.read() if row.id != known.id]
    assert found
    for row in found:
        puzzle = table.entry(row).puzzle
        assert check(puzzle).verdict is Verdict.UNIQUE
        assert check(puzzle, presolve="probe", backend="search").backend == "search"
        assert row.num_open > 0


@pytest.mark.thorough
def test_confirming_writes_seconds_and_finds_a_wrong_record(modules, table, monkeypatch, capsys):
    recorded = modules["recorded"]
    (row,) = table.read()
    table.write([replace(row, cadical195_s=0.0, num_open=1)])
    assert recorded.main(["confirm", row.id]) == 0
    assert "0 not decided" in capsys.readouterr().out
    (confirmed,) = table.read()
    assert confirmed.cadical195_s > 0
    assert confirmed.num_open == row.num_open
    assert recorded.main(["confirm", row.id, "--time-limit", "0.001"]) == 1
    assert table.read()[0].glucose421_s == 0
    table.write([replace(row, recipe=replace(row.recipe, flips=()))])
    with pytest.raises(SystemExit, match="recorded as unique"):
        recorded.main(["confirm", row.id])


def test_the_flips_command_prints_a_recipe_with_one_solution(modules, capsys):
    recorded, random_pictures = modules["recorded"], modules["random_pictures"]
    assert recorded.main(["flips", "8", "9", "0.5", "3"]) == 0
    recipe = eval(capsys.readouterr().out, {"Recipe": random_pictures.Recipe})
    grid = random_pictures.picture(recipe)
    assert check(modules["unique"].clued("", "", grid, "").puzzle).solutions == (grid,)
