"""Files with boards of a knight."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.drawing import examples
from nonosat.core.errors import FormatError, UnsupportedError
from nonosat.formats import knight
from nonosat.puzzles.knight import Knight
from nonosat.testing.strategies import knights

TRICKY = Path(__file__).parent / "data" / "formats" / "tricky.knight"


def test_the_golden_file():
    [puzzle] = knight.read(TRICKY.read_bytes())
    assert puzzle == Knight(
        3, 4, closed=True, holes=((1, 2), (2, 3)), given=((0, 0, 1), (1, 3, 10))
    )
    assert knight.sniff(TRICKY.read_bytes())
    assert knight.write([puzzle]) == (b"knight 3 4 closed\n 1  .  .  .\n .  .  x 10\n .  .  .  x\n")


@examples(60)
@given(puzzle=knights())
def test_round_trips(puzzle):
    data = knight.write([puzzle])
    assert knight.read(data) == [puzzle]
    assert knight.sniff(data)
    found = knight.marks(data, puzzle.rows, puzzle.columns, puzzle.closed)
    assert tuple(found.holes) == puzzle.holes


def test_a_bare_board():
    assert knight.write([Knight(8, 9)]) == b"knight 8 9\n"
    for data in (b"knight 8 9\n", b"  knight 8 9\n"):
        assert knight.sniff(data)
        assert knight.read(data) == [Knight(8, 9)]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "1: expected the first line to be 'knight ROWS COLUMNS'"),
        ("knight 5\n", "1: expected the first line"),
        ("knight 5 0\n", "1:10: '0', expected a number from 1"),
        ("knight 5 5 open\n", "1: expected the first line"),
        ("knight 9999 9999\n", "1: 9999 x 9999 squares, expected at most 4000000"),
        ("knight 2 2\n. .\n", "2: a board of 1 row, expected 2"),
        ("knight 1 2\nx x\n", "1: every square of the board is a hole"),
        ("knight 1 2\n3 x\n", "1: the given number 3 in row 1, column 1"),
        ("knight 1 2\n1 9999999999\n", "2:3: '9999999999', expected a number"),
    ],
)
def test_invalid_boards(text, message):
    with pytest.raises(FormatError) as caught:
        knight.read(text.encode())
    assert message in str(caught.value)


@examples(180)
@given(
    st.one_of(st.binary(max_size=80), st.text(alphabet="knight 123x.,\n-#closed").map(str.encode))
)
def test_any_bytes_are_a_board_or_a_format_error(data):
    for read in (knight.read, lambda data: knight.marks(data, 3, 3, False)):
        try:
            found = read(data)
        except FormatError:
            continue
        assert found is not None


def test_boards_too_large_to_write_and_other_families():
    with pytest.raises(UnsupportedError, match="too large for a picture"):
        knight.write([Knight(1001, 1001, (0, 0))])
    with pytest.raises(UnsupportedError):
        knight.write([])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("0 3 6 9\n11 8 1 4\n2 5 10 7\n", "1:1: '0', expected a number from 1 to 999999999; sizes"),
        ("0,0 1,2\n", "1:1: the row '0', expected 1 to 3; rows and columns are numbered from 1"),
        ("1,1 2,5\n", "1:5: the column '5', expected 1 to 4"),
        ("1,1 2,3\n1,1 2,3\n", "2: a second line after a list of squares"),
    ],
)
def test_tours_that_are_refused(text, message):
    with pytest.raises(FormatError) as refused:
        knight.marks(text.encode(), 3, 4, closed=False)
    assert message in str(refused.value)


def test_a_printed_list_is_a_tour_from_its_first_move_on():
    found = knight.marks(b"1,1 2,3 3,1\n", 3, 4, closed=False)
    assert found == ([], [(0, 0, 1), (1, 2, 2), (2, 0, 3)])
