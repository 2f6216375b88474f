"""`check --partial`: the first clue that marks break, against all fillings of each line."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

import nonosat
from helpers.commands import UNIQUE, put, run
from nonosat import UnsupportedError
from nonosat.core.model import OpenClue
from nonosat.puzzles.ranges import from_data
from nonosat.questions.partial import first_broken
from nonosat.testing.oracles import agrees, open_fillings

__all__ = ["put"]  # a fixture

CLUES = ("0", "1", "2", "1 1", "3", "1-2", "2+", "1/3", "* 2", "*", "? 1")
HEIGHT, WIDTH = 3, 4


def lines(puzzle: Any) -> list[tuple[OpenClue, list[tuple[int, int]]]]:
    """Return clue and cells of each line, rows first."""
    rows = [[(row, column) for column in range(WIDTH)] for row in range(HEIGHT)]
    columns = [[(row, column) for row in range(HEIGHT)] for column in range(WIDTH)]
    return list(zip((*puzzle.rows, *puzzle.columns), (*rows, *columns), strict=True))


def expected(puzzle: Any) -> dict[str, int] | None:
    """Return the first line without a filling that agrees with the given cells."""
    given = {(row, column): value for row, column, value in puzzle.given}
    for index, (clue, cells) in enumerate(lines(puzzle)):
        known = [frozenset((given[cell],)) if cell in given else {0, 1} for cell in cells]
        if not any(agrees(filling, known) for filling in open_fillings(clue, len(cells))):
            return {"row": index} if index < HEIGHT else {"column": index - HEIGHT}
    return None


@pytest.mark.parametrize("most", [5, len(CLUES)])  # clues of known lengths, then all
def test_lines_are_those_that_no_filling_completes(most: int) -> None:
    rng, seen = Random(most), set()
    for _ in range(150):
        data = {
            "rows": [rng.choice(CLUES[:most]) for _ in range(HEIGHT)],
            "columns": [rng.choice(CLUES[:most]) for _ in range(WIDTH)],
            "given": [
                [row, column, rng.randrange(2)]
                for row in range(HEIGHT)
                for column in range(WIDTH)
                if rng.random() < 0.3
            ],
        }
        puzzle: Any = from_data(data)
        found = first_broken(puzzle)
        assert (found and found.place) == expected(puzzle), data
        if most == 5:
            plain = nonosat.Nonogram(puzzle.rows, puzzle.columns, given=puzzle.given)
            assert first_broken(plain) == found
        seen.add(found and next(iter(found.place)))
    assert seen == {None, "row", "column"}


def test_clues_of_a_slitherlink_are_compared_with_their_edges() -> None:
    puzzle = nonosat.slitherlink(["3.", ".0"])
    # Edges: three rows of two across, then two rows of three down.
    cases = {
        "?? ?? ?? ??? ???": None,
        "x? ?? ?? ??? ???": None,
        "x? x? ?? ??? ???": ({"cell": [0, 0]}, "row 1, column 1 (clue 3)"),
        "1? 1? ?? 11? ???": ({"cell": [0, 0]}, "row 1, column 1 (clue 3)"),
        "?? ?1 ?? ??? ???": ({"cell": [1, 1]}, "row 2, column 2 (clue 0)"),
        "?1 ?? 1? ??1 1??": None,
    }
    for edges, expected_ in cases.items():
        given = bytes({"?": 255, "x": 0, "1": 1}[sign] for sign in edges.replace(" ", ""))
        assert first_broken(replace(puzzle, given=given)) == expected_, edges


def test_other_families_are_refused() -> None:
    with pytest.raises(UnsupportedError, match=r"ranges and slitherlink; .* queens"):
        first_broken(nonosat.Queens(4))


def test_the_command_names_the_clue(put: Any) -> None:
    line = ["check", put(UNIQUE), "--partial", "marks"]
    Path("marks").write_text("#.\n??\n")
    done = run(*line, "--json")
    assert done.exit_code == 1
    assert json.loads(done.stdout) == {
        "id": "corner",
        "file": "puzzles.jsonl",
        "given_file": "marks",
        "broken": {"row": 0, "name": "row 1 (clue 2)"},
        "sentence": "Row 1 (clue 2) cannot be satisfied with these marks.",
    }
    assert "row 1 (clue 2) cannot be satisfied with these marks" in run(*line).stdout
    Path("marks").write_text("#?\n??\n")
    done = run(*line, "--json")
    assert (done.exit_code, json.loads(done.stdout)["broken"]) == (0, None)


def test_marks_of_open_clues_are_read(put: Any) -> None:
    name = put({"family": "ranges", "rows": ["2+", "*"], "columns": ["1", "1", "1"]})
    Path("marks").write_text("...\n???\n")
    done = run("check", name, "--partial", "marks")
    assert done.exit_code == 1
    assert "row 1 (clue 2+)" in done.stdout
    Path("marks").write_text("##.\n???\n")
    assert json.loads(run("count", name, "--given", "marks", "--json").stdout)["count"] == "1"


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ("--why", "--partial decides nothing; leave --why out"),
        ("--given marks", "--partial decides nothing; leave --given out"),
        ("--logic-only", "--partial decides nothing; leave --logic-only out"),
        ("--backend learn", "--partial decides nothing; leave --backend out"),
    ],
)
def test_options_of_deciding_are_refused(put: Any, options: str, told: str) -> None:
    done = run("check", put(UNIQUE), "--partial", "marks", *options.split())
    assert done.exit_code == 2
    assert told in done.stderr


def test_marks_are_of_one_puzzle(put: Any) -> None:
    done = run("check", put(UNIQUE, UNIQUE), "--partial", "marks")
    assert "--partial takes one puzzle" in done.stderr
