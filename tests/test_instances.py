"""Bundled collection: reproducible files, a true index, and pictures with the declared shapes."""

from __future__ import annotations

import csv
import shutil
from collections import Counter
from fractions import Fraction
from itertools import pairwise, product
from math import floor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.drawing import examples
from helpers.generator import INSTANCES, generator
from nonosat import check, load, rate
from nonosat.core.result import Verdict
from nonosat.generate import patterns
from nonosat.generate.canvas import Canvas, segment
from nonosat.generate.structured import staircase


@pytest.fixture(scope="module")
def modules():
    with generator() as found:
        yield found


@pytest.fixture(scope="module")
def entries(modules):
    return modules["make"].collection()


@pytest.fixture(scope="module")
def results(entries):
    """Return the results of `check` for every puzzle without a recorded verdict, by id."""
    both = [entry for content in entries.values() for entry in content]
    return {entry.puzzle.about.id: check(entry.puzzle) for entry in both if not entry.record}


@pytest.fixture(scope="module")
def index():
    with (INSTANCES / "index.csv").open(newline="") as file:
        return list(csv.DictReader(file))


# The collection


@pytest.mark.thorough
def test_puzzle_files_come_from_the_generator_byte_for_byte(modules, entries):
    files = modules["make"].puzzle_files(entries)
    on_disk = {path.name: path.read_bytes() for path in INSTANCES.glob("*.jsonl")}
    assert files == on_disk


@pytest.mark.thorough
def test_the_index_agrees_with_the_checks(modules, entries, results):
    make = modules["make"]
    rows = [
        make.index_row(file, entry, entry.record or make.decided(results[entry.puzzle.about.id]))
        for file, content in entries.items()
        for entry in content
    ]
    assert make.index_text(rows) == (INSTANCES / "index.csv").read_bytes()


def test_difficulties_are_those_of_the_rating(index):
    """Rate some small puzzles; the thorough test above rates all."""
    rated = [row for row in index if row["difficulty"]]
    assert len(rated) > 40
    small = [row for row in rated if int(row["height"]) * int(row["width"]) <= 240]
    for row in small[::4]:
        assert rate(load(f"bundled:{row['id']}")).difficulty == float(row["difficulty"])


@pytest.mark.thorough
def test_ids_are_unique_and_every_puzzle_has_a_title_and_a_licence(entries, index):
    puzzles = [entry.puzzle for content in entries.values() for entry in content]
    ids = [puzzle.about.id for puzzle in puzzles]
    assert len(ids) == len(set(ids)) >= 40
    assert ids == [row["id"] for row in index]
    assert all(puzzle.about.title and puzzle.about.license == "CC0-1.0" for puzzle in puzzles)
    assert all(entry.origin for content in entries.values() for entry in content)


@pytest.mark.parametrize(
    ("verdict", "kind"),
    [
        *[("unique", kind) for kind in ("line-solvable", "probing", "search")],
        *[("unsolvable", kind) for kind in ("at sight", "line-solvable", "probing", "search")],
        ("multiple", "search"),
    ],
)
def test_every_verdict_and_class_is_there(index, verdict, kind):
    assert any((row["verdict"], row["class"]) == (verdict, kind) for row in index)


def test_sizes_and_colours_range_widely(index):
    sizes = {row["id"]: (int(row["height"]), int(row["width"])) for row in index}
    kinds = {row["id"]: (row["verdict"], row["class"]) for row in index}
    colours = {row["id"]: int(row["colours"]) for row in index if row["family"] == "nonogram"}
    assert sizes["castle"] == (200, 200)
    assert kinds["castle"] == ("unique", "line-solvable")
    assert sizes["island"] == (100, 100)
    assert colours["island"] >= 3
    assert any(height == 1 < width for height, width in sizes.values())
    assert any(width == 1 < height for height, width in sizes.values())
    assert sum(count > 1 for count in colours.values()) >= 10
    assert sum(path.stat().st_size for path in INSTANCES.iterdir() if path.is_file()) < 1_000_000


@pytest.mark.thorough
def test_the_solutions_of_unique_drawings_are_the_drawings(modules, results):
    drawn = [(name, "#", art) for name, _, art in modules["drawings"].DRAWINGS]
    drawn += [(name, letters, art) for name, _, letters, art in modules["drawings_colour"].DRAWINGS]
    assert len(drawn) >= 20
    for name, letters, art in drawn:
        rows = [line.strip() for line in art.split("\n") if line.strip()]
        width = max(map(len, rows))
        solution = results[name].solution
        assert results[name].verdict is Verdict.UNIQUE
        assert solution.lines("." + letters) == [row.ljust(width, ".") for row in rows]


@pytest.mark.thorough
def test_hints_decide_what_the_same_clues_leave_open(results):
    for hinted, bare in (("switch-given", "switch"), ("rooks-given", "rooks")):
        assert results[bare].puzzle.rows == results[hinted].puzzle.rows
        assert results[bare].puzzle.columns == results[hinted].puzzle.columns
        assert results[hinted].puzzle.given
        assert results[bare].verdict is Verdict.MULTIPLE
        assert results[hinted].verdict is Verdict.UNIQUE
    for hinted, bare in (("knot-given", "knot-wide"), ("pentagrid-given", "pentagrid-wide")):
        assert results[bare].puzzle.rows == results[hinted].puzzle.rows
        assert results[bare].verdict is Verdict.MULTIPLE
        assert results[hinted].verdict is Verdict.UNIQUE


# The program


def test_outdated_names_changed_missing_and_foreign_files(modules, tmp_path, monkeypatch):
    make = modules["make"]
    for path in (*INSTANCES.glob("*.jsonl"), INSTANCES / "index.csv"):
        shutil.copy(path, tmp_path)
    files = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    monkeypatch.setattr(make, "HERE", tmp_path)
    assert make.outdated(files) == []
    (tmp_path / "hard.jsonl").write_bytes(files["hard.jsonl"] + b"\n")
    (tmp_path / "index.csv").unlink()
    (tmp_path / "foreign.jsonl").write_text("{}")
    assert make.outdated(files) == ["foreign.jsonl", "hard.jsonl", "index.csv"]


def test_make_writes_removes_and_then_finds_nothing_to_do(modules, tmp_path, monkeypatch, capsys):
    make = modules["make"]
    monkeypatch.setattr(make, "HERE", tmp_path)
    monkeypatch.setattr(make, "all_files", lambda: {"a.jsonl": b"{}\n", "index.csv": b"id\n"})
    (tmp_path / "old.jsonl").write_text("{}")
    assert make.main(["--check"]) == 1
    assert "old.jsonl is out of date" in capsys.readouterr().out
    assert make.main([]) == 0
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == make.all_files()
    assert make.main(["--check"]) == 0
    assert capsys.readouterr().out.endswith("up to date\n")


# Shapes


def _filled(grid):
    cells = product(range(grid.height), range(grid.width))
    return {place for place in cells if grid[place]}


@examples(35)
@given(st.integers(0, 9), st.integers(0, 9))
def test_an_ellipse_covers_the_centres_inside(down, across):
    canvas = Canvas(21, 21)
    canvas.ellipse((10, 10), down, across)
    expected = {
        (row, column)
        for row, column in product(range(21), repeat=2)
        if ((row - 10) * (2 * across + 1)) ** 2 + ((column - 10) * (2 * down + 1)) ** 2
        <= ((down + 0.5) * (2 * across + 1)) ** 2
    }
    assert _filled(canvas.grid()) == expected


corner = st.tuples(st.integers(0, 14), st.integers(0, 14))


@examples(35)
@given(corner, corner)
def test_a_segment_is_connected_and_close_to_the_line(start, end):
    cells = segment(start, end)
    assert cells[0] == start
    assert cells[-1] == end
    assert all(max(abs(a[0] - b[0]), abs(a[1] - b[1])) <= 1 for a, b in pairwise(cells))
    down, across = end[0] - start[0], end[1] - start[1]
    for row, column in cells:
        twice_area = abs(down * (column - start[1]) - across * (row - start[0]))
        assert 2 * twice_area <= max(abs(down), abs(across))


def _extent(corners, row):
    """Leftmost and rightmost point of a triangle in a row, exactly."""
    found = []
    for (r, c), (s, d) in pairwise([*corners, corners[0]]):
        if r == s == row:
            found += [Fraction(c), Fraction(d)]
        elif min(r, s) <= row <= max(r, s) and r != s:
            found.append(c + Fraction((d - c) * (row - r), s - r))
    return min(found), max(found)


@examples(60)
@given(corner, corner, corner)
def test_a_triangle_is_filled_to_the_cell_nearest_to_its_edge(a, b, c):
    canvas = Canvas(15, 15)
    canvas.polygon([a, b, c])
    expected = set()
    for row in range(min(a[0], b[0], c[0]), max(a[0], b[0], c[0]) + 1):
        left, right = (floor(x + Fraction(1, 2)) for x in _extent([a, b, c], row))
        expected |= {(row, column) for column in range(left, right + 1)}
    assert _filled(canvas.grid()) == expected


def test_strokes_and_stamps_outside_the_board_are_dropped():
    canvas = Canvas(3, 3)
    canvas.stroke([(-2, 1), (5, 1)])
    canvas.stamp("##\n#.", (2, 2))
    assert canvas.grid().lines() == [".#.", ".#.", ".##"]


# Mathematics


def _degrees(cells):
    sides = ((0, 1), (1, 0), (0, -1), (-1, 0))
    return Counter(sum((row + y, column + x) in cells for y, x in sides) for row, column in cells)


@pytest.mark.parametrize("order", [1, 2, 3, 4])
def test_hilberts_curve_is_one_path_through_all_corners(order):
    cells = _filled(patterns.hilbert(order))
    assert len(cells) == 2 * 4**order - 1
    assert _degrees(cells) == {1: 2, 2: len(cells) - 2}
    assert {(row, column) for row, column in cells if row % 2 == column % 2 == 0} == set(
        product(range(0, 2 ** (order + 1), 2), repeat=2)
    )


def test_the_dragon_has_one_edge_per_fold():
    grid = patterns.dragon(6)
    pale = set(product(range(grid.height), range(grid.width))) - _filled(grid)
    edges = {(row, column) for row, column in pale if row % 2 == 1 and column % 2 == 0}
    edges |= {(row, column) for row, column in pale if row % 2 == 0 and column % 2 == 1}
    assert len(edges) == 2**6  # the dragon never uses an edge twice


def test_the_gun_has_fired_once_after_its_period():
    gun = _filled(patterns.glider_gun(40, 0))
    later = _filled(patterns.glider_gun(40, 30))
    assert len(gun) == 36
    assert gun < later
    assert len(later) == 36 + 5


def test_the_spiral_marks_the_primes():
    grid = patterns.prime_spiral(7)
    spiral = """
        37 36 35 34 33 32 31
        38 17 16 15 14 13 30
        39 18  5  4  3 12 29
        40 19  6  1  2 11 28
        41 20  7  8  9 10 27
        42 21 22 23 24 25 26
        43 44 45 46 47 48 49
    """
    numbers = [int(word) for word in spiral.split()]
    primes = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47}
    marked = {number for number, cell in zip(numbers, grid.cells, strict=True) if cell}
    assert marked == primes


def test_self_similar_pictures_have_the_right_number_of_cells():
    for order in range(1, 5):
        assert len(_filled(patterns.sierpinski(order))) == 3**order
    assert len(_filled(patterns.carpet(3))) == 8**3
    assert len(_filled(patterns.triangles(2))) == 9 * (1 + 3 + 5)
    assert len(_filled(staircase(7, (3, 4)))) == 4 * 5 + 3 * 7


def test_rule_30_grows_its_known_centre_column():
    centre = patterns.rule_30(12).column(11)
    assert list(centre) == [1, 1, 0, 1, 1, 1, 0, 0, 1, 1, 0, 0]


def test_the_mandelbrot_set_is_symmetric_and_holds_its_heart():
    grid = patterns.mandelbrot(21, 28)
    rows = [grid.row(index) for index in range(21)]
    assert rows == rows[::-1]
    assert rows[10][-8]  # c = 0 is about 2.1 / 0.1 = 21 columns from the left
    assert not rows[10][-1]


def test_the_lake_mirrors_the_mountains(modules):
    castle = modules["scenes"].castle()
    for row in range(140, 180, 6):
        assert castle.row(row) == castle.row(136 - 2 * (row - 138))
