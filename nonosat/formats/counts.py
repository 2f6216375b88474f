"""Clues that begin with their number of blocks: bare numbers, and the arrays of Gecode's example.

    3 4            two sizes, then a clue a line: its number of blocks, and their lengths
    2 2 1
    0
    1 2
    1 1
    ...

Line breaks and commas have no meaning if there are sizes; without sizes there is a clue per line
and a blank line between the two lists. The format does not define whether the rows or the columns
come first. The format of such a text is therefore not guessed; the error names the formats that
state the order, `counts-rows-first` and `counts-columns-first`. If boards of both sizes fit the
numbers, the names of the formats include the board (`counts-rows-first:3x4`).

    const int puzzle[] = {4, 3,  1,1, 2,1,1, 1,1, 1,1,  2,2,1, 0, 1,2};

Gecode's are arrays of C: the width, the height, the columns, the rows; comments are left out, and a
file may have several arrays, whose names are the ids. Read only. Linear in the text.

Source: examples/nonogram.cpp of Gecode (Mikael Lagerkvist, MIT licence).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import islice
from typing import NamedTuple

from nonosat.core.about import About
from nonosat.core.errors import FormatError, Remedy, UnsupportedError, counted
from nonosat.core.model import Block, Clue
from nonosat.core.plugins import Format, FormatCapabilities, Puzzle
from nonosat.formats._clues_readings import fits
from nonosat.formats._hold import able
from nonosat.formats._text import build, decode, fail, number, position, shorten, sized
from nonosat.puzzles.nonogram.data import Nonogram

ORDERS = {"counts-rows-first": True, "counts-columns-first": False}
CAPABILITIES = FormatCapabilities(inks=1, clues=False)

_WORD = re.compile(r"[^\s,]+")
_OTHER = re.compile(rb"[^0-9\s,]")
_ARRAY = re.compile(
    r"\bint\s{1,20}(\w{1,99})\s{0,20}\[[\s\w]{0,40}\]\s{0,20}=\s{0,20}\{([^{}]{3,})\}"
)
_COMMENT = re.compile(r"//[^\n]*|/\*.*?(?:\*/|\Z)", re.DOTALL)
_FLAT = re.compile(r"[0-9\s,]*")
_PARTED = re.compile(r"\n[ \t]*\n")
_MOST_PARTED = 1 << 22  # characters of a text without sizes
_LENGTH = re.compile(r"0{0,9}[1-9][0-9]{0,8}")
_BOARD = re.compile(r"([0-9]{1,9})x([0-9]{1,9})")


class ClueLists(NamedTuple):
    """Clues of a text in order, its two sizes, and the number of clues before a blank line."""

    clues: tuple[Clue, ...]
    sizes: tuple[int, int]
    cut: int | None = None

    @property
    def boards(self) -> list[tuple[int, int]]:
        """Return the pairs (height, width) that the sizes may mean."""
        return list(dict.fromkeys((self.sizes, self.sizes[::-1])))


class Reading(NamedTuple):
    """A reading: the name of its format with the board, and its clues."""

    name: str
    rows: tuple[Clue, ...]
    columns: tuple[Clue, ...]


def ways(data: bytes) -> list[str]:
    """Return the names of the readings of a text in which the clues fit the board.

    The result is empty if there is none.
    """
    if _OTHER.search(data) is not None:
        return []
    try:
        found = _lists(decode(data))
    except FormatError:
        return []
    every = [way for order in ORDERS for way in _ways(found, order) if fits(way.rows, way.columns)]
    return [way.name for way in every] if any(found.clues) else []


def _ways(found: ClueLists, order: str) -> list[Reading]:
    """Return the readings with the lists in the given order, one for each possible board."""
    every = []
    for height, width in found.boards:
        cut = height if ORDERS[order] else width
        if found.cut in (None, cut):
            sides = (found.clues[:cut], found.clues[cut:])
            rows, columns = sides if ORDERS[order] else sides[::-1]
            every.append(Reading(f"{order}:{height}x{width}", rows, columns))
    return every


def _lists(text: str) -> ClueLists:
    """Return the clues of a text that begins with two sizes, or has a blank line between its lists.

    Raises:
        FormatError: The text has neither.
    """
    return _parted(text) or _sized(text, 0)


def _parted(text: str) -> ClueLists | None:
    """Return the clues of a text without sizes; None for any other text."""
    if len(text) > _MOST_PARTED or not _PARTED.search(text.strip()):
        return None
    lines = [line.replace(",", " ").split() for line in text.strip().split("\n")]
    first = lines.index([])
    sides = lines[:first], [words for words in lines[first:] if words]
    is_one_gap = [] not in lines[len(lines) - len(sides[1]) :]
    every = [*sides[0], *sides[1]]
    if not is_one_gap or not all(map(_is_counted, every)):
        return None
    clues = tuple(tuple(Block(int(word)) for word in words[1:]) for words in every)
    return ClueLists(clues, (first, len(sides[1])), first)


def _is_counted(words: Sequence[str]) -> bool:
    """Return True if the first number is the number of lengths after it."""
    return words[0] == str(len(words) - 1) and all(map(_LENGTH.fullmatch, words[1:]))


def _sized(text: str, start: int) -> ClueLists:
    """Return the clues of a text that begins with two sizes.

    Args:
        text: The text.
        start: Position of the first number.
    """
    words = _WORD.finditer(text, start)
    sizes = [_whole(text, found) for found in islice(words, 2)]
    if len(sizes) < 2:
        fail("no two sizes, expected them before the clues", _line(text, start))
    first, second = sizes
    sized(first, second, _line(text, start))
    clues: list[Clue] = []
    for _ in range(first + second):
        if (found := next(words, None)) is None:
            what = f"{counted(len(clues), 'clue')}, expected {first + second} after the two sizes"
            fail(f"{what}, each with its number of blocks in front", _line(text, len(text)))
        count = _whole(text, found, least=0)
        if count > max(first, second):
            what = f"{count} blocks in a clue, expected fewer: a clue begins with their number"
            fail(what, *position(text, found.start()))
        blocks = [_whole(text, each) for each in islice(words, count)]
        if len(blocks) < count:
            what = (
                f"the last clue has {counted(len(blocks), 'block')}, expected {count} by its number"
            )
            fail(what, _line(text, len(text)))
        clues.append(tuple(map(Block, blocks)))
    if (found := next(words, None)) is not None:
        what = f"{shorten(found[0])} after the {counted(first + second, 'clue')}, expected the end"
        fail(what, *position(text, found.start()))
    return ClueLists(tuple(clues), (first, second))


def _whole(text: str, found: re.Match[str], least: int = 1) -> int:
    """Return the number of a word, from `least` (0 or 1) on."""
    if _LENGTH.fullmatch(found[0]):
        return int(found[0])
    if not least and found[0].isascii() and found[0].isdigit() and not found[0].strip("0"):
        return 0
    return number(found[0], "number", *position(text, found.start()))


def _line(text: str, place: int) -> int:
    return position(text.rstrip(), place)[0]


def _read(data: bytes, order: str, board: str = "") -> list[Nonogram]:
    """Return the one puzzle of a text in a requested order.

    Args:
        data: The file.
        order: A name of `ORDERS`.
        board: "HEIGHTxWIDTH", or empty.
    """
    every = _ways(_lists(decode(data)), order)
    matching = [way for way in every if not board or way.name == f"{order}:{board}"]
    fitting = [way for way in matching if fits(way.rows, way.columns)]
    matching = fitting or matching[:1]
    if len(matching) > 1:
        known = tuple(way.name for way in matching)
        raise FormatError("two boards fit these numbers", remedy=Remedy("set", "format", known))
    if not matching:
        names = " or ".join(way.name for way in every) or "none"
        raise FormatError(f"no board {board} in this text, expected {names}")
    return [build(None, rows=matching[0].rows, columns=matching[0].columns)]


def sniff(data: bytes) -> bool:
    """Return True if the text has an array of C that is a puzzle for Gecode's example."""
    if b"int" not in data or b"{" not in data:
        return False
    try:
        return any(isinstance(item, Nonogram) for item in _puzzles(decode(data)))
    except FormatError:
        return False


def read(data: bytes) -> list[Nonogram | FormatError]:
    """Return the puzzles of a file for Gecode: arrays of C, or the bare numbers of one."""
    text = decode(data)
    if _FLAT.fullmatch(text):
        return [_gecode(_sized(text, 0), 1, "")]
    found = list(_puzzles(text))
    if not found:
        fail("no array, expected one of numbers such as 'int puzzle[] = {4, 3, 1,1, ...};'", 1)
    return found


def _puzzles(text: str) -> Iterator[Nonogram | FormatError]:
    """Yield the puzzle of each array of numbers, or its error."""
    text = _COMMENT.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)
    for found in _ARRAY.finditer(text):
        start, end = found.span(2)
        try:
            yield _gecode(_sized(text[:end], start), position(text, start)[0], found[1])
        except FormatError as error:
            yield error


def _gecode(found: ClueLists, line: int, name: str) -> Nonogram:
    width = found.sizes[0]
    sides = {"rows": found.clues[width:], "columns": found.clues[:width]}
    return build(line, **sides, about=About(id=name))


def write(puzzles: Sequence[Puzzle]) -> bytes:
    """Refuse to write: these names only define how to read."""
    names = f"gecode, {' and '.join(ORDERS)}"
    raise UnsupportedError(f"{names} are read only; these can be written: {able(puzzles)}")


def _with_board(order: str, board: str) -> Format:
    """Return the format for one order that reads only boards of this size."""
    if not _BOARD.fullmatch(board):
        raise UnsupportedError(f"the board {board!r}, expected HEIGHTxWIDTH, e.g. {order}:3x4")
    return PLUGINS[order].replaced(read=partial(_read, order=order, board=board))


PLUGINS = {
    "gecode": Format(
        summary="read only: arrays of C as Gecode's example has them: columns first, counts of "
        "blocks",
        holds=CAPABILITIES.replaced(many=True),
        sniff=sniff,
        read=read,
        write=write,
    )
} | {
    order: Format(
        summary="read only: clues that begin with their number of blocks, in this order",
        with_argument=partial(_with_board, order),
        holds=CAPABILITIES,
        read=partial(_read, order=order),
        write=write,
    )
    for order in ORDERS
}
