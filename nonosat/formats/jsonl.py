"""The project's own JSON: one object per puzzle, an object per line (JSON Lines) or a JSON list.

    {"id": "toy", "width": 4, "height": 3, "rows": [[2, 1], [], [2]],
     "columns": [[1], [1, 1], [1], [1]], "goal": "110100000110"}

A clue is a list of block lengths, `null` for an unknown one; `[0]` for an empty clue and text such
as `"2 1"` or `"2,1"` are accepted, too, for many programs write that. In colour a block is
[length, key] and `colors` maps each key to `#rrggbb`; the order of the keys is the order of the
colours. `background` is the colour of an empty cell. `given` lists [row, column, key] (1 for filled
in a puzzle of one unnamed colour, 0 for empty). `goal` is row-major, a character per cell: 0 for
empty, then the colours as 1-9, a-z, A-Z; with more than 61 colours it is a list of numbers. `saved`
is a list of such pictures with `?` (`null`) for unknown. Only clues are required.

`cols`, `rowClues`, `col_clues` and the like (and `...Hints`) are read as `rows` and `columns`. No
key may occur twice; one that is similar to a known one is refused; other unknown keys are ignored
with a warning, once per file (`formats._keys`).

A block may also be an object, `{"in": [3, 5]}` or `{"min": 2, "max": 4}` (one of them may be
missing), with "color" if there are several; `"*"` in the place of a block or of a clue is any
number of blocks; and a text may have `3/5`, `2-4`, `6+`, `?` and `*`. With such a clue the puzzle
is of the family ranges (`puzzles/ranges/data.py`).

Puzzles of other families name theirs, `{"family": "queens", "n": 8}`; the family defines their
other keys (`from_data`, and `keys` if unknown ones give a warning).

Invariant: all of a puzzle is written and read again (the background's key excepted), a bad
puzzle does not hide the others. Time is linear in the text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, NoReturn

from nonosat import _core
from nonosat.core import plugins
from nonosat.core.errors import FormatError, PuzzleError, UnsupportedError
from nonosat.core.families import family_of, name_of
from nonosat.core.limits import checkpoint
from nonosat.core.model import Block, Clue
from nonosat.core.plugins import Format, FormatCapabilities, Puzzle
from nonosat.formats._hold import require
from nonosat.formats._json import COMMON, Unknown, about_data, about_of, show
from nonosat.formats._json_nonogram import (
    KEYS,
    OTHER_NAMES,
    is_open,
    nonogram_data,
    nonogram_of,
    renamed,
)
from nonosat.formats._text import (
    Remark,
    decode,
    each_line,
    fail,
    of_file,
    position,
    shorten,
    sound,
)
from nonosat.puzzles.nonogram.data import Nonogram

CAPABILITIES = FormatCapabilities(family=None, unknown=True, given=True, many=True)

_SPACE = " \t\n\r"
_LONG = 1_000_000  # characters of a value that take a tenth of a second
_NONOGRAM = KEYS | COMMON
_LARGE = 100_000  # characters of a text whose clues are read natively
_MARK = "nonosat: clues "  # placeholder of a list of clues
# Inside a string the quotes would have backslashes: in JSON this can only be a key.
_LISTS = re.compile(rb'"(?:rows|columns)"[ \t\n\r]*:[ \t\n\r]*(?=\[)')
_COLOURS = re.compile(r'"colors"[ \t\n\r]*:[ \t\n\r]*(?=\{)')


def sniff(data: bytes) -> bool:
    """Return True if the text begins like a JSON object, or a list of objects."""
    start = data[:4096].removeprefix(b"\xef\xbb\xbf").split()
    head = b"".join(start[:2])[:2]
    return head in (b'{"', b"{}", b"[{", b"[]")


def _constant(name: str) -> NoReturn:
    raise ValueError(f"the number {name}, expected whole numbers only")


class _DuplicateKeyError(ValueError):
    """A key that an object has twice."""


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        last = {key: at for at, (key, _) in enumerate(pairs)}
        raise _DuplicateKeyError(next(key for at, (key, _) in enumerate(pairs) if last[key] != at))
    return found


def _number(text: str) -> int:
    """Read a number in Python, so that limits and Ctrl-C may end a list of millions of them."""
    checkpoint()
    return int(text)


_decoder = json.JSONDecoder(parse_constant=_constant, object_pairs_hook=_object)
_patient = json.JSONDecoder(parse_constant=_constant, object_pairs_hook=_object, parse_int=_number)


def _value(
    text: str, start: int, first_line: int, decoder: json.JSONDecoder = _decoder
) -> tuple[Any, int]:
    """Return the JSON value that begins at `start`, and its end."""
    place = start
    try:
        return decoder.raw_decode(text, start)
    except json.JSONDecodeError as error:
        place, problem = error.pos, f"this is not JSON: {error.msg[:1].lower()}{error.msg[1:]}"
    except _DuplicateKeyError as error:
        key = error.args[0]
        written = re.finditer(re.escape(json.dumps(key)) + r"[ \t\n\r]*:", text[start:])
        place = start + next((found.start() for found in islice(written, 1, None)), 0)
        problem = f"the key {shorten(key)} again, expected each key once"
    except RecursionError:
        problem = "lists or objects inside each other too deep, expected at most five levels"
    except ValueError as error:  # Python's limit on the digits of an integer, or NaN
        problem = f"a number that cannot be read ({error})"
    line, column = position(text, place)
    return fail(problem, first_line - 1 + line, column)


def _skip(text: str, place: int) -> int:
    while place < len(text) and text[place] in _SPACE:
        place += 1
    return place


def _values(text: str) -> Iterator[tuple[Any, int] | FormatError]:
    """Yield the objects of a file and their lines, or the error of one that cannot be read."""
    start = _skip(text, 0)
    lines = text.strip(_SPACE).split("\n", 2)[:2]
    if text[start : start + 1] == "[":
        yield from _listed(text, start)
    elif len(lines) > 1 and _are_objects(lines):
        yield from _by_line(text)
    else:
        yield from _catch(text, 1)


# A large nonogram: its lists of clues are read natively, without a list in Python for each line.
# The value is that of Python's reader of JSON, with tuples of blocks instead of lists. A board
# of 4 million columns is read in a quarter of the time and memory.


def _large(text: str, decoder: json.JSONDecoder) -> dict[str, Any] | None:
    """Return the object of a large text, read fast: `rows` and `columns` may be clues already.

    Args:
        text: The text.
        decoder: Reads everything except lists of clues.

    Returns:
        The object; None for small texts, other families, and if anything is wrong or unusual.
    """
    if len(text) < _LARGE or _MARK in text:
        return None
    try:
        found = _COLOURS.search(text)
        colours = decoder.raw_decode(text, found.end())[0] if found else {}
        rest, every = _lifted(text, list(colours))
        rest = rest.strip(_SPACE)
        value, end = decoder.raw_decode(rest) if every else (None, 0)
    except (ValueError, RecursionError):  # the slow reader reports the error and its position
        return None
    if end < len(rest) or not isinstance(value, dict):
        return None
    if value.get("family", "nonogram") != "nonogram":
        return None
    stated = value.get("colors")
    if list(stated if isinstance(stated, dict) else ()) != list(colours):  # key of another object
        return None
    marks = {f"{_MARK}{number}": clues for number, clues in enumerate(every)}
    for key in ("rows", "columns"):
        stated = value.get(key)
        if isinstance(stated, str) and stated in marks:
            value[key] = marks.pop(stated)
    return None if marks else value


def _lifted(text: str, keys: list[str]) -> tuple[str, list[tuple[Clue, ...]]]:
    """Return the text with lists of clues replaced by marks, and the lists.

    `keys` are the keys of the colours.
    """
    if any("\ud800" <= sign <= "\udfff" for key in keys for sign in key):
        return text, []  # surrogates are no Unicode, and refused
    every: list[tuple[Clue, ...]] = []
    rest = _without(text.encode(), keys, every)  # free them before another copy is made
    return rest.decode(), every


def _without(data: bytes, keys: list[str], every: list[tuple[Clue, ...]]) -> bytes:
    """Return the text with lists of clues replaced by marks; the lists are added to `every`."""
    all_of = memoryview(data)
    kept: list[bytes | memoryview] = []
    place = 0
    for found in _LISTS.finditer(data):
        if (taken := _core.json_clues(data, found.end(), Block, keys)) is not None:
            kept += (all_of[place : found.end()], json.dumps(f"{_MARK}{len(every)}").encode())
            every.append(taken[0])
            place = taken[1]
    kept.append(all_of[place:])
    return b"".join(kept)


def by_line(head: bytes) -> bool:
    """Return True if a file that begins with these lines has an object per line."""
    text = decode(head).strip(_SPACE)
    return text[:1] != "[" and _are_objects(text.split("\n", 2)[:2])


def _are_objects(lines: Sequence[str]) -> bool:
    """Return True if each of one or two lines is an object by itself, valid or not."""
    return (len(lines) > 1 and lines[1].lstrip()[:1] == "{") or _complete(lines[0])


def _complete(line: str) -> bool:
    try:
        _value(line, 0, 1)
    except FormatError:
        return False
    return True


def _catch(text: str, first_line: int) -> Iterator[tuple[Any, int] | FormatError]:
    """Yield the only JSON value of `text` with its line, or the error in it."""
    start = _skip(text, 0)
    decoder = _patient if len(text) > _LONG else _decoder
    try:
        if (value := _large(text, decoder)) is not None:
            yield value, first_line - 1 + position(text, start)[0]
            return
        value, end = _value(text, start, first_line, decoder)
        end = _skip(text, end)
        if end < len(text):
            line, column = position(text, end)
            garbage = shorten(text[end : end + 60])
            fail(f"{garbage} after the puzzle, expected nothing", first_line - 1 + line, column)
    except FormatError as error:
        yield error
    else:
        yield value, first_line - 1 + position(text, start)[0]


def _by_line(text: str) -> Iterator[tuple[Any, int] | FormatError]:
    for number, line in enumerate(each_line(text), 1):
        if line.strip(_SPACE):
            yield from _catch(line, number)


def _listed(text: str, start: int) -> Iterator[tuple[Any, int] | FormatError]:
    """Yield (value, line) for each member of a list; at a syntax error, yield the error and end."""
    place, line, counted = _skip(text, start + 1), 1, 0
    try:
        while text[place : place + 1] != "]" or text[counted : counted + 1] == ",":
            line += text.count("\n", counted, place)
            counted = place
            value, place = _value(text, place, 1)
            yield value, line
            place = _skip(text, place)
            line += text.count("\n", counted, place)
            counted = place
            if text[place : place + 1] == ",":
                place = _skip(text, place + 1)
            elif text[place : place + 1] != "]":
                found = shorten(text[place : place + 60]) if place < len(text) else "the end"
                fail(f"{found} after a puzzle, expected ',' or ']'", *position(text, place))
        end = _skip(text, place + 1)
        if end < len(text):
            garbage = shorten(text[end : end + 60])
            fail(f"{garbage} after the list, expected nothing", *position(text, end))
    except FormatError as error:
        yield error


def each(data: bytes) -> Iterator[Puzzle | FormatError | Remark]:
    """Yield the puzzles one by one, a bad one as its error, and remarks on them."""
    unknown = Unknown(OTHER_NAMES)
    for found in _values(decode(data)):
        if isinstance(found, FormatError):
            yield found
            continue
        item: Puzzle | FormatError
        try:
            item = _puzzle(*found, unknown)
        except FormatError as error:
            item = error
        if unknown.remarks:
            yield from unknown.remarks
            unknown.remarks.clear()
        yield item


def read(data: bytes) -> list[Puzzle]:
    """Return every puzzle in the file; raise FormatError for the first invalid one."""
    return sound(each(data))


def _puzzle(value: object, line: int, unknown: Unknown) -> Puzzle:
    if not isinstance(value, dict):
        fail(f"{show(value)}, expected an object with 'rows' and 'columns'", line)
    family = value.get("family", "nonogram")
    if family == "nonogram":
        if not value.keys() <= _NONOGRAM:
            value = renamed(value, line)
            unknown.check_keys(value, _NONOGRAM, line)
        try:
            return nonogram_of(value, line)
        except FormatError:
            if not is_open(value):
                raise
        family = "ranges"
    if not isinstance(family, str) or not plugins.is_there("puzzles", family):
        known = ", ".join(sorted(plugins.names("puzzles")))
        fail(f"the family {show(family)}, expected one of {known}", line)
    return _other(value, family, line, unknown)


def _other(value: dict[str, Any], name: str, line: int, unknown: Unknown) -> Puzzle:
    """Return the puzzle of a family other than nonograms."""
    about = about_data(about_of(value, line))
    family = plugins.find("puzzles", name)
    if family.from_data is None:
        fail(f"the family {show(name)} is not read from JSON: it has no `from_data`", line)
    if family.keys is not None:
        unknown.check_keys(value, family.keys | COMMON, line)
    try:
        puzzle: Puzzle = family.from_data(value).about_with(**about)
        return puzzle
    except PuzzleError as error:
        raise of_file(error, line) from error


def write(puzzles: Sequence[Puzzle]) -> bytes:
    """Return one object per line."""
    require("jsonl", CAPABILITIES, puzzles)
    return b"".join(_dump(puzzle) + b"\n" for puzzle in puzzles)


def write_list(puzzles: Sequence[Puzzle]) -> bytes:
    """Return one object, or a list of them with one per line."""
    if len(puzzles) == 1:
        return write(puzzles)
    require("json", CAPABILITIES, puzzles)
    return b"[\n" + b",\n".join(map(_dump, puzzles)) + b"\n]\n"


def data_of(puzzle: Puzzle) -> dict[str, Any]:
    """Return the JSON data of a puzzle."""
    if isinstance(puzzle, Nonogram):
        return nonogram_data(puzzle)
    what = family_of(puzzle).to_data(puzzle)
    return {"family": name_of(puzzle)} | about_data(puzzle.about) | what


def puzzle_of(data: object) -> Puzzle:
    """Return the puzzle for JSON data; raise FormatError, without a line, if it is invalid."""
    try:
        return _puzzle(data, 1, Unknown(OTHER_NAMES))  # remarks are discarded
    except FormatError as error:
        error.line = None
        raise


def _dump(puzzle: Puzzle) -> bytes:
    try:
        return json.dumps(data_of(puzzle), ensure_ascii=False, separators=(",", ":")).encode()
    except UnicodeEncodeError as error:
        raise UnsupportedError(f"{puzzle} has text that is not Unicode ({error})") from error


PLUGINS = {
    "jsonl": Format(
        summary='the project\'s own JSON Lines: everything; reads clues [0] and "2 1", too',
        suffixes=(".jsonl",),
        holds=CAPABILITIES,
        sniff=sniff,
        read=each,
        write=write,
        by_line=by_line,
    ),
    "json": Format(
        summary="the same as one JSON value, an object or a list of them",
        suffixes=(".json",),
        holds=CAPABILITIES,
        sniff=sniff,
        read=each,
        write=write_list,
    ),
}
