"""The largest and oddest nonograms for each reader of clues, as input of `readers.py`."""

from __future__ import annotations

import gzip
import random
from collections.abc import Callable, Iterable, Iterator
from functools import partial

import nonosat
from nonosat import formats
from nonosat.puzzles.nonogram import from_grid

FILES: dict[str, Callable[[], bytes]] = {}  # by file name; the suffix counts


def file(name: str) -> Callable[[Callable[[], bytes]], Callable[[], bytes]]:
    """Return a decorator for the function that generates the file of this name."""

    def keep(make: Callable[[], bytes]) -> Callable[[], bytes]:
        FILES[name] = make
        return make

    return keep


def cells(height: int, width: int, signs: str = ".#") -> list[str]:
    """Return rows of a random picture."""
    rng = random.Random(1)
    return ["".join(rng.choices(signs, k=width)) for _ in range(height)]


def noise(height: int, width: int, colours: int = 1) -> nonosat.Nonogram:
    """Return the puzzle of a random picture, without the picture."""
    rng = random.Random(1)
    picture = bytes(rng.choices(range(colours + 1), k=height * width))
    inks = [nonosat.Colour(chr(97 + k), f"#{k:02x}0000") for k in range(colours)]
    grid = nonosat.Grid(height, width, picture)
    puzzle = from_grid(grid) if colours == 1 else from_grid(grid, inks)
    return nonosat.Nonogram(puzzle.rows, puzzle.columns, puzzle.colours)


def text(lines: Iterable[str]) -> bytes:
    return "\n".join([*lines, ""]).encode()


def numbers(puzzle: nonosat.Nonogram) -> Iterator[str]:
    """Yield the clues, rows first, one per line."""
    for clue in (*puzzle.rows, *puzzle.columns):
        yield " ".join(str(block.length) for block in clue) or "0"


# Pictures and tables


def picture(height: int, width: int) -> bytes:
    return text(cells(height, width))


for shape in ((2000, 2000), (4000, 4000), (1, 4_000_000), (4_000_000, 1)):
    file(f"picture-{shape[0]}x{shape[1]}.txt")(partial(picture, *shape))


@file("picture-8-colours-2000x2000.txt")
def _() -> bytes:
    return text(["picture: 8 colours", *cells(2000, 2000, ".abcdefgh")])


@file("picture-ragged-2000x2000.txt")
def _() -> bytes:
    return text([*cells(1999, 2000), "#"])


@file("table-2000x2000.csv")
def _() -> bytes:
    return text(",".join(row) for row in cells(2000, 2000, "01"))


@file("table-1x4000000.csv")
def _() -> bytes:
    return text([",".join(cells(1, 4_000_000, "01")[0])])


@file("table-colours-1000x1000.csv")
def _() -> bytes:
    names = {".": "", "a": "red", "b": "blue", "c": "#12ab34"}
    return text(";".join(map(names.__getitem__, row)) for row in cells(1000, 1000, ".abc"))


@file("table-quoted-1000x1000.csv")
def _() -> bytes:
    return text(",".join(f'"{cell}"' for cell in row) for row in cells(1000, 1000, "01"))


@file("bitmap-4000x4000.pbm")
def _() -> bytes:
    return b"P4 4000 4000\n" + random.Random(1).randbytes(2_000_000)


@file("bitmap-plain-4000x4000.pbm")
def _() -> bytes:
    return text(["P1 4000 4000", *cells(4000, 4000, "01")])


@file("bitmap-100000-tiny.pbm")
def _() -> bytes:
    return b"P4 8 1\n\x55" * 100_000


# Clues as numbers


@file("columns-16000000.non")
def _() -> bytes:
    return b"width 16000000\nheight 1\nrows\n1\ncolumns\n" + b"1\n0\n" * 8_000_000


@file("clues-2000x2000.non")
def _() -> bytes:
    lines = list(numbers(noise(2000, 2000)))
    return text(["width 2000", "height 2000", "rows", *lines[:2000], "columns", *lines[2000:]])


@file("goal-4000x4000.non")
def _() -> bytes:
    return text(["width 4000", "height 4000", 'goal "' + "".join(cells(4000, 4000, "01")) + '"'])


@file("colours-1000x1000.non")
def _() -> bytes:
    return formats.write([noise(1000, 1000, 5)], "non")


@file("blank-lines-4000000.non")
def _() -> bytes:
    return b"width 1\nheight 1\nrows\n1\n" + b"\n" * 4_000_000 + b"columns\n1\n"


@file("unknown-keywords-1000000.non")
def _() -> bytes:
    return b"width 1\nheight 1\n" + b"word\n" * 1_000_000 + b"rows\n1\ncolumns\n1\n"


@file("puzzles-100000.nonpack")
def _() -> bytes:
    return b"width 2\nheight 2\nrows\n1\n1\ncolumns\n1\n1\n====\n" * 100_000


for _name, _head, _between in (
    ("nin", "{w} {h}", []),
    ("mk", "{h} {w}", ["#"]),
    ("cwd", "{h}\n{w}", [""]),
    ("g", ": rows", [": columns"]),
):

    def _noisy(head: str = _head, between: list[str] = _between) -> bytes:
        lines = list(numbers(noise(2000, 2000)))
        return text([head.format(w=2000, h=2000), *lines[:2000], *between, *lines[2000:]])

    def _wide(head: str = _head, between: list[str] = _between) -> bytes:
        return text([head.format(w=4_000_000, h=2), "1", "2 2", *between, *["1", "2"] * 2_000_000])

    FILES[f"clues-2000x2000.{_name}"] = _noisy
    FILES[f"columns-4000000.{_name}"] = _wide


@file("blocks-1000000.nin")
def _() -> bytes:
    return text(["1999999 2", " ".join(["1"] * 1_000_000), "0", *["1"] * 1_999_999])


# JSON


@file("puzzles-100000.jsonl")
def _() -> bytes:
    return b'{"rows":[[1],[1]],"columns":[[1],[1]]}\n' * 100_000


@file("puzzles-100000.json")
def _() -> bytes:
    return b"[" + b",\n".join([b'{"rows":[[1],[1]],"columns":[[1],[1]]}'] * 100_000) + b"]"


@file("clues-2000x2000.json")
def _() -> bytes:
    return formats.write([noise(2000, 2000)], "json")


@file("columns-4000000.json")
def _() -> bytes:
    return b'{"rows":[[1]],"columns":[' + b",".join([b"[1]", b"[]"] * 2_000_000) + b"]}"


@file("colours-1000x1000.json")
def _() -> bytes:
    return formats.write([noise(1000, 1000, 5)], "json")


@file("text-clues-1000000.json")
def _() -> bytes:
    return b'{"rows":["1"],"columns":[' + b",".join([b'"1"'] * 1_000_000) + b"]}"


@file("goal-list-2000x2000.json")
def _() -> bytes:
    clues = ",".join(["[]"] * 2000)
    goal = ",".join(cells(1, 4_000_000, "01")[0])
    return f'{{"rows":[{clues}],"columns":[{clues}],"goal":[{goal}]}}'.encode()


@file("given-1000000.json")
def _() -> bytes:
    clues = ",".join(["[]"] * 1000)
    given = ",".join(f"[{k // 1000},{k % 1000},0]" for k in range(1_000_000))
    return f'{{"rows":[{clues}],"columns":[{clues}],"given":[{given}]}}'.encode()


@file("deep-4000000.json")
def _() -> bytes:
    return b'{"rows":' + b"[" * 4_000_000


@file("title-16000000.json")
def _() -> bytes:
    return b'{"title":"' + b"a\\n\\t" * 4_000_000 + b'","rows":[[1]],"columns":[[1]]}'


@file("keys-1000000.json")
def _() -> bytes:
    keys = ",".join(f'"k{k}":0' for k in range(1_000_000))
    return f'{{{keys},"rows":[[1]],"columns":[[1]]}}'.encode()


@file("same-id-100000.jsonl")
def _() -> bytes:
    return b'{"id":"a","rows":[[1]],"columns":[[1]]}\n' * 100_000


# XML


@file("clues-1000x1000.xml")
def _() -> bytes:
    return formats.write([noise(1000, 1000)], "webpbn")


@file("image-4000x4000.xml")
def _() -> bytes:
    image = "\n".join(f"|{row}|" for row in cells(4000, 4000, ".X"))
    return (
        f"<puzzle><solution type='goal'><image>\n{image}\n</image></solution></puzzle>"
    ).encode()


@file("puzzles-30000.xml")
def _() -> bytes:
    side = "<line><count>1</count></line>"
    one = f"<puzzle><clues type='rows'>{side}</clues><clues type='columns'>{side}</clues></puzzle>"
    return f"<puzzleset>{one * 30_000}</puzzleset>".encode()


@file("nested-4000000.xml")
def _() -> bytes:
    return b"<puzzle>" + b"<a>" * 4_000_000


@file("nested-30000000.xml.gz")
def _() -> bytes:
    return gzip.compress(b"<puzzle>" + b"<a>" * 30_000_000)


# Prose


@file("prose-clues-1000x1000.txt")
def _() -> bytes:
    lines = list(numbers(noise(1000, 1000)))
    return text(["rows:", *lines[:1000], "columns:", *lines[1000:]])


@file("prose-columns-1000000.txt")
def _() -> bytes:
    return b"rows:\n1\ncolumns:\n" + b"1\n" * 1_000_000


@file("prose-one-line-1000000.txt")
def _() -> bytes:
    return b"rows: 1\ncolumns: " + b"1, " * 999_999 + b"1\n"


@file("prose-brackets-1000000.txt")
def _() -> bytes:
    return b"rows = [[1]]\ncolumns = [" + b"[1], " * 999_999 + b"[1]]\n"


@file("prose-blocks-1000000.txt")
def _() -> bytes:
    return b"rows:\n" + b"1 " * 1_000_000 + b"\n0\ncolumns:\n" + b"1\n" * 2_000_000


@file("prose-labels-300000.txt")
def _() -> bytes:
    return text(["Row 1: 1", *(f"Column {k}: 1" for k in range(1, 300_001))])


@file("prose-blank-lines-2000000.txt")
def _() -> bytes:
    return b"rows:\n1\n" + b"\n" * 2_000_000 + b"columns:\n1\n"


@file("prose-words-4000000.txt")
def _() -> bytes:
    return b"the rows of a field 7\n" * 200_000


@file("bare-numbers-1000000.txt")
def _() -> bytes:
    return b"1\n" * 1_000_000
