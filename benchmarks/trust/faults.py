"""Kills of every long command at random moments, with a check of the remains.

Each command runs in its own folder with its own temporary folder, and receives a signal at a random
moment between its start and its end: SIGINT and SIGTERM, to it alone or to its process group as
from a terminal, SIGHUP to the group, `kill -9`. Afterwards

* none of its processes is left (they have a mark in their environment);
* its temporary folder is empty;
* every file that it writes is absent or complete: the bytes of an undisturbed run, or
  readable records, the last of which may be torn only by `kill -9`;
* it has reported only the interruption, and its exit status is that of the signal.
"""

from __future__ import annotations

import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple
from uuid import uuid4

from record import Asked, Figures, perform  # first: it adds the path of `common`

# isort: split
from common import BUNDLED, COMMAND

MARK = "NONOSAT_FAULTS"
PATIENCE_S = 10.0  # for processes to end after a signal
CLOCKS = re.compile(rb"\d+(\.\d+)?")  # times, which differ between runs
SUITE = """
instances = ["pictures.jsonl"]
[limits]
wall_s = 20
[configurations.auto]
[configurations.sat]
backend = "cadical195"
presolve = "none"
"""
HARD = "hard.jsonl#steps-10 --presolve none"
LINES = {
    "solve": f"solve {HARD}",
    "solve --backend cadical195": f"solve {HARD} --backend cadical195 --svg out.svg",
    "solve --backend cpsat": f"solve {HARD} --backend cpsat",
    "solve --backend portfolio": f"solve {HARD} --backend portfolio",
    "solve --backend program": f"solve {HARD} --backend 'program:{{own}} {{{{cnf}}}}'",
    "check --cubes": f"check {HARD} --cubes 4 --jobs 2 --force-jobs --cover out.jsonl",
    "batch": "batch random.jsonl -o results --time-limit 20",
    "batch --jobs 2": "batch pictures.jsonl -o results --jobs 2 --force-jobs --presolve none",
    "bench run": "bench run suite.toml -o results --report out.csv",
    "prove": "prove hard.jsonl#steps-10 -o out",
    "prove --force": "prove hard.jsonl#steps-8 -o proof --force",
    "verify": "verify proof",
    "generate slitherlink": "generate slitherlink 8 8 --number 5 --to jsonl -o out.jsonl",
    "encode": "encode hard.jsonl#knot-wide -o out.cnf",
    "encode .gz": "encode hard.jsonl#knot-wide -o out.cnf.gz",
    "convert": "convert random.jsonl out.non",
    "convert --force": "convert random.jsonl old.non --force",
    "explain": "explain pictures.jsonl#cat --html out.html",
    "study run": "study run --quick tiny.jsonl -o out.md",
    "bench report": "bench report recorded -o out.html",
}
SHORT = ("check --cubes", "batch --jobs 2", "prove", "encode")
# The signal goes to the command alone, or to its process group.
WAYS = [
    (signal.SIGINT, False),
    (signal.SIGINT, True),
    (signal.SIGTERM, False),
    (signal.SIGTERM, True),
    (signal.SIGHUP, True),
    (signal.SIGKILL, False),
]
# A solver that leaves a child process, and never answers.
PROGRAM = """#!/bin/sh
sleep 60 &
exec sleep 60
"""


class Kill(NamedTuple):
    """The end of a command.

    Args:
        number: Number of the signal.
        is_to_all: Send it to the whole process group.
        after_s: Seconds after its start.
    """

    number: signal.Signals
    is_to_all: bool
    after_s: float

    def __str__(self) -> str:
        to = "its group" if self.is_to_all else "it"
        return f"{self.number.name} to {to} after {self.after_s:.3f} s"


class Ground:
    """A folder with all input files of the command lines, copied for every run.

    Args:
        folder: New and empty.
        has_results: Prepare a certificate and a record, which few commands read.
    """

    def __init__(self, folder: Path, *, has_results: bool) -> None:
        self._folder = folder
        self._given = folder / "given"
        self._given.mkdir()
        (self._given / "tmp").mkdir()
        for name in ("hard", "pictures", "random"):
            shutil.copy(BUNDLED / f"{name}.jsonl", self._given)
        (self._given / "tiny.jsonl").write_text('{"rows":[[1],[1]],"columns":[[1],[1]]}\n')
        (self._given / "suite.toml").write_text(SUITE)
        (self._given / "own").write_text(PROGRAM)
        (self._given / "own").chmod(0o700)
        (self._given / "old.non").write_text("old")
        made = ("prove hard.jsonl#steps-8 -o proof", "bench run suite.toml -o recorded")
        for line in made if has_results else ():
            words = [*COMMAND, *line.split()]
            subprocess.run(words, cwd=self._given, stdout=subprocess.DEVNULL, check=True)
        self._num_runs = 0

    def new(self) -> Path:
        """Return a copy."""
        self._num_runs += 1
        made = self._folder / str(self._num_runs)
        shutil.copytree(self._given, made)
        return made

    def files(self, folder: Path) -> dict[str, bytes]:
        """Return the files that a command has written or changed in its copy, by name."""
        found = {}
        for path in folder.rglob("*"):
            name = path.relative_to(folder)
            before = self._given / name
            if path.is_dir():
                if not before.is_dir():
                    found[f"{name}/"] = b""
                continue
            data = path.read_bytes()
            if not before.is_file() or before.read_bytes() != data:
                found[str(name)] = data
        return found


class Run:
    """A command in its own folder, running or ended."""

    def __init__(self, ground: Ground, line: str) -> None:
        self.ground = ground
        self.folder = ground.new()
        self.mark = uuid4().hex
        words = [
            word.strip("'").format(own=self.folder / "own") if "{own}" in word else word
            for word in re.findall(r"'[^']*'|\S+", line)
        ]
        self.words = words
        self.status: int | None = None
        self.told = b""

    def perform(self, kill: Kill | None) -> float:
        """Run the command and send it a signal, if any; return the seconds it took."""
        env = {**os.environ, MARK: self.mark, "TMPDIR": str(self.folder / "tmp")}
        started = time.monotonic()
        with subprocess.Popen(
            [*COMMAND, *self.words],
            cwd=self.folder,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            start_new_session=True,
            preexec_fn=listening,
        ) as process:
            if kill is not None:
                with suppress(subprocess.TimeoutExpired):
                    process.wait(kill.after_s)
                if process.poll() is None:  # not reaped, so its process id is still valid
                    send = os.killpg if kill.is_to_all else os.kill
                    send(process.pid, kill.number)
            try:
                self.told = process.communicate(timeout=120)[1]
            except subprocess.TimeoutExpired:
                process.kill()
            self.status = process.wait()
        return time.monotonic() - started

    def survivors(self) -> list[str]:
        """Return its remaining processes and temporary files."""
        end = time.monotonic() + PATIENCE_S
        while (pids := self._processes()) and time.monotonic() < end:
            time.sleep(0.01)
        found = [f"the process {command_of(pid)!r}" for pid in pids]
        for pid in pids:  # remaining ones must not disturb the next run
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        return found + [f"the temporary {path.name}" for path in (self.folder / "tmp").iterdir()]

    def _processes(self) -> list[int]:
        text = f"{MARK}={self.mark}".encode()
        found = []
        for path in Path("/proc").glob("[0-9]*/environ"):
            with suppress(OSError):
                if text in path.read_bytes():
                    found.append(int(path.parent.name))
        return found


def listening() -> None:
    """Restore default signal handling in the child: background jobs of a shell ignore some."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


def command_of(pid: int) -> str:
    """Return the command line of a process."""
    with suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode().strip()
    return "?"


def mistakes(run: Run, kill: Kill, whole: dict[str, bytes]) -> Iterator[str]:
    """Yield mistakes in the remains of a killed command.

    Args:
        run: The command, at its end.
        kill: The signal that ended it.
        whole: Its files after an undisturbed run.
    """
    yield from (f"it leaves {what}" for what in run.survivors())
    for name, data in run.ground.files(run.folder).items():
        if name not in whole:
            yield f"it leaves {name}"
        elif name == "results":
            yield from torn(data, kill)
        elif CLOCKS.sub(b"0", data) != CLOCKS.sub(b"0", whole[name]):
            yield f"{name} is not whole: {len(data)} bytes of {len(whole[name])}"
    told = run.told.decode(errors="replace")
    if "KeyboardInterrupt" in told and "nonosat/cli" not in told:
        return  # Python itself was starting, whose output nonosat cannot suppress
    number = kill.number
    ends = {0, 3, 128 + number, -number} - ({128 + number} if number is signal.SIGKILL else set())
    if run.status not in ends:
        yield f"its exit status is {run.status}: {run.told[-300:].decode(errors='replace')}"
    if "nonosat/" in told and "Traceback" in told:
        yield f"it shows a traceback: {told[-400:]}"


def torn(data: bytes, kill: Kill) -> Iterator[str]:
    """Yield mistakes in records."""
    import json

    *lines, rest = data.split(b"\n")
    if rest and kill.number is not signal.SIGKILL:
        yield f"the last record is torn: {rest[-40:]!r}"
    for line in lines:
        try:
            json.loads(line)
        except ValueError:
            yield f"a record is broken: {line[:60]!r}"


def check(asked: Asked) -> Figures:
    """Kill every command many times."""
    failures: list[str] = []
    checked: Counter[str] = Counter()
    ends: Counter[str] = Counter()
    rng = random.Random(asked.seed)
    with tempfile.TemporaryDirectory(prefix="nonosat-faults-") as name:
        ground = Ground(Path(name), has_results=not asked.short)
        for command, line in LINES.items():
            if asked.short and command not in SHORT:
                continue
            undisturbed = Run(ground, line)
            seconds = undisturbed.perform(None) if "{own}" not in line else 1.0
            whole = ground.files(undisturbed.folder)
            for turn in range(asked.cases(2 * len(WAYS), 3)):
                number, is_to_all = WAYS[(turn + len(checked)) % len(WAYS)]
                kill = Kill(number, is_to_all, rng.uniform(0, 1.05 * seconds))
                run = Run(ground, line)
                run.perform(kill)
                found = [f"{command}, {kill}: {what}" for what in mistakes(run, kill, whole)]
                print(*found, sep="\n", file=sys.stderr, end="\n" * bool(found))
                failures += found
                checked[command] += 1
                is_done = run.status in (0, 3)
                ends["done before" if is_done else f"{number.name}: {run.status}"] += 1
                shutil.rmtree(run.folder)
    return {"checked": dict(checked), "ends": dict(sorted(ends.items())), "failures": failures}


if __name__ == "__main__":
    perform("faults", check)
