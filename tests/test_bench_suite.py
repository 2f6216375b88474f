"""Suites: the puzzles that they name, and errors with file and place."""

from __future__ import annotations

import json
import os
import random
import sys
from hashlib import sha256
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from helpers.benches import CORNER, CROSSED, RED, SWITCH, script, suite_of
from helpers.commands import run
from nonosat import formats, load_all
from nonosat.batch.fingerprint import fingerprint
from nonosat.bench.book import plan
from nonosat.bench.instances import Noise, generate
from nonosat.bench.records import RunLimits
from nonosat.bench.report.numbers import numbers
from nonosat.bench.report.text import markdown
from nonosat.bench.results import load
from nonosat.bench.suite import load_suite, restricted
from nonosat.core.errors import FormatError, UnsupportedError
from nonosat.core.result import Verdict

SUITES = sorted((Path(__file__).parents[1] / "benchmarks/suites").glob("*.toml"))
AUTO = "[configurations.auto]\n"
LIMITS = "[limits]\nwall_s = 1\n"
ONE = "[[generate]]\nheight = 2\nwidth = 2\nseeds = 1\n"
PROGRAM = "program = ['./run', '{non}']\nverdicts = {solved = 's'}\n"


def put(folder: Path, name: str, *puzzles: dict[str, Any]) -> None:
    (folder / name).parent.mkdir(exist_ok=True)
    (folder / name).write_text("".join(json.dumps(one) + "\n" for one in puzzles))


def names(folder: Path, instances: str) -> list[str]:
    (folder / "s.toml").write_text(f"instances = {instances}\n{LIMITS}{AUTO}")
    return [one.name for one in load_suite(folder / "s.toml").instances]


def test_a_suite_defines_the_tasks(tmp_path: Path) -> None:
    ways = """
        [configurations.order]
        backend = "cadical195"
        encoding = {line = "order"}
        redundant = ["counts"]
        seed = 3
        [configurations.auto]
    """
    limits = "wall_s = 1.5\ncpu_s = 1\nmemory_mib = 100"
    head = 'task = "enumerate"\nmax_solutions = 7\nrepetitions = 2'
    suite = suite_of(tmp_path, ways, CORNER, SWITCH, head=head, limits=limits)
    assert (suite.name, suite.task, suite.max_solutions, suite.repetitions) == (
        "suite",
        "enumerate",
        7,
        2,
    )
    assert suite.limits == RunLimits(1.5, 1.0, 100)
    assert [one.name for one in suite.instances] == ["puzzles.jsonl#corner", "puzzles.jsonl#switch"]
    order, auto = suite.configurations
    assert order.options["encoding"] == {"line": "order"}
    assert (order.options["seed"], auto.options["seed"]) == (3, 0)
    assert auto.options["backend"] == "auto"
    assert order.sha256 != auto.sha256


def test_instances_are_files_folders_globs_and_single_puzzles(tmp_path: Path) -> None:
    put(tmp_path, "a/one.jsonl", CORNER, SWITCH)
    put(tmp_path, "a/two.jsonl", CROSSED)
    put(tmp_path, "x[1].jsonl", RED)
    both = ["a/one.jsonl#corner", "a/one.jsonl#switch"]
    assert names(tmp_path, '["a/one.jsonl"]') == both
    assert names(tmp_path, '["a"]') == [*both, "a/two.jsonl#crossed"]
    assert names(tmp_path, '["a/t*.jsonl", "a/one.jsonl#2"]') == ["a/two.jsonl#crossed", both[1]]
    assert names(tmp_path, '["x[1].jsonl"]') == ["x[1].jsonl#red"]
    assert names(tmp_path, '[{path = "a", first = 2, format = "jsonl"}]') == both
    assert names(tmp_path, f'["{tmp_path}/a/t*"]') == [f"{tmp_path}/a/two.jsonl#crossed"]


def test_the_family_is_given_if_the_text_does_not_decide(tmp_path: Path) -> None:
    (tmp_path / "loop.txt").write_text("2 3\n3.3\n...\n")
    put(tmp_path, "nonograms.jsonl", CORNER)
    source = '{path = "loop.txt", family = "slitherlink"}'
    assert names(tmp_path, f"[{source}]") == ["loop.txt#1"]
    suite = load_suite(tmp_path / "s.toml")
    assert json.loads(suite.instances[0].text)["family"] == "slitherlink"
    only = '{path = "nonograms.jsonl", family = "nonogram", first = 1}'
    assert names(tmp_path, f"[{only}]") == ["nonograms.jsonl#corner"]
    for wrong, told in (
        ('{path = "nonograms.jsonl", family = "queens"}', "expected the family queens"),
        ('{path = "loop.txt", family = "sudoku"}', "no family is called 'sudoku'; there are: k"),
        ('{path = "loop.txt", family = 7}', "family"),
    ):
        with pytest.raises(FormatError, match=told):
            names(tmp_path, f"[{wrong}]")


def test_a_folder_may_be_named_by_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(tmp_path, "far/one.jsonl", CORNER)
    monkeypatch.setenv("NONOSAT_INSTANCES", str(tmp_path / "far"))
    wanted = ["$NONOSAT_INSTANCES/one.jsonl#corner"]
    assert names(tmp_path, '["$NONOSAT_INSTANCES/one.jsonl"]') == wanted
    assert names(tmp_path, '["$NONOSAT_INSTANCES/*.jsonl"]') == wanted
    monkeypatch.delenv("NONOSAT_INSTANCES")
    with pytest.raises(FormatError, match="NONOSAT_INSTANCES is not set; expected the environment"):
        names(tmp_path, '["$NONOSAT_INSTANCES/one.jsonl"]')


def test_the_same_puzzle_is_taken_once(tmp_path: Path) -> None:
    put(tmp_path, "one.jsonl", CORNER, {**CORNER, "id": "again", "title": "Another title"})
    (tmp_path / "two.non").write_bytes(formats.write([load_all(tmp_path / "one.jsonl")[0]], "non"))
    (tmp_path / "s.toml").write_text(f'instances = ["one.jsonl", "two.non"]\n{LIMITS}{AUTO}')
    suite = load_suite(tmp_path / "s.toml")
    assert [one.name for one in suite.instances] == ["one.jsonl#corner"]
    assert [name.partition("#")[0] for name in suite.repeated] == ["one.jsonl", "two.non"]


def test_the_index_next_to_a_file_gives_the_expected_verdicts(tmp_path: Path) -> None:
    put(tmp_path, "puzzles.jsonl", CORNER, SWITCH)
    (tmp_path / "index.csv").write_text(
        "id,file,verdict\ncorner,puzzles.jsonl,unique\nswitch,others.jsonl,unique\n"
    )
    suite = suite_of(tmp_path, AUTO, CORNER, SWITCH)
    assert [one.expected for one in suite.instances] == [Verdict.UNIQUE, None]


def test_a_puzzle_is_passed_on_without_its_goal(tmp_path: Path) -> None:
    with_goal = {**CORNER, "goal": "1110", "title": "A corner", "saved": ["1???"]}
    (instance,) = suite_of(tmp_path, AUTO, with_goal).instances
    data = json.loads(instance.text)
    assert data.keys() == {"id", "width", "height", "rows", "columns"}


def test_the_hash_covers_the_parts_to_solve(tmp_path: Path) -> None:
    variants = [
        CORNER,
        {**CORNER, "rows": [[2], [None]]},
        {**CORNER, "given": [[0, 0, 1]]},
        {**CORNER, "columns": [[1], [2]]},
        RED,
        {**RED, "rows": [[[1, "b"]], [[1, "r"]]]},
    ]
    put(tmp_path, "all.jsonl", *({**one, "id": str(n)} for n, one in enumerate(variants)))
    hashes = [fingerprint(puzzle) for puzzle in load_all(tmp_path / "all.jsonl")]
    assert len(set(hashes)) == len(variants)


def test_noise_has_a_seed() -> None:
    one, two = generate(Noise(5, 9, 0.4, (3, 8)))
    assert one.name == "noise:5x9,density=0.4,seed=3"
    assert one.size == (5, 9)
    rng = random.Random(3)
    cells = ["#" if rng.random() < 0.4 else "." for _ in range(45)]
    first_row = [len(run) for run in "".join(cells[:9]).split(".") if run]
    assert json.loads(one.text)["rows"][0] == first_row
    assert one.sha256 != two.sha256
    (inked,) = generate(Noise(6, 6, 0.9, (1,), colours=3))
    assert len(json.loads(inked.text)["colors"]) == 3


def test_runs_are_interleaved(tmp_path: Path) -> None:
    ways = "[configurations.a]\n[configurations.b]\nseed = 1\n[configurations.c]\nseed = 2\n"
    suite = suite_of(tmp_path, ways, CORNER, SWITCH, head="repetitions = 2")
    jobs = list(plan(suite))
    order = [(job.repetition, job.instance.name[-6:], job.configuration.name) for job in jobs]
    assert sorted(order) == sorted(product((0, 1), ("corner", "switch"), "abc"))
    assert [name for *_, name in order] == [*"abc", *"bca", *"bca", *"cab"]
    assert [key[:2] for key in order] == sorted(key[:2] for key in order)


def test_a_suite_can_be_restricted(tmp_path: Path) -> None:
    suite = suite_of(tmp_path, AUTO + "[configurations.b]\nseed = 1\n", CORNER, SWITCH)
    less = restricted(suite, ["puzzles.jsonl#switch"], ["b"])
    assert [str(job) for job in plan(less)] == ["b on puzzles.jsonl#switch"]
    with pytest.raises(UnsupportedError, match="no configuration 'c'; it has auto, b"):
        restricted(suite, [], ["c"])


@pytest.mark.slow
def test_missing_packages_are_left_out(tmp_path: Path) -> None:
    script(tmp_path, "run", "true")
    tables = "".join(
        f"[configurations.{name}]\n{PROGRAM}seed = {seed}\nneeds = {needs}\n"
        for seed, (name, needs) in enumerate(
            {"a": ["sh"], "b": ["json"], "c": ["sh", "nowhere-to-be-found", "no_such"]}.items()
        )
    )
    suite = suite_of(tmp_path, tables, CORNER)
    assert [one.name for one in suite.configurations] == ["a", "b"]
    assert suite.absent == {"c": "nowhere-to-be-found, no_such"}
    with pytest.raises(UnsupportedError, match="c needs nowhere-to-be-found, no_such, which is"):
        restricted(suite, [], ["c"])
    told = run("bench", "run", str(suite.path), "-o", str(tmp_path / "out")).stderr
    assert "nonosat: c is left out: nowhere-to-be-found, no_such is not installed" in told
    with pytest.raises(FormatError, match="except those whose requirements are missing"):
        suite_of(tmp_path, f"[configurations.c]\n{PROGRAM}needs = ['no_such']\n", CORNER)


BAD = {
    "instances = [\n": "this is no TOML",
    f"{LIMITS}{AUTO}": "no instances, expected paths",
    f"instances = []\n{LIMITS}{AUTO}": "no instances",
    f"instances = [3]\n{LIMITS}{AUTO}": r"instances: \[3\], expected a list of tables and texts",
    f'instances = ["no.jsonl"]\n{LIMITS}{AUTO}': "no.jsonl: the file cannot be read",
    f'instances = ["no*"]\n{LIMITS}{AUTO}': "no file matches 'no\\*'",
    f"instances = [{{path = 'a', ids = []}}]\n{LIMITS}{AUTO}": r"instances\[0\]: the unknown key",
    f"instances = [{{path = 'a', format = 'x'}}]\n{LIMITS}{AUTO}": r"\[0\].format: no format is",
    f"{ONE}{AUTO}": "no limits, expected a table",
    f"{ONE}[limits]\n{AUTO}": "limits: no wall_s, expected a number",
    f"{ONE}[limits]\nwall_s = 0\n{AUTO}": "limits.wall_s: 0, expected a number, 0.01",
    f"{ONE}[limits]\nwall_s = nan\n{AUTO}": "limits.wall_s: nan",
    f"{ONE}[limits]\nwall_s = true\n{AUTO}": "limits.wall_s: True",
    f"{ONE}[limits]\nwall_s = 1\nmemory_mib = 1.5\n{AUTO}": "limits.memory_mib: 1.5",
    f"{ONE}[limits]\nwall_s = 1\nwall = 2\n{AUTO}": "limits: the unknown key 'wall', expected one",
    f"{ONE}{LIMITS}": "no configurations, expected a table",
    f"{ONE}{LIMITS}[configurations]\n": "no configurations, expected at least one",
    f"{ONE}{LIMITS}{AUTO}[configurations.b]\n": "configurations.b: the same options as auto",
    f"{ONE}{LIMITS}[configurations]\na = 1\n": r"configurations.a: 1, expected a table",
    f"{ONE}{LIMITS}{AUTO}max_solutions = 3\n": "auto: the unknown key 'max_solutions'",
    f"{ONE}{LIMITS}{AUTO}backend = 'x'\n": "configurations.auto: no backend is called 'x'",
    f"{ONE}{LIMITS}{AUTO}backend = 'count'\n": "in a suite with the task solve, expected task",
    f"{ONE}{LIMITS}{AUTO}encoding = {{line = 'x'}}\n": "no encoding is called 'line=x'",
    f"{ONE}{LIMITS}{AUTO}encoding = 3\n": "encoding is 3, expected names",
    f"{ONE}{LIMITS}{AUTO}hints = 'x'\n": "configurations.auto: .*hints",
    f"task = 'check'\n{ONE}{LIMITS}{AUTO}redundant = ['symmetry']\n": "auto: symmetry breaking",
    f"task = 'guess'\n{ONE}{LIMITS}{AUTO}": "task: 'guess', expected \"solve\" or",
    f"task = 'enumerate'\n{ONE}{LIMITS}{AUTO}": "no max_solutions, expected a whole number",
    f"max_solutions = 3\n{ONE}{LIMITS}{AUTO}": "the unknown key 'max_solutions'",
    f"pictures = 1\n{ONE}{LIMITS}{AUTO}": "pictures: 1, expected true or false",
    f"repetitions = 0\n{ONE}{LIMITS}{AUTO}": "repetitions: 0, expected a whole number",
    f"jobs = 2\n{ONE}{LIMITS}{AUTO}": "the unknown key 'jobs', expected one of task",
    f"{LIMITS}{AUTO}[[generate]]\nheight = 2\nwidth = 2\n": r"generate\[0\]: no seeds",
    f"{LIMITS}{AUTO}[[generate]]\nheight = 2\nwidth = 2\nseeds = []\n": "seeds",
    f"{LIMITS}{AUTO}[[generate]]\nheight = 2\nwidth = 2\nseeds = [1, 1]\n": "different whole",
    f"{LIMITS}{AUTO}[[generate]]\nheight = 9999\nwidth = 9999\nseeds = 1\n": "at most 16000000",
    f"task = 'count'\n{ONE}{LIMITS}{AUTO}backend = 'count'\nseed = 1\n": "options in addition",
    f"{ONE}{LIMITS}{AUTO}program = []\n": "auto.program: \\[\\], expected a list of texts",
    f"{ONE}{LIMITS}{AUTO}program = ['nowhere-to-be-found']\n": "no program 'nowhere-to-be-found'",
    f"{ONE}{LIMITS}{AUTO}program = ['./s.toml']\n": (
        "the program './s.toml', which is a file that cannot be executed, expected an executable "
    ),
    f"{ONE}{LIMITS}{AUTO}program = ['./run']\n": "auto: no verdicts, expected a table",
    f"{ONE}{LIMITS}{AUTO}program = ['./run']\nverdicts = {{}}\n": "no patterns, expected some for",
    f"{ONE}{LIMITS}{AUTO}program = ['./run']\nverdicts = {{odd = 'x'}}\n": "unknown key 'odd'",
    f"{ONE}{LIMITS}{AUTO}program = ['./run']\nverdicts = {{solved = '('}}\n": "pattern '\\(': ",
    f"{ONE}{LIMITS}{AUTO}program = ['./run']\nverdicts = {{solved = 's'}}\n": "without its puzzle",
    f"{ONE}{LIMITS}{AUTO}program = ['./run', '{{x}}']\nverdicts = {{solved = 's'}}\n": "called 'x'",
    f"{ONE}{LIMITS}{AUTO}{PROGRAM}empty = '.'\n": "one of filled and empty",
    f"{ONE}{LIMITS}{AUTO}{PROGRAM}count = 'x'\n": "one group, for the number",
}


@pytest.mark.parametrize("text", BAD, ids=range(len(BAD)))
def test_mistakes_are_reported(tmp_path: Path, text: str) -> None:
    script(tmp_path, "run", "true")
    (tmp_path / "s.toml").write_text(text)
    with pytest.raises(FormatError, match=BAD[text]) as caught:
        load_suite(tmp_path / "s.toml")
    assert str(tmp_path) in str(caught.value)


def test_a_file_that_is_no_suite(tmp_path: Path) -> None:
    (tmp_path / "s.toml").write_bytes(b"\xff")
    with pytest.raises(FormatError, match="this is no TOML"):
        load_suite(tmp_path / "s.toml")
    (tmp_path / "s.toml").write_text("a = " + "[" * 100_000)
    with pytest.raises(FormatError, match="this is no TOML"):
        load_suite(tmp_path / "s.toml")
    with pytest.raises(FormatError, match="cannot be read: No such file"):
        load_suite(tmp_path / "nowhere.toml")
    with pytest.raises(FormatError, match="cannot be read: Is a directory"):
        load_suite(tmp_path)


@pytest.mark.parametrize("path", SUITES, ids=lambda path: path.stem)
def test_the_shipped_suites_are_suites(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("survey", "taai2011", "tcga2013"):
        put(
            tmp_path,
            f"{name}.jsonl",
            {**SWITCH, "id": name, "rows": [[1]] * len(name), "columns": [[1]] * len(name)},
        )
    monkeypatch.setenv("NONOSAT_INSTANCES", str(tmp_path))
    for name in ("minizinc", "python3"):  # which a machine need not have
        (tmp_path / name).symlink_to(sys.executable)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    suite = load_suite(path)
    assert suite.limits.memory_mib
    names = {one.name for one in suite.configurations}
    assert names & {"auto", "order"}
    assert ("counter" in names) == (suite.task == "count")


def test_every_suite_of_the_readme_exists() -> None:
    names = {path.stem for path in SUITES}
    assert names >= {"smoke", "encodings", "engines", "native", "survey", "tournament", "counting"}


@pytest.mark.thorough
def test_smoke_compares_three_encodings_and_two_engines_in_one_command(tmp_path: Path) -> None:
    """Steps of the README for a new user, here on one puzzle."""
    suite = next(path for path in SUITES if path.stem == "smoke")
    report = tmp_path / "report.html"
    one = ("--instance", "../../instances/pictures.jsonl#smile", "--report", str(report))
    done = run("bench", "run", str(suite), "-o", str(tmp_path / "results.jsonl"), *one)
    assert done.exit_code == 0
    assert done.stdout.startswith("8 runs: 8 ok;")
    pairs = {
        (options["encoding"]["line"], options["backend"])
        for options in (one.options for one in load_suite(suite).configurations)
        if options["encoding"]
    }
    assert len({encoding for encoding, _ in pairs}) == 3
    assert len({engine for _, engine in pairs}) == 2
    assert len(pairs) == 6
    assert "order-glucose" in report.read_text()


RECORDED = sorted((Path(__file__).parents[1] / "benchmarks/results").glob("*.md"))


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem)
def test_the_recorded_report_is_that_of_the_recorded_run(path: Path) -> None:
    results = load([str(path.with_suffix(".jsonl"))])
    found = numbers(results, None, "cpu")
    assert path.read_text() == markdown(found)
    assert not found.judgement.wrong
    assert not found.judgement.disputes


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem)
def test_a_recorded_run_is_of_its_current_suite(path: Path) -> None:
    suite = path.parents[1] / f"suites/{path.stem}.toml"
    results = load([str(path.with_suffix(".jsonl"))])
    assert results.header.suite == path.stem
    assert results.header.suite_sha256 == sha256(suite.read_bytes()).hexdigest()
    if "$NONOSAT_INSTANCES" in suite.read_text():  # puzzles that may not be distributed
        assert not any(run.solutions for run in results.runs)


def test_the_suites_of_nonograms_are_recorded() -> None:
    names = {"smoke", "encodings", "engines", "native", "survey", "tournament", "counting"}
    assert {path.stem for path in RECORDED} >= names
