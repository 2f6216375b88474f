"""Files of queens: boards and lists of squares, golden texts, round trips, refusals."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.drawing import examples
from helpers.queens import boards
from nonosat import formats
from nonosat.core import plugins
from nonosat.core.errors import FormatError, UnsupportedError
from nonosat.formats import queens
from nonosat.puzzles.nonogram import mono
from nonosat.puzzles.queens import Queens

BOARD = b"queens 4\n.Q..\n...x\n....\n....\n"


def test_the_golden_board():
    puzzle = Queens(4, given=((0, 1),), blocked=((1, 3),))
    assert Path(__file__).with_name("data").joinpath("formats/tricky.queens").read_bytes() == BOARD
    assert queens.read(BOARD) == [puzzle]
    assert queens.write([puzzle]) == BOARD
    assert queens.read(b"# a comment\n\r\n.Q..\r\n...x\n\n....\n....") == [puzzle]
    assert queens.read(b"queens 8") == [Queens(8)]
    assert queens.read(b"queens 0\n") == [Queens(0)]
    assert queens.write([Queens(8)]) == b"queens 8\n"


@given(puzzle=boards())
def test_boards_come_back(puzzle):
    if {*puzzle.given} & {*puzzle.blocked}:
        with pytest.raises(UnsupportedError, match="which is given and blocked; use jsonl"):
            queens.write([puzzle])
        return
    data = queens.write([puzzle])
    assert queens.sniff(data)
    assert queens.read(data) == [puzzle]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "1: the file is empty, expected 'queens N' or a board"),
        ("# nothing", "1: the file is empty"),
        ("queens", "1: '' queens, expected a number from 0 to 1000000"),
        ("queens -1", "1: '-1' queens, expected a number"),
        ("queens 1.5", "1: '1.5' queens"),
        ("queens 123456789012345678901234567890", "queens, expected a number from 0 to 1000000"),
        ("queens 3\n..\n", "2: a board of 1 row, expected 3"),
        ("queens 1\n.\n\n.\n", "4: a board of 2 rows, expected 1"),
        (".Q\n.\n", "2: a row of 1 square, expected 2"),
        ("...\n.y.\n...", "2:2: the character 'y', expected '.', 'Q' or 'x'"),
        ("queens 4\n0 1", "a board of 1 row, expected 4"),
    ],
)
def test_invalid_boards_are_refused(text, message):
    with pytest.raises(FormatError) as refused:
        queens.read(text.encode())
    assert message in str(refused.value)


@pytest.mark.parametrize(
    ("text", "given_", "blocked"),
    [
        ("1 2\n4,3\n", [(0, 1), (3, 2)], []),
        ("# rows and columns\n\n  2\t4 \n", [(1, 3)], []),
        (".Q..\n...x\n....\n....\n", [(0, 1)], [(1, 3)]),
        ("queens 4\n", [], []),
        ("  queens 4\n", [], []),
        ("", [], []),
    ],
)
def test_squares_of_a_known_board(text, given_, blocked):
    assert queens.marks(text.encode(), 4, "Q") == (given_, blocked)
    if not blocked:
        assert queens.marks(text.encode(), 4, "x") == ([], given_) or "Q" in text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1 2\n1 2", "2: the square 1,2 again, named on line 1 already"),
        ("1 9", "1:3: the column '9', expected 1 to 4"),
        ("0 1", "1:1: the row '0', expected 1 to 4"),
        ("-1 3", "1:1: the row '-1', expected 1 to 4"),
        ("99999999999999999999 1", "1:1: the row '99999999999999999999'"),
        ("0 1 2", "1: a list of 3 columns, expected 4"),
        ("1 1\nfoo", "2: 'foo', expected a row and a column"),
        ("foo", "a board of 1 row, expected 4"),
        ("queens 5\n", "1: a board of 5 queens, expected 4"),
    ],
)
def test_squares_that_are_refused(text, message):
    with pytest.raises(FormatError) as refused:
        queens.marks(text.encode(), 4, "Q")
    assert message in str(refused.value)


def test_puzzles_that_a_board_cannot_hold_are_refused():
    for puzzles in ([], [Queens(4), Queens(5)], [mono([[1]], [[1]])]):
        with pytest.raises(UnsupportedError, match=r"no puzzle to write|queens (cannot|holds)"):
            queens.write(puzzles)
    several = [Queens(4).about_with(id="a"), Queens(5, ((0, 1),), ((2, 2),)).about_with(id="b")]
    assert formats.read(formats.write(several, "jsonl")) == several
    with pytest.raises(UnsupportedError, match="no picture has 5000 x 5000"):
        queens.write([Queens(5000, given=((0, 0),))])


def test_other_formats_keep_their_files():
    assert formats.format_of("board.queens", BOARD) == "queens"
    assert formats.format_of("board", b".Q\n..\n") == "queens"
    assert formats.format_of("picture.txt", b".x\nx.\n") == "picture"
    others = {"non", "webpbn", "g", "mk", "jsonl"} & plugins.names("formats").keys()
    for name in others:
        written = formats.write([mono([[1]], [[1]])], name)
        assert not queens.sniff(written)


@examples(120)
@given(data=st.binary(max_size=60) | st.text(".Qx\n queens0129-#", max_size=60).map(str.encode))
def test_arbitrary_bytes_give_a_board_or_an_error(data):
    queens.sniff(data)
    with suppress(FormatError):
        assert len(queens.read(data)) == 1
    with suppress(FormatError):
        given_, blocked = queens.marks(data, 4, "x")
        assert Queens(4, tuple(given_), tuple(blocked)).n == 4


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("0 1\n1 3\n", "1:1: the row '0', expected 1 to 4; rows and columns are numbered from 1"),
        ("[0, 1, 2]\n", "1: a list of 3 columns, expected 4"),
        ("[0, 4, 1, 2]\n", "1: a list with 0 and 4, expected columns from 0 to 3 or from 1 to 4"),
        ("[1, 3, 0, 2]\n[2, 0, 3, 1]\n", "2: 2 lines of lists, expected one placement"),
        ("[1, 3, 0, 9]\n", "1: the column 9 in a list"),
    ],
)
def test_marks_that_are_no_placement_are_named(text: str, message: str) -> None:
    with pytest.raises(FormatError) as refused:
        queens.marks(text.encode(), 4, "Q")
    assert message in str(refused.value)


@pytest.mark.parametrize(
    "text",
    [
        "[1, 3, 0, 2]\n",
        "2 4 1 3\n",
        "0 1 0 0\n0 0 0 1\n1 0 0 0\n0 0 1 0\n",
        "· ♛ · ·\n· · · ♛\n♛ · · ·\n· · ♛ ·\n",
        "1 2\n2 4\n3 1\n4 3\n",
    ],
)
def test_placements_as_they_are_printed(text: str) -> None:
    assert queens.marks(text.encode(), 4, "Q") == ([(0, 1), (1, 3), (2, 0), (3, 2)], [])


@pytest.mark.parametrize(
    ("text", "given"), [("[0, 1]\n", [(0, 0), (1, 1)]), ("[2,1]", [(0, 1), (1, 0)])]
)
def test_a_placement_of_two_queens_is_a_list(text: str, given: list[tuple[int, int]]) -> None:
    assert queens.marks(text.encode(), 2, "Q") == (given, [])
