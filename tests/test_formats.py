"""Formats: golden files, round trips, conversions, refusals, and arbitrary bytes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.drawing import examples
from nonosat import formats
from nonosat.core import plugins
from nonosat.core.errors import FormatError, NonosatError, UnsupportedError
from nonosat.core.grid import UNKNOWN, Grid
from nonosat.core.model import Block
from nonosat.puzzles.nonogram.data import BLACK, WHITE, About, Colour, Nonogram, from_grid, mono
from nonosat.testing.strategies import LETTERS, puzzles

GOLDEN = Path(__file__).parent / "data" / "formats"
BARE = ("nin", "mk", "cwd", "pattern")  # clues in one colour, and no more
DRAWN = ("picture", "csv", "tsv", "pbm")  # a goal without clues
WRITABLE = ("jsonl", "json", "non", "webpbn", "g", *BARE, *DRAWN)
READABLE = (*WRITABLE, "clues", "rows-first", "columns-first")
MANY = ("jsonl", "json", "non", "webpbn")
QUICK = examples(20)

# ##.      the tiny board: 2 rows, 3 columns
# #.#
TINY = (((2,), (1, 1)), ((2,), (1,), (1,)))
# ##.#     the tricky board: 3 rows, 4 columns, an empty row; in colour rr.b / .... / .bb.
# ....
# .##.
TRICKY = (((2, 1), (), (2,)), ((1,), (1, 1), (1,), (1,)))
RED, BLUE = Colour("r", "#ff0000"), Colour("b", "#0000ff")
R, B = 1, 2


def blocks(*clues: tuple[tuple[int | None, int], ...]) -> tuple[tuple[Block, ...], ...]:
    return tuple(tuple(Block(*block) for block in clue) for clue in clues)


IN_COLOUR = Nonogram(
    rows=blocks(((2, R), (1, B)), (), ((2, B),)),
    columns=blocks(((1, R),), ((1, R), (1, B)), ((1, B),), ((1, B),)),
    colours=(RED, BLUE),
    goal=Grid(3, 4, bytes([R, R, 0, B, 0, 0, 0, 0, 0, B, B, 0])),
)
TOY = from_grid(Grid(3, 4, b"\1\1\0\1" + bytes(4) + b"\0\1\1\0"), about=About(id="1"))


def golden(name: str) -> list[Nonogram]:
    return formats.load_all(GOLDEN / name)


def lengths(puzzle: Nonogram) -> tuple[tuple[tuple[int | None, ...], ...], ...]:
    sides = (puzzle.rows, puzzle.columns)
    return tuple(tuple(tuple(b.length for b in clue) for clue in side) for side in sides)


@pytest.mark.parametrize(
    "suffix", ["jsonl", "non", "xml", "g", "txt", "puzzlink", *BARE, *DRAWN[1:]]
)
def test_tiny_golden_files(suffix: str) -> None:
    (puzzle,) = golden(f"tiny.{suffix}")
    assert lengths(puzzle) == TINY
    assert puzzle.colours == (BLACK,)
    assert puzzle.about.title == ("boot" if suffix in ("jsonl", "non", "xml", "g") else "")
    has_none = suffix in ("g", "puzzlink", *BARE)
    assert str(puzzle.goal) == ("None" if has_none else "##.\n#.#")


def test_every_format_has_golden_files() -> None:
    suffixes = {path.suffix for path in GOLDEN.iterdir()}
    for name, module in plugins.names("formats").items():
        assert not module.suffixes or suffixes & set(module.suffixes), name


@pytest.mark.parametrize("name", ["tricky.nin", "tricky.mk", "tricky.cwd"])
def test_blank_lines_are_empty_clues_if_lines_are_missing(name: str) -> None:
    (puzzle,) = golden(name)
    assert lengths(puzzle) == TRICKY


def test_tricky_jsonl() -> None:
    coloured, mono_puzzle = golden("tricky.jsonl")
    blotted = (
        blocks(((2, R), (1, B)), (), ((None, B),)),
        IN_COLOUR.columns[:3] + blocks(((None, B),)),
    )
    about = About(id="1", title="zwölf")
    paper = Colour(".", "#fffff0")
    known = ((0, 0, R), (1, 1, 0))
    assert coloured == Nonogram(*blotted, (RED, BLUE), paper, known, IN_COLOUR.goal, about)
    assert lengths(mono_puzzle) == (((5, None),), ((), (1,), (), (1,), (), (), ()))
    assert mono_puzzle.given == ((0, 1, 1), (0, 0, 0))
    assert mono_puzzle.about == About(id="7")


def test_blocks_of_plain_numbers_are_made_once() -> None:
    data = b'{"rows": [[2, 2], [2, null]], "columns": [[1, 2], [], [], [], [2]]}'
    (puzzle,) = formats.read(data)
    assert puzzle == mono([[2, 2], [2, None]], [[1, 2], [], [], [], [2]], about=About(id="1"))
    assert puzzle.rows[0][0] is puzzle.rows[0][1]


def test_tricky_json_list() -> None:
    first, second = golden("tricky.json")
    assert lengths(first) == TRICKY
    assert lengths(second) == (((1,),), ((1,), ()))


def test_tricky_nonpack() -> None:
    first, second = golden("tricky.nonpack")
    about = About("1", 'Café "12"', "A. Person", license="CC0-1.0", source="shelf #3")
    states = (Grid(3, 4, bytes([UNKNOWN]) * 12), Grid(3, 4, bytes([R, UNKNOWN, 0, B, *([0] * 8)])))
    assert first == replace(IN_COLOUR, about=about, saved=states)
    assert second == from_grid(Grid(2, 3, b"\1\1\0\1\0\1"), about=About(id="2"))


def test_tricky_xml() -> None:
    first, second = golden("tricky.xml")
    about = About("12", "Café <12>", "A. Person", source="shelf")
    inks = (Colour("red", RED.rgb), Colour("blue", BLUE.rgb))
    rows = IN_COLOUR.rows[:2] + blocks(((None, B),))
    paper = Colour(".", "#fffff0")
    state = Grid(3, 4, bytes([R, *([UNKNOWN] * 11)]))
    known = {"colours": inks, "background": paper, "about": about}
    assert first == replace(IN_COLOUR, rows=rows, saved=(state,), **known)
    assert second == from_grid(
        Grid(2, 3, b"\1\1\0\1\0\1"), about=About("2", author="B. Person", source="shelf")
    )


def test_tricky_g() -> None:
    (puzzle,) = golden("tricky.g")
    assert puzzle == Nonogram(
        rows=blocks(((2, R),), (), ((1, B),), ((1, B),)),
        columns=blocks(((1, R),), ((1, R), (1, B)), (), ((1, B),)),
        colours=(RED, BLUE),
        background=Colour(".", "#fffff0"),
        about=About(id="1", title="Café 12"),
    )


def test_tricky_picture() -> None:
    (puzzle,) = golden("tricky.txt")
    grid = Grid(3, 4, bytes([2, 2, 0, 1, 0, 0, 0, 0, 0, 1, 1, 0]))
    assert puzzle == from_grid(grid, (BLUE, RED), about=About(id="1"))


def test_a_goal_is_a_claim() -> None:
    text = b"width 2\nheight 1\nrows\n2\ncolumns\n1\n1\ngoal 10\n"
    (puzzle,) = formats.read(text, name="a.non")
    assert puzzle.goal == Grid(1, 2, b"\1\0")
    assert lengths(puzzle) == (((2,),), ((1,), (1,)))
    with pytest.raises(UnsupportedError, match="solve it first"):
        formats.write([puzzle], "picture")


# ---- round trips: the parts that a format holds are unchanged


def held(name: str, puzzle: Nonogram) -> Nonogram:
    """Return the parts of a puzzle that a format preserves, computed without its code."""
    about = replace(puzzle.about, id="1")
    if name in ("g", *BARE):
        puzzle = replace(puzzle, saved=())
    if name in BARE:
        known = tuple(sorted(set(puzzle.given)))
        return replace(puzzle, background=WHITE, given=known, goal=None, about=About(id="1"))
    if name == "g":
        return replace(puzzle, goal=None, about=About(id="1", title=about.title))
    if name == "non":
        return replace(puzzle, background=WHITE, about=about)
    if name == "webpbn":
        return replace(puzzle, about=replace(about, license=""))
    return replace(puzzle, about=about)


def holdable(name: str) -> st.SearchStrategy[Nonogram]:
    """Random puzzles with every property that the format holds."""
    own = name in ("json", "jsonl")
    return puzzles(
        max_colours=1 if name in BARE else 3,
        unknown=own or name == "webpbn",
        given=own or name == "pattern",
        about=True,
        saved=True,
    )


@pytest.mark.thorough
@pytest.mark.parametrize("name", [each for each in WRITABLE if each not in DRAWN])
@QUICK
@given(data=st.data())
def test_round_trip(name: str, data: st.DataObject) -> None:
    puzzle = data.draw(holdable(name))
    assert formats.read(formats.write([puzzle], name), format=name) == [held(name, puzzle)]


@QUICK
@given(puzzle=puzzles(unknown=False, given=False), width=st.integers(1, 40))
def test_round_trip_of_pictures(puzzle: Nonogram, width: int) -> None:
    goal = puzzle.goal or Grid(2, width, bytes(2 * width))
    used = sorted(set(goal.cells) - {0})
    colours = (BLACK,) if len(used) < 2 else tuple(Colour(LETTERS[k], "#000000") for k in used)
    cells = bytes(used.index(cell) + 1 if cell else 0 for cell in goal.cells)
    drawn = from_grid(Grid(goal.height, goal.width, cells), colours)
    (back,) = formats.read(formats.write([drawn], "picture"), format="picture")
    assert (back.rows, back.columns, back.goal) == (drawn.rows, drawn.columns, drawn.goal)
    assert [colour.key for colour in back.colours] == [colour.key for colour in colours]


@pytest.mark.thorough
@pytest.mark.parametrize("name", MANY)
@QUICK
@given(data=st.data())
def test_round_trip_of_many(name: str, data: st.DataObject) -> None:
    some = data.draw(st.lists(holdable(name), min_size=2, max_size=4))
    named = [puzzle.about_with(id=f"n{at}") for at, puzzle in enumerate(some)]
    expected = [held(name, one).about_with(id=one.about.id) for one in named]
    assert formats.read(formats.write(named, name), format=name) == expected


@pytest.mark.parametrize("count", [2, 62, 254])
@pytest.mark.parametrize("name", ["jsonl", "webpbn"])
def test_very_many_colours(name: str, count: int) -> None:
    colours = tuple(Colour(f"ink {k} <&>", f"#{k:06x}") for k in range(1, count + 1))
    puzzle = from_grid(Grid(1, count + 1, bytes(range(count + 1))), colours, about=About(id="1"))
    puzzle = replace(puzzle, saved=(Grid(1, count + 1, bytes([UNKNOWN, *range(count)])),))
    assert formats.read(formats.write([puzzle], name), format=name) == [puzzle]


@pytest.mark.parametrize("name", ["non", "g", "picture"])
def test_keys_that_a_format_has_no_room_for_become_letters(name: str) -> None:
    colours = (Colour("#ff9900", "#ff9900"), Colour("b", "#0000ff"), Colour("light", "#ffffff"))
    puzzle = from_grid(Grid(1, 5, bytes([1, 2, 3, 0, 1])), colours)
    (back,) = formats.read(formats.write([puzzle], name), format=name)
    drawn = [back.colours[block.colour - 1].key for block in back.rows[0]]
    assert drawn[1] == "b"
    assert len(set(drawn)) == 3
    assert drawn[0] == drawn[3]


CONVERSIONS = [
    (puzzle, source, target)
    for puzzle in (TOY, IN_COLOUR)
    for source in WRITABLE
    for target in WRITABLE
    if puzzle is TOY or not {source, target} & {*BARE, *DRAWN[1:]}
]


@pytest.mark.parametrize(("puzzle", "source", "target"), CONVERSIONS)
def test_conversion(puzzle: Nonogram, source: str, target: str) -> None:
    (middle,) = formats.read(formats.write([puzzle], source), format=source)
    middle = replace(middle, goal=puzzle.goal if middle.goal is None else middle.goal)
    (last,) = formats.read(formats.write([middle], target), format=target)
    assert lengths(last) == lengths(puzzle)
    inked = [[last.colours[b.colour - 1].key for b in clue] for clue in last.rows]
    assert inked == [[puzzle.colours[b.colour - 1].key for b in clue] for clue in puzzle.rows]


# ---- refusals


BLOTTED = mono([[None]], [[1], []])
GIVEN = mono([[1]], [[1], []], given=((0, 0, 1),))
REFUSED = [
    *(([*BARE, "pbm"], [IN_COLOUR], name) for name in ("jsonl", "non", "webpbn", "g")),
    *((["g", "non", *BARE, *DRAWN], [BLOTTED], name) for name in ("jsonl", "webpbn")),
    *(
        (["nin", "mk", "cwd", "g", "non", "webpbn", *DRAWN], [GIVEN], name)
        for name in ("json", "jsonl", "pattern")
    ),
    *((["nin", "mk", "cwd", "g", "picture", "csv"], [TOY, TOY], name) for name in MANY),
    (["rows-first", "columns-first"], [TOY], "nin, non"),
    (list(WRITABLE), [], "at least one"),
]


@pytest.mark.parametrize(("names", "some", "told"), REFUSED)
def test_puzzles_that_a_format_cannot_hold_are_refused(
    names: list[str], some: list[Nonogram], told: str
) -> None:
    for name in names:
        with pytest.raises(UnsupportedError) as caught:
            formats.write(some, name)
        assert told in str(caught.value)
        assert "picture" not in str(caught.value) or name == "picture"


def test_unknown_format_lists_the_formats() -> None:
    for ask in (lambda: formats.write([TOY], "nonsense"), lambda: formats.load("x", "nonsense")):
        with pytest.raises(NonosatError):
            ask()
    with pytest.raises(UnsupportedError, match="jsonl"):
        formats.format_of("picture.tiff")


BAD = [  # format, text, line, part of the message
    ("jsonl", '{"rows":[[1]],"columns":[[1]]}\n{"rows":[[1,0]],"columns":[[1]]}', 2, "length 0"),
    ("jsonl", '{"rows":[[-1]],"columns":[[1]]}', 1, "length -1"),
    ("jsonl", '{"rows":[[1.0]],"columns":[[1]]}', 1, "length 1.0"),
    ("jsonl", '{"rows":[[true]],"columns":[[1]]}', 1, "length true"),
    ("jsonl", '{"rows":[[1,true]],"columns":[[1]]}', 1, "length true"),
    ("jsonl", '{"rows":[[1,1000000000]],"columns":[[1]]}', 1, "length 1000000000"),
    ("jsonl", '{"rows":[[1]],"columns":[[1]],"goal":"?"}', 1, "no colours"),
    ("jsonl", '{"rows":[[1]],"columns":[[1]],"goal":"\u00ff"}', 1, "no colours"),
    ("jsonl", '{"rows":[[1]],"columns":[[1]],"goal":"\u2588"}', 1, "no colours"),
    ("jsonl", '{"rows":[[1]],"columns":[[1]],"goal":[true]}', 1, "no colours"),
    ("jsonl", '{"rows":[[1]],"columns":[[1]],"goal":1}', 1, "expected a string"),
    ("jsonl", '{"rows":[[[1,"z"]]],"columns":[[1]],"colors":{"r":"#f00"}}', 1, "undefined"),
    ("jsonl", '{"rows":[[1]],"columns":[[1]],"width":2}', 1, "width is 2"),
    ("jsonl", '{"rows":[[1]],"columns":[[1]],"goal":"10"}', 1, "2 cells, expected 1 x 1"),
    ("jsonl", '{"rows":[[1]],"columns":[[1]],"goal":"2"}', 1, "colour 2"),
    ("jsonl", '{"rows":[],"columns":[[1]]}', 1, "0 rows"),
    ("jsonl", '{"rows":[[1]],"columns":[[1]],"given":[[0,3,1]]}', 1, "outside"),
    ("jsonl", '{"rows":[[1]],"columns":[[1]]} 7', 1, "after the puzzle"),
    ("jsonl", '{"rows":[[1]],"columns":[[1]],"family": "kakuro"}', 1, "family"),
    ("jsonl", '{"rows":[[' + "9" * 5000 + ']],"columns":[[1]]}', 1, "digits"),
    ("jsonl", "[" * 100_000, 1, "deep"),
    ("jsonl", '{"rows":[[NaN]],"columns":[[1]]}', 1, "NaN"),
    ("jsonl", f'{{"rows":[{"[]," * 4000}[]],"columns":[{"[]," * 4000}[]]}}', 1, "16,000,000"),
    ("jsonl", '{"rows":[[1]],"columns":[[1]],"saved":"?"}', 1, "expected a list of states"),
    ("jsonl", '{"rows":[[1]],"columns":[[1]],"saved":[1]}', 1, "saved state is 1, expected a st"),
    ("jsonl", '{"rows":[[1]],"columns":[[1]],"saved":["??"]}', 1, "2 cells, expected 1 x 1"),
    ("jsonl", '{"rows":[[1]],"columns":[[1]],"saved":["\u2588"]}', 1, "'?' (null in a list)"),
    ("jsonl", '{"rows":[[1]],"columns":[[1]],"saved":[[255]]}', 1, "no colours"),
    ("jsonl", '{"rows":[[1]],"columns":[[1]],"saved":["2"]}', 1, "column 1, expected 0 to 1"),
    ("json", '[\n{"rows":[[1]],"columns":[[1]]},\n]', 3, "not JSON"),
    ("json", '[\n{"rows":[[1]],"columns":[[1]]}', 2, "the end"),
    ("json", '{"rows":\n [[1]],\n "columns" [[1]]}', 3, "not JSON"),
    ("non", "width 4\nheight 2\nrows\n1\n1\n1\ncolumns\n1\n1\n1\n0\n", 6, "3 clues"),
    ("non", "width 2\nheight 1\nrows\n0,1\ncolumns\n1\n0\n", 4, "length 0"),
    ("non", "width 2\nheight 1\nrows\n-1\ncolumns\n1\n0\n", 4, "negative"),
    ("non", "width 2\nheight 1\nrows\n1.5\ncolumns\n1\n0\n", 4, "whole number"),
    ("non", "width 2\nheight 1\ncolor a #f00\nrows\n1b\ncolumns\n1a\n0\n", 5, "undefined"),
    ("non", "width 2\nheight 1\nrows\n1\ncolumns\n1\n0\ngoal 101\n", 8, "3 cells"),
    ("non", "rows\n1\ncolumns\n1\ngoal ?\n", 5, "'?', an undefined colour; expected '0', '1'"),
    ("non", "rows\n1\ncolumns\n1\nsaved ??\n", 5, "saved state has 2 cells, expected 1"),
    ("non", "rows\n1\ncolumns\n1\nsaved 1\nsaved '2'\n", 6, "'2', an undefined colour"),
    ("non", "width 99999\nheight 99999\nrows\n1\ncolumns\n1\n", 1, "16,000,000"),
    ("non", "rows\n1\n\n1\ncolumns\n1\n1\n", 1, "add 'height N'"),
    ("non", "title x\n9\n", 2, "expected a keyword"),
    ("non", "width 2\nheight 2\n", 2, "missing"),
    ("non", "rows\n1\ncolumns\n1\nrows\n1\n", 5, "second block"),
    ("non", "rows\n1\ncolumns\n1\n\ncolumns\n1\nfoo\n5\n", 6, "second block"),  # at once
    ("non", "width 3\ncolumns 4\nrows\n1\ncolumns\n1\n", 2, "it was 3"),
    ("non", "rows\n1,,1\ncolumns\n1\n", 2, "one comma"),
    ("nin", "4 3\n2 1\n0\n2\n1\n1 1\n1\n", 7, "6 clues"),
    ("nin", "4 3\n2 1\n0\n2\n1\n1 1\n1\n1\n9 9 9\n", 9, "8 clues"),
    ("nin", "1 1\n1 0\n1\n", 2, "length 0"),
    ("nin", "1 1\n1\n1x\n", 3, "undefined colour"),
    ("nin", "1 1\n" + "7" * 5000 + "\n1\n", 2, "digits"),
    ("nin", "99999 99999\n", 1, "16,000,000"),
    ("nin", "4\n3\n", 1, "1 word on"),
    ("nin", "0 3\n", 1, "is 0"),
    ("nin", "1 1\n1\0\n1\n", 2, "NUL"),
    ("mk", "3 4\n2 1\n0\n2\n1\n1 1\n1\n1\n", 8, "0 lines with '#'"),
    ("mk", "4 3\n2 1\n0\n2\n#\n1\n1 1\n1\n1\n", 5, "expected 4"),
    ("mk", "1 1\n1\n#\n1\n#\n", 5, "2 lines with '#'"),
    ("cwd", "3\n4\n2 1\n0\n2\n\n1\n1 1\n1\n", 9, "6 clues, expected 3 of rows, a blank line"),
    ("cwd", "4\n3\n2 1\n0\n2\n\n1\n1 1\n1\n1\n", 5, "3 clues before the blank line, expected 4"),
    ("cwd", "3\n4\n2 1\n\n2\n1\n\n1 1\n1\n1\n", 10, "6 clues, expected 3 of rows"),
    ("cwd", "1\n1\n1\n\n1\n1\n", 6, "3 clues, expected 1 of rows"),
    ("cwd", "3 4\n2 1\n", 1, "2 words in the place of the height"),
    ("cwd", "3\n", 1, "ends before the width"),
    ("cwd", "99999\n99999\n1\n", 2, "16,000,000"),
    ("cwd", "<PUZZLE>\nfoo\n", 1, "the height is '<PUZZLE>', expected a whole number"),
    ("g", "x\n: rows\n1\n: columns\n1 0\n", 5, "length 0"),
    ("g", "#d\n 1:X red\n: rows\n1a\n: columns\n1\n:\n", 4, "undefined"),
    ("g", "#d\n 1:X reddish\n: rows\n1\n: columns\n1\n:\n", 2, "reddish"),
    ("g", "#t\n: rows\n1\n: columns\n1\n:\n", 2, "3 lines beginning with ':', expected one above"),
    ("g", "x\n", 1, "beginning with ':'"),
    ("picture", "##.\n##\n", 2, "2 cells, expected 3"),
    ("picture", "##\n#?\n", 2, "'?'"),
    ("webpbn", "<puzzle>\n<clues type='rows'><line/></clues></puzzle>", 1, "rows"),
    ("webpbn", "<puzzle type='triddler'/>", 1, "no hexagon has the sides 0 0 0"),
    ("webpbn", "<puzzleset>\n<puzzle>\n<clues type='rows'>\n<line><count>-1</count>"
     "</line></clues></puzzle></puzzleset>", 4, "negative"),
    ("webpbn", "<puzzle>\n<clues type='rows'><line><count color='red'>1</count></line></clues>"
     "<clues type='columns'><line/></clues></puzzle>", 2, "undefined"),
    ("webpbn", "<puzzle>\n<solution><image>|X.|\n|X|</image></solution></puzzle>", 3, "lengths"),
    ("webpbn", "<puzzle>\n<solution><image>|X!|</image></solution></puzzle>", 2, "'!'"),
    ("webpbn", "<puzzle>\n<solution><image>|X|</image></solution>\n"
     "<solution type='saved'><image>|!|</image></solution></puzzle>", 3, "'!'"),
    ("webpbn", "<puzzle>\n<solution><image>|X|</image></solution>\n"
     "<solution type='saved'><image>|??|</image></solution></puzzle>", 1, "1 row x 2 columns"),
    ("webpbn", "<puzzle>", 1, "well-formed"),
    ("webpbn", "<FreeNono/>", 1, "puzzleset"),
    ("webpbn", "<puzzle>\n<clues type='rows'>\n<line><clue>1</clue></line></clues></puzzle>", 3,
     "the element <clue> inside <line>, expected <count>"),
    ("webpbn", "<puzzle>\n<clues type='rows'>\n<row><count>1</count></row></clues></puzzle>", 3,
     "the element <row> inside <clues>, expected <line>"),
    ("rows-first", "2 2\n1\n", None, "boards that fit"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "text", "line", "told"), BAD, ids=range(len(BAD)))
def test_bad_input_names_place_and_fault(name: str, text: str, line: int | None, told: str) -> None:
    with pytest.raises(FormatError) as caught:
        formats.read(text.encode(), name="bad.file", format=name)
    assert (caught.value.path, caught.value.line) == ("bad.file", line)
    assert told in caught.value.message
    assert len(str(caught.value)) < 600


TITLES = ["  two blanks", "trailing  ", "\ttab", "inner  double  blanks", ' ":#x" & <y> ']


@pytest.mark.parametrize("title", TITLES)
@pytest.mark.parametrize("name", ["json", "jsonl", "share", "non", "webpbn"])
def test_titles_and_authors_keep_their_blanks(name: str, title: str) -> None:
    about = About(title=title, author=title)
    read = formats.loads(formats.write([replace(mono([[1]], [[1]]), about=about)], name), name)
    expected = title.replace("\t", " ")
    assert (read.about.title, read.about.author) == (expected, expected)


@pytest.mark.parametrize("title", TITLES)
@pytest.mark.parametrize("name", ["g", "gno"])
def test_titles_on_a_line_lose_only_the_blanks_at_their_ends(name: str, title: str) -> None:
    puzzle = replace(mono([[1]], [[1]]), about=About(title=title))
    read = formats.loads(formats.write([puzzle], name), name)
    assert read.about.title == title.strip()


def test_the_author_of_a_pzprv3_file_keeps_its_blanks() -> None:
    puzzle = replace(mono([[1]], [[1]]), about=About(author="  two "))
    read = formats.loads(formats.write([puzzle], "pzprv3"), "pzprv3")
    assert read.about.author == "  two "


def test_line_breaks_around_a_title_in_xml_are_layout() -> None:
    data = formats.write([replace(mono([[1]], [[1]]), about=About(title="x"))], "webpbn")
    data = data.replace(b"<title>x</title>", b"<title>\n    x\n  </title>")
    assert formats.loads(data, "webpbn").about.title == "x"
