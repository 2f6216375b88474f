"""The files of a name, and their bytes: files, folders, standard input, FILE#ID, words.

Invariant: `bundled:` begins the name of a puzzle that comes with nonosat, even if such a file
exists; otherwise a file of the whole name has priority; if there is none, the name may be a puzzle
itself, an address or a game id. An invalid name gives a FormatError that contains it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO, NamedTuple

from nonosat.core import plugins
from nonosat.core.errors import FormatError, path_text, printable
from nonosat.core.limits import Limits
from nonosat.formats._bundled import BUNDLED, contents, meant_by
from nonosat.formats._choose import is_clear, suffix_of, suffixes
from nonosat.formats._image_file import kind_of
from nonosat.formats._text import MAX_BYTES, unpack

_PIECE = 2**20  # bytes per read
EMPTY = (
    "an empty name, expected a file ('.' is the current folder); is a variable of the shell not "
    "set?"
)
_SHOWN = 8  # names listed by a message


class ReadRequest(NamedTuple):
    """Options of a caller for reading files; None for format or family means to detect it.

    Args:
        begun_mib: Resident memory before any puzzle was read, if given: later growth, by data
            kept of earlier puzzles, is not counted.
    """

    format: str | None = None
    family: str | None = None
    limits: Limits = Limits()
    begun_mib: float | None = None


def _existing(path: str) -> tuple[str, str | None] | None:
    """Return (file, id): the longest part of `path` that exists, and the text after the next '#'.

    Return None if no such part exists.
    """
    file, puzzle = path, None
    while not (file == "-" or os.path.lexists(file)):
        file, mark, last = file.rpartition("#")
        if not mark:
            return None
        puzzle = last if puzzle is None else f"{last}#{puzzle}"
    return file, puzzle


def _written(path: str, request: ReadRequest) -> tuple[str, str | None]:
    """Return (word, id) for a path that is not a file: an address or a game id, maybe with "#ID".

    Raises:
        FormatError: The path is neither.
    """
    front, mark, last = path.rpartition("#")
    for word, puzzle_id in ((front, last), (path, None))[not mark :]:
        if _is_word(word.encode(errors="surrogateescape"), request):
            return word, puzzle_id
    if "://" in path:
        raise FormatError(
            "an address, but none that a puzzle can be read from (nothing is fetched from the "
            "network); expected such as https://puzz.link/p?nonogram/4/3/..., or save the puzzle "
            "as a file and name that",
            path=path,
        )
    if advice := meant_by(path):
        raise FormatError(f"no such file; {advice}", path=path)
    content(path)  # states why there is no file
    raise FormatError("the file was created just now; try again", path=path)


def _is_word(data: bytes, request: ReadRequest) -> bool:
    """Return True if the bytes are a puzzle of a format whose puzzles are words."""
    every = plugins.each("formats")
    if request.format is not None:
        every = iter([(request.format, plugins.find("formats", request.format))])
    return any(
        one.inline
        and (request.family is None or one.holds.takes(request.family))
        and one.sniff(data)
        for _, one in every
    )


def content(file: str) -> bytes:
    """Return the bytes of a file, or of standard input."""
    if not file:
        raise FormatError(EMPTY)
    try:
        if file == "-":
            if sys.stdin is None:
                raise ValueError("standard input is closed; redirect a file into it")
            data = _read(sys.stdin.buffer)
        else:
            with Path(file).open("rb") as stream:
                data = _read(stream)
    except (OSError, ValueError) as error:  # ValueError: a NUL character in the name
        reason = getattr(error, "strerror", None) or error
        raise FormatError(f"the file cannot be read: {reason}", path=file) from error
    if len(data) > MAX_BYTES:
        raise FormatError(f"more than {MAX_BYTES} bytes, expected fewer; split it", path=file)
    return data


def _read(stream: BinaryIO) -> bytes:
    """Read up to a byte more than the maximum in chunks, to avoid one large allocation."""
    pieces, room = [], MAX_BYTES + 1
    while room and (piece := stream.read(min(_PIECE, room))):
        pieces.append(piece)
        room -= len(piece)
    return b"".join(pieces)


def _files(folder: str) -> list[str]:
    """Return the puzzle files in a folder, sorted: those with a suffix of a format."""
    import logging

    known = suffixes()
    try:
        paths = sorted(path for path in Path(folder).iterdir() if path.is_file())
    except OSError as error:
        message = f"the folder cannot be read: {error.strerror}"
        raise FormatError(message, path=folder) from error
    paths = [path for path in paths if not path.name.startswith(".") and suffix_of(path) in known]
    found = [str(path) for path in paths if _is_puzzle(path, known)]
    if not paths:
        expected = ", ".join(sorted(known))
        raise FormatError(f"no puzzle file in the folder, expected one of {expected}", path=folder)
    if left_out := [path.name for path in paths if str(path) not in found]:
        text = _left_out(left_out)
        if not found:
            raise FormatError(f"no puzzle file in the folder: {text}", path=folder)
        logging.getLogger("nonosat").warning("%s: %s", path_text(folder), text)
    return found


def _left_out(files: Sequence[str]) -> str:
    names = ", ".join(map(printable, files[:_SHOWN])) + (", ..." if len(files) > _SHOWN else "")
    what = "is left out: it" if len(files) == 1 else "are left out: they"
    return f"{names} {what} may not be a puzzle; name a file to have it read"


def _is_puzzle(path: Path, known: dict[str, str]) -> bool:
    name = known[suffix_of(path)]
    found = plugins.find("formats", name)
    if not found.shared:
        return True
    from nonosat.formats import image, tournament

    # Prose may be called .txt, and photographs .png: the content must show that it is a puzzle.
    try:
        data = content(str(path))
        if name == "picture":
            return tournament.sniff(data) or is_clear(data)
        data = unpack(data)
        return found.sniff(data) and (kind_of(data) is None or image.is_clear(data))
    except FormatError:
        return False


def named(path: str, request: ReadRequest) -> tuple[list[tuple[str, bytes | None]], str | None]:
    """Return the files of `path`, each with its content if it is known, and a puzzle's id.

    Raises:
        FormatError: There are no such files.
    """
    if not path:
        raise FormatError(EMPTY)
    files: list[tuple[str, bytes | None]]
    if path.startswith(BUNDLED):
        file, mark, last = path.partition("#")
        if file == BUNDLED and last:  # bundled:#cat
            file, mark = f"{file}{last}", ""
        files, puzzle_id = contents(file), last if mark else None
    elif (existing := _existing(path)) is not None:
        file, puzzle_id = existing
        folder = Path(file).is_dir()
        if folder and puzzle_id is not None:
            raise FormatError("a folder, expected a file before '#'", path=file)
        files = [(name, None) for name in (_files(file) if folder else [file])]
    else:
        word, puzzle_id = _written(path, request)
        files = [(word, word.encode(errors="surrogateescape"))]
    if puzzle_id == "":
        message = "nothing after '#', expected a puzzle's id or number (or no '#' for all)"
        raise FormatError(message, path=path)
    return files, puzzle_id
