"""Nonograms made from photographs and drawings.

A picture is scaled to at most eight pixels per cell, its details are emphasised, and it is
segmented into ink and paper, or into a few colours; each cell then gets the value that covers it.
Thin strokes get more weight than their area and are thinned to the width of a cell (`_tones.py`,
`_strokes.py`); colours are chosen to be distinguishable (`_palette.py`). Alternatively shades are
dithered, at one pixel per cell (`_dither.py`). All arithmetic uses integers, doubles in a fixed
order, or Pillow's own filters, so that the same version of Pillow produces the same puzzle on every
machine.

The puzzle may have several solutions unless it is repaired (`generate/mending`). Time is linear in
the pixels of the picture and in 64 times the cells. Requires Pillow.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from nonosat.core.about import About
from nonosat.core.errors import PuzzleError, UnsupportedError, shown
from nonosat.core.grid import Grid, refuse_size
from nonosat.core.limits import Watch, watch_of
from nonosat.core.scope import within
from nonosat.generate.grades import HARDEST, LINE_LOGIC, check_grade
from nonosat.generate.image._dither import DITHERS, dithered, dithered_colours
from nonosat.generate.image._loading import Picture, cells_by, content_of, loaded
from nonosat.generate.image._palette import coloured
from nonosat.generate.image._tones import Tones, strokes_of, toned
from nonosat.generate.mending.grading import GradeSearch
from nonosat.generate.mending.quick import mended
from nonosat.generate.mending.result import of_picture
from nonosat.puzzles.nonogram.data import Nonogram, from_grid

if TYPE_CHECKING:
    from PIL.Image import Image

MOST_CELLS = 1_000_000
_MOST_INKS = 64
_FINEST = 8  # pixels per cell and direction while cells are decided; one for dithering


def from_image(
    picture: str | Path | Image,
    *,
    columns: int | None = None,
    rows: int | None = None,
    colours: int = 1,
    threshold: float | None = None,
    invert: bool | None = None,
    edges: float = 0.5,
    dither: str | None = None,
    unique: bool = False,
    logic_only: bool = False,
    grade: int | None = None,
    time_limit_s: float | None = None,
    memory_limit_mib: int | None = None,
    **about: str,
) -> Nonogram:
    """Return a nonogram made from a photograph or a drawing, with its picture as the goal.

        >>> from PIL import Image, ImageDraw
        >>> image = Image.new("RGB", (90, 30), "white")
        >>> ImageDraw.Draw(image).ellipse((0, 0, 29, 29), fill="navy")
        >>> print(nonosat.from_image(image, columns=9).goal)
        ###......
        ###......
        ###......

    Args:
        picture: A file (PNG, GIF, BMP, JPEG, WebP, PPM), "-" for standard input, or Pillow's image.
        columns: Number of columns of the puzzle. Optional if `rows` is given.
        rows: Number of rows. With both, empty lines keep the aspect ratio.
        colours: Maximum number of inks, in addition to the background.
        threshold: For one colour: fill pixels darker than this, 0 to 1 (white); default: Otsu's.
        invert: For one colour: fill light areas instead of dark ones. Default: True if the picture
            and its edge are mostly dark, and neither `threshold` nor `dither` is given.
        edges: Strength by which details and outlines are emphasised, 0 to 1.
        dither: Mix cells to show shades: "floyd-steinberg" or "bayer". None keeps thin strokes.
        unique: Change some cells, if necessary, so that the clues have one solution.
        logic_only: Like `unique`, and line logic alone finds the solution.
        grade: Like `unique`, with this difficulty by `rate`, 1 to 7; see `repair` for grade 7.
        time_limit_s: Wall seconds; None (or infinity) is without limit.
        memory_limit_mib: Memory of this process; None is without limit.
        **about: `title`, `author`, `id` and the other fields of `About`.

    Raises:
        PuzzleError: An argument is out of range; no picture with the wanted properties was found.
        FormatError: The file is not an image, or it is damaged.
        UnsupportedError: Pillow is not installed.
        LimitReached: A limit was reached first.
        TypeError: An argument is unknown.
    """
    tones = Tones(threshold, invert, edges, dither)
    _check(tones, colours, grade, logic_only, about)
    data = content_of(picture)  # reading may block on a pipe
    watch = watch_of(time_limit_s, memory_limit_mib)
    watch.check()
    load = partial(loaded, picture, data, watch.reserve)
    made = partial(_made, load, rows, columns, colours, tones, About(**about))
    is_mended = unique or logic_only or grade is not None
    return within(watch, lambda: _mended(made(), watch, logic_only, grade) if is_mended else made())


def _mended(puzzle: Nonogram, watch: Watch, logic_only: bool, grade: int | None) -> Nonogram:
    found = mended(
        puzzle, watch, logic_only=logic_only or (grade or HARDEST) <= LINE_LOGIC, eased=True
    )
    if found is None:
        raise PuzzleError("no few changes made it unique; expected another size, or `repair`")
    if grade is None:
        return found
    picture = GradeSearch(found, (), grade, watch).soon()
    if picture is None:
        raise PuzzleError(
            f"no few changes made it of grade {grade}; expected another grade or size, or `repair`"
        )
    return of_picture(found, picture)


def _check_about(about: dict[str, str]) -> None:
    if unknown := about.keys() - About.__dataclass_fields__.keys():
        raise TypeError(f"from_image takes no {min(unknown)!r}")


def _check(
    tones: Tones, colours: int, grade: int | None, logic_only: bool, about: dict[str, str]
) -> None:
    _check_about(about)
    check_grade(grade, logic_only=logic_only)
    for name, value in (("threshold", tones.threshold), ("edges", tones.edges)):
        if value is not None and not (isinstance(value, int | float) and 0 <= value <= 1):
            raise PuzzleError(f"{name} is {shown(value)}, expected a number from 0 to 1")
    if tones.dither is not None and tones.dither not in DITHERS:
        found, expected = shown(tones.dither), " or ".join(DITHERS)
        raise PuzzleError(f"dither is {found}, expected {expected}, or None")
    if type(colours) is not int or not 1 <= colours <= _MOST_INKS:
        raise PuzzleError(f"colours are {shown(colours)}, expected a number from 1 to {_MOST_INKS}")
    if colours > 1 and (tones.threshold is not None or tones.invert is not None):
        text = "threshold" if tones.threshold is not None else "invert"
        raise UnsupportedError(f"{text} is for one colour, found {colours} colours; leave it out")


def _made(
    load: Callable[[], Picture],
    rows: int | None,
    columns: int | None,
    colours: int,
    tones: Tones,
    about: About,
) -> Nonogram:
    found = load()
    height, width = _size(found, rows, columns)
    pixels_across, pixels_down = found.colours.size
    if pixels_across <= width and pixels_down <= height:  # dithering uses one pixel per cell
        tones = tones._replace(edges=0)
    scaled = cells_by(found, height, width, fine=_FINEST if tones.dither is None else 1)
    if colours == 1:
        cells = toned(scaled, tones) if tones.dither is None else dithered(scaled, tones)
        return from_grid(Grid(height, width, cells), about=about)
    if tones.dither is None:
        strokes = strokes_of(scaled, tones.edges) if tones.edges else None
        cells, inks, paper = coloured(scaled, colours, strokes)
    else:
        cells, inks, paper = dithered_colours(scaled, colours, tones)
    return from_grid(Grid(height, width, cells), inks, background=paper, about=about)


def _size(picture: Picture, rows: int | None, columns: int | None) -> tuple[int, int]:
    """Return rows and columns of the puzzle.

    Raises:
        PuzzleError: Neither is given, or the number of cells is zero or too large.
    """
    for name, value in (("rows", rows), ("columns", columns)):
        if value is not None and (type(value) is not int or value < 1):
            raise PuzzleError(f"{name} are {shown(value)}, expected a whole number above 0")
    width, height = picture.colours.size
    if columns is None and rows is None:
        raise PuzzleError(
            f"no size for a picture of {height} x {width} pixels, expected rows, columns or both "
            "(people like 10 to 60)"
        )
    if columns is None:
        assert rows is not None
        columns = max(1, (2 * rows * width + height) // (2 * height))
    if rows is None:
        rows = max(1, (2 * columns * height + width) // (2 * width))
    refuse_size(rows, columns, MOST_CELLS)
    return rows, columns
