"""Commands explain, hint and rate: output, files and exit statuses."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import nonosat
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
from helpers.staircases import staircase
from nonosat.core.errors import UnsupportedError
from nonosat.explain import explain, hint, rate, reason
from nonosat.explain.nonogram import solver
from nonosat.puzzles.nonogram.data import from_grid
from nonosat.studio.alone import explained_page

__all__ = ["put"]

INSTANCES = Path(__file__).parent.parent / "instances"
Put = Callable[..., str]


def test_explain_prints_sentences(put: Put) -> None:
    done = run("explain", put(UNIQUE))
    assert done.exit_code == 0
    assert done.stdout.splitlines()[:-1] == [
        "1. Row 1 (clue 2): wherever the block goes, it covers cells 1-2.",
        "2. Column 1 (clue 2): wherever the block goes, it covers cell 2.",
        "3. Row 2 (clue 1) has its filled cell already, so cell 2 is empty.",
    ]
    last = done.stdout.splitlines()[-1]
    assert last.startswith(
        "corner, 2 rows x 2 columns: unique, 3 steps (2 ranges, 1 all there), "
        "difficulty 1.9 (very easy), "
    )


def test_explain_shows_boards(put: Put) -> None:
    done = run("explain", put(UNIQUE), "--steps")
    boards = [line for line in done.stdout.splitlines() if line.startswith("   ")]
    assert boards == ["   ##", "   ??", "   ##", "   #?", "   ##", "   #."]


@pytest.mark.parametrize(
    ("puzzle", "status", "told"),
    [
        (MULTIPLE, 3, "multiple (there are solutions that differ in the 4 open cells), 0 steps, "),
        (UNSOLVABLE, 4, "  Row 1 (clue 3) does not fit into 2 cells."),
        (COLOURED, 0, "unique, "),
    ],
)
def test_statuses(put: Put, puzzle: dict[str, object], status: int, told: str) -> None:
    name = put(puzzle)
    done = run("explain", name)
    assert done.exit_code == status
    assert told in done.stdout
    rated = run("rate", name)
    assert rated.exit_code == status
    hinted = run("hint", name)
    assert hinted.exit_code == status


@pytest.mark.slow
def test_price_tables_are_printed(tmp_path: Path) -> None:
    name = str(tmp_path / "stairs.nin")
    nonosat.save(from_grid(staircase(5)), name)
    told = run("explain", name).stdout.splitlines()
    hinted = run("hint", name).stdout.splitlines()
    assert told[0] == f"1. {hinted[0]}"
    table = hinted[1:-1]
    assert told[1 : 1 + len(table)] == table
    assert table[0] == "   Prices, with # and x for the cells that they decide:"
    assert len(table) == 1 + 11 + 2
    assert ", 1 prices), difficulty 7.4 (extremely hard), " in told[-1]
    assert ": difficulty 7.4 (extremely hard), steps: " in run("rate", name).stdout
    (data,) = records(run("explain", name, "--json"))
    assert sum(price for *_, price in data["steps"][0]["prices"]["table"]) == 0


def test_cell(put: Put) -> None:
    done = run("explain", put(UNIQUE), "--cell", "2,2")
    assert done.exit_code == 0
    *steps, last = done.stdout.splitlines()
    assert len(steps) == 2
    assert "Cell (2, 2) is empty because the clues of these 2 lines force it: " in last
    assert run("explain", put(MULTIPLE), "--cell", "1,2").exit_code == 3


@pytest.mark.parametrize("cell", ["1", "1,", "x,1", "1,1,1", "1,-1", "9" * 5000 + ",1"])
def test_bad_cells_are_refused(put: Put, cell: str) -> None:
    done = run("explain", put(UNIQUE), f"--cell={cell}")
    assert done.exit_code == 2
    assert "is not ROW,COLUMN, counted from 1, such as 1,4" in done.stderr


def test_cells_off_the_board_are_refused(put: Put) -> None:
    for cell in ("3,1", "1,3"):
        done = run("explain", put(UNIQUE), f"--cell={cell}")
        assert done.exit_code == 2
        told = f"cell {cell} is outside the board of 2 rows x 2 columns, which count from 1"
        assert told in done.stderr


def test_json(put: Put) -> None:
    name = put(COLOURED)
    (told,) = records(run("explain", name, "--json"))
    assert (told["id"], told["file"], told["verdict"]) == ("flag", name, "unique")
    assert told["grid"] == ["rrb", "bbb"] or told["legend"]
    settled = [cell for step in told["steps"] for cell in step["settled"]]
    for row, column, sign in settled:
        assert told["grid"][row][column] == sign
    assert {"technique", "lines", "settled", "sentence"} <= set(told["steps"][0])
    (cell,) = records(run("explain", name, "--json", "--cell", "1,1"))
    assert (cell["cell"], cell["strength"]) == ([0, 0], "smallest")
    (hinted,) = records(run("hint", name, "--json"))
    assert hinted["step"] == told["steps"][0]
    (rated,) = records(run("rate", name, "--json"))
    assert rated["difficulty"] == told["difficulty"]
    assert sum(rated["steps"].values()) == len(told["steps"])


def test_one_puzzle_at_a_time(put: Put) -> None:
    name = put(UNIQUE, MULTIPLE)
    for command in ("explain", "hint"):
        done = run(command, name)
        assert done.exit_code == 2
        assert "holds 2 puzzles, expected one; choose one as FILE#ID: corner, switch" in done.stderr
        assert run(command, f"{name}#corner").exit_code == 0


def test_bad_input_is_refused(put: Put) -> None:
    for command in ("explain", "hint", "rate"):
        assert run(command, put(INVALID)).exit_code == 2
        assert run(command, "nowhere.non").exit_code == 2
        assert run(command, put(UNIQUE), "--from", "nothing").exit_code == 2


@pytest.mark.parametrize("ask", [explain, hint, rate, lambda puzzle: reason(puzzle, 0, 0)])
def test_other_families_are_refused(ask: Callable[[Any], object]) -> None:
    told = "for (a nonogram only|the families .*); this puzzle is of the family queens"
    with pytest.raises(UnsupportedError, match=told):
        ask(SimpleNamespace(family="queens"))


def test_rate_goes_over_files(put: Put) -> None:
    done = run("rate", put(UNIQUE, MULTIPLE, UNSOLVABLE))
    assert done.exit_code == 4
    first, second, third = done.stdout.splitlines()
    assert ": difficulty 1.9 (very easy), steps: 2 ranges, 1 all there, " in first
    assert ": no difficulty, multiple (" in second
    assert ": no difficulty, unsolvable (" in third


# Hints


def test_a_state_that_cannot_be_read(put: Put) -> None:
    done = run("hint", put(UNIQUE), "--given", "nowhere")
    assert done.exit_code == 2
    assert done.stderr == "nonosat: nowhere: the file cannot be read: No such file or directory\n"


def test_hint_from_a_file(put: Put) -> None:
    name = put(UNIQUE)
    Path("state.txt").write_text("##\n??\n")
    done = run("hint", name, "--given", "state.txt")
    assert done.exit_code == 0
    assert done.stdout.splitlines()[0] == (
        "Column 1 (clue 2): wherever the block goes, it covers cell 2."
    )
    assert run("hint", name, "--given", "-", input="##\n#.\n").stdout.startswith("The board is")


def test_hint_reports_wrong_marks(put: Put) -> None:
    name = put(UNIQUE)
    done = run("hint", name, "--given", "-", input="?.\n?#\n")
    assert done.exit_code == 1
    sentence, last = done.stdout.splitlines()
    assert sentence == (
        "Row 1 (clue 2) cannot be completed while cell (1, 2) is empty. "
        "2 marks are wrong: cell (2, 2) is not filled and cell (1, 2) is not empty."
    )
    assert last.startswith("corner, 2 rows x 2 columns: 2 wrong marks, ")
    (told,) = records(run("hint", name, "--given", "-", "--json", input="?.\n?#\n"))
    assert (told["verdict"], told["step"]) == (None, None)
    assert (told["line"], told["conflict"]) == ({"row": 0}, [[0, 1, "."]])
    assert told["wrong"] == [[0, 1, "."], [1, 1, "#"]]


def test_bad_states_name_their_place(put: Put) -> None:
    name = put(UNIQUE)
    Path("state.txt").write_text("##\n?z\n")
    done = run("hint", name, "--given", "state.txt")
    assert done.exit_code == 2
    assert (
        done.stderr
        == "nonosat: state.txt:2:2: 'z' is not a cell, expected . # or ? (or x, crossed out)\n"
    )
    assert run("hint", name, "--given", "nowhere.txt").exit_code == 2
    assert run("hint", "-", "--given", "-", input="").exit_code == 2


# The page, limits


def test_page_is_written_once(put: Put) -> None:
    name = put(UNIQUE)
    assert run("explain", name, "--html", "out.html").exit_code == 0
    text = Path("out.html").read_text()
    assert "corner, 2 rows x 2 columns" in text
    assert "http" not in text.replace("http-equiv", "").replace("http://www.w3.org/2000/svg", "")
    again = run("explain", name, "--html", "out.html")
    assert again.exit_code == 2
    assert "out.html exists; choose another name" in again.stderr
    assert run("explain", name, "--html", "nowhere/out.html").exit_code == 2


@pytest.mark.parametrize("command", [("explain",), ("hint",), ("rate",), ("explain", "--cell=1,1")])
def test_time_limits_hold(clock: Clock, command: tuple[str, ...]) -> None:
    clock.step_s = 0.005
    name = str(INSTANCES / "domino.jsonl#domino-20")
    done = run(*command, name, "--time-limit", "1")
    assert done.exit_code == 5
    assert "ime limit of 1 s" in done.stdout


@pytest.mark.slow
def test_interruption_keeps_printed_results(put: Put) -> None:
    hard = json.loads((INSTANCES / "domino.jsonl").read_text().splitlines()[-1])
    with interruptible():
        process = subprocess.Popen(
            [*COMMAND, "rate", put(UNIQUE, hard)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
    assert process.stdout is not None
    assert process.stdout.readline().startswith("corner, ")
    process.send_signal(signal.SIGINT)
    rest, told = process.communicate(timeout=PATIENCE_S)
    assert rest == ""
    # The signal may come between the first line and its being counted.
    assert re.fullmatch(r"nonosat: interrupted, [01] of 2 puzzles done\n", told)
    assert process.returncode == 130


@pytest.mark.parametrize("quiet", [[], ["--quiet"]])
@pytest.mark.parametrize(("command", "steps"), [("explain", 1), ("hint", 0)])
def test_interruption_reports_progress(
    put: Put, monkeypatch: pytest.MonkeyPatch, command: str, steps: int, quiet: list[str]
) -> None:
    """The first step decides the first row, two of four cells."""
    made, asked = solver.of_native, []

    def interrupted(found: tuple[Any, ...]) -> Any:
        if len(asked) == steps:
            raise KeyboardInterrupt
        asked.append(found)
        return made(found)

    monkeypatch.setattr(solver, "of_native", interrupted)
    done = run(command, put(UNIQUE), *quiet)
    what = "searching a hint for corner" if command == "hint" else "explaining corner"
    far = f"{2 * steps}/4"
    assert (done.exit_code, done.stdout) == (130, "")
    assert done.stderr == f"nonosat: interrupted, {what}: cells settled {far}\n"


@pytest.mark.slow
def test_pages_need_no_packages_of_the_studio(tmp_path: Path) -> None:
    code = (
        "import sys\n"
        "sys.modules |= dict.fromkeys(('starlette', 'uvicorn', 'websockets', 'anywidget'))\n"
        "import nonosat\n"
        "from nonosat.studio.alone import explained_page\n"
        "found = nonosat.explain(nonosat.nonogram([[1]], [[1]]))\n"
        "print(explained_page(found, 'a title', 'its end'))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "its end" in done.stdout
    queens = nonosat.check(nonosat.Queens(4))
    with pytest.raises(nonosat.UnsupportedError, match="of no other family"):
        explained_page(queens, "a title", "its end")  # type: ignore[arg-type]


def test_a_page_has_no_letters_that_look_like_digits(put: Put) -> None:
    colours = {"l": "#ff0000", "o": "#00aa00", "i": "#0000ff"}
    name = put(
        {
            "rows": [[[1, "l"], [2, "o"], [1, "i"]]],
            "columns": [[[1, k]] for k in "looi"],
            "colors": colours,
        }
    )
    run("explain", name, "--html", "out.html")
    told = json.loads(Path("out.html").read_text().split('id="data">')[1].split("</script>")[0])
    assert not set(told["puzzle"]["colors"]) & set("ilo")
    (step,) = told["explanation"]["steps"]
    assert "(clue 1a 2b 1c)" in step["sentence"]
    (printed,) = records(run("explain", name, "--json"))
    assert printed["legend"] == {"l": "l", "o": "o", "i": "i"}


def test_everything_is_json(put: Put) -> None:
    name = put({**UNIQUE, "id": "</script>"})
    run("explain", name, "--html", "out.html")
    text = Path("out.html").read_text()
    data = text.split('id="data">')[1].split("</script>")[0]
    told = json.loads(data)
    assert told["puzzle"]["id"] == "</script>"
    (printed,) = records(run("explain", name, "--json"))
    assert told["explanation"]["steps"] == printed["steps"]
    assert "</script>, 2" not in text


# A gate of `check`


@pytest.mark.parametrize(
    ("options", "status"),
    [
        (["--grade-at-most", "8"], 0),
        (["--grade-at-most", "7"], 0),
        (["--grade-at-most", "6"], 7),
        (["--logic-only"], 7),
    ],
)
def test_a_unique_puzzle_above_a_grade_has_a_status(options: list[str], status: int) -> None:
    done = run("check", "bundled:steps-8", *options)
    assert done.exit_code == status
    assert "unique, " in done.stdout
    above = f", above grade {options[-1] if len(options) > 1 else 4}" * bool(status)
    assert done.stdout.endswith(f"  difficulty 7.6 (extremely hard){above}\n")


def test_logic_only_accepts_what_line_logic_solves() -> None:
    assert run("check", "bundled:cat", "--logic-only").exit_code == 0
    both = run("check", "bundled:cat", "--logic-only", "--grade-at-most", "8")
    assert both.exit_code == 2
    assert "leave one of the two out" in both.stderr
    done = run("check", "bundled:cat", "bundled:smile", "bundled:steps-8", "--logic-only")
    assert done.exit_code == 7
    assert done.stdout.endswith("\n3 puzzles: 2 above grade 4, 1 unique\n")
    for name in ("bundled:cat", "bundled:smile", "bundled:steps-8"):
        (stage, *_) = nonosat.check(nonosat.load(name), presolve="propagate").stages
        is_solved = stage.decided == nonosat.load(name).height * nonosat.load(name).width
        assert run("check", name, "--logic-only").exit_code == (0 if is_solved else 7)


def test_a_gate_rates_unique_puzzles_only(put: Put) -> None:
    name = put(UNIQUE, MULTIPLE, UNSOLVABLE)
    done = run("check", name, "--grade-at-most", "1", "--json")
    assert done.exit_code == run("check", name).exit_code == 4
    difficulties = [record.get("difficulty") for record in records(done)]
    assert difficulties == [rate(nonosat.load(put(UNIQUE))).difficulty, None, None]
    within = [record.get("is_within_grade") for record in records(done)]
    assert within == [difficulties[0] < 2, None, None]


def test_a_gate_needs_ratings_and_time(clock: Clock) -> None:
    done = run("check", "bundled:queens-8", "--grade-at-most", "8")
    assert done.exit_code == 2
    assert "ratings are" in done.stderr
    assert run("check", "bundled:smile", "--grade-at-most", "9").exit_code == 2
    clock.step_s = 0.01
    cut = run("check", "bundled:steps-10", "--grade-at-most", "8", "--time-limit", "2")
    assert cut.exit_code == 5
    assert "no difficulty, unknown (time limit of 2 s" in cut.stdout
