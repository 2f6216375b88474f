"""`--given MARKS`: answers on the solutions that agree with marks, against enumeration."""

from __future__ import annotations

import json
import random
from itertools import product
from pathlib import Path
from types import SimpleNamespace

import pytest

import nonosat
from helpers.commands import run
from nonosat.core.errors import UnsupportedError
from nonosat.core.grid import UNKNOWN
from nonosat.explain.explainers import marked
from nonosat.testing.oracles import slitherlink_solutions

LINES = ["100", "010", "001"]
PERMUTATIONS = [rows for rows in product(LINES, repeat=3) if len(set(rows)) == 3]
SHOWN = {"0": "x", "1": "#", "?": "?"}


@pytest.fixture
def diagonal(tmp_path: Path) -> Path:
    """Puzzle of three rows and columns with a block of 1 each: six solutions."""
    file = tmp_path / "diagonal.json"
    file.write_text(json.dumps({"rows": [[1]] * 3, "columns": [[1]] * 3}))
    return file


@pytest.mark.slow
@pytest.mark.parametrize(
    "marks", ["?????????", "1????????", "0????????", "??1?1????", "11???????", "00?0?????"]
)
def test_marks_leave_the_solutions_that_agree(diagonal: Path, tmp_path: Path, marks: str) -> None:
    file = tmp_path / "marks"
    rows = (marks[at : at + 3] for at in (0, 3, 6))
    file.write_text("".join("".join(map(SHOWN.get, row)) + "\n" for row in rows))  # type: ignore[arg-type]
    number = sum(
        all(mark in ("?", cell) for mark, cell in zip(marks, "".join(rows), strict=True))
        for rows in PERMUTATIONS
    )
    options = [str(diagonal), "--given", str(file), "--json"]
    counted = json.loads(run("count", *options).stdout)
    assert (counted["count"], counted["given_file"]) == (str(number), str(file))
    verdict = ["unsolvable", "unique", "multiple"][min(number, 2)]
    for command in ("check", "backbone", "why-multiple"):
        assert json.loads(run(command, *options).stdout)["verdict"] == verdict
    solved = json.loads(run("solve", *options).stdout)["verdict"]
    assert solved == ("solved" if number else "unsolvable")


@pytest.mark.parametrize("shape", ["list", "matrix", "board"])
def test_printed_queens_are_marks(tmp_path: Path, shape: str) -> None:
    board, placed = tmp_path / "six.queens", tmp_path / "placed"
    board.write_text("queens 6\n")
    printed = run("queens", "6", "--as", shape).stdout
    placed.write_text(printed)
    assert run("queens", "6", "--as", shape, "--given", str(placed)).stdout == printed
    told = run("count", str(board), "--given", str(placed), "--json").stdout
    assert json.loads(told)["count"] == "1"


@pytest.mark.parametrize("shape", ["list", "matrix", "way"])
def test_printed_tours_are_marks(tmp_path: Path, shape: str) -> None:
    board, walked = tmp_path / "small.knight", tmp_path / "walked"
    board.write_text("knight 3 4\n")
    printed = run("knight", "3", "4", "--as", shape).stdout
    walked.write_text(printed)
    assert run("knight", "3", "4", "--as", shape, "--given", str(walked)).stdout == printed
    told = run("count", str(board), "--given", str(walked), "--json").stdout
    assert json.loads(told)["count"] == "1"


@pytest.mark.parametrize("board", [("5", "6", "--closed"), ("5", "5"), ("1", "1"), ("3", "10")])
@pytest.mark.parametrize("shape", ["list", "matrix", "way"])
def test_every_printed_tour_is_marks(tmp_path: Path, board: tuple[str, ...], shape: str) -> None:
    walked = tmp_path / "walked"
    walked.write_text(printed := run("knight", *board, "--as", shape).stdout)
    assert run("knight", *board, "--as", shape, "--given", str(walked)).stdout == printed


def test_a_drawn_way_begins_where_the_tour_does(tmp_path: Path) -> None:
    walked = tmp_path / "walked"
    last = nonosat.solve(nonosat.Knight(5, 5, start=(0, 0))).solution.squares()[-1]
    walked.write_text(run("knight", "5", "5", "--start", "1,1", "--as", "way").stdout)
    for row, column in ((0, 0), last):
        start = ("--start", f"{row + 1},{column + 1}", "--as", "list")
        found = run("knight", "5", "5", *start, "--given", str(walked)).stdout
        assert found.startswith(f"{row + 1},{column + 1} ")


def test_a_damaged_way_is_refused(tmp_path: Path) -> None:
    walked = tmp_path / "walked"
    printed = run("knight", "5", "5", "--as", "way").stdout
    dots = next(sign for sign in printed if sign not in "\u2800\n")
    walked.write_text(printed.replace(dots, "\u2800", 1))
    refused = run("knight", "5", "5", "--given", str(walked))
    assert refused.exit_code == 2
    assert "walked:1: dots that draw no way of an open tour on 5 x 5 squares" in refused.stderr


SMALL = "3 3\n. . .\n. 2 .\n. . .\n"


def test_printed_paths_are_marks(tmp_path: Path) -> None:
    board, drawn = tmp_path / "small.slitherlink", tmp_path / "drawn"
    board.write_text(SMALL)
    printed = run("solve", str(board)).stdout
    drawn.write_text(printed)
    marks = ("--given", str(drawn))
    frame = printed[: printed.rindex("#\n")]
    assert run("solve", str(board), *marks).stdout.startswith(frame)
    assert json.loads(run("count", str(board), *marks, "--json").stdout)["count"] == "1"
    for command in ("check", "backbone", "why-multiple", "rate", "explain"):
        assert json.loads(run(command, str(board), *marks, "--json").stdout)["verdict"] == "unique"


def test_edges_leave_the_paths_that_agree(tmp_path: Path) -> None:
    board, marks = tmp_path / "small.slitherlink", tmp_path / "marks"
    board.write_text(SMALL)
    puzzle = nonosat.load(board)
    draw = random.Random(1)
    for _ in range(6):
        edges = bytes(draw.choice([0, 1, *[UNKNOWN] * 8]) for _ in range(24))
        marks.write_text(str(nonosat.Edges(3, 3, edges)))
        number = sum(
            all(mark in (UNKNOWN, edge) for mark, edge in zip(edges, path.edges, strict=True))
            for path in slitherlink_solutions(puzzle)
        )
        options = [str(board), "--given", str(marks), "--json"]
        assert json.loads(run("count", *options).stdout)["count"] == str(number)
        verdict = ["unsolvable", "unique", "multiple"][min(number, 2)]
        for command in ("check", "explain"):
            assert json.loads(run(command, *options).stdout)["verdict"] == verdict


def test_explanations_begin_with_the_marks(diagonal: Path, tmp_path: Path) -> None:
    file = tmp_path / "marks"
    file.write_text("#??\n?#?\n???\n")
    options = [str(diagonal), "--given", str(file), "--json"]
    steps = json.loads(run("explain", *options).stdout)["steps"]
    assert sum(len(step["settled"]) for step in steps) == 7
    rated = json.loads(run("rate", *options).stdout)
    assert (rated["verdict"], sum(rated["cells"].values())) == ("unique", 7)
    assert "standard input is read only once" in run("explain", "-", "--given", "-").stderr


def test_marks_of_another_family_are_refused() -> None:
    with pytest.raises(
        UnsupportedError, match="families knight, nonogram, queens, ranges and slither"
    ):
        marked(SimpleNamespace(family="sudoku"), b"")


def test_invalid_marks_are_refused(diagonal: Path, tmp_path: Path) -> None:
    file = tmp_path / "marks"
    file.write_text("??\n")
    refused = run("count", str(diagonal), "--given", str(file))
    assert refused.exit_code == 2
    assert "marks:1:3: 2 cells in this row, expected 3" in refused.stderr
    assert (
        "--given takes one puzzle"
        in run("check", str(diagonal), str(diagonal), "--given", str(file)).stderr
    )
    assert "standard input is read only once" in run("solve", "-", "--given", "-").stderr
