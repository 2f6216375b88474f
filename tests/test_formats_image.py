"""Pixel art as image files: one pixel a cell, enlarged, ruled; colours; PNG written."""

from __future__ import annotations

import logging
import sys
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from PIL import Image

import nonosat
from helpers.commands import run
from helpers.images import BLACK, GREY, RED, ROWS, WHITE, drawn, enlarged, file, ruled
from nonosat import formats
from nonosat.core import plugins
from nonosat.core.errors import FormatError, UnsupportedError
from nonosat.core.grid import Grid
from nonosat.formats._colours import NAMED
from nonosat.formats.image import inks_of
from nonosat.puzzles.nonogram.data import BLACK as INK
from nonosat.puzzles.nonogram.data import Colour, from_grid, rgb_of

TOY = ["##.#", "....", ".##."]
PLAIN = drawn(ROWS)


def read(image: Any, kind: str = "PNG", name: str | None = None, **options: Any) -> Any:
    (puzzle,) = formats.read(file(image, kind, **options), format=name)
    return puzzle


def text(puzzle: Any) -> list[str]:
    """Return the picture in the keys of its colours."""
    return puzzle.goal.lines(puzzle.symbols)


def shades(puzzle: Any) -> list[str]:
    return [colour.rgb for colour in puzzle.colours]


# One pixel a cell


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGB", "RGBA", "I;16"])
def test_every_mode_of_a_png_is_read(mode: str) -> None:
    image = drawn(TOY, {"#": 0, ".": 255}, "L")
    if mode == "I;16":
        image = Image.frombytes(
            "I;16", image.size, b"".join(b"\x12" + bytes([c]) for c in image.tobytes())
        )
    puzzle = read(image.convert(mode))
    assert (text(puzzle), puzzle.background.rgb) == (TOY, "#ffffff")
    assert puzzle == nonosat.from_picture(TOY).about_with(id="1")


@pytest.mark.parametrize("kind", ["PNG", "GIF", "BMP", "WEBP"])
def test_every_kind_is_known_by_its_content(kind: str) -> None:
    options = {"lossless": True} if kind == "WEBP" else {}
    puzzle = read(PLAIN, kind, **options)
    assert text(puzzle) == ROWS
    assert sorted(shades(puzzle)) == ["#000000", "#dc1e1e"]
    assert formats.format_of("no.suffix", file(PLAIN, kind, **options)) == kind.lower()


def test_colours_keep_the_order_of_a_palette_and_else_of_reading() -> None:
    indexed = drawn(TOY, {"#": 3, ".": 1}, "P")
    indexed.putpalette([9, 9, 9, *WHITE, *RED, *BLACK, *RED])
    indexed.putpixel((0, 1), 2)
    indexed.putpixel((1, 1), 4)  # is the same picture
    puzzle = read(indexed)
    assert shades(puzzle) == ["#dc1e1e", "#000000"]
    assert text(puzzle) == ["##.#", "rr..", ".##."]
    assert shades(read(indexed.convert("RGB"))) == ["#000000", "#dc1e1e"]


def test_transparent_pixels_of_any_colour_are_background() -> None:
    colours = {
        ".": (9, 9, 9, 0),
        "_": (8, 0, 0, 0),
        "#": (255, 255, 255, 255),
        "r": (255, 0, 0, 128),
    }
    puzzle = read(drawn(["#._", "r#r"], colours, "RGBA"))
    assert puzzle.goal == Grid(2, 3, bytes([1, 0, 0, 2, 1, 2]))
    assert shades(puzzle) == ["#ffffff", "#ff7f7f"]
    assert puzzle.background.rgb == "#c0c0c0"  # white ink would be invisible on white
    indexed = drawn(["#.", ".."], {"#": 0, ".": 1}, "P")
    indexed.putpalette([*RED, *BLACK])
    assert text(read(indexed, transparency=1)) == ["#.", ".."]


@pytest.mark.parametrize(
    ("rows", "filled"),
    [
        (["###", "#r#"], ["...", ".#."]),  # corners
        (["rrr", "rgr", "rrr"], ["...", ".#.", "..."]),
        (["rgg", "ggg", "ggr"], ["#..", "...", "..#"]),  # the commonest
        (["##", "##"], ["##", "##"]),
        (["gg"], [".."]),
    ],
)
def test_the_background_if_nothing_is_white(rows: list[str], filled: list[str]) -> None:
    colours = {"#": BLACK, "r": RED, "g": (200, 220, 200)}
    assert [row.replace("r", "#") for row in text(read(drawn(rows, colours)))] == filled


# Enlarged


@pytest.mark.parametrize("times", [2, 7, 16])
def test_enlarged_pictures_are_reduced_and_that_is_reported(
    times: int, caplog: pytest.LogCaptureFixture
) -> None:
    large = enlarged(PLAIN, times)
    with caplog.at_level(logging.WARNING, "nonosat"):
        assert text(read(large)) == ROWS
    assert f"{times} x {times} pixels: read as 9 rows x 12 columns" in caplog.text
    assert read(large, name="png:1").height == 9 * times
    assert text(read(large, name=f"png:{times}")) == ROWS
    with pytest.raises(FormatError, match="squares of 5 x 5, expected"):
        read(large, name="png:5")


def test_a_small_picture_of_large_shapes_is_left_as_it_is() -> None:
    for rows in (["##..", "##..", "..##", "..##"], ["....", "...."]):
        assert read(drawn(rows)).size.startswith(f"{len(rows)} rows x 4 columns")
        assert read(enlarged(drawn(rows), 2), name="png:2").height == len(rows)


@pytest.mark.parametrize(
    "lines",
    [
        {"cell": 7, "line": 1, "colour": GREY, "edge": 1},
        {"cell": 7, "line": 1, "colour": GREY, "edge": 0},
        {"cell": 7, "line": 2, "colour": GREY, "edge": 3, "margin": 13},
        {"cell": 7, "line": 1, "colour": GREY, "edge": 2, "fifth": 2},
        {"cell": 7, "line": 2, "colour": WHITE, "edge": 2},
        {"cell": 6, "line": 1, "colour": BLACK, "edge": 1, "margin": 5},
        {"cell": 3, "line": 1, "colour": BLACK, "edge": 0},
        {"cell": 2, "line": 1, "colour": (90, 90, 255), "edge": 1},
        # If all lengths have a common divisor, lines and cells alike, it is read as an enlarged
        # picture.
        {"cell": 16, "line": 2, "colour": BLACK, "edge": 2},
        {"cell": 20, "line": 2, "colour": GREY, "edge": 4, "margin": 10, "fifth": 2},
        {"cell": 12, "line": 4, "colour": WHITE, "edge": 0},
    ],
    ids=str,
)
def test_lines_between_cells_are_no_cells(lines: Any) -> None:
    assert text(read(ruled(ROWS, **lines))) == ROWS


def test_gaps_may_look_like_empty_rows_and_columns() -> None:
    rows = [row[:5] + "." + row[6:] for row in ROWS]
    rows[3] = "." * 12
    for edge in (0, 2):
        assert text(read(ruled(rows, 7, 2, WHITE, edge))) == rows


def test_transparent_pixels_may_have_any_colours() -> None:
    hidden = Random(4)
    image = enlarged(drawn(ROWS, {"#": (*BLACK, 255), "r": (*RED, 255), ".": (0,) * 4}, "RGBA"), 8)
    pixels = zip(*[iter(image.tobytes())] * 4, strict=True)
    image.putdata([pixel if pixel[3] else (*hidden.randbytes(3), 0) for pixel in pixels])
    assert text(read(image)) == ROWS


def test_one_wrong_pixel_and_a_picture_is_not_reduced() -> None:
    for image in (enlarged(PLAIN, 4), ruled(ROWS, 7, 1, GREY, 1)):
        image.putpixel((5, 5), (1, 255, 1))
        assert read(image).height == image.height


def test_panes_of_a_window_are_a_picture() -> None:
    assert read(ruled(["...", "...", "..."], 3, 1, BLACK, 1)).height == 13


# Refusals


def test_photographs_are_refused_with_advice() -> None:
    rng = Random(1)
    photograph = Image.frombytes("RGB", (40, 40), rng.randbytes(4800))
    soft = Image.linear_gradient("L").resize((40, 40))
    sixty = Image.new("RGB", (10, 10))
    sixty.putdata([(at % 10 * 25, at // 10 * 25, 0) for at in range(100)])
    for image, says in (
        (photograph, "more than 255 different"),
        (soft, "are similar to another|different colours"),
        (sixty, "100 different colours"),
    ):
        with pytest.raises(FormatError, match=rf"({says}).*pixel art, which.*nonosat.from_image"):
            read(image)
    with pytest.raises(FormatError, match=r"x\.jpg: a JPEG, .*nonosat.from_image"):
        formats.read(file(PLAIN, "JPEG"), name="x.jpg")


def test_a_wrong_argument_is_refused() -> None:
    for name in ("png:0", "png:x", "gif:-1", "png:9999999"):
        with pytest.raises(UnsupportedError, match=r"not a number of pixels per cell.*:1"):
            plugins.find("formats", name)


def test_large_boards_are_read_with_a_remark(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "nonosat"):
        assert read(drawn(["#." * 200])).width == 400
    assert "1 rows x 400 columns, a cell a pixel" in caplog.text


def test_of_an_animation_the_first_picture_is_read(caplog: pytest.LogCaptureFixture) -> None:
    second = drawn(["#" * 12] * 9)
    for kind, options in (("GIF", {}), ("WEBP", {"lossless": True}), ("PNG", {})):
        caplog.clear()
        with caplog.at_level(logging.WARNING, "nonosat"):
            puzzle = read(PLAIN, kind, save_all=True, append_images=[second], **options)
        assert text(puzzle) == ROWS
        assert "an animation; its first picture is read" in caplog.text


# Without Pillow, in folders, by commands


def test_without_pillow_the_extra_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    data = file(PLAIN)
    (tmp_path / "a.png").write_bytes(data)
    (tmp_path / "b.txt").write_text("#.\n.#\n")
    monkeypatch.setitem(sys.modules, "PIL", None)
    for ask in (
        lambda: formats.read(data),
        lambda: formats.write([nonosat.from_picture(TOY)], "png"),
    ):
        with pytest.raises(UnsupportedError, match="pip install 'Pillow<"):
            ask()
    assert len(formats.load_all(tmp_path)) == 1


def test_of_a_folder_pixel_art_is_read_and_photographs_are_not(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "a.png").write_bytes(file(PLAIN))
    (tmp_path / "b.png").write_bytes(
        file(Image.frombytes("RGB", (40, 40), Random(1).randbytes(4800)))
    )
    (tmp_path / "c.gif").write_bytes(b"GIF89a")
    (tmp_path / "d.jpg").write_bytes(b"\xff\xd8\xff")
    (tmp_path / "e.non").write_bytes(formats.write([nonosat.from_picture(TOY)], "non"))
    with caplog.at_level(logging.WARNING, "nonosat"):
        assert [puzzle.height for puzzle in formats.load_all(tmp_path)] == [9, 3]
    assert "b.png, c.gif are left out" in caplog.text
    for name in ("a.png", "c.gif", "e.non"):
        (tmp_path / name).unlink()
    with pytest.raises(
        FormatError, match=r"the folder: b\.png is left out: it may not be a puzzle"
    ):
        formats.load_all(tmp_path)


def test_commands_take_images_and_write_them(tmp_path: Path) -> None:
    source, target = tmp_path / "x.non", tmp_path / "y.png"
    source.write_bytes(formats.write([nonosat.from_picture(TOY)], "non"))
    assert run("convert", str(source), str(target)).exit_code == 0
    for command in (["check", str(target)], ["show", str(target)], ["rate", f"{target}#1"]):
        assert run(*command).exit_code == 0, command
    with Image.open(target) as image:
        assert (image.mode, image.size) == ("P", (4, 3))
    done = run("convert", str(source), str(tmp_path / "y.gif"))
    assert done.exit_code == 2
    assert "gif is read only" in done.stderr


# Written


def test_written_images_are_read_unchanged() -> None:
    inks = (Colour("r", "#ff0000"), Colour("b", "#0000ff"), Colour("c", "#0000ff"))
    for goal, colours, paper in (
        (Grid(1, 1, b"\1"), (INK,), "#ffffff"),
        (Grid(1, 1, b"\0"), (INK,), "#ffffff"),
        (Grid(2, 4, b"\1\1\1\1" * 2), (INK,), "#000000"),  # nothing of it is visible
        (Grid(3, 1, b"\1\2\3"), inks, "#ffffff"),
        (Grid(20, 20, (b"\0\0\1\1" * 5) * 20), inks, "#102030"),
        (
            Grid(1, 255, bytes(range(255))),
            tuple(Colour(f"k{k}", "#777777") for k in range(254)),
            "#ffffff",
        ),
    ):
        puzzle = from_grid(goal, colours, background=Colour(".", paper))
        (back,) = formats.read(formats.write([puzzle], "png"))
        assert (back.goal, back.background.rgb) == (goal, paper)
        assert shades(back) == [colour.rgb for colour in colours]
        assert (back.rows, back.columns) == (puzzle.rows, puzzle.columns)


def test_only_a_picture_can_be_written_and_a_png_is_no_text() -> None:
    puzzle = nonosat.from_picture(TOY)
    with pytest.raises(UnsupportedError, match="no goal to draw"):
        formats.write([replace(puzzle, goal=None)], "png")
    with pytest.raises(UnsupportedError, match="png holds one puzzle"):
        formats.write([puzzle, puzzle], "png")
    with pytest.raises(UnsupportedError, match="png files are no text"):
        nonosat.dumps(puzzle, "png")


def test_keys_that_are_chosen_for_inks_are_not_taken_for_digits() -> None:
    shades = [rgb_of(NAMED[name]) for name in ("lime", "orange", "olive", "black", "red", "gold")]
    for number in (2, len(shades)):
        keys = [ink.key for ink in inks_of(shades[:number])]
        assert len(set(keys)) == number
        assert not set(keys) & set("ilosqzIOSZBDQ0123456789")
    many = [ink.key for ink in inks_of([(at, 255 - at, 128) for at in range(40)])]
    assert not set(many[:38]) & set("ilosqzIOSZBDQ0123456789")
