"""`nonosat encode` and `nonosat decode` from a user's point of view."""

from __future__ import annotations

import gzip
import json
import os
import random
import shutil
import signal
import subprocess
from contextlib import suppress
from pathlib import Path

import pytest
from pysat.formula import CNF
from pysat.solvers import Solver

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
    whole,
)
from helpers.processes import PATIENCE_S, eventually
from nonosat import export

__all__ = ["put"]  # a fixture


def answer_of(path: str) -> str:
    """Return the output of a competition solver for a file."""
    with Solver("cadical153", bootstrap_with=CNF(from_file=path).clauses) as solver:
        if not solver.solve():
            return "c done\ns UNSATISFIABLE\n"
        values = " ".join(map(str, solver.get_model()))
        return f"c done\ns SATISFIABLE\nv {values} 0\n"


@pytest.mark.parametrize("puzzle", [UNIQUE, MULTIPLE, COLOURED])
@pytest.mark.parametrize("presolve", ["none", "propagate", "probe"])
def test_encode_solve_decode(put, tmp_path, puzzle, presolve):
    source = put(puzzle)
    assert run("encode", source, "-o", "out.cnf", "--presolve", presolve).exit_code == 0
    (tmp_path / "answer").write_text(answer_of("out.cnf"))
    result = run("decode", source, "answer")
    assert result.exit_code == 0
    assert "solved" in result.stdout
    (record,) = records(run("decode", source, "answer", "--json"))
    solved = [solve["solutions"][0] for solve in records(run("check", source, "--json"))]
    assert record["verdict"] == "solved"
    if puzzle is not MULTIPLE:
        assert record["solutions"] == solved
    assert record["id"] == puzzle["id"]


@pytest.mark.parametrize(("puzzle", "verdict"), [(UNIQUE, "UNSAT"), (MULTIPLE, "SAT")])
@pytest.mark.parametrize("solution", [(), ("--solution", "answer")])
def test_unique_forbids_a_solution(put, tmp_path, puzzle, verdict, solution):
    source = put(puzzle)
    run("encode", source, "-o", "all.cnf")
    (tmp_path / "answer").write_text(answer_of("all.cnf"))
    result = run("encode", source, "-o", "more.cnf", "--unique", *solution)
    assert result.exit_code == 0, result.output
    second = answer_of("more.cnf")
    assert f"s {verdict}" in second
    if verdict == "SAT":
        (tmp_path / "second").write_text(second)
        known = ("decode", source, "answer") if solution else ("solve", source)
        first = records(run(*known, "--json"))[0]["solutions"]
        assert records(run("decode", source, "second", "--json"))[0]["solutions"] != first


def test_unique_forbids_the_goal(put):
    source = put(COLOURED)
    assert run("encode", source, "-o", "a.cnf", "--unique", "--solution", "goal").exit_code == 0
    assert "UNSAT" in answer_of("a.cnf")
    missing = run("encode", put(UNIQUE), "-o", "b.cnf", "--unique", "--solution", "goal")
    assert missing.exit_code == 2
    assert "has no goal" in missing.stderr


def test_unique_needs_a_solution(put, tmp_path):
    result = run("encode", put(UNSOLVABLE), "-o", "a.cnf", "--unique")
    assert result.exit_code == 4
    assert "no solution to forbid" in result.stderr
    assert not (tmp_path / "a.cnf").exists()


def test_standard_output_and_compression_hold_the_same(put, tmp_path):
    source = put(UNIQUE)
    shown = whole("encode", source, "-o", "-")
    assert shown.stdout.startswith("c nonosat 1\nc puzzle corner\n")
    run("encode", source, "-o", "a.cnf.gz")
    assert gzip.decompress((tmp_path / "a.cnf.gz").read_bytes()).decode() == shown.stdout


@pytest.mark.parametrize(
    "name",
    ["a.opb", "a.opb.xz", "a.cnf.xz", "a.pb", "a.pbtxt", "a.mzn", "a.dzn", "a.xml", "a.xml.gz"],
)
def test_every_suffix(put, tmp_path, name):
    assert run("encode", put(COLOURED), "-o", name).exit_code == 0
    assert (tmp_path / name).stat().st_size > 100
    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.thorough
def test_a_kind_of_file_may_have_any_name(put, tmp_path):
    source = put(UNIQUE)
    for name in ("mzn", "dzn", "xcsp3", "opb", "cnf"):
        assert run("encode", source, "-o", f"{name}.txt", "--to", name).exit_code == 0
        shown = whole("encode", source, "-o", "-", "--to", name)
        assert (shown.returncode, shown.stderr) == (0, "")
        assert (tmp_path / f"{name}.txt").read_text() == shown.stdout
    assert (tmp_path / "xcsp3.txt").read_text().startswith("<instance ")


def test_the_model_of_all_data_is_written_next_to_them(put, tmp_path):
    source = put(UNIQUE)
    assert run("encode", source, "-o", "a.dzn", "--model", "all.mzn").exit_code == 0
    assert run("encode", source, "-o", "a.mzn").exit_code == 0
    model = (tmp_path / "all.mzn").read_text()
    assert model in (tmp_path / "a.mzn").read_text()
    again = run("encode", source, "-o", "b.dzn", "--model", "all.mzn")
    assert again.exit_code == 2
    assert "all.mzn exists" in again.stderr
    assert not (tmp_path / "b.dzn").exists()
    assert run("encode", source, "-o", "a.dzn", "--model", "all.mzn", "--force").exit_code == 0


def test_data_of_another_family_are_refused(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "q.jsonl").write_text('{"family": "queens", "n": 4}\n')
    result = run("encode", "q.jsonl", "-o", "a.dzn")
    assert result.exit_code == 2
    assert "this is queens; write an .mzn file" in result.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["q.jsonl"]
    assert run("encode", "q.jsonl", "-o", "a.mzn").exit_code == 0


def test_targets_are_listed():
    listed = run("list", "targets").stdout.splitlines()
    assert [line.split()[0] for line in listed] == list(export.TARGETS)
    assert "xcsp3  an XCSP3 instance (.xml)" in listed


@pytest.mark.parametrize("puzzle", [UNIQUE, MULTIPLE, COLOURED, UNSOLVABLE])
def test_minizinc_solves_and_decode_shows(put, tmp_path, puzzle):
    if shutil.which("minizinc") is None:
        pytest.skip("minizinc is not installed")
    source = put(puzzle)
    assert run("encode", source, "-o", "a.dzn", "--model", "all.mzn").exit_code == 0
    words = ["minizinc", "-a", "all.mzn", "a.dzn"]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    (tmp_path / "answer").write_text(done.stdout)
    (record,) = records(result := run("decode", source, "answer", "--json"))
    number = 2 if puzzle is MULTIPLE else 0 if puzzle is UNSOLVABLE else 1
    assert len(record["solutions"]) == number
    assert record["verdict"] == ["unsolvable", "solved", "multiple"][number]
    assert result.exit_code == {0: 4, 1: 0, 2: 3}[number]
    if number == 1:
        (checked,) = records(run("check", source, "--json"))
        assert record["solutions"] == checked["solutions"]


def test_an_existing_file_is_replaced_by_force_only(put, tmp_path):
    source = put(UNIQUE)
    (tmp_path / "a.cnf").write_text("mine")
    result = run("encode", source, "-o", "a.cnf")
    assert result.exit_code == 2
    assert "a.cnf exists" in result.stderr
    assert (tmp_path / "a.cnf").read_text() == "mine"
    assert run("encode", source, "-o", "a.cnf", "--force").exit_code == 0
    assert (tmp_path / "a.cnf").read_text().startswith("c nonosat 1")


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ([], "expected -o OUT"),
        (["-o", "a.txt"], "expected .cnf or .opb or .xml"),
        (["-o", "a.mzn.gz"], "has the suffix '.mzn.gz'"),
        (["-o", "a.gz", "--to", "mzn"], "a complete MiniZinc model cannot be compressed"),
        (["-o", "a.txt", "--to", "pb"], "OR-tools writes pb to .pb files alone"),
        (["-o", "-", "--to", "pb"], "OR-tools writes .pb files itself; name a file"),
        (
            ["-o", "a.txt", "--to", "minizinc"],
            "unknown target 'minizinc', expected one of cnf, opb, pb",
        ),
        (["-o", "a.xml", "--encoding", "line=order"], "xcsp3 uses neither --encoding nor --form"),
        (["-o", "a.mzn", "--formulation", "line=starts"], "mzn uses neither --encoding nor --form"),
        (["-o", "a.mzn", "--model", "b.mzn"], "--model is for .dzn files; an .mzn file holds its"),
        (["-o", "a.dzn", "--model", "a.dzn"], "--model and --output name the same file"),
        (["-o", "a.dzn", "--model", "none/a.mzn"], "none/a.mzn: there is no folder none"),
        (["-o", "a.dzn", "--unique"], "forbidden solution is a constraint; write an .mzn file"),
        (["--stats", "--to", "mzn"], "takes no --to"),
        (["--stats", "--model", "a.mzn"], "takes no --model"),
        (["-o", "none/a.cnf"], "none/a.cnf: there is no folder none; make it first"),
        (["-o", "none/a.pb"], "none/a.pb: there is no folder none; make it first"),
        (["-o", "a.cnf", "--encoding", "line=nothing"], "no encoding is called"),
        (["-o", "a.cnf", "--encoding", "line"], "is not KIND=NAME"),
        (["-o", "a.cnf", "--encoding", "line=order", "--encoding", "line=order"], "is given twice"),
        (["-o", "a.cnf", "--encoding", "line=order", "--encoding", "line=automaton"], "twice"),
        (["-o", "a.cnf", "--formulation", "line=starts"], "cnf uses --encoding, not --formulation"),
        (["-o", "a.pb", "--encoding", "line=order"], "pb uses --formulation, not --encoding"),
        (["-o", "a.pb", "--formulation", "line=nothing"], "no formulation is called"),
        (["-o", "a.opb", "--encoding", "count=sequential"], "holds counts as they are"),
        (["-o", "a.cnf", "--solution", "goal"], "add --unique"),
        (["-o", "a.cnf", "--unique", "--solution", "nowhere"], "nowhere: No such file"),
        (["-o", "a.cnf", "--json"], "--json is for --stats"),
        (["--stats", "-o", "a.cnf"], "takes no --output"),
        (["--stats", "--unique"], "takes no --unique"),
        (["--stats", "--formulation", "line=starts"], "takes no --formulation"),
        (["--stats", "--encoding", "line=nothing"], "no encoding is called"),
        (["-o", "a.cnf", "--from", "nothing"], "no format is called"),
    ],
)
def test_bad_usage(put, tmp_path, args, message):
    result = run("encode", put(UNIQUE), *args)
    assert result.exit_code == 2
    assert message in result.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["puzzles.jsonl"]


def test_a_folder_is_not_written_to(put, tmp_path):
    (tmp_path / "folder.cnf").mkdir()
    result = run("encode", put(UNIQUE), "-o", "folder.cnf", "--force")
    assert result.exit_code == 2
    assert "folder.cnf is a folder" in result.stderr


def test_refusals_of_an_encoding_are_reported(put, tmp_path, monkeypatch):
    from nonosat.core.errors import UnsupportedError
    from nonosat.encodings import line_automaton

    def refuse(line, sink):
        raise UnsupportedError("too large, use another one")

    monkeypatch.setitem(vars(line_automaton.PLUGIN), "encode", refuse)
    result = run("encode", put(UNIQUE), "-o", "a.cnf", "--encoding", "line=automaton")
    assert (result.exit_code, result.stderr) == (2, "nonosat: too large, use another one\n")
    assert not (tmp_path / "a.cnf").exists()


def test_one_puzzle_is_written_at_a_time(put):
    result = run("encode", put(UNIQUE, MULTIPLE), "-o", "a.cnf")
    assert result.exit_code == 2
    assert "2 puzzles, expected one" in result.stderr
    assert run("encode", put(INVALID), "-o", "a.cnf").exit_code == 2


# Large puzzles


@pytest.fixture
def large(put) -> str:
    """A board whose file takes seconds to write."""
    rng = random.Random(1)
    rows = [[rng.random() < 0.5 for _ in range(400)] for _ in range(400)]

    def clue(cells):
        runs = "".join(".#"[cell] for cell in cells).replace(".", " ").split()
        return list(map(len, runs))

    columns = list(map(clue, zip(*rows, strict=True)))
    return put({"id": "large", "rows": list(map(clue, rows)), "columns": columns})


@pytest.mark.slow
@pytest.mark.parametrize("limit", [("--time-limit", "0.3"), ("--memory-limit", "20")])
def test_limits_hold_and_leave_nothing(large, tmp_path, limit):
    result = whole("encode", large, "-o", "a.cnf.xz", *limit)
    assert result.returncode == 5, result.stderr
    assert f"{limit[0][2:-6]} limit" in result.stderr  # while it is read, or written
    assert [path.name for path in tmp_path.iterdir()] == ["puzzles.jsonl"]


def size_of_draft(pid, folder):
    """Bytes of the file without a name that a process writes in a folder; 0 if there is none."""
    for each in Path(f"/proc/{pid}/fd").iterdir():
        with suppress(FileNotFoundError):
            if str(each.readlink()).startswith(f"{folder}/#"):
                return each.stat().st_size
    return 0


@pytest.mark.thorough
def test_ctrl_c_leaves_no_partial_file(large, tmp_path):
    with subprocess.Popen(
        [*COMMAND, "encode", large, "-o", "a.cnf.xz"],
        stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    ) as process:
        assert eventually(lambda: size_of_draft(process.pid, tmp_path))
        os.kill(process.pid, signal.SIGINT)
        assert process.wait(PATIENCE_S) == 130
    assert [path.name for path in tmp_path.iterdir()] == ["puzzles.jsonl"]


# Answers


@pytest.mark.parametrize(
    ("text", "status", "words"),
    [
        ("s UNSATISFIABLE\n", 4, "not checked by nonosat"),
        ("s UNKNOWN\n", 5, "the solver gave up"),
    ],
)
def test_answers_without_a_picture(put, text, status, words):
    result = run("decode", put(UNIQUE), "-", input=text)
    assert result.exit_code == status
    assert words in result.stdout
    (record,) = records(run("decode", put(UNIQUE), "-", "--json", input=text))
    assert (record["solutions"], words in record["reason"]) == ([], True)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("s SATISFIABLE\nv 1 2 3 4 0\n", "nonosat: standard input: the answer is not a solution"),
        ("s SATISFIABLE\nv 1 0\n", "have no value"),
        ("what\n", "nonosat: standard input:1: found 'what', expected a comment"),
        ("\x00\xff", "standard input:1: found"),
    ],
)
def test_wrong_answers_are_refused(put, text, message):
    result = run("decode", put(UNIQUE), "-", input=text)
    assert result.exit_code == 2
    assert message in result.stderr
    assert result.stdout == ""


def test_missing_files(put):
    assert run("decode", put(UNIQUE), "nowhere").exit_code == 2
    assert run("decode", "nowhere", put(UNIQUE)).exit_code == 2
    assert "2 puzzles" in run("decode", put(UNIQUE, MULTIPLE), "-", input="").stderr


def test_a_minisat_answer_from_standard_input(put):
    result = run("decode", put(UNIQUE), "-", "--json", input="SAT\n1 2 3 -4 5 0\n")
    assert json.loads(result.stdout)["solutions"] == [["##", "#."]]
