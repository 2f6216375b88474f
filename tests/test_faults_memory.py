"""Lack of memory in native code, external engines and threads: a message, never an abort.

The native core by itself is tested by `tests/native/fuzz_memory.cpp`, at each of its allocations.
"""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from typing import Any

import pytest

from helpers.commands import COMMAND, UNIQUE, put
from helpers.processes import PATIENCE_S
from nonosat.cli import UNKNOWN, report
from nonosat.processes.system import signal_name

__all__ = ["put"]  # a fixture

# `check` by an engine that may allocate so many MiB beyond the memory in use at its start.
LITTLE = """
import json, resource, sys
import nonosat, nonosat.solving.pipeline
from nonosat.core.errors import BackendError
from nonosat.puzzles.nonogram import from_grid

backend, mib, side = sys.argv[1], int(sys.argv[2]), 60
puzzle = from_grid(nonosat.Grid(side, side, bytes((i * i * 7919 >> 5) % 2 for i in range(side**2))))
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + mib * 2**20, resource.RLIM_INFINITY))
try:
    result = nonosat.check(puzzle, backend=backend, presolve="none", time_limit_s=20)
    print(json.dumps([result.verdict.value, result.reason]))
except BackendError as error:
    print(json.dumps(["failed", str(error)]))
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="the limit is of addresses, as Linux has it")
@pytest.mark.parametrize(
    ("backend", "mib"),
    [("minisat22", 30), *(("learn", mib) for mib in (5, 12, 15, 16)), ("cpsat", 30)],
)
def test_an_engine_without_more_memory_ends_with_a_message(backend: str, mib: int) -> None:
    words = [sys.executable, "-c", LITTLE, backend, str(mib)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    verdict, reason = json.loads(done.stdout)
    if verdict == "unknown":
        assert reason.startswith("out of memory")
    elif verdict == "failed":
        assert backend in reason
    else:
        assert verdict == "multiple"


@pytest.mark.skipif(sys.platform != "linux", reason="the limit is of addresses, as Linux has it")
def test_a_small_file_takes_little_memory_to_read(put: Any) -> None:
    """Formerly 256 MiB, the maximum size of a file, were allocated at once."""
    line = f"ulimit -v 200000; exec {' '.join(COMMAND)} show {put(UNIQUE)}"
    done = subprocess.run(["sh", "-c", line], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (MemoryError(), "nonosat: here: out of memory\n"),
        (MemoryError("of a line"), "nonosat: here: out of memory: of a line\n"),
        (RuntimeError("can't start new thread"), "out of memory: can't start new thread\n"),
    ],
)
def test_a_command_without_memory_reports_it(
    error: Exception, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert report(error, "here") == UNKNOWN
    assert capsys.readouterr().err.endswith(told)


def test_every_signal_has_a_name() -> None:
    assert signal_name(signal.SIGKILL) == "SIGKILL"
    assert signal_name(signal.SIGRTMIN + 3) == f"signal {signal.SIGRTMIN + 3}"
