"""Examples of READMEs and pages of the site, executed a block at a time: they print the same."""

from __future__ import annotations

import itertools
import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
PAGES = sorted((ROOT / ".docs").rglob("*.md"))
TUTORIAL = ROOT / ".docs" / "tutorial.md"
READMES = [README, ROOT / "nonosat" / "README.md", *PAGES]  # the others have tests of their own
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SECONDS = re.compile(r"\d+\.\d{2,3} s")
MAX_WORDS = 800


def blocks(path: Path, language: str) -> list[str]:
    return [text for name, text in BLOCK.findall(path.read_text()) if name == language]


def commands(block: str) -> list[tuple[str, int, str]]:
    """(command, exit status, output shown; empty if none is) of a console block."""
    found = []
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        first, _, shown = part.partition("\n")
        command, _, note = first.partition("  # exit status ")
        found.append((command, int(note or 0), shown))
    return found


CONSOLES = [
    pytest.param("".join(blocks(TUTORIAL, "console")), id="tutorial"),  # its steps need each other
    *(
        pytest.param(block, id=f"{path.relative_to(ROOT)}-{number}")
        for path in READMES
        if path != TUTORIAL
        for number, block in enumerate(blocks(path, "console"))
    ),
]
CODES = [
    pytest.param(code, id=f"{path.relative_to(ROOT)}-{number}")
    for path in READMES
    for number, code in enumerate(blocks(path, "python"))
]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Folder with the files that the commands name, with `nonosat` on the path."""
    for name in ("instances", "benchmarks"):
        (tmp_path / name).symlink_to(ROOT / name)
    scripts = Path(sys.executable).parent
    monkeypatch.setenv("PATH", f"{scripts}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("PYTHONUTF8", "1")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.slow
@pytest.mark.parametrize("block", CONSOLES)
def test_commands(folder: Path, block: str) -> None:
    for command, status, shown in commands(block):
        # The shell runs the README's commands: it handles redirections and comments.
        done = subprocess.run(
            ["bash", "-c", command], cwd=folder, capture_output=True, text=True, check=False
        )
        assert done.returncode == status, (command, done.stderr)
        if shown:
            assert SECONDS.sub("T s", done.stdout) == SECONDS.sub("T s", shown), command


def targets(command: str) -> list[str]:
    """Files that a command writes."""
    words = shlex.split(command, comments=True)
    options = ("-o", ">", "--html", "--svg", "--report", "--cover")
    found = [after for before, after in itertools.pairwise(words) if before in options]
    return found + words[3:4] if words[:2] == ["nonosat", "convert"] else found


@pytest.mark.parametrize("path", READMES, ids=lambda path: str(path.relative_to(ROOT)))
def test_commands_in_a_row_do_not_meet(path: Path) -> None:
    """Commands of a README, run from its top to its end, write no file twice."""
    written = [
        target
        for block in blocks(path, "console")
        for command, _, _ in commands(block)
        if "--resume" not in command
        for target in targets(command)
        if target != "-"
    ]
    assert len(set(written)) == len(written)


def test_enough_is_shown() -> None:
    found = [
        each
        for path in (README, *PAGES)
        for block in blocks(path, "console")
        for each in commands(block)
    ]
    assert len(found) >= 50
    assert sum(bool(shown) for _, _, shown in found) >= 12
    assert any(targets(command) for command, _, _ in found)


def test_the_readme_is_short() -> None:
    """Limit of the words of prose, without code and tables."""
    prose = BLOCK.sub("", README.read_text())
    lines = [line for line in prose.splitlines() if not line.startswith("|")]
    assert len(" ".join(lines).split()) <= MAX_WORDS


def test_links_are_valid() -> None:
    for path in READMES:
        for link in re.findall(r"\]\(([^)#:]+)\)|(?:src|srcset)=\"([^\"]+)\"", path.read_text()):
            assert (path.parent / "".join(link)).exists(), (path, link)


@pytest.mark.slow
@pytest.mark.parametrize("code", CODES)
def test_library_code(folder: Path, code: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    if "ModelBuilder" in code:
        assert re.sub(" +$", "", done.stdout, flags=re.MULTILINE) == LOOP


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


def test_the_json_example_is_a_puzzle() -> None:
    from nonosat import check
    from nonosat.formats import read

    (text,) = blocks(ROOT / ".docs" / "formats.md", "json")
    json.loads(text)
    (puzzle,) = read(text.encode(), format="jsonl")
    assert str(check(puzzle).solution) == "##.#\n....\n.##."


def test_the_two_set_up_commands() -> None:
    """Each makes its own environment; `.ci/run` runs the second unchanged."""
    first, second = blocks(README, "sh")
    for command in (first, second):
        assert command.startswith("python3 -m venv .venv && .venv/bin/pip install ")
        assert command.count("\n") == 1
    assert " -m pytest" in second
