"""Pictures as tables of cells (.csv, .tsv) and as bitmaps (.pbm)."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import nonosat
from helpers.drawing import examples
from nonosat import formats
from nonosat.core.errors import FormatError, UnsupportedError
from nonosat.core.grid import Grid
from nonosat.formats import cells, pbm
from nonosat.puzzles.nonogram.data import BLACK, Colour, from_grid
from nonosat.puzzles.nonogram.verify import refutation
from nonosat.testing.strategies import grids

INSTANCES = Path(__file__).parents[1] / "instances"
GOLDEN = Path(__file__).parent / "data" / "formats"
TRICKY = "##.#\n....\n.##."
RED, BLUE = Colour("red", "#ff0000"), Colour("blue", "#0000ff")


def drawn(data: bytes | str, name: str = "a.csv") -> str:
    (puzzle,) = formats.read(data if isinstance(data, bytes) else data.encode(), name=name)
    return str(puzzle.goal)


# Tables of cells


@pytest.mark.parametrize(
    "data",
    [
        "1,1,0,1\n0,0,0,0\n0,1,1,0\n",
        "1,1,,1\n,,,\n,1,1,\n",
        "x;x;;x\r\n;;;\r\n;x;x;\r\n\r\n",
        "X\tX\t.\tX\n.\t.\t.\t.\n.\tX\tX\t.",
        "\ufeff■,■,□,■\n□,□,□,□\n□,■,■,□\n",
        '"1","1","0","1"\n"0","0","0","0"\n"0","1","1","0"\n',
        "sep=;\n#; # ;-;#\n-;-;-;-\n-;#;#;-\n",
        "black,black,white,black\nwhite,white,white,white\nwhite,#000,#000000,white\n",
    ],
)
def test_one_colour(data: str) -> None:
    (puzzle,) = formats.read(data.encode(), name="a.csv")
    assert puzzle == from_grid(Grid(3, 4, b"\1\1\0\1" + bytes(4) + b"\0\1\1\0")).about_with(id="1")
    for name in ("whatever", "a.tsv", "a.txt", "a.nin"):  # the content decides
        assert drawn(data, name) == TRICKY


def test_several_colours() -> None:
    (puzzle,) = formats.load_all(GOLDEN / "tricky.csv")
    assert puzzle.colours == (RED, Colour("#00f", "#0000ff"))
    assert puzzle.goal == Grid(3, 4, bytes([1, 1, 0, 2, 0, 0, 0, 0, 0, 2, 2, 0]))
    (other,) = formats.read(b"white,blue\nRed,white\n")
    assert other.colours == (BLUE, Colour("Red", "#ff0000"))
    assert other.goal == Grid(2, 2, bytes([0, 1, 2, 0]))


def test_a_column_and_a_row() -> None:
    assert drawn("1\n0\n1\n") == "#\n.\n#"
    assert drawn("1,0,1\n") == "#.#"
    assert drawn(",\n") == ".."
    assert drawn("0\n") == "."


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("3;1 1;3\n1;2;3\n", "1:1: the field '3', expected the cells of a picture; clues are read"),
        ("1,1,3\n1,1,1\n", "1:5: the field '3', expected the cells"),
        ('1,1\n1,"2 1"\n', "2:4: the field '2 1', expected the cells of a picture"),
        ("1,0\n0,a\n", "2:3: the field 'a', expected 0 or 1, an empty field"),
        ("a,b,c\n", "1:1: the field 'a'"),
        ("1,0\n1\n", "2: a row of 1 field, expected 2 as in the first row"),
        ("1,0\n\n0,1\n", "2: a blank line, expected a row"),
        ("1\n\n1\n", "2: a blank line, expected a row; an empty cell alone is written 0"),
        ("1,0\n0;1\n", "2: commas and semicolons between fields, expected one kind"),
        ("1,x\n0,1\n", "1:3: the sign 'x' besides '1', expected one sign for filled cells"),
        ("1,red\n0,1\n", "1:3: the colour 'red' next to the sign '1'"),
        ("red,white\nblue,\n", "1:5: white next to empty fields"),
        ('"1"0,1\n', "1:1: a quote inside a field"),
        ('0,"1\n', "1:3: a quote inside a field"),
        ("sep=;\n", "the file is empty"),
    ],
)
def test_other_tables_are_refused(text: str, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        formats.read(text.encode(), name="a.csv")
    assert message in str(caught.value).removeprefix("a.csv:")


@pytest.mark.parametrize(
    "text",
    [
        "1,1\n1,1\n",  # possibly clues
        "1,0\n",
        "3,1\n1\n",
        "1, 2\n",
        "1,-,2\n0,1,1\n",
        '{"id": 1, "rows": [[1]]}\n',
        "red, white and blue\n",
        "1 0\n0 1\n",
    ],
)
def test_other_texts_are_no_tables(text: str) -> None:
    assert not cells.sniff(text.encode())


def test_only_tables_of_cells_are_read_from_a_folder(tmp_path: Path) -> None:
    (tmp_path / "picture.csv").write_text("1,0\n0,1\n", encoding="utf-8")
    (tmp_path / "picture.tsv").write_text("x\t\n\tx\n", encoding="utf-8")
    (tmp_path / "index.csv").write_text("family,size\nqueens,8\n", encoding="utf-8")
    (tmp_path / "bitmap.pbm").write_bytes(b"P4 9 1 \xff\x80")
    files = [Path(name).name for name, _ in formats.iter_sources([tmp_path])]
    assert files == ["bitmap.pbm", "picture.csv", "picture.tsv"]
    assert not any(name.endswith("index.csv") for name, _ in formats.iter_sources([INSTANCES]))


def test_the_words_of_colours() -> None:
    colours = (Colour("red", "#ff0000"), Colour("b", "#0000ff"), Colour("#0f0", "#00ff00"))
    puzzle = from_grid(Grid(1, 4, b"\1\2\3\0"), colours)
    assert formats.write([puzzle], "csv") == b"red,#0000ff,#0f0,0\n"
    assert formats.write([puzzle], "tsv") == b"red\t#0000ff\t#0f0\t0\n"
    for wrong in (Colour("w", "#ffffff"), Colour("also red", "#ff0000")):
        with pytest.raises(UnsupportedError, match="has two alike or a white one; use another"):
            formats.write([replace(puzzle, colours=(*colours[:2], wrong))], "csv")


@pytest.mark.parametrize("name", ["csv", "tsv", "pbm"])
@given(grid=grids(max_colours=1), saved=st.booleans())
@examples(20)
def test_pictures_come_back(name: str, grid: Grid, saved: bool) -> None:
    puzzle = from_grid(grid)
    (again,) = formats.read(formats.write([puzzle], name), format=name)
    assert again == puzzle.about_with(id="1")


@given(grid=grids(), order=st.permutations([RED, BLUE, Colour("#0a0", "#00aa00")]))
@examples(35)
def test_colours_come_back(grid: Grid, order: list[Colour]) -> None:
    used = list(dict.fromkeys(cell for cell in grid.cells if cell))
    colours = tuple(order[cell - 1] for cell in used) or (BLACK,)
    values = bytes(used.index(cell) + 1 if cell else 0 for cell in grid.cells)
    puzzle = from_grid(Grid(grid.height, grid.width, values), colours)
    assert formats.read(formats.write([puzzle], "csv"), format="csv") == [puzzle.about_with(id="1")]


@pytest.mark.parametrize("name", ["pictures", "special", "colour"])
def test_our_pictures_come_back(name: str) -> None:
    num_drawn = 0
    for puzzle in formats.load_all(INSTANCES / f"{name}.jsonl"):
        goal = nonosat.solve(puzzle, time_limit_s=10).solution
        num_used = 0 if goal is None else len(set(goal.cells) - {0})
        known = all(length for clue in (*puzzle.rows, *puzzle.columns) for length, _ in clue)
        if puzzle.given or not known or num_used < len(puzzle.colours):
            continue  # a picture is the whole puzzle for the others only
        num_drawn += 1
        is_plain = len(puzzle.colours) == 1
        for format_ in ("csv", "tsv", "pbm") if is_plain else ("csv", "tsv"):
            data = formats.write([replace(puzzle, goal=goal)], format_)
            (again,) = formats.read(data, format=format_)
            looks = [
                [one.colours[cell - 1].rgb if cell else "" for cell in picture.cells]
                for one, picture in ((again, again.goal), (puzzle, goal))
            ]
            assert looks[0] == looks[1]
            assert not is_plain or refutation(puzzle, again.goal) is None
    assert num_drawn


# Bitmaps


def test_the_example_of_the_format() -> None:
    """Letter J, as in the page pbm(5) and others."""
    (puzzle,) = pbm.read(
        b'P1\n# This is an example bitmap of the letter "J"\n6 10\n0 0 0 0 1 0\n0 0 0 0 1 0\n'
        b"0 0 0 0 1 0\n0 0 0 0 1 0\n0 0 0 0 1 0\n0 0 0 0 1 0\n1 0 0 0 1 0\n0 1 1 1 0 0\n"
        b"0 0 0 0 0 0\n0 0 0 0 0 0\n"
    )
    assert puzzle.goal.lines()[5:] == ["....#.", "#...#.", ".###..", "......", "......"]
    assert puzzle.colours == (BLACK,)


@pytest.mark.parametrize(
    "data",
    [
        b"P1\n4 3\n1101\n0000\n0110\n",
        b"P1 4 3 110100000110",
        b"P1\n#a P in a comment\n4\n# b\n3\n1 1 0 1 # here P4, too\n0 0 0 0 0 1 1 0\n# end",
        b"P1\r\n4 3\r\n1101\r\n0000\r\n0110\r\n",
        b"P4\n4 3\n\xd0\x00\x60",
        b"P4\n4 3\n\xdf\x0f\x6a\n",  # the bits beyond the width are ignored
        b"P4\n# made by hand\n4 3#and here\n\n\xd0\x00\x60",
        b"P4\t4\t3\t\xd0\x00\x60",
    ],
)
def test_ways_to_write_a_bitmap(data: bytes) -> None:
    assert pbm.sniff(data)
    assert drawn(data, "any") == TRICKY


def test_a_byte_of_cells_may_equal_a_blank_or_a_mark() -> None:
    (puzzle,) = pbm.read(b"P4\n8 5\n\n #P\x00")
    codes = [int(row.replace(".", "0").replace("#", "1"), 2) for row in puzzle.goal.lines()]
    assert bytes(codes) == b"\n #P\x00"


def test_several_bitmaps() -> None:
    first, second = formats.load_all(GOLDEN / "tricky.pbm")
    assert (str(first.goal), str(second.goal)) == (TRICKY, "##.\n#.#")
    data = formats.write([first, second], "pbm")
    assert data == b"P4\n4 3\n\xd0\x00\x60P4\n3 2\n\xc0\xa0"
    assert formats.read(data) == [first, second]
    assert drawn(data[:10] + b"\n", "x") == TRICKY
    plain = formats.write([first], "pbm")
    assert plain == b"P1\n4 3\n1101\n0000\n0110\n"
    assert [str(one.goal) for one in pbm.read(plain + data + plain)] == [
        TRICKY,
        TRICKY,
        "##.\n#.#",
        TRICKY,
    ]


def test_lines_are_as_short_as_the_format_requires() -> None:
    wide = from_grid(Grid(2, 141, b"\1" * 282))
    lines = pbm.write([wide]).decode().splitlines()
    assert [len(line) for line in lines[2:]] == [70, 70, 1, 70, 70, 1]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"P5\n4 3\n255\n000000000000", "1: a picture in grey or colour (P5), expected black"),
        (b"P1\n2 2\n11 2", "3:4: the character '2', expected 0 or 1"),
        (b"P1\n2 2\n111", "a picture of 3 cells, expected 2 x 2"),
        (b"P1\n2 2\n11111", "a picture of 5 cells, expected 2 x 2"),
        (b"P1\n2 2\n1111 more", "3:6: the character 'm'"),
        (b"P1\n2 2\n1111\nP1\n2", "4: no picture begins at byte 12, after the last picture"),
        (b"P4\n4 3\n\xd0\x00", "2 bytes of cells, expected 3 (3 rows of 1); was the file cut off"),
        (b"P4\n4 3\n\xd0\x00\x60more", "no picture begins at byte 10, after the last picture"),
        (b"P4\n4 3", "1: no blank after the height"),
        (b"P1\n0 3\n", "3 rows x 0 columns"),
        (b"P1\n99999 99999\n1", "16,000,000"),
        (b"P6", "1: no picture begins here; expected 'P1' or 'P4', a width and a height"),
    ],
)
def test_invalid_bitmaps_are_refused(data: bytes, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        formats.read(data, format="pbm")
    assert message in str(caught.value)


@pytest.mark.slow
def test_many_small_bitmaps() -> None:
    assert len(list(pbm.read(b"P4 1 1 \x80" * 10_000))) == 10_000
