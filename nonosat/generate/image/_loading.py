"""Load pictures: open them, apply their orientation, and scale them for a board.

Pixel art that was enlarged, or has grid lines between its cells, is reduced to one pixel per cell.
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
_PIXEL_BYTES = 13  # of copies of the picture: rotated, with opacity, as RGB, opacity alone


class Picture(NamedTuple):
    """Colours and opacity of a picture, in images of equal size.

    Args:
        colours: Image of mode RGB.
        opacity: Image of mode L; 0 is transparent.
    """

    colours: Image
    opacity: Image

    @property
    def is_whole(self) -> bool:
        """True if no pixel is transparent."""
        return not any(self.opacity.histogram()[:_HALF])


class Scaled(NamedTuple):
    """Picture scaled for a board.

    Args:
        picture: The picture, padded with transparent lines if its shape is not that of the board.
        height: Rows of the board.
        width: Columns of the board.
        fine: Pixels per cell in each direction.
        is_sprite: True if the picture has transparent places.
    """

    picture: Picture
    height: int
    width: int
    fine: int
    is_sprite: bool

    def averaged(self, image: Image) -> Image:
        """Return an image of one pixel per cell, the average of the cell's pixels."""
        from PIL.Image import Resampling

        return image.resize((self.width, self.height), Resampling.BOX)


def content_of(picture: str | Path | Image) -> bytes | None:
    """Return the bytes of a file; None for an image of Pillow.

    Raises:
        FormatError: The file cannot be read.
        UnsupportedError: Pillow is not installed.
        TypeError: `picture` is neither a file nor an image.
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
    """Return the picture of a file with this content, or of an image of Pillow.

    Args:
        picture: The file's name, or the image.
        data: The file's content.
        reserve: Called with the number of bytes before Pillow allocates a copy of the picture.

    Raises:
        FormatError: The file is not an image, or is damaged.
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
    raise AssertionError("an error in this block is raised again")


def cells_by(picture: Picture, height: int, width: int, fine: int) -> Scaled:
    """Return the picture scaled for a board, padded with transparent lines to keep its shape.

    Args:
        picture: The loaded picture.
        height: Rows of the board.
        width: Columns of the board.
        fine: Pixels per cell in each direction; fewer on large boards.
    """
    from PIL.Image import Resampling, new

    while fine > 1 and height * width * fine * fine > _MOST_PIXELS:
        fine -= 1
    board = (width * fine, height * fine)
    size = _within(picture.colours.size, (width, height), fine)
    place = ((board[0] - size[0]) // 2, (board[1] - size[1]) // 2)
    seen, opacity = new("RGB", board), new("L", board)
    # Averages weight colours by opacity: a transparent pixel has an arbitrary colour.
    weighed = picture.colours.copy()
    weighed.putalpha(picture.opacity)
    small = weighed.resize(size, Resampling.BOX)
    seen.paste(small.convert("RGB"), place)
    opacity.paste(small.getchannel("A"), place)
    return Scaled(Picture(seen, opacity), height, width, fine, not picture.is_whole)


def _within(size: tuple[int, int], board: tuple[int, int], fine: int) -> tuple[int, int]:
    """Return the largest size, in whole cells, that fits on a board and keeps a picture's shape."""
    width, height = size
    columns, rows = board
    high = max(1, (2 * columns * height + width) // (2 * width))
    wide = max(1, (2 * rows * width + height) // (2 * height))
    if high < rows - 1:
        rows = high
    elif wide < columns - 1:
        columns = wide
    return columns * fine, rows * fine
