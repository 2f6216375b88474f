"""`nonosat beliefs` and its pictures: shades and mixed colours agree with the probabilities."""

from __future__ import annotations

import signal
import subprocess
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest

from helpers.clocks import Clock
from helpers.commands import (
    COLOURED,
    COMMAND,
    INVALID,
    MULTIPLE,
    UNIQUE,
    UNSOLVABLE,
    put,
    records,
    run,
)
from helpers.processes import PATIENCE_S, interruptible
from nonosat.board.beliefs import Settings
from nonosat.puzzles.nonogram import Block, Colour, Nonogram, mono
from nonosat.questions.estimates import estimate
from nonosat.render import Style
from nonosat.render.figures import captioned
from nonosat.render.nonogram.beliefs import SCALE, figure, picture

__all__ = ["put"]  # a fixture

CONTRADICTED = {"id": "twisted", "rows": [[2], []], "columns": [[], [2]]}
INKS = (Colour("r", "#ff0000"), Colour("b", "#0000ff"))


# Pictures


def test_shades_are_tenths() -> None:
    filled = [0, 0.09, 0.11, 0.19, 0.5, 0.89, 0.91, 1]
    puzzle = mono([[]], [[]] * len(filled))
    planes = [[1 - p for p in filled], filled]
    assert picture(puzzle, planes, Style()) == "  ..+%@@"
    assert len(SCALE) == 10


def test_a_wide_board_is_shrunk_to_means() -> None:
    filled = [1.0, 0.0, 0.0, 0.5, 0.5, 0.5] * 2
    puzzle = mono([[]] * 2, [[]] * 6)
    planes = [[1 - p for p in filled], filled]
    assert picture(puzzle, planes, Style(width=3)) == "+:+"
    assert picture(puzzle, planes, Style(width=6)).split("\n") == ["@  +++", "@  +++"]


def test_colours_are_mixed_in_proportion() -> None:
    puzzle = Nonogram(((), ()), ((),), colours=INKS)
    planes = [[0.5, 0.0], [0.25, 0.0], [0.25, 1.0]]
    mixed = "38;2;191;128;191"
    assert picture(puzzle, planes, Style(ansi=True)) == f"\x1b[{mixed};48;2;0;0;255m▀\x1b[0m"
    assert picture(puzzle, planes, Style()) == "+\n@"
    drawing = ET.fromstring(captioned(figure(puzzle, planes), "a < b"))
    fills = [element.get("fill") for element in drawing.iter() if element.get("shape-rendering")]
    assert fills == ["#bf80bf", "#0000ff"]
    assert "a < b" in [element.text for element in drawing.iter()]


# The command


def test_shades_and_a_legend(put: Any) -> None:
    result = run("beliefs", put(MULTIPLE, UNIQUE))
    assert result.exit_code == 0
    assert result.stdout == (
        "++\n++\n"
        '(of 10 shades " .:-=+*#%@" each is a tenth of the way from empty to filled)\n'
        "switch, 2 rows x 2 columns: 4 open cells, 30 rounds, last change 0\n"
        "\n@@\n@ \n"
        '(of 10 shades " .:-=+*#%@" each is a tenth of the way from empty to filled)\n'
        "corner, 2 rows x 2 columns: 0 open cells\n"
    )


def test_json_has_every_number(put: Any) -> None:
    options = ("--rounds", "4", "--damping", "0.25", "--clamp", "5", "--start", "0.5")
    result = run("beliefs", "--json", put(MULTIPLE), *options, "--seed", "9")
    (record,) = records(result)
    puzzle = mono([[1], [1]], [[1], [1]])
    settings = Settings(rounds=4, damping=0.25, clamp=5, sigma=0.5, seed=9)
    found = estimate(puzzle, settings).found
    assert found is not None
    ((sign, rows),) = record["probabilities"].items()
    assert sign == "#"
    assert [p for row in rows for p in row] == pytest.approx(list(found.planes[1]))
    assert len({p for row in rows for p in row}) > 1
    assert record["open"] == 4
    assert record["change"] == found.change > 0
    assert record["settings"] == {
        "rounds": 4,
        "damping": 0.25,
        "clamp": 5.0,
        "sigma": 0.5,
        "seed": 9,
    }


def test_json_of_colours(put: Any) -> None:
    (record,) = records(run("beliefs", "--json", put(COLOURED)))
    assert record["legend"] == {"#": "red", "a": "sea"}
    assert record["probabilities"] == {
        "#": [[1, 1, 0], [0, 0, 0]],
        "a": [[0, 0, 1], [1, 1, 1]],
    }
    assert "change" in record


@pytest.mark.parametrize(
    ("puzzle", "reason"),
    [
        (UNSOLVABLE, "row 1 (clue 3) needs at least 3 cells, it has 2"),
        (CONTRADICTED, "line propagation leaves no placement of column 1 (clue 0)"),
    ],
    ids=["at sight", "by propagation"],
)
def test_unsolvable_puzzles_are_reported(put: Any, puzzle: dict[str, Any], reason: str) -> None:
    result = run("beliefs", put(puzzle))
    assert result.exit_code == 4
    size = "1 row x 2 columns" if len(puzzle["rows"]) == 1 else "2 rows x 2 columns"
    assert result.stdout == f"{puzzle['id']}, {size}: unsolvable ({reason})\n"
    (record,) = records(run("beliefs", "--json", put(puzzle)))
    assert (record["verdict"], record["reason"]) == ("unsolvable", reason)


def test_bad_input_is_2_and_the_others_are_shown(put: Any) -> None:
    result = run("beliefs", put(INVALID, UNSOLVABLE, UNIQUE))
    assert result.exit_code == 2
    assert "corner" in result.stdout
    assert result.stderr


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--rounds", "-1"), "rounds of beliefs is -1, expected 0 to 1000000"),
        (("--damping", "1"), "damping of beliefs is 1.0, expected at least 0, below 1"),
        (("--start", "none"), "'none' is neither zero nor a number"),
        (("--start", "nan"), "sigma of beliefs is nan"),
        (("--from", "nothing"), "nothing"),
    ],
)
def test_bad_options(put: Any, options: tuple[str, ...], told: str) -> None:
    result = run("beliefs", put(UNIQUE), *options)
    assert result.exit_code == 2
    assert told in result.stderr


def test_a_row_and_a_cell(put: Any) -> None:
    row = {"id": "row", "rows": [[2, 1]], "columns": [[1], [1], [], [1], []]}
    cell = {"id": "cell", "rows": [[]], "columns": [[]]}
    lines = run("beliefs", put(row, cell)).stdout.splitlines()
    assert lines[0] == "@@ @ "
    assert lines[4] == " "


def test_blocks_of_unknown_length_are_estimated() -> None:
    blot = (Block(None, 1),)
    known = estimate(Nonogram((blot,) * 3, (blot,) * 3), Settings())
    assert known.found is not None
    assert known.num_open == 9
    assert known.found.probability(1, 1) > known.found.probability(0, 0)


def test_svg(put: Any) -> None:
    path = put(MULTIPLE, UNIQUE)
    assert run("beliefs", f"{path}#switch", "--svg", "out.svg").exit_code == 0
    drawing = ET.fromstring(Path("out.svg").read_text())
    fills = [element.get("fill") for element in drawing.iter() if element.get("shape-rendering")]
    assert fills == ["#808080"]
    again = run("beliefs", f"{path}#switch", "--svg", "out.svg")
    assert again.exit_code == 2
    assert "out.svg exists" in again.stderr
    many = run("beliefs", path, "--svg", "two.svg")
    assert many.exit_code == 2
    assert "--svg takes one puzzle, FILE has 2 puzzles" in many.stderr
    assert not Path("two.svg").exists()


def test_a_time_limit_is_unknown(clock: Clock, put: Any) -> None:
    clock.step_s = 0.001
    size = 60
    wide = {"id": "wide", "rows": [[1, 2, 3]] * size, "columns": [[1, 2, 3]] * size}
    words = ("beliefs", put(wide), "--rounds", "1000000", "--time-limit")
    result = run(*words, "2")
    assert result.exit_code == 5
    assert "wide, 60 rows x 60 columns: unknown (time limit of 2 s)" in result.stdout


def test_interrupted_it_ends_at_once(put: Any) -> None:
    size = 60
    wide = {"id": "wide", "rows": [[1, 2, 3]] * size, "columns": [[1, 2, 3]] * size}
    command = [*COMMAND, "beliefs", "--json", put(UNIQUE, wide), "--rounds", "1000000"]
    with interruptible():
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    with process:
        assert process.stdout is not None
        assert b"corner" in process.stdout.readline()
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 130
