"""Puzzles from bytes, files, folders, standard input, FILE#ID, bundled:ID, addresses, game ids.

Invariant: every puzzle of a file has an id, and no two have the same; every FormatError that
comes out of a file names it. A bad puzzle does not hide the others of its file, nor a bad file
the others of a call.
"""

from __future__ import annotations

import gc
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

from nonosat.core import hooks, plugins
from nonosat.core.answer_source import advice, maker
from nonosat.core.errors import (
    BackendError,
    FormatError,
    LimitReached,
    NonosatError,
    meant,
    path_text,
    printable,
    shown,
)
from nonosat.core.families import name_of
from nonosat.core.limits import Limits
from nonosat.core.plugins import Puzzle
from nonosat.formats._bundled import BUNDLED
from nonosat.formats._choose import format_of
from nonosat.formats._foreign import refuse_foreign
from nonosat.formats._limited import limited
from nonosat.formats._named import ReadRequest, content, named
from nonosat.formats._text import Remark, sound, unpack

_T = TypeVar("_T")

_BUNDLED_FORMAT = "jsonl"
_SHOWN = 8  # ids listed by a message
_COMPARED = 2000  # limit of ids compared with a wrong one
MOST_COUNTED = 1000  # limit of puzzles read from a file from which one has to be chosen


def each(data: bytes, name: str, request: ReadRequest) -> Iterator[Puzzle | FormatError]:
    """Yield the puzzles of a file as they are read; a bad one as its error."""
    used: dict[str, int] = {}
    number = 0
    for found in _uncollected(_items(data, name, request)):
        if isinstance(found, Remark):
            found.warn(name)
            continue
        number += 1
        item = in_family(found, request.family)
        if isinstance(item, FormatError):
            item.path = item.path or name or None
            yield item
        else:
            yield with_id(item, number, used)


def _uncollected(items: Iterator[_T]) -> Iterator[_T]:
    """Yield the puzzles of a file; the garbage collector is off while one of them is read.

    The millions of new objects contain no cycles, and in a text of a million words the search for
    them takes 40 % of the time. Another thread may do the same: only the thread that switched the
    collector off switches it on, so its state is restored.
    """
    while True:
        was_enabled = gc.isenabled()
        try:
            if was_enabled:
                gc.disable()
            item = next(items)
        except StopIteration:
            return
        finally:
            if was_enabled:
                gc.enable()
        yield item


def in_family(item: Puzzle | FormatError, family: str | None) -> Puzzle | FormatError:
    """Return the item, or an error if it is a puzzle of another family."""
    if isinstance(item, FormatError) or family in (None, name_of(item)):
        return item
    return FormatError(
        f"this puzzle is of the family {name_of(item)}, expected the family {family}"
    )


def _items(data: bytes, name: str, request: ReadRequest) -> Iterator[Puzzle | FormatError | Remark]:
    try:
        data = unpack(data)
        chosen = request.format or format_of(name, data, request.family)
        if plugins.is_built_in("formats", chosen):
            refuse_foreign(data, name, chosen)
        found = plugins.find("formats", chosen).read(data)
        if not isinstance(found, Iterable):
            raise broken(chosen, "read", found, "an iterable of puzzles")
        yield from found
    except FormatError as error:
        yield error


def broken(name: str, function: str, found: object, expected: str) -> BackendError:
    """Return the error for a function of a format that returned a value of another type."""
    what = f"the format {name} breaks its contract: {function} returned {shown(found)}"
    makers = [who] if (who := maker("formats", name)) else []
    return BackendError(f"{what}, expected {expected}", advice=advice(makers))


def with_id(puzzle: Puzzle, number: int, used: dict[str, int]) -> Puzzle:
    """Return the puzzle with an id that is unique in its file, its own if possible.

    Args:
        puzzle: Puzzle of a file.
        number: Number of the puzzle in the file, from 1; used as its id if it has none.
        used: Maps each id so far to the last number that was appended to it for another one.
    """
    own = name = puzzle.about.id or str(number)
    while name in used:
        used[own] += 1
        name = f"{own}-{used[own]}"
    used[name] = 1
    return puzzle if name == puzzle.about.id else puzzle.about_with(id=name)


def read(
    data: bytes,
    *,
    name: str = "",
    format: str | None = None,  # noqa: A002  # what users call it
    most: int | None = None,
) -> list[Any]:
    """Return every puzzle of a file's content.

    Args:
        data: The content; may be gzip or zlib.
        name: The file's name, for detection of the format by its suffix and for errors.
        format: Name of the format; None to detect it.
        most: Reading stops after `most` + 1 puzzles; None reads all.

    Returns:
        The puzzles in order, each with an `about.id` of its own: from the file, else its number.

    Raises:
        FormatError: Something is not valid in the format; has file, line and column.
        UnsupportedError: There is no such format.
    """
    puzzles = sound(each(data, name, ReadRequest(format)), most)
    if not puzzles:
        raise FormatError("no puzzle in the file, expected at least one", path=name or None)
    return puzzles


def _walk(path: str, request: ReadRequest) -> Iterator[tuple[str, Any, float]]:
    """Yield (file's name, puzzle or error, seconds of reading it) for each puzzle of `path`."""
    try:
        files, puzzle_id = named(path, request)
        if path.startswith(BUNDLED):
            if request.format not in (None, _BUNDLED_FORMAT, "json"):
                what = f"bundled puzzles are {_BUNDLED_FORMAT}; {request.format} is for other files"
                Remark(what).warn(path)
            request = request._replace(format=_BUNDLED_FORMAT)
    except NonosatError as error:
        yield path, error, 0.0
        return
    except (OSError, ValueError) as error:
        yield path, FormatError(str(error), path=path), 0.0
        return
    for name, data in files:
        try:
            data = content(name) if data is None else data  # reading may wait for a pipe
            items = limited(each(data, name, request), request.limits, name, request.begun_mib)
            del data  # large contents are freed as soon as they are unpacked or decoded
            if puzzle_id:
                every = list(items)
                picked = _pick([item for item, _ in every], puzzle_id, name)
                yield name, picked, next((spent for item, spent in every if item is picked), 0.0)
            else:
                count = -1
                for count, (item, spent) in enumerate(items):  # noqa: B007  # counts them
                    yield name, item, spent
                if count < 0:
                    message = "no puzzle in the file, expected at least one"
                    yield name, FormatError(message, path=name), 0.0
        except NonosatError as error:
            yield name, error, 0.0


def _pick(
    items: Sequence[Puzzle | NonosatError], puzzle_id: str, name: str
) -> Puzzle | NonosatError:
    """Return the puzzle with this id, else that with this number from 1, else an error."""
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


def number_of(puzzles: Sequence[object], most: int = MOST_COUNTED) -> str:
    """Number of puzzles for a message, "more than ..." if reading ended after `most`."""
    return f"more than {most:,} puzzles" if len(puzzles) > most else f"{len(puzzles)} puzzles"


def _some(puzzles: Sequence[Puzzle]) -> str:
    ids = [puzzle.about.id for puzzle in puzzles]
    num_more = "others" if len(ids) > MOST_COUNTED else f"{len(ids) - _SHOWN} more"
    more = f" and {num_more}" if len(ids) > _SHOWN else ""
    return ", ".join(map(printable, ids[:_SHOWN])) + more


def iter_sources(
    paths: Iterable[str | Path],
    format: str | None = None,  # noqa: A002  # what users call it
    family: str | None = None,
    limits: Limits | None = None,
) -> Iterator[tuple[str, Any]]:
    """Read the puzzles of any paths that `load_all` accepts, and continue after errors.

    Args:
        paths: Paths in this order; the files of a folder are sorted.
        format: Name of the format of all of them; None to detect it for each.
        family: Name of the family of all of them; None to detect it.
        limits: Limits of reading each puzzle; waiting for a pipe does not count.

    Yields:
        (name of a file, puzzle or the error in its place). The error is LimitReached if a limit
        ended the reading of the file.
    """
    return ((name, item) for name, item, _ in iter_timed(paths, format, family, limits))


def iter_timed(
    paths: Iterable[str | Path],
    format: str | None = None,  # noqa: A002  # what users call it
    family: str | None = None,
    limits: Limits | None = None,
    *,
    keeps: bool = False,
) -> Iterator[tuple[str, Any, float]]:
    """Read like `iter_sources`, and yield the wall seconds of reading, too; 0 without limits.

    A caller that applies the same limit to the work on a puzzle subtracts these seconds. With
    `keeps`, growth of this process by data that the caller keeps for each puzzle is not counted.
    Nor is memory that it used before, beyond half of the limit, as other processes may solve.
    """
    limits = limits or Limits()
    kept_mib = begun_mib(limits) if keeps else None
    for path in paths:
        yield from _walk(str(path), ReadRequest(format, family, limits, kept_mib))


def begun_mib(limits: Limits) -> float | None:
    """Return the memory (MiB) that the process uses before it reads puzzles; None without limit."""
    if limits.memory_mib is None:
        return None
    return min(hooks.resident_mib(None), limits.memory_mib / 2)


def load_all(
    path: str | Path,
    format: str | None = None,  # noqa: A002  # what users call it
    *,
    time_limit_s: float | None = None,
    memory_limit_mib: int | None = None,
    max_puzzles: int | None = None,
) -> list[Any]:
    """Load every puzzle of a file or folder.

        >>> import tempfile
        >>> puzzles = [nonosat.nonogram([[n]], [[1]] * n, id=str(n)) for n in (1, 2, 3)]
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     nonosat.save(puzzles, f"{folder}/several.jsonl")
        ...     nonosat.load_all(f"{folder}/several.jsonl") == puzzles
        True

    Args:
        path: A file, a folder (its puzzle files in sorted order), "FILE#ID" for the puzzle of that
            id or number, or "-" for standard input. A file of the whole name has priority. If there
            is none, the name may be the puzzle itself: an address of puzz.link, a game id of
            Pattern or Loopy, or a shared text; nothing is fetched from the network. "bundled:ID"
            is a puzzle that comes with nonosat, "bundled:" all of them (`nonosat list puzzles`).
        format: Name of the format; None to detect it. Bundled puzzles have one of their own.
        time_limit_s: Wall seconds for reading each puzzle.
        memory_limit_mib: Resident memory of this process.
        max_puzzles: Maximal number of puzzles.

    Returns:
        The puzzles; within a file their ids differ.

    Raises:
        FormatError: A file cannot be read, is not valid in its format, or holds more than
            `max_puzzles`.
        LimitReached: A limit ended the reading.
        UnsupportedError: There is no such format.
    """
    limits = Limits(time_limit_s, memory_limit_mib)
    found = sound((item for _, item in iter_sources([path], format, limits=limits)), max_puzzles)
    if max_puzzles is not None and len(found) > max_puzzles:
        what = f"{number_of(found, max_puzzles)}, expected at most {max_puzzles:,}; split the file"
        raise FormatError(what, path=str(path))
    return found


def load(
    path: str | Path,
    format: str | None = None,  # noqa: A002  # what users call it
    *,
    time_limit_s: float | None = None,
    memory_limit_mib: int | None = None,
) -> Any:
    """Load the one puzzle of a file; see `load_all`.

        >>> import tempfile
        >>> puzzles = [nonosat.nonogram([[n]], [[1]] * n, id=f"bar{n}") for n in (1, 2, 3)]
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     nonosat.save(puzzles, f"{folder}/several.jsonl")
        ...     nonosat.load(f"{folder}/several.jsonl#bar2")
        <Nonogram: bar2: 1 row x 2 columns>

    Args:
        path: A file, "FILE#ID" for one of several, or "bundled:ID".
        format: Name of the format; None to detect it.
        time_limit_s: Wall seconds for reading it.
        memory_limit_mib: Resident memory of this process.

    Raises:
        FormatError: As `load_all`, or the file holds many; the message lists their ids.
        LimitReached: A limit ended the reading.
        UnsupportedError: There is no such format.
    """
    limits = Limits(time_limit_s, memory_limit_mib)
    items = iter_sources([path], format, limits=limits)
    puzzles = sound((item for _, item in items), MOST_COUNTED)
    if len(puzzles) > 1:
        raise FormatError(
            f"{number_of(puzzles)}, expected one: {_some(puzzles)}; choose one as "
            f"'{path_text(path)}#{printable(puzzles[0].about.id)}', or take all "
            "with load_all",
            path=str(path),
        )
    return puzzles[0]
