"""Environments that lack something: a locale, a home, a terminal, a folder, assertions, a clock."""

from __future__ import annotations

import errno
import fcntl
import gc
import io
import itertools
import os
import pty
import re
import signal
import subprocess
import sys
import termios
import time
from pathlib import Path
from typing import Any

import pytest

import nonosat
from helpers.commands import COLOURED, COMMAND, MULTIPLE, UNIQUE, UNSOLVABLE, put, run
from helpers.processes import PATIENCE_S, all_ended, below, eventually
from nonosat.backends import _remote
from nonosat.cli import forget_unwritten
from nonosat.processes import system
from nonosat.puzzles.nonogram.data import mono
from test_cli_process import hard

__all__ = ["put"]  # a fixture

PICTURES = Path(__file__).parent.parent / "instances" / "pictures.jsonl"
PLAIN = {"PATH": os.environ["PATH"]}
LANGUAGE = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
FINE = {"id": "Pâté ☂", "title": "\u2603", "rows": [[1]], "columns": [[1]]}
CLOCKS = re.compile(r"\d+\.\d+ s")


def asked(
    *words: str, env: dict[str, str], python: tuple[str, ...] = ()
) -> subprocess.CompletedProcess[bytes]:
    """Return the output of a command in an environment with only these variables."""
    line = [sys.executable, *python, *COMMAND[1:], *words]
    settings: dict[str, Any] = {"capture_output": True, "timeout": 100, "check": False}
    return subprocess.run(line, env={**PLAIN, **env}, **settings)


def text_of(done: subprocess.CompletedProcess[bytes]) -> str:
    """Return its output without times; check that no error occurred."""
    assert b"Traceback" not in done.stderr
    assert done.returncode in (0, 3, 4), done.stderr
    return CLOCKS.sub("T", done.stdout.decode())


@pytest.mark.thorough
@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_a_locale_without_the_letters(put: Any, encoding: str) -> None:
    env = {**LANGUAGE, "PYTHONIOENCODING": encoding}
    words = ["check", put(FINE, UNSOLVABLE), "nowhere-☂.non", "--svg", "-"]
    assert asked(*words, env=env).returncode == 2
    done = asked("check", "puzzles.jsonl", "nowhere-☂.non", env=env)
    assert done.returncode == 2
    assert b"Traceback" not in done.stderr
    assert b"nowhere-" in done.stderr
    shown = done.stdout.decode("utf-8" if encoding == "ascii" else encoding)  # click handles that
    assert "unsolvable" in shown
    assert "P\\xe2t\\xe9" in shown or "Pâté" in shown
    for command in ("show", "explain", "convert --to jsonl"):
        done = asked(*command.split(), "puzzles.jsonl#Pâté ☂", env=env)
        assert b"Traceback" not in done.stderr
        assert done.returncode in (0, 2)


@pytest.mark.slow
def test_no_home_no_temporary_folder_and_no_bytecode(put: Any) -> None:
    path = put(hard() | {"rows": [[1]] * 3, "columns": [[1]] * 3})
    engine = ["--backend", "glucose421", "--presolve", "none"]
    bare = {"TMPDIR": "/nowhere", "PYTHONDONTWRITEBYTECODE": "1"}
    words = [["check", path, *engine], ["batch", path, "-o", "results", "--jobs", "1"]]
    for each in words:
        assert asked(*each, env=bare).returncode == 3
    assert b"multiple" in Path("results").read_bytes()


@pytest.mark.thorough
@pytest.mark.parametrize("python", [("-O",), ("-OO",)])
def test_without_assertions_the_verdicts_are_the_same(put: Any, python: tuple[str, ...]) -> None:
    """A wrong answer is refused by checks, not by assertions."""
    path = put(UNIQUE, MULTIPLE, UNSOLVABLE, COLOURED)
    with_them = asked("check", path, env={})
    assert text_of(asked("check", path, env={}, python=python)) == text_of(with_them)
    assert b"auto" in asked("list", "backends", env={}, python=python).stdout
    assert asked("list", env={}, python=python).returncode == 0


@pytest.mark.thorough
@pytest.mark.parametrize(
    "words", ["check --json", "explain", "encode -o - --to mzn", "convert - --to webpbn", "rate"]
)
def test_hash_seeds_have_no_effect(words: str) -> None:
    command, *rest = words.split()
    which = str(PICTURES) if command == "check" else f"{PICTURES}#cat"
    said = {
        re.sub(r'"[a-z_]*(seconds|_s)": [\d.e-]+', "T", text_of(done))
        for seed in ("1", "2")
        if (done := asked(command, which, *rest, env={"PYTHONHASHSEED": seed}))
    }
    assert len(said) == 1


@pytest.mark.thorough
def test_a_folder_that_is_gone(put: Any, tmp_path: Path) -> None:
    path = tmp_path / put(UNIQUE)
    gone = tmp_path / "gone"
    for words in (f"check {path}", "check puzzles.jsonl", f"prove {path} -o new", "list"):
        gone.mkdir()
        line = f"cd {gone}; rmdir {gone}; exec {' '.join(COMMAND)} {words}"
        done = subprocess.run(["sh", "-c", line], capture_output=True, text=True, check=False)
        works = words in (f"check {path}", "list")
        assert done.returncode == (0 if works else 2)
        assert works or re.fullmatch(r"nonosat: .*(folder|read).*: No such file.*\n", done.stderr)


@pytest.mark.slow
@pytest.mark.parametrize("words", ["queens 6", "check puzzles.jsonl nowhere", "prove nowhere -o p"])
def test_standard_error_that_is_full(put: Any, words: str) -> None:
    put(UNIQUE)
    line = f"exec {' '.join(COMMAND)} {words} 2>/dev/full"
    done = subprocess.run(["sh", "-c", line], capture_output=True, text=True, check=False)
    assert done.returncode == 2


def test_an_output_closed_from_outside_ends_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    closed = io.StringIO()
    closed.close()
    monkeypatch.setattr(sys, "stdout", closed)
    monkeypatch.setattr(sys, "stderr", None)
    forget_unwritten()


@pytest.mark.slow
def test_few_files_may_be_open(put: Any) -> None:
    path = put(UNIQUE, MULTIPLE)
    line = f"ulimit -n 24; exec {' '.join(COMMAND)} batch {path} -o results --jobs 2 --force-jobs"
    done = subprocess.run(["sh", "-c", line], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (3, "")
    line = f"ulimit -n 7; exec {' '.join(COMMAND)} check {path} --backend cadical195"
    line += " --presolve none"
    done = subprocess.run(["sh", "-c", line], capture_output=True, text=True, check=False)
    assert done.returncode in (2, 70)
    assert "Too many open files" in done.stderr


# Terminals


@pytest.mark.thorough
@pytest.mark.parametrize("words", ["check puzzles.jsonl --backend glucose421", "batch"])
def test_a_terminal_that_is_closed_ends_all(put: Any, words: str, tmp_path: Path) -> None:
    path = put(UNIQUE, hard())
    line = words.split() if words != "batch" else ["batch", path, "-o", "out", "--jobs", "1"]
    ours, theirs = pty.openpty()

    def attach() -> None:
        signal.signal(signal.SIGHUP, signal.SIG_DFL)
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)

    process = subprocess.Popen(
        [*COMMAND, *line],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env={**os.environ, "TERM": "xterm", "TMPDIR": str(tmp_path)},
        start_new_session=True,
        preexec_fn=attach,
    )
    os.close(theirs)
    shown = b""
    while b"hard" not in shown and b"1 of " not in shown:
        shown += os.read(ours, 65536)
    assert eventually(lambda: below(process.pid))
    children = below(process.pid)
    os.close(ours)
    assert process.wait(PATIENCE_S) == 129
    assert all_ended(children)
    assert {path.name for path in tmp_path.iterdir()} <= {"puzzles.jsonl", "out"}


@pytest.mark.slow
@pytest.mark.parametrize("terminal", [{}, {"TERM": "dumb"}, {"TERM": "x", "COLUMNS": "1"}])
def test_odd_terminals(put: Any, terminal: dict[str, str]) -> None:
    path = put(COLOURED, UNIQUE)
    ours, theirs = pty.openpty()
    streams = {"stdin": theirs, "stdout": theirs, "stderr": theirs}
    env = {**PLAIN, "LINES": "1", **terminal}
    with subprocess.Popen([*COMMAND, "check", path], env=env, **streams) as process:
        os.close(theirs)
        shown = b""
        try:
            while piece := os.read(ours, 65536):
                shown += piece
        except OSError:  # all has been read
            pass
    os.close(ours)
    assert process.returncode == 0
    assert shown.count(b"unique") == 3
    assert b"Traceback" not in shown


# Clocks


@pytest.mark.real_time
def test_only_the_monotonic_clock_matters(monkeypatch: pytest.MonkeyPatch) -> None:
    """The time of day jumps by a year, back and forth."""
    jumps = itertools.cycle([0.0, 4e7, -4e7])
    real = time.time
    monkeypatch.setattr(time, "time", lambda: real() + next(jumps))
    monkeypatch.setattr(time, "time_ns", lambda: int(1e9 * time.time()))
    puzzle = nonosat.load(f"{PICTURES}#cat")
    for backend in ("auto", "minisat22", "glucose421"):
        result = nonosat.check(puzzle, backend=backend, presolve="none", time_limit_s=60)
        assert result.verdict is nonosat.Verdict.UNIQUE
        assert 0 < result.seconds < 60
    clues = hard()
    assert nonosat.check(mono(clues["rows"], clues["columns"]), time_limit_s=0.3).reason.startswith(
        "time limit"
    )


def test_a_second_writer_of_results_is_refused(put: Any) -> None:
    from nonosat.processes.journal import Journal

    path = put(UNIQUE)
    Path("suite.toml").write_text(
        f"instances = ['{path}']\n[limits]\nwall_s = 9\n[configurations.auto]\n"
    )
    with Journal("out"):
        for words in (["batch", path], ["bench", "run", "suite.toml"], ["fuzz", "--cases", "1"]):
            done = run(*words, "-o", "out")
            assert done.exit_code == 2
            assert "out is being written by another process" in done.stderr
            assert Path("out").read_bytes() == b""


# Processes

STEPS = f"{PICTURES.parent}/hard.jsonl#steps-8 --presolve none"


@pytest.mark.thorough
@pytest.mark.parametrize(
    "line",
    [
        "check puzzles.jsonl --presolve none --backend glucose421",
        f"check puzzles.jsonl --presolve none --backend program:{sys.executable}",
        "check puzzles.jsonl --presolve none --backend portfolio",
        f"check {STEPS} --cubes 2 --jobs 1",
        f"prove {STEPS.split()[0]} -o proof --cubes 2 --jobs 1",
        "batch puzzles.jsonl -o out --jobs 1",
        "bench run suite.toml -o out",
        "fuzz --cases 1 --jobs 1",
    ],
)
def test_no_process_can_be_started(
    put: Any, line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Simulates that RLIMIT_NPROC is reached, which does not apply to root."""
    put(MULTIPLE)
    Path("suite.toml").write_text(
        "instances = ['puzzles.jsonl']\n[limits]\nwall_s = 9\n[configurations.auto]\n"
    )
    (tmp_path / "tmp").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "tmp"))

    def refuse(*_: object, **__: object) -> None:
        raise BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable")

    monkeypatch.setattr(_remote, "_idle", {})
    monkeypatch.setattr(subprocess, "Popen", refuse)
    run(*line.split())  # resources that are opened only once
    Path("out").unlink(missing_ok=True)
    gc.collect()
    num_open = len(list(Path("/proc/self/fd").iterdir()))
    done = run(*line.split())
    assert done.exit_code == 70
    assert "no process can be started (Resource temporarily unavailable); end others" in done.stderr
    assert "raise the limit (`ulimit -u`)" in done.stderr
    assert "please report" not in done.stderr
    assert list((tmp_path / "tmp").iterdir()) == []
    assert not Path("proof").exists()
    gc.collect()
    assert eventually(lambda: len(list(Path("/proc/self/fd").iterdir())) == num_open)


def test_a_launcher_that_cannot_fork_reports_it() -> None:
    """It starts a keeper next to the program."""
    refusing = "import os, sys\ndef no(): raise BlockingIOError(11, 'too many')\nos.fork = no\n"
    code = refusing + system._KEEPER.partition("import os, sys")[2]
    words = [sys.executable, "-I", "-S", "-c", code, "0", "", "/bin/true", "true"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (1, "no process can be started: 'too many'")
