"""Common code of the text formats: bytes to text, numbers, cells, metadata, quotations in errors.

Invariant: for any bytes, only FormatErrors are raised; a length that is accepted has
at most nine digits, so sums of lengths can be printed and native code can hold each of them.
"""

from __future__ import annotations

import re
import zlib
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE, BOM_UTF32_BE, BOM_UTF32_LE
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple, NoReturn, TypeVar

from nonosat.core.errors import (
    FormatError,
    NonosatError,
    PuzzleError,
    Remedy,
    counted,
    path_text,
)
from nonosat.core.grid import Grid
from nonosat.core.limits import checkpoint
from nonosat.core.model import Clue
from nonosat.puzzles.nonogram import data as data_
from nonosat.puzzles.nonogram.data import Nonogram, check_size

MAX_BYTES = 256 * 2**20  # limit of a file's bytes, and of its decompressed bytes
_FREE_BYTES = 16 * 2**20  # decompressed bytes that any file may have,
_MOST_TIMES = 100  # and the ratio allowed for larger ones
_FEW = 16  # limit of characters that are searched one by one
_GZIP = b"\x1f\x8b"
_MARKS = (  # byte-order marks; that of UTF-16 begins that of UTF-32
    (BOM_UTF32_LE, "utf-32-le"),
    (BOM_UTF32_BE, "utf-32-be"),
    (BOM_UTF16_LE, "utf-16-le"),
    (BOM_UTF16_BE, "utf-16-be"),
)
_XML_ENCODING = r"""(<\?xml[^>]{0,200}?)\sencoding\s*=\s*("[^"]*"|'[^']*')"""
_WIDE = rb"(?:[\t\n\r -~]\0){4}|(?:\0[\t\n\r -~]){4}"  # ASCII in UTF-16
MAX_DIGITS = 9
_CONTROL = {code: "\ufffd" for code in (*range(32), *range(0x7F, 0xA0)) if chr(code) not in "\n\t"}


_T = TypeVar("_T")


class Remark(NamedTuple):
    """A warning about a file that can be read; readers yield it among the puzzles."""

    message: str
    line: int | None = None  # None for files that have none

    def warn(self, name: str) -> None:
        """Warn the user, with the file's name if it has one."""
        import logging

        place = [path_text(name)] if name else []
        if self.line is not None:
            place.append(str(self.line))
        text = ": ".join(filter(None, (":".join(place), self.message)))
        logging.getLogger("nonosat").warning("%s", text)


def inflate(data: bytes) -> bytes:
    """Return the content of a gzip or zlib file; other bytes unchanged.

    A small file may decompress to anything up to 16 MiB, the size of the largest board; a larger
    one to a hundred times its size and at most `MAX_BYTES`. Decompression stops at that size.

    Raises:
        FormatError: The compressed data are damaged, too large, or hold compressed data.
    """
    gzipped = data[:2] == _GZIP
    if not gzipped and data[:2] not in (b"x\x01", b"x\x5e", b"x\x9c", b"x\xda"):
        return data
    out = bytearray()
    place = 0
    most = min(MAX_BYTES, max(_FREE_BYTES, _MOST_TIMES * len(data)))
    while data[place : place + 2] == data[:2]:  # a gzip file may consist of several
        try:
            place = _unfold(data, place, out, most)
        except (zlib.error, EOFError) as error:
            if not gzipped and (isinstance(error, EOFError) or not out):
                return data  # text may begin with "x^"
            if isinstance(error, EOFError):
                fail("the compressed data end too early; the file was cut off")
            raise FormatError(f"damaged compressed data ({error}); compress it again") from error
    if num_after := len(data[place:].strip(b"\0")):  # tapes and disks pad with zeros
        fail(
            f"{counted(num_after, 'byte')} after the compressed data, expected the end; were two "
            "files put together?"
        )
    if out[:2] == _GZIP:
        fail("compressed data inside compressed data, expected a puzzle; unpack the file once")
    return bytes(out)


def _unfold(data: bytes, place: int, out: bytearray, most: int) -> int:
    """Add the content of one compressed file in `data` to `out`; return its end.

    Raises:
        FormatError: `out` would get more than `most` bytes.
        EOFError: The compressed file is cut off.
    """
    stream = zlib.decompressobj(wbits=47)  # 15-bit window, gzip or zlib header
    size = 512  # bytes per piece: there may be a million small files
    while not stream.eof:
        checkpoint()
        piece = data[place : place + size]
        if not piece:
            raise EOFError
        out += stream.decompress(piece, most + 1 - len(out))
        if len(out) > most:
            fail(
                f"a compressed file of {len(data)} bytes that unfolds to more than {most}, "
                "expected fewer; if that is meant, unpack it and name the unpacked file"
            )
        place += len(piece) - len(stream.unconsumed_tail) - len(stream.unused_data)
        size = min(2 * size, 1 << 20)
    return place


def unpack(data: bytes) -> bytes:
    """Return the content of a compressed file, and UTF-8 for UTF-16 or UTF-32 with its mark.

    Raises:
        FormatError: As `inflate`, or the text is damaged.
    """
    return _utf8(inflate(data))


def wide_codec(data: bytes) -> str | None:
    """Return the codec of UTF-16 or UTF-32 by its byte-order mark; None without one."""
    return next((name for mark, name in _MARKS if data.startswith(mark)), None)


def _utf8(data: bytes) -> bytes:
    """Return UTF-8 for UTF-16 or UTF-32 with a byte-order mark; other bytes unchanged."""
    codec = wide_codec(data)
    if codec is None:
        if re.match(_WIDE, data) is not None:
            fail("text in UTF-16 without a byte-order mark; save the file as UTF-8")
        return data
    try:
        text = data.decode(codec)[1:]
    except UnicodeDecodeError as error:
        kind = codec[:6].upper()
        what = f"text in {kind} by its byte-order mark, damaged at byte {error.start + 1}"
        raise FormatError(f"{what}; save the file as UTF-8") from error
    # The encoding that XML declares is that of the file, not of the text that is returned.
    return re.sub(_XML_ENCODING, r"\1", text, count=1).encode("utf-8", "surrogatepass")


def each_line(text: str) -> Iterator[str]:
    """Yield the lines of a text, one at a time: a list of them takes more memory than the text."""
    start = 0
    while (end := text.find("\n", start)) >= 0:
        checkpoint()
        yield text[start:end]
        start = end + 1
    yield text[start:]


def decode(data: bytes) -> str:
    """Return a file's text: UTF-8 or by byte-order mark, else Latin-1; lines end in LF.

    Raises:
        FormatError: The text has NUL characters.
    """
    try:
        text = _utf8(data).removeprefix(BOM_UTF8).decode()  # a codec in Python would wrap limits
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    if 0 < text.count("\n") == text.count("\r\r\n"):  # a text that was converted for Windows twice
        text = text.replace("\r\r\n", "\n")
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if (place := text.find("\0")) >= 0:
        line, column = position(text, place)
        raise FormatError(
            "a NUL character, expected text; save the file as UTF-8", line=line, column=column
        )
    return text


def position(text: str, place: int) -> tuple[int, int]:
    """Return line and column, both from 1, of the character at `place`."""
    return text.count("\n", 0, place) + 1, place - text.rfind("\n", 0, place)


def printable(text: str) -> str:
    """Return metadata that can be printed and stored: no control characters, no lone surrogates.

    Formats that delimit a title or an author (strings of JSON, quoted strings, XML elements) read
    them with this, so that blanks at both ends are kept.
    """
    return text.translate(_CONTROL).encode("utf-8", "replace").decode("utf-8")


def clean(text: str) -> str:
    """Return printable metadata without blanks at both ends.

    Formats in which a title is a line of its own (`g`, `gno`, unquoted words of `non`) cannot hold
    such blanks; neither can identifiers and names of colours.
    """
    return printable(text).strip()


def fail(
    message: str,
    line: int | None = None,
    column: int | None = None,
    *,
    remedy: Remedy | None = None,
) -> NoReturn:
    """Raise FormatError with this message and place."""
    raise FormatError(message, line=line, column=column, remedy=remedy)


def of_file(error: NonosatError, line: int | None) -> FormatError:
    """Return an error about a puzzle as a FormatError about a line of its file, with its remedy."""
    message = error.message if isinstance(error, FormatError) else error.fact()
    return FormatError(message, line=line, remedy=error.remedy)


def shorten(text: str) -> str:
    """Return `text` as a message quotes it."""
    return repr(text if len(text) <= 40 else text[:37] + "...")


def listed(names: Iterable[str]) -> str:
    """Return names as a message lists them: the first few, and the number of the others."""
    named = [name if len(name) <= 40 else name[:37] + "..." for name in names]
    more = f" and {len(named) - 8} more" if len(named) > 8 else ""
    return ", ".join(named[:8]) + more or "none"


def number(text: str, what: str, line: int, column: int | None = None) -> int:
    """Return a whole number above 0, e.g. a size or a block length.

    Raises:
        FormatError: The text is anything else; the message states if it is 0, negative or no
            number.
    """
    if re.fullmatch(r"0*[1-9][0-9]*", text):
        digits = text.lstrip("0")
        if len(digits) > MAX_DIGITS:
            fail(
                f"the {what} has {len(digits)} digits, expected {MAX_DIGITS} or fewer", line, column
            )
        return int(digits)
    return no_number(text, what, line, column)


def no_number(text: str, what: str, line: int, column: int | None) -> NoReturn:
    """Refuse a text that is not a whole number above 0."""
    wrong = "a negative number" if re.fullmatch(r"-[0-9]+", text) else shorten(text)
    wrong = "0" if re.fullmatch(r"0+", text) else wrong
    fail(f"the {what} is {wrong}, expected a whole number above 0", line, column)


def sized(height: int, width: int, line: int | None) -> None:
    """Run `check_size` for readers.

    Raises:
        FormatError: The board is too large or has no cells.
    """
    try:
        check_size(height, width)
    except PuzzleError as error:
        raise of_file(error, line) from error


def build(line: int | None, **fields: Any) -> Nonogram:
    """Return the nonogram with these fields.

    Raises:
        FormatError: The fields are invalid; names `line`, the first of the puzzle.
    """
    try:
        return Nonogram(**fields)
    except PuzzleError as error:
        raise of_file(error, line) from error


def sound(items: Iterable[_T | NonosatError | Remark], most: int | None = None) -> list[_T]:
    """Return every puzzle among a reader's items; raise the first error among them.

    Args:
        items: Puzzles, errors and remarks; not read any more after `most` + 1 puzzles.
        most: Number of puzzles that the caller needs; None for all.
    """
    puzzles: list[_T] = []
    for item in items:
        if isinstance(item, NonosatError):
            raise item
        if isinstance(item, Remark):
            item.warn("")
            continue
        puzzles.append(item)
        if most is not None and len(puzzles) > most:
            break
    return puzzles


def clues_of(grid: Grid) -> dict[str, tuple[Clue, ...]]:
    """Return the fields `rows` and `columns` that describe a picture."""
    return dict(zip(("rows", "columns"), data_.clues_of(grid), strict=True))


def signs_of(text: str) -> set[str]:
    """Return the different characters of a text; ten times as fast as `set` if they are few."""
    try:
        rest = text.encode("latin-1")
    except UnicodeEncodeError:
        return set(text)
    found = bytearray()
    while rest and len(found) < _FEW:
        found.append(rest[0])
        rest = rest.translate(None, rest[:1])
    return set(found.decode("latin-1")) | set(rest.decode("latin-1"))


def cells_of(text: str, values: Mapping[str, int]) -> bytes:
    """Return the cells of a picture, each from a character that `values` has."""
    try:
        packed = text.encode("latin-1")
    except UnicodeEncodeError:
        return bytes(map(values.__getitem__, text))
    table = bytearray(256)
    for sign, value in values.items():
        if ord(sign) < 256:
            table[ord(sign)] = value
    return packed.translate(table)


def plain(clue: Clue, between: str = " ") -> str:
    """Return a clue of one colour as numbers; a single 0 if it is empty."""
    return between.join(str(block.length) for block in clue) or "0"
