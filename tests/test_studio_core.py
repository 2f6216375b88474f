"""The core for browsers is built if emcc supports it; otherwise all other parts are built."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

import nonosat

NATIVE = Path(nonosat.__file__).parent / "native"
MAKER = ["-G", "Ninja"] if shutil.which("ninja") else []  # several times as fast
PROJECT = """\
cmake_minimum_required(VERSION 3.20)
project(only_wasm LANGUAGES NONE)
include(wasm/wasm.cmake)
"""
OUTPUT = 'while [ "$1" != -o ]; do shift; done; echo made > "$2"'
FAKES = {
    "works": OUTPUT,
    "fails at once": "echo it is broken >&2; exit 1",
    "fails at the core": f"""\
case "$*" in *trial.cpp*) ;; *) echo too old for this >&2; exit 1 ;; esac
{OUTPUT}""",
    "fails at a file": f"""\
case "$*" in *live/analysis.cpp*) echo too old for this >&2; exit 1 ;; esac
{OUTPUT}""",
    "makes nothing": "",
}

pytestmark = pytest.mark.skipif(not shutil.which("cmake"), reason="cmake is not installed")


def built(folder: Path, fake: str) -> tuple[bool, str]:
    """Return True if a build with such an emcc installs core.wasm, and the output."""
    source, build, prefix = folder / "source", folder / "build", folder / "prefix"
    source.mkdir(parents=True)
    for room in NATIVE.iterdir():
        (source / room.name).symlink_to(room)
    (source / "CMakeLists.txt").unlink()
    (source / "CMakeLists.txt").write_text(PROJECT)
    emcc = folder / "emcc"
    emcc.write_text(f"#!/bin/sh\n{fake}\n")
    emcc.chmod(0o755)
    said = ""
    for words in (
        ["-S", str(source), "-B", str(build), *MAKER],
        ["--build", str(build), "-j", "2"],
        ["--install", str(build), "--prefix", str(prefix)],
    ):
        done = subprocess.run(
            ["cmake", *words],
            env={**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"},
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        said += done.stdout + done.stderr
    return any(prefix.rglob("core.wasm")), said


@pytest.mark.thorough
@pytest.mark.parametrize("fake", FAKES)
def test_an_emcc_that_fails_leaves_the_core_out(fake: str, tmp_path: Path) -> None:
    is_there, said = built(tmp_path / "a folder", FAKES[fake])
    assert is_there is (fake == "works")
    assert ("core.wasm is left out: emcc fails" in said) is (fake != "works")
    if fake.startswith("fails at the"):
        assert "too old for this" in said


# attempt.cmake by itself, with cmake's own commands in place of emcc


def attempted(folder: Path, *command: str) -> tuple[str, list[str]]:
    """Return the output of an attempt to make `made.o`, and the files afterwards."""
    script = str(NATIVE / "wasm" / "attempt.cmake")
    done = subprocess.run(
        ["cmake", "-P", script, "--", str(folder / "made.o"), "cmake", "-E", *command],
        cwd=folder,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0
    return done.stdout + done.stderr, sorted(path.name for path in folder.iterdir())


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Folder with a space in its name, and the file of an earlier attempt."""
    path = tmp_path / "a folder"
    path.mkdir()
    (path / "made.o").write_text("old")
    return path


def test_an_attempt_makes_its_file_of_existing_objects(folder: Path) -> None:
    (folder / "part one.o").write_text("new")
    copied = attempted(folder, "copy", str(folder / "part one.o"), str(folder / "made.o"))
    assert copied == ("", ["made.o", "part one.o"])
    assert (folder / "made.o").read_text() == "new"


def test_a_failed_attempt_reports_it_and_leaves_no_file(folder: Path) -> None:
    said, left = attempted(folder, "copy", "nothing", str(folder / "made.o"))
    assert "core.wasm is left out: emcc fails" in said
    assert "nothing" in said
    assert left == []
    assert "emcc fails" in attempted(folder, "echo", "makes nothing")[0]


@pytest.mark.parametrize(
    "gone",
    [
        "{folder}/gone.o",
        "C:/build/wasm/gone.o",
        "d:/my files/wasm/gone.o",
        "D:\\build\\my files\\gone.o",
        "//server/share/gone.o",
        "\\\\server\\share\\gone.o",
    ],
)
def test_an_attempt_without_an_object_prints_nothing_more(gone: str, folder: Path) -> None:
    """The attempt at the object has failed and reported it."""
    missing = gone.format(folder=folder)
    assert attempted(folder, "touch", str(folder / "made.o"), missing) == ("", [])


@pytest.mark.parametrize("word", ["-MTwasm/gone.o", "gone.o", "c:gone.o", "C:/build/gone.o.d"])
def test_words_that_are_no_objects_are_left_alone(word: str, folder: Path) -> None:
    said, _ = attempted(folder, "echo", word)
    assert "emcc fails" in said  # the command was run, and made nothing
