"""Programs of benchmarks/research, and `order`'s missing clauses: small cases, and the records."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

from nonosat.core.grid import UNKNOWN

sys.path.insert(0, str(Path(__file__).parents[1] / "benchmarks/research"))
sys.path.insert(0, str(Path(__file__).parents[1] / "benchmarks/encodings"))
import family
import forced
import missing
import squares

README = squares.HERE / "README.md"


@pytest.mark.slow
def test_small_squares_are_counted_and_estimated(tmp_path: Path) -> None:
    program = squares.build(tmp_path)
    for n in range(1, 5):
        assert squares.counted(program, n)["unique"] == squares.KNOWN[n]
    parts = [squares.run(program, "count", 4, part, 3)["unique"] for part in range(3)]
    assert sum(parts) == squares.KNOWN[4]
    found = squares.estimated(program, 4, 2000)
    assert abs(found["unique"] - squares.KNOWN[4]) < 5 * found["standard_error"]


def test_the_record_has_the_known_numbers() -> None:
    rows = json.loads(squares.RESULTS.read_text())["squares"]["rows"]
    counted = {row["n"]: row["unique"] for row in rows if "samples" not in row}
    assert counted == squares.KNOWN


def test_a_cell_is_forced_if_propagation_decides_one() -> None:
    row = forced.measured(4, 0.5, 0.25, 20)
    assert row["complete"] <= 20
    assert 0 < row["forced"] <= 20
    board = forced.board_of(6, 0.5, 1.0, Random(1))
    assert UNKNOWN not in board.cells()


def test_the_table_agrees_with_the_record() -> None:
    text = README.read_text()
    rows = json.loads(forced.RECORD.read_text())["rows"]
    assert f"<!-- forced -->\n{forced.summary(rows)}\n<!-- end of forced -->" in text


def test_files_of_the_family_have_their_verdicts(tmp_path: Path) -> None:
    ((name, puzzle),) = family.puzzles((), (4,))
    paths = family.written(name, puzzle, tmp_path, "order")
    rows: list[Any] = [family.row_of(path, 60.0) for path in paths]
    assert [row["verdict"] for row in rows] == ["SATISFIABLE", "UNSATISFIABLE"]
    assert rows[1]["clauses"] == rows[0]["clauses"] + 1
    paths[1].rename(tmp_path / "wrong-sat.cnf")
    with pytest.raises(ValueError, match="expected True"):
        family.row_of(tmp_path / "wrong-sat.cnf", 60.0)


def test_clauses_that_order_lacks() -> None:
    assert missing.missing(4, (1, 1)) == []
    assert missing.missing(5, (1, 1)) == [(-3, -4), (-3, -2)]
    recorded = [json.loads(line) for line in missing.RECORD.read_text().splitlines()]
    assert missing.measured(5) == recorded[2]
