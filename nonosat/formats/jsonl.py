"""The project's own JSON: one puzzle an object, an object a line (JSON Lines) or a JSON list.

    {"id": "toy", "width": 4, "height": 3, "rows": [[2, 1], [], [2]],
     "columns": [[1], [1, 1], [1], [1]], "goal": "110100000110"}

A clue is a list of block lengths, `null` for an unknown one. In colour a block is [length, key]
and `colors` maps each key to `#rrggbb`; the order of the keys is the order of the colours.
`background` is the colour of an empty cell. `given` lists [row, column, key] (1 for filled in a
puzzle of one unnamed colour, 0 for empty). `goal` is row-major, a character a cell: 0 for empty,
then the colours as 1-9, a-z, A-Z; with more than 61 colours it is a list of numbers. `saved` is a
list of those with `?` (`null`) for unknown. All but clues may be missing; unknown keys are ignored.

Invariant: all that a puzzle has is written and read again (the background's key excepted), a bad
puzzle does not hide the others. Time is linear in the text.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import fields
from typing import Any, NoReturn

from nonosat.errors import FormatError, UnsupportedError
from nonosat.formats._hold import Holds, require
from nonosat.formats._text import (
    MAX_DIGITS,
    build,
    clean,
    decode,
    each_line,
    fail,
    listed,
    position,
    shorten,
    sized,
    sound,
)
from nonosat.grid import UNKNOWN, Grid
from nonosat.model import Block, Clue
from nonosat.puzzles.nonogram.data import BLACK, WHITE, About, Colour, Nonogram

SUMMARY = "the project's own JSON and JSON Lines: everything, any number of puzzles"
NAMES = ("jsonl", "json")
SUFFIXES = (".jsonl", ".json")
HOLDS_MANY = True
HOLDS = Holds(unknown=True, given=True)

_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_CELLS = bytes(_DIGITS.find(chr(code)) % 256 for code in range(256))  # no digit: 255
_ABOUT = tuple(field.name for field in fields(About))
_SPACE = " \t\n\r"


def sniff(data: bytes) -> bool:
    """An object, or a list of objects."""
    start = data[:4096].removeprefix(b"\xef\xbb\xbf").split()
    head = b"".join(start[:2])[:2]
    return head in (b'{"', b"{}", b"[{", b"[]")


def _constant(name: str) -> NoReturn:
    raise ValueError(f"the number {name}, expected whole numbers only")


_decoder = json.JSONDecoder(parse_constant=_constant)


def _value(text: str, start: int, first_line: int) -> tuple[Any, int]:
    """The JSON value that begins at `start`, and where it ends."""
    place = start
    try:
        return _decoder.raw_decode(text, start)
    except json.JSONDecodeError as error:
        place, problem = error.pos, f"this is no JSON: {error.msg[:1].lower()}{error.msg[1:]}"
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
    """The objects of a file and their lines, or why one cannot be read."""
    start = _skip(text, 0)
    lines = text.strip(_SPACE).split("\n", 2)[:2]
    if text[start : start + 1] == "[":
        yield from _listed(text, start)
    elif len(lines) > 1 and (lines[1].lstrip()[:1] == "{" or _complete(lines[0])):
        yield from _by_line(text)
    else:
        yield from _catch(text, 1)


def _complete(line: str) -> bool:
    try:
        _value(line, 0, 1)
    except FormatError:
        return False
    return True


def _catch(text: str, first_line: int) -> Iterator[tuple[Any, int] | FormatError]:
    """The one value of `text`."""
    start = _skip(text, 0)
    try:
        value, end = _value(text, start, first_line)
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
    """The members of a list one by one, so that each has its line."""
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


def each(data: bytes) -> Iterator[Nonogram | FormatError]:
    """The puzzles one by one; a bad one as its error."""
    for found in _values(decode(data)):
        if isinstance(found, FormatError):
            yield found
            continue
        try:
            yield _puzzle(*found)
        except FormatError as error:
            yield error


def read_as(data: bytes, name: str) -> list[Nonogram]:
    """Both names read both spellings."""
    return read(data)


def read(data: bytes) -> list[Nonogram]:
    """Every puzzle in the file. Raises FormatError for the first bad one."""
    return sound(each(data))


def _show(value: Any) -> str:
    """A JSON value as a message quotes it, however large or deep it is."""
    nested = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    if len(nested) > 3 or any(isinstance(part, list | dict) for part in nested):
        return "a list" if isinstance(value, list) else "an object"
    return shorten(value) if isinstance(value, str) else shorten(json.dumps(value))[1:-1]


def _puzzle(value: Any, line: int) -> Nonogram:
    if not isinstance(value, dict):
        fail(f"{_show(value)}, expected an object with 'rows' and 'columns'", line)
    family = value.get("family", "nonogram")
    if family != "nonogram":
        fail(f"the family {_show(family)}, expected 'nonogram'", line)
    colours = _colours(value.get("colors"), line)
    keys = {colour.key: index for index, colour in enumerate(colours or (), 1)}
    rows, columns = _clues(value, "rows", keys, line), _clues(value, "columns", keys, line)
    sized(len(rows), len(columns), line)
    for name, count in (("height", len(rows)), ("width", len(columns))):
        size = value.get(name, count)
        if type(size) is not int or size != count:
            fail(f"{count} clues, but the {name} is {_show(size)}", line)
    about = {name: _string(value, name, line) for name in _ABOUT}
    return build(
        line,
        rows=rows,
        columns=columns,
        colours=colours or (BLACK,),
        background=_background(value.get("background"), line),
        given=_given(value.get("given"), keys, line),
        goal=_goal(value.get("goal"), len(rows), len(columns), line),
        about=About(**about),
        saved=_saved(value.get("saved"), len(rows), len(columns), line),
    )


def _string(value: dict[str, Any], name: str, line: int) -> str:
    text = value.get(name)
    if text is None:
        return ""
    if isinstance(text, int) and not isinstance(text, bool):
        text = str(text)
    if not isinstance(text, str):
        fail(f"{name} is {_show(text)}, expected a string", line)
    return clean(text)


def _rgb(text: Any, what: str, line: int) -> str:
    from nonosat.formats._colours import rgb

    found = rgb(text) if isinstance(text, str) else None
    return found or fail(f"{what} is {_show(text)}, expected '#rrggbb'", line)


def _background(value: Any, line: int) -> Colour:
    return WHITE if value is None else Colour(WHITE.key, _rgb(value, "the background", line))


def _colours(value: Any, line: int) -> tuple[Colour, ...] | None:
    if value is None:
        return None
    if not isinstance(value, dict) or not value:
        fail(f"colors is {_show(value)}, expected an object of keys and '#rrggbb'", line)
    found = []
    for key, text in value.items():
        if not key or clean(key) != key:
            fail(f"the colour key {shorten(key)}, expected printable characters", line)
        found.append(Colour(key, _rgb(text, f"the colour {shorten(key)}", line)))
    return tuple(found)


class _Plain(dict[int, Block]):
    """Blocks of the one colour by length, each made once: reads a large board 6 times faster."""

    def __missing__(self, length: int) -> Block:
        if not 0 < length < 10**MAX_DIGITS:
            raise KeyError(length)
        return self.setdefault(length, Block(length))


def _clues(value: dict[str, Any], name: str, keys: dict[str, int], line: int) -> tuple[Clue, ...]:
    clues = value.get(name)
    if not isinstance(clues, list):
        fail(f"{name} is {_show(clues)}, expected a list of clues", line)
    plain = _Plain() if len(keys) < 2 else None
    found = []
    for index, clue in enumerate(clues):
        if not isinstance(clue, list):
            fail(f"{name}[{index}] is {_show(clue)}, expected a list of blocks", line)
        if plain is not None and set(map(type, clue)) <= {int}:
            try:
                found.append(tuple(map(plain.__getitem__, clue)))
                continue
            except KeyError:
                pass  # the slow way says what is wrong
        found.append(tuple(_block(block, keys, f"{name}[{index}]", line) for block in clue))
    return tuple(found)


def _block(block: Any, keys: dict[str, int], where: str, line: int) -> Block:
    length, colour = block, 1
    if isinstance(block, list):
        if len(block) != 2 or not isinstance(block[1], str):
            fail(f"{where} has the block {_show(block)}, expected [length, key]", line)
        length, key = block
        if key not in keys:
            known = listed(keys)
            fail(f"{where} uses the undefined colour {shorten(key)}; defined: {known}", line)
        colour = keys[key]
    elif len(keys) > 1:
        fail(f"{where} has a block {_show(block)} without a colour", line)
    if length is not None and (type(length) is not int or not 0 < length < 10**MAX_DIGITS):
        fail(
            f"{where} has a block of length {_show(length)}, expected a whole number above "
            f"0 of at most {MAX_DIGITS} digits, or null; an empty line is []",
            line,
        )
    return Block(length, colour)


def _given(value: Any, keys: dict[str, int], line: int) -> tuple[tuple[int, int, int], ...]:
    if value is None:
        return ()
    if not isinstance(value, list):
        fail(f"given is {_show(value)}, expected a list of [row, column, key]", line)
    return tuple(_cell(cell, keys, line) for cell in value)


def _cell(cell: Any, keys: dict[str, int], line: int) -> tuple[int, int, int]:
    if isinstance(cell, list) and len(cell) == 3:
        row, column, what = cell
        colour = keys.get(what, -1) if isinstance(what, str) else what
        known = isinstance(what, str) or what in ((0,) if keys else (0, 1))
        if known and colour != -1 and type(row) is type(column) is type(colour) is int:
            return row, column, colour
    last = "a colour key or 0 for empty" if keys else "1 for filled or 0 for empty"
    return fail(f"the given cell {_show(cell)}, expected [row, column, {last}]", line)


def _goal(value: Any, height: int, width: int, line: int) -> Grid | None:
    return None if value is None else _grid(value, "goal", height, width, line)


def _saved(value: Any, height: int, width: int, line: int) -> tuple[Grid, ...]:
    value = [] if value is None else value
    if not isinstance(value, list):
        fail(f"saved is {_show(value)}, expected a list of states, each like a goal", line)
    return tuple(_grid(state, "saved state", height, width, line) for state in value)


def _grid(value: Any, what: str, height: int, width: int, line: int) -> Grid:
    """A picture; some cells of a saved state may be unknown."""
    is_open = what != "goal"
    if not isinstance(value, str | list):
        fail(f"the {what} is {_show(value)}, expected a string of one character a cell", line)
    if len(value) != height * width:
        fail(f"the {what} has {len(value)} cells, expected {height} x {width}", line)
    if isinstance(value, str):
        unknown = value.count("?") if is_open else 0
        value = value.encode("latin-1", "replace").translate(_CELLS)
        is_sound = value.count(UNKNOWN) == unknown
    else:
        is_sound = all(
            (type(cell) is int and 0 <= cell < UNKNOWN) or (is_open and cell is None)
            for cell in value
        )
    if not is_sound:
        more = " or '?' (null in a list) for unknown" if is_open else ""
        problem = "has characters that are no colours, expected 0 (empty), 1, 2, ..."
        fail(f"the {what} {problem}{more}", line)
    if isinstance(value, list):
        value = [UNKNOWN if cell is None else cell for cell in value]
    return Grid(height, width, bytes(value))


def write(puzzles: Sequence[Nonogram]) -> bytes:
    """One object a line."""
    require("jsonl", HOLDS, puzzles, many=True)
    return b"".join(_dump(puzzle) + b"\n" for puzzle in puzzles)


def write_as(puzzles: Sequence[Nonogram], name: str) -> bytes:
    """`jsonl`: an object a line; `json`: one object, or a list of them with one a line."""
    if name == "jsonl" or len(puzzles) == 1:
        return write(puzzles)
    require("json", HOLDS, puzzles, many=True)
    return b"[\n" + b",\n".join(map(_dump, puzzles)) + b"\n]\n"


def _cells(grid: Grid, num_colours: int) -> str | list[int | None]:
    if num_colours < len(_DIGITS):
        return "".join(grid.lines(_DIGITS))
    return [None if cell == UNKNOWN else cell for cell in grid.cells]


def _dump(puzzle: Nonogram) -> bytes:
    about = puzzle.about
    inked = puzzle.colours != (BLACK,)
    keys = [0, *(colour.key for colour in puzzle.colours)] if inked else [0, 1]
    found: dict[str, Any] = {"id": about.id, "title": about.title}
    found |= {"width": puzzle.width, "height": puzzle.height}
    for name, clues in (("rows", puzzle.rows), ("columns", puzzle.columns)):
        found[name] = [
            [[length, keys[colour]] if inked else length for length, colour in clue]
            for clue in clues
        ]
    if inked:
        found["colors"] = {colour.key: colour.rgb for colour in puzzle.colours}
    if puzzle.background.rgb != WHITE.rgb:
        found["background"] = puzzle.background.rgb
    if puzzle.given:
        found["given"] = [[row, column, keys[colour]] for row, column, colour in puzzle.given]
    if puzzle.goal is not None:
        found["goal"] = _cells(puzzle.goal, len(puzzle.colours))
    if puzzle.saved:
        found["saved"] = [_cells(state, len(puzzle.colours)) for state in puzzle.saved]
    found |= {name: getattr(about, name) for name in _ABOUT}
    kept = {name: value for name, value in found.items() if value != ""}
    try:
        return json.dumps(kept, ensure_ascii=False, separators=(",", ":")).encode()
    except UnicodeEncodeError as error:
        raise UnsupportedError(f"{puzzle} has text that is not Unicode ({error})") from error
