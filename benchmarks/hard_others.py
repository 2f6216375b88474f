"""Large puzzles as words, of other families, packed files, and invalid files; and all FILES."""

from __future__ import annotations

import gzip

from hard_files import FILES, cells, file, noise, text

from nonosat import formats

__all__ = ["FILES"]


# Words


@file("clues-2000x2000.pattern")
def _() -> bytes:
    return formats.write([noise(2000, 2000)], "pattern")


@file("columns-2000000.pattern")
def _() -> bytes:
    return b"2000000x1:" + b"1/" * 2_000_000 + b"1\n"


@file("given-2000x2000.pattern")
def _() -> bytes:
    return b"2000x2000:" + b"/" * 3999 + b"," + b"aA" * 2_000_000 + b"\n"


@file("puzzles-100000.pattern")
def _() -> bytes:
    return b"2x2:1/1/1/1\n" * 100_000


@file("clues-1000x1000.puzzlink")
def _() -> bytes:
    return formats.write([noise(1000, 1000)], "puzzlink")


@file("slither-2000x2000.puzzlink")
def _() -> bytes:
    return b"https://puzz.link/p?slither/2000/2000/" + b"1" * 4_000_000 + b"\n"


@file("slither-2000x2000.loopy")
def _() -> bytes:
    return b"2000x2000t0:" + b"1a" * 2_000_000 + b"\n"


# Other families


@file("board-2000x2000.slitherlink")
def _() -> bytes:
    return text(["2000 2000", *(" ".join(row) for row in cells(2000, 2000, "..123"))])


@file("board-dense-2000x2000.slitherlink")
def _() -> bytes:
    return text(["2000 2000", *cells(2000, 2000, "..123")])


@file("board-2000x2000.queens")
def _() -> bytes:
    return text(["queens 2000", *cells(2000, 2000, ".....x")])


@file("board-1000x1000.knight")
def _() -> bytes:
    return text(["knight 1000 1000", *(" ".join(row) for row in cells(1000, 1000, "....x"))])


# Packed files, and unknown formats


@file("zeros-200000000.gz")
def _() -> bytes:
    return gzip.compress(bytes(200_000_000))


@file("picture-16000x1000.txt.gz")
def _() -> bytes:
    return gzip.compress(text(["#" * 1000] * 16_000))


@file("members-100000.gz")
def _() -> bytes:
    return gzip.compress(b"1\n") * 100_000


@file("twice.gz")
def _() -> bytes:
    return gzip.compress(gzip.compress(bytes(100_000_000)))


for _kind, _piece in (
    ("letters", b"abcdefgh"),
    ("digits", b"1234567 "),
    ("one-number", b"12345678"),
    ("blanks", b"        "),
    ("lines", b"\n\n\n\n\n\n\n\n"),
    ("hashes", b"########"),
    ("hash-lines", b"#\n#\n#\n#\n"),
    ("commas", b",,,,,,,,"),
    ("quotes", b'""""""""'),
    ("braces", b'{"a":[{"'),
    ("equals", b"========"),
    ("bytes", b"\xff\xfe\x01\x80\x90\xa0\xb0\xc0"),
    ("slashes", b"1/1.1/1/"),
    ("dashes", b"- 1 - 1\n"),
    ("words", b"row: 1 \n"),
):
    FILES[f"only-{_kind}.txt"] = lambda piece=_piece: piece * 500_000
    FILES[f"only-{_kind}.non"] = lambda piece=_piece: piece * 500_000
