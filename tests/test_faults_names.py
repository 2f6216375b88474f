"""File names that cannot be written to, or that no terminal should print, for every option that
writes.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from helpers.commands import put, run
from test_cli_writing import WRITERS, Writer, things

__all__ = ["put", "things"]  # fixtures

MOST_TOLD = 2500  # characters of a message, the usage line included
ON_STDERR = ("knight", "queens")  # these list what they have found
BAD = {
    "a folder": "folder{suffix}",
    "below a file": "p.jsonl/{name}",
    "nowhere": "nowhere/{name}",
    "long": "n" * 5000 + "{suffix}",
    "deep": "d/" * 2500 + "{name}",
    "a folder that takes nothing": "/proc/self/task/{name}",
}
ODD = {"newline": "two\nlines{suffix}", "reversed": "\u202egvs.a\x1b[31m{suffix}"}


def filled(writer: Writer, form: str) -> str:
    return form.format(name=writer.name, suffix=Path(writer.name).suffix)


def is_plain(text: str) -> bool:
    return all(char.isprintable() or char == "\n" for char in text)


def names() -> set[str]:
    return {str(path) for path in Path().rglob("*")}


@pytest.mark.thorough
@pytest.mark.usefixtures("things")
@pytest.mark.parametrize("kind", BAD)
@pytest.mark.parametrize("writer", WRITERS.values(), ids=WRITERS)
def test_a_bad_name_is_one_clean_line(writer: Writer, kind: str) -> None:
    if kind == "a folder that takes nothing" and sys.platform != "linux":
        pytest.skip("a folder in which not even root can make a file")
    if kind == "nowhere" and writer.line.startswith("prove"):
        pytest.skip("it makes the folders that its folder stands in")
    target = filled(writer, BAD[kind])
    if kind == "a folder":
        Path(target).mkdir()
        Path(target, "mine").touch()
    before = names()
    done = run(*writer.line.split(), target)
    assert done.exit_code == 2, done.output
    *others, line = done.stderr.rstrip("\n").split("\n")
    assert line.startswith(("nonosat: ", "Error: ")), done.stderr
    others = [one for one in others if not one.startswith("new.")]  # contents from before
    assert len(others) == 3 or not others or writer.line.startswith(ON_STDERR)
    assert len(done.stderr) < MOST_TOLD
    assert is_plain(done.stderr)
    assert names() - before <= {"new.jsonl", "new.dzn", "new.csv"}  # output of another option


@pytest.mark.thorough
@pytest.mark.usefixtures("things")
@pytest.mark.parametrize("kind", ODD)
@pytest.mark.parametrize("writer", WRITERS.values(), ids=WRITERS)
def test_an_odd_name_is_written_and_shown_harmlessly(writer: Writer, kind: str) -> None:
    target = filled(writer, ODD[kind])
    before = names()
    done = run(*writer.line.split(), target)
    assert done.exit_code == 0, done.output
    assert Path(target).exists()
    assert names() - before - {target} <= {
        "new.jsonl",
        "new.dzn",
        "new.csv",
        *map(str, Path(target).rglob("*")),
    }
    assert is_plain(done.stdout + done.stderr)
    assert "two\nlines" not in done.stdout + done.stderr
    if not Path(target).is_dir():
        done = run(*writer.line.split(), target)  # refused, because it exists
        assert done.exit_code == 2
        assert is_plain(done.stderr)
        assert "two\nlines" not in done.stderr
