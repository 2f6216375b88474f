"""Helpers of the tests of the command line: small puzzles, and commands run in this process."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from helpers.processes import PATIENCE_S
from nonosat.cli import main

UNIQUE = {"id": "corner", "rows": [[2], [1]], "columns": [[2], [1]]}
MULTIPLE = {"id": "switch", "rows": [[1], [1]], "columns": [[1], [1]]}
UNSOLVABLE = {"id": "crowded", "rows": [[3]], "columns": [[1], [1]]}
INVALID = {"id": "zero", "rows": [[1, 0]], "columns": [[1]]}
COLOURED = {
    "id": "flag",
    "title": "A flag",
    "rows": [[[2, "red"], [1, "sea"]], [[3, "sea"]]],
    "columns": [[[1, "red"], [1, "sea"]], [[1, "red"], [1, "sea"]], [[2, "sea"]]],
    "colors": {"red": "#ff0000", "sea": "#0000ff"},
    "goal": "112222",
}
COMMAND = [sys.executable, "-m", "nonosat"]


def lines_of(*puzzles: dict[str, Any]) -> str:
    return "".join(json.dumps(puzzle) + "\n" for puzzle in puzzles)


@pytest.fixture
def put(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """Return a function that writes puzzles into a file and returns its name."""
    monkeypatch.chdir(tmp_path)

    def write(*puzzles: dict[str, Any], name: str = "puzzles.jsonl") -> str:
        (tmp_path / name).write_text(lines_of(*puzzles))
        return name

    return write


def run(*args: str, **settings: Any) -> Result:
    return CliRunner().invoke(main, args, prog_name="nonosat", **settings)


def records(result: Result) -> list[dict[str, Any]]:
    return [json.loads(line) for line in result.stdout.splitlines()]


def is_read(done: Result | subprocess.CompletedProcess[str]) -> bool:
    """True if a command finished reading: its output has the outcome of each puzzle."""
    return "while reading" not in done.stdout + done.stderr


def whole(*args: str, **settings: Any) -> subprocess.CompletedProcess[str]:
    """Run the command in a process of its own."""
    settings = {"capture_output": True, "text": True, "timeout": PATIENCE_S, **settings}
    return subprocess.run([*COMMAND, *args], check=False, **settings)
