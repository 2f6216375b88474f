"""Training of the classifier of numbers, `nonosat/paper/digits.npz`, from rendered fonts.

    python benchmarks/paper/classifier.py nonosat/paper/digits.npz

Numbers stand between others, as in clues, and are photographed as `photographs.py` does: few
pixels, blur, noise, JPEG. Letters, dirt and turned digits are no numbers. No font of `NEW_FONTS` is
used, so that sheets in these fonts measure how well it reads fonts that it does not know.
The weights are stored as half-precision floats. Needs torch, and 11 minutes on one core.
"""

from __future__ import annotations

import argparse
import string
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Any

import cv2
import numpy as np
import torch
from PIL import Image, ImageDraw, ImageFont
from torch import nn

from nonosat.paper._fields import Box, image_of
from nonosat.paper._numbers import NETWORK, NO_NUMBER
from nonosat.paper._page import darkness

_FOLDERS = (
    "truetype/dejavu", "truetype/liberation", "truetype/liberation2", "truetype/open-sans",
    "truetype/noto", "truetype/hack", "opentype/cantarell", "opentype/linux-libertine",
    "truetype/inconsolata", "opentype/inconsolata",
)  # fmt: skip
_UNFIT = ("Display", "_K", "_DR", "_I.", "_M.", "Thin", "Hairline", "MathTeX", "ExtraLight")
_NOTO = ("NotoSans-", "NotoSerif-", "NotoMono-", "NotoSansMono-", "NotoSerifDisplay-")
_DOTS = 60  # of a cell of the printed sheet
_SLOTS = (16, 10)  # numbers in a made photograph
_SLOT = (4.0, 3.0)  # cells of the place of a number with its neighbours, across and down
_LETTERS = sorted({*string.ascii_letters, *"?%&#+=/.:-"} - {*"OoQDlIiSsZzBbgqCce"})
# Digits that are another sign, or none, if they are turned by a quarter, a half, three quarters.
_TURNED = {1: "2345679", 2: "347", 3: "2345679"}


def fonts() -> list[Path]:
    """Return the files of fonts in Debian's folders that are fit for training."""
    root = Path("/usr/share/fonts")
    files = [one for folder in _FOLDERS for one in sorted((root / folder).glob("*.[to]tf"))]
    kept = [one for one in files if not any(part in one.name for part in _UNFIT)]
    return [one for one in kept if "Noto" not in one.name or one.name.startswith(_NOTO)]


@lru_cache(maxsize=400)
def _font(file: Path, size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(str(file), size)


def _number(random: Random) -> str:
    return str(random.randint(1, 9) if random.random() < 0.7 else random.randint(10, 60))


def _target(random: Random) -> tuple[str, int, int]:
    """Return a text, its quarter turns, and its label."""
    kind = random.random()
    if kind < 0.07:
        return random.choice(_LETTERS) + random.choice(["", random.choice(_LETTERS)]), 0, NO_NUMBER
    if kind < 0.14:
        turn = random.choice((1, 2, 3))
        return random.choice(_TURNED[turn]), turn, NO_NUMBER
    if kind < 0.17:
        return "", 0, NO_NUMBER
    value = random.choice((random.randint(0, 9), random.randint(1, 9), random.randint(10, 99)))
    return str(value), 0, value


def made(seed: int, files: list[Path]) -> Iterator[tuple[Any, int]]:
    """Yield the images and labels of the numbers in one photograph."""
    random = Random(seed)
    numbers = np.random.default_rng(seed)
    file = random.choice(files)
    wide, high = (round(side * _DOTS) for side in _SLOT)
    page = Image.new("L", (wide * _SLOTS[0], high * _SLOTS[1]), 255)
    ink = random.choice((0, 34, 51, 90))
    height = random.uniform(0.36, 0.55) * _DOTS  # of a digit
    asked = _font(file, 100).getbbox("0")
    size = round(100 * height / (asked[3] - asked[1]))
    places = []
    for at in range(_SLOTS[0] * _SLOTS[1]):
        x, y = wide * (at % _SLOTS[0] + 0.5), high * (at // _SLOTS[0] + 0.5)
        places.append(_drawn(page, random, file, size, ink, (x, y)))
    cell = random.choice((random.uniform(14, 24), random.uniform(18, 40)))
    seen, matrix = _taken(np.asarray(page), cell, random, numbers)
    image = darkness(seen)
    on_page = random.choice((40, 40, 52, 60))  # pixels of a cell of the page seen from above
    back = np.diag([on_page / _DOTS, on_page / _DOTS, 1]) @ np.linalg.inv(matrix)
    side = round(page.width * on_page / _DOTS), round(page.height * on_page / _DOTS)
    above = cv2.warpPerspective(image, back, side, flags=cv2.INTER_CUBIC)
    above = cv2.GaussianBlur(np.clip(above, 0, 1), (0, 0), 0.7)
    tall = height * on_page / _DOTS
    peaks = [above[int(y0) : int(y1) + 1, int(x0) : int(x1) + 1].max()
             for x0, y0, x1, y1 in _scaled(places, on_page)]  # fmt: skip
    least = max(0.5 * float(np.median(peaks)), 0.12)
    for (_, label), box in zip(places, _scaled(places, on_page), strict=True):
        found = _seen(above > least, box, tall, random)
        if found is not None:
            yield image_of(above, found), label


def _scaled(places: list[Any], on_page: int) -> list[tuple[float, ...]]:
    return [tuple(side * on_page / _DOTS for side in box) for box, _ in places]


def _drawn(
    page: Image.Image, random: Random, file: Path, size: int, ink: int, at: tuple[float, float]
) -> tuple[tuple[float, ...], int]:
    """Draw a target with its neighbours; return its box and label."""
    draw = ImageDraw.Draw(page)
    text, turn, label = _target(random)
    letters = _font(file, round(size * (random.uniform(0.75, 1) if len(text) > 1 else 1)))
    x, y = at
    left, top, right, foot = draw.textbbox(at, text or "1", letters, anchor="mm")
    if not text:
        for _ in range(random.randint(1, 3)):  # dirt
            a, b = (x + random.uniform(-12, 12), y + random.uniform(-16, 16))
            draw.line([(a, b), (a + random.uniform(-20, 20), b + random.uniform(-20, 20))], ink, 4)
    elif turn:
        side = 2 * size
        stamp = Image.new("L", (side, side), 255)
        ImageDraw.Draw(stamp).text((size, size), text, ink, letters, anchor="mm")
        page.paste(stamp.rotate(90 * turn), (round(x) - size, round(y) - size))
        left, top, right, foot = x - size / 3, y - size / 3, x + size / 3, y + size / 3
    else:
        draw.text(at, text, ink, letters, anchor="mm")
    if random.random() < 0.5:  # a row
        gap = random.uniform(0.3, 0.8) * (foot - top)
        if random.random() < 0.8:
            draw.text((left - gap, y), _number(random), ink, letters, anchor="rm")
        if random.random() < 0.8:
            draw.text((right + gap, y), _number(random), ink, letters, anchor="lm")
    else:
        step = random.uniform(1.35, 2) * (foot - top)
        for sign in (-1, 1):
            if random.random() < 0.8:
                draw.text((x, y + sign * step), _number(random), ink, letters, anchor="mm")
    return (left, top, right, foot), label


def _taken(page: Any, cell: float, random: Random, numbers: Any) -> tuple[Any, Any]:
    """Return a bad photograph of a page, and the matrix that moves a point of the page into it."""
    scale = cell / _DOTS
    height, width = page.shape
    angle = np.radians(random.uniform(-7, 7))
    turn = scale * np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    corners = np.array([(0, 0), (width, 0), (width, height), (0, height)], float) @ turn
    corners += numbers.uniform(-2, 2, (4, 2)) * cell
    corners += 4 - corners.min(axis=0)
    size = [int(side) + 4 for side in corners.max(axis=0)]
    source = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    matrix = cv2.getPerspectiveTransform(source, corners.astype(np.float32))
    smooth = cv2.GaussianBlur(page, (0, 0), max(0.3, 0.45 / scale))
    light = cv2.warpPerspective(smooth, matrix, size, borderValue=255).astype(np.float32)
    light *= random.uniform(0.5, 1)
    light = cv2.GaussianBlur(light, (0, 0), random.uniform(0.3, 1.8) * min(1, cell / 20))
    light += numbers.normal(0, 1, light.shape).astype(np.float32) * random.uniform(0, 12)
    _, data = cv2.imencode(
        ".jpg",
        np.clip(light, 0, 255).astype(np.uint8),
        [cv2.IMWRITE_JPEG_QUALITY, random.randint(45, 95)],
    )
    return cv2.imdecode(data, cv2.IMREAD_GRAYSCALE), matrix


def _seen(dark: Any, box: tuple[float, ...], tall: float, random: Random) -> Box | None:
    """Return the box of the ink of a number, not always exact; None if there is none."""
    margin = 0.12 * tall
    left, top = int(box[0] - margin), int(box[1] - margin)
    part = dark[top : int(box[3] + margin) + 1, left : int(box[2] + margin) + 1]
    if not part.any():
        return None
    across, down = np.flatnonzero(part.any(axis=0)), np.flatnonzero(part.any(axis=1))
    sides = (across[0] + left, down[0] + top, across[-1] + left + 1, down[-1] + top + 1)
    away = [random.choice((0, 0, random.uniform(-1.5, 1.5))) for _ in sides]
    return Box(*(float(side + by) for side, by in zip(sides, away, strict=True)))


class Network(nn.Module):
    """The network of `_numbers.py`."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.ModuleList(
            nn.Conv2d(before, after, side, 2, side // 2)
            for before, after, side in NETWORK.convolved
        )
        self.inner = nn.Linear(NETWORK.flat, NETWORK.inner)
        self.outer = nn.Linear(NETWORK.inner, sum(NETWORK.heads))

    def forward(self, images: Any) -> Any:
        for layer in self.layers:
            images = torch.relu(layer(images))
        inner = torch.relu(self.inner(images.flatten(1)))
        return self.outer(nn.functional.dropout(inner, 0.1, self.training))


def _loss(outputs: Any, labels: Any) -> Any:
    tens, units, is_number = outputs.split(NETWORK.heads, 1)
    number = labels != NO_NUMBER
    loss = nn.functional.cross_entropy(is_number, number.long(), reduction="none")
    loss[number] += nn.functional.cross_entropy(
        tens[number], labels[number] // 10, reduction="none"
    ) + nn.functional.cross_entropy(units[number], labels[number] % 10, reduction="none")
    return loss.mean()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--photographs", type=int, default=1500)
    parser.add_argument("--rounds", type=int, default=14)
    chosen = parser.parse_args()
    torch.manual_seed(1)
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    files = fonts()
    samples = [one for seed in range(chosen.photographs) for one in made(seed, files)]
    images = torch.tensor(np.array([image for image, _ in samples]), dtype=torch.float32)[:, None]
    labels = torch.tensor([label for _, label in samples])
    print(len(files), "fonts,", len(samples), "numbers", flush=True)
    kept = len(samples) - len(samples) // 20  # the last photographs are for a check
    network = Network()
    print(sum(one.numel() for one in network.parameters()), "weights")
    steps = chosen.rounds * (kept // 256 + 1)
    optimiser = torch.optim.AdamW(network.parameters(), 3e-3, weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, 4e-3, total_steps=steps)
    for step in range(chosen.rounds):
        network.train()
        for some in torch.randperm(kept).split(256):
            optimiser.zero_grad()
            loss = _loss(network(images[some]), labels[some])
            loss.backward()
            optimiser.step()
            schedule.step()
        network.eval()
        with torch.no_grad():
            print(
                step, float(loss), float(_loss(network(images[kept:]), labels[kept:])), flush=True
            )
    weights = {
        name: value.detach().numpy().astype(np.float16)
        for name, value in network.state_dict().items()
    }
    np.savez_compressed(chosen.out, **weights)


if __name__ == "__main__":
    main()
