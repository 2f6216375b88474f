"""`nonosat queens` from a user's point of view, and pictures of boards."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

import nonosat
from helpers.clocks import interrupt
from helpers.commands import COMMAND, run
from helpers.processes import interruptible
from nonosat import render
from nonosat.core.errors import UnsupportedError
from nonosat.puzzles.queens import Placement, Queens
from nonosat.render import Style, figures

LIST = "[0, 4, 7, 5, 2, 6, 1, 3]"
# The document's own output of that list, section 1.2, without blanks at the ends of its lines.
MATRIX = """\
1 0 0 0 0 0 0 0
0 0 0 0 1 0 0 0
0 0 0 0 0 0 0 1
0 0 0 0 0 1 0 0
0 0 1 0 0 0 0 0
0 0 0 0 0 0 1 0
0 1 0 0 0 0 0 0
0 0 0 1 0 0 0 0
"""
BOARD = "queens 5\n....x\n..Q..\n.....\n.....\n.....\n"


def squares(path: Path, text: str) -> str:
    path.write_text(text)
    return str(path)


# Placements


def test_one_placement():
    result = run("queens", "8")
    assert result.exit_code == 0
    columns = json.loads(result.stdout)
    assert sorted(columns) == list(range(8))
    assert result.stderr.startswith("8 queens: solved, ")
    assert result.stderr.endswith(" s, by construction\n")


def test_an_encoding_that_was_not_used_is_named():
    result = run("queens", "6", "--encoding", "loop=cells")
    told = "remark: encoding loop=cells was not used: this puzzle has no constraint of that kind"
    assert result.exit_code == 0
    assert result.stderr.splitlines()[1:] == [f"  {told}"]
    result = run("knight", "5", "5", "--encoding", "line=order", "--backend", "learn")
    assert "  remark: encoding line=order was not used: " in result.stderr


def test_all_placements_are_the_lines_of_the_document():
    result = run("queens", "8", "--all")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert len(lines) == 92
    assert lines[0] == LIST
    placements = [json.loads(line) for line in lines]
    assert placements == sorted(placements)
    assert result.stderr.startswith("8 queens: 92 solutions, ")


def test_the_matrix_of_the_document():
    result = run("queens", "8", "--as", "matrix", "--max-solutions", "2")
    assert result.exit_code == 3
    assert result.stdout.startswith(MATRIX + "\n1 0 0 0 0 0 0 0\n")
    assert result.stderr.startswith("8 queens: multiple, ")


def test_a_board_is_drawn():
    result = run("queens", "4", "--as", "board", "--all")
    assert result.stdout == (
        "· ♛ · ·\n· · · ♛\n♛ · · ·\n· · ♛ ·\n\n· · ♛ ·\n♛ · · ·\n· · · ♛\n· ♛ · ·\n"
    )


@pytest.mark.parametrize(
    ("n", "status", "shown", "told"),
    [
        (0, 0, "[]\n", "0 queens: solved"),
        (1, 0, "[0]\n", "1 queen: solved"),
        (2, 4, "", "2 queens: unsolvable (2 queens on 2 x 2 squares always attack each other)"),
        (3, 4, "", "3 queens: unsolvable (3 queens on 3 x 3 squares always attack each other)"),
    ],
)
def test_few_queens(n, status, shown, told):
    result = run("queens", str(n))
    assert (result.exit_code, result.stdout) == (status, shown)
    assert result.stderr.startswith(told)
    every = run("queens", str(n), "--all")
    assert (every.exit_code, every.stdout) == (status, shown)
    assert run("queens", str(n), "--count").exit_code == status


@pytest.mark.parametrize(
    "options",
    [
        ("--backend", "cadical195"),
        ("--backend", "cpsat"),
        ("--backend", "minisat22", "--encoding", "count=ladder"),
        ("--encoding", "count=totalizer"),
        ("--backend", "study:queens-rows"),
        ("--backend", "backtracking"),
    ],
)
def test_backends_and_encodings(options):
    result = run("queens", "6", "--all", *options)
    assert result.exit_code == 0
    assert {*result.stdout.splitlines()} == {*run("queens", "6", "--all").stdout.splitlines()}


def test_a_requested_encoding_is_used():
    result = run("queens", "6", "--encoding", "count=ladder", "--json")
    data = json.loads(result.stdout)
    assert data["encoding"] == {"count": "ladder"}
    assert data["backend"] == "learn"


def test_json_has_all_results():
    data = json.loads(run("queens", "5", "--json", "--max-solutions", "2").stdout)
    assert (data["family"], data["n"], data["verdict"]) == ("queens", 5, "multiple")
    assert data["solutions"] == [[0, 2, 4, 1, 3], [0, 3, 1, 4, 2]]
    assert data["options"]["max_solutions"] == 2
    assert "nonosat" in data["versions"]


# Counting


def test_counting():
    result = run("queens", "10", "--count")
    assert result.exit_code == 0
    assert result.stdout.startswith("10 queens: 724 solutions, ")
    by_engine = run("queens", "6", "--count", "--backend", "cadical195")
    assert by_engine.stdout.startswith("6 queens: 4 solutions, ")
    data = json.loads(run("queens", "3", "--count", "--json").stdout)
    assert (data["count"], data["exact"]) == ("0", True)
    assert "always attack" in data["reason"]


def test_counting_up_to_symmetry(tmp_path):
    asked = ("--count", "--up-to-symmetry")
    assert run("queens", "8", *asked).stdout.startswith(
        "8 queens: 92 solutions, 12 up to symmetry, "
    )
    data = json.loads(run("queens", "8", *asked, "--json").stdout)
    assert (data["count"], data["up_to_symmetry"], data["exact"]) == ("92", "12", True)
    by_engine = run("queens", "8", *asked, "--backend", "backtracking")
    assert "92 solutions, 12 up to symmetry, " in by_engine.stdout
    # Two placements of 5 queens have one in this corner; its diagonal maps each to the other.
    given = squares(tmp_path / "given", "1 1\n")
    by_hand = run("queens", "5", "--given", given, *asked)
    assert "2 solutions, 1 up to symmetry, " in by_hand.stdout
    assert "up to" not in run("queens", "8", "--count").stdout
    board = squares(tmp_path / "five.queens", "queens 5\nQ....\n" + 4 * ".....\n")
    counted = run("count", board, "--up-to-symmetry")
    assert (counted.exit_code, "2 solutions, 1 up to symmetry" in counted.stdout) == (0, True)
    (record,) = map(json.loads, run("count", board, asked[1], "--json").stdout.splitlines())
    assert (record["count"], record["up_to_symmetry"]) == ("2", "1")
    assert run("queens", "3", *asked).stdout.startswith("3 queens: no solution (")
    nonogram = squares(tmp_path / "one.jsonl", '{"rows": [[1]], "columns": [[1]]}\n')
    refused = run("count", nonogram, "--up-to-symmetry")
    assert refused.exit_code != 0
    assert "this puzzle is of the family nonogram; leave --up-to-symmetry out" in refused.output


@pytest.mark.parametrize(
    "options", [("--count",), ("--count", "--up-to-symmetry"), ("--all",)], ids=" ".join
)
def test_a_limit_leaves_a_lower_bound(clock, options):
    clock.step_s = 4
    result = run("queens", "26", *options, "--time-limit", "60")
    assert result.exit_code == 5
    assert "26 queens: at least " in result.output
    assert "time limit of 60 s" in result.output


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments", [("34", "--count"), ("34", "--all"), ("400", "--backend", "cadical195")]
)
def test_ctrl_c_ends_it(clock, arguments):
    with interruptible(), clock.then(interrupt):
        result = run("queens", *arguments, "--time-limit", "60")
    assert result.exit_code == 130


def test_ctrl_c_reports_the_number_so_far():
    with interruptible():
        process = subprocess.Popen(
            [*COMMAND, "queens", "17", "--all"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
    assert process.stdout is not None
    assert process.stderr is not None
    first = json.loads(process.stdout.readline())
    process.send_signal(signal.SIGINT)
    # `communicate` would lose what `readline` has read ahead.
    with process:
        rest, told = process.stdout.read(), process.stderr.read()
    number = 1 + len(rest.splitlines())
    assert sorted(first) == list(range(17))
    assert process.returncode == 130
    found = re.fullmatch(r"nonosat: interrupted, (\d+) placements? found\n", told)
    assert found
    assert abs(int(found[1]) - number) <= 1


# Files


def test_given_queens_and_blocked_squares(tmp_path):
    board = squares(tmp_path / "board", BOARD)
    given = squares(tmp_path / "given", "2 3\n")
    blocked = squares(tmp_path / "blocked", "1,5\n")
    whole = run("queens", "5", "--given", board, "--all")
    assert whole.stdout == "[0, 2, 4, 1, 3]\n"
    apart = run("queens", "5", "--given", given, "--blocked", blocked, "--all")
    assert apart.stdout == whole.stdout
    assert run("queens", "5", "--given", board, "--count").stdout.startswith(
        "5 queens: exactly one solution, "
    )
    assert run("queens", "5", "--given", "-", "--all", input=BOARD).stdout == whole.stdout


def test_given_queens_that_attack_each_other_are_unsolvable(tmp_path):
    """The document's second method reports them as solved."""
    given = squares(tmp_path / "given", "1 1\n1 2\n")
    result = run("queens", "4", "--given", given)
    assert (result.exit_code, result.stdout) == (4, "")
    assert (
        "(the given queens in row 1, column 1 and in row 1, column 2 attack each other)"
        in result.stderr
    )


def test_a_board_file_is_solved_checked_and_shown(tmp_path):
    board = squares(tmp_path / "five.queens", BOARD)
    solved = run("solve", board)
    assert solved.exit_code == 0
    assert solved.stdout.startswith("♛ · · · ×\n· · ♛ · ·\n")
    assert "five, 5 queens: solved" in solved.stdout or "5 queens: solved" in solved.stdout
    assert run("check", board).exit_code == 0
    assert "· · ♛ · ·" in run("show", board).stdout
    assert "exactly one solution" in run("count", board).stdout
    converted = tmp_path / "five.jsonl"
    assert run("convert", board, str(converted)).exit_code == 0
    assert json.loads(converted.read_text())["blocked"] == [[0, 4]]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--", "-1"), "-1 queens, expected 0 to 1000000"),
        (("99999999999999999999999",), "queens, expected 0 to 1000000"),
        (("foo",), "'foo' is not a valid integer"),
        (("4.5",), "'4.5' is not a valid integer"),
        (("8", "--all", "--count"), "exclude each other"),
        (("8", "--all", "--max-solutions", "2"), "exclude each other"),
        (("8", "--count", "--as", "matrix"), "--count prints a number"),
        (("8", "--up-to-symmetry"), "--up-to-symmetry is for --count"),
        (("8", "--all", "--json"), "--all prints placements one by one"),
        (("8", "--as", "svg"), "'svg', expected list, matrix or board"),
        (("8", "--backend", "nobody"), "no backend is called 'nobody'"),
        (("8", "--backend", "backtracking", "--encoding", "count=ladder"), "uses no encodings"),
        (("8", "--backend", "search"), "'search' needs rows and columns of clues"),
        (("65", "--count", "--backend", "backtracking"), "places up to 64 queens, found 65"),
        (("1001", "--count"), "1,002,001 variables, expected at most 1000 queens"),
        (("1001", "--backend", "learn"), "1,002,001 variables, expected at most 1000 queens"),
        (("4001", "--as", "board"), "no picture has 4001 x 4001 squares"),
        (("8", "--given", "/nowhere"), "/nowhere: the file cannot be read"),
        (("11", "--backend", "study:queens-board"), "cannot handle this puzzle: 11 queens"),
    ],
)
def test_invalid_input_is_refused(arguments, message):
    result = run("queens", *arguments)
    assert result.exit_code == 2
    assert message in result.stderr


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1 1\n1 1\n", "2: the square 1,1 again"),
        ("1 9\n", "1:3: the column '9', expected 1 to 4"),
        ("....\n", "1: a board of 1 row, expected 4"),
        (".Q..\n....\n..y.\n....\n", "3:3: the character 'y'"),
    ],
)
def test_a_bad_file_is_reported_with_its_place(tmp_path, text, message):
    path = squares(tmp_path / "bad", text)
    result = run("queens", "4", "--given", path)
    assert result.exit_code == 2
    assert f"{path}:{message}" in result.stderr


def test_a_formula_forbids_no_placement(tmp_path):
    board = squares(tmp_path / "board.queens", "queens 5\n")
    result = run("encode", board, "-o", "-", "--unique")
    assert result.exit_code == 2
    assert "which a puzzle of queens has not; leave --unique out" in result.stderr


# Pictures


def test_svg(tmp_path):
    path = tmp_path / "board.svg"
    board = squares(tmp_path / "board", BOARD)
    assert run("queens", "5", "--given", board, "--svg", str(path)).exit_code == 0
    root = ET.fromstring(path.read_text())
    assert root.tag.endswith("svg")
    assert "5 queens: solved" in path.read_text()
    bare = tmp_path / "bare.svg"
    assert run("queens", "2", "--svg", str(bare)).exit_code == 4
    assert "unsolvable" in bare.read_text()


def test_a_picture_has_a_crown_for_each_queen_and_a_cross_for_each_block():
    puzzle = Queens(5, given=((1, 2),), blocked=((0, 4), (4, 4)))
    drawn = figures.svg(puzzle, Placement((0, 2, 4, 1, 3)), [(0, 0)], "caption & more")
    paths = {
        one.get("stroke") or one.get("fill"): one.get("d")
        for one in ET.fromstring(drawn).iter()
        if one.get("d")
    }
    assert paths["#222222"].count("z") == 2 * 4
    assert paths["#0b5394"].startswith("M2.25 1.73")
    assert paths["#8a7a5c"].count("M") == 2 * 2
    assert "caption &amp; more" in drawn
    assert ET.fromstring(figures.svg(Queens(0), None)) is not None


def test_text_for_every_place():
    puzzle = Queens(4, given=((0, 1),), blocked=((3, 3),))
    placement = nonosat.solve(puzzle).solution
    plain = render.text(puzzle, placement, Style(unicode=False), [(1, 0)])
    assert plain == ". Q . .\n? . . Q\nQ . . .\n. . Q x"
    assert render.text(puzzle, None, Style(unicode=False)).count("Q") == 1
    painted = render.text(puzzle, placement, Style(ansi=True))
    assert painted.count("♛") == 4
    assert painted.count("48;2;") == 16
    narrow = render.text(puzzle, placement, Style(width=7))
    assert narrow.startswith("[1, 3, 0, 2]\n(the board is 8 characters wide")
    assert render.text(puzzle, None, Style(width=7)).startswith("given: [(0, 1)]\n")
    with pytest.raises(UnsupportedError, match="no picture has"):
        render.text(Queens(5000), None)
