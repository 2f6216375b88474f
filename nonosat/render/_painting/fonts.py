"""Fonts: bundled ones for Latin, Greek and Cyrillic, those of this machine for other letters.

PDF's own Helvetica has Western European letters alone, Pillow's own font not even these. The
bundled fonts in `letters/` are available on every machine, so that pictures are the same
everywhere. For other letters the usual folders are searched for a font that has them: only the
table of characters (`cmap`, as OpenType defines it) is read, and nothing is loaded from a network.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

_FOLDERS = (
    "~/.local/share/fonts",
    "~/.fonts",
    "/usr/local/share/fonts",
    "/usr/share/fonts",
    "~/Library/Fonts",
    "/Library/Fonts",
    "/System/Library/Fonts",
    "C:/Windows/Fonts",
)
_SUFFIXES = (".ttf", ".otf", ".ttc", ".otc")
REGULAR, BOLD = (Path(__file__).parent / "letters" / f"{name}.ttf" for name in ("regular", "bold"))
_PLAIN = ("Arial", "arial", "DejaVuSans", "NotoSans-Regular", "FreeSans", "Verdana")
_MOST = 5000  # limit of fonts to examine
UNSHOWN = "?"  # replaces a letter that no font has


class FontRun(NamedTuple):
    """Consecutive letters in one font; the font None is the painter's own."""

    text: str
    font: Path | None


def runs(text: str, own: str = "cp1252") -> tuple[list[FontRun], str]:
    """Return a text divided into runs of one font each, and the letters that no font has.

    Args:
        text: A line.
        own: The encoding whose letters the painter's own font has.
    """
    if text.isascii() and text.isprintable():  # nearly all texts are clues
        return [FontRun(text, None)], ""
    safe = "".join(char if char.isprintable() else UNSHOWN for char in text)
    if _is_in(safe, own):
        return [FontRun(safe, None)], ""
    if whole := _first_with(frozenset(safe) - {" "}):
        return [FontRun(safe, whole)], ""
    missing = []
    fonts: list[tuple[str, Path | None]] = []
    for char in safe:
        font = None if _is_in(char, own) else _first_with(frozenset(char))
        if font is None and not _is_in(char, own):
            missing.append(char)
            char = UNSHOWN
        fonts.append((char, fonts[-1][1] if char == " " and fonts else font))
    parts = [
        FontRun("".join(char for char, _ in run), font)
        for font, run in groupby(fonts, key=lambda pair: pair[1])
    ]
    return parts, "".join(dict.fromkeys(missing))


def _is_in(text: str, encoding: str) -> bool:
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True


@cache
def even() -> Path | None:
    """Return a font in which all letters have one width; None if this machine has none."""
    names = ("LiberationMono-Regular", "DejaVuSansMono", "Menlo", "consola", "cour")
    return next((path for path in _all() if path.stem in names), None)


@cache
def _first_with(letters: frozenset[str]) -> Path | None:
    """Return the first font that has all of the given letters."""
    codes = {ord(letter) for letter in letters}
    return next((path for path in _all() if _has(path, codes)), None)


def _has(path: Path, codes: set[int]) -> bool:
    spans = _spans(path)
    return all(any(first <= code <= last for first, last in spans) for code in codes)


@cache
def _all() -> tuple[Path, ...]:
    """Return the bundled fonts, and then those of this machine, regular ones first."""
    found: list[Path] = []
    for folder in dict.fromkeys(_FOLDERS):
        for here, _, names in os.walk(Path(folder).expanduser()):
            paths = (Path(here, name) for name in names)
            found += (path for path in paths if path.suffix.lower() in _SUFFIXES)
    return (REGULAR, *sorted(found, key=_rank)[:_MOST])


def _rank(path: Path) -> tuple[int, str]:
    """Return the sort key of a font: regular ones, others, and then decorative ones."""
    if path.stem in _PLAIN:
        return _PLAIN.index(path.stem), str(path)
    is_special = any(
        word in path.stem for word in ("Bold", "Italic", "Oblique", "Mono", "Condensed")
    )
    return 100 + is_special, str(path)


# The table of characters


@cache
def _spans(path: Path) -> Sequence[tuple[int, int]]:
    """Return the characters of a font as ranges (first, last); none if it cannot be used.

    A font cannot be used if it has no outlines or is invalid.
    """
    try:
        with path.open("rb") as file:
            head = file.read(12)
            start = 0
            if head[:4] == b"ttcf":  # a collection: take the first of its fonts
                (start,) = struct.unpack(">I", file.read(4))
                file.seek(start)
                head = file.read(12)
            (number,) = struct.unpack(">H", head[4:6])
            entries = file.read(16 * number)
            tables = dict(_table(entries[at : at + 16]) for at in range(0, len(entries), 16))
            if not {b"glyf", b"CFF "} & tables.keys() or b"cmap" not in tables:
                return ()
            offset, length = tables[b"cmap"]
            file.seek(offset)
            return [*_mapped(file.read(length))]
    except (OSError, struct.error, ValueError):
        return ()


def _table(entry: bytes) -> tuple[bytes, tuple[int, int]]:
    name, _, offset, length = struct.unpack(">4sIII", entry)
    return name, (offset, length)


def _mapped(table: bytes) -> Iterator[tuple[int, int]]:
    """Yield the ranges of the largest Unicode subtable of a `cmap`."""
    (number,) = struct.unpack(">H", table[2:4])
    best: dict[int, int] = {}  # by format of the subtable
    for index in range(number):
        platform, encoding, offset = struct.unpack(">HHI", table[4 + 8 * index : 12 + 8 * index])
        (kind,) = struct.unpack(">H", table[offset : offset + 2])
        if platform == 0 or (platform == 3 and encoding in (1, 10)):
            best[kind] = offset
    if 12 in best:
        at = best[12]
        (count,) = struct.unpack(">I", table[at + 12 : at + 16])
        for first, last, _ in struct.iter_unpack(">III", table[at + 16 : at + 16 + 12 * count]):
            yield first, last
    elif 4 in best:
        at = best[4]
        (double,) = struct.unpack(">H", table[at + 6 : at + 8])
        ends = struct.unpack(f">{double // 2}H", table[at + 14 : at + 14 + double])
        starts = struct.unpack(f">{double // 2}H", table[at + 16 + double : at + 16 + 2 * double])
        yield from ((one, other) for one, other in zip(starts, ends, strict=True) if one != 0xFFFF)
