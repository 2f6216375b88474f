"""Shapes and their painters: painted results are parsed, as dots, as operators, as elements."""

from __future__ import annotations

import io
import re
import sys
import tracemalloc
import xml.etree.ElementTree as ET
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import product
from pathlib import Path as File
from typing import Any

import pytest
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.t2CharStringPen import T2CharStringPen
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

import nonosat
from helpers.drawing import examples
from nonosat.core.errors import UnsupportedError
from nonosat.core.grid import Grid
from nonosat.puzzles.nonogram import Colour, from_grid, mono
from nonosat.render import figures
from nonosat.render._painting import fonts, pdf, png, svg
from nonosat.render.look import DARK, LIGHT, Look
from nonosat.render.nonogram.inks import for_paper, letters
from nonosat.render.saving import require
from nonosat.render.shapes import (
    Circle,
    Group,
    Page,
    Path,
    Texts,
    is_box,
    outlines,
    text_width,
    wrapped,
)

INKS = (Colour("r", "#dd0000"), Colour("g", "#00aa00"), Colour("b", "#0000cc"))
SVG = "{http://www.w3.org/2000/svg}"


def page_of(*shapes: object, side: float = 20) -> Page:
    return Page(shapes, side, side, "page", cell=1)  # type: ignore[arg-type]


def dots(page: Page) -> Image.Image:
    return Image.open(io.BytesIO(png.png(page)[0]))


def operators(content: bytes) -> str:
    """Content streams of a PDF file as text."""
    found = re.findall(rb"stream\n(.*?)\nendstream", content, re.DOTALL)
    texts = []
    for part in found:
        try:
            texts.append(zlib.decompress(part).decode("latin-1"))
        except zlib.error:
            texts.append(part.decode("latin-1"))
    return "\n".join(texts)


# Path data


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ("M1 2h3v1h-3z", [([(1, 2), (4, 2), (4, 3), (1, 3)], True)]),
        ("M0 0H5V2", [([(0, 0), (5, 0), (5, 2)], False)]),
        ("M1 1L2 2 3 1zM9 9h0", [([(1, 1), (2, 2), (3, 1)], True), ([(9, 9), (9, 9)], False)]),
        (
            "M2 2l.5.5-.5.5zm1 0h1",
            [([(2, 2), (2.5, 2.5), (2, 3)], True), ([(3, 2), (4, 2)], False)],
        ),
        ("M1 1h1zh-1", [([(1, 1), (2, 1)], True), ([(1, 1), (0, 1)], False)]),
        ("", []),
    ],
)
def test_path_data_are_read(data: str, expected: object) -> None:
    assert [*outlines(data)] == expected


def test_boxes() -> None:
    ((box, _),) = outlines("M1 2h3v1h-3z")
    ((tilted, _),) = outlines("M1 2l3 1v1h-3z")
    assert is_box(box)
    assert not is_box(tilted)
    assert not is_box(box[:3])


# Texts


@given(st.text(max_size=80), st.floats(20, 400), st.integers(1, 4))
@examples(30)
def test_no_line_is_wider_than_its_room(text: str, width: float, most: int) -> None:
    lines = wrapped(text, width, 12, most)
    assert len(lines) <= most
    assert all(text_width(line, 12) <= width for line in lines)
    if len(lines) < most:
        assert "".join(lines).replace(" ", "") == "".join(text.split())


def test_a_letter_that_no_font_has_is_shown_and_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fonts, "_first_with", lambda _: None)
    assert fonts.runs("Größe 12") == ([("Größe 12", None)], "")
    (run,), missing = fonts.runs("a漢b漢\x1b")
    assert (run.text, missing) == ("a?b??", "漢")
    page = page_of(Texts([(1, 15, "漢")]))
    assert png.png(page)[1] == "漢"
    assert pdf.pdf([page], "")[1] == "漢"


@pytest.fixture
def bare_machine(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Machine without fonts."""
    monkeypatch.setattr(fonts, "_FOLDERS", ())
    caches = (fonts._all, fonts._first_with, fonts.even, png._font)
    for cache in caches:
        cache.cache_clear()
    yield
    for cache in caches:
        cache.cache_clear()


WESTERN = bytes({*range(32, 256)} - {127, 129, 141, 143, 144, 157}).decode("cp1252")
FURTHER = "Čeština Łódź Ğüneş Việt ΩμέγαΣ Привет Україна ≤ → № −"


@pytest.mark.usefixtures("bare_machine")
@pytest.mark.parametrize("is_bold", [False, True])
def test_a_machine_without_fonts_draws_latin_greek_and_cyrillic(is_bold: bool) -> None:
    for font in (fonts.REGULAR, fonts.BOLD):
        assert fonts._has(font, {*map(ord, WESTERN + FURTHER)})
        assert not fonts._has(font, {ord("漢")})
    for text in (WESTERN.replace("\xad", ""), FURTHER, "1 — “2”"):
        page = page_of(Texts([(1, 15, text)], is_bold=is_bold))
        assert (png.png(page)[1], pdf.pdf([page], text)[1]) == ("", "")
    page = page_of(Texts([(1, 15, "漢字 x")], is_bold=is_bold))
    assert (png.png(page)[1], pdf.pdf([page], "漢字")[1]) == ("漢字", "漢字")
    drawn = {}
    for text in ("ö", "Č", "я", "?"):  # no two are the same box
        drawn[text] = png.png(page_of(Texts([(2, 15, text)], is_bold=is_bold)))[0]
    assert len(set(drawn.values())) == 4


@pytest.mark.usefixtures("bare_machine")
def test_letters_that_helvetica_lacks_are_embedded() -> None:
    assert b"FontFile" not in pdf.pdf([page_of(Texts([(1, 15, "Größe — š")]))], "")[0]
    for is_bold, name in ((False, b"+NonosatSans\n"), (True, b"+NonosatSansBold\n")):
        content = pdf.pdf([page_of(Texts([(1, 15, "Ελλάδα")], is_bold=is_bold))], "")[0]
        assert b"FontFile" in content
        assert name in content


def test_a_broken_font_has_no_letters(tmp_path: object) -> None:
    for number, content in enumerate((b"", b"true", b"ttcf" + bytes(4) + b"\xff" * 8, b"\0" * 64)):
        file = tmp_path / f"{number}.ttf"  # type: ignore[operator]
        file.write_bytes(content)
        assert list(fonts._spans(file)) == []


# Painters agree


@st.composite
def grids(draw: st.DrawFn) -> Grid:
    height, width = draw(st.integers(1, 6)), draw(st.integers(1, 6))
    cell = st.integers(0, 3)
    cells = draw(st.lists(cell, min_size=height * width, max_size=height * width))
    return Grid(height, width, bytes(cells))


@given(grids())
@examples(25)
def test_every_painter_fills_the_cells_in_their_colours(grid: Grid) -> None:
    puzzle = from_grid(grid, INKS)
    drawn = figures.figure(puzzle, grid)
    page = Page(drawn.shapes, drawn.width, drawn.height, "", cell=drawn.cell)
    image = dots(page)
    side = image.width / drawn.width
    palette = [(255, 255, 255), (0xDD, 0, 0), (0, 0xAA, 0), (0, 0, 0xCC)]
    for index, cell in enumerate(grid.cells):
        y, x = divmod(index, grid.width)
        for right, down in product((3, 17), repeat=2):
            place = int((2 + 20 * x + right) * side), int((2 + 20 * y + down) * side)
            assert image.getpixel(place) == palette[cell]
    boxes = set()
    for colour, block in re.findall(r"q .*?cm ([\d. ]+) rg.*?\n(.*?)f", flat(pdf.pdf([page], ""))):
        boxes |= {(colour, one) for one in re.findall(r"(\d+ \d+ \d+ 1) re", block)}
    assert sum(int(box.split()[2]) for colour, box in boxes if colour != "1 1 1") == sum(
        cell > 0 for cell in grid.cells
    )


def flat(found: tuple[bytes, str]) -> str:
    """Return operators with a group, its colours and its outlines on lines of their own."""
    text = operators(found[0]).replace("\n", " ")
    return re.sub(r" (0 J 0 j|1 J 1 j) ", "\n", text).replace(" q ", "\nq ")


def test_straight_lines_are_whole_dots_and_round_shapes_are_smooth() -> None:
    line = Path("M0 10h20", stroke="#000000", width=1)
    image = dots(page_of(line))
    assert {image.getpixel((5, y)) for y in range(image.height)} == {(0, 0, 0), (255, 255, 255)}
    disc = dots(page_of(Circle(10, 10, 8, "#000000")))
    shades = {disc.getpixel((x, 12)) for x in range(disc.width)}
    assert {(0, 0, 0), (255, 255, 255)} < shades


def test_dashes_groups_and_opacity_are_painted() -> None:
    dashed = Group([Path("M0 .5H4", stroke="#ff0000", width=1, dash=1)], 2, 3, 4)
    image = dots(page_of(dashed))
    scale = image.width / 20
    row = [image.getpixel((int((2 + 4 * x + 2) * scale), int(5 * scale))) for x in range(4)]
    assert row == [(255, 0, 0), (255, 255, 255)] * 2
    clear = dots(page_of(Path("M0 0h20v20h-20z", fill="#000000", opacity=0.5)))
    assert clear.getpixel((9, 9))[0] in range(126, 130)  # type: ignore[index]
    text = operators(pdf.pdf([page_of(dashed)], "")[0])
    assert "[1] 0 d" in text
    assert "1 0 0 RG 1 w" in text


def test_a_png_has_its_declared_size_and_is_never_huge() -> None:
    grid = Grid(1000, 1000, bytes(range(2)) * 500_000)
    drawn = figures.figure(from_grid(grid), None, (), Look(clues="none"))
    page = Page([], drawn.width, drawn.height, "", cell=drawn.cell)
    image = dots(page)
    assert image.width * image.height <= png.MOST_DOTS
    dpi = image.info["dpi"][0]
    assert image.width / dpi * 96 == pytest.approx(drawn.width, rel=0.001)
    small = Page([], 100, 50, "", cell=20)
    assert dots(small).info["dpi"][0] == pytest.approx(300, rel=0.02)
    with pytest.raises(UnsupportedError, match="smaller than a dot"):
        png.png(Page([], 9e5, 9e5, "", cell=0.1))


def test_titles_are_escaped_everywhere() -> None:
    title = "<script>alert(1)</script> & \x00\u202e"
    page = Page([Texts([(0, 9, title)])], 20, 20, title, section=title)
    root = ET.fromstring(svg.document(page))
    assert root.find(f"{SVG}script") is None
    assert root.findtext(f"{SVG}title") == "<script>alert(1)</script> & \ufffd\u202e"
    assert b"<script>" not in pdf.pdf([page], title)[0].replace(b"\x00", b"").split(b"stream")[0]
    assert Image.open(io.BytesIO(png.png(page)[0])).info["Title"] == title


def test_dark_paper_has_light_ink() -> None:
    puzzle = mono([[1]], [[1], []])
    for theme, ink in ((LIGHT, "#000000"), (DARK, DARK.ink)):
        drawn = figures.figure(puzzle, None, (), Look(theme))
        texts = [part for group in drawn.shapes for part in group.shapes if isinstance(part, Texts)]  # type: ignore[union-attr]
        assert {part.fill for part in texts} == {ink, theme.faint}
    coloured = from_grid(Grid(1, 2, b"\1\2"), (Colour("#", "#000000"), Colour("r", "#ff0000")))
    chips = [
        part.fill
        for part in figures.figure(coloured, None, (), Look(DARK)).shapes[0].shapes  # type: ignore[union-attr]
        if isinstance(part, Path)
    ]
    assert chips == ["#000000", "#ff0000"]  # black numbers would be invisible on dark paper


def test_numbers_that_are_too_wide_are_smaller() -> None:
    drawn = figures.figure(mono([[1]] * 3, [[12345], [1]]), None)
    assert drawn.smallest == pytest.approx(12 * 18 / text_width("12345"))
    assert figures.figure(mono([[12345, 1]], [[1]]), None).smallest == 12  # rows have the room
    assert figures.figure(mono([[1]], [[1]]), None).smallest == 12
    assert figures.figure(mono([[1]], [[1]]), Grid(1, 1, b"\1")).smallest == 0


def test_colours_have_letters_next_to_them() -> None:
    inks = (Colour("k", "#000000"), *(Colour(f"ink {n}", f"#0000{n:02x}") for n in range(1, 61)))
    grid = Grid(1, 61, bytes(range(1, 62)))
    puzzle = replace(from_grid(grid, inks))
    shown = ET.fromstring(figures.svg(puzzle, None))
    texts = [one.text for one in shown.iter(f"{SVG}text")]
    labels = [text for text in texts if text and text[0] == "1"]
    assert len({*labels}) == 61
    assert "1" in labels  # black needs none
    assert "ink 60" in texts


@pytest.mark.parametrize(
    ("module", "suffix", "package"), [("PIL", ".png", "Pillow"), ("fpdf", ".pdf", "fpdf2")]
)
def test_a_missing_package_is_named(
    monkeypatch: pytest.MonkeyPatch, module: str, suffix: str, package: str
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(UnsupportedError, match=f"pip install '{package}<"):
        require(suffix)


def _texts_of(shapes: Iterable[object]) -> Iterator[str]:
    for shape in shapes:
        if isinstance(shape, Group):
            yield from _texts_of(shape.shapes)
        elif isinstance(shape, Texts):
            yield from (text for _, _, text in shape.places)


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ("rl", ["r", "a"]),  # "1l" would be read as eleven
        ("aO", ["a", "b"]),
        ("lo", ["a", "b"]),
        ("io", ["a", "b"]),
        ("lba", ["c", "b", "a"]),
        ("SBZ", ["a", "b", "c"]),
        ("sIz", ["a", "b", "c"]),
        ("12", ["a", "b"]),
        ("xy", ["x", "y"]),
    ],
)
def test_letters_similar_to_digits_are_replaced(keys: str, expected: list[str]) -> None:
    colours = tuple(Colour(key, f"#00000{at}") for at, key in enumerate(keys, start=1))
    assert letters(from_grid(Grid(1, 2, b"\1\2"), colours)) == expected


def test_letters_are_the_same_in_clues_legends_and_sentences_of_steps() -> None:
    colours = (Colour("l", "#00ff00"), Colour("o", "#ffa500"), Colour("#", "#000000"))
    puzzle = from_grid(Grid(1, 4, b"\1\1\2\3"), colours)
    assert letters(puzzle) == ["a", "b", ""]
    shapes = figures.figure(puzzle, None, (), Look()).shapes
    drawn = " ".join(_texts_of(shapes))
    assert {"2a", "1b", "1", "a", "b"} <= set(drawn.split())
    assert not {"l", "o", "2l", "1o"} & set(drawn.split())
    paper = for_paper(puzzle)
    assert [colour.key for colour in paper.colours] == ["a", "b", "#"]
    assert paper.rows == puzzle.rows
    step = nonosat.explain(paper).steps[0]
    assert "2a" in step.sentence
    assert for_paper(paper) == paper
    assert [colour.key for colour in puzzle.colours] == ["l", "o", "#"]


@given(grids())
@examples(25)
def test_clues_are_at_their_lines_in_order_on_both_sides(grid: Grid) -> None:
    puzzle = from_grid(grid, INKS)
    (moved, *_) = figures.figure(puzzle, None, (), Look(clues="both-sides")).shapes
    assert isinstance(moved, Group)
    numbers = [place for one in moved.shapes if isinstance(one, Texts) for place in one.places]
    wide, high = 20 * grid.width, 20 * grid.height
    rows = {True: [[] for _ in puzzle.rows], False: [[] for _ in puzzle.rows]}
    columns = {True: [[] for _ in puzzle.columns], False: [[] for _ in puzzle.columns]}
    for x, y, text in numbers:
        if 0 < y < high and not 0 < x < wide:
            assert 12 <= y % 20 <= 16  # the digits' base line, with the middle of the row above
            rows[x < 0][int(y // 20)].append((x, text))
        else:
            assert x % 20 == 10
            columns[y < 0][int(x // 20)].append((y, text))
    signs = ".rgb"
    for lines, clues in ((rows, puzzle.rows), (columns, puzzle.columns)):
        expected = [[f"{length}{signs[colour]}" for length, colour in clue] for clue in clues]
        for side in (True, False):
            found = [[text for _, text in sorted(line)] for line in lines[side]]
            assert found == [clue or ["0"] for clue in expected]


def test_a_font_with_postscript_outlines_is_embedded(
    tmp_path: File, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Most Chinese, Japanese and Korean fonts have them."""
    pen = T2CharStringPen(1000, None)
    for move, place in ((pen.moveTo, (100, 0)), (pen.lineTo, (900, 0)), (pen.lineTo, (500, 800))):
        move(place)
    pen.closePath()
    made = FontBuilder(1000, isTTF=False)
    made.setupGlyphOrder([".notdef", "kan"])
    made.setupCharacterMap({ord("漢"): "kan"})
    made.setupCFF("Test", {}, {name: pen.getCharString() for name in (".notdef", "kan")}, {})
    made.setupHorizontalMetrics(dict.fromkeys((".notdef", "kan"), (1000, 0)))
    made.setupHorizontalHeader(ascent=800, descent=-200)
    made.setupNameTable({"familyName": "Test", "styleName": "Regular", "psName": "Test"})
    made.setupOS2()
    made.setupPost()
    made.save(tmp_path / "test.otf")
    monkeypatch.setattr(fonts, "_all", lambda: (tmp_path / "test.otf",))
    fonts._first_with.cache_clear()
    try:
        page = page_of(Texts([(2, 15, "漢")]))
        content, missing = pdf.pdf([page], "")
        assert missing == ""
        assert b"/FontFile" in content
        drawn, missing = png.png(page)
        assert missing == ""
        image = Image.open(io.BytesIO(drawn))
        assert image.getpixel((image.width // 2, image.height * 14 // 20)) == (0, 0, 0)
    finally:
        fonts._first_with.cache_clear()


# Memory


class RefusedError(Exception):
    pass


@pytest.mark.parametrize(
    ("shape", "times"),
    [
        (Path("M1 1h5v5h-5z", fill="#000000"), 1),
        (Circle(5, 5, 3, fill="#000000"), 4 * 4 + 1),  # drawn four times as large, and made smaller
    ],
    ids=["straight", "round"],
)
def test_a_png_reserves_the_memory_of_its_picture(shape: object, times: int) -> None:
    page = page_of(shape)
    reserved: list[int] = []
    png.png(page, reserved.append)
    width, height = dots(page).size
    assert reserved == [4 * width * height * times]


@pytest.mark.parametrize("draw", [png.png, lambda page, reserve: pdf.pdf([page], "", "", reserve)])
def test_files_without_memory_for_them_are_not_made(
    draw: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(num_bytes: int) -> None:
        assert num_bytes > 0
        raise RefusedError

    monkeypatch.setattr(Image, "new", pytest.fail)
    monkeypatch.setattr("fpdf.FPDF.output", pytest.fail)
    with pytest.raises(RefusedError):
        draw(page_of(Path("M1 1h5v5h-5z", fill="#000000")), refuse)


def test_a_pdf_is_written_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    page = page_of(
        Path("M1 1h1v1h-1zM3 3h1v1h-1zM0 9l4 4", fill="#000000"), Circle(5, 5, 3, "#ff0000")
    )
    whole = pdf.pdf([page], "")[0]
    monkeypatch.setattr(pdf, "_AT_ONCE", 2)
    assert pdf.pdf([page], "")[0] == whole


@pytest.mark.slow
def test_outlines_take_no_memory_for_all_of_a_path() -> None:
    data = "M10 10h1v1h-1z" * 20_000
    tracemalloc.start()
    try:
        num_outlines = sum(1 for _ in outlines(data))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert num_outlines == 20_000
    assert peak < len(data)
