"""The number of placements of a clue against its slack: stars and bars, beside enumeration."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from nonosat.experiments import Data, Row, Scale
from nonosat.puzzles.nonogram import Nonogram
from nonosat.study._counting import num_fixed, num_placements, placements

if TYPE_CHECKING:
    from matplotlib.axes import Axes

TITLE = "Placements of a clue against its slack"
ACROSS = "slack (free empty cells)"
UP = "placements"

_BLOCKS = (1, 2, 3, 4, 6, 8)
_MOST = 3000  # placements that are enumerated to check the formula


def measure(scale: Scale, bundled: Sequence[Nonogram]) -> Data:
    """Blocks of 2 cells: by number of blocks, the placements for each slack."""
    del bundled
    slacks = range(scale.counted + 1)
    curves, checked = {}, 0
    for k in _BLOCKS:
        clue = (2,) * k
        lengths = [3 * k - 1 + n for n in slacks]
        counts = [num_placements(clue, length) for length in lengths]
        for length, count in zip(lengths, counts, strict=True):
            if count <= _MOST:
                assert sum(1 for _ in placements(clue, length)) == count
                checked += 1
        curves[str(k)] = counts
    fixed = [num_fixed((8, 3), 12 + n) for n in slacks]
    return {"slacks": [*slacks], "curves": curves, "checked": checked, "fixed_of_8_3": fixed}


def draw(axes: Axes, data: Data) -> None:
    """A curve for each number of blocks."""
    axes.set_yscale("log")
    for k, counts in data["curves"].items():
        axes.plot(data["slacks"], counts, label=_blocks(k))


def _blocks(k: str) -> str:
    return "1 block" if k == "1" else f"{k} blocks"


def says(data: Data) -> str:
    """Polynomial in the slack, and what stays fixed."""
    most = data["slacks"][-1]
    last = data["curves"][str(_BLOCKS[-1])][-1]
    return (
        f"A clue of k blocks with slack n has C(n + k, k) placements: from 1 without slack to "
        f"{last:,} for {_BLOCKS[-1]} blocks and slack {most}, and enumeration agrees on all "
        f"{data['checked']} lines where it was tried. The same slack decides what is fixed: the "
        f"clue 8 3 keeps {data['fixed_of_8_3'][0]} cells at slack 0 and none from slack 8 on, "
        "where the document's max(0, sum - n k) would end at slack 6."
    )


def table(data: Data) -> list[Row]:
    """A row a slack."""
    return [
        {"slack": n, **{_blocks(k): f"{c[at]:,}" for k, c in data["curves"].items()}}
        for at, n in enumerate(data["slacks"])
        if n % 4 == 0
    ]
