"""`--given MARKS`: answers about the solutions that agree with marks, against enumeration."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path

import pytest

from helpers.commands import run

LINES = ["100", "010", "001"]
PERMUTATIONS = [rows for rows in product(LINES, repeat=3) if len(set(rows)) == 3]
SHOWN = {"0": "x", "1": "#", "?": "?"}


@pytest.fixture
def diagonal(tmp_path: Path) -> Path:
    """Three rows and columns with a block of 1 each: six solutions."""
    file = tmp_path / "diagonal.json"
    file.write_text(json.dumps({"rows": [[1]] * 3, "columns": [[1]] * 3}))
    return file


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


@pytest.mark.parametrize("shape", ["list", "matrix"])
def test_printed_tours_are_marks(tmp_path: Path, shape: str) -> None:
    board, walked = tmp_path / "small.knight", tmp_path / "walked"
    board.write_text("knight 3 4\n")
    printed = run("knight", "3", "4", "--as", shape).stdout
    walked.write_text(printed)
    assert run("knight", "3", "4", "--as", shape, "--given", str(walked)).stdout == printed
    told = run("count", str(board), "--given", str(walked), "--json").stdout
    assert json.loads(told)["count"] == "1"


def test_what_cannot_be_marked_is_refused(diagonal: Path, tmp_path: Path) -> None:
    file = tmp_path / "marks"
    file.write_text("??\n")
    refused = run("count", str(diagonal), "--given", str(file))
    assert refused.exit_code == 2
    assert "marks:1:3: 2 cells in this row, expected 3" in refused.stderr
    assert (
        "--given takes one puzzle"
        in run("check", str(diagonal), str(diagonal), "--given", str(file)).stderr
    )
    assert "standard input is one file" in run("solve", "-", "--given", "-").stderr
