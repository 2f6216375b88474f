"""Puzzles as words, one per line, as puzzle programs share them: addresses and game ids.

In words for Slitherlinks, letters represent runs of blank cells; reading stops with an error if the
word is too short or too long for the board.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TypeVar

from nonosat.core.errors import PuzzleError, counted, rows_by_columns
from nonosat.core.limits import polled
from nonosat.formats._lines import numbered, uncommented
from nonosat.formats._text import decode, fail, of_file, shorten
from nonosat.puzzles.slitherlink.data import BLANK, Slitherlink, check_size

Runs = Iterator[tuple[int, int, int]]  # (clue, blank cells after it, place in the word)

_LINES = 1000  # limit of comments before the first word
_SEED = re.compile(r"(?:\S{0,300}[:#])?[0-9]+(?:x[0-9]+)?(?:t[0-9]+)?(?:d[a-z])?#.*")

_T = TypeVar("_T")


def first_word(data: bytes) -> bytes:
    """Return the first line that is neither blank nor begins with `#`, stripped."""
    start = 0
    for _ in range(_LINES):
        end = data.find(b"\n", start)
        word = data[start : end if end >= 0 else len(data)].strip()
        if word[:1] not in b"#" or end < 0:
            return word
        start = end + 1
    return b""


def of_program(name: str) -> str:
    """Return the pattern of prefixes of a game id of Simon Tatham's programs.

    That is an address of the program's page, or its name, as his and other collections write it:
    `https://www.chiark.greenend.org.uk/~sgtatham/puzzles/js/pattern.html#`, `pattern:`.
    """
    return rf"(?i:\S{{0,300}}\b{name}(?:\.html)?[:#])?"


def read_each(
    data: bytes,
    pattern: re.Pattern[str],
    example: str,
    parse: Callable[[re.Match[str], int], _T],
) -> Iterator[_T]:
    """Yield a puzzle per line; blank lines and lines that begin with `#` are left out.

    Args:
        data: The file.
        pattern: Required form of each line.
        example: Example of such a line, for messages.
        parse: Returns the puzzle for a match and the number of its line.
    """
    is_empty = True
    for line in uncommented(numbered(decode(data))):
        is_empty = False
        word = line.text.strip()
        begin = line.text.index(word)
        if (match := pattern.fullmatch(line.text, begin, begin + len(word))) is None:
            is_seed = _SEED.fullmatch(word)
            seed = ", a random seed that only the program itself can read" if is_seed else ""
            fail(f"{shorten(word)}{seed}, expected such as {example}", line.line)
        yield parse(match, line.line)
    if is_empty:
        fail("there is no puzzle in the file", 1)


def board(size: tuple[str, str], runs: Runs, line: int, spare: int = 0) -> Slitherlink:
    """Return the board that the runs of a word fill.

    Args:
        size: Rows and columns.
        runs: Content of the word: (clue or BLANK, number of blank cells after it, position).
        line: Number of the word's line.
        spare: Number of blank cells beyond the board that are ignored.

    Raises:
        FormatError: An impossible size, or a word that is too short or too long.
    """
    height, width = map(int, size)
    try:
        check_size(height, width)
    except PuzzleError as error:
        raise of_file(error, line) from error
    clues = bytearray()
    for clue, blanks, place in polled(runs):
        if len(clues) >= height * width:
            fail(f"clues beyond the {counted(height * width, 'cell')}", line, place + 1)
        clues += bytes([clue]) * (clue != BLANK) + bytes([BLANK]) * blanks
    if not height * width <= len(clues) <= height * width + spare:
        fail(f"{counted(len(clues), 'cell')}, expected {rows_by_columns(height, width)}", line)
    return Slitherlink(height, width, bytes(clues[: height * width]))


def num_blanks(clues: bytes, start: int, most: int) -> int:
    """Return the number of successive blank cells from `start` on, at most `most`."""
    run = clues[start : start + most]
    return len(run) - len(run.lstrip(bytes([BLANK])))
