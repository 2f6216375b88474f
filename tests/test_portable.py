"""Without Linux's own features everything but `bench run` works, in children as well.

`helpers/elsewhere/sitecustomize.py` lists the removed features; every interpreter imports it, since
it is in PYTHONPATH.
"""

from __future__ import annotations

import json
import os
import platform
import random
import re
import signal
import stat
import subprocess
import sys
from importlib.metadata import files
from pathlib import Path
from typing import Any

import pytest

import nonosat
from helpers.processes import PATIENCE_S, all_ended, below, eventually, happens, interruptible
from nonosat.batch.environment import environment
from nonosat.cli import FAILURE, outcome_of
from nonosat.puzzles.nonogram import from_grid, mono

ELSEWHERE = Path(__file__).parent / "helpers" / "elsewhere"
ONES = mono([[1]] * 4, [[1]] * 4)  # 24 permutations
(KISSAT,) = (
    str(file.locate()) for file in files("passagemath-kissat") or () if file.name == "kissat"
)
SLEEP = "time.sleep(300)"
NEEDS = "a memory limit needs to know how much memory processes use"


def start(*words: str, folder: Path, psutil: bool = True, **streams: Any) -> subprocess.Popen[str]:
    """Start Python on such a system."""
    paths = [str(ELSEWHERE), *filter(None, [os.environ.get("PYTHONPATH")])]
    temporary = folder / "temporary"
    temporary.mkdir(exist_ok=True)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "TMPDIR": str(temporary)}
    if not psutil:
        environment["NO_PSUTIL"] = "1"
    with interruptible():
        return subprocess.Popen(
            [sys.executable, *words],
            env=environment,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            **streams,
        )


def ran(*words: str, folder: Path, psutil: bool = True) -> tuple[int, str, str]:
    """Return (exit status, output, errors) of a command that must leave no files."""
    with start(*words, folder=folder, psutil=psutil) as process:
        out, err = process.communicate(timeout=300)
    assert list((folder / "temporary").iterdir()) == []
    return process.returncode, out, err


def script(body: str, folder: Path, *, psutil: bool = True) -> str:
    """Return the output of a script that can import from this file."""
    begin = f"import nonosat, sys\nsys.path.append({str(Path(__file__).parent)!r})\n"
    status, out, err = ran("-c", begin + body, folder=folder, psutil=psutil)
    assert (status, err) == (0, "")
    return out


def solver(folder: Path, body: str) -> str:
    """Return a backend: a program in Python."""
    path = folder / "solver"
    path.write_text(f"#!{sys.executable}\nimport os, sys, time\n{body}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return f"program:{path}"


def sleeper(folder: Path) -> str:
    """Return a backend that creates a file `up`, and sleeps."""
    return solver(folder, f"open({str(folder / 'up')!r}, 'w')\n{SLEEP}")


def hard() -> dict[str, Any]:
    """Random picture that no engine decides during a test, as JSON data."""
    draw = random.Random(7)
    cells = bytes(draw.random() < 0.4 for _ in range(1600))
    puzzle = from_grid(nonosat.Grid(40, 40, cells))
    lines = {"rows": puzzle.rows, "columns": puzzle.columns}
    return {name: [[length for length, _ in clue] for clue in lines[name]] for name in lines}


# The features are missing, here and in children


def test_the_features_are_missing(tmp_path: Path) -> None:
    body = """
import ctypes, os, signal
from nonosat.core.limits import Limits, Watch
from nonosat.processes.child import Child

def found():
    there = [name for name in ("memfd_create", "pidfd_open") if hasattr(os, name)]
    there += [] if not hasattr(ctypes.CDLL(None), "prctl") else ["prctl"]
    try:
        open("/proc/self/statm")
    except FileNotFoundError:
        return there
    return [*there, "/proc"]

from nonosat.processes import system
print(found())
child = Child()
print(child.query(("call", system.path_of, (0,)), Watch(Limits())))
print(child.query(("call", system.end_of, (os.getpid(),)), Watch(Limits())))
"""
    assert script(body, tmp_path).split("\n") == ["[]", "None", "-1", ""]


# Solving

BACKENDS = [
    "auto",
    "cadical195",
    "glucose421",
    "cpsat",
    "portfolio:cadical195,glucose421",
    f"program:{KISSAT} -q {{cnf}}",
    f"program:{KISSAT} -q",
]


def answers(backend: str) -> list[Any]:
    """Return the answers to all queries on ONES; executed here and on such a system."""
    how: dict[str, Any] = {"backend": backend, "presolve": "none"}
    found = [nonosat.solve(ONES, max_solutions=None, **how), nonosat.check(ONES, **how)]
    return [
        [found[0].verdict.value, sorted(grid.cells.hex() for grid in found[0].solutions)],
        [found[1].verdict.value, found[1].backend],
        nonosat.count(ONES).count,
        sorted(nonosat.backbone(ONES).settled.cells),
    ]


@pytest.fixture(scope="module")
def here() -> dict[str, list[Any]]:
    """Return the answers on this machine without changes, by backend."""
    return {backend: answers(backend) for backend in BACKENDS}


@pytest.mark.thorough
@pytest.mark.parametrize("psutil", [True, False])
def test_every_query_has_the_same_answer(
    tmp_path: Path, here: dict[str, list[Any]], psutil: bool
) -> None:
    body = """
import json
from test_portable import BACKENDS, answers
print(json.dumps({backend: answers(backend) for backend in BACKENDS}))
"""
    assert json.loads(script(body, tmp_path, psutil=psutil)) == here


@pytest.mark.thorough
@pytest.mark.parametrize("psutil", [True, False])
def test_commands_work(tmp_path: Path, psutil: bool) -> None:
    (tmp_path / "ones.json").write_text(json.dumps({"rows": [[1]] * 4, "columns": [[1]] * 4}))
    unique = {"id": "one", "rows": [[2], [1]], "columns": [[2], [1]]}
    (tmp_path / "unique.jsonl").write_text(json.dumps(unique) + "\n")

    def command(*words: str) -> tuple[int, str]:
        status, out, err = ran("-m", "nonosat", *words, folder=tmp_path, psutil=psutil)
        assert err == ""
        return status, out

    assert command("solve", "ones.json", "--cubes", "2", "--presolve", "none")[0] == 0
    status, out = command("batch", "ones.json", "unique.jsonl", "-o", "results", "--jobs", "2")
    assert status == 3
    assert {"1 unique", "1 multiple"} == set(re.findall(r"\b1 [a-z]{3,}", out))
    assert command("prove", "unique.jsonl", "-o", "proof")[0] == 0
    assert command("verify", "proof")[0] == 0


def test_the_machine_is_described(tmp_path: Path) -> None:
    body = "import json\nfrom nonosat.batch.environment import environment as of"
    there, here = json.loads(script(f"{body}\nprint(json.dumps(of()))", tmp_path)), environment()
    assert there["cpu"] == platform.machine()
    assert there["cores"] == os.cpu_count()
    assert here["memory_mib"] > 100
    assert {**there, "cpu": here["cpu"], "cores": here["cores"]} == here


# Limits


@pytest.mark.thorough
@pytest.mark.parametrize("backend", ["glucose421", "cpsat", f"program:{KISSAT} -q {{cnf}}"])
def test_limits_of_time_hold(tmp_path: Path, backend: str) -> None:
    (tmp_path / "hard.json").write_text(json.dumps(hard()))
    body = f"""
result = nonosat.solve(nonosat.load("hard.json"), backend={backend!r}, time_limit_s=0.5)
print(result.verdict.value, result.reason, sep=": ")
"""
    assert script(body, tmp_path) == "unknown: time limit of 0.5 s\n"


def test_psutil_reads_memory(tmp_path: Path) -> None:
    body = """
import subprocess, sys
from nonosat.core.limits import Limits, Watch
from nonosat.processes.memory import resident_mib

before = resident_mib(None)
block = bytearray(b"x") * (200 * 2**20)
assert 190 < resident_mib(None) - before < 220
assert Watch(Limits(memory_mib=int(before) + 100)).reason().startswith("memory limit")
assert Watch(Limits(memory_mib=int(before) + 300)).reason() is None
words = [sys.executable, "-c", "print(); input()"]
process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
process.stdout.readline()
assert 1 < resident_mib(process.pid) < 100
process.kill()
process.wait()
assert resident_mib(process.pid) == 0
print("done")
"""
    assert script(body, tmp_path) == "done\n"


@pytest.mark.slow
def test_a_program_that_grows_is_stopped(tmp_path: Path) -> None:
    backend = solver(tmp_path, "x = b'1' * 400_000_000\n" + SLEEP)
    body = f"""
from test_portable import ONES
result = nonosat.solve(ONES, backend={backend!r}, presolve="none", memory_limit_mib=350)
print(result.reason)
"""
    assert script(body, tmp_path) == "memory limit of 350 MiB\n"


@pytest.mark.slow
def test_a_child_that_grows_is_killed(tmp_path: Path) -> None:
    body = """
import time
from nonosat.core.errors import LimitReached
from nonosat.core.limits import Limits, Watch
from nonosat.processes.child import Child

try:
    Child().query(("call", bytearray(b"x").__mul__, (2**30,)), Watch(Limits(60, 300)))
except LimitReached as reached:
    print(reached)
"""
    assert script(body, tmp_path) == "memory limit of 300 MiB\n"


@pytest.mark.slow
@pytest.mark.parametrize(
    "words", [["check", "one.jsonl"], ["count", "one.jsonl"], ["batch", "one.jsonl", "-o", "out"]]
)
def test_without_psutil_a_limit_of_memory_is_refused(tmp_path: Path, words: list[str]) -> None:
    (tmp_path / "one.jsonl").write_text('{"rows": [[1]], "columns": [[1]]}\n')
    words = ["-m", "nonosat", *words, "--memory-limit", "1000"]
    status, out, err = ran(*words, folder=tmp_path, psutil=False)
    assert (status, out) == (2, "")
    assert NEEDS in err
    assert "pip install 'psutil<" in err
    assert not (tmp_path / "out").exists()


def test_without_psutil_limits_are_refused_when_they_are_made(tmp_path: Path) -> None:
    body = """
from nonosat.core.errors import UnsupportedError
from nonosat.core.limits import Limits

Limits(time_s=1)
try:
    Limits(memory_mib=10**6)
except UnsupportedError as error:
    print(error)
"""
    assert script(body, tmp_path, psutil=False).startswith(NEEDS)


# The end


@pytest.mark.slow
@pytest.mark.parametrize("how", ["ctrl-c", "kill"])
@pytest.mark.parametrize("backend", ["glucose421", "program"])
def test_nothing_outlives_the_command(tmp_path: Path, how: str, backend: str) -> None:
    (tmp_path / "hard.json").write_text(json.dumps(hard()))
    backend = sleeper(tmp_path) + " {cnf}" if backend == "program" else backend
    words = ["-m", "nonosat", "check", "hard.json", "--presolve", "none", "--backend", backend]
    with start(*words, folder=tmp_path, start_new_session=True) as process:
        if "program" in backend:
            assert happens(tmp_path, (tmp_path / "up").exists)
        assert eventually(lambda: below(process.pid))
        children = below(process.pid)
        process.send_signal(signal.SIGINT if how == "ctrl-c" else signal.SIGKILL)
        process.communicate(timeout=PATIENCE_S)
    assert process.returncode == (130 if how == "ctrl-c" else -signal.SIGKILL)
    assert all_ended(children)
    temporary = tmp_path / "temporary"
    assert happens(temporary, lambda: not list(temporary.iterdir()))


def test_a_benchmark_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    (tmp_path / "one.jsonl").write_text('{"rows": [[1]], "columns": [[1]]}\n')
    suite = "instances = ['one.jsonl']\n[limits]\nwall_s = 1\n[configurations.auto]\n"
    (tmp_path / "suite.toml").write_text(suite)
    words = ["-m", "nonosat", "bench", "run", "suite.toml", "-o", "out.jsonl"]
    status, _, err = ran(*words, folder=tmp_path)
    assert status == 2
    assert "pidfd_open cannot be used, expected Linux 5.3 or later" in err
    assert not (tmp_path / "out.jsonl").exists()


# Systems that are not POSIX

NO_POSIX = f"""
import sys
sys.path.append({str(Path(__file__).parent)!r})
from helpers.not_posix import take_away
take_away()
import nonosat
"""


def test_solving_needs_no_posix(tmp_path: Path) -> None:
    """Engines in children, programs, `batch`, certificates and the studio's server need it."""
    body = """
steps, switch = nonosat.load("bundled:steps-8"), nonosat.load("bundled:switch")
print(nonosat.check(steps, time_limit_s=600, jobs=2), nonosat.count(switch), sep="\\n")
print(nonosat.solve(nonosat.load("bundled:loop-8")).verdict, nonosat.count(nonosat.Queens(6)).count)
print(nonosat.solve(nonosat.Knight(5, 5)).verdict, nonosat.rate(steps).difficulty)
nonosat.encode(switch, "switch.cnf")
nonosat.save(switch, "switch.non")
print(nonosat.load("switch.non"))
"""
    done = subprocess.run(
        [sys.executable, "-c", NO_POSIX + body],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == [
        "Staircase of 8 dominoes: 17 rows x 17 columns: unique",
        "The smallest choice: 2 rows x 2 columns: 2 solutions",
        "Verdict.SOLVED 4",
        "Verdict.SOLVED 7.6",
        "The smallest choice: 2 rows x 2 columns",
    ]


def test_the_command_needs_no_posix(tmp_path: Path) -> None:
    body = """
from nonosat.__main__ import main
sys.argv = ["nonosat", "check", "bundled:switch"]
main()
"""
    done = subprocess.run(
        [sys.executable, "-c", NO_POSIX + body],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (3, "")
    assert "multiple" in done.stdout


@pytest.mark.parametrize(
    ("words", "missing"),
    [
        (["batch", "bundled:pictures", "-o", "out"], "os.O_"),
        (["bench", "run", "suite.toml", "-o", "out.jsonl"], "module resource"),
        (["check", "bundled:steps-8", "--backend", "cadical195"], ""),
    ],
)
def test_commands_that_need_posix_name_what_is_missing(
    words: list[str], missing: str, tmp_path: Path
) -> None:
    body = f"""
from nonosat.__main__ import main
sys.argv = ["nonosat", *{words!r}]
main()
"""
    done = subprocess.run(
        [sys.executable, "-c", NO_POSIX + body],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2, done.stderr
    assert f"this system has no {missing}" in done.stderr
    assert "expected a POSIX system such as Linux or macOS" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_other_missing_attributes_are_failures() -> None:
    """The object may be an array, which compares element by element."""
    numpy = pytest.importorskip("numpy")
    with pytest.raises(AttributeError) as missing:
        numpy.zeros(3).unknown  # noqa: B018
    assert outcome_of(missing.value)[1] == FAILURE
