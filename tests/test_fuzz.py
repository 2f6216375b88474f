"""Campaigns of `nonosat fuzz`: cases, queries, counts, records, and resuming."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest

from helpers.commands import COMMAND, run
from helpers.processes import PATIENCE_S, all_ended, below, command_of, happens, interruptible
from nonosat.core import hooks, plugins
from nonosat.core.errors import FormatError, UnsupportedError
from nonosat.core.families import family_of
from nonosat.core.grid import UNKNOWN, Grid
from nonosat.core.model import Block
from nonosat.core.result import Verdict
from nonosat.processes.journal import Journal
from nonosat.processes.pools import LocalPool
from nonosat.puzzles.nonogram.data import BLACK, Colour, Nonogram, mono
from nonosat.puzzles.queens import Queens
from nonosat.testing.claims import Claim
from nonosat.testing.fuzzing import drawing, findings
from nonosat.testing.fuzzing.agreeing import is_trouble, judged_end
from nonosat.testing.fuzzing.campaign import Campaign, Effort
from nonosat.testing.fuzzing.coverage import Coverage, features_of, shape_of
from nonosat.testing.fuzzing.drawing import CaseSource
from nonosat.testing.fuzzing.reach import MethodDealer, ReachFilter, arms, is_possible
from nonosat.testing.fuzzing.record import JournalWriter, read
from nonosat.testing.fuzzing.trying import DIED, HUNG, OK, TIMEOUT, AnswerWork, Attempt, answered
from nonosat.testing.fuzzing.ways import BRUTE_FORCE, MOST_SOLUTIONS, AnswerMethod, includes

SWITCH = mono([[1], [1]], [[1], [1]])
FLAG = Nonogram(
    ((Block(1, 1), Block(1, 2)), (Block(2, 2),)),
    ((Block(1, 1), Block(1, 2)), (Block(2, 2),)),
    (BLACK, Colour("b", "#0000ff")),
)
SMALL = CaseSource(3, ("nonogram",), ("multiple",), ReachFilter(("learn", "prices")))


# Ways


def test_the_command_that_replays_a_failure_is_quoted() -> None:
    assert shlex.split(findings.replay("my failures/a.json"))[-2:] == [
        "--replay",
        "my failures/a.json",
    ]


def test_a_way_is_a_command() -> None:
    way = AnswerMethod(
        "solve", {"encoding": {"line": "mdd"}, "backend": "learn", "redundant": ("counts",)}
    )
    line = "nonosat solve 'a b' --backend learn --encoding line=mdd --redundant counts"
    assert way.line("a b") == line
    assert AnswerMethod.from_data(json.loads(json.dumps(way.to_data()))) == way
    assert AnswerMethod("program", command="x --in {non}").line("a.json") == "x --in a.json"


def test_a_plainer_way_has_one_choice_less() -> None:
    way = AnswerMethod("solve", {"backend": "learn", "presolve": "none", "max_solutions": 5})
    plainer = list(way.plainer())
    assert AnswerMethod("check", {"backend": "learn", "presolve": "none"}) in plainer
    assert AnswerMethod("solve", {"presolve": "none", "max_solutions": 5}) in plainer
    assert way not in plainer
    assert list(AnswerMethod().plainer()) == []


@pytest.mark.parametrize(
    ("part", "is_in"),
    [
        (AnswerMethod("check", {"encoding": {"line": "mdd"}, "presolve": "none"}), True),
        (AnswerMethod("check", {"encoding": {"line": "order"}}), False),
        (
            AnswerMethod("check", {"backend": "learn"}),
            False,
        ),  # the encoding may be a fault of its own
        (AnswerMethod("count"), False),
    ],
)
def test_a_way_includes_the_faults_of_another(part: AnswerMethod, is_in: bool) -> None:
    way = AnswerMethod("solve", {"backend": "learn", "encoding": {"line": "mdd"}, "seed": 3})
    assert includes(way, part) is is_in


def test_a_backend_includes_itself_alone() -> None:
    learn = AnswerMethod("solve", {"backend": "learn", "presolve": "none"})
    assert includes(learn, AnswerMethod("check", {"backend": "learn"}))
    assert not includes(learn, AnswerMethod())
    assert not includes(AnswerMethod("check"), AnswerMethod("solve"))


# Reachable names


@pytest.mark.slow
def test_every_plug_in_that_can_take_a_puzzle_is_reached() -> None:
    deck, dealt = MethodDealer(ReachFilter(), Random(1), is_large=False), set[AnswerMethod]()
    kinds = tuple(sorted(family_of(FLAG).build(FLAG).kinds()))
    for _ in range(40):
        ways = deck.deal(FLAG, kinds)
        assert len(set(ways)) == len(ways)
        assert ways[:2] == [AnswerMethod(), AnswerMethod(BRUTE_FORCE)]
        assert all(is_possible(FLAG, way) for way in ways)
        dealt |= set(ways)
    backends = {way.backend for way in dealt}
    engines = plugins.names("backends").items()
    expected = {name for name, one in engines if plugins.is_installed(one)}
    assert expected - backends == {"program"}
    assert {"auto", "count", "backbone"} <= backends
    studies = {way.backend for _ in range(30) for way in deck.deal(SWITCH, ("line",))}
    assert {"study:rules", "study:brute-force"} <= studies
    chosen = {pair for way in dealt for pair in way.options.get("encoding", {}).items()}
    lines = {one.partition("-")[::2] for one in plugins.names("encodings")}
    assert {pair for pair in lines if pair[0] in kinds} <= chosen
    assert {way.options.get("presolve", "probe") for way in dealt} == {"none", "propagate", "probe"}
    assert {name for way in dealt for name in way.options.get("redundant", ())} >= {"symmetry"}


def test_large_puzzles_have_no_slow_ways() -> None:
    names = {arm.get("backend") for arm in arms("nonogram", ("line",), ReachFilter(), True)}
    assert "learn" in names
    assert not any(str(name).startswith("study:") for name in names)
    deck = MethodDealer(ReachFilter(), Random(1), is_large=True)
    assert AnswerMethod(BRUTE_FORCE) not in deck.deal(SWITCH, ("line",))


# Answers


@pytest.mark.parametrize(
    "way",
    [
        AnswerMethod(),
        AnswerMethod("solve", {"max_solutions": MOST_SOLUTIONS + 1}),
        AnswerMethod("count"),
        AnswerMethod("backbone"),
        AnswerMethod(BRUTE_FORCE),
    ],
    ids=str,
)
def test_ways_agree_on_the_switch(way: AnswerMethod) -> None:
    answer = answered(SWITCH, way, 60)
    assert answer.end == OK
    assert not is_trouble(SWITCH, {way: answer, AnswerMethod(BRUTE_FORCE): forced(SWITCH)})
    wrong = Attempt(OK, Claim(Verdict.UNIQUE))
    assert is_trouble(SWITCH, {way: answer, AnswerMethod("program", command="x"): wrong})


def forced(puzzle: Nonogram) -> Attempt:
    return answered(puzzle, AnswerMethod(BRUTE_FORCE), 60)


def test_a_way_that_cannot_take_a_puzzle_is_no_failure() -> None:
    answer = answered(SWITCH, AnswerMethod("check", {"backend": "study:queens-rows"}), 60)
    assert (answer.end, is_trouble(SWITCH, {AnswerMethod(): answer})) == ("unsupported", False)


def test_a_method_that_ends_early_claims_no_number() -> None:
    options = {"backend": "construction", "max_solutions": MOST_SOLUTIONS + 1}
    answer = answered(Queens(5), AnswerMethod("solve", options), 60)  # it gives 8 of the 10
    assert (len(answer.claim.solutions), answer.claim.count) == (8, None)


@pytest.mark.parametrize("cells", [b"\1\xff\xff\xff", b"\xff\xff\xff\xff"])
def test_a_wrong_backbone_is_trouble(cells: bytes) -> None:
    assert UNKNOWN == 255
    settled = Grid(2, 2, cells)
    found = Attempt(OK, Claim(Verdict.MULTIPLE), settled)
    is_right = cells[0] == UNKNOWN
    answers = {AnswerMethod("backbone"): found, AnswerMethod(BRUTE_FORCE): forced(SWITCH)}
    assert is_trouble(SWITCH, answers) is not is_right
    corner = mono([[2], [1]], [[2], [1]])  # unique: no cell may be left open
    answers[AnswerMethod(BRUTE_FORCE)] = forced(corner)
    answers[AnswerMethod("backbone")] = Attempt(OK, Claim(), settled)
    assert is_trouble(corner, answers)


def test_a_hanging_engine_in_this_process_is_the_fault() -> None:
    hung = Attempt(HUNG, Claim())
    assert judged_end(AnswerMethod("check", {"backend": "cadical195"}), hung) == TIMEOUT
    assert judged_end(AnswerMethod("check", {"backend": "learn"}), hung) == HUNG
    assert judged_end(AnswerMethod("count"), hung) == HUNG
    assert judged_end(AnswerMethod(), Attempt(DIED, Claim())) == DIED


# Drawing


@pytest.mark.slow
def test_a_chunk_is_always_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    first = drawing.chunk_of(SMALL, 5)
    assert first == drawing.chunk_of(SMALL, 5)
    assert [case.puzzle for case in first] != [case.puzzle for case in drawing.chunk_of(SMALL, 6)]
    assert len({case.puzzle for case in first}) == len(first) > 10
    assert list(tmp_path.iterdir()) == []  # hypothesis keeps nothing


@pytest.mark.thorough
def test_hypothesis_shrinks_a_case() -> None:
    case = max(drawing.chunk_of(SMALL, 0), key=lambda one: one.puzzle.height)
    assert case.puzzle.height > 3
    found = drawing.smallest(SMALL, case, lambda one: one.height > 2, hooks.clock() + 600)
    assert (found[-1].height, found[-1].width) == (3, 2)
    assert drawing.smallest(SMALL, case, lambda one: False, hooks.clock() + 600) == [case.puzzle]


@pytest.mark.parametrize(
    ("drawn", "told"),
    [
        (CaseSource(families=("sudoku",)), "sudoku"),
        (CaseSource(sorts=("odd",)), "no sort is called odd; there are: any"),
        (
            CaseSource(reach=ReachFilter(commands=("nosuch {file}",))),
            "no program 'nosuch', expected one",
        ),
        (
            CaseSource(reach=ReachFilter(commands=("sh x",))),
            "a command without its puzzle: '.*sh x'",
        ),
        (CaseSource(reach=ReachFilter(commands=("sh {odd}",))), "no format is called 'odd'"),
        (
            CaseSource(reach=ReachFilter(commands=("sh 'x {file}",))),
            "cannot be split: No closing quotation",
        ),
        (CaseSource(reach=ReachFilter(("lern",))), "lern"),
        (CaseSource(reach=ReachFilter(encodings=(("line", "odd"),))), "line=odd"),
    ],
)
def test_unknown_names_are_refused(drawn: CaseSource, told: str) -> None:
    with pytest.raises(UnsupportedError, match=told):
        drawing.check(drawn)


def test_without_hypothesis_the_command_names_the_package_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "hypothesis", None)
    done = run("fuzz", "--seconds", "1")
    assert done.exit_code == 2
    assert "pip install 'hypothesis<" in done.stderr


# Coverage and records


@pytest.mark.parametrize(
    ("rows", "columns", "shape"),
    [
        ([[1]], [[1]], "one cell"),
        ([[1]], [[1], []], "one row"),
        ([[1], []], [[1]], "one column"),
        ([[1], [1]], [[1], [1]], "square, longest side to 5"),
        ([[1]] * 6, [[1]] * 2, "tall, longest side to 10"),
    ],
)
def test_shapes_have_names(rows: Any, columns: Any, shape: str) -> None:
    assert shape_of(mono(rows, columns)) == shape


def test_features_are_seen() -> None:
    assert {*features_of(mono([[2], []], [[1], [1]]))} == {"one colour", "full line", "empty line"}
    assert "colours" in features_of(FLAG)


def campaign(
    jobs: int, path: Path, cases: int, resume: bool = False, folder: Path | None = None
) -> JournalWriter:
    """Return a small campaign in this process without a time limit."""
    work = AnswerWork(60.0)
    with Journal(path) as journal, closing(LocalPool(jobs, work)) as pool:
        recorder = JournalWriter(SMALL, {}, journal, resume)
        Campaign(SMALL, work, pool, recorder, folder, Effort(cases=cases)).run()
    return recorder


def lasting(path: Path) -> list[dict[str, Any]]:
    """Chunks of a record without the parts that differ from run to run."""
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    kept = [{**one, "seconds": 0, "mib": 0, "wall_s": 0, "session": 0} for one in lines]
    return sorted((one for one in kept if one["kind"] == "chunk"), key=lambda one: one["chunk"])


@pytest.mark.thorough
def test_records_add_up_and_do_not_depend_on_workers(tmp_path: Path) -> None:
    campaign(2, tmp_path / "whole", 50)
    campaign(1, tmp_path / "parts", 25)
    recorder = campaign(1, tmp_path / "parts", 25, resume=True)
    assert lasting(tmp_path / "whole") == lasting(tmp_path / "parts")
    assert [one["chunk"] for one in lasting(tmp_path / "parts")] == [0, 1]
    totals = read(str(tmp_path / "parts"))
    assert totals.session == 2
    assert totals.coverage.to_data() == recorder.totals.coverage.to_data()
    assert totals.coverage.cases == sum(one["cases"] for one in lasting(tmp_path / "whole")) > 30
    assert totals.coverage.counts["verdicts"] == {"multiple": totals.coverage.cases}
    assert totals.failures == {}
    assert totals.mib > 10
    with pytest.raises(UnsupportedError, match="resume=True"):
        campaign(1, tmp_path / "parts", 25)


@pytest.mark.thorough
def test_a_part_of_a_chunk_is_not_repeated(tmp_path: Path) -> None:
    campaign(1, tmp_path / "whole", 1)
    (whole,) = lasting(tmp_path / "whole")
    head, line = (tmp_path / "whole").read_text().splitlines()
    part = {**json.loads(line), **Coverage().to_data(), "indices": whole["indices"][1:]}
    (tmp_path / "part").write_text(f"{head}\n{json.dumps(part)}\n")
    campaign(1, tmp_path / "part", 1, resume=True)
    assert lasting(tmp_path / "part")[-1]["indices"] == whole["indices"][:1]


def test_other_files_are_left_unchanged(tmp_path: Path) -> None:
    path = tmp_path / "r"
    path.write_text('{"kind":"header","schema":1,"session":1}\n')
    with pytest.raises(FormatError, match="not a record of `nonosat fuzz`"):
        campaign(1, path, 1, resume=True)
    done = run("fuzz", "-o", str(path))
    assert done.exit_code == 2
    assert run("fuzz", "--resume").exit_code == 2


# Ends of a campaign


@contextmanager
def started(folder: Path, *words: str) -> Iterator[subprocess.Popen[str]]:
    line = [*COMMAND, "fuzz", "--jobs", "1", "--family", "nonogram", "-o", "r", *words]
    with interruptible():
        process = subprocess.Popen(
            line, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
    with process:
        try:
            yield process
        finally:
            process.kill()  # a failed test must not wait for a campaign without end


def is_recorded(folder: Path) -> bool:
    path = folder / "r"
    return path.exists() and b'"chunk"' in path.read_bytes()


@pytest.mark.thorough
def test_a_killed_worker_is_replaced_and_ctrl_c_keeps_recorded_chunks(tmp_path: Path) -> None:
    with started(tmp_path, "--seconds", "inf", "--backends", "learn") as process:
        assert happens(tmp_path, lambda: is_recorded(tmp_path))
        before = (tmp_path / "r").stat().st_size
        workers = [one for one in below(process.pid) if "worker.py" in command_of(one)]
        assert workers
        for worker in workers:
            os.kill(worker, signal.SIGKILL)
        assert happens(tmp_path, lambda: (tmp_path / "r").stat().st_size > before)
        others = [one for one in below(process.pid) if "worker.py" in command_of(one)]
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 130, errors
    assert "interrupted" in errors
    assert "0 failures" in output
    assert all_ended(others)
    assert read(str(tmp_path / "r")).coverage.cases > 0
    assert not (tmp_path / "fuzz-failures").exists()


@pytest.mark.real_time
@pytest.mark.thorough
def test_time_is_kept(tmp_path: Path) -> None:
    with started(tmp_path, "--seconds", "3", "--command", "sh -c 'sleep 60' {file}") as process:
        begun = time.monotonic()
        output, errors = process.communicate(timeout=PATIENCE_S)
    assert time.monotonic() - begun < 60  # a program sleeps for as long
    assert process.returncode in (0, 1), errors
    assert " case" in output
