"""The board in a photograph: its frame, its lines, and the page seen from above.

The frame and the lines between the cells are one connected piece of ink, the largest that is nearly
a quadrangle. Its sides are fitted to the ink, which gives the perspective; the number of lines is
the one whose regular comb fits the brightness best. Curved paper is not straightened.

Linear in the pixels of the photograph.
Source: Hartley and Zisserman, Multiple View Geometry (2003), for the perspective of a plane.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import cv2
import numpy as np

from nonosat.core.limits import checkpoint

CELL = 40  # pixels of a cell, seen from above; fewer on large boards
MOST_LINES = 99  # rows or columns
_MOST_SIDE = 2600  # pixels of a board's side, seen from above
_LEAST_CELL = 7  # pixels of a cell in the photograph
_PIECES = 6  # pieces of ink that may be the board
_PIECES_OF_PAGE = 60  # pieces that may be one of its boards
_SMALLEST = 1 / 300  # of the area of the largest piece, in which a smaller board may be beside it
_DESK = 0.4  # of the brightness of paper; less is no shadow, but something dark around the paper
_COMB = 0.55  # correlation of the brightness with a comb of lines
_THIN = (10, 5, 4, 3, 2)  # cells between heavy lines
_CLEARLY = 5.0  # standard errors
_FAINT = 0.15  # of the darkness of heavy lines


class Page(NamedTuple):
    """A page seen from above, with its board.

    Args:
        ink: Darkness of each pixel, from 0 for paper to about 1.
        cell: Pixels of a cell.
        left: Pixels between the left edge of the page and the board.
        top: Pixels between the top edge of the page and the board.
        height: Rows of the board.
        width: Columns of the board.
        to_photo: Matrix that moves points of the page into the photograph.
    """

    ink: Any
    cell: int
    left: int
    top: int
    height: int
    width: int
    to_photo: Any


def darkness(grey: Any, parts: int = 20) -> Any:
    """Return the ink of a photograph: 0 for paper, 1 for black, shadows removed.

    Args:
        grey: Brightness, an array of bytes.
        parts: Parts of the shorter side, in each of which there is paper.
    """
    height, width = grey.shape
    small = cv2.resize(
        grey, (max(1, width // 4), max(1, height // 4)), interpolation=cv2.INTER_AREA
    )
    side = max(5, min(small.shape) // parts) | 1
    paper = cv2.dilate(cv2.medianBlur(small, 3), np.ones((side, side), np.uint8))
    paper = cv2.blur(paper, (side, side))
    light = cv2.resize(paper, (width, height)).astype(np.float32)
    ink = 1 - grey.astype(np.float32) / np.maximum(light, 1)
    ink[light < _DESK * np.percentile(light, 90)] = 0  # its noise looks like ink
    return np.clip(ink, 0, 1)


def boards(ink: Any, *, every: bool = False) -> Iterator[tuple[Any, int, int]]:
    """Yield the boards that a photograph may show, the likeliest first.

    Args:
        ink: Darkness of the photograph.
        every: True if there may be many boards.

    Yields:
        Corners of the frame, clockwise, with the number of cells of the first side and of the next.
    """
    smooth = cv2.GaussianBlur(ink, (0, 0), 0.8)
    for corners in _quadrangles(smooth, _PIECES_OF_PAGE if every else _PIECES):
        checkpoint()
        fitted = _fitted(smooth, corners)
        if fitted is None:
            continue
        across, down = _counts(smooth, fitted)
        if across and down:
            yield fitted, across, down


def _quadrangles(ink: Any, most: int) -> Iterator[Any]:
    """Yield the corners of large connected pieces of ink, clockwise; twice `most` at most."""
    grey = (255 - 255 * ink).astype(np.uint8)
    found: list[tuple[float, Any]] = []
    for block, least in ((25, 10), (51, 16)):
        dark = cv2.adaptiveThreshold(
            grey, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY_INV, block, least
        )
        num, labels, stats, _ = cv2.connectedComponentsWithStats(dark)
        areas = stats[:, cv2.CC_STAT_WIDTH].astype(float) * stats[:, cv2.CC_STAT_HEIGHT]
        areas[0] = 0  # paper
        for label in np.argsort(-areas)[: min(most, num - 1)]:
            checkpoint()
            if areas[label] < _SMALLEST * areas.max():
                break
            x, y, wide, high = stats[label, :4]
            if min(wide, high) < 3 * _LEAST_CELL:
                continue
            inside = labels[y : y + high, x : x + wide] == label
            hull = _hull(inside, x, y)
            corners = _corners(hull)
            if corners is not None:
                found.append((cv2.contourArea(corners.astype(np.float32)), corners))
    found.sort(key=lambda one: -one[0])
    for _, corners in found[: 2 * most]:
        yield corners


def _hull(inside: Any, x: int, y: int) -> Any:
    points = cv2.findNonZero(inside.astype(np.uint8))
    return cv2.convexHull(points).reshape(-1, 2) + np.array((x, y))


def _corners(hull: Any) -> Any:
    """Return the four corners of a hull that is nearly a quadrangle, clockwise; None for others."""
    area = cv2.contourArea(hull.astype(np.float32))
    length = cv2.arcLength(hull.astype(np.float32), True)
    for share in (0.01, 0.02, 0.03, 0.05, 0.08):
        near = cv2.approxPolyDP(hull.astype(np.float32), share * length, True).reshape(-1, 2)
        if len(near) == 4:
            fits = 0.85 * area <= cv2.contourArea(near) <= 1.15 * area
            if not fits:
                return None
            return near if cv2.contourArea(near, True) > 0 else near[::-1].copy()
        if len(near) < 4:
            return None
    return None


def _fitted(ink: Any, corners: Any) -> Any:
    """Return corners moved to the frame's ink, by lines through the darkest points of its sides."""
    for reach in (7, 4):
        sides = []
        for at in range(4):
            line = _side(ink, corners[at], corners[(at + 1) % 4], reach)
            if line is None:
                return None
            sides.append(line)
        crossed = [_crossing(sides[at - 1], sides[at]) for at in range(4)]
        if any(point is None for point in crossed):
            return None
        moved = np.array(crossed)
        if np.abs(moved - corners).max() > 0.2 * np.linalg.norm(corners[0] - corners[2]):
            return None
        corners = moved
    return corners


def _side(ink: Any, start: Any, end: Any, reach: int) -> Any:
    """Return a point and the direction of the dark line near a side; None without one."""
    along = end - start
    length = float(np.linalg.norm(along))
    if length < 3 * _LEAST_CELL:
        return None
    normal = np.array((-along[1], along[0])) / length
    shares = np.linspace(0.03, 0.97, 80)
    offsets = np.arange(-reach, reach + 0.5, 0.5)
    places = (start + shares[:, None] * along)[:, None] + offsets[:, None] * normal
    seen = cv2.remap(
        ink, places[..., 0].astype(np.float32), places[..., 1].astype(np.float32), cv2.INTER_LINEAR
    )
    centre = offsets[seen.argmax(axis=1)]
    near = np.abs(offsets - centre[:, None]) <= 2
    weights = seen * near + 1e-9
    exact = (weights * offsets).sum(axis=1) / weights.sum(axis=1)
    points = start + shares[:, None] * along + exact[:, None] * normal
    is_dark = seen.max(axis=1) > 0.5 * np.median(seen.max(axis=1))
    if is_dark.sum() < 20:
        return None
    return cv2.fitLine(points[is_dark].astype(np.float32), cv2.DIST_HUBER, 0, 0.01, 0.01).ravel()


def _crossing(one: Any, other: Any) -> Any:
    (a, b, x, y), (c, d, u, v) = one.tolist(), other.tolist()
    across = a * d - b * c
    if abs(across) < 0.1:
        return None
    share = ((u - x) * d - (v - y) * c) / across
    return x + share * a, y + share * b


def _counts(ink: Any, corners: Any) -> tuple[int, int]:
    """Return the number of cells along the first side and the next; 0 without regular lines."""
    lengths = [np.linalg.norm(corners[at] - corners[(at + 1) % 4]) for at in range(4)]
    wide, high = round(max(lengths[0], lengths[2])), round(max(lengths[1], lengths[3]))
    if max(wide, high) > 4 * max(ink.shape):
        return 0, 0
    target = np.array([(0, 0), (wide, 0), (wide, high), (0, high)], np.float32)
    matrix = cv2.getPerspectiveTransform(corners.astype(np.float32), target)
    board = cv2.warpPerspective(ink, matrix, (int(wide), int(high)))
    return _count(board.mean(axis=0)), _count(board.mean(axis=1))


def _count(profile: Any) -> int:
    """Return the number of equal parts that the peaks of a profile divide it into; 0 if none."""
    length = len(profile)
    ground = cv2.blur(profile.reshape(1, -1), (max(3, length // 12) | 1, 1)).ravel()
    lines = np.maximum(profile - ground, 0)
    inner = lines[4:-4]
    if not len(inner) or inner.max() <= 0:
        return 0
    strong = np.percentile(inner, 97)  # 0 if the lines of large cells are so few
    # Thin and heavy lines count alike.
    lines = np.minimum(lines / strong, 1) if strong > 0 else np.sign(lines)
    places = np.arange(length)
    best, found = _COMB, 0
    for count in range(2, MOST_LINES + 1):
        spacing = (length - 1) / count
        if spacing < _LEAST_CELL:
            break
        away = np.abs((places / spacing + 0.5) % 1 - 0.5) * spacing
        comb = np.exp(-((away / 1.6) ** 2))
        fit = float(np.corrcoef(comb[4:-4], lines[4:-4])[0, 1])
        if fit > best:
            best, found = fit, count
    return _with_thin_lines(profile, found)


def _with_thin_lines(profile: Any, count: int) -> int:
    """Return the number of parts if there may be thin lines, which heavy ones hid, between lines.

    A multiple of the parts counts if its lines are clearly darker than the middles of its parts.
    """
    if not count:
        return 0
    length = len(profile)
    known = profile[np.rint(np.arange(1, count) * (length - 1) / count).astype(int)]
    for times in _THIN:
        parts = count * times
        if parts > MOST_LINES or (length - 1) / parts < _LEAST_CELL:
            continue
        between = [at for at in range(parts) if at % times]
        lines, middles = (
            profile[np.rint((np.array(between) + shift) * (length - 1) / parts).astype(int)]
            for shift in (0, 0.5)
        )
        steps = lines - middles
        if steps.mean() < _FAINT * (known.mean() - middles.mean()):
            continue
        if steps.mean() > _CLEARLY * steps.std() / len(steps) ** 0.5 and (steps > 0).mean() > 0.75:
            return parts
    return count


def from_above(ink: Any, corners: Any, width: int, height: int) -> Page:
    """Return the page of a board, with as much around the board as the photograph shows.

    Args:
        ink: Darkness of the photograph.
        corners: Corners of the board: left top, right top, right bottom, left bottom.
        width: Columns.
        height: Rows.
    """
    cell = min(CELL, _MOST_SIDE // max(width, height))
    board = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32) * cell
    matrix = cv2.getPerspectiveTransform(corners.astype(np.float32), board)
    high, wide = ink.shape
    edges = np.array([[(0, 0), (wide, 0), (wide, high), (0, high)]], np.float32)
    seen = cv2.perspectiveTransform(edges, matrix)[0]
    across, down = (0.7 * width + 4) * cell, (0.7 * height + 4) * cell
    left = int(np.clip(-seen[:, 0].min(), cell, across))
    top = int(np.clip(-seen[:, 1].min(), cell, down))
    right = int(np.clip(seen[:, 0].max() - width * cell, cell, across))
    below = int(np.clip(seen[:, 1].max() - height * cell, cell, down))
    matrix = np.array([[1, 0, left], [0, 1, top], [0, 0, 1]], float) @ matrix
    size = left + width * cell + right, top + height * cell + below
    page = cv2.warpPerspective(ink, matrix, size, flags=cv2.INTER_CUBIC, borderValue=0)
    page = cv2.GaussianBlur(np.clip(page, 0, 1), (0, 0), 0.7)
    return Page(page, cell, left, top, height, width, np.linalg.inv(matrix))
