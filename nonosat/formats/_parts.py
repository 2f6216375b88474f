"""Files with a puzzle per line, cut into parts that can be read independently.

A reader of a part finds the same puzzles, ids and errors as a reader of the whole file; only ids
that occur twice in a file are made distinct within a part alone. Invariant: each
line that is not blank has one item, a puzzle or its error, and each byte is in one part at most.
Cutting reads the file once, in 1.5 ns a byte; nothing here holds more than one part.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

from nonosat.core import plugins
from nonosat.core.errors import FormatError, Remedy, UnsupportedError, path_text
from nonosat.core.plugins import Puzzle
from nonosat.formats._choose import format_of
from nonosat.formats._named import ReadRequest, named
from nonosat.formats._sources import in_family, with_id
from nonosat.formats._text import MAX_BYTES, Remark, wide_codec

_BLANK = b" \t\r\n"
_PIECE = 2**20  # bytes per read


class FilePart(NamedTuple):
    """Whole lines of a file.

    Args:
        file: Name of the file, as the user has given it.
        path: Absolute path of the file.
        start, end: Offsets in the file of the part's first byte and of the byte after its last.
        line: Number in the file of the part's first line, from 1.
        num_lines: Number of lines.
        first: Number in the file of the part's first item, from 1.
        num_items: Number of items.
        crc32: Checksum of the part's bytes, to detect a changed file; the fastest one.
    """

    file: str
    path: str
    start: int
    end: int
    line: int
    num_lines: int
    first: int
    num_items: int
    crc32: int


def files_by_line(sources: Sequence[str], request: ReadRequest) -> list[tuple[str, str]]:
    """Return the files of sources, each once, with the format of each.

    Args:
        sources: Files and folders.
        request: Format and family of all of them.

    Raises:
        FormatError: A file cannot be read, or its format is unknown.
        UnsupportedError: A file does not have a puzzle per line.
    """
    found: dict[Path, tuple[str, str]] = {}
    for source in sources:
        files, puzzle_id = named(source, request)
        for name, data in files:
            if puzzle_id is not None or data is not None or name == "-":
                raise _whole(source)
            found.setdefault(Path(name).resolve(), (name, _format(name, request)))
    return list(found.values())


def _format(name: str, request: ReadRequest) -> str:
    try:
        with Path(name).open("rb") as stream:
            head = _head(stream)
    except OSError as error:
        reason = f"the file cannot be read: {error.strerror}"
        raise FormatError(reason, path=name) from error
    if head[:2] == b"\x1f\x8b" or wide_codec(head):
        raise _whole(name)
    chosen = request.format or format_of(name, head, request.family)
    if not plugins.find("formats", chosen).by_line(head):
        raise _whole(name)
    return chosen


def _head(stream: Any) -> bytes:
    """Return the first two lines that are not blank; at most the length of one puzzle."""
    lines: list[bytes] = []
    while len(lines) < 2 and (line := stream.readline(MAX_BYTES)):
        if line.strip(_BLANK):
            lines.append(line)
    return b"".join(lines)


def _whole(name: str) -> UnsupportedError:
    return UnsupportedError(
        f"{path_text(name)} is not a file with a puzzle a line, expected one (jsonl in UTF-8, "
        "not compressed), for others read parts of it",
        remedy=Remedy("convert"),
    )


def parts_of(file: str, size: int, after: FilePart | None = None) -> Iterator[FilePart]:
    """Yield the parts of a file in order; those without a puzzle are left out.

    Args:
        file: Name of the file.
        size: Number of bytes after which a part ends at the next end of a line.
        after: The preceding part; None for the start of the file.

    Raises:
        FormatError: The file cannot be read, or a line is longer than any puzzle.
    """
    path = Path(file).resolve()
    place, line, first = 0, 1, 1
    if after is not None:
        place, line = after.end, after.line + after.num_lines
        first = after.first + after.num_items
    try:
        with path.open("rb") as stream:
            stream.seek(place)
            while data := stream.read(size):
                if not data.endswith(b"\n"):
                    data += stream.readline(MAX_BYTES)
                    if len(data) >= MAX_BYTES:
                        message = f"a line of more than {MAX_BYTES - size} bytes, expected fewer"
                        raise FormatError(message, path=file, line=line + data.count(b"\n"))
                lines = data.split(b"\n")
                num_lines = len(lines) - (not lines[-1])
                count = sum(map(bool, map(_stripped, lines)))
                end = place + len(data)
                if count:
                    where = (file, str(path), place, end, line, num_lines, first, count)
                    yield FilePart(*where, crc32(data))
                place, line, first = end, line + num_lines, first + count
    except OSError as error:
        reason = f"the file cannot be read: {error.strerror}"
        raise FormatError(reason, path=file) from error


def _stripped(line: bytes) -> bytes:
    return line.strip(_BLANK)


def _crc32_of(pieces: Iterator[bytes]) -> int:
    found = 0
    for piece in pieces:
        found = crc32(piece, found)
    return found


class PartReader:
    """Reader of the items of a part, one by one.

    Args:
        part: The part.
        format_: Name of its format.
        family: Required family; None for any.

    Attributes:
        num_read: Items so far.
        remarks: Warnings about the part, for people.
    """

    def __init__(self, part: FilePart, format_: str, family: str | None) -> None:
        self.num_read = 0
        self.remarks: set[str] = set()
        self._part = part
        self._read = plugins.find("formats", format_).read
        self._family = family
        self._used: dict[str, int] = {}
        self._place = (part.start, part.line)  # position and number of the next line

    def check(self) -> None:
        """Make sure that the bytes are still those of the part.

        Raises:
            FormatError: The bytes differ, or cannot be read.
        """
        part = self._part
        try:
            with Path(part.path).open("rb") as stream:
                stream.seek(part.start)
                left = part.end - part.start
                sizes = [min(_PIECE, left - done) for done in range(0, left, _PIECE)]
                found = _crc32_of(stream.read(size) for size in sizes)
        except OSError as error:
            problem = (
                f"{path_text(part.path)} cannot be read where the work is done ({error.strerror}), "
                "expected the same files on all machines: a folder that they share"
            )
            raise FormatError(problem, path=part.file) from error
        if found != part.crc32:
            problem = (
                f"bytes {part.start} to {part.end} of {path_text(part.path)} are not those that "
                "the batch began with; a file must not change meanwhile, and has to be the same "
                "on all machines"
            )
            raise FormatError(problem, path=part.file)

    def skip(self, count: int, ids: Sequence[str] = ()) -> None:
        """Skip the first `count` items; `ids` are their ids, which later items must not get."""
        self._used |= dict.fromkeys(ids, 1)
        if self.num_read < count:
            lines = self._lines()
            while self.num_read < count:
                next(lines)

    def __iter__(self) -> Iterator[Puzzle | FormatError]:
        """Yield the items from the first that was not read yet, after any earlier iterator."""
        for line, data in self._lines():
            item = self._item(data, line)
            if isinstance(item, FormatError):
                item.path = item.path or self._part.file
                yield item
            else:
                yield with_id(item, self._part.first + self.num_read - 1, self._used)

    def _lines(self) -> Iterator[tuple[int, bytes]]:
        """Yield the lines that are not blank, with their numbers."""
        with Path(self._part.path).open("rb") as stream:
            stream.seek(self._place[0])
            while self._place[0] < self._part.end and (data := stream.readline()):
                place, line = self._place
                if data.strip(_BLANK):
                    # A limit may end reading anywhere: `num_read` alone is the position.
                    self._place, self.num_read = (place + len(data), line + 1), self.num_read + 1
                    yield line, data
                else:
                    self._place = (place + len(data), line + 1)

    def _item(self, data: bytes, line: int) -> Puzzle | FormatError:
        """Return the item on a line."""
        try:
            found = list(self._read(data))
        except FormatError as error:
            found = [error]
        items = [item for item in found if not isinstance(item, Remark)]
        self.remarks |= {item.message for item in found if isinstance(item, Remark)}
        if len(items) != 1:
            return FormatError(f"{len(items)} puzzles on a line, expected one", line=line)
        (item,) = items
        if isinstance(item, FormatError):
            item.line = None if item.line is None else item.line + line - 1
            return item
        return in_family(item, self._family)
