"""Live progress of a benchmark: its messages, on a terminal alone; and the group of commands."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from helpers.benches import CORNER, SWITCH, program, suite_of
from helpers.commands import COMMAND, run, whole
from helpers.processes import PATIENCE_S
from nonosat.bench.records import Status
from nonosat.cli._bench_run import described
from nonosat.cli._progress import clock

ESCAPE = re.compile(r"\x1b\[[\d;?]*[A-Za-z]")


def crew(ok: int, bad: int, running: list[tuple[str, float]]) -> Any:
    statuses = Counter({Status.OK: ok, Status.CRASH: bad})
    return SimpleNamespace(
        done=ok + bad, total=100, statuses=statuses, started=50.0, running=lambda: running
    )


def test_messages() -> None:
    assert described(crew(0, 0, []), 50.0) == "0 running"
    assert described(crew(20, 0, [("a", 59.5)]), 60.0) == "1 running, 2/s, 0:40 left"
    slow = [("order on hard.jsonl#steps", 55.0), ("b", 59.9)]
    assert described(crew(9, 1, slow), 60.0) == (
        "2 running, 1 not ok, 1/s, 1:30 left, 5 s: order on hard.jsonl#steps"
    )
    (_, name) = described(crew(0, 0, [("a\x1b[2J" + "b" * 99, 50.0)]), 60.0).split("s: ")
    assert name == "a\ufffd[2J" + "b" * 32 + "..."


@pytest.mark.parametrize(
    ("seconds", "text"), [(0, "0:00"), (9.6, "0:10"), (61, "1:01"), (7384, "2:03:04")]
)
def test_durations(seconds: float, text: str) -> None:
    assert clock(seconds) == text


@pytest.mark.thorough
def test_a_terminal_sees_progress_and_a_pipe_does_not(tmp_path: Path) -> None:
    own = program(tmp_path, "slow", "import time\ntime.sleep(0.2)\nprint('one')", "{jsonl}")
    way = f'[configurations.slow]\nprogram = {own}\nverdicts = {{unique = "one"}}\n'
    suite = suite_of(tmp_path, way, CORNER, SWITCH)
    asked = [*COMMAND, "bench", "run", str(suite.path), "-o", str(tmp_path / "out")]
    ours, theirs = pty.openpty()
    env = {**os.environ, "TERM": "xterm", "COLUMNS": "100"}
    done = subprocess.Popen(asked, stdout=subprocess.PIPE, stderr=theirs, env=env)
    os.close(theirs)
    seen = b""
    with os.fdopen(ours, "rb", buffering=0) as stream:
        try:
            while chunk := stream.read(1000):
                seen += chunk
        except OSError:  # the other side is closed
            pass
    printed, _ = done.communicate(timeout=PATIENCE_S)
    text = ESCAPE.sub("", seen.decode())
    assert "0/2 1 running" in text
    assert "1/2 1 running, " in text
    assert printed.decode() == f"2 runs: 2 ok; {tmp_path / 'out'}\n"
    quiet = whole("bench", "run", str(suite.path), "-o", str(tmp_path / "other"))
    assert quiet.stdout == f"2 runs: 2 ok; {tmp_path / 'other'}\n"
    (remark,) = quiet.stderr.splitlines()  # without a configuration of ours
    assert remark.startswith("nonosat: all configurations are programs")


def test_commands_are_imported_on_request() -> None:
    script = (
        "import sys\nfrom nonosat.cli import main\n"
        "try: main(sys.argv[1:])\nexcept SystemExit as end: assert not end.code\n"
        "heavy = ('rich', 'json', 'nonosat.bench.records')\n"
        "print([name for name in heavy if name in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, "bench", "--help"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == "[]\n"
    assert "run " in run("bench", "--help").stdout
    assert run("bench", "jump").exit_code == 2
