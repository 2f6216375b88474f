"""Bare-number files of which nobody says how they are to be read.

The numbers are read in every plausible way: rows or columns first, the sizes as height and width
or as width and height (on one line, on two, or not at all, with a blank line between rows and
columns), every line ended by a 0 or not. A reading survives when the number of lines is right,
every clue fits its line and rows and columns fill equally many cells. Readings of the same
puzzle are one. A single survivor is taken; several are refused and named: which of a puzzle and
its transpose is meant cannot be seen. A file with a line `#` is taken for .mk and nothing else.

The names `rows-first` and `columns-first` say the order, and `rows-first:3x4` also the board (3
rows, 4 columns); a reading that is asked for need not fit. Time is linear in the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import partial
from typing import NamedTuple

from nonosat.errors import FormatError, UnsupportedError
from nonosat.formats._hold import able
from nonosat.formats._text import Numbered, build, clue, clue_lines, decode, fail, numbered, sized
from nonosat.grid import MAX_CELLS
from nonosat.model import Clue
from nonosat.plugins import Format, Holds, Puzzle
from nonosat.puzzles.nonogram.data import Nonogram

NAMES = ("rows-first", "columns-first")


class Reading(NamedTuple):
    """One way to read a file."""

    order: str
    puzzle: Nonogram

    @property
    def board(self) -> str:
        return f"{self.puzzle.height}x{self.puzzle.width}"


def plausible(data: bytes) -> bool:
    """Whether there is nothing but numbers, blanks and perhaps lines with a lone '#'."""
    return (
        re.search(rb"[0-9]", data) is not None
        and re.search(rb"[^0-9\s#]", data.removeprefix(b"\xef\xbb\xbf")) is None
        and all(line.strip() == b"#" for line in data.splitlines() if b"#" in line)
    )


def choose(data: bytes) -> str:
    """Name of the one format as which the bare numbers can be read.

    Raises:
        FormatError: There is none, or there are several; the message names them.
    """
    if b"#" in data:
        from nonosat.formats import mk

        if _survives(mk.read(data)[0]):
            return "mk"
        fail("read as mk, the clues do not fit the board; --from mk reads it all the same", 1)
    found = [each for each in _readings(decode(data)) if _survives(each.puzzle)]
    if found and all(each.puzzle == found[0].puzzle for each in found):
        found = found[:1]
    names = [f"{each.order}:{each.board}" for each in found]
    if _drawn(data):
        names.append("picture")
    if not names:
        raise FormatError(
            "bare numbers whose lines do not fit any size and order; say how to read them with "
            f"--from (nin, mk, {', '.join(NAMES)})"
        )
    if len(names) > 1:
        raise FormatError(
            f"bare numbers that can be read in {len(names)} ways; choose one with --from: "
            + ", ".join([*names, *_also(data, names)])
        )
    return names[0]


def _also(data: bytes, names: Sequence[str]) -> list[str]:
    """The reading that has a format of its own."""
    from nonosat.formats import nin

    try:
        puzzle = nin.read(data)[0]
    except FormatError:
        return []
    same = f"rows-first:{puzzle.height}x{puzzle.width}"
    return [f"nin (the same as {same})"] if same in names else []


def _drawn(data: bytes) -> bool:
    """Whether the file could be a picture of the digits 0 and 1."""
    words = {len(line.split()) for line in data.splitlines() if line.strip()}
    lengths = {len(word) for word in data.split()}
    return words == {1} and len(lengths) == 1 and lengths != {1} and not data.strip(b"01\r\n")


def _read(data: bytes, order: str, board: str = "") -> list[Nonogram]:
    """The one puzzle.

    Args:
        data: The file.
        order: "rows-first" or "columns-first".
        board: "HEIGHTxWIDTH", or empty.

    Raises:
        FormatError: It cannot be read so, or in several ways; the message names them.
    """
    every = [each for each in _readings(decode(data)) if each.order == order]
    found = [each for each in every if not board or each.board == board]
    if len(found) > 1:
        found = [each for each in found if _survives(each.puzzle)] or found
    if len(found) > 1:
        names = " or ".join(f"{order}:{each.board}" for each in found)
        raise FormatError(f"two sizes fit these numbers; choose with --from {names}")
    if not found:
        boards = " or ".join(each.board for each in every) or "none"
        wanted = f" of {board}" if board else ""
        raise FormatError(
            f"no sizes and as many lines of numbers as they ask for{wanted}; boards that fit: "
            f"{boards}; expected two sizes, then a clue a line (0 for an empty one)"
        )
    return [found[0].puzzle]


def write(puzzles: Sequence[Puzzle]) -> bytes:
    """Refuse: these names only say how to read."""
    raise UnsupportedError(
        f"{' and '.join(NAMES)} only say how to read; these can be written: {able(puzzles)}"
    )


def _with_board(order: str, board: str) -> Format:
    """The format that reads a board of this size alone."""
    if not re.fullmatch(r"[0-9]{1,9}x[0-9]{1,9}", board):
        raise UnsupportedError(f"the board {board!r}, expected HEIGHTxWIDTH, e.g. {order}:3x4")
    return PLUGINS[order].replaced(read=partial(_read, order=order, board=board))


def _survives(puzzle: Nonogram) -> bool:
    """Every clue fits its line, and rows and columns fill equally many cells."""

    def fits(clues: Iterable[Clue], length: int) -> bool:
        return all(_filled(clue) + len(clue) - 1 <= length for clue in clues)

    return (
        fits(puzzle.rows, puzzle.width)
        and fits(puzzle.columns, puzzle.height)
        and sum(map(_filled, puzzle.rows)) == sum(map(_filled, puzzle.columns))
    )


def _filled(clue: Clue) -> int:
    return sum(block.length or 0 for block in clue)


def _readings(text: str) -> list[Reading]:
    """Every way in which the number of lines is right; none twice."""
    lines = numbered(text)
    found = []
    for first, second, body in _divisions(lines):
        try:
            sized(first, second, None)
            body = clue_lines(body, first + second, "clues", 1)
            clues = tuple(map(clue, _unterminated(body)))
        except FormatError:
            continue
        blocks = clues[:first], clues[first:]
        for order, (rows, columns) in zip(NAMES, (blocks, blocks[::-1]), strict=True):
            reading = Reading(order, build(None, rows=rows, columns=columns))
            if reading not in found:
                found.append(reading)
    return found


def _divisions(lines: Sequence[Numbered]) -> list[tuple[int, int, Sequence[Numbered]]]:
    """Lengths of the first and the second block, and the lines of both."""
    full = [at for at, line in enumerate(lines) if not line.blank]
    words = [lines[at].text.split() for at in full[:2]]
    if any(not re.fullmatch("[0-9]{1,9}", word) for line in words for word in line):
        return []
    if words and len(words[0]) == 2:
        sizes, body = words[0], lines[full[0] + 1 :]
        one, other = map(int, sizes)
        found = [(one, other, body), (other, one, body)]
    elif len(words) == 2 and len(words[0]) == len(words[1]) == 1:
        one, other, body = int(words[0][0]), int(words[1][0]), lines[full[1] + 1 :]
        found = [(one, other, body), (other, one, body)]
    else:
        found = []
    gaps = [at for at in range(1, len(full)) if full[at] > full[at - 1] + 1]
    if len(gaps) == 1:  # no sizes at all: two blocks with blank lines between them
        found.append((gaps[0], len(full) - gaps[0], [lines[at] for at in full]))
    return [each for each in found if each[0] * each[1] <= MAX_CELLS]


def _unterminated(lines: Sequence[Numbered]) -> list[Numbered]:
    """The lines without the 0 that ends each of them, if it does."""
    words = [line.text.split() for line in lines]
    ended = all(each and each[-1] == "0" for each in words) and any(len(each) > 1 for each in words)
    if not ended:
        return list(lines)
    return [
        Numbered(line.line, " ".join(each[:-1])) for line, each in zip(lines, words, strict=True)
    ]


PLUGINS = {
    order: Format(
        summary="read only: bare numbers, told how; rows-first:3x4 also tells the board",
        with_argument=partial(_with_board, order),
        holds=Holds(inks=1, clues=False),
        read=partial(_read, order=order),
        write=write,
    )
    for order in NAMES
}
