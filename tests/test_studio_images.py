"""Images in the studio: the page alone dithers as the library does, cell by cell."""

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
from helpers.paintings import PAINTINGS
from helpers.studios import Visitor, studio
from nonosat.generate.image._dither import DITHERS
from nonosat.studio import wire

ALONE = Path(__file__).parent / "studio/helpers/pictures_of_images.mjs"
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
    yield from (_noise(37, 23, (0, 90, 255, 255)), _noise(40, 90, (255, 200)))
    yield from (_noise(1, 9), _noise(9, 1), _noise(3, 2), _noise(25, 12, (0, 255)))
    yield from (Image.new("RGBA", (5, 5), colour) for colour in ("white", "black", (0, 0, 0, 0)))


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
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
    assert len(found) == len(wanted) > 100
    for wishes, got, drawing in zip(asked, found, wanted, strict=True):
        assert got == {name: drawing[name] for name in got}, wishes


def test_the_question_dithers_as_the_library(visitor: Visitor) -> None:
    image = PAINTINGS["ball"]()
    for how in DITHERS:
        for wishes in ({"columns": 20}, {"columns": 16, "colours": 3}):
            answer = visitor.send("image", file(image), dither=how, **wishes).json()["answer"]
            assert answer == wire.drawing_of(nonosat.from_image(image, dither=how, **wishes))
