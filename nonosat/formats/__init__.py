"""File formats: text to puzzles and back, one module a format.

Invariant: whatever bytes come in, puzzles or a `FormatError` come out, and a puzzle that came in
never fails later. Boards above 16 million cells are refused before anything of their size is made.
Importing this package imports no format; a format is imported when it is used.
"""

from __future__ import annotations

from collections.abc import Iterable

from nonosat import plugins
from nonosat.formats._choose import format_of
from nonosat.formats._sources import content, iter_sources, load, load_all, read
from nonosat.formats._text import Numbered, Remark, decode, fail, inflate, numbered
from nonosat.plugins import Puzzle

__all__ = [
    "Numbered",
    "Remark",
    "content",
    "decode",
    "fail",
    "format_of",
    "inflate",
    "iter_sources",
    "load",
    "load_all",
    "num_puzzles",
    "numbered",
    "read",
    "write",
]


def num_puzzles(sources: tuple[str, ...], format_: str | None, family: str | None) -> int:
    """How many puzzles there are in files and folders, bad ones included."""
    return sum(1 for _ in iter_sources(sources, format_, family))


def write(
    puzzles: Iterable[Puzzle],
    format: str,  # noqa: A002  # what users call it
) -> bytes:
    """Puzzles as the content of a file.

    Args:
        puzzles: At least one.
        format: Name of the format, e.g. "jsonl"; `format_of(path)` tells it by a suffix.

    Raises:
        UnsupportedError: There is no such format, or it cannot hold what is there to be written;
            the message lists formats that can. Metadata are dropped where there is no room.
    """
    return plugins.find("formats", format).write(list(puzzles))
