"""The plain reading of boards: each number with its alternatives, without the solver."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import cv2
import numpy as np

from nonosat.core.errors import FormatError
from nonosat.core.limits import checkpoint
from nonosat.paper import _colours, _numbers
from nonosat.paper._fields import Box, fields, image_of
from nonosat.paper._numbers import NO_NUMBER
from nonosat.paper._page import Page, boards, darkness, from_above
from nonosat.puzzles.nonogram.data import BLACK, Colour

_FLOOR = 1e-7  # least probability of an alternative
_MOST_ALTERNATIVES = 10
_DIRT = 0.02  # of the training's share of letters and dirt, after the first number of a clue
_COLOURED = 6  # parts of the shorter side: wider than fields in colours
_BOARD = 0.4  # of the share of clear numbers and of lines with a clue, of a further board
_LIKELY = 0.8  # of the numbers of the best turn, in another turn that is tried, too


class Number(NamedTuple):
    """A printed number.

    Args:
        line: Line, rows first.
        place: Place in the clue.
        alternatives: Values with their probabilities, the likeliest first; None is no number.
        corners: Corners of its box in the photograph: (x, y), clockwise from the left top.
        colour: Its colour, from 1.
    """

    line: int
    place: int
    alternatives: tuple[tuple[int | None, float], ...]
    corners: tuple[tuple[float, float], ...]
    colour: int = 1


class Plain(NamedTuple):
    """Plain reading: the size of the board, and the numbers in the order of the lines.

    Args:
        height: Rows.
        width: Columns.
        numbers: All printed numbers.
        board: Corners of the board in the photograph, clockwise from the left top.
        colours: The inks.
        doubt: Reason why the colours are uncertain; "" if they are not.
    """

    height: int
    width: int
    numbers: tuple[Number, ...]
    board: tuple[tuple[float, float], ...]
    colours: tuple[Colour, ...] = (BLACK,)
    doubt: str = ""


def plains(grey: Any, rgb: Any = None, *, every: bool = False) -> list[Plain]:
    """Return the plain readings of the boards in a photograph, the likeliest first.

    Args:
        grey: Brightness, an array of bytes shaped (height, width).
        rgb: Red, green and blue, shaped (height, width, 3); None if it has no colours.
        every: True to find every board of a page; else some of many may be missed.

    Raises:
        FormatError: There is no board with clues.
    """
    ink = darkness(grey)
    dark = None
    if rgb is not None:
        channels = [darkness(rgb[..., at], _COLOURED) for at in range(3)]
        dark = np.stack([np.rint(255 * one).astype(np.uint8) for one in channels], axis=2)
    read: list[Plain] = []
    seen: list[Any] = []  # corners of boards
    lines = ink if dark is None else _colours.without_colours(ink, dark)
    for corners, across, down in boards(lines, every=every):
        if any(_overlap(corners, other) for other in seen):
            continue
        score, found = max(
            _turned(ink, dark, corners, across, down), key=lambda one: one[0], default=(0.0, None)
        )
        if found is not None and score > (_BOARD if read else 0):
            read.append(found)
            seen.append(corners)
    if read:
        return read
    raise FormatError(
        "no board with clues is seen, expected the lines of one board with numbers above it and at "
        "its left; photograph the whole sheet from above, in even light"
    )


def in_reading_order(read: Sequence[Plain]) -> list[Plain]:
    """Return boards in bands from top to bottom, each from left to right, as the first one lies."""
    left_top, right_top, _, left_foot = np.array(read[0].board)
    across, down = right_top - left_top, left_foot - left_top
    axes = np.array([across / np.linalg.norm(across), down / np.linalg.norm(down)])
    places = [np.array(one.board) @ axes.T for one in read]
    spans = [(float(at[:, 1].min()), float(at[:, 1].max())) for at in places]
    bands: list[list[int]] = []
    for at in sorted(range(len(read)), key=lambda at: spans[at]):
        if bands and _beside(spans[bands[-1][0]], spans[at]):
            bands[-1].append(at)
        else:
            bands.append([at])
    return [
        read[at] for band in bands for at in sorted(band, key=lambda at: float(places[at][0, 0]))
    ]


def _beside(one: tuple[float, float], other: tuple[float, float]) -> bool:
    """Return True if two intervals share half of the shorter one."""
    shared = min(one[1], other[1]) - max(one[0], other[0])
    return shared > 0.5 * min(one[1] - one[0], other[1] - other[0])


def _overlap(corners: Any, other: Any) -> bool:
    """Return True if the middle of one board is in another board."""
    return any(
        cv2.pointPolygonTest(board.astype(np.float32), tuple(map(float, at.mean(axis=0))), False)
        >= 0
        for at, board in ((corners, other), (other, corners))
    )


def _turned(ink: Any, dark: Any, corners: Any, across: int, down: int) -> list[tuple[float, Plain]]:
    """Return the readings of a board in its likely orientations, each with a score."""
    pages: list[tuple[int, _Turned]] = []
    for turn in range(4):
        checkpoint()
        sides = (across, down) if turn % 2 == 0 else (down, across)
        page = from_above(ink, np.roll(corners, -turn, axis=0), *sides)
        turned = _coloured(page, dark) or _Turned(page, *fields(page))
        filled = sum(map(bool, turned.rows)) + sum(map(bool, turned.columns))
        pages.append((filled, turned))
    most = max(one[0] for one in pages)
    least = max(1, 0.5 * (across + down), _LIKELY * most)
    return [_recognised(turned) for filled, turned in pages if filled >= least]


class _Turned(NamedTuple):
    """A page in one orientation, with the boxes of its numbers.

    Args:
        page: The page.
        rows: Numbers of each row.
        columns: Numbers of each column.
        palette: Their colours.
        letters: For each number the probability that a letter follows it.
        digits: Its box without the letter.
    """

    page: Page
    rows: list[list[Box]]
    columns: list[list[Box]]
    palette: _colours.Palette = _colours.Palette()
    letters: tuple[float, ...] = ()
    digits: tuple[Box, ...] = ()


def _coloured(page: Page, dark: Any) -> _Turned | None:
    """Return the numbers of a page if they have different colours, else None."""
    if dark is None:
        return None
    paint = _colours.painted(page, dark)
    rows, columns = fields(paint.page)
    boxes = [box for clue in (*rows, *columns) for box in clue]
    palette = _colours.palette(paint, boxes)
    if len(palette.colours) < 2 and not palette.doubt:
        return None
    if not palette.doubt and _colours.unread(paint, [*rows, *columns]):
        palette = palette._replace(doubt="a field in colour has no number that can be read")
    found = _colours.without_letters(paint, boxes, palette)
    letters = tuple(chance for _, chance in found)
    return _Turned(paint.page, rows, columns, palette, letters, tuple(box for box, _ in found))


def _seen(turned: _Turned, boxes: Sequence[Box]) -> Any:
    """Return for each number the probability of each value, and last of no number."""
    ink = turned.page.ink
    seen = _numbers.chances([image_of(ink, box) for box in boxes])
    if any(turned.letters):
        share = np.array(turned.letters)[:, None]
        alone = _numbers.chances([image_of(ink, box) for box in turned.digits])
        seen = share * alone + (1 - share) * seen
    return seen


def _recognised(turned: _Turned) -> tuple[float, Plain]:
    """Return the numbers of a page, and the mean of their probabilities; lower if clues lack."""
    page, lines = turned.page, [*turned.rows, *turned.columns]
    boxes = [box for clue in lines for box in clue]
    seen = _seen(turned, boxes)
    of_numbers = turned.palette.of_numbers or (1,) * len(boxes)
    score = float(seen[:, :NO_NUMBER].max(axis=1).sum())
    numbers, at = [], 0
    for line, clue in enumerate(lines):
        longest = page.width if line < page.height else page.height
        for place, box in enumerate(clue):
            if place:
                seen[at, NO_NUMBER] *= _DIRT
            options = _alternatives(seen[at], longest, alone=len(clue) == 1)
            numbers.append((line, options, _corners(page, box), of_numbers[at]))
            at += 1
    kept = [one for one in numbers if one[1][0][0] is not None or len(one[1]) > 1]
    placed, before = [], dict[int, int]()
    for line, options, corners, colour in kept:
        place = before[line] = before.get(line, -1) + 1
        placed.append(Number(line, place, options, corners, colour))
    whole = page.width * page.cell, page.height * page.cell
    board = Box(page.left, page.top, page.left + whole[0], page.top + whole[1])
    share = score / max(len(boxes), 1) * sum(map(bool, lines)) / len(lines)
    palette = _used(turned.palette, placed)
    return share, Plain(
        page.height,
        page.width,
        tuple(one._replace(colour=palette.of_numbers[one.colour - 1]) for one in placed),
        _corners(page, board),
        palette.colours,
        palette.doubt,
    )


def _used(palette: _colours.Palette, numbers: Sequence[Number]) -> _colours.Palette:
    """Return a palette without colours in which only zeros are printed.

    Its `of_numbers` has the new number of each colour.
    """
    used = sorted({one.colour for one in numbers if one.alternatives[0][0]})
    new = {colour: at for at, colour in enumerate(used, 1)}
    colours = tuple(palette.colours[colour - 1] for colour in used) or palette.colours[:1]
    of_colours = tuple(new.get(at, 1) for at in range(1, len(palette.colours) + 1))
    return _colours.Palette(colours, of_colours, palette.doubt)


def _alternatives(
    chances: Any, longest: int, *, alone: bool
) -> tuple[tuple[int | None, float], ...]:
    """Return the likeliest values of a number, with their probabilities.

    Args:
        chances: Probability of each number from 0 to 99, and of no number.
        longest: Length of the line, which no number exceeds.
        alone: True if there is no other number in the clue, so that it may be 0.
    """
    possible = np.maximum(chances, _FLOOR)
    possible[longest + 1 : NO_NUMBER] = 0
    possible[0] *= alone
    total = possible.sum()
    order = [int(value) for value in np.argsort(-possible)[:_MOST_ALTERNATIVES] if possible[value]]
    if NO_NUMBER not in order:
        order.append(NO_NUMBER)
    return tuple((None if one == NO_NUMBER else one, float(possible[one] / total)) for one in order)


def _corners(page: Page, box: Box) -> tuple[tuple[float, float], ...]:
    """Return the corners of a box in the photograph."""
    points = np.array(
        [
            (box.left, box.top, 1),
            (box.right, box.top, 1),
            (box.right, box.bottom, 1),
            (box.left, box.bottom, 1),
        ]
    )
    moved = points @ page.to_photo.T
    return tuple((float(x / w), float(y / w)) for x, y, w in moved)
