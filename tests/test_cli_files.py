"""Sources and targets of commands: `show`, `convert`, and the output of `list` and help."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import pytest

import nonosat
from helpers.commands import (
    COLOURED,
    INVALID,
    MULTIPLE,
    UNIQUE,
    UNSOLVABLE,
    lines_of,
    put,
    records,
    run,
)
from nonosat.core import plugins
from nonosat.processes.files import write_atomically
from nonosat.puzzles.nonogram import mono
from nonosat.render.nonogram.text import sheet

__all__ = ["put"]  # a fixture


def files_here() -> list[str]:
    return sorted(path.name for path in Path().iterdir())


# Sources


def test_a_puzzle_is_picked_by_its_id(put: Any) -> None:
    path = put(UNIQUE, MULTIPLE, UNSOLVABLE)
    assert [record["id"] for record in records(run("check", "--json", f"{path}#switch"))] == [
        "switch"
    ]
    missing = run("check", f"{path}#nobody")
    assert missing.exit_code == 2
    assert "nobody" in missing.stderr


def test_a_mark_without_an_id_is_refused(put: Any) -> None:
    for command in ("check", "show"):
        result = run(command, put(UNIQUE) + "#")
        assert result.exit_code == 2
        assert "puzzles.jsonl#: nothing after '#', expected a puzzle's id" in result.stderr
    assert run("check", put(UNIQUE, name="odd#")).exit_code == 0  # a file of that name


def test_a_puzzle_of_standard_input_follows_two_dashes() -> None:
    result = run("check", "--", "-#corner", input=lines_of(MULTIPLE, UNIQUE))
    assert result.exit_code == 0
    assert "-- -#ID" in " ".join(run("--help").stdout.split())


def test_standard_input_is_read(put: Any) -> None:
    result = run("check", "--json", "-", input=lines_of(UNIQUE, UNSOLVABLE))
    assert [record["verdict"] for record in records(result)] == ["unique", "unsolvable"]


def test_a_folder_is_all_of_its_puzzles(put: Any, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    put(UNIQUE, name="folder/a.jsonl")
    put(UNSOLVABLE, MULTIPLE, name="folder/b.jsonl")
    result = run("check", "--json", "folder")
    assert [record["id"] for record in records(result)] == ["corner", "crowded", "switch"]
    (tmp_path / "empty").mkdir()
    assert run("check", "empty").exit_code == 2


# show


def test_show_is_the_sheet_after_the_goal(put: Any) -> None:
    result = run("show", put(UNIQUE, COLOURED))
    puzzle = mono(UNIQUE["rows"], UNIQUE["columns"])
    first, second = result.stdout.split("\n\n")
    assert result.exit_code == 0
    assert first == "corner, 2 rows x 2 columns\n" + sheet(puzzle)
    assert second.splitlines()[:3] == ['flag "A flag", 2 rows x 3 columns, 2 colours', "##a", "aaa"]
    assert "1#" in second


def test_show_has_saved_states_with_unknown_cells_marked(put: Any) -> None:
    text = run("show", put({**UNIQUE, "saved": ["1?0?", "????"]})).stdout
    assert "\nsaved state: 2 of 4 cells known\n#?\n.?\nsaved state: 0 of 4" in text


def test_show_reports_bad_input_and_goes_on(put: Any) -> None:
    result = run("show", put(INVALID, UNIQUE))
    assert result.exit_code == 2
    assert "corner" in result.stdout
    assert "length 0" in result.stderr


# convert


def test_convert_there_and_back(put: Any) -> None:
    put(UNIQUE, name="a.json")
    assert run("convert", "a.json", "b.non").exit_code == 0
    assert run("convert", "b.non", "c.json").exit_code == 0
    before, after = nonosat.load("a.json"), nonosat.load("c.json")
    assert (before.rows, before.columns) == (after.rows, after.columns)
    assert files_here() == ["a.json", "b.non", "c.json"]


def test_convert_refuses_to_overwrite(put: Any) -> None:
    put(UNIQUE, name="a.json")
    Path("b.non").write_text("precious")
    refused = run("convert", "a.json", "b.non")
    assert refused.exit_code == 2
    assert "--force" in refused.stderr
    assert Path("b.non").read_text() == "precious"
    assert run("convert", "a.json", "b.non", "--force").exit_code == 0
    assert nonosat.load("b.non").rows == nonosat.load("a.json").rows


def test_convert_writes_many_only_in_formats_for_many(put: Any) -> None:
    path = put(UNIQUE, MULTIPLE)
    refused = run("convert", path, "b.nin")
    assert refused.exit_code == 2
    assert "jsonl" in refused.stderr
    assert not Path("b.nin").exists()
    assert run("convert", f"{path}#switch", "b.nin").exit_code == 0
    assert run("convert", path, "c.json").exit_code == 0
    assert [puzzle.about.id for puzzle in nonosat.load_all("c.json")] == ["corner", "switch"]


def test_convert_names_the_requested_file(put: Any) -> None:
    result = run("convert", put(UNIQUE), "nowhere/x.json")
    assert result.exit_code == 2
    assert "nowhere/x.json: there is no folder nowhere; make it first" in result.stderr


@pytest.mark.parametrize("name", ["json:abc", "nin:", "rows-first:"])
def test_arguments_of_formats_are_refused_or_read(put: Any, name: str) -> None:
    path = put(UNIQUE)
    assert run("convert", path, "-", "--to", name).exit_code == 2
    assert run("show", path, "--from", name).exit_code == 2


def test_convert_writes_nothing_when_a_puzzle_is_bad(put: Any) -> None:
    result = run("convert", put(UNIQUE, INVALID), "b.json")
    assert result.exit_code == 2
    assert files_here() == ["puzzles.jsonl"]


def test_convert_to_standard_output_needs_a_format(put: Any) -> None:
    path = put(UNIQUE)
    assert run("convert", path, "-").exit_code == 2
    assert records(run("convert", path, "-", "--to", "jsonl"))[0]["id"] == "corner"


@pytest.mark.parametrize("target", ["b.unheard-of", "nowhere/b.json", "."])
def test_convert_to_nowhere_is_a_usage_error(put: Any, target: str) -> None:
    result = run("convert", put(UNIQUE), target, "--force")
    assert result.exit_code == 2
    assert result.stderr
    assert files_here() == ["puzzles.jsonl"]


def test_writing_is_all_or_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.non"
    path.write_text("old")

    def full_disk(self: Path, data: bytes) -> int:
        with self.open("wb") as file:
            file.write(data[:1])
        raise OSError(28, "No space left on device", str(self))

    with monkeypatch.context() as patched:
        patched.setattr(Path, "write_bytes", full_disk)
        with pytest.raises(OSError, match="No space left"):
            write_atomically(path, b"new")
    assert [file.read_text() for file in tmp_path.iterdir()] == ["old"]
    link = tmp_path / "link.non"
    link.symlink_to(path)
    write_atomically(link, b"new")
    assert link.is_symlink()
    assert path.read_text() == "new"


# list, help, version


def test_list_names_every_kind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pysat", None)
    monkeypatch.setitem(sys.modules, "ortools", None)
    result = run("list")
    assert result.exit_code == 0
    kinds = re.findall(r"^(\w+):$", result.stdout, re.MULTILINE)
    wanted = ["formats", "targets", "backends", "counters", "encodings", "formulations"]
    assert kinds == [*wanted, "redundant", "families", "methods", "study", "puzzles"]
    for name in ("jsonl", "auto", "search", "cadical195", "line=order", "line=starts", "nonogram"):
        assert re.search(rf"^  {name}\s+\S", result.stdout, re.MULTILINE), name
    assert "needs python-sat" in result.stdout


@pytest.mark.parametrize("kind", ["formats", "backends", "formulations", "families"])
def test_list_of_one_kind_is_a_line_each(kind: str) -> None:
    lines = run("list", kind).stdout.splitlines()
    assert lines
    assert all(re.match(r"\S+ +\S", line) for line in lines)
    assert "\n".join(f"  {line}" for line in lines) in run("list").stdout


@pytest.mark.parametrize("columns", [60, 110, 200])
def test_list_encodings_is_a_table_as_wide_as_the_terminal(
    monkeypatch: pytest.MonkeyPatch, columns: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    text = run("list", "encodings").stdout
    assert max(map(len, text.splitlines())) <= columns
    words = set(text.split())
    for name, module in plugins.names("encodings").items():
        assert re.search(rf"^{name.replace('-', '=', 1)} +\S", text, re.MULTILINE), name
        for cell in (module.strength.value, *module.size, module.source):
            assert columns == 60 or words.issuperset(cell.split()), cell
    assert "f filled cells" in " ".join(text.split())


def test_list_names_missing_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    search = sys.modules["nonosat.backends.search"]
    missing = search.PLUGIN.replaced(needs="a-package-that-nobody-has")
    monkeypatch.setattr(search, "PLUGIN", missing)
    line = next(line for line in run("list", "backends").stdout.splitlines() if "search " in line)
    assert line.endswith("needs a-package-that-nobody-has, not installed)")


def test_version_names_all_components() -> None:
    lines = [line.split() for line in run("--version").stdout.splitlines()]
    assert [name for name, _ in lines] == ["nonosat", "python", "python-sat", "ortools"]
    from importlib.metadata import version

    expected = [version(name) for name in ("nonosat", "python-sat", "ortools")]
    assert [number for name, number in lines if name != "python"] == expected


def test_help_names_commands_and_statuses() -> None:
    text = run("--help").stdout
    assert all(word in text for word in ("solve", "check", "show", "convert", "list"))
    assert all(f"{status}  " in text for status in (0, 2, 3, 4, 5, 70, 130))
    assert run("nothing").exit_code == 2
