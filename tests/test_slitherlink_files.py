"""Slitherlinks as files and pictures, and new ones: formats, the frame, the generator."""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

import nonosat
from helpers import boards
from helpers.commands import run
from helpers.drawing import examples
from nonosat import formats, render
from nonosat.core import plugins
from nonosat.core.errors import FormatError, LimitReached, PuzzleError, UnsupportedError
from nonosat.core.result import Verdict
from nonosat.formats import loopy, puzzlink
from nonosat.formats import slitherlink as judge
from nonosat.formats._choose import suffixes
from nonosat.generate.slitherlink import generate_slitherlink
from nonosat.puzzles.nonogram import Nonogram, mono
from nonosat.puzzles.queens import Queens
from nonosat.puzzles.slitherlink import BLANK, Slitherlink, around, from_rows, to_data
from nonosat.render import Style, figures
from nonosat.testing.boards import all_paths, slitherlink_solutions
from nonosat.testing.strategies import slitherlinks

GOLDEN = Path(__file__).with_name("data") / "formats"
TRICKY = from_rows(["3...", "3...", ".22.", ".2.1"])
OWN = {"slitherlink": judge, "loopy": loopy, "puzzlink": puzzlink}


# Formats


@pytest.mark.parametrize("name", OWN)
def test_golden_files(name):
    data = (GOLDEN / f"tricky.{name}").read_bytes()
    assert list(OWN[name].read(data)) == [TRICKY]
    assert OWN[name].write([TRICKY]) == data.replace(b"de:", b":")
    assert OWN[name].sniff(data)
    assert formats.load_all(GOLDEN / f"tricky.{name}")[0].clues == TRICKY.clues


@pytest.mark.parametrize("name", [*OWN, "jsonl"])
@given(puzzle=slitherlinks())
@examples(15)
def test_puzzles_come_back(name, puzzle):
    module = plugins.find("formats", name)
    if name == "slitherlink" and BLANK not in puzzle.clues and 4 in puzzle.clues:
        with pytest.raises(UnsupportedError, match="use jsonl, loopy or puzzlink"):
            module.write([puzzle])
        return
    data = module.write([puzzle])
    (again,) = module.read(data)
    assert to_data(again) == to_data(puzzle)
    assert module.sniff(data)
    for other in set(OWN) - {name}:
        assert not OWN[other].sniff(data)


@pytest.mark.parametrize("name", ["loopy", "puzzlink"])
def test_many_puzzles_in_a_file(name):
    puzzles = [TRICKY, boards.sample(), Slitherlink(7, 9, bytes([BLANK] * 63))]
    assert list(OWN[name].read(b"# some\n\n" + OWN[name].write(puzzles))) == puzzles


def test_the_sample_as_the_judge_writes_it():
    assert judge.read(boards.SAMPLE.encode()) == [boards.sample()]
    assert judge.write([boards.sample()]) == boards.SAMPLE.encode()
    assert judge.sniff(boards.SAMPLE.encode())
    assert judge.read(b"2 3\r\n\n1.-\r\n - 0 4\r\n") == [from_rows(["1..", ".04"])]
    assert judge.read(b"2 1\n3\n3") == [from_rows(["3", "3"])]


def test_words_of_other_programs():
    assert list(puzzlink.read(b"http://pzv.jp/p.html?slitherlink/v:/4/4/dgdh2c71")) == [TRICKY]
    address = b"https://puzz.link/p?slither/10/10/zsan23dzzq\n"
    assert puzzlink.write(list(puzzlink.read(address))) == address
    assert next(iter(puzzlink.read(b"slither/3/3/g0.g.g.gg"))).rows() == [".0.", "...", "..."]
    assert list(loopy.read(b"3x2:a12c")) == list(loopy.read(b"3x2t0dh:a12c"))
    assert next(iter(loopy.read(b"3x2:a12c"))).rows() == [".12", "..."]


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("slitherlink", "", "1: the file is empty, expected 'M N'"),
        ("slitherlink", "2", "1: '2', expected 'M N', two positive numbers"),
        ("slitherlink", "1 2 0\n1 1 0", "1: '1 2 0', expected 'M N'"),
        ("slitherlink", "0 2", "1: 0 rows x 2 columns, expected at least 1"),
        ("slitherlink", "3000 3000\n1", "1: 3000 rows x 3000 columns are 9,000,000 cells"),
        ("slitherlink", "2 2\n1 1", "2: 1 row of clues, expected 2"),
        ("slitherlink", "1 2\n1 1\n1 1\n", "3: 2 rows of clues, expected 1"),
        ("slitherlink", "2 2\n1 .\n1 . 1\n", "3: a row of 3 clues, expected 2"),
        ("slitherlink", "1 3\n1 5 .\n", "2:3: the clue '5', expected 0 to 4, or '.', '-'"),
        ("slitherlink", "1 3\n1x.\n", "2:2: the clue 'x'"),
        ("slitherlink", "1 2\n1 11\n", "2:3: the clue '11'"),
        ("slitherlink", "2 2\n1 1\n1 4\n", "3: the clue 4 in row 1, column 1 of a board without"),
        ("loopy", "# nothing", "1: there is no puzzle in the file"),
        ("loopy", "3x3", "1: '3x3', expected such as 5x4t0:a2b33m"),
        ("loopy", "3x3t1:i", "1:4: the grid t1, expected t0"),
        ("loopy", "2x2:5c", "1:5: the clue 5, expected 0 to 4"),
        ("loopy", "2x2:a1", "1: 2 cells, expected 2 rows x 2 columns"),
        ("loopy", "2x2:a1z", "1: 28 cells, expected 2 rows x 2 columns"),
        ("loopy", "2x2:a111111", "1:9: clues beyond the 4 cells"),
        ("loopy", "0x2:a", "1: 2 rows x 0 columns"),
        ("loopy", "99999999999x2:a", "expected such as"),
        ("loopy", "2x2#123", "expected such as"),
        ("puzzlink", "https://puzz.link/p?nurikabe/4/4/dgdh2c71", "1:21: a puzzle of the kind"),
        ("puzzlink", "https://puzz.link/p?slither/f/4/4/dgdh2c71", "1:29: the variant 'f'"),
        ("puzzlink", "https://puzz.link/p?slither/4", "expected such as https"),
        ("loopy", "https://x.org/js/loopy.html#3x3t0#123", "a random seed that only the program"),
        ("puzzlink", "https://puzz.link/p?slither/2/2/f", "1:33: the character 'f'"),
        ("puzzlink", "https://puzz.link/p?slither/2/2/g1", "1: 2 cells, expected 2 rows"),
        ("puzzlink", "https://puzz.link/p?slither/2/2/1111 1", "expected such as"),
        ("puzzlink", "\nhttps://puzz.link/p?slither/2/2/z1", "2:34: clues beyond the 4 cells"),
        ("puzzlink", "https://puzz.link/p?slither/2/0/", "1: 0 rows x 2 columns"),
    ],
)
def test_other_texts_are_refused(name, text, message):
    with pytest.raises(FormatError) as refused:
        list(OWN[name].read(text.encode()))
    assert message in str(refused.value)


def test_other_families_are_refused():
    for name in ("slitherlink", "loopy"):
        with pytest.raises(UnsupportedError, match="it holds slitherlink"):
            OWN[name].write([mono([(1,)], [(1,)])])
    with pytest.raises(UnsupportedError, match="queens, it holds slitherlink and nonogram"):
        puzzlink.write([Queens(4)])
    with pytest.raises(UnsupportedError, match="holds one puzzle"):
        judge.write([TRICKY, TRICKY])


def unspaced(puzzle):
    return f"{puzzle.height} {puzzle.width}\n" + "\n".join(puzzle.rows()) + "\n"


@pytest.mark.parametrize("name", ["", "board", "board.txt", "board.TXT", "board.unheard-of"])
def test_rows_without_separators_are_recognised(name):
    for puzzle in (TRICKY, from_rows(["1.", "..", "23"]), from_rows(["." * 12])):
        for text in (unspaced(puzzle), unspaced(puzzle).replace("\n", "\r\n").rstrip()):
            (found,) = formats.read(text.encode(), name=name)
            assert found.about_with(id="") == puzzle
    assert not judge.plausible(unspaced(from_rows(["1232", "3012"])).encode())  # bare numbers


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("2..1.\n.2..1\n..2..\n3..3.\n.0..3\n", ["2..1.", ".2..1", "..2..", "3..3.", ".0..3"]),
        ("2 2\n3 -1\n-1 3\n", ["3.", ".3"]),
        ("3 -1 2\n-1 3 -1\n", ["3.2", ".3."]),
        ("-1 3\n3 -1\n2 2\n", [".3", "3.", "22"]),
        ("\n3-3\r\n-1-\r\n\r\n", ["3.3", ".1."]),
        ("3 . 3\n_ 1 *", ["3.3", ".1."]),
        ("2 3\n. 1\n3 .", ["23", ".1", "3."]),
        ("2 3\n1..\n..2\n", ["1..", "..2"]),
        ("3_3\n???\n", ["3.3", "..."]),
        ("0\n.\n", ["0", "."]),
        ("3,.,3\n.,.,.\n3,.,3\n", ["3.3", "...", "3.3"]),
        ("3;-1;2\r\n-1;3;-1", ["3.2", ".3."]),
        ("|3|.|\n|.|3|\n", ["3.", ".3"]),
        ("[[3,-1],\n [-1,3]]\n", ["3.", ".3"]),
        ('[["3","."],\n ["0","."]]', ["3.", "0."]),
        ("[3,-1,2]", ["3.2"]),
        ("3x3\n3.3\n...\n.2.\n", ["3.3", "...", ".2."]),
        ("2 x 3\n3 . 3\n. . .\n", ["3.3", "..."]),
        ("2x2\n3,.\n.,3", ["3.", ".3"]),
        ("Slitherlink\n3.3\n...\n", ["3.3", "..."]),
        ("slither link:\n\n. .\n", [".."]),
        ("slink\n2 2\n22\n22\n", ["22", "22"]),
    ],
)
def test_grids_without_a_size_are_recognised(text, rows):
    for name in ("", "-", "grid.txt"):
        (found,) = formats.read(text.encode(), name=name)
        assert found.about_with(id="") == from_rows(rows)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("2..1.\n.2.5.\n", "2:4: the clue '5', expected 0 to 4"),
        ("2..1.\n.2.\n", "2: a row of 3 clues, expected 5"),
        ("3 -1\n-1 17\n", "2:4: the clue '17', expected 0 to 4"),
        ("Q...\n.Q\n", "1: a row of 4 squares, expected 2"),
        ("slitherlink\n0012\n.9..\n", "3:2: the clue '9', expected 0 to 4"),
        ("slitherlink\n3,.\n.\n", "3: a row of 1 clue, expected 2"),
        ("slitherlink\n0123\n3210\n", "2: '0123', expected 'M N'"),
        ("slitherlink\n[[3,-1],[-1,3]]", "2: rows in brackets on one line, expected a line for"),
    ],
)
def test_errors_are_about_the_family_that_the_signs_belong_to(text, message):
    with pytest.raises(FormatError) as refused:
        formats.read(text.encode())
    assert message in str(refused.value)


def test_a_grid_that_is_a_list_of_clues_as_well_is_refused():
    with pytest.raises(FormatError, match=r"format=: csv, slitherlink, rows-first:3x3"):
        formats.read(b"1\n-\n1\n1\n-\n1\n")


@pytest.mark.parametrize("text", ["1,.\n", "1;.\n.;1\n", "1,.,1\n.,0,."])
def test_tables_of_cells_are_no_grids_of_clues(text):
    (found,) = formats.read(text.encode())
    assert found.family == "nonogram"


@pytest.mark.parametrize("text", ["1,2\n-1,3\n", "2, 1\n-, 1\n", "1, 2\n3, -1\n[1], [1]\n"])
def test_a_separated_grid_with_several_meanings_is_not_guessed(text):
    with pytest.raises(FormatError):
        formats.read(text.encode())


def rows_of(size):
    """Texts with as many rows and columns as their first line declares."""
    height, width = size
    row = st.text("01234.-", min_size=width, max_size=width)
    rows = st.lists(row, min_size=height, max_size=height)
    return rows.map(lambda found: "\n".join([f"{height} {width}", *found]))


@given(
    text=st.lists(st.text("01234.-# ", min_size=1, max_size=4), max_size=5).map("\n".join)
    | st.tuples(st.integers(1, 3), st.integers(2, 5)).flatmap(rows_of),
    suffix=st.just(".txt") | st.sampled_from(["", *sorted(suffixes())]),
)
def test_texts_of_other_formats_are_not_taken(text, suffix):
    def taken():
        try:
            return formats.read(text.encode(), name=f"board{suffix}")
        except FormatError:
            return None

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(judge, "plausible", lambda data: False)
        before = taken()
    assert before is None or taken() == before


@given(
    data=st.binary(max_size=40)
    | st.text("0123456789 \n.-xtabz:/?slithernonogram", max_size=40).map(str.encode)
)
@examples(120)
def test_arbitrary_bytes(data):
    for module in OWN.values():
        module.sniff(data)
        with suppress(FormatError):
            found = module.read(data)
            assert all(isinstance(puzzle, Slitherlink | Nonogram) for puzzle in found)


def test_nonograms_are_no_slitherlinks():
    for path in GOLDEN.iterdir():
        if path.suffix[1:] not in OWN:
            assert not any(module.sniff(path.read_bytes()) for module in OWN.values()), path


# Pictures


def test_the_frame_of_the_document():
    solution = nonosat.solve(boards.sample()).solution
    assert render.text(boards.sample(), solution) == boards.FRAME
    blank = re.sub(r"[-+|]", " ", boards.FRAME)
    assert render.text(boards.sample(), None) == blank


def test_small_frames():
    one = render.text(from_rows(["4"]), around(1, 1, [1]))
    assert one.split("\n")[2:-2] == ["# +---+ #", "# | 4 | #", "# +---+ #"]
    wide = render.text(from_rows([".."]), around(1, 2, [1, 1]), marked=[(0, 1)])
    assert wide.split("\n")[2:-2] == ["# +-------+ #", "# |      ?| #", "# +-------+ #"]
    tall = render.text(from_rows([".", "."]), around(2, 1, [1, 1]))
    assert tall.split("\n")[4] == "# |   | #"


def test_colours_change_no_character():
    solution = nonosat.solve(boards.sample()).solution
    coloured = render.text(boards.sample(), solution, Style(ansi=True))
    assert "\x1b[" in coloured
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == boards.FRAME


@given(puzzle=slitherlinks())
@examples(30)
def test_every_frame_shows_all_marks(puzzle):
    for path in all_paths(puzzle.height, puzzle.width)[:5]:
        lines = render.text(puzzle, path).split("\n")
        assert {len(line) for line in lines} == {4 * puzzle.width + 5}
        assert len(lines) == 2 * puzzle.height + 5
        body = [line[2:-2] for line in lines[2:-2]]
        assert sum(line.count("---") for line in body) >= 2
        for row in range(puzzle.height):
            edges = path.vertical(row)
            assert [body[2 * row + 1][4 * c] == "|" for c in range(puzzle.width + 1)] == [
                *map(bool, edges)
            ]
        assert sum(line.count("+") for line in body) % 2 == 0


def test_svg_is_drawn():
    result = nonosat.solve(boards.sample())
    root = ElementTree.fromstring(figures.svg_of(result))
    shapes = [element.tag.split("}")[1] for element in root.iter()]
    assert shapes.count("path") == 3  # inside, corners, the loop
    texts = [element.text for element in root.iter() if element.tag.endswith("text")]
    assert texts[:4] == ["1", "0", "1", "1"]
    disputed = nonosat.check(from_rows(["..", ".."]))
    (squares,) = (
        path.get("d", "")
        for path in ElementTree.fromstring(figures.svg_of(disputed)).iter()
        if path.get("fill-opacity")
    )
    assert squares.count("z") == len(disputed.disputed)
    assert ElementTree.fromstring(figures.svg_of(TRICKY)) is not None


# Generator


@pytest.mark.parametrize(
    ("height", "width", "share"),
    [(1, 1, 0.5), (1, 6, 1), (7, 1, 0), (3, 3, 0), (8, 5, 0.4), (12, 12, 0.3), (10, 10, 1)],
)
def test_generated_boards_have_one_solution(height, width, share):
    for seed in range(3):
        puzzle = generate_slitherlink(height, width, share, seed)
        assert (puzzle.height, puzzle.width) == (height, width)
        assert nonosat.check(puzzle, backend="cadical195").verdict is Verdict.UNIQUE
        assert puzzle.num_clues >= round(share * height * width)
        if height * width <= 12:
            assert len(slitherlink_solutions(puzzle)) == 1
    assert generate_slitherlink(height, width, share, 2) == puzzle


def test_every_clue_left_is_needed_if_the_share_cannot_be_met():
    puzzle = generate_slitherlink(5, 5, 0, 4)
    assert puzzle.num_clues > 0
    for place, clue in enumerate(puzzle.clues):
        if clue != BLANK:
            less = puzzle.clues[:place] + bytes([BLANK]) + puzzle.clues[place + 1 :]
            assert nonosat.check(Slitherlink(5, 5, less)).verdict is Verdict.MULTIPLE


def test_the_share_is_met_if_possible():
    for share in (0.5, 0.75, 1):
        assert generate_slitherlink(12, 12, share, 1).num_clues == round(144 * share)


def test_the_generator_refuses_and_stops(clock):
    clock.step_s = 0.002
    for size, share in (((0, 3), 0.5), ((3, -1), 0.5), ((3, 3), 1.5), ((3, 3), float("nan"))):
        with pytest.raises(PuzzleError, match="expected"):
            generate_slitherlink(*size, clues=share)
    with pytest.raises(LimitReached):
        generate_slitherlink(60, 60, 0.3, 1, time_limit_s=0.01)


# Commands


def test_the_command_generates(tmp_path):
    shown = run("generate", "slitherlink", "5", "6", "--seed", "3")
    assert shown.exit_code == 0
    (puzzle,) = judge.read(shown.stdout_bytes)
    assert puzzle == generate_slitherlink(5, 6, 0.4, 3)
    out = tmp_path / "new.puzzlink"
    command = ("generate", "slitherlink", "4", "4", "--count", "3", "-o", str(out))
    assert run(*command).exit_code == 0
    assert len(formats.load_all(out)) == 3
    assert run(*command).exit_code == 2
    assert run(*command, "--force").exit_code == 0
    lines = run("generate", "slitherlink", "4", "4", "--count", "2").stdout
    assert [*map(str, re.findall(r'"id":"([^"]*)"', lines))] == ["4x4-0.4-0", "4x4-0.4-1"]


def test_the_command_names_mistakes(clock):
    clock.step_s = 4
    for arguments, status in (
        (("0", "3"), 2),
        (("3", "3", "--clues", "2"), 2),
        (("3", "x"), 2),
        (("80", "80", "--time-limit", "60"), 5),
    ):
        assert run("generate", "slitherlink", *arguments).exit_code == status


def test_commands_take_boards(tmp_path):
    path = tmp_path / "board.txt"
    path.write_text(boards.SAMPLE)
    solved = run("solve", str(path))
    assert solved.exit_code == 0
    assert solved.stdout.startswith(boards.FRAME)
    assert run("check", str(path), "--backend", "rules").exit_code == 0
    assert run("check", str(path), "--family", "slitherlink").exit_code == 0
    path.write_text("1 3\n. . .\n")
    assert run("check", str(path)).exit_code == 3
    assert run("check", str(path), "--backend", "rules").exit_code == 5
    path.write_text("1 3\n1 5 .\n")
    wrong = run("check", str(path), "--from", "slitherlink")
    assert wrong.exit_code == 2
    assert "the clue '5', expected 0 to 4" in wrong.stderr
