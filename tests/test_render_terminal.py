"""Pictures for narrow terminals: quarter blocks, wrapped clues, and the required width."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given

import nonosat
from nonosat.core.grid import Grid
from nonosat.core.plugins import Puzzle
from nonosat.puzzles.nonogram import from_grid
from nonosat.render import Style, text
from nonosat.render.nonogram.blocks import QUARTERS
from nonosat.render.nonogram.text import MARKED_EMPTY, MARKED_FILLED, picture
from test_render import ANSI, INKS, PLAIN, grids, puzzle_of


def quartered(text: str) -> list[list[str]]:
    """Return the content of each cell, from quarter blocks: # and ., or colours."""
    rows: list[list[str]] = []
    for line in text.split("\n"):
        upper, lower = list[str](), list[str]()
        inks = ".#"
        for front, back, char in re.findall(r"\x1b\[38;2;([\d;]+?);48;2;([\d;]+)m|(.)", line):
            if front:
                inks = [back, front]
            elif (bits := QUARTERS.find(char)) >= 0:
                upper += [inks[bits & 1], inks[bits >> 1 & 1]]
                lower += [inks[bits >> 2 & 1], inks[bits >> 3]]
        rows += [upper, lower]
    return rows


@given(grids())
def test_quarter_blocks_are_the_cells(grid: Grid) -> None:
    puzzle, narrow = puzzle_of(grid), -(-grid.width // 2)
    if grid.width == 1:
        return
    for style, signs in ((PLAIN, ".#"), (ANSI, ("255;255;255", "0;0;0"))):
        rows = quartered(picture(puzzle, grid, style._replace(width=narrow)))
        for row in range(grid.height):
            assert rows[row][: grid.width] == [signs[cell] for cell in grid.row(row)]
            assert {*rows[row][grid.width :]} <= {signs[0]}
        assert all({*row} == {signs[0]} for row in rows[grid.height :])


def test_quarter_blocks_of_many_colours_keep_marks_and_the_commonest() -> None:
    style, black = ANSI._replace(width=2), "0;0;0"
    grid = Grid(2, 4, b"\1\2\1\1\3\2\0\1")
    red, green, white = "221;0;0", "0;170;0", "255;255;255"
    found = quartered(picture(from_grid(grid, INKS), grid, style))
    assert found[0][1] == found[1][1] == green
    assert [row[2:] for row in found] == [[red, red], [white, red]]
    mono = Grid(2, 3, b"\1\0\1\1\0\0")
    strong, pale = (";".join(map(str, rgb)) for rgb in (MARKED_FILLED, MARKED_EMPTY))
    found = quartered(picture(from_grid(mono), mono, style, [(0, 0)]))
    assert found == [[strong, white, black, white], [strong, white, white, white]]
    found = quartered(picture(from_grid(mono), mono, style, [(0, 1)]))
    assert found[0][1] == found[1][1] == pale


@pytest.mark.parametrize(
    ("puzzle", "needed"),
    [
        (nonosat.slitherlink([".3....", "......"]), 29),
        (nonosat.Queens(16), 32),
        (nonosat.Knight(12, 12, start=(0, 0)), 23),
    ],
)
def test_pictures_that_are_too_wide_state_the_required_width(puzzle: Puzzle, needed: int) -> None:
    told = f"is {needed} characters wide, the terminal {needed - 1}; "
    shown = text(puzzle, None, Style(width=needed - 1))
    assert told in shown
    assert max(map(len, shown.splitlines()[:-1]), default=0) < needed
    assert told not in text(puzzle, None, Style(width=needed))
    assert 0 <= needed - max(map(len, text(puzzle, None, PLAIN).splitlines())) <= 1


def test_clues_in_place_of_a_sheet_are_wrapped_at_blanks() -> None:
    grid = Grid(2, 60, b"\1\0" * 30 + b"\1" * 60)
    lines = text(replace(from_grid(grid), goal=None), None, Style(width=24)).splitlines()
    assert max(map(len, lines[:-1])) <= 24
    at = lines.index("row 2: 60")
    assert " ".join(line.strip() for line in lines[:at]) == "row 1: " + " ".join(["1"] * 30)
    assert "the printed sheet is 193 characters wide, the terminal 24" in lines[-1]
