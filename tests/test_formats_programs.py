"""Files that other programs save: pzpr.js, Tatham's puzzles; and files that are no puzzles."""

from __future__ import annotations

import gzip
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import given

import nonosat
from helpers.drawing import examples
from nonosat import formats
from nonosat.core import plugins
from nonosat.core.errors import FormatError, UnsupportedError
from nonosat.core.grid import UNKNOWN, Grid
from nonosat.export import formula_of
from nonosat.export.minizinc import write_dzn
from nonosat.formats import loopy, savefile
from nonosat.formats._clues_dialects import undeclared
from nonosat.puzzles.nonogram.data import Nonogram, mono
from nonosat.puzzles.slitherlink import BLANK, Slitherlink
from nonosat.testing.strategies import puzzles, slitherlinks

GOLDEN = Path(__file__).with_name("data") / "formats"


def lengths(puzzle: Nonogram) -> tuple[list[list[int | None]], list[list[int | None]]]:
    rows, columns = (
        [[block.length for block in clue] for clue in side]
        for side in (puzzle.rows, puzzle.columns)
    )
    return rows, columns


def only(text: str | bytes, **how: str) -> nonosat.Nonogram:
    (puzzle,) = formats.read(text.encode() if isinstance(text, str) else text, **how)
    return puzzle


def refusal(text: str | bytes, **how: str) -> str:
    with pytest.raises(FormatError) as caught:
        formats.read(text.encode() if isinstance(text, str) else text, **how)
    return str(caught.value)


# pzprv3


@pytest.mark.parametrize("name", ["", "a.txt", "a.pzprv3", "a.unknown"])
def test_pzprv3_has_the_height_first(name: str) -> None:
    puzzle = only("pzprv3/slither/1/2/3 3 /1 0 1 /1 1 /1 1 /", name=name)
    assert puzzle.rows() == ["33"]
    wide = only("pzprv3/nonogram/1/3/. . 1 . 1 /1 1 . . . /", name=name)
    assert lengths(wide) == ([[1, 1]], [[1], [], [1]])


def test_pzprv3_saved_by_the_site() -> None:
    found = only((GOLDEN / "tricky.pzprv3").read_bytes())
    assert found.rows() == ["3...", "3...", ".22.", ".2.1"]
    assert (found.about.author, found.about.source) == ("A. Person", "shelf/3")


def test_pzprv3_keeps_the_cells_that_are_drawn() -> None:
    puzzle = only("pzprv3\nnonogram\n2\n3\n. . 2 c1 1\n. 2 # # +\n1 1 . . .\n")
    assert lengths(puzzle) == ([[2], [1, 1]], [[2], [1], [1]])
    assert puzzle.saved == (Grid(2, 3, bytes([1, 1, 0, *[UNKNOWN] * 3])),)
    assert only(formats.write([puzzle], "pzprv3")).saved == puzzle.saved


def test_pzprv3_reports_that_it_drops_titles() -> None:
    puzzle = mono([[1]], [[1]]).about_with(title="a dot", author=" me ")
    about = only(formats.write([puzzle], "pzprv3")).about
    assert (about.title, about.author) == ("", " me ")
    assert plugins.find("formats", "pzprv3").summary.endswith("without titles")


def test_pzprv3_with_unknown_numbers() -> None:
    puzzle = only("pzprv3\nnonogram\n1\n3\n. . 1 . -2\n-2 c-2 . . .\n")
    assert lengths(puzzle) == ([[None, None]], [[1], [], [None]])
    assert only("pzprv3.1\nslither\n1\n2\n- 3\n0 0\n").clues == bytes([BLANK, 3])
    assert lengths(only("pzprv3\nnonogram\n1\n1\n. 0\n0 .\n")) == ([[]], [[]])


@given(puzzle=puzzles(max_colours=1, unknown=False, given=False))
@examples(30)
def test_pzprv3_of_nonograms_comes_back(puzzle: Nonogram) -> None:
    rooms = [(puzzle.width + 1) // 2] * puzzle.height + [(puzzle.height + 1) // 2] * puzzle.width
    lines = zip((*puzzle.rows, *puzzle.columns), rooms, strict=True)
    if any(len(clue) > room for clue, room in lines):
        with pytest.raises(UnsupportedError, match="room for"):
            formats.write([puzzle], "pzprv3")
        return
    data = formats.write([puzzle], "pzprv3")
    again = only(data)
    assert (again.rows, again.columns) == (puzzle.rows, puzzle.columns)


@given(puzzle=slitherlinks())
@examples(30)
def test_pzprv3_of_slitherlinks_comes_back(puzzle: Slitherlink) -> None:
    data = formats.write([puzzle], "pzprv3")
    assert only(data).clues == puzzle.clues
    assert only(data.replace(b"\n", b"/")).clues == puzzle.clues
    assert not loopy.sniff(data)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("pzprv3/sudoku/9/", "1: 3 lines, expected the version pzprv3"),
        ("pzprv3\nsudoku\n9\n9\n1\n", "2: a puzzle of the kind 'sudoku', expected nonogram or"),
        ("pzprv3\nslither\n0\n9\n", "3: the height is 0"),
        ("pzprv3\nslither\n9\nx\n", "4: the width is 'x'"),
        ("pzprv3\nslither\n99999\n99999\n", "3: 99999 rows x 99999 columns are"),
        ("pzprv3\nnonogram\n99999\n99999\n", "3: 99999 rows x 99999 columns are"),
        ("pzprv3/slither/5/5", "1: 0 rows of clues, expected 5"),
        ("pzprv3.1/slither/1/3/f/. . . /", "1: the variant 'f', expected none"),
        ("pzprv3\nslither\n1\n2\n3 5\n", "5:3: '5' is not a clue, expected one of"),
        ("pzprv3\nslither\n1\n2\n3 3 3\n", "5: a line of 3 places, expected 2"),
        ("pzprv3\nslither\n1\n2\n3 3\nhello\n", "6: 'hello' after the clues"),
        ("pzprv3\nnonogram\n1\n1\n. 1\n", "3: 1 line of the board, expected 1 of column clues"),
        ("pzprv3\nnonogram\n1\n1\n. 1\n1 ?\n", "6:3: '?' is not a cell, expected one of # + ."),
        ("pzprv3\nnonogram\n1\n1\n. x\n1 .\n", "5:3: 'x' is not a clue, expected a number"),
        ("pzprv3\nnonogram\n3\n1\n. 1\n. 0\n1 .\n1 .\n1 .\n", "length 0"),
    ],
)
def test_pzprv3_that_is_wrong_is_refused(text: str, says: str) -> None:
    assert says in refusal(text)


# Saved games


def saved(game: str, params: str, desc: str) -> str:
    records = {
        "SAVEFILE": "Simon Tatham's Portable Puzzle Collection",
        "VERSION": "1",
        "GAME": game,
        "PARAMS": "9x9",
        "CPARAMS": params,
        "DESC": desc,
        "NSTATES": "2",
        "MOVE": "F0,0,1,1",
    }
    return "".join(f"{key:8}:{len(value)}:{value}\n" for key, value in records.items())


def test_saved_games_are_read_as_their_ids() -> None:
    pattern = only(saved("Pattern", "4x3", "1/1.1/1/1/2.1//2"))
    assert lengths(pattern) == ([[2, 1], [], [2]], [[1], [1, 1], [1], [1]])
    known = only(saved("Pattern", "2x1", "1//1,Aa"))
    assert known.given == ((0, 0, 1), (0, 1, 0))
    board = only(saved("Loopy", "3x2t0dh", "2a2a1a"), name="x.sav")
    assert board.rows() == ["2.2", ".1."]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (saved("Net", "5x5", "abc"), "3: a saved game of 'Net', expected Pattern or Loopy"),
        (saved("Loopy", "3x3t1", "i"), "6: the grid t1, expected t0"),
        (saved("Pattern", "3x2", "1/1"), "6: 2 clues, expected 3 of columns and 2 of rows"),
        (saved("Pattern", "99999x99999", "1/1"), "6: 99999 rows x 99999 columns are"),
        (saved("Pattern", "1x1", "1/1").replace("DESC", "DISC"), "no record DESC"),
        (saved("Pattern", "1x1", "1/1").replace(":3:1/1", ":9:1/1"), "6: the value of DESC does"),
        (saved("Pattern", "1x1", "1/1") + "more", "9: 'more', expected a record"),
        (saved("Pattern", "1x1", "1/1").replace("GAME", "NAME"), "no record GAME"),
    ],
)
def test_saved_games_that_are_wrong_are_refused(text: str, says: str) -> None:
    assert says in refusal(text)


def test_saved_games_are_not_written() -> None:
    with pytest.raises(UnsupportedError, match="pattern and loopy write game ids"):
        savefile.write([mono([[1]], [[1]])])


# MiniZinc data

CHALLENGE = """\
X = 4; Y = 3; /* columns, rows */ maxlen = 4;  % of a clue as it is drawn
rows = [|1,1,0,1|0,-1,-1,-1|1,1,-1,-1|];
cols = [|1,-1,-1,-1|1,0,1,-1|1,-1,-1,-1|1,-1,-1,-1|];
"""
HAKANK = """\
rows = 3; row_rule_len = 2;
row_rules = array2d(1..rows, 1..row_rule_len, [2,1, 0,0, 0,2]);
cols = 4; col_rule_len = 2;
col_rules = [| 0,1, | 1,1, | 0,1, | 0,1 |];
"""
BOAT = ([[2, 1], [], [2]], [[1], [1, 1], [1], [1]])


@pytest.mark.parametrize("text", [CHALLENGE, HAKANK])
@pytest.mark.parametrize("name", ["", "a.txt", "a.dzn"])
def test_both_families_of_minizinc_data_are_read(text: str, name: str) -> None:
    assert lengths(only(text, name=name)) == BOAT


@given(puzzle=puzzles(max_colours=3, unknown=True, given=True))
@examples(40)
def test_minizinc_data_that_encode_writes_come_back(puzzle: Nonogram) -> None:
    stream = BytesIO()
    write_dzn(formula_of(puzzle), stream)
    found = only(stream.getvalue(), format="dzn")
    assert (found.rows, found.columns) == (puzzle.rows, puzzle.columns)
    assert sorted(found.given) == sorted(set(puzzle.given))


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("X = 4;", "", "1: the value of X is missing"),
        ("X = 4;", "X = 5;", "3: cols has 4 lines, expected 5"),
        ("X = 4; Y = 3;", "X = 99999; Y = 99999;", "1: 99999 rows x 99999 columns are"),
        ("1,1,0,1|", "1,1|", "2: rows has lines of 2 and of 4 numbers"),
        ("|1,1,0,1", "|1,0,0,1", "2: a 0 that is not between two blocks"),
        ("|1,1,0,1", "|1,1,1,0", "2: a 0 after the last block"),
        ("|1,1,0,1", "|1,-1,0,1", "2: a number after -1"),
        ("|0,-1,-1,-1", "|-1,-1,-1,-1", "2: a line of -1 alone, expected a lone 0"),
        ("|1,1,0,1", "|1,a,0,1", "2: the entry 'a'"),
        ("|1,1,0,1", "|1,999,0,1", "the colour 999, expected at most"),
        ("rows = [|", "rows = [", "expected [|1,2|3,4|] or array2d"),
        ("/*", "! /*", "1: '!"),
    ],
)
def test_minizinc_data_that_are_wrong_are_refused(old: str, new: str, says: str) -> None:
    assert says in refusal(CHALLENGE.replace(old, new), format="dzn")


def test_minizinc_data_are_not_written_by_convert() -> None:
    with pytest.raises(UnsupportedError, match="dzn is read only here"):
        formats.write([mono([[1]], [[1]])], "dzn")


# Gnonograms and Griddlers Solver

GNO = (GOLDEN / "tiny.gno").read_text()
MK = "MK Version 3.0\n\n4 3\n\n{}\n\n1\n1 1\n1\n1\n\n{}\n"
BLANK_PICTURE = "\n\n"


def test_gno_keeps_solution_and_working_grid() -> None:
    puzzle = only(GNO)
    assert lengths(puzzle) == ([[2], [1, 1]], [[2], [1], [1]])
    assert (puzzle.about.title, puzzle.about.author) == ("boot", "A. Person")
    assert puzzle.about.license == "CC0-1.0"
    assert str(puzzle.goal) == "##.\n#.#"
    assert [str(state) for state in puzzle.saved] == ["#??\n?.?"]


def test_gno_without_clues_or_without_an_author() -> None:
    start, end = GNO.index("[Row"), GNO.index("[Solution")
    assert lengths(only(GNO[:start] + GNO[end:])) == lengths(only(GNO))
    assert only(GNO.replace("A. Person\n", "")).about.author == ""


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("[Dimensions]\n2\n3\n", "[Dimensions]\n2\n", "1 line under [Dimensions]"),
        ("[Dimensions]\n2\n", "[Dimensions]\n99999\n", "2 rows of cells, expected 99999"),
        ("[Row clues]", "[Raw clues]", "the heading [Row clues] is missing"),
        ("[License]", "[Row clues]", "the heading [Row clues] again"),
        ("2 1 2", "2 0 2", "an unknown cell (0) in the solution"),
        ("2 1 2", "2 1", "a row of 2 cells, expected 3"),
        ("2 1 2", "2 7 2", "the cell '7', expected 1 for empty"),
        ("1,1", "1,,1", "expected a whole number"),
    ],
)
def test_gno_that_is_wrong_is_refused(old: str, new: str, says: str) -> None:
    assert says in refusal(GNO.replace(old, new))


def test_sgriddler_reads_clues_from_the_board_outwards() -> None:
    for picture in (BLANK_PICTURE, " ? ? ? ?\n o , ? ?\n"):
        puzzle = only(MK.format(picture, "1 -2\n\n2"))
        assert lengths(puzzle) == BOAT
        assert (puzzle.goal, puzzle.saved) == (None, ())
    short = MK.replace("{}\n\n", "", 1)  # no lines for the picture
    assert lengths(only(short.format("1 2\n0\n2"))) == BOAT


def test_sgriddler_with_a_picture() -> None:
    drawn = " # # . #\n . . . .\n . # # ."
    assert str(only(MK.format(drawn, "1 2\n\n2")).goal) == "##.#\n....\n.##."
    assert lengths(only(f"MK Version 3.0\n\n4 3\n\n{drawn}\n")) == BOAT
    begun = only(MK.format(" #\n . .\n", "1 2\n\n2"))
    assert str(begun.saved[0]) == "#???\n..??\n????"


def test_sgriddler_in_the_usual_direction_is_remarked(caplog: pytest.LogCaptureFixture) -> None:
    drawn = " # # . #\n . . . .\n . # # ."
    assert lengths(only(MK.format(drawn, "2 1\n\n2"))) == BOAT
    assert "usual direction, as the picture shows" in caplog.text
    caplog.clear()
    assert lengths(only(MK.format(BLANK_PICTURE, "2 1\n\n2")))[0][0] == [1, 2]
    assert not caplog.text


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("MK Version 3.0\n\n4 3\n\n ?\n ?\n ?\n", "no clues, and no complete picture"),
        ("MK Version 3.0\n\n4\n", "3: 1 word"),
        ("MK Version 3.0\n\n99999 99999\n", "3: 99999 rows x 99999 columns are"),
        (MK.format(BLANK_PICTURE, "1 2\n0"), "lines between blank ones: 4, 2; expected"),
        (MK.format(" # # # # #\n\n", "1 2\n\n2"), "5: a row of 5 cells, expected 4"),
        (MK.format(" ##\n\n", "1 2\n\n2"), "5:2: the cell '##'"),
    ],
)
def test_sgriddler_that_is_wrong_is_refused(text: str, says: str) -> None:
    assert says in refusal(text)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["gno", "sgriddler"])
@given(puzzle=puzzles(max_colours=1, unknown=False, given=False, about=True, saved=True))
@examples(30)
def test_files_of_these_programs_survive_a_round_trip(name: str, puzzle: Nonogram) -> None:
    data = formats.write([puzzle], name)
    found = only(data)
    assert (found.rows, found.columns) == (puzzle.rows, puzzle.columns)
    assert formats.write([found], name) == data
    if name == "gno":
        assert found.goal == puzzle.goal


# nonny

NONNY = """\
title "flag"
width 3
height 2
color blue 0000FF
color red FF0000 %
color background FFFFFF

rows
blue: 1, 1, red 1
0

columns
blue: 1
blue 1
red: 1
"""


@pytest.mark.parametrize("name", ["", "a.txt", "a.non"])
def test_nonny_has_names_of_colours_in_front_of_lengths(name: str) -> None:
    puzzle = only(NONNY, name=name)
    assert [(colour.key, colour.rgb) for colour in puzzle.colours] == [
        ("blue", "#0000ff"),
        ("red", "#ff0000"),
    ]
    assert [[tuple(block) for block in clue] for clue in puzzle.rows] == [
        [(1, 1), (1, 1), (1, 2)],
        [],
    ]
    assert puzzle.about.title == "flag"
    case = "width 2\nheight 2\ncolor red FF0000 #\nrows\nred 1\nred 1\ncolumns\nred 2\nred 1\n"
    assert lengths(only(case, name="nonny.non")) == ([[1], [1]], [[2], [1]])


def test_nonny_is_black_without_a_name() -> None:
    puzzle = only(NONNY.replace("red: 1", "1"))
    assert [colour.key for colour in puzzle.colours] == ["#", "blue", "red"]
    assert puzzle.columns[2][0].colour == 1
    assert "15:1: 'rad' is not a colour" in refusal(NONNY.replace("red: 1", "rad: 1"))
    assert "3 clues under 'rows', expected 2" in refusal(NONNY.replace("0\n\ncol", "0\n1\n\ncol"))


def test_nonny_has_names_of_one_letter_and_long_ones() -> None:
    text = NONNY.replace("color red", "color r").replace("red", "r")
    puzzle, long = only(text), only(NONNY)
    assert [colour.key for colour in puzzle.colours] == ["blue", "r"]
    assert (puzzle.rows, puzzle.columns) == (long.rows, long.columns)
    a = only(text.replace("color r", "color a").replace("r 1", "a 1").replace("r: 1", "a: 1"))
    assert [(colour.key, colour.rgb) for colour in a.colours] == [
        ("blue", "#0000ff"),
        ("a", "#ff0000"),
    ]
    assert (a.rows, a.columns) == (long.rows, long.columns)


# Clues that begin with their number of blocks, and lists in programs

COUNTED = "3 4\n2 2 1\n0\n1 2\n1 1\n2 1 1\n1 1\n1 1\n"
TURNED = (BOAT[1], BOAT[0])
GECODE = """\
/* two puzzles */
static const int boat[] =
  { 4, 3,  // sizes
    1,1, 2,1,1, 1,1, 1,1,
    2,2,1, 0, 1,2, };
const int dot[] = {1, 1, 1, 1, 1, 1};
"""


def test_lines_that_begin_with_their_number_of_blocks_need_an_order() -> None:
    said = refusal(COUNTED, name="a.txt")
    assert "can be read in 2 ways" in said
    assert "counts-rows-first:3x4, counts-columns-first:4x3" in said
    assert lengths(only(COUNTED, format="counts-rows-first")) == BOAT
    assert lengths(only(COUNTED, format="counts-columns-first")) == TURNED
    assert lengths(only(COUNTED.replace("\n", ", "), format="counts-rows-first")) == BOAT
    parted = "2 2 1\n0\n1 2\n\n1 1\n2 1 1\n1 1\n1 1\n"
    assert "counts-rows-first:3x4, counts-columns-first:4x3" in refusal(parted, name="a.txt")
    assert lengths(only(parted, format="counts-rows-first:3x4")) == BOAT


def test_the_only_reading_with_numbers_of_blocks_is_taken_and_reported(
    caplog: pytest.LogCaptureFixture,
) -> None:
    (found,) = formats.read(b"2 2\n1 1\n1 2\n1 1\n1 2\n", name="a.txt")
    assert lengths(found) == ([[1], [2]], [[1], [2]])
    assert "number of blocks, read as counts-rows-first:2x2" in caplog.text


def test_plain_clues_that_could_begin_with_a_number_are_no_guess() -> None:
    text = "1 3\n1 1\n1\n0\n1\n"  # a row of two blocks; or a block of 1 and of 0
    assert "counts" not in refusal(text, name="a.txt")
    both = "3 3\n1 1\n1 1\n1 1\n1 1\n1 1\n1 1\n"
    said = refusal(both, name="a.txt")
    assert "counts-rows-first:3x3" in said


@pytest.mark.parametrize("sign", ["\t", ",", " "])
def test_every_reading_other_than_numbers_of_blocks_is_named_once(sign: str) -> None:
    """Two rows of three ones: a full board, lists of three clues, or a board of one cell."""
    text = "\n".join([sign.join("111")] * 2)
    said = refusal(text, name="a.txt")
    names = said.rpartition("format=: ")[2].split(", ")
    found = [only(text, format=name) for name in names]
    contents = [(puzzle.rows, puzzle.columns) for puzzle in found]
    assert len({*contents}) == len(contents)
    assert f"can be read in {len(names)} ways" in said
    full = ([[3], [3]], [[2], [2], [2]])
    assert full in map(lengths, found)
    assert ([[1]] * 3, [[1]] * 3) in map(lengths, found)
    assert ([[1]], [[1]]) in map(lengths, found)


def test_a_full_board_is_not_taken_for_numbers_of_blocks() -> None:
    full = ([[2]] * 3, [[3]] * 2)
    for sign, name in ((" ", "picture"), (",", "csv"), ("\t", "csv")):
        text = f"1{sign}1\n" * 3  # or two sizes, a row and a column
        assert f"counts-rows-first:1x1, {name}" in refusal(text, name="a.txt")
        assert lengths(only(text, format=name)) == full
    assert "picture, nin, mk, rows-first" in refusal("1 1 1\n" * 3, name="a.txt")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("3 4\n2 2 1\n", "1 clue, expected 7 after the two sizes"),
        ("1 1\n2 1\n", "2:1: 2 blocks in a clue, expected fewer"),
        ("1 2\n2 1\n", "the last clue has 1 block, expected 2"),
        ("1 1\n1 1\n1 1\n7\n", "4:1: '7' after the 2 clues"),
        ("1 1\n1 x\n1 1\n", "2:3: the number is 'x'"),
        ("99999 99999\n", "1: 99999 rows x 99999 columns are"),
    ],
)
def test_wrong_numbers_of_blocks_are_refused(text: str, says: str) -> None:
    assert says in refusal(text, format="counts-rows-first")


def test_arrays_of_gecode_have_the_columns_first() -> None:
    boat, dot = formats.read(GECODE.encode(), name="a.cpp")
    assert (boat.about.id, lengths(boat)) == ("boat", BOAT)
    assert (dot.about.id, lengths(dot)) == ("dot", ([[1]], [[1]]))
    bare = "4,3,  1,1, 2,1,1, 1,1, 1,1,   2,2,1, 0, 1,2"
    assert lengths(only(bare, format="gecode")) == BOAT
    assert "5:7: the number is 'x'" in refusal(GECODE.replace("2,2,1", "2,x,1"), format="gecode")


@pytest.mark.parametrize(
    "text",
    [
        "int[][] rows = {{2, 1}, {}, {2}};\nint[][] columns = {{1}, {1, 1}, {1}, {1}};",
        "static final int[][] ROWS = new int[][]{{2,1},{0},{2}};\n"
        "static final int[][] COLS = new int[][]{{1},{1,1},{1},{1}};",
        "int rows[3][2] = {{2,1},{0},{2}};\nint cols[4][2] = {{1},{1,1},{1},{1}};",
        "std::vector<std::vector<int>> rows = {{2,1},{},{2}};\n"
        "std::vector<std::vector<int>> cols = {{1},{1,1},{1},{1}};",
        "let rows = vec![vec![2, 1], vec![], vec![2]];\n"
        "let cols = vec![vec![1], vec![1, 1], vec![1], vec![1]];",
        "rows([[2,1],[],[2]]).\ncolumns([[1],[1,1],[1],[1]]).\n",
        "row(1,[2,1]).\nrow(2,[]).\nrow(3, [ 2 ]).\n"
        "column(1,[1]).\ncolumn(2,[1,1]).\ncolumn(3,[1]).\ncolumn(4,[1]).\n",
        "% rows 1\nrow(0,[2,1]). row(1,[]). row(2,[2]).\n"
        "col(0,[1]). col(1,[1,1]). col(2,[1]). col(3,[1]).",
    ],
)
def test_lists_with_names_in_programs_are_read(text: str) -> None:
    assert lengths(only(text, name="a.txt")) == BOAT


@pytest.mark.parametrize(
    "text",
    [
        "new int[][][]{{{2,1},{},{2}},{{1},{1,1},{1},{1}}};",
        "% a fact\nnonogram([[2,1],[],[2]],\n  [[1],[1,1],[1],[1]]).\n",
        "?- nonogram([[2,1],[],[2]], [[1],[1,1],[1],[1]], Grid).\n",
    ],
)
def test_lists_without_names_in_programs_need_an_order(text: str) -> None:
    assert "rows-first:3x4, columns-first:4x3" in refusal(text, name="a.txt")
    assert lengths(only(text, format="rows-first")) == BOAT
    assert lengths(only(text, format="columns-first")) == TURNED
    assert len(undeclared(text)) == len(text)
    assert undeclared(text).count("\n") == text.count("\n")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("row(1,2).\nrow(2,1).\ncol(1,1).\n", "1: the Prolog fact 'row(1,2).', expected the"),
        ("row(1,[2]).\nrow(2,[x]).\n", "2: the Prolog fact 'row(2,[x]).', expected the lengths"),
        ("row(1,[2]).\nrow(3,[1]).\ncol(1,[1]).\n", "2:1: row 3 follows row 1, expected row 2"),
        ("row(1,[2]).\nrow(2,[1]).\n", "rows, but no columns"),
    ],
)
def test_facts_of_prolog_that_are_wrong_are_refused(text: str, says: str) -> None:
    assert says in refusal(text, name="a.pl")


# UTF-16 and UTF-32


@pytest.mark.parametrize("codec", ["utf-16", "utf-16-be", "utf-32", "utf-32-be"])
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_wide_texts_are_read_by_their_mark(codec: str, pack: type[bytes]) -> None:
    mark = "\ufeff" if codec.endswith("be") else ""
    texts = {
        "a.txt": "rows: 1, 1\ncolumns: 2, 0\n",
        "a.json": '{"rows": [[1], [1]], "columns": [[2], []]}',
        "a.xml": '<?xml version="1.0" encoding="UTF-16"?><puzzle><clues type="rows"><line><count>1'
        "</count></line><line><count>1</count></line></clues><clues type='columns'><line><count>2"
        "</count></line><line/></clues></puzzle>",
    }
    for name, text in texts.items():
        puzzle = only(pack((mark + text).encode(codec)), name=name)
        assert lengths(puzzle) == ([[1], [1]], [[2], []])


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("name", ["a.txt", "a.non", "a.json", ""])
def test_wide_texts_without_a_mark_are_named(codec: str, name: str) -> None:
    said = refusal("rows: 1\ncolumns: 1\n".encode(codec), name=name)
    assert "text in UTF-16 without a byte-order mark; save the file as UTF-8" in said


def test_damaged_wide_texts_are_named() -> None:
    said = refusal("rows: 1\ncolumns: 1\n".encode("utf-16")[:-1], name="a.txt")
    assert "UTF-16 by its byte-order mark, damaged at byte 39; save the file as UTF-8" in said


# Files that are no puzzles

FOREIGN = {
    "a.pdf": (b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj", "a PDF document"),
    "a.docx": (b"PK\3\4\x14\0\6\0\x08\0" + b"word/document.xml", r"a Word document (.docx)"),
    "a.xlsx": (b"PK\3\4\x14\0\6\0\x08\0" + b"xl/workbook.xml", "an Excel workbook (.xlsx)"),
    "a.ods": (
        b"PK\3\4mimetypeapplication/vnd.oasis.opendocument.spreadsheet",
        "a spreadsheet (.ods), which is not a puzzle file; save the sheet",
    ),
    "a.zip": (b"PK\3\4\x14\0\0\0a.non", "a ZIP archive"),
    "a.doc": (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(99), "an old Office document"),
    "a.rtf": (b"{\\rtf1\\ansi rows 1", "a document (.rtf)"),
    "a.7z": (b"7z\xbc\xaf\x27\x1c\0\4", "a 7z archive"),
    "a.tar": (b"a.non".ljust(257, b"\0") + b"ustar\0", "a tar archive"),
    "a.tar.gz": (gzip.compress(b"a.non".ljust(257, b"\0") + b"ustar\0"), "a tar archive"),
    "a.bz2": (b"BZh91AY&SY\1\2", "data compressed by bzip2"),
    "a.tif": (b"II*\0\x08\0\0\0", "a TIFF picture"),
    "a.heic": (b"\0\0\0\x18ftypheic", "a picture (HEIC, AVIF) or a film"),
    "a.svg": (b'<?xml version="1.0"?>\n<svg width="9">', "an SVG drawing"),
    "page.html": (b"<!DOCTYPE html>\n<html><body><svg></svg></body></html>", "a web page (.html)"),
    "a.bin": (bytes(range(256)), "no text, and no known kind of file"),
}


@pytest.mark.parametrize("name", FOREIGN)
@pytest.mark.parametrize("renamed", ["", "a.txt", "b.non", "c.json"])
def test_files_that_are_no_puzzles_are_named(name: str, renamed: str) -> None:
    data, says = FOREIGN[name]
    if name == "a.bin" and renamed in ("b.non", "c.json"):
        return  # the reader of the suffix's format names the fault
    said = refusal(data, name=renamed or name)
    assert says in said
    assert "\\x" not in said
    assert len(said) < 300


@pytest.mark.parametrize("name", ["nin", "clues", "csv", "jsonl"])
def test_a_format_that_is_named_does_not_hide_the_kind(name: str) -> None:
    assert "a PDF document" in refusal(FOREIGN["a.pdf"][0], format=name)
    png = (GOLDEN / "tiny.png").read_bytes()
    assert f"a PNG image, not a file of the format {name}" in refusal(png, format=name)


def test_a_drawing_that_a_description_mentions_is_no_drawing() -> None:
    puzzle = nonosat.nonogram([[1]], [[1]], title="Dot")
    text = nonosat.dumps(puzzle, "webpbn")
    noted = text.replace("<clues", "<description><![CDATA[a <svg>]]></description><clues", 1)
    assert noted != text
    assert nonosat.loads(noted.encode()).rows == puzzle.rows


def test_a_file_that_begins_with_its_dimensions_is_read_as_gno() -> None:
    assert "[Row clues] is missing" in refusal("[Dimensions]\n2\n3\n")
