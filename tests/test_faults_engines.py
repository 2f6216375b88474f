"""Engines and programs that abort, hang, answer nonsense or give wrong answers, in every command.

There is no wrong verdict, no traceback and no process left; the message names whom to contact; the
limit holds. (Only `fuzz` and proofs notice an engine that reports a solvable puzzle as unsolvable.)
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

import nonosat
from helpers.broken import FAULTS, LIMIT, PROGRAM, THEIRS, Fault, install
from helpers.commands import is_read, lines_of, run
from helpers.processes import all_ended, begun, command_of
from nonosat.bench import task
from nonosat.core.errors import BackendError
from nonosat.core.model import Clause
from nonosat.processes import tools
from nonosat.processes.system import marked
from nonosat.testing.fuzzing.trying import answered
from nonosat.testing.fuzzing.ways import AnswerMethod

MARK = "NONOSAT_BROKEN"
FITS = {"id": "fits", "rows": [[1]] * 3, "columns": [[1]] * 3}
NEVER = {"id": "never", "rows": [[1, 1], [1], [1, 1]], "columns": [[2], [1], [2]]}
PLAIN = ["--presolve", "none"]
LIMIT_S = 0.7  # if an engine hangs
PATIENCE_S = 60.0  # otherwise; no test waits for it


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Folder with puzzles and scripts; at the end only our idle processes are left."""
    made = tmp_path_factory.mktemp("broken")
    site, mark = install(made), made.name
    (made / "fits.jsonl").write_text(lines_of(FITS))
    (made / "both.jsonl").write_text(lines_of(FITS, NEVER))
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(site)
        patch.setenv("PYTHONPATH", str(site))
        patch.setenv(MARK, mark)
        patch.chdir(made)
        yield made

        def strays() -> list[int]:
            found = marked(MARK, mark)
            return [pid for pid in found if "processes/worker.py" not in command_of(pid)]

        assert all_ended(strays())


def backend_of(fault: Fault, folder: Path) -> str:
    return fault.backend.replace("{folder}", str(folder))


def clean(text: str) -> bool:
    """Check that the output has no traceback and no control characters."""
    return "Traceback" not in text and all(char.isprintable() or char == "\n" for char in text)


@pytest.mark.real_time
@pytest.mark.thorough
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.backend)
def test_a_bad_engine_yields_no_verdict(fault: Fault, folder: Path) -> None:
    words = ["both.jsonl", "--backend", backend_of(fault, folder), *PLAIN, "--json"]
    is_limit = fault.status == "timeout"

    def within(limit_s: float) -> Result:
        started = time.monotonic()
        done = run("check", *words, "--time-limit", f"{limit_s:g}")
        assert not is_limit or time.monotonic() - started < 2 * limit_s + 60
        return done

    done, _ = begun(within, is_read, LIMIT_S if fault.told == LIMIT else PATIENCE_S)
    records = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.exit_code == (5 if is_limit else 70), done.output
    assert len(records) == 2
    assert {one.get("verdict", "unknown") for one in records} == {"unknown"}
    words = [one["reason" if is_limit else "error"] for one in records]
    what = fault.told.removesuffix(THEIRS).removesuffix(PROGRAM)
    assert all(re.search(what, one, re.DOTALL) for one in words), words
    assert clean(done.stderr)
    assert done.stderr.count(": failure: ") == (0 if is_limit else 2)
    assert is_limit or re.search(fault.told, done.stderr, re.DOTALL)
    assert "please report this with the puzzle" not in done.stderr  # it is not our engine


WORST = [fault for fault in FAULTS if fault.backend.removeprefix("broken-") in ("aborts", "ones")]


@pytest.mark.slow
@pytest.mark.parametrize("fault", WORST, ids=lambda fault: fault.backend)
def test_batch_records_it_and_goes_on(fault: Fault, folder: Path) -> None:
    words = ["both.jsonl", "-o", "results", "--force", "--jobs", "1", *PLAIN]
    done = run("batch", *words, "--backend", backend_of(fault, folder))
    lines = map(json.loads, Path("results").read_text().splitlines())
    records = [line for line in lines if line["kind"] == "result"]
    assert [one["status"] for one in records] == [fault.status] * 2
    assert all(re.search(fault.told, one["reason"]) for one in records)
    assert done.exit_code == 70
    assert clean(done.stderr)


@pytest.mark.slow
def test_a_worker_that_cannot_start_names_the_plug_in(folder: Path) -> None:
    """It solves a tiny puzzle first."""
    words = ["both.jsonl", "-o", "none", "--jobs", "1", *PLAIN, "--backend", "broken-aborts-here"]
    done = run("batch", *words)
    assert done.exit_code == 70
    told = "workers cannot be started: a worker process died of SIGABRT; try another backend"
    assert f"{told}; the plug-in 'broken-aborts-here' of the package broken 1.0" in done.stderr


@pytest.mark.real_time
def test_a_worker_that_is_never_ready_is_given_up(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tools, "START_S", 1.0)
    words = ["fits.jsonl", "-o", "slow", "--jobs", "1", *PLAIN, "--backend", "broken-hangs"]
    done = run("batch", *words)
    assert done.exit_code == 70
    assert "cannot be started: one was not ready after 1 s; the plug-in 'broken-h" in done.stderr


@pytest.mark.thorough
def test_bench_handles_them_all(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An engine that kills its process ends its run, and not the process that forks runs."""
    text = "instances = ['fits.jsonl']\n[limits]\nwall_s = 2\n"
    ways = {f"way{number}": fault for number, fault in enumerate(FAULTS)}
    idle = ("broken-spins-here", "broken-hangs")  # 2 s of processor time, or of wall time, each
    for name, fault in ways.items():
        if fault.backend not in idle:
            text += f"[configurations.{name}]\npresolve = 'none'\nbackend = "
            text += f"{json.dumps(backend_of(fault, folder))}\n"
    Path("suite.toml").write_text(text)
    done = run("bench", "run", "suite.toml", "-o", "runs", "--jobs", "1")
    assert done.exit_code == 70
    lines = map(json.loads, Path("runs").read_text().splitlines())
    records = [line for line in lines if line["kind"] == "run"]
    assert len(records) == len(ways) - len(idle)
    for one in records:
        fault = ways[one["configuration"]]
        assert one["status"] == fault.status, one
        assert one["verdict"] == "unknown"
        assert "Traceback" not in one["reason"]
        assert (
            "SIGABRT" in one["reason"]
            or re.search(fault.told, one["reason"], re.DOTALL)
            or ("quits" in fault.backend and "sys.exit" in one["reason"])
        )
    assert done.stderr.count("WRONG: ") == 3


@pytest.mark.real_time
@pytest.mark.usefixtures("folder")
def test_engines_that_hang_on_a_tiny_puzzle_are_not_run_in_the_process_that_forks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(task, "TRIAL_S", 0.2)
    options: dict[str, Any] = {"backend": "broken-hangs", "time_limit_s": PATIENCE_S}
    started = time.monotonic()
    assert not task._is_harmless(options)
    assert time.monotonic() - started < 60
    assert task._is_harmless({"backend": "learn"})


RACES = {
    "broken-aborts,broken-raises": (70, "every member of the portfolio failed: .*SIGABRT.*; br"),
    "broken-maybe,learn": (0, ""),
    "broken-hangs,broken-quits,learn": (0, ""),
    "broken-hangs,broken-aborts": (5, "limit of 0.7 s"),
    "broken-ones,broken-hangs": (70, "that the clues refute: row 1 has the run 3"),
}


@pytest.mark.thorough
@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("members", RACES)
def test_a_portfolio_of_them(members: str) -> None:
    status, told = RACES[members]
    limit = str(LIMIT_S if status == 5 else PATIENCE_S)
    words = ["--backend", f"portfolio:{members}", *PLAIN, "--time-limit", limit]
    done = run("solve", "fits.jsonl", *words)
    assert done.exit_code == status, done.output
    assert re.search(told, done.output)
    assert clean(done.stderr)


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("command", ["solve", "check"])
def test_cubes_are_for_our_engines(command: str) -> None:
    done = run(command, "fits.jsonl", "--cubes", "2", "--backend", "broken-ones")
    assert done.exit_code == 2
    assert "backend 'broken-ones' decides no cubes; these do: auto" in done.stderr


WRITERS = [one for one in FAULTS if re.search("(maybe|short|quits|ones)-here", one.backend)]
STEPS = f"{Path(__file__).parent.parent}/instances/hard.jsonl#steps-8"  # lines leave it open


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("fault", WRITERS, ids=lambda fault: fault.backend)
def test_they_yield_no_certificate(fault: Fault) -> None:
    done = run("prove", STEPS, "-o", "proof", "--backend", fault.backend)
    assert done.exit_code == 70
    assert re.search(fault.told, done.stderr)
    assert clean(done.stderr)
    assert not Path("proof").exists()


FUZZED = [fault for fault in FAULTS if fault.status != "timeout"]


@pytest.mark.slow
@pytest.mark.parametrize("fault", FUZZED, ids=lambda fault: fault.backend)
def test_fuzz_accepts_none_of_it_as_an_answer(fault: Fault, folder: Path) -> None:
    """Campaigns with such engines, and programs, are in `test_fuzz_failures.py`."""
    puzzle = nonosat.load("fits.jsonl")
    way = AnswerMethod("check", {"backend": backend_of(fault, folder), "presolve": "none"})
    answer = answered(puzzle, way, PATIENCE_S)
    assert answer.end == "failed"
    what = fault.told.removesuffix(THEIRS).removesuffix(PROGRAM)
    assert re.search(what, answer.claim.failure, re.DOTALL)
    assert answer.claim.verdict is nonosat.Verdict.UNKNOWN


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("--backends rules --family nonogram", "rules answers no puzzle of nonogram; choose"),
        ("--backends broken-absent", "broken-absent needs the package no-such, which is not in"),
    ],
)
@pytest.mark.usefixtures("folder")
def test_fuzz_refuses_engines_that_it_cannot_call(words: str, told: str) -> None:
    """Formerly it ended with status 0 after no case at all."""
    done = run("fuzz", "--cases", "1", "--jobs", "1", *words.split())
    assert done.exit_code == 2
    assert told in done.stderr


@pytest.mark.usefixtures("folder")
def test_a_model_of_ones_own_is_as_safe() -> None:
    model = nonosat.Model(2, clauses=(Clause((1, 2)), Clause((-1, -2))))
    told = {
        "broken-maybe": "answered 'maybe'",
        "broken-maybe-here": "answered 'maybe'",
        "broken-short-here": "gave the values",
        "broken-ones": "broken-ones gave values that",
    }
    for backend, words in told.items():
        with pytest.raises(BackendError, match=words):
            nonosat.solve_model(model, backend=backend)
