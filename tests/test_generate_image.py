"""Puzzles of photographs and drawings: the subject is recognisable."""

from __future__ import annotations

from io import BytesIO
from itertools import pairwise, product
from pathlib import Path
from random import Random
from typing import Any

import pytest
from PIL import Image, ImageDraw

import nonosat
from helpers.commands import run
from helpers.images import drawn, file
from helpers.paintings import PAINTINGS, SHADES, SPRITE, ramp, shaded, sky, vignette
from nonosat.core import hooks
from nonosat.core.errors import FormatError, LimitReached, PuzzleError, UnsupportedError
from nonosat.generate.image import _loading, _tones
from nonosat.generate.image._strokes import Bitmap, despeckled, pieces, thinned
from nonosat.generate.image._tones import otsu


def board(name: str, columns: int = 40, **asked: Any) -> list[str]:
    """Return the picture of a painting's puzzle, "." for empty."""
    puzzle = nonosat.from_image(PAINTINGS[name](), columns=columns, **asked)
    return puzzle.goal.lines(puzzle.symbols)


def share(rows: list[str], top: int = 0, left: int = 0, bottom: int = 99, right: int = 99) -> float:
    """Return the share of filled cells in a part of the board."""
    cells = "".join(row[left:right] for row in rows[top:bottom])
    return 1 - cells.count(".") / len(cells)


def connected(rows: list[str]) -> list[int]:
    """Return the sizes of the connected pieces, largest first."""
    filled = [cell != "." for row in rows for cell in row]
    return sorted(map(len, pieces(Bitmap(len(rows), len(rows[0]), filled))), reverse=True)


def blobs(rows: list[str]) -> float:
    """Filled squares of four cells for each filled cell."""
    found = sum(
        above[at : at + 2] == below[at : at + 2] == "##"
        for above, below in pairwise(rows)
        for at in range(len(rows[0]) - 1)
    )
    return found / sum(row.count("#") for row in rows)


# Recognisable subjects


@pytest.mark.thorough
def test_a_line_drawing_keeps_its_lines_and_they_are_thin() -> None:
    for columns in (30, 40, 60):
        rows = board("bicycle", columns)
        assert share(rows) < 0.3
        largest, *_ = connected(rows)
        assert largest > 0.9 * sum(connected(rows)), columns  # frame and wheels are connected
        assert blobs(rows) < 0.05, columns


@pytest.mark.thorough
def test_a_faint_tree_has_a_trunk_and_twigs() -> None:
    rows = board("tree")
    assert all("#" in row[18:23] for row in rows[30:45])
    assert share(rows, 5, 0, 20) > 0.2
    assert blobs(rows) < 0.2
    assert share(rows, 30, 0, 45, 15) < 0.05


@pytest.mark.thorough
def test_a_house_at_night_has_walls_a_roof_windows_and_a_moon() -> None:
    rows = board("night")
    assert share(rows, 0, 0, 5, 25) == 0  # the sky is dark, and so empty
    assert share(rows, 4, 31, 7, 34) > 0.9  # the moon
    for left in (13, 22):
        assert share(rows, 17, left, 19, left + 2) > 0.7  # windows
    for column in (10, 26):
        assert share(rows, 16, column, 24, column + 1) > 0.9  # walls, which no threshold shows
    assert sum("#" in row[8:18] for row in rows[6:14]) >= 6  # the roof


def test_a_face_has_hair_eyes_and_a_mouth() -> None:
    rows = board("face")
    assert share(rows, 5, 15, 8, 25) > 0.8  # hair
    assert share(rows, 12, 15, 17, 26) < 0.1  # the forehead
    assert 0.1 < share(rows, 20, 13, 25, 20) < 0.7
    assert 0.1 < share(rows, 20, 22, 25, 29) < 0.7
    assert share(rows, 31, 17, 34, 24) > 0.4  # the mouth
    assert share(rows, 27, 14, 30, 17) < 0.2  # a cheek


def test_a_cat_is_filled_but_for_its_eyes() -> None:
    rows = board("cat")
    assert share(rows, 20, 14, 36, 27) > 0.99
    assert share(rows, 11, 15, 13, 24) < 0.9
    assert rows[3][12:14].count("#") >= 1  # the tip of an ear
    assert share(rows, 0, 0, 40, 6) < 0.1


@pytest.mark.slow
def test_borders_of_two_dark_colours_are_drawn_and_shades_have_none() -> None:
    rows = board("scene")
    assert any(row.count(".") > 25 for row in rows[17:22])  # the shore
    assert share(board("ball"), 10, 8, 20, 25) == 1
    white = nonosat.from_image(PAINTINGS["logo"](), columns=40)
    assert share(white.goal.lines(".#"), 12, 14, 14, 15) == 0  # in the letter
    assert white != nonosat.from_image(PAINTINGS["logo"](), columns=40, edges=0)


def _differs_by_outlines(image: Any, monkeypatch: pytest.MonkeyPatch, **asked: Any) -> bool:
    """Return True if outlines change the puzzle of an image."""
    found = nonosat.from_image(image, **asked).goal
    with monkeypatch.context() as patch:
        patch.setattr(_tones, "outlined", lambda _scaled, filled, *_others: filled)
        return found != nonosat.from_image(image, **asked).goal


@pytest.mark.thorough
@pytest.mark.parametrize("shade", SHADES)
def test_shades_have_no_outlines(shade: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for size, noise, columns in (
        ((24, 16), 0, 15),
        ((24, 16), 3, 8),
        ((96, 64), 0, 12),
        ((96, 64), 10, 30),
    ):
        image = shaded(*size, SHADES[shade], noise, seed=noise)
        stored = Image.open(BytesIO(file(image, "JPEG", quality=60)))
        for one in (image, stored):
            case = (size, noise, columns)
            assert not _differs_by_outlines(one, monkeypatch, columns=columns), case
    faint = shaded(96, 64, lambda x, y: 0.4 + 0.2 * SHADES[shade](x, y), 4)
    assert not _differs_by_outlines(faint, monkeypatch, columns=20, edges=1)


def test_a_ramp_is_dark_above_and_light_below_without_bands() -> None:
    rows = nonosat.from_image(ramp(), columns=8).goal.lines(".#")
    assert rows == ["#" * 8] * 4 + ["." * 8] * 4
    for columns in (5, 11, 16, 30, 40):
        rows = nonosat.from_image(ramp(), columns=columns).goal.lines(".#")
        assert sorted(rows) == rows, columns  # "#" sorts before "."
        assert set("".join(set(rows))) == {"#", "."}


@pytest.mark.thorough
@pytest.mark.parametrize("columns", [12, 15, 20, 30])
@pytest.mark.parametrize("paint", [sky, vignette])
def test_an_object_in_smooth_shades_is_all_that_is_drawn(paint: Any, columns: int) -> None:
    rows = nonosat.from_image(paint(), columns=columns).goal.lines(".#")
    image = Image.new("RGB", (300, 200), "white")  # the object alone; the lens darkens corners
    image.paste("black", (100, 60, 200, 150) if paint is sky else (110, 50, 190, 150))
    wanted = nonosat.from_image(image, columns=columns, edges=0).goal.lines(".#")
    for found, alone in zip(rows[1:-1], wanted[1:-1], strict=True):
        wrong = sum(a != b for a, b in zip(found[1:-1], alone[1:-1], strict=True))
        assert wrong <= 2, rows


@pytest.mark.thorough
@pytest.mark.parametrize("noise", [0, 10])
def test_a_border_between_equally_dark_colours_is_drawn_in_noise_too(noise: int) -> None:
    draw = Random(noise)
    image = Image.new("RGB", (160, 120))
    for row, column in product(range(120), range(160)):
        is_inner, is_outer = (
            edge <= row < 120 - edge and edge <= column < 160 - edge for edge in (46, 14)
        )
        colour = (20, 100, 160) if is_inner else (175, 40, 40) if is_outer else (235, 235, 235)
        by = draw.randint(-noise, noise)
        image.putpixel((column, row), tuple(part + by for part in colour))
    for columns in (24, 32, 40):
        rows = nonosat.from_image(image, columns=columns).goal.lines(".#")
        line = rows[len(rows) // 2].strip(".")
        assert line.count(".") == 2, (columns, rows)  # across the left and the right border
        plain = nonosat.from_image(image, columns=columns, edges=0).goal.lines(".#")
        assert "." not in plain[len(rows) // 2].strip(".")


def test_colours_are_those_of_a_logo() -> None:
    puzzle = nonosat.from_image(PAINTINGS["logo"](), columns=32, colours=4)
    found = {colour.key: bytes.fromhex(colour.rgb[1:]) for colour in puzzle.colours}
    assert puzzle.background.rgb == "#ffffff"
    assert len(found) == 3  # no more colours are distinguished
    for wanted in ((20, 60, 140), (250, 200, 40), (215, 45, 45)):
        assert (
            min(max(abs(a - b) for a, b in zip(wanted, rgb, strict=True)) for rgb in found.values())
            < 12
        )
    rows = puzzle.goal.lines(puzzle.symbols)
    assert rows[0][0] == "."
    assert rows[16][12] == "."  # the letter
    assert len({rows[2][16], rows[6][16], rows[26][16]}) == 3
    assert len(nonosat.from_image(PAINTINGS["logo"](), columns=32, colours=2).colours) <= 2


def test_thin_strokes_have_their_colour() -> None:
    assert sum(connected(board("bicycle", colours=2))[:1]) > 100


@pytest.mark.parametrize("name", ["pixels", "sprite"])
def test_pixel_art_is_unchanged(name: str) -> None:
    assert board(name, 12, colours=2) == SPRITE
    assert [row.replace("r", "#") for row in SPRITE] == board(name, 12)


# Sizes and arguments


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("asked", "size"),
    [
        ({"columns": 30}, (20, 30)),
        ({"rows": 10}, (10, 15)),
        ({"columns": 12, "rows": 12}, (12, 12)),
        ({"columns": 1}, (1, 1)),
        ({"rows": 1}, (1, 2)),
        ({"columns": 90}, (60, 90)),
        ({"columns": 200}, (133, 200)),
    ],
)
def test_sizes(asked: Any, size: tuple[int, int]) -> None:
    image = Image.new("RGB", (90, 60), "white")
    ImageDraw.Draw(image).rectangle((0, 0, 89, 59), outline="black", width=9)
    puzzle = nonosat.from_image(image, **asked)
    assert (puzzle.height, puzzle.width) == size
    assert puzzle.rows == nonosat.from_picture(puzzle.goal).rows
    if size == (12, 12):
        lines = puzzle.goal.lines(".#")
        assert lines[:2] == lines[-2:] == ["." * 12] * 2  # added, so that the shape is kept
        assert lines[2] == "#" * 12


@pytest.mark.slow
def test_images_of_any_mode_are_taken() -> None:
    image = PAINTINGS["cat"]().convert("RGBA")
    first = nonosat.from_image(image, columns=20)
    for modes in (("LA",), ("LA", "La"), ("RGBa",), ("CMYK",), ("L", "F"), ("YCbCr",)):
        other = image
        for mode in modes:
            other = other.convert(mode)
        again = nonosat.from_image(other, columns=20)
        assert len(first.goal.differences(again.goal)) < 8, modes


@pytest.mark.parametrize("colours", [1, 3])
def test_large_boards_have_a_pixel_a_cell(colours: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pillow's filters of such a size divide by zero, which ends the process."""
    monkeypatch.setattr(_loading, "_MOST_PIXELS", 1000)
    rows = board("cat", 40, colours=colours)
    assert 0.2 < share(rows) < 0.6


@pytest.mark.parametrize("colour", ["white", "black", "red"])
def test_a_blank_picture_makes_a_puzzle(colour: str) -> None:
    for colours in (1, 3):
        puzzle = nonosat.from_image(Image.new("RGB", (9, 7), colour), columns=5, colours=colours)
        assert puzzle.width == 5
    assert nonosat.from_image(Image.new("RGBA", (9, 7)), columns=5).goal.cells == bytes(20)


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ({}, "no size"),
        ({"columns": 0}, "columns are 0, expected a whole number above 0"),
        ({"rows": "9"}, "rows are '9'"),
        ({"columns": 10**4, "rows": 10**4}, "at most 1,000,000"),
        ({"columns": 9, "colours": 0}, "colours are 0, expected a number from 1 to 64"),
        ({"columns": 9, "colours": 65}, "colours are 65"),
        ({"columns": 9, "edges": 2}, "edges is 2, expected a number from 0 to 1"),
        ({"columns": 9, "threshold": "dark"}, "threshold is 'dark'"),
    ],
)
def test_wrong_arguments_are_refused(asked: Any, says: str) -> None:
    with pytest.raises(PuzzleError, match=says):
        nonosat.from_image(Image.new("L", (9, 9)), **asked)


def test_other_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    path.write_text("no image")
    with pytest.raises(FormatError, match=r"a\.png: no image, expected a PNG, "):
        nonosat.from_image(path, columns=3)
    with pytest.raises(TypeError, match="expected the name of an image file or an image of Pillow"):
        nonosat.from_image([[1]], columns=3)
    with pytest.raises(TypeError, match="from_image takes no 'colors'"):
        nonosat.from_image(path, columns=3, colors=3)
    with pytest.raises(UnsupportedError, match="invert is for one colour"):
        nonosat.from_image(path, columns=3, colours=2, invert=True)
    with pytest.raises(LimitReached):
        nonosat.from_image(PAINTINGS["cat"](), columns=60, time_limit_s=1e-6)


def test_options_have_their_effects() -> None:
    ramp = Image.linear_gradient("L").rotate(90).resize((80, 20))
    filled = [
        sum(nonosat.from_image(ramp, columns=40, edges=0, threshold=level).goal.cells)
        for level in (0, 0.25, 0.5, 1)
    ]
    assert filled == sorted(filled)
    assert filled[0] == 0
    assert abs(filled[2] - 200) <= 20
    assert filled[3] > 380
    plain, other = (
        nonosat.from_image(ramp, columns=40, edges=0, invert=invert).goal.cells
        for invert in (False, True)
    )
    assert sum(a != b for a, b in zip(plain, other, strict=True)) > 0.9 * len(plain)


def test_a_camera_held_upright_makes_an_upright_picture(tmp_path: Path) -> None:
    image = drawn(["#...", "#...", "##.."]).resize((64, 48))
    exif = Image.Exif()
    exif[0x0112] = 6  # to be turned by 90 degrees to the right
    (tmp_path / "a.jpg").write_bytes(file(image, "JPEG", quality=95, exif=exif))
    puzzle = nonosat.from_image(tmp_path / "a.jpg", columns=3)
    assert puzzle.goal.lines(".#") == ["###", "#..", "...", "..."]


def test_the_command_writes_what_the_library_makes(tmp_path: Path) -> None:
    path = tmp_path / "logo.png"
    PAINTINGS["logo"]().save(path)
    done = run("generate", "image", str(path), "--columns", "20")
    wanted = nonosat.from_image(path, columns=20)
    assert done.stdout.splitlines() == wanted.goal.lines(".#")
    out = str(tmp_path / "logo.jsonl")
    assert run("generate", "image", str(path), "--columns", "20", "-o", out).exit_code == 0
    assert nonosat.load(out) == wanted.about_with(id="logo")
    for line, says in (
        ([], "no size; use --columns, --rows"),
        (["--columns", "9", "--colours", "2", "--invert"], "are for one colour"),
        (["--columns", "2000", "--rows", "2000"], "at most 1,000,000"),
    ):
        done = run("generate", "image", str(path), *line)
        assert done.exit_code == 2
        assert says in done.stderr


# Parts


def test_otsu_parts_two_heaps_in_the_middle_between_them() -> None:
    image = Image.new("L", (10, 1))
    image.putdata([40] * 3 + [50] + [200] * 6)
    assert 50 < otsu(image.histogram()) <= 200
    assert abs(otsu(image.histogram()) - 125) <= 2
    assert 0 <= otsu(Image.new("L", (3, 3), 9).histogram()) <= 255


def test_thinning_keeps_connected_parts_and_kept_cells() -> None:
    rows = ["......", ".####.", ".####.", ".#....", ".#....", "......"]
    filled = [cell == "#" for row in rows for cell in row]
    found = thinned(Bitmap(6, 6, filled), [False] * 36)
    assert sum(found.filled) < 8
    assert len(list(pieces(found))) == 1
    assert thinned(Bitmap(6, 6, filled), filled).filled == filled


def test_uncertain_specks_are_removed() -> None:
    filled = [True, False, True, True, False, True, True, True]
    sure = [False] * 8
    assert despeckled(Bitmap(1, 8, filled), sure).filled == [False] * 5 + [True] * 3
    sure[2] = True
    assert despeckled(Bitmap(1, 8, filled), sure).filled == [False, False, *filled[2:]]


@pytest.mark.thorough
@pytest.mark.parametrize("how", ["unique", "logic_only"])
@pytest.mark.parametrize("colours", [1, 3])
def test_a_unique_puzzle_has_the_same_picture(how: str, colours: int) -> None:
    changed = 0
    for name in ("cat", "bicycle"):
        plain = nonosat.from_image(PAINTINGS[name](), columns=24, colours=colours)
        puzzle = nonosat.from_image(PAINTINGS[name](), columns=24, colours=colours, **{how: True})
        assert nonosat.check(puzzle).verdict is nonosat.Verdict.UNIQUE
        assert how == "unique" or nonosat.rate(puzzle).difficulty < 5
        changes = len(plain.goal.differences(puzzle.goal))
        assert changes <= len(plain.goal.cells) // 20
        changed += changes
        assert (puzzle.colours, puzzle.background) == (plain.colours, plain.background)
    assert changed


@pytest.mark.thorough
def test_a_picture_gets_the_grade() -> None:
    for name, grade in (("cat", 5), ("bicycle", 3)):
        plain = nonosat.from_image(PAINTINGS[name](), columns=20)
        puzzle = nonosat.from_image(PAINTINGS[name](), columns=20, grade=grade)
        assert int(nonosat.rate(puzzle).difficulty) == grade
        changes = len(plain.goal.differences(puzzle.goal))
        assert changes <= len(plain.goal.cells) // 40
    with pytest.raises(PuzzleError, match="grade is 8, expected 1 to 7"):
        nonosat.from_image(PAINTINGS["cat"](), columns=20, grade=8)


@pytest.mark.parametrize(("most", "is_made"), [(100, False), (130, True)])
def test_copies_of_a_photograph_count_in_the_memory_limit(
    most: int, is_made: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Copies of 6 million pixels, 13 bytes each: 74 MiB."""
    monkeypatch.setattr(hooks, "resident_mib", lambda _: 50)
    image = Image.new("RGB", (3000, 2000), "white")
    image.paste("black", (0, 0, 1500, 1000))
    if is_made:
        made = nonosat.from_image(image, columns=3, rows=2, memory_limit_mib=most)
        assert (made.height, made.width) == (2, 3)
        return
    monkeypatch.setattr(Image.Image, "convert", pytest.fail)
    with pytest.raises(LimitReached, match=f"^memory limit of {most} MiB$"):
        nonosat.from_image(image, columns=3, rows=2, memory_limit_mib=most)
