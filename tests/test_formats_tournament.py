"""Question files of the tournaments."""

import random

import pytest

import nonosat
from nonosat import FormatError, UnsupportedError
from nonosat.formats import tournament

# ##.
# ...
# .#.
TEXT = "$7\n1\n1\t1\n0\n2\n0\n1\n"
CLUES = ([[2], [], [1]], [[1], [1, 1], []])


def lengths(puzzle: nonosat.Nonogram) -> tuple[list[list[int | None]], list[list[int | None]]]:
    """Return the lengths of the blocks of rows and columns."""
    rows, columns = (
        [[block.length for block in clue] for clue in side]
        for side in (puzzle.rows, puzzle.columns)
    )
    return rows, columns


@pytest.mark.parametrize(
    "text",
    [
        TEXT,
        TEXT.replace("\n", "\r\n"),
        TEXT.replace("\t", " "),
        TEXT.replace("0", ""),  # empty lines are blank
        "\n" + TEXT.replace("2\n", "\n2\n"),  # a blank line between the lists
        "\ufeff" + TEXT.replace("\n", "\r"),
        TEXT + "\n\n",
        TEXT.replace("0", "") + "\n",
    ],
)
def test_columns_come_first(text: str) -> None:
    puzzle = nonosat.loads(text)
    assert lengths(puzzle) == CLUES
    assert puzzle.about.id == "7"


@pytest.mark.parametrize("text", ["$1\n\n1\n1\n\n1\n1\n", "$1\n1\n1\n\n1\n1\n\n$2\n1\n1\n"])
def test_blank_lines_of_two_meanings_are_refused(text: str) -> None:
    found = list(tournament.read(text.encode()))
    assert isinstance(found[0], FormatError)
    assert "expected 0 for an empty line" in str(found[0])


def test_random_puzzles_come_back() -> None:
    rng = random.Random(5)
    puzzles = []
    for size in (1, 2, 7, 25, 25):
        picture = ["".join(rng.choice(".#") for _ in range(size)) for _ in range(size)]
        puzzles.append(nonosat.from_picture(picture))
    data = tournament.write(puzzles)
    read = list(tournament.read(data))
    assert [lengths(puzzle) for puzzle in read] == [lengths(puzzle) for puzzle in puzzles]
    assert [puzzle.about.id for puzzle in read] == list("12345")
    assert tournament.sniff(data)


def test_an_error_of_one_puzzle_leaves_the_others() -> None:
    found = list(tournament.read(f"{TEXT}$8\n1\n1\n1\n{TEXT}$x\n".encode()))
    assert [type(one) for one in found] == [
        nonosat.Nonogram,
        FormatError,
        nonosat.Nonogram,
        FormatError,
    ]
    assert "3 clues after this number" in str(found[1])
    assert found[1].line == 8
    assert "'$x', expected '$' and a number" in str(found[3])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("hello\n$1\n1\n1\n", "1: 'hello', expected"),
        ("", "1: no line, expected"),
        ("$1\n1\n1x\n", "undefined colour"),
        ("$1\n", "0 clues after this number"),
    ],
)
def test_errors_name_what_is_expected(text: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        nonosat.loads(text, format="tournament")


def test_only_squares_can_be_written() -> None:
    with pytest.raises(UnsupportedError, match=r"the shape \(it holds squares\) of .*nin") as told:
        tournament.write([nonosat.from_picture(["#."])])
    assert "tournament, " not in str(told.value)  # among the formats that hold it
