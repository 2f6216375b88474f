"""The core for browsers is built where emcc can do it; where it cannot, all else is built."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

import nonosat

NATIVE = Path(nonosat.__file__).parent / "native"
MAKER = ["-G", "Ninja"] if shutil.which("ninja") else []  # which is several times as fast
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
case "$*" in *live/inquiry.cpp*) echo too old for this >&2; exit 1 ;; esac
{OUTPUT}""",
    "makes nothing": "",
}

pytestmark = pytest.mark.skipif(not shutil.which("cmake"), reason="cmake is not installed")


def built(folder: Path, fake: str) -> tuple[bool, str]:
    """Whether core.wasm is installed by a build with such an emcc, and what was said."""
    source, build, prefix = folder / "source", folder / "build", folder / "prefix"
    source.mkdir()
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


@pytest.mark.parametrize("fake", FAKES)
def test_an_emcc_that_fails_leaves_the_core_out(fake: str, tmp_path: Path) -> None:
    is_there, said = built(tmp_path, FAKES[fake])
    assert is_there is (fake == "works")
    assert ("core.wasm is left out: emcc fails" in said) is (fake != "works")
    if fake.startswith("fails at the"):
        assert "too old for this" in said
