"""File formats: text to puzzles and back, one module per format.

Invariant: any bytes give puzzles or a `FormatError`, and a puzzle that was accepted
never fails later. Boards above 16 million cells are refused before anything of their size is made.
Importing this package imports no format; a format is imported when it is used.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from nonosat.core import plugins
from nonosat.core.errors import FormatError, NotAPuzzleError, UnsupportedError
from nonosat.core.families import name_of
from nonosat.core.limits import Limits
from nonosat.core.plugins import Puzzle
from nonosat.formats._bundled import BUNDLED, bundled
from nonosat.formats._choose import format_of
from nonosat.formats._limited import limited
from nonosat.formats._lines import Numbered, numbered
from nonosat.formats._named import ReadRequest, content
from nonosat.formats._parts import FilePart, PartReader, files_by_line, parts_of
from nonosat.formats._sources import (
    MOST_COUNTED,
    begun_mib,
    broken,
    iter_sources,
    iter_timed,
    load,
    load_all,
    number_of,
    read,
)
from nonosat.formats._text import Remark, decode, fail, inflate
from nonosat.processes.files import refuse_existing, write_atomically

__all__ = [
    "BUNDLED",
    "MOST_COUNTED",
    "FilePart",
    "Numbered",
    "PartReader",
    "ReadRequest",
    "Remark",
    "begun_mib",
    "bundled",
    "content",
    "decode",
    "dumps",
    "fail",
    "files_by_line",
    "format_of",
    "inflate",
    "iter_sources",
    "iter_timed",
    "limited",
    "load",
    "load_all",
    "loads",
    "num_puzzles",
    "number_of",
    "numbered",
    "parts_of",
    "read",
    "save",
    "write",
]


def num_puzzles(
    sources: tuple[str, ...], format_: str | None, family: str | None, limits: Limits
) -> int:
    """Return the number of puzzles in files and folders within limits, unreadable ones included."""
    return sum(1 for _ in iter_sources(sources, format_, family, limits))


def write(
    puzzles: Iterable[Puzzle],
    format: str,  # noqa: A002  # what users call it
) -> bytes:
    """Return puzzles as the content of a file.

    Args:
        puzzles: Puzzles, at least one.
        format: Name of the format, e.g. "jsonl"; `format_of(path)` finds it by a suffix.

    Raises:
        UnsupportedError: There is no such format, or it cannot hold the puzzles;
            the message lists formats that can. Metadata are dropped if there is no room.
    """
    data = plugins.find("formats", format).write(list(puzzles))
    if not isinstance(data, bytes):
        raise broken(format, "write", data, "bytes")
    return data


def loads(
    text: str | bytes,
    format: str | None = None,  # noqa: A002  # what users call it
) -> Any:
    """Return the only puzzle of a text in a file format.

        >>> puzzle = nonosat.loads('{"rows": [[2], [1]], "columns": [[1], [2]]}')
        >>> print(puzzle)
        1: 2 rows x 2 columns

    Args:
        text: The content of a file; bytes may be gzip or zlib.
        format: Name of the format (`nonosat list formats`); None to detect it.

    Raises:
        FormatError: The text is not valid in the format, or holds several puzzles, which
            `formats.read` returns.
        UnsupportedError: There is no such format.
        TypeError: `text` is neither text nor bytes.
    """
    if not isinstance(text, str | bytes):
        found = type(text).__name__
        raise NotAPuzzleError(f"found {found}, expected text; nonosat.load reads files")
    data = text.encode() if isinstance(text, str) else text
    puzzles = read(data, format=format, most=MOST_COUNTED)
    if len(puzzles) > 1:
        what = f"{number_of(puzzles)}, expected one; nonosat.formats.read takes many"
        raise FormatError(what)
    return puzzles[0]


def dumps(
    puzzles: Puzzle | Iterable[Puzzle],
    format: str = "json",  # noqa: A002  # what users call it
) -> str:
    """Return a puzzle, or several, as text in a file format.

        >>> puzzle = nonosat.nonogram([[2], [1]], [[1], [2]])
        >>> print(nonosat.dumps(puzzle, "nin"), end="")
        2 2
        2
        1
        1
        2
        >>> nonosat.loads(nonosat.dumps(puzzle)).rows == puzzle.rows
        True

    Args:
        puzzles: A puzzle, or a list of at least one.
        format: Name of the format (`nonosat list formats`).

    Raises:
        NotAPuzzleError: `puzzles` is not a puzzle, or not a list of puzzles.
        UnsupportedError: There is no such format, it is not a format of text, or it cannot hold the
            puzzles.
    """
    data = write(_each(puzzles), format)
    try:
        return data.decode()
    except UnicodeDecodeError:
        message = f"{format} files are no text; nonosat.save writes them"
        raise UnsupportedError(message) from None


def save(
    puzzles: Puzzle | Iterable[Puzzle],
    path: str | Path,
    format: str | None = None,  # noqa: A002  # what users call it
    *,
    force: bool = False,
) -> None:
    """Write a puzzle, or several, to a new file, all of it or nothing.

        >>> import tempfile
        >>> puzzle = nonosat.nonogram([[2], [1]], [[1], [2]], id="corner")
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     nonosat.save(puzzle, f"{folder}/corner.json")
        ...     nonosat.load(f"{folder}/corner.json") == puzzle
        True

    Args:
        puzzles: A puzzle, or a list of at least one.
        path: The file.
        format: Name of the format (`nonosat list formats`); by default that of the file's suffix.
        force: Replace the file if it exists.

    Raises:
        NotAPuzzleError: `puzzles` is not a puzzle, or not a list of puzzles.
        UnsupportedError: No format has the suffix or name, or it cannot hold the puzzles.
        FileExistsError: The file exists already.
        OSError: The folder does not exist, the disk is full, ...
    """
    target = Path(path)
    data = write(_each(puzzles), format or format_of(target))
    refuse_existing(target, force)
    write_atomically(target, data)


def _each(puzzles: Any) -> list[Puzzle]:
    """Return a puzzle by itself, or several, as a list; raise NotAPuzzleError for anything else."""
    is_one = isinstance(puzzles, str) or hasattr(puzzles, "family")
    several = [puzzles] if is_one or not isinstance(puzzles, Iterable) else list(puzzles)
    for puzzle in several:
        name_of(puzzle)
    return several
