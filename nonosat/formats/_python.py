"""Puzzles from Python's own values: lists of clues, pictures as text, lists or arrays.

Linear in the clues, or in the cells.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

from nonosat.core.about import About
from nonosat.core.errors import FormatError, NotAPuzzleError, PuzzleError, shown
from nonosat.core.grid import SYMBOLS, Grid
from nonosat.core.limits import polled
from nonosat.core.model import Block, Clue
from nonosat.formats import picture as pictures
from nonosat.formats._colours import ink, rgb
from nonosat.puzzles.nonogram.data import BLACK, WHITE, Colour, Nonogram, from_grid
from nonosat.puzzles.nonogram.grids import EMPTY, check_decided, read_grid, text_rows
from nonosat.puzzles.slitherlink.data import Slitherlink, from_rows

_ABOUT = tuple(field.name for field in fields(About))


def nonogram(
    rows: Iterable[Any],
    columns: Iterable[Any],
    *,
    colours: Mapping[str, str] | None = None,
    background: str | None = None,
    given: Iterable[Any] | Mapping[tuple[int, int], Any] = (),
    goal: object = None,
    **about: str,
) -> Nonogram:
    """Make a nonogram of plain lists of clues.

        >>> puzzle = nonosat.nonogram([[1, 1], [3], 0], [[2], "1", (2,)], title="a cup")
        >>> print(puzzle)
        a cup: 3 rows x 3 columns
        >>> print(nonosat.solve(puzzle).solution)
        #.#
        ###
        ...
        >>> flag = nonosat.nonogram(
        ...     [[(2, "r"), (1, "b")]], [[(1, "r")], [(1, "r")], [(1, "b")]],
        ...     colours={"r": "red", "b": "#0000ff"},
        ... )
        >>> nonosat.is_unique(flag)
        True

    Args:
        rows: A clue per row, top to bottom: the lengths of its blocks, left to right. `[]`, `[0]`,
            `0` and "" are an empty row, `3` is `[3]`, "3 1" is `[3, 1]`, and None as a length is a
            block of unknown length.
        columns: Clues of the columns in the same form, left to right, each from top to bottom.
        colours: The inks, if there are several: "#rrggbb" or an English word by key, a short
            text. A block is then (length, key).
        background: Colour of an empty cell; white by default.
        given: Cells known from the start: {(row, column): value}, or a list of (row, column,
            value). Rows and columns count from 0; a value is 0 for empty, 1 for filled, or a key.
        goal: The intended solution as a picture, as for `from_picture`; never trusted.
        **about: `title`, `author`, `id` and the other fields of `About`.

    Raises:
        PuzzleError: A value is not a clue; the message names the row or column, counted from 1.
        TypeError: There is no such argument.
    """
    inks = (BLACK,) if colours is None else _inks(colours)
    keys = {colour.key: index for index, colour in enumerate(inks, start=1)}
    text = keys if colours is not None else {}
    puzzle = Nonogram(
        rows=_clues(rows, "row", text),
        columns=_clues(columns, "column", text),
        colours=inks,
        background=_background(background),
        given=_given(given, keys),
        about=_about("nonogram", about),
    )
    return puzzle if goal is None else replace(puzzle, goal=_grid(goal, keys))


def from_picture(
    picture: object,
    *,
    colours: Mapping[str, str] | None = None,
    background: str | None = None,
    **about: str,
) -> Nonogram:
    """Make the nonogram whose clues describe a picture, with the picture as its goal.

        >>> puzzle = nonosat.from_picture('''
        ...     .#.
        ...     ###
        ... ''')
        >>> [[block.length for block in clue] for clue in puzzle.rows]
        [[1], [3]]
        >>> puzzle == nonosat.from_picture([[0, 1, 0], [1, 1, 1]])
        True
        >>> import numpy
        >>> puzzle == nonosat.from_picture(numpy.array([[0, 1, 0], [1, 1, 1]]) > 0)
        True

    Args:
        picture: Text, a line per row and a character per cell (".", "_", "-", "0" and blanks are
            empty); a list of such lines; a list of rows of cells, each 0 or False for empty, 1 or
            True, 2, ... for the colours, or a key; an array of two dimensions; or a `Grid`.
        colours: The inks: "#rrggbb" or an English word by key, in the order of their numbers. If
            there are several colours and no inks are named, some are chosen.
        background: Colour of an empty cell; white by default.
        **about: `title`, `author`, `id` and the other fields of `About`.

    Raises:
        PuzzleError: The value is not a picture; the message names the row, counted from 1.
        TypeError: There is no such argument.
    """
    known = _about("from_picture", about)
    if colours is None and (lines := text_rows(picture)) is not None:
        if not lines:
            raise PuzzleError("the picture is empty, expected rows of cells")
        try:
            (found,) = pictures.read("\n".join(lines).encode())
        except FormatError as error:
            raise PuzzleError(
                f"this is not a picture: {error.fact()}", remedy=error.remedy
            ) from error
        return replace(found, about=known, background=_background(background))
    inks = None if colours is None else _inks(colours)
    keys = {colour.key: index for index, colour in enumerate(inks or (), start=1)}
    grid = _grid(picture, keys)
    inks = inks or _chosen(max(grid.cells))
    return from_grid(grid, inks, background=_background(background), about=known)


def slitherlink(rows: str | Iterable[Any], **about: str) -> Slitherlink:
    """Make a Slitherlink of rows of clues.

        >>> puzzle = nonosat.slitherlink(["33", ".."], title="small")
        >>> print(puzzle)
        small: 2 rows x 2 columns
        >>> puzzle == nonosat.slitherlink([[3, 3], [None, None]], title="small")
        True

    Args:
        rows: Text, a line per row; or a list of rows: numbers or digits, and None, "." or "-" for
            blank cells.
        **about: `title`, `author`, `id` and the other fields of `About`.

    Raises:
        PuzzleError: Rows of different lengths, or a value that is not a clue.
        TypeError: There is no such argument.
    """
    return from_rows(text_rows(rows) or rows, _about("slitherlink", about))


def _about(function: str, given: Mapping[str, str]) -> About:
    for name, text in given.items():
        if name not in _ABOUT:
            hint = "; it is spelt 'colours' here" if name == "colors" else ""
            known = ", ".join(_ABOUT)
            raise TypeError(f"{function} takes no {name!r}{hint}; of the puzzle it takes {known}")
        if not isinstance(text, str):
            raise TypeError(f"{name} is {shown(text)}, expected text")
    return About(**given)


# Colours


def _inks(colours: Mapping[str, str]) -> tuple[Colour, ...]:
    if not isinstance(colours, Mapping) or not colours:
        raise PuzzleError(f"colours are {shown(colours)}, expected such as {{'r': '#ff0000'}}")
    return tuple(
        Colour(key, _rgb(text, f"the colour {shown(key)}")) for key, text in colours.items()
    )


def _rgb(text: object, what: str) -> str:
    if isinstance(text, str) and (found := rgb(text)):
        return found
    raise PuzzleError(f"{what} is {shown(text)}, expected '#rrggbb' or a word such as 'red'")


def _background(text: str | None) -> Colour:
    return WHITE if text is None else Colour(WHITE.key, _rgb(text, "the background"))


def _chosen(number: int) -> tuple[Colour, ...]:
    """Return `number` default inks."""
    return (BLACK,) if number < 2 else tuple(map(ink, SYMBOLS[2 : 2 + number]))


# Clues


def _clues(clues: object, kind: str, keys: Mapping[str, int]) -> tuple[Clue, ...]:
    if isinstance(clues, str | bytes | Mapping) or not isinstance(clues, Iterable):
        raise PuzzleError(f"the {kind}s are {shown(clues)}, expected a list of clues, one a {kind}")
    return tuple(
        _clue(clue, f"{kind} {at}", keys) for at, clue in enumerate(polled(clues), start=1)
    )


def _is_number(word: str) -> bool:
    return word.isdecimal() and len(word) < 20  # Python refuses to read thousands of digits


def _clue(clue: object, where: str, keys: Mapping[str, int]) -> Clue:
    if isinstance(clue, str):
        words = clue.replace(",", " ").split()
        if strange := [word for word in words if word != "?" and not _is_number(word)]:
            raise PuzzleError(f"{where} has {shown(strange[0])}, expected lengths as in '3 1'")
        clue = [None if word == "?" else int(word) for word in words]
    elif clue is None:
        raise PuzzleError(
            f"{where} is None; [None] is one block of unknown length, and a clue of unknown blocks "
            "is not supported"
        )
    elif not isinstance(clue, Iterable) or isinstance(clue, Mapping):
        clue = [clue]
    blocks = [*clue]
    if len(blocks) == 1 and _whole(blocks[0]) == 0:
        return ()
    return tuple(_block(block, where, keys) for block in blocks)


def _whole(value: Any) -> int | None:
    """Return a value as a whole number, also one of NumPy's."""
    try:
        return None if isinstance(value, bool | str) else value.__index__()
    except AttributeError:
        return None


def _block(block: Any, where: str, keys: Mapping[str, int]) -> Block:
    length, colour = block, 1
    if isinstance(block, tuple | list):
        length, colour = _pair(block, where, keys)
    elif len(keys) > 1:
        raise PuzzleError(f"{where} has a block {shown(block)} without a colour: (length, key)")
    if length is None:
        return Block(None, colour)
    whole = _whole(length)
    if whole is None or whole < 1:
        raise PuzzleError(f"{where} has a block {shown(length)}, expected a length above 0 or None")
    return Block(whole, colour)


def _pair(block: Sequence[Any], where: str, keys: Mapping[str, int]) -> tuple[Any, int]:
    """Return length and colour of a block; a `Block` has its colour as a number."""
    if len(block) != 2:
        raise PuzzleError(f"{where} has a block {shown(block)}, expected (length, key)")
    length, key = block
    if isinstance(block, Block):
        return length, block.colour
    if key not in keys:
        known = ", ".join(map(repr, keys)) or "no colours are named"
        raise PuzzleError(f"{where} has a block of colour {shown(key)}, expected one of: {known}")
    return length, keys[key]


def _given(given: object, keys: Mapping[str, int]) -> tuple[tuple[int, int, int], ...]:
    cells = given
    if isinstance(given, Mapping):
        cells = [(*_place(place), value) for place, value in given.items()]
    if isinstance(cells, str | bytes) or not isinstance(cells, Iterable):
        raise PuzzleError(f"given is {shown(given)}, expected a list of (row, column, value)")
    return tuple(_known(cell, keys) for cell in cells)


def _place(place: object) -> tuple[Any, ...]:
    return tuple(place) if isinstance(place, tuple) else (place,)


def _known(cell: object, keys: Mapping[str, int]) -> tuple[int, int, int]:
    found = tuple(cell) if isinstance(cell, tuple | list) else ()
    if len(found) == 3:
        row, column = map(_whole, found[:2])
        value = _value(found[2], keys)
        if row is not None and column is not None and value is not None:
            return row, column, value
    raise PuzzleError(
        f"the given cell {shown(cell)}, expected (row, column, value): 0 for empty, 1 for filled, "
        "or a colour's key"
    )


def _value(value: Any, keys: Mapping[str, int]) -> int | None:
    """Return the number of a cell's value; None if it is invalid."""
    if isinstance(value, str):
        return keys.get(value)
    if isinstance(value, bool) or type(value).__name__ == "bool_":
        return int(value)
    return _whole(value)


# Pictures


def _grid(picture: Any, keys: Mapping[str, int]) -> Grid:
    """Return the grid of a picture; `keys` are values by key."""
    if isinstance(picture, Grid):
        return picture
    values = {**dict.fromkeys(EMPTY, 0), **keys}
    if BLACK.key not in keys and len(keys) < 2:
        values[BLACK.key] = 1
    try:
        grid = read_grid(picture, values, name="the picture")
        check_decided(grid, "the picture")
    except NotAPuzzleError as error:
        raise PuzzleError(str(error)) from error
    except PuzzleError as error:
        if not hasattr(picture, "__array__"):
            raise
        raise PuzzleError(f"{error}; of an image write picture < 128") from error
    return grid
