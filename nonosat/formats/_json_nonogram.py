"""A nonogram as a JSON object; `formats.jsonl` documents its content."""

from __future__ import annotations

import re
from typing import Any

from nonosat.core.errors import counted
from nonosat.core.grid import UNKNOWN, Grid
from nonosat.core.limits import polled
from nonosat.core.model import Block, Clue
from nonosat.formats._clues_words import is_strong, side_of
from nonosat.formats._colours import rgb
from nonosat.formats._json import about_data, about_of, missing, show
from nonosat.formats._text import MAX_DIGITS, build, clean, fail, listed, shorten, sized
from nonosat.puzzles.nonogram.data import BLACK, WHITE, Colour, Nonogram

_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_CELLS = bytes(_DIGITS.find(chr(code)) % 256 for code in range(256))  # no digit: 255


KEYS = frozenset(
    ("rows", "columns", "width", "height", "colors", "background", "given", "goal", "saved")
)
_NO_SIDES = KEYS | {"id", "title", "author", "source", "license", "family"}  # no name of a side
OTHER_NAMES = {"name": "title", "solution": "goal", "palette": "colors"}


def renamed(value: dict[str, Any], line: int) -> dict[str, Any]:
    """Return the object with the lists of clues under the keys `rows` and `columns`.

    Words of headings are accepted as keys: "cols", "rowClues", "hor", "spalten". A weak word such
    as "left" is ignored if another key names the same side.

    Raises:
        FormatError: Two keys name one side.
    """
    if value.keys() <= _NO_SIDES:
        return value
    found: dict[str, Any] = {}
    first: dict[str, str] = {}
    names = {key: _side(key, item) for key, item in value.items()}
    strong = {side for key, side in names.items() if is_strong(_words(key))}
    for key, item in value.items():
        side = names[key]
        name = side if side and (side not in strong or is_strong(_words(key))) else key
        if (other := first.setdefault(name, key)) != key:
            fail(
                f"the keys {shorten(other)} and {shorten(key)} mean the same, expected one of them",
                line,
            )
        found[name] = item
    return found


def _side(key: str, item: object) -> str:
    """Return the side whose clues a key names, "" for any other key."""
    return side_of(_words(key)) if isinstance(item, list) else ""


def _words(key: str) -> list[str]:
    """Return the words of a key, such as ["row", "clues"], to be classified like a heading."""
    return re.findall(r"\w+", key)


def nonogram_of(value: dict[str, Any], line: int) -> Nonogram:
    """Return the puzzle of an object; raise FormatError, which names `line`, if it is invalid."""
    if "rows" not in value or "columns" not in value:
        fail(missing(value, ("rows", "columns")), line)
    colours = _colours(value.get("colors"), line)
    keys = {colour.key: index for index, colour in enumerate(colours or (), 1)}
    rows, columns = _clues(value, "rows", keys, line), _clues(value, "columns", keys, line)
    sized(len(rows), len(columns), line)
    for name, count in (("height", len(rows)), ("width", len(columns))):
        size = value.get(name, count)
        if type(size) is not int or size != count:
            fail(f"{counted(count, 'clue')}, but the {name} is {show(size)}", line)
    return build(
        line,
        rows=rows,
        columns=columns,
        colours=colours or (BLACK,),
        background=_background(value.get("background"), line),
        given=_given(value.get("given"), keys, line),
        goal=_goal(value.get("goal"), len(rows), len(columns), line),
        about=about_of(value, line),
        saved=_saved(value.get("saved"), len(rows), len(columns), line),
    )


def is_open(value: dict[str, Any]) -> bool:
    """Return True if a clue of an object leaves lengths or blocks open, so that it is no nonogram.

    It has an object or "*" among its blocks, or is a text with "*", "?", "+", or a choice as "3/5".
    """
    clues = (clue for name in ("rows", "columns") for clue in _listed(value.get(name)))
    return any(
        re.search(r"[*?+]|\d[-/]\d", clue) is not None
        if isinstance(clue, str)
        else any(isinstance(block, dict) or block == "*" for block in _listed(clue))
        for clue in polled(clues)
    )


def _listed(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _rgb(text: object, what: str, line: int) -> str:
    found = rgb(text) if isinstance(text, str) else None
    return found or fail(f"{what} is {show(text)}, expected '#rrggbb'", line)


def _background(value: object, line: int) -> Colour:
    return WHITE if value is None else Colour(WHITE.key, _rgb(value, "the background", line))


def _colours(value: object, line: int) -> tuple[Colour, ...] | None:
    if value is None:
        return None
    if not isinstance(value, dict) or not value:
        fail(f"colors is {show(value)}, expected an object of keys and '#rrggbb'", line)
    found = []
    for key, text in value.items():
        if not key or clean(key) != key:
            fail(f"the colour key {shorten(key)}, expected printable characters", line)
        found.append(Colour(key, _rgb(text, f"the colour {shorten(key)}", line)))
    return tuple(found)


class _BlockCache(dict[int, Block]):
    """Blocks of the first colour by length; those of usual lengths are shared by all puzzles.

    A large board is read 6 times as fast, and many puzzles are smaller to send to other processes.
    """

    def __missing__(self, length: int) -> Block:
        if not 0 < length < 10**MAX_DIGITS:
            raise KeyError(length)
        block = Block(length)
        return self.setdefault(length, block) if length <= _USUAL else block


_USUAL = 1000
_plain = _BlockCache()


def _clues(value: dict[str, Any], name: str, keys: dict[str, int], line: int) -> tuple[Clue, ...]:
    clues = value.get(name)
    if isinstance(clues, tuple):  # native reader
        return clues
    if not isinstance(clues, list):
        fail(f"{name} is {show(clues)}, expected a list of clues", line)
    is_plain = len(keys) < 2
    found = []
    for index, clue in enumerate(polled(clues)):
        if not isinstance(clue, list):
            found.append(_text_clue(clue, keys, f"{name}[{index}]", line))
            continue
        if is_plain and set(map(type, clue)) <= {int}:
            try:
                found.append(tuple(map(_plain.__getitem__, clue)))
                continue
            except KeyError:
                pass  # the slow reader reports the error
        if clue == [0] and type(clue[0]) is int:  # the empty clue of many programs
            clue = []
        found.append(tuple(_block(block, keys, f"{name}[{index}]", line) for block in polled(clue)))
    return tuple(found)


def _text_clue(text: object, keys: dict[str, int], where: str, line: int) -> Clue:
    """Return the clue of a text such as "2 1" or "2,1"; "" and "0" are empty."""
    words = re.findall(r"[^\s,]+", text) if isinstance(text, str) else None
    if words is None or not all(re.fullmatch("[0-9]{1,20}", word) for word in words):
        fail(f"{where} is {show(text)}, expected a list of blocks, or text such as '2 1'", line)
    if len(keys) > 1 and words not in ([], ["0"]):
        fail(f"{where} is {show(text)}, expected a list of blocks [length, key]", line)
    lengths = [] if words == ["0"] else map(int, words)
    return tuple(_block(length, {}, where, line) for length in polled(lengths))


def _block(block: object, keys: dict[str, int], where: str, line: int) -> Block:
    length, colour = block, 1
    if isinstance(block, list):
        if len(block) != 2 or not isinstance(block[1], str):
            fail(f"{where} has the block {show(block)}, expected [length, key]", line)
        length, key = block
        if key not in keys:
            known = listed(keys)
            fail(f"{where} uses the undefined colour {shorten(key)}; defined: {known}", line)
        colour = keys[key]
    elif len(keys) > 1:
        fail(f"{where} has a block {show(block)} without a colour", line)
    if length is not None and (type(length) is not int or not 0 < length < 10**MAX_DIGITS):
        fail(
            f"{where} has a block of length {show(length)}, expected a whole number above "
            f"0 of at most {MAX_DIGITS} digits, or null; an empty line is []",
            line,
        )
    return Block(length, colour)


def _given(value: object, keys: dict[str, int], line: int) -> tuple[tuple[int, int, int], ...]:
    if value is None:
        return ()
    if not isinstance(value, list):
        fail(f"given is {show(value)}, expected a list of [row, column, key]", line)
    return tuple(_cell(cell, keys, line) for cell in polled(value))


def _cell(cell: object, keys: dict[str, int], line: int) -> tuple[int, int, int]:
    if isinstance(cell, list) and len(cell) == 3:
        row, column, what = cell
        colour = keys.get(what, -1) if isinstance(what, str) else what
        known = isinstance(what, str) or what in ((0,) if keys else (0, 1))
        if known and colour != -1 and type(row) is type(column) is type(colour) is int:
            return row, column, colour
    last = "a colour key or 0 for empty" if keys else "1 for filled or 0 for empty"
    return fail(f"the given cell {show(cell)}, expected [row, column, {last}]", line)


def _goal(value: object, height: int, width: int, line: int) -> Grid | None:
    return None if value is None else _grid(value, "goal", height, width, line)


def _saved(value: object, height: int, width: int, line: int) -> tuple[Grid, ...]:
    value = [] if value is None else value
    if not isinstance(value, list):
        fail(f"saved is {show(value)}, expected a list of states, each like a goal", line)
    return tuple(_grid(state, "saved state", height, width, line) for state in value)


def _grid(value: object, what: str, height: int, width: int, line: int) -> Grid:
    """Return a picture; some cells of a saved state may be unknown."""
    is_open = what != "goal"
    if not isinstance(value, str | list):
        fail(f"the {what} is {show(value)}, expected a string of one character a cell", line)
    if len(value) != height * width:
        fail(f"the {what} has {counted(len(value), 'cell')}, expected {height} x {width}", line)
    if isinstance(value, str):
        unknown = value.count("?") if is_open else 0
        value = value.encode("latin-1", "replace").translate(_CELLS)
        is_sound = value.count(UNKNOWN) == unknown
    else:
        is_sound = all(
            (type(cell) is int and 0 <= cell < UNKNOWN) or (is_open and cell is None)
            for cell in polled(value)
        )
    if not is_sound:
        more = " or '?' (null in a list) for unknown" if is_open else ""
        problem = "has characters that are no colours, expected 0 (empty), 1, 2, ..."
        fail(f"the {what} {problem}{more}", line)
    if isinstance(value, list):
        value = [UNKNOWN if cell is None else cell for cell in value]
    return Grid(height, width, bytes(value))


def _cells(grid: Grid, num_colours: int) -> str | list[int | None]:
    if num_colours < len(_DIGITS):
        return "".join(grid.lines(_DIGITS))
    return [None if cell == UNKNOWN else cell for cell in grid.cells]


def nonogram_data(puzzle: Nonogram) -> dict[str, Any]:
    """Return the JSON data of a puzzle."""
    inked = puzzle.colours != (BLACK,)
    keys = [0, *(colour.key for colour in puzzle.colours)] if inked else [0, 1]
    about = about_data(puzzle.about)
    found: dict[str, Any] = {name: about[name] for name in ("id", "title") if name in about}
    found |= {"width": puzzle.width, "height": puzzle.height}
    for name, clues in (("rows", puzzle.rows), ("columns", puzzle.columns)):
        found[name] = [
            [[length, keys[colour]] if inked else length for length, colour in clue]
            for clue in polled(clues)
        ]
    if inked:
        found["colors"] = {colour.key: colour.rgb for colour in puzzle.colours}
    if puzzle.background.rgb != WHITE.rgb:
        found["background"] = puzzle.background.rgb
    if puzzle.given:
        found["given"] = [
            [row, column, keys[colour]] for row, column, colour in polled(puzzle.given)
        ]
    if puzzle.goal is not None:
        found["goal"] = _cells(puzzle.goal, len(puzzle.colours))
    if puzzle.saved:
        found["saved"] = [_cells(state, len(puzzle.colours)) for state in puzzle.saved]
    return found | about
