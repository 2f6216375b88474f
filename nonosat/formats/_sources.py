"""Puzzles out of bytes, files, folders, standard input, FILE#ID, addresses and game ids.

Invariant: every puzzle of a file has an id, and no two have the same; every FormatError that
comes out of a file names it. A bad puzzle does not hide the others of its file, nor a bad file
the others of a call.
"""

from __future__ import annotations

import itertools
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from nonosat import plugins
from nonosat.errors import (
    MOST_OF_PATH,
    FormatError,
    LimitReached,
    NonosatError,
    meant,
    printable,
    shown,
)
from nonosat.families import name_of
from nonosat.formats._choose import format_of, is_clear, suffix_of, suffixes
from nonosat.formats._limited import limited
from nonosat.formats._text import MAX_BYTES, Remark, inflate, sound
from nonosat.limits import Limits
from nonosat.plugins import Puzzle

_PIECE = 2**20  # bytes that are read at once
EMPTY = (
    "an empty name, expected a file ('.' is the current folder); is a variable of the shell not "
    "set?"
)
_SHOWN = 8  # ids listed by a message
_COMPARED = 2000  # ids that a wrong one is compared with


class Wanted(NamedTuple):
    """What a caller says of the files that he names; None is to find out."""

    format: str | None = None
    family: str | None = None
    limits: Limits = Limits()


def each(data: bytes, name: str, wanted: Wanted) -> Iterator[Puzzle | FormatError]:
    """The puzzles of a file as they are read; a bad one as its error."""
    used: set[str] = set()
    number = 0
    for found in _items(data, name, wanted):
        if isinstance(found, Remark):
            found.warn(name)
            continue
        number += 1
        item = _of_family(found, wanted.family)
        if isinstance(item, FormatError):
            item.path = item.path or name or None
            yield item
        else:
            yield _with_id(item, number, used)


def _of_family(item: Puzzle | FormatError, family: str | None) -> Puzzle | FormatError:
    """The item, or an error where it is a puzzle of another family."""
    if isinstance(item, FormatError) or family in (None, name_of(item)):
        return item
    return FormatError(
        f"this puzzle is of the family {name_of(item)}, expected the family {family}"
    )


def _items(data: bytes, name: str, wanted: Wanted) -> Iterator[Puzzle | FormatError | Remark]:
    try:
        data = inflate(data)
        chosen = wanted.format or format_of(name, data, wanted.family)
        yield from plugins.find("formats", chosen).read(data)
    except FormatError as error:
        yield error


def _with_id(puzzle: Puzzle, number: int, used: set[str]) -> Puzzle:
    """Keep the puzzle's own id where it can be kept."""
    own = puzzle.about.id or str(number)
    names = itertools.chain([own], (f"{own}-{count}" for count in itertools.count(2)))
    name = next(name for name in names if name not in used)
    used.add(name)
    return puzzle if name == puzzle.about.id else puzzle.about_with(id=name)


def read(
    data: bytes,
    *,
    name: str = "",
    format: str | None = None,  # noqa: A002  # what users call it
) -> list[Any]:
    """Every puzzle of a file's content.

    Args:
        data: The content; may be gzip or zlib.
        name: The file's name: its suffix may tell the format, and errors name it.
        format: Name of the format; None to find out.

    Returns:
        The puzzles in order, each with an `about.id` of its own: from the file, else its number.

    Raises:
        FormatError: Something is not as the format wants it; has file, line and column.
        UnsupportedError: There is no such format.
    """
    puzzles = sound(each(data, name, Wanted(format)))
    if not puzzles:
        raise FormatError("no puzzle in the file, expected at least one", path=name or None)
    return puzzles


def _existing(path: str) -> tuple[str, str | None] | None:
    """`path` as the longest part that exists and, behind a '#', the id of a puzzle."""
    file, puzzle = path, None
    while not (file == "-" or os.path.lexists(file)):
        file, mark, last = file.rpartition("#")
        if not mark:
            return None
        puzzle = last if puzzle is None else f"{last}#{puzzle}"
    return file, puzzle


def _written(path: str, wanted: Wanted) -> tuple[str, str | None]:
    """An address or game id that is no file's name, and the id of a puzzle behind a last '#'.

    Raises:
        FormatError: It is none.
    """
    front, mark, last = path.rpartition("#")
    for word, puzzle_id in ((front, last), (path, None))[not mark :]:
        if _is_word(word.encode(errors="surrogateescape"), wanted):
            return word, puzzle_id
    if "://" in path:
        raise FormatError(
            "an address, but none that a puzzle can be read from (nothing is fetched from the "
            "network); expected such as https://puzz.link/p?nonogram/4/3/..., or save the puzzle "
            "as a file and name that",
            path=path,
        )
    content(path)  # says why there is no file
    raise FormatError("the file has come into being just now; try again", path=path)


def _is_word(data: bytes, wanted: Wanted) -> bool:
    """Whether it is a puzzle of a format whose puzzles are words."""
    every = plugins.each("formats")
    if wanted.format is not None:
        every = iter([(wanted.format, plugins.find("formats", wanted.format))])
    return any(
        one.inline and (wanted.family is None or one.holds.takes(wanted.family)) and one.sniff(data)
        for _, one in every
    )


def content(file: str) -> bytes:
    """The bytes of a file, or of standard input."""
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
    """At most a byte more than may be; asked for at once, so much memory would be taken."""
    pieces, room = [], MAX_BYTES + 1
    while room and (piece := stream.read(min(_PIECE, room))):
        pieces.append(piece)
        room -= len(piece)
    return b"".join(pieces)


def _files(folder: str) -> list[str]:
    """The puzzle files in a folder, sorted: those with a suffix of a format."""
    import logging

    known = suffixes()
    try:
        paths = sorted(path for path in Path(folder).iterdir() if path.is_file())
    except OSError as error:
        message = f"the folder cannot be read: {error.strerror}"
        raise FormatError(message, path=folder) from error
    paths = [path for path in paths if not path.name.startswith(".") and suffix_of(path) in known]
    found = [str(path) for path in paths if _is_puzzle(path, known)]
    if not found:
        expected = ", ".join(sorted(known))
        raise FormatError(f"no puzzle file in the folder, expected one of {expected}", path=folder)
    if left_out := [path.name for path in paths if str(path) not in found]:
        what = "is left out: it is" if len(left_out) == 1 else "are left out: they are"
        names = ", ".join(map(printable, left_out[:_SHOWN])) + (
            ", ..." if len(left_out) > _SHOWN else ""
        )
        logging.getLogger("nonosat").warning(
            "%s: %s %s no puzzle beyond doubt; name a file to have it read",
            printable(folder, MOST_OF_PATH),
            names,
            what,
        )
    return found


def _is_puzzle(path: Path, known: dict[str, str]) -> bool:
    name = known[suffix_of(path)]
    found = plugins.find("formats", name)
    if not found.shared:
        return True
    # Any prose is called .txt: there the content must show that it is a puzzle.
    try:
        data = content(str(path))
        return is_clear(data) if name == "picture" else found.sniff(inflate(data))
    except FormatError:
        return False


def _named(path: str, wanted: Wanted) -> tuple[list[tuple[str, bytes | None]], str | None]:
    """The files that `path` means, each with its content where that is known, and a puzzle's id.

    Raises:
        FormatError: It means none.
    """
    if not path:
        raise FormatError(EMPTY)
    files: list[tuple[str, bytes | None]]
    if (existing := _existing(path)) is not None:
        file, puzzle_id = existing
        folder = Path(file).is_dir()
        if folder and puzzle_id is not None:
            raise FormatError("a folder, expected a file in front of '#'", path=file)
        files = [(name, None) for name in (_files(file) if folder else [file])]
    else:
        word, puzzle_id = _written(path, wanted)
        files = [(word, word.encode(errors="surrogateescape"))]
    if puzzle_id == "":
        message = "nothing behind '#', expected a puzzle's id or number (or no '#' for all)"
        raise FormatError(message, path=path)
    return files, puzzle_id


def _walk(path: str, wanted: Wanted) -> Iterator[tuple[str, Any]]:
    """Name of the file and puzzle or error, for everything that `path` means."""
    try:
        files, puzzle_id = _named(path, wanted)
    except NonosatError as error:
        yield path, error
        return
    except (OSError, ValueError) as error:
        yield path, FormatError(str(error), path=path)
        return
    for name, data in files:
        try:
            data = content(name) if data is None else data  # which may wait for a pipe
            items = limited(each(data, name, wanted), wanted.limits, name)
            del data  # large ones go as soon as they are unpacked or decoded
            if puzzle_id:
                yield name, _pick(list(items), puzzle_id, name)
            else:
                count = -1
                for count, item in enumerate(items):  # noqa: B007  # counts what was there
                    yield name, item
                if count < 0:
                    message = "no puzzle in the file, expected at least one"
                    yield name, FormatError(message, path=name)
        except NonosatError as error:
            yield name, error


def _pick(
    items: Sequence[Puzzle | NonosatError], puzzle_id: str, name: str
) -> Puzzle | NonosatError:
    """The puzzle of this id, else of this number counted from 1; else why there is none."""
    puzzles = [item for item in items if not isinstance(item, NonosatError)]
    for puzzle in puzzles:
        if puzzle.about.id == puzzle_id:
            return puzzle
    if puzzle_id.isascii() and puzzle_id.isdigit() and len(puzzle_id) < 10:
        number = int(puzzle_id)
        if 1 <= number <= len(items):
            return items[number - 1]
    if isinstance(items[-1] if items else None, LimitReached) or (items and not puzzles):
        return items[-1] if puzzles else items[0]
    ids = [puzzle.about.id for puzzle in puzzles[:_COMPARED] if not puzzle.about.id.isdecimal()]
    idea = meant(puzzle_id, ids)
    found = f"no puzzle {shown(puzzle_id)}{idea} in the file, it has {_some(puzzles)}"
    return FormatError(f"{found}; a number counts from 1", path=name)


def _some(puzzles: Sequence[Puzzle]) -> str:
    ids = [puzzle.about.id for puzzle in puzzles]
    more = f" and {len(ids) - _SHOWN} more" if len(ids) > _SHOWN else ""
    return ", ".join(map(printable, ids[:_SHOWN])) + more


def iter_sources(
    paths: Iterable[str | Path],
    format: str | None = None,  # noqa: A002  # what users call it
    family: str | None = None,
    limits: Limits | None = None,
) -> Iterator[tuple[str, Any]]:
    """Walk through whatever `load_all` takes, whatever is wrong in some.

    Args:
        paths: What to walk, in this order; the files of a folder are sorted.
        format: Name of the format of all of them; None to find out for each.
        family: Name of the family of all of them; the same.
        limits: For reading each puzzle; waiting for a pipe does not count.

    Yields:
        Name of a file, and a puzzle of it or the error in its place, which is LimitReached where a
        limit ended the reading of the file.
    """
    for path in paths:
        yield from _walk(str(path), Wanted(format, family, limits or Limits()))


def load_all(
    path: str | Path,
    format: str | None = None,  # noqa: A002  # what users call it
    *,
    time_limit_s: float | None = None,
    memory_limit_mib: int | None = None,
) -> list[Any]:
    """Every puzzle of a file or folder.

        >>> import tempfile
        >>> puzzles = [nonosat.nonogram([[n]], [[1]] * n, id=str(n)) for n in (1, 2, 3)]
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     nonosat.save(puzzles, f"{folder}/several.jsonl")
        ...     nonosat.load_all(f"{folder}/several.jsonl") == puzzles
        True

    Args:
        path: A file, a folder (its puzzle files in sorted order), "FILE#ID" for the puzzle of that
            id or number, or "-" for standard input. What exists under the whole name wins. What
            does not may be the puzzle itself: an address of puzz.link, or a game id of Pattern or
            Loopy; nothing is fetched from the network.
        format: Name of the format; None to find out.
        time_limit_s: Wall seconds for reading each puzzle.
        memory_limit_mib: Resident memory of this process.

    Returns:
        The puzzles; within a file their ids differ.

    Raises:
        FormatError: A file cannot be read, or is not as its format wants it.
        LimitReached: A limit ended the reading.
        UnsupportedError: There is no such format.
    """
    limits = Limits(time_limit_s, memory_limit_mib)
    return sound(item for _, item in iter_sources([path], format, limits=limits))


def load(
    path: str | Path,
    format: str | None = None,  # noqa: A002  # what users call it
    *,
    time_limit_s: float | None = None,
    memory_limit_mib: int | None = None,
) -> Any:
    """The one puzzle of a file; see `load_all`.

        >>> import tempfile
        >>> puzzles = [nonosat.nonogram([[n]], [[1]] * n, id=f"bar{n}") for n in (1, 2, 3)]
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     nonosat.save(puzzles, f"{folder}/several.jsonl")
        ...     nonosat.load(f"{folder}/several.jsonl#bar2")
        <Nonogram: bar2: 1 row x 2 columns>

    Args:
        path: A file, or "FILE#ID" for one of several.
        format: Name of the format; None to find out.
        time_limit_s: Wall seconds for reading it.
        memory_limit_mib: Resident memory of this process.

    Raises:
        FormatError: As `load_all`, or the file holds many; the message lists their ids.
        LimitReached: A limit ended the reading.
        UnsupportedError: There is no such format.
    """
    puzzles = load_all(path, format, time_limit_s=time_limit_s, memory_limit_mib=memory_limit_mib)
    if len(puzzles) > 1:
        raise FormatError(
            f"{len(puzzles)} puzzles, expected one: {_some(puzzles)}; choose one as "
            f"'{printable(str(path), MOST_OF_PATH)}#{printable(puzzles[0].about.id)}', or take all "
            "with load_all",
            path=str(path),
        )
    return puzzles[0]
