"""The table of checks agrees with the records, and every check has a test and a row."""

from __future__ import annotations

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "benchmarks/trust"))
import table

TRUST = Path(table.__file__).parent


def test_the_table_agrees_with_the_records():
    assert table.between(table.README.read_text()) == table.current(), "run table.py --write"


def test_every_check_has_a_row_a_test_and_a_short_record():
    programs = {path.stem for path in TRUST.glob("*.py") if 'perform("' in path.read_text()}
    assert programs == {row.name for row in table.ROWS}
    tests = {path.stem.removeprefix("test_trust_") for path in Path(__file__).parent.glob("*.py")}
    assert programs <= tests
    assert set(json.loads(table.SHORT.read_text())) == programs


def test_no_record_has_a_failure_or_is_a_short_one():
    for name, found in table.recorded().items():
        assert (found["failures"], found["short"]) == ([], False), name


def test_numbers_are_labelled_by_their_names():
    row = table.Row("a", "what", ("pairs", "all "))
    checked = {"pairs": 1234, "all to length 9": 5, "other": 6}
    assert table.description(row, checked) == "1,234 pairs, all 5 to length 9"
    assert table.description(table.Row("b", "what", (), "files"), checked) == "1,245 files"
    assert table.description(table.Row("b", "what", (), "files"), {"pairs": 1}) == "1 file"
    assert table.description(row, None) == "-"
