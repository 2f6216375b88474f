"""The README's commands and code are run, and what it shows of their output is what they print."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SECONDS = re.compile(r"\d+\.\d{2,3} s")


def blocks(language: str) -> list[str]:
    return [text for name, text in BLOCK.findall(README) if name == language]


def commands() -> list[tuple[str, int, str]]:
    """(command, exit status, output shown; empty where none is) of the console blocks."""
    found = []
    for block in blocks("console"):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            first, _, shown = part.partition("\n")
            command, _, note = first.partition("  # exit status ")
            found.append((command, int(note or 0), shown))
    return found


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that holds what the commands name, with `nonosat` on the path."""
    for name in ("instances", "benchmarks"):
        (tmp_path / name).symlink_to(ROOT / name)
    scripts = Path(sys.executable).parent
    monkeypatch.setenv("PATH", f"{scripts}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("PYTHONUTF8", "1")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(("command", "status", "shown"), commands())
def test_commands(folder: Path, command: str, status: int, shown: str) -> None:
    # The shell is the README's reader here: it knows redirections and the comments.
    done = subprocess.run(
        ["bash", "-c", command], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == status, done.stderr
    if shown:
        assert SECONDS.sub("T s", done.stdout) == SECONDS.sub("T s", shown)


def test_enough_is_shown() -> None:
    assert len(commands()) >= 8
    assert sum(bool(shown) for _, _, shown in commands()) >= 2


LOOP = """\
   - - -
  |     |
 -
|       |
     -
|   | | |
   -   -
| |
 -
"""


@pytest.mark.parametrize(("place", "printed"), [(0, ""), (1, LOOP)])
def test_library_code(folder: Path, place: int, printed: str) -> None:
    code = blocks("python")
    assert len(code) == 2
    done = subprocess.run(
        [sys.executable, "-c", code[place]], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert re.sub(" +$", "", done.stdout, flags=re.MULTILINE) == printed


def test_the_json_example_is_a_puzzle() -> None:
    from nonosat import check
    from nonosat.formats import read

    (text,) = blocks("json")
    json.loads(text)
    (puzzle,) = read(text.encode(), format="jsonl")
    assert str(check(puzzle).solution) == "##.#\n....\n.##."


def test_the_suite_is_one(folder: Path) -> None:
    from nonosat.bench.suite import load_suite

    (text,) = blocks("toml")
    path = folder / "suite.toml"
    path.write_text(text)
    (folder / "mine").write_text("#!/bin/sh\n")
    (folder / "mine").chmod(0o755)
    suite = load_suite(path)
    assert [one.name for one in suite.configurations] == ["auto", "order", "mine"]


def test_the_two_set_up_commands() -> None:
    """Each makes its own environment; `.ci/run` runs the second as it stands."""
    first, second = blocks("sh")
    for command in (first, second):
        assert command.startswith("python3 -m venv .venv && .venv/bin/pip install ")
        assert command.count("\n") == 1
    assert " -m pytest" in second
