"""Names in files, and names of files, that contain control characters or are very long."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import nonosat
from nonosat import formats
from nonosat.cli import main
from nonosat.core.errors import FormatError, printable

TINY = '{"rows":[[1]],"columns":[[1]]}'
HOSTILE = "a\u202e\x1b[2Jb\nc\td" + "e" * 5000


def steered(text: str) -> list[str]:
    """Characters of an output that a terminal would obey, or that reverse text."""
    return [char for char in text if not char.isprintable() and char != "\n"]


def test_unknown_ids(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    puzzle = json.loads(TINY) | {"id": HOSTILE, "title": HOSTILE}
    path.write_text("\n".join(json.dumps(puzzle | {"title": HOSTILE}) for _ in range(3)))
    for command in (["check", f"{path}#{HOSTILE[:-3]}"], ["show", str(path)], ["hint", str(path)]):
        output = CliRunner().invoke(main, command).output
        assert not steered(output), command
        assert max(map(len, output.splitlines())) < 2500, command
    output = CliRunner().invoke(main, ["check", str(path)]).output
    assert not steered(output)
    assert max(map(len, output.splitlines())) < 1000
    with pytest.raises(FormatError) as caught:
        nonosat.load(path)
    assert not steered(str(caught.value))
    assert len(str(caught.value)) < 2500


def test_json_keeps_what_lines_for_people_replace(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    name = "a\u202eb" + "e" * 500
    path.write_text(json.dumps(json.loads(TINY) | {"id": name}))
    assert json.loads(CliRunner().invoke(main, ["check", "--json", str(path)]).stdout)["id"] == name
    assert printable(name) == "a\ufffdb" + "e" * 194 + "..."


def test_names_of_missing_files() -> None:
    result = CliRunner().invoke(main, ["check", "no\x1b[2J\u202e\nfile"])
    assert result.exit_code == 2
    assert not steered(result.output)
    assert result.output.count("\n") == 1


def test_names_of_files_that_are_written(tmp_path: Path) -> None:
    odd = "a\x1b[2J\u202e\nb"
    path = tmp_path / "tiny.jsonl"
    path.write_text(TINY)
    (tmp_path / f"{odd}.svg").touch()
    for target in (f"{odd}/x.svg", f"{odd}.txt", str(tmp_path / f"{odd}.svg")):
        result = CliRunner().invoke(main, ["solve", str(path), "--svg", target])
        assert result.exit_code == 2
        assert not steered(result.output.replace("\n", " "))
        assert "\ufffd" in result.output
    target = tmp_path / f"{odd}.jsonl"
    done = CliRunner().invoke(main, ["batch", str(path), "-o", str(target), "--jobs", "1"])
    assert done.exit_code == 0
    assert not steered(done.output)


def test_titles_are_one_line_and_come_back() -> None:
    puzzle = nonosat.nonogram([[1]], [[1]], title="a\nb\tc", author="x\ny", description="1\n2")
    assert (puzzle.about.title, puzzle.about.author) == ("a b c", "x y")
    for name in ("jsonl", "non", "webpbn"):
        assert formats.read(formats.write([puzzle], name), format=name)[0].about.title == "a b c"
    (again,) = formats.read(formats.write([puzzle], "jsonl"))
    assert again.about.description == "1\n2"
    assert str(nonosat.nonogram([[1]], [[1]], title="a\u202eb")) == "a\ufffdb: 1 row x 1 column"


def test_long_names_in_files_are_quoted_short() -> None:
    texts = {
        "webpbn": f'<?xml version="1.0" encoding="{"x" * 5000}"?><puzzle/>',
        "puzzlink": f"https://puzz.link/p?{'k' * 5000}/4/3/1",
        "jsonl": '{"rows":[],"' + "row" + "_" * 5000 + 's":[],"columns":[]}',
    }
    for name, text in texts.items():
        with pytest.raises(FormatError) as caught:
            formats.read(text.encode(), format=name)
        assert len(str(caught.value)) < 300, name
