"""Dithering: against definitions in fractions, and general properties for any image."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import pytest
from PIL import Image

import nonosat
from helpers.commands import run
from helpers.paintings import PAINTINGS
from nonosat.core.errors import PuzzleError, UnsupportedError
from nonosat.generate.image._dither import DITHERS, palette_of

Rgb = tuple[int, ...]
PLAIN: dict[str, Any] = {"edges": 0, "threshold": 0.5}  # tones stay what they are


def grey(width: int, height: int, seed: int = 1) -> Image.Image:
    """Random shades, of all strengths."""
    draw = Random(seed)
    image = Image.new("L", (width, height))
    image.putdata([draw.choice((0, 255, draw.randrange(256))) for _ in range(width * height)])
    image.putpixel((0, 0), 255)
    image.putpixel((width - 1, height - 1), 0)
    return image


def cells(image: Image.Image, **asked: Any) -> list[str]:
    puzzle = nonosat.from_image(image, columns=image.width, rows=image.height, **asked)
    return puzzle.goal.lines(puzzle.symbols)


def handed_on(rows: list[list[Rgb]], palette: list[Rgb]) -> list[list[int]]:
    """Floyd and Steinberg's rule: each cell collects the errors of the cells before it."""
    names: dict[tuple[int, int], int] = {}
    left: dict[tuple[int, int], list[Fraction]] = {}
    for y, row in enumerate(rows):
        for x, colour in enumerate(row):
            wanted = [Fraction(part) for part in colour]
            for place, share in (
                *(((y - 1, x - 1), 1), ((y - 1, x), 5), ((y - 1, x + 1), 3)),
                ((y, x - 1), 7),
            ):
                for at, error in enumerate(left.get(place, ())):
                    wanted[at] += error * Fraction(share, 16)
            wanted = [max(Fraction(0), min(Fraction(255), part)) for part in wanted]
            distance = [
                sum((a - b) ** 2 for a, b in zip(wanted, ink, strict=True)) for ink in palette
            ]
            name = min(range(len(palette)), key=distance.__getitem__)
            names[y, x] = name
            left[y, x] = [a - b for a, b in zip(wanted, palette[name], strict=True)]
    return [[names[y, x] for x in range(len(rows[0]))] for y in range(len(rows))]


@pytest.mark.parametrize("size", [(1, 1), (9, 1), (1, 9), (2, 2), (3, 5), (16, 16), (40, 7)])
def test_errors_go_where_floyd_and_steinberg_send_them(size: tuple[int, int]) -> None:
    for seed in range(5):
        image = grey(*size, seed)
        rows = [[(image.getpixel((x, y)),) for x in range(size[0])] for y in range(size[1])]
        wanted = ["".join(".#"[cell] for cell in row) for row in handed_on(rows, [(255,), (0,)])]
        assert cells(image, dither="floyd-steinberg", **PLAIN) == wanted


def test_errors_of_colours_are_handed_on_in_the_palette() -> None:
    draw = Random(4)
    values = [tuple(draw.randrange(256) for _ in range(3)) for _ in range(14 * 11)]
    image = Image.new("RGB", (14, 11))
    image.putdata(values)
    palette: list[Rgb] = list(palette_of(values, 5))
    rows = [values[at : at + 14] for at in range(0, len(values), 14)]
    puzzle = nonosat.from_image(image, columns=14, colours=4, edges=0, dither="floyd-steinberg")
    shown = [puzzle.background, *puzzle.colours]
    got = [
        [shown[cell].rgb for cell in puzzle.goal.cells[at : at + 14]] for at in range(0, 154, 14)
    ]
    assert got == [
        [f"#{bytes(palette[name]).hex()}" for name in row] for row in handed_on(rows, palette)
    ]


def test_bayers_pattern_fills_as_many_sixteenths_as_a_shade_is_dark() -> None:
    # Places in the order in which they are filled; consecutive ones are far apart.
    order = []
    before: set[int] = set()
    for dark in range(17):
        shade = 255 - round(255 * dark / 16)
        image = Image.new("L", (8, 8), shade)
        image.paste(0, (4, 0, 8, 8))  # so that there is black, and white
        image.paste(255, (4, 0, 8, 4))
        rows = cells(image, dither="bayer", **PLAIN)
        assert rows[:4] == [row[:4] + "...." for row in rows[:4]]
        assert [row[:4] for row in rows[:4]] == [row[:4] for row in rows[4:]]
        filled = {at for at in range(16) if rows[at // 4][at % 4] == "#"}
        assert len(filled) == dark
        assert filled >= before
        order += filled - before
        before = filled
    for number in (2, 4, 8):  # two in a diagonal, four in a lattice, eight in a chequer
        places = [divmod(at, 4) for at in order[:number]]
        gaps = {
            (min((a - c) % 4, (c - a) % 4), min((b - d) % 4, (d - b) % 4))
            for a, b in places
            for c, d in places
            if (a, b) != (c, d)
        }
        assert min(a + b for a, b in gaps) == {2: 4, 4: 2, 8: 2}[number]


@pytest.mark.parametrize("how", DITHERS)
def test_shades_are_kept_on_average(how: str) -> None:
    ramp = Image.linear_gradient("L").rotate(90).resize((64, 64))
    rows = cells(ramp, dither=how, **PLAIN)
    for left in range(0, 64, 8):
        share = sum(row[left : left + 8].count("#") for row in rows) / (8 * 64)
        light = sum(ramp.getpixel((x, 9)) for x in range(left, left + 8)) / 8 / 255  # type: ignore[misc]
        assert abs(share - (1 - light)) < 0.07


@pytest.mark.parametrize("how", DITHERS)
def test_a_threshold_is_filled_by_half(how: str) -> None:
    ramp = Image.linear_gradient("L").rotate(90).resize((64, 64))
    counts = []
    for threshold in (0, 0.2, 0.5, 0.8, 1):
        rows = cells(ramp, dither=how, edges=0, threshold=threshold)
        counts.append(sum(row.count("#") for row in rows))
        columns = range(64)
        middle = [x for x in columns if abs(ramp.getpixel((x, 9)) / 255 - threshold) < 0.06]  # type: ignore[operator]
        share = sum(row[x] == "#" for row in rows for x in middle) / (64 * len(middle))
        assert threshold in (0, 1) or 0.3 < share < 0.7
    assert counts == sorted(counts)
    assert counts[0] == 0
    assert len(set(counts)) == 5


@pytest.mark.parametrize("how", DITHERS)
@pytest.mark.parametrize("colours", [1, 3])
def test_transparent_parts_stay_empty_and_take_no_errors(how: str, colours: int) -> None:
    """Two parts without connection are dithered as if each were alone."""
    values = grey(8, 12, 7).convert("RGBA")
    hole = Image.new("RGBA", (4, 12))
    whole = Image.new("RGBA", (20, 12))
    whole.paste(values, (0, 0))
    whole.paste(hole, (8, 0))
    whole.paste(values, (12, 0))
    asked = PLAIN if colours == 1 else {"edges": 0}
    rows = cells(whole, dither=how, colours=colours, **asked)
    assert [row[:8] for row in rows] == [row[12:] for row in rows]
    assert {row[8:12] for row in rows} == {"...."}
    inverted = cells(whole, dither=how, invert=True, **PLAIN)
    assert {row[8:12] for row in inverted} == {"...."}
    assert nonosat.from_image(Image.new("RGBA", (9, 7)), columns=5, dither=how).goal.cells == bytes(
        20
    )


@pytest.mark.parametrize("how", DITHERS)
def test_pictures_of_one_shade_are_full_or_empty(how: str) -> None:
    for colours in (1, 2):
        for colour in ("black", "white"):
            image = Image.new("RGB", (7, 5), colour)
            (row,) = set(cells(image, dither=how, colours=colours))
            assert len(set(row)) == 1
            assert colours == 2 or row[0] == {"black": "#", "white": "."}[colour]


@pytest.mark.parametrize("how", DITHERS)
def test_light_is_filled_on_request(how: str) -> None:
    image = grey(30, 20)
    dark, light = (cells(image, dither=how, invert=invert, **PLAIN) for invert in (False, True))
    assert [row.translate({35: ".", 46: "#"}) for row in dark] == light
    assert cells(image, dither=how, **PLAIN) == dark  # never by default
    with pytest.raises(UnsupportedError, match="invert is for one colour"):
        cells(image, dither=how, colours=2, invert=True)


@pytest.mark.parametrize("how", DITHERS)
def test_outlines_have_more_contrast(how: str) -> None:
    """A border grows darker on its dark side, and lighter on the other."""
    image = Image.new("L", (160, 160), 150)
    image.paste(60, (80, 0, 160, 160))
    image.paste(0, (0, 0, 160, 8))
    image.paste(255, (0, 152, 160, 160))
    sides = []
    for edges in (0, 1):
        puzzle = nonosat.from_image(image, columns=40, threshold=0.5, edges=edges, dither=how)
        rows = puzzle.goal.lines(".#")[4:36]
        sides.append([sum(row[at] == "#" for row in rows) for at in (18, 19, 20, 21)])
    plain, sharp = sides
    assert sharp[1] < plain[1]
    assert sharp[2] > plain[2]


def test_a_photograph_keeps_its_tones_and_gets_a_unique_puzzle() -> None:
    for how in DITHERS:
        puzzle = nonosat.from_image(PAINTINGS["ball"](), columns=20, dither=how, unique=True)
        assert nonosat.check(puzzle).verdict is nonosat.Verdict.UNIQUE


def test_the_command_dithers_as_the_library(tmp_path: Any) -> None:
    path = tmp_path / "ball.png"
    PAINTINGS["ball"]().save(path)
    made = {}
    for how in DITHERS:
        done = run("generate", "image", str(path), "--columns", "20", "--dither", how)
        made[how] = done.stdout.splitlines()
        assert made[how] == nonosat.from_image(path, columns=20, dither=how).goal.lines(".#")
    assert made["bayer"] != made["floyd-steinberg"]
    wrong = run("generate", "image", str(path), "--columns", "20", "--dither", "atkinson")
    assert wrong.exit_code == 2
    assert all(how in wrong.stderr for how in DITHERS)
    with pytest.raises(
        PuzzleError, match="dither is 'atkinson', expected floyd-steinberg or bayer"
    ):
        nonosat.from_image(path, columns=20, dither="atkinson")
