"""Typical pictures of users, painted by code: drawings, imitated photographs, sprites."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from math import cos, hypot, pi, sin
from random import Random
from typing import Any

from PIL import Image, ImageChops, ImageDraw, ImageFilter

from helpers.images import GREY, enlarged, ruled

WHITE, BLACK = (255, 255, 255), (0, 0, 0)
SPRITE = [
    "....####....",
    "..##rrrr##..",
    ".#rrr..rrr#.",
    ".#rr....rr#.",
    "#rrr....rrr#",
    "#rrrr..rrrr#",
    "############",
    "#....##....#",
    "#...#..#...#",
    ".#...##...#.",
    "..##....##..",
    "....####....",
]


def _canvas(width: int, height: int, colour: Any = WHITE) -> tuple[Any, Any]:
    image = Image.new("RGB", (width, height), colour)
    return image, ImageDraw.Draw(image)


def _gradient(width: int, height: int, top: Any, bottom: Any) -> Any:
    ramp = Image.linear_gradient("L").resize((width, height))
    return Image.composite(
        Image.new("RGB", ramp.size, bottom), Image.new("RGB", ramp.size, top), ramp
    )


def _noisy(image: Any, strength: int, seed: int) -> Any:
    noise = Image.frombytes("L", image.size, Random(seed).randbytes(image.width * image.height))
    noise = noise.filter(ImageFilter.GaussianBlur(1)).point(
        lambda value: 128 + (value - 128) * strength // 64
    )
    return ImageChops.add(image, Image.merge("RGB", [noise] * 3), 1, -128)


def face() -> Any:
    """Portrait as a camera takes it: soft light from the left, hair, a dim wall."""
    image = _gradient(480, 600, (150, 160, 165), (95, 105, 115))
    draw = ImageDraw.Draw(image)
    draw.ellipse((40, 470, 440, 800), fill=(60, 70, 120))
    draw.rectangle((190, 400, 290, 520), fill=(190, 140, 115))
    draw.ellipse((95, 60, 385, 420), fill=(50, 35, 30))
    draw.ellipse((125, 120, 355, 460), fill=(225, 175, 145))
    for left in (165, 265):
        draw.ellipse((left, 255, left + 55, 285), fill=(245, 240, 235))
        draw.ellipse((left + 16, 256, left + 42, 284), fill=(60, 45, 40))
        draw.line((left - 5, 235, left + 60, 228), fill=(60, 40, 30), width=10)
    draw.polygon([(240, 280), (222, 345), (258, 345)], fill=(195, 140, 115))
    draw.ellipse((195, 370, 285, 405), fill=(170, 70, 75))
    draw.line((195, 387, 285, 387), fill=(110, 40, 45), width=5)
    image = image.filter(ImageFilter.GaussianBlur(4))
    shade = (
        Image.linear_gradient("L")
        .rotate(90)
        .resize(image.size)
        .point(lambda v: 110 + v * 145 // 255)
    )
    return _noisy(ImageChops.multiply(image, Image.merge("RGB", [shade] * 3)), 8, 1)


def cat() -> Any:
    """A cat, drawn and filled."""
    image, draw = _canvas(400, 400)
    draw.ellipse((110, 170, 300, 390), fill=BLACK)
    draw.ellipse((120, 60, 270, 200), fill=BLACK)
    draw.polygon([(125, 120), (125, 20), (190, 75)], fill=BLACK)
    draw.polygon([(265, 120), (265, 20), (200, 75)], fill=BLACK)
    draw.arc((240, 200, 390, 380), -60, 120, fill=BLACK, width=24)
    for left in (150, 210):
        draw.ellipse((left, 105, left + 32, 135), fill=WHITE)
        draw.ellipse((left + 11, 108, left + 21, 132), fill=BLACK)
    draw.polygon([(186, 145), (206, 145), (196, 157)], fill=WHITE)
    for tilt in (-12, 0, 12):
        draw.line((170, 155, 80, 155 + tilt), fill=(90, 90, 90), width=3)
        draw.line((222, 155, 312, 155 + tilt), fill=(90, 90, 90), width=3)
    return image


def night() -> Any:
    """A house at night: a dark gradient, a moon, windows with light."""
    image = _gradient(600, 450, (8, 10, 40), (50, 50, 110))
    draw = ImageDraw.Draw(image)
    draw.ellipse((450, 40, 530, 120), fill=(240, 240, 210))
    draw.rectangle((0, 370, 600, 450), fill=(15, 30, 20))
    draw.rectangle((150, 210, 400, 390), fill=(70, 55, 60))
    draw.polygon([(120, 215), (275, 100), (430, 215)], fill=(35, 20, 25))
    draw.rectangle((330, 110, 365, 170), fill=(60, 40, 40))
    for left in (180, 320):
        draw.rectangle((left, 245, left + 50, 300), fill=(255, 220, 110))
        draw.line((left + 25, 245, left + 25, 300), fill=(70, 55, 60), width=5)
    draw.rectangle((250, 300, 300, 390), fill=(140, 90, 50))
    rng = Random(3)
    for _ in range(40):
        x, y = rng.randrange(600), rng.randrange(180)
        draw.point((x, y), fill=(250, 250, 250))
    return image


def scene() -> Any:
    """Mountains, a lake and a tree with a photograph's noise."""
    image = _gradient(640, 480, (120, 170, 230), (225, 225, 220))
    draw = ImageDraw.Draw(image)
    draw.polygon(
        [(0, 300), (130, 130), (220, 230), (340, 90), (500, 260), (640, 170), (640, 320), (0, 320)],
        fill=(105, 110, 130),
    )
    draw.polygon([(340, 90), (300, 145), (335, 135), (350, 155), (385, 140)], fill=(245, 245, 250))
    draw.polygon([(130, 130), (105, 165), (130, 158), (155, 165)], fill=(245, 245, 250))
    draw.rectangle((0, 310, 640, 400), fill=(70, 120, 170))
    draw.polygon([(0, 400), (260, 375), (640, 420), (640, 480), (0, 480)], fill=(70, 105, 45))
    draw.rectangle((505, 270, 530, 430), fill=(70, 45, 30))
    rng = Random(2)
    for _ in range(60):
        x, y = 518 + rng.gauss(0, 40), 220 + rng.gauss(0, 42)
        draw.ellipse(
            (x - 22, y - 18, x + 22, y + 18),
            fill=(30 + rng.randrange(25), 70 + rng.randrange(30), 30),
        )
    return _noisy(image.filter(ImageFilter.GaussianBlur(1.5)), 14, 4)


def bicycle() -> Any:
    """A line drawing with a thin pen."""
    image, draw = _canvas(900, 560)
    for x in (220, 680):
        draw.ellipse((x - 160, 210, x + 160, 530), outline=BLACK, width=7)
        draw.ellipse((x - 12, 358, x + 12, 382), outline=BLACK, width=7)
        for spoke in range(8):
            angle = 2 * pi * spoke / 8
            draw.line((x, 370, x + 156 * cos(angle), 370 + 156 * sin(angle)), fill=BLACK, width=2)
    frame = [(220, 370), (350, 170), (590, 170), (430, 370), (220, 370)]
    draw.line(frame, fill=BLACK, width=9)
    draw.line([(430, 370), (340, 120)], fill=BLACK, width=9)
    draw.line([(680, 370), (580, 110), (520, 90), (500, 120)], fill=BLACK, width=9)
    draw.line([(300, 118), (385, 118)], fill=BLACK, width=16)
    return image


def logo() -> Any:
    """A logo in four colours with a letter."""
    image, draw = _canvas(512, 512)
    draw.ellipse((20, 20, 492, 492), fill=(20, 60, 140))
    draw.ellipse((60, 60, 452, 452), fill=(250, 200, 40))
    draw.pieslice((60, 60, 452, 452), 20, 160, fill=(215, 45, 45))
    draw.polygon(
        [
            (160, 380),
            (160, 130),
            (215, 130),
            (300, 270),
            (300, 130),
            (350, 130),
            (350, 380),
            (300, 380),
            (210, 235),
            (210, 380),
        ],
        fill=WHITE,
    )
    return image.resize((512, 512)).filter(ImageFilter.GaussianBlur(1))


def pixels() -> Any:
    """Pixel art, seven pixels a cell, with lines between the cells."""
    return ruled(SPRITE, 7, 1, GREY, 1)


def sprite() -> Any:
    """Enlarged sprite without a background."""
    looks = {".": (0, 0, 0, 0), "#": (30, 30, 40, 255), "r": (230, 30, 40, 255)}
    image = Image.new("RGBA", (12, 12))
    image.putdata([looks[sign] for row in SPRITE for sign in row])
    return enlarged(image, 20)


def tree() -> Any:
    """A bare tree in fog: hardly any contrast, thin twigs."""
    image, draw = _canvas(480, 560, (190, 192, 196))

    def grow(x: float, y: float, angle: float, length: float, width: float) -> None:
        if length < 14:
            return
        x2, y2 = x + length * cos(angle), y - length * sin(angle)
        draw.line((x, y, x2, y2), fill=(140, 140, 146), width=max(1, round(width)))
        for turn in (-0.45, 0.38):
            grow(x2, y2, angle + turn, length * 0.76, width * 0.66)

    grow(240, 545, pi / 2, 130, 30)
    return _noisy(image.filter(ImageFilter.GaussianBlur(1)), 3, 6)


def ball() -> Any:
    """Lit sphere, with its shadow on a pale table."""
    image = Image.new("RGB", (320, 320), (215, 210, 200))
    draw = ImageDraw.Draw(image)
    draw.ellipse((90, 235, 310, 290), fill=(130, 125, 120))
    image = image.filter(ImageFilter.GaussianBlur(6))
    cells = image.load()
    for y in range(40, 260):
        for x in range(40, 260):
            dx, dy = (x - 150) / 110, (y - 150) / 110
            if hypot(dx, dy) < 1:
                depth = (1 - dx * dx - dy * dy) ** 0.5
                light = max(0.08, -0.5 * dx - 0.6 * dy + 0.62 * depth)
                cells[x, y] = (
                    round(230 * light) + 20,
                    round(70 * light) + 10,
                    round(50 * light) + 10,
                )
    return image


def shaded(
    width: int, height: int, shade: Callable[[float, float], float], noise: int = 0, seed: int = 0
) -> Any:
    """Grey picture without borders.

    Args:
        width: Pixels.
        height: Pixels.
        shade: Brightness at (x, y), both from 0 to 1, as a number from 0 to 1.
        noise: Maximum of the grey levels that are added or subtracted, evenly distributed.
        seed: Seed of the noise.
    """
    draw = Random(seed)
    image = Image.new("L", (width, height))
    for y, x in product(range(height), range(width)):
        grey = 255 * shade(x / width, y / height) + draw.uniform(-noise, noise)
        image.putpixel((x, y), min(255, max(0, round(grey))))
    return image.convert("RGB")


def _slanted(angle: float) -> Callable[[float, float], float]:
    right, down = cos(angle), sin(angle)
    length = abs(right) + abs(down)
    return lambda x, y: 0.5 + ((x - 0.5) * right + (y - 0.5) * down) / length


SHADES: dict[str, Callable[[float, float], float]] = {
    **{f"at {45 * number} degrees": _slanted(pi * number / 4) for number in range(8)},
    "radial": lambda x, y: min(1.0, 1.4 * hypot(x - 0.5, y - 0.5)),
    "vignette": lambda x, y: 1 - 1.2 * ((x - 0.5) ** 2 + (y - 0.5) ** 2),
    "cylinder": lambda x, y: sin(pi * x),
}


def ramp() -> Any:
    """Sixteen rows of sixteen pixels, from black to white in equal steps."""
    return shaded(16, 16, lambda x, y: 16 / 15 * y)


def sky() -> Any:
    """Dark square on a sky that gets lighter downwards."""
    image = shaded(300, 200, lambda x, y: (130 + 119 * y) / 255)
    ImageDraw.Draw(image).rectangle((100, 60, 199, 149), fill=(20, 20, 20))
    return image


def vignette() -> Any:
    """Dark box with noise, and dark corners as of a lens."""
    image = shaded(300, 200, lambda x, y: 0.94 - 0.9 * ((x - 0.5) ** 2 + (y - 0.5) ** 2))
    ImageDraw.Draw(image).rectangle((110, 50, 189, 149), fill=(18, 18, 18))
    return _noisy(image, 4, 9)


PAINTINGS: dict[str, Callable[[], Any]] = {
    one.__name__: one
    for one in (face, cat, night, scene, bicycle, logo, pixels, sprite, tree, ball)
}
