"""Functions of the operating system, in this process, with single ones missing."""

from __future__ import annotations

import ctypes
import errno
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

import nonosat
from helpers.processes import PATIENCE_S
from nonosat.core.errors import UnsupportedError
from nonosat.core.limits import Limits
from nonosat.processes import memory, system
from nonosat.processes.programs import Program, Scratch

HOUSE = Path(nonosat.__file__).parent
NEEDS = "a memory limit needs to know how much memory processes use"


def test_only_one_module_calls_functions_of_linux() -> None:
    calls = re.compile(
        r"os\.(memfd_create|pidfd_open|sched_getaffinity|waitid|pipe2)|prctl\(|[\"']/proc/"
    )
    found = {path.name for path in HOUSE.rglob("*.py") if calls.search(path.read_text())}
    assert found == {"system.py"}


def test_memory_of_a_process_grows_with_its_data() -> None:
    before, _ = system.resident_and_shared("self")
    held = b"x" * (64 << 20)
    after, shared = system.resident_and_shared(os.getpid())
    assert 60 < after - before < 70
    assert 0 < shared < after
    assert len(held) == 64 << 20


def test_memory_of_a_process_that_has_ended_is_none() -> None:
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    assert system.resident_and_shared(ended.pid) == (0.0, 0.0)


def test_memory_that_cannot_be_read_is_an_error_of_the_system(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Full:
        """Too many files are open."""

        def open(self, path: bytes, flags: int) -> int:
            ctypes.set_errno(errno.EMFILE)
            return -1

        def close(self, file: int) -> int:
            ctypes.set_errno(errno.EBADF)
            return -1

    monkeypatch.setattr(system, "_libc", Full)
    with pytest.raises(OSError, match="Too many open files"):
        system.resident_and_shared("self")


@pytest.fixture
def without_proc(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(memory, "resident_and_shared", lambda pid: (0.0, 0.0))
    memory._meter.cache_clear()
    yield
    memory._meter.cache_clear()


@pytest.mark.usefixtures("without_proc")
def test_psutil_that_reads_nothing_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """This happens on Linux if /proc is not mounted."""
    import psutil

    def process(pid: int | None) -> None:
        raise psutil.NoSuchProcess(pid)

    monkeypatch.setattr(psutil, "Process", process)
    assert not memory.is_readable()
    with pytest.raises(UnsupportedError, match=rf"^{NEEDS}.*psutil cannot read it either"):
        Limits(memory_mib=1)


@pytest.mark.usefixtures("without_proc")
def test_a_process_that_may_not_be_read_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    import psutil

    own = psutil.Process

    def process(pid: int | None) -> psutil.Process:
        if pid is not None:
            raise psutil.AccessDenied(pid)
        return own()

    monkeypatch.setattr(psutil, "Process", process)
    assert memory.resident_mib(None) > 1
    with pytest.raises(UnsupportedError, match=r"^the memory of process 1 cannot be read"):
        memory.resident_mib(1)


def test_cores_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    assert system.num_cores() == len(os.sched_getaffinity(0))
    monkeypatch.delattr(os, "sched_getaffinity")
    assert system.num_cores() == os.cpu_count()
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert system.num_cores() == 1


def test_files_without_names_hold_written_data(monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(2):
        fd = system.nameless_file("nonosat-test")
        os.write(fd, b"text")
        assert os.pread(fd, 9, 0) == b"text"
        assert os.fstat(fd).st_nlink == 0
        assert not os.get_inheritable(fd)
        os.close(fd)
        monkeypatch.delattr(os, "memfd_create", raising=False)


def num_open() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


@pytest.mark.parametrize("has_paths", [True, False])
def test_files_of_programs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, has_paths: bool
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    if not has_paths:
        monkeypatch.setattr("nonosat.processes.programs.path_of", lambda fd: None)
    before = num_open()
    with Scratch(3) as files:
        assert len(files.fds) == len(files.paths) == 3
        for fd, path in zip(files.fds, files.paths, strict=True):
            Path(path).write_text(path)
            assert os.pread(fd, 999, 0).decode() == path
        assert bool(files.folder) != has_paths
        assert bool(list(tmp_path.iterdir())) != has_paths
    assert list(tmp_path.iterdir()) == []
    assert num_open() == before


@pytest.mark.parametrize("seconds", ["0", "60"])
def test_a_group_that_cannot_be_killed(monkeypatch: pytest.MonkeyPatch, seconds: str) -> None:
    """Some systems refuse it for a group that has ended, which is no error."""

    def refuse(group: int, number: int) -> None:
        raise PermissionError

    with Scratch(0) as files:
        words = [str(shutil.which("sleep")), "sleep", seconds]
        program = Program(words, (subprocess.DEVNULL,) * 3, files)
        monkeypatch.setattr(os, "killpg", refuse)
        if seconds == "0":
            assert program.wait(PATIENCE_S)
            assert program.end() == 0
            return
        with pytest.raises(PermissionError):
            program.end()
        program._process.kill()
        assert program._process.wait() == -signal.SIGKILL
