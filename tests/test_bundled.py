"""Bundled puzzles: names, index, every way to read them, and their place in a wheel."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path

import pytest

import nonosat
from helpers.commands import run
from nonosat import formats
from nonosat.bench.instances import Source, read
from nonosat.core.errors import FormatError
from nonosat.core.result import Verdict
from nonosat.studio.opening import puzzle_of

INSTANCES = Path(__file__).parent.parent / "instances"
CAT = next(
    line for line in (INSTANCES / "pictures.jsonl").read_text().splitlines() if '"cat"' in line
)


@pytest.fixture(scope="module")
def index() -> list[dict[str, str]]:
    with (INSTANCES / "index.csv").open(newline="") as file:
        return list(csv.DictReader(file))


def test_no_name_has_two_meanings(index) -> None:
    names = [row["id"] for row in index] + [path.stem for path in INSTANCES.glob("*.jsonl")]
    assert len(set(names)) == len(names)
    assert not any("#" in name or name.isdigit() for name in names)


@pytest.mark.parametrize("name", ["cat", "#cat", "pictures#cat", "cat#cat", "pictures#6"])
def test_each_way_to_name_one(name: str) -> None:
    puzzle = nonosat.load(f"bundled:{name}")
    assert puzzle == nonosat.loads(CAT)
    assert puzzle.about.title == "Cat"


def test_a_file_and_all_of_them_are_the_files_of_the_collection(index) -> None:
    pictures = nonosat.load_all(INSTANCES / "pictures.jsonl")
    assert nonosat.load_all("bundled:pictures") == pictures
    found = [puzzle.about.id for puzzle in nonosat.load_all("bundled:")]
    assert found == [row["id"] for row in index]


def test_the_format_of_the_other_files_does_not_matter(tmp_path, monkeypatch, caplog) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.nin").write_text("1 1\n1\n1\n")
    found = run("show", "a.nin", "bundled:dot", "--from", "nin")
    assert (found.exit_code, found.stdout.count("1 row x 1 column")) == (0, 2)
    assert "bundled:dot: bundled puzzles are jsonl; nin is for other files" in caplog.text
    caplog.clear()
    assert run("show", "bundled:dot", "--from", "jsonl").exit_code == 0
    assert not caplog.text


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("bundled:kat", "no bundled puzzle is called 'kat' (did you mean cat?)"),
        ("bundled:picture", "(did you mean pictures?)"),
        ("bundled:Cat", "did you mean cat"),
        (
            "bundled:xyzzy",
            "bundled: alone means all 238, and these names mean some of them: pictures, colour",
        ),
        ("bundled:cat.jsonl", "a file of this name is ./bundled:cat.jsonl"),
        ("bundled:cat#", "nothing after '#'"),
        ("bundled:pictures#kat", "no puzzle 'kat' (did you mean cat?)"),
    ],
)
def test_an_unknown_name(name: str, words: str) -> None:
    with pytest.raises(FormatError) as error:
        nonosat.load(name)
    assert words in str(error.value)


def test_a_file_of_such_a_name_needs_a_folder_in_front(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("bundled:cat").write_text("#\n")
    assert nonosat.load("bundled:cat").height == 20
    assert nonosat.load("./bundled:cat").height == 1


def test_a_suite_takes_the_verdicts_of_the_index() -> None:
    suite = Path("anywhere/suite.toml")
    (switch,) = read(Source("bundled:switch"), suite)
    assert (switch.name, switch.expected) == ("bundled:special#switch", Verdict.MULTIPLE)
    names = [one.name for one in read(Source("bundled:pictures", first=2), suite)]
    assert names == ["bundled:pictures#smile", "bundled:pictures#heart"]
    with pytest.raises(FormatError, match="no bundled puzzle"):
        list(read(Source("bundled:xyzzy"), suite))


def test_the_studio_opens_one() -> None:
    assert puzzle_of("bundled:cat") == nonosat.load("bundled:cat")
    with pytest.raises(FormatError, match="no bundled puzzle"):
        puzzle_of("bundled:xyzzy")


def test_commands_take_one(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    found = run("check", "bundled:cat", "--json")
    record = json.loads(found.stdout)
    assert (record["id"], record["file"]) == ("cat", "bundled:pictures")
    assert run("batch", "bundled:colour", "-o", "out.jsonl", "--jobs", "1").exit_code == 0
    again = run("batch", "bundled:colour", "-o", "out.jsonl", "--jobs", "1", "--resume")
    assert (again.exit_code, len(Path("out.jsonl").read_text().splitlines())) == (0, 12)
    assert run("diff", "bundled:cat", "bundled:duck").exit_code == 2
    wrong = run("batch", "bundled:xyzzy", "-o", "none.jsonl", "--jobs", "1")
    assert wrong.exit_code == 2


def test_the_list(index) -> None:
    lines = run("list", "puzzles").stdout.splitlines()
    assert [line.split()[0] for line in lines] == [f"bundled:{row['id']}" for row in index]
    (cat,) = [line for line in lines if line.startswith("bundled:cat ")]
    assert re.split("  +", cat)[1:] == [
        *("Cat", "nonogram", "20 rows x 20 columns", "unique", "drawn by hand", "bundled:pictures")
    ]
    assert "bundled:pictures     15 puzzles" in run("list").stdout
    assert [one.verdict for one in formats.bundled()] == [row["verdict"] for row in index]


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("cat", "no such file; the puzzle that comes with nonosat is bundled:cat"),
        ("pictures", "no such file; the puzzles that come with nonosat are bundled:pictures"),
        ("bundled", "no such file; bundled: means all puzzles that come with nonosat"),
    ],
)
def test_a_bundled_name_without_its_beginning_is_explained(
    name: str, told: str, tmp_path, monkeypatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(FormatError) as refused:
        nonosat.load(name)
    assert told in str(refused.value)
    Path(name).write_text(CAT)
    assert nonosat.load(f"./{name}") == nonosat.load(name) == nonosat.loads(CAT)
