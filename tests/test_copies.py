"""Copies of this process: what they keep, how they end, and when there are none."""

from __future__ import annotations

import os
import signal
import threading
from pathlib import Path
from subprocess import TimeoutExpired

import pytest

from helpers.processes import all_ended
from nonosat.core.errors import BackendError
from nonosat.core.limits import PROGRESS_THREAD, Limits, Watch
from nonosat.processes.child import Child
from nonosat.processes.copies import Copy, can_copy
from nonosat.processes.worker import serve

FOREVER = Watch(Limits())
WORDS = ["in this process"]


@pytest.fixture
def log():
    fd = os.memfd_create("log")
    yield fd
    os.close(fd)


def test_a_copy_has_the_data_of_its_process_and_only_the_kept_descriptors(log):
    start, end = os.pipe()
    other = os.open(os.devnull, os.O_RDONLY)

    def work():
        seen = WORDS[0]
        try:
            os.fstat(other)
        except OSError:
            seen += ", closed"
        os.write(end, seen.encode())

    copy = Copy(work, log, (end,))
    assert copy.wait() == 0
    assert os.read(start, 100) == b"in this process, closed"
    for fd in (start, end, other):
        os.close(fd)


def test_output_goes_to_the_log(log):
    copy = Copy(lambda: print("words", flush=True), log, ())
    assert copy.wait() == 0
    assert os.pread(log, 100, 0) == b"words\n"


def test_a_copy_that_fails_has_a_status(log):
    assert Copy(lambda: 1 // 0, log, ()).wait() == 1


def test_waiting_and_killing(log):
    copy = Copy(signal.pause, log, ())
    assert copy.poll() is None
    with pytest.raises(TimeoutExpired):
        copy.wait(0.0)
    copy.kill()
    assert copy.wait() == -signal.SIGKILL
    copy.kill()  # does nothing
    assert copy.poll() == -signal.SIGKILL


def test_a_child_that_is_a_copy_answers_until_it_is_killed():
    copied = Child(serve)
    assert copied.query(("call", os.getpid, ()), FOREVER) == copied.pid
    assert copied.query(("call", len, (WORDS,)), FOREVER) == 1
    copied.kill()
    assert all_ended([copied.pid])


def test_a_child_that_dies_is_named():
    copied = Child(serve)
    with pytest.raises(BackendError, match="SIGKILL"):
        copied.query(("call", os.kill, (copied.pid, signal.SIGKILL)), FOREVER)


def test_a_copy_holds_no_connection_of_other_children():
    """Only then do all of them end with their parent."""
    first, second = Child(serve), Child(serve)
    assert second.query(("call", num_sockets, ()), FOREVER) == 1
    first.kill()
    second.kill()


def num_sockets():
    links = (link for link in Path("/proc/self/fd").iterdir() if link.is_symlink())
    return sum(str(link.readlink()).startswith("socket:") for link in links)


def test_a_process_with_other_threads_is_not_copied(monkeypatch):
    ended = threading.Event()
    for name, expected in ((PROGRESS_THREAD, can_copy()), ("another", False)):
        thread = threading.Thread(target=ended.wait, name=name)
        thread.start()
        assert can_copy() is expected
        ended.set()
        thread.join()
        ended.clear()


def test_there_is_no_process_left_for_a_copy(monkeypatch):
    def fail():
        raise BlockingIOError(11, "Resource temporarily unavailable")

    monkeypatch.setattr(os, "fork", fail)
    with pytest.raises(BackendError, match="no process can be started"):
        Child(serve)
