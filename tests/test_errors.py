"""What messages are made of."""

from __future__ import annotations

import pytest

from nonosat.errors import about, counted, rows_by_columns, shown


@pytest.mark.parametrize(
    ("number", "words"), [(0, "0 cells"), (1, "1 cell"), (2, "2 cells"), (3079, "3079 cells")]
)
def test_one_thing_has_no_s(number: int, words: str) -> None:
    assert counted(number, "cell") == words
    assert counted(number, "open cell") == words.replace("cell", "open cell")


def test_thousands_apart_where_asked_for() -> None:
    assert counted(3079, "clause", ",") == "3,079 clauses"
    assert counted(1, "clause", ",") == "1 clause"


def test_sizes_of_boards() -> None:
    assert rows_by_columns(1, 2) == "1 row x 2 columns"
    assert rows_by_columns(30, 1) == "30 rows x 1 column"


def test_values_are_shortened() -> None:
    assert shown("a" * 70) == f"'{'a' * 56}..."
    assert shown(10**5000) == "a number of thousands of digits"
    assert about(10**9 - 1) == "999999999"
    assert about(2**1000) == "about 10^301"
