"""Puzzles with one special property each: border cases, given cells, unknown lengths, no solution.

The unsolvable ones exchange two clues of a puzzle with one solution, so that the sums still agree.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import count

from drawings import DRAWINGS
from drawings_colour import DRAWINGS as COLOUR_DRAWINGS
from entry import Entry, about, clued
from random_pictures import picture
from random_recipes import SEARCH_20

from nonosat.core.grid import Grid
from nonosat.core.model import Block, Clue
from nonosat.generate.canvas import Point, art_grid
from nonosat.generate.patterns import knot, pentagrid
from nonosat.generate.structured import staircase
from nonosat.puzzles.nonogram.data import About, Nonogram, mono

_BANNER = """
##....##..####..##....##..####...#####..####..######
###...##.##..##.###...##.##..##.##.....##..##...##..
####..##.##..##.####..##.##..##.##.....##..##...##..
##.##.##.##..##.##.##.##.##..##..####..######...##..
##..####.##..##.##..####.##..##.....##.##..##...##..
##...###.##..##.##...###.##..##.....##.##..##...##..
##....##..####..##....##..####..#####..##..##...##..
"""

_GAPS = """
##...##
##...##
.......
..###..
.......
##...##
##...##
"""

# Cells that distinguish one solution from all others, found one by one among the differing ones.
_KNOT_HINTS = ((2, 26), (3, 39), (18, 54), (24, 0), (39, 41), (43, 21))
_PENTAGRID_HINTS = ((6, 30), (9, 29), (16, 4), (17, 7), (32, 31), (34, 30))


def entries() -> list[Entry]:
    """Return all special puzzles, starting with the smallest."""
    return [
        *_borders(),
        *_switches(),
        *_blotted(),
        *_given(),
        *_visibly_unsolvable(),
        *_unsolvable(),
    ]


def _borders() -> list[Entry]:
    return [
        clued("dot", "One cell", Grid(1, 1, b"\1"), "special: smallest board"),
        clued("blank", "Nothing at all", Grid(5, 7, bytes(35)), "special: only empty lines"),
        clued("full", "Everything", Grid(6, 9, b"\1" * 54), "special: only full lines"),
        clued("row", "A single row", art_grid("##.#...###.#"), "special: 1 x 12"),
        clued("column", "A single column", Grid(9, 1, b"\1\0\1\1\0\0\1\1\1"), "special: 9 x 1"),
        clued("tape", "A long tape", _tape(300), "special: 1 x 300"),
        clued("banner", "The name", art_grid(_BANNER), "special: letters"),
        clued("gaps", "Empty lines between", art_grid(_GAPS), "special: empty lines"),
    ]


def _tape(width: int) -> Grid:
    """Return runs of 1, 2, 3, ... cells with a free cell between."""
    cells = bytearray(width)
    start = 0
    for length in range(1, width):
        cells[start : start + length] = b"\1" * len(cells[start : start + length])
        start += length + 1
    return Grid(1, width, bytes(cells[:width]))


def _switches() -> list[Entry]:
    ones = [[1]] * 8
    return [
        Entry(
            mono([[1]] * 2, [[1]] * 2, about=about("switch", "The smallest choice")), "special: 2x2"
        ),
        Entry(
            mono(
                [[1]] * 2,
                [[1]] * 2,
                given=((0, 1, 1),),
                about=about("switch-given", "A choice made"),
            ),
            "special: 2x2 with a given cell",
        ),
        Entry(mono(ones, ones, about=about("rooks", "Eight rooks")), "special: 8! solutions"),
        Entry(
            mono(
                ones,
                ones,
                given=_diagonal(8),
                about=about("rooks-given", "Eight rooks, seven at home"),
            ),
            "special: given cells",
        ),
    ]


def _diagonal(size: int) -> tuple[tuple[int, int, int], ...]:
    return tuple((place, size - 1 - place, 1) for place in range(size - 1))


def _clues_with_blots(clues: tuple[Clue, ...], every: int, offset: int) -> tuple[Clue, ...]:
    """Return clues in which one in `every` blocks has unknown length, counted over all clues."""
    number = count(offset)
    return tuple(
        tuple(Block(None if next(number) % every == 0 else length, ink) for length, ink in clue)
        for clue in clues
    )


def _blots(puzzle: Nonogram, name: str, title: str, every: int) -> Entry:
    changed = replace(
        puzzle,
        rows=_clues_with_blots(puzzle.rows, every, 0),
        columns=_clues_with_blots(puzzle.columns, every, 1),
        about=about(name, title),
    )
    share = f"1 block in {every}" if every > 1 else "every block"
    return Entry(changed, f"special: {share} of unknown length")


def _mono_drawing(name: str) -> Nonogram:
    art = next(rows for drawing, _, rows in DRAWINGS if drawing == name)
    return clued(name, name, art_grid(art), "drawn").puzzle


def _colour_drawing(name: str) -> Nonogram:
    letters, art = next(
        (inks, rows) for drawing, _, inks, rows in COLOUR_DRAWINGS if drawing == name
    )
    return clued(name, name, art_grid(art, letters), "drawn", letters=letters).puzzle


def _blotted() -> list[Entry]:
    return [
        _blots(_mono_drawing("duck"), "duck-blots", "Duck in the rain", 8),
        _blots(_mono_drawing("cat"), "cat-blots", "Wet cat", 8),
        _blots(_mono_drawing("heart"), "heart-blots", "Heart, nothing but blots", 1),
        _blots(_colour_drawing("strawberry"), "strawberry-blots", "Strawberry jam", 7),
        _blots(_colour_drawing("melon"), "melon-blots", "Melon, half eaten", 2),
    ]


def _given() -> list[Entry]:
    return [
        _hinted("knot-given", "Plaited knot with hints", knot(3, 4, 7), _KNOT_HINTS),
        _hinted("pentagrid-given", "Hints in five directions", pentagrid(41, 5), _PENTAGRID_HINTS),
    ]


def _hinted(name: str, title: str, grid: Grid, hints: tuple[Point, ...]) -> Entry:
    given = tuple((row, column, grid[row, column]) for row, column in hints)
    puzzle = replace(clued(name, title, grid, "").puzzle, given=given)
    return Entry(puzzle, f"special: {len(given)} given cells")


def _visibly_unsolvable() -> list[Entry]:
    too_long = about("too-long", "A clue longer than its line")
    sums = about("sums", "Rows and columns disagree")
    colours = about("colour-sums", "Sums agree, colours do not")
    inks = clued("", "", Grid(1, 1, b"\1"), "", letters="rb").puzzle.colours
    red, blue = (Block(1, 1),), (Block(1, 2),)
    return [
        Entry(
            mono([[2, 2], [1], [1], [1]], [[2], [1], [2], [2]], about=too_long), "special: length"
        ),
        Entry(mono([[2], [1], [3]], [[1], [2], [2]], about=sums), "special: sums"),
        Entry(Nonogram((red, blue), (red, red), inks, about=colours), "special: sums of colours"),
    ]


def _unsolvable() -> list[Entry]:
    crossed = mono([[1, 1], [1], [1, 1]], [[1], [3], [1]], about=about("crossed", "Crossed lines"))
    random = clued("", "", picture(SEARCH_20), "").puzzle
    steps = clued("", "", staircase(8, (4,)), "").puzzle
    return [
        Entry(crossed, "special: refuted line by line"),
        _exchanged(random, 10, about("exchanged-10", "Random, rows 10 and 11 exchanged")),
        _exchanged(random, 8, about("exchanged-8", "Random, rows 8 and 9 exchanged")),
        _exchanged(steps, 8, about("broken-steps", "Staircase with a broken step")),
    ]


def _exchanged(puzzle: Nonogram, row: int, about: About) -> Entry:
    rows = list(puzzle.rows)
    rows[row], rows[row + 1] = rows[row + 1], rows[row]
    changed = replace(puzzle, rows=tuple(rows), about=about)
    return Entry(changed, "special: two clues exchanged")
