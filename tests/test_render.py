"""Pictures are parsed: from half blocks, escape codes, sheets and SVG to the cells and clues."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.drawing import examples
from nonosat.core.grid import Grid
from nonosat.core.model import Block
from nonosat.core.result import Result, Verdict
from nonosat.puzzles.nonogram import About, Colour, Nonogram, from_grid, mono
from nonosat.render import Style
from nonosat.render.figures import svg_of
from nonosat.render.nonogram.text import (
    MARKED_EMPTY,
    MARKED_FILLED,
    clue_text,
    fit,
    legend,
    picture,
    sheet,
    sheet_width,
)

PLAIN, ASCII, ANSI = Style(), Style(unicode=False), Style(ansi=True)
INKS = (Colour("r", "#dd0000"), Colour("g", "#00aa00"), Colour("b", "#0000cc"))
SVG = "{http://www.w3.org/2000/svg}"


@st.composite
def grids(draw: st.DrawFn, colours: int = 1) -> Grid:
    height, width = draw(st.integers(1, 9)), draw(st.integers(1, 13))
    cell = st.integers(0, colours)
    cells = draw(st.lists(cell, min_size=height * width, max_size=height * width))
    return Grid(height, width, bytes(cells))


def puzzle_of(grid: Grid, inks: tuple[Colour, ...] = INKS) -> Nonogram:
    return from_grid(grid, inks if max(grid.cells) > 1 else (Colour("#", "#000000"),))


def unhalved(text: str) -> list[str]:
    """Rows of `.` and `#` from half blocks (one row too many if the height is odd)."""
    rows = []
    for line in text.split("\n"):
        rows.append(line.translate(str.maketrans("▀▄█ ", "#.#.")))
        rows.append(line.translate(str.maketrans("▀▄█ ", ".##.")))
    return rows


def painted(text: str) -> list[list[tuple[int, ...] | None]]:
    """Colours of the half characters of a text with escape codes; None: nothing painted."""
    rows: list[list[tuple[int, ...] | None]] = []
    for line in text.split("\n"):
        front: tuple[int, ...] | None = None
        back: tuple[int, ...] | None = None
        top: list[tuple[int, ...] | None] = []
        bottom: list[tuple[int, ...] | None] = []
        for codes, char in re.findall(r"\x1b\[([\d;]*)m|(.)", line):
            if char:
                assert char in " ▀"
                top.append(front if char == "▀" else back)
                bottom.append(back)
                continue
            numbers = [int(code) for code in codes.split(";")]
            while numbers:
                code = numbers.pop(0)
                if code in (38, 48):
                    rgb, numbers = tuple(numbers[1:4]), numbers[4:]
                    front, back = (rgb, back) if code == 38 else (front, rgb)
                elif code == 49:
                    back = None
                else:
                    assert code == 0
                    front = back = None
        rows += [top, bottom]
    return rows


# Pictures


@given(grids())
def test_half_blocks_are_the_cells(grid: Grid) -> None:
    rows = unhalved(picture(puzzle_of(grid), grid, PLAIN))
    assert rows[: grid.height] == grid.lines()
    assert all(set(row) == {"."} for row in rows[grid.height :])


@given(grids(colours=3))
def test_plain_characters_are_the_cells(grid: Grid) -> None:
    puzzle = from_grid(grid, INKS)
    assert picture(puzzle, grid, PLAIN) == picture(puzzle, grid, ASCII)
    assert picture(puzzle, grid, ASCII).split("\n") == grid.lines(".rgb")


@given(grids(colours=3), st.data())
def test_escape_codes_are_the_colours(grid: Grid, data: st.DataObject) -> None:
    puzzle = from_grid(grid, INKS)
    places = st.tuples(st.integers(0, grid.height - 1), st.integers(0, grid.width - 1))
    marked = data.draw(st.sets(places, max_size=5))
    palette = [(255, 255, 255), (0xDD, 0, 0), (0, 0xAA, 0), (0, 0, 0xCC)]
    expected: list[list[tuple[int, ...] | None]] = [
        [palette[cell] for cell in grid.row(row)] for row in range(grid.height)
    ]
    for row, column in marked:
        expected[row][column] = MARKED_FILLED if grid[row, column] else MARKED_EMPTY
    if grid.height % 2:
        expected.append([None] * grid.width)
    assert painted(picture(puzzle, grid, ANSI, marked)) == expected


def test_marked_cells_without_colours_are_question_marks_a_cell_each() -> None:
    """In a half block the two cells could not be distinguished."""
    grid = Grid(2, 3, b"\1\0\1\1\1\0")
    puzzle = puzzle_of(grid)
    for style in (PLAIN, ASCII):
        assert picture(puzzle, grid, style, [(1, 2), (0, 0)]) == "?.#\n##?"
        assert picture(puzzle, grid, style, [(0, 2), (0, 0)]) == "?.?\n##."


@given(grids(colours=3), st.integers(1, 14), st.sampled_from([PLAIN, ASCII, ANSI]), st.booleans())
def test_no_picture_is_wider_than_the_terminal(
    grid: Grid, width: int, style: Style, is_marked: bool
) -> None:
    marked = [(0, 0)] if is_marked else []
    for puzzle in (from_grid(grid, INKS), from_grid(Grid(2, 13, bytes(13) + b"\1" * 13))):
        drawn = grid if len(puzzle.colours) > 1 else puzzle.goal
        assert drawn is not None
        narrow = style._replace(width=width)
        lines = re.sub(r"\x1b\[[\d;]*m", "", picture(puzzle, drawn, narrow, marked)).split("\n")
        found = fit(puzzle, drawn, narrow, marked)
        assert {len(line) for line in lines} == {-(-drawn.width // found.factor // found.columns)}
        assert len(lines[0]) <= width
        assert (found == (1, 1)) == (drawn.width <= width)
        assert bool(found.description(drawn.width, narrow)) == (drawn.width > width)
        is_halved = style.ansi or (style.unicode and len(puzzle.colours) == 1 and not marked)
        assert (found.columns == 2) == (is_halved and width < drawn.width <= 2 * width)


def test_shrinking_keeps_shapes_and_marks() -> None:
    grid = Grid(12, 12, b"".join(bytes([x < 6] * 2) for _ in range(12) for x in range(0, 12, 2)))
    puzzle = puzzle_of(grid)
    assert picture(puzzle, grid, Style(width=4)) == "██  \n██  "
    assert picture(puzzle, grid, Style(width=4, unicode=False), [(11, 11)]).split("\n") == [
        *["##.."] * 3,
        "##.?",
    ]
    pixels = painted(picture(puzzle, grid, Style(ansi=True, width=4), [(11, 11)]))
    assert pixels[0] == [(0, 0, 0)] * 2 + [(255, 255, 255)] * 2
    assert pixels[3][3] == MARKED_FILLED


def test_shrinking_a_large_board_uses_samples() -> None:
    grid = Grid(1500, 1500, b"\1" * 1500**2)
    assert picture(puzzle_of(grid), grid, Style(width=50)).split("\n") == ["█" * 50] * 25


def test_symbols_are_the_keys_if_possible() -> None:
    grid = Grid(1, 3, b"\1\2\3")
    assert from_grid(grid, INKS).symbols == ".rgb"
    assert puzzle_of(Grid(1, 1, b"\1")).symbols == ".#"
    long_keys = tuple(Colour(f"ink{index}", f"#0000{index:02x}") for index in range(3))
    assert from_grid(grid, long_keys).symbols == ".#ab"
    assert legend(from_grid(grid, long_keys)) == (
        "colours: # = ink0 (#000000), a = ink1 (#000001), b = ink2 (#000002)"
    )
    for key in (".", "?", " "):
        inks = (Colour(key, "#000000"), Colour("x", "#ff0000"))
        assert from_grid(Grid(1, 1, b"\1"), inks).symbols == ".#a"
    many = tuple(Colour(f"ink{index}", "#123456") for index in range(254))
    assert len(set(from_grid(grid, many).symbols[:250])) == 250


# Sheets


def clues_of_sheet(text: str) -> tuple[list[list[str]], list[list[str]]]:
    """Row and column clues, parsed from a sheet without escape codes."""
    lines = [line for line in text.split("\n") if not set(line) <= set("-+─┼")]
    bar = re.compile("[│|]")
    left = min(len(bar.split(line)[0]) for line in lines)
    rows = [line[:left].split() for line in lines if line[:left].strip()]
    heads = [line[left:] for line in lines if not line[:left].strip()]
    body = [bar.sub("", head) for head in heads]
    num_columns = len(bar.sub("", lines[-1][left:]).split())
    cell = len(body[0]) // num_columns
    columns = [
        [part for line in body if (part := line[at : at + cell].strip())]
        for at in range(0, cell * num_columns, cell)
    ]
    return rows, columns


def words(clue: tuple[Block, ...], signs: str) -> list[str]:
    return [
        f"{'?' if length is None else length}{signs and signs[colour]}" for length, colour in clue
    ] or ["0"]


@examples(35)
@given(grids(colours=3), st.sampled_from([PLAIN, ASCII]), st.booleans())
def test_sheet_has_every_clue_in_its_place(grid: Grid, style: Style, coloured: bool) -> None:
    if not coloured:
        grid = Grid(grid.height, grid.width, bytes(min(cell, 1) for cell in grid.cells))
    puzzle = from_grid(grid, INKS) if coloured else from_grid(grid)
    rows, columns = clues_of_sheet(sheet(puzzle, style))
    signs = ".rgb" if coloured else ""
    assert rows == [words(clue, signs) for clue in puzzle.rows]
    assert columns == [words(clue, signs) for clue in puzzle.columns]


@given(grids(colours=3), st.sampled_from([PLAIN, ASCII, ANSI]))
def test_sheet_is_as_wide_as_announced(grid: Grid, style: Style) -> None:
    puzzle = from_grid(grid, INKS)
    lines = re.sub(r"\x1b\[[\d;]*m", "", sheet(puzzle, style)).split("\n")
    assert max(map(len, lines)) == sheet_width(puzzle, style)


def test_sheet_of_a_small_puzzle() -> None:
    puzzle = replace(
        mono([[1, None], [12], []], [[1], [10, 1], [], [], [], [3]]), given=((0, 0, 1), (1, 2, 0))
    )
    assert sheet(puzzle).split("\n") == [
        "    │    10         │   │",
        "    │  1  1  0  0  0│  3│",
        "────┼───────────────┼───┼",
        "1 ? │███  ·  ·  ·  ·│  ·│",
        " 12 │  ·  ·  ×  ·  ·│  ·│",
        "  0 │  ·  ·  ·  ·  ·│  ·│",
        "────┼───────────────┼───┼",
    ]


def test_clue_text() -> None:
    puzzle = from_grid(Grid(2, 3, b"\1\1\2\0\0\0"), INKS)
    assert [clue_text(puzzle, clue) for clue in puzzle.rows] == ["2r 1g", "0"]
    blotted = mono([[None, 3]], [[1]] * 5)
    assert clue_text(blotted, blotted.rows[0]) == "? 3"


# SVG


def cells_of_paths(root: ET.Element) -> dict[tuple[int, int], str]:
    """Colour by cell, from the rectangles of the filled paths within the board."""
    found: dict[tuple[int, int], str] = {}
    for path in root.iter(f"{SVG}path"):
        if not path.get("shape-rendering"):  # the background, lines, marks
            continue
        for x, y, length in re.findall(r"M(\d+) (\d+)h(\d+)v1h-\d+z", path.get("d", "")):
            for at in range(int(length)):
                place = (int(y), int(x) + at)
                assert place not in found
                found[place] = path.get("fill", "")
    return found


def size_of(root: ET.Element) -> tuple[float, float]:
    _, _, width, height = map(float, root.get("viewBox", "").split())
    return width, height


@given(grids(colours=3))
def test_svg_of_a_result_is_its_picture(grid: Grid) -> None:
    puzzle = from_grid(grid, INKS)
    root = ET.fromstring(svg_of(Result(puzzle, Verdict.UNIQUE, (grid,))))
    assert cells_of_paths(root) == {
        divmod(index, grid.width): INKS[cell - 1].rgb
        for index, cell in enumerate(grid.cells)
        if cell
    }


def test_svg_marks_disputed_cells() -> None:
    first, second = Grid(2, 2, b"\1\0\0\1"), Grid(2, 2, b"\0\1\1\0")
    text = svg_of(Result(from_grid(first), Verdict.MULTIPLE, (first, second)))
    assert re.findall(r"M(\d)\.15 (\d)\.15", text) == [
        ("0", "0"),
        ("1", "0"),
        ("0", "1"),
        ("1", "1"),
    ]
    assert ET.fromstring(text).findtext(f"{SVG}title") == "nonogram: 2 rows x 2 columns: multiple"


@pytest.mark.parametrize(
    "puzzle",
    [
        mono([[1] * 10], [[1], []] * 10),
        mono([[1]] * 25, [[3, 1, 4, 1, 5, None]]),
        mono([[1234, 5678]], [[1]] * 3),
        from_grid(Grid(3, 3, b"\1\2\3\3\2\1\1\1\1"), INKS),
    ],
    ids=["wide", "tall", "long numbers", "coloured"],
)
def test_svg_sheet_holds_every_number_inside_its_frame(puzzle: Nonogram) -> None:
    root = ET.fromstring(svg_of(puzzle))
    width, height = size_of(root)
    moved = root.find(f"{SVG}g")
    assert moved is not None
    left, top = map(int, re.findall(r"\d+", moved.get("transform", "")))
    numbers = list(moved.iter(f"{SVG}text"))
    clues = (*puzzle.rows, *puzzle.columns)
    signs = ".rgb" if len(puzzle.colours) > 1 else ""
    expected = [words((block,), signs)[0] for clue in clues for block in clue]
    expected += ["0"] * sum(not clue for clue in clues)
    size = {
        number: float(group.get("font-size", 12))
        for group in moved.iter(f"{SVG}g")
        for number in group.findall(f"{SVG}text")
    }
    assert sorted(number.text or "" for number in numbers) == sorted(expected)
    for number in numbers:
        reach = len(number.text or "") * 3.5 * size.get(number, 12) / 12
        assert reach <= left + float(number.get("x", "")) <= width - reach
        assert 9 <= top + float(number.get("y", "")) <= height


def test_svg_draws_given_cells_but_no_goal() -> None:
    puzzle = replace(from_grid(Grid(2, 3, b"\1\1\1\0\0\1")), given=((0, 2, 1), (1, 0, 0)))
    text = svg_of(puzzle)
    assert cells_of_paths(ET.fromstring(text)) == {(0, 2): "#000000"}
    assert text.count("M0.3 1.3l.4 .4") == 1


def test_svg_survives_any_title() -> None:
    title = "<b>&\"'\x00\x1b\ud800￾</b>"
    puzzle = replace(mono([[1]], [[1]]), about=About(title=title))
    root = ET.fromstring(svg_of(puzzle))
    assert root.findtext(f"{SVG}title") == "<b>&\"'\ufffd\ufffd\ufffd\ufffd</b>: 1 row x 1 column"


def test_svg_without_a_solution_is_the_sheet_with_the_reason() -> None:
    puzzle = mono([[2]], [[1], []])
    text = svg_of(Result(puzzle, Verdict.UNSOLVABLE, (), "a reason"))
    assert "unsolvable (a reason)" in text
    numbers = [node.text for node in ET.fromstring(text).findall(f"{SVG}g/{SVG}g/{SVG}text")]
    assert numbers == ["2", "1", "0"]


def test_svg_of_a_large_picture_stays_small() -> None:
    grid = Grid(300, 300, bytes(index // 30 % 2 for index in range(90_000)))
    text = svg_of(Result(from_grid(grid), Verdict.UNIQUE, (grid,)))
    assert len(text) < 90_000
    assert float(ET.fromstring(text).get("width", "")) <= 900


def test_objects_draw_themselves() -> None:
    puzzle = mono([[1]], [[1]])
    assert puzzle._repr_svg_() == svg_of(puzzle)
    result = Result(puzzle, Verdict.UNIQUE, (Grid(1, 1, b"\1"),))
    assert result._repr_svg_() == svg_of(result)
