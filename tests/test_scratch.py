"""Temporary folders: those of dead processes are removed, all others are kept."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from nonosat.processes import scratch
from nonosat.processes.scratch import scratch_folder

HOLD = """
import sys
from nonosat.processes.scratch import scratch_folder
with scratch_folder("test") as folder:
    print(folder, flush=True)
    sys.stdin.read()
"""


@pytest.fixture(autouse=True)
def place(tmp_path, monkeypatch):
    """Folder for temporary files of this test alone."""
    folder = tmp_path / "tmp"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    monkeypatch.setenv("TMPDIR", str(folder))
    return folder


def left(place):
    return sorted(each.name for each in place.iterdir())


def test_a_folder_is_ours_alone_and_removed_in_the_end(place):
    with scratch_folder("test") as folder:
        assert Path(folder).stat().st_mode & 0o777 == 0o700
        (Path(folder) / "below").mkdir()
        assert left(place) == [Path(folder).name]
    assert left(place) == []
    with pytest.raises(ZeroDivisionError), scratch_folder("test"):
        1 / 0  # noqa: B018
    assert left(place) == []


def test_the_next_run_removes_folders_of_killed_processes_and_none_of_living_ones(place):
    words = [sys.executable, "-c", HOLD]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen(words, **pipes) as dead, subprocess.Popen(words, **pipes) as alive:
        folders = [Path(process.stdout.readline().strip()) for process in (dead, alive)]
        (folders[0] / "full").write_text("x")
        assert all(each.is_dir() for each in folders)
        dead.send_signal(signal.SIGKILL)
        dead.wait()
        with scratch_folder("other"):
            assert folders[0].exists()  # of another kind
        with scratch_folder("test") as mine:
            assert not folders[0].exists()
            assert left(place) == sorted([folders[1].name, Path(mine).name])
            assert (folders[1] / "lock").exists()
        alive.stdin.close()
        assert alive.wait() == 0
    assert left(place) == []


def test_folders_not_provably_ours_and_dead_are_kept(place, tmp_path, monkeypatch):
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "lock").write_text("")
    (place / "nonosat-test-link").symlink_to(outside)
    (place / "nonosat-test-file").write_text("")
    (place / "nonosat-test-young").mkdir()  # without a lock as yet
    odd = place / "nonosat-test-odd"
    odd.mkdir()
    (odd / "lock").symlink_to(outside / "lock")
    pipe = place / "nonosat-test-pipe"
    pipe.mkdir()
    os.mkfifo(pipe / "lock")
    before = left(place)
    with scratch_folder("test"):
        pass
    assert left(place) == before
    assert (outside / "lock").exists()
    dead = place / "nonosat-test-dead"
    dead.mkdir()
    (dead / "lock").write_text("")
    monkeypatch.setattr(scratch.os, "geteuid", lambda: os.getuid() + 1)  # another user's
    with scratch_folder("test"):
        pass
    assert dead.exists()
    monkeypatch.undo()
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    with scratch_folder("test"):
        pass
    assert left(place) == before
