"""Wrong and hostile images: refused with a sentence and status 2, or harmless and read."""

from __future__ import annotations

import gzip
import io
import re
import struct
import zipfile
import zlib
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from PIL import Image

import nonosat
from helpers.commands import run
from helpers.images import drawn, enlarged, file
from nonosat import formats
from nonosat.core.errors import FormatError, LimitReached

TOY = ["##.#", "....", ".##."]
PICTURE = drawn(TOY)
SIGNATURE = b"\x89PNG\r\n\x1a\n"


class Hostile(NamedTuple):
    """File, and part of the message, or None if it is read as the toy."""

    data: bytes
    says: str | None
    suffix: str = ".png"
    made: str | None = ""  # message of `generate image`, if it differs; None: the image is made


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(
    *chunks: bytes,
    width: int = 4,
    height: int = 3,
    bits: int = 8,
    sort: int = 0,
    woven: bool = False,
) -> bytes:
    """Return a PNG of these chunks between its header and its end."""
    header = struct.pack(">IIBBBBB", width, height, bits, sort, 0, 0, woven)
    return SIGNATURE + chunk(b"IHDR", header) + b"".join(chunks) + chunk(b"IEND", b"")


ROWS = b"".join(b"\0" + bytes(0 if sign == "#" else 255 for sign in row) for row in TOY)
PIXELS = chunk(b"IDAT", zlib.compress(ROWS))
GOOD = png(PIXELS)
WIDE = b"".join(
    b"\0" + bytes(0 if sign == "#" else 255 for sign in row for _ in "hl") for row in TOY
)
GIF, BMP = file(PICTURE, "GIF"), file(PICTURE, "BMP")
WEBP = file(PICTURE, "WEBP", lossless=True)


def zipped() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("a.txt", "#.\n.#\n")
    return out.getvalue()


def animated() -> bytes:
    frames = [drawn([row[at:] + row[:at] for row in TOY]) for at in (1, 2, 3)]
    return file(PICTURE, "GIF", save_all=True, append_images=frames * 100, optimize=False)


def indexed(*colours: int, **options: object) -> bytes:
    picture = Image.frombytes("P", (4, 3), bytes(sign == "#" for row in TOY for sign in row))
    picture.putpalette(colours)
    return file(picture, "PNG", **options)


def interlaced() -> bytes:
    """Pixels of the toy in the seven passes of PNG, of which a board of 4 x 3 has five."""
    passes = ((0, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2))
    rows = [ROWS[at + 1 : at + 5] for at in range(0, len(ROWS), 5)]
    parts = (row[x::dx] for x, y, dx, dy in passes for row in rows[y::dy])
    return b"".join(b"\0" + part for part in parts if part)


WOVEN = interlaced()
CANNOT = "cannot be decoded"
ENDS = "this PNG ends before its last pixel"
FILES = {
    "nothing": Hostile(b"", "the file is empty", made="no image"),
    "the signature alone": Hostile(SIGNATURE, CANNOT),
    "a text": Hostile(b"#.\n.#\nhello", "no image, expected a PNG"),
    "cut off in the header": Hostile(GOOD[:20], CANNOT),
    "cut off in the pixels": Hostile(file(enlarged(PICTURE, 99))[:-90], CANNOT),
    "a wrong sum": Hostile(GOOD[:30] + b"\xff" + GOOD[31:], CANNOT),
    "no pixels": Hostile(png(), CANNOT),
    "pixels that are no zlib data": Hostile(png(chunk(b"IDAT", b"no zlib")), CANNOT),
    "no width": Hostile(png(PIXELS, width=0), f"at least 1 x 1|{CANNOT}"),
    "20000 x 20000": Hostile(png(PIXELS, width=20000, height=20000), "400000000 pixels, expected"),
    "2^31 x 2^31": Hostile(png(PIXELS, width=2**31 - 1, height=2**31 - 1), "pixels, expected at"),
    "9000 x 9000": Hostile(
        png(PIXELS, width=9000, height=9000), "9000 x 9000 pixels, expected at most", made=CANNOT
    ),
    "a bomb among its texts": Hostile(
        png(chunk(b"zTXt", b"Comment\0\0" + zlib.compress(bytes(2**22))), PIXELS), CANNOT
    ),
    "a bomb for a profile": Hostile(
        png(chunk(b"iCCP", b"Comment\0\0" + zlib.compress(bytes(2**22))), PIXELS), CANNOT
    ),
    "two rows of three": Hostile(png(chunk(b"IDAT", zlib.compress(ROWS[:10]))), ENDS),
    "a pixel too few": Hostile(png(chunk(b"IDAT", zlib.compress(ROWS[:-1]))), CANNOT),
    "rows of a bit, one too few": Hostile(
        png(chunk(b"IDAT", zlib.compress(b"\0\x90\0\xf0")), bits=1), ENDS
    ),
    "interlaced": Hostile(png(chunk(b"IDAT", zlib.compress(WOVEN)), woven=True), None),
    "interlaced, without the last pass": Hostile(
        png(chunk(b"IDAT", zlib.compress(WOVEN[:-5])), woven=True), ENDS
    ),
    "pixels in pieces of a byte": Hostile(
        png(*(chunk(b"IDAT", bytes([byte])) for byte in zlib.compress(ROWS))), None
    ),
    "more pixels than declared": Hostile(
        png(chunk(b"IDAT", zlib.compress(ROWS + bytes(2**24)))), None
    ),
    "ten megabytes of text": Hostile(png(chunk(b"tEXt", b"Title\0" + b"a" * 10**7), PIXELS), None),
    "a zip archive": Hostile(zipped(), "a ZIP archive", made="no image"),
    "a zip archive behind": Hostile(GOOD + zipped(), None),
    "a page": Hostile(b"<!DOCTYPE html><p>Not Found</p>", "a web page", made="no image"),
    "an index beyond the palette": Hostile(indexed(255, 255, 255), None),
    "a palette with nothing in it": Hostile(indexed(*range(6), transparency=b"\0\xff"), None),
    "our mark without our palette": Hostile(
        png(chunk(b"tEXt", b"Software\0nonosat"), chunk(b"PLTE", bytes(6)), PIXELS, sort=3),
        "a palette that lacks colours of the image",
        made=None,
    ),
    "compressed": Hostile(gzip.compress(GOOD), None),
    "GIF, its first bytes": Hostile(b"GIF89a", CANNOT, ".gif"),
    "GIF, cut off": Hostile(GIF[:-9], CANNOT, ".gif"),
    "GIF, a frame beyond the screen": Hostile(
        GIF.replace(b"\0\0\0\0\x04\0\x03\0", b"\0\0\0\0\xff\xff\xff\xff"),
        "pixels, expected at",
        ".gif",
    ),
    "GIF, of 300 frames": Hostile(animated(), None, ".gif"),
    "BMP, its header": Hostile(BMP[:54], CANNOT, ".bmp"),
    "BMP, of 2^31 pixels a row": Hostile(
        BMP[:18] + b"\xff\xff\xff\x7f" + BMP[22:], f"pixels, expected at|{CANNOT}", ".bmp"
    ),
    "BMP, pixels that begin nowhere": Hostile(
        BMP[:10] + b"\xff\xff\xff\x00" + BMP[14:], CANNOT, ".bmp"
    ),
    "WebP, cut off": Hostile(WEBP[:-12], CANNOT, ".webp"),
    "WebP, of nothing": Hostile(b"RIFF\4\0\0\0WEBP", CANNOT, ".webp"),
    "a JPEG under another name": Hostile(file(PICTURE, "JPEG"), "a JPEG, which", made=None),
    "a GIF under another name": Hostile(GIF, None),
    "grey of 16 bits": Hostile(png(chunk(b"IDAT", zlib.compress(WIDE)), bits=16), None),
}


def test_there_are_more_than_twenty() -> None:
    assert len(FILES) > 20
    assert sum(one.says is not None for one in FILES.values()) >= 20


@pytest.mark.parametrize("name", FILES)
def test_hostile_files_end_as_expected(name: str, tmp_path: Path) -> None:
    one = FILES[name]
    path = tmp_path / f"wrong{one.suffix}"
    path.write_bytes(one.data)
    _check(one.says, run("convert", str(path), "-", "--to", "picture"), path)
    _check(
        one.says if one.made == "" else one.made,
        run("generate", "image", str(path), "--columns", "4"),
        path,
    )


def _check(says: str | None, done: Any, path: Path) -> None:
    assert "Traceback" not in done.stderr
    if says is None:
        assert done.exit_code == 0, done.stderr
        return
    assert done.exit_code == 2
    assert done.stderr.startswith(f"nonosat: {path}:")
    assert re.search(says, done.stderr), done.stderr
    assert len(done.stderr) < 600
    assert done.stdout == ""


@pytest.mark.parametrize("name", [name for name, one in FILES.items() if one.says is None])
def test_harmless_files_are_the_toy(name: str) -> None:
    one = FILES[name]
    (puzzle,) = formats.read(one.data, name=f"a{one.suffix}")
    filled = puzzle.goal.lines(".#")
    assert filled == TOY


def test_limits_hold_while_an_image_is_read(tmp_path: Path) -> None:
    path = tmp_path / "large.png"
    path.write_bytes(file(enlarged(PICTURE, 300)))
    assert formats.load(path).height == 3
    for limits in ({"time_limit_s": 1e-6}, {"memory_limit_mib": 1}):
        with pytest.raises(LimitReached, match="while reading"):
            formats.load_all(path, **limits)
        with pytest.raises(LimitReached):
            nonosat.from_image(path, columns=9, **limits)


def test_pillow_keeps_its_own_limit_and_a_lower_one_is_obeyed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    data = file(enlarged(PICTURE, 100))
    for most in (50_000, 100_000):  # above twice the limit Pillow raises, below it warns
        monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", most)
        with pytest.raises(FormatError, match=f"120000 pixels, expected at most {most}; scale"):
            formats.read(data)
