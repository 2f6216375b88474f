"""The plain reading of boards: each number with its alternatives, without the solver."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import cv2
import numpy as np

from nonosat.core.errors import FormatError
from nonosat.core.limits import checkpoint
from nonosat.paper import _numbers
from nonosat.paper._fields import Box, fields, image_of
from nonosat.paper._numbers import NO_NUMBER
from nonosat.paper._page import Page, boards, darkness, from_above

_FLOOR = 1e-7  # least probability of an alternative
_MOST_ALTERNATIVES = 10
_DIRT = 0.02  # of the training's share of letters and dirt, after the first number of a clue
_BOARD = 0.4  # of the share of clear numbers and of lines with a clue, of a further board
_LIKELY = 0.8  # of the numbers of the best turn, in another turn that is tried, too


class Number(NamedTuple):
    """A printed number.

    Args:
        line: Line, rows first.
        place: Place in the clue.
        alternatives: Values with their probabilities, the likeliest first; None is no number.
        corners: Corners of its box in the photograph: (x, y), clockwise from the left top.
    """

    line: int
    place: int
    alternatives: tuple[tuple[int | None, float], ...]
    corners: tuple[tuple[float, float], ...]


class Plain(NamedTuple):
    """Plain reading: the size of the board, and the numbers in the order of the lines.

    Args:
        height: Rows.
        width: Columns.
        numbers: All printed numbers.
        board: Corners of the board in the photograph, clockwise from the left top.
    """

    height: int
    width: int
    numbers: tuple[Number, ...]
    board: tuple[tuple[float, float], ...]


def plains(grey: Any, *, every: bool = False) -> list[Plain]:
    """Return the plain readings of the boards in a photograph, the likeliest first.

    Args:
        grey: Brightness, an array of bytes shaped (height, width).
        every: True to find every board of a page; else some of many may be missed.

    Raises:
        FormatError: There is no board with clues.
    """
    ink = darkness(grey)
    read: list[Plain] = []
    seen: list[Any] = []  # corners of boards
    for corners, across, down in boards(ink, every=every):
        if any(_overlap(corners, other) for other in seen):
            continue
        score, found = max(
            _turned(ink, corners, across, down), key=lambda one: one[0], default=(0.0, None)
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


def _turned(ink: Any, corners: Any, across: int, down: int) -> list[tuple[float, Plain]]:
    """Return the readings of a board in its likely orientations, each with a score."""
    pages: list[tuple[int, Page, list[list[Box]], list[list[Box]]]] = []
    for turn in range(4):
        checkpoint()
        sides = (across, down) if turn % 2 == 0 else (down, across)
        page = from_above(ink, np.roll(corners, -turn, axis=0), *sides)
        rows, columns = fields(page)
        filled = sum(map(bool, rows)) + sum(map(bool, columns))
        pages.append((filled, page, rows, columns))
    most = max(one[0] for one in pages)
    least = max(1, 0.5 * (across + down), _LIKELY * most)
    return [_recognised(*one[1:]) for one in pages if one[0] >= least]


def _recognised(page: Page, rows: list[list[Box]], columns: list[list[Box]]) -> tuple[float, Plain]:
    """Return the numbers of a page, and the mean of their probabilities; lower if clues lack."""
    lines = [*rows, *columns]
    boxes = [box for clue in lines for box in clue]
    seen = _numbers.chances([image_of(page.ink, box) for box in boxes])
    score = float(seen[:, :NO_NUMBER].max(axis=1).sum())
    numbers, at = [], 0
    for line, clue in enumerate(lines):
        longest = page.width if line < page.height else page.height
        for place, box in enumerate(clue):
            if place:
                seen[at, NO_NUMBER] *= _DIRT
            options = _alternatives(seen[at], longest, alone=len(clue) == 1)
            numbers.append((line, options, _corners(page, box)))
            at += 1
    kept = [one for one in numbers if one[1][0][0] is not None or len(one[1]) > 1]
    placed, before = [], dict[int, int]()
    for line, options, corners in kept:
        place = before[line] = before.get(line, -1) + 1
        placed.append(Number(line, place, options, corners))
    whole = page.width * page.cell, page.height * page.cell
    board = Box(page.left, page.top, page.left + whole[0], page.top + whole[1])
    share = score / max(len(boxes), 1) * sum(map(bool, lines)) / len(lines)
    return share, Plain(page.height, page.width, tuple(placed), _corners(page, board))


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
