"""Keys of JSON objects: repeated, misspelt, unknown, missing; clues of other programs."""

from __future__ import annotations

import json
import logging
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from helpers.commands import run
from nonosat import formats
from nonosat.core import plugins
from nonosat.core.errors import FormatError
from nonosat.formats import _json, jsonl
from nonosat.formats._json import COMMON
from nonosat.formats._json_nonogram import KEYS
from nonosat.puzzles.nonogram.data import mono
from nonosat.puzzles.queens import Queens
from nonosat.testing import check_plugin

PLAIN = {"rows": [[1], []], "columns": [[1]]}
KNOWN = KEYS | COMMON


def read(data: Any) -> Any:
    text = data if isinstance(data, str) else json.dumps(data)
    (puzzle,) = formats.read(text.encode(), name="a.jsonl")
    return puzzle


def refused(data: Any) -> str:
    with pytest.raises(FormatError) as caught:
        read(data)
    return str(caught.value)


# Twice


@pytest.mark.parametrize(
    ("text", "place", "key"),
    [
        ('{"rows":[[1]],"columns":[[1]],"rows":[[1]]}', "1:31", "rows"),
        ('{"rows":[[1]],\n "columns":[[1]],\n "columns" :[[1]]}', "3:2", "columns"),
        ('{"rows":[[[1,"a"]]],"columns":[[]],"colors":{"a":"#000","a":"#fff"}}', "1:57", "a"),
        ('{"rows":[[1]],"columns":[[1]],"note":{"x":1,"x":1}}', "1:45", "x"),
        ('{"family":"queens","n":4,"n":5}', "1:26", "n"),
        ('[{"rows":[[1]],"columns":[[1]]},\n{"rows":[[1]],"rows":[[1]]}]', "2:15", "rows"),
        ('{"rows":[[1]],"columns":[[1]],"r\\u006fws":[[1]]}', "1:1", "rows"),
    ],
)
def test_no_key_may_be_repeated(text: str, place: str, key: str) -> None:
    name = "a.json" if text.startswith("[") else "a.jsonl"
    with pytest.raises(FormatError) as caught:
        formats.read(text.encode(), name=name)
    message = f"{name}:{place}: the key {key!r} again, expected each key once"
    assert str(caught.value) == message


# Misspelt


@pytest.mark.parametrize(
    ("key", "meant"),
    [
        ("givens", "given"),
        ("Given", "given"),
        ("gievn", "given"),
        ("goals", "goal"),
        ("gaol", "goal"),
        ("colour", "colors"),
        ("colours", "colors"),
        ("color", "colors"),
        ("ROWS", "rows"),
        ("rwos", "rows"),
        ("colum", "columns"),
        ("collumms", "columns"),
        ("col-umns", "columns"),
        ("heigth", "height"),
        ("back_ground", "background"),
        ("authro", "author"),
        ("licence", "license"),
        ("ID", "id"),
        ("savd", "saved"),
    ],
)
def test_a_key_that_is_nearly_ours_is_refused(key: str, meant: str) -> None:
    message = f"a.jsonl:1: the unknown key {key!r}, expected {meant!r}: rename it"
    assert refused({**PLAIN, key: 1}) == message


def test_families_declare_their_keys() -> None:
    board = {"family": "queens", "n": 4}
    assert "the unknown key 'givens', expected 'given'" in refused({**board, "givens": [[0, 0]]})
    assert "the unknown key 'N', expected 'n'" in refused({"family": "queens", "N": 4})
    assert "'n' is missing, expected the number" in refused({"family": "queens", "count": 4})
    loop = {"family": "slitherlink", "row": ["1"]}
    assert "the unknown key 'row', expected 'rows'" in refused(loop)
    assert "'rows' is missing" in refused({"family": "slitherlink", "clues": ["1"]})
    knight = {"family": "knight", "rows": 3, "columns": 4}
    assert "the unknown key 'hole', expected 'holes'" in refused({**knight, "hole": []})
    assert read({**knight, "closed": True, "title": "ring"}).closed


def test_a_family_without_declaration_accepts_any_key(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    queens = plugins.find("puzzles", "queens")
    silent = queens.replaced(keys=None)
    find = plugins.find
    monkeypatch.setattr(
        plugins, "find", lambda kind, name: silent if name == "queens" else find(kind, name)
    )
    assert read({"family": "queens", "n": 4, "givens": 7, "mine": {"n": 1}}).n == 4
    assert caplog.messages == []


def test_a_family_must_know_the_keys_that_it_writes(monkeypatch: pytest.MonkeyPatch) -> None:
    queens = plugins.find("puzzles", "queens")
    wrong = queens.replaced(keys=frozenset({"given"}), name="queens")
    monkeypatch.setattr(Queens, "family", wrong)
    with pytest.raises(AssertionError, match="the key 'n', which is not among its `keys`"):
        check_plugin(wrong, "puzzles", "queens", [Queens(4)])


# Unknown


def test_other_keys_are_ignored_with_a_warning_for_each_file(
    caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    lines = [json.dumps({**PLAIN, "bogus": index, "name": "x"}) for index in range(1000)]
    for name in ("a", "b"):
        (tmp_path / f"{name}.jsonl").write_text("\n".join(lines), encoding="utf-8")
    with caplog.at_level(logging.WARNING, "nonosat"):
        assert len(formats.load_all(tmp_path)) == 2000
    known = ", ".join(sorted(KNOWN))
    expected = [
        message
        for name in ("a", "b")
        for message in (
            f"{tmp_path / name}.jsonl:1: the unknown key 'bogus' is ignored; known are {known}",
            f"{tmp_path / name}.jsonl:1: the unknown key 'name' is ignored; ours is 'title'",
        )
    ]
    assert caplog.messages == expected


def test_the_command_shows_the_warning(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps({**PLAIN, "solution": "10"}), encoding="utf-8")
    command = [sys.executable, "-m", "nonosat", "check", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert done.stderr == f"{path}:1: the unknown key 'solution' is ignored; ours is 'goal'\n"


@pytest.mark.parametrize(
    "key", ["file", "size", "date", "solved", "rated", "named", "url", "uid", "text", "tags", "x"]
)
def test_common_keys_are_no_misspelling(key: str) -> None:
    assert _json.nearest(key, KNOWN) is None
    assert read({**PLAIN, key: 1}).height == 2


def test_the_number_of_edits() -> None:
    assert _json.nearest("columnss", {"columns"}) == "columns"
    assert _json.nearest("oclumsn", {"columns"}) == "columns"
    assert _json.nearest("coolumnss", {"columns"}) == "columns"
    assert _json.nearest("kolumny", {"columns"}) == "columns"
    assert _json.nearest("kolumnyy", {"columns"}) is None
    assert _json.nearest("ro", {"rows"}) is None


def test_keys_without_end_are_no_harm() -> None:
    data = {**PLAIN, **{f"key{index}": 1 for index in range(20_000)}}
    found = list(jsonl.each(json.dumps(data).encode()))
    assert sum(isinstance(item, formats.Remark) for item in found) == 1000
    assert jsonl.read(json.dumps(data).encode())[0].height == 2


def test_a_repeated_key_is_found_among_many() -> None:
    many = ",".join(f'"key{index}":1' for index in range(200_000))
    assert "the key 'key199999' again" in refused(f'{{{many},"key199999":2}}')


# Missing


def test_a_missing_key_is_named() -> None:
    message = "the key 'columns' is missing; expected 'rows' and 'columns', found 'rows', 'vers'"
    assert refused({"rows": [[1]], "vers": [[1]]}) == f"a.jsonl:1: {message}"
    assert "the keys 'rows' and 'columns' are missing" in refused({"clues": {"rows": [[1]]}})
    assert "columns is null, expected a list of clues" in refused({**PLAIN, "columns": None})


# Forms of other programs


@pytest.mark.parametrize(
    ("rows", "columns"),
    [
        ("rows", "cols"),
        ("rowClues", "columnClues"),
        ("row_clues", "col_clues"),
        ("rowHints", "colHints"),
        ("ROW-CLUES", "Cols"),
    ],
)
def test_other_names_of_rows_and_columns(
    rows: str, columns: str, caplog: pytest.LogCaptureFixture
) -> None:
    puzzle = read({"title": "t", rows: [[2, 1], []], columns: [[1], [1], [], [1]]})
    same = mono([[2, 1], []], [[1], [1], [], [1]])
    assert (puzzle.rows, puzzle.columns, puzzle.about.title) == (same.rows, same.columns, "t")
    assert caplog.messages == []
    both = refused({**PLAIN, "cols": [[1]]})
    assert "the keys 'columns' and 'cols' mean the same, expected one of them" in both


@pytest.mark.parametrize("one", [[2, 1], "2 1", "2,1", " 2,  1 ", "2\t1"])
@pytest.mark.parametrize("none", [[], [0], "", "0", " "])
def test_clues_as_others_write_them(one: Any, none: Any) -> None:
    puzzle = read({"rows": [one, none], "columns": ["1", [1], none, "1"]})
    same = mono([[2, 1], []], [[1], [1], [], [1]])
    assert (puzzle.rows, puzzle.columns) == (same.rows, same.columns)


def test_an_empty_clue_in_colour() -> None:
    data = {"rows": [[[1, "b"], [1, "a"]], [0]], "columns": [[[1, "b"]], [[1, "a"]]]}
    puzzle = read({**data, "colors": {"a": "#f00", "b": "#00f"}})
    assert [len(clue) for clue in puzzle.rows] == [2, 0]
    data["rows"][0] = "1 1"  # type: ignore[assignment]
    message = refused({**data, "colors": {"a": "#f00", "b": "#00f"}})
    assert "rows[0] is '1 1', expected a list of blocks [length, key]" in message


@pytest.mark.parametrize(
    ("clue", "message"),
    [
        ("2;1", "rows[0] is '2;1', expected a list of blocks, or text such as '2 1'"),
        ("-1", "expected a list of blocks, or text"),
        ("1.5", "expected a list of blocks, or text"),
        ("²", "expected a list of blocks, or text"),
        ("1" * 5000, "expected a list of blocks, or text"),
        ("1 0", "rows[0] has a block of length 0"),
        ("1234567890", "rows[0] has a block of length 1234567890"),
        ([0, 0], "rows[0] has a block of length 0"),
        ([False], "rows[0] has a block of length false"),
        ([0.0], "rows[0] has a block of length 0.0"),
        (["1"], "rows[0] has a block of length '1'"),
        (3, "rows[0] is 3, expected a list of blocks, or text such as '2 1'"),
        (None, "rows[0] is null, expected a list of blocks"),
    ],
)
def test_other_clues_are_refused(clue: Any, message: str) -> None:
    assert message in refused({"rows": [clue], "columns": [[1]]})


def test_the_list_of_formats_states_it() -> None:
    line = next(line for line in run("list", "formats").stdout.splitlines() if "jsonl" in line)
    assert '[0] and "2 1"' in line


@pytest.mark.parametrize(
    ("rows", "columns"),
    [
        ("hor", "ver"),
        ("horizontal", "vertical"),
        ("across", "down"),
        ("left", "top"),
        ("rowHints", "col_hints"),
        ("rowclues", "columnclues"),
        ("zeilen", "spalten"),
        ("filas", "columnas"),
        ("lignes", "colonnes"),
        ("row_runs", "column_runs"),
    ],
)
def test_headings_of_texts_are_keys(rows: str, columns: str) -> None:
    assert (
        read({columns: [[1], [1, 1]], rows: [[2], [], [1]]}).rows
        == mono([[2], [], [1]], [[1], [1, 1]]).rows
    )
    text = f"{rows}: [[2], [], [1]]\n{columns}: [[1], [1, 1]]\n"
    (puzzle,) = formats.read(text.encode())
    assert puzzle.about_with(id="") == mono([[2], [], [1]], [[1], [1, 1]])


def test_weak_names_next_to_our_own_are_ignored() -> None:
    assert read({**PLAIN, "left": [], "top": []}).rows == mono([[1], []], [[1]]).rows
    assert "mean the same" in refused({**PLAIN, "cols": [[1]]})
