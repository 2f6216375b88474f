"""Files that were once read wrongly, or refused with a wrong place."""

from __future__ import annotations

import gzip
import zlib

import pytest

import nonosat
from nonosat import formats
from nonosat.core.errors import FormatError

NON = b"width 2\nheight 1\nrows\n2\ncolumns\n1\n1\n"


def refusal(data: bytes, format_: str | None = None) -> tuple[str, int | None]:
    with pytest.raises(FormatError) as caught:
        formats.read(data, format=format_)
    return str(caught.value), caught.value.line


@pytest.mark.parametrize(
    "text",
    [
        "rows:\n2x2 1\n1\ncolumns:\n1\n1\n",
        "rows:\n1 2x2\n1\ncolumns:\n1\n1\n",
        "Rows: 1, 2x2, 1\nColumns: 1, 1\n",
    ],
)
def test_sizes_in_lists_are_refused(text: str) -> None:
    said, line = refusal(text.encode(), "clues")
    assert "the size '2x2' next to numbers" in said
    assert line in (1, 2)


@pytest.mark.parametrize("head", ["2x1", "size 2 1", "size: 2x1", "Puzzle, 2x1"])
def test_sizes_in_other_places_are_read(head: str) -> None:
    text = f"{head}\n\nrows:\n2\n\ncolumns:\n1\n1\n"
    (puzzle,) = formats.read(text.encode(), format="clues")
    assert (puzzle.height, puzzle.width) == (1, 2)


@pytest.mark.parametrize(
    ("behind", "line"), [(b" x", 8), (b"1", 8), (b"\n1 1\n", 9), (b'\nword\n\n"11"\n', 11)]
)
def test_text_after_a_goal_is_refused(behind: bytes, line: int) -> None:
    said, found = refusal(NON + b'goal "11"' + behind)
    assert "after the goal" in said
    assert found == line


@pytest.mark.parametrize("behind", [b"", b"\n\n", b"\nword\n", b"\nid a\n", b'\nsaved "1?"\n'])
def test_text_allowed_after_a_goal(behind: bytes) -> None:
    (puzzle,) = formats.read(NON + b'goal "1\n1"' + behind)
    assert puzzle.goal is not None


def test_a_clue_that_begins_with_a_letter_is_named_itself() -> None:
    said, line = refusal(b"width 1\nheight 2\nrows\nx1\n1\ncolumns\n1\n")
    assert "'x1', an unknown keyword, with lines below it" in said
    assert line == 4


@pytest.mark.parametrize("pack", [gzip.compress, zlib.compress])
def test_data_after_compressed_data_are_refused(pack) -> None:
    said, _ = refusal(pack(NON) + b"more")
    assert said.startswith("4 bytes after the compressed data")
    assert formats.read(pack(NON) + bytes(512)) == formats.read(NON)


def test_ends_of_lines_that_were_converted_twice() -> None:
    text = b": rows\n2\n\n: columns\n1\n1\n:\n"
    for ends in (b"\n", b"\r\n", b"\r\r\n", b"\r"):
        puzzle = formats.read(text.replace(b"\n", ends), format="g")[0]
        assert puzzle.rows == nonosat.nonogram([[2], []], [[1], [1]]).rows
    mixed = formats.read(b": rows\r\r\n: columns\n1\n:\n", format="g")[0]
    assert mixed.rows == ((),)  # one blank line, whose end is another than that of others


@pytest.mark.parametrize("sizes", [b"12345678901 5", b"5 12345678901", b"1 " + b"9" * 9000])
def test_bitmaps_with_sizes_of_many_digits(sizes: bytes) -> None:
    said, line = refusal(b"P1 " + sizes + b"\n1")
    assert "digits, expected 9 or fewer" in said
    assert line == 1
    assert formats.read(b"P1 0000000000001 1\n1", format="pbm")[0].width == 1
