"""Files that cannot be written: a full disk, read-only folders. A file is complete or unchanged."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

import pytest

from helpers.commands import put, run
from helpers.full import full_after
from nonosat.processes import files, system
from test_cli_writing import FILES, WRITERS, Writer, things

__all__ = ["put", "things"]  # fixtures

MOST = 1  # byte; every file is longer
HARD = f"{Path(__file__).parent.parent}/instances/hard.jsonl#steps-4 --presolve none"
LONGER = {  # than the outputs of the tests of all writers
    "check --cover": Writer(f"check {HARD} --cubes 2 --cover", "a.jsonl"),
}
JOURNALS = ("batch --output", "bench run --output", "fuzz --output")
OF_BENCH = ("bench run --report", "bench encodings --output", "bench encodings --results")
OTHERS = (*JOURNALS, *OF_BENCH, "solve --cover")  # `solve` writes as `check` does


def contents() -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in Path().rglob("*") if path.is_file()}


@pytest.fixture(autouse=True)
def temporary(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Temporary folder of this test alone."""
    folder = tmp_path_factory.mktemp("temporary")
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


@pytest.mark.thorough
@pytest.mark.usefixtures("things")
@pytest.mark.parametrize("name", [name for name in FILES if name not in OTHERS])
@pytest.mark.parametrize("is_there", [False, True], ids=["new", "old"])
def test_a_full_disk_leaves_existing_files(name: str, is_there: bool, temporary: Path) -> None:
    writer = LONGER.get(name, WRITERS[name])
    if is_there:
        Path(writer.name).write_text("mine")
    before = contents()
    with full_after(MOST):
        done = run(*writer.line.split(), writer.name, *["--force"] * is_there)
    assert done.exit_code == 2, done.output
    assert ": File too large" in done.stderr
    assert contents() == before
    assert list(temporary.iterdir()) == []


@pytest.mark.thorough
@pytest.mark.usefixtures("things")
@pytest.mark.parametrize("name", JOURNALS)
def test_results_on_a_full_disk_are_whole_lines(name: str, temporary: Path) -> None:
    """Recorded results are kept, and more space suffices to go on."""
    writer = WRITERS[name]
    words = [*writer.line.split(), writer.name]
    assert run(*words).exit_code == 0
    whole = Path(writer.name).read_bytes()
    for room in (0, 5, len(whole) - 5):
        Path(writer.name).unlink()
        with full_after(room):
            done = run(*words)
        assert (done.exit_code, done.stderr.count("File too large")) == (2, 1)
        assert f"nonosat: {writer.name}: " in done.stderr
        left = Path(writer.name).read_bytes()
        assert left == b"" or left.endswith(b"\n")
        assert run(*words, "--resume").exit_code == 0
        assert Path(writer.name).read_bytes().count(b"\n") >= whole.count(b"\n")
    assert list(temporary.iterdir()) == []


def test_without_nameless_files_a_draft_has_a_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On other systems; the draft is visible while it is written, and removed afterwards."""
    monkeypatch.delattr(os, "O_TMPFILE")
    assert system.nameless_in(tmp_path) is None
    with files.draft_of(tmp_path / "a.txt") as draft:
        draft.write_bytes(b"all")
        assert list(tmp_path.iterdir()) == [draft]
    assert [path.name for path in tmp_path.iterdir()] == ["a.txt"]
    with full_after(1), pytest.raises(OSError, match=r"File too large: '.*a.txt'"):
        files.write_atomically(tmp_path / "a.txt", b"more")
    assert (tmp_path / "a.txt").read_bytes() == b"all"
    assert [path.name for path in tmp_path.iterdir()] == ["a.txt"]
    with pytest.raises(FileNotFoundError, match=r"nowhere/a.txt"):
        files.write_atomically(tmp_path / "nowhere" / "a.txt", b"more")


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no files without names")
def test_a_draft_has_no_name(tmp_path: Path) -> None:
    with files.draft_of(tmp_path / "a.txt") as draft:
        draft.write_bytes(b"all")
        assert list(tmp_path.iterdir()) == []
    assert (tmp_path / "a.txt").read_bytes() == b"all"
    os.umask(mask := os.umask(0o077))
    assert (tmp_path / "a.txt").stat().st_mode & 0o777 == 0o666 & ~mask


@pytest.mark.parametrize("has_nameless", [True, False])
def test_drafts_of_one_name_do_not_meet_in_a_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, has_nameless: bool
) -> None:
    """Threads that write two certificates do this: their files have the same names."""
    if not has_nameless:
        monkeypatch.delattr(os, "O_TMPFILE")
    first, second = (tmp_path / name / "manifest.json" for name in "ab")
    replace = Path.replace

    def meanwhile(draft: Path, target: Path) -> Path:
        if target == first:
            write(second)
        return replace(draft, target)

    def write(path: Path) -> None:
        path.parent.mkdir()
        with files.draft_of(path, tmp_path) as draft:
            draft.write_text(path.parent.name)

    monkeypatch.setattr(Path, "replace", meanwhile)
    write(first)
    assert [first.read_text(), second.read_text()] == ["a", "b"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "b"]
