"""Strategies for files: drawn puzzles written in each format, and damaged files."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from io import BytesIO
from typing import Any

from hypothesis import strategies as st

from nonosat.core import plugins
from nonosat.core.errors import UnsupportedError
from nonosat.core.families import name_of
from nonosat.core.grid import Grid
from nonosat.core.plugins import Format, Puzzle
from nonosat.formats.image import pillow
from nonosat.puzzles.knight.data import Knight
from nonosat.puzzles.nonogram.data import Nonogram, from_grid
from nonosat.puzzles.queens.data import Queens
from nonosat.puzzles.ranges.data import RangeNonogram
from nonosat.puzzles.slitherlink.data import Slitherlink
from nonosat.testing.damage import PIECES, Damage, damaged
from nonosat.testing.strategies.boards import knights, queens, range_nonograms, slitherlinks
from nonosat.testing.strategies.nonograms import clued, puzzles
from nonosat.testing.strategies.numbers import Shape
from nonosat.testing.strategies.pictures import colour_sets, sketches

_MOST = 3  # puzzles in a file
_MOST_CELLS = 36
_FAR = 2**16
_COUNTED = ("counts-rows-first", "counts-columns-first", "gecode")
_READ_ONLY = (
    *_COUNTED,
    "clues",
    "rows-first",
    "columns-first",
    "savefile",
    "dzn",
)  # formats without a writer


_SAVED = "Simon Tatham's Portable Puzzle Collection"
_AS_PNG = ("gif", "bmp", "webp")  # images without a writer


def files(format: str, damage: bool = False) -> st.SearchStrategy[bytes]:  # noqa: A002
    """Return a strategy for files of a format, written from drawn puzzles.

    They shrink to one puzzle of one cell, and to a single damage at the beginning.

    Args:
        format: Name of the format (`nonosat list formats`).
        damage: Change, remove or insert bytes at one to four places; the result may be readable or
            not. Without it every file is readable.

    Raises:
        UnsupportedError: The format is unknown, or no strategy draws puzzles of its family.
    """
    whole = _whole(format)
    if not damage:
        return whole
    piece = st.sampled_from(PIECES) | st.binary(max_size=4)
    one = st.builds(Damage, st.integers(0, _FAR), st.integers(0, 8), piece)
    return st.builds(damaged, whole, st.lists(one, min_size=1, max_size=4))


def _whole(name: str) -> st.SearchStrategy[bytes]:
    if name in _READ_ONLY:
        return _pictures(1).map(partial(_listed, name))
    if name in _AS_PNG:
        return _pictures(3).map(partial(_image, name))
    format_ = plugins.find("formats", name)
    holds = format_.holds
    families = [one for one in _FAMILIES if holds.takes(one)]
    if not families:
        raise UnsupportedError(
            f"{name} holds puzzles of {holds.family}, expected a format for {', '.join(_FAMILIES)}"
        )
    one = st.one_of([_FAMILIES[family](format_) for family in families])
    several = st.lists(one, min_size=1, max_size=_MOST if holds.many else 1)
    return several.map(partial(_written, format_))


def _nonograms(format_: Format) -> st.SearchStrategy[Nonogram]:
    """Return a strategy for nonograms that the format can represent.

    For a format without clues these are the clues of a picture.
    """
    holds = format_.holds
    if not holds.clues:
        return _pictures(min(holds.inks, 3))
    drawn = partial(puzzles, _MOST_CELLS, min(holds.inks, 3), holds.unknown, holds.given)
    return drawn() | drawn(about=True)


@st.composite
def _pictures(draw: st.DrawFn, max_colours: int) -> Nonogram:
    """Draw the clues of a picture, which is the goal."""
    inks = draw(st.integers(1, max_colours).flatmap(colour_sets))
    return clued(draw(sketches(Shape(_MOST_CELLS), len(inks))), inks)


def _slitherlinks(_: Format) -> st.SearchStrategy[Puzzle]:
    return slitherlinks()


def _queens(_: Format) -> st.SearchStrategy[Puzzle]:
    return queens()


def _knights(_: Format) -> st.SearchStrategy[Puzzle]:
    return knights()


def _ranges(_: Format) -> st.SearchStrategy[Puzzle]:
    return range_nonograms()


_FAMILIES: Mapping[str, Callable[[Format], st.SearchStrategy[Any]]] = {
    "nonogram": _nonograms,
    "slitherlink": _slitherlinks,
    "queens": _queens,
    "knight": _knights,
    "ranges": _ranges,
}
_PLAIN: Mapping[str, Puzzle] = {  # puzzles that every format of the family can write
    "nonogram": from_grid(Grid(1, 1, b"\1")),
    "slitherlink": Slitherlink(1, 1, b"\0"),
    "queens": Queens(1),
    "knight": Knight(1, 1),
    "ranges": RangeNonogram(((),), ((),)),
}


def _written(format_: Format, drawn: Sequence[Puzzle]) -> bytes:
    """Return a file of those puzzles that the format can write; of a plain one if none."""
    able = [puzzle for puzzle in drawn if _is_written(format_, puzzle)]
    return format_.write(able or [_PLAIN[name_of(drawn[0])]])


def _is_written(format_: Format, puzzle: Puzzle) -> bool:
    """Return False if the format cannot represent the clues or colours, such as 4 in a Slink."""
    try:
        format_.write([puzzle])
    except UnsupportedError:
        return False
    return True


def _image(name: str, puzzle: Nonogram) -> bytes:
    """Return the goal of a puzzle as a file of the image format `name`."""
    with pillow() as pil:
        out = BytesIO()
        png = pil.open(BytesIO(plugins.find("formats", "png").write([puzzle])))
        png.save(out, name.upper(), **({"lossless": True} if name == "webp" else {}))
    return out.getvalue()


def _listed(name: str, puzzle: Nonogram) -> bytes:
    """Return a puzzle's clues as text, one per line, 0 for an empty one, with headings."""
    rows, columns = (
        [" ".join(str(block.length) for block in clue) or "0" for clue in side]
        for side in (puzzle.rows, puzzle.columns)
    )
    if name == "dzn":
        return _minizinc(puzzle)
    if name in _COUNTED:
        return _counted(name, puzzle)
    if name == "savefile":
        word = plugins.find("formats", "pattern").write([puzzle]).decode().strip()
        sizes, _, game = word.partition(":")
        values = {"SAVEFILE": _SAVED, "GAME": "Pattern", "CPARAMS": sizes, "DESC": game}
        return "".join(f"{key:8}:{len(text)}:{text}\n" for key, text in values.items()).encode()
    if name == "clues":
        return "\n".join(["Rows:", *rows, "Columns:", *columns, ""]).encode()
    first, second = (rows, columns) if name == "rows-first" else (columns, rows)
    return "\n".join([*first, "", *second, ""]).encode()


def _minizinc(puzzle: Nonogram) -> bytes:
    """Return data of the MiniZinc challenge's model, with array2d for the columns."""
    drawn = [
        [",0,".join(",".join("1" * (block.length or 0)) for block in clue) or "0" for clue in side]
        for side in (puzzle.rows, puzzle.columns)
    ]
    most = 1 + max(line.count(",") for side in drawn for line in side)
    rows, columns = (
        [line + ",-1" * (most - 1 - line.count(",")) for line in side] for side in drawn
    )
    return (
        f"X = {puzzle.width};\nY = {puzzle.height};\nmaxlen = {most};\n"
        f"rows = [|{'|'.join(rows)}|];\n"
        f"cols = array2d(1..X, 1..maxlen, [{', '.join(columns)}]);\n"
    ).encode()


def _counted(name: str, puzzle: Nonogram) -> bytes:
    """Return two sizes, then clues that begin with their number of blocks."""
    rows, columns = (
        [", ".join(map(str, (len(clue), *(block.length for block in clue)))) for clue in side]
        for side in (puzzle.rows, puzzle.columns)
    )
    lists = rows + columns if name == "counts-rows-first" else columns + rows
    text = ",\n".join([f"{puzzle.width}, {puzzle.height}", *lists])
    return f"const int a[] = {{{text}}};\n".encode() if name == "gecode" else text.encode()
