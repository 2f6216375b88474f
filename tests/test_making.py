"""The report on making puzzles agrees with its records and with its pictures."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "benchmarks/making"))
import ambiguous
import repairs
import tables
import uniqueness


def test_the_tables_agree_with_the_records() -> None:
    text = tables.REPORT.read_text()
    assert tables.filled(text) == text, "run tables.py --write"


@pytest.mark.slow
def test_the_record_has_sixty_pictures_of_several_solutions() -> None:
    record = json.loads(repairs.RECORD.read_text())
    drawn = {puzzle.about.id: puzzle for puzzle in ambiguous.pictures()}
    assert [row["id"] for row in record["pictures"]] == list(drawn)
    assert len(drawn) == 60
    for row in record["pictures"]:
        puzzle = drawn[row["id"]]
        assert row["size"] == [puzzle.height, puzzle.width]
        assert 10 <= min(row["size"]) <= max(row["size"]) <= 40
        assert row["late"]["changes"] >= row["late"]["least"] >= 1


def test_a_repair_is_measured_and_reported() -> None:
    puzzle = next(iter(ambiguous.photographs()))
    row = repairs.measured(puzzle)
    assert row["soon"] == row["late"]
    assert repairs.is_proven(row["soon"])
    assert row["of one cell"]["number"] > 0
    assert f"{row['of one cell']['number']} cells" in repairs.told(row)


def test_grades_are_counted() -> None:
    row = uniqueness.measured(5, 0.6, 20)
    assert sum(row["grades"].values()) == 20
    assert 0 < uniqueness.num_unique(row) < 20
    assert uniqueness.summary([row]).splitlines()[-1].startswith("| 0.60 |")


def test_an_unknown_table_is_refused() -> None:
    with pytest.raises(SystemExit, match="repairs"):
        tables.filled("no table here")
