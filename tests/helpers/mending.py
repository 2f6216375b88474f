"""Oracle for line solving: repeated enumeration of all fillings of a line."""

from __future__ import annotations

from itertools import product

from nonosat.core.grid import Grid
from nonosat.puzzles.nonogram.data import clue_of, clues_of


def is_line_solvable(picture: Grid, num_colours: int) -> bool:
    """True if line solving finds the picture."""
    rows, columns = clues_of(picture)
    height, width = picture.height, picture.width
    lines = [[(row, column) for column in range(width)] for row in range(height)]
    lines += [[(row, column) for row in range(height)] for column in range(width)]
    values = {cell: set(range(num_colours + 1)) for line in lines for cell in line}
    while True:
        before = sum(map(len, values.values()))
        for line, clue in zip(lines, (*rows, *columns), strict=True):
            fillings = [
                one
                for one in product(*(sorted(values[cell]) for cell in line))
                if clue_of(one) == clue
            ]
            for cell, left in zip(line, zip(*fillings, strict=True), strict=True):
                values[cell] = set(left)
        if sum(map(len, values.values())) == before:
            return before == height * width


def ugliness(picture: Grid, cells: bytes) -> int:
    """Return the number of neighbours that differ from changed cells, in a frame of empty cells."""
    wide = picture.width + 2
    frame = bytes(wide)
    framed = frame + b"".join(b"\0%b\0" % picture.row(row) for row in range(picture.height)) + frame
    total = 0
    for cell, value in enumerate(cells):
        at = (cell // picture.width + 1) * wide + cell % picture.width + 1
        if value != framed[at]:
            total += sum(framed[at + step] != value for step in (-wide, -1, 1, wide))
    return total
