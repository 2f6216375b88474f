"""The printed numbers beside a board: pieces of ink, joined to numbers and sorted into clues.

Each number is a box on the page seen from above. Numbers of a row stand beside each other, those of
a column below each other. A clue ends at a wide gap, beyond which there is a title or another text.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import cv2
import numpy as np

from nonosat.paper._numbers import HEIGHT, INNER, NO_NUMBER, WIDTH, chances
from nonosat.paper._page import Page

_LEAST_HIGH, _MOST_HIGH, _MOST_WIDE = 0.2, 0.85, 1.3  # of a digit, in cells
_SPECK = 0.08  # side of a piece that is dirt, in cells
_DARK = 0.5  # of the darkness of most digits
_LIGHT = (0.8, 0.55)  # of the darkness that makes a piece, in digits of which parts are so dark
_WIDEST, _THIN = 0.8, 0.35  # of such a digit, and of a thick stroke of it, in heights of a digit
_WIDER = 1.3  # times as wide as a thick stroke is a digit that may be in its place
_SURELY = 0.95  # probability of a number of which no part is dark
_LIGHTEST = 0.12  # darkness of ink
_APART = (0.85, 1.2)  # bounds of that distance of the middles of digits, in their heights
_HALF = 0.39  # half the distance of the middles of two digits of a number, in heights of a digit
_END = 1.5  # distance that ends the clues of a column, in distances between two of its numbers
_END_OF_ROW = 1.4  # distance that ends the clue of a row, in cells


class Box(NamedTuple):
    """A box on the page, in its pixels."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def high(self) -> float:
        return self.bottom - self.top

    @property
    def wide(self) -> float:
        return self.right - self.left

    @property
    def x(self) -> float:
        return (self.left + self.right) / 2

    @property
    def y(self) -> float:
        return (self.top + self.bottom) / 2

    def holds(self, other: Box) -> bool:
        """Return True if the middle of another box is in this one."""
        return self.left <= other.x <= self.right and self.top <= other.y <= self.bottom

    def joined(self, other: Box) -> Box:
        """Return the smallest box around both."""
        least = map(min, self[:2], other[:2])
        most = map(max, self[2:], other[2:])
        return Box(*least, *most)


def fields(page: Page) -> tuple[list[list[Box]], list[list[Box]]]:
    """Return the boxes of the numbers of each row, left to right, and of each column, downwards."""
    pieces = _pieces(page)
    if not pieces:
        return [[] for _ in range(page.height)], [[] for _ in range(page.width)]
    heights = [box.high for box in pieces if box.high > _LEAST_HIGH * page.cell]
    if not heights:
        return [[] for _ in range(page.height)], [[] for _ in range(page.width)]
    tall = float(np.median(heights))
    rows: list[list[Box]] = [[] for _ in range(page.height)]
    columns: list[list[Box]] = [[] for _ in range(page.width)]
    for box in pieces:
        row = int((box.y - page.top) // page.cell)
        column = int((box.x - page.left) // page.cell)
        if box.x < page.left and 0 <= row < page.height:
            rows[row].append(box)
        elif box.y < page.top and 0 <= column < page.width:
            columns[column].append(box)
    digits = [sorted(_sound(boxes, tall), key=lambda one: -one.x) for boxes in rows]
    apart = _apart(digits, tall)
    in_rows = [_of_row(boxes, page, tall, apart) for boxes in digits]
    return in_rows, _ended([_of_column(_sound(boxes, tall), tall) for boxes in columns], page)


def _pieces(page: Page) -> list[Box]:
    """Return the boxes of the connected pieces of ink above and left of the board."""
    boxes = _inked(page, _LIGHTEST)
    whole = [box for box in boxes if box.high >= _LEAST_HIGH * page.cell]
    if not whole:
        return []
    peaks = [_part(page.ink, box).max() for box in whole]
    least = max(_DARK * float(np.median(peaks)), _LIGHTEST)
    return _restored(page, _inked(page, least), least)


def _restored(page: Page, boxes: list[Box], least: float) -> list[Box]:
    """Return boxes, with dark parts of light or thin digits replaced by the digits.

    Digits of which no part is dark are added if they are read as numbers, and those of which thick
    strokes are dark get the box that is read as a number with the higher probability.
    """
    heights = [box.high for box in boxes if box.high > _LEAST_HIGH * page.cell]
    if not heights:
        return boxes
    tall = float(np.median(heights))
    for share in _LIGHT:
        boxes = _with_light(page, boxes, _inked(page, share * least), tall)
    return boxes


def _with_light(page: Page, boxes: list[Box], lights: list[Box], tall: float) -> list[Box]:
    """Return boxes, some of them replaced by those of lighter pieces."""
    small = {box for box in boxes if box.high < 0.65 * tall}
    thin = {box for box in boxes if box.high >= 0.65 * tall and box.wide < _THIN * tall}
    found: list[tuple[Box, list[Box]]] = []  # digits with their dark parts
    doubtful: list[tuple[Box, list[Box]]] = []
    for light in lights:
        if not 0.75 * tall <= light.high <= 1.25 * tall or light.wide > _WIDEST * tall:
            continue
        parts = [box for box in boxes if light.holds(box)]
        widest = max((box.wide for box in parts), default=0)
        is_thin = len(parts) == 1 and parts[0] in thin and light.wide > 2 * widest
        if is_thin or (parts and small.issuperset(parts)):
            found.append((light, parts))
        elif (small | thin).issuperset(parts) and light.wide > _WIDER * widest:
            doubtful.append((light, parts))
    places = [box for light, parts in doubtful for box in (light, *parts)]
    looks = dict(zip(places, _looks(page, places), strict=True))
    for light, parts in doubtful:
        if looks[light] > max((looks[part] for part in parts), default=_SURELY):
            found.append((light, parts))
    replaced = {part for _, parts in found for part in parts}
    return [box for box in boxes if box not in replaced] + [light for light, _ in found]


def _looks(page: Page, boxes: Sequence[Box]) -> list[float]:
    """Return the probability of the likeliest number for each box."""
    seen = chances([image_of(page.ink, box) for box in boxes])
    return [float(one[:NO_NUMBER].max()) for one in seen]


def _inked(page: Page, least: float) -> list[Box]:
    """Return the boxes of pieces that may be digits or parts of them.

    Args:
        page: The page.
        least: Darkness of the lightest ink.
    """
    dark = (page.ink > least).astype(np.uint8)
    _, _, stats, _ = cv2.connectedComponentsWithStats(dark)
    sides = stats[1:, :4].astype(int)
    high, wide = sides[:, 3] / page.cell, sides[:, 2] / page.cell
    kept = (high <= _MOST_HIGH) & (wide <= _MOST_WIDE) & (np.maximum(high, wide) >= _SPECK)
    kept &= (sides[:, 0] < page.left) | (sides[:, 1] < page.top)
    return [Box(x, y, x + wide, y + high) for x, y, wide, high in sides[kept].tolist()]


def _part(ink: Any, box: Box) -> Any:
    return ink[int(box.top) : int(box.bottom), int(box.left) : int(box.right)]


def _sound(boxes: Sequence[Box], tall: float) -> list[Box]:
    """Return boxes of digits: pieces of one digit joined, and specks left out."""
    large = [box for box in boxes if box.high >= 0.6 * tall]
    for box in boxes:
        if box.high >= 0.6 * tall:
            continue
        for at, other in enumerate(large):
            is_beside = other.left - 2 <= box.x <= other.right + 2
            if is_beside and abs(box.y - other.y) < 0.65 * tall:
                large[at] = other.joined(box)
                break
        else:
            large.append(box)  # perhaps a part of a digit whose other parts follow
    joined: list[Box] = []
    for box in sorted(large, key=lambda one: one.x):
        if joined and _is_one(joined[-1], box, tall):
            joined[-1] = joined[-1].joined(box)
        else:
            joined.append(box)
    return [box for box in joined if 0.65 * tall <= box.high <= 1.4 * tall]


def _is_one(one: Box, other: Box, tall: float) -> bool:
    """Return True if two boxes are the upper and the lower part of a digit."""
    overlap = min(one.right, other.right) - max(one.left, other.left)
    narrow = min(one.wide, other.wide)
    both = one.joined(other)
    return overlap > 0.5 * narrow and both.high <= 1.2 * tall


def _apart(rows: Iterable[Sequence[Box]], tall: float) -> float:
    """Return the distance that separates digits of one number from those of two.

    It is in the middle of the widest interval without distances: sheets and fonts differ.

    Args:
        rows: Digits of each row, from right to left.
        tall: Height of a digit.
    """
    least, most = _APART
    near = [_distance(*both, tall) / tall for boxes in rows for both in pairwise(boxes)]
    inside = max((one for one in near if one <= least), default=least)
    places = [inside, *sorted(one for one in near if least < one < most), most]
    start, end = max(pairwise(places), key=lambda two: two[1] - two[0])
    return tall * max((start + end) / 2, least)


def _distance(right: Box, left: Box, tall: float) -> float:
    """Return the distance of the middles of two digits side by side.

    Blur widens digits, but does not move them. A piece may be two digits that touch.
    """
    halves = [min(one.wide / 2, _HALF * tall) for one in (right, left)]
    return right.left - left.right + sum(halves)


def _of_row(boxes: Iterable[Box], page: Page, tall: float, apart: float) -> list[Box]:
    """Return the numbers of a row: digits that are near each other joined, up to a wide gap.

    Args:
        boxes: The digits, from right to left.
        page: The page.
        tall: Height of a digit.
        apart: Least distance of digits of two numbers.
    """
    numbers: list[Box] = []
    last: Box | None = None
    for box in boxes:
        if last is not None and last.left - box.right > _END_OF_ROW * page.cell:
            break
        if last is not None and _distance(last, box, tall) < apart:
            numbers[-1] = numbers[-1].joined(box)
        else:
            numbers.append(box)
        last = box
    return numbers[::-1]


def _of_column(boxes: list[Box], tall: float) -> list[Box]:
    """Return the numbers of a column: digits beside each other joined, downwards."""
    numbers: list[Box] = []
    for box in sorted(boxes, key=lambda one: one.y):
        if numbers and box.y - numbers[-1].y < 0.5 * tall:
            numbers[-1] = numbers[-1].joined(box)
        else:
            numbers.append(box)
    return numbers


def _ended(columns: list[list[Box]], page: Page) -> list[list[Box]]:
    """Return the clues of columns without the texts above them."""
    steps = [below.y - above.y for clue in columns for above, below in pairwise(clue)]
    # Not the median: a title makes larger steps.
    step = float(np.percentile(steps, 30)) if steps else 0.8 * page.cell
    return [_until(clue, _END * step) for clue in columns]


def _until(clue: Iterable[Box], most: float) -> list[Box]:
    """Return the lower part of a column's numbers, without a step above `most`."""
    kept: list[Box] = []
    for box in reversed([*clue]):
        if kept and kept[-1].y - box.y > most:
            break
        kept.append(box)
    return kept[::-1]


def image_of(ink: Any, box: Box) -> Any:
    """Return the image of a number for its recognition, without its neighbours."""
    high, wide = max(box.high, 1), max(box.wide, 1)
    scale = min(INNER / high, (WIDTH - 6) / wide)
    move = np.array(
        [[scale, 0, WIDTH / 2 - scale * box.x], [0, scale, HEIGHT / 2 - scale * box.y]], np.float32
    )
    image = cv2.warpAffine(ink, move, (WIDTH, HEIGHT), flags=cv2.INTER_LINEAR)
    margin = max(1.5, 0.12 * box.high) * scale
    half_wide, half_high = scale * wide / 2 + margin, scale * high / 2 + margin
    left, right = int(max(WIDTH / 2 - half_wide, 0)), int(WIDTH / 2 + half_wide) + 1
    top, bottom = int(max(HEIGHT / 2 - half_high, 0)), int(HEIGHT / 2 + half_high) + 1
    kept = np.zeros_like(image)
    kept[top:bottom, left:right] = image[top:bottom, left:right]
    strongest = max(float(np.partition(kept.ravel(), -20)[-20]), 1e-6)
    return np.clip(kept / strongest, 0, 1)
