"""Output of answers within the limits, or slightly beyond them."""

from __future__ import annotations

import os
import signal
import time
from time import perf_counter

import pytest

import nonosat
from helpers.commands import UNIQUE, put, run
from helpers.processes import begun
from nonosat import render
from nonosat.backends import RemoteEngine
from nonosat.cli import _showing, explain
from nonosat.cli._showing import made
from nonosat.core import hooks
from nonosat.core.errors import LimitReached
from nonosat.core.limits import Limits, Watch, checkpoint
from nonosat.core.result import Verdict
from nonosat.explain.nonogram.clue_oracle import ClueOracle
from nonosat.processes.memory import resident_mib
from nonosat.puzzles.knight import methods
from nonosat.questions.backbone_result import BackboneResult
from nonosat.render import gallery

__all__ = ["put"]  # a fixture
ANSWER = nonosat.nonogram([[1]], [[1]], title="dot")


def asked(time_s=None, memory_mib=None):
    return {"time_limit_s": time_s, "memory_limit_mib": memory_mib}


def spin(seconds=600.0):
    end = time.process_time() + seconds
    while time.process_time() < end:
        checkpoint()
    return "all"


def test_without_limits_output_is_not_ended():
    assert made(asked(), 0.0, ANSWER, lambda: "all") == "all"


@pytest.mark.parametrize("before_s", [0.0, 1000.0])
def test_quick_output_is_shown_even_after_the_limit(before_s):
    assert made(asked(0.01), perf_counter() - before_s, ANSWER, lambda: spin(0.02)) == "all"


@pytest.mark.real_time
def test_slow_output_is_ended_and_the_answer_is_printed():
    began = time.process_time()
    told = '^nonogram "dot".*; the time limit of 0.01 s leaves too little to show more$'
    with pytest.raises(LimitReached, match=told.replace('nonogram "dot"', "")):
        made(asked(0.01), perf_counter(), ANSWER, spin)
    assert time.process_time() - began < 60
    with pytest.raises(LimitReached, match="dot"):
        made(asked(0.01), perf_counter() - 1000, ANSWER, spin)


def test_output_that_takes_much_memory_is_ended():
    kept = []

    def eat():
        while len(kept) < 2000:
            checkpoint()
            kept.append(b"x" * 2**20)

    before = int(resident_mib(None))
    with pytest.raises(LimitReached, match=r"the memory limit of 7 MiB leaves too little"):
        made(asked(memory_mib=7), 0.0, ANSWER, eat)
    assert resident_mib(None) < before + _showing.GRACE_MIB + 300
    kept.clear()


@pytest.mark.parametrize(
    ("limit_mib", "used_mib", "most_mib"), [(50, 40, 50), (50, 48, 53), (900, 890, 906)]
)
def test_the_grace_of_memory_is_a_tenth_of_the_limit(monkeypatch, limit_mib, used_mib, most_mib):
    monkeypatch.setattr("nonosat.cli._showing.resident_mib", lambda pid: used_mib)
    limits = []
    monkeypatch.setattr(
        "nonosat.cli._showing.within",
        lambda watch, make: limits.append(watch.limits.memory_mib) or make(),
    )
    made(asked(memory_mib=limit_mib), 0.0, ANSWER, str)
    assert limits == [most_mib]


def test_show_prints_nothing_beyond_its_limit(put, monkeypatch):
    whole = run("show", put(UNIQUE)).stdout
    used = {"mib": 10.0}
    monkeypatch.setattr(hooks, "resident_mib", lambda pid: used["mib"])
    monkeypatch.setattr("nonosat.cli.show._CHUNK", 7)
    assert run("show", put(UNIQUE), "--memory-limit", "50").stdout == whole
    text = render.text

    def large(*arguments):
        used["mib"] = 50.0
        return text(*arguments)

    monkeypatch.setattr(render, "text", large)
    done = run("show", put(UNIQUE), "--memory-limit", "50")
    assert (done.exit_code, done.stdout) == (5, "")
    assert "memory limit of 50 MiB" in done.stderr


def test_a_sheet_that_needs_more_memory_than_there_may_be_is_not_drawn(put, monkeypatch):
    monkeypatch.setattr(hooks, "resident_mib", lambda pid: 49.9999)
    monkeypatch.setattr(render, "text", pytest.fail)
    done = run("show", put(UNIQUE), "--memory-limit", "50")
    assert (done.exit_code, done.stdout) == (5, "")


@pytest.mark.real_time
@pytest.mark.thorough
@pytest.mark.parametrize(
    ("words", "slow"),
    [
        ("backbone", render),
        ("check", render),
        ("backbone --json", BackboneResult),
        ("solve --svg x.svg", render),
        ("hint --svg x.svg", gallery),
        ("explain --html x.html", explain),
        ("knight 5 5", render),
    ],
)
def test_no_command_shows_beyond_its_limit(put, tmp_path, monkeypatch, words, slow):
    path = put(UNIQUE)
    monkeypatch.chdir(tmp_path)
    for name in ("text", "svg", "picture_of", "explained_page", "found_data"):
        if hasattr(slow, name):
            monkeypatch.setattr(slow, name, lambda *_, **__: spin())
    name, *more = words.split()
    files = () if name == "knight" else (path,)
    done, limit_s = begun(
        lambda limit_s: run(name, *files, *more, "--time-limit", f"{limit_s:g}"),
        lambda done: "leaves too little" in done.stderr,
        0.3,
    )
    assert (done.exit_code, done.stdout.count("leaves too little")) == (5, int("--json" in more))
    told = f"the time limit of {limit_s:g} s leaves too little to show more"
    assert told in done.stderr
    assert not list(tmp_path.glob("x.*"))


# Cases in which limits once did not hold


@pytest.mark.slow
def test_an_engine_that_ignores_its_budget_is_ended():
    """An engine in this process could run without end."""
    puzzle = nonosat.nonogram([[1], [1]], [[1], [1]])
    watch = Watch(Limits(time_s=20.0))
    engine = ClueOracle(puzzle, watch)
    assert isinstance(engine.oracle.engine, RemoteEngine)
    assert engine.query(engine.selectors).value == "sat"
    child = engine.oracle.engine.child
    os.kill(child.pid, signal.SIGSTOP)
    watch.limits = Limits(time_s=2.0)
    watch.restart()
    with pytest.raises(LimitReached, match=r"time limit of 2 s"):
        engine.query(engine.selectors)
    assert not child.is_alive
    engine.close()


def test_undecided_cells_are_computed_on_request():
    rng_cells = bytes((row * 7 + column * 13) % 5 < 2 for row in range(60) for column in range(60))
    puzzle = nonosat.from_picture(
        [
            "".join("#" if cell else "." for cell in rng_cells[at : at + 60])
            for at in range(0, 3600, 60)
        ]
    )
    found = nonosat.backbone(puzzle, time_limit_s=1e-6)
    assert (found.verdict, found.num_undecided) == (Verdict.UNKNOWN, 3600)
    assert found.undecided == tuple((row, column) for row in range(60) for column in range(60))
    again = nonosat.BackboneResult.from_data(found.to_data())
    assert (again, again.undecided) == (found, found.undecided)


def test_a_tour_that_needs_more_memory_than_there_may_be_is_not_begun(monkeypatch):
    monkeypatch.setattr(methods._core, "knight_construct", pytest.fail)
    most = int(resident_mib(None)) + 100
    result = nonosat.solve(nonosat.Knight(1999, 1999), memory_limit_mib=most)
    assert (result.verdict, result.reason) == (Verdict.UNKNOWN, f"memory limit of {most} MiB")
