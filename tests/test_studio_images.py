"""Images in the studio: the page without a server dithers like the library, cell by cell.

The page's code is `core_image.js` and its parts, the library's is `generate/image/`. Without
dithering the page has no strokes and outlines: it only splits cells by a threshold.
"""

import json
import shutil
import subprocess
from base64 import b64encode
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from PIL import Image

import nonosat
from helpers.images import file
from helpers.paintings import PAINTINGS, SHADES, ramp, shaded, sky, vignette
from helpers.studios import Visitor, studio
from nonosat.generate.image._dither import DITHERS
from nonosat.studio import wire

ALONE = Path(__file__).parent / "studio/helpers/pictures_of_images.mjs"
needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
WISHES: list[dict[str, Any]] = [
    {"columns": 30},
    {"columns": 7, "rows": 9, "threshold": 0.3},
    {"columns": 1, "edges": 1},
    {"columns": 17, "edges": 0, "invert": True},
    {"columns": 12, "colours": 3},
    {"columns": 25, "colours": 8, "edges": 0.9},
]


@pytest.fixture(scope="module")
def visitor() -> Iterator[Visitor]:
    with studio() as visitor:
        yield visitor


def _noise(width: int, height: int, opacities: tuple[int, ...] = (255,)) -> Image.Image:
    draw = Random(width * height)
    image = Image.new("RGBA", (width, height))
    image.putdata(
        [
            (*(draw.randrange(256) for _ in range(3)), draw.choice(opacities))
            for _ in range(width * height)
        ]
    )
    return image


def _images() -> Iterator[Image.Image]:
    yield from (PAINTINGS[name]().convert("RGBA") for name in ("face", "logo"))
    yield from (paint().convert("RGBA") for paint in (ramp, sky, vignette))
    yield from (shaded(48, 32, shade, 10, 1).convert("RGBA") for shade in SHADES.values())
    yield from (_noise(37, 23, (0, 90, 255, 255)), _noise(40, 90, (255, 200)))
    yield from (_noise(1, 9), _noise(9, 1), _noise(3, 2), _noise(25, 12, (0, 255)))
    yield from (Image.new("RGBA", (5, 5), colour) for colour in ("white", "black", (0, 0, 0, 0)))


def _alone(images: list[Image.Image], asked: list[dict[str, Any]]) -> list[Any]:
    """Return the pictures that the page alone makes, of `{"image": number, "wishes": texts}`."""
    sent = [
        {"data": b64encode(image.tobytes()).decode(), "width": image.width, "height": image.height}
        for image in images
    ]
    done = subprocess.run(
        ["node", str(ALONE)],
        input=json.dumps({"images": sent, "asked": asked}),
        capture_output=True,
        text=True,
        check=True,
    )
    found = json.loads(done.stdout)
    assert len(found) == len(asked)
    return list(found)


@pytest.mark.thorough
@needs_node
def test_the_page_alone_dithers_as_the_library() -> None:
    images, asked, wanted = list(_images()), [], []
    for number, image in enumerate(images):
        for wishes in WISHES:
            if image.height * wishes["columns"] > 200 * image.width:
                continue
            for how in DITHERS:
                wanted.append(wire.drawing_of(nonosat.from_image(image, dither=how, **wishes)))
                texts = {name: str(value).lower() for name, value in wishes.items()}
                texts = {"edges": "0.5", "dither": how} | texts
                asked.append({"image": number, "wishes": texts})
    found = _alone(images, asked)
    assert len(found) > 100
    for wishes, got, drawing in zip(asked, found, wanted, strict=True):
        assert got == {name: drawing[name] for name in got}, wishes


@needs_node
def test_the_page_alone_draws_no_bands_in_shades() -> None:
    asked = [
        {"image": number, "wishes": {"columns": str(columns), "edges": "0.5"}}
        for number in range(1 + 8)
        for columns in (8, 15, 30)
    ]
    slanted = [shade for name, shade in SHADES.items() if name.startswith("at ")]
    images = [ramp(), *(shaded(96, 64, shade) for shade in slanted)]
    found = [got["picture"] for got in _alone([one.convert("RGBA") for one in images], asked)]
    assert found[0] == ["a" * 8] * 4 + ["." * 8] * 4  # as the library
    assert found[0] == nonosat.from_image(ramp(), columns=8).goal.lines(".a")
    for wishes, rows in zip(asked, found, strict=True):
        for line in (*rows, *map("".join, zip(*rows, strict=True))):
            assert line.count(".a") + line.count("a.") <= 1, (wishes, rows)


@pytest.mark.slow
def test_the_question_dithers_as_the_library(visitor: Visitor) -> None:
    image = PAINTINGS["ball"]()
    for how in DITHERS:
        for wishes in ({"columns": 20}, {"columns": 16, "colours": 3}):
            answer = visitor.send("image", file(image), dither=how, **wishes).json()["answer"]
            assert answer == wire.drawing_of(nonosat.from_image(image, dither=how, **wishes))
