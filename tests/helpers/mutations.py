"""Nearly valid files: bytes changed, words replaced by unusual ones, two files combined.

Everything is derived from a seed. The dictionary contains words that are difficult for readers: too
large numbers, characters of other formats, line ends, byte-order marks.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

TOKENS: tuple[bytes, ...] = (
    *(b"0", b"-1", b"1.5", b"1e400", b"NaN", b"999999999", b"1000000000", b"4294967296"),
    *(b"9" * 30, b"9" * 5000, b"0" * 5000 + b"1", b"1000000 1000000", b"4000x4000", b"?", b"*"),
    *(b"\n", b"\r", b"\r\n", b"\n\n", b"\t", b" ", b"\0", b"\xff", b"\xef\xbb\xbf", b"\xff\xfe"),
    *(b"\xed\xa0\x80", "\u202e".encode(), "\uff12".encode(), "\u2588\u2580".encode(), b"\xa0"),
    *(b"{", b"}", b"[", b"]", b"[" * 3000, b'{"a":' * 3000, b'"', b"'", b",", b":", b";", b"#"),
    *(b"null", b"true", b"[]", b"[0]", b'"rows"', b'"columns"', b'"goal":', b'"given":', b"x"),
    *(b"rows", b"columns", b"width 5", b"height 5", b"goal ", b"saved ", b"color r #f00", b"===="),
    *(b"<puzzle>", b"</puzzle>", b"<count>", b"<line/>", b"<image>|X.|</image>", b"&amp;", b"]]>"),
    *(b"<!DOCTYPE a []>", b"<?xml version='1.0' encoding='utf-16'?>", b"<![CDATA[", b"<!--"),
    *(b": rows", b": columns", b"#d", b"#t", b"picture: 9 colours", b"P1 ", b"P4 ", b"queens 4"),
    *(b"knight 9 9 closed", b"https://puzz.link/p?nonogram/", b"pattern:", b"loopy:", b"t0d"),
    *(b"\x1f\x8b", b"x\x9c", b"sep=;", b"red", b"../../x", b"Row 3:", b"C2", b"across", b"down"),
    *(b"s SATISFIABLE", b"v 1 -2 0", b"----------", b"x = [1];", b"p cnf 9 9", b"d 1 0", b"_core"),
)  # fmt: skip
_WORD = re.compile(rb"[0-9]+|[A-Za-z]+")
_LARGEST = 1 << 16


class Mutator:
    """Generator of files from valid ones.

    Args:
        seeds: Valid files, at least one.
        seed: Seed of all random choices.
    """

    def __init__(self, seeds: Sequence[bytes], seed: int) -> None:
        self._seeds = seeds
        self._draw = random.Random(seed)
        self._ways = (
            self._flip, self._cut, self._repeat, self._insert, self._replace, self._replace,
            self._swap, self._cross,
        )  # fmt: skip

    def file(self) -> bytes:
        """Return the next file: a valid one with one to four changes."""
        data = self._draw.choice(self._seeds)
        for _ in range(self._draw.choice((1, 1, 1, 2, 2, 3, 4))):
            data = self._draw.choice(self._ways)(data)[:_LARGEST]
        return data

    def _span(self, data: bytes) -> tuple[int, int]:
        start = self._draw.randint(0, len(data))
        return start, min(len(data), start + self._draw.choice((1, 1, 2, 5, 20, 100)))

    def _flip(self, data: bytes) -> bytes:
        start, end = self._span(data)
        return data[:start] + self._draw.randbytes(min(end - start, 3)) + data[end:]

    def _cut(self, data: bytes) -> bytes:
        start, end = self._span(data)
        return data[:start] + data[end:] if self._draw.random() < 0.8 else data[:start]

    def _repeat(self, data: bytes) -> bytes:
        start, end = self._span(data)
        return data[:end] + data[start:end] * self._draw.choice((1, 2, 50)) + data[end:]

    def _insert(self, data: bytes) -> bytes:
        start = self._draw.randint(0, len(data))
        return data[:start] + self._draw.choice(TOKENS) + data[start:]

    def _replace(self, data: bytes) -> bytes:
        words = list(_WORD.finditer(data[:4096]))
        if not words:
            return self._insert(data)
        word = self._draw.choice(words)
        return data[: word.start()] + self._draw.choice(TOKENS) + data[word.end() :]

    def _swap(self, data: bytes) -> bytes:
        lines = data.split(b"\n")
        one, other = (self._draw.randrange(len(lines)) for _ in range(2))
        lines[one], lines[other] = lines[other], lines[one]
        return b"\n".join(lines)

    def _cross(self, data: bytes) -> bytes:
        other = self._draw.choice(self._seeds)
        start, end = self._draw.randint(0, len(data)), self._draw.randint(0, len(other))
        return data[:start] + other[end:]
