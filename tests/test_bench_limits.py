"""Hard limits: wall, CPU, memory, and whole trees of processes that ignore signals."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import pytest

from helpers.benches import CORNER, done, only, program, suite_of
from helpers.processes import children_of, happens, is_running
from nonosat.bench.book import Job, message_of
from nonosat.bench.process import Zygote, ZygoteDied
from nonosat.bench.records import Run, Status

SAYS = 'verdicts = {unique = "one"}\n'
SPIN = "while True: pass\n"
# Three generations that ignore SIGTERM, each in a session of its own; the first does not wait.
FAMILY = """
import os, signal, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
signal.signal(signal.SIGHUP, signal.SIG_IGN)
def descend(generation):
    os.setsid()
    with open(sys.argv[2], "a") as file:
        file.write(f"{os.getpid()}\\n")
    if generation < 3 and not os.fork():
        descend(generation + 1)
    if generation == 1:
        os._exit(0)
    time.sleep(60)
if not os.fork():
    descend(1)
while not os.path.exists(sys.argv[2]) or len(open(sys.argv[2]).read().split()) < 3:
    time.sleep(0.01)
"""


def ran(folder: Path, text: str, limits: str, *words: str) -> Run:
    """Return the run of a Python program under limits."""
    own = program(folder, "solver", text, "{jsonl}", *words)
    suite = suite_of(
        folder, f"[configurations.own]\nprogram = {own}\n{SAYS}", CORNER, limits=limits
    )
    (run,) = done(suite)
    return run


def test_wall_limit(tmp_path: Path) -> None:
    run = ran(tmp_path, "import time\ntime.sleep(600)", "wall_s = 1")
    assert (run.status, run.reason) == (Status.TIMEOUT, "wall limit of 1 s")
    assert 1 <= run.wall_s < 60


@pytest.mark.real_time
def test_cpu_limit_counts_every_process_of_the_tree(tmp_path: Path) -> None:
    spinners = f"import os\nos.fork()\nos.fork()\n{SPIN}"
    run = ran(tmp_path, spinners, "wall_s = 600\ncpu_s = 0.3")
    assert (run.status, run.reason) == (Status.TIMEOUT, "CPU limit of 0.3 s")
    assert 0.3 <= run.cpu_s < 60


@pytest.mark.parametrize(
    ("limits", "status", "reason"),
    [
        ("wall_s = 600\ncpu_s = 20", Status.TIMEOUT, "CPU limit of 20 s"),
        ("wall_s = 600", Status.CRASH, "died of SIGXCPU"),
    ],
)
def test_limits_of_the_system_itself(
    tmp_path: Path, limits: str, status: Status, reason: str
) -> None:
    """The system's own limit may come first, because it counts by ticks."""
    text = "import os, signal, time\nos.kill(os.getppid(), signal.SIGXCPU)\ntime.sleep(600)"
    run = ran(tmp_path, text, limits)
    assert (run.status, run.reason) == (status, reason)


@pytest.mark.thorough
def test_cpu_of_reaped_children_counts(tmp_path: Path) -> None:
    burnt = (
        "import os, time\nfor _ in range(1000):\n    if os.fork(): os.wait()\n    else:\n"
        "        while time.process_time() < 0.02: pass\n        os._exit(0)\n"
    )
    run = ran(tmp_path, burnt, "wall_s = 600\ncpu_s = 1")
    assert run.reason == "CPU limit of 1 s"
    assert run.cpu_s >= 1


HOGS = {
    "one": "data = bytearray(400 << 20)\n",
    "several": "import os\nos.fork()\nos.fork()\ndata = bytearray(60 << 20)\n",
    "printing": "for _ in range(400): print('x' * (1 << 20))\n",
}


@pytest.mark.slow
@pytest.mark.parametrize("text", HOGS.values(), ids=HOGS)
def test_memory_limit(tmp_path: Path, text: str) -> None:
    run = ran(tmp_path, f"{text}import time\ntime.sleep(600)", "wall_s = 600\nmemory_mib = 150")
    assert (run.status, run.reason) == (Status.MEMOUT, "memory limit of 150 MiB")
    assert run.peak_mib > 150


@pytest.mark.thorough
def test_a_run_that_exceeds_memory_and_ends_between_two_checks_is_noticed(tmp_path: Path) -> None:
    run = ran(tmp_path, "data = bytearray(50 << 20)\nprint('one')", "wall_s = 30\nmemory_mib = 30")
    assert run.status is Status.MEMOUT


@pytest.mark.slow
def test_memory_shared_with_the_zygote_is_not_counted(tmp_path: Path) -> None:
    way = '[configurations.cpsat]\nbackend = "cpsat"\n[configurations.auto]\n'
    limits = "wall_s = 30\nmemory_mib = 100"
    runs = done(suite_of(tmp_path, way, CORNER, limits=limits))
    assert all(run.peak_mib < 50 for run in runs)


@pytest.mark.thorough
@pytest.mark.parametrize("end", ["print('one')", "import time\ntime.sleep(60)", SPIN])
def test_nothing_of_the_tree_is_left(tmp_path: Path, end: str) -> None:
    run = ran(tmp_path, FAMILY + end, "wall_s = 10\ncpu_s = 1", str(tmp_path / "pids"))
    assert run.status is (Status.OK if "one" in end else Status.TIMEOUT), run.reason
    pids = [int(line) for line in (tmp_path / "pids").read_text().split()]
    assert len(pids) == 3
    assert not any(map(is_running, pids))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["portfolio", "cadical195", "cpsat"])
def test_our_own_engines_end_at_limits(tmp_path: Path, name: str) -> None:
    noise = "[[generate]]\nheight = 90\nwidth = 90\ndensity = 0.5\nseeds = 1\n"
    way = f'[configurations.own]\nbackend = "{name}"\npresolve = "none"\n'
    suite = suite_of(tmp_path, way + noise, limits="wall_s = 1")
    reply = only(suite)
    assert reply["hit"] == "wall_s"
    assert reply["signal"] == 9
    assert reply["wall_s"] < 3


def test_a_run_leaves_no_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path / "scratch"))
    monkeypatch.setattr("tempfile.tempdir", None)
    (tmp_path / "scratch").mkdir()
    text = "import os\nos.mkdir('more')\nopen('more/x', 'w').close()\nprint('one')"
    assert ran(tmp_path, text, "wall_s = 20").status is Status.OK
    assert not list((tmp_path / "scratch").iterdir())


@pytest.mark.thorough
def test_a_job_that_kills_its_zygote_is_a_crash(tmp_path: Path) -> None:
    text = (
        "import os\nstat = open(f'/proc/{os.getppid()}/stat').read().split()\n"
        "os.kill(int(stat[3]), 9)\n"
    )
    run = ran(tmp_path, text + SPIN, "wall_s = 30")
    assert run.status is Status.CRASH
    assert re.fullmatch(r"the process that forks runs died( \(.*\))?, 3 times", run.reason)


def test_a_zygote_that_does_not_start_reports_the_reason(tmp_path: Path) -> None:
    with Zygote([]) as zygote:
        os.kill(zygote.pid, 9)
        with pytest.raises(ZygoteDied):
            zygote.finish()


@pytest.mark.thorough
def test_the_warm_up_is_not_charged_to_the_first_run(tmp_path: Path) -> None:
    suite = suite_of(tmp_path, '[configurations.race]\nbackend = "portfolio"\n', CORNER)
    with Zygote([dict(one.options) for one in suite.configurations]) as guard:
        assert guard.finish() == {"warmed": 1}
        (zygote,) = children_of(guard.pid)
        assert not children_of(zygote)


def test_closing_ends_a_run_at_once(tmp_path: Path) -> None:
    own = program(tmp_path, "solver", FAMILY + SPIN, "{jsonl}", str(tmp_path / "pids"))
    suite = suite_of(tmp_path, f"[configurations.own]\nprogram = {own}\n{SAYS}", CORNER)
    job: Any = message_of(suite, Job(suite.instances[0], suite.configurations[0], 0))
    pids = tmp_path / "pids"
    with Zygote([]) as zygote:
        zygote.finish()
        zygote.begin(job)
        assert happens(pids.parent, lambda: pids.exists() and len(pids.read_text().split()) == 3)
    assert not any(is_running(int(pid)) for pid in pids.read_text().split())
