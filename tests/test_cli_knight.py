"""`nonosat knight` from a user's point of view, and pictures of tours."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from helpers.commands import run
from nonosat import render
from nonosat.core.errors import UnsupportedError
from nonosat.puzzles.knight import Knight, Tour, refutation, tour_of
from nonosat.render import Style, figures
from nonosat.render import knight as drawing

DOCUMENT = """\
 1  6 15 10 21
14  9 20  5 16
19  2  7 22 11
 8 13 24 17  4
25 18  3 12 23
"""
BOARD = "x . . .\n1 . x .\n. . . .\n"


def put(path: Path, text: str) -> str:
    path.write_text(text)
    return str(path)


def tour(text: str) -> Tour:
    rows = [
        [0 if word == "x" else int(word) for word in line.split()] for line in text.splitlines()
    ]
    return Tour(len(rows), len(rows[0]), tuple(number for row in rows for number in row))


def test_the_documents_matrix():
    result = run("knight", "5", "5", "--backend", "study:knight-backtracking")
    assert result.exit_code == 0
    assert result.stdout == DOCUMENT
    assert result.stderr.startswith("tour of 5 rows x 5 columns: solved, ")
    assert result.stderr.endswith(" s, by study:knight-backtracking\n")


@pytest.mark.parametrize(
    "options", [(), ("--closed",), ("--start", "4,5"), ("--start", "4, 5", "--closed")]
)
def test_a_matrix(options):
    result = run("knight", "6", "8", *options)
    assert result.exit_code == 0
    start = (3, 4) if "--start" in options else None
    puzzle = Knight(6, 8, start, "--closed" in options)
    assert refutation(puzzle, tour(result.stdout)) is None
    assert result.stderr.startswith("closed tour" if puzzle.closed else "tour")


def test_a_list_of_squares():
    result = run("knight", "3", "4", "--as", "list")
    squares = [tuple(map(int, word.split(","))) for word in result.stdout.split()]
    path = [(row - 1) * 4 + column - 1 for row, column in squares]
    assert refutation(Knight(3, 4), tour_of(Knight(3, 4), path)) is None


def test_several_tours():
    result = run("knight", "3", "4", "--max-solutions", "3")
    assert result.exit_code == 3
    blocks = result.stdout.split("\n\n")
    assert len(blocks) == 3
    assert all(refutation(Knight(3, 4), tour(block)) is None for block in blocks)
    assert run("knight", "1", "1", "--max-solutions", "2").exit_code == 0


def test_given_numbers_and_holes(tmp_path):
    board = put(tmp_path / "board", BOARD)
    holes = put(tmp_path / "holes", "# two holes\n1,1\n\n2,3\n")
    numbers = put(tmp_path / "numbers", "2,1 1\n")
    one = run("knight", "3", "4", "--given", board)
    other = run("knight", "3", "4", "--given", numbers, "--holes", holes)
    assert one.exit_code == other.exit_code == 0
    assert one.stdout == other.stdout
    puzzle = Knight(3, 4, (1, 0), holes=((0, 0), (1, 2)))
    assert refutation(puzzle, tour(one.stdout)) is None
    assert "x" in one.stdout


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (("7", "7", "--closed"), "25 squares of one colour and 24 of the other"),
        (("7", "7", "--start", "1,2"), "the square in row 1, column 2 has the number 1"),
        (("4", "4"), "theorem of Cull"),
        (("4", "6", "--start", "2,2"), "unsolvable (a complete search by learn finds no solution)"),
        (("4", "6", "--start", "2,2", "--backend", "backtracking"), "squares found no tour"),
    ],
)
def test_the_absence_of_a_tour_has_a_reason(arguments, text):
    result = run("knight", *arguments)
    assert result.exit_code == 4
    assert result.stdout == ""
    assert text in result.stderr


def test_a_heuristic_does_not_know():
    result = run("knight", "4", "6", "--start", "2,2", "--backend", "warnsdorff")
    assert result.exit_code == 5
    assert "2000 attempts ended in blind alleys" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (("0", "5"), "0 rows, expected at least 1"),
        (("-1", "5"), "-1"),
        (("5", "5", "--start", "6,1"), "the start in row 6, column 1 is outside the board"),
        (("5", "5", "--start", "2"), "'2' is not ROW,COLUMN"),
        (("5", "5", "--start", "0,1"), "'0,1' is not ROW,COLUMN, counted from 1"),
        (("9", "9", "--backend", "study:knight-backtracking"), "8 x 8 take 8,250,733 calls"),
        (("8", "8", "--backend", "nothing"), "called 'nothing'"),
        (("8", "8", "--encoding", "loop=cells"), "along the sides of cells"),
        (("5000", "5000"), "25000000 squares, expected at most 4000000"),
    ],
)
def test_bad_usage(arguments, text):
    result = run("knight", *arguments)
    assert result.exit_code == 2
    assert text in result.stderr


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("1 .\n. 2\n", ":2: a board of 2 rows, expected 3"),
        (". . . .\n. . .\n. . . .\n", ":2: a row of 3 squares, expected 4"),
        (". . . .\n. . q .\n. . . .\n", ":2:5: 'q', expected '.', 'x' or a number"),
        (". . . .\n. . 0 .\n. . . .\n", ":2:5: '0', expected a number from 1"),
        ("knight 4 4\n", ":1: a board of 4 x 4, expected 3 x 4"),
        (
            "knight 3 4 closed\n",
            ":1: a board for a closed tour by its word 'closed', expected one for",
        ),
        (f"knight {'9' * 5000} 4\n", ":1:8: '999999"),
        ("1,1 1\n2,7 3\n", ":2:3: the column '7', expected 1 to 4"),
        ("1,1 1\n-1,1 3\n", ":2:1: the row '-1', expected 1 to 3"),
        ("1,1 1\n2,0 3\n", ":2:3: the column '0', expected 1 to 4"),
        ("1,1 1\nwhat\n", ":2: 'what', expected a square such as"),
        (
            "1,1 3\n1,2 3\n",
            "the number 3 is given twice: to row 1, column 1 and to row 1, column 2",
        ),
        ("1,1 13\n", "the given number 13 in row 1, column 1, expected 1 to 12"),
    ],
)
def test_bad_files(tmp_path, content, message):
    file = put(tmp_path / "given", content)
    result = run("knight", "3", "4", "--given", file)
    assert result.exit_code == 2
    assert message in result.stderr
    assert result.stdout == ""


def test_json():
    result = run("knight", "6", "6", "--closed", "--start", "2,3", "--json")
    data = json.loads(result.stdout)
    assert data["family"] == "knight"
    assert (data["rows"], data["columns"], data["start"], data["closed"]) == (6, 6, [1, 2], True)
    numbers = tuple(number for row in data["solutions"][0] for number in row)
    assert refutation(Knight(6, 6, (1, 2), True), Tour(6, 6, numbers)) is None
    assert data["verdict"] == "solved"


def test_solve_check_and_show_take_boards(tmp_path):
    file = put(tmp_path / "ring.knight", "knight 3 3 closed\n. . .\n. x .\n. . .\n")
    solved = run("solve", file)
    assert solved.exit_code == 0
    assert solved.stdout.splitlines()[:3] == ["1 4 7", "6 x 2", "3 8 5"]
    checked = run("check", file)
    assert checked.exit_code == 0
    assert "unique" in checked.stdout
    shown = run("show", file)
    assert shown.stdout.splitlines()[-3:] == [". . .", ". x .", ". . ."]


# Pictures

RING = Knight(3, 3, (0, 1), closed=True, holes=((1, 1),))
SOLVED = tour_of(RING, [0, 5, 6, 1, 8, 3, 2, 7])


def test_a_matrix_as_a_picture():
    assert render.text(RING, None) == ". 1 .\n. x .\n. . ."
    assert render.text(RING, SOLVED) == str(SOLVED)
    marked = render.text(RING, SOLVED, marked=((0, 0), (2, 2)))
    assert marked.count("?") == 2
    painted = render.text(RING, SOLVED, Style(ansi=True))
    assert painted.count("\x1b[0m") == 3
    narrow = render.text(Knight(9, 9), None, Style(width=10))
    assert "17 characters wide" in narrow


def test_the_way_in_dots():
    result = run("knight", "6", "6", "--closed", "--as", "way")
    lines = result.stdout.splitlines()
    assert [len(line) for line in lines] == [24] * 12
    assert all(0x2800 <= ord(char) < 0x2900 for line in lines for char in line)
    with pytest.raises(UnsupportedError, match="Braille"):
        drawing.way(RING, SOLVED, Style(unicode=False))
    with pytest.raises(UnsupportedError, match="12 characters wide, the terminal 8"):
        drawing.way(RING, SOLVED, Style(width=8))


def test_svg(tmp_path):
    file = tmp_path / "tour.svg"
    result = run("knight", "5", "5", "--svg", str(file))
    assert result.exit_code == 0
    root = ET.fromstring(file.read_text())
    texts = [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]
    assert {str(number) for number in range(1, 26)} <= {*texts}
    assert "solved" in texts[-1]
    again = run("knight", "6", "6", "--svg", str(file))
    assert again.exit_code == 2
    assert "exists; choose another name" in again.stderr
    bare = figures.svg_of(RING)
    number, *caption = ET.fromstring(bare).iter("{http://www.w3.org/2000/svg}text")
    assert number.text == "1"
    assert " ".join(line.text for line in caption) == str(RING)
    marked = figures.svg(RING, SOLVED, ((0, 0),))
    assert marked.count("#e10082") == 1
    assert "#e10082" not in figures.svg(RING, SOLVED)
    with pytest.raises(UnsupportedError, match="too large for a picture"):
        figures.svg_of(Knight(1001, 1001))
