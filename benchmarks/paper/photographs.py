"""Photographs of printed sheets, made from a seed: sheets of `render/`, seen by a bad camera.

A sheet is drawn in one of several fonts, then tilted, turned, lit unevenly, blurred, and saved as a
JPEG with noise. No camera took any of them.
"""

from __future__ import annotations

import math
import pathlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from io import BytesIO
from random import Random

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

import nonosat
from nonosat.render._painting.fonts import REGULAR
from nonosat.render.figures import figure
from nonosat.render.look import LIGHT, Look
from nonosat.render.nonogram.inks import letters
from nonosat.render.pages import own_page
from nonosat.render.plates import Plate
from nonosat.render.saving import painted
from nonosat.render.shapes import Group, Path, Shape, Texts

Pixels = NDArray[np.uint8]
_DEBIAN = pathlib.Path("/usr/share/fonts")
# By name; the classifier of digits was trained with the first group only.
KNOWN_FONTS = {
    "ours": REGULAR,
    "DejaVu Sans Mono": _DEBIAN / "truetype/dejavu/DejaVuSansMono.ttf",
    "Liberation Sans": _DEBIAN / "truetype/liberation/LiberationSans-Regular.ttf",
    "Liberation Serif": _DEBIAN / "truetype/liberation/LiberationSerif-Regular.ttf",
}
NEW_FONTS = {
    "Lato": _DEBIAN / "truetype/lato/Lato-Regular.ttf",
    "Comic Neue": _DEBIAN / "opentype/comic-neue/ComicNeue-Bold.otf",
    "Roboto": _DEBIAN / "truetype/roboto/unhinted/RobotoTTF/Roboto-Regular.ttf",
    "Gentium": _DEBIAN / "truetype/gentium-basic/GenBasR.ttf",
}
SIZES = (5, 8, 10, 12, 15, 20, 25, 30, 40, 50)


@dataclass(frozen=True)
class Camera:
    """Defects of one photograph.

    Args:
        cell: Pixels of a cell, about.
        turn: Quarter turns.
        angle: Further rotation in degrees.
        tilt: Perspective: greatest move of a corner, as a share of the side.
        blur: Standard deviation of the blur, in pixels.
        noise: Standard deviation of the noise, in steps of brightness.
        quality: Quality of the JPEG.
        shadow: Share of the light that the shadow takes.
    """

    cell: float
    turn: int
    angle: float
    tilt: float
    blur: float
    noise: float
    quality: int
    shadow: float


@dataclass(frozen=True)
class Photograph:
    """A photograph as a file, and the truth about it.

    Attributes:
        fields: Number and corners of each printed clue number in pixels of the photograph: the left
            and right ends of the foot and of the head of the text.
    """

    seed: int
    puzzle: nonosat.Nonogram
    font: str
    camera: Camera
    data: bytes
    fields: list[tuple[str, NDArray[np.float64]]]


def photographed(seed: int, size: int | None = None, font: str | None = None) -> Photograph:
    """Return the photograph of a seed, optionally with this size and font."""
    random = Random(seed)
    side = random.choice(SIZES)
    other = max(5, round(side * random.choice((1, 1, 0.8, 1.2))))
    side, other = (size, size) if size else (min(side, 50), min(other, 50))
    density = random.uniform(0.45, 0.65)
    puzzle = nonosat.generate_nonogram(
        side, other, density=density, seed=seed, unique=True, logic_only=side > 25
    )
    fonts = KNOWN_FONTS | NEW_FONTS
    name = font or random.choice([*fonts])
    large = max(side, other)
    camera = Camera(
        cell=random.uniform(22, 40) if large <= 25 else random.uniform(20, 28),
        turn=random.choice((0, 0, 0, 1, 2, 3)),
        angle=random.uniform(-6, 6),
        tilt=random.uniform(0, 0.06),
        blur=random.uniform(0.3, 1.6),
        noise=random.uniform(0, 10),
        quality=random.randint(50, 95),
        shadow=random.uniform(0, 0.5),
    )
    page, places = _sheet(puzzle, random, fonts[name])
    data, seen = _taken(page, camera, random)
    fields = [(text, _moved(corners, seen)) for text, corners in places]
    return Photograph(seed, puzzle, name, camera, data, fields)


# Inks of sheets in several colours: all of them are clearly different.
INKS = (
    "#000000", "#d01010", "#1040d0", "#108030", "#ffd800",
    "#ff8000", "#8020a0", "#40c0f0", "#ff90c0", "#808080",
)  # fmt: skip


def in_colours(seed: int, *, on_fields: bool = True) -> Photograph:
    """Return a photograph of a sheet in two to five colours.

    Args:
        seed: Seed.
        on_fields: True for numbers on fields of their colour, False for numbers in coloured ink.
    """
    random = Random(seed)
    inks = random.sample(INKS, random.randint(2, 5))
    colours = dict(zip("abcde", inks, strict=False))
    while True:
        height, width = random.randint(5, 20), random.randint(5, 20)
        shares = [0.5, *[1 / len(inks)] * len(inks)]
        cells = [random.choices([".", *colours], shares, k=width) for _ in range(height)]
        rows = ["".join(row) for row in cells]
        puzzle = nonosat.from_picture(rows, colours=colours)
        if nonosat.is_unique(puzzle):
            break
    camera = Camera(
        cell=random.uniform(24, 40),
        turn=random.choice((0, 0, 0, 1, 2, 3)),
        angle=random.uniform(-6, 6),
        tilt=random.uniform(0, 0.06),
        blur=random.uniform(0.3, 1.3),
        noise=random.uniform(0, 8),
        quality=random.randint(60, 95),
        shadow=random.uniform(0, 0.4),
    )
    page = _coloured_sheet(puzzle, on_fields=on_fields)
    data, _ = _taken(page, camera, random)
    return Photograph(seed, puzzle, "ours", camera, data, [])


def _coloured_sheet(puzzle: nonosat.Nonogram, *, on_fields: bool) -> Pixels:
    """Return a sheet in colours, blue first."""
    page = own_page(Plate([figure(puzzle, None, (), Look(LIGHT))]), None, LIGHT)
    if not on_fields:
        page = page._replace(shapes=[*_in_inks(page.shapes, puzzle)])
    data, _ = painted([page], ".png")
    size = round(page.width * _ENLARGED), round(page.height * _ENLARGED)
    image = Image.open(BytesIO(data)).convert("RGB").resize(size, Image.Resampling.BOX)
    return np.ascontiguousarray(np.asarray(image)[..., ::-1])


def _in_inks(shapes: Iterable[Shape], puzzle: nonosat.Nonogram) -> Iterator[Shape]:
    """Yield shapes with numbers in ink of their colour, without fields and letters."""
    ink = {sign: one.rgb for sign, one in zip(letters(puzzle), puzzle.colours, strict=True) if sign}
    for shape in shapes:
        if isinstance(shape, Group):
            yield shape._replace(shapes=[*_in_inks(shape.shapes, puzzle)])
        elif isinstance(shape, Texts):
            for x, y, text in shape.places:
                number = text.rstrip("".join(ink)) if text[:1].isdecimal() else text
                fill = ink.get(text[len(number) :], "#000000")
                yield shape._replace(places=[(x, y, number)], fill=fill)
        elif not (isinstance(shape, Path) and shape.fill in ink.values()):
            yield shape


_ENLARGED = 3  # dots of the printed sheet per pixel of its page


def _sheet(
    puzzle: nonosat.Nonogram, random: Random, font: pathlib.Path
) -> tuple[Pixels, list[tuple[str, NDArray[np.float64]]]]:
    """Return a printed sheet, and each number with the corners of its box."""
    thin, heavy = random.choice((("#b4b4b4", "#808080"), ("#999999", "#333333"), ("#777777",) * 2))
    ink = random.choice(("#000000", "#222222", "#333333"))
    theme = LIGHT._replace(thin=thin, heavy=heavy, ink=ink, faint=random.choice((ink, "#666666")))
    title = random.choice(("", "A puzzle", "Number 17"))
    plate = Plate([figure(puzzle, None, (), Look(theme))], title)
    page = own_page(plate, None, theme)
    texts = [*_texts(page.shapes, 0, 0, 1)]
    data, _ = painted([page._replace(shapes=_without_texts(page.shapes))], ".png")
    size = round(page.width * _ENLARGED), round(page.height * _ENLARGED)
    image = Image.open(BytesIO(data)).convert("L").resize(size, Image.Resampling.BOX)
    draw = ImageDraw.Draw(image)
    grown = random.uniform(0.95, 1.2)
    places = []
    for x, y, text, points, fill in texts:
        letters = ImageFont.truetype(
            str(font), points * _ENLARGED * (grown if len(text) < 2 else 1)
        )
        at = (x * _ENLARGED, y * _ENLARGED)
        is_number = text.isdecimal()
        draw.text(at, text, int(fill[1:3], 16), letters, anchor="ms" if is_number else "ls")
        if is_number:
            left, top, right, foot = draw.textbbox(at, text, letters, anchor="ms")
            corners = [(left, top), (right, top), (right, foot), (left, foot)]
            places.append((text, np.array(corners, float)))
    return np.asarray(image), places


def _texts(
    shapes: Iterable[Shape], x: float, y: float, scale: float
) -> Iterator[tuple[float, float, str, float, str]]:
    for shape in shapes:
        if isinstance(shape, Group):
            yield from _texts(
                shape.shapes, x + shape.x * scale, y + shape.y * scale, scale * shape.scale
            )
        elif isinstance(shape, Texts):
            for left, foot, text in shape.places:
                yield x + left * scale, y + foot * scale, text, shape.size * scale, shape.fill


def _without_texts(shapes: Iterable[Shape]) -> list[Shape]:
    kept: list[Shape] = []
    for shape in shapes:
        if isinstance(shape, Group):
            kept.append(shape._replace(shapes=_without_texts(shape.shapes)))
        elif not isinstance(shape, Texts):
            kept.append(shape)
    return kept


def _taken(page: Pixels, camera: Camera, random: Random) -> tuple[bytes, NDArray[np.float64]]:
    """Return a photograph of a page, and the matrix that moves a point of the page into it."""
    scale = camera.cell / (20 * _ENLARGED)
    height, width = page.shape[:2]
    corners = np.array([(0, 0), (width, 0), (width, height), (0, height)], float)
    centred = (corners - (width / 2, height / 2)) * scale
    angle = math.radians(camera.angle + 90 * camera.turn)
    turn = np.array([[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]])
    side = max(width, height) * scale * camera.tilt
    seen = centred @ turn
    seen += [[random.uniform(-side, side) for _ in "xy"] for _ in corners]
    margin = random.uniform(0.3, 2) * camera.cell
    seen += margin - seen.min(axis=0)
    size = [math.ceil(side + margin) for side in seen.max(axis=0)]
    matrix = cv2.getPerspectiveTransform(corners.astype(np.float32), seen.astype(np.float32))
    numbers = np.random.default_rng(random.getrandbits(32))
    desk = random.choice((60, 140, 235, 255))
    shown = cv2.GaussianBlur(page, (0, 0), max(0.3, 0.45 / scale))  # before fewer dots
    image = cv2.warpPerspective(
        shown, matrix, size, flags=cv2.INTER_LINEAR, borderValue=(desk,) * 3
    )
    light = image.astype(np.float32) * random.uniform(0.75, 1)
    shade, planes = _shade(light.shape[:2], random), (1,) * (light.ndim - 2)
    light *= (1 - camera.shadow * shade).reshape(shade.shape + planes)
    grain = numbers.normal(0, 3, (light.shape[0] // 4 + 1, light.shape[1] // 4 + 1))
    light += cv2.resize(grain.astype(np.float32), size).reshape(shade.shape + planes)  # of paper
    light = cv2.GaussianBlur(light, (0, 0), camera.blur)
    light += numbers.normal(0, 1, light.shape).astype(np.float32) * camera.noise
    taken = np.clip(light, 0, 255).astype(np.uint8)
    _, data = cv2.imencode(".jpg", taken, [cv2.IMWRITE_JPEG_QUALITY, camera.quality])
    return data.tobytes(), matrix.astype(float)


def _shade(shape: tuple[int, ...], random: Random) -> NDArray[np.float32]:
    """Return the depth of a shadow with a soft edge, from 0 to 1."""
    height, width = shape
    y, x = np.mgrid[0 : 1 : height * 1j, 0 : 1 : width * 1j]
    angle = random.uniform(0, 2 * math.pi)
    along = (x - 0.5) * math.cos(angle) + (y - 0.5) * math.sin(angle) - random.uniform(-0.3, 0.3)
    return (1 / (1 + np.exp(-along * random.uniform(4, 30)))).astype(np.float32)


def _moved(points: NDArray[np.float64], matrix: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return points moved by a projective matrix."""
    moved = np.c_[points, np.ones(len(points))] @ matrix.T
    return moved[:, :2] / moved[:, 2:]
