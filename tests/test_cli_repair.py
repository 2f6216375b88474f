"""`nonosat repair` from a user's point of view."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import nonosat
from helpers.commands import put, run
from nonosat.generate.mending.grading import GradeSearch

__all__ = ["put"]  # a fixture

CROSS = "#...#\n.#.#.\n..#..\n.#.#.\n#...#\n"
SWITCH = {"id": "two", "rows": [[1], [1]], "columns": [[1], [1]]}


@pytest.fixture
def cross(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    Path("cross.txt").write_text(CROSS)
    return "cross.txt"


def test_the_fewest_cells_are_listed_marked_and_drawn(cross: str) -> None:
    done = run("repair", cross, "--svg", "a.svg")
    assert done.exit_code == 0
    assert "5 rows x 5 columns: 2 cells to change, fewer are not enough" in done.stdout
    *picture, _, changes = done.stdout.splitlines()
    assert sum(line.count("+") + line.count("-") for line in picture) == 2
    assert changes.count("filled") + changes.count("emptied") == 2
    assert "#e10082" in Path("a.svg").read_text()


def test_repaired_puzzles_are_written(cross: str) -> None:
    assert run("repair", cross, "--all", "4", "-o", "good.jsonl").exit_code == 0
    every = nonosat.load_all("good.jsonl")
    assert [puzzle.about.id for puzzle in every] == ["1-1", "1-2", "1-3", "1-4"]
    assert len({puzzle.goal for puzzle in every}) == 4
    assert all(map(nonosat.is_unique, every))
    done = run("repair", cross, "-o", "-", "--to", "non")
    assert done.stdout.startswith("width 5\nheight 5\n") or "width 5\nheight 5\n" in done.stdout
    assert "2 cells to change" in done.stderr
    refused = run("repair", cross, "-o", "good.jsonl")
    assert (refused.exit_code, "--force replaces it" in refused.stderr) == (2, True)


def test_kept_cells_and_the_maximum_number_of_changes(cross: str) -> None:
    assert run("repair", cross, "--max-changes", "2").exit_code == 0
    done = run("repair", cross, "--max-changes", "1", "-o", "none.jsonl")
    assert (done.exit_code, Path("none.jsonl").exists()) == (4, False)
    assert "there is no repair that changes fewer than 2 cells" in done.stdout
    mask = "".join("#" if sign != "\n" else sign for sign in CROSS)
    Path("mask.txt").write_text(mask)
    done = run("repair", cross, "--keep", "mask.txt")
    assert done.exit_code == 4
    assert "there is no repair" in done.stdout
    assert "(no repair is possible with the kept cells)" in done.stdout


def test_masks_that_do_not_fit_are_refused(cross: str, put: Any) -> None:
    Path("small.txt").write_text("##\n.#\n")
    done = run("repair", cross, "--keep", "small.txt")
    assert done.exit_code == 2
    assert "small.txt: a mask of 2 rows x 2 columns, expected 5 rows x 5 columns" in done.stderr
    done = run("repair", cross, "--keep", put(SWITCH))
    assert done.exit_code == 2
    assert "a puzzle without a picture, expected a picture as mask" in done.stderr


def test_a_puzzle_without_picture_has_its_first_solution_repaired(put: Any) -> None:
    done = run("repair", put(SWITCH), "--json")
    data = json.loads(done.stdout)
    assert (data["id"], data["least"], data["complete"]) == ("two", 1, True)
    assert len(data["repairs"][0]["changes"]) == 1
    assert done.exit_code == 0


def test_line_solving_alone(cross: str) -> None:
    assert run("repair", cross, "--logic-only", "-o", "easy.jsonl").exit_code == 0
    assert nonosat.rate(nonosat.load("easy.jsonl")).difficulty < 5


def test_a_limit_is_reported(cross: str) -> None:
    done = run("repair", cross, "--time-limit", "0.000001")
    assert done.exit_code == 5
    assert "time limit of 1e-06 s" in done.stdout + done.stderr


def test_other_families_and_unsolvable_puzzles(put: Any) -> None:
    done = run("repair", put({"family": "knight", "rows": 5, "columns": 5}))
    assert (done.exit_code, "expected a nonogram to repair" in done.stderr) == (2, True)
    done = run("repair", put({"rows": [[2], [2]], "columns": [[1], [1]]}))
    assert (done.exit_code, "no solution to be repaired" in done.stdout) == (4, True)


def test_a_grade_is_reached(cross: str) -> None:
    done = run("repair", cross, "--grade", "2", "-o", "two.jsonl", "--json")
    assert done.exit_code == 0
    assert json.loads(done.stdout)["complete"]
    assert int(nonosat.rate(nonosat.load("two.jsonl")).difficulty) == 2
    done = run("repair", cross, "--grade", "7", "--max-changes", "1")
    assert (done.exit_code, "no repair that changes fewer than 2" in done.stdout) == (4, True)
    done = run("repair", cross, "--grade", "6", "--logic-only")
    assert (done.exit_code, "expected at most 4; leave one of the two out" in done.stderr) == (
        2,
        True,
    )


def test_several_repairs_are_drawn_side_by_side(cross: str) -> None:
    done = run("repair", cross, "--all", "3", "--svg", "a.svg")
    lines = done.stdout.splitlines()
    assert [line[2:5] for line in lines if line.startswith("  ") and ": row" in line] == [
        "1: ",
        "2: ",
        "3: ",
    ]
    drawn = [line for line in lines if ":" not in line]
    assert sum(line.count("+") + line.count("-") for line in drawn) == 6  # two cells of each
    assert "3 repairs, the first: 2 cells to change, fewer are not enough" in lines[-1]
    drawn = Path("a.svg").read_text()
    assert [f">{number}: row" in drawn for number in range(1, 5)] == [True, True, True, False]
    assert drawn.count("<title>") == 1


def test_formats_are_refused_before_any_work(cross: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nonosat.cli.repair.repair", None)
    for line, told in (
        ("-o a.foo", "a.foo"),
        ("-o a.jsonl --to foo", "foo"),
        ("-o a.nin --all 2", "nin holds one puzzle, not 2; jsonl holds them"),
        ("--to nin", "--to is the format of OUT; add -o OUT, or -o - for standard output"),
    ):
        done = run("repair", cross, *line.split())
        assert (done.exit_code, told in done.stderr) == (2, True), line
    assert not Path("a.foo").exists()


def test_ctrl_c_shows_and_writes_the_best_so_far(
    cross: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def work(self: GradeSearch, *_: object) -> str:
        self.best = {11: 1, 13: 1}
        raise KeyboardInterrupt

    monkeypatch.setattr(GradeSearch, "work", work)
    done = run("repair", cross, "--grade", "2", "-o", "a.jsonl")
    assert done.exit_code == 130
    assert "2 cells to change, at least 0 are needed (interrupted)" in done.stdout
    assert "interrupted, 0 of 1 puzzle done" in done.stderr
    assert nonosat.load("a.jsonl").goal.differences(nonosat.load(cross).goal) == [(2, 1), (2, 3)]


def test_pictures_that_contradict_given_cells_or_do_not_fit(put: Any) -> None:
    switch = {"rows": [[1], [1]], "columns": [[1], [1]]}
    done = run("repair", put({**switch, "goal": "1001", "given": [[0, 0, 0]]}))
    assert done.exit_code == 2
    assert "the picture has '#' in row 1, column 1, where '.' is given" in done.stderr
    done = run("repair", put({**switch, "goal": "0101"}, name="other.jsonl"))
    assert (
        "nothing to change; the picture does not fit the clues, which are derived from it again"
        in done.stdout
    )
