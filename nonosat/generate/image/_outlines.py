"""Outlines: lines where two colours meet of which both would be ink, or both paper.

A board of one colour has two tones. Where a house stands before a sky that is as dark, or a white
letter on yellow, the border would be lost: the darker side gets a line of ink, or the lighter side
one of paper. Candidates are the borders of a few colours, voted for by cells. A candidate counts
only if the picture changes abruptly there: within the width of a cell it changes more than a
minimum contrast, several times as much as on either side, and several times as much as it changes
at most other places. A gradient, however steep or curved, changes nearly as much beside each of
its borders, and noise nearly as much everywhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from statistics import median_low
from typing import NamedTuple

from nonosat.generate.image._loading import Scaled
from nonosat.generate.image._palette import distance, shades, voted
from nonosat.generate.image._strokes import Board, pieces
from nonosat.puzzles.nonogram.data import Rgb

_COLOURS = 12  # of which borders are looked for
_CLEAR = 96  # distance of colours at a border that is seen at `edges` 0, and half of it at 0.5
_FAINTEST = 24  # distance of colours at the faintest border, 8 grey levels, at `edges` 0.75 to 1
_ABRUPT = 25 / 4  # least ratio of squared changes, at a border to beside it: 1 in an even gradient
_RARE = 16  # least ratio of squared changes, at a border to the median over the picture
_FEWEST = 5  # cells of a line
_DEEP = 3  # cells of ink at a border that may lose one of them to a line of paper


class _Line(NamedTuple):
    """A row or a column: its cells, and the mean colours of its half cells, in order."""

    cells: Sequence[int]
    halves: Sequence[Rgb]


def outlined(
    scaled: Scaled, filled: list[bool], busy: Sequence[bool], edges: float, is_inverted: bool
) -> list[bool]:
    """Return the cells with lines along the borders that two tones do not show.

    Args:
        scaled: The picture.
        filled: Which cells are ink.
        busy: Which cells are near a stroke, which has borders enough.
        edges: How faint a border may be, see `from_image`.
        is_inverted: Whether light is ink.
    """
    if not edges:
        return filled
    alike = int((_CLEAR * (1 - edges)) ** 2)
    labels, found = shades(scaled, _COLOURS, alike)
    names = voted(scaled, labels, len(found))
    colours = _colours(scaled, scaled.width, scaled.height)
    lines = list(_lines(scaled))
    least = max(_FAINTEST**2, alike, _RARE * _usual_change(lines))
    changed = [False] * len(filled)
    for near, far, changes in _borders(lines, names):
        one, other = near[0], far[0]
        if filled[one] != filled[other] or busy[one] or busy[other]:
            continue
        if not _is_abrupt(changes, least):
            continue
        is_near_dark = (sum(colours[near[1]]) < sum(colours[far[1]])) != is_inverted
        side = near if is_near_dark != filled[one] else far
        if not filled[one] or len({names[at] for at in side}) == 1:
            changed[side[0]] = True
    lined = list(filled)
    for piece in pieces(Board(scaled.height, scaled.width, changed)):
        if len(piece) >= _FEWEST:
            for at in piece:
                lined[at] = not filled[at]
    return lined


def _colours(scaled: Scaled, width: int, height: int) -> list[Rgb]:
    """Return the mean colours of the picture's parts, row by row."""
    from PIL.Image import Resampling

    small = scaled.picture.colours.resize((width, height), Resampling.BOX)
    data = small.tobytes()
    return [(data[at], data[at + 1], data[at + 2]) for at in range(0, len(data), 3)]


def _lines(scaled: Scaled) -> Iterator[_Line]:
    """Yield all rows, then all columns."""
    height, width = scaled.height, scaled.width
    across, down = _colours(scaled, 2 * width, height), _colours(scaled, width, 2 * height)
    for row in range(height):
        cells = range(row * width, (row + 1) * width)
        yield _Line(cells, across[2 * cells.start : 2 * cells.stop])
    for column in range(width):
        yield _Line(range(column, height * width, width), down[column::width])


def _usual_change(lines: Sequence[_Line]) -> int:
    """Return the median of the squared changes within the width of a cell, 0 without any."""
    found = [
        distance(halves[at], halves[at + 2]) for _, halves in lines for at in range(len(halves) - 2)
    ]
    return median_low(found) if found else 0


def _borders(
    lines: Sequence[_Line], names: Sequence[int]
) -> Iterator[tuple[list[int], list[int], list[tuple[int, int, int]]]]:
    """Yield the borders between cells of different colours.

    Each comes as the cells on either side, the nearest ones first, and the squared changes within
    the width of a cell, at two places across the border: before it, there, and behind it.
    """
    for cells, halves in lines:
        last = len(cells) - 1

        def change(start: int, halves: Sequence[Rgb] = halves) -> int:
            ends = (min(max(at, 0), len(halves) - 1) for at in (start, start + 2))
            return distance(*(halves[at] for at in ends))

        for at, (one, other) in enumerate(pairwise(cells)):
            if names[one] != names[other]:
                near = [cells[max(at - away, 0)] for away in range(_DEEP)]
                far = [cells[min(at + 1 + away, last)] for away in range(_DEEP)]
                yield (
                    near,
                    far,
                    [
                        (change(start - 2), change(start), change(start + 2))
                        for start in (2 * at, 2 * at + 1)
                    ],
                )


def _is_abrupt(changes: Sequence[tuple[int, int, int]], least: int) -> bool:
    """Return whether a change is a clear one, and much larger than those beside it."""
    return any(
        there > least and there > _ABRUPT * max(before, behind) for before, there, behind in changes
    )
