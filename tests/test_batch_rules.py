"""`nonosat batch --rules`: sets of tournaments, their clocks, answers and scores."""

from __future__ import annotations

import json
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from helpers.clocks import Clock
from helpers.commands import COLOURED, MULTIPLE, UNIQUE, UNSOLVABLE, put, run
from nonosat import formats
from nonosat.batch import rules
from nonosat.batch.deciding import Rules
from nonosat.batch.rules import RULES, SetClock, scores, table
from nonosat.generate.nonogram import generate_tournament
from nonosat.processes import journal

__all__ = ["put"]  # a fixture

TCGA = RULES["tcga"]


@pytest.fixture
def sets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Write two sets of three puzzles; return their folder."""
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "sets"
    folder.mkdir()
    for seed, name in enumerate(("taai2011", "mine")):
        made = [generate_tournament(number, 3, 7, seed) for number in (1, 2, 3)]
        (folder / f"{name}.txt").write_bytes(formats.write(made, "tournament"))
    return folder


def results_of(path: str) -> list[dict[str, Any]]:
    return [record for record in journal.read(path) if record["kind"] == "result"]


def questions(text: str) -> dict[str, list[str]]:
    """Return the lines below each number of a question file, or of the official answers."""
    found: dict[str, list[str]] = {}
    for line in text.splitlines():
        if line.startswith("$"):
            found[line] = []
        else:
            found[[*found][-1]].append(line)
    return found


def clue(cells: str) -> str:
    return "\t".join(str(len([*run])) for cell, run in groupby(cells) if cell == "1") or "0"


def test_the_answers_satisfy_the_clues_of_each_set(sets: Path) -> None:
    done = run("batch", "sets", "--rules", "tcga", "-o", "r.jsonl", "--answers", "answers")
    assert done.exit_code == 0, done.output
    for file in sorted(sets.iterdir()):
        answers = questions(Path("answers", file.name).read_text())
        asked = questions(file.read_text())
        assert [*answers] == [*asked] == ["$1", "$2", "$3"]
        for number, lines in answers.items():
            rows = ["".join(line.split("\t")) for line in lines]
            columns = ["".join(column) for column in zip(*rows, strict=True)]
            assert [*map(clue, columns), *map(clue, rows)] == asked[number]
    shown = done.stdout.splitlines()
    assert "winner then" in shown[2]
    assert shown[3].split()[:4] == ["mine", "3", "of", "3"]
    assert shown[4].endswith("LalaFrogKK 645.5 s  463.4 s     71.4 s")
    assert shown[5].split()[:4] == ["all", "6", "of", "6"]
    assert "published" in shown[6]


@pytest.mark.usefixtures("sets")
def test_resumed_sets_keep_their_clocks() -> None:
    line = ["batch", "sets", "--rules", "tcga", "-o", "r.jsonl", "--answers", "answers"]
    assert run(*line).exit_code == 0
    whole = Path("answers", "mine.txt").read_text()
    every = Path("r.jsonl").read_text().splitlines(keepends=True)
    Path("r.jsonl").write_text("".join(every[:3]))  # the header, and two of the first set
    assert "1 of 3" not in run(*line, "--resume").stdout
    records = results_of("r.jsonl")
    assert [record["id"] for record in records] == ["1", "2", "3"] * 2
    for _, found in groupby(records, key=lambda record: record["file"]):
        seconds = [record["set_s"] for record in found]
        assert seconds == sorted(seconds)
        assert seconds[0] > 0
    assert Path("answers", "mine.txt").read_text() == whole
    headers = [one for one in journal.read("r.jsonl") if one["kind"] == "header"]
    assert [(one["rules"], one["task"]) for one in headers] == [("tcga", "solve")] * 2
    assert headers[0]["options"]["time_limit_s"] == 7200


@pytest.mark.usefixtures("sets")
def test_puzzles_after_the_end_of_a_set_are_not_solved(monkeypatch: pytest.MonkeyPatch) -> None:
    spent = {str(Path("sets", "mine.txt")): 7200.5}
    monkeypatch.setattr("nonosat.batch.driver.SetClock", lambda _: SetClock(spent))
    done = run("batch", "sets", "--rules", "tcga", "-o", "r.jsonl", "--answers", "answers")
    assert done.exit_code == 5
    found = [(record["status"], record.get("reason")) for record in results_of("r.jsonl")]
    assert found == [("timeout", "the time limit of its set, 7200 s")] * 3 + [("ok", None)] * 3
    assert "0 of 3  7200.0 s" in done.stdout
    assert "3 of 6" in done.stdout
    assert Path("answers", "mine.txt").read_text() == ""


def test_other_puzzles_are_recorded_as_unsupported(put: Any) -> None:
    name = put(UNIQUE, COLOURED, MULTIPLE, UNSOLVABLE)
    done = run("batch", name, "--rules", "tcga", "-o", "r.jsonl", "--answers", "answers")
    assert done.exit_code == 2
    records = results_of("r.jsonl")
    assert [record["status"] for record in records] == ["ok", "unsupported", "ok", "ok"]
    assert "nonograms of one colour, this puzzle is of several colours" in records[1]["reason"]
    assert "2 of 4" in done.stdout
    assert [*questions(Path("answers", "puzzles.txt").read_text())] == ["$1", "$3"]


def test_a_set_ends_at_its_limit() -> None:
    solved = {"file": "a/b.txt", "id": "x", "verdict": "solved", "solutions": [["#.", ".#"]]}
    records = [solved | {"set_s": seconds} for seconds in (3.0, 9.0, 11.0)]
    (found,) = scores(records, Rules("mine", 10.0))
    assert (found.name, found.num_puzzles, found.num_solved, found.seconds) == ("b", 3, 2, 10.0)
    assert found.answers == ["$1\n1\t0\n0\t1\n", "$2\n1\t0\n0\t1\n"]
    assert table([found], TCGA)[1] == ("b", "2 of 3", "10.0 s", "", "", "")


def test_the_clock_counts_the_time_between_results(clock: Clock) -> None:
    found = SetClock({"a": 5.0})
    clock.advance(2.0)
    assert found.lap("a") == 7.0
    clock.advance(1.0)
    found.restart()
    clock.advance(4.0)
    assert (found.lap("b"), found.seconds("a")) == (4.0, 7.0)


def test_every_published_set_has_its_columns() -> None:
    assert len(TCGA.published) == 30
    assert {len(columns) for columns in TCGA.published.values()} == {len(rules.COLUMNS)}
    assert TCGA.published["tcga2016"] == ("", "970 in 7200 s", "81.3 s")


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ("--jobs 2", "--jobs contradict each other: there is one core"),
        ("--task check", "--task contradict each other: any one solution"),
        ("--cluster local:1", "--cluster contradict each other: there is one core"),
        ("--time-limit 5", "--time-limit contradict each other: each set has its time"),
        ("--shards", "--shards contradict each other: puzzles are solved in order"),
        ("--resume --retry timeout", "--retry contradict each other: there is one attempt"),
        ("--latest", "--latest contradict each other: it decides nothing"),
        ("--merge x", "--merge contradict each other: it decides nothing"),
        ("--backend portfolio:learn,cadical195", "a portfolio takes several cores"),
        ("--answers sets/answers", "sets, whose files are puzzles; choose a folder elsewhere"),
        ("--answers no/where", "there is no folder above it; make it first"),
        ("--answers .", "is not empty; choose another folder"),
    ],
)
@pytest.mark.usefixtures("sets")
def test_options_against_the_rules_are_refused(options: str, told: str) -> None:
    done = run("batch", "sets", "--rules", "tcga", "-o", "r.jsonl", *options.split())
    assert done.exit_code == 2
    assert told in " ".join(done.stderr.split())
    assert not Path("r.jsonl").exists()


@pytest.mark.usefixtures("sets")
def test_answers_are_for_rules() -> None:
    done = run("batch", "sets", "-o", "r.jsonl", "--answers", "answers")
    assert "--answers is for --rules NAME" in done.stderr


@pytest.mark.usefixtures("sets")
def test_results_without_seconds_are_refused() -> None:
    line = ["batch", "sets", "--rules", "tcga", "-o", "r.jsonl"]
    assert run(*line).exit_code == 0
    records = [record | {"set_s": "1"} for record in journal.read("r.jsonl")]
    Path("r.jsonl").write_text("".join(f"{json.dumps(record)}\n" for record in records))
    done = run(*line, "--resume")
    assert done.exit_code == 2
    assert "lacks its number set_s" in done.stderr
