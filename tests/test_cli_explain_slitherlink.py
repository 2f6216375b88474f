"""Commands explain, hint, rate and generate for Slitherlinks."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import nonosat
from helpers.commands import put, records, run
from nonosat.explain import explain

__all__ = ["put"]

Put = Callable[..., str]
DOMINO = {"family": "slitherlink", "id": "domino", "rows": ["33", ".."]}
SEVERAL = {"family": "slitherlink", "id": "several", "rows": ["2.", ".2"]}
NONE = {"family": "slitherlink", "id": "none", "rows": ["33", "33"]}


def test_explain_prints_sentences_and_boards(put: Put) -> None:
    done = run("explain", put(DOMINO), "--steps")
    assert done.exit_code == 0
    lines = done.stdout.splitlines()
    assert lines[0].startswith("1. No edge leads away from the 3 in cell (1, 1) at its upper left ")
    assert lines[1:6] == ["   +---+", "   | 3   3", "   +", "", ""]
    assert lines[-6:-1] == [
        "   +-------+",
        "   | 3 x 3 |",
        "   +-------+",
        "   x   x   x",
        "     x   x",
    ]
    told = "domino, 2 rows x 2 columns: unique, 6 steps (2 all left, 1 passed corner, 1 closed loop"
    assert lines[-1].startswith(told)
    assert "difficulty 2.3 (easy)" in lines[-1]


@pytest.mark.parametrize(
    ("puzzle", "status", "told"),
    [
        (DOMINO, 0, "unique, "),
        (SEVERAL, 3, "multiple (there are solutions that differ in the 8 open edges), 3 steps"),
        (NONE, 4, "unsolvable (the top edge of cell (1, 1) closes the path while the 3 in cell"),
    ],
)
def test_statuses(put: Put, puzzle: dict[str, object], status: int, told: str) -> None:
    name = put(puzzle)
    done = run("explain", name)
    assert done.exit_code == status
    assert told in done.stdout
    assert run("rate", name).exit_code == status
    assert run("hint", name).exit_code == (0 if status == 3 else status)


def test_json_is_read_back(put: Put) -> None:
    puzzle = nonosat.slitherlink(["33", ".."])
    name = put(DOMINO)
    (data,) = records(run("explain", name, "--json"))
    assert data["grid"] == ["##", "#x#", "##", "xxx", "xx"]
    assert data["steps"][0]["rule"] == 9
    assert data["steps"][0]["cells"] == [[0, 0]]
    assert data["steps"][0]["corners"] == [[0, 0]]
    assert nonosat.Explanation.from_data(data, puzzle) == explain(puzzle)
    (data,) = records(run("hint", name, "--json"))
    assert nonosat.Hint.from_data(data, puzzle) == nonosat.hint(puzzle)
    (data,) = records(run("rate", name, "--json"))
    assert data["difficulty"] == 2.3


def test_a_frame_is_given(put: Put) -> None:
    name = put(DOMINO)
    shown = run("show", name).stdout
    assert run("hint", name).stdout.startswith("No edge leads away from the 3 in cell (1, 1) ")
    Path("mine").write_text(shown)
    assert run("hint", name, "--given", "mine").exit_code == 0
    Path("mine").write_text(run("solve", name).stdout)  # the path without its crosses
    assert run("hint", name, "--given", "mine").exit_code == 0
    lines = shown.splitlines()
    lines[4] = "# x 3   3   #"
    Path("mine").write_text("\n".join(lines))
    done = run("hint", name, "--given", "mine", "--svg", "a.svg")
    assert done.exit_code == 1
    assert "One mark is wrong: the left edge of cell (1, 1) is not off the path." in done.stdout
    assert Path("a.svg").read_text().startswith("<svg")
    Path("mine").write_text("nonsense")
    done = run("hint", name, "--given", "mine")
    assert done.exit_code == 2
    assert "1 line, expected 5 of edges, or the frame that `show` prints" in done.stderr


def test_pictures_and_pages(put: Put) -> None:
    name = put(DOMINO)
    assert run("explain", name, "--html", "a.html", "--svg", "a.svg", "--at", "3").exit_code == 0
    assert "No edge leads away" in Path("a.html").read_text()
    assert "step 3 of 6: " in Path("a.svg").read_text()
    done = run("explain", name, "--svg", "b.svg", "--at", "7")
    assert done.exit_code == 2
    assert "--at 7: the explanation has 6 steps" in done.stderr
    assert run("render", name, "-o", "why.pdf", "--why").exit_code == 0
    assert run("render", name, "-o", "book.pdf", "--book", "--rate").exit_code == 0


def test_reasons_of_cells_are_for_nonograms(put: Put) -> None:
    done = run("explain", put(DOMINO), "--cell", "1,1")
    assert done.exit_code == 2
    assert "reasons of cells are for a nonogram only" in done.stderr


@pytest.mark.slow
def test_boards_are_made_with_a_grade_and_symmetric_clues() -> None:
    line = ("generate", "slitherlink", "6", "6", "--grade", "5", "--symmetric", "rotation")
    done = run(*line, "--to", "jsonl", "--seed", "3", "--count", "2")
    assert done.exit_code == 0
    for text in done.stdout.splitlines():
        rows = json.loads(text)["rows"]
        assert int(nonosat.rate(nonosat.slitherlink(rows)).difficulty) == 5
        blank = ["".join("." if clue == "." else "#" for clue in row) for row in rows]
        assert blank == [row[::-1] for row in blank[::-1]]
    assert run(*line, "--time-limit", "1e-9").exit_code == 5
    assert run("generate", "slitherlink", "6", "6", "--grade", "8").exit_code == 2
