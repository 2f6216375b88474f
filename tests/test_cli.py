"""`solve` and `check` from a user's point of view: verdicts, exit statuses, pictures and JSON."""

from __future__ import annotations

import re
from typing import Any

import pytest

import nonosat
from helpers.commands import COLOURED, INVALID, MULTIPLE, UNIQUE, UNSOLVABLE, put, records, run
from nonosat.cli import _output, report
from nonosat.core.errors import BackendError
from nonosat.core.grid import Grid
from nonosat.core.result import Verdict
from nonosat.questions import backbones
from nonosat.solving import pipeline
from nonosat.solving.problem import Problem

__all__ = ["put"]  # a fixture

STATUS = {"corner": 0, "switch": 3, "crowded": 4, "flag": 0}


# Verdicts and exit statuses


@pytest.mark.parametrize("puzzle", [UNIQUE, MULTIPLE, UNSOLVABLE, COLOURED], ids=lambda p: p["id"])
def test_check_ends_with_the_status_of_the_verdict(put: Any, puzzle: dict[str, Any]) -> None:
    assert run("check", put(puzzle)).exit_code == STATUS[puzzle["id"]]


def test_solve_ends_with_3_only_if_a_second_solution_was_requested(put: Any) -> None:
    path = put(MULTIPLE)
    assert run("solve", path).exit_code == 0
    assert run("solve", path, "--max-solutions", "2").exit_code == 3
    assert run("solve", path, "--max-solutions", "5").exit_code == 3


@pytest.mark.parametrize(
    ("puzzles", "status"),
    [
        ([UNIQUE, MULTIPLE], 3),
        ([UNSOLVABLE, MULTIPLE, UNIQUE], 4),
        ([UNSOLVABLE, INVALID, UNIQUE], 2),
        ([INVALID], 2),
    ],
    ids=["highest", "highest first", "bad input wins", "only bad input"],
)
def test_status_over_several_puzzles(put: Any, puzzles: list[dict[str, Any]], status: int) -> None:
    result = run("check", "--json", put(*puzzles))
    assert result.exit_code == status
    assert len(records(result)) == len(puzzles)


def test_unknown_is_5(put: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(problem: Problem) -> nonosat.Result:
        options = problem.options
        assert (options.time_limit_s, options.memory_limit_mib, options.seed) == (500, 90_000, 7)
        return nonosat.Result(problem.puzzle, Verdict.UNKNOWN, reason="time limit")

    monkeypatch.setattr(pipeline, "check_problem", unknown)
    limits = ("--time-limit", "500", "--memory-limit", "90000", "--seed", "7")
    result = run("check", put(UNIQUE, UNSOLVABLE), *limits)
    assert result.exit_code == 5
    assert "corner, 2 rows x 2 columns: unknown (time limit), 0.000 s" in result.stdout


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (BackendError("minisat22 gave a solution that the clues refute"), "minisat22 gave"),
        (ZeroDivisionError("division by zero"), "ZeroDivisionError: division by zero"),
    ],
    ids=["backend", "unexpected"],
)
def test_our_own_failure_is_70_and_the_others_are_decided(
    put: Any, monkeypatch: pytest.MonkeyPatch, error: Exception, told: str
) -> None:
    check = pipeline.check_problem

    def fail_once(problem: Problem) -> nonosat.Result:
        if problem.puzzle.about.id == "switch":
            raise error
        return check(problem)

    monkeypatch.setattr(pipeline, "check_problem", fail_once)
    result = run("check", "--json", put(MULTIPLE, UNSOLVABLE))
    assert result.exit_code == 70
    assert [record.get("verdict") for record in records(result)] == [None, "unsolvable"]
    assert records(result)[0]["id"] == "switch"
    assert told in records(result)[0]["error"] or told in result.stderr
    assert result.stderr.startswith("nonosat: switch: failure: ")
    assert told in result.stderr
    assert "report this" in result.stderr
    assert "Traceback" not in result.stderr
    monkeypatch.setenv("NONOSAT_TRACEBACK", "1")
    assert "Traceback" in run("check", "puzzles.jsonl").stderr


def test_failures_outside_a_puzzle_are_70_too(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(kind: str) -> dict[str, Any]:
        raise LookupError(kind)

    monkeypatch.setattr("nonosat.core.plugins.names", fail)
    result = run("list")
    assert result.exit_code == 70
    assert "nonosat: failure: LookupError: formats (please report this" in result.stderr


def test_operating_system_errors_are_reported_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert report(FileNotFoundError(2, "No such file or directory", "x.non")) == 2
    assert capsys.readouterr().err == "nonosat: x.non: No such file or directory\n"


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (["--backend", "nothing"], "there are: auto, "),
        (["--backend", "minisat22:x"], "minisat22 takes no argument, found 'x'"),
        (["--encoding", "line=order:zz"], "line-order takes no argument"),
        (["--formulation", "line=starts:"], "line-starts takes no argument"),
        (["--from", "jsonl:abc"], "jsonl takes no argument"),
        (["--max-solutions", "99999999999999999999"], "at most"),
        (["--time-limit", "1e300"], "at most"),
        (["--encoding", "line=nothing"], "line=order"),
        (["--encoding", "order"], "such as line=order"),
        (["--encoding", "line=order", "--encoding", "line=automaton"], "'line' is given twice"),
        (["--formulation", "loop=circles"], "loop=circuit"),
        (["--presolve", "some"], "propagate"),
        (["--max-solutions", "0"], "0"),
        (["--time-limit", "0"], "0"),
        (["--time-limit", "nan"], "expected seconds > 0"),
        (["--memory-limit", "0"], "0"),
        (["--from", "nothing"], "jsonl"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_usage_errors_are_2_and_list_what_exists(put: Any, args: list[str], told: str) -> None:
    result = run("solve", put(UNIQUE), *args)
    assert result.exit_code == 2
    assert told in result.stderr
    assert not result.stdout


def test_verdicts_are_those_of_the_help(put: Any) -> None:
    text = " ".join(run("solve", "--help").stdout.split())
    assert "If --max-solutions is more than one, a solved puzzle is unique" in text
    path = put(UNIQUE)
    assert ": solved, " in run("solve", path).stdout
    assert ": unique, " in run("solve", path, "--max-solutions", "2").stdout


def test_check_requests_at_least_two_solutions(put: Any) -> None:
    assert run("check", put(UNIQUE), "--max-solutions", "1").exit_code == 2


@pytest.mark.parametrize(
    "args",
    [
        ["--backend", "search"],
        ["--backend", "minisat22", "--encoding", "line=automaton", "--presolve", "none"],
        ["--backend", "glucose421", "--encoding", "line=order", "--presolve", "propagate"],
    ],
    ids=lambda args: args[1],
)
def test_options_reach_the_pipeline(put: Any, args: list[str]) -> None:
    result = run("check", "--json", put(MULTIPLE), *args)
    (record,) = records(result)
    assert (result.exit_code, record["verdict"], record["backend"]) == (3, "multiple", args[1])
    if "--encoding" in args:
        assert record["encoding"]["line"] == args[3].removeprefix("line=")
        probed = "probe" in {stage["name"] for stage in record["stages"]}
        assert not probed


# Output for people


def test_picture_then_verdict(put: Any) -> None:
    result = run("check", put({**UNIQUE, "title": "A corner"}))
    picture, line = result.stdout.splitlines()
    assert picture == "█▀"
    assert re.fullmatch(
        r'corner "A corner", 2 rows x 2 columns: unique, \d\.\d{3} s, cells: 4 by propagate', line
    )


def test_disputed_cells_are_marked_and_listed(put: Any) -> None:
    many = {"rows": [[1]] * 6, "columns": [[1]] * 6}
    result = run("check", put(MULTIPLE, many))
    assert result.stdout.splitlines()[0] == "??"
    cells = "1,1 1,2 2,1 2,2"
    assert f"  two solutions, differing in 4 cells (row,column): {cells}\n" in result.stdout
    assert "some two solutions" not in result.stdout  # of a collection that would take too long
    assert result.stdout.splitlines()[-1] == "2 puzzles: 2 multiple"
    for puzzle, number in ((MULTIPLE, 4), (many, 36)):
        alone = run("check", put(puzzle)).stdout
        assert f"  {number} cells differ between some two solutions (marked)\n" in alone


def test_many_disputed_cells_are_listed_in_part(put: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = Grid(5, 5, b"\1" * 25), Grid(5, 5, bytes(25))
    monkeypatch.setattr(
        pipeline,
        "check_problem",
        lambda problem: nonosat.Result(problem.puzzle, Verdict.MULTIPLE, (first, second)),
    )
    found = backbones.Differing(((0, 0),), is_complete=False)
    monkeypatch.setattr(backbones, "differing", lambda *_, **__: found)
    out = run("check", put(UNIQUE)).stdout
    assert "differing in 25 cells" in out
    assert "2,5 and 15 more; --json lists all" in out
    assert "  at least 1 cell differs between some two solutions (marked)\n" in out
    (record,) = records(run("check", "--json", "puzzles.jsonl"))
    assert (record["differing"], record["differing_complete"]) == ([[0, 0]], False)
    assert record["disputed"] == [[row, column] for row in range(5) for column in range(5)]


def test_every_requested_solution_is_shown(put: Any) -> None:
    lines = run("solve", put(MULTIPLE), "--max-solutions", "9").stdout.splitlines()
    assert lines[0] == "solution 1 of 2:"
    assert lines[2] == "solution 2 of 2:"
    assert sorted([lines[1], lines[3]]) == ["▀▄", "▄▀"]


def test_of_very_many_solutions_some_are_shown(put: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    path = put({"id": "rooks", "rows": [[1]] * 4, "columns": [[1]] * 4})
    monkeypatch.setattr(_output, "MOST_PICTURES", 5)
    out = run("solve", path, "--max-solutions", "20").stdout
    assert re.findall("solution (.+):", out) == [f"{number} of 20" for number in range(1, 6)]
    assert "15 more solutions found but not drawn; --json prints all of them\n" in out
    assert "the first two of 20 solutions, differing in" in out
    (record,) = records(run("solve", "--json", path, "--max-solutions", "20"))
    assert len(record["solutions"]) == 20
    assert "differing" not in record


def test_unsolvable_states_the_reason(put: Any) -> None:
    out = run("check", put(UNSOLVABLE)).stdout
    assert "crowded, 1 row x 2 columns: unsolvable (row 1 (clue 3) needs at least 3 cells" in out


def test_colours_in_a_pipe_are_letters_with_a_legend(put: Any) -> None:
    lines = run("solve", put(COLOURED)).stdout.splitlines()
    assert lines[:3] == ["##a", "aaa", "colours: # = red (#ff0000), a = sea (#0000ff)"]


def test_a_refuted_goal_is_a_warning(put: Any) -> None:
    path = put({**UNIQUE, "goal": "0111"})
    assert "  warning: the goal is not a solution: row 1" in run("check", path).stdout
    (record,) = records(run("check", "--json", path))
    assert record["warnings"][0].startswith("the goal is not a solution")


def test_control_characters_from_files_do_not_reach_the_terminal(put: Any) -> None:
    path = put({**UNIQUE, "id": "a\x1b[2Jb", "title": "c\x07d", "author": "e\x1b]0;f"})
    for command in ("check", "show"):
        assert not set(run(command, path).output) & {"\x1b", "\x07"}


# JSON


def test_json_fields(put: Any) -> None:
    unique, multiple, coloured = records(run("check", "--json", put(UNIQUE, MULTIPLE, COLOURED)))
    assert " ".join(unique) == (
        "id file verdict solutions disputed seconds stages backend encoding options versions"
    )
    assert unique["id"] == "corner"
    assert unique["solutions"] == [["##", "#."]]
    assert unique["disputed"] == []
    assert unique["backend"] == "propagate"
    assert unique["stages"][0]["name"] == "propagate"
    assert unique["stages"][0]["decided"] == 4
    assert 0 <= unique["stages"][0]["seconds"] <= unique["seconds"]
    assert unique["options"]["max_solutions"] == 2
    assert unique["options"]["hints"] == "auto"
    assert unique["versions"]["nonosat"] == nonosat.__version__
    assert sorted(multiple["solutions"]) == [["#.", ".#"], [".#", "#."]]
    assert multiple["disputed"] == [[0, 0], [0, 1], [1, 0], [1, 1]]
    assert "differing" not in multiple
    (alone,) = records(run("check", "--json", put(MULTIPLE)))
    assert alone["differing"] == multiple["disputed"]
    assert alone["differing_complete"] is True
    assert coloured["legend"] == {"#": "red", "a": "sea"}
    assert coloured["solutions"] == [["##a", "aaa"]]


def test_json_of_bad_input_names_the_file_and_the_error(put: Any) -> None:
    result = run("check", "--json", put(INVALID), "nowhere.non")
    invalid, missing = records(result)
    assert "length 0" in invalid["error"]
    assert "puzzles.jsonl" in invalid["error"]
    assert "nowhere.non" in missing["error"]
    assert [line for line in result.stderr.splitlines() if line.startswith("nonosat: ")] == [
        f"nonosat: {record['error']}" for record in (invalid, missing)
    ]


def test_puzzles_without_id_have_a_number_in_their_file(put: Any) -> None:
    nameless = {key: UNIQUE[key] for key in ("rows", "columns")}
    put(nameless, name="one.jsonl")
    put(nameless, nameless, name="two.jsonl")
    names = [("one.jsonl", "1"), ("two.jsonl", "1"), ("two.jsonl", "2")]
    result = run("check", "--json", "one.jsonl", "two.jsonl")
    assert [(record["file"], record["id"]) for record in records(result)] == names
    lines = run("check", "one.jsonl", "two.jsonl").stdout.splitlines()
    heads = [line.split(",")[0] for line in lines if ": unique" in line]
    assert heads == [f"{file}#{number}" for file, number in names]
