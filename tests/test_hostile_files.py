"""Wrong files of every format: refused with a reason and a place, or harmless and read."""

from __future__ import annotations

import gzip
import re
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import nonosat
from helpers import invalid_files
from helpers.commands import run
from helpers.sample_files import IMAGES, SAMPLES
from nonosat import formats
from nonosat.bench.suite import load_suite
from nonosat.core import plugins
from nonosat.core.about import About
from nonosat.core.errors import FormatError

NAMES = sorted(SAMPLES)
MOST_SAID = 700  # characters of a message
CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
SLOW_S = 10.0  # ten times the maximum of a file


def read(data: bytes, name: str) -> Any:
    return formats.read(data, name="some.file", format=name)[-1]


def anonymous(puzzle: Any) -> Any:
    return replace(puzzle, about=About())


def test_every_format_has_a_valid_file() -> None:
    assert SAMPLES.keys() | IMAGES.keys() == plugins.names("formats").keys()
    for name, sample in SAMPLES.items():
        assert read(sample.text.encode(), name).family
    for name, data in IMAGES.items():
        assert read(data, name).goal == read(SAMPLES["pbm"].text.encode(), "pbm").goal


def test_there_are_sixty_classes() -> None:
    names = invalid_files.names()
    assert len(names) == len(set(names)) >= 60
    made = {one.sort for name in NAMES for one in invalid_files.files(name)}
    assert made == set(names)


def complaint(one: invalid_files.InvalidFile) -> str | None:
    """Return the fault in the outcome of a file; None if there is none."""
    started = time.process_time()
    try:
        puzzle = read(one.data, one.format)
    except FormatError as error:
        found = _of_refusal(one, error)
    else:
        found = _of_puzzle(one, puzzle)
    if time.process_time() - started > SLOW_S:
        return f"it took {time.process_time() - started:.1f} s"
    return found


def _of_refusal(one: invalid_files.InvalidFile, error: FormatError) -> str | None:
    if one.message is None:
        return f"a harmless file is refused: {error}"
    if not re.search(one.message, error.message):
        return f"{error.message!r} does not say {one.message!r}"
    if error.path != "some.file" or not str(error).startswith("some.file:"):
        return f"{error} does not name the file"
    if len(str(error)) > MOST_SAID or CONTROL.search(str(error)):
        return f"{str(error)!r} is too long, or has characters that a terminal obeys"
    if one.lines and error.line is not None and error.line not in one.lines:
        return f"{error} names line {error.line}, expected one of {set(one.lines)}"
    lines = [len(line) for line in re.split(rb"\r\n|\r|\n", one.data)]
    if error.line is not None and not 1 <= error.line <= len(lines):
        return f"{error}: there is no such line"
    if error.column is not None and not 1 <= error.column <= lines[(error.line or 1) - 1] + 1:
        return f"{error}: there is no such column"
    return None


def _of_puzzle(one: invalid_files.InvalidFile, puzzle: Any) -> str | None:
    if one.message is not None:
        return f"it is read, as {puzzle!r}"
    valid = read(SAMPLES[one.format].text.encode(), one.format)
    if anonymous(puzzle) != anonymous(valid):
        return f"another puzzle is read, {puzzle!r}"
    if re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]", puzzle.about.id):
        return f"the id {puzzle.about.id!r} has characters that a terminal obeys"
    return None


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_wrong_files_are_refused_with_words(name: str) -> None:
    found = ((one, complaint(one)) for one in invalid_files.files(name))
    assert [(one.sort, one.data[:80], said) for one, said in found if said] == []


@pytest.mark.parametrize("name", ["jsonl", "json", "webpbn", "nin", "knight", "g", "cwd", "mk"])
def test_a_wrong_number_has_its_line(name: str) -> None:
    """If a format consists of lines, the message names the line."""
    for one in invalid_files.files(name):
        if one.lines and one.message is not None:
            with pytest.raises(FormatError) as caught:
                read(one.data, name)
            assert caught.value.line in one.lines, one.sort


@pytest.mark.thorough
def test_a_bomb_is_refused_before_it_is_unpacked() -> None:
    bomb = gzip.compress(bytes(300 * 2**20), 1)
    assert len(bomb) < 2 * 2**20
    with pytest.raises(FormatError, match=r"unfolds to more than \d+"):
        formats.read(bomb, name="bomb.gz")


DIGITS, ZEROS = "9" * 5000, "0" * 5000
LONG = [  # Python itself would refuse such a number with a ValueError
    ("knight", f"knight 1 2\n. {ZEROS}2\n", "read"),
    ("clues", f"rows:\n{ZEROS}1\ncolumns:\n1\n", "read"),
    ("clues", f"width {DIGITS}\nrows:\n1\ncolumns:\n1\n", "a size of 5000 digits"),
    ("clues", f"size {DIGITS} {DIGITS}\nrows:\n1\ncolumns:\n1\n", "a size of 5000 digits"),
    ("clues", f"{DIGITS} {DIGITS}\nrows:\n1\ncolumns:\n1\n", "before the first heading"),
    ("clues", f"row {DIGITS}: 1\ncolumns:\n1\n", "':' among clues"),
    ("non", f"width 1\nheight 1\nrows\n{DIGITS}a\ncolumns\n1\n", "9 digits"),
]


@pytest.mark.parametrize(("name", "text", "message"), LONG)
def test_numbers_of_thousands_of_digits(name: str, text: str, message: str) -> None:
    if message == "read":
        assert read(text.encode(), name).width
        return
    with pytest.raises(FormatError, match=message):
        read(text.encode(), name)


def test_long_numbers_in_lists_and_options() -> None:
    with pytest.raises(nonosat.PuzzleError, match=r"row 1 has '999.*expected lengths as in '3 1'"):
        nonosat.nonogram([DIGITS], [[1]])
    result = run("check", "1x1:1/1", "--memory-limit", "9" * 500)
    assert result.exit_code == 2
    assert "expected at least 1 MiB and at most" in result.stderr


def test_keys_of_suites_are_quoted(tmp_path: Path) -> None:
    path = tmp_path / "suite.toml"
    begin = 'task = "check"\ninstances = ["a.jsonl"]\n[limits]\nwall_s = 1\n'
    for key, message in ((f'"{DIGITS}"', "9999..."), (r'"\u001b[2J"', r"\\x1b")):
        path.write_text(f"{begin}[configurations.{key}]\nbackend = 1\n")
        (tmp_path / "a.jsonl").write_text('{"rows": [[1]], "columns": [[1]]}')
        with pytest.raises(FormatError, match=message) as caught:
            load_suite(path)
        assert len(str(caught.value)) < MOST_SAID


COMMANDS = [
    ("jsonl", "a negative number"),
    ("non", "a section twice"),
    ("webpbn", "an external entity"),
    ("nin", "10^12 cells"),
    ("json", "a key twice"),
    ("pbm", "cut off"),
    ("csv", "mixed separators"),
]


@pytest.mark.parametrize(("name", "sort"), COMMANDS)
def test_commands_end_with_status_2(name: str, sort: str, tmp_path: Path) -> None:
    one = next(each for each in invalid_files.files(name) if each.sort == sort)
    path = tmp_path / "wrong.file"
    path.write_bytes(one.data)
    assert one.message is not None
    for command in ("check", "solve", "show", "count", "convert"):
        out = [str(tmp_path / "out.jsonl")] if command == "convert" else []
        result = run(command, "--from", name, str(path), *out)
        assert result.exit_code == 2, command
        assert re.search(one.message, result.stderr), command
        assert str(path) in result.stderr.replace("\n", "")
        assert "Traceback" not in result.stderr


def test_ids_are_no_paths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    files = [
        one for one in invalid_files.files("jsonl") if one.message is None and " id" in one.sort
    ]
    assert len(files) > 10
    for at, one in enumerate(files):
        Path(f"{at}.jsonl").write_bytes(one.data)
        run("convert", f"{at}.jsonl", f"out{at}.json")
        assert run("check", f"{at}.jsonl").exit_code == 0
    assert not [path for path in tmp_path.rglob("*") if path.suffix not in (".jsonl", ".json")]
