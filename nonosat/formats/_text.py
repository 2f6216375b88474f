"""What the text formats share: bytes to text, numbered lines, clues with exact places in errors.

Invariant: whatever bytes come in, what is raised is a FormatError; a length that is accepted has
at most nine digits, so sums of lengths can be printed and native code can hold each of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple, NoReturn, TypeVar

from nonosat.errors import FormatError, NonosatError, PuzzleError, counted
from nonosat.grid import Grid
from nonosat.model import Block, Clue
from nonosat.puzzles.nonogram.data import Nonogram, check_size, clue_of

MAX_BYTES = 256 * 2**20  # of a file, and of what a compressed file unfolds to
MAX_DIGITS = 9
WORDS = re.compile(r"\S+")
ONE_INK: Mapping[str, int] = {"": 1}

_ITEM = re.compile(r"([0-9]+)([^0-9\s]?)")
_CONTROL = {code: "\ufffd" for code in (*range(32), *range(0x7F, 0xA0)) if chr(code) not in "\n\t"}


_T = TypeVar("_T")


class Numbered(NamedTuple):
    """A line of a file; `line` counts from 1."""

    line: int
    text: str

    @property
    def blank(self) -> bool:
        return not self.text.strip()


class Remark(NamedTuple):
    """What is odd about a file that can be read all the same; readers give it among the puzzles."""

    message: str
    line: int

    def warn(self, name: str) -> None:
        """Tell the user, with the file's name if it has one."""
        import logging

        place = f"{name}:{self.line}" if name else str(self.line)
        logging.getLogger("nonosat").warning("%s: %s", place, self.message)


def inflate(data: bytes) -> bytes:
    """The content of a gzip or zlib file; other bytes as they are.

    Raises:
        FormatError: The compressed data are damaged or unfold to more than `MAX_BYTES`.
    """
    gzipped = data[:2] == b"\x1f\x8b"
    if not gzipped and data[:2] not in (b"x\x01", b"x\x5e", b"x\x9c", b"x\xda"):
        return data
    import zlib

    out = bytearray()
    rest = data
    while rest[:2] == data[:2]:  # a gzip file may be several, one after the other
        stream = zlib.decompressobj(wbits=47)  # 15-bit window, gzip or zlib header
        try:
            out += stream.decompress(rest, MAX_BYTES + 1 - len(out))
        except zlib.error as error:
            if not gzipped and not out:
                return data  # text may begin with "x^"
            raise FormatError(f"damaged compressed data ({error}); compress it again") from error
        if len(out) > MAX_BYTES:
            raise FormatError(f"the file unfolds to more than {MAX_BYTES} bytes; split it")
        if not stream.eof:
            if not gzipped:
                return data
            raise FormatError("the compressed data end too early; the file was cut off")
        rest = stream.unused_data
    return bytes(out)


def each_line(text: str) -> Iterator[str]:
    """The lines of a text, one at a time: a list of them takes more memory than the text."""
    start = 0
    while (end := text.find("\n", start)) >= 0:
        yield text[start:end]
        start = end + 1
    yield text[start:]


def decode(data: bytes) -> str:
    """Text of a file: UTF-8 with or without a byte-order mark, else Latin-1; lines end in LF.

    Raises:
        FormatError: There are NUL characters in it.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if (place := text.find("\0")) >= 0:
        line, column = position(text, place)
        raise FormatError(
            "a NUL character, expected text; save the file as UTF-8", line=line, column=column
        )
    return text


def position(text: str, place: int) -> tuple[int, int]:
    """Line and column, both from 1, of the character at `place`."""
    return text.count("\n", 0, place) + 1, place - text.rfind("\n", 0, place)


def numbered(text: str) -> list[Numbered]:
    """The lines of `text`; a last line break ends a line and begins none."""
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    return [Numbered(index, line) for index, line in enumerate(lines, 1)]


def clean(text: str) -> str:
    """Metadata that can be printed and stored: no control characters, no lone surrogates."""
    printable = text.translate(_CONTROL).strip()
    return printable.encode("utf-8", "replace").decode("utf-8")


def fail(message: str, line: int | None = None, column: int | None = None) -> NoReturn:
    """Raise the FormatError."""
    raise FormatError(message, line=line, column=column)


def shorten(text: str) -> str:
    """`text` as a message quotes it."""
    return repr(text if len(text) <= 40 else text[:37] + "...")


def listed(names: Iterable[str]) -> str:
    """Names as a message lists them: the first few, and how many more there are."""
    named = [name if len(name) <= 40 else name[:37] + "..." for name in names]
    more = f" and {len(named) - 8} more" if len(named) > 8 else ""
    return ", ".join(named[:8]) + more or "none"


def number(text: str, what: str, line: int, column: int | None = None) -> int:
    """A whole number above 0, e.g. a size or a block length.

    Raises:
        FormatError: Anything else; the message says whether it is zero, negative or no number.
    """
    if re.fullmatch(r"0*[1-9][0-9]*", text):
        digits = text.lstrip("0")
        if len(digits) > MAX_DIGITS:
            fail(
                f"the {what} has {len(digits)} digits, expected {MAX_DIGITS} or fewer", line, column
            )
        return int(digits)
    return _no_number(text, what, line, column)


def _no_number(text: str, what: str, line: int, column: int | None) -> NoReturn:
    wrong = "a negative number" if re.fullmatch(r"-[0-9]+", text) else shorten(text)
    wrong = "0" if re.fullmatch(r"0+", text) else wrong
    fail(f"the {what} is {wrong}, expected a whole number above 0", line, column)


@lru_cache(maxsize=4096)
def _item(text: str, colour: int) -> Block | None:
    """The block that `text` (digits only) stands for, if its length is in order."""
    digits = text.lstrip("0")
    return Block(int(digits), colour) if 0 < len(digits) <= MAX_DIGITS else None


def clue(
    line: Numbered,
    inks: Mapping[str, int] = ONE_INK,
    words: re.Pattern[str] = WORDS,
    start: int = 0,
) -> Clue:
    """The clue written on a line; nothing or a single 0 is the empty clue.

    Args:
        line: The text and its number.
        inks: Colour by the character behind a length; "" is no character.
        words: Finds the items.
        start: How many characters of the line come before the text.

    Raises:
        FormatError: A length that is not a whole number above 0, or an undefined colour.
    """
    if line.text.strip() == "0":
        return ()
    return tuple(
        _block(found[0], start + found.start() + 1, line.line, inks)
        for found in words.finditer(line.text)
    )


def _block(text: str, column: int, line: int, inks: Mapping[str, int]) -> Block:
    parts = _ITEM.fullmatch(text)
    if parts is None:
        _no_number(text, "block length", line, column)
    if parts[2] not in inks:
        named = [repr(ink) for ink in inks if ink]
        known = listed(named) if named else "none: this text has one colour"
        fail(f"the block {shorten(text)} has an undefined colour; defined: {known}", line, column)
    block = _item(parts[1], inks[parts[2]])
    if block is not None:
        return block
    if not parts[1].strip("0"):
        fail("a block of length 0, expected 1 or more; an empty line is a single 0", line, column)
    return fail(f"a block of more than {MAX_DIGITS} digits is longer than any line", line, column)


def clue_lines(block: Sequence[Numbered], count: int, what: str, line: int) -> list[Numbered]:
    """The `count` lines of `block` that are clues.

    Blank lines are ignored where that leaves exactly `count`; where it leaves fewer, a blank
    line is an empty clue.

    Args:
        block: Lines up to the next keyword or the end of the file.
        count: How many are expected.
        what: Names them in the message, e.g. "row clues".
        line: Where the block begins, for the message.

    Raises:
        FormatError: There are fewer or more.
    """
    full = [each for each in block if not each.blank]
    if len(full) == count:
        return full
    if len(full) < count <= len(block) and all(each.blank for each in block[count:]):
        return list(block[:count])
    where = full[count].line if len(full) > count else line
    return fail(f"{len(full)} {what}, expected {count}; an empty line is written 0", where)


def header(lines: Sequence[Numbered], names: tuple[str, str]) -> tuple[dict[str, int], int]:
    """The two sizes on the first line that is not blank, and the index of the line after it.

    Args:
        lines: The whole file.
        names: "width" and "height" in the order of the format.

    Raises:
        FormatError: There are not two sizes, or the board they make is too large.
    """
    expected = f"expected the {names[0]} and the {names[1]}, e.g. '5 10'"
    index = next((at for at, line in enumerate(lines) if not line.blank), None)
    if index is None:
        fail(f"the file is empty, {expected}")
    first = lines[index]
    found = list(WORDS.finditer(first.text))
    if len(found) != 2:
        fail(f"{counted(len(found), 'word')} on the first line, {expected}", first.line)
    values = [number(each[0], "size", first.line, each.start() + 1) for each in found]
    sizes = dict(zip(names, values, strict=True))
    sized(sizes["height"], sizes["width"], first.line)
    return sizes, index + 1


def sized(height: int, width: int, line: int | None) -> None:
    """`check_size` for readers.

    Raises:
        FormatError: The board is too large or has no cells.
    """
    try:
        check_size(height, width)
    except PuzzleError as error:
        raise FormatError(str(error), line=line) from error


def build(line: int | None, **fields: Any) -> Nonogram:
    """The puzzle of these fields.

    Raises:
        FormatError: They describe none; names `line`, where the puzzle begins.
    """
    try:
        return Nonogram(**fields)
    except PuzzleError as error:
        raise FormatError(str(error), line=line) from error


def sound(items: Iterable[_T | NonosatError | Remark]) -> list[_T]:
    """Every puzzle of what a reader finds; raises the first error among them."""
    puzzles: list[_T] = []
    for item in items:
        if isinstance(item, NonosatError):
            raise item
        if isinstance(item, Remark):
            item.warn("")
        else:
            puzzles.append(item)
    return puzzles


def clues_of(grid: Grid) -> dict[str, tuple[Clue, ...]]:
    """The fields `rows` and `columns` that describe a picture."""
    return {
        "rows": tuple(clue_of(grid.row(index)) for index in range(grid.height)),
        "columns": tuple(clue_of(grid.column(index)) for index in range(grid.width)),
    }


def plain(clue: Clue) -> str:
    """A clue of one colour as numbers with spaces; a single 0 when it is empty."""
    return " ".join(str(block.length) for block in clue) or "0"
