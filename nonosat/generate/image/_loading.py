"""Pictures as they come: opened, turned the way they are looked at, and scaled for a board.

Pixel art that was enlarged, or has lines between its cells, is brought back to one pixel a cell.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from nonosat import formats
from nonosat.core.errors import FormatError, NotAPuzzleError, shown
from nonosat.formats.image import opened, pillow, unenlarged

if TYPE_CHECKING:
    from PIL.Image import Image

_KINDS = ("PNG", "GIF", "BMP", "JPEG", "WEBP", "PPM")
_HALF = 128
_MOST_PIXELS = 1_000_000  # of a scaled picture
_PIXEL_BYTES = 13  # of copies of the picture: turned, with opacity, in colours, opacity alone


class Picture(NamedTuple):
    """What is seen, and how much of it, in images of equal size.

    Args:
        colours: Of mode RGB.
        opacity: Of mode L; 0 is nothing at all.
    """

    colours: Image
    opacity: Image

    @property
    def is_whole(self) -> bool:
        """Whether something is seen everywhere."""
        return not any(self.opacity.histogram()[:_HALF])


class Scaled(NamedTuple):
    """A picture for a board.

    Args:
        picture: With lines of nothing around it where its shape is not that of the board.
        height: Rows of the board.
        width: Columns of the board.
        fine: Pixels a cell has in each direction.
        is_sprite: Whether the picture has places where nothing is.
    """

    picture: Picture
    height: int
    width: int
    fine: int
    is_sprite: bool

    def averaged(self, image: Image) -> Image:
        """An image of a pixel a cell, the average of the cell's pixels."""
        from PIL.Image import Resampling

        return image.resize((self.width, self.height), Resampling.BOX)


def content_of(picture: str | Path | Image) -> bytes | None:
    """The bytes of a file; None for an image of Pillow.

    Raises:
        FormatError: The file cannot be read.
        UnsupportedError: Pillow is not installed.
        TypeError: It is neither.
    """
    if isinstance(picture, str | Path):
        return formats.content(str(picture))
    with pillow() as pil:
        is_image = isinstance(picture, pil.Image)
    if not is_image:
        raise NotAPuzzleError(
            f"found {shown(picture)}, expected the name of an image file or an image of Pillow; "
            "nonosat.from_picture takes text and arrays"
        )
    return None


def loaded(
    picture: str | Path | Image, data: bytes | None, reserve: Callable[[int], None]
) -> Picture:
    """The picture of a file with this content, or of an image of Pillow.

    Args:
        picture: The file's name, or the image.
        data: The file's content.
        reserve: Called with the bytes of copies before they are made, each in one step of Pillow.

    Raises:
        FormatError: It is no image, or damaged.
    """
    if not isinstance(picture, str | Path):
        return _picture(picture, reserve)
    try:
        return _picture(opened(formats.inflate(data or b""), _KINDS)[0], reserve)
    except FormatError as error:
        error.path = error.path or str(picture)
        raise


def _picture(image: Image, reserve: Callable[[int], None]) -> Picture:
    with pillow():
        from PIL import ImageOps

        if min(image.size) < 1:
            raise FormatError("an image without pixels, expected at least 1 x 1")
        reserve(_PIXEL_BYTES * image.width * image.height)
        turned = ImageOps.exif_transpose(image)
        seen = unenlarged(turned).convert("RGBA")
        return Picture(seen.convert("RGB"), seen.getchannel("A"))
    raise AssertionError("an error in this block is raised anew")


def cells_by(picture: Picture, height: int, width: int, fine: int) -> Scaled:
    """The picture at some pixels a cell, with transparent lines around it that keep its shape.

    Args:
        picture: What is seen.
        height: Rows of the board.
        width: Columns of the board.
        fine: Pixels of a cell in each direction; fewer on large boards.
    """
    from PIL.Image import Resampling, new

    while fine > 1 and height * width * fine * fine > _MOST_PIXELS:
        fine -= 1
    board = (width * fine, height * fine)
    size = _within(picture.colours.size, (width, height), fine)
    place = ((board[0] - size[0]) // 2, (board[1] - size[1]) // 2)
    seen, opacity = new("RGB", board), new("L", board)
    # Colours are weighted with opacity while they are averaged: what is not seen has any colour.
    weighed = picture.colours.copy()
    weighed.putalpha(picture.opacity)
    small = weighed.resize(size, Resampling.BOX)
    seen.paste(small.convert("RGB"), place)
    opacity.paste(small.getchannel("A"), place)
    return Scaled(Picture(seen, opacity), height, width, fine, not picture.is_whole)


def _within(size: tuple[int, int], board: tuple[int, int], fine: int) -> tuple[int, int]:
    """The largest size of whole cells on a board that has a picture's shape, to a cell."""
    width, height = size
    columns, rows = board
    high = max(1, (2 * columns * height + width) // (2 * width))
    wide = max(1, (2 * rows * width + height) // (2 * height))
    if high < rows - 1:
        rows = high
    elif wide < columns - 1:
        columns = wide
    return columns * fine, rows * fine
