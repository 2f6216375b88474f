"""Pixel art to puzzles and back; `image.py` has the format, and imports this when one is read."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from typing import TYPE_CHECKING

from nonosat.core.grid import MAX_COLOURS, Grid
from nonosat.formats._hold import goal_of
from nonosat.formats._image_colours import (
    background_of,
    check_drawn,
    codes_of,
    inks_of,
    paper_of,
    pixels_of,
    plain,
    present,
)
from nonosat.formats._image_file import opened, pillow
from nonosat.formats._pixel_art import Pixels, cells_of, cells_of_size, picked
from nonosat.formats._text import Remark, build, clues_of, fail, sized
from nonosat.puzzles.nonogram.data import Nonogram, Rgb

if TYPE_CHECKING:
    from PIL.Image import Image

LARGE = 300  # rows or columns that nobody means to be solved by hand
_MOST_PIXELS = 2**25  # of an enlarged picture; a board has half of that at most
_MARK = ("Software", "nonosat")  # in what we write


def read(kind: str, size: int | None, data: bytes) -> Iterator[Nonogram | Remark]:
    """The puzzle of a picture, and remarks on how it is read.

    Args:
        kind: Of image, as Pillow calls it.
        size: Pixels a cell has in each direction; None to find out.
        data: The file.
    """
    image, is_animated = opened(data, [kind], _MOST_PIXELS)
    if is_animated:
        yield Remark("an animation; its first picture is read, the others are not")
    if _is_ours(image) and size is None:
        yield _of_ours(image)
        return
    with pillow(kind):
        pixels, colours = pixels_of(image)
        del image
        cells = cells_of(pixels) if size is None else cells_of_size(pixels, size)
        if cells is None:
            fail(
                f"an image of {pixels.height} x {pixels.width} pixels that is not made of squares "
                f"of {size} x {size}, expected cells of that size"
            )
        if cells.size > 1 and size is None:
            lines = ", parted by lines" if cells.is_ruled else ""
            yield Remark(
                f"squares of {cells.size} x {cells.size} pixels{lines}: read as "
                f"{len(cells.rows)} rows x {len(cells.columns)} columns; "
                f"the format {kind.lower()}:1 has a cell for each pixel"
            )
        pixels = picked(pixels, cells)
    sized(pixels.height, pixels.width, None)
    colours = present(pixels, colours)
    check_drawn(colours)
    if max(pixels.height, pixels.width) > LARGE:
        yield Remark(
            f"{pixels.height} rows x {pixels.width} columns, a cell a pixel, which is more than "
            "people solve; an image can be scaled down to a puzzle"
        )
    yield _puzzle(pixels, colours)


def unenlarged(image: Image) -> Image:
    """The image in mode P, L or RGBA, at a pixel a cell where it is enlarged pixel art."""
    image = plain(image)
    if image.getcolors(MAX_COLOURS + 1) is None or image.width * image.height > _MOST_PIXELS:
        return image
    pixels, colours = pixels_of(image)
    cells = cells_of(pixels)
    if cells.size == 1:
        return image
    pixels = picked(pixels, cells)
    nothing = (0, 0, 0, 0)
    looks = {code: nothing if rgb is None else (*rgb, 255) for code, rgb in colours.items()}
    from PIL.Image import frombytes

    data = b"".join(bytes(looks[code]) for code in codes_of(pixels))
    return frombytes("RGBA", (pixels.width, pixels.height), data)


def _puzzle(pixels: Pixels, colours: dict[int, Rgb | None]) -> Nonogram:
    """The puzzle of a picture whose pixels are its cells.

    Args:
        pixels: The picture.
        colours: What each code in it looks like, in the order of the inks; None is transparent.
    """
    empty = background_of(pixels, colours)
    shades: dict[Rgb, int] = {}
    values: dict[int, int] = {}
    for code, colour in colours.items():
        if code == empty or colour is None:
            values[code] = 0
        else:
            values[code] = shades.setdefault(colour, len(shades) + 1)
    inks = inks_of(list(shades))
    paper = paper_of(None if empty is None else colours[empty], inks)
    cells = bytes(map(values.__getitem__, codes_of(pixels)))
    goal = Grid(pixels.height, pixels.width, cells)
    return build(None, **clues_of(goal), colours=inks, background=paper, goal=goal)


# What we have written


def _is_ours(image: Image) -> bool:
    name, value = _MARK
    return image.mode == "P" and image.info.get(name) == value


def _of_ours(image: Image) -> Nonogram:
    """The puzzle of a picture whose palette is background and inks, used or not."""
    palette = bytes(image.getpalette() or b"")
    shades: list[Rgb] = [
        (palette[at], palette[at + 1], palette[at + 2]) for at in range(0, len(palette), 3)
    ]
    cells = image.tobytes()
    sized(image.height, image.width, None)
    if len(shades) < 2 or max(cells) >= len(shades):
        fail("a palette that lacks colours of the image, expected all; was the file changed?")
    goal = Grid(image.height, image.width, cells)
    inks = inks_of(shades[1:])
    paper = paper_of(shades[0], inks)
    return build(None, **clues_of(goal), colours=inks, background=paper, goal=goal)


def written(puzzle: Nonogram) -> bytes:
    """The picture of a puzzle with a goal, as an indexed PNG."""
    goal = goal_of(puzzle)
    with pillow() as pil:
        from PIL.PngImagePlugin import PngInfo

        image = pil.frombytes("P", (goal.width, goal.height), goal.cells)
        looks = (puzzle.background, *puzzle.colours)
        image.putpalette(b"".join(bytes.fromhex(look.rgb[1:]) for look in looks))
        info = PngInfo()
        info.add_text(*_MARK)
        out = BytesIO()
        image.save(out, "PNG", pnginfo=info)
        return out.getvalue()
    raise AssertionError("an error in this block is raised anew")
