"""Formats: detection, safe opening, arbitrary bytes, files and folders."""

from __future__ import annotations

import gzip
import io
import logging
import sys
import zlib
from collections.abc import Callable
from pathlib import Path
from time import process_time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.drawing import examples
from nonosat import formats
from nonosat.core import plugins
from nonosat.core.errors import FormatError, NonosatError, UnsupportedError
from nonosat.core.grid import Grid
from nonosat.formats import _text
from nonosat.puzzles.nonogram.data import Nonogram, from_grid
from nonosat.testing.strategies import grids

GOLDEN = Path(__file__).parent / "data" / "formats"
READABLE = sorted(plugins.names("formats"))
QUICK = examples(20)

TOY_NIN = b"4 3\n2 1\n0\n2\n1\n1 1\n1\n1\n"
TOY = (((2, 1), (), (2,)), ((1,), (1, 1), (1,), (1,)))
TURNED = (TOY[1], TOY[0])
ROWS, COLUMNS = b"2 1\n0\n2\n", b"1\n1 1\n1\n1\n"


def lengths(puzzle: Nonogram) -> tuple[tuple[tuple[int | None, ...], ...], ...]:
    sides = (puzzle.rows, puzzle.columns)
    return tuple(tuple(tuple(b.length for b in clue) for clue in side) for side in sides)


# ---- detection of the format


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("tiny.jsonl", "jsonl"),
        ("tricky.json", "jsonl"),
        ("tiny.non", "non"),
        ("tiny.xml", "webpbn"),
        ("tricky.xml", "webpbn"),
        ("tiny.g", "g"),
        ("tricky.g", "g"),
        ("tiny.txt", "picture"),
        ("tiny.mk", "mk"),
    ],
)
def test_content_decides_the_format_under_any_name(name: str, kind: str) -> None:
    data = (GOLDEN / name).read_bytes()
    assert formats.format_of("whatever", data) == kind
    if kind != "mk":  # bare numbers: here the suffix decides
        assert formats.format_of("misleading.nin", data) == kind


@pytest.mark.parametrize("path", sorted(GOLDEN.iterdir()), ids=lambda path: path.name)
def test_suffix_decides_the_format(path: Path) -> None:
    kind = formats.format_of(path)
    assert path.suffix in plugins.find("formats", kind).suffixes
    assert formats.format_of(path, path.read_bytes()) == kind
    assert formats.format_of(f"{path}.gz".upper(), path.read_bytes()) == kind


def test_utf16_xml_is_read_and_utf16_numbers_are_refused() -> None:
    text = (GOLDEN / "tiny.xml").read_text().removeprefix('<?xml version="1.0"?>\n')
    assert formats.read(text.encode("utf-16"))[0].about.title == "boot"
    with pytest.raises(FormatError, match="UTF-8"):
        formats.read(TOY_NIN.decode().encode("utf-16-le"), format="nin")


def test_writing_compressed_and_nameless_files_is_refused() -> None:
    for name in ("a.non.gz", "a", "a.unheard-of", "a.rows-first"):
        with pytest.raises(UnsupportedError):
            formats.format_of(name)


def test_a_text_of_no_format_is_refused_with_the_formats() -> None:
    with pytest.raises(FormatError, match=r"format=: .*columns-first.*webpbn"):
        formats.read(b"once upon a time\n", name="story")
    with pytest.raises(FormatError, match="empty"):
        formats.read(b" \n", name="story.non")


# ---- bare numbers


@pytest.mark.parametrize("name", ["numbers", "numbers.txt", "numbers.dat"])
def test_a_puzzle_and_its_transpose_are_never_distinguished(name: str) -> None:
    for data in (TOY_NIN, b"3 4\n" + ROWS + COLUMNS, b"3\n4\n\n" + ROWS + b"\n" + COLUMNS):
        with pytest.raises(FormatError) as caught:
            formats.read(data, name=name)
        assert "rows-first:3x4" in str(caught.value)
        assert "columns-first:4x3" in str(caught.value)
        assert "format=" in str(caught.value)


def test_the_reading_that_nin_has_is_named() -> None:
    with pytest.raises(FormatError, match=r"nin \(the same as rows-first:3x4\)"):
        formats.read(TOY_NIN)


def test_square_numbers_are_refused() -> None:
    with pytest.raises(FormatError, match="rows-first:2x2, columns-first:2x2"):
        formats.read(b"2 2\n2\n0\n1\n1\n")


@pytest.mark.parametrize("name", ["a.nin", "a.NIN.GZ"])
def test_a_specific_suffix_decides(name: str) -> None:
    (puzzle,) = formats.read(TOY_NIN, name=name)
    assert lengths(puzzle) == TOY


def test_the_only_reading_is_taken_and_reported(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "nonosat"):
        (puzzle,) = formats.read(b"3 4\n" + ROWS + b"#\n" + COLUMNS, name="toy")
        (same,) = formats.read(b"2 2\n2\n1\n2\n1\n", name="even")  # its own transpose
    assert lengths(puzzle) == TOY
    assert lengths(same) == (((2,), (1,)), ((2,), (1,)))
    assert caplog.messages == [
        "toy: bare numbers, read as mk",
        "even: bare numbers, read as rows-first:2x2",
    ]


def test_numbers_that_fit_nothing_are_refused() -> None:
    for data in (b"4 3\n2 1\n0\n3\n1\n1 1\n1\n1\n", b"2 2\n3\n0\n1\n1\n1\n", b"17\n"):
        with pytest.raises(FormatError, match=r"do not fit any size.*columns-first"):
            formats.read(data)
    with pytest.raises(FormatError, match="format='mk'"):
        formats.read(b"1 2\n1\n#\n1\n1\n")


def test_zeros_and_ones_may_be_a_picture() -> None:
    with pytest.raises(FormatError, match="picture"):
        formats.read(b"11\n" * 24)  # or a full board of 11 x 11, whose sizes come first
    assert lengths(formats.read(b"110\n101\n", name="a.txt")[0]) == (
        ((2,), (1, 1)),
        ((2,), (1,), (1,)),
    )


ENDED = b"2 1 0\n0\n2 0\n", b"1 0\n1 1 0\n1 0\n1 0\n"


@pytest.mark.parametrize(
    ("name", "data", "expected"),
    [
        ("rows-first:3x4", TOY_NIN, TOY),
        ("columns-first:4x3", TOY_NIN, TURNED),
        ("rows-first", TOY_NIN, TOY),
        ("columns-first", b"3 4\n" + COLUMNS + ROWS, TOY),
        ("rows-first", b"3 4\n" + b"".join(ENDED), TOY),
        ("columns-first", b"3 4\n" + b"".join(ENDED[::-1]), TOY),
        ("rows-first", ROWS + b"\n" + COLUMNS, TOY),
        ("columns-first", COLUMNS + b"\n\n" + ROWS, TOY),
        ("columns-first", b"2 2\n2\n0\n1\n1\n", (((1,), (1,)), ((2,), ()))),
        ("columns-first", b"2 2\n2\n1\n2\n1\n", (((2,), (1,)), ((2,), (1,)))),
        ("rows-first:1x2", b"1 2\n2\n0\n0\n", (((2,),), ((), ()))),  # unsolvable, but requested
    ],
)
def test_the_order_can_be_given(name: str, data: bytes, expected: object) -> None:
    (puzzle,) = formats.read(data, name="numbers", format=name)
    assert lengths(puzzle) == expected


@QUICK
@given(grid=grids(max_colours=1), turned=st.booleans())
def test_bare_numbers_are_right_or_refused(grid: Grid, turned: bool) -> None:
    puzzle = from_grid(grid)
    data = formats.write([puzzle], "nin")
    order = "columns-first" if turned else "rows-first"
    board = (puzzle.width, puzzle.height) if turned else (puzzle.height, puzzle.width)
    (read,) = formats.read(data, format=f"{order}:{board[0]}x{board[1]}")
    sides = (puzzle.columns, puzzle.rows) if turned else (puzzle.rows, puzzle.columns)
    assert (read.rows, read.columns) == sides
    if puzzle.rows == puzzle.columns:
        assert formats.read(data)[0].rows == puzzle.rows
    else:
        with pytest.raises(FormatError, match="format="):
            formats.read(data)


# ---- safety

LAUGHS = '<!ENTITY a "ha">' + "".join(
    f'<!ENTITY {"abcdefghij"[k]} "{("&" + "abcdefghij"[k - 1] + ";") * 10}">' for k in range(1, 10)
)
HOSTILE = [
    f"<!DOCTYPE pbn [{LAUGHS}]><puzzle><title>&j;</title></puzzle>",
    '<!DOCTYPE pbn [<!ENTITY x SYSTEM "file:///etc/passwd">]><puzzle><title>&x;</title></puzzle>',
    '<!DOCTYPE pbn [<!ENTITY % x SYSTEM "http://localhost:1/x"> %x;]><puzzle/>',
    f'<!DOCTYPE pbn [<!ATTLIST count color CDATA "{"x" * 1000}">]><puzzle/>',
]


@pytest.mark.parametrize("text", HOSTILE, ids=["laughs", "file", "parameter", "attribute"])
def test_hostile_xml_is_refused(text: str) -> None:
    with pytest.raises(FormatError, match="declarations of its own") as caught:
        formats.read(text.encode(), name="bomb.xml")
    assert caught.value.line == 1


def test_a_doctype_is_never_fetched(tmp_path: Path) -> None:
    (tmp_path / "evil.dtd").write_text('<!ENTITY eacute "EVIL">')
    doctype = f'<!DOCTYPE pbn SYSTEM "{(tmp_path / "evil.dtd").as_uri()}">'
    body = (
        "<puzzle><title>&eacute;&nowhere;</title><solution><image>|X|</image></solution></puzzle>"
    )
    (puzzle,) = formats.read((doctype + body).encode())
    assert puzzle.about.title == "é&nowhere;"


def test_deep_xml_is_no_harm() -> None:
    text = b"<puzzleset>" + b"<note>" * 100_000
    with pytest.raises(FormatError, match="32 deep"):
        formats.read(text, format="webpbn")


@pytest.mark.parametrize("pack", [gzip.compress, zlib.compress], ids=["gzip", "zlib"])
def test_compressed_files(pack: Callable[[bytes], bytes], monkeypatch: pytest.MonkeyPatch) -> None:
    data = pack((GOLDEN / "tricky.nonpack").read_bytes())
    assert len(formats.read(data, name="a.nonpack.gz")) == 2
    with pytest.raises(FormatError):
        formats.read(data[:-9], name="cut.nonpack.gz")
    monkeypatch.setattr(_text, "MAX_BYTES", 100)
    with pytest.raises(FormatError, match="more than 100, expected fewer"):
        formats.read(data, name="bomb.nonpack.gz")


def test_gzip_files_one_after_the_other() -> None:
    data = gzip.compress(b"##\n") + gzip.compress(b"#.\n")
    assert str(formats.read(data)[0].goal) == "##\n#."


def test_text_that_resembles_compressed_data_is_text() -> None:
    assert str(formats.read(b"x^.\n^x.\n", format="picture")[0].goal) == "a#.\n#a."


def test_metadata_cannot_move_the_terminal() -> None:
    data = b'{"rows":[[1]],"columns":[[1]],"title":"a\\u001b[2J\\ud800b","id":"\\u0000"}'
    (puzzle,) = formats.read(data)
    assert puzzle.about.title.isprintable() or "\ufffd" in puzzle.about.title
    assert "\x1b" not in puzzle.about.title
    for name in ("jsonl", "non", "webpbn", "g"):
        assert formats.read(formats.write([puzzle], name), format=name)[0].rows == puzzle.rows


# ---- arbitrary bytes: puzzles that can be written again, or a FormatError


def read_or_refuse(data: bytes, name: str | None) -> None:
    try:
        found = formats.read(data, name="some.file", format=name)
    except FormatError as error:
        refused = error
    else:
        refused = None
    if refused is not None:
        assert str(refused).startswith("some.file")
        return
    assert len({puzzle.about.id for puzzle in found}) == len(found)
    assert formats.read(formats.write(found, "jsonl"), format="jsonl") == found


@pytest.mark.thorough
@pytest.mark.parametrize("name", [*READABLE, None])
@QUICK
@given(
    data=st.binary(max_size=60)
    | st.text("0123 \n\t#.,xab:=<>{}[]\"'?&-", max_size=60).map(str.encode)
)
def test_arbitrary_bytes(name: str | None, data: bytes) -> None:
    read_or_refuse(data, name)


GOLDEN_BYTES = {path.name: path.read_bytes() for path in sorted(GOLDEN.iterdir())}


@pytest.mark.thorough
@pytest.mark.parametrize("file", GOLDEN_BYTES)
@QUICK
@given(data=st.data())
def test_mutated_golden_files(file: str, data: st.DataObject) -> None:
    text = bytearray(GOLDEN_BYTES[file])
    places = st.integers(0, len(text) - 1)
    snippet = st.sampled_from([b"0", b"-1", b"\n", b"\n\n", b'"', b"<", b"9" * 12, b"\0", b"\xff"])
    for _ in range(data.draw(st.integers(1, 4))):
        start, count = data.draw(places), data.draw(st.integers(0, 6))
        text[start : start + count] = data.draw(snippet | st.binary(max_size=3))
    kind = formats.format_of(file)
    read_or_refuse(bytes(text), data.draw(st.sampled_from([kind, None])))


# ---- files, folders, ids


def many(*ids: str) -> bytes:
    lines = [f'{{"id": "{one}", "rows": [[1]], "columns": [[1]]}}' for one in ids]
    return "\n".join(lines).encode()


def test_ids_are_unique_in_a_file() -> None:
    data = many("a", "", "a", "2", "a-2", "")
    ids = [puzzle.about.id for puzzle in formats.read(data)]
    assert ids == ["a", "2", "a-2", "2-2", "a-2-2", "6"]


@pytest.mark.real_time
@pytest.mark.thorough
def test_ids_that_are_all_the_same_take_linear_time() -> None:
    num, started = 60_000, process_time()  # each number tried for each puzzle: minutes
    ids = [puzzle.about.id for puzzle in formats.read(many(*["a"] * num))]
    assert ids == ["a", *(f"a-{number}" for number in range(2, num + 1))]
    assert process_time() - started < 60


def test_a_puzzle_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "some.jsonl"
    path.write_bytes(many("one", "3", "two #2"))
    assert formats.load(f"{path}#one").about.id == "one"
    assert formats.load(f"{path}#3").about.id == "3"  # the id wins over the number
    assert formats.load(f"{path}#1").about.id == "one"
    assert formats.load(f"{path}#two #2").about.id == "two #2"
    for wrong in ("#none", "#0", "#4", "#²"):
        with pytest.raises(FormatError, match="it has one, 3, two #2"):
            formats.load(f"{path}{wrong}")
    (tmp_path / "some.jsonl#one").write_bytes(many("other"))
    assert formats.load(f"{path}#one").about.id == "other"


def test_one_of_many_must_be_chosen(tmp_path: Path) -> None:
    path = tmp_path / "some.jsonl"
    path.write_bytes(many(*map(str, range(20))))
    with pytest.raises(FormatError, match=r"20 puzzles, .*0, 1, 2.*and 12 more.*load_all"):
        formats.load(path)
    assert len(formats.load_all(path)) == 20


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    def give(data: bytes) -> None:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))

    give(TOY_NIN)
    assert lengths(formats.load("-", format="nin")) == TOY
    give(many("a", "b"))
    assert formats.load("-#b").about.id == "b"


def test_a_folder(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="no puzzle file"):
        formats.load_all(tmp_path)
    (tmp_path / "b.non.gz").write_bytes(gzip.compress((GOLDEN / "tiny.non").read_bytes()))
    (tmp_path / "a.txt").write_bytes(b"#..\n.##\n")
    (tmp_path / "c.jsonl").write_bytes(many("x", "y"))
    for name, text in (("README.txt", "some words"), ("z.csv", "1,2"), (".hidden.non", "")):
        (tmp_path / name).write_text(text)
    (tmp_path / "deep.non").mkdir()
    sizes = [(puzzle.height, puzzle.width) for puzzle in formats.load_all(tmp_path)]
    assert sizes == [(2, 3), (2, 3), (1, 1), (1, 1)]


def test_bad_files_do_not_hide_the_rest(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.jsonl", tmp_path / "bad.nonpack"
    good.write_bytes(many("a") + b"\n{nonsense}\n" + many("b") + b'\n{"rows": 7}\n')
    bad.write_bytes((GOLDEN / "tiny.non").read_bytes() + b"====\nrows\n=====\ngoal 1\n")
    walk = list(formats.iter_sources([good, tmp_path / "missing", bad, "no\0name"]))
    assert [name for name, _ in walk[:4]] == [str(good)] * 4
    items: list[Any] = [item for _, item in walk]
    found = [
        (item.path, item.line) if isinstance(item, FormatError) else item.about.id for item in items
    ]
    name = str(good)
    assert found[:4] == ["a", (name, 2), "b", (name, 4)]
    assert found[4:] == [
        (str(tmp_path / "missing"), None),
        "1",
        (str(bad), 13),
        (str(bad), 15),
        ("no\0name", None),
    ]


def test_puzzle_sets_yield_their_valid_puzzles() -> None:
    text = (GOLDEN / "tricky.xml").read_bytes().replace(b"<count>2<", b"<count>two<")
    (_, bad), (_, good) = [("", item) for item in plugins.find("formats", "webpbn").read(text)]
    assert isinstance(bad, FormatError)
    assert bad.line == 7
    assert good.about.author == "B. Person"


def test_an_unknown_format_is_an_error_for_every_file() -> None:
    ((_, item),) = formats.iter_sources([GOLDEN / "tiny.non"], "nonsense")
    assert isinstance(item, NonosatError)
    assert "webpbn" in str(item)
