"""Helpers of the tests of limits and children: facts about processes."""

from __future__ import annotations

import ctypes
import gc
import os
import select
import signal
import threading
import time
from collections import defaultdict
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path

from nonosat.processes.child import REAPER

PATIENCE_S = 120.0  # seconds, after which a waiting test is considered hung
_CHANGES = 0x2 | 0x8 | 0x40 | 0x80 | 0x100 | 0x200  # IN_MODIFY to IN_DELETE of <sys/inotify.h>


@contextmanager
def interruptible():
    """Reset the signals that end a process to their defaults, which children inherit.

    A shell that runs tests in the background ignores SIGINT, `nohup` SIGHUP.

    Hypothesis measures the garbage collector, and Python drops exceptions in such callbacks; they
    are removed here, or an interrupt during a garbage collection would be lost.
    """
    watching = [each for each in gc.callbacks if each.__module__.startswith("hypothesis.")]
    for each in watching:
        gc.callbacks.remove(each)
    handlers = {
        signal.SIGINT: signal.default_int_handler,
        signal.SIGTERM: signal.SIG_DFL,
        signal.SIGHUP: signal.SIG_DFL,
    }
    before = {number: signal.signal(number, handler) for number, handler in handlers.items()}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        gc.callbacks[:0] = watching


@contextmanager
def ignoring(*numbers):
    """Ignore these signals, in children too."""
    before = {number: signal.signal(number, signal.SIG_IGN) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def families():
    """Children of each process, by number, zombies included."""
    found = defaultdict(set)
    for path in Path("/proc").iterdir():
        if path.name.isdecimal():
            with suppress(FileNotFoundError, ProcessLookupError):
                fields = (path / "stat").read_text().rpartition(")")[2].split()
                found[int(fields[1])].add(int(path.name))
    return found


def children_of(pid):
    """Processes, zombies included, whose parent is `pid`."""
    return families()[pid]


def below(pid):
    """Descendants of a process, except Python's resource tracker."""
    children, found, last = families(), set(), {pid}
    while last:
        alive = (each for parent in last for each in children[parent] if is_running(each))
        last = {each for each in alive if "resource_tracker import" not in command_of(each)}
        found |= last
    return found


def dask_workers_of(pid):
    """Workers of a driver's own cluster."""
    return {each for each in children_of(pid) if "spawn_main" in command_of(each)}


def workers_of(pid):
    """Worker processes of a driver: copies of it, or fresh interpreters."""
    names = (command_of(pid), "worker.py")
    return {each for each in below(pid) if any(name in command_of(each) for name in names)}


def command_of(pid):
    try:
        return Path(f"/proc/{pid}/cmdline").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return ""


def is_running(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def begun(ask, has_begun, limit_s):
    """Return the result of work that exceeds any limit, and the limit that it had.

    A machine that stalls can use up a short limit before the work shows any progress: then the
    limit is multiplied by five, at most twice.

    Args:
        ask: Does the work within a limit in seconds.
        has_begun: Returns True if a result shows progress.
        limit_s: The first limit.
    """
    for more in (1, 5, 25):
        found = ask(limit_s * more)
        if has_begun(found):
            break
    return found, limit_s * more


def all_ended(pids):
    """Wait until all of these processes have ended, as zombies or altogether; return True."""
    for pid in pids:
        try:
            handle = os.pidfd_open(pid)
        except ProcessLookupError:
            continue
        with closing(os.fdopen(handle)):
            ready, _, _ = select.select([handle], [], [], PATIENCE_S)
            assert ready, f"process {pid} did not end"
    return True


def reap_killed():
    """Wait until every child that `Child.kill` has killed is reaped.

    A thread reaps those that the kernel frees slowly, as it does on a loaded machine.
    """
    for thread in threading.enumerate():
        if thread.name == REAPER:
            thread.join(PATIENCE_S)


def happens(folder, condition, unless=None):
    """Return the condition's result when it is true; evaluated after each change of files in a
    folder.

    The kernel reports each change (inotify), so that nothing is polled.

    Args:
        folder: The folder; folders in it are not watched.
        condition: A function without arguments.
        unless: A child; after its end the condition may be false.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    with ExitStack() as opened:
        changes = opened.enter_context(os.fdopen(libc.inotify_init1(os.O_CLOEXEC)))
        watched = libc.inotify_add_watch(changes.fileno(), os.fsencode(folder), _CHANGES)
        assert watched >= 0, os.strerror(ctypes.get_errno())
        waits = [changes]
        if unless is not None and unless.poll() is None:
            waits.append(opened.enter_context(os.fdopen(os.pidfd_open(unless.pid))))
        while not (found := condition()):
            if unless is not None and unless.poll() is not None:
                return condition()
            ready, _, _ = select.select(waits, [], [], PATIENCE_S)
            assert ready, f"this did not happen in {folder}"
            if changes in ready:
                os.read(changes.fileno(), 65536)
    return found


def announcing(folder, word):
    """Let each Python process with such a word in its command create a file in a folder.

    Copies of Python processes create one, too.

    Args:
        folder: An empty one; it gets the folder `born`, in which the files are named by number.
        word: The end of a word.

    Returns:
        Environment variables for it.
    """
    (folder / "born").mkdir()
    (folder / "sitecustomize.py").write_text(
        "import os, sys\n"
        "def announce():\n"
        f"    open(os.path.join({str(folder / 'born')!r}, str(os.getpid())), 'w').close()\n"
        "os.register_at_fork(after_in_child=announce)\n"
        f"if any(word.endswith({word!r}) for word in sys.orig_argv):\n"
        "    announce()\n"
    )
    return {**os.environ, "PYTHONPATH": str(folder)}


def eventually(condition, seconds=PATIENCE_S):
    """Poll a condition whose changes no event reports."""
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(0.01)
    return condition()


def spin(seconds: float) -> None:
    """Python code that never polls a watch."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        pass
