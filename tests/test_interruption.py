"""Ctrl-C at any moment of a command: status 130, and no traceback of an import."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from helpers.commands import COMMAND
from helpers.processes import PATIENCE_S, interruptible
from nonosat.processes.interruption import Deferred

ROOT = Path(__file__).parent.parent
PICTURES = str(ROOT / "instances" / "pictures.jsonl")
ARGS = {"--help": ["--help"], "check": ["check", PICTURES], "list": ["list"]}
SCRIPT = str(Path(sys.executable).with_name("nonosat"))
MOMENTS_MS = (20, 35, 50, 65, 80, 95, 110, 130, 160, 200, 250, 300)
ENDS = (130, -signal.SIGINT)  # at exit Python re-raises the signal; a shell then reports 130, too

# Ctrl-C just before the import of a module, and during an import.
IMPORTING = """
import os, signal, sys
asked = sys.argv.pop(1)
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == asked:
            sys.meta_path.remove(self)
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Finder())
from nonosat.__main__ import main
try:
    main()
finally:
    assert asked in sys.modules, "nothing has imported it"
"""


def interrupted_at(module: str, *args: str) -> subprocess.CompletedProcess[str]:
    """Return the command that gets Ctrl-C just before the import of a module."""
    command = [sys.executable, "-c", IMPORTING, module, *args]
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S, check=False)


@pytest.mark.parametrize("module", ["nonosat.cli", "click", "gettext"])
def test_interrupted_imports_are_silent(module: str) -> None:
    with interruptible():
        done = interrupted_at(module, "check", PICTURES)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


@pytest.mark.thorough
@pytest.mark.parametrize(
    "module",
    ["nonosat.cli.check", "nonosat.formats", "nonosat._core", "nonosat.solving.pipeline", "json"],
)
def test_a_command_at_work_is_interrupted_between_imports(module: str) -> None:
    with interruptible():
        done = interrupted_at(module, "check", PICTURES)
    assert done.returncode == 130
    assert done.stderr == "" or done.stderr.startswith("nonosat: interrupted, ")
    assert done.stderr.count("\n") <= 1


@pytest.mark.slow
def test_an_ignored_signal_stays_ignored() -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)  # children inherit that
    try:
        done = interrupted_at("nonosat.cli.list", "list", "families")
    finally:
        signal.signal(signal.SIGINT, before)
    assert done.returncode == 0
    assert "nonogram" in done.stdout


@pytest.mark.real_time
@pytest.mark.thorough
@pytest.mark.parametrize(("door", "first"), [([SCRIPT], 0), (COMMAND, 1)], ids=["script", "module"])
@pytest.mark.parametrize("args", ARGS.values(), ids=ARGS)
def test_every_moment_ends_without_a_message(door: list[str], first: int, args: list[str]) -> None:
    """Messages of Python before our first line runs cannot be silenced."""
    for moment_ms in MOMENTS_MS[first::2]:
        with interruptible():
            process = subprocess.Popen(
                [*door, *args], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
            )
        time.sleep(moment_ms / 1000)
        process.send_signal(signal.SIGINT)
        told = process.communicate(timeout=PATIENCE_S)[1]
        if "Traceback" in told or "init_import_site" in told:
            assert not re.search('File "[^"]*/(nonosat/cli|click)/', told)
            continue
        assert process.returncode in (0, *ENDS), moment_ms
        assert told == "" or told.startswith("nonosat: interrupted, "), moment_ms


# A shutdown that hangs: a block of `Deferred` that does not end. `signal.pause` would miss a signal
# that comes just before it; a byte in a pipe is not missed.
HANGING = """
import os, signal, sys
from nonosat.processes.interruption import Deferred
end, signalled = os.pipe()
os.set_blocking(signalled, False)
signal.set_wakeup_fd(signalled)
with Deferred() as signals:
    signals.stop_by(lambda: print("stopping", flush=True))
    print("at work", flush=True)
    while True:
        os.read(end, 1)
"""


@pytest.mark.parametrize("before", [[], [signal.SIGTERM], [signal.SIGHUP, signal.SIGTERM]])
def test_a_second_ctrl_c_ends_a_shutdown_that_hangs(before: list[int]) -> None:
    with interruptible():
        process = subprocess.Popen(
            [sys.executable, "-c", HANGING],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
    with process:
        assert process.stdout is not None
        assert process.stdout.readline() == "at work\n"
        for number in (*before, signal.SIGINT):
            process.send_signal(number)
            assert process.stdout.readline() == "stopping\n"
        process.send_signal(signal.SIGINT)
        told, errors = process.communicate(timeout=PATIENCE_S)
    assert (process.returncode, told, errors) == (130, "", "")


def test_a_terminal_that_is_closed_hangs_up_twice() -> None:
    """The system and the shell both send the signal: neither ends a shutdown in progress."""
    calls: list[str] = []

    def shut_down() -> None:
        signal.signal(signal.SIGHUP, signal.default_int_handler)
        with Deferred() as signals:
            signals.stop_by(lambda: calls.append("stop"))
            signal.raise_signal(signal.SIGHUP)
            signal.raise_signal(signal.SIGHUP)
            calls.append("shut down")

    with interruptible(), pytest.raises(KeyboardInterrupt):
        shut_down()
    assert calls == ["stop", "stop", "shut down"]
