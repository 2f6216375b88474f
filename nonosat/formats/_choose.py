"""Format of a file: found by its content first, then by its suffix, then by trying what fits.

Invariant: a format is never guessed; if there are several candidates, all are named. By the
suffix the likeliest format is tried first, so that the others are not imported.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from nonosat.core import plugins
from nonosat.core.errors import FormatError, Remedy, UnsupportedError, path_text, shown
from nonosat.core.plugins import Format
from nonosat.formats._foreign import refuse_foreign
from nonosat.formats._text import shorten, unpack

_MAX_SHOWN = 1_000  # bytes of a file that may be quoted by a message
_BINARY = rb"[\x00-\x08\x0e-\x1a]"  # not in texts, but for terminal escapes
_PACKED = (".gz", ".zlib", ".z")


def suffix_of(path: str | Path) -> str:
    """Return the suffix in lower case, without that of compression: ".non" for "a.NON.gz"."""
    name = Path(path).name.lower()
    for packed in _PACKED:
        name = name.removesuffix(packed)
    return Path(name).suffix


def _formats(likely: str) -> Iterator[tuple[str, Format]]:
    """Yield (name, format) for every format, first the one with the suffix `likely`."""
    return plugins.each("formats", likely.removeprefix("."))


@cache
def by_suffix(suffix: str) -> str | None:
    """Return the name of the format that has the suffix, or None."""
    every = _formats(suffix) if suffix else ()
    return next((name for name, one in every if suffix in one.suffixes), None)


def suffixes() -> dict[str, str]:
    """Return the name of the format by suffix, for messages."""
    return {suffix: name for name, one in _formats("") for suffix in one.suffixes}


def format_of(path: str | Path, data: bytes | None = None, family: str | None = None) -> str:
    """Return the name of a file's format.

    Args:
        path: Name of the file; only the suffix matters.
        data: Content of the file; None for a file to write.
        family: Family of the file's puzzles, if it is known.

    Raises:
        FormatError: The content fits no format, or several; the message names them.
        UnsupportedError: Without content: no format has this suffix; the message lists them.
    """
    suffix = suffix_of(path)
    if data is None:
        if Path(path).name.lower().endswith(_PACKED):
            name = path_text(path)
            raise UnsupportedError(f"{name}: compressed files are read only; write, then compress")
        return by_suffix(suffix) or _unknown(path)
    data = unpack(data)
    if not data.strip():
        raise FormatError("the file is empty, expected a puzzle", path=str(path) or None)
    for name, one in _formats(suffix):
        if (family is None or one.holds.takes(family)) and one.sniff(data):
            if name in ("csv", "tsv") and suffix not in one.suffixes and _may_be_clues(data):
                break
            return name
    refuse_foreign(data, path)
    if family not in (None, "nonogram"):
        return family  # the format of its own, whose error states what it expected
    found = by_suffix(suffix)
    if found in (None, "picture"):  # .txt does not identify a format
        return _of_text(path, data, family)
    return found


def _of_text(path: str | Path, data: bytes, family: str | None) -> str:
    """Return the format of a text that no format recognises: a board, or clues."""
    from nonosat.formats import clues, counts, picture
    from nonosat.formats._clues_dialects import are_letters

    boards = _boards(data, family)
    counted = counts.ways(data)
    if boards or counted or clues.plausible(data):
        try:
            name, remark = clues.choose(data, boards, picture.rivals(data), counted)
        except FormatError:
            if meant := _meant(data, family):
                return meant  # the format of the family, whose error states what it expected
            raise
        if remark:  # the file itself does not state it
            import logging  # importing it takes a tenth of a short command

            logging.getLogger("nonosat").warning("%s: %s", path_text(path), remark)
        return name
    if meant := _meant(data, family):
        return meant
    formats = tuple(sorted(plugins.names("formats")))
    if re.search(_BINARY, data[:_MAX_SHOWN]):
        raise FormatError(
            "no text, and no known kind of file; expected a puzzle file, or clues in a plain text "
            "file (.txt)",
            path=str(path) or None,
        )
    text = data[:_MAX_SHOWN].decode("utf-8", "replace")
    if are_letters(text):
        raise FormatError(
            "words in capital letters, expected numbers; if A means 1, B 2 and so on, write the "
            "line 'A = 1' in front",
            path=str(path) or None,
        )
    start = (text.strip() or text).splitlines()[0]  # a text has more kinds of blanks than bytes
    no_picture = picture.refusal(data)
    raise FormatError(
        f"{shorten(start)}: neither clues (no number in it) nor a picture "
        f"({no_picture}), and no other format by its content or the suffix "
        f"{shorten(suffix_of(path))}",
        path=str(path) or None,
        remedy=Remedy("set", "format", formats),
    )


def _may_be_clues(table: bytes) -> bool:
    """Return True if a table of cells may also be read as lists of clues."""
    from nonosat.formats import cells

    return cells.may_be_clues(table)


def _boards(data: bytes, family: str | None) -> list[str]:
    """Return names of formats that can read a text without a heading as a board of cells."""
    from nonosat.formats import cells, picture, slitherlink

    found = ["picture"] if picture.is_binary(data) else []
    found += ["csv"] if cells.plausible(data) else []
    return [*found, *(["slitherlink"] if family is None and slitherlink.plausible(data) else [])]


def _meant(data: bytes, family: str | None) -> str:
    """Return the format of another family whose own signs occur in a text; else ""."""
    from nonosat.formats import queens, ranges, slitherlink

    if family is not None:
        return ""
    families = (("queens", queens), ("slitherlink", slitherlink), ("ranges", ranges))
    return next((name for name, one in families if one.meant(data)), "")


def is_clear(data: bytes) -> bool:
    """Return True if the content of a .txt file, which may be any prose, is certainly a puzzle."""
    from nonosat.formats import clues, picture

    data = unpack(data)
    return picture.sniff(data) or (clues.plausible(data) and clues.clear(data))


def _unknown(path: str | Path) -> str:
    known = ", ".join(f"{suffix} ({name})" for suffix, name in sorted(suffixes().items()))
    raise UnsupportedError(
        f"no format is known by the suffix of {shown(str(path))}, expected one of {known}",
        remedy=Remedy("write-as"),
    )
