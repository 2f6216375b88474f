"""Large drawing that line solving leaves open and probing decides."""

from __future__ import annotations

import random

SIDE = 200
NUM_RECTANGLES = 60


def rectangles(ink: str) -> list[str]:
    """Rows of a drawing of rectangles, every third of which is empty; its puzzle is unique."""
    draw = random.Random(2)
    rows = [["."] * SIDE for _ in range(SIDE)]
    for turn in range(NUM_RECTANGLES):
        top, left = draw.randrange(SIDE - 10), draw.randrange(SIDE - 10)
        height, width = draw.randrange(3, 40), draw.randrange(3, 40)
        for row in rows[top : top + height]:
            row[left : left + width] = (ink if turn % 3 else ".") * len(row[left : left + width])
    return ["".join(row) for row in rows]
