"""Nonograms as addresses of puzz.link and as game ids of Pattern, in files and as arguments."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import nonosat
from helpers.commands import records, run
from helpers.drawing import examples
from nonosat import formats
from nonosat.core.errors import FormatError, UnsupportedError
from nonosat.core.grid import Grid
from nonosat.core.model import Block
from nonosat.formats import loopy, pattern, puzzlink
from nonosat.puzzles.nonogram import Nonogram, from_grid, mono
from nonosat.puzzles.slitherlink import Slitherlink
from nonosat.testing.strategies import puzzles

INSTANCES = Path(__file__).parents[1] / "instances"

# ##.#     3 rows, 4 columns, an empty row
# ....
# .##.
TRICKY = mono([[2, 1], [], [2]], [[1], [1, 1], [1], [1]])
ADDRESS = "https://puzz.link/p?nonogram/4/3/1g111g1g12h2g"
GAME = "4x3:1/1.1/1/1/2.1//2"
# The example in the source of pattern.c: a cube, whose given cells make it unique.
CUBE = (
    "15x15:10/2.1/1.1.1/1.1.1/1.1.1/1.1.1/1.1.1/1.1.1/1.1.1/1.10/1.1.1/1.1.1/1.1.1/2.1/10/10/1.2/"
    "1.1.1/1.1.1/1.1.1/10.1/1.1.1/1.1.1/1.1.1/1.1.1/1.1.1/1.1.1/1.1.1/1.2/10,TNINzzzzGNzw"
)


# puzz.link


def test_the_example_of_its_authors() -> None:
    """Address and solved board of pzpr.js' own tests for the kind."""
    rows = [[2, 1], [1, 1], [1, 2], [], [1, 1], [3]]
    columns = [[2, 1], [1, 1, 1], [1], [1, 1, 1], [2, 1], []]
    address = b"https://puzz.link/p?nonogram/6/6/12g1111h11112j12g11g21j11g3h\n"
    assert list(puzzlink.read(address)) == [mono(rows, columns)]
    assert puzzlink.write([mono(rows, columns)]) == address
    solved = ["##.#..", "#...#.", ".#.##.", "......", "#...#.", ".###.."]
    (drawn,) = formats.read("\n".join(solved).encode(), format="picture")
    assert (drawn.rows, drawn.columns) == (mono(rows, columns).rows, mono(rows, columns).columns)


def test_long_blocks_and_gaps_between_numbers() -> None:
    (puzzle,) = puzzlink.read(b"nonogram/40/1/1zhzg-281\n".replace(b"zhzg", b"z" + b"y"))
    assert [len(clue) for clue in puzzle.columns] == [1] + [0] * 39
    assert puzzle.rows[0] == (Block(1), Block(40))
    # Numbers count from the board outwards, with gaps between them anywhere.
    (gaps,) = puzzlink.read(b"nonogram/1/5/g2g1g1\n")
    assert gaps.columns == ((Block(2),),)
    assert gaps.rows == ((Block(1),), (), (Block(1),), (), ())
    (wide,) = puzzlink.read(b"nonogram/1/7/1g23h\n")
    assert wide.columns == ((Block(3), Block(2), Block(1)),)


def test_omitted_parts_and_unknown_numbers() -> None:
    (puzzle,) = puzzlink.read(b"nonogram/2/2/1.")
    assert puzzle.columns == ((Block(1),), (Block(None),))
    assert puzzle.rows == ((), ())
    assert next(iter(puzzlink.read(b"nonogram/2/1/001"))).columns == ((), ())
    with pytest.raises(UnsupportedError, match="blocks of unknown length"):
        puzzlink.write([puzzle])


@pytest.mark.parametrize(
    "text",
    [
        "http://pzv.jp/p.html?nonogram/4/3/1g111g1g12h2g",
        "https://pzplus.tck.mn/p?nonogram_edit/4/3/1g111g1g12h2g",
        "https://pzprxs.vercel.app/p?type=editor&nonogram/v:/4/3/1g111g1g12h2g/",
        "?nonogram_play/4/3/1g111g1g12h2",
        "nonogram/4/3/1g111g1g12h2g",
    ],
)
def test_addresses_of_other_sites(text: str) -> None:
    assert puzzlink.sniff(text.encode())
    assert list(puzzlink.read(text.encode())) == [TRICKY]


def test_a_file_may_hold_both_kinds() -> None:
    loop = Slitherlink(2, 3, bytes([2, 255, 2, 255, 1, 255]))
    data = puzzlink.write([TRICKY, loop])
    assert data.startswith(ADDRESS.encode())
    assert list(puzzlink.read(b"# both\n" + data)) == [TRICKY, loop]
    assert [str(one.family) for one in formats.read(data)] == ["nonogram", "slitherlink"]


@given(puzzle=puzzles(max_colours=1, unknown=False, given=False))
@examples(25)
def test_addresses_come_back(puzzle: Nonogram) -> None:
    if not has_room(puzzle):
        with pytest.raises(UnsupportedError, match=r"room for \d+ numbers? up to 255"):
            puzzlink.write([puzzle])
        return
    (again,) = puzzlink.read(puzzlink.write([puzzle]))
    assert (again.rows, again.columns) == (puzzle.rows, puzzle.columns)


def test_blocks_above_255_are_refused() -> None:
    full = from_grid(Grid(1, 256, b"\1" * 256))
    with pytest.raises(UnsupportedError, match="up to 255 in such a line, not for the clue '256'"):
        puzzlink.write([full])
    almost = from_grid(Grid(1, 256, b"\1" * 255 + b"\0"))
    assert puzzlink.write([almost]).endswith(b"-ffzzzzzzm\n")
    assert next(iter(puzzlink.read(puzzlink.write([almost])))).rows == almost.rows


# Pattern


def test_the_example_in_its_source() -> None:
    (puzzle,) = pattern.read(CUBE.encode())
    assert (puzzle.height, puzzle.width, len(puzzle.given)) == (15, 15, 6)
    assert all(colour == 1 for _, _, colour in puzzle.given)
    result = nonosat.check(puzzle)
    assert result.verdict is nonosat.Verdict.UNIQUE
    assert str(result.solution).splitlines()[:2] == [".....##########", "....#........##"]
    assert pattern.write([puzzle]) == CUBE.encode() + b"\n"


def test_known_cells() -> None:
    (puzzle,) = pattern.read(b"4x3:1/1.1/1/1/2.1//2,Abj")
    assert puzzle.given == ((0, 0, 1), (0, 2, 0))
    wide = mono([[1]], [[1], *([[]] * 60)], given=((0, 0, 1), (0, 26, 0), (0, 53, 0)))
    text = b"61x1:1" + b"/" * 60 + b"/1,Azazbh\n"
    assert pattern.write([wide]) == text
    assert list(pattern.read(text)) == [wide]


@pytest.mark.parametrize(
    "text",
    [
        GAME,
        "pattern:" + GAME,
        "sgtpuzzles:pattern:" + GAME,
        "https://www.chiark.greenend.org.uk/~sgtatham/puzzles/js/pattern.html#" + GAME,
        "4x3:1/1.1/1/1/2.1/0/2",
    ],
)
def test_ways_to_write_a_game(text: str) -> None:
    assert pattern.sniff(text.encode())
    assert not loopy.sniff(text.encode())
    assert list(pattern.read(text.encode())) == [TRICKY]


def test_a_square_has_one_size() -> None:
    assert list(pattern.read(b"2:2/1/2/1")) == [mono([[2], [1]], [[2], [1]])]
    assert pattern.sniff(b"2:2/1/2/1")
    assert not pattern.sniff(b"2:2/1/2")  # a word of this form may be something else
    assert pattern.sniff(b"2x2:2/1/2")  # a mistake without doubt


@pytest.mark.slow
@given(data=st.data())
@examples(40)
def test_games_come_back(data: st.DataObject) -> None:
    some = data.draw(st.lists(puzzles(max_colours=1, unknown=False), min_size=1, max_size=3))
    again = list(pattern.read(pattern.write(some)))
    for one, other in zip(some, again, strict=True):
        assert (other.rows, other.columns) == (one.rows, one.columns)
        assert other.given == tuple(sorted(set(one.given)))


# Refusals


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("pattern:4x3:1/1.1/1/1/2.1/2", "1:13: 6 clues, expected 4 of columns and 3 of rows"),
        ("4x3:1/1..1/1/1/2.1//2", "1:7: '1..1', expected lengths with one '.' between them"),
        ("4x3:1/1.1/1/1/2.0//2", "1:17: a block of length 0, expected 1 or more"),
        ("  4x3:1/1.1/1/1/2.0//2", "1:19: a block of length 0"),
        ("4x3:1/1.1/1/1/2.1//2,A", "1: the known cells end 11 cells too early"),
        ("4x3:1/1.1/1/1/2.1//2,AbjA", "1:25: known cells beyond the 12 cells"),
        ("4x3:1/1.1/1/1/2.1//2,Abk", "1:24: known cells beyond the 12 cells"),
        ("4x3:1/1.1/1/1/2.1//2,", "1: the known cells end 12 cells too early"),
        ("0x3:1/1/1", "1: 3 rows x 0 columns, expected at least 1"),
        ("99999x99999:/", "expected at most 16,000,000"),
        ("pattern:15x15#1234", "a random seed that only the program itself can read, expected"),
        ("https://puzz.link/p?nonogram/2/2/11111", "1:38: numbers beyond the 4 places for them"),
        ("https://puzz.link/p?nonogram/2/2/i1l", "1:36: numbers beyond the 4 places for them"),
        ("https://puzz.link/p?nonogram/2/2/1-1", "1:35: the character '-', expected 0 to f"),
        ("https://puzz.link/p?nonogram/2/2/1A", "1:35: the character 'A'"),
        ("https://puzz.link/p?nonogram/3/1/hg10", "1: row 1 has a block of length 0"),
        ("https://puzz.link/p?nonogram/9999/9999/1", "expected at most 16,000,000"),
        (
            "https://puzz.link/p?coral/4/4/1",
            "1:21: a puzzle of the kind 'coral', expected nonogram",
        ),
    ],
)
def test_invalid_addresses_are_refused_with_a_reason(text: str, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        formats.read(text.encode(), name="file")
    assert message in str(caught.value).removeprefix("file:")
    with pytest.raises(FormatError) as caught:  # and the same in place of a file's name
        nonosat.load(text)
    assert message in str(caught.value)


def has_room(puzzle: Nonogram) -> bool:
    """True if an address can hold it: as many numbers as fit into a line, and none above 255."""
    rooms = ((puzzle.rows, puzzle.width), (puzzle.columns, puzzle.height))
    return not puzzle.given and all(
        2 * len(clue) - 1 <= length and all((block.length or 0) <= 255 for block in clue)
        for clues, length in rooms
        for clue in clues
    )


def is_plain(puzzle: Nonogram) -> bool:
    lengths = {block.length for clue in (*puzzle.rows, *puzzle.columns) for block in clue}
    return len(puzzle.colours) == 1 and None not in lengths


@pytest.mark.parametrize("path", sorted(INSTANCES.glob("*.jsonl")), ids=lambda path: path.stem)
def test_our_collection_comes_back(path: Path) -> None:
    for puzzle in formats.load_all(path):
        is_nonogram = isinstance(puzzle, Nonogram)
        held = {
            pattern: is_nonogram and is_plain(puzzle),
            puzzlink: is_nonogram and is_plain(puzzle) and has_room(puzzle),
        }
        for module, is_held in held.items():
            if is_held:
                (again,) = module.read(module.write([puzzle]))
                assert (again.rows, again.columns) == (puzzle.rows, puzzle.columns)
                assert again.given == tuple(sorted(puzzle.given))
            elif isinstance(puzzle, Slitherlink) and module is puzzlink:
                (again,) = module.read(module.write([puzzle]))
                assert again.clues == puzzle.clues
            else:
                with pytest.raises(UnsupportedError):
                    module.write([puzzle])


# Words in place of a file's name


@pytest.mark.parametrize("word", [ADDRESS, GAME, "4x3t0:2b2c1d", "pattern:" + CUBE])
def test_a_word_stands_for_a_file(word: str) -> None:
    puzzle = nonosat.load(word)
    assert (puzzle.about.id, *formats.iter_sources([word])) == ("1", (word, puzzle))
    assert formats.load_all(f"{word}#1") == [puzzle]
    with pytest.raises(FormatError, match="no puzzle '2' in the file, it has 1"):
        formats.load(f"{word}#2")
    assert run("check", word).exit_code in (0, 3)
    (record,) = records(run("check", word, "--json"))
    assert (record["id"], record["file"]) == ("1", word)


def test_an_existing_file_takes_precedence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "nonogram" / "1").mkdir(parents=True)
    (tmp_path / "nonogram" / "1" / "1").write_text("##\n", encoding="utf-8")
    assert nonosat.load("nonogram/1/1").width == 2
    assert nonosat.load("nonogram/1/1/11").width == 1


def test_a_given_format_or_family_applies() -> None:
    assert nonosat.load(GAME, format="pattern").rows == TRICKY.rows
    with pytest.raises(FormatError, match="cannot be read: No such file"):
        nonosat.load(GAME, format="non")
    result = run("check", GAME, "--family", "slitherlink")
    assert result.exit_code == 2
    assert "No such file" in result.stderr


@pytest.mark.parametrize(
    "address",
    [
        "https://www.nonograms.org/nonograms/i/4353",
        "https://puzz.link/list.html",
        "http://webpbn.com/play.cgi?id=1",
    ],
)
def test_other_addresses_are_refused(address: str) -> None:
    result = run("check", address)
    assert result.exit_code == 2
    assert "nothing is fetched from the network" in result.stderr
    assert "https://puzz.link/p?nonogram/4/3/..." in result.stderr
    assert "save the puzzle as a file" in result.stderr


@given(word=st.text("0123456789x:/.,#-?abzA nonogramslitherp", max_size=30))
@examples(60)
def test_any_word_is_a_puzzle_or_refused(word: str) -> None:
    assume(not re.fullmatch(r"[.#/]*|.*-(#.*)?", word) and not Path(word.split("#")[0]).exists())
    try:
        found = formats.load_all(word)
    except FormatError:
        return
    assert len(found) == 1


# Empty names


def test_an_empty_name_is_not_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.txt").write_text("##\n", encoding="utf-8")
    assert len(formats.load_all(".")) == 1
    for ask in (formats.load, formats.load_all, formats.content, nonosat.load):
        with pytest.raises(FormatError, match="an empty name, expected a file"):
            ask("")
    for command in (
        ("check", ""),
        ("solve", "a.txt", ""),
        ("show", ""),
        ("count", ""),
        ("explain", ""),
        ("hint", "a.txt", "--given", ""),
        ("convert", "", "b.non"),
        ("convert", "a.txt", ""),
        ("batch", "", "-o", "out.jsonl"),
        ("decode", "a.txt", ""),
        ("verify", ""),
        ("bench", "report", ""),
    ):
        result = run(*command)
        assert result.exit_code == 2
        before = command[command.index("") - 1]
        assert f"the argument after {before!r} is empty; is a variable" in result.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["a.txt"]


def test_the_first_word_among_clues_is_named() -> None:
    text = b"width 2\nheight 2\nrows\n2\nblue 1\ncolumns\n2\n1\n"
    with pytest.raises(FormatError, match=r"^a\.non:5:1: 'blue 1' among the clues, expected rows"):
        formats.read(text, name="a.non")
