"""Whole processes: scripts that are interrupted, killed, forked or simply end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

from helpers.processes import PATIENCE_S, all_ended, children_of, is_running

HARD = '''
import random
import signal
import time
from nonosat.backends import open_backend
from nonosat.core import hooks
from nonosat.core.limits import Limits, Watch

signal.signal(signal.SIGINT, signal.default_int_handler)  # a background shell ignores it

def tell_when_solving():
    """Print a line when the clock of limits has been read so often that the engine is at work."""
    readings = iter(range(30))

    def clock():
        if next(readings, None) == 29:
            print("ready", flush=True)
        return time.monotonic()

    hooks.clock = clock

def hard(name, watch):
    rng = random.Random(1)
    engine = open_backend(name, 500, 0, {}, watch)
    for _ in range(2130):
        engine.add([rng.choice((1, -1)) * var for var in rng.sample(range(1, 501), 3)])
    return engine
'''


def start(tmp_path, body, *, how="file"):
    """Python process that runs `body`, without a main guard."""
    folder = tmp_path / "scripts"
    folder.mkdir(exist_ok=True)
    script = folder / "script.py"
    script.write_text(HARD + body)
    command = [str(script)] if how == "file" else ["-c", HARD + body]
    return subprocess.Popen(
        [sys.executable, *command],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def output_of(process):
    with process:
        out, err = process.communicate(timeout=PATIENCE_S)
    assert err == ""
    assert process.returncode == 0
    return out.split()


@pytest.mark.slow
@pytest.mark.parametrize("how", ["file", "command"])
def test_a_script_needs_no_main_guard(tmp_path, how):
    body = """
watch = Watch(Limits(time_s=0.5))
for name in ("cadical195", "minisat22"):
    engine = hard(name, watch)
    print(engine.solve((), watch).value)
"""
    assert output_of(start(tmp_path, body, how=how)) == ["unknown", "unknown"]


def test_only_the_script_is_imported_by_the_child(tmp_path):
    (tmp_path / "scripts").mkdir()
    (tmp_path / "scripts" / "tempfile.py").write_text("raise SystemExit('the wrong one')")
    body = """
engine = open_backend("cadical195", 1, 0, {}, Watch(Limits()))
print(engine.solve((), Watch(Limits())).value)
"""
    assert output_of(start(tmp_path, body)) == ["sat"]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["minisat22", "cadical195", "glucose421", "cpsat"])
def test_interrupting_a_script_leaves_nothing(tmp_path, name):
    body = f"""
import os, sys
watch = Watch(Limits(time_s=1000))
engine = hard({name!r}, watch)
tell_when_solving()
try:
    engine.solve((), watch)
except KeyboardInterrupt:
    engine.close()
    print("interrupted", flush=True)
    sys.stdin.readline()
"""
    process = start(tmp_path, body)
    with process:
        assert process.stdout.readline() == "ready\n"
        children = children_of(process.pid)
        process.send_signal(signal.SIGINT)
        assert process.stdout.readline() == "interrupted\n"
        assert is_running(process.pid)
        assert all_ended(children)
        process.stdin.close()
        assert process.wait(PATIENCE_S) == 0
        assert process.stderr.read() == ""


def test_a_child_that_is_still_starting_dies_with_its_parent(tmp_path):
    """The import of a module of the standard library blocks it before it can read its socket."""
    begun, stub = tmp_path / "begun", tmp_path / "stub"
    os.mkfifo(begun)
    stub.mkdir()
    (stub / "pickle.py").write_text(
        f"import signal\nopen({str(begun)!r}, 'w').close()\nsignal.pause()\n"
    )
    body = f"""
import os, sys
from nonosat.processes.child import Child
os.environ["PYTHONPATH"] = {str(stub)!r}
print(Child().pid, flush=True)
sys.stdin.readline()
"""
    with start(tmp_path, body) as process:
        child = int(process.stdout.readline())
        begun.read_bytes()
        assert is_running(child)
        process.kill()
        process.wait(PATIENCE_S)
    assert all_ended([child])


@pytest.mark.parametrize("name", ["cadical195", "cpsat"])
def test_a_child_dies_with_its_parent(tmp_path, name):
    body = f"""
watch = Watch(Limits(time_s=1000))
engine = hard({name!r}, watch)
tell_when_solving()
engine.solve((), watch)
"""
    process = start(tmp_path, body)
    with process:
        assert process.stdout.readline() == "ready\n"
        (child,) = children_of(process.pid)
        assert is_running(child)
        process.kill()
        process.wait()
        assert all_ended([child])


def test_the_end_of_a_script_ends_idle_and_forgotten_children(tmp_path):
    body = """
from contextlib import closing
watch = Watch(Limits())
with closing(open_backend("cadical195", 1, 0, {}, watch)) as engine:
    engine.solve((), watch)
    print(engine.child.pid)
forgotten = [open_backend("kissat404", 1, 0, {}, watch) for _ in range(2)]
print(*(engine.child.pid for engine in forgotten))
"""
    pids = output_of(start(tmp_path, body))
    assert len(set(pids)) == 2 + 1 - 1  # the idle one was reused
    assert all_ended(map(int, pids))


def test_a_fork_has_children_of_its_own(tmp_path):
    body = """
import os
from contextlib import closing

def answer():
    with closing(open_backend("cadical195", 1, 0, {}, watch)) as engine:
        return engine.solve((), watch).value, engine.child.pid

watch = Watch(Limits())
verdict, idle = answer()
busy = open_backend("cadical195", 1, 0, {}, watch)
other = open_backend("cadical195", 1, 0, {}, watch)
pid = os.fork()
if not pid:
    busy.close()  # as the garbage collector of the copy would
    verdict, mine = answer()
    print(verdict, mine != idle, flush=True)
    os._exit(0)
os.waitpid(pid, 0)
print(busy.solve((), watch).value, other.solve((), watch).value)
"""
    assert output_of(start(tmp_path, body)) == ["sat", "True", "sat", "sat"]
