"""Outlines: lines where two colours meet of which both would be ink, or both paper.

A board of one colour has two tones. Where a house stands before a sky that is as dark, or a white
letter on yellow, the border would be lost: the darker side gets a line of ink, or the lighter side
one of paper. Borders are those of a few colours, voted for by cells, and only where the picture
changes at once: a sky that grows dark has none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from nonosat.generate.image._loading import Scaled
from nonosat.generate.image._palette import distance, shades, voted
from nonosat.generate.image._strokes import Board, pieces
from nonosat.puzzles.nonogram.data import Rgb

_COLOURS = 12  # of which borders are looked for
_CLEAR = 96  # distance of colours at a border that is seen at `edges` 0, and half of it at 0.5
_FEWEST = 5  # cells of a line
_DEEP = 3  # cells of ink at a border that may lose one of them to a line of paper


def outlined(
    scaled: Scaled, filled: list[bool], busy: Sequence[bool], edges: float, is_inverted: bool
) -> list[bool]:
    """The cells with lines along the borders that two tones do not show.

    Args:
        scaled: The picture.
        filled: Which cells are ink.
        busy: Where a stroke is, which has borders enough.
        edges: How faint a border may be, see `from_image`.
        is_inverted: Whether light is ink.
    """
    if not edges:
        return filled
    least = int((_CLEAR * (1 - edges)) ** 2)
    labels, found = shades(scaled, _COLOURS, least)
    names = voted(scaled, labels, len(found))
    data = scaled.averaged(scaled.picture.colours).tobytes()
    colours: list[Rgb] = [(data[at], data[at + 1], data[at + 2]) for at in range(0, len(data), 3)]
    changed = [False] * len(filled)
    for near, far in _borders(scaled.height, scaled.width, names):
        one, other = near[0], far[0]
        if filled[one] != filled[other] or busy[one] or busy[other]:
            continue
        if not _is_step([colours[at] for at in near], [colours[at] for at in far], least):
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


def _is_step(near: Sequence[Rgb], far: Sequence[Rgb], least: int) -> bool:
    """Whether colours change at once, and not as much on both sides as between them."""
    step = distance(near[1], far[1])
    slope = min(distance(near[1], near[-1]), distance(far[1], far[-1]))
    return step > least and step > 16 * slope  # 9 times where it changes evenly


def _borders(height: int, width: int, names: list[int]) -> Iterator[tuple[list[int], list[int]]]:
    """Where neighbours differ in colour: the cells on either side, the nearest ones first."""
    lines = [range(row * width, row * width + width) for row in range(height)]
    lines += [range(column, height * width, width) for column in range(width)]
    for line in lines:
        last = len(line) - 1
        for at, (one, other) in enumerate(pairwise(line)):
            if names[one] != names[other]:
                near = [line[max(at - away, 0)] for away in range(_DEEP)]
                far = [line[min(at + 1 + away, last)] for away in range(_DEEP)]
                yield near, far
